"""`headline-lab group` and `facts`: which headlines report the same event, and what do outlets state?"""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click import option

from cli import progress
from cli.progress import JSON, PATH, QUIET, SHARE, choice, name_rows, note, open_timeline, show, working
from core import files
from core.data.timelines.tables import read_bytes
from core.data.timelines.timeline import Field, Timeline
from core.errors import InputError
from core.groups.granularity import Asking, PairAnswer
from core.results.delimited import restored

if TYPE_CHECKING:
    from core.events.correction import History
    from core.events.grouping import Prepared


@click.command()
@click.argument("file", metavar="FILE")
@option("--out", type=PATH, help="Write the groups: .csv .tsv .json .jsonl .parquet .xlsx .html")
@option("--bundle", type=PATH, help="Write report, figures, tables and settings as .zip")
@option("--rejected", type=PATH, help="Write the excluded rows as .csv")
@JSON
@option("--method", default="average_linkage", show_default=True, help="Grouping method or its signature.")
@option("--scorer", default="event_similarity", show_default=True, help="Pair scorer or its signature.")
@option("--encoder", default="auto", show_default=True, help="Text encoder or its signature.")
@option("--granularity", type=SHARE, help="0 to 1; default: the timeline itself suggests it.")
@option("--map", "map_method", help="Map method of the report or its signature.")
@option("--format", "file_format", help="Format of FILE; default: it is recognised.")
@option("--column", "columns", multiple=True, metavar="FIELD=NAME", help="Column of a field; repeatable.")
@option("--timeline", help="Which timeline of a file with several.")
@option("--since", help="An earlier CSV of this command: groups keep their numbers.")
@option("--corrections", help="Corrections that the app exported, or JSON of corrected groups.")
@option("--ask", is_flag=True, help="Ask five questions about the width of events; --answers keeps them.")
@option("--answers", type=PATH, help="CSV of answers (left, right, answer) that set the width and hold.")
@option("--fold", is_flag=True, help="Leave duplicates out; they get the group of the first.")
@progress.precision
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
    """Group the headlines of FILE (or of sample:NAME, or - for stdin) by event.

    FILE is CSV, TSV, XLSX, JSON, JSONL, Parquet or text. The table that is written holds every accepted row
    in its order, all its columns, `group`, and `story`: events that belong together over days and weeks.
    """
    from core.data.timelines.load import load_path
    from core.data.timelines.writers import rejected_csv
    from core.events import export
    from core.events.correction import read_log
    from core.events.corrections import fitted
    from core.events.grouping import (
        Settings,
        groups_as_object,
        groups_as_text,
        prepare,
        regroup,
        written_numbers,
    )
    from core.maps.projector import DEFAULT_MAP, projectors

    if granularity is not None and (ask or answers is not None):
        raise InputError("Answers set the granularity themselves.", hint="Leave --granularity out.")
    if ask and not sys.stdin.isatty():
        raise InputError("--ask needs a terminal to ask in.", hint="Give the answers with --answers FILE.")
    for path in (out, bundle, rejected, answers if ask else None):
        export.check_target(path, source=file)
    kind = export.check_format(out) if out is not None else ""
    map_method = map_method or DEFAULT_MAP
    projectors.parse(map_method)
    source = open_timeline(file, file_format=file_format, columns=columns, timeline=timeline)
    history = read_log(read_bytes(corrections)) if corrections is not None else None
    chosen = Settings(method=method, encoder=encoder, scorer=scorer, fold=fold)
    with working(patient=False) as runtime:
        numbers = written_numbers(load_path(since)) if since is not None else None
        prepared = prepare(source, chosen, runtime, previous=numbers)
        index = prepared.timeline.index
        history = history.at(index) if history is not None else None
        if ask or answers is not None:
            history = _with_answers(prepared, history, answers, ask=ask)
        corrected = fitted(history, index.row) if history is not None else None
        grouping = regroup(prepared, granularity, corrections=corrected)
        drawn = bundle is not None or kind == export.REPORT
        drawing = export.draw_map(prepared, map_method, runtime) if drawn else None
    if out is not None and drawing is not None and kind == export.REPORT:
        files.write(out, export.report(prepared, grouping, drawing))
    elif out is not None:
        files.write(out, export.table_bytes(prepared, grouping, kind))
    if bundle is not None and drawing is not None:
        files.write(bundle, export.report_bundle(prepared, grouping, drawing))
    if rejected is not None:
        files.write(rejected, rejected_csv(source.report))
    summary = groups_as_object(prepared, grouping)
    show(summary, lambda: groups_as_text(summary))
    if corrected is not None and corrected.problem:
        click.echo(corrected.problem, err=True)
    note(*source.report.notes, *source.unread_notes())
    name_rows(
        [f"Excluded: {row.place}: {row.reason}" for row in source.report.rejected],
        "--rejected FILE.csv keeps them.",
    )


