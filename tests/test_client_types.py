"""The browser's message types are those of the server's structs."""

from __future__ import annotations

from tests.client_types import TARGET, generated


def test_types_are_up_to_date() -> None:
    assert TARGET.read_text(encoding="utf-8") == generated(), (
        "frontend/src/messages.ts is behind the server's messages: uv run python -m tests.client_types"
    )
