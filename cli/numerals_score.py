"""`headline-lab numerals score`: how well do systems keep to the numbers of their articles?"""

from __future__ import annotations

from pathlib import Path

import click

from cli.progress import Bars


@click.command()
@click.argument("files", metavar="[FILE...]", nargs=-1)
@click.option("--articles", default="", metavar="NAME|FILE", help="Article set, sample or file.")
@click.option("--out", type=click.Path(path_type=Path), help="Folder for the tables.")
@click.option("--attacher", help="Numeral attacher or its signature; default: the one that ships.")
@click.option("--seed", default=0, show_default=True, help="Seed of the resamples.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--quiet", is_flag=True, help="No progress bar.")
def score(
    files: tuple[str, ...],
    articles: str,
    out: Path | None,
    attacher: str | None,
    seed: int,
    as_json: bool,
    quiet: bool,
) -> None:
    """Score the numbers in the headlines of systems: shares, kinds, operators, contradictions.

    FILES are those of `headline-lab compare`; the original headlines of the articles are scored next to them.
    """
    from core.files import make_folder
    from core.headlines.numbers import score_tables
    from core.headlines.numbers.checked_systems import check_systems, open_systems
    from core.headlines.numbers.scores import score_systems
    from core.numerals.checking import load_checker
    from core.runtime import Runtime, detect_device

    opened = open_systems(files, articles=articles)
    if out is not None:
        make_folder(out)
    bars = Bars(wanted=not quiet)
    runtime = Runtime(device=detect_device(), seed=seed, report=bars.report, patient=True)
    try:
        checked = check_systems(opened, load_checker(attacher, runtime), runtime)
    finally:
        bars.close()
    given = opened.articles
    scores = score_systems(
        checked,
        numbers=given.numbers,
        operations=given.operations,
        annotations=opened.annotations,
        clusters=given.clusters,
        seed=seed,
    )
    if out is not None:
        score_tables.write_folder(out, scores)
    click.echo(score_tables.as_json(scores) if as_json else score_tables.as_text(scores))
