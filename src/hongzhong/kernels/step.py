"""One action in a hand of play, and all that follows from it until the next prompt."""

from __future__ import annotations

import numpy as np

from hongzhong.actions import ADDED_KONG, CHOW_LOW, FALSE_WIN, PASS, PUNG, WIN_BY_DRAW
from hongzhong.kernels.claims import LOCK_WIN, ask, best_answer, take_answer, winning_answers
from hongzhong.kernels.ending import false_win, finish, punishes_false_wins
from hongzhong.kernels.hand import add_meld, add_tile, remove_tile
from hongzhong.kernels.jit import kernel, unit
from hongzhong.kernels.kongs import after_kong, complete_added_kong, declare_kong
from hongzhong.kernels.legal import may_call_false, wins_by_draw
from hongzhong.kernels.log import (
    CLAIM,
    END_EXHAUSTED,
    END_WIN,
    EVENT_CHOW,
    EVENT_DISCARD,
    EVENT_KONG,
    EVENT_PUNG,
    FROM_TAIL,
    FROM_WALL,
    NO_DRAW,
    OVER,
    PAY_FOLLOW,
    PAY_WIN,
    ROB,
    TURN,
    clear_deltas,
    log,
    log_win,
    pay,
)
from hongzhong.kernels.patterns import FACT_EARTH, FACT_HEAVEN, FACT_LAST_TILE, FACT_REPLACEMENT
from hongzhong.kernels.payment import pay_win
from hongzhong.kernels.scoring import score_hand
from hongzhong.kernels.waits import find_waits
from hongzhong.kernels.wall import live_tiles, next_seat, take_tile
from hongzhong.layout import BY_DISCARD, BY_DRAW, BY_KONG, RIVER_CLAIMED
from hongzhong.tiles import CHOW, EXPOSED_KONG
from hongzhong.tiles import PUNG as PUNG_MELD


@kernel
def pay_follow(rules, state, events):
    """All four seats have discarded the same kind first, one after another (H23)."""
    for seat in range(4):
        if state["discards"][seat] != 1 or state["first_discard"][seat] != state["first_discard"][0]:
            return
    clear_deltas(state)
    deltas = state["deltas"][:]
    dealer = state["dealer"]
    for seat in range(4):
        deltas[seat] += rules["base_point"]
    deltas[dealer] -= 4 * rules["base_point"]
    pay(state, events, PAY_FOLLOW, deltas)


@kernel
def go_on(rules, state, events):
    """Nobody wants the discard: followed dealers pay (H23), then the next seat draws."""
    if rules["follow_dealer"] and state["following"]:
        pay_follow(rules, state, events)
    state["phase"] = TURN
    state["pending"] = FROM_WALL


@kernel
def discard(rules, state, events, seat, kind):
    """The tile lies open; the others are asked, or the next seat draws."""
    drawn = state["drawn"] == kind
    if rules["pass_lock"] & LOCK_WIN and wins_by_draw(state, seat):
        state["win_lock"] |= np.int64(1) << seat  # an offered win answered with a discard (C9)
    remove_tile(state, seat, kind)
    if not drawn:
        state["stale"] |= np.int64(1) << seat  # without its drawn tile the hand is as it was
    if state["discards"][seat] == 0:
        state["first_discard"][seat] = kind
        if seat == state["dealer"]:
            state["following"] = 1
    state["discards"][seat] += 1
    state["river"][seat, state["river_count"][seat]] = kind
    state["river_count"][seat] += 1
    state["last_discarder"] = seat
    state["drawn"] = -1
    log(state, events, EVENT_DISCARD, seat, kind, np.int64(drawn), np.int64(0))
    if not ask(rules, state, CLAIM, kind, seat):
        go_on(rules, state, events)


@kernel
def claim(rules, state, events, seat, action):
    """A seat takes the discard for a chow, pung or kong, and has the turn without a draw (C3)."""
    kind = state["offer_tile"]
    source = state["offer_from"]
    state["river"][source, state["river_count"][source] - 1] += RIVER_CLAIMED
    state["last_discarder"] = -1
    state["claimed"] += 1
    state["following"] = 0
    state["turn"] = seat
    state["phase"] = TURN
    if CHOW_LOW <= action < CHOW_LOW + 3:
        low = kind - (action - CHOW_LOW)
        for other in range(low, low + 3):
            if other != kind:
                remove_tile(state, seat, other)
        add_meld(state, seat, CHOW, low, source)
        log(state, events, EVENT_CHOW, seat, kind, low, source)
        return
    form = PUNG_MELD if action == PUNG else EXPOSED_KONG
    for _ in range(2 if action == PUNG else 3):
        remove_tile(state, seat, kind)
    add_meld(state, seat, form, kind, source)
    if action == PUNG:
        log(state, events, EVENT_PUNG, seat, kind, source, np.int64(0))
        return
    log(state, events, EVENT_KONG, seat, kind, EXPOSED_KONG, source)
    after_kong(rules, state, events, seat, EXPOSED_KONG, source)