def _with_answers(prepared: Prepared, history: History | None, path: Path | None, *, ask: bool) -> History:
    """The log with the level that answers set: those of a file, to which each that is given now is added."""
    from core.events.correcting import answered, asking
    from core.events.correction import History
    from core.events.corrections import fitted
    from core.events.grouping import regroup

    before, texts = history or History(), prepared.timeline.texts

    def keep(answers: Sequence[PairAnswer]) -> None:
        if path is not None:
            files.write(path, _answers_csv(answers, texts))
        corrected = fitted(answered(prepared, before, answers), prepared.timeline.index.row)
        click.echo(f"  {len(set(regroup(prepared, corrections=corrected).ids.tolist())):,} groups", err=True)

    answers = [] if path is None or (ask and not path.exists()) else read_answers(path, texts)
    if ask:
        answers = _asked(asking(prepared, before), answers, prepared.timeline, keep)
    return answered(prepared, before, answers)


WORDS = {"same": True, "different": False, "not sure": None}
_COLUMNS = ["left", "right", "answer"]


def read_answers(path: Path, texts: Sequence[str]) -> list[PairAnswer]:
    """The answers in a CSV file about headlines of the timeline."""
    try:
        text = read_bytes(str(path)).decode("utf-8-sig")
        lines = list(csv.DictReader(io.StringIO(text), strict=True))
    except (UnicodeDecodeError, csv.Error):
        raise InputError(f"{path} is not a CSV file of answers.", hint=_HINT) from None
    row_of: dict[str, int] = {}
    for row, headline in enumerate(texts):
        row_of.setdefault(headline, row)
    answers, said_of = list[PairAnswer](), dict[tuple[int, int], bool]()
    for number, line in enumerate(lines, start=2):
        if not set(_COLUMNS) <= line.keys() or (line["answer"] or "").strip().lower() not in WORDS:
            raise InputError(f"{path}, line {number}: this is not an answer.", hint=_HINT)
        named = [restored(line[side] or "").strip() for side in _COLUMNS[:2]]
        absent = next((headline for headline in named if headline not in row_of), None)
        if absent is not None:
            said = f"{path}, line {number}: the headline {absent!r} is not in the timeline."
            raise InputError(said, hint="Give the answers for this timeline.")
        left, right = sorted(row_of[headline] for headline in named)
        if left == right:
            said = f"{path}, line {number}: a headline is compared with itself."
            raise InputError(said, hint="Remove the line.")
        same = WORDS[(line["answer"] or "").strip().lower()]
        if same is not None and said_of.setdefault((left, right), same) is not same:
            said = f"{path}, line {number}: these two were answered differently above."
            raise InputError(said, hint="Remove one of the two lines.")
        answers.append(PairAnswer(left, right, same))
    return answers


_HINT = 'Give the columns left, right and answer, with "same", "different" or "not sure" as the answer.'


def _answers_csv(answers: Sequence[PairAnswer], texts: Sequence[str]) -> bytes:
    name = {same: word for word, same in WORDS.items()}
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    table.writerow(_COLUMNS)
    table.writerows([texts[answer.left], texts[answer.right], name[answer.same]] for answer in answers)
    return out.getvalue().encode()


