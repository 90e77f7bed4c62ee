"""The table of the benchmark for reading: as text, Markdown, CSV and LaTeX."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from core.results import render
from core.results.render import SIGNATURES
from core.results.table import (
    NOTHING,
    SPAN,
    Table,
    TableColumn,
    Value,
    chance,
    decimals,
    marked,
    spanned,
    whole,
    written,
)
from core.statistics.bootstrap import Figure
from research.benchmark.pairs.rows import PairBenchmark, PairCell, PairSetFacts, PairSystem, best, is_part
from research.benchmark.results import SystemComparison

DETAIL: Final = ("f1", "precision", "recall", "average_precision", "roc_auc")
_FILED: Final = (*DETAIL, "accuracy", "calibration_error", "calibrated_error", "brier", "validation_f1")
_FORM: Final = decimals(3)
_PART: Final = "‡"  # what stands behind a figure that was measured on a part of the set's pairs
_ABOUT: Final = (
    "Written by `headline-lab benchmark pairs`. F1 on test pairs; the paper's columns are as published "
    "on HLGD (Laban et al. 2021, table 3). Thresholds, the decay of + Time rows and the two numbers of "
    "time only are chosen on the pairs that each table names, never on test pairs. Brackets hold 95 % "
    "bootstrap intervals over the unit named under each set. The difference from the best row has its "
    "interval and two-sided p-value from the same resamples of the pairs that both rows scored; p (Holm) "
    "is corrected for the comparisons with the best, counted in the head of its column."
)

_SHORT: Final = (
    "F1 on test pairs; the paper's columns are as published on HLGD (Laban et al. 2021, table 3). ‡ is "
    "measured on a part of the set's pairs."
)
"""Above the table alone."""


def as_text(benchmark: PairBenchmark) -> str:
    table, reasons = _grid(benchmark)
    lines = [render.as_text(table), "", "F1 on test pairs; paper: as published on HLGD."]
    lines += ["Letters say why there is no figure:"] if reasons else []
    lines += [f"  {letter}  {reason}" for reason, letter in reasons.items()]
    lines += _parts(benchmark)
    lines += [f"{facts.name}: {facts.why_not}" for facts in benchmark.sets if facts.why_not]
    lines += ["", *(line for dataset in benchmark.sets for line in _best_line(benchmark, dataset))]
    return "\n".join([*lines, *_all_warnings(benchmark), "", benchmark.provenance(), SIGNATURES])


def as_markdown(benchmark: PairBenchmark, *, sets: Sequence[PairSetFacts] | None = None) -> str:
    """A page: the table, then every set, or these, with intervals and comparisons."""
    table, reasons = _grid(benchmark)
    shown = benchmark.sets if sets is None else sets
    parts = ["## Results", _ABOUT if shown else _SHORT, render.as_markdown(table)]
    if reasons:
        told = [f"- **{letter}** {reason}" for reason, letter in reasons.items()]
        parts.append("Letters say why there is no figure:\n\n" + "\n".join(told))
    parts += _parts(benchmark) if shown else []
    for facts in shown:
        parts += [f"### {facts.name}", *_set_page(benchmark, facts)]
    return "\n\n".join([*parts, f"*{benchmark.provenance()}*"]) + "\n"


def as_latex(benchmark: PairBenchmark) -> str:
    """The table for a paper, in booktabs form; with intervals where it is of one set."""
    table, reasons = _grid(benchmark, intervals=len(benchmark.sets) == 1)
    notes = [f"{letter}: {reason}" for reason, letter in reasons.items()]
    notes += [*_parts(benchmark), *_all_warnings(benchmark)]
    signed = [(f"{cell.set}, {cell.system}", cell.signature) for cell in benchmark.cells if cell.figures]
    signed.insert(0, ("measured", benchmark.provenance()))
    return render.as_latex(replace(table, notes=tuple(notes), signatures=tuple(signed)))


def as_csv(benchmark: PairBenchmark) -> str:
    first = ("set", "row", "name", "challenge", "supervised", "paper_dev_f1", "paper_test_f1")
    last = ["p", "p_holm", "p_holm_comparisons", "warning", "threshold", "chosen_on", "tuned_pairs", "pairs"]
    last += ["pairs_of", "pairs_per_second", "memory_mb", "why_not", "notes", "signature"]
    figures = [TableColumn(name, parts=SPAN) for name in (*_FILED, "behind_best")]
    rows = {row.key: row for row in benchmark.systems}
    table = Table(
        columns=(*map(TableColumn, first), *figures, *map(TableColumn, last)),
        rows=tuple(_filed(benchmark, cell, rows[cell.system]) for cell in benchmark.cells),
    )
    return render.as_csv(table)


def with_best(benchmark: PairBenchmark, set_key: str) -> dict[str, SystemComparison]:
    """How far each row of a set is behind the best, by key; what Holm's correction is over."""
    first = best([cell for cell in benchmark.cells if cell.set == set_key])
    if first is None:
        return {}
    one = first.system
    found = [item for item in benchmark.comparisons if item.set == set_key and one in (item.one, item.other)]
    return {(item.other if item.one == one else item.one): item.turned(one) for item in found}


