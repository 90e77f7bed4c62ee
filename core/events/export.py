"""Exports: the table with groups, the report, the bundle."""

from __future__ import annotations

import shlex
from pathlib import Path

import numpy as np

from core import __version__
from core.data.timelines import columns, readers
from core.data.timelines.raw import RawTable
from core.data.timelines.timeline import Field, Timeline
from core.data.timelines.writers import FORMATS as TABLE_FORMATS
from core.data.timelines.writers import write
from core.errors import DataSourceError, InputError
from core.events.cards import group_summaries
from core.events.grouping import Grouping, Prepared
from core.events.mapping import Drawing
from core.events.report.bundle import report_bundle as make_bundle
from core.events.report.content import ReportCard, ReportContent, ReportHeadlines
from core.events.report.page import report_html
from core.events.suggestion import suggestions
from core.events.summary import LABELS
from core.maps.labels import labels_for_map
from core.results.table import Table, TableColumn
from core.results.text import count_words

FORMATS: tuple[str, ...] = tuple(TABLE_FORMATS)
REPORT = "html"
REPORT_MAP = (900, 560)
"""Size of the report's map in pixels, so that names on it do not overlap."""


def table_bytes(prepared: Prepared, grouping: Grouping, kind: str) -> bytes:
    """Every accepted row in input order with all its columns and `group`; duplicates get that of the first.

    Raises:
        UnknownNameError: `kind` is not one of `FORMATS`.
    """
    groups = grouping.ids[prepared.position]
    return write(prepared.source, {"group": groups.tolist()}, kind, signature=grouping.signature)


def report(prepared: Prepared, grouping: Grouping, drawing: Drawing) -> bytes:
    """One self-contained HTML file of the view."""
    return report_html(report_content(prepared, grouping, drawing))


def report_bundle(prepared: Prepared, grouping: Grouping, drawing: Drawing) -> bytes:
    """Report, figures, tables, settings and checksums as a zip; the same view gives the same bytes."""
    content = report_content(prepared, grouping, drawing)
    return make_bundle(content, {"headlines.csv": table_bytes(prepared, grouping, "csv")})


def report_content(prepared: Prepared, grouping: Grouping, drawing: Drawing) -> ReportContent:
    """The view as plain data."""
    timeline = prepared.timeline
    lines = group_summaries(prepared, grouping)
    names = {line.group: timeline.texts[line.representative] for line in lines}
    labels = labels_for_map(drawing.positions, grouping.ids, texts=names, plot=REPORT_MAP)
    groups = [line for line in lines if line.size > 1]
    suggested = suggestions(prepared, [line.rows for line in groups])
    return ReportContent(
        title=timeline.name,
        facts=(
            ("Headlines", f"{len(timeline):,}"),
            ("Events", f"{len(groups):,}"),
            ("Single reports", f"{len(lines) - len(groups):,}"),
            ("Publishers", f"{timeline.table[Field.PUBLISHER].nunique():,}"),
            ("Granularity", f"{grouping.granularity:.2f}"),
        ),
        headlines=_headlines(timeline),
        groups=grouping.ids,
        cards=tuple(
            ReportCard(line.group, line.representative, line.rows, best.row, best.reason)
            for line, best in zip(groups, suggested, strict=True)
        ),
        signature=" · ".join(
            [
                grouping.signature,
                f"map:{drawing.method}",
                *dict.fromkeys(f"suggested:{best.chosen_by}" for best in suggested),
            ]
        ),
        fingerprint=prepared.source.fingerprint,
        positions=drawing.positions,
        labels=labels,
        quality=_quality(grouping),
        rejected=len(prepared.source.report.rejected),
        notes=_notes(prepared),
        version=__version__,
        command=_command(prepared, grouping, drawing),
    )


