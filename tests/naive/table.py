"""One hand of play, slow and obvious, from the rulings and the sheet's data: what the compiled engine is compared with."""

from __future__ import annotations

from collections.abc import Sequence

from hongzhong import actions, events
from hongzhong.rules.variant import RuleSet
from hongzhong.tiles import (
    ADDED_KONG,
    CHOW,
    CONCEALED_KONG,
    EXPOSED_KONG,
    KIND_NAMES,
    KIND_OF,
    KONG_NAMES,
    PUNG,
    Meld,
    format_meld,
    format_mpsz,
)

from . import win

CHOWS = {actions.CHOW_LOW: 0, actions.CHOW_MIDDLE: 1, actions.CHOW_HIGH: 2}
"""How far the claimed tile stands above the lowest of the run."""


class Seat:
    """What one seat holds, and what it has locked by passing (C9 ``pass_lock``)."""

    def __init__(self) -> None:
        self.hand: list[int] = []
        self.melds: list[Meld] = []
        self.discards: list[int] = []
        self.draws = 0
        self.win_locked = False
        self.pung_locked: set[int] = set()


class Table:
    """A hand dealt from ``wall``; ``throws`` push stacks aside where the reserve is theirs (H25)."""

    def __init__(
        self, rules: RuleSet, wall: Sequence[int], dealer: int, throws: Sequence[Sequence[int]] | None = None
    ) -> None:
        self.rules, self.wall, self.dealer = rules, list(wall), dealer
        aside = None if throws is None else sum(map(sum, throws))
        stacks = aside if rules.get("reserve_stacks") == "dice" else rules.get("reserve_stacks")
        self.reserve = 2 * int(stacks or 0)
        self.wild = {KIND_OF[name] for name in rules.sheet.wild}
        self.seats = [Seat() for _ in range(4)]
        self.taken = 0
        self.kongs = 0
        self.claims = 0
        self.events: list[events.Event] = []
        self.verdicts: dict[int, win.Verdict] = {}
        self.scores = [0] * 4
        self.kong_paid = [0] * 4
        self.any_kong_paid = False
        self.over = False
        self.next_dealer = dealer
        self.phase = "turn"
        self.turn = dealer
        self.drawn: int | None = None
        self.from_tail = False
        self.called = False
        self.offered = -1
        self.offers: dict[int, list[int]] = {}
        self.answers: dict[int, int] = {}
        self.following: int | None = None
        self.known: dict[tuple[tuple[int, ...], tuple[Meld, ...]], bool] = {}
        self.deal(throws, aside)

    # dealing and drawing

    def deal(self, throws: Sequence[Sequence[int]] | None, aside: int | None) -> None:
        """C11."""
        order = self.after(self.dealer - 1)
        dealt: dict[int, list[int]] = {seat: [] for seat in order}
        for size in (4, 4, 4, 1):
            for seat in order:
                dealt[seat] += self.wall[self.taken : self.taken + size]
                self.taken += size
        dice = None if throws is None else [list(throw) for throw in throws]
        self.events.append(
            events.Hand(
                number=0, dealer=self.dealer, scores=[0] * 4, wall=format_mpsz(self.wall), dice=dice, break_=aside
            )
        )
        for seat in order:
            self.seats[seat].hand = list(dealt[seat])
            self.events.append(events.Deal(seat=seat, tiles=format_mpsz(dealt[seat])))
        self.draw(self.dealer)

    def after(self, seat: int) -> list[int]:
        """The seats in turn order after this one, itself last (C1)."""
        return [(seat + i) % 4 for i in (1, 2, 3, 4)]

    def live(self) -> int:
        """Tiles that may still be drawn; each kong takes its share from the end (C11, H25)."""
        return len(self.wall) - self.reserve - self.rules.sheet.wall.aside_per_kong * self.kongs - self.taken

    def draw(self, seat: int) -> None:
        """C11: drawn when there is nothing to draw."""
        if self.live() <= 0:
            self.drawn_hand("exhausted")
            return
        self.taken += 1
        self.receive(seat, self.wall[self.taken - 1], "wall")

    def replace(self, seat: int) -> None:
        """The tile after a kong, from the end; the kong is counted already (C11)."""
        self.receive(seat, self.wall[len(self.wall) - self.kongs], "tail")

    def receive(self, seat: int, kind: int, source: str) -> None:
        place = self.seats[seat]
        place.hand.append(kind)
        place.draws += 1
        place.win_locked = False
        place.pung_locked = set()
        self.phase, self.turn, self.drawn, self.from_tail = "turn", seat, kind, source == "tail"
        self.called = False
        self.events.append(events.Draw(seat=seat, tile=KIND_NAMES[kind], from_="tail" if self.from_tail else "wall"))
        if self.last_kept() and actions.WIN_BY_DRAW not in self.legal(seat) and not self.manual():
            self.drawn_hand("exhausted")

    def last_kept(self) -> bool:
        """H16: nothing is left, and the last tile may not be discarded."""
        return self.rules.sheet.wall.keep_last and self.live() <= 0

    def manual(self) -> bool:
        return bool(self.rules.get("calls") == "manual")

    # who may do what

    def asked(self) -> list[int]:
        if self.over:
            return []
        if self.phase == "turn":
            return [self.turn]
        return [seat for seat in range(4) if seat in self.offers and seat not in self.answers]

    def legal(self, seat: int) -> list[int]:
        if self.over or (self.phase == "turn" and seat != self.turn):
            return []
        if self.phase == "turn":
            return sorted(self.own_turn(seat))
        return sorted(self.offers[seat]) if seat in self.asked() else []

    def own_turn(self, seat: int) -> list[int]:
        place = self.seats[seat]
        found: list[int] = []
        if self.drawn is not None:
            if self.complete(seat, None):
                found.append(actions.WIN_BY_DRAW)
            elif self.manual() and not self.called:
                found.append(actions.FALSE_WIN)
            if self.last_kept():
                return [*found, actions.PASS]
            found += self.own_kongs(seat)
        return found + sorted({actions.DISCARD + kind for kind in place.hand})

    def own_kongs(self, seat: int) -> list[int]:
        """C3: after an own draw, with a replacement tile left; wild tiles never (Q3)."""
        place, claims = self.seats[seat], self.rules.sheet.claims
        if self.live() < self.rules.sheet.wall.kong_needs:
            return []
        kinds = sorted(set(place.hand) - self.wild)
        found = []
        if "added_kong" in claims:
            found += [actions.ADDED_KONG + kind for kind in kinds if Meld(PUNG, kind) in place.melds]
        if "concealed_kong" in claims:
            found += [actions.CONCEALED_KONG + kind for kind in kinds if place.hand.count(kind) == 4]
        return found

    def complete(self, seat: int, tile: int | None) -> bool:
        """Whether the seat's tiles, with one more if given, win by shape and conditions."""
        place = self.seats[seat]
        hand = tuple(sorted([*place.hand, *([] if tile is None else [tile])]))
        key = (hand, tuple(place.melds))
        if key not in self.known:
            self.known[key] = win.wins(self.rules, hand, place.melds)
        return self.known[key]

    def may_win_on(self, seat: int, tile: int, robbing: bool) -> bool:
        """C9 ``discard_wins``, ``rob_kong``, ``pass_lock``; Q4 ``wild_discard_wins``."""
        if not self.rules.get("discard_wins") or self.seats[seat].win_locked:
            return False
        if robbing and not self.rules.get("rob_kong"):
            return False
        if not robbing and tile in self.wild and not self.rules.get("wild_discard_wins"):
            return False
        return self.complete(seat, tile)

    def claims_on(self, seat: int, source: int, tile: int) -> list[int]:
        """What a seat may answer to a discard but passing (C2, C10)."""
        place, claims = self.seats[seat], self.rules.sheet.claims
        found = []
        if self.may_win_on(seat, tile, robbing=False):
            found.append(actions.WIN_BY_CLAIM)
        elif self.manual():
            found.append(actions.FALSE_WIN)
        if tile in self.wild:
            return found
        if tile not in place.pung_locked:
            if "pung" in claims and place.hand.count(tile) >= 2:
                found.append(actions.PUNG)
            replaceable = self.live() >= self.rules.sheet.wall.kong_needs
            if "exposed_kong" in claims and place.hand.count(tile) >= 3 and replaceable:
                found.append(actions.EXPOSED_KONG + tile)
        if "chow" in claims and seat == (source + 1) % 4:
            found += [action for action in CHOWS if self.run_of(seat, tile, action) is not None]
        return found

    def run_of(self, seat: int, tile: int, action: int) -> list[int] | None:
        """The two tiles from the hand that make a run with the claimed one, if they are there (C8)."""
        low = tile - CHOWS[action]
        if tile >= 27 or low < 0 or low // 9 != tile // 9 or (low + 2) // 9 != tile // 9:
            return None
        others = [kind for kind in (low, low + 1, low + 2) if kind != tile]
        held = self.seats[seat].hand
        return others if all(kind in held and kind not in self.wild for kind in others) else None

    # what they do

    def step(self, seat: int, action: int) -> list[events.Event]:
        """The events that follow a legal answer."""
        assert action in self.legal(seat)
        before = len(self.events)
        if self.phase == "turn":
            self.act(seat, action)
        else:
            self.note_locks(seat, self.offers[seat], action)
            self.answers[seat] = action
            if not self.asked():
                self.resolve()
        return self.events[before:]

    def abort(self) -> list[events.Event]:
        before = len(self.events)
        if not self.over:
            self.void_kongs()
            self.end("aborted", self.dealer)
        return self.events[before:]

    def note_locks(self, seat: int, offered: Sequence[int], action: int) -> None:
        """C9 ``pass_lock``: an offer answered with something else."""
        lock, place = self.rules.get("pass_lock"), self.seats[seat]
        wins = {actions.WIN_BY_CLAIM, actions.WIN_BY_DRAW}
        if lock in ("win", "both") and wins & set(offered) and action not in wins:
            place.win_locked = True
        takes = {actions.PUNG, actions.EXPOSED_KONG + self.offered}
        if self.phase == "claim" and lock in ("pung", "both") and takes & set(offered) and action not in takes:
            place.pung_locked.add(self.offered)

    def act(self, seat: int, action: int) -> None:
        if action == actions.WIN_BY_DRAW:
            self.award([seat], "draw")
        elif action == actions.FALSE_WIN:
            self.false_call(seat)
        elif action == actions.PASS:
            self.drawn_hand("exhausted")
        elif action < actions.DISCARD + 34:
            self.note_locks(seat, self.legal(seat), action)
            self.discard(seat, action - actions.DISCARD)
        else:
            self.own_kong(seat, action)

    def false_call(self, seat: int) -> None:
        """C10, H26; where nothing punishes it, a pass: the turn goes on, with no second call."""
        if self.rules.sheet.false_win is not None:
            self.false_win(seat)
            return
        self.called = True
        if self.last_kept():
            self.drawn_hand("exhausted")

    def discard(self, seat: int, kind: int) -> None:
        place = self.seats[seat]
        place.hand.remove(kind)
        place.discards.append(kind)
        self.events.append(events.Discard(seat=seat, tile=KIND_NAMES[kind], drawn=kind == self.drawn))
        self.drawn = None
        self.phase, self.turn, self.offered = "claim", seat, kind
        self.offers, self.answers = {}, {}
        for other in self.after(seat)[:3]:
            claims = self.claims_on(other, seat, kind)
            if claims:
                self.offers[other] = [*claims, actions.PASS]
        if not self.offers:
            self.resolve()

    def own_kong(self, seat: int, action: int) -> None:
        place = self.seats[seat]
        self.note_locks(seat, self.legal(seat), action)
        if action >= actions.CONCEALED_KONG:
            kind = action - actions.CONCEALED_KONG
            place.hand = [held for held in place.hand if held != kind]
            place.melds.append(Meld(CONCEALED_KONG, kind))
            self.kong_event(seat, kind, CONCEALED_KONG, None)
            self.kong_made(seat, CONCEALED_KONG, None)
            return
        kind = action - actions.ADDED_KONG
        place.hand.remove(kind)
        self.kong_event(seat, kind, ADDED_KONG, None)
        self.phase, self.offered, self.offers, self.answers = "rob", kind, {}, {}
        for other in self.after(seat)[:3]:
            if self.may_win_on(other, kind, robbing=True):
                self.offers[other] = [actions.WIN_BY_CLAIM, actions.PASS]
        if not self.offers:
            self.resolve()

    def kong_event(self, seat: int, kind: int, form: int, source: int | None) -> None:
        hidden = form == CONCEALED_KONG and not self.rules.get("concealed_kong_visible")
        name = KONG_NAMES[form]
        assert name in ("exposed", "added", "concealed")
        kong = events.Kong(seat=seat, tile=KIND_NAMES[kind], kind=name, from_=source, hidden_=hidden)  # type: ignore[arg-type]
        self.events.append(kong)

    def kong_made(self, seat: int, form: int, source: int | None) -> None:
        """Past the robbing window: paid, then perhaps the fourth (H24), then replaced (C9)."""
        self.kongs += 1
        price = self.rules.get("kong_points")[{EXPOSED_KONG: 0, ADDED_KONG: 1, CONCEALED_KONG: 2}[form]]
        price *= self.rules.get("base_point")
        if price:
            payers = [other for other in range(4) if other != seat]
            if form == EXPOSED_KONG and self.rules.get("kong_payer") == "discarder":
                payers = [other for other in payers if other == source]
            deltas = [-price if other in payers else 0 for other in range(4)]
            deltas[seat] = price * len(payers)
            self.kong_paid = [a + b for a, b in zip(self.kong_paid, deltas, strict=True)]
            self.any_kong_paid = True
            self.pay(deltas, "kong")
        if self.kongs == 4 and self.rules.get("four_kongs_abort"):
            self.drawn_hand("four_kongs")
        else:
            self.replace(seat)

    # answers together

    def resolve(self) -> None:
        """C2: wins, then the nearest false win (C10), then pung or kong, then chow."""
        order = [seat for seat in self.after(self.turn)[:3] if seat in self.answers]
        winners = [seat for seat in order if self.answers[seat] == actions.WIN_BY_CLAIM]
        erring = [seat for seat in order if self.answers[seat] == actions.FALSE_WIN]
        if winners:
            if self.rules.get("multi_win") == "nearest":
                winners = winners[:1]
            self.award(winners, "discard" if self.phase == "claim" else "kong")
        elif self.phase == "rob":
            place = self.seats[self.turn]
            place.melds[place.melds.index(Meld(PUNG, self.offered))] = Meld(ADDED_KONG, self.offered)
            self.kong_made(self.turn, ADDED_KONG, None)
        elif erring and self.rules.sheet.false_win is not None:
            self.false_win(erring[0])
        else:
            self.take(order)

    def take(self, order: Sequence[int]) -> None:
        source, tile = self.turn, self.offered
        takers = [seat for seat in order if self.answers[seat] in (actions.PUNG, actions.EXPOSED_KONG + tile)]
        takers += [seat for seat in order if self.answers[seat] in CHOWS]
        if not takers:
            self.follow_dealer()
            self.draw((source + 1) % 4)
            return
        self.claims += 1
        seat = takers[0]
        action, place = self.answers[seat], self.seats[seat]
        self.phase, self.turn, self.drawn = "turn", seat, None
        if action == actions.PUNG:
            for _ in range(2):
                place.hand.remove(tile)
            place.melds.append(Meld(PUNG, tile))
            self.events.append(events.Pung(seat=seat, tile=KIND_NAMES[tile], from_=source))
        elif action in CHOWS:
            others = self.run_of(seat, tile, action)
            assert others is not None
            for kind in others:
                place.hand.remove(kind)
            place.melds.append(Meld(CHOW, min(tile, *others)))
            self.events.append(events.Chow(seat=seat, tile=KIND_NAMES[tile], with_=format_mpsz(others), from_=source))
        else:
            place.hand = [kind for kind in place.hand if kind != tile]
            place.melds.append(Meld(EXPOSED_KONG, tile))
            self.kong_event(seat, tile, EXPOSED_KONG, source)
            self.kong_made(seat, EXPOSED_KONG, source)

    def follow_dealer(self) -> None:
        """H23: the first discards of all four seats are alike, with nothing claimed or konged in between."""
        firsts = [seat.discards for seat in self.seats]
        if not self.rules.get("follow_dealer") or any(len(discards) != 1 for discards in firsts):
            return
        played = [event for event in self.events if isinstance(event, events.Discard | events.Kong)]
        first = next(at for at, event in enumerate(played) if isinstance(event, events.Discard))
        between = any(isinstance(event, events.Kong) for event in played[first:])
        if self.claims == 0 and not between and len({discards[0] for discards in firsts}) == 1:
            stake = self.rules.get("base_point")
            self.pay([-3 * stake if seat == self.dealer else stake for seat in range(4)], "follow_dealer")

    # how it ends

    def pay(self, deltas: list[int], reason: str) -> None:
        self.scores = [a + b for a, b in zip(self.scores, deltas, strict=True)]
        self.events.append(events.Pay(deltas=deltas, for_=reason))  # type: ignore[arg-type]

    def award(self, winners: Sequence[int], by: str) -> None:
        """Each is paid separately, in turn order from the discarder (Q20)."""
        source = None if by == "draw" else self.turn
        bases = []
        for seat in winners:
            verdict = self.judge(seat, by)
            assert verdict.win
            self.verdicts[seat] = verdict
            place = self.seats[seat]
            concealed, tile = sorted(place.hand), self.offered
            if by == "draw":
                assert self.drawn is not None
                tile = self.drawn
                concealed.remove(tile)
            rows = [events.Pattern(id=name, name="", kind="base", value=0, count=n, ruling="") for name, n in verdict.patterns]  # fmt: skip
            self.events.append(
                events.Win(
                    seat=seat, by=by, from_=source, tile=KIND_NAMES[tile],  # type: ignore[arg-type]
                    concealed=format_mpsz(concealed), melds=[format_meld(meld) for meld in place.melds],
                    reading=verdict.reading, points=verdict.points, patterns=rows,
                )
            )  # fmt: skip
            self.pay(win.payments(self.rules, verdict.points, seat, self.dealer, source), "win")
            kinds = {row.id: row.kind for row in self.rules.sheet.patterns}
            bases.append([name for name, _ in verdict.patterns if kinds[name] == "base"])
        self.end("win", self.dealer_after_win(winners, bases))

    def judge(self, seat: int, by: str) -> win.Verdict:
        place = self.seats[seat]
        concealed, tile = list(place.hand), self.offered
        first_discard = by == "discard" and self.turn == self.dealer and len(self.seats[self.dealer].discards) == 1
        untouched = self.kongs == 0 and self.claims == 0
        heaven = earth = False
        if by == "draw":
            assert self.drawn is not None
            tile = self.drawn
            concealed.remove(tile)
            first_draw = place.draws == 1 and untouched
            heaven = first_draw and seat == self.dealer
            earth = first_draw and seat != self.dealer and bool(self.rules.get("earth_on_first_draw"))
        case = win.Case(
            tuple(sorted(concealed)), tuple(place.melds), tile, by,
            replacement=by == "draw" and self.from_tail,
            last_tile=by != "kong" and self.live() <= 0,
            heaven=heaven,
            earth=earth or (first_discard and self.claims == 0),
        )  # fmt: skip
        return win.score(self.rules, case)

    def dealer_after_win(self, winners: Sequence[int], bases: Sequence[Sequence[str]]) -> int:
        """Q2, N20, H23, H27, C12."""
        if self.dealer in winners:
            return self.dealer
        if self.rules.get("dealer_stays_on_plain_win") and all(base == ["plain"] for base in bases):
            return self.dealer
        return winners[0] if self.rules.get("dealer_rule") == "winner" else (self.dealer + 1) % 4

    def false_win(self, seat: int) -> None:
        """H26; payments for kongs stay (C9)."""
        price = self.rules.sheet.false_win
        assert price is not None
        erring_dealer = seat == self.dealer
        each = (price.dealer_points if erring_dealer else price.points) * self.rules.get("base_point")
        self.events.append(events.FalseWin(seat=seat))
        self.pay([-3 * each if other == seat else each for other in range(4)], "false_win")
        steps_down = erring_dealer and price.dealer_steps_down
        self.end("false_win", (self.dealer + steps_down) % 4)

    def drawn_hand(self, reason: str) -> None:
        """Q22, N20, H22, H24."""
        self.void_kongs()
        sheet = self.rules.sheet
        rule = sheet.kong_drawn_dealer if self.kongs and sheet.kong_drawn_dealer else sheet.drawn_dealer
        self.end(reason, self.dealer if rule == "stay" else (self.dealer + 1) % 4)

    def void_kongs(self) -> None:
        if self.any_kong_paid:
            self.pay([-paid for paid in self.kong_paid], "kong_void")

    def end(self, reason: str, next_dealer: int) -> None:
        self.over, self.next_dealer = True, next_dealer
        self.events.append(
            events.End(
                reason=reason,  # type: ignore[arg-type]
                hands=[format_mpsz(sorted(seat.hand)) for seat in self.seats],
                melds=[[format_meld(meld) for meld in seat.melds] for seat in self.seats],
                scores=list(self.scores),
                next_dealer=next_dealer,
            )
        )
