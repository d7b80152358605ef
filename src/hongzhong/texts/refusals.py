"""What rule sheets and the referee refuse, in Chinese: the engine says it in English, pages show it in both languages."""

from __future__ import annotations

import re
from typing import Final

from hongzhong.tiles import CHINESE_SHORT, KIND_OF

_TILE: Final = r"[1-9][mspz]"
_PATTERNS: Final = (
    # options and prices
    (r"unknown rule set '(?P<name>.*?)'.*", "没有规则“{name}”"),
    (r"unknown option '(?P<option>.*)' of (?P<rules>\w+); see: .*", "{rules} 没有选项 {option}"),
    (r"option (?P<option>[\w.]+): wrong price (?P<value>.+); a (?P<kind>\w+) price is a whole number from (?P<low>\d+) to (?P<high>\d+)",
     "选项 {option}：分值 {value} 不对，应是 {low} 到 {high} 的整数"),
    (r"option (?P<option>\w+): bad value (?P<value>.+); it takes (?P<takes>.+)", "选项“{option}”不能是 {value}，可为：{takes}"),
    (r"options (?P<option>\w+)=(?P<value>.+) and price\.(?P<price>\w+)=(?P<other>.+) conflict: give one of them",
     "选项“{option}”={value} 与 price.{price}={other} 冲突，只能给一个"),
    (r"options hands=(?P<hands>\d+) and rounds=(?P<rounds>\d+) conflict: .*; leave hands at (?P<right>\d+) or set rounds=0",
     "局数 {hands} 与圈数 {rounds} 不能同时给：局数留 {right}，或圈数为 0"),
    (r"options discard_wins=false and (?P<option>\w+)=(?P<value>.+) conflict: .*", "只可自摸时，选项“{option}”没有意义"),
    (r"options thirteen_orphans=false and thirteen_orphans_fan conflict: .*", "没有开启十三幺，不能给它定番数"),
    (r"option rob_kong=true conflicts with a rule set that has no added kong", "没有补杠的规则不能抢杠胡"),
    (r"option kong_payer conflicts with kong_points=0,0,0: .*", "杠分都是 0，明杠谁付没有意义"),
    (r"option fan_points=doubling conflicts with prices that reach (?P<fan>\d+) fan: .*", "番数最多可达 {fan}，翻倍算法最多 40 番"),
    (r"the prices and stake in force conflict: .*", "分值和底分太大：一次胡牌可能超过 2^53 分，请降低"),
    # secrets and throws
    (r"a secret is 64 lower-case hex digits, not (?P<text>.*)", "秘密应是 64 位小写十六进制数字，不是 {text}"),
    (r"a nonce of (?P<n>\d+) bytes is too long: at most (?P<most>\d+)", "随机数有 {n} 字节，最多 {most}"),
    (r"a throw is two dice from 1 to 6", "一次掷两颗骰子，点数 1 到 6"),
    (r"(?P<n>\d+) throws leave seats (?P<seats>.+) to throw \(again\)", "掷了 {n} 次，座位 {seats} 还要（再）掷"),
    (r"(?P<n>\d+) throws where (?P<wanted>\d+) decide", "掷了 {n} 次，{wanted} 次就已定"),
    # hands
    (r"unknown tile \?: .*", "每张牌都要写明，不能用 ?"),
    (r"unknown tile \? in .*", "每张牌都要写明，不能用 ?"),
    (r"unknown tile in \[\?\?\?\?\]: .*", "暗杠要写明是哪张牌"),
    (r"unknown tile at '(?P<text>.*)': .*", "“{text}”不是牌：请写成 123m7z（m 万，s 条，p 筒，z 东南西北白发中）"),
    (r"unknown tile (?P<text>\w+): honours are .*", "没有 {text} 这张牌：字牌是 1z-7z，数牌是 1-9 加 m、s、p"),
    (r"(?P<n>\d+) melds: a hand has at most 4", "{n} 副亮牌：最多 4 副"),
    (r"(?P<n>\d+) concealed tiles beside (?P<melds>\d+) melds: (?P<wanted>\d+) are wanted, .*",
     "{melds} 副亮牌之外有 {n} 张手牌：应有 {wanted} 张，胡的那张不算"),
    (r"(?P<n>\d+) concealed tiles: (?P<wanted>\d+) are wanted, .*", "有 {n} 张手牌：应有 {wanted} 张，胡的那张不算"),
    (r"(?P<n>\d+) copies of (?P<tile>" + _TILE + ")", "{tile}有 {n} 张"),
    (r"(?P<rules>\w+) has no tile (?P<tile>" + _TILE + ")", "{rules} 没有{tile}"),
    (r"impossible meld (?P<meld>\S+): (?P<rules>\w+) has no (?P<claim>[\w ]+)", "亮牌 {meld} 不成立：{rules} 没有{claim}"),
    (r"impossible meld (?P<meld>\S+): (?P<tile>" + _TILE + ") is wild and is never melded", "亮牌 {meld} 不成立：{tile}是癞子，不能碰杠"),
    (r"impossible meld '(?P<meld>.*)': three in a row .*", "亮牌 {meld} 不成立：应是同花色三张顺、三张或四张相同"),
    (r"'(?P<meld>.*)' is no meld: .*", "“{meld}”不是亮牌：请写成 (345m)、(888p)、(2222s)、(2222s+) 或 [2222s]"),
    (r"'(?P<text>.*)' is (?P<n>\d+) tiles where one is wanted, .*", "“{text}”是 {n} 张牌，这里要一张，如 5m"),
    (r"by: bad value '(?P<value>.*)'; .*", "胡法 {value} 不对：应是 draw（自摸）、discard（点炮）或 kong（抢杠）"),
    (r"(?P<tile>" + _TILE + ") is wild: it is never in a kong that could be robbed", "{tile}是癞子，不会被抢杠"),
    (r"(?P<name>winner|dealer|from): bad value (?P<seat>.+); seats are 0-3", "座位 {seat} 不对：座位是 0 到 3"),
    (r"from: a win by draw comes from nobody", "自摸没有点炮者"),
    (r"from and winner are both (?P<seat>\d): .*", "胡牌者和点炮者都是座位 {seat}：不能胡自己打的牌"),
    (r"replacement: a replacement tile is drawn, .*", "杠上开花必须是自摸"),
    (r"replacement: no kong among the melds, .*", "没有杠，就没有杠上开花"),
    (r"last_tile: (?P<rules>\w+) never discards the last tile, .*", "{rules} 不打最后一张：海底捞月必须是自摸"),
    (r"first_turn: no meld can have been made by then", "天胡、地胡时还不能有亮牌"),
    (r"first_turn: winner and dealer are wanted, .*", "天胡、地胡要写明胡牌者和庄家，不是自摸还要点炮者"),
    (r"missing (?P<what>.+): winner and dealer come together, .*", "缺少 {what}：胡牌者和庄家要一起写，不是自摸还要点炮者"),
)  # fmt: skip
_CLAIMS: Final = {"chow": "吃", "pung": "碰", "exposed kong": "明杠", "added kong": "补杠", "concealed kong": "暗杠"}


def chinese(text: str) -> str:
    """The same in Chinese; as it is, where that is not known."""
    for pattern, zh in _PATTERNS:
        found = re.fullmatch(pattern, text)
        if found is not None:
            return zh.format(**{name: _word(name, value or "") for name, value in found.groupdict().items()})
    return text


def _word(name: str, value: str) -> str:
    if name == "tile" and value in KIND_OF:
        return CHINESE_SHORT[KIND_OF[value]]
    if name == "takes":
        value = re.sub(r"(three|a) whole numbers? from (\d+) to (\d+)", r"\2 到 \3 的整数", value)
        return value.replace(", such as ", "，如 ").replace(" or ", " 或 ")
    return _CLAIMS.get(value, value) if name == "claim" else value
