"""Rule sets: one sheet of data each, and the way to find them by name, entry point or file."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module, util
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from traceback import walk_tb
from typing import Any, Final

from hongzhong.rules.values import RuleError
from hongzhong.rules.variant import RuleSet, Sheet, resolve
from hongzhong.rules.vocabulary import Value

_BUILT_IN: Final = {
    "qiqihar": ("hongzhong.rules.qiqihar", "SHEET"),
    "inner_mongolia": ("hongzhong.rules.inner_mongolia", "SHEET"),
    "hebei": ("hongzhong.rules.hebei", "SHEET"),
    "hebei_108": ("hongzhong.rules.hebei", "SHEET_108"),
}
_GROUP: Final = "hongzhong.rules"
_LOADED: Final[dict[tuple[str, tuple[tuple[str, Value], ...]], RuleSet]] = {}
_MOST_LOADED: Final = 1000

__all__ = ["RuleError", "RuleSet", "Sheet", "load", "names", "resolve", "sheet"]


def names() -> list[str]:
    """The rule sets at hand: the four built in, then those of installed packages (entry point group ``hongzhong.rules``)."""
    return [*_BUILT_IN, *sorted(e.name for e in entry_points(group=_GROUP) if e.name not in _BUILT_IN)]


def sheet(name: str) -> Sheet:
    """A sheet by name, or from a Python file that defines ``SHEET`` (a name ending in ``.py``). Raises ``RuleError``."""
    if name in _BUILT_IN:
        module, attribute = _BUILT_IN[name]
        return getattr(import_module(module), attribute)  # type: ignore[no-any-return]
    if name.endswith(".py"):
        return _from_file(Path(name))
    for entry in entry_points(group=_GROUP):
        if entry.name == name:
            return _from_package(entry)
    raise RuleError(f"unknown rule set {name!r}; known: {', '.join(names())}, or a path ending in .py")


def load(name: str, options: Mapping[str, Any] | None = None) -> RuleSet:
    """A rule set by name or file, with options in force. Raises ``RuleError``.

    Of an installed sheet the same options give the same object, so that many tables share what is compiled for it.
    """
    ruleset = resolve(sheet(name), options)
    if name.endswith(".py"):  # the file may change
        return ruleset
    if len(_LOADED) > _MOST_LOADED:
        _LOADED.clear()
    return _LOADED.setdefault((name, tuple(ruleset.in_force().items())), ruleset)


def _from_file(path: Path) -> Sheet:
    if not path.is_file():
        raise RuleError(f"no rule sheet at {path}: give a Python file that defines SHEET")
    spec = util.spec_from_file_location(f"hongzhong_sheet_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise RuleError(f"{path} cannot be loaded as Python")
    module = util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:  # whatever a foreign file raises, its reader gets one line
        raise RuleError(_one_line(error, str(path))) from error
    found = _checked(getattr(module, "SHEET", None), str(path))
    if found.id in names():
        raise RuleError(
            f"{path}: id {found.id!r} is that of an installed rule set, for which its records would be taken; give another"
        )
    return found


def _from_package(entry: EntryPoint) -> Sheet:
    where = f"entry point {entry.name}"
    try:
        found = _checked(entry.load(), where)
    except (Exception, SystemExit) as error:
        raise RuleError(_one_line(error, where)) from error
    if found.id != entry.name:
        raise RuleError(f"{where}: its sheet has the id {found.id!r}; records find it by its id: give both one name")
    return found


def _one_line(error: BaseException, where: str) -> str:
    """What a foreign file raised, and on which of its lines."""
    said = " ".join(str(error).split())
    if isinstance(error, RuleError):
        return said if said.startswith(where) else f"{where}: {said}"
    lines = [line for frame, line in walk_tb(error.__traceback__) if frame.f_code.co_filename == where]
    place = f"{where}, line {lines[-1]}" if lines else where
    return f"{place}: {type(error).__name__}: {said.replace('.__init__()', '(...)')}"


def _checked(value: object, where: str) -> Sheet:
    if not isinstance(value, Sheet):
        raise RuleError(f"{where} defines no SHEET (a hongzhong.rules.variant.Sheet)")
    return value
