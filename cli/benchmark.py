"""`headline-lab benchmark`: the tables that methods are compared by."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.progress import Bars
from core import files

if TYPE_CHECKING:
    from core.data.articles.outputs import Outputs
    from core.headlines.benchmark.results import Cell as HeadlineCell
    from core.headlines.benchmark.results import HeadlineBenchmark
    from core.headlines.benchmark.results import RowFacts as SystemFacts
    from core.headlines.benchmark.results import SetFacts as SetAbout
    from core.numerals.benchmark.results import NumeralBenchmark
    from core.pairs.benchmark.results import Cell, PairBenchmark, SetFacts
    from core.pairs.benchmark.rows import Row

NAME = "pair_benchmark"
HEADLINES_NAME = "headline_benchmark"
NUMERALS_NAME = "numeral_benchmark"
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
    from core.events.export import check_target
    from core.pairs.benchmark.results import to_json
    from core.pairs.benchmark.rows import row
    from core.pairs.benchmark.run import run
    from core.pairs.benchmark.tables import as_text
    from core.pairs.benchmark.tuning import CAPS, QUICK, Settings
    from core.runtime import Runtime, detect_device

    if out is not None:
        files.make_folder(out)
    for target in (latex, csv_file, out / f"{NAME}.json" if out is not None else None):
        check_target(target)
    chosen = [row(key) for key in dict.fromkeys(scorers)]
    bars = Bars(wanted=not quiet)
    teller = _Teller(wanted=not quiet)
    runtime = Runtime(device=detect_device(), report=bars.report, patient=True)
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


@benchmark.command()
@click.option("--set", "sets", multiple=True, metavar="NAME", help="Set of articles; may be repeated.")
@click.option(
    "--system", "systems", multiple=True, metavar="ROW", help="Row or headline generator; may be repeated."
)
@click.option("--metrics", multiple=True, metavar="NAME", help="Metric or its signature; may be repeated.")
@click.option("--limit", default=0, metavar="N", help="Articles of a set at most, drawn with the seed.")
@click.option("--seed", default=0, show_default=True, help="Seed of samples, writing and resamples.")
@click.option("--out", type=click.Path(path_type=Path), help="Folder for .json .md .csv .tex and headlines.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--quiet", is_flag=True, help="No progress.")
def headlines(
    sets: tuple[str, ...],
    systems: tuple[str, ...],
    metrics: tuple[str, ...],
    limit: int,
    seed: int,
    out: Path | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Print what every system that writes headlines reaches, with the papers' figures.

    Without --set, all sets on this machine; without --system, every system of the papers and ours. A system
    that cannot run says why. What was written once is kept: a run that was stopped goes on where it stood.
    """
    from core.headlines.benchmark.results import to_json
    from core.headlines.benchmark.rows import ROWS, row
    from core.headlines.benchmark.run import run
    from core.headlines.benchmark.tables import as_text
    from core.runtime import Runtime, detect_device

    if limit < 0:
        raise click.BadParameter("give 0 for all, or a positive number", param_hint="--limit")
    if out is not None:
        files.make_folder(out)
    chosen = [row(key) for key in dict.fromkeys(systems)] or ROWS
    bars = Bars(wanted=not quiet)
    teller = _HeadlineTeller(wanted=not quiet, out=out)
    runtime = Runtime(device=detect_device(), seed=seed, report=bars.report, patient=True)
    try:
        found = run(runtime, sets=sets, rows=chosen, metrics=metrics, limit=limit, on_row=teller.tell)
    finally:
        bars.close()
    if out is not None:
        _save_headlines(found, out)
    click.echo(to_json(found) if as_json else as_text(found))
    if all(one.why_not for one in found.sets):
        click.echo("No set could be measured.\nThe table says why; give another one.", err=True)
        sys.exit(BAD_INPUT)


