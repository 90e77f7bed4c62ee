"""`headline-lab train selector`: learn which headline of an event people prefer."""

from __future__ import annotations

from pathlib import Path

import click

from cli.progress import Bars


@click.command()
@click.option("--out", type=click.Path(path_type=Path), required=True, help="New folder of the model.")
@click.option(
    "--documents", type=click.Path(path_type=Path), help="Your copy of the archives, for real headlines."
)
@click.option(
    "--directions",
    type=click.IntRange(0, 256),
    default=0,
    show_default=True,
    help="Directions of the encoder's vectors to weigh; 0 for a model that works with any encoder.",
)
@click.option(
    "--trees", type=click.IntRange(1, 10_000), default=300, show_default=True, help="Trees at most."
)
@click.option(
    "--depth", type=click.IntRange(1, 10), default=4, show_default=True, help="Questions of a tree."
)
@click.option("--seed", type=click.IntRange(0, 2**31 - 1), default=0, show_default=True, help="Of the trees.")
@click.option("--quiet", is_flag=True, help="No progress bar.")
def selector(
    out: Path, documents: Path | None, directions: int, trees: int, depth: int, seed: int, quiet: bool
) -> None:
    """Train a headline selector on the choices of Dialogue 2021.

    Without --documents, headlines are rebuilt from the addresses of the task's files. Validation pairs say
    when to stop; the test files are measured once, for the card.
    """
    from core.data.selection_sets.dialogue2021 import load_dialogue2021
    from core.data.selection_sets.documents import read_documents
    from core.headlines.selection.training import SelectorTraining, train_measured
    from core.runtime import Runtime

    given = load_dialogue2021(None if documents is None else read_documents(documents))
    how = SelectorTraining(directions=directions, trees=trees, depth=depth)
    bars = Bars(wanted=not quiet)
    try:
        card = train_measured(given, how, out, Runtime(seed=seed, report=bars.report))
    finally:
        bars.close()
    click.echo(card.partition("## Measured")[2].partition("What was not")[0].strip())
    click.echo(f"Selector: catboost.v1|model:{out}")
