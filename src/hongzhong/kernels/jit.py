"""How kernels are compiled: one specialisation each, typed by the names of their parameters, cached under a hash of all sources.

``@kernel`` is for functions called by other kernels, ``@unit`` for large ones of these, ``@entry`` for those called from Python.
Parameters named in ``TYPES`` have that type, all others are int64. With ``NUMBA_DISABLE_JIT=1`` the same source runs as plain Python.
"""

from __future__ import annotations

import functools
import hashlib
import inspect
import os
import shutil
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, TypeVar

import numba
import numpy as np
from llvmlite import binding as llvm
from llvmlite import ir
from numba import types as nt
from numba.core import cgutils
from numba.core.registry import cpu_target
from numba.core.typing.templates import ConcreteTemplate

from hongzhong import layout
from hongzhong.kernels.tables import TABLES, load_tables

config: Any = numba.config
F = TypeVar("F", bound=Callable[..., Any])
COMPILED: Final = not config.DISABLE_JIT
UNITS: Final[list[Any]] = []
"""Their code lives as long as the process."""

_SOURCES: Final = (
    *sorted(Path(__file__).parent.glob("*.py")),
    Path(layout.__file__),
    *(
        Path(layout.__file__).parent / name
        for name in ("plans.py", "aims.py", "tiles.py", "actions.py", "rules/vocabulary.py")
    ),
)


def source_hash() -> str:
    """Changes whenever a cached kernel could be stale: kernel sources, record layouts, numba, numpy, Python, processor."""
    versions = (numba.__version__, np.__version__, sys.version, config.OPT, config.CPU_NAME, _host())
    digest = hashlib.sha256(repr(versions).encode())
    for path in _SOURCES:
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _host() -> str:
    return str(llvm.get_host_cpu_name())


def cache_root() -> Path:
    """``HONGZHONG_CACHE``, else the user's cache folder."""
    import platformdirs

    return Path(os.environ.get("HONGZHONG_CACHE") or platformdirs.user_cache_dir("hongzhong"))


def _prepare_cache() -> Path | None:
    """The folder of this hash, older ones pruned; None where nothing can be written: kernels then compile in every process."""
    root = cache_root()
    folder = root / f"kernels-{source_hash()}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
        os.utime(folder)
        week = time.time() - 7 * 86400
        for other in root.glob("kernels-*"):
            if other != folder and other.stat().st_mtime < week:
                shutil.rmtree(other, ignore_errors=True)
    except OSError as error:
        print(f"hongzhong: kernels are compiled anew in every process: {folder}: {error.strerror}", file=sys.stderr)
        return None
    return folder


CACHE: Final = _prepare_cache() if COMPILED else None
if CACHE is not None:
    config.CACHE_DIR = str(CACHE)

_RECORDS: Final = {
    "tables": numba.from_dtype(TABLES),
    "rules": numba.from_dtype(layout.RULES),
    "state": numba.from_dtype(layout.STATE),
    "result": numba.from_dtype(layout.RESULT),
    "outlook": numba.from_dtype(layout.OUTLOOK),
}
TYPES: Final[dict[str, Any]] = {
    **_RECORDS,
    "all_tables": nt.Array(_RECORDS["tables"], 1, "C"),
    "all_rules": nt.Array(_RECORDS["rules"], 1, "C"),
    "states": nt.Array(_RECORDS["state"], 1, "C"),
    "results": nt.Array(_RECORDS["result"], 1, "C"),
    "outlooks": nt.Array(_RECORDS["outlook"], 1, "C"),
    "events": nt.int64[:, ::1],
    "wall": nt.int8[::1],
    "walls": nt.int8[:, ::1],
    "random": nt.uint64[::1],
    "actions": nt.int64[::1],
    "seats": nt.int64[::1],
    "dealers": nt.int64[::1],
    "out": nt.int64[::1],
    "rows": nt.int64[:, ::1],
    "policies": nt.int64[::1],
    "counts": nt.int8[::1],
    "many_counts": nt.int8[:, ::1],
    "with_text": nt.boolean,
    "single": nt.boolean,
    "runs": nt.boolean,
    "terminal": nt.boolean,
    "requests": nt.uint8[:, ::1],
    "verdicts": nt.int64[:, ::1],
    "after": nt.int64[:, ::1],
    "useful": nt.int64[:, ::1],
    "hands": nt.uint8[:, ::1],
    "limits": nt.uint8[::1],
    "faults": nt.int64[::1],
    "unseen": nt.uint8[::1],
    "aim": _RECORDS["rules"],
    "weights": nt.float64[::1],
    "all_weights": nt.float64[:, ::1],
    "chance": nt.float64[::1],
    "notes": nt.float64[:, ::1],
}


