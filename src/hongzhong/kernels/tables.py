"""The hand tables: built by numpy at first use, one record that every distance kernel reads.

A suit's natural tiles are a base-5 key; a key belongs to a class of keys that miss the same tiles for every number of sets (0-4)
and pairs (0-1). Vectors of ten missing counts, entry ``2 * sets + pair``, combine by min-plus over the suits. Each suit vector
comes in variants: any, at least 2, 5 or 8 tiles, nothing at all; and there is one with a terminal or a pair of 2, 5 or 8 (N2).
"""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

ANY, TWO, FIVE, EIGHT, NOTHING = range(5)
"""Variants of a suit's vector."""
N_PLAIN_VARIANTS: Final = 5
N_CLASSES: Final = 1200
N_SHAPES: Final = 128
N_HONOURS: Final = 66
N_PAIRS: Final = 1280
N_RESTS: Final = 1280
N_PIECES: Final = 920
FAR: Final = 40
"""More than any hand misses: this split cannot be."""

LANE: Final = 6
"""Bits of a lane where a vector is packed into one integer, entry 0 lowest: five for the number, at most ``LANE_MOST``, one to guard."""
LANE_MOST: Final = 31
ONES: Final = sum(1 << (LANE * lane) for lane in range(10))
GUARDS: Final = ONES << (LANE - 1)

TABLES: Final = np.dtype(
    [
        ("suit_class", "u2", (2, 5**9)),  # by limit (1: a kind may be needed five times and more) and key
        ("honour_class", "u1", (2, 5**7)),
        ("suit_pairs", "u1", 5**9),  # by key: pairs * 16 + single tiles
        ("honour_pairs", "u1", 5**7),
        ("shape", "u1", N_CLASSES),  # classes that differ only in terminals and 2/5/8 pairs share a shape
        ("suit_vector", "u1", (N_PLAIN_VARIANTS, N_SHAPES, 10)),
        ("terminal_vector", "u1", (N_CLASSES, 10)),
        # two suits, merged: by both variants and shapes; then with the honours (any, at least two tiles, nothing)
        ("pair", "u2", (N_PLAIN_VARIANTS, N_PLAIN_VARIANTS, N_SHAPES, N_SHAPES)),
        ("rest", "u2", (N_PAIRS, 3, N_HONOURS)),
        ("rest_vector", "u1", (N_RESTS, 10)),
        # what a whole hand misses: by sets wanted, vector of one suit (by variant and shape, or terminal by class), vector of the rest
        ("piece", "u2", (N_PLAIN_VARIANTS, N_SHAPES)),
        ("terminal_piece", "u2", N_CLASSES),
        ("missing", "u1", (5, N_PIECES, N_RESTS)),
        # the same vectors packed; that of the rest backwards, its last entry lowest
        ("suit_lanes", "i8", N_CLASSES),
        ("terminal_lanes", "i8", N_CLASSES),
        ("honour_lanes", "i8", N_HONOURS),
        ("rest_lanes", "i8", N_RESTS),
    ],
    align=True,
)
Bytes = npt.NDArray[np.int8]


def _extend(states: Bytes, rank: int, runs: bool, limit: int) -> Bytes:
    """One more rank with 0 to 4 tiles. States: tiles used by (runs begun one rank ago, two ranks ago, sets, pairs, flag, state)."""
    new = np.full((*states.shape[:-1], 5, states.shape[-1]), -1, np.int8)
    ends = rank in (0, 8) and runs
    begins = range(3 if runs and rank <= 6 else 1)
    for before, earlier, sets in product(range(3), range(3), range(5)):
        if before + earlier > sets:
            continue  # runs begun are counted as sets
        for pairs, flag, begun, triplet, pair in product(range(2), range(2), begins, range(3), range(2)):
            need = before + earlier + begun + 3 * triplet + 2 * pair
            if need > limit or sets + begun + triplet > 4 or pairs + pair > 1:
                continue
            marks = (ends and need > 0) or (runs and pair and rank % 3 == 1)
            old = states[before, earlier, sets, pairs, flag]
            to = new[begun, before, sets + begun + triplet, pairs + pair, 1 if marks else flag]
            for count in range(5):
                np.maximum(to[count], np.where(old < 0, old, old + np.int8(min(count, need))), out=to[count])
    return new.reshape(*states.shape[:-1], -1)