def _filed(benchmark: PairBenchmark, cell: PairCell, row: PairSystem) -> tuple[Value, ...]:
    against = with_best(benchmark, cell.set).get(cell.system) if cell.figures else None
    return (
        *(cell.set, row.key, row.name, row.challenge, int(row.supervised)),
        *(row.published_validation, row.published_test),
        *(cell.figures.get(name, Figure(None)) for name in _FILED),
        *(_gap(against), *_tested(against), against.family if against else None),
        next((figure.warning for figure in cell.figures.values() if figure.warning), ""),
        *(cell.threshold, cell.chosen_on, cell.tuned_pairs, cell.count, cell.whole),
        *(cell.pairs_per_second, cell.memory_mb, cell.why_not, " ".join(cell.notes), cell.signature),
    )


def _grid(benchmark: PairBenchmark, *, intervals: bool = False) -> tuple[Table, dict[str, str]]:
    shown = [facts for facts in benchmark.sets if not facts.why_not]
    cells = {(cell.set, cell.system): cell for cell in benchmark.cells}
    reasons: dict[str, str] = {}
    names = ("row", "challenge", "paper dev", "paper test", *(facts.name for facts in shown))
    body = [
        (
            *(row.name, str(row.challenge), row.published_validation, row.published_test),
            *(_grid_cell(cells.get((one.key, row.key)), reasons, intervals=intervals) for one in shown),
        )
        for row in benchmark.systems
    ]
    return Table(columns=tuple(map(TableColumn, names)), rows=tuple(body)), reasons


def _grid_cell(cell: PairCell | None, reasons: dict[str, str], *, intervals: bool) -> str:
    if cell is None:
        return NOTHING
    figure = cell.figures.get("f1", Figure(None, cell.why_not))
    if figure.value is None:
        return reasons.setdefault(figure.reason, _letter(len(reasons)))
    shown = spanned(figure, _FORM) if intervals else marked(_FORM(figure.value), figure.warning)
    return f"{shown} {_PART}" if is_part(cell) else shown


