"""From what systems say of rows to figures: over all rows, by operation, by operator, by kind."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import combinations
from typing import Any, Final

import numpy as np

from core.arrays import BoolArray, FloatArray, IntArray
from core.numerals.derivations.operands import DerivationCandidate, equivalent, same_expression
from core.numerals.operators import OPERATORS
from core.numerals.question import NumeralQuestion, ReadArticle, read_article
from core.runtime import Runtime
from core.statistics.bootstrap import Figure, bootstrap_sums, unit_sums
from core.statistics.calibration import calibration
from core.text.numerals.numeral import NumeralKind
from research.benchmark.numerals.sets import UNPARSED, NumeralRows, Split
from research.benchmark.results import BenchmarkCell, Bins, SystemComparison, bins_of, corrected

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
        figures = {f"{name} {of}": replace(one, count=len(labels)) for name, one in measures.items()}
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
    """Whether the number in each blank is the one that stood there.

    Returns:
        The figures, and whether each is right sign for sign, as SemEval's measure counts, bool [m].
    """
    at = np.arange(len(scope.rows)) if at is None else at
    golds = [scope.rows.answers[row] for row in at.tolist()]
    right = [one.strip() == gold.strip() for one, gold in zip(answers, golds, strict=True)]
    equal = [same_number(one, gold) for one, gold in zip(answers, golds, strict=True)]
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
