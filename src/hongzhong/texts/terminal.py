"""What the terminal table says. ``say`` picks the language and fills in the values."""

from __future__ import annotations

from typing import Final

TEXTS: Final[dict[str, tuple[str, str]]] = {
    "title": ("Hongzhong", "红中"),
    "subtitle": ("northern Chinese mahjong", "北方麻将"),
    "bot_failed": ("the bot of {name} failed: {why}", "{name} 的机器人出错：{why}"),
    "opponents": ("Opponents", "对手"),
    "choose_rules": ("Rule sets", "玩法"),
    "options": ("House rules", "规矩"),
    "start_keys": (
        "↑↓ rule set  ←→ bots  Tab house rules  Enter play  L 中文  F1 help  Ctrl+Q quit",
        "↑↓ 选玩法  ←→ 选对手  Tab 改规矩  回车 开局  L English  F1 帮助  Ctrl+Q 退出",
    ),
    "form_keys": (
        "↑↓ move   ←→ change   Enter type a value   D default   Tab back to rule sets",
        "↑↓ 移动   ←→ 改   回车 输入   D 还原   Tab 回玩法",
    ),
    "resume_offer": ("R  resume the match of {when}: {rules}", "R  接着打 {when} 的牌局：{rules}"),
    "warm_loading": ("loading the rules engine …", "正在载入引擎 …"),
    "warm_compiling": ("preparing the rules engine: {percent} %", "正在准备引擎：{percent} %"),
    "warm_ready": ("ready", "就绪"),
    "type_value": ("{name}: type a value, Enter accepts, Esc leaves it", "{name}：输入新值，回车确定，Esc 放弃"),
    "takes": ("takes {values}", "可填：{values}"),
    "yes": ("yes", "是"),
    "no": ("no", "否"),
    "none": ("none", "无"),
    "default": ("default", "默认"),
    "hand_no": ("hand {hand}/{hands}", "第 {hand}/{hands} 局"),
    "hand_of_round": ("round {round}/{rounds}, hand {hand}", "第 {round}/{rounds} 圈 第 {hand} 局"),
    "remaining": ("{n} tiles left", "余 {n} 张"),
    "dealer": ("D", "庄"),
    "your_turn": ("Your turn: discard a tile", "轮到你：请出牌"),
    "your_claim": ("{name} discarded {tile}: claim it?", "{name} 打出 {tile}：要不要？"),
    "your_rob": ("{name} adds {tile} to a kong: rob it?", "{name} 补杠 {tile}：抢不抢？"),
    "turn_of": ("{name} is thinking …", "{name} 思考中 …"),
    "did_discard": ("{name} discarded {tile}", "{name} 打出 {tile}"),
    "did_draw": ("{name} draws", "{name} 摸牌"),
    "did_chow": ("{name} chows {tile}", "{name} 吃 {tile}"),
    "did_pung": ("{name} pungs {tile}", "{name} 碰 {tile}"),
    "did_kong": ("{name} kongs {tile}", "{name} 杠 {tile}"),
    "did_kong_hidden": ("{name} lays a concealed kong", "{name} 暗杠"),
    "did_win": ("{name} wins", "{name} 胡了"),
    "did_false_win": ("{name} called a false win", "{name} 诈和"),
    "new_hand": ("hand {hand} begins, {name} deals", "第 {hand} 局开始，{name} 坐庄"),
    "tiles_in_hand": ("{n} tiles", "{n} 张"),
    "not_now": ("Not now: {why}", "现在不行：{why}"),
    "no_win_here": ("no win can be called here", "这里不能胡"),
    "not_your_turn": ("it is not your turn", "还没轮到你"),
    "cannot_discard": ("this tile cannot be discarded now", "这张现在不能打"),
    "table_keys": (
        "←→ Enter or tile key: discard  T hint  F1 help  F2 中文  F3 glyphs  Esc leave",
        "←→ 回车 或 牌下的键：出牌  T 提示  F1 帮助  F2 English  F3 牌图  Esc 离开",
    ),
    "act_win": ("win", "胡"),
    "act_pass": ("pass", "过"),
    "act_pung": ("pung {tile}", "碰 {tile}"),
    "act_chow": ("chow {tile}", "吃 {tile}"),
    "act_kong": ("kong {tile}", "杠 {tile}"),
    "key_space": ("Space", "空格"),
    "won_by_draw": ("self-drawn", "自摸"),
    "won_by_discard": ("on the discard of {name}", "{name} 点炮"),
    "won_by_kong": ("robbing the kong of {name}", "抢 {name} 的杠"),
    "winner_line": ("{name} wins", "{name} 胡"),
    "points_line": ("{points} points", "{points} 分"),
    "kind_base": ("base {value}", "底 {value}"),
    "kind_fan": ("{value} fan", "{value} 番"),
    "kind_times": ("x {value}", "x {value}"),
    "reading": ("reading", "牌型"),
    "end_win": ("Hand won", "胡牌"),
    "end_exhausted": ("Drawn: no tile is left", "荒庄：牌已摸完"),
    "end_four_kongs": ("Drawn: four kongs", "四杠荒牌"),
    "end_false_win": ("False win", "诈和"),
    "end_aborted": ("Aborted", "中止"),
    "false_win_line": ("{name} called a win with a hand that does not win", "{name} 诈和"),
    "pay_win": ("win", "胡牌"),
    "pay_kong": ("kongs", "杠"),
    "pay_kong_void": ("kongs returned", "退杠分"),
    "pay_false_win": ("false win", "诈和"),
    "pay_follow_dealer": ("following the dealer", "跟庄"),
    "this_hand": ("this hand", "本局"),
    "total": ("total", "总分"),
    "player": ("player", "玩家"),
    "next_dealer": ("next dealer: {name}", "下局庄家：{name}"),
    "continue": ("Enter: go on", "回车：继续"),
    "match_over": ("Match over", "全场结束"),
    "rank": ("{n}.", "第 {n} 名"),
    "match_keys": ("Enter: back to the start   Ctrl+Q: quit", "回车：回到开始   Ctrl+Q：退出"),
    "recorded": ("record: {path}", "牌谱：{path}"),
    "secret": ("secret of the walls: {secret}", "牌墙密钥：{secret}"),
    "commitment": ("sealed {commitment}", "承诺 {commitment}"),
    "too_small": (
        "This window is {width} x {height}.\nThe table needs 80 x 24: please enlarge it.",
        "窗口只有 {width} x {height}。\n牌桌需要 80 x 24，请放大窗口。",
    ),
    "leave_title": ("Leave the table?", "离开牌桌？"),
    "leave_text": (
        "The match is kept as it stands; resume it at the next start.",
        "牌局已保存，下次启动可接着打。",
    ),
    "leave_keys": ("Enter: leave   Esc: play on", "回车：离开   Esc：继续打"),
    "record_failed": (
        "Record stopped ({why}); play goes on, the journal is kept",
        "牌谱写不进去（{why}）；牌局照常，日志完整",
    ),
    "journal_failed": (
        "The journal {path} cannot be written: {why}. Free some space, then start again: what was saved is kept.",
        "日志 {path} 写不进去：{why}。请腾出空间再启动，已保存的不会丢。",
    ),
    "help_title": ("Help", "帮助"),
    "help_close": ("Esc or F1: close   ↑↓: scroll", "Esc 或 F1：关闭   ↑↓：滚动"),
    "help_keys": (
        "←→ and Enter   choose a tile and discard it\n"
        "1 … 0 q w e r  discard the tile above the key\n"
        "mouse          click a tile or a button\n"
        "h              win\n"
        "p              pung\n"
        "c v b          chow\n"
        "k l m n        kong\n"
        "Space          pass\n"
        "t              hint: distance, waits, best discards\n"
        "F1 F2 F3       help, language, tile glyphs\n"
        "Esc            leave; the match is kept",
        "←→ 与回车      选一张牌打出\n"
        "1 … 0 q w e r  打出键上方的牌\n"
        "鼠标           点牌或按钮\n"
        "h              胡\n"
        "p              碰\n"
        "c v b          吃\n"
        "k l m n        杠\n"
        "空格           过\n"
        "t              提示：向听、听牌、打哪张\n"
        "F1 F2 F3       帮助、语言、牌图\n"
        "Esc            离开，牌局自动保存",
    ),
    "help_keys_title": ("Keys", "按键"),
    "help_rules_title": ("Rules: {name}", "规则：{name}"),
    "help_tiles": ("tiles: {n}", "牌数：{n}"),
    "help_wild": ("wild: {tiles}", "癞子：{tiles}"),
    "help_claims": ("claims: {claims}", "可以：{claims}"),
    "help_forms": ("winning hands: {forms}", "胡牌牌型：{forms}"),
    "help_conditions": ("a win also needs: {text}", "胡牌还须：{text}"),
    "help_exempt": ("(not {names})", "（{names}除外）"),
    "help_prices": ("Prices", "番价"),
    "help_changed": ("House rules of this table", "本桌规矩"),
    "help_marks": (
        "In a river an underlined dim tile was claimed; the amber one is the last discard.",
        "牌河里变暗带下划线的牌已被吃碰杠；琥珀色的是刚打出的牌。",
    ),
    "help_faces": (
        "Tiles: 5 C characters, 5 B bamboos, 5 D dots; east, south, west, north; white, green and red dragon.",
        "",
    ),
    "claim_chow": ("chow from the upper seat", "吃上家"),
    "claim_pung": ("pung", "碰"),
    "claim_exposed_kong": ("exposed kong", "明杠"),
    "claim_added_kong": ("added kong", "补杠"),
    "claim_concealed_kong": ("concealed kong", "暗杠"),
    "form_four_sets": ("four sets and a pair", "四组一将"),
    "form_seven_pairs": ("seven pairs", "七对"),
    "form_thirteen_orphans": ("thirteen orphans", "十三幺"),
    "default_name": ("You", "玩家"),
    "bot_names": ("Dong,Nan,Bei", "老东,小南,阿北"),
}

