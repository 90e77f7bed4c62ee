"""The table of the benchmark for reading: as text, Markdown, CSV and LaTeX."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from core.pairs.benchmark.ranking import best, f1_of, is_part
from core.pairs.benchmark.results import Cell, Comparison, PairBenchmark, RowFacts, SetFacts
from core.results.delimited import delimited
from core.results.forms import footnotes, marked
from core.results.render import SIGNATURES, aligned, latex_signatures
from core.results.text import escape_latex
from core.statistics.figure import Figure

DETAIL: tuple[str, ...] = ("f1", "precision", "recall", "average_precision", "roc_auc")
_CSV_FIGURES = (*DETAIL, "accuracy", "calibration_error", "calibrated_error", "brier", "validation_f1")
_CSV_FIRST = ("set", "row", "name", "challenge", "supervised", "paper_dev_f1", "paper_test_f1")
_CSV_LAST = (
    *("behind_best", "behind_best_low", "behind_best_high", "p", "p_holm", "p_holm_comparisons", "warning"),
    *("threshold", "chosen_on", "tuned_pairs", "pairs", "pairs_of", "pairs_per_second", "memory_mb"),
    *("why_not", "notes", "signature"),
)
_NOTHING = "–"
_PART = "‡"
"""What stands behind a figure that was measured on a part of the set's pairs."""


def as_text(benchmark: PairBenchmark) -> str:
    """The table for a terminal: F1 by row and set beside the paper's, and why figures are missing."""
    header, body, reasons = _grid(benchmark)
    lines = aligned([header, *body])
    lines.insert(1, "-" * len(lines[0]))
    lines += ["", "F1 on test pairs; paper: as published on HLGD."]
    lines += ["Letters say why there is no figure:"] if reasons else []
    lines += [f"  {letter}  {reason}" for reason, letter in reasons.items()]
    lines += _parts(benchmark)
    lines += [f"{one.name}: {one.why_not}" for one in benchmark.sets if one.why_not]
    lines += ["", *(line for one in benchmark.sets for line in _best_line(benchmark, one))]
    lines += [f"{one.name}: {told}" for one in benchmark.sets for told in _warnings(benchmark, one)]
    lines += ["", _provenance(benchmark), SIGNATURES]
    return "\n".join(lines)


def as_markdown(benchmark: PairBenchmark) -> str:
    """The whole benchmark as a page: the table, then every set with intervals and comparisons."""
    header, body, reasons = _grid(benchmark)
    parts = [
        "## Results",
        "Written by `headline-lab benchmark pairs`. F1 on test pairs; the paper's columns are as published "
        "on HLGD (Laban et al. 2021, table 3). A threshold, the fading of + Time rows and the two numbers of "
        "time only are chosen on the pairs that each table names, never on test pairs. Brackets hold 95 % "
        "bootstrap intervals over the unit that stands under each set. The difference from the best row has "
        "its interval and its two-sided p-value from the same resamples of the pairs that both rows scored; "
        "p (Holm) is corrected for the comparisons with the best, as many as the head of its column says.",
        _markdown_table(header, body),
    ]
    if reasons:
        told = [f"- **{letter}** {reason}" for reason, letter in reasons.items()]
        parts.append("Letters say why there is no figure:\n\n" + "\n".join(told))
    parts += _parts(benchmark)
    for one in benchmark.sets:
        parts += [f"### {one.name}", *_set_page(benchmark, one)]
    return "\n\n".join([*parts, f"*{_provenance(benchmark)}*"]) + "\n"


def as_csv(benchmark: PairBenchmark) -> str:
    """One line a set and row, with every figure, its interval and signature."""
    rows = {row.key: row for row in benchmark.rows}
    lines: list[Sequence[object]] = []
    spans = [f"{name}{end}" for name in _CSV_FIGURES for end in ("", "_low", "_high")]
    lines.append([*_CSV_FIRST, *spans, *_CSV_LAST])
    for cell in benchmark.cells:
        row = rows[cell.row]
        figures = [cell.figures.get(name, Figure(None)) for name in _CSV_FIGURES]
        lines.append(
            [cell.set, row.key, row.name, row.challenge, int(row.supervised)]
            + [_plain(row.published_validation), _plain(row.published_test)]
            + [_plain(value) for one in figures for value in (one.value, one.low, one.high)]
            + _behind(benchmark, cell)
            + [_plain(cell.threshold), cell.chosen_on, cell.tuned_pairs, cell.pairs, cell.pairs_of]
            + [_plain(cell.pairs_per_second), _plain(cell.memory_mb)]
            + [cell.why_not, " ".join(cell.notes), cell.signature]
        )
    return delimited(lines)


