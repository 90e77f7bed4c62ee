"""`headline-lab train numerals`: learn where the numbers of headlines come from."""

from __future__ import annotations

from pathlib import Path

import click

from cli.progress import Bars


@click.command()
@click.option("--out", type=click.Path(path_type=Path), required=True, help="Folder of the model.")
@click.option(
    "--attacher",
    type=click.Choice(["pointer", "lexical", "blend"]),
    default="pointer",
    show_default=True,
    help="What judges which number belongs where.",
)
@click.option("--epochs", type=click.IntRange(1, 100), default=4, show_default=True, help="Of the network.")
@click.option(
    "--seed", type=click.IntRange(0, 2**31 - 1), default=0, show_default=True, help="Of everything."
)
@click.option("--quiet", is_flag=True, help="No progress bar.")
def numerals(out: Path, attacher: str, epochs: int, seed: int, quiet: bool) -> None:
    """Train what checks numerals and fills blanks, on the annotated rows of NumHG.

    One that was stopped goes on when the command is given again. Validation rows say when to stop and set
    the thresholds; test rows are not read.
    """
    from core.numerals.training.pointer_training import PointerTraining
    from core.numerals.training.training import NumeralTraining, train_numerals
    from core.runtime import Runtime

    bars = Bars(wanted=not quiet)
    try:
        how = NumeralTraining(pointer=PointerTraining(epochs=epochs))
        train_numerals(out, attacher, how, Runtime(seed=seed, report=bars.report, patient=True))
    finally:
        bars.close()
    click.echo(f"Attacher: {attacher}.v1|model:{out}")
