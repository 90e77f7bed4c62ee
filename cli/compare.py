"""`headline-lab compare`: how good the headlines of systems are, by every metric."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli import main, options, progress
from core.errors import InputError
from core.files import make_folder

if TYPE_CHECKING:
    from core.data.articles.articles import Articles


@options.command()
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
) -> None:
    """Compare the headlines in FILES by every metric.

    A FILE holds the headlines of one system or several: one line a headline, or a table (CSV, TSV, JSON,
    JSONL, XLSX, Parquet). A table of one system has a column headline. One of several has a column system,
    too, with their rows below each other, or a column pred_NAME for each. What they were written for is
    named by --articles, or stands in the table as text, with reference. NumHG's own evaluation files are
    given as --numbers, --types and --references. The folder gets table.csv, table.tex, table.json,
    scores.csv (every headline) and report.html.
    """
    from core.headlines.comparison import exports, published, table, written_table
    from core.headlines.comparison.agreement import agreements, as_lines
    from core.headlines.comparison.compare import compare as compare_systems
    from core.headlines.comparison.reading import read_files
    from core.headlines.metrics import headline_metrics
    from core.headlines.metrics.numeral_accuracy import official_lines

    for name in metrics:
        headline_metrics.parse(name)
    given = _of_numbers(numbers, types, references, articles) or articles
    official = official_lines(files, numbers, types) if numbers and types else []
    read, outputs = read_files(files, articles=given)
    make_folder(out)
    with progress.working(seed=seed) as runtime:
        comparison = compare_systems(read, outputs, metrics, runtime, language=language)
        scores = table.comparison_table(comparison, against=against)
        agreed = agreements(comparison, runtime)
    exports.write_folder(out, comparison, scores, agreed, columns=options.given_for("--columns"))
    if options.asked("--json"):
        click.echo(exports.as_json(comparison, scores, agreed))
    else:
        lines = [written_table.comparison_as_text(comparison, scores), *as_lines(agreed), *official]
        lines += [*published.as_lines(published.papers_beside(read)), "", comparison.signature]
        click.echo("\n".join(lines))
    if all(entry.value is None for row in scores.entries for entry in row):
        click.echo("No metric could be computed.\nThe notes above say why.", err=True)
        sys.exit(main.BAD_INPUT)


def _of_numbers(numbers: str, types: str, references: str, articles: str) -> "Articles | None":
    from core.data.articles.number_files import articles_of_numbers

    if not numbers:
        if types or references:
            said = "--types and --references belong to --numbers."
            raise InputError(said, hint="Give the gold numbers, too.")
        return None
    if articles:
        said = "--articles and --numbers both say what the headlines are compared with."
        raise InputError(said, hint="Give one of them.")
    return articles_of_numbers(numbers, types=types or None, references=references or None)
