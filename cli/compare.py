"""`headline-lab compare`: systems side by side on the same articles."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.main import BAD_INPUT
from cli.progress import working

if TYPE_CHECKING:
    from core.data.articles.articles import Articles


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
