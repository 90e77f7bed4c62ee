"""Grows the trees that judge the parts of a claim, and fits how their sums become a probability.

Right headlines come from NumHG, wrong ones from `research.training.numerals.misclaims`. Trees learn from the
training rows that no attacher has seen, constants come from these, crosswise, and from the validation part.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from types import MappingProxyType
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from core.arrays import BoolArray, FloatArray
from core.data.articles.sets import Blanks
from core.models.boosted_trees import BoostedTrees
from core.numerals.checking import Checker
from core.numerals.claims.amounts import surely, worked_out
from core.numerals.claims.claim import READ_NAMES, Claim, read_claim
from core.numerals.claims.judge import claim_rows as rows_of
from core.numerals.claims.judge import objected, reread, settled
from core.numerals.claims.objections import objection
from core.numerals.claims.weights import (
    CHEAP,
    LEVELS,
    PARTS,
    ClaimConstants,
    ClaimWeights,
    Curve,
    Tail,
    columns_of,
    names_with,
    together,
)
from core.numerals.question import blank_of, fill_in, question_at, read_article
from core.numerals.weighing.weights import SUPPORT_NAMES
from core.runtime import Runtime
from research.runs.growing import TreeTraining, grow
from research.training.numerals.misclaims import Misclaim, Misclaimed, hedged, misclaim
from research.training.numerals.tree_training import fit_logistic

RIGHT: Final = "right"
HEDGED: Final = "hedged"
"""Kinds of rows that are right: as they were, and with a true hedge."""
NAMES: Final = names_with(SUPPORT_NAMES)
STEP: Final = "Reading claims"
AT_ONCE: Final = 16
SHARE_RIGHT: Final = 0.7
"""Share of right claims for which probabilities are calibrated, as for the support of numbers."""
RED: Final = 0.012
"""Share of the validation part's right claims that may be called wrong; on new articles 2 % are aimed at."""
MADE_BY: Final[Mapping[str, frozenset[Misclaim]]] = MappingProxyType(
    {
        "value": frozenset({Misclaim.DIGIT, Misclaim.OFF_BY_ONE, Misclaim.SCALE, Misclaim.ROUNDED}),
        "place": frozenset({Misclaim.SAME_KIND, Misclaim.OTHER, Misclaim.EXCHANGE}),
        "unit": frozenset({Misclaim.UNIT}),
        "bound": frozenset({Misclaim.BOUND}),
        "word": frozenset({Misclaim.WORD, Misclaim.DIRECTION}),
        "holder": frozenset({Misclaim.HOLDER}),
    }
)
"""Which wrong claims each part learns from."""
BUDGETS: Final[Mapping[str, float]] = MappingProxyType(
    {"value": 0.8, "place": 0.52, "unit": 0.05, "bound": 0.42, "word": 0.55, "holder": 0.06}
)
"""How many false alarms each part may raise beside the others; chosen on the rows that fit the constants, by
what is flagged at 2 and 3 % of false alarms: nothing that is aimed at and reached gets more than it needs."""
SHALLOW: Final = TreeTraining(trees=200, depth=3)
DEEP: Final = TreeTraining(trees=400, depth=4, l2=8.0)
FOLDS: Final = 4
"""Parts of the headlines that trees are grown without in turn."""
MORE: Final = 0.5
"""What a claim weighs of which the network that points has learned; see `fit_claims`."""
UNREAD: Final = 0.3
"""What each claim weighs once more as one that the claim model was not asked about."""
HEDGES: Final = 0.5
"""What true hedges weigh among the right claims by which the bound is read; NumHG has few."""