def _command(prepared: Prepared, grouping: Grouping, drawing: Drawing) -> str:
    """The command line that makes the same bundle, ready to paste."""
    words = ["headline-lab", "group", "FILE"]
    read = prepared.source.report
    for option, value in (
        ("--format", read.format if read.format_told else ""),
        ("--timeline", read.timeline),
        ("--method", prepared.method),
        ("--scorer", prepared.scorer),
        ("--encoder", prepared.encoder),
        ("--map", drawing.method),
        ("--granularity", "" if grouping.automatic else f"{grouping.granularity:g}"),
    ):
        words += [option, shlex.quote(value)] if value else []
    words += [f"--column {shlex.quote(said)}" for said in _columns(prepared.source)]
    words += ["--fold"] if len(prepared.timeline) < len(prepared.source) else []
    words += ["--since", "EARLIER.csv"] if prepared.previous is not None else []
    return " ".join([*words, "--bundle", "out.zip"])


def _columns(timeline: Timeline) -> list[str]:
    """FIELD=NAME of every column that would not be taken for what it is by itself."""
    if timeline.report.format not in {container.name for container in readers.containers()}:
        return []  # a research format knows its columns
    texts = RawTable(timeline.original, np.arange(len(timeline), dtype=np.int64))
    known = columns.propose(texts)
    told = timeline.report.columns.items()
    return [f"{field}={name}" for field, names in told if known.get(field) != names for name in names]


def _headlines(timeline: Timeline) -> ReportHeadlines:
    table = timeline.table
    return ReportHeadlines(
        texts=tuple(timeline.texts),
        published=tuple(
            None if missing else moment.to_pydatetime()
            for moment, missing in zip(table[Field.PUBLISHED], table[Field.PUBLISHED].isna(), strict=True)
        ),
        day_only=tuple(bool(flag) for flag in table["day_only"]),
        publishers=tuple(timeline.publishers),
        urls=tuple(url if isinstance(url, str) else None for url in table[Field.URL]),
    )


def _quality(grouping: Grouping) -> Table | None:
    if grouping.quality is None:
        return None
    found = ((label, grouping.quality[name], meaning) for name, (label, meaning) in LABELS.items())
    return Table(
        columns=(TableColumn("Measure"), TableColumn("Value"), TableColumn("What it says")),
        rows=tuple(
            (label, one.reason if one.value is None else one, meaning) for label, one, meaning in found
        ),
    )


def _notes(prepared: Prepared) -> tuple[str, ...]:
    notes = []
    if prepared.timeline.undated:
        notes.append(
            f"{prepared.timeline.undated:,} headlines have no date; pairs with one of them are compared "
            "without time."
        )
    folded = len(prepared.source) - len(prepared.timeline)
    if folded:
        notes.append(f"{count_words(folded, 'duplicate', 'duplicates')} of earlier headlines left out.")
    return tuple(notes)


def check_target(path: Path | None) -> None:
    """Refuses a file that could not be written, before anything is computed.

    Raises:
        DataSourceError: Its folder is missing, it is a folder or a device, or no file can have its name.
    """
    if path is None:
        return
    try:
        path.exists()
    except OSError as error:  # too long a name, or a folder on the way that may not be entered
        raise DataSourceError(
            f"{str(path)[:200]} cannot be written ({error.strerror}).", hint="Choose another place."
        ) from None
    if path.is_dir():
        raise DataSourceError(f"{path} is a folder.", hint="Give the name of a file in it.")
    if path.exists() and not path.is_file():  # writing moves a file into its place
        raise DataSourceError(f"{path} is a device, not a file.", hint="Give the name of a file.")
    if not path.parent.is_dir():
        raise DataSourceError(f"The folder {path.parent} does not exist.", hint="Make it first.")


def check_format(path: Path) -> str:
    """The format that a file's ending asks for: one of `FORMATS`, or "html".

    Raises:
        InputError: The ending is none of them.
    """
    kind = path.suffix.lower().removeprefix(".")
    if kind != REPORT and kind not in FORMATS:
        raise InputError(
            f"{path.name!r} does not end in a known format.",
            hint=f"Use one of: {', '.join(f'.{name}' for name in (*FORMATS, REPORT))}.",
        )
    return kind
