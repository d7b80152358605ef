"""Values of options: what may be given, what was meant, and what is said of a wrong one."""

from __future__ import annotations

from typing import Any

from hongzhong.rules.vocabulary import OptionSpec, Value


class RuleError(ValueError):
    """A sheet or option that cannot be: says which, why, and what would be right."""


def describe(spec: OptionSpec) -> str:
    """The values that an option takes, for messages and lists."""
    if spec.kind == "bool":
        return "true or false"
    if spec.kind == "choice":
        return ", ".join(spec.choices)
    if spec.kind == "points":
        return f"three whole numbers from 0 to {spec.high}, such as 1,1,2"
    return " or ".join(
        [f"a whole number from {spec.low} to {spec.high}", *spec.words, *(["none"] if spec.none else [])]
    )


def check_value(option: str, spec: OptionSpec, value: Any) -> Value:
    """The value in its proper type. Raises ``RuleError``."""
    if spec.kind == "bool" and isinstance(value, bool):
        return value
    if spec.kind == "choice" and value in spec.choices:
        return str(value)

    def number(v: Any) -> bool:
        return isinstance(v, int) and not isinstance(v, bool) and spec.low <= v <= spec.high

    triple = isinstance(value, list | tuple) and len(value) == 3
    if spec.kind == "points" and triple and all(number(v) for v in value):
        return tuple(value)
    word = (value is None and spec.none) or (isinstance(value, str) and value in spec.words)
    if spec.kind == "int" and (word or number(value)):
        return value  # type: ignore[no-any-return]
    raise RuleError(f"option {option}: bad value {value!r}; it takes {describe(spec)}")


def parse_value(text: str) -> Any:
    """A value typed by a person: true, false, none, 5, 1,1,2 or a word."""
    words: dict[str, Any] = {"true": True, "false": False, "yes": True, "no": False, "none": None}
    lowered = text.strip().lower()
    if lowered in words:
        return words[lowered]
    parts = lowered.split(",")
    if all(p.strip().lstrip("-").isdecimal() for p in parts):
        numbers = tuple(int(p) for p in parts)
        return numbers[0] if len(numbers) == 1 else numbers
    return text.strip()
