"""From what systems say of rows to figures: over all rows, by operation, by operator, by kind."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

import numpy as np
import numpy.typing as npt

from core.numerals.benchmark.figures import RESAMPLES, auc, mcnemar, share
from core.numerals.benchmark.results import ALL, Cell, FillDuel, Reliability, Split, Task
from core.numerals.benchmark.sameness import equivalent, same_expression
from core.numerals.benchmark.sets import UNPARSED, Rows
from core.numerals.benchmark.wrong import UNREAD, Wrong
from core.numerals.derivations.candidate import Candidate
from core.numerals.operators import OPERATORS
from core.statistics.calibration import calibration
from core.statistics.figure import Figure
from core.statistics.paired import holm
from core.text.numerals.numeral import Kind

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]

FIRST: Final = 3
"""How many derivations `first_three` looks at."""
_ORDER: Final = ("copy", "reasoning", *OPERATORS, UNPARSED, *map(str, Kind), UNREAD)


@dataclass(frozen=True, slots=True, eq=False)
class Scope:
    """The rows of a set and how figures over them are made.

    Attributes:
        rows: The rows.
        kinds: What the number of each tells.
        resamples: Of the intervals.
        seed: Of the draws.
    """

    rows: Rows
    kinds: tuple[str, ...]
    resamples: int = RESAMPLES
    seed: int = 0

    def groups(self, at: IntArray) -> Iterator[tuple[Split, str, BoolArray]]:
        """Every part of some rows that is not empty, as a mask over them."""
        yield Split.ALL, ALL, np.ones(len(at), dtype=np.bool_)
        for split, names in (
            (Split.OPERATION, self.rows.operations),
            (Split.OPERATOR, self.rows.operators),
            (Split.KIND, self.kinds),
        ):
            own = np.array([names[row] for row in at.tolist()])
            for name in sorted(set(own.tolist()), key=_ORDER.index):
                yield split, name, own == name

    def shares(
        self,
        task: Task,
        system: str,
        measure: str,
        right: BoolArray,
        *,
        at: IntArray | None = None,
        of: str = "",
    ) -> list[Cell]:
        """The share of rows that are right, in every part.

        Args:
            task: What is measured.
            system: Key of the system.
            measure: Name of the figure.
            right: bool [m].
            at: The row of each, int64 [m]; None for all rows.
            of: What it is of.
        """
        at = np.arange(len(self.rows)) if at is None else at
        articles = self.rows.articles[at]
        return [
            self._cell(
                task,
                system,
                measure,
                share(right[mask], articles[mask], resamples=self.resamples, seed=self.seed),
                split=split,
                group=group,
                rows=int(mask.sum()),
                of=of,
            )
            for split, group, mask in self.groups(at)
        ]

    def areas(self, system: str, originals: FloatArray, corrupted: FloatArray, wrong: Wrong) -> list[Cell]:
        """How well the support of headlines as they were is told from those made wrong, in every part.

        Args:
            system: Key of the system.
            originals: Support of the numbers as they were, float64 [n], all rows of the set.
            corrupted: Support of the wrong numbers, float64 [m]; each is compared with the rows at hand.
            wrong: What was made wrong.
        """
        articles, own = self.rows.articles[wrong.rows], originals[wrong.rows]
        return [
            self._cell(
                Task.CORRUPTION,
                system,
                "auc",
                auc(
                    own[mask],
                    corrupted[mask],
                    articles[mask],
                    articles[mask],
                    resamples=self.resamples,
                    seed=self.seed,
                ),
                split=split,
                group=group,
                rows=int(mask.sum()),
                of=wrong.how,
            )
            for split, group, mask in self.groups(wrong.rows)
        ]

    def probabilities(
        self, system: str, of: str, labels: BoolArray, probabilities: FloatArray
    ) -> tuple[list[Cell], Reliability]:
        """How well a probability keeps its word: expected calibration error, Brier score, curve."""
        found = calibration(labels.astype(np.int64), probabilities)
        cells = [
            self._cell(
                Task.CALIBRATION,
                system,
                measure,
                Figure(score.value, score.reason),
                split=Split.ALL,
                group=ALL,
                rows=len(labels),
                of=of,
            )
            for measure, score in (("ece", found.error), ("brier", found.brier))
        ]
        bins = tuple((one.low, one.high, one.pairs, one.mean_score, one.share) for one in found.bins)
        return cells, Reliability(set=self.rows.about.key, system=system, of=of, bins=bins)

    def _cell(
        self,
        task: Task,
        system: str,
        measure: str,
        figure: Figure,
        *,
        split: Split,
        group: str,
        rows: int,
        of: str,
    ) -> Cell:
        return Cell(
            set=self.rows.about.key,
            task=task,
            system=system,
            measure=measure,
            of=of,
            split=split,
            group=group,
            rows=rows,
            figure=figure,
        )


def ranking(scope: Scope, system: str, ranked: Sequence[Sequence[Candidate]]) -> tuple[list[Cell], BoolArray]:
    """Whether the gold derivation comes first.

    Args:
        scope: The rows.
        system: Key of the system.
        ranked: The derivations of each row's number, likeliest first; empty where it has none.

    Returns:
        The figures, and whether each row's first derivation is equivalent to the gold one, bool [n]. A row
        whose annotation does not parse counts as missed.
    """
    n = len(scope.rows)
    first, alike, among = (np.zeros(n, dtype=np.bool_) for _ in range(3))
    for row, (gold, candidates) in enumerate(zip(scope.rows.golds, ranked, strict=True)):
        if gold is None or not candidates:
            continue
        same = [same_expression(one.expression, gold) for one in candidates[:FIRST]]
        first[row], among[row] = same[0], any(same)
        alike[row] = equivalent(candidates[0], gold)
    cells = [
        cell
        for measure, right in (("first", first), ("equivalent", alike), ("first_three", among))
        for cell in scope.shares(Task.RANKING, system, measure, right)
    ]
    return cells, alike


def filling(
    scope: Scope, system: str, answers: Sequence[str], *, at: IntArray | None = None
) -> tuple[list[Cell], BoolArray]:
    """Whether the number in each blank is the one that stood there.

    Args:
        scope: The rows.
        system: Key of the system.
        answers: What it put into the blanks.
        at: The row of each, int64 [m]; None for all rows.

    Returns:
        The figures, and whether each is right sign for sign, as SemEval's measure counts, bool [m].
    """
    at = np.arange(len(scope.rows)) if at is None else at
    golds = [scope.rows.answers[row] for row in at.tolist()]
    right = [one.strip() == gold.strip() for one, gold in zip(answers, golds, strict=True)]
    equal = [same_number(one, gold) for one, gold in zip(answers, golds, strict=True)]
    cells = [
        cell
        for measure, told in (("right", right), ("equal", equal))
        for cell in scope.shares(Task.FILLING, system, measure, np.array(told, dtype=np.bool_), at=at)
    ]
    return cells, np.array(right, dtype=np.bool_)


def same_number(one: str, other: str) -> bool:
    """Whether two numbers in English digits are equal; what is none is compared sign for sign."""
    try:
        return Fraction(one.strip().replace(",", "")) == Fraction(other.strip().replace(",", ""))
    except (ValueError, ZeroDivisionError):
        return one.strip() == other.strip()


@dataclass(frozen=True, slots=True, eq=False)
class Filling:
    """Which blanks a system filled as wanted.

    Attributes:
        system: Its key.
        at: The rows that it filled, int64 [m], ascending.
        right: Whether each is right, bool [m].
    """

    system: str
    at: IntArray
    right: BoolArray


def duels(set_key: str, filled: Sequence[Filling]) -> list[FillDuel]:
    """McNemar's test of every two systems on the blanks that both filled, corrected by Holm."""
    pairs = [(one, other, *_common(one, other)) for k, one in enumerate(filled) for other in filled[k + 1 :]]
    chances = [mcnemar(first, second) for _, _, first, second in pairs]
    return [
        FillDuel(
            set=set_key,
            one=one.system,
            other=other.system,
            rows=len(first),
            wins=int((first & ~second).sum()),
            losses=int((second & ~first).sum()),
            p=p,
            corrected=corrected,
        )
        for (one, other, first, second), p, corrected in zip(pairs, chances, holm(chances), strict=True)
    ]


def _common(one: Filling, other: Filling) -> tuple[BoolArray, BoolArray]:
    _, first, second = np.intersect1d(one.at, other.at, assume_unique=True, return_indices=True)
    return one.right[first], other.right[second]