def _signature(function: Callable[..., Any]) -> tuple[Any, ...]:
    return tuple(TYPES.get(name, nt.int64) for name in inspect.signature(function).parameters)


@contextmanager
def _whole() -> Iterator[None]:
    """Ctrl-C waits until the function is compiled: within the compiler it would be lost, or bring the process down."""
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or before is None:
        yield
        return
    came: list[Any] = []
    signal.signal(signal.SIGINT, lambda *what: came.append(what))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if came and callable(before):
        before(*came[0])


def _compile(function: F, **how: Any) -> F:
    if not COMPILED:
        return function
    with _whole():
        return _compiled(function, **how)


def _compiled(function: F, **how: Any) -> F:
    options = {"cache": CACHE is not None, "nogil": True, "_nrt": False, "error_model": "numpy", **how}
    try:
        compiled: Any = numba.njit(_signature(function), **options)(function)
    except OSError:  # the disk filled up since the folder was prepared: this kernel goes uncached
        compiled = numba.njit(_signature(function), **options | {"cache": False})(function)
    return compiled  # type: ignore[no-any-return]


def kernel(function: F) -> F:
    """A function that only other kernels call."""
    return _compile(function, no_cpython_wrapper=True, no_cfunc_wrapper=True)


def unit(function: F) -> F:
    """A kernel that is compiled once and called at its address. Any other kernel is compiled again in each function that calls it,
    with all that it calls in turn: the caller gains where the kernel is small, and all compile twice as long where it is large.

    The name by which callers know it is its own, not its address, so that callers can be cached too.
    """
    compiled: Any = _compile(function, no_cpython_wrapper=True)
    if not COMPILED:
        return function
    (overload,) = compiled.overloads.values()
    symbol = f"{function.__module__}.{function.__name__}"
    with _whole():
        llvm.add_symbol(symbol, overload.library.get_pointer_to_function(overload.fndesc.llvm_cfunc_wrapper_name))

    def call(*arguments: Any) -> Any:
        raise TypeError(f"{symbol} is called from kernels only")

    def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        how = ir.FunctionType(
            context.get_value_type(signature.return_type), [context.get_value_type(kind) for kind in signature.args]
        )
        return builder.call(cgutils.get_or_insert_function(builder.module, how, symbol), arguments)

    signature = overload.signature
    template = type(symbol, (ConcreteTemplate,), {"key": call, "cases": [signature]})
    cpu_target.typing_context.insert_user_function(call, template)
    cpu_target.target_context.insert_func_defn([(lower, call, signature.args)])
    UNITS.append(compiled)
    return call  # type: ignore[return-value]


def inlined(function: F) -> F:
    """A kernel that becomes part of its callers, where a call costs more than what it does."""
    return _compile(function, no_cpython_wrapper=True, no_cfunc_wrapper=True, inline="always")


def entry(function: F) -> F:
    """A function that Python calls."""
    return _compile(function, no_cfunc_wrapper=True)


@functools.cache
def hand_tables() -> np.ndarray[Any, Any]:
    """The hand tables of this process, one record."""
    return load_tables(CACHE)
