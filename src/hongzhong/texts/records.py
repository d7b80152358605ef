"""What is wrong with a record, in English and Chinese: for ``verify``, and for pages that take records in."""

from __future__ import annotations

from typing import Final

from hongzhong import events
from hongzhong.texts.refusals import chinese
from hongzhong.texts.replay import describe
from hongzhong.tiles import CHINESE_SHORT, KIND_OF

PROBLEMS: Final = {
    # reading
    "empty": ("the file is empty: no record", "文件是空的，没有牌谱"),
    "cut_off": ("the line is cut off: the record was truncated here", "这一行不完整：牌谱在这里断了"),
    "no_record": (
        "no Hongzhong record: it must begin with a match event ({why})",
        "这不是红中的牌谱：第一行应是 match 事件（{why}）",
    ),
    "no_json": (
        "no Hongzhong record: it must begin with a match event in JSON ({why})",
        "这不是红中的牌谱：第一行应是 JSON 写的 match 事件（{why}）",
    ),
    "no_event": ("no event of format {format}: {why}", "不是格式 {format} 的事件：{why}"),
    "not_json": ("not JSON: {why}", "不是 JSON：{why}"),
    "not_text": (
        "not text: a record is JSON Lines in UTF-8",
        "不是文本：牌谱是 UTF-8 的 JSON Lines",
    ),
    "option_nested": (
        "option {name}: bad value; an option is a word, a number, or a list of them",
        "选项 {name} 的值不对：应是词、数字或它们的列表",
    ),
    "format": (
        "record format {format}: this engine reads format {ours}",
        "牌谱格式是 {format}，这个版本读的是格式 {ours}",
    ),
    "seat": ("{field} {seat} is no seat: seats are 0 to 3", "{field} {seat} 不是座位：座位是 0 到 3"),
    "tiles": (
        "{field} {text!r} is {n} tiles where {wanted} should stand",
        "{field} {text!r} 是 {n} 张牌，这里应有 {wanted} 张",
    ),
    "fours": ("{field} has {n} entries where there are four seats", "{field} 有 {n} 项，应是四家各一项"),
    # the head
    "begins": (
        "a record begins with a match event; this is {event!r}",
        "牌谱的第一行应是 match 事件，这里是“{event}”",
    ),
    "commitment_form": (
        "a commitment is 'sha256:' and 64 hex digits",
        "承诺应写成 sha256: 加 64 位十六进制数字",
    ),
    "nonces": (
        "{n} nonces: either none or one for each of the four players",
        "有 {n} 个随机数：要么没有，要么四家各一个",
    ),
    "other_sheet": (
        "a record of {rules}, but the sheet given is {given}",
        "牌谱用的规则是 {rules}，给出的却是 {given}",
    ),
    "revision": (
        "line {line}: recorded under revision {told} of {rules}, checked under revision {ours}",
        "第{line}行：记录时 {rules} 的规则是第 {told} 版，现在按第 {ours} 版核对",
    ),
    "opening": (
        "seats, throws or first dealer do not follow from the secret",
        "座位、骰子或第一个庄家与公开的秘密不符",
    ),
    "first_dealer": (
        "seat_draw and dealer_throws do not fit a first dealer by {way}",
        "seat_draw、dealer_throws 与定庄方式（{way}）不符",
    ),
    "seat_draw": (
        "seat_draw {draw} is no draw of the four winds 0 to 3",
        "seat_draw {draw} 不是东南西北 0 到 3 各抽一张",
    ),
    "throws": ("dealer_throws: {why}", "dealer_throws：{why}"),
    "thrown": (
        "the throws make seat {dealer} deal first, not {told}",
        "按骰子应由{dealer}号座首先坐庄，不是{told}号座",
    ),
    # a hand's wall
    "wall_secret": (
        "the wall or dice of this hand do not follow from the secret",
        "这一局的牌墙或骰子与公开的秘密不符",
    ),
    "wall_tiles": ("the wall does not hold the {n} tiles of {rules}", "牌墙不是 {rules} 的 {n} 张牌"),
    "no_dice": ("{rules} throws no dice for a hand", "{rules} 每局不掷骰子"),
    "two_throws": (
        "a hand begins with two throws of two dice from 1 to 6",
        "每局开始掷两次骰子，每次两颗，点数 1 到 6",
    ),
    "break": ("break {told} is not the sum of the dice, {right}", "开门的 break 是 {told}，骰子之和是 {right}"),
    # what follows
    "hand_begins": ("hand {n} should begin", "第 {n} 局（从 0 数）应开始"),
    "hand_goes_on": ("hand {n} is still being played", "第 {n} 局（从 0 数）还没打完"),
    "comes": ("{event!r} follows", "接下来应是“{event}”"),
    "stands_where": ("{event!r} stands where {wanted}", "这里是“{event}”，而{wanted}"),
    "ends_early": ("the record ends without its result: {wanted}", "牌谱没有写到结果：{wanted}"),
    "not_opened": (
        "the secret that line 1 of the match commits to is not opened",
        "对局第一行承诺过的秘密没有公开",
    ),
    "commitment": (
        "the secret does not fit the commitment at the beginning of the match",
        "公开的秘密与开局时的承诺不符",
    ),
    "illegal": (
        "{event!r} does not follow: seat {seat} may {may}",
        "“{event}”不成立：{seat}号座可以{may}",
    ),
    "should_be": (
        "{event!r} does not follow: it should be {wanted!r}",
        "“{event}”不成立：应是“{wanted}”",
    ),
    "differs": ("{type}: {parts}", "{type}：{parts}"),
    "part": ("{name} is {told} and should be {right}", "{name} 是 {told}，应是 {right}"),
    "option_part": ("option {name} is {told} and should be {right}", "选项 {name} 是 {told}，应是 {right}"),
    "option_missing": ("option {name} is missing, it should be {right}", "缺少选项 {name}，应是 {right}"),
    "option_extra": ("option {name} has no place here", "不应有选项 {name}"),
    "unknown_rules": (
        "unknown rule set {rules!r}; known here: {known}; the sheet of another is given at the command line: --rules ./file.py",
        "没有规则“{rules}”，这里有：{known}；其他规则请在命令行给出规则文件：--rules ./file.py",
    ),
    "after_result": (
        "{event!r} follows a result; only another match may",
        "结果之后又有“{event}”：结果之后只能是另一场对局",
    ),
    "one_match": (
        "it holds {n} matches; upload them one by one",
        "里面有 {n} 场对局，请一场一场上传",
    ),
    "all_follow": (
        "every line follows: matches {matches}, hands {hands}, lines {lines}",
        "每一行都成立：对局{matches}，局{hands}，行{lines}",
    ),
}
"""By id: English, Chinese."""
_ACTIONS: Final = {
    "pass": "过",
    "win-draw": "自摸",
    "win-claim": "胡",
    "pung": "碰",
    "chow-low": "吃",
    "chow-middle": "吃",
    "chow-high": "吃",
    "false-win": "诈和",
    "discard": "打",
    "kong-exposed": "明杠",
    "kong-added": "补杠",
    "kong-concealed": "暗杠",
}


