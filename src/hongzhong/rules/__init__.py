"""Rule sets: one sheet of data each, and the way to find them by name, entry point or file."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module, util
from importlib.metadata import entry_points
from pathlib import Path
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
            return _checked(entry.load(), f"entry point {name}")
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
    except RuleError as error:
        raise RuleError(f"{path}: {error}") from error
    except (Exception, SystemExit) as error:  # whatever a foreign file raises, its reader gets one line
        raise RuleError(f"{path}: {type(error).__name__}: {error}") from error
    return _checked(getattr(module, "SHEET", None), str(path))


def _checked(value: object, where: str) -> Sheet:
    if not isinstance(value, Sheet):
        raise RuleError(f"{where} defines no SHEET (a hongzhong.rules.variant.Sheet)")
    return value
