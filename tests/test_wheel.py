"""The wheel: built, installed in a clean environment without this repository, and run."""

from __future__ import annotations

import os
import shutil
import subprocess
import tomllib
import zipfile
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parent.parent
PROJECT: Final = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
VERSION: Final = PROJECT["project"]["version"]

pytestmark = pytest.mark.slow


def run(*command: str | Path, cwd: Path) -> str:
    """Runs outside of every virtual environment and returns standard output; fails with what the command said."""
    clean = {name: value for name, value in os.environ.items() if name not in ("VIRTUAL_ENV", "PYTHONPATH", "UV")}
    ran = subprocess.run(
        [str(part) for part in command], cwd=cwd, env=clean, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, f"{' '.join(map(str, command))}: {ran.stderr}"
    return ran.stdout


@pytest.fixture(scope="module")
def uv() -> str:
    found = os.environ.get("UV") or shutil.which("uv")
    assert found, "uv is needed: pip install uv"
    return found


@pytest.fixture(scope="module")
def wheel(uv: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    run(uv, "build", "--wheel", "--quiet", "--out-dir", folder, cwd=ROOT)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def environment(uv: str, wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh environment that holds the wheel and what it requires, in the pinned versions."""
    folder = tmp_path_factory.mktemp("clean")
    pins = folder / "pins.txt"
    pins.write_text("\n".join(PROJECT["tool"]["uv"]["constraint-dependencies"]), encoding="utf-8")
    run(uv, "venv", "--quiet", folder / "env", cwd=folder)
    python = folder / "env" / "bin" / "python"
    run(uv, "pip", "install", "--quiet", "--python", python, "--constraint", pins, wheel, cwd=folder)
    return folder / "env"


def test_wheel_holds_the_package_and_nothing_else(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    tops = {name.split("/")[0] for name in names}
    assert tops == {"hongzhong", f"hongzhong-{VERSION}.dist-info"}
    source = ROOT / "src" / "hongzhong"
    modules = {path.relative_to(source.parent).as_posix() for path in source.rglob("*.py")}
    assert modules <= set(names)
    assert "hongzhong/py.typed" in names
    assert f"hongzhong-{VERSION}.dist-info/licenses/LICENSE" in names


def test_installed_command_runs(environment: Path, tmp_path: Path) -> None:
    command = environment / "bin" / "hongzhong"
    assert run(command, "--version", cwd=tmp_path).split()[-1] == VERSION
    assert "qiqihar" in run(command, "rules", cwd=tmp_path)
    assert "score" in run(environment / "bin" / "python", "-m", "hongzhong", "--help", cwd=tmp_path)


def test_installed_library_scores(environment: Path, tmp_path: Path) -> None:
    said = run(
        environment / "bin" / "hongzhong",
        "score",
        "--lang",
        "en",
        "--rules",
        "qiqihar",
        "1133557799m44m7z 6m",
        cwd=tmp_path,
    )
    assert "9" in said
    assert "full flush" in said