class Said(str):
    """A text in English that carries its Chinese."""

    __slots__ = ("zh",)
    zh: str

    def __new__(cls, en: str, zh: str | None = None) -> Said:
        """Without ``zh`` what ``refusals.chinese`` makes of it."""
        said = super().__new__(cls, en)
        said.zh = chinese(en) if zh is None else zh
        return said


def said(problem: str, /, **values: object) -> Said:
    """What is wrong. Events are told in words, texts that carry their Chinese in both."""
    en, zh = PROBLEMS[problem]
    return Said(
        en.format(**{name: _en(value) for name, value in values.items()}),
        zh.format(**{name: _zh(value) for name, value in values.items()}),
    )


def _en(value: object) -> object:
    return describe(value) if isinstance(value, events.Event) else value


def _zh(value: object) -> object:
    if isinstance(value, events.Event):
        return describe(value, "zh")
    if isinstance(value, Said):
        return value.zh
    return chinese(value) if isinstance(value, str) else value


def joined(parts: list[Said]) -> Said:
    """One after another."""
    return Said("; ".join(parts), "；".join(part.zh for part in parts))


def choices(names: list[str], most: int = 8) -> Said:
    """What a seat may do, by the stable names of actions."""
    more = len(names) > most
    found = [_action(name) for name in names[:most]]
    en, zh = ", ".join(names[:most]), "、".join(dict.fromkeys(found))
    return Said(en + ", ..." * more, zh + "等" * more)


def _action(name: str) -> str:
    block, _, tile = name.partition(" ")
    return _ACTIONS[block] + (CHINESE_SHORT[KIND_OF[tile]] if tile else "")
