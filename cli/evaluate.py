"""`headline-lab evaluate`: what people said of headlines, as the paper's table."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.main import BAD_INPUT
from cli.progress import working

if TYPE_CHECKING:
    from core.data.articles.articles import Articles


@click.group()
def evaluate() -> None:
    """Headlines judged by people."""


@evaluate.command()
@click.argument("name")
def link(name: str) -> None:
    """Give a judge who lost the personal link a new one; the old one opens nothing any more.

    NAME is the judge's name under Evaluate. Run it on the computer of the server.
    """
    from core.journal.journal import the_journal
    from core.people.store import Judges

    token = Judges(journal=the_journal()).renew(name)
    click.echo(f"/judge?part=evaluate&token={token}")
    click.echo("Put the address of the app before it, and give it to nobody but the judge.", err=True)


@evaluate.command()
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option("--form", "form_name", help="Form by name, or a TOML file; default: numhg.v1.")
@click.option("--csv", "csv_out", type=click.Path(path_type=Path), help="Write every figure.")
@click.option("--latex", type=click.Path(path_type=Path), help="Write the table for a paper.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def table(
    files: tuple[str, ...], form_name: str | None, csv_out: Path | None, latex: Path | None, as_json: bool
) -> None:
    """Put answers together and print every system's percentages, the published figures next to them.

    A FILE (CSV, TSV, XLSX, JSON, JSONL, Parquet) has the columns judge, article and system, and a column for
    each question, as "Answers (CSV)" under Evaluate.
    """
    from core.data.timelines.load import read_bytes
    from core.files import write
    from core.people import evaluation
    from core.people.evaluation import ratings_table
    from core.people.forms import form_of
    from core.people.rating_files import read_ratings
    from core.people.ratings import DEFAULT_FORM, merge

    form = form_of(form_name or DEFAULT_FORM)
    ratings = merge([read_ratings(read_bytes(path), Path(path).name, form) for path in files])
    found = ratings_table(ratings)
    for target, text in ((csv_out, evaluation.as_csv), (latex, evaluation.as_latex)):
        if target is not None:
            write(target, text(found).encode())
    click.echo(evaluation.as_json(found).rstrip() if as_json else evaluation.as_text(found))


@evaluate.command()
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option("--left", default="left", show_default=True, help="Column of the system shown first.")
@click.option("--right", default="right", show_default=True, help="Column of the other system.")
@click.option("--answer", default="answer", show_default=True, help="Column of what was chosen.")
@click.option("--item", "items", multiple=True, metavar="COLUMN", help="Names the item; may be repeated.")
@click.option("--judge", default="", metavar="COLUMN", help="Column of who chose.")
@click.option("--form", "form_name", help="Form of answers from Evaluate; default: preference.v1.")
@click.option("--rated", default="", metavar="COLUMN[,...]", help="Raters whose ratings become choices.")
@click.option("--system", default="system", show_default=True, help="Column of the system, with --rated.")
@click.option("--outlets", is_flag=True, help="The systems are the outlets of addresses.")
@click.option("--most", type=click.IntRange(2), help="Rank only so many systems, those with most choices.")
@click.option("--csv", "csv_out", type=click.Path(path_type=Path), help="Write every figure.")
@click.option("--latex", type=click.Path(path_type=Path), help="Write the table for a paper.")
def preferences(
    files: tuple[str, ...],
    left: str,
    right: str,
    answer: str,
    items: tuple[str, ...],
    judge: str,
    form_name: str | None,
    rated: str,
    system: str,
    outlets: bool,
    most: int | None,
    csv_out: Path | None,
    latex: Path | None,
) -> None:
    """Rank systems by choices between two headlines (Bradley-Terry), and audit the choices.

    A row of FILE is one choice: the system shown first, the other, and left, right, draw or bad (or first,
    second, tie, neither). "Answers (CSV)" of Evaluate is read as it is. With --rated a row is a
    system on an item, with a column for each rater, who prefers the system that is rated higher.
    """
    from core.data.timelines.load import read_bytes
    from core.files import write
    from core.people.choices import Preferences, joined, page_choices, rated_choices, read_choices
    from core.people.forms import form_of
    from core.people.strengths import audit, strengths, strengths_table
    from core.results.render import as_csv, as_latex, as_text

    form = form_of(form_name or "preference.v1")

    def choices_in(path: str) -> Preferences:
        data, name = read_bytes(path), Path(path).name
        if rated:
            return rated_choices(data, name, rated=rated, system=system, items=items)
        found = page_choices(data, name, form)
        if found is not None:
            return found
        columns = {"left": left, "right": right, "answer": answer, "judge": judge}
        return read_choices(data, name, items=items, outlets=outlets, **columns)

    choices = joined([choices_in(path) for path in files])
    if most is not None:
        choices = choices.among(most)
    found = strengths_table(strengths(choices), choices, audit(choices))
    for target, render in ((csv_out, as_csv), (latex, as_latex)):
        if target is not None:
            write(target, render(found).encode())
    click.echo(as_text(found))


@evaluate.command()
@click.argument("files", metavar="[FILE...]", nargs=-1)
@click.option("--form", "form_name", help="Form by name, or a TOML file; default: numhg.v1.")
@click.option("--question", "questions", multiple=True, metavar="KEY", help="A question; may be repeated.")
@click.option("--system", "systems", multiple=True, metavar="NAME", help="A system; may be repeated.")
@click.option("--difference", type=float, metavar="PERCENT", help="Plan a study that finds so large a one.")
@click.option(
    "--spread",
    type=float,
    nargs=3,
    metavar="ITEMS JUDGES ANSWERS",
    help="Standard deviations of the difference of two systems, % of the maximum.",
)
@click.option("--judges", type=click.IntRange(1, 1000), multiple=True, help="Judges an item; repeatable.")
@click.option("--wanted", type=float, default=80, show_default=True, help="% of studies that find it.")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the simulation.")
@click.option("--csv", "csv_out", type=click.Path(path_type=Path), help="Write every figure.")
def power(
    files: tuple[str, ...],
    form_name: str | None,
    questions: tuple[str, ...],
    systems: tuple[str, ...],
    difference: float | None,
    spread: tuple[float, float, float] | None,
    judges: tuple[int, ...],
    wanted: float,
    seed: int,
    csv_out: Path | None,
) -> None:
    """Say how many items and judges a study needs, or what a finished one could have found.

    With --difference a study is planned: its spread is that of the answers in FILE (name one --question and
    two systems), or --spread, or else that of SummEval's experts. Without it, FILE is a finished study.
    """
    from core.data.timelines.load import read_bytes
    from core.errors import InputError
    from core.files import write
    from core.people.forms import form_of
    from core.people.power import JUDGES, SUMMEVAL, AnswerSpread, found_table, pilot_spread, plan_table
    from core.people.rating_files import read_ratings
    from core.people.ratings import DEFAULT_FORM, merge
    from core.results.render import as_csv, as_text

    form = form_of(form_name or DEFAULT_FORM)
    read = [read_ratings(read_bytes(path), Path(path).name, form) for path in files]
    if difference is None:
        if not read:
            raise InputError(
                "There is neither a study nor a difference to look for.",
                hint="Give the answers of a study, or --difference to plan one.",
            )
        table = found_table(merge(read), systems=systems, questions=questions, seed=seed)
    else:
        if spread is not None and read:
            raise InputError("The spread is given twice.", hint="Give either --spread or a pilot's answers.")
        known = SUMMEVAL if not read else pilot_spread(merge(read), questions, systems)
        if spread is not None:
            known = AnswerSpread(items=spread[0] / 100, judges=spread[1] / 100, answers=spread[2] / 100)
        table = plan_table(known, difference / 100, judges=judges or JUDGES, wanted=wanted / 100, seed=seed)
    if csv_out is not None:
        write(csv_out, as_csv(table).encode())
    click.echo(as_text(table))


@click.command()
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option("--out", type=click.Path(path_type=Path), required=True, help="Folder for tables and report.")
@click.option("--articles", default="", metavar="NAME|FILE", help="Article set, sample or file.")
@click.option("--numbers", default="", metavar="FILE", help="Gold numbers, one a line, instead of articles.")
@click.option("--types", default="", metavar="FILE", help="With --numbers: 0 (copy) or 1 (reasoning) a line.")
@click.option("--references", default="", metavar="FILE", help="With --numbers: people's headlines.")
@click.option(
    "--metrics",
    multiple=True,
    metavar="NAME",
    help="Metric or its signature; may be repeated; default all but numeral_support.",
)
@click.option("--language", default="", help="ISO 639-1 code; default: it is found out.")
@click.option("--against", default="", metavar="SYSTEM", help="Test every other system against this one.")
@click.option("--seed", default=0, show_default=True, help="Seed of the resamples.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--quiet", is_flag=True, help="No progress bar.")
def compare(
    files: tuple[str, ...],
    out: Path,
    articles: str,
    numbers: str,
    types: str,
    references: str,
    metrics: tuple[str, ...],
    language: str,
    against: str,
    seed: int,
    as_json: bool,
    quiet: bool,
) -> None:
    """Compare the headlines in FILES by every metric.

    A FILE holds the headlines of one system or several: one line a headline, or a table (CSV, TSV, JSON,
    JSONL, XLSX, Parquet). A table of one system has a column headline. One of several has a column system,
    too, with their rows below each other, or a column pred_NAME for each. What they were written for is
    named by --articles, or stands in the table as text, with reference. NumHG's own evaluation files are
    given as --numbers, --types and --references. The folder gets table.csv, table.tex, table.json,
    scores.csv (every headline) and report.html.
    """
    from core.files import make_folder
    from core.headlines.comparison import exports
    from core.headlines.comparison.compare import agreements, as_lines
    from core.headlines.comparison.compare import compare as compare_systems
    from core.headlines.comparison.exports import read_files, write_folder
    from core.headlines.comparison.report import as_lines as paper_lines
    from core.headlines.comparison.report import as_text, papers_beside
    from core.headlines.comparison.table import table
    from core.headlines.metrics.metric import headline_metrics
    from core.headlines.numbers.scores import official_lines

    for name in metrics:
        headline_metrics.parse(name)
    given = _of_numbers(numbers, types, references, articles) or articles
    official = official_lines(files, numbers, types) if numbers and types else []
    read, outputs = read_files(files, articles=given)
    make_folder(out)
    with working(quiet=quiet, seed=seed) as runtime:
        comparison = compare_systems(read, outputs, metrics, runtime, language=language)
        found = table(comparison, against=against)
        agreed = agreements(comparison, runtime)
    write_folder(out, comparison, found, agreed)
    if as_json:
        click.echo(exports.as_json(comparison, found, agreed))
    else:
        told = [as_text(comparison, found), *as_lines(agreed), *official]
        told += [*paper_lines(papers_beside(read)), "", comparison.signature]
        click.echo("\n".join(told))
    if all(entry.value is None for row in found.entries for entry in row):
        click.echo("No metric could be computed.\nThe notes above say why.", err=True)
        sys.exit(BAD_INPUT)


def _of_numbers(numbers: str, types: str, references: str, articles: str) -> Articles | None:
    from core.data.articles.articles import articles_of_numbers
    from core.errors import InputError

    if not numbers:
        if types or references:
            raise InputError(
                "--types and --references belong to --numbers.", hint="Give the gold numbers, too."
            )
        return None
    if articles:
        raise InputError(
            "--articles and --numbers both say what the headlines are compared with.",
            hint="Give one of them.",
        )
    return articles_of_numbers(numbers, types=types or None, references=references or None)
