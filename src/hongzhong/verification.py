"""Records followed line by line: what the walls and the answers give must be what the lines say. Replays and verifies.

A pass is no event; it is told from what followed. Walls, throws and seats are checked against the secret once it is open.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import msgspec

from hongzhong import actions, events, fair, rules
from hongzhong.match import Match
from hongzhong.record import Line, RecordError, parsed
from hongzhong.round import Round
from hongzhong.rules.values import RuleError
from hongzhong.rules.variant import RuleSet, Sheet
from hongzhong.texts.records import Said, choices, joined, said
from hongzhong.tiles import counts_of, parse_mpsz

_FAR: Final = 8
"""Lines looked ahead: the wins and payments on one tile."""


class Position(NamedTuple):
    """A place in a replay: the event just read, and the match as it stands after the move that the event belongs to."""

    line: int
    event: events.Event
    match: Match


@dataclass(frozen=True, slots=True)
class Verdict:
    """What ``verify`` found: the first line that does not follow and why, or how much was checked; ``message`` and ``notes`` in Chinese too."""

    ok: bool
    line: int
    message: Said
    matches: int
    hands: int
    lines: int
    notes: tuple[Said, ...] = ()


class _Recorded:
    """The chance of a recorded match: what its lines say, checked against each other and against the secret once it is open."""

    def __init__(self, ruleset: RuleSet, lines: Sequence[Line]) -> None:
        self.rules = ruleset
        self.head = lines[0]
        self.lines = lines
        self.at = 0
        self.derived = self._derived()

    def _derived(self) -> fair.Fair | None:
        head, result = self.head.event, next((e for _, e in self.lines if isinstance(e, events.Result)), None)
        assert isinstance(head, events.Match)
        if result is None or result.secret is None:
            return None
        try:
            secret = fair.parse_secret(result.secret)
            if head.commitment in (None, fair.commit(secret)):
                return fair.Fair(self.rules, secret, head.nonces or ())
        except fair.FairError:
            pass  # said at the result's own line
        return None

    def opening(self) -> fair.Opening:
        head = self.head.event
        assert isinstance(head, events.Match)
        told = fair.Opening(head.first_dealer, head.dealer_throws, head.seat_draw)
        if self.derived is not None and told != self.derived.opening():
            raise RecordError(said("opening"), self.head.number)
        way = self.rules.sheet.first_dealer
        if (told.dealer_throws is None) != (way == "random") or (told.seat_draw is None) != (way != "winds"):
            raise RecordError(said("first_dealer", way=way), self.head.number)
        if told.seat_draw is not None and sorted(told.seat_draw) != [0, 1, 2, 3]:
            raise RecordError(said("seat_draw", draw=told.seat_draw), self.head.number)
        if told.dealer_throws is not None:
            try:
                dealer = fair.highest_thrower(told.dealer_throws)
            except fair.FairError as error:
                raise RecordError(said("throws", why=str(error)), self.head.number) from error
            if dealer != told.first_dealer:
                raise RecordError(said("thrown", dealer=dealer, told=told.first_dealer), self.head.number)
        return told

    def hand(self, number: int, dealer: int) -> fair.Dealt:
        later = (self.lines[at] for at in range(self.at + 1, len(self.lines)))
        begun = next((line for line in later if isinstance(line.event, events.Hand)), None)
        if begun is None:
            raise RecordError(said("hand_begins", n=number))
        line, event = begun
        assert isinstance(event, events.Hand)
        self._check_hand(line, event)
        dealt = fair.Dealt(parse_mpsz(event.wall), event.dice, event.break_)
        if self.derived is not None and event.dealer == dealer and dealt != self.derived.hand(number, dealer):
            raise RecordError(said("wall_secret"), line)
        return dealt

    def _check_hand(self, line: int, event: events.Hand) -> None:
        counts = counts_of(parse_mpsz(event.wall))
        if "?" in event.wall or counts != list(self.rules.sheet.copies):
            wanted = sum(self.rules.sheet.copies)
            raise RecordError(said("wall_tiles", n=wanted, rules=self.rules.id), line)
        if not fair.throws_dice(self.rules):
            if event.dice is not None or event.break_ is not None:
                raise RecordError(said("no_dice", rules=self.rules.id), line)
            return
        dice = event.dice or []
        if [len(throw) for throw in dice] != [2, 2] or not all(1 <= die <= 6 for throw in dice for die in throw):
            raise RecordError(said("two_throws"), line)
        if event.break_ != sum(map(sum, dice)):
            raise RecordError(said("break", told=event.break_, right=sum(map(sum, dice))), line)


class _RuleSets:
    """The rule sets that the matches of one file are of, each made ready once; ``sheet``: the one given for all of them."""

    def __init__(self, sheet: Sheet | None) -> None:
        self.sheet = sheet
        self.ready: dict[tuple[str, bytes], RuleSet] = {}

    def of(self, head: events.Match) -> RuleSet:
        """Raises ``RuleError``."""
        key = (head.rules, msgspec.json.encode(head.options))
        if key not in self.ready:
            sheet = self.sheet
            if sheet is None:
                if head.rules not in rules.names():  # a path in a record would be run as a program
                    raise RuleError(said("unknown_rules", rules=head.rules, known=", ".join(rules.names())))
                sheet = rules.sheet(head.rules)
            self.ready[key] = rules.resolve(sheet, head.options)
        return self.ready[key]


class _Follower:
    """Follows the lines of one match, from its ``match`` event on."""

    def __init__(self, lines: Sequence[Line], named: _RuleSets, notes: list[Said]) -> None:
        self.lines = lines
        self.at = 0
        self.checked = 0
        ruleset = self._rules(named, notes)
        head = lines[0].event
        assert isinstance(head, events.Match)
        self.chance = _Recorded(ruleset, lines)
        self.stopped: RecordError | None = None
        joined = [head.players[seat] for seat in self.chance.opening().seat_draw or range(4)]
        try:
            self.match = Match(
                ruleset, joined, nonces=head.nonces or (), chance=self.chance, commitment=head.commitment
            )
        except fair.FairError as error:
            raise RecordError(str(error), lines[0].number) from error
        except RecordError as error:
            self.at = 1
            raise error if error.line else self._missing(error.said) from error

    def _rules(self, named: _RuleSets, notes: list[Said]) -> RuleSet:
        number, head = self.lines[0]
        if not isinstance(head, events.Match):
            raise RecordError(said("begins", event=head), number)
        if head.commitment is not None and not fair.is_commitment(head.commitment):
            raise RecordError(said("commitment_form"), number)
        if head.nonces is not None and len(head.nonces) != 4:
            raise RecordError(said("nonces", n=len(head.nonces)), number)
        if named.sheet is not None and named.sheet.id != head.rules:
            raise RecordError(said("other_sheet", rules=head.rules, given=named.sheet.id), number)
        try:
            ruleset = named.of(head)
        except RuleError as error:
            raise RecordError(error.args[0], number) from error
        sheet = ruleset.sheet
        if sheet.revision != head.rules_revision:
            notes.append(said("revision", line=number, told=head.rules_revision, rules=sheet.id, ours=sheet.revision))
        return ruleset

    def run(self) -> Iterator[Position]:
        """Every line of the match in turn. Raises ``RecordError`` at the first that does not follow."""
        while True:
            while self.checked < len(self.match.events):
                yield self._checked_line()
            if self.stopped is not None:
                raise self.stopped if self.stopped.line else self._missing(self.stopped.said)
            if self.match.over:
                return
            self._advance()

    def _missing(self, wanted: Said) -> RecordError:
        if self.at < len(self.lines):
            number, event = self.lines[self.at]
            return RecordError(said("stands_where", event=event, wanted=wanted), number)
        return RecordError(said("ends_early", wanted=wanted), self.lines[-1].number + 1)

    def _checked_line(self) -> Position:
        wanted = self.match.events[self.checked]
        if self.at == len(self.lines):
            raise self._missing(said("comes", event=wanted))
        number, event = self.lines[self.at]
        if isinstance(wanted, events.Result) and isinstance(event, events.Result):
            self._check_secret(number, event)
        difference = _difference(event, wanted)
        if difference:
            raise RecordError(difference, number)
        self.at += 1
        self.checked += 1
        return Position(number, event, self.match)

    def _check_secret(self, number: int, result: events.Result) -> None:
        head = self.lines[0].event
        assert isinstance(head, events.Match)
        if result.secret is None:
            if head.commitment is not None:
                raise RecordError(said("not_opened"), number)
            return
        try:
            commitment = fair.commit(fair.parse_secret(result.secret))
        except fair.FairError as error:
            raise RecordError(str(error), number) from error
        if head.commitment not in (None, commitment):
            raise RecordError(said("commitment"), number)

    def _advance(self) -> None:
        """Steps the match by what the next lines say was answered."""
        if self.at == len(self.lines):
            raise self._missing(said("hand_goes_on", n=self.match.number))
        number, event = self.lines[self.at]
        self.chance.at = self.at
        try:
            upcoming = [e for _, e in self.lines[self.at : self.at + _FAR]]
            if _aborts(upcoming):
                self.match.abort()
                return
            for seat, action in infer(self.match.round, upcoming).items():
                legal = self.match.legal(seat)
                if action not in legal:
                    raise RecordError(_illegal(event, seat, legal), number)
                self.match.step(seat, action)
        except RecordError as error:
            if self.checked == len(self.match.events) and error.line:
                raise
            self.stopped = error  # what was played up to there is checked first


def _aborts(upcoming: Sequence[events.Event]) -> bool:
    """Whether the hand is broken off here; a drawn hand gives kong points back too."""
    event = upcoming[0]
    if isinstance(event, events.Pay) and event.for_ == "kong_void" and len(upcoming) > 1:
        event = upcoming[1]
    return isinstance(event, events.End) and event.reason == "aborted"


def _illegal(event: events.Event, seat: int, legal: Sequence[int]) -> Said:
    return said("illegal", event=event, seat=seat, may=choices([actions.name_of(action) for action in legal]))


_OPTION: Final = "options."


def _plain(value: Any) -> Any:
    """An event as plain data without display text."""
    data = msgspec.to_builtins(value)
    if isinstance(value, events.Match):
        data |= {f"{_OPTION}{name}": option for name, option in data.pop("options").items()}
    for row in data.get("patterns", ()):
        row.pop("name")
    for field in ("engine", "rules_revision", "secret"):  # the secret is checked on its own
        data.pop(field, None)
    return data


def _difference(event: events.Event, wanted: events.Event) -> Said | None:
    """In words how an event differs from the one that follows; None if it does not."""
    if event == wanted:
        return None
    told, right = _plain(event), _plain(wanted)
    if told == right:
        return None
    if type(event) is not type(wanted) or told.get("seat") != right.get("seat"):
        return said("should_be", event=event, wanted=wanted)
    parts = [part for name in {**right, **told} if (part := _part(name, told, right)) is not None]
    return said("differs", type=told["type"], parts=joined(parts))


def _part(name: str, told: dict[str, Any], right: dict[str, Any]) -> Said | None:
    """What is wrong with a field; an option that is null is still there."""
    option = name.removeprefix(_OPTION)
    if option != name and (name in told) != (name in right):
        return (
            said("option_extra", name=option)
            if name in told
            else said("option_missing", name=option, right=_short(right[name]))
        )
    if told.get(name) == right.get(name):
        return None
    values = {"told": _short(told.get(name)), "right": _short(right.get(name))}
    return said("part", name=name, **values) if option == name else said("option_part", name=option, **values)


def _short(value: Any) -> str:
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= 120 else text[:117] + "..."


def infer(table: Round, upcoming: Sequence[events.Event]) -> dict[int, int]:
    """The answer of each asked seat, told from the events that followed (a pass is no event). A seat that must act and did
    not gets ``PASS``, which is then not legal."""
    return {seat: _answer(table, seat, upcoming) for seat in table.asked()}


def _answer(table: Round, seat: int, upcoming: Sequence[events.Event]) -> int:
    event = upcoming[0]
    prompt = table.prompt(seat)
    if isinstance(event, events.Win):
        if event.by == "draw":
            return actions.WIN_BY_DRAW if event.seat == seat else actions.PASS
        return actions.WIN_BY_CLAIM if seat in _winners(upcoming) else actions.PASS
    if getattr(event, "seat", None) != seat:
        return actions.PASS
    if isinstance(event, events.Discard):
        return actions.DISCARD + parse_mpsz(event.tile)[0]
    if isinstance(event, events.FalseWin):
        return actions.FALSE_WIN
    if isinstance(event, events.Pung):
        return actions.PUNG
    if isinstance(event, events.Kong):
        first = {"exposed": actions.EXPOSED_KONG, "added": actions.ADDED_KONG, "concealed": actions.CONCEALED_KONG}
        return first[event.kind] + parse_mpsz(event.tile)[0]
    if isinstance(event, events.Chow) and prompt is not None:
        low = min(parse_mpsz(event.with_))
        place = parse_mpsz(event.tile)[0] - low
        return {-1: actions.CHOW_LOW, 1: actions.CHOW_MIDDLE, 2: actions.CHOW_HIGH}.get(place, actions.PASS)
    return actions.PASS


def _winners(upcoming: Sequence[events.Event]) -> set[int]:
    seats: set[int] = set()
    for event in upcoming:
        if isinstance(event, events.Win):
            seats.add(event.seat)
        elif not isinstance(event, events.Pay):
            break
    return seats


def replay(
    source: str | os.PathLike[str] | bytes, sheet: Sheet | None = None, notes: list[Said] | None = None
) -> Iterator[Position]:
    """Every event of a record (a file or its content) with the match as it stood, all of it checked on the way. ``sheet``: for a rule set that is not
    installed; ``notes`` collects remarks. Raises ``RecordError`` at the first line that does not follow."""
    lines, fault = parsed(source)
    remarks = [] if notes is None else notes
    named = _RuleSets(sheet)
    heads = [at for at, line in enumerate(lines) if at and isinstance(line.event, events.Match)]
    at = 0
    try:
        for end in [*heads, len(lines)] if lines else []:
            follower = _Follower(lines[at:end], named, remarks)
            yield from follower.run()
            if at + follower.at < end:
                number, event = lines[at + follower.at]
                raise RecordError(said("after_result", event=event), number)
            at = end
    except RecordError as error:
        if fault is not None and error.line >= fault.line:
            raise fault from error
        raise
    if fault is not None:
        raise fault


def verify(source: str | os.PathLike[str] | bytes, sheet: Sheet | None = None) -> Verdict:
    """Replays a record (a file or its content) and compares each event with what follows from the walls and the answers. Never raises for what the file holds."""
    notes: list[Said] = []
    matches = hands = lines = 0
    try:
        for position in replay(source, sheet, notes):
            lines = position.line
            matches += isinstance(position.event, events.Match)
            hands += isinstance(position.event, events.End)
    except RecordError as error:
        return Verdict(False, error.line, error.told, matches, hands, lines, tuple(notes))
    message = said("all_follow", matches=matches, hands=hands, lines=lines)
    return Verdict(True, 0, message, matches, hands, lines, tuple(notes))