def as_latex(benchmark: PairBenchmark) -> str:
    """The table for a paper, in booktabs form; with intervals where it is of one set."""
    header, body, reasons = _grid(benchmark, intervals=len(benchmark.sets) == 1)
    lines = [
        r"% needs \usepackage{booktabs}",
        rf"\begin{{tabular}}{{l{'r' * (len(header) - 1)}}}",
        r"\toprule",
        " & ".join(map(escape_latex, header)) + r" \\",
        r"\midrule",
        *(" & ".join(map(escape_latex, line)) + r" \\" for line in body),
        r"\bottomrule",
        r"\end{tabular}",
        *(f"% {letter}: {reason}" for reason, letter in reasons.items()),
        *(f"% {told}" for told in _parts(benchmark)),
        *(f"% {one.name}: {told}" for one in benchmark.sets for told in _warnings(benchmark, one)),
        f"% {_provenance(benchmark)}",
        *latex_signatures(
            (f"{cell.set}, {cell.row}", cell.signature) for cell in benchmark.cells if cell.figures
        ),
    ]
    return "\n".join(lines) + "\n"


def _grid(
    benchmark: PairBenchmark, *, intervals: bool = False
) -> tuple[list[str], list[list[str]], dict[str, str]]:
    """Header, lines, and a letter for each reason why a figure is missing."""
    shown = [one for one in benchmark.sets if not one.why_not]
    cells = {(cell.set, cell.row): cell for cell in benchmark.cells}
    reasons: dict[str, str] = {}
    header = ["row", "challenge", "paper dev", "paper test", *(one.name for one in shown)]
    body = [
        [
            row.name,
            str(row.challenge),
            _short(row.published_validation),
            _short(row.published_test),
            *(_grid_cell(cells.get((one.key, row.key)), reasons, intervals=intervals) for one in shown),
        ]
        for row in benchmark.rows
    ]
    return header, body, reasons


def _grid_cell(cell: Cell | None, reasons: dict[str, str], *, intervals: bool) -> str:
    if cell is None:
        return _NOTHING
    figure = cell.figures.get("f1", Figure(None, cell.why_not))
    if figure.value is not None:
        shown = _spanned(figure) if intervals else marked(_short(figure.value), figure.warning)
        return f"{shown} {_PART}" if is_part(cell) else shown
    return reasons.setdefault(figure.reason, _letter(len(reasons)))


def _parts(benchmark: PairBenchmark) -> list[str]:
    """Which rows were measured on a part of a set's pairs, a line for each set and number of pairs."""
    names = {row.key: row.name for row in benchmark.rows}
    found: list[str] = []
    for one in benchmark.sets:
        cells: dict[tuple[int, int], list[str]] = {}
        for cell in _ranked(benchmark, one):
            if is_part(cell):
                cells.setdefault((cell.pairs, cell.pairs_of), []).append(names[cell.row])
        found += [
            f"{_PART} {one.name}: on {pairs:,} of {whole:,} pairs: {', '.join(rows)}."
            for (pairs, whole), rows in cells.items()
        ]
    return found


