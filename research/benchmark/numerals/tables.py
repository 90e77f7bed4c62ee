"""The tables of the benchmark of numerals."""

from collections.abc import Iterator
from typing import ClassVar, Final, Literal

from core.results.number_forms import MARK, chance, decimals, percent
from core.results.table import LONG, Table, TableColumn, Value
from core.statistics.bootstrap import ENOUGH
from research.benchmark import results
from research.benchmark.numerals.sets import MAIN, TITLES, NumeralTask


class NumeralBenchmark(
    results.Benchmark[results.BenchmarkSet, results.BenchmarkSystem, results.BenchmarkCell]
):
    about: ClassVar[str] = (
        "Written by `headline-lab benchmark numerals`. Shares are shown times 100; brackets hold 95 % "
        "intervals over bootstrap resamples of the articles."
    )

    def tables(self, facts: results.BenchmarkSet, *, brief: bool) -> Iterator[str | Table]:
        yield from (table for _, table in self.main_tables(facts))
        if not brief:
            yield from self._comparisons(facts)

    def main_tables(self, facts: results.BenchmarkSet) -> Iterator[tuple[NumeralTask, Table]]:
        """The tables over systems of a set, those without a row left out."""
        figures = {
            (cell.system, cell.part, name): figure
            for cell in self.cells_of(facts.key, None)
            for name, figure in cell.figures.items()
        }
        for task, measures in MAIN.items():
            rows = []
            for system in self.systems:
                own = [figures.get((system.key, part, name)) for _, name, part in measures]
                if any(own):
                    rows.append((system.name, *own))
            better: Literal["lower", "higher"] = "lower" if task is NumeralTask.CALIBRATION else "higher"
            form = decimals(3) if task is NumeralTask.CALIBRATION else percent()
            columns = (TableColumn(label, form=form, better=better) for label, _, _ in measures)
            if rows and not facts.why_not:
                title = f"{TITLES[task]}: {facts.name}"
                yield task, Table(columns=(TableColumn("System"), *columns), rows=tuple(rows), title=title)

    def filed(self) -> Table:
        names = ("set", "part", "task", "system", "name", "measure", "of", "split", "group", "rows")
        value = TableColumn("value", parts=(*LONG, ("reason", "reason")))
        signatures = {(cell.set, cell.system): cell.signature for cell in self.cells if cell.signature}
        tasks = {name: task.value for task, columns in MAIN.items() for _, name, _ in columns}
        rows: list[tuple[Value, ...]] = []
        for cell in self.cells:
            split, _, group = cell.part.partition(": ")
            for name, figure in cell.figures.items():
                measure, _, of = name.partition(" ")
                what = cell.set, str(self.settings["part"]), tasks[name], cell.system
                parts = self.names[cell.system], measure, of, split or "all", group or "all"
                rows.append((*what, *parts, figure.count, figure, signatures[cell.set, cell.system]))
        columns = (*map(TableColumn, names), value, TableColumn("signature"))
        return Table(columns=columns, rows=tuple(rows))

    def warnings(self, set_key: str) -> list[str]:
        figures = (figure for cell in self.cells_of(set_key, None) for figure in cell.figures.values())
        if not any(figure.warning for figure in figures):
            return []
        return [f"{MARK} Fewer than {ENOUGH} articles: too few for a reliable interval, and one for any."]

    def provenance(self, *first: str) -> str:
        return super().provenance(f"{self.settings['part']} part", *first)

    def _comparisons(self, facts: results.BenchmarkSet) -> Iterator[str | Table]:
        names = ("one", "other", "blanks", "only one", "only the other", "p", "corrected")
        rows: list[tuple[Value, ...]] = []
        for item in self.comparisons:
            if item.set == facts.key:
                systems = self.names[item.one], self.names[item.other]
                chances = chance(item.difference.p), chance(item.corrected)
                rows.append((*systems, item.count, item.wins, item.losses, *chances))
        if rows:
            yield "Blanks that only one of two filled as wanted (McNemar's exact test, Holm's correction):"
            yield Table(columns=tuple(map(TableColumn, names)), rows=tuple(rows))


FILE: Final = results.BenchmarkFile(NumeralBenchmark, "numeral", "numerals", "benchmark numerals")
