"""Writes the browser client's message types from the server's structs: uv run python -m tests.client_types"""

from __future__ import annotations

import inspect as python
import json
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import inspect

from hongzhong.server import bodies, messages

TARGET: Final = Path(__file__).parent.parent / "frontend" / "src" / "messages.ts"
HEAD: Final = """\
// What browser and server say to each other. Written from src/hongzhong/server/messages.py and bodies.py:
// uv run python -m tests.client_types
"""
_PLAIN: Final = {
    inspect.AnyType: "any",
    inspect.NoneType: "null",
    inspect.BoolType: "boolean",
    inspect.IntType: "number",
    inspect.FloatType: "number",
    inspect.StrType: "string",
}


def structs() -> dict[str, type[msgspec.Struct]]:
    """Every message by its name, the events they carry among them; a heading struct without fields or tag is none."""
    found: dict[str, type[msgspec.Struct]] = {}

    def add(kind: type[msgspec.Struct]) -> None:
        if kind.__name__ in found:
            return
        found[kind.__name__] = kind
        for field in msgspec.structs.fields(kind):
            for part in _structs_in(inspect.type_info(field.type)):
                add(part)

    for value in [*vars(messages).values(), *vars(bodies).values()]:
        if not (isinstance(value, type) and issubclass(value, msgspec.Struct)):
            continue
        ours = value.__module__.startswith("hongzhong.server.")
        if ours and (msgspec.structs.fields(value) or value.__struct_config__.tag):
            add(value)
    return found


def _structs_in(info: inspect.Type) -> list[type[msgspec.Struct]]:
    if isinstance(info, inspect.StructType):
        return [info.cls]
    parts: list[inspect.Type] = []
    for name in ("types", "item_types"):
        parts += getattr(info, name, ())
    for name in ("item_type", "key_type", "value_type"):
        part = getattr(info, name, None)
        parts += [part] if part is not None else []
    return [kind for part in parts for kind in _structs_in(part)]


def written(info: inspect.Type) -> str:
    """The TypeScript of a type. Raises ``TypeError`` for one that no message has had yet."""
    if type(info) in _PLAIN:
        return _PLAIN[type(info)]
    if isinstance(info, inspect.StructType):
        return info.cls.__name__
    if isinstance(info, inspect.LiteralType):
        return " | ".join(json.dumps(value) for value in info.values)
    if isinstance(info, inspect.UnionType):
        return " | ".join(written(part) for part in info.types)
    if isinstance(info, inspect.TupleType):
        return f"[{', '.join(written(part) for part in info.item_types)}]"
    if isinstance(info, inspect.ListType | inspect.VarTupleType):
        item = written(info.item_type)
        return f"({item})[]" if "|" in item else f"{item}[]"
    if isinstance(info, inspect.DictType):
        return f"Record<{written(info.key_type)}, {written(info.value_type)}>"
    raise TypeError(f"no TypeScript for {info}")


def _interface(name: str, kind: type[msgspec.Struct]) -> str:
    config: Any = kind.__struct_config__
    lines = [f"  {config.tag_field}: {json.dumps(config.tag)};"] if config.tag else []
    may_lack = config.omit_defaults or issubclass(kind, messages.Request)
    for field in msgspec.structs.fields(kind):
        mark = "?" if may_lack and not field.required else ""
        lines.append(f"  {field.encode_name}{mark}: {written(inspect.type_info(field.type))};")
    doc = python.cleandoc(kind.__doc__ or "").replace("``", "`").splitlines() if "__doc__" in vars(kind) else []
    head = [f"/** {doc[0]}", *(f" * {line}" if line else " *" for line in doc[1:])] if doc else []
    if head:
        head[-1] += " */"
    return "\n".join([*head, f"export interface {name} {{", *lines, "}"])


def generated() -> str:
    """The whole file."""
    found = structs()
    parts = [HEAD, f"export const PROTOCOL = {messages.PROTOCOL};\n"]
    parts += [_interface(name, kind) + "\n" for name, kind in found.items()]
    for name in ("AnyEvent", "ServerMessage", "ClientMessage"):
        union = inspect.type_info(getattr(messages, name))
        parts.append(f"export type {name} = {written(union)};\n")
    text = "\n".join(parts)
    event = next(part for part in parts if part.startswith("export type AnyEvent")).split(" = ")[1].rstrip(";\n")
    return text.replace(f"({event})[]", "AnyEvent[]")


if __name__ == "__main__":
    TARGET.write_text(generated(), encoding="utf-8")
