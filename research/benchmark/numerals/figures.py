"""How many rows of a set a judge of numerals has right, by kinds of rows, and which judges differ."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from itertools import combinations
from typing import Any, Final

import numpy as np

from core.arrays import BoolArray, FloatArray, IntArray
from core.numerals.derivations.operands import DerivationCandidate, equivalent, same_expression
from core.numerals.operators import OPERATORS
from core.numerals.question import NumeralQuestion
from core.runtime import Runtime
from core.statistics.bootstrap import Figure, bootstrap_sums, unit_sums
from core.text.numerals.numeral import NumeralKind
from research.benchmark import results
from research.benchmark.numerals.sets import UNPARSED, NumeralRows

RESAMPLES: Final = 1000


UNREAD: Final = "unread"  # the kind of a headline's number that was not read where it stands


_ORDER: Final = ("copy", "reasoning", *OPERATORS, UNPARSED, *map(str, NumeralKind), UNREAD)


Figures = dict[str, dict[str, Figure]]  # by part of the rows, "" for all of them, and by name


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


@dataclass(frozen=True, slots=True, eq=False)
class OpenedRows:
    facts: results.BenchmarkSet
    rows: NumeralRows
    questions: Sequence[NumeralQuestion | None]
    resamples: int = RESAMPLES
    seed: int = 0
    runtime: Runtime = field(default_factory=Runtime)

    def shares(self, measures: Mapping[str, BoolArray], at: IntArray) -> Figures:
        """The share of rows that are right: "" for all, then by operation, operator and kind of number."""
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
    """McNemar's test (1947, with the binomial) of every two systems on blanks that both filled, by Holm."""
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
