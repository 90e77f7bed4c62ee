"""Exports: the table with groups, the report, the bundle."""

import json
import os
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import numpy as np

from core import __version__
from core.arrays import Float32Array
from core.data.timelines import columns, nested, readers
from core.data.timelines.formats import count_formats
from core.data.timelines.raw import RawTable
from core.data.timelines.timeline import Field, Timeline
from core.data.timelines.writers import FORMATS as TABLE_FORMATS
from core.data.timelines.writers import write
from core.errors import DataSourceError, InputError
from core.events.cards import group_summaries
from core.events.correction import log_bytes, log_object
from core.events.corrections import DONE, said_by
from core.events.edited_headlines import edit_columns
from core.events.facts import facts_grids
from core.events.facts_html import grid_html
from core.events.grouping import Grouping, Prepared
from core.events.grouping_summary import LABELS
from core.events.pictures import ReportCard, ReportContent, ReportHeadlines
from core.events.report import report_bundle as make_bundle
from core.events.report import report_html
from core.events.reviewing import answers_in
from core.events.stories import stories_of, story_of
from core.events.suggestions import suggestions
from core.maps.labels import NAME_CHARACTERS, labels_for_map
from core.maps.projector import projectors
from core.results.render import count_words
from core.results.table import Table, TableColumn
from core.runtime import Runtime

FIRST_MAP = "pca.v1"
FORMATS: tuple[str, ...] = tuple(TABLE_FORMATS)
REPORT = "html"
LabelColumns = Mapping[str, Mapping[str, Sequence[str]]]
"""Labels and notes of headlines and events: columns by name, a cell a row of the source."""
NO_LABELS: Final[LabelColumns] = MappingProxyType({})
REPORT_MAP = (900, 560)  # size of the report's map in pixels, so that names on it do not overlap


@dataclass(frozen=True, slots=True, eq=False)
class Drawing:
    method: str  # full signature of the map method
    positions: Float32Array  # places of the headlines, float32 [n, 2]


def draw_map(prepared: Prepared, method: str, runtime: Runtime) -> Drawing:
    recipe = projectors.parse(method)
    return Drawing(projectors.signature(recipe), recipe.project(prepared.context.vectors, runtime))


def table_bytes(prepared: Prepared, grouping: Grouping, kind: str, codes: LabelColumns = NO_LABELS) -> bytes:
    """Every accepted row in order with `group`, `story`, labels and corrections; JSON holds the log."""
    numbers = {"group": grouping.ids, "story": story_of(prepared, grouping)}
    columns: dict[str, list[Any]] = {name: prepared.spread(ids).tolist() for name, ids in numbers.items()}
    if any(prepared.source.formats):
        columns["repeated_format"] = list(prepared.source.formats)
    for about, coded in codes.items():
        columns |= {f"{about} {name}": list(cells) for name, cells in coded.items()}
    columns |= edit_columns(prepared.source)
    if grouping.corrections is None:
        return write(prepared.source, columns, kind, signature=grouping.signature)
    marks = grouping.marks
    texts, said_of = prepared.timeline.texts, dict[int, tuple[str, str, str]]()
    for entry, (left, right, same) in answers_in(grouping.corrections):
        if entry.asked and same is not None:
            said = "same event as" if same else "another event than"
            for row, other in ((left, right), (right, left)):
                said_of[row] = f"{said} {texts[other]}", entry.who, ""  # the day is in the signature
    for row, correction in marks.headlines.items():  # what a person did comes before what a model says
        said_of[row] = DONE[correction.kind], correction.who, correction.when.isoformat(timespec="seconds")
    done = [said_of.get(row, ("", "", "")) for row in prepared.position.tolist()]
    columns["event_title"] = [marks.titles.get(group, "") for group in columns["group"]]
    for place, name in enumerate(("corrected", "corrected_by", "corrected_at")):
        columns[name] = [each[place] for each in done]
    content = write(prepared.source, columns, kind, signature=grouping.signature)
    if kind != "json":
        return content
    exported = json.loads(content) | {"log": log_object(grouping.corrections.history)}
    return (json.dumps(exported, ensure_ascii=False, indent=1) + "\n").encode()


def gold_bytes(prepared: Prepared, grouping: Grouping) -> bytes:
    """The timeline as CSV with its groups as gold groups, to measure other settings against."""
    gold = {Field.GOLD.value: [str(group) for group in prepared.spread(grouping.ids).tolist()]}
    return write(prepared.source, gold, "csv", signature=grouping.signature)