CHOICES: Final[dict[str, tuple[str, str]]] = {
    "calls=assisted": ("legal calls are offered", "提示可叫的牌"),
    "calls=manual": ("call yourself, false wins count", "自己叫牌，可诈和"),
    "discard_pays=discarder": ("the discarder", "点炮者付"),
    "discard_pays=all": ("all three", "三家付"),
    "discard_pays=discarder_for_all": ("the discarder for all", "点炮者包三家"),
    "multi_win=nearest": ("the nearest only", "只胡一家"),
    "multi_win=all": ("all of them", "都可胡"),
    "dealer_rule=next": ("the next seat", "下家"),
    "dealer_rule=winner": ("the winner", "胡家"),
    "pass_lock=none": ("none", "无"),
    "pass_lock=win": ("wins", "过胡不胡"),
    "pass_lock=pung": ("pungs", "过碰不碰"),
    "pass_lock=both": ("wins and pungs", "胡碰都限"),
    "kong_payer=three": ("all three", "三家付"),
    "kong_payer=discarder": ("the discarder", "放杠者付"),
    "play_direction=counter_clockwise": ("counter-clockwise", "逆时针"),
    "play_direction=clockwise": ("clockwise", "顺时针"),
    "three_suits=except_flush": ("all but flushes", "一色除外"),
    "three_suits=strict": ("every hand", "一律要"),
    "three_suits=off": ("not required", "不要求"),
    "fan_points=linear": ("fan x stake", "番数乘底"),
    "fan_points=doubling": ("doubled by each fan", "逐番翻倍"),
    "colour_rule=two_suits": ("eight of a suit, two suits or honours", "八张一色且两门或带风"),
    "colour_rule=eight_only": ("eight of a suit", "一色够八张"),
    "reserve_stacks=dice": ("the dice", "按骰子"),
}
"""Texts of the choices and words that options take, by ``option=value``."""


def say(lang: str, text_id: str, **values: object) -> str:
    """The text in ``zh`` or ``en``, its placeholders filled."""
    text = TEXTS[text_id][1 if lang == "zh" else 0]
    return text.format(**values) if values else text


def say_length(lang: str, option: str, n: int) -> str:
    """The length of a match, by ``hands`` or ``rounds``."""
    if lang == "zh":
        return f"{n}{'圈' if option == 'rounds' else '局'}"
    return f"{n} {'full round' if option == 'rounds' else 'hand'}{'s' * (n != 1)}"


def say_value(lang: str, option: str, value: object) -> str:
    """An option's value as a player reads it."""
    if value is None:
        return say(lang, "none")
    if isinstance(value, bool):
        return say(lang, "yes" if value else "no")
    if isinstance(value, tuple | list):
        return ",".join(str(v) for v in value)
    pair = CHOICES.get(f"{option}={value}")
    return str(value) if pair is None else pair[1 if lang == "zh" else 0]
