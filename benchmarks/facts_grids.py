"""How much of facts grids, number lines and edited headlines is right, by a reader who judged each value."""

import csv
from collections.abc import Iterator
from itertools import product
from typing import Any, Final

from core.data.timelines.duplicates import find_duplicates
from core.data.timelines.load import load
from core.data.timelines.timeline import Timeline
from core.events.edited_headlines import headline_edits
from core.events.facts import NAMES, NOT_READ, PERSONS, WHEN, WHERE, FactsGrid, facts_grid
from core.events.facts_columns import arranged
from core.events.facts_text import cell_words
from core.events.number_lines import number_lines
from core.files import ROOT
from core.groups.summary import GroupSummary, fold_reports
from core.results.delimited import delimited
from core.statistics.bootstrap import Figure
from core.text.differences import TOLLS

EVENTS: Final = ROOT / "tests/data/facts_events.tsv"
JUDGED: Final = ROOT / "tests/data/facts_judged.tsv"
TABLES: Final = " by tables"  # behind a sample that is judged without the network as well
SAMPLES: Final = (
    "first", "second", "third", "fourth", "fifth", f"fifth{TABLES}", "sixth", "seventh", "eighth",
)  # fmt: skip
_APART: Final = ("seventh", "eighth")  # whose persons and days are judged, too
LINES: Final = ("first lines", "second lines", "third lines")  # samples of number lines
EDITS: Final = ("edits", "second edits")
LATEST, SHOWN = "latest", "shown"  # what is judged of a line and of an edit as a whole
_NAMING: Final = ("who", PERSONS, NAMES)  # what the column of names was called in the first sample, and is
_TOLLS: Final = ("other numbers", "tolls")
Cell = tuple[str, str, str, str]  # event, column, outlet, value; outlet and value are "" for a column


def run_facts_grids() -> dict[str, Any]:
    """Cells of facts grids that are right, and columns that make sense: one reader, a language model.

    The reader saw the headlines of an event and its grid, and judged every cell, silent ones too: its values
    are stated, whole, of the kind that the column names, and none that other cells have is missing. Faults of
    a sample were repaired before the next, fresh one was read. What the program says otherwise today keeps
    its judgement and is counted. A cell with "not read" claims nothing: it is counted apart. Headlines are of
    UCI News Aggregator (CC BY 4.0) and of desk timelines.
    Likewise every value of number lines and every edit were judged, values that a line lacks as wrong.
    """
    rows = []
    for sample in SAMPLES:
        judged = judgements(sample)
        apart = sample in _APART
        shown = (cell for event, grid in grids(sample) for cell in cells(event, grid, apart=apart))
        said = {*map(_sorted, shown)}
        for kind in ("all", "names", "places", "numbers and the rest"):
            own = {cell: right for cell, right in judged.items() if kind in ("all", _kind(cell[1]))}
            columns = [right for cell, right in own.items() if not cell[2] and not cell[3]]
            values = values_of(own)
            rows.append({
                "sample": sample,
                "of": kind,
                "events": len({event for event, *_ in own}),
                **_shares("columns", columns, "that_make_sense"),
                **_shares("cells", [*values.values()], "right"),
                "cells_not_read": sum(cell[3] == NOT_READ for cell in own),
                "cells_still_so": sum(_sorted(cell) in said for cell in values),
            })  # fmt: skip
    return {"benchmark": "facts grids", "rows": [*rows, *_lines_rows(), *map(_edits_row, EDITS)]}


def values_of(judged: dict[Cell, bool]) -> dict[Cell, bool]:
    """The cells alone, without columns and what is not read."""
    return {cell: right for cell, right in judged.items() if any(cell[2:]) and cell[3] != NOT_READ}


def _lines_rows() -> Iterator[dict[str, Any]]:
    for sample, kind in product(LINES, ("all", "tolls", "other numbers")):
        judged, said = judgements(sample), set(line_values(sample))
        own = {cell: right for cell, right in judged.items() if kind in ("all", _TOLLS[cell[1] in TOLLS])}
        values = {cell: right for cell, right in own.items() if cell[2] != LATEST}
        yield {
            "sample": sample,
            "of": kind,
            "events": len({event for event, *_ in own}),
            **_shares("lines", [own[cell] for cell in own if cell[2] == LATEST], "with_the_latest"),
            **_shares("values", [values[cell] for cell in values if cell[3]], "right"),
            **_shares("stated", [*values.values()], "shown_right"),
            "cells_still_so": sum(cell in said for cell in own if cell[3]),
        }  # fmt: skip


