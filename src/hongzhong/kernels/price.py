"""The one price formula: pattern rows resolved from raw bits, then stake x curve(highest base + fan) x product of times."""

from __future__ import annotations

import numpy as np

from hongzhong.kernels.jit import kernel
from hongzhong.layout import CONCEALED_KONGS, EXPOSED_KONGS, PATTERN_BITS


@kernel
def resolve_rows(rules, raw):
    """``(kept, shown)``: the rows that count, and those met whatever their price (a condition's exemptions look at these).

    Facts and conditions in ``raw`` stand above all rows. A row whose price is switched off neither serves nor bars another.
    """
    facts = raw & ~np.int64(PATTERN_BITS)
    kept = np.int64(0)
    shown = np.int64(0)
    for row in range(rules["n_patterns"]):
        bit = rules["pattern_order"][row]
        mask = np.int64(1) << bit
        if raw & mask == 0:
            continue
        known = facts | kept
        needs = rules["pattern_requires"][bit]
        any_of = rules["pattern_requires_any"][bit]
        if needs & known != needs or (any_of != 0 and any_of & known == 0) or rules["pattern_barred"][bit] & known != 0:
            continue
        shown |= mask
        if rules["priced"] & mask:
            kept |= mask
    return kept, shown


@kernel
def price(rules, kept, exposed_kongs, concealed_kongs):
    """``(points, bits)`` of the rows kept; of the bases only the highest stays, the upper row of equals."""
    base = np.int64(0)
    best = np.int64(-1)
    fan = np.int64(0)
    times = np.int64(1)
    bits = np.int64(0)
    for row in range(rules["n_patterns"]):
        bit = rules["pattern_order"][row]
        if (kept >> bit) & 1 == 0:
            continue
        if rules["pattern_base"][bit] > 0:
            if rules["pattern_base"][bit] > base:
                base = rules["pattern_base"][bit]
                best = bit
            continue
        count = np.int64(1)
        if bit == EXPOSED_KONGS:
            count = exposed_kongs
        elif bit == CONCEALED_KONGS:
            count = concealed_kongs
        fan += rules["pattern_fan"][bit] * count
        for _ in range(count):
            times *= rules["pattern_times"][bit]
        bits |= np.int64(1) << bit
    if best >= 0:
        bits |= np.int64(1) << best
    total = base + fan
    if rules["doubling"]:
        total = np.int64(1) << (total - 1) if total > 0 else np.int64(0)
    return rules["base_point"] * total * times, bits
