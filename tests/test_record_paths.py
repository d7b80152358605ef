"""A record names rule sets that are installed; a file that it names is never run."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from hongzhong.cli import main
from hongzhong.verification import verify


def test_a_sheet_file_named_by_a_record_is_not_run(tmp_path: Path) -> None:
    mark, sheet, record = tmp_path / "ran", tmp_path / "sheet.py", tmp_path / "record.jsonl"
    sheet.write_text(f"open({str(mark)!r}, 'w').close()\n")
    arguments = ["simulate", "1", "--rules", "hebei", "--bots", "random", "--seed", "1", "--record", str(record)]
    assert CliRunner().invoke(main, arguments).exit_code == 0
    first, *rest = record.read_text().splitlines()
    record.write_text("\n".join([json.dumps(json.loads(first) | {"rules": str(sheet)}), *rest]) + "\n")
    verdict = verify(record)
    assert not verdict.ok and verdict.line == 1 and "unknown rule set" in verdict.message
    assert not mark.exists()
