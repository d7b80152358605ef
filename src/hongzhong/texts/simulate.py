"""The statistics of ``hongzhong simulate`` in words."""

from __future__ import annotations

from typing import Final

WORDS: Final[dict[str, tuple[str, str]]] = {
    # id: (English, Chinese)
    "hands": ("{done} hands of {rules}, seed {seed}", "{rules}，{done} 局，种子 {seed}"),
    "interrupted": ("interrupted: {done} of {wanted} hands were played", "已中断：共 {wanted} 局，打完 {done} 局"),
    "speed": (
        "{seconds:.1f} s, {rate:,.0f} hands/s, {decisions:,.0f} decisions/s",
        "{seconds:.1f} 秒，每秒 {rate:,.0f} 局，每秒 {decisions:,.0f} 次决策",
    ),
    "recorded": ("record: {path}", "牌谱：{path}"),
    "failure": (
        "hand {hand}: {bot} on seat {seat}: {kind} {where}: {text}; greedy played on",
        "第 {hand} 局：{seat} 号 {bot}：{kind}（{where}）：{text}；由 greedy 接着打",
    ),
    "gave_up": (
        "stopped: programs failed too often; {done} of {wanted} hands were played",
        "已停止：程序出错过多；共 {wanted} 局，打完 {done} 局",
    ),
    "working": ("playing", "对局中"),
    "ends": ("how hands end", "结局"),
    "win": ("won", "和牌"),
    "exhausted": ("drawn, wall exhausted", "荒庄"),
    "four_kongs": ("drawn, four kongs", "四杠荒牌"),
    "false_win": ("false win", "诈和"),
    "aborted": ("aborted", "中止"),
    "ways": ("how hands are won", "和牌方式"),
    "draw": ("self-drawn", "自摸"),
    "discard": ("on a discard", "点炮"),
    "kong": ("robbing a kong", "抢杠"),
    "several": ("several winners", "一炮多响"),
    "dealer": ("won by the dealer", "庄家和牌"),
    "points": ("points of a win: mean {mean:.2f}, spread {sd:.2f}", "每次和牌点数：平均 {mean:.2f}，标准差 {sd:.2f}"),
    "length": (
        "length: {discards:.1f} discards (at most {most}), {decisions:.1f} decisions, {kongs:.2f} kongs a hand",
        "长度：平均每局打出 {discards:.1f} 张（最多 {most} 张），{decisions:.1f} 次决策，{kongs:.2f} 次杠",
    ),
    "seats": ("seats", "各座位"),
    "bots": ("bots", "各机器人"),
    "columns": (
        "wins|win rate|gave|points a win|score a hand|spread",
        "和牌|和牌率|点炮|每和点数|每局得分|标准差",
    ),
    "seat": ("seat {number} {bot}", "{number} 号 {bot}"),
    "bot": ("{bot} ({seats} seats)", "{bot}（{seats} 席）"),
    "patterns": ("patterns, a win", "番种，每次和牌"),
}


def say(lang: str, word: str, **values: object) -> str:
    """A phrase in ``zh`` or ``en``."""
    return WORDS[word][lang == "zh"].format(**values)
