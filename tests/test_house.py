"""The habits of the house: floors, documents that hold what they cite, tracked files free of one machine's traces."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest

from tests.doc_floors import PACKAGE, ROOT, block, floors, imports_of, modules, part_of, shown

MAX_MODULE_LINES: Final = {"src": 430, "tests": 600, "benchmarks": 430}
MAX_KERNEL_LINES: Final = 50
LEFT_OUT: Final = {".git", ".venv", "uv.lock", "dist", "build", "htmlcov", "__pycache__", "node_modules"}


@cache
def tracked() -> tuple[Path, ...]:
    """Files under version control; of an unpacked source archive all files but caches."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False)
    if listed.returncode == 0 and listed.stdout:
        found = [ROOT / name for name in listed.stdout.decode().split("\0") if name]
    else:
        found = [
            path
            for path in ROOT.rglob("*")
            if not any(part in LEFT_OUT or part.endswith("_cache") for part in path.relative_to(ROOT).parts)
        ]
    return tuple(path for path in found if path.is_file())


def texts() -> list[tuple[Path, str]]:
    """Tracked files that are text."""
    out = []
    for path in tracked():
        try:
            out.append((path, path.read_text(encoding="utf-8")))
        except UnicodeDecodeError:
            continue
    return out


# floors


@pytest.mark.parametrize("module", modules(), ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_imports_go_down(module: Path) -> None:
    part = part_of(module)
    if part in ("__init__", "__main__"):
        return  # the lazy door to everything
    assert part in floors(), f"{part} stands on no floor of docs/architecture.md"
    for other in imports_of(module):
        assert other in floors(), f"{module.name} imports {other}, which stands on no floor"
        assert other == part or floors()[other] <= floors()[part], f"{part} imports {other} from a higher floor"


def test_no_circles_on_a_floor() -> None:
    edges: dict[str, set[str]] = {}
    for module in modules():
        part = part_of(module)
        edges.setdefault(part, set()).update(imports_of(module) - {part})
    seen: list[str] = []

    def walk(part: str, trail: tuple[str, ...]) -> None:
        assert part not in trail, " -> ".join((*trail, part))
        if part not in seen:
            for other in edges.get(part, ()):
                walk(other, (*trail, part))
            seen.append(part)

    for part in edges:
        walk(part, ())


def test_diagram_equals_the_imports() -> None:
    assert shown() == block(), "docs/architecture.md is behind the imports: uv run python -m tests.doc_floors"


@pytest.mark.parametrize("module", modules(), ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_low_floors_and_commands_stay_light(module: Path) -> None:
    """Floors 0 and 1 know no numpy and no numba; commands import at module level only those floors."""
    tree = ast.parse(module.read_text(encoding="utf-8"))
    if floors().get(part_of(module), 9) <= 1:
        assert not {"numpy", "numba"} & outside(ast.walk(tree))
    if part_of(module) == "cli":
        heavy = {"numpy", "numba", "textual", "rich"}
        assert not heavy & outside(iter(tree.body))
        for other in imports_of(module, top_level=True) - {"cli"}:
            assert floors()[other] <= 1, f"{module.name} imports {other} at module level"


def outside(nodes: Any) -> set[str]:
    """Other packages that the statements import."""
    found: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            found.add((node.module or "").partition(".")[0])
    return found - {"hongzhong"}


@pytest.mark.parametrize("arguments", [["--help"], ["rules"], ["rules", "hebei"], ["--version"]], ids=" ".join)
def test_help_and_rules_load_nothing_heavy(arguments: list[str]) -> None:
    code = (
        "import sys\nfrom hongzhong.cli import main\n"
        f"try:\n    main({arguments!r})\nexcept SystemExit as end:\n    assert not end.code, end.code\n"
        "print(sorted({'numpy', 'numba', 'textual'} & set(sys.modules)), file=sys.stderr)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert ran.stderr.splitlines()[-1] == "[]"


# sizes


def test_modules_stay_short() -> None:
    long = {
        path.relative_to(ROOT).as_posix(): lines
        for path, text in texts()
        if path.suffix == ".py"
        and (lines := len(text.splitlines())) > MAX_MODULE_LINES.get(path.relative_to(ROOT).parts[0], 430)
    }
    assert not long


def test_kernels_stay_short() -> None:
    long: dict[str, int] = {}
    for module in modules():
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and any(
                isinstance(mark, ast.Name) and mark.id in ("kernel", "entry") for mark in node.decorator_list
            ):
                lines = (node.end_lineno or 0) - node.lineno + 1
                if lines > MAX_KERNEL_LINES:
                    long[f"{module.name}:{node.name}"] = lines
    assert not long


# documents

PAGES: Final = [path for path in tracked() if path.suffix == ".md"]


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_cited_paths_exist(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text):
        if "://" not in target and not target.startswith("mailto:"):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"
    for cited in re.findall(r"`((?:src|tests|docs|benchmarks|\.ci)/[\w./-]*)`", text):
        assert (ROOT / cited).exists(), f"{page.name} cites {cited}"


def test_paths_cited_in_code_exist() -> None:
    for path, text in texts():
        if path.suffix == ".py":
            for cited in re.findall(r"(?<![\w./])((?:docs|kernels|tests|benchmarks)/[\w/-]+\.(?:py|md|json))", text):
                assert (ROOT / cited).exists() or (PACKAGE / cited).exists(), f"{path.name} cites {cited}"


def test_both_readmes_hold_the_same_commands() -> None:
    found = [
        re.findall(
            r"^(?:pip|uv|uv run|hongzhong) .*?(?=\s+#|$)", (ROOT / name).read_text(encoding="utf-8"), re.MULTILINE
        )
        for name in ("README.md", "README.zh.md")
    ]
    assert found[0] == found[1]
    for command in ("pip install uv && uv run hongzhong", "pip install uv && uv run pytest"):
        assert command in found[0]


def test_every_command_is_described() -> None:
    from hongzhong.cli import main

    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for name in main.list_commands(None):  # type: ignore[arg-type]
        assert f"hongzhong {name}" in readme, f"README.md does not mention: hongzhong {name}"


def test_one_version() -> None:
    version = project()["project"]["version"]
    assert f"\nversion: {version}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\n## {version}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_every_requirement_is_pinned() -> None:
    tables = project()
    pinned = {name_of(pin) for pin in tables["tool"]["uv"]["constraint-dependencies"]}
    wanted = [*tables["project"]["dependencies"], *tables["dependency-groups"]["dev"]]
    assert {name_of(requirement) for requirement in wanted} <= pinned
    built = {name_of(pin) for pin in tables["tool"]["uv"]["build-constraint-dependencies"]}
    assert {name_of(requirement) for requirement in tables["build-system"]["requires"]} <= built
    assert all("==" in pin for pin in tables["tool"]["uv"]["constraint-dependencies"])


def test_hashed_requirements_are_the_pins() -> None:
    """Written by: uv pip compile --universal --generate-hashes --no-header --no-annotate --group dev pyproject.toml -o FILE"""
    lines = (ROOT / ".ci/requirements.txt").read_text(encoding="utf-8").splitlines()
    hashed = [line.removesuffix(" \\") for line in lines if not line.startswith(" ")]
    assert hashed == project()["tool"]["uv"]["constraint-dependencies"]


def project() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def name_of(requirement: str) -> str:
    return re.split(r"[^\w-]", requirement, maxsplit=1)[0].lower()


# traces

TRACES: Final = {
    "a path of one machine": r"(?<![\w.~$}>-])/(?:work|root|home|Users|tmp/hz)/\w",
    "a folder outside the repository": r"\.\./(?:shared|main)\b",
    "an issue's number": r"(?i)\bissue\s+#?\d",
    "a registry's address": r"https?://[\w.-]*(?:pypi|pythonhosted|npmjs|index)[\w.-]*",
    "a lock entry": r"(?m)^\s*(?:url|registry) = \"https?:|\"resolved\": *\"https?:|--(?:extra-)?index-url",
}


@pytest.mark.parametrize("what", TRACES)
def test_no_traces_in_tracked_files(what: str) -> None:
    found = [
        f"{path.relative_to(ROOT)}: {match.group(0)}"
        for path, text in texts()
        if path != Path(__file__)
        for match in re.finditer(TRACES[what], text)
    ]
    assert not found


def test_the_sheet_in_the_guide_is_a_sheet() -> None:
    from hongzhong.rules import resolve

    code = re.findall(r"```python\n(.*?)```", (ROOT / "docs/add-a-region.md").read_text(encoding="utf-8"), re.DOTALL)
    names: dict[str, Any] = {}
    exec("\n".join(code), names)
    assert resolve(names["SHEET"]).id == "ours"
