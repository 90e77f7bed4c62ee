"""The table of selectors as Markdown for the docs, the paper's figures beside it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from core.headlines.selection.study import SelectionBenchmark, SelectorRow
from core.results.forms import NOTHING, footnotes, marked, percent, spanned
from core.results.render import markdown

# The copy of the paper that was read gives one figure for the best submission and not on which file.
PAPER: Final = (
    ("Dialogue 2021: USE + CatBoost, the baseline", "81.0 ± 1.5", "81.2 ± 0.5", "81.1 ± 0.4"),
    ("Dialogue 2021: best submission", None, "85.4 on one of the two", None),
)
"""Weighted accuracy on real headlines, in percent (sections 4.2 and 4.3): validation, public, private.
"""

HEAD: Final = (
    "selector",
    "validation",
    "public (27 May)",
    "private (29 May)",
    "both test files",
    "against longest",
)


def as_markdown(found: SelectionBenchmark, *, paper: bool = True) -> str:
    """Table and the sentence that says what it was measured on."""
    rows = [(row.selector, *_cells(row)) for row in found.rows]
    if paper:
        rows += [(name, *(cell or NOTHING for cell in cells), NOTHING, NOTHING) for name, *cells in PAPER]
    warnings = footnotes(cell.warning for row in found.rows for cell in row.cells.values())
    return "\n\n".join([markdown([HEAD, *rows]), about(found), *warnings]) + "\n"


def about(found: SelectionBenchmark) -> str:
    """What was measured, in one paragraph."""
    counted = ", ".join(f"{name} {count:,}" for name, count in found.pairs.items())
    tested = max((row.family for row in found.rows), default=0)
    texts = (
        "Headlines were rebuilt from addresses (pseudo-headlines), not read: the figures are no replication "
        "of the paper's, which are on real ones."
        if found.pseudo
        else "Headlines are those of the documents that were given."
    )
    return (
        f"Weighted accuracy in percent with 95 % intervals over events. {texts} Pairs that count: {counted}; "
        f"{found.without_text:,} judged pairs lack the text of a headline. A draw is called where scores "
        "differ by no more than a margin, the best one on validation pairs. p (Holm): two-sided paired "
        f"bootstrap against the longest, corrected for the {tested} comparisons of the table."
    )


def figures(row: SelectorRow) -> dict[str, Any]:
    """A row for the page of benchmarks."""
    # A bar would end the cell of a table.
    name = row.selector.replace("|", " · ")
    heads = (head.partition(" (")[0].replace(" ", "_") for head in HEAD[1:])
    return {"selector": name, **dict(zip(heads, _cells(row), strict=True))}


def _cells(row: SelectorRow) -> tuple[str, ...]:
    if row.why_not:
        return (row.why_not, *[NOTHING] * 4)
    cells = (row.cells[name] for name in ("validation", "public", "private", "test"))
    shown = ("undefined" if one.value is None else spanned(one, percent()) for one in cells)
    return (*shown, _gain(row))


def _gain(row: SelectorRow) -> str:
    if row.gain is None or row.gain.low is None:
        return NOTHING
    span = spanned(replace(row.gain, warning=""), lambda value: f"{100 * value:+.1f}")
    if row.corrected is None:
        return marked(span, row.cells["test"].warning)
    p = "p (Holm) < 0.001" if row.corrected < 0.001 else f"p (Holm) = {row.corrected:.3f}"
    return f"{span}, {p}"