def _automaton(ranks: int, runs: bool, limit: int) -> tuple[npt.NDArray[np.int32], Bytes]:
    """``(state by key, states)``: keys in base 5 with rank 1 the lowest digit, states deduplicated after each rank."""
    states = np.full((3, 3, 5, 2, 2, 1), -1, np.int8)
    states[0, 0, 0, 0, 0] = 0
    index = np.zeros(1, np.int32)
    for rank in range(ranks):
        n_states = states.shape[-1]
        states = _extend(states, rank, runs, limit)
        kept, inverse = _distinct(states.reshape(180, -1))
        index = np.concatenate([inverse[count * n_states + index] for count in range(5)])
        states = np.ascontiguousarray(states[..., kept])
    return index, np.moveaxis(states[0, 0], -1, 0)


def _distinct(columns: Bytes) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int32]]:
    """``(one column of each kind, each column's number among them)``, found by a hash that is then checked."""
    hashes = np.zeros(columns.shape[1], np.uint64)
    alive = [row for row in columns if row.max() >= 0]
    for row in alive:
        hashes = hashes * np.uint64(0x9E3779B97F4A7C15) + row.astype(np.uint64)
    _, kept, inverse = np.unique(hashes, return_index=True, return_inverse=True)
    if not all(np.array_equal(row[kept][inverse], row) for row in alive):
        raise AssertionError("two hand states share a hash")
    return kept, inverse.astype(np.int32)


def _vectors(ranks: int, runs: bool, limit: int) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.uint8]]:
    """``(vector by key, vectors)``; a vector is 20 missing counts: ten for any target, ten for one with a terminal or 2/5/8 pair."""
    index, used = _automaton(ranks, runs, limit)
    size = np.array([[3 * sets + 2 * pair for pair in range(2)] for sets in range(5)])
    either = used.max(axis=3)
    missing = [np.where(u < 0, FAR, size - u).reshape(-1, 10) for u in (either, used[..., 1])]
    vectors, inverse = np.unique(np.concatenate(missing, axis=1).astype(np.uint8), axis=0, return_inverse=True)
    return inverse.ravel().astype(np.int32)[index], vectors


def _shared(ranks: int, runs: bool, room: int) -> tuple[list[npt.NDArray[np.int32]], npt.NDArray[np.uint8]]:
    """Classes of both limits over one list of vectors. Keys of more than 14 tiles never occur: they share class 0."""
    total = np.zeros(1, np.int16)
    for _ in range(ranks):
        total = np.concatenate([total + count for count in range(5)])
    occurs = total <= 14
    parts = [_vectors(ranks, runs, limit) for limit in (4, 9)]
    rows = np.concatenate([vectors[np.unique(by_key[occurs])] for by_key, vectors in parts])
    vectors = np.unique(rows, axis=0)
    if len(vectors) > room:
        raise AssertionError(f"{len(vectors)} hand classes, room for {room}")
    classes = []
    place = {row.tobytes(): i for i, row in enumerate(vectors)}
    for by_key, own in parts:
        number = np.array([place.get(row.tobytes(), 0) for row in own], np.int32)
        classes.append(np.where(occurs, number[by_key], 0))
    return classes, vectors