@dataclass(frozen=True, slots=True, eq=False)
class ClaimRows:
    """n claims.

    Attributes:
        rows: What the trees look at, float64 [n, len(NAMES)].
        sure: What arithmetic settles of each, int64 [n]; see `core.numerals.claims.amounts.Settled`.
        against: Whether something speaks plainly against each, bool [n]; see
            `core.numerals.claims.objections`.
        twice: -1 for what would be supported and the second reading doubts, 1 for what would be wrong and it
            upholds, else 0, int64 [n].
        headlines: A number for each headline that claims were made of, int64 [n].
    """

    rows: FloatArray
    kinds: npt.NDArray[np.str_]
    sure: npt.NDArray[np.int64]
    against: BoolArray
    twice: npt.NDArray[np.int64]
    headlines: npt.NDArray[np.int64]

    def at(self, chosen: BoolArray) -> ClaimRows:
        """Some of them.

        Args:
            chosen: Which, bool [n].
        """
        return ClaimRows(*(getattr(self, member.name)[chosen] for member in fields(self)))

    def and_also(self, other: ClaimRows) -> ClaimRows:
        """These, then others, of other headlines."""
        moved = replace(other, headlines=other.headlines + self.headlines.max(initial=-1) + 1)
        return ClaimRows(
            *(
                np.concatenate([getattr(self, member.name), getattr(moved, member.name)])
                for member in fields(self)
            )
        )

    @property
    def right(self) -> BoolArray:
        """Whether each claim is right, bool [n]."""
        return np.isin(self.kinds, (RIGHT, HEDGED))

    def weights(self, kinds: Sequence[str]) -> FloatArray:
        """Weights so that right claims have `SHARE_RIGHT` and the given wrong kinds share the rest evenly.

        Claims of other kinds weigh nothing. A true hedge weighs as much as the wrong claims of one kind.
        """
        found = np.zeros(len(self.kinds))
        there = [kind for kind in kinds if (self.kinds == kind).any()]
        each = (1 - SHARE_RIGHT) / max(len(there), 1)
        for kind in there:
            found[self.kinds == kind] = each / (self.kinds == kind).sum()
        hedges = self.kinds == HEDGED
        spent = min(each, SHARE_RIGHT / 2) if hedges.any() else 0.0
        found[hedges] = spent / max(hedges.sum(), 1)
        found[self.kinds == RIGHT] = (SHARE_RIGHT - spent) / max((self.kinds == RIGHT).sum(), 1)
        return found * len(found)


def claim_rows(
    blanks: Blanks,
    checker: Checker,
    runtime: Runtime,
    *,
    seed: int,
    kinds: Collection[Misclaim] = tuple(Misclaim),
) -> ClaimRows:
    """Right headlines, some with a true hedge, and their claims made wrong in every way that can be done."""
    rows: list[FloatArray] = []
    made: list[str] = []
    sure: list[int] = []
    against: list[bool] = []
    twice: list[int] = []
    headlines: list[int] = []
    for start in runtime.track(range(0, len(blanks), AT_ONCE), STEP):
        asked = [
            (kind, one, row)
            for row in range(start, min(start + AT_ONCE, len(blanks)))
            for kind, one in _made(blanks, row, seed, kinds)
        ]
        texts = [blanks.texts[row] for *_, row in asked]
        places = checker.places([one.headline for _, one, _ in asked], texts, runtime)
        claims: list[Claim] = []
        for (kind, one, row), some in zip(asked, places, strict=True):
            for place in some:
                if place.question.start <= one.start < place.question.end:
                    claims.append(read_claim(place, [other for other in some if other is not place]))
                    made.append(kind)
                    headlines.append(row)
        if claims:
            read = rows_of(claims, None, checker.reader, runtime)
            settles = [surely(claim, worked_out(claim)) for claim in claims]
            objects = np.array([objection(claim) is not None for claim in claims])
            rows.append(read)
            sure += settles
            against += objects.tolist()
            again = np.zeros(len(claims), dtype=np.int64)
            if checker.rereader is not None:
                weights = checker.claims
                whole = objected(weights.whole(settled(weights.parts(read), np.array(settles))), objects)
                doubted, upheld = reread(claims, whole, weights.constants.wrong, checker.rereader, runtime)
                again[doubted], again[upheld] = -1, 1
            twice += again.tolist()
    return ClaimRows(
        np.concatenate(rows),
        np.array(made),
        np.array(sure),
        np.array(against),
        np.array(twice),
        np.array(headlines),
    )


def _made(blanks: Blanks, row: int, seed: int, kinds: Collection[Misclaim]) -> list[tuple[str, Misclaimed]]:
    article = read_article(blanks.texts[row])
    headline = fill_in(blanks.headlines[row], blanks.answers[row])
    question = question_at(headline, article, blank_of(blanks.headlines[row], article).start)
    if question is None:
        return []
    wrong = {how.value: misclaim(question, how, seed) for how in Misclaim if how in kinds}
    made = {RIGHT: Misclaimed(headline, question.start), HEDGED: hedged(question, seed), **wrong}
    return list({(kind, one): None for kind, one in made.items() if one is not None})


