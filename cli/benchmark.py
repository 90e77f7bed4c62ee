"""`headline-lab benchmark`: the tables that methods are compared by."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cli import progress
from cli.main import BAD_INPUT, IN_PART
from cli.options import asked, command, given_for
from core import files
from core.errors import CoreError, InputError

if TYPE_CHECKING:
    from core.events.grouping import Settings
    from core.results.table import Row
    from core.runtime import Runtime
    from research.benchmark.engine import OnOutcome, Outcome
    from research.benchmark.results import BenchmarkFile, BenchmarkSet, BenchmarkSystem

Names = tuple[str, ...]


@click.group()
def benchmark() -> None:
    """Compare methods on labelled data."""


@command(benchmark)
def pairs(sets: Names, scorers: Names, quick: bool, fresh: bool, **output: Any) -> None:
    """Print the HLGD paper's table beside the same systems run here.

    Without --set, all pair sets on this machine; without --scorer, every system of the paper and ours.
    A row that cannot run says why. Thresholds come from training or validation pairs, never from test pairs.
    """
    from research.benchmark.pairs import evaluate, rows, run, tables

    chosen = [rows.row(key) for key in dict.fromkeys(scorers)]
    settings = evaluate.PairSettings(caps=evaluate.QUICK if quick else evaluate.CAPS, fresh=fresh)
    measure = partial(run.measure_pairs, sets=tuple(dict.fromkeys(sets)), rows=chosen, settings=settings)
    _run(tables.FILE, measure, nothing="No pair set could be measured.", **output)


@command(benchmark)
def headlines(
    sets: Names, systems: Names, metrics: Names, limit: int, seed: int, out: Path | None, **output: Any
) -> None:
    """Print what every system that writes headlines reaches, with the papers' figures.

    Without --set, all sets on this machine; without --system, every system of the papers and ours. A system
    that cannot run says why. What was written once is kept: a run that was stopped resumes. With --out the
    headlines are written, too.
    """
    from research.benchmark.headlines.run import measure_writers, write_headlines
    from research.benchmark.headlines.tables import FILE, ROWS, row

    chosen = [row(key) for key in dict.fromkeys(systems)] or ROWS
    measure = partial(measure_writers, sets=sets, rows=chosen, metrics=metrics, limit=limit)

    def work(runtime: Runtime, on_outcome: OnOutcome) -> Any:
        def finished(dataset: BenchmarkSet, system: BenchmarkSystem, outcome: Outcome) -> None:
            on_outcome(dataset, system, outcome)
            if out is not None and outcome.extra is not None:
                write_headlines(
                    out / "headlines" / Path(dataset.key).stem, system.key, outcome.extra.headlines
                )

        return measure(runtime, on_outcome=finished)

    _run(FILE, work, seed=seed, out=out, **output)


@command(benchmark)
def numerals(sets: Names, aligners: Names, part: str, limit: int, read: int, **output: Any) -> None:
    """Print how well numbers are derived, supported, flagged when wrong, and filled in.

    Without --set, NumHG's held-out rows and SemEval-2024's questions; without --aligner, all of ours. A run
    that was stopped resumes. Choices are made on --part validation alone.
    """
    from core.parts import Part
    from research.benchmark.numerals.run import ALIGNERS, measure_aligners
    from research.benchmark.numerals.tables import FILE

    measure = partial(
        measure_aligners, sets=sets, aligners=aligners or ALIGNERS, part=Part(part), limit=limit, read=read
    )
    _run(FILE, measure, **output)


@command(benchmark)
def groups(
    places: Names, gold: str | None, sets: Names, methods: Names, scorer: str | None, seed: int,
    out: Path | None, **output: Any,
) -> None:  # fmt: skip
    """Print how well headlines are grouped, compared with gold events.

    Of FILE (a file, sample:NAME or a folder of files): the default of `group` beside cosine × time, TF-IDF,
    HDBSCAN, Louvain, same day, and BERTopic where it is installed; of several files the mean, and each in
    --csv and --json. Headlines without a gold event are grouped, and not measured;
    what `group` sets aside as formats that repeat is neither.

    Without FILE: every grouping method on each --set (default: the samples with gold groups), cut where it
    cuts by itself; no gold group chooses anything. B-cubed F1 is compared with that of average linkage.
    """
    from core.events.grouping import Settings

    scorer = scorer or Settings().scorer
    if places and not (sets or methods or out):
        return _baselines(places, gold, Settings(scorer=scorer), seed=seed, **output)
    if places or gold is not None:
        said = "FILE with --gold compares baselines; --set, --method and --out are for grouping methods."
        raise InputError(said, hint="Give FILE, or --set; --csv and --json have all figures.")
    from research.benchmark import events

    measure = partial(events.measure_grouping, sets=sets or events.SETS, methods=methods, scorer=scorer)
    _run(events.FILE, measure, seed=seed, out=out, **output)


def _baselines(places: Names, gold: str | None, settings: Settings, *, seed: int) -> None:
    from core.events.baselines import baseline_table, gold_events, mean_table, measure_baselines
    from core.events.export import check_target
    from core.results.table_files import as_csv

    sources = list(dict.fromkeys(source for place in places for source in _files_at(place)))
    for option, source in product(("--csv", "--latex"), sources):
        check_target(given_for(option), source=source)
    column = [f"gold_group={gold}"] if gold is not None else []
    rows: list[Row] = []
    measured = 0
    with progress.working(seed=seed) as runtime:
        for source in sources:
            try:
                timeline = progress.open_timeline(source, columns=column)
                reports = [row for row, name in enumerate(timeline.formats) if not name]
                if 0 < len(reports) < len(timeline):
                    aside = len(timeline) - len(reports)
                    progress.note(f"{source}: {aside:,} in formats that repeat set aside, as `group` does.")
                    timeline = timeline.select(reports)
                events = gold_events(timeline)
            except CoreError as error:
                if len(sources) == 1:
                    raise
                progress.note(f"{source}: {error.message} {error.hint}")
                continue
            if blank := sum(event is None for event in events):
                progress.note(f"{source}: {blank:,} without a gold event: grouped, not measured.")
            rows += measure_baselines(source, timeline, events, runtime, settings=settings)
            measured += 1
    if not measured:
        sys.exit(BAD_INPUT)
    filed = shown = baseline_table(rows)
    if measured > 1:
        shown = mean_table(filed)
        filed = baseline_table([*rows, *shown.rows])
    progress.write_table(filed, (given_for("--csv"), as_csv))
    progress.write_table(shown, (given_for("--latex"), progress.as_latex))
    progress.show_table(filed if asked("--json") else shown)
    if measured < len(sources):
        sys.exit(IN_PART)


def _files_at(place: str) -> list[str]:
    from core.live.file_sources import is_taken

    if not Path(place).is_dir():
        return [place]
    found = [str(path) for path in sorted(Path(place).iterdir()) if path.is_file() and is_taken(path.name)]
    if not found:
        raise InputError(f"There is no file of headlines in {place}.", hint="Name another folder.")
    return found


@command(benchmark)
def claims(sets: Names, commands: Names, thorough: bool, limit: int) -> None:
    """Print which lights written headlines get, true and false, by kind of error.

    Without --set, all four: headlines of unseen writers, also by language and desk, theirs without a number,
    those written for NumHG's validation articles, and NumHG's with the number made wrong. A COMMAND gets one
    object a line with headline and article, and writes one with light: supported, found, check this or wrong.
    """
    from core.errors import UnknownNameError
    from research.benchmark import claims as measured

    for name in sets:
        if name not in measured.SETS:
            hint = f"Choose from {', '.join(measured.SETS)}."
            raise UnknownNameError(f"There is no set called {name!r}.", hint=hint)
    with progress.working() as runtime:
        shares = measured.measure_lights(
            runtime, sets=sets, commands=commands, thorough=thorough, limit=limit
        )
    progress.show(measured.as_object(shares), lambda: measured.as_text(shares))


@command(benchmark)
def detection(sets: Names, scorer: str | None, curves: Path | None) -> None:
    """Print how well a scorer detects links, first stories, and what belongs to an event.

    Without --set, the samples with gold groups. Headlines are read in order of time. A cost of 1 is that of a
    system that always gives the same answer; the least cost is that of a threshold chosen on the same data.
    """
    from core.pairs.file_scoring import default_scorer
    from research.benchmark import detection as measured
    from research.benchmark.events import SETS

    wanted = scorer or default_scorer()
    with progress.working() as runtime:
        measurements = {
            name: measured.measure_detection(progress.open_timeline(name), wanted, runtime)
            for name in sets or SETS
        }
    progress.write_table(measurements, (curves, measured.curve_table))
    progress.show(measured.as_object(measurements), lambda: measured.as_text(measurements))


@command(benchmark)
def style(source: str, limit: int) -> None:
    """Print how well the style of each outlet is known again on events that it was not learned from.

    Headlines are compared within an event alone, and seen as function words, signs and shapes of words.
    """
    from research.style import style_table

    with progress.working() as runtime:
        styles = style_table(source, runtime, most=limit)
    progress.show_table(styles)


@command(benchmark)
def unanswerable(aligner: str | None, limit: int) -> None:
    """Print how well blanks stay blank whose article lacks the answer.

    NumHG's rows, each with its article, and without the sentences that hold the answer. The threshold
    is chosen on validation rows.
    """
    from core.numerals.filling import load_filler
    from research.benchmark.numerals.unanswerable import abstention_table, measure_abstention

    with progress.working() as runtime:
        area, rows = measure_abstention(load_filler(aligner, runtime), runtime, limit=limit)
    progress.show_table(abstention_table(area, rows))


@command(benchmark)
def corpora(sets: Names, outlets: str | None, limit: int) -> None:
    """Print sentences, words and numbers of an article, beside those of published corpora.

    Without --set, all sets on this machine.
    """
    from research.benchmark import corpora as measured

    if outlets is not None:
        return progress.show_table(measured.outlets(progress.open_timeline(outlets)))
    with progress.working() as runtime:
        means = measured.measure_corpora(sets, runtime, limit=limit)
    progress.show(measured.as_object(means), lambda: measured.as_text(means))


def _run(
    file: BenchmarkFile[Any],
    work: Callable[..., Any],
    *,
    out: Path | None,
    seed: int = 0,
    nothing: str = "No set could be measured.",
) -> None:
    from core.events.export import check_target

    if out is not None:
        files.make_folder(out)
    figures, latex = given_for("--csv"), given_for("--latex")
    for target in (latex, figures, out / f"{file.name}_benchmark.json" if out is not None else None):
        check_target(target)
    with progress.working(seed=seed) as runtime:
        wanted = not asked("--quiet")
        announced: set[str] = set()

        def tell(dataset: BenchmarkSet, system: BenchmarkSystem, outcome: Outcome) -> None:
            if not wanted:
                return
            if dataset.key not in announced:
                announced.add(dataset.key)
                items = dataset.items.removesuffix("s") if dataset.count == 1 else dataset.items
                click.echo(f"{dataset.name}: {dataset.count:,} {items}", err=True)
            click.echo(f"  {system.name}: {outcome.cell.summary}", err=True)

        result = work(runtime, on_outcome=tell)
    in_latex = partial(file.kind.as_latex, columns=given_for("--columns"))
    if out is not None:
        writers = {"json": file.to_json, "md": file.kind.as_markdown}
        writers |= {"csv": file.kind.as_csv, "tex": in_latex}
        progress.write_table(
            result, *((out / f"{file.name}_benchmark.{ending}", text) for ending, text in writers.items())
        )
    progress.write_table(result, (latex, in_latex), (figures, file.kind.as_csv))
    click.echo(file.to_json(result) if asked("--json") else result.as_text())
    if all(dataset.why_not for dataset in result.sets):
        progress.note(f"{nothing}\nThe table says why; give another one.")
        sys.exit(BAD_INPUT)
