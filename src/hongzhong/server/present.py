"""What a table looks like to a seat, as messages. Everything comes from the seat's own view and prompt."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final

from hongzhong import actions, events
from hongzhong import round as engine
from hongzhong.layout import BY_DISCARD, BY_DRAW
from hongzhong.rules.variant import RuleSet
from hongzhong.score import Hand, scorer_of
from hongzhong.server.messages import (
    ActionShown,
    Clock,
    MeldShown,
    Prompt,
    RiverTile,
    SeatView,
    TableView,
    Update,
    Wait,
)
from hongzhong.table import SEATS, Asked, Table
from hongzhong.tiles import (
    ADDED_KONG,
    CHOW,
    CONCEALED_KONG,
    EXPOSED_KONG,
    KIND_NAMES,
    PUNG,
    UNKNOWN,
    Meld,
    format_meld,
)
from hongzhong.view import Laid, View, seats_around

_FORMS: Final = {
    CHOW: "chow",
    PUNG: "pung",
    EXPOSED_KONG: "exposed",
    ADDED_KONG: "added",
    CONCEALED_KONG: "concealed",
}
_RIVER: Final = {
    (kind, claimed): RiverTile(tile=KIND_NAMES[kind], claimed=claimed)
    for kind in range(34)
    for claimed in (False, True)
}


def update(table: Table, seat: int, told: int, now: int, *, hints: bool) -> Update:
    """All that a seat is told: the events after its first ``told``, the view, the prompt, the clocks."""
    asked = None if table.paused else table.asked.get(seat)
    return Update(
        seq=table.seq[seat],
        events=table.since(seat, told),  # type: ignore[arg-type]
        view=table_view(table, seat, hints=hints),
        prompt=None if asked is None else prompt_shown(table, seat, asked, now),
        clock=clock(table, now),
    )


def clock(table: Table, now: int) -> Clock:
    """The clocks as everybody may know them."""
    thinking = table.thinking()
    return Clock(
        bank=[table.bank_left(seat, now) for seat in SEATS],
        thinking=thinking,
        until=table.left(thinking[0], now)[0] if thinking else -1,
        next_hand=table.next_hand(now),
        paused=table.paused,
    )


def table_view(table: Table, seat: int, *, hints: bool) -> TableView:
    match, view = table.match, table.views[seat]
    return view_shown(match.rules, match.round_of(view.number), view, table.claimed, hints=hints)


def view_shown(
    rules: RuleSet,
    round_: int,
    view: View,
    claimed: Sequence[Sequence[int]],
    *,
    hints: bool,
    open_hands: Sequence[View] = (),
) -> TableView:
    """A view as a message. ``round_``: full rounds of dealers before this hand; ``claimed``: by seat the claimed kind of each meld, -1 for none; ``open_hands``: the views of all seats,
    where their hands lie open (a replay)."""
    mover = open_hands[view.turn] if open_hands else view
    return TableView(
        seat=view.seat,
        around=list(seats_around(rules, max(view.seat, 0))),
        number=view.number,
        hands=0 if rules.get("rounds") else rules.get("hands"),
        round=round_,
        rounds=rules.get("rounds"),
        dealer=view.dealer,
        seats=[_seat_view(open_hands[owner] if open_hands else view, owner, claimed[owner]) for owner in SEATS],
        drawn=None if mover.drawn is None else KIND_NAMES[mover.drawn],
        remaining=view.remaining,
        turn=view.turn,
        last_discard=None if view.last_discard is None else (view.last_discard[0], KIND_NAMES[view.last_discard[1]]),
        over=view.over,
        reason=view.reason,
        wins=view.wins,
        false_win=view.false_win,
        next_dealer=view.next_dealer,
        wild=list(rules.sheet.wild),
        waits=waits(rules, view) if hints else [],
    )


def _seat_view(view: View, owner: int, claimed: Sequence[int]) -> SeatView:
    open_hand = view.hands[owner] if view.hands is not None else view.hand if owner == view.seat else []
    return SeatView(
        size=view.sizes[owner],
        hand=[KIND_NAMES[kind] for kind in open_hand],
        melds=[
            meld_shown(view.rules, owner, laid, kind) for laid, kind in zip(view.melds[owner], claimed, strict=True)
        ],
        river=[_RIVER[tile] for tile in view.rivers[owner]],
        score=view.scores[owner],
        total=view.totals[owner] + view.scores[owner],
    )


def meld_shown(rules: RuleSet, owner: int, laid: Laid, claimed: int) -> MeldShown:
    """The claimed tile lies turned on the side that it came from."""
    meld, source = laid
    form: Any = _FORMS[meld.form]
    kinds = [meld.kind] * 4 if meld.kind == UNKNOWN else sorted(meld.kinds())
    turned = -1
    if claimed >= 0:
        kinds.remove(claimed)
        turned = (0, 1, len(kinds) if meld.form != ADDED_KONG else 2)[seats_around(rules, owner).index(source)]
        kinds.insert(turned, claimed)
    names = ["?" if kind == UNKNOWN else KIND_NAMES[kind] for kind in kinds]
    return MeldShown(text=format_meld(meld), form=form, tiles=names, turned=turned, source=source)


# prompts


def prompt_shown(table: Table, seat: int, asked: Asked, now: int) -> Prompt:
    until, move = table.left(seat, now)
    prompt = asked.prompt
    return Prompt(
        id=asked.id,
        kind=prompt.kind,
        tile=None if prompt.tile < 0 else KIND_NAMES[prompt.tile],
        source=prompt.source,
        actions=[action_shown(prompt, action) for action in prompt.actions],
        until=until,
        move=move,
        auto=seat in table.auto,
    )


def action_shown(prompt: engine.Prompt, action: int) -> ActionShown:
    """A false win looks like a right one: whoever calls by hand must know it himself (C10)."""
    if action == actions.FALSE_WIN:
        action = actions.WIN_BY_DRAW if prompt.kind == "turn" else actions.WIN_BY_CLAIM
    kind: Any = _kind_of(action)
    return ActionShown(action=action, kind=kind, tiles=[KIND_NAMES[k] for k in _tiles_of(prompt, action)])


def meant(prompt: engine.Prompt, action: int) -> int:
    """The action behind what was shown."""
    shown_as_win = action in (actions.WIN_BY_DRAW, actions.WIN_BY_CLAIM)
    return actions.FALSE_WIN if shown_as_win and action not in prompt.actions else action


def _kind_of(action: int) -> str:
    if action < actions.PASS:
        return "discard"
    named = {actions.PASS: "pass", actions.WIN_BY_DRAW: "draw_win", actions.WIN_BY_CLAIM: "claim_win"}
    return named.get(action) or (
        "pung" if action == actions.PUNG else "chow" if action <= actions.CHOW_HIGH else "kong"
    )


def _tiles_of(prompt: engine.Prompt, action: int) -> list[int]:
    if action < actions.PASS:
        return [action]
    if action == actions.PUNG:
        return [prompt.tile] * 2
    if actions.CHOW_LOW <= action <= actions.CHOW_HIGH:
        low = prompt.tile - (action - actions.CHOW_LOW)
        return [kind for kind in range(low, low + 3) if kind != prompt.tile]
    if action >= actions.CONCEALED_KONG:
        return [action - actions.CONCEALED_KONG] * 4
    if action >= actions.ADDED_KONG:
        return [action - actions.ADDED_KONG]
    if action >= actions.EXPOSED_KONG:
        return [action - actions.EXPOSED_KONG] * 3
    return [prompt.tile] if action != actions.PASS and prompt.tile >= 0 else []


# waits


def waits(rules: RuleSet, view: View) -> list[Wait]:
    """What the seat waits for with the hand as it is; nothing with a tile to discard or where the hand is over."""
    if view.seat == events.SPECTATOR or view.over or len(view.hand) % 3 != 1:
        return []
    melds = tuple(laid.meld for laid in view.melds[view.seat])
    found = _worths(rules, tuple(view.hand), melds)
    return [
        Wait(tile=KIND_NAMES[kind], unseen=unseen(rules, view, kind), by_discard=by_discard, by_draw=by_draw)
        for kind, by_discard, by_draw in found
    ]


@lru_cache(maxsize=4096)
def _worths(rules: RuleSet, hand: tuple[int, ...], melds: tuple[Meld, ...]) -> list[tuple[int, int, int]]:
    """``(kind, points by discard, points by draw)`` of each winning kind; -1 where it does not win so."""
    scorer, found = scorer_of(rules), []
    for kind, copies in enumerate(scorer.copies):
        if copies:
            by_draw = scorer.worth(Hand(hand, melds, kind, BY_DRAW))[0]
            by_discard = -1
            if by_draw >= 0 and scorer.barred(BY_DISCARD, kind) is None:
                by_discard = scorer.worth(Hand(hand, melds, kind, BY_DISCARD))[0]
            if by_draw >= 0:
                found.append((kind, by_discard, by_draw))
    return found


def unseen(rules: RuleSet, view: View, kind: int) -> int:
    """Copies that lie neither in the own hand nor open on the table."""
    seen = view.hand.count(kind)
    for owner in SEATS:
        seen += sum(laid.meld.kinds().count(kind) for laid in view.melds[owner] if laid.meld.kind != UNKNOWN)
        seen += sum(tile == kind and not claimed for tile, claimed in view.rivers[owner])
    return max(rules.sheet.copies[kind] - seen, 0)
