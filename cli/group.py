"""`headline-lab group`: which headlines report the same event?"""

import sys
from itertools import product
from pathlib import Path
from typing import Any, Final

import click

from cli.options import command
from cli.progress import is_data_set, name_rows, note, open_timeline, show, working, write_rows
from core.data.timelines.tables import read_bytes
from core.errors import InputError
from core.files import write

DATA_SET: Final = "Headlines, and in `group` the number of the event that each reports."


@command()
def group(
    files: tuple[str, ...],
    out: Path | None,
    bundle: Path | None,
    page: Path | None,
    rejected: Path | None,
    granularity: float | None,
    map_method: str | None,
    titles: str,
    file_format: str | None,
    columns: tuple[str, ...],
    timeline: str | None,
    sheet: str | None,
    since: str | None,
    corrections: str | None,
    ask: bool,
    answers: Path | None,
    ask_model: str | None,
    most_pairs: int,
    name_with: str | None,
    review: int,
    vectors: str | None,
    keep_formats: bool,
    tidy: bool,
    **settings: Any,
) -> None:
    """Group the headlines of FILE (or of sample:NAME, or - for stdin) by event, of several as one timeline.

    FILE is CSV, TSV, XLSX, JSON, JSONL, Parquet or text. The table that is written holds every accepted row
    in its order, all its columns, `group`, and `story`: events that belong together over days and weeks.
    """
    from cli.review_answers import as_lines, least_sure, with_answers, with_model, with_names
    from core.data.timelines.load import load_path
    from core.data.timelines.reading_check import settle
    from core.data.timelines.writers import rejected_csv
    from core.events import correction, earlier_groups, export, grouping_summary
    from core.events.corrections import fitted
    from core.events.grouping import Settings, prepare, regroup
    from core.events.interactive_page import interactive_page
    from core.maps.projector import DEFAULT_MAP, projectors
    from core.pairs.given_vectors import encoder_of_file

    if granularity is not None and any((ask, answers, ask_model)):
        raise InputError("Answers set the granularity themselves.", hint="Leave --granularity out.")
    if ask and not sys.stdin.isatty():
        raise InputError("--ask needs a terminal to ask in.", hint="Give the answers with --answers FILE.")
    written = None if is_data_set(out) else out, bundle, page, rejected, answers if ask else None
    for path, file in product(written, files):
        export.check_target(path, source=file)
    kind = export.check_format(written[0]) if written[0] is not None else "parquet"
    drawn = out if kind == export.REPORT else None, bundle, page
    projectors.parse(map_method := map_method or DEFAULT_MAP)
    source = open_timeline(*files, file_format=file_format, columns=columns, timeline=timeline, sheet=sheet)
    source = settle(source) if tidy else source
    settings["encoder"], notes = encoder_of_file(vectors, settings["encoder"], source.texts, source)
    history = correction.read_log(read_bytes(corrections)) if corrections is not None else None
    with working(patient=False) as runtime:
        numbers = earlier_groups.written_numbers(load_path(since)) if since is not None else None
        chosen = Settings(**settings, events_alone=not keep_formats)
        prepared = prepare(source, chosen, runtime, previous=numbers)
        index = prepared.timeline.index
        history = history.at(index) if history is not None else None
        history = with_answers(prepared, history, answers, ask=ask)
        history = with_model(prepared, history, ask_model, most_pairs, runtime)
        corrected = fitted(history, index.row) if history is not None else None
        grouping = regroup(prepared, granularity, corrections=corrected, titles=titles)
        grouping = with_names(prepared, grouping, history, name_with, runtime)
        drawing = export.draw_map(prepared, map_method, runtime) if any(drawn) else None
    summary = grouping_summary.groups_as_object(prepared, grouping) | least_sure(prepared, grouping, review)
    if out is not None and kind != export.REPORT:
        write_rows(out, export.table_bytes(prepared, grouping, kind), source.texts, says=DATA_SET)
    makers = (export.report, export.report_bundle, interactive_page)
    for path, make in zip(drawn, makers, strict=True):
        if path is not None and drawing is not None:
            write(path, make(prepared, grouping, drawing))
    if rejected is not None:
        write(rejected, rejected_csv(source.report))
    show(summary, lambda: "\n".join([grouping_summary.groups_as_text(summary), *as_lines(summary)]))
    if corrected is not None and corrected.problem:
        click.echo(corrected.problem, err=True)
    note(*summary["notes"], *notes)
    excluded = [f"Excluded: {row.place}: {row.reason}" for row in source.report.rejected]
    name_rows(excluded, "--rejected FILE.csv keeps them.")
