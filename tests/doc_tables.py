"""The tables at the end of each region's rule page, made from its sheets: `python -m tests.doc_tables` writes them anew."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from hongzhong.rules import sheet
from hongzhong.rules.values import describe
from hongzhong.rules.variant import Example, Sheet
from hongzhong.rules.vocabulary import OPTIONS, Value

DOCS: Final = Path(__file__).parent.parent / "docs"
PAGES: Final = {"qiqihar": ["qiqihar"], "inner_mongolia": ["inner_mongolia"], "hebei": ["hebei", "hebei_108"]}
"""Rule sets by the page that describes them."""
MARK: Final = "<!-- from the sheet: uv run python -m tests.doc_tables -->"
_KINDS: Final = {"base": "base 基数", "fan": "fan 番", "times": "× 倍"}
_BY: Final = {"draw": "self-drawn 自摸", "discard": "discard 点炮", "kong": "robbed 抢杠"}


def text(value: Value) -> str:
    """A value as it is typed on the command line."""
    if isinstance(value, tuple):
        return ",".join(map(str, value))
    return str(value).lower() if value is None or isinstance(value, bool) else str(value)


def _prices(rules: Sheet) -> list[str]:
    rows = ["| pattern | | 番种 | price 价 | ruling 裁定 |", "|---|---|---|---|---|"]
    for p in rules.patterns:
        each = " each 每个" if p.id in ("exposed_kong", "concealed_kong") else ""
        rows.append(f"| `{p.id}` | {p.name.en} | {p.name.zh} | {_KINDS[p.kind]} {p.value}{each} | {p.ruling} |")
    return rows


def _options(rules: Sheet) -> list[str]:
    rows = ["| option 选项 | | | values 可取 | default 默认 | ruling 裁定 |", "|---|---|---|---|---|---|"]
    for offer in rules.options.values():
        spec = OPTIONS[offer.id]
        rows.append(
            f"| `{offer.id}` | {spec.name.en} | {spec.name.zh} | {describe(spec)} | `{text(offer.default)}` | {offer.ruling} |"
        )
    return rows


def _hand(example: Example) -> str:
    request = example.request
    melds = " ".join(request.get("melds", []))
    return f"`{request['concealed']}{' ' + melds if melds else ''}` + `{request['win_tile']}`, {_BY[request['by']]}"


def _examples(rules: Sheet) -> list[str]:
    rows = ["| hand 牌 | | | points 分 |", "|---|---|---|---|"]
    for e in rules.examples:
        points = "no win 不能胡" if e.points is None else str(e.points)
        rows.append(f"| {_hand(e)} | {e.title.en} | {e.title.zh} | {points} |")
    return rows


def tables(page: str) -> str:
    """What stands below the mark on a page: prices, options and worked hands of its rule sets."""
    out: list[str] = []
    for name in PAGES[page]:
        rules = sheet(name)
        for title, rows in (
            ("Prices 价目", _prices(rules)),
            ("Options 选项", _options(rules)),
            ("Worked hands 例牌", _examples(rules)),
        ):
            out += ["", f"## `{name}`: {title}", "", *rows]
    return "\n".join(out) + "\n"


def parts(page: str) -> tuple[str, str]:
    """A page above and below the mark."""
    above, _, below = (DOCS / "rules" / f"{page}.md").read_text(encoding="utf-8").partition(MARK + "\n")
    return above, below


if __name__ == "__main__":
    for page in PAGES:
        above, _ = parts(page)
        path = DOCS / "rules" / f"{page}.md"
        path.write_text(f"{above.rstrip()}\n\n{MARK}\n{tables(page)}", encoding="utf-8")