def report(
    prepared: Prepared, grouping: Grouping, drawing: Drawing, codes: LabelColumns = NO_LABELS
) -> bytes:
    return report_html(report_content(prepared, grouping, drawing, codes))


def report_bundle(
    prepared: Prepared, grouping: Grouping, drawing: Drawing, codes: LabelColumns = NO_LABELS
) -> bytes:
    """Report, figures, tables, settings and checksums as a zip; the same view gives the same bytes."""
    content = report_content(prepared, grouping, drawing, codes)
    tables = {"headlines.csv": table_bytes(prepared, grouping, "csv", codes)}
    if grouping.corrections is not None:
        tables["corrections.json"] = log_bytes(grouping.corrections.history)
    return make_bundle(content, tables)


def report_content(
    prepared: Prepared, grouping: Grouping, drawing: Drawing, codes: LabelColumns = NO_LABELS
) -> ReportContent:
    timeline = prepared.timeline
    source_rows = {row: at for at, row in reversed([*enumerate(prepared.position.tolist())])}
    lines = group_summaries(prepared, grouping)
    marks = grouping.marks
    names = {line.group: grouping.title(line.group, timeline.texts[line.representative]) for line in lines}
    labels = labels_for_map(
        drawing.positions, grouping.ids, texts=names, characters=NAME_CHARACTERS, lines=2, plot=REPORT_MAP
    )
    groups = [line for line in lines if line.size > 1]
    suggested = suggestions(prepared, [line.rows for line in groups], titles=grouping.titles)
    grids = facts_grids(prepared.timeline, groups)
    stories, of = stories_of(prepared, grouping), "Part of a story of {} events: {}".format
    story = {event: of(len(each.events), names[each.central]) for each in stories for event in each.events}
    quality = None
    if grouping.quality is not None:
        heads = ("Measure", "Value", "What it says")
        scores = ((label, grouping.quality[name], says) for name, (label, says) in LABELS.items())
        rows = tuple(
            (label, figure.reason if figure.value is None else figure, said) for label, figure, said in scores
        )
        quality = Table(columns=tuple(map(TableColumn, heads)), rows=rows)
    return ReportContent(
        title=timeline.name,
        facts=(
            ("Headlines", f"{len(timeline):,}"),
            ("Events", f"{len(groups):,}"),
            ("Single reports", f"{len(lines) - len(groups):,}"),
            ("Outlets", f"{timeline.table[Field.PUBLISHER].nunique():,}"),
            ("Level", f"{grouping.granularity:.2f}"),
        ),
        headlines=_headlines(
            timeline, [_said(codes, "headline", source_rows[row]) for row in range(len(timeline))]
        ),
        groups=grouping.ids,
        cards=tuple(
            ReportCard(
                line.group,
                line.representative,
                line.rows,
                best.row,
                best.reason,
                title=marks.titles.get(line.group, ""),
                remarks=(
                    *_remarks(grouping, line.group),
                    *filter(None, [_said(codes, "event", source_rows[line.representative])]),
                    *([story[line.group]] if line.group in story else []),
                    *([grid.lead] if len(grid.rows) > 1 else []),
                ),
                facts=grid_html(grid, timeline.texts) if len(grid.rows) > 1 and grid.columns else "",
                reports=line.reports if len(line.reports) < line.size else (),
            )
            for line, best, grid in zip(groups, suggested, grids, strict=True)
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
        quality=quality,
        rejected=len(prepared.source.report.rejected),
        notes=_notes(prepared, grouping),
        version=__version__,
        command=_command(prepared, grouping, drawing),
    )


def _command(prepared: Prepared, grouping: Grouping, drawing: Drawing) -> str:
    words = ["headline-lab", "group", "FILE"]
    read = prepared.source.report
    for option, value in (
        ("--format", read.format if read.format_told else ""),
        ("--timeline", read.timeline),
        ("--method", prepared.method),
        ("--scorer", prepared.scorer),
        ("--encoder", prepared.encoder),
        ("--map", drawing.method),
        ("--titles", grouping.titles),
        ("--granularity", "" if grouping.automatic else f"{grouping.granularity:g}"),
    ):
        words += [option, shlex.quote(value)] if value else []
    words += [f"--column {shlex.quote(said)}" for said in _columns(prepared.source)]
    words += ["--fold"] if prepared.folded else []
    words += ["--keep-formats"] if any(prepared.source.formats) and not prepared.set_aside else []
    words += ["--since", "EARLIER.csv"] if prepared.previous is not None else []
    words += ["--corrections", "tables/corrections.json"] if grouping.corrections is not None else []
    return " ".join([*words, "--bundle", "out.zip"])


def _columns(timeline: Timeline) -> list[str]:
    texts: RawTable | None = RawTable(timeline.original, np.arange(len(timeline), dtype=np.int64))
    layout = next((form for form in readers.layouts() if form.name == timeline.report.format), None)
    if layout is not None:
        recognised = readers.tried(layout, layout.recognises, texts, [])
        texts = readers.tried(layout, layout.arrange, texts, []) if recognised else None
    if texts is None:
        return []  # its rows were rebuilt, with columns of their own
    known = columns.propose(nested.with_plain_texts(texts) if layout is None else texts)
    assigned = timeline.report.columns.items()
    return [f"{field}={name}" for field, names in assigned if known.get(field) != names for name in names]


def _headlines(timeline: Timeline, labels: Sequence[str]) -> ReportHeadlines:
    table = timeline.table
    published = zip(table[Field.PUBLISHED], table[Field.PUBLISHED].isna(), strict=True)
    return ReportHeadlines(
        texts=tuple(timeline.texts),
        published=tuple(None if missing else moment.to_pydatetime() for moment, missing in published),
        day_only=tuple(bool(flag) for flag in table["day_only"]),
        publishers=tuple(timeline.publishers),
        labels=tuple(labels),
        urls=tuple(url if isinstance(url, str) else None for url in table[Field.URL]),
    )


def _said(codes: LabelColumns, about: str, row: int) -> str:
    coded = codes.get(about, {}).items()
    return "; ".join(f"{name}: {cells[row]}" for name, cells in coded if cells[row])


def _remarks(grouping: Grouping, group: int) -> tuple[str, ...]:
    marks = grouping.marks
    remarks = [f"Note: {marks.notes[group].text}"] if group in marks.notes else []
    if group in marks.groups:
        star = "★ " if group in marks.stars else ""
        remarks.append(f"{star}Corrected: {said_by(marks.groups[group])}.")
    return tuple(remarks)


def _notes(prepared: Prepared, grouping: Grouping) -> tuple[str, ...]:
    notes = []
    if grouping.corrections is not None:
        count = grouping.corrections.applied
        notes.append(f"{count_words(count, 'correction', 'corrections')} in force.")
    if prepared.timeline.undated:
        have = count_words(prepared.timeline.undated, "headline has", "headlines have")
        notes.append(f"{have} no date; pairs with one of them are compared without time.")
    if prepared.folded:
        copies = count_words(prepared.folded, "duplicate", "duplicates")
        notes.append(f"{copies} of earlier headlines left out.")
    if prepared.set_aside:
        notes.append(f"Formats that repeat are in no event: {count_formats(prepared.set_aside)}.")
    return tuple(notes)


def check_target(path: Path | None, *, source: str = "") -> None:
    """Refuses a file that could not be written, or is the one that is read, before anything is computed."""
    if path is None:
        return
    try:
        path.exists()
    except OSError as error:  # too long a name, or a folder on the way that may not be entered
        message = f"{str(path)[:200]} cannot be written ({error.strerror})."
        raise DataSourceError(message, hint="Choose another place.") from None
    if path.is_dir():
        raise DataSourceError(f"{path} is a folder.", hint="Give the name of a file in it.")
    if path.exists() and not path.is_file():  # writing moves a file into its place
        raise DataSourceError(f"{path} is a device, not a file.", hint="Give the name of a file.")
    if not path.parent.is_dir():
        raise DataSourceError(f"The folder {path.parent} does not exist.", hint="Make it first.")
    if path.exists() and os.path.isfile(source) and path.samefile(source):
        raise InputError(f"{path} is the file that is read.", hint="Write into another one.")


def check_format(path: Path) -> str:
    kind = path.suffix.lower().removeprefix(".")
    if kind != REPORT and kind not in FORMATS:
        message = f"{path.name!r} does not end in a known format."
        raise InputError(message, hint=f"Use one of: {', '.join(f'.{name}' for name in (*FORMATS, REPORT))}.")
    return kind
