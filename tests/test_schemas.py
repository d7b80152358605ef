"""The published schemas are those of the event and journal types. ``python -m tests.test_schemas`` writes them anew."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import msgspec
import pytest

from hongzhong import events, journal
from hongzhong.analysis import lines
from hongzhong.score.lines import Refused

SCHEMAS = Path(__file__).parent.parent / "docs" / "schemas"
RECORDS = Path(__file__).parent / "records"
TYPES: dict[str, tuple[Any, str]] = {
    "record": (events.AnyEvent, "One line of a Hongzhong record, format 1 (JSON Lines)"),
    "journal": (
        journal.Header | journal.Answer | journal.Aborted,
        "One line of the private journal of a match, format 1 (JSON Lines): the header, then answers",
    ),
    "analyse-request": ((lines.Request,), "One line into hongzhong analyse --jsonl"),
    "analyse-answer": ((lines.Waits, lines.Discards, Refused), "One line out of hongzhong analyse --jsonl"),
}


def schema_of(name: str) -> dict[str, Any]:
    types, title = TYPES[name]
    if isinstance(types, tuple):
        found, parts = msgspec.json.schema_components(types, ref_template="#/$defs/{name}")
        for part in parts.values():  # an id is answered where one was given
            part["required"] = [field for field in part.get("required", []) if field != "id"]
        body = {"anyOf": list(found), "$defs": parts} if len(found) > 1 else {**found[0], "$defs": parts}
        return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": title} | body
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": title} | msgspec.json.schema(types)


def text_of(name: str) -> str:
    return json.dumps(schema_of(name), indent=2, ensure_ascii=False) + "\n"


@pytest.mark.parametrize("name", TYPES)
def test_schema_is_current(name: str) -> None:
    published = (SCHEMAS / f"{name}.schema.json").read_text(encoding="utf-8")
    assert json.loads(published) == schema_of(name)
    jsonschema.Draft202012Validator.check_schema(json.loads(published))


def test_kept_records_meet_the_schema() -> None:
    validator = jsonschema.Draft202012Validator(schema_of("record"))
    lines = [line for path in sorted(RECORDS.glob("*.jsonl")) for line in path.read_text("utf-8").splitlines()]
    assert lines
    for line in lines:
        validator.validate(json.loads(line))


@pytest.mark.parametrize(
    "line",
    [
        {"type": "draw", "seat": 0, "tile": "5m"},
        {"type": "draw", "seat": 0, "tile": "5m", "from": "moon"},
        {"type": "pay", "deltas": [0, 0, 0, 0], "for": "win", "more": 1},
        {"type": "dance", "seat": 0},
    ],
)
def test_the_schema_refuses(line: dict[str, Any]) -> None:
    assert not jsonschema.Draft202012Validator(schema_of("record")).is_valid(line)


if __name__ == "__main__":
    SCHEMAS.mkdir(exist_ok=True)
    for each in TYPES:
        (SCHEMAS / f"{each}.schema.json").write_text(text_of(each), encoding="utf-8")