def _asked(
    questions: Asking,
    before: Sequence[PairAnswer],
    timeline: Timeline,
    keep: Callable[[Sequence[PairAnswer]], None],
) -> list[PairAnswer]:
    answers, keys = list(before), dict(zip("sd?", WORDS.values(), strict=True))
    days = timeline.table[Field.PUBLISHED].dt.strftime("%Y-%m-%d").fillna("")
    click.echo("Do both report the same event? s same, d different, ? not sure, u undo, q stop", err=True)
    while len(answers) - len(before) < 5 and (pair := questions.question(answers)) is not None:
        for row in pair:
            about = ", ".join(filter(None, (timeline.publishers[row], days.iloc[row])))
            click.echo(f"  {timeline.texts[row]}" + (f" ({about})" if about else ""), err=True)
        choice = click.Choice([*keys, "u", "q"], case_sensitive=False)
        key = click.prompt(f"{len(answers) - len(before) + 1} of 5", type=choice, err=True)
        if key == "q":
            break
        if key == "u":
            del answers[max(len(answers) - 1, len(before)) :]
        else:
            answers.append(PairAnswer(*pair, keys[key]))
        keep(answers)
    return answers


FORMATS = ("svg", "png", "html", "csv")


@click.command()
@click.argument("file", metavar="FILE")
@option("--group", type=int, help="Number of the event; default: the largest.")
@option("--headline", help="Words of one of its headlines, in place of the number.")
@option("--out", type=PATH, help="Write the grid: .svg .png .html .csv")
@option("--width", **choice(["slide", "phone"], "slide"), help="Of a picture: 1,280 or 640 pixels.")
@JSON
@option("--granularity", type=SHARE, help="0 to 1; default: the timeline itself suggests it.")
@option("--column", "columns", multiple=True, metavar="FIELD=NAME", help="Column of a field; repeatable.")
@QUIET
def facts(
    file: str,
    group: int | None,
    headline: str | None,
    out: Path | None,
    width: str,
    granularity: float | None,
    columns: tuple[str, ...],
) -> None:
    """Compare what the outlets of one event of FILE (or of sample:NAME) state, and when.

    A row an outlet in the order of reporting, a column a fact; one letter in a column is one value.
    """
    from core.events.cards import facts_of, find_event
    from core.events.export import check_target
    from core.events.facts_picture import WIDTHS, facts_picture, facts_words
    from core.events.facts_shown import grid_csv, grid_object, grid_page, grid_text
    from core.events.grouping import Settings, prepare, regroup
    from core.results.render import clean

    if group is not None and headline is not None:
        raise InputError("--group and --headline both name the event.", hint="Leave one of them out.")
    kind = out.suffix.lower().removeprefix(".") if out is not None else ""
    if out is not None and kind not in FORMATS:
        raise InputError(f"{out.name!r} does not end in a known format.", hint=f"Use .{', .'.join(FORMATS)}.")
    check_target(out, source=file)
    timeline = open_timeline(file, file_format=None, columns=columns, timeline=None)
    with working(patient=False) as runtime:
        prepared = prepare(timeline, Settings(), runtime)
        grouping = regroup(prepared, granularity)
    line = find_event(prepared, grouping, group, headline or "")
    grid, texts = facts_of(prepared, line), prepared.timeline.texts
    title = clean(texts[line.representative])
    words: dict[str, Any] = {"title": title, "source": f"{timeline.name} · {grouping.signature}"}
    if out is not None and kind in ("svg", "png"):
        from core.results.fonts import font

        words |= {"width": WIDTHS[width], "font": font(), "png": kind == "png"}
        files.write(out, facts_picture(grid, texts, **words))
    elif out is not None:
        csv = grid_csv(grid, prepared.timeline).encode()
        files.write(out, csv if kind == "csv" else grid_page(grid, texts, **words))
    summary = {
        "group": line.group,
        "headline": title,
        **grid_object(grid, texts),
        "alt": facts_words(grid),
        "ledger": dict(timeline.report.ledger),
        "unread": timeline.unread(),
        "signature": grouping.signature,
    }
    show(summary, lambda: f"{title} (group {line.group})\n{grid_text(grid, texts)}")
    note(*timeline.report.notes, *timeline.unread_notes())