def _pairs(ranks: int) -> npt.NDArray[np.uint8]:
    """Pairs and single tiles of each key, for seven pairs."""
    total = np.zeros(1, np.uint8)
    for _ in range(ranks):
        total = np.concatenate([total + (count // 2 * 16 + count % 2) for count in range(5)])
    return total


def _plus(first: npt.NDArray[np.uint8], second: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """Min-plus of vectors, broadcast: the fewest missing tiles of both suits together, for each number of sets and pairs."""
    out = np.full((*np.broadcast_shapes(first.shape[:-1], second.shape[:-1]), 10), FAR, np.uint8)
    for one in range(10):
        for two in range(10):
            sets, pair = one // 2 + two // 2, one % 2 + two % 2
            if sets <= 4 and pair <= 1:
                np.minimum(out[..., 2 * sets + pair], first[..., one] + second[..., two], out=out[..., 2 * sets + pair])
    return out


def _numbered(rows: npt.NDArray[np.uint8], room: int) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]:
    """Distinct vectors of ten, and each row's number among them."""
    flat = np.ascontiguousarray(rows.reshape(-1, 10))
    distinct, inverse = np.unique(flat.view("V10").ravel(), return_inverse=True)
    if len(distinct) > room:
        raise AssertionError(f"{len(distinct)} vectors, room for {room}")
    return distinct.view(np.uint8).reshape(-1, 10), inverse.reshape(rows.shape[:-1])


def _closed(pieces: npt.NDArray[np.uint8], rests: npt.NDArray[np.uint8], n_sets: int) -> npt.NDArray[np.uint8]:
    """Fewest missing tiles of ``n_sets`` sets and a pair, by vector of one suit and of all the rest."""
    out = np.full((len(pieces), len(rests)), FAR, np.uint8)
    for column in range(2 * n_sets + 2):
        np.minimum(out, pieces[:, column, None] + rests[None, :, 2 * n_sets + 1 - column], out=out)
    return out


def _packed(vectors: npt.NDArray[np.uint8]) -> npt.NDArray[np.int64]:
    """Vectors of ten as one integer each."""
    lanes = np.minimum(vectors, LANE_MOST).astype(np.int64)
    return np.asarray((lanes << (LANE * np.arange(10))).sum(axis=-1))


def build_tables() -> npt.NDArray[np.void]:
    """The tables as an array of one record."""
    tables = np.zeros(1, TABLES)
    record = tables[0]
    classes, vectors = _shared(9, True, N_CLASSES)
    honour_classes, honours = _shared(7, False, N_HONOURS)
    record["suit_class"][:] = classes
    record["honour_class"][:] = honour_classes
    record["suit_pairs"], record["honour_pairs"] = _pairs(9), _pairs(7)
    shapes, shape = _numbered(vectors[:, :10], N_SHAPES)
    record["shape"][: len(shape)] = shape
    record["terminal_vector"][:] = FAR
    record["terminal_vector"][: len(vectors)] = vectors[:, 10:]
    size = np.array([3 * sets + 2 * pair for sets in range(5) for pair in range(2)])
    nothing = np.where(np.arange(10) == 0, 0, FAR).astype(np.uint8)
    suit = np.full((N_PLAIN_VARIANTS, N_SHAPES, 10), FAR, np.uint8)
    for variant, least in ((ANY, 0), (TWO, 2), (FIVE, 5), (EIGHT, 8)):
        suit[variant, : len(shapes)] = np.where(size >= least, shapes, FAR)
    suit[NOTHING] = nothing
    record["suit_vector"] = suit
    merged, record["pair"] = _numbered(_plus(suit[:, None, :, None], suit[None, :, None, :]), N_PAIRS)
    honour = np.full((3, N_HONOURS, 10), FAR, np.uint8)
    for variant, least in ((0, 0), (1, 2)):
        honour[variant, : len(honours)] = np.where(size >= least, honours[:, :10], FAR)
    honour[2] = nothing
    rests, record["rest"][: len(merged)] = _numbered(_plus(merged[:, None, None], honour[None]), N_RESTS)
    record["rest_vector"][:] = FAR
    record["rest_vector"][: len(rests)] = rests
    pieces, piece = _numbered(np.concatenate([suit.reshape(-1, 10), record["terminal_vector"]]), N_PIECES)
    record["piece"], record["terminal_piece"] = piece[: suit.size // 10].reshape(-1, N_SHAPES), piece[suit.size // 10 :]
    for n_sets in range(5):
        record["missing"][n_sets, : len(pieces), : len(rests)] = _closed(pieces, rests, n_sets)
    record["suit_lanes"] = _packed(record["suit_vector"][ANY][record["shape"]])
    record["terminal_lanes"] = _packed(record["terminal_vector"])
    record["honour_lanes"] = _packed(honour[0])
    record["rest_lanes"] = _packed(record["rest_vector"][:, ::-1])
    return tables


def load_tables(folder: Path | None) -> npt.NDArray[np.void]:
    """From the cache folder where they are saved, else built and saved there."""
    path = None if folder is None else folder / "tables.npy"
    if path is not None and path.exists():
        try:
            loaded: npt.NDArray[np.void] = np.load(path, allow_pickle=False)
            if loaded.dtype == TABLES and loaded.shape == (1,):
                return loaded.view(TABLES)  # a saved dtype forgets that it is aligned
        except (OSError, ValueError):
            pass  # a damaged file is built anew
    tables = build_tables()
    if path is not None:
        try:
            temporary = path.with_suffix(f".{id(tables)}.npy")
            np.save(temporary, tables)
            temporary.replace(path)
        except OSError:
            pass  # a full disk costs only the next start
    return tables
