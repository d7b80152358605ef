"""Events in words, in both languages: for replays and for what ``verify`` reports."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from hongzhong import events
from hongzhong.tiles import CHINESE, UNKNOWN, format_mpsz, parse_mpsz

_EN: Final = {
    "match": "match of {hands} hands of {rules}: {players}; {dealer} deals first",
    "match_rounds": "match of {rounds} full rounds of dealers of {rules}: {players}; {dealer} deals first",
    "throws": "throws for the deal: {throws}",
    "seats": "winds drawn: {draw}",
    "hand": "hand {number}: {dealer} deals; totals {scores}",
    "dice": "dice {dice}, {stacks} stacks aside",
    "deal": "{who} is dealt {tiles}",
    "draw": "{who} draws {tile}",
    "tail": "{who} takes the replacement {tile}",
    "discard": "{who} discards {tile}",
    "drawn": "{who} discards the drawn {tile}",
    "chow": "{who} chows {tile} from {source} with {tiles}",
    "pung": "{who} pungs {tile} from {source}",
    "exposed": "{who} kongs {tile} from {source}",
    "added": "{who} adds {tile} to a pung: kong",
    "concealed": "{who} makes a concealed kong of {tile}",
    "win_draw": "{who} wins by own draw of {tile}: points {points}",
    "win_discard": "{who} wins on {tile} from {source}: points {points}",
    "win_kong": "{who} robs the kong of {source} and wins on {tile}: points {points}",
    "false_win": "{who} calls a false win",
    "pay_win": "payments {deltas}",
    "pay_kong": "payments for a kong {deltas}",
    "pay_kong_void": "payments for kongs go back {deltas}",
    "pay_false_win": "payments for the false win {deltas}",
    "pay_follow_dealer": "all followed the dealer, who pays {deltas}",
    "end_win": "the hand ends with a win; points {scores}; next dealer {next}",
    "end_exhausted": "no tile is left: a drawn hand; points {scores}; next dealer {next}",
    "end_four_kongs": "the fourth kong ends the hand; points {scores}; next dealer {next}",
    "end_false_win": "the false win ends the hand; points {scores}; next dealer {next}",
    "end_aborted": "the hand is aborted; points {scores}; next dealer {next}",
    "result": "result {scores}; ranking: {ranking}",
    "secret": "the secret: {secret}",
    "seat": "seat {seat}",
    "hidden": "a hidden tile",
}
_ZH: Final = {
    "match": "{rules}，共{hands}局：{players}；{dealer}首先坐庄",
    "match_rounds": "{rules}，共{rounds}圈：{players}；{dealer}首先坐庄",
    "throws": "掷骰定庄：{throws}",
    "seats": "抽风定位：{draw}",
    "hand": "第{number}局：{dealer}坐庄；累计{scores}",
    "dice": "骰子{dice}，留{stacks}摞",
    "deal": "{who}配牌{tiles}",
    "draw": "{who}摸{tile}",
    "tail": "{who}杠后补{tile}",
    "discard": "{who}打{tile}",
    "drawn": "{who}摸打{tile}",
    "chow": "{who}吃{source}的{tile}，用{tiles}",
    "pung": "{who}碰{source}的{tile}",
    "exposed": "{who}明杠{source}的{tile}",
    "added": "{who}补杠{tile}",
    "concealed": "{who}暗杠{tile}",
    "win_draw": "{who}自摸{tile}胡牌：{points}分",
    "win_discard": "{who}胡{source}的{tile}：{points}分",
    "win_kong": "{who}抢{source}的杠，胡{tile}：{points}分",
    "false_win": "{who}诈和",
    "pay_win": "付分{deltas}",
    "pay_kong": "杠分{deltas}",
    "pay_kong_void": "退回杠分{deltas}",
    "pay_false_win": "诈和罚分{deltas}",
    "pay_follow_dealer": "跟庄，庄家付分{deltas}",
    "end_win": "本局胡牌；得分{scores}；下局{next}坐庄",
    "end_exhausted": "牌已摸完，荒庄；得分{scores}；下局{next}坐庄",
    "end_four_kongs": "四杠荒牌；得分{scores}；下局{next}坐庄",
    "end_false_win": "诈和，本局结束；得分{scores}；下局{next}坐庄",
    "end_aborted": "本局中止；得分{scores}；下局{next}坐庄",
    "result": "终局{scores}；名次：{ranking}",
    "secret": "密钥：{secret}",
    "seat": "{seat}号座",
    "hidden": "暗牌",
}
_TEXTS: Final = {"en": _EN, "zh": _ZH}
WINDS: Final = {"en": ("east", "south", "west", "north"), "zh": ("东", "南", "西", "北")}


def describe(event: events.Event, language: str = "en", players: Sequence[str] | None = None) -> str:
    """One event as a sentence. ``players``: names by seat; without them seats are numbered from 0."""
    return _SENTENCES[type(event)](event, _Words(language, players))


class _Words:
    def __init__(self, language: str, players: Sequence[str] | None) -> None:
        self.texts = _TEXTS[language]
        self.language = language
        self.players = players

    def say(self, text_id: str, **values: object) -> str:
        return self.texts[text_id].format(**values)

    def who(self, seat: int) -> str:
        return self.say("seat", seat=seat) if self.players is None else self.players[seat]

    def tiles(self, text: str) -> str:
        if self.language == "en":
            return text
        return "".join("？" if kind == UNKNOWN else CHINESE[kind] for kind in parse_mpsz(text))

    def tile(self, text: str) -> str:
        return self.say("hidden") if text == "?" else self.tiles(text)

    def join(self, parts: Sequence[str]) -> str:
        return ("；" if self.language == "zh" else "; ").join(parts)


def _signed(deltas: Sequence[int]) -> str:
    return " ".join(f"{delta:+d}" if delta else "0" for delta in deltas)


def _match(event: events.Match, words: _Words) -> str:
    names = ("、" if words.language == "zh" else ", ").join(event.players)
    dealer = event.players[event.first_dealer] if event.first_dealer in range(len(event.players)) else "?"
    length = "match" if event.hands else "match_rounds"
    rounds = event.options.get("rounds")
    parts = [words.say(length, hands=event.hands, rounds=rounds, rules=event.rules, players=names, dealer=dealer)]
    if event.seat_draw is not None:
        winds = WINDS[words.language]
        parts.append(words.say("seats", draw=" ".join(winds[seat % 4] for seat in event.seat_draw)))
    if event.dealer_throws is not None:
        parts.append(words.say("throws", throws=_dice(event.dealer_throws)))
    if event.commitment is not None:
        parts.append(event.commitment)
    return words.join(parts)


def _dice(throws: Sequence[Sequence[int]]) -> str:
    return " ".join("+".join(map(str, throw)) for throw in throws)


def _hand(event: events.Hand, words: _Words) -> str:
    scores = " ".join(map(str, event.scores))
    parts = [words.say("hand", number=event.number + 1, dealer=words.who(event.dealer), scores=scores)]
    if event.dice is not None:
        parts.append(words.say("dice", dice=_dice(event.dice), stacks=event.break_))
    return words.join(parts)


def _deal(event: events.Deal, words: _Words) -> str:
    kinds = sorted(parse_mpsz(event.tiles))
    return words.say("deal", who=words.who(event.seat), tiles=words.tiles(format_mpsz(kinds)))


def _draw(event: events.Draw, words: _Words) -> str:
    return words.say(
        "tail" if event.from_ == "tail" else "draw", who=words.who(event.seat), tile=words.tile(event.tile)
    )


def _discard(event: events.Discard, words: _Words) -> str:
    return words.say("drawn" if event.drawn else "discard", who=words.who(event.seat), tile=words.tile(event.tile))


def _chow(event: events.Chow, words: _Words) -> str:
    tile, tiles = words.tile(event.tile), words.tiles(event.with_)
    return words.say("chow", who=words.who(event.seat), tile=tile, source=words.who(event.from_), tiles=tiles)


def _pung(event: events.Pung, words: _Words) -> str:
    return words.say("pung", who=words.who(event.seat), tile=words.tile(event.tile), source=words.who(event.from_))


def _kong(event: events.Kong, words: _Words) -> str:
    source = "" if event.from_ is None else words.who(event.from_)
    return words.say(event.kind, who=words.who(event.seat), tile=words.tile(event.tile), source=source)


def _win(event: events.Win, words: _Words) -> str:
    source = "" if event.from_ is None else words.who(event.from_)
    tile = words.tile(event.tile)
    text = words.say(f"win_{event.by}", who=words.who(event.seat), tile=tile, source=source, points=event.points)
    return words.join([text, event.reading, *(_row(row, words.language) for row in event.patterns)])


def _row(row: events.Pattern, language: str) -> str:
    name = row.name if language == "zh" else row.id.replace("_", " ")
    count = f" x{row.count}" if row.count > 1 else ""
    sign = "×" if row.kind == "times" else "+" if row.kind == "fan" else ""
    return f"{name} {sign}{row.value}{count} ({row.ruling})"


def _false_win(event: events.FalseWin, words: _Words) -> str:
    return words.say("false_win", who=words.who(event.seat))


def _pay(event: events.Pay, words: _Words) -> str:
    return words.say(f"pay_{event.for_}", deltas=_signed(event.deltas))


def _end(event: events.End, words: _Words) -> str:
    return words.say(f"end_{event.reason}", scores=_signed(event.scores), next=words.who(event.next_dealer))


def _result(event: events.Result, words: _Words) -> str:
    ranking = " > ".join(words.who(seat) for seat in event.ranking)
    parts = [words.say("result", scores=" ".join(map(str, event.scores)), ranking=ranking)]
    if event.secret is not None:
        parts.append(words.say("secret", secret=event.secret))
    return words.join(parts)


_SENTENCES: Final[dict[type, Callable[[Any, _Words], str]]] = {
    events.Match: _match,
    events.Hand: _hand,
    events.Deal: _deal,
    events.Draw: _draw,
    events.Discard: _discard,
    events.Chow: _chow,
    events.Pung: _pung,
    events.Kong: _kong,
    events.Win: _win,
    events.FalseWin: _false_win,
    events.Pay: _pay,
    events.End: _end,
    events.Result: _result,
}
