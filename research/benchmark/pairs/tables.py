"""The table of the benchmark of pairs: systems and sets, and each set with intervals and comparisons."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import ClassVar, Final

from core.results import number_forms, ties
from core.results import table as results_table
from core.results.render import letter
from core.results.table_files import as_latex
from core.statistics.bootstrap import Figure
from research.benchmark.pairs.rows import PairSystem
from research.benchmark.pairs.sets import PairCell, PairSetFacts, best, is_part
from research.benchmark.results import Benchmark, BenchmarkFile, SystemComparison

_FILED: Final = (
    *("f1", "precision", "recall", "average_precision", "roc_auc", "accuracy"),
    *("calibration_error", "calibrated_error", "brier", "validation_f1"),
)
_FORM: Final = number_forms.decimals(3)
_HLGD: Final = "hlgd"  # key of the set that the paper's figures are of
_PART: Final = "‡"  # what stands behind a figure that was measured on a part of the set's pairs


class PairBenchmark(Benchmark[PairSetFacts, PairSystem, PairCell]):
    about: ClassVar[str] = (
        "Written by `headline-lab benchmark pairs`. F1 on test pairs; the paper's columns are as published "
        "on HLGD (Laban et al. 2021, table 3). Thresholds, the decay of + Time rows and the two numbers of "
        "time only are chosen on the pairs that each table names, never on test pairs. Brackets hold 95 % "
        f"bootstrap intervals over the unit named under each set; {_PART} is measured on a part of the set's "
        "pairs. The difference from the best row has its interval and two-sided p-value from the same "
        "resamples of the pairs that both rows scored; p (Holm) is corrected for the comparisons with the "
        "best, counted in the head of its column."
    )

    def blocks(self, *, brief: bool) -> Iterator[str | results_table.Table]:
        shown = [facts for facts in self.sets if not facts.why_not]
        reasons: dict[str, str] = {}
        rows = []
        for system in self.systems:
            cells = [self.cell(facts.key, system.key) for facts in shown]
            figures = [_grid_cell(cell, reasons, intervals=len(self.sets) == 1) for cell in cells]
            published = system.published(*(facts.key for facts in shown))
            rows.append((system.name, str(system.challenge), *published, *figures))
        names = ("row", "challenge", "paper dev", "paper test", *(facts.name for facts in shown))
        notes = [f"{letter}: {reason}" for reason, letter in reasons.items()] + _unlike_paper(shown)
        for facts in self.sets:
            if facts.why_not:
                notes.append(f"{facts.name}: {facts.why_not}")
            parts: dict[tuple[int, int], list[str]] = {}
            for cell in self.ranked(facts):
                if is_part(cell):
                    parts.setdefault((cell.count, cell.whole), []).append(self.names[cell.system])
            for (count, of), systems in parts.items():
                notes.append(f"{_PART} {facts.name}: on {count:,} of {of:,} pairs: {', '.join(systems)}.")
            notes += self._best_line(facts)
            notes += [f"{facts.name}: {warning}" for warning in self.warnings(facts.key)]
        title = "F1 on test pairs; paper: as published on HLGD. Letters: why there is no figure."
        yield results_table.Table(
            columns=tuple(map(results_table.TableColumn, names)),
            rows=tuple(rows),
            title=title,
            notes=tuple(notes),
        )
        if not brief:
            yield from super().blocks(brief=brief)

    def tables(self, facts: PairSetFacts, *, brief: bool) -> Iterator[str | results_table.Table]:
        yield ", ".join(
            f"{count:,} {part} pairs ({facts.positives.get(part, 0):,} same)"
            for part, count in facts.pairs.items()
            if count
        )
        against = self.with_best(facts.key)
        family = max((item.family for item in against.values()), default=0)
        holm = f"p (Holm, {family} comparison{'s' * (family != 1)} with the best)" if family else "p (Holm)"
        heads = ["row", "F1", "dev F1", "accuracy", "precision", "recall", "AP"]
        heads += ["calibration error (after a curve)", "threshold, chosen on", "behind the best", "p", holm]
        heads += ["pairs", "pairs a second", "memory MB"]
        rows = []
        for cell in self.ranked(facts):
            gap, p, corrected, _ = _behind(against.get(cell.system))
            errors = (
                number_forms.written(cell.value(f"{how}_error"), _FORM)
                for how in ("calibration", "calibrated")
            )
            rows.append(
                (
                    *(self.names[cell.system], cell.figures["f1"], cell.value("validation_f1")),
                    *(cell.figures[key] for key in ("accuracy", "precision", "recall", "average_precision")),
                    "{} ({})".format(*errors),
                    number_forms.NOTHING
                    if cell.threshold is None
                    else f"{cell.threshold:.3f}, {cell.chosen_on}",
                    *(gap, number_forms.chance(p), number_forms.chance(corrected), cell.count),
                    *(
                        number_forms.written(cell.pairs_per_second, number_forms.whole),
                        number_forms.written(cell.memory_mb, number_forms.whole),
                    ),
                )
            )
        yield results_table.Table(columns=tuple(map(results_table.TableColumn, heads)), rows=tuple(rows))
        yield "\n".join(
            f"- {self.names[cell.system]}: {note}" for cell in self.ranked(facts) for note in cell.notes
        )

    def as_latex(self, *, columns: int | None = results_table.MOST_COLUMNS) -> str:
        papers = (replace(self.paper(facts.key), signatures=()) for facts in self.sets if not facts.why_not)
        written = (as_latex(paper, columns=columns) for paper in papers)
        return super().as_latex(columns=columns) + "".join(written)

    def paper(self, set_key: str) -> results_table.Table:
        """A set for a paper: all rows that have figures, with letters for those that do not differ in F1."""
        cells, facts = self.ranked(self.set(set_key)), self.set(set_key)
        rows, letters, notes = [], *self._ties(facts, cells)
        for at, cell in enumerate(cells):
            row = self.system(cell.system)
            rows.append(
                (
                    row.name + f" {_PART}" * is_part(cell),
                    *(cell.figures["f1"], letters.get(at, number_forms.NOTHING)),
                    *(cell.figures[key] for key in ("precision", "recall", "average_precision")),
                    *row.published(set_key),
                    *(cell.figures["accuracy"], cell.value("calibration_error"), cell.threshold),
                    *(cell.chosen_on, str(row.challenge), cell.count, cell.pairs_per_second, cell.memory_mb),
                )
            )
        names = ["System", "F1", "Ties", "Precision", "Recall", "AP", "Paper dev", "Paper test", "Accuracy"]
        names += ["Calibration", "Threshold", "Chosen on", "Challenge"]
        counts = (
            results_table.TableColumn(name, form=number_forms.whole) for name in ("Pairs", "Pairs/s", "MB")
        )
        columns = (*map(results_table.TableColumn, names), *counts)
        said = f"{facts.name}: {facts.pairs.get('test', 0):,} test pairs. Intervals resample {facts.unit}."
        paper = "Paper dev, Paper test: other models on HLGD, as its paper prints them; not measured here."
        paper = " ".join([paper, *_unlike_paper([facts])])
        parts = [f"{_PART} Measured on a part of the pairs."] if any(map(is_part, cells)) else []
        signed = tuple((self.names[cell.system], cell.signature) for cell in cells if cell.signature)
        notes = (said, paper, *notes, *parts, *self.warnings(set_key))
        return results_table.Table(columns=columns, rows=tuple(rows), notes=notes, signatures=signed)

    def _ties(self, facts: PairSetFacts, cells: Sequence[PairCell]) -> tuple[dict[int, str], tuple[str, ...]]:
        place = {cell.system: at for at, cell in enumerate(cells)}
        gaps: dict[ties.Pair, Figure] = {}
        for pair in self.comparisons:
            if pair.set == facts.key and {pair.one, pair.other} <= place.keys():
                first, second = place[pair.one], place[pair.other]
                gaps[min(first, second), max(first, second)] = pair.difference
        count = Counter(at for ends in gaps for at in ends)
        joined: list[int] = []
        for at in sorted(count, key=lambda at: (-count[at], at)):
            joined += [at] * all((min(at, other), max(at, other)) in gaps for other in joined)
        gaps = {ends: gap for ends, gap in gaps.items() if set(ends) <= set(joined)}
        notes = ties.tie_notes("F1", gaps, _FORM)
        missing = len(cells) - len(joined)
        if notes and missing:
            notes += (f"{number_forms.NOTHING} in Ties: not compared with all others ({missing:,} systems).",)
        return (ties.tie_letters(sorted(joined), ties.differing(gaps)) if notes else {}), notes

    def filed(self) -> results_table.Table:
        first = ("set", "row", "name", "challenge", "supervised", "paper_dev_f1", "paper_test_f1")
        last = ["p", "p_holm", "p_holm_comparisons", "warning", "threshold", "chosen_on", "tuned_pairs"]
        last += ["pairs", "pairs_of", "pairs_per_second", "memory_mb", "why_not", "notes", "signature"]
        figures = [
            results_table.TableColumn(name, parts=results_table.SPAN) for name in (*_FILED, "behind_best")
        ]
        behind = {facts.key: self.with_best(facts.key) for facts in self.sets}
        rows: list[tuple[results_table.Value, ...]] = []
        for cell in self.cells:
            row = self.system(cell.system)
            rows.append(
                (
                    *(cell.set, row.key, row.name, row.challenge, int(row.supervised)),
                    *row.published(cell.set),
                    *(cell.figures.get(name, Figure(None)) for name in _FILED),
                    *_behind(behind[cell.set].get(cell.system) if cell.figures else None),
                    next((figure.warning for figure in cell.figures.values() if figure.warning), ""),
                    *(cell.threshold, cell.chosen_on, cell.tuned_pairs, cell.count, cell.whole),
                    *(cell.pairs_per_second, cell.memory_mb, cell.why_not, " ".join(cell.notes)),
                    cell.signature,
                )
            )
        return results_table.Table(
            columns=(*map(results_table.TableColumn, first), *figures, *map(results_table.TableColumn, last)),
            rows=tuple(rows),
        )

    def with_best(self, set_key: str) -> dict[str, SystemComparison]:
        """How far each row of a set is behind the best, by key; what Holm's correction is over."""
        first = best(list(self.cells_of(set_key)))
        if first is None:
            return {}
        key = first.system
        pairs = [pair for pair in self.comparisons if pair.set == set_key and key in (pair.one, pair.other)]
        return {(pair.other if pair.one == key else pair.one): pair.turned(key) for pair in pairs}

    def ranked(self, facts: PairSetFacts) -> list[PairCell]:
        cells = [cell for cell in self.cells_of(facts.key) if cell.value("f1") is not None]
        return sorted(
            (cell for cell in cells if cell.system in self.names), key=lambda cell: -(cell.value("f1") or 0.0)
        )

    def _best_line(self, facts: PairSetFacts) -> list[str]:
        ranked = self.ranked(facts)
        first = best(ranked)
        if first is None:
            return []
        shown = number_forms.spanned(first.figures["f1"], _FORM)
        line = f"{facts.name}: best is {self.names[first.system]}, F1 {shown} on {first.count:,} pairs"
        above = [cell for cell in ranked if (cell.value("f1") or 0) > (first.value("f1") or 0)]
        others = [f"{self.names[cell.system]} {_FORM(cell.value('f1') or 0)}" for cell in above]
        return [f"{line}{'; not compared with it: ' if others else ''}{', '.join(others)}."]


