"""Whether the fields of a sheet have their declared types: one check for all of them, from the annotations themselves."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Any, Final, Literal, Union, get_args, get_origin, get_type_hints

from hongzhong.rules.vocabulary import Text

_UNWRITTEN: Final = ("Cc", "Cs", "Zl", "Zp")
"""Unicode categories that break a line or cannot be written."""
_WORDS: Final = {
    str: "a text on one line, not empty",
    int: "a whole number",
    bool: "True or False",
    NoneType: "None",
    Text: 'a Text("English", "中文")',
}


@cache
def _hints(part: type) -> dict[str, Any]:
    return get_type_hints(part)


def shown(value: object) -> str:
    """A value as a message repeats it: on one line, and not all of a long one."""
    text = " ".join(repr(value).split())
    return text if len(text) <= 80 else text[:77] + "..."


def misfit(hint: Any, value: object, place: str) -> str | None:
    """What is wrong with a value of the type ``hint``: where, what was given and what it must be. None if nothing is."""
    origin = get_origin(hint)
    if hint is Any:
        return None
    if origin in (Union, UnionType):
        inside = next((part for part in get_args(hint) if is_dataclass(part) and type(value) is part), None)
        if inside is not None:
            return misfit(inside, value, place)
        fits = any(misfit(part, value, place) is None for part in get_args(hint))
    elif origin is Literal:
        fits = any(type(value) is type(choice) and value == choice for choice in get_args(hint))
    elif origin is tuple and type(value) is tuple:
        return _first(misfit(get_args(hint)[0], part, _place(place, i, part)) for i, part in enumerate(value))
    elif origin is Mapping and isinstance(value, dict):  # as records and pages are written from it
        key_hint, value_hint = get_args(hint)
        keys = _first(misfit(key_hint, key, f"a key of {place}") for key in value)
        return keys or _first(misfit(value_hint, part, f"{place}[{shown(key)}]") for key, part in value.items())
    elif hint is Text and type(value) is Text:
        return misfit(str, value.en, f"{place}.en") or misfit(str, value.zh, f"{place}.zh")
    elif isinstance(hint, type) and is_dataclass(hint) and isinstance(value, hint):
        within = f"{place}." if place else ""
        hints = _hints(hint)
        return _first(misfit(hints[f.name], getattr(value, f.name), within + f.name) for f in fields(hint))
    elif hint is str and type(value) is str:
        fits = bool(value.strip()) and all(unicodedata.category(char) not in _UNWRITTEN for char in value)
    else:
        fits = hint in (int, bool, NoneType) and type(value) is hint
    return None if fits else f"{place} is {shown(value)}; it must be {_wanted(hint)}{_comma(hint, value)}"


def _first(faults: Any) -> str | None:
    return next((fault for fault in faults if fault is not None), None)


def _place(place: str, number: int, part: object) -> str:
    name = getattr(part, "id", None)
    return f"{place}[{shown(name) if isinstance(name, str) else number}]"


def _wanted(hint: Any) -> str:
    origin, inside = get_origin(hint), get_args(hint)
    if origin is Literal:
        return " or ".join(repr(choice) for choice in inside)
    if origin is tuple:
        return f"a tuple (each item {_wanted(inside[0])})"
    if origin is Mapping:
        return "a dict such as {'m': 4}" if inside[1] is int else "a dict"
    if origin in (Union, UnionType):
        return ", or ".join(_wanted(part) for part in inside)
    return _WORDS.get(hint) or f"a {hint.__name__}(...)"


def _comma(hint: Any, value: object) -> str:
    """The slips of the pen: ``("pung")`` is no tuple, and ``name=Text(...),`` in parentheses of its own is one."""
    tuples = [part for part in (hint, *get_args(hint)) if get_origin(part) is tuple]
    if len(tuples) == 1 and get_origin(hint) is tuple and misfit(get_args(tuples[0])[0], value, "") is None:
        return f"; is a comma missing? write ({shown(value)},)"
    if not tuples and type(value) is tuple and len(value) == 1 and misfit(hint, value[0], "") is None:
        return "; is there a comma too many?"
    return "; write it in parentheses" if tuples and isinstance(value, list) else ""