def fit_claims(
    learned: ClaimRows, watched: ClaimRows, more: ClaimRows | None, runtime: Runtime
) -> ClaimWeights:
    """Trees from one set of claims, stopped by another; constants from both.

    What trees say of claims that they were grown from is too good, so that for the constants each of `FOLDS`
    parts of the headlines that were learned from is judged by trees grown from the others.
    """
    trees = {part: _grown(part, learned, watched, more, runtime) for part in PARTS}
    sums = {}
    for part in PARTS:
        crossed = np.zeros(len(learned.kinds))
        for fold in range(FOLDS):
            out = learned.headlines % FOLDS == fold
            grown = _grown(part, learned.at(~out), watched, more, runtime)
            crossed[out] = grown.predict(learned.rows[out][:, columns_of(part, NAMES)])
        seen = trees[part].predict(watched.rows[:, columns_of(part, NAMES)])
        sums[part] = np.concatenate([crossed, seen])
    return fitted(trees, learned.and_also(watched), sums)


def untrained() -> ClaimWeights:
    """Weights of no trees, for a checker that only finds what claims are judged by."""
    return ClaimWeights(NAMES, {}, ClaimConstants(parts={}, whole=Curve(slope=1.0, intercept=0.0), wrong=0.0))


def fitted(
    trees: Mapping[str, BoostedTrees], watched: ClaimRows, sums: Mapping[str, FloatArray]
) -> ClaimWeights:
    """Constants for trees.

    Args:
        trees: One ensemble for each of `PARTS`.
        watched: n claims.
        sums: What trees that were not grown from them say of each part, float64 [n] a part.
    """
    tails = {}
    for part in PARTS:
        levels = _levels(sums[part], watched, HEDGES if part == "bound" else 0.0)
        tails[part] = Tail(sums=tuple(levels), budget=BUDGETS[part])
    trust = together(settled({part: tails[part].trust(sums[part]) for part in PARTS}, watched.sure))
    weights = watched.weights([str(one) for made in MADE_BY.values() for one in made])
    kept = weights > 0
    slope, intercept = fit_logistic(trust[kept], watched.right[kept], weights[kept])
    whole = Curve(slope=slope, intercept=intercept)
    wrong = float(np.quantile(whole.at(trust)[watched.kinds == RIGHT], RED))
    return ClaimWeights(NAMES, trees, ClaimConstants(parts=tails, whole=whole, wrong=wrong))


def _levels(sums: FloatArray, watched: ClaimRows, hedges: float) -> list[float]:
    kept = watched.right
    own = watched.kinds[kept] == HEDGED
    weights = np.where(own, hedges / max(own.sum(), 1), (1 - hedges) / max((~own).sum(), 1))
    order = np.argsort(sums[kept], kind="stable")
    shares = np.cumsum(weights[order]) / weights.sum()
    return [float(one) for one in np.interp(LEVELS, shares, sums[kept][order])]


def _grown(
    part: str, learned: ClaimRows, watched: ClaimRows, more: ClaimRows | None, runtime: Runtime
) -> BoostedTrees:
    columns = columns_of(part, NAMES)
    also = more if part in CHEAP else None
    pools = [_pool(part, learned, also, columns), _pool(part, watched, None, columns)]
    how = SHALLOW if part in {"unit", "bound"} else DEEP
    return grow("Logloss", pools[0], pools[1], how, runtime)


def _pool(part: str, given: ClaimRows, more: ClaimRows | None, columns: Sequence[int]) -> Any:
    from catboost import Pool

    rows, right, weights = _weighed(part, given)
    reads = [column for column in columns if NAMES[column] in READ_NAMES]
    if reads:
        # What the claim model does not read is judged by the same trees without it.
        unread = rows.copy()
        unread[:, reads] = 0.0
        rows, right = np.concatenate([rows, unread]), np.concatenate([right, right])
        weights = np.concatenate([weights, UNREAD * weights])
    if more is not None:
        others = _weighed(part, more)
        rows, right = np.concatenate([rows, others[0]]), np.concatenate([right, others[1]])
        weights = np.concatenate([weights, MORE * others[2]])
    return Pool(rows[:, columns], label=right, weight=weights)


def _weighed(part: str, given: ClaimRows) -> tuple[FloatArray, BoolArray, FloatArray]:
    kinds = [str(one) for one in MADE_BY[part]]
    used = given.right | np.isin(given.kinds, kinds)
    weights = given.weights(kinds)[used]
    # Right and wrong weigh the same while trees grow; the curves put the share of right claims back.
    right = given.right[used]
    weights[right] *= weights[~right].sum() / weights[right].sum()
    return given.rows[used], right, weights / weights.mean()
