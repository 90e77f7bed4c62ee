"""`headline-lab group`: which headlines tell the same event?"""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Sequence
from pathlib import Path

import click

from cli.progress import JSON, PATH, QUIET, ShareType, name_rows, note, open_timeline, show, working
from core import files
from core.data.timelines.load import read_bytes
from core.data.timelines.timeline import Field, Timeline
from core.errors import InputError
from core.events.grouping import Prepared
from core.groups.asking import Answer, Asking


@click.command()
@click.argument("file", metavar="FILE")
@click.option(
    "--out",
    type=PATH,
    help="Write the groups: .csv .tsv .json .jsonl .parquet .xlsx .html",
)
@click.option("--bundle", type=PATH, help="Write report, figures, tables and settings as .zip")
@click.option("--rejected", type=PATH, help="Write the excluded rows as .csv")
@JSON
@click.option(
    "--method", default="average_linkage", show_default=True, help="Grouping method or its signature."
)
@click.option("--scorer", default="event_similarity", show_default=True, help="Pair scorer or its signature.")
@click.option("--encoder", default="auto", show_default=True, help="Text encoder or its signature.")
@click.option("--granularity", type=ShareType(), help="0 to 1; default: the timeline itself suggests it.")
@click.option("--map", "map_method", help="Map method of the report or its signature.")
@click.option("--format", "file_format", help="Format of FILE; default: it is recognised.")
@click.option(
    "--column", "columns", multiple=True, metavar="FIELD=NAME", help="Column of a field; may be repeated."
)
@click.option("--timeline", help="Which timeline of a file with several.")
@click.option("--since", help="An earlier CSV of this command: groups keep their numbers.")
@click.option("--corrections", help="Corrections that the app exported, or JSON of corrected groups.")
@click.option("--ask", is_flag=True, help="Ask five questions that help set the width of events.")
@click.option(
    "--answers",
    type=PATH,
    help="CSV of answers (left, right, answer) that set the width; --ask adds to it.",
)
@click.option("--fold", is_flag=True, help="Leave duplicates out; they get the group of the first.")
@QUIET
def group(
    file: str,
    out: Path | None,
    bundle: Path | None,
    rejected: Path | None,
    method: str,
    scorer: str,
    encoder: str,
    granularity: float | None,
    map_method: str | None,
    file_format: str | None,
    columns: tuple[str, ...],
    timeline: str | None,
    since: str | None,
    corrections: str | None,
    ask: bool,
    answers: Path | None,
    fold: bool,
) -> None:
    """Group the headlines of FILE (or of sample:NAME) by event.

    FILE is CSV, TSV, XLSX, JSON, JSONL, Parquet or text. The table that is written holds every accepted row
    in its order, all its columns, `group`, and `story`: events that belong together over days and weeks.
    """
    from core.data.timelines.load import load_path
    from core.data.timelines.writers import rejected_csv
    from core.events.correction import read_log
    from core.events.corrections import fitted
    from core.events.export import (
        REPORT,
        check_format,
        check_target,
        draw_map,
        report,
        report_bundle,
        table_bytes,
    )
    from core.events.grouping import Settings, as_object, as_text, prepare, regroup, written_numbers
    from core.maps.projector import DEFAULT_MAP, projectors

    if granularity is not None and (ask or answers is not None):
        raise InputError("Answers set the granularity themselves.", hint="Leave --granularity out.")
    if ask:
        check_terminal()
    for path in (out, bundle, rejected, answers if ask else None):
        check_target(path, source=file)
    kind = check_format(out) if out is not None else ""
    map_method = map_method or DEFAULT_MAP
    projectors.parse(map_method)
    source = open_timeline(file, file_format=file_format, columns=columns, timeline=timeline)
    history = read_log(read_bytes(corrections)) if corrections is not None else None
    chosen = Settings(method=method, encoder=encoder, scorer=scorer, fold=fold)
    with working(patient=False) as runtime:
        numbers = written_numbers(load_path(since)) if since is not None else None
        prepared = prepare(source, chosen, runtime, previous=numbers)
        index = prepared.timeline.index
        corrected = fitted(history.at(index), index.row) if history is not None else None
        if ask or answers is not None:
            granularity = level_by_answers(prepared, answers, ask=ask)
        grouping = regroup(prepared, granularity, corrections=corrected)
        drawn = bundle is not None or kind == REPORT
        drawing = draw_map(prepared, map_method, runtime) if drawn else None
    if out is not None and drawing is not None and kind == REPORT:
        files.write(out, report(prepared, grouping, drawing))
    elif out is not None:
        files.write(out, table_bytes(prepared, grouping, kind))
    if bundle is not None and drawing is not None:
        files.write(bundle, report_bundle(prepared, grouping, drawing))
    if rejected is not None:
        files.write(rejected, rejected_csv(source.report))
    summary = as_object(prepared, grouping)
    show(summary, lambda: as_text(summary))
    if corrected is not None and corrected.problem:
        click.echo(corrected.problem, err=True)
    note(*source.report.notes)
    name_rows(
        [f"Excluded: {row.place}: {row.reason}" for row in source.report.rejected],
        "--rejected FILE.csv keeps them.",
    )


