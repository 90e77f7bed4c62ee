"""What people answer about, where it is a table of their own: an entry a row, which can be forgotten."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from core import limits
from core.data.articles.articles import Articles, articles_of
from core.data.articles.outputs import Outputs
from core.data.timelines.timeline import Field, LoadReport, RejectedRow, Timeline
from core.errors import InputError
from core.journal.entries import NewEntry
from core.parts import Part

if TYPE_CHECKING:
    from core.journal.journal import Journal

PREFIX: Final = "subjects/"
_Row = dict[str, Any]
_HEAD, _ROW, _REJECTED = "subject", "row", "rejected"
_TEXTS: Final = {name: f"{name}s" for name in ("id", "text", "cluster", "number", "operation")}
"""Texts of an article, by their names in its row."""


def keep_timeline(journal: Journal, name: str, timeline: Timeline) -> None:
    """Stores a timeline under a name that belongs to it alone; does nothing where it is stored."""
    report = timeline.report
    # What has an order stands in lists: the names in an entry are sorted.
    head = {
        "name": timeline.name,
        "format": report.format,
        "encoding": report.encoding,
        "columns": [[str(field), list(names)] for field, names in report.columns.items()],
        "notes": list(report.notes),
        "format_told": report.format_told,
        "timeline": report.timeline,
        "ledger": [[what, lines] for what, lines in report.ledger.items()],
        "table": list(map(str, timeline.table.columns)),
        "original": list(map(str, timeline.original.columns)),
    }
    both = zip(_cells(timeline.table), _cells(timeline.original), strict=True)
    rows = ({**cells, "original": original} for cells, original in both)
    rejected = [{**asdict(row), "cells": dict(row.cells)} for row in report.rejected]
    _keep(journal, name, head, rows, rejected)


def stored_timeline(journal: Journal, name: str) -> Timeline | None:
    """The timeline of that name, without the rows that were removed since; None where none is stored."""
    head, rows, rejected = _stored(journal, name)
    if not rows or "original" not in head:
        return None
    import pandas as pd

    cells = [{**row} for row in rows.values()]
    originals = [row.pop("original", {}) for row in cells]
    table = pd.DataFrame(cells, columns=head["table"], dtype=object)
    published = pd.to_datetime(table[Field.PUBLISHED], utc=True, format="ISO8601")
    table[Field.PUBLISHED] = published.astype("datetime64[us, UTC]")
    table["day_only"] = table["day_only"].astype(bool)
    report = LoadReport(
        format=head["format"],
        encoding=head["encoding"],
        columns={Field(field): tuple(names) for field, names in head["columns"]},
        rejected=tuple(RejectedRow(**{"cells": {}, **row}) for row in rejected),
        notes=tuple(head["notes"]),
        format_told=head["format_told"],
        timeline=head["timeline"],
        ledger=dict(head["ledger"]),
    )
    original = pd.DataFrame(originals, columns=head["original"], index=table.index, dtype=object)
    return Timeline(head["name"], table, original, report)


def keep_articles(
    journal: Journal, name: str, title: str, articles: Articles, outputs: Sequence[Outputs]
) -> None:
    """Stores articles with the headlines of some systems, as `keep_timeline` does."""
    systems = [
        {"system": output.system, "source": output.source, "marked": output.marked}
        | {"unused": list(output.unused), "published": list(output.published)}
        for output in outputs
    ]
    rows = (
        {cell: getattr(articles, column)[row] for cell, column in _TEXTS.items()}
        | {"part": str(articles.parts[row])}
        # Each headline under a name of its own: an article goes whole with one that is removed.
        | {f"reference {at}": text for at, text in enumerate(articles.references[row])}
        | {f"headline {at}": output.headlines[row] for at, output in enumerate(outputs)}
        | {
            f"score {at} {score}": None if np.isnan(values[row]) else float(values[row])
            for at, output in enumerate(outputs)
            for score, values in output.published.items()
        }
        for row in range(len(articles))
    )
    head = {"title": title, "name": articles.name, "systems": systems}
    _keep(journal, name, head | {"ledger": [*articles.ledger.items()]}, rows)


def stored_articles(journal: Journal, name: str) -> tuple[str, Articles, list[Outputs]] | None:
    """The title, articles and headlines of that name, as `stored_timeline` does."""
    head, by_number, _ = _stored(journal, name)
    rows = list(by_number.values())
    if not rows or "systems" not in head:
        return None
    columns: dict[str, Any] = {column: [row[cell] for row in rows] for cell, column in _TEXTS.items()}
    articles = articles_of(
        head["name"],
        **columns,
        ledger=dict(head["ledger"]),
        parts=[Part(row["part"]) for row in rows],
        references=[
            [row[f"reference {at}"] for at in range(len(row)) if f"reference {at}" in row] for row in rows
        ],
    )
    outputs = [
        Outputs(
            system=output["system"],
            headlines=tuple(row[f"headline {at}"] for row in rows),
            source=output["source"],
            published={
                score: np.array([row[f"score {at} {score}"] for row in rows], dtype=np.float64)
                for score in output["published"]
            },
            unused=tuple(output["unused"]),
            marked=output["marked"],
        )
        for at, output in enumerate(head["systems"])
    ]
    return head["title"], articles, outputs


def _cells(table: Any) -> list[dict[str, Any]]:
    import pandas as pd

    def plain(value: Any) -> Any:
        if pd.isna(value):
            return None
        return value.isoformat() if isinstance(value, pd.Timestamp) else value

    columns = {str(name): list(map(plain, table[name].tolist())) for name in table.columns}
    return [{name: cells[row] for name, cells in columns.items()} for row in range(len(table))]


def _keep(
    journal: Journal,
    name: str,
    head: Mapping[str, Any],
    rows: Iterable[Mapping[str, Any]],
    rejected: Iterable[Mapping[str, Any]] = (),
) -> None:
    if journal.read(PREFIX + name):
        return
    entries = [NewEntry(kind=_HEAD, id=_HEAD, body=head)]
    entries += [NewEntry(kind=_ROW, id=str(at), body=row) for at, row in enumerate(rows)]
    entries += [NewEntry(kind=_REJECTED, id=f"{_REJECTED} {at}", body=row) for at, row in enumerate(rejected)]
    size = sum(len(json.dumps(entry.body)) for entry in entries) / 1e6
    if size > limits.SUBJECT_MEGABYTES.value:
        raise InputError(
            f"This table takes {size:,.0f} megabytes, more than the {limits.SUBJECT_MEGABYTES.value:,} that "
            "are stored with answers: links to it open only until the server ends.",
            hint=f"Open a part of it, or raise {limits.SUBJECT_MEGABYTES.variable}.",
        )
    journal.append(PREFIX + name, entries)


def _stored(journal: Journal, name: str) -> tuple[_Row, dict[str, _Row], list[_Row]]:
    entries = journal.read(PREFIX + name)
    head = next((dict(entry.body) for entry in entries if entry.kind == _HEAD), {})
    rows = {entry.id: dict(entry.body) for entry in entries if entry.kind == _ROW}
    for row in rows.values():
        row.pop("forgotten", None)
    rejected = [dict(entry.body) for entry in entries if entry.kind == _REJECTED]
    return head, rows, [{name: cell for name, cell in row.items() if name != "forgotten"} for row in rejected]
