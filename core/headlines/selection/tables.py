"""The table of selectors as text for a terminal and as Markdown for the docs, the paper's figures beside."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, Final

from core.headlines.selection.study import Accuracy, SelectionBenchmark, SelectorRow
from core.results.forms import footnotes, marked

# The copy of the paper at hand gives one figure for the best submission and not on which file.
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


def as_rows(found: SelectionBenchmark, *, paper: bool = True) -> list[tuple[str, ...]]:
    """The cells of the table under `HEAD`, the paper's rows last where they are wanted."""
    rows = [(row.selector, *_cells(row)) for row in found.rows]
    if not paper:
        return rows
    return rows + [(name, *(cell or "–" for cell in cells), "–", "–") for name, *cells in PAPER]


def as_markdown(found: SelectionBenchmark, *, paper: bool = True) -> str:
    """Table and the sentence that says what it was measured on."""
    lines = ["| " + " | ".join(HEAD) + " |", "|" + " --- |" * len(HEAD)]
    lines += [
        "| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |"
        for row in as_rows(found, paper=paper)
    ]
    return "\n\n".join(["\n".join(lines), about(found), *warnings(found)]) + "\n"


def as_text(found: SelectionBenchmark) -> str:
    """The table in columns."""
    rows = [HEAD, *as_rows(found)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEAD))]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    ]
    return "\n".join([*lines, "", about(found), *warnings(found)])


def as_json(found: SelectionBenchmark) -> str:
    """Every figure."""
    return json.dumps(asdict(found), indent=1, ensure_ascii=False) + "\n"


def warnings(found: SelectionBenchmark) -> list[str]:
    """What is wrong with the intervals, one line each."""
    return footnotes(cell.warning for row in found.rows for cell in row.cells.values())


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
    return {"selector": name, **dict(zip(map(_plain, HEAD[1:]), _cells(row), strict=True))}


def _plain(name: str) -> str:
    return name.partition(" (")[0].replace(" ", "_")


def _cells(row: SelectorRow) -> Sequence[str]:
    if row.why_not:
        return (row.why_not, "–", "–", "–", "–")
    return (
        *(_percent(row.cells[name]) for name in ("validation", "public", "private", "test")),
        _gain(row),
    )


def _percent(cell: Accuracy) -> str:
    if cell.value is None:
        return "undefined"
    shown = f"{100 * cell.value:.1f}"
    if cell.low is None or cell.high is None:
        return marked(shown, cell.warning)
    return marked(f"{shown} [{100 * cell.low:.1f}, {100 * cell.high:.1f}]", cell.warning)


def _gain(row: SelectorRow) -> str:
    if row.gain is None or row.gain_low is None or row.gain_high is None:
        return "–"
    span = f"{100 * row.gain:+.1f} [{100 * row.gain_low:+.1f}, {100 * row.gain_high:+.1f}]"
    if row.corrected is None:
        return marked(span, row.cells["test"].warning)
    p = "p (Holm) < 0.001" if row.corrected < 0.001 else f"p (Holm) = {row.corrected:.3f}"
    return f"{span}, {p}"
