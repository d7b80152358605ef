"""The floors of `docs/architecture.md` and the imports of the package: `python -m tests.doc_floors` writes the diagram anew."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parent.parent
PACKAGE: Final = ROOT / "src" / "hongzhong"
PAGE: Final = ROOT / "docs" / "architecture.md"
START: Final = "<!-- from the imports: uv run python -m tests.doc_floors -->\n```text\n"
END: Final = "```\n"


@cache
def floors() -> dict[str, int]:
    """The floor of each part, from the table on the page: ``| 4 | `score`, `round` | ... |``."""
    out: dict[str, int] = {}
    for floor, parts in re.findall(
        r"^\| (\d) \| ((?:`\w+`(?:, )?)+) \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE
    ):
        for part in re.findall(r"\w+", parts):
            assert part not in out, f"{part} stands on two floors"
            out[part] = int(floor)
    return out


def modules() -> list[Path]:
    """Every module of the package."""
    return sorted(PACKAGE.rglob("*.py"))


def part_of(module: Path) -> str:
    """The part that a module belongs to: a module or folder right below the package."""
    return module.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imports_of(module: Path, top_level: bool = False) -> set[str]:
    """The parts that a module imports, in functions too unless ``top_level``."""
    tree = ast.parse(module.read_text(encoding="utf-8"))
    package = ("hongzhong", *module.relative_to(PACKAGE).parts[:-1])
    found: set[str] = set()
    for node in tree.body if top_level else ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            stem = ".".join(package[: len(package) - node.level + 1]) + "." if node.level else ""
            base = stem + (node.module or "")
            names = [f"{base.rstrip('.')}.{alias.name}" for alias in node.names]
        else:
            continue
        found |= {name.split(".")[1] for name in names if name.startswith("hongzhong.")}
    return {name for name in found if _is_part(name)}


def _is_part(name: str) -> bool:
    return (PACKAGE / f"{name}.py").exists() or (PACKAGE / name).is_dir()


def block() -> str:
    """The diagram: from the top floor down, a line for each part with the parts that it imports."""
    edges: dict[str, set[str]] = {}
    for module in modules():
        part = part_of(module)
        if part in floors():
            edges.setdefault(part, set()).update(imports_of(module) - {part})
    order = list(floors())
    rows = []
    for part in sorted(edges, key=lambda name: (-floors()[name], order.index(name))):
        below = sorted(edges[part], key=lambda name: (-floors().get(name, -1), name))
        rows.append(f"{floors()[part]}  {part:<10}  {' '.join(below)}".rstrip())
    return "\n".join(rows) + "\n"


def shown() -> str:
    """The diagram as it stands on the page."""
    return PAGE.read_text(encoding="utf-8").partition(START)[2].partition(END)[0]


if __name__ == "__main__":
    text = PAGE.read_text(encoding="utf-8")
    head, _, rest = text.partition(START)
    PAGE.write_text(head + START + block() + END + rest.partition(END)[2], encoding="utf-8")