@kernel
def resolve(rules, state, events):
    """All asked seats have answered: wins first, then the nearest false win, pung or kong, chow (C2, C10)."""
    state["winners"] = winning_answers(rules, state)
    if state["winners"] != 0:
        return
    if state["phase"] == ROB:
        complete_added_kong(rules, state, events, state["offer_from"], state["offer_tile"])
        return
    seat = best_answer(state, np.int64(punishes_false_wins(rules)))
    if seat < 0:
        go_on(rules, state, events)
    elif state["answers"][seat] == FALSE_WIN:
        false_win(rules, state, events, seat)
    else:
        claim(rules, state, events, seat, state["answers"][seat])


@kernel
def act(rules, state, events, seat, action):
    """The effects of an action that need no look at hands; ``advance`` does the rest."""
    if state["phase"] != TURN:
        take_answer(rules, state, seat, action)
        if state["asked"] == 0:
            resolve(rules, state, events)
    elif action < PASS:
        discard(rules, state, events, seat, action)
    elif action == WIN_BY_DRAW:
        state["winners"] = np.int64(1) << seat
        state["offer_tile"] = state["drawn"]
        state["offer_from"] = seat
    elif action >= ADDED_KONG:
        declare_kong(rules, state, events, seat, action)
    elif action == FALSE_WIN and punishes_false_wins(rules):
        false_win(rules, state, events, seat)
    elif action == FALSE_WIN and not (rules["keep_last"] and state["last_tile"]):
        state["called_false"] = 1
    else:
        finish(rules, state, events, END_EXHAUSTED)  # the last tile does not win (H16)


@kernel
def facts_of(rules, state, seat, how, source):
    """Replacement tile, last tile, blessings of heaven and earth (Q16, Q17, N12, N13)."""
    facts = FACT_LAST_TILE if live_tiles(rules, state) <= 0 else 0
    dealer = state["dealer"]
    if how == BY_DISCARD:
        if source == dealer and state["discards"][dealer] == 1 and state["claimed"] == 0:
            facts |= FACT_EARTH
    elif how == BY_DRAW:
        if state["replaced"]:
            facts |= FACT_REPLACEMENT
        if state["discards"][seat] == 0 and state["claimed"] == 0 and state["kongs"] == 0:
            if seat == dealer:
                facts |= FACT_HEAVEN
            elif rules["earth_on_first_draw"]:
                facts |= FACT_EARTH
    return facts


@kernel
def pay_winners(tables, rules, state, events):
    """Scores each winner in turn order from the discarder, and ends the hand (C12)."""
    how = np.int64(BY_DRAW)
    if state["phase"] != TURN:
        how = np.int64(BY_DISCARD) if state["phase"] == CLAIM else np.int64(BY_KONG)
    kind = state["offer_tile"]
    source = state["offer_from"]
    for place in range(4):
        seat = (source + place) % 4
        if (state["winners"] >> seat) & 1 == 0:
            continue
        facts = np.int64(facts_of(rules, state, seat, how, source))
        if how == BY_DRAW:
            remove_tile(state, seat, kind)
        # with text: of readings that pay the same the one shown decides what H23 calls plain
        points = score_hand(tables, rules, state, seat, kind, how, facts, np.int64(7), True)
        if how == BY_DRAW:
            add_tile(state, seat, kind)
        log_win(state, events, seat, kind, how, source, facts)
        clear_deltas(state)
        deltas = state["deltas"][:]
        pay_win(rules, state["dealer"], seat, source, how, points, deltas)
        pay(state, events, PAY_WIN, deltas)
    finish(rules, state, events, END_WIN)


@kernel
def draw(rules, state, events):
    """The pending draw; the hand ends where no live tile is left, or where the last one cannot win (C11, H16)."""
    source = state["pending"]
    seat = next_seat(state, state["turn"]) if source == FROM_WALL else state["turn"]
    if source != FROM_TAIL and live_tiles(rules, state) <= 0:
        finish(rules, state, events, END_EXHAUSTED)
        return
    take_tile(rules, state, events, seat, source)
    if rules["keep_last"] and state["last_tile"]:
        if not wins_by_draw(state, seat) and not may_call_false(rules, state, seat):
            finish(rules, state, events, END_EXHAUSTED)


@kernel
def advance(tables, rules, state, events):
    """What follows an action: wins scored, waits found anew, the next tile drawn. The one caller of the large kernels."""
    if state["phase"] == OVER:
        return
    if state["winners"] != 0:
        pay_winners(tables, rules, state, events)
        return
    if state["stale"] != 0:
        for seat in range(4):
            if (state["stale"] >> seat) & 1:
                find_waits(tables, rules, state, seat)
        state["stale"] = 0
    if state["pending"] != NO_DRAW:
        draw(rules, state, events)


@unit
def step(tables, rules, state, events, seat, action):
    """One legal action of a seat that is asked. Legality is the caller's care."""
    state["steps"] += 1
    act(rules, state, events, seat, action)
    advance(tables, rules, state, events)
