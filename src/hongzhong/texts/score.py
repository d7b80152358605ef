"""Words of ``hongzhong score`` and ``hongzhong rules``, in both languages."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import Any, Final

_EN: Final = {
    "wins": "Wins: {points} ({rules}, {way})",
    "way_draw": "self-drawn",
    "way_discard": "on a discard",
    "way_kong": "robbing a kong",
    "reading": "Reading   {reading}",
    "patterns": "Counted",
    "base": "base {value}",
    "fan": "{value} fan",
    "times": "x{value}",
    "count": " x {count} of them",
    "formula": "Points    {formula}",
    "payments": "Paid",
    "seat_pays": "seat {seat} pays {amount}",
    "seat_gets": "seat {seat} receives {amount}",
    "winner_dealer": "if the winner deals",
    "winner_other": "if another seat deals",
    "discarder_deals": "if the discarder deals",
    "konger_deals": "if the owner of the kong deals",
    "third_deals": "if a third seat deals",
    "each": "each of the three pays {amount}",
    "role_dealer": "the dealer {amount}",
    "role_source": "the discarder {amount}",
    "role_konger": "the owner of the kong {amount}",
    "role_other": "each other {amount}",
    "fails": "Does not win: {why} ({ruling}; {reason})",
    "incomplete": "the tiles make no winning shape",
    "no_robbing": "no kong may be robbed here",
    "no_wild_discard_win": "a discarded wild tile may not be won on here",
    "no_discard_win": "wins are by own draw only here",
    "missing": "Missing   {count} tile(s) to exchange",
    "without": "Without the last tile it waits for {waits}",
    "unready": "Without the last tile it is not ready",
    "rule_sets": "Rule sets (hongzhong rules NAME for one of them)",
    "forms": "Winning shapes",
    "form_four_sets": "four sets and a pair",
    "form_seven_pairs": "seven pairs",
    "form_thirteen_orphans": "thirteen orphans",
    "conditions": "Every win must meet",
    "exempt": "except {patterns}",
    "prices": "Prices (change one with --option price.ID=N)",
    "options": "Options (change one with --option ID=VALUE; * often differs from table to table)",
    "takes": "takes {values}",
    "changed": "default {value}",
    "true": "true",
    "false": "false",
    "none": "none",
    "claims": "Claims    {claims}",
    "claim_chow": "chow",
    "claim_pung": "pung",
    "claim_exposed_kong": "exposed kong",
    "claim_added_kong": "added kong",
    "claim_concealed_kong": "concealed kong",
    "comma": ", ",
    "tiles": "Tiles     {count}",
    "wild": "wild: {tiles}",
}
_ZH: Final = {
    "wins": "能胡：{points}分（{rules}，{way}）",
    "way_draw": "自摸",
    "way_discard": "点炮",
    "way_kong": "抢杠",
    "reading": "牌型  {reading}",
    "patterns": "计分",
    "base": "基数{value}",
    "fan": "{value}番",
    "times": "×{value}",
    "count": "，{count}个",
    "formula": "分数  {formula}",
    "payments": "付分",
    "seat_pays": "座位{seat}付{amount}",
    "seat_gets": "座位{seat}收{amount}",
    "winner_dealer": "庄家胡",
    "winner_other": "闲家胡",
    "konger_deals": "闲家胡，开杠者是庄",
    "discarder_deals": "闲家胡，点炮者是庄",
    "third_deals": "闲家胡，点炮者不是庄",
    "each": "三家各付{amount}",
    "role_dealer": "庄家付{amount}",
    "role_source": "点炮者付{amount}",
    "role_konger": "开杠者付{amount}",
    "role_other": "其余各付{amount}",
    "fails": "不能胡：{why}（{ruling}；{reason}）",
    "incomplete": "不成牌型",
    "no_robbing": "不可抢杠",
    "no_wild_discard_win": "不可胡打出的癞子",
    "no_discard_win": "只可自摸",
    "missing": "还差  {count}张",
    "without": "不算最后一张，听 {waits}",
    "unready": "不算最后一张，尚未听牌",
    "rule_sets": "规则（hongzhong rules 名称 看其中一种）",
    "forms": "胡牌牌型",
    "form_four_sets": "四副一将",
    "form_seven_pairs": "七对",
    "form_thirteen_orphans": "十三幺",
    "conditions": "胡牌条件",
    "exempt": "{patterns}除外",
    "prices": "计分（用 --option price.ID=N 修改）",
    "options": "选项（用 --option ID=值 修改；* 各桌常有不同）",
    "takes": "可为 {values}",
    "changed": "默认 {value}",
    "true": "是(true)",
    "false": "否(false)",
    "none": "无(none)",
    "claims": "叫牌  {claims}",
    "claim_chow": "吃",
    "claim_pung": "碰",
    "claim_exposed_kong": "明杠",
    "claim_added_kong": "补杠",
    "claim_concealed_kong": "暗杠",
    "comma": "，",
    "tiles": "牌数  {count}",
    "wild": "癞子：{tiles}",
}
WORDS: Final = {"en": _EN, "zh": _ZH}
REASONS: Final = ("incomplete", "no_robbing", "no_wild_discard_win", "no_discard_win")
"""Reasons of the engine's own; the others have their text in the sheets."""


def say(lang: str, name: str, **values: Any) -> str:
    """The words of that name."""
    return WORDS[lang][name].format(**values)


def formula(patterns: Sequence[Any], points: int, *, stake: int, doubling: bool) -> str:
    """How the points come about from the rows that count: ``stake x (base + fan) x times``, the sum doubled where fan are."""
    sums = [str(row.value * row.count) for row in patterns if row.kind != "times"]
    whole = " + ".join(sums) or "0"
    if doubling:
        whole = f"2^({whole} - 1)" if points else "0"
    times = [str(row.value) for row in patterns if row.kind == "times" for _ in range(row.count)]
    stakes = [str(stake)] if stake != 1 else []
    factors = [*stakes, f"({whole})" if len(sums) > 1 and (times or stakes) and "^" not in whole else whole, *times]
    product = " x ".join(factors)
    return product if product == str(points) else f"{product} = {points}"


def padded(text: str, width: int) -> str:
    """Filled with spaces to a width in terminal columns, where a Chinese character takes two; one space at least."""
    columns = sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)
    return text + " " * max(width - columns, 1)