def _edits_row(sample: str) -> dict[str, Any]:
    judged, said = judgements(sample), set(edit_values(sample))
    pairs = {cell: right for cell, right in judged.items() if cell[1] == SHOWN}
    edits = {cell: right for cell, right in judged.items() if cell[1] != SHOWN}
    return {
        "sample": sample,
        "of": "all",
        "events": len({event for event, *_ in judged}),
        **_shares("updates", [pairs[cell] for cell in pairs if cell[2]], "shown"),
        **_shares("others", [pairs[cell] for cell in pairs if not cell[2]], "hidden"),
        **_shares("edits", [*edits.values()], "said_right"),
        "cells_still_so": sum(cell in said for cell in edits),
    }


def line_values(sample: str) -> Iterator[Cell]:
    """Each value of each number line with its time and outlet, and the latest of each line."""
    for timeline, events in _timelines(sample):
        for event, rows in events.items():
            for line in number_lines(timeline, rows):
                latest = f"{line.latest.value:,.10g} {line.latest.meant}".strip()
                yield event, line.head, LATEST, latest
                for each in line.points:
                    said = " ".join(filter(None, (f"{each.value:,.10g}", each.meant, each.status)))
                    yield event, line.head, f"{rows.index(each.row)} {each.outlet}", said


def edit_values(sample: str) -> Iterator[Cell]:
    """What is said of each edit; its event is the address."""
    for timeline, events in _timelines(sample):
        for event, rows in events.items():
            for edit in headline_edits(timeline, rows):
                yield event, "said", edit.outlet, edit.said


def judgements(sample: str) -> dict[Cell, bool]:
    with JUDGED.open(encoding="utf-8", newline="") as file:
        lines = [line for line in csv.reader(file, delimiter="\t") if line[0] == sample]
    return {(event, column, outlet, value): right == "1" for _, event, column, outlet, value, right in lines}


def grids(sample: str) -> Iterator[tuple[str, FactsGrid]]:
    """Each event of a sample with its grid."""
    for timeline, events in _timelines(sample.removesuffix(TABLES)):
        copies = find_duplicates(timeline.texts, publishers=timeline.publishers).duplicate_of
        for event, rows in events.items():
            reports = fold_reports(rows, copies, timeline.texts)
            outlets = tuple(dict.fromkeys(name for row in rows if (name := timeline.publishers[row])))
            line = GroupSummary(1, tuple(rows), reports, rows[0], rows[0], rows[-1], outlets)
            yield event, facts_grid(timeline, line, network=not sample.endswith(TABLES))


def _timelines(sample: str) -> Iterator[tuple[Timeline, dict[str, list[int]]]]:
    """Events of one source, read together as one timeline, and the rows of each by time."""
    with EVENTS.open(encoding="utf-8", newline="") as file:
        lines = [line for line in csv.DictReader(file, delimiter="\t") if line["sample"] == sample]
    for source in dict.fromkeys(line["source"] for line in lines):
        own = [line for line in lines if line["source"] == source]
        fields = ("published", "outlet", "headline", "event")
        heads = (*fields[:3], "url" if sample in EDITS else "event")
        table = delimited([heads, *([line[field] for field in fields] for line in own)])
        timeline = load(table.encode(), f"{source}.csv")
        events: dict[str, list[int]] = {}
        for row, line in enumerate(own):
            events.setdefault(line["event"], []).append(row)
        for rows in events.values():
            rows.sort(key=lambda row: timeline.days[row])
        yield timeline, events


def cells(event: str, grid: FactsGrid, *, apart: bool = False) -> Iterator[Cell]:
    """The cells; without those of days, and persons among the names, where these were not judged `apart`."""
    if not apart:
        heads = ((at, column.head) for at, column in enumerate(grid.columns) if column.head != WHEN)
        grid = arranged(grid, [(at, NAMES if head == PERSONS else head) for at, head in heads])
    for at, column in enumerate(grid.columns):
        for row in grid.rows:
            yield event, column.head, row.outlet, cell_words(row.cells[at]) or row.unread[at]


def _sorted(cell: Cell) -> Cell:
    return (*cell[:3], "; ".join(sorted(cell[3].split("; "))))


def _kind(column: str) -> str:
    return "names" if column in _NAMING else "places" if column == WHERE else "numbers and the rest"


def _shares(what: str, judged: list[bool], said: str) -> dict[str, Any]:
    share = Figure.wilson(sum(judged), len(judged))
    interval = [round(end or 0, 3) for end in (share.low, share.high)]
    return {what: len(judged), f"{what}_{said}": round(share.value or 0, 3), f"{what}_interval": interval}