FILE: Final = BenchmarkFile(PairBenchmark, "pair", "pair scorers", "benchmark pairs")


def _grid_cell(cell: PairCell | None, reasons: dict[str, str], *, intervals: bool) -> str:
    if cell is None:
        return number_forms.NOTHING
    figure = cell.figures.get("f1", Figure(None, cell.why_not))
    if figure.value is None:
        return reasons.setdefault(figure.reason, letter(len(reasons)).lower())
    shown = (
        number_forms.spanned(figure, _FORM)
        if intervals
        else number_forms.marked(_FORM(figure.value), figure.warning)
    )
    return f"{shown} {_PART}" if is_part(cell) else shown


def _unlike_paper(sets: Sequence[PairSetFacts]) -> list[str]:
    others = [facts.how_drawn for facts in sets if facts.key.partition(".")[0].partition("|")[0] != _HLGD]
    return [
        "The paper's figures are not to be compared with those of other pairs than HLGD's (ten timelines, "
        f"negatives within four days, about five a positive). {'; '.join(others)}."
    ] * bool(others)


def _behind(against: SystemComparison | None) -> tuple[Figure, float | None, float | None, int | None]:
    if against is None:
        return Figure(None), None, None, None
    return replace(against.difference, p=None), against.difference.p, against.corrected, against.family