def _letter(number: int) -> str:
    return (_letter(number // 26 - 1) if number >= 26 else "") + chr(ord("a") + number % 26)


def _parts(benchmark: PairBenchmark) -> list[str]:
    found: list[str] = []
    for facts in benchmark.sets:
        cells: dict[tuple[int, int], list[str]] = {}
        for cell in _ranked(benchmark, facts):
            if is_part(cell):
                cells.setdefault((cell.count, cell.whole), []).append(benchmark.names[cell.system])
        found += [
            f"{_PART} {facts.name}: on {pairs:,} of {of:,} pairs: {', '.join(rows)}."
            for (pairs, of), rows in cells.items()
        ]
    return found


def _set_page(benchmark: PairBenchmark, one: PairSetFacts) -> list[str]:
    if one.why_not:
        return [one.why_not]
    counts = ", ".join(
        f"{count:,} {part} pairs" + (f" ({one.positives[part]:,} same)" if part in one.positives else "")
        for part, count in one.pairs.items()
        if count
    )
    about = [one.about, f"{counts}. Intervals resample {one.unit} ({one.units:,}).", *one.notes]
    parts = [" ".join(filter(None, about))]
    ranked = _ranked(benchmark, one)
    if not ranked:
        return [*parts, "No row has a figure here."]
    parts += [render.as_markdown(_details(benchmark, one, ranked)), *benchmark.warnings(one.key)]
    notes = [f"- {benchmark.names[cell.system]}: {note}" for cell in ranked for note in cell.notes]
    return parts + (["\n".join(notes)] if notes else [])


def _details(benchmark: PairBenchmark, one: PairSetFacts, ranked: Sequence[PairCell]) -> Table:
    against = with_best(benchmark, one.key)
    family = max((item.family for item in against.values()), default=0)
    holm = f"p (Holm, {family} comparison{'s' * (family != 1)} with the best)" if family else "p (Holm)"
    heads = ["row", "F1", "dev F1", "accuracy", "precision", "recall", "AP"]
    heads += ["calibration error (after a curve)", "threshold, chosen on", "behind the best", "p", holm]
    columns = [*map(TableColumn, heads), TableColumn("pairs")]
    columns += [TableColumn(name, form=whole) for name in ("pairs a second", "memory MB")]
    return Table(
        columns=tuple(columns),
        rows=tuple(_detail(benchmark.names[cell.system], cell, against.get(cell.system)) for cell in ranked),
    )


def _detail(name: str, cell: PairCell, against: SystemComparison | None) -> tuple[Value, ...]:
    values = {key: figure.value for key, figure in cell.figures.items()}
    raw, curved = (written(values.get(f"{how}_error"), _FORM) for how in ("calibration", "calibrated"))
    return (
        *(name, cell.figures["f1"], values.get("validation_f1")),
        *(cell.figures[key] for key in ("accuracy", "precision", "recall", "average_precision")),
        f"{raw} ({curved})",
        NOTHING if cell.threshold is None else f"{cell.threshold:.3f}, {cell.chosen_on}",
        *(_gap(against), chance(_tested(against)[0]), chance(_tested(against)[1])),
        *(cell.count, cell.pairs_per_second, cell.memory_mb),
    )


def _gap(against: SystemComparison | None) -> Figure:
    return Figure(None) if against is None else replace(against.difference, p=None)


def _tested(against: SystemComparison | None) -> tuple[float | None, float | None]:
    return (against.difference.p, against.corrected) if against else (None, None)


def _ranked(benchmark: PairBenchmark, one: PairSetFacts) -> list[PairCell]:
    cells = [cell for cell in benchmark.cells if cell.set == one.key and cell.value("f1") is not None]
    return sorted(cells, key=lambda cell: -(cell.value("f1") or 0.0))


def _best_line(benchmark: PairBenchmark, one: PairSetFacts) -> list[str]:
    first = best([cell for cell in benchmark.cells if cell.set == one.key])
    if first is None:
        return []
    shown = spanned(first.figures["f1"], _FORM)
    line = f"{one.name}: best is {benchmark.names[first.system]}, F1 {shown} on {first.count:,} pairs"
    above = [cell for cell in _ranked(benchmark, one) if (cell.value("f1") or 0) > (first.value("f1") or 0)]
    others = [f"{benchmark.names[cell.system]} {_FORM(cell.value('f1') or 0)}" for cell in above]
    return [f"{line}{'; not compared with it: ' if others else ''}{', '.join(others)}."]


def _all_warnings(benchmark: PairBenchmark) -> list[str]:
    return [f"{facts.name}: {told}" for facts in benchmark.sets for told in benchmark.warnings(facts.key)]
