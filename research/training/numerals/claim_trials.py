"""How well a claim model tells right headlines from wrong ones: one trial of each kind a headline."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from types import MappingProxyType
from typing import Final

import numpy as np
import numpy.typing as npt

from core.numerals.entailing.question import ClaimClass, ClaimQuestion
from research.training.numerals import claim_changes as change
from research.training.numerals.claim_bounds import bounded, rounded_with_bound
from research.training.numerals.claim_facts import ClaimFact
from research.training.numerals.claim_pairs import Pair, asked, plain_pair
from research.training.numerals.claim_rivals import counted_otherwise, held_by_another, swapped

FloatArray = npt.NDArray[np.float64]

ORIGINAL: Final = "original"
FALSE_ALARMS: Final = (0.01, 0.03)
"""Shares of right headlines that may be flagged, at which recall is measured."""


@dataclass(frozen=True, slots=True)
class ClaimTrial:
    """A question whose answer is known.

    Attributes:
        question: The question.
        kind: `ORIGINAL`, or how the headline was made wrong.
        row: Row of the set.
    """

    question: ClaimQuestion
    kind: str
    row: int


def _same_kind(fact: ClaimFact, pair: Pair, draw: Random) -> Pair | None:
    return swapped(fact, pair, draw, alike=True)


def _other_kind(fact: ClaimFact, pair: Pair, draw: Random) -> Pair | None:
    return swapped(fact, pair, draw, alike=False)


def _bound_turned(fact: ClaimFact, pair: Pair, draw: Random) -> Pair | None:
    return change.bound_headline(pair, draw)


def _bound_added(fact: ClaimFact, pair: Pair, draw: Random) -> Pair | None:
    return bounded(fact, pair, draw, right=False, sentence=False)


def _bound_rounded(fact: ClaimFact, pair: Pair, draw: Random) -> Pair | None:
    return rounded_with_bound(fact, pair, draw, right=False)


WRONG: Final[Mapping[str, tuple[ClaimClass, Callable[[ClaimFact, Pair, Random], Pair | None]]]] = (
    MappingProxyType(
        {
            "number of the same kind": (ClaimClass.OTHER, _same_kind),
            "number of another kind": (ClaimClass.OTHER, _other_kind),
            "thing counted": (ClaimClass.OTHER, counted_otherwise),
            "unit": (ClaimClass.UNIT, lambda fact, pair, draw: change.unit_headline(pair, draw)),
            "claim word": (ClaimClass.CLAIM, lambda fact, pair, draw: change.flip_headline(pair, draw)),
            "bound turned": (ClaimClass.BOUND, _bound_turned),
            "bound added": (ClaimClass.BOUND, _bound_added),
            "bound of a rounded number": (ClaimClass.BOUND, _bound_rounded),
            "holder": (ClaimClass.HOLDER, held_by_another),
        }
    )
)
"""Ways to make a headline wrong, with their classes; the sentences stay as they are."""


def claim_trials(facts: Sequence[ClaimFact], seed: int) -> list[ClaimTrial]:
    """Every right headline, and each made wrong in all ways that can be; the same for the same seed."""
    found = []
    for fact in facts:
        plain = plain_pair(fact)
        found.append(ClaimTrial(asked(plain), ORIGINAL, fact.row))
        for kind, (_, how) in WRONG.items():
            draw = Random(f"{seed}|{kind}|{fact.row}|{plain[0].text}")  # noqa: S311 - not for secrets
            changed = how(fact, plain, draw)
            if changed is not None and changed != plain:
                found.append(ClaimTrial(asked(changed), kind, fact.row))
    return found


@dataclass(frozen=True, slots=True)
class ClaimFigure:
    """What was told of one kind of wrong headlines.

    Attributes:
        count: How many.
        auc: Share of (right, wrong) pairs of which the right one has the higher log-odds.
        caught: Share flagged where each share of `FALSE_ALARMS` of the right ones is.
    """

    count: int
    auc: float
    caught: tuple[float, ...]


def figures(trials: Sequence[ClaimTrial], scores: FloatArray) -> dict[str, ClaimFigure]:
    """Figures by kind.

    Args:
        trials: From `claim_trials`.
        scores: Log-odds of support of each, float64 [n].
    """
    kinds = np.array([trial.kind for trial in trials])
    right = np.sort(scores[kinds == ORIGINAL])
    found = {}
    for kind in WRONG:
        wrong = scores[kinds == kind]
        if not len(wrong) or not len(right):
            continue
        below = np.searchsorted(right, wrong, side="left")
        above = np.searchsorted(right, wrong, side="right")
        auc = float(1 - (below + above).mean() / (2 * len(right)))
        caught = tuple(float(np.mean(wrong < threshold_at(right, share))) for share in FALSE_ALARMS)
        found[kind] = ClaimFigure(len(wrong), auc, caught)
    return found


def threshold_at(right: FloatArray, share: float) -> float:
    """The threshold below which at most that share of right headlines lies."""
    return float(np.sort(right)[int(share * len(right))])
