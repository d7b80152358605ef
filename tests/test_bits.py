"""The masks that one instruction of the processor makes are those of the plain words beside them."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from hongzhong.kernels import bits
from hongzhong.kernels.jit import COMPILED, entry


@entry
def ask(counts: Any, many_counts: Any, number: Any, out: Any) -> None:
    """``out``: kinds over a number, kinds under the limits in ``many_counts[0]``; bits of the first, and the lowest of them or -1; eight of the
    limits."""
    out[0] = bits.over(counts, number)
    out[1] = bits.under(counts, many_counts[0])
    out[2] = bits.size(out[0])
    out[3] = bits.lowest(out[0]) if out[0] else -1
    out[4] = bits.eight(many_counts, 0, 9)


@given(
    st.lists(st.integers(0, 9), min_size=34, max_size=34),
    st.lists(st.integers(0, 9), min_size=34, max_size=34),
    st.integers(0, 5),
)
def test_masks_of_kinds(counts: list[int], limits: list[int], number: int) -> None:
    out = np.zeros(5, np.int64)
    ask(np.array(counts, np.int8), np.array([limits], np.int8), number, out)
    more = [kind for kind in range(34) if counts[kind] > number]
    assert out[0] == sum(1 << kind for kind in more)
    assert out[1] == sum(1 << kind for kind in range(34) if counts[kind] < limits[kind])
    assert out[2] == len(more)
    assert out[3] == min(more, default=-1)
    assert int(out[4]).to_bytes(8, "little") == bytes(limits[9:17])


def test_the_compiled_ones_are_at_work() -> None:
    assert hasattr(bits.over, "__code__") is not COMPILED
