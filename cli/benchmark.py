"""`headline-lab benchmark`: the tables that methods are compared by."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.progress import Bars

if TYPE_CHECKING:
    from core.workflows.pair_benchmark.results import Cell, PairBenchmark, SetFacts
    from core.workflows.pair_benchmark.rows import Row

NAME = "pair_benchmark"
BAD_INPUT = 2


@click.group()
def benchmark() -> None:
    """Compare methods on labelled data."""


@benchmark.command()
@click.option("--set", "sets", multiple=True, metavar="NAME|FILE", help="Pair set; may be repeated.")
@click.option("--scorer", "scorers", multiple=True, metavar="ROW", help="Row or scorer; may be repeated.")
@click.option("--out", type=click.Path(path_type=Path), help="Folder for .json .md .csv and .tex.")
@click.option("--latex", type=click.Path(path_type=Path), help="Write the table as .tex.")
@click.option("--csv", "csv_file", type=click.Path(path_type=Path), help="Write every figure as .csv.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--quick", is_flag=True, help="Fewer pairs: a few minutes.")
@click.option("--fresh", is_flag=True, help="Score again what was scored before.")
@click.option("--quiet", is_flag=True, help="No progress.")
def pairs(
    sets: tuple[str, ...],
    scorers: tuple[str, ...],
    out: Path | None,
    latex: Path | None,
    csv_file: Path | None,
    as_json: bool,
    quick: bool,
    fresh: bool,
    quiet: bool,
) -> None:
    """Print the HLGD paper's table beside the same systems run here.

    Without --set, all pair sets on this machine; without --scorer, every system of the paper and ours.
    A row that cannot run says why. Thresholds come from training or validation pairs, never from test pairs.
    """
    from core.runtime import Runtime, detect_device
    from core.workflows.pair_benchmark.results import to_json
    from core.workflows.pair_benchmark.rows import ROWS, row
    from core.workflows.pair_benchmark.run import run
    from core.workflows.pair_benchmark.tables import as_text
    from core.workflows.pair_benchmark.tuning import CAPS, QUICK, Settings
    from core.workflows.take_away import check_target, make_folder

    if out is not None:
        make_folder(out)
    for target in (latex, csv_file, out / f"{NAME}.json" if out is not None else None):
        check_target(target)
    chosen = [row(key) for key in dict.fromkeys(scorers)] or ROWS
    bars = Bars(wanted=not quiet)
    teller = _Teller(wanted=not quiet)
    runtime = Runtime(device=detect_device(), report=bars.report)
    settings = Settings(caps=QUICK if quick else CAPS, fresh=fresh)
    try:
        found = run(
            runtime,
            sets=tuple(dict.fromkeys(sets)),
            rows=chosen,
            settings=settings,
            on_cell=teller.tell,
        )
    finally:
        bars.close()
    _save(found, out=out, latex=latex, csv_file=csv_file)
    click.echo(to_json(found) if as_json else as_text(found))
    if all(one.why_not for one in found.sets):
        click.echo("No pair set could be measured.\nThe table says why; give another one.", err=True)
        sys.exit(BAD_INPUT)


class _Teller:
    """Says on stderr which set is on, and each figure as it comes."""

    def __init__(self, *, wanted: bool) -> None:
        self._wanted = wanted
        self._set = ""

    def tell(self, facts: SetFacts, row: Row, cell: Cell) -> None:
        if not self._wanted:
            return
        if facts.key != self._set:
            self._set = facts.key
            click.echo(f"{facts.name}: {facts.pairs.get('test', 0):,} test pairs", err=True)
        figure = cell.figures.get("f1")
        if figure is not None and figure.value is not None:
            click.echo(f"  {row.name}: F1 {figure.value:.3f}", err=True)


def _save(found: PairBenchmark, *, out: Path | None, latex: Path | None, csv_file: Path | None) -> None:
    """Writes what was asked for."""
    from core.workflows.pair_benchmark.results import to_json
    from core.workflows.pair_benchmark.tables import as_csv, as_latex, as_markdown
    from core.workflows.take_away import save

    if out is not None:
        save(out / f"{NAME}.json", to_json(found).encode())
        save(out / f"{NAME}.md", as_markdown(found).encode())
        save(out / f"{NAME}.csv", as_csv(found).encode())
        save(out / f"{NAME}.tex", as_latex(found).encode())
    if latex is not None:
        save(latex, as_latex(found).encode())
    if csv_file is not None:
        save(csv_file, as_csv(found).encode())
