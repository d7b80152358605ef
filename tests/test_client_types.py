"""The browser's message types are those of the server's structs, and the client's sources agree with them: its build looks at no types."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.client_types import TARGET, generated
from tests.required import missing

CLIENT = Path(__file__).parents[1] / "frontend"


def test_types_are_up_to_date() -> None:
    assert TARGET.read_text(encoding="utf-8") == generated(), (
        "frontend/src/messages.ts is behind the server's messages: uv run python -m tests.client_types"
    )


@pytest.mark.slow
def test_the_client_is_sound_typescript() -> None:
    compiler, node = CLIENT / "node_modules" / "typescript" / "bin" / "tsc", shutil.which("node")
    if node is None or not compiler.exists():
        missing("chromium", "the client's compiler is not installed; run npm ci --ignore-scripts in frontend/")
    ran = subprocess.run(
        [node, str(compiler), "--noEmit"], cwd=CLIENT, capture_output=True, text=True, timeout=300, check=False
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