@benchmark.command()
@click.option("--set", "sets", multiple=True, metavar="NAME", help="Set of rows; may be repeated.")
@click.option("--attacher", "attachers", multiple=True, metavar="NAME", help="Attacher; may be repeated.")
@click.option("--part", type=click.Choice(["test", "validation"]), default="test", show_default=True)
@click.option("--limit", default=0, metavar="N", help="Rows of a set at most, drawn with the seed.")
@click.option("--read", default=0, metavar="N", help="Blanks of a set that the language model reads at most.")
@click.option("--seed", default=0, show_default=True, help="Seed of samples, baselines and resamples.")
@click.option("--out", type=click.Path(path_type=Path), help="Folder for .json .md .csv and .tex.")
@click.option("--latex", type=click.Path(path_type=Path), help="Write the tables as .tex.")
@click.option("--csv", "csv_file", type=click.Path(path_type=Path), help="Write every figure as .csv.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--quiet", is_flag=True, help="No progress.")
def numerals(
    sets: tuple[str, ...],
    attachers: tuple[str, ...],
    part: str,
    limit: int,
    read: int,
    seed: int,
    out: Path | None,
    latex: Path | None,
    csv_file: Path | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Print how well numbers are derived, supported, flagged when wrong, and filled in.

    Without --set, NumHG's held-out rows and SemEval-2024's questions; without --attacher, all of ours. Each
    step that is done is saved to --out. Choices are made on --part validation alone.
    """
    from core.events.export import check_target
    from core.numerals.benchmark.results import to_json
    from core.numerals.benchmark.run import ATTACHERS, run
    from core.numerals.benchmark.tables import as_text
    from core.parts import Part
    from core.runtime import Runtime, detect_device

    for given, option in ((limit, "--limit"), (read, "--read")):
        if given < 0:
            raise click.BadParameter("give 0 for all, or a positive number", param_hint=option)
    if out is not None:
        files.make_folder(out)
    for target in (latex, csv_file):
        check_target(target)

    def tell(step: str, so_far: NumeralBenchmark) -> None:
        if not quiet:
            click.echo(f"{step}: {so_far.seconds[step]:g} s", err=True)
        _save_numerals(so_far, out=out)

    bars = Bars(wanted=not quiet)
    runtime = Runtime(device=detect_device(), seed=seed, report=bars.report, patient=True)
    try:
        found = run(
            runtime,
            sets=sets,
            attachers=attachers or ATTACHERS,
            part=Part(part),
            limit=limit,
            read=read,
            on_step=tell,
        )
    finally:
        bars.close()
    _save_numerals(found, out=out, latex=latex, csv_file=csv_file)
    click.echo(to_json(found) if as_json else as_text(found))
    if all(one.why_not for one in found.sets):
        click.echo("No set could be measured.\nThe table says why; give another one.", err=True)
        sys.exit(BAD_INPUT)


def _save_numerals(
    found: NumeralBenchmark, *, out: Path | None, latex: Path | None = None, csv_file: Path | None = None
) -> None:
    """Writes what was asked for."""
    from core.numerals.benchmark.page import as_markdown
    from core.numerals.benchmark.results import to_json
    from core.numerals.benchmark.tables import as_csv, as_latex

    if out is not None:
        contents = {"json": to_json, "md": as_markdown, "csv": as_csv, "tex": as_latex}
        for ending, make in contents.items():
            files.write(out / f"{NUMERALS_NAME}.{ending}", make(found).encode())
    if latex is not None:
        files.write(latex, as_latex(found).encode())
    if csv_file is not None:
        files.write(csv_file, as_csv(found).encode())


class _HeadlineTeller:
    """Says on stderr what each system did, and keeps its headlines."""

    def __init__(self, *, wanted: bool, out: Path | None) -> None:
        self._wanted = wanted
        self._out = out

    def tell(self, one: SetAbout, system: SystemFacts, cell: HeadlineCell, written: Outputs | None) -> None:
        from core.results import forms

        if self._wanted:
            done = (
                cell.why_not or f"{one.articles:,} headlines, {forms.written(cell.seconds, forms.duration)}"
            )
            click.echo(f"{one.name}: {system.name}: {done}", err=True)
        if written is not None and self._out is not None:
            folder = self._out / "headlines" / one.key
            files.make_folder(folder)
            name = "".join(sign if sign.isalnum() or sign in "._-" else "_" for sign in system.key)[:80]
            files.write(folder / f"{name}.txt", ("\n".join(written.headlines) + "\n").encode())


def _save_headlines(found: HeadlineBenchmark, out: Path) -> None:
    """Writes the table in every form."""
    from core.headlines.benchmark.results import to_json
    from core.headlines.benchmark.tables import as_csv, as_latex, as_markdown

    contents = {"json": to_json, "md": as_markdown, "csv": as_csv, "tex": as_latex}
    for ending, make in contents.items():
        files.write(out / f"{HEADLINES_NAME}.{ending}", make(found).encode())


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
            count = facts.pairs.get("test", 0)
            click.echo(f"{facts.name}: {count:,} test {'pair' if count == 1 else 'pairs'}", err=True)
        figure = cell.figures.get("f1")
        if figure is not None and figure.value is not None:
            click.echo(f"  {row.name}: F1 {figure.value:.3f}", err=True)


def _save(found: PairBenchmark, *, out: Path | None, latex: Path | None, csv_file: Path | None) -> None:
    """Writes what was asked for."""
    from core.pairs.benchmark.results import to_json
    from core.pairs.benchmark.tables import as_csv, as_latex, as_markdown

    if out is not None:
        files.write(out / f"{NAME}.json", to_json(found).encode())
        files.write(out / f"{NAME}.md", as_markdown(found).encode())
        files.write(out / f"{NAME}.csv", as_csv(found).encode())
        files.write(out / f"{NAME}.tex", as_latex(found).encode())
    if latex is not None:
        files.write(latex, as_latex(found).encode())
    if csv_file is not None:
        files.write(csv_file, as_csv(found).encode())
