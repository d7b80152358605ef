"""Kernels are compiled once on a machine, and never used once their source has changed."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import hongzhong

PACKAGE = Path(hongzhong.__file__).parent
COUNT = """
import sys
from hongzhong.kernels import {module} as module, jit
from numba.core.registry import CPUDispatcher
loaded = [m for name, m in sys.modules.items() if name.startswith("hongzhong.kernels.")]
found = {{id(f): f for m in loaded for f in vars(m).values() if isinstance(f, CPUDispatcher)}}
found = [*found.values(), *jit.UNITS]
print(sum(sum(f.stats.cache_misses.values()) for f in found), sum(sum(f.stats.cache_hits.values()) for f in found))
"""
PAY = """
import numpy as np
from hongzhong import layout, rules
from hongzhong.kernels.jit import entry, TYPES
from hongzhong.kernels.payment import settle
@entry
def paid(all_rules, out, due):
    settle(all_rules[0], np.int64(1), np.int64(2), due, out)
out = np.zeros(4, np.int64)
paid(layout.compile_rules(rules.load("qiqihar")), out, 5)
print(out.tolist())
"""


def run(code: str, cache: Path, path: Path | None = None) -> subprocess.CompletedProcess[str]:
    """A fresh process with its own cache folder; ``path`` comes before the installed package."""
    env = os.environ | {"HONGZHONG_CACHE": str(cache), "NUMBA_DISABLE_JIT": "0"}
    if path is not None:
        env["PYTHONPATH"] = str(path)
    return subprocess.run(
        [sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True, timeout=500
    )


@pytest.mark.slow
def test_a_second_process_compiles_nothing(tmp_path: Path) -> None:
    first = run(COUNT.format(module="payment"), tmp_path).stdout.split()
    second = run(COUNT.format(module="payment"), tmp_path).stdout.split()
    assert int(first[0]) > 0 and first[1] == "0"
    assert second == ["0", first[0]]


@pytest.mark.slow
def test_a_second_process_compiles_no_unit_nor_what_calls_it(tmp_path: Path) -> None:
    first = run(COUNT.format(module="waits"), tmp_path).stdout.split()
    second = run("import numba\n" + COUNT.format(module="waits"), tmp_path).stdout.split()  # whoever loads numba first
    assert int(first[0]) > 0 and first[1] == "0"
    assert second == ["0", first[0]]


@pytest.mark.slow
def test_without_compiler_the_same_hands_are_played(tmp_path: Path) -> None:
    """All kernels of playing and scoring as plain Python, a hand of each rule set against its compiled twin."""
    code = """
from hongzhong import rules
from hongzhong.kernels import jit
from hongzhong.simulate import Table
for name in ("qiqihar", "inner_mongolia", "hebei", "hebei_108"):
    table = Table(rules.load(name), ("greedy", "random", "greedy", "random"), 5)
    print(name, table.play_one(0)[1])
import numpy as np
from hongzhong import analyse_hand, batch_distance, load_rules
print(analyse_hand(load_rules("hebei"), "1m111222s4678p(999m)"))
print(batch_distance(load_rules("qiqihar"), np.eye(34, dtype=np.uint8)[:13].sum(axis=0, keepdims=True)))
"""
    plain = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    compiled = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert plain.stdout == compiled.stdout and plain.stdout.count("\n") >= 6


@pytest.mark.slow
def test_an_edited_callee_is_compiled_anew(tmp_path: Path) -> None:
    """The caller's own file stays as it is; numba alone would go on using what it compiled before the edit."""
    copy = tmp_path / "src" / "hongzhong"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    script = tmp_path / "src" / "paying.py"
    script.write_text(PAY)
    cache = tmp_path / "cache"
    assert run("import paying", cache, script.parent).stdout.strip() == "[0, -5, 5, 0]"
    payment = copy / "kernels" / "payment.py"
    text = payment.read_text()
    assert "out[winner] += due" in text
    payment.write_text(text.replace("out[winner] += due", "out[winner] += due + 100"))
    assert run("import paying", cache, script.parent).stdout.strip() == "[0, -5, 105, 0]"


@pytest.mark.slow
def test_an_unwritable_cache_is_said_once(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("no folder")
    done = run(COUNT.format(module="payment"), blocked)
    assert done.stderr.count("kernels are compiled anew in every process") == 1
    assert int(done.stdout.split()[1]) == 0


@pytest.mark.slow
def test_warm_says_what_it_does(tmp_path: Path) -> None:
    done = run("from hongzhong.cli import main; main(['warm'])", tmp_path)
    assert done.stdout == ""
    assert "hand tables" in done.stderr and "ready after" in done.stderr
    counts = run(COUNT.format(module="table"), tmp_path).stdout.split()
    assert counts[0] == "0" and int(counts[1]) > 0


@pytest.mark.slow
def test_a_disk_that_fills_up_leaves_kernels_uncached(tmp_path: Path) -> None:
    """The folder can be made, its files cannot be written: kernels are compiled all the same."""
    full = "import resource, signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
    full += "resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))\n"
    done = run(full + COUNT.format(module="payment"), tmp_path)
    assert int(done.stdout.split()[0]) > 0
    assert [path.stat().st_size for path in tmp_path.rglob("*.nbc") if path.stat().st_size > 100] == []


def test_an_interrupt_waits_until_a_kernel_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Within the compiler it was lost, and its next step failed with a traceback."""
    from hongzhong.kernels import jit

    compiled: list[object] = []

    def njit(*_: object, **__: object) -> object:
        def compile_it(function: object) -> object:
            signal.raise_signal(signal.SIGINT)
            compiled.append(function)
            return function

        return compile_it

    monkeypatch.setattr(jit, "COMPILED", True)
    monkeypatch.setattr("numba.njit", njit)
    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        jit.kernel(lambda kind: kind)
    assert len(compiled) == 1 and signal.getsignal(signal.SIGINT) is before
