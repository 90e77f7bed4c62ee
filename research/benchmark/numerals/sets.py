"""The rows that judges of numerals are measured on, their figures, and the table of the benchmark."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Any, ClassVar, Final, Literal

import msgspec
import numpy as np
import numpy.typing as npt

from core.arrays import BoolArray, FloatArray, IntArray
from core.data.articles.blanks import Blanks
from core.digests import digest
from core.numerals.derivations.operands import DerivationCandidate, equivalent, same_expression
from core.numerals.expressions.parse import Call, operator_of, parsed_or_none
from core.numerals.operators import OPERATORS
from core.numerals.question import BLANKS, NumeralQuestion
from core.results.number_forms import MARK, chance, decimals, percent
from core.results.table import LONG, Table, TableColumn, Value
from core.runtime import Runtime
from core.statistics.bootstrap import ENOUGH, Figure, bootstrap_sums, unit_sums
from core.text.numerals.numeral import NumeralKind
from research.benchmark import results


class NumeralTask(StrEnum):
    RANKING = "ranking"
    CALIBRATION = "calibration"
    FILLING = "filling"


class _Given(msgspec.Struct):
    sets: tuple[results.BenchmarkSet, ...]
    titles: dict[NumeralTask, str]
    columns: dict[NumeralTask, tuple[tuple[str, str, str], ...]]


_GIVEN: Final = msgspec.toml.decode(Path(__file__).with_suffix(".toml").read_bytes(), type=_Given)
SETS, TITLES, MAIN = _GIVEN.sets, _GIVEN.titles, _GIVEN.columns


class NumeralBenchmark(
    results.Benchmark[results.BenchmarkSet, results.BenchmarkSystem, results.BenchmarkCell]
):
    about: ClassVar[str] = (
        "Written by `headline-lab benchmark numerals`. Shares are shown times 100; brackets hold 95 % "
        "intervals over bootstrap resamples of the articles."
    )

    def tables(self, facts: results.BenchmarkSet, *, brief: bool) -> Iterator[str | Table]:
        """The tables over systems; figures by operator and kind and reliability curves are in files."""
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
        """What is wrong with intervals of a set, in a line for all its parts; the CSV says it of each."""
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


FILE: Final = results.BenchmarkFile(
    NumeralBenchmark, "numeral_benchmark", "a benchmark of numerals", "headline-lab benchmark numerals"
)


UNPARSED: Final = "none"  # the operator of an annotation that does not parse
ANNOTATED: Final = "numhg"  # the set whose rows have derivations, and a validation part


@dataclass(frozen=True, slots=True, eq=False)
class NumeralRows:
    """n rows of a set; every attribute has n entries."""

    given: Blanks
    headlines: tuple[str, ...]  # with the number put back
    starts: tuple[int, ...]
    golds: tuple[Call | None, ...]
    operators: tuple[str, ...]
    articles: npt.NDArray[np.int64]  # number of the article, int64 [n]; equal texts have the same
    places: npt.NDArray[np.int64]  # rows of `Blanks` that were taken, int64 [n]

    def __len__(self) -> int:
        return len(self.headlines)

    @property
    def fingerprint(self) -> str:
        given = self.given
        whole = given.texts, given.headlines, given.answers, self.operators, given.operations, self.golds
        return digest(repr(whole), digits=16)


def find_set(key: str) -> results.BenchmarkSet:
    return results.set_named(SETS, key, "The benchmark of numerals")


def rows_of(blanks: Blanks, places: list[int]) -> NumeralRows:
    """Some rows of a set of blanks, with the number put back and the annotation parsed."""
    given = blanks.at(places)
    headlines, starts = [], []
    for blank, answer in zip(given.headlines, given.answers, strict=True):
        match = BLANKS.search(blank)
        start, end = match.span() if match else (len(blank), len(blank))
        headlines.append(f"{blank[:start]}{answer}{blank[end:]}")
        starts.append(start)
    golds = [parsed_or_none(text) for text in given.annotations]
    operators = tuple(UNPARSED if gold is None else str(operator_of(gold)) for gold in golds)
    numbers: dict[str, int] = {}
    articles = np.array([numbers.setdefault(text, len(numbers)) for text in given.texts], dtype=np.int64)
    texts = tuple(headlines), tuple(starts), tuple(golds)
    return NumeralRows(given, *texts, operators, articles, np.array(places, dtype=np.int64))


RESAMPLES: Final = 1000


def share(right: BoolArray, articles: IntArray, *, resamples: int = RESAMPLES, seed: int = 0) -> Figure:
    """The share of rows that are right, bool [m], with its 95 % interval over articles, int64 [m]."""
    if not len(right):
        return Figure(None, "there are no such rows")
    units = np.unique(articles, return_inverse=True)[1].astype(np.int64)

    def drawn() -> FloatArray:
        statistics = np.stack([right.astype(np.float64), np.ones(len(right))], axis=1)
        sums = bootstrap_sums(unit_sums(statistics, units), resamples=resamples, seed=seed)
        return np.asarray(sums[:, 0] / sums[:, 1])

    count = int(units.max()) + 1
    return Figure.resampled(float(right.mean()), drawn, units=count, unit="articles", count=len(right))


UNREAD: Final = "unread"  # the kind of a headline's number that was not read where it stands
_ORDER: Final = ("copy", "reasoning", *OPERATORS, UNPARSED, *map(str, NumeralKind), UNREAD)
Figures = dict[str, dict[str, Figure]]  # by part of the rows, "" for all of them, and by name


@dataclass(frozen=True, slots=True, eq=False)
class OpenedRows:
    """The rows of a set and how figures over them are made."""

    facts: results.BenchmarkSet
    rows: NumeralRows
    questions: Sequence[NumeralQuestion | None]
    resamples: int = RESAMPLES
    seed: int = 0
    runtime: Runtime = field(default_factory=Runtime)

    def shares(self, measures: Mapping[str, BoolArray], at: IntArray) -> Figures:
        """The share of rows that are right, and the same by operation, operator and kind of number.

        The part of a cell is "" for all rows, else the division and its value.
        """
        kinds = [str(row.numeral.kind) if row and row.numeral else UNREAD for row in self.questions]
        splits = {"operation": self.rows.given.operations, "operator": self.rows.operators, "kind": kinds}
        parts = {"": np.ones(len(at), dtype=np.bool_)}
        for split, names in splits.items():
            own = np.array([names[row] for row in at.tolist()])
            parts |= {f"{split}: {name}": own == name for name in sorted(set(own.tolist()), key=_ORDER.index)}
        articles, draws = self.rows.articles[at], {"resamples": self.resamples, "seed": self.seed}
        return {
            part: {name: share(right[mask], articles[mask], **draws) for name, right in measures.items()}
            for part, mask in parts.items()
        }


def cells_of(set_key: str, system: str, by_part: Figures, **whole: Any) -> tuple[results.BenchmarkCell, ...]:
    """A cell for all rows, of which more is said, and one for each part."""
    cell = partial(results.BenchmarkCell, set=set_key, system=system)
    parts = (cell(part=part, figures=own) for part, own in by_part.items() if part)
    return cell(figures=by_part.get("", {}), **whole), *parts


def ranking(data: OpenedRows, ranked: Sequence[Sequence[DerivationCandidate]]) -> Figures:
    """Whether the gold derivation comes first; a row whose annotation does not parse counts as missed."""
    n = len(data.rows)
    first, alike, among = (np.zeros(n, dtype=np.bool_) for _ in range(3))
    for row, (gold, candidates) in enumerate(zip(data.rows.golds, ranked, strict=True)):
        if gold is None or not candidates:
            continue
        same = [same_expression(candidate.expression, gold) for candidate in candidates[:3]]
        first[row], among[row] = same[0], any(same)
        alike[row] = equivalent(candidates[0], gold)
    return data.shares({"first": first, "equivalent": alike, "first_three": among}, np.arange(n))


def filling(data: OpenedRows, answers: Sequence[str], at: IntArray) -> tuple[Figures, BoolArray]:
    """How many blanks hold the number that stood there, and which do, sign for sign (as SemEval) [m]."""
    golds = (data.rows.given.answers[row] for row in at.tolist())
    pairs = [(answer.strip(), gold.strip()) for answer, gold in zip(answers, golds, strict=True)]
    right = np.array([answer == gold for answer, gold in pairs], dtype=np.bool_)
    equal = np.array([same_number(answer, gold) for answer, gold in pairs], dtype=np.bool_)
    return data.shares({"right": right, "equal": equal}, at), right


def same_number(number: str, other: str) -> bool:
    """Whether two numbers in English digits are equal; what is none is compared sign for sign."""
    try:
        return Fraction(number.replace(",", "")) == Fraction(other.replace(",", ""))
    except (ValueError, ZeroDivisionError):
        return number == other


def compare_fillings(
    set_key: str, filled: Sequence[tuple[str, IntArray, BoolArray]]
) -> tuple[results.SystemComparison, ...]:
    """McNemar's test (1947, with the binomial) of every two systems on blanks that both filled, by Holm.

    Each system comes with the rows that it filled, int64 [m], ascending, and whether each is right, bool [m].
    """
    from scipy.stats import binomtest

    comparisons = []
    for (system, at, right), (other, other_at, other_right) in combinations(filled, 2):
        _, left, row = np.intersect1d(at, other_at, assume_unique=True, return_indices=True)
        first, second = right[left], other_right[row]
        wins, losses = int((first & ~second).sum()), int((second & ~first).sum())
        p = float(binomtest(wins, wins + losses).pvalue) if wins + losses else None
        gap = Figure((wins - losses) / len(first) if len(first) else None, p=p, count=len(first))
        counts = {"count": len(first), "wins": wins, "losses": losses}
        comparisons.append(results.SystemComparison(set_key, system, other, "right", gap, **counts))
    return results.corrected(comparisons)
