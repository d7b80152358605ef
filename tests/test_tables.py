"""The hand tables: built once, saved beside the kernels, built anew when the file is damaged."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from hongzhong.kernels import tables
from hongzhong.kernels.jit import hand_tables


def test_tables_stay_small() -> None:
    assert tables.TABLES.itemsize < 40_000_000


def test_saved_tables_are_those_built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usual = hand_tables()
    built = tables.load_tables(tmp_path)
    monkeypatch.setattr(tables, "build_tables", lambda: pytest.fail("built twice"))
    assert tables.load_tables(tmp_path).tobytes() == built.tobytes() == usual.tobytes()


def test_a_damaged_file_is_built_anew(tmp_path: Path) -> None:
    (tmp_path / "tables.npy").write_bytes(b"\x93NUMPY broken")
    loaded = tables.load_tables(tmp_path)
    assert loaded.tobytes() == hand_tables().tobytes()
    assert np.load(tmp_path / "tables.npy").dtype == tables.TABLES


def test_an_unwritable_folder_costs_only_time(tmp_path: Path) -> None:
    assert tables.load_tables(tmp_path / "absent").tobytes() == hand_tables().tobytes()
