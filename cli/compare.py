"""`headline-lab compare`: systems side by side on the same articles."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from cli.main import BAD_INPUT
from cli.progress import Bars


@click.command()
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option("--out", type=click.Path(path_type=Path), required=True, help="Folder for tables and report.")
@click.option("--articles", default="", metavar="NAME|FILE", help="Article set, sample or file.")
@click.option(
    "--metrics", multiple=True, metavar="NAME", help="Metric or its signature; may be repeated; default all."
)
@click.option("--language", default="", help="ISO 639-1 code; left out, it is found out.")
@click.option("--against", default="", metavar="SYSTEM", help="Test every other system against this one.")
@click.option("--seed", default=0, show_default=True, help="Seed of the resamples.")
@click.option("--json", "as_object", is_flag=True, help="Print one JSON object.")
@click.option("--quiet", is_flag=True, help="No progress bar.")
def compare(
    files: tuple[str, ...],
    out: Path,
    articles: str,
    metrics: tuple[str, ...],
    language: str,
    against: str,
    seed: int,
    as_object: bool,
    quiet: bool,
) -> None:
    """Compare the headlines in FILES by every metric.

    A FILE holds the headlines of one system or several: one line a headline, or a table (CSV, TSV, JSON,
    JSONL, XLSX, Parquet). What they were written for is named by --articles, or stands in a table beside
    them. The folder gets table.csv, table.tex, table.json, scores.csv (every headline) and report.html.
    """
    from core.metrics.headlines.metric import headline_metrics
    from core.runtime import Runtime, detect_device
    from core.workflows.comparison.agreement import agreements, as_lines
    from core.workflows.comparison.compare import compare as compare_systems
    from core.workflows.comparison.exports import as_json
    from core.workflows.comparison.files import read_files, write_folder
    from core.workflows.comparison.table import table
    from core.workflows.comparison.tables import as_text
    from core.workflows.take_away import make_folder

    for name in metrics:
        headline_metrics.parse(name)
    read, outputs = read_files(files, articles=articles)
    make_folder(out)
    bars = Bars(wanted=not quiet)
    runtime = Runtime(device=detect_device(), seed=seed, report=bars.report, patient=True)
    try:
        comparison = compare_systems(read, outputs, metrics, runtime, language=language)
        found = table(comparison, against=against)
        agreed = agreements(comparison, runtime)
    finally:
        bars.close()
    write_folder(out, comparison, found, agreed)
    if as_object:
        click.echo(as_json(comparison, found, agreed))
    else:
        click.echo("\n".join([as_text(comparison, found), *as_lines(agreed)]))
    if all(entry.value is None for row in found.entries for entry in row):
        click.echo("No metric could be computed.\nThe notes above say why.", err=True)
        sys.exit(BAD_INPUT)
