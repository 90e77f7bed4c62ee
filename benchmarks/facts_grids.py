"""How much of the facts grid is right, by a reader who judged each cell and each column."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from typing import Any, Final

from core.data.timelines.duplicates import find_duplicates
from core.data.timelines.load import load
from core.events.facts import NAMES, WHERE, FactsGrid, facts_grid
from core.events.facts_text import cell_words
from core.files import ROOT
from core.groups.summary import GroupSummary, fold_reports
from core.results.delimited import delimited
from core.statistics.bootstrap import Figure

EVENTS: Final = ROOT / "tests/data/facts_events.tsv"
JUDGED: Final = ROOT / "tests/data/facts_judged.tsv"
SAMPLES: Final = ("first", "second", "third", "fourth")
_NAMING: Final = ("who", NAMES)  # what the column of names was called in the first sample, and is
Cell = tuple[str, str, str, str]  # event, column, outlet, value; outlet and value are "" for a column


def run_facts_grids() -> dict[str, Any]:
    """Cells of facts grids that are right, and columns that make sense: one reader, a language model.

    The reader saw the headlines of an event and its grid, and judged every cell, silent ones too: its values
    are stated, whole, of the kind that the column names, and none that other cells have is missing. Faults of
    a sample were repaired before the next, fresh one was read. What the program says otherwise today keeps
    its judgement and is counted. Headlines are of UCI News Aggregator (CC BY 4.0) and of desk timelines.
    """
    rows = []
    for sample in SAMPLES:
        judged = judgements(sample)
        said = {cell for event, grid in grids(sample) for cell in cells(event, grid)}
        for kind in ("all", "names", "places", "numbers and the rest"):
            own = {cell: right for cell, right in judged.items() if kind in ("all", _kind(cell[1]))}
            columns = [right for cell, right in own.items() if not cell[2] and not cell[3]]
            values = {cell: right for cell, right in own.items() if cell[2] or cell[3]}
            rows.append({
                "sample": sample,
                "of": kind,
                "events": len({event for event, *_ in own}),
                **_shares("columns", columns, "that_make_sense"),
                **_shares("cells", [*values.values()], "right"),
                "cells_still_so": sum(cell in said for cell in values),
            })  # fmt: skip
    return {"benchmark": "facts grids", "rows": rows}


def judgements(sample: str) -> dict[Cell, bool]:
    with JUDGED.open(encoding="utf-8", newline="") as file:
        lines = [line for line in csv.reader(file, delimiter="\t") if line[0] == sample]
    return {(event, column, outlet, value): right == "1" for _, event, column, outlet, value, right in lines}


def grids(sample: str) -> Iterator[tuple[str, FactsGrid]]:
    """Each event of a sample with its grid; those of one source are read together, as one timeline."""
    with EVENTS.open(encoding="utf-8", newline="") as file:
        lines = [line for line in csv.DictReader(file, delimiter="\t") if line["sample"] == sample]
    for source in dict.fromkeys(line["source"] for line in lines):
        own = [line for line in lines if line["source"] == source]
        fields = ("published", "outlet", "headline", "event")
        table = delimited([fields, *([line[field] for field in fields] for line in own)])
        timeline = load(table.encode(), f"{source}.csv")
        copies = find_duplicates(timeline.texts, publishers=timeline.publishers).duplicate_of
        events: dict[str, list[int]] = {}
        for row, line in enumerate(own):
            events.setdefault(line["event"], []).append(row)
        for event, rows in events.items():
            rows.sort(key=lambda row: timeline.days[row])
            reports = fold_reports(rows, copies, timeline.texts)
            outlets = tuple(dict.fromkeys(name for row in rows if (name := timeline.publishers[row])))
            line = GroupSummary(1, tuple(rows), reports, rows[0], rows[0], rows[-1], outlets)
            yield event, facts_grid(timeline, line)


def cells(event: str, grid: FactsGrid) -> Iterator[Cell]:
    for at, column in enumerate(grid.columns):
        for row in grid.rows:
            yield event, column.head, row.outlet, cell_words(row.cells[at]) or row.unread


def _kind(column: str) -> str:
    return "names" if column in _NAMING else "places" if column == WHERE else "numbers and the rest"


def _shares(what: str, judged: list[bool], said: str) -> dict[str, Any]:
    share = Figure.wilson(sum(judged), len(judged))
    interval = [round(end or 0, 3) for end in (share.low, share.high)]
    return {what: len(judged), f"{what}_{said}": round(share.value or 0, 3), f"{what}_interval": interval}
