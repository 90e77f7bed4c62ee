"""`headline-lab evaluate`: what judges said of headlines."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cli import progress
from cli.options import asked, command
from core.data.timelines.tables import read_bytes
from core.errors import InputError, ModelUnavailableError
from core.files import write as write_file
from core.results.table import as_text

if TYPE_CHECKING:
    import pandas as pd

    from core.people.ratings import Ratings


@click.group()
def evaluate() -> None:
    """Headlines judged by people."""


@command(evaluate)
def link(name: str) -> None:
    """Give a judge who lost the personal link a new one; the old one opens nothing any more.

    NAME is the judge's name under Evaluate. Run it on the computer of the server.
    """
    from core.journal.journal import the_journal
    from core.people.judges import Judges

    link = f"/judge?part=evaluate&token={Judges(journal=the_journal()).renew(name)}"
    progress.show({"link": link}, lambda: link)
    click.echo("Put the address of the app before it, and give it to nobody but the judge.", err=True)


@command(evaluate)
def table(files: tuple[str, ...], form_name: str | None, by: str | None) -> None:
    """Put answers together and print every system's percentages, the published figures next to them.

    A FILE (CSV, TSV, XLSX, JSON, JSONL, Parquet) has the columns judge, article and system, and a column for
    each question, as "Answers (CSV)" under Evaluate.
    """
    from core.people.choices import CHOOSE, choices_of
    from core.people.evaluation import as_json, ratings_table
    from core.people.strengths import strengths_table

    ratings = read_rating_files(files, form_name)
    if by is None:
        scores = ratings_table(ratings)
    else:
        from core.data.timelines.tables import read_table
        from research.benchmark.headlines.newspapers import newspaper_table, newspapers_in

        newspapers = newspapers_in(read_table(read_bytes(by), Path(by).name), by, ratings)
        scores = newspaper_table(ratings, newspapers)
    progress.write_figures(scores)
    if asked("--json"):
        click.echo(as_json(scores, ratings).rstrip())
        return
    chosen = (choices_of(ratings, each) for each in ratings.form.questions if each.asks in CHOOSE)
    won = [strengths_table(choices) for choices in chosen if len(choices)]
    click.echo("\n\n".join(map(as_text, (scores, *won))))


def read_rating_files(files: tuple[str, ...], form_name: str | None) -> "Ratings":
    from core.people.forms import DEFAULT_FORM, OPEN, form_of
    from core.people.rating_files import merge, read_ratings

    form = form_of(form_name or DEFAULT_FORM)
    if left := [each.label for each in form.questions if each.gives in OPEN]:
        progress.note(f"Not read from files, texts or marked words: {', '.join(left)}.")
    return merge([read_ratings(read_bytes(path), Path(path).name, form) for path in files])


@command(evaluate)
def preferences(
    files: tuple[str, ...],
    items: tuple[str, ...],
    form_name: str | None,
    rated: str,
    system: str,
    most: int | None,
    **columns: str,
) -> None:
    """Rank systems by choices between two headlines (Bradley-Terry), and audit the choices.

    A row of FILE is one choice: the system shown first, the other, and left, right, draw or bad (or first,
    second, tie, neither), or the name of the system that won. "Answers (CSV)" of Evaluate is read as it is.
    With --rated a row is a system on an item, with a column for each rater, who prefers the one rated higher.
    """
    from core.people.choices import make_choices, page_choices, rated_choices, read_choices
    from core.people.forms import form_of
    from core.people.strengths import strengths_table

    form = form_of(form_name or "preference.v1")

    def choices_in(path: str) -> "pd.DataFrame":
        data, name = read_bytes(path), Path(path).name
        if rated:
            return rated_choices(data, name, rated=rated, system=system, items=items)
        choices = page_choices(data, name, form)
        return choices if choices is not None else read_choices(data, name, items=items, **columns)

    strengths = strengths_table(make_choices(*map(choices_in, files), most=most))
    progress.write_figures(strengths)
    progress.show_table(strengths)


@command(evaluate)
def power(
    files: tuple[str, ...],
    form_name: str | None,
    question: str,
    systems: tuple[str, ...],
    difference: float,
    spread: tuple[float, float, float] | None,
    judges: int | None,
    items: int | None,
    wanted: float,
    seed: int,
) -> None:
    """Say how many items, how many judges, and what difference a study can see.

    The spread is that of the answers in FILE, a pilot or a finished study (name one --question and two
    systems), or --spread, or else that of SummEval's experts.
    """
    from core.people.power import ITEMS, JUDGES, pilot, plan_table
    from core.statistics.study_size import SUMMEVAL, AnswerSpread

    if spread is not None and files:
        raise InputError("The spread is given twice.", hint="Give either --spread or a pilot's answers.")
    known, given, judged, finished = SUMMEVAL, ITEMS, JUDGES, None
    if files:
        known, given, judged, finished = pilot(read_rating_files(files, form_name), question, systems)
    elif spread is not None:
        known = AnswerSpread(items=spread[0] / 100, judges=spread[1] / 100, answers=spread[2] / 100)
    size: dict[str, Any] = {"items": items or given, "judges": judges or judged}
    if items is judges is None:
        size["finished"] = finished
    table = plan_table(known, difference / 100, **size, wanted=wanted / 100, seed=seed)
    progress.write_figures(table)
    progress.show_table(table)


@command(evaluate)
def ask(
    files: tuple[str, ...],
    articles: str,
    form_name: str | None,
    limit: int,
    people: tuple[str, ...],
    times: int,
    own: tuple[str, ...],
    out: Path,
    **model: Any,
) -> None:
    """Let a language model judge the headlines in FILES, and say how far people agree with it.

    FILES and --articles are those of `compare`. The model is one that is set by its address; it is told no
    system, and asked about pairs, and best and worst, in both orders. The table that is written is read by
    `evaluate table`. Where --people answered some of the articles, they correct the model's answers on all.
    """
    import re

    import numpy as np

    from core.headlines.comparison.reading import read_files
    from core.people.evaluation_task import drawn, judgeable
    from core.people.forms import form_of
    from core.people.rating_files import merge, ratings_csv, read_ratings
    from core.study_access import model_judge

    form, by = form_of(form_name or "preference.v1"), model_judge.EndpointJudge(**model)
    by.check()
    read, outputs = read_files(files, articles=articles)
    every = judgeable(read.name, read, outputs)
    texts = {read.ids[row]: read.texts[row] for row in every.rows}
    task = drawn(every.task, limit) if limit else every.task
    given = [read_ratings(read_bytes(path), Path(path).name, form, task) for path in people]
    with progress.working() as runtime:
        shown = [texts[article] for article in task.articles]
        judged = model_judge.judge(task, form, shown, by, runtime, times=times)
    write_file(out, ratings_csv(judged.ratings).encode())
    whole = re.compile(rf"(?<![\w.-]){re.escape(by.model)}(?![\w.-])", re.IGNORECASE)
    written = {output.system for output in outputs if whole.search(f"{output.system} {output.source}")}
    answered = merge(given) if given else None
    held = [model_judge.judge_table(judged, answered, own or written)]
    held += [model_judge.corrected_table(judged, answered)] if answered else []
    orders = judged.orders()
    progress.write_figures(held[0])
    told = {"rows": progress.rows_of(held[0]), "signature": judged.signature}
    told |= {"corrected": progress.rows_of(held[1])} if answered else {}
    told |= {"orders": {table.title: progress.rows_of(table) for table in orders}}
    progress.show(told, lambda: "\n\n".join([*map(as_text, (*held, *orders)), judged.signature]))
    if not np.isfinite(judged.straight).any():
        raise ModelUnavailableError(
            "None of the model's answers could be read.", hint="Choose another model."
        )
