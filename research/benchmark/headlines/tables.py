"""The table of the benchmark of headlines: its sets, columns and cells, and how it is shown."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Final

from core.headlines.comparison.table import SOURCES
from core.headlines.metrics import headline_metrics, in_order
from core.results.table import (
    LONG,
    NOTHING,
    Form,
    Row,
    Table,
    TableColumn,
    chance,
    decimals,
    duration,
    percent,
)
from core.statistics.bootstrap import Figure
from research.benchmark.headlines.generation import HeadlineSystem
from research.benchmark.results import Benchmark, BenchmarkCell, BenchmarkFile, BenchmarkSet, timed


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnFacts:
    key: str
    label: str
    percent: bool  # it goes from 0 to 1 and is shown times 100
    metric: str

    @property
    def form(self) -> Form:
        return percent(2) if self.percent else decimals(2)


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadlineSetFacts(BenchmarkSet):
    items: str = "articles"
    columns: tuple[ColumnFacts, ...] = ()
    metrics: Mapping[str, str] = field(default_factory=dict)  # library, or why not, by signature
    main: str = ""  # key of the column that systems are ranked and tested by; "" for none


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadlineCell(BenchmarkCell):
    """One system on one set; figures by key of the column, seconds of writing without loading."""

    empty: int = 0

    @property
    def summary(self) -> str:
        return self.why_not or f"{self.count:,} headlines{timed(self.seconds)}"


class HeadlineBenchmark(Benchmark[HeadlineSetFacts, HeadlineSystem, HeadlineCell]):
    about: ClassVar[str] = (
        "Written by `headline-lab benchmark headlines`. Values from 0 to 1 are shown times 100; brackets "
        "hold 95 % intervals over bootstrap resamples of the articles."
    )

    def blocks(self, *, brief: bool) -> Iterator[str | Table]:
        if not brief:
            names = ("system", "kind", "parameters", "training", "weights chosen on")
            rows = (
                (row.name, row.kind, parameter_words(row), training_words(row), row.chosen_on or None)
                for row in self.systems
            )
            yield "### Systems"
            yield Table(columns=tuple(map(TableColumn, names)), rows=tuple(rows))
        yield from super().blocks(brief=brief)
        yield "### As published"
        yield "Figures of the papers, on their own data."
        for source in SOURCES[: 1 if brief else None]:
            yield " ".join(filter(None, [f"{source.paper}, {source.table}.", source.data, source.here]))
            figures = [TableColumn(name, form=lambda value: f"{value:g}") for name in source.measures]
            yield Table(
                columns=(TableColumn("system"), *figures, TableColumn("note")),
                rows=tuple((system.system, *system.values, system.note) for system in source.systems),
            )

    def tables(self, facts: HeadlineSetFacts, *, brief: bool) -> Iterator[str | Table]:
        """All columns; those of the first metric where there are many and it is to be brief."""
        cells = [cell for cell in self.cells_of(facts.key) if not cell.why_not and cell.system in self.names]
        measured = {key for cell in cells for key, figure in cell.figures.items() if figure.value is not None}
        columns = [column for column in facts.columns if column.key in measured]
        if brief and len(columns) > 4:
            first = {column.name for column in headline_metrics.parse(in_order()[0]).columns}
            columns = [column for column in columns if column.key in first] or columns[:2]
        shown = [TableColumn(column.label, form=column.form, better="higher") for column in columns]
        tested = {cell.system: self.against(facts.key, cell.system) for cell in cells}
        count = sum(against is not None for against in tested.values())
        main = next((column.label for column in facts.columns if column.key == facts.main), "")
        note = (
            f"p (Holm): of no difference from the first sentence in {main}, two-sided paired bootstrap, "
            f"corrected for {count:,} comparison{'s' * (count != 1)} with the first sentence."
        )
        yield Table(
            title=f"Headlines: {facts.name}",
            columns=(
                *(TableColumn("system"), *shown),
                *(TableColumn("writing", form=duration), TableColumn("p (Holm)")),
            ),
            rows=tuple(
                (
                    *(self.names[cell.system], *(cell.figures.get(column.key) for column in columns)),
                    *(cell.seconds, chance(against.corrected if against else None)),
                )
                for cell in cells
                for against in [tested[cell.system]]
            ),
            notes=(note,) if main and count else (),
        )
        if not brief:
            yield "\n".join(f"- `{name}`: {library}" for name, library in facts.metrics.items())

    def filed(self) -> Table:
        """One line a set, system and column, as stored: value, interval, metric, signature, or the reason."""
        names = ["set", "row", "name", "kind", "column", "value", "p_holm_first_sentence", "articles"]
        names += ["seconds", "parameters", "training_seconds", "chosen_on", "why_not", "metric", "signature"]
        rows: list[Row] = []
        for cell in self.cells:
            row, facts = self.system(cell.system), self.set(cell.set)
            against = self.against(cell.set, cell.system)
            parameters = row.base_parameters + (row.model.parameters if row.model else 0)
            for column in facts.columns if cell.figures else (None,):
                key = column.key if column else ""
                figure = cell.figures.get(key, Figure(None))
                rows.append(
                    (
                        *(cell.set, cell.system, row.name, row.kind, key, figure),
                        against.corrected if against and key == facts.main else None,
                        *(facts.count, cell.seconds, parameters or None),
                        *(row.model.seconds if row.model else None, row.chosen_on),
                        *(cell.why_not or figure.reason, column.metric if column else "", cell.signature),
                    )
                )
        columns = [TableColumn(name, parts=LONG if name == "value" else ()) for name in names]
        return Table(columns=tuple(columns), rows=tuple(rows))


FILE: Final = BenchmarkFile(
    HeadlineBenchmark,
    "headline_benchmark",
    "a benchmark of headline systems",
    "headline-lab benchmark headlines",
)


def training_words(row: HeadlineSystem) -> str:
    """How long a system learned, and on what; a dash where it did not or nothing says it."""
    if row.model is None or row.model.seconds is None:
        return NOTHING
    took = duration(row.model.seconds) + (f" ({row.model.device})" if row.model.device else "")
    return took + (f", from the weights of {row.model.started_from}" if row.model.started_from else "")


def parameter_words(row: HeadlineSystem) -> str:
    """How many parameters a system has, those of its base apart; a dash where it has none."""
    own = row.model.parameters if row.model else 0
    if row.base_parameters and own:
        return f"{row.base_parameters / 1e6:.0f} M + {own / 1e6:.1f} M"
    whole = row.base_parameters or own
    return f"{whole / 1e6:.1f} M" if whole else NOTHING