def _letter(number: int) -> str:
    return (_letter(number // 26 - 1) if number >= 26 else "") + chr(ord("a") + number % 26)


def _set_page(benchmark: PairBenchmark, one: SetFacts) -> list[str]:
    if one.why_not:
        return [one.why_not]
    counts = ", ".join(
        f"{count:,} {part} pairs" + (f" ({one.positives[part]:,} same)" if part in one.positives else "")
        for part, count in one.pairs.items()
        if count
    )
    about = [one.summary, f"{counts}. Intervals resample {one.unit} ({one.units:,}).", *one.notes]
    parts = [" ".join(filter(None, about))]
    ranked = _ranked(benchmark, one)
    if not ranked:
        return [*parts, "No row has a figure here."]
    against = with_best(benchmark, one.key)
    family = max((item.family for item in against.values()), default=0)
    names = {row.key: row for row in benchmark.rows}
    header = [
        "row",
        "F1",
        "dev F1",
        "accuracy",
        "precision",
        "recall",
        "AP",
        "calibration error (after a curve)",
    ]
    header += [
        "threshold, chosen on",
        "behind the best",
        "p",
        _holm(family),
    ]
    header += ["pairs", "pairs a second", "memory MB"]
    body = [_detail(names[cell.row], cell, against.get(cell.row)) for cell in ranked]
    parts.append(_markdown_table(header, body))
    parts += _warnings(benchmark, one)
    notes = [f"{names[cell.row].name}: {note}" for cell in ranked for note in cell.notes]
    return parts + (["\n".join(f"- {note}" for note in notes)] if notes else [])


def _holm(family: int) -> str:
    return "p (Holm)" if not family else f"p (Holm, {family} comparison{'s' * (family != 1)} with the best)"


def turned(one: Comparison, first: str) -> Comparison:
    """A comparison with the given row as the one and the rival as the other."""
    if one.one == first or one.difference is None:
        return one
    low, high = (None if end is None else -end for end in (one.high, one.low))
    return replace(one, one=one.other, other=one.one, difference=-one.difference, low=low, high=high)


def with_best(benchmark: PairBenchmark, set_key: str) -> dict[str, Comparison]:
    """How far each row of a set is behind the best, by key; what Holm's correction is over."""
    first = best([cell for cell in benchmark.cells if cell.set == set_key])
    if first is None:
        return {}
    one = first.row
    found = [item for item in benchmark.comparisons if item.set == set_key and one in (item.one, item.other)]
    return {(item.other if item.one == one else item.one): turned(item, one) for item in found}


def _behind(benchmark: PairBenchmark, cell: Cell) -> list[str]:
    """The cells of the comparison with the best in CSV; what is wrong with the intervals last."""
    warning = next((one.warning for one in cell.figures.values() if one.warning), "")
    one = with_best(benchmark, cell.set).get(cell.row) if cell.figures else None
    if one is None:
        return [*[""] * 6, warning]
    values = (one.difference, one.low, one.high, one.p, one.corrected)
    return [*map(_plain, values), str(one.family), warning]


def _warnings(benchmark: PairBenchmark, one: SetFacts) -> list[str]:
    """What is wrong with the intervals of a set, one line each."""
    cells = [cell for cell in benchmark.cells if cell.set == one.key]
    return footnotes(figure.warning for cell in cells for figure in cell.figures.values())


def _detail(row: RowFacts, cell: Cell, against: Comparison | None) -> list[str]:
    figures = cell.figures
    chosen = _NOTHING if cell.threshold is None else f"{cell.threshold:.3f}, {cell.chosen_on}"
    behind = _NOTHING
    if against is not None:
        behind = _spanned(Figure(against.difference, "", against.low, against.high, against.warning))
    raw, curved = (_short(_value(figures, f"{how}_error")) for how in ("calibration", "calibrated"))
    return [
        row.name,
        _spanned(figures["f1"]),
        _short(_value(figures, "validation_f1")),
        *(_spanned(figures[name]) for name in ("accuracy", "precision", "recall", "average_precision")),
        f"{raw} ({curved})",
        chosen,
        behind,
        _chance(against.p if against else None),
        _chance(against.corrected if against else None),
        f"{cell.pairs:,}",
        _NOTHING if cell.pairs_per_second is None else f"{cell.pairs_per_second:,.0f}",
        _NOTHING if cell.memory_mb is None else f"{cell.memory_mb:,.0f}",
    ]


def _ranked(benchmark: PairBenchmark, one: SetFacts) -> list[Cell]:
    """Cells of a set that have an F1, best first."""
    cells = [cell for cell in benchmark.cells if cell.set == one.key and f1_of(cell) is not None]
    return sorted(cells, key=lambda cell: -(f1_of(cell) or 0.0))


def _best_line(benchmark: PairBenchmark, one: SetFacts) -> list[str]:
    """Who is best on a set, a line; none where no row has a figure."""
    first = best([cell for cell in benchmark.cells if cell.set == one.key])
    if first is None:
        return []
    name = next(row.name for row in benchmark.rows if row.key == first.row)
    return [f"{one.name}: best is {name}, F1 {_spanned(first.figures['f1'])} on {first.pairs:,} pairs."]


def _provenance(benchmark: PairBenchmark) -> str:
    machine = benchmark.machine
    return (
        f"{benchmark.date}, {benchmark.program}, {machine.get('cores')} cores ({machine.get('processor')}), "
        f"seed {benchmark.seed}, {benchmark.resamples:,} resamples."
    )


def _value(figures: Mapping[str, Figure], name: str) -> float | None:
    return figures[name].value if name in figures else None


def _spanned(figure: Figure) -> str:
    if figure.value is None:
        return _NOTHING
    if figure.low is None or figure.high is None:
        return marked(_short(figure.value), figure.warning)
    return marked(f"{figure.value:.3f} [{figure.low:.3f}, {figure.high:.3f}]", figure.warning)


def _short(value: float | None) -> str:
    return _NOTHING if value is None else f"{value:.3f}"


def _chance(p: float | None) -> str:
    return "<0.001" if p is not None and p < 0.001 else _short(p)


def _plain(value: float | None) -> str:
    return "" if value is None else f"{value:.6g}"


def _markdown_table(header: Sequence[str], body: Sequence[Sequence[str]]) -> str:
    lines = [header, ["---"] * len(header), *body]
    return "\n".join("| " + " | ".join(text.replace("|", r"\|") for text in line) + " |" for line in lines)