QUESTIONS = 5
WORDS = {"same": True, "different": False, "not sure": None}
_COLUMNS = ["left", "right", "answer"]
_KEYS = {"s": True, "d": False, "?": None}


def check_terminal() -> None:
    """Refuses to ask where nobody can answer."""
    if not sys.stdin.isatty():
        raise InputError("--ask needs a terminal to ask in.", hint="Give the answers with --answers FILE.")


def level_by_answers(prepared: Prepared, path: Path | None, *, ask: bool) -> float:
    """The level after the answers in a file and those that are given now; new ones are added to the file."""
    timeline = prepared.timeline
    questions = Asking(prepared.hierarchy, prepared.start.granularity, timeline.texts)
    answers = [] if path is None or (ask and not path.exists()) else read_answers(path, timeline.texts)
    if ask:
        answers = _asked(questions, answers, timeline)
        if path is not None:
            files.write(path, answers_csv(answers, timeline.texts))
    return questions.level(answers)


def read_answers(path: Path, texts: Sequence[str]) -> list[Answer]:
    """The answers in a CSV file about headlines of the timeline."""
    try:
        text = read_bytes(str(path)).decode("utf-8-sig")
        lines = list(csv.DictReader(io.StringIO(text), strict=True))
    except (UnicodeDecodeError, csv.Error):
        raise InputError(f"{path} is not a CSV file of answers.", hint=_HINT) from None
    row_of: dict[str, int] = {}
    for row, headline in enumerate(texts):
        row_of.setdefault(headline, row)
    answers = []
    for number, line in enumerate(lines, start=2):
        if not set(_COLUMNS) <= line.keys() or (line["answer"] or "").strip().lower() not in WORDS:
            raise InputError(f"{path}, line {number}: this is not an answer.", hint=_HINT)
        named = [(line[side] or "").strip() for side in _COLUMNS[:2]]
        absent = next((headline for headline in named if headline not in row_of), None)
        if absent is not None:
            raise InputError(
                f"{path}, line {number}: the headline {absent!r} is not in the timeline.",
                hint="Give the answers for this timeline.",
            )
        left, right = sorted(row_of[headline] for headline in named)
        if left == right:
            raise InputError(
                f"{path}, line {number}: a headline is compared with itself.", hint="Remove the line."
            )
        answers.append(Answer(left, right, WORDS[(line["answer"] or "").strip().lower()]))
    return answers


_HINT = 'Give the columns left, right and answer, with "same", "different" or "not sure" as the answer.'


def answers_csv(answers: Sequence[Answer], texts: Sequence[str]) -> bytes:
    """Answers as the CSV that `read_answers` reads."""
    name = {same: word for word, same in WORDS.items()}
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    table.writerow(_COLUMNS)
    table.writerows([texts[answer.left], texts[answer.right], name[answer.same]] for answer in answers)
    return out.getvalue().encode()


def _asked(questions: Asking, before: Sequence[Answer], timeline: Timeline) -> list[Answer]:
    answers = list(before)
    click.echo(
        "Do these two report the same event? s same, d different, ? not sure, u undo, q stop", err=True
    )
    while len(answers) - len(before) < QUESTIONS and (pair := questions.question(answers)) is not None:
        click.echo(f"\n{len(answers) - len(before) + 1} of {QUESTIONS}", err=True)
        for row in pair:
            click.echo(f"  {_described(timeline, row)}", err=True)
        key = _key()
        if key == "q":
            break
        if key == "u":
            del answers[max(len(answers) - 1, len(before)) :]
            continue
        groups = len(set(questions.tree.cut(questions.level(answers)).tolist()))
        answers.append(Answer(*pair, _KEYS[key]))
        now = len(set(questions.tree.cut(questions.level(answers)).tolist()))
        click.echo(
            f"Groups: {groups:,} → {now:,}" if now != groups else "The groups stay as they are.", err=True
        )
    return answers


def _key() -> str:
    while True:
        click.echo("s/d/?/u/q: ", err=True, nl=False)
        line = sys.stdin.readline()
        key = line.strip().lower() if line else "q"
        if key in {*_KEYS, "u", "q"}:
            return key


def _described(timeline: Timeline, row: int) -> str:
    date = timeline.table[Field.PUBLISHED].dt.strftime("%Y-%m-%d").fillna("").iloc[row]
    about = ", ".join(filter(None, (timeline.publishers[row], date)))
    return f"{timeline.texts[row]}" + (f" ({about})" if about else "")
