"""The rows that judges of numerals are measured on, and the figures of what systems say of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from fractions import Fraction
from itertools import combinations
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from core.arrays import BoolArray, FloatArray, IntArray
from core.data.articles.sets import Blanks, load_blanks
from core.data.files import sample
from core.digests import digest
from core.errors import CoreError
from core.numerals.derivations.operands import DerivationCandidate, equivalent, same_expression
from core.numerals.expressions.parse import Call, operator_of, parsed_or_none
from core.numerals.operators import OPERATORS
from core.numerals.question import BLANKS, NumeralQuestion, ReadArticle, read_article
from core.parts import Part
from core.runtime import Runtime
from core.statistics.bootstrap import Figure, bootstrap_sums, unit_sums
from core.statistics.calibration import calibration
from core.text.numerals.numeral import NumeralKind
from research.benchmark.results import (
    Benchmark,
    BenchmarkCell,
    BenchmarkFile,
    BenchmarkSet,
    BenchmarkSystem,
    Bins,
    SystemComparison,
    bins_of,
    corrected,
    set_named,
)


class NumeralTask(StrEnum):
    RANKING = "ranking"
    CALIBRATION = "calibration"
    FILLING = "filling"


TASKS: Final = {
    NumeralTask.RANKING: ("first", "equivalent", "first_three"),
    NumeralTask.CALIBRATION: ("ece", "brier"),
    NumeralTask.FILLING: ("right", "equal"),
}
"""The measures of each task. The name of a figure is a measure, and what it is of where there is something:
"first", "ece answer" (a probability)."""


class Split(StrEnum):
    """How rows are divided; the part of a cell is "" for all rows, else the division and its value."""

    OPERATION = "operation"
    OPERATOR = "operator"
    KIND = "kind"

    def part(self, value: str) -> str:
        return f"{self}: {value}"


NumeralBenchmark = Benchmark[BenchmarkSet, BenchmarkSystem, BenchmarkCell]
FILE: Final = BenchmarkFile(
    NumeralBenchmark, "numeral_benchmark", "a benchmark of numerals", "headline-lab benchmark numerals"
)


UNPARSED: Final = "none"  # the operator of an annotation that does not parse


@dataclass(frozen=True, slots=True, kw_only=True)
class NumeralSet:
    key: str
    name: str
    about: str
    only_test: bool = False  # it has no validation part
    annotated: bool = True  # rows have derivations, too; else only blanks are filled


SETS: Final = (
    NumeralSet(
        key="numhg",
        name="NumHG held out",
        about="Rows of NumHG's annotated training file that nothing here learned from: 1,051 to test on, 535 "
        "to choose on.",
    ),
    NumeralSet(
        key="numeval",
        name="SemEval-2024 development",
        about="The public questions of SemEval-2024 task 7, numerical reasoning; no article is NumHG's.",
        only_test=True,
        annotated=False,
    ),
)


@dataclass(frozen=True, slots=True, eq=False)
class NumeralRows:
    """n rows of a set; every attribute but the first three has n entries."""

    about: NumeralSet
    whole: int
    note: str
    ids: tuple[str, ...]
    texts: tuple[str, ...]
    blanks: tuple[str, ...]
    headlines: tuple[str, ...]
    starts: tuple[int, ...]
    answers: tuple[str, ...]
    golds: tuple[Call | None, ...]
    operators: tuple[str, ...]
    operations: tuple[str, ...]
    articles: npt.NDArray[np.int64]  # number of the article, int64 [n]; equal texts have the same
    places: npt.NDArray[np.int64]  # rows of `Blanks` that were taken, int64 [n]

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def fingerprint(self) -> str:
        whole = (self.texts, self.blanks, self.answers, self.operators, self.operations, self.golds)
        return digest(repr(whole), digits=16)


def find_set(key: str) -> NumeralSet:
    return set_named(SETS, key, "The benchmark of numerals")


def facts_of(about: NumeralSet) -> BenchmarkSet:
    return BenchmarkSet(key=about.key, name=about.name, about=about.about, unit="articles")


def open_rows(about: NumeralSet, *, part: Part = Part.TEST, limit: int = 0, seed: int = 0) -> NumeralRows:
    if about.only_test and part is not Part.TEST:
        raise CoreError(f"{about.name} is all test.", hint="Measure on the test part.")
    blanks = load_blanks(about.key)
    of_part = [
        row for row, one in enumerate(blanks.parts) if one is part and BLANKS.search(blanks.headlines[row])
    ]
    drawn = sample(len(of_part), limit, seed=seed)
    note = ""
    if len(drawn) < len(of_part):
        note = f"{len(drawn):,} of {len(of_part):,} rows, drawn with seed {seed}."
    return rows_of(blanks, [of_part[row] for row in drawn], about=about, whole=len(of_part), note=note)


def rows_of(
    blanks: Blanks, places: list[int], *, about: NumeralSet, whole: int, note: str = ""
) -> NumeralRows:
    """Some rows of a set of blanks, with the number put back and the annotation parsed."""
    taken = blanks.at(places)
    headlines, starts = [], []
    for blank, answer in zip(taken.headlines, taken.answers, strict=True):
        found = BLANKS.search(blank)
        start, end = found.span() if found else (len(blank), len(blank))
        headlines.append(f"{blank[:start]}{answer}{blank[end:]}")
        starts.append(start)
    golds = [parsed_or_none(text) for text in taken.annotations]
    numbers: dict[str, int] = {}
    return NumeralRows(
        about=about,
        whole=whole,
        note=note,
        ids=taken.ids,
        texts=taken.texts,
        blanks=taken.headlines,
        headlines=tuple(headlines),
        starts=tuple(starts),
        answers=taken.answers,
        golds=tuple(golds),
        operators=tuple(UNPARSED if gold is None else str(operator_of(gold)) for gold in golds),
        operations=taken.operations,
        articles=np.array([numbers.setdefault(text, len(numbers)) for text in taken.texts], dtype=np.int64),
        places=np.array(places, dtype=np.int64),
    )


RESAMPLES: Final = 1000


def share(right: BoolArray, articles: IntArray, *, resamples: int = RESAMPLES, seed: int = 0) -> Figure:
    """The share of rows that are right, bool [m], with its 95 % interval over articles, int64 [m]."""
    if not len(right):
        return Figure(None, "there are no such rows")
    value = float(right.mean())
    units = np.unique(articles, return_inverse=True)[1].astype(np.int64)
    count = int(units.max()) + 1

    def drawn() -> FloatArray:
        statistics = np.stack([right.astype(np.float64), np.ones(len(right))], axis=1)
        sums = bootstrap_sums(unit_sums(statistics, units), resamples=resamples, seed=seed)
        return np.asarray(sums[:, 0] / sums[:, 1])

    return Figure.resampled(value, drawn, units=count, unit="articles", count=len(right))


def mcnemar(one: BoolArray, other: BoolArray) -> float | None:
    """Two-sided exact p-value of no difference of two systems on the same rows; None where none differs.

    Source: McNemar (1947), with the binomial in place of its approximation.
    """
    from scipy.stats import binomtest

    wins, losses = int((one & ~other).sum()), int((other & ~one).sum())
    return float(binomtest(wins, wins + losses).pvalue) if wins + losses else None


UNREAD: Final = "unread"  # the kind of a headline's number that was not read where it stands


def read_articles(rows: NumeralRows, runtime: Runtime) -> list[ReadArticle]:
    known: dict[str, ReadArticle] = {}
    for text in runtime.track(list(dict.fromkeys(rows.texts)), "Reading articles"):
        known[text] = read_article(text)
    return [known[text] for text in rows.texts]


def kinds_of(questions: Sequence[NumeralQuestion | None]) -> tuple[str, ...]:
    """What the number of each row tells, `UNREAD` where it was not read."""
    return tuple(
        str(question.numeral.kind) if question is not None and question.numeral is not None else UNREAD
        for question in questions
    )


FIRST: Final = 3  # how many derivations `first_three` looks at
_ORDER: Final = ("copy", "reasoning", *OPERATORS, UNPARSED, *map(str, NumeralKind), UNREAD)


@dataclass(slots=True)
class Figures:
    parts: dict[str, dict[str, Figure]] = field(default_factory=dict)
    curves: dict[str, Bins] = field(default_factory=dict)

    def add(self, other: Figures) -> None:
        for part, figures in other.parts.items():
            self.parts.setdefault(part, {}).update(figures)
        self.curves |= other.curves

    def cells(self, set_key: str, system: str, **whole: Any) -> tuple[BenchmarkCell, ...]:
        first = BenchmarkCell(set=set_key, system=system, figures=self.parts.get("", {}), curves=self.curves)
        return (
            replace(first, **whole),
            *(
                BenchmarkCell(set=set_key, system=system, part=part, figures=figures)
                for part, figures in self.parts.items()
                if part
            ),
        )


@dataclass(frozen=True, slots=True, eq=False)
class Scope:
    """The rows of a set and how figures over them are made."""

    rows: NumeralRows
    kinds: tuple[str, ...]
    resamples: int = RESAMPLES
    seed: int = 0

    def parts(self, at: IntArray) -> Iterator[tuple[str, BoolArray]]:
        yield "", np.ones(len(at), dtype=np.bool_)
        for split, names in (
            (Split.OPERATION, self.rows.operations),
            (Split.OPERATOR, self.rows.operators),
            (Split.KIND, self.kinds),
        ):
            own = np.array([names[row] for row in at.tolist()])
            for name in sorted(set(own.tolist()), key=_ORDER.index):
                yield split.part(name), own == name

    def shares(self, name: str, right: BoolArray, *, at: IntArray | None = None) -> Figures:
        at = np.arange(len(self.rows)) if at is None else at
        articles = self.rows.articles[at]
        return Figures(
            {
                part: {name: self._counted(share(right[mask], articles[mask], **self._draws), mask)}
                for part, mask in self.parts(at)
            }
        )

    def probabilities(self, of: str, labels: BoolArray, probabilities: FloatArray) -> Figures:
        """Calibration of a probability: expected calibration error, Brier score, curve."""
        found = calibration(labels.astype(np.int64), probabilities)
        measures = {"ece": found.error, "brier": found.brier}
        figures = {f"{name} {of}": replace(measure, count=len(labels)) for name, measure in measures.items()}
        return Figures({"": figures}, {of: bins_of(found)})

    @property
    def _draws(self) -> Mapping[str, int]:
        return {"resamples": self.resamples, "seed": self.seed}

    @staticmethod
    def _counted(figure: Figure, mask: BoolArray) -> Figure:
        return replace(figure, count=int(mask.sum()))


def ranking(scope: Scope, ranked: Sequence[Sequence[DerivationCandidate]]) -> Figures:
    """Whether the gold derivation comes first; a row whose annotation does not parse counts as missed."""
    n = len(scope.rows)
    first, alike, among = (np.zeros(n, dtype=np.bool_) for _ in range(3))
    for row, (gold, candidates) in enumerate(zip(scope.rows.golds, ranked, strict=True)):
        if gold is None or not candidates:
            continue
        same = [same_expression(candidate.expression, gold) for candidate in candidates[:FIRST]]
        first[row], among[row] = same[0], any(same)
        alike[row] = equivalent(candidates[0], gold)
    found = Figures()
    for name, right in (("first", first), ("equivalent", alike), ("first_three", among)):
        found.add(scope.shares(name, right))
    return found


def filling(scope: Scope, answers: Sequence[str], *, at: IntArray | None = None) -> tuple[Figures, BoolArray]:
    """How many blanks hold the number that stood there, and which do, sign for sign (as SemEval) [m]."""
    at = np.arange(len(scope.rows)) if at is None else at
    golds = [scope.rows.answers[row] for row in at.tolist()]
    right = [answer.strip() == gold.strip() for answer, gold in zip(answers, golds, strict=True)]
    equal = [same_number(answer, gold) for answer, gold in zip(answers, golds, strict=True)]
    found = Figures()
    for name, given in (("right", right), ("equal", equal)):
        found.add(scope.shares(name, np.array(given, dtype=np.bool_), at=at))
    return found, np.array(right, dtype=np.bool_)


def same_number(one: str, other: str) -> bool:
    """Whether two numbers in English digits are equal; what is none is compared sign for sign."""
    try:
        return Fraction(one.strip().replace(",", "")) == Fraction(other.strip().replace(",", ""))
    except (ValueError, ZeroDivisionError):
        return one.strip() == other.strip()


Filling = tuple[str, IntArray, BoolArray]
"""A system, the rows that it filled, int64 [m], ascending, and whether each is right, bool [m]."""


def compare_fillings(set_key: str, filled: Sequence[Filling]) -> tuple[SystemComparison, ...]:
    """McNemar's test of every two systems on the blanks that both filled, corrected by Holm."""
    found = []
    for (one, at, right), (other, other_at, other_right) in combinations(filled, 2):
        _, left, row = np.intersect1d(at, other_at, assume_unique=True, return_indices=True)
        first, second = right[left], other_right[row]
        wins, losses = int((first & ~second).sum()), int((second & ~first).sum())
        gap = (wins - losses) / len(first) if len(first) else None
        found.append(
            SystemComparison(
                set=set_key,
                one=one,
                other=other,
                measure="right",
                difference=Figure(gap, p=mcnemar(first, second), count=len(first)),
                count=len(first),
                wins=wins,
                losses=losses,
            )
        )
    return corrected(found)
