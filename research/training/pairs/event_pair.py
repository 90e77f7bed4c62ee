"""Trains the weights of `event_pair`, the scorer that looks at two headlines alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, Final

import numpy as np
import numpy.typing as npt

from core import files
from core.arrays import Float32Array
from core.data.pair_sets.pair_set import SAME, PairSet
from core.pairs import trained
from core.pairs.features.additive import Additive, bent, pieces
from core.pairs.scorer import PairContext, PairList
from core.pairs.scorers.event_pair import (
    BENDS,
    FADED,
    FARTHEST,
    SIGNS,
    UNKNOWN_GAP,
    PairOdds,
    faded,
    formula,
    pair_features,
)
from core.parts import Part
from core.runtime import Runtime
from research.runs.run_folder import RunFolder
from research.runs.trainer import trainers
from research.training.pairs.drawn_timelines import PROMPTNESS, fit_additive
from research.training.pairs.event_blend import best_mean_threshold
from research.training.pairs.vector_pairs import VectorTrainer, measured

NEAR: Final = 4
FAR: Final = (5, 40)
FAR_SHARE: Final = 0.15
"""Days between headlines of two events where days are invented: up to four, as pairs are drawn, or more."""

UNDATED: Final = 0.25
REAL: Final = 0.5
"""Share of invented pairs without a date, and of those of a set with real dates that keep theirs."""


@trainers.register("event_pair.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class EventPairTrainer(VectorTrainer):
    """A logistic regression whose weights have known signs.

    The encoder has seen the training parts, where its cosines are surer than elsewhere, so weights and
    threshold come from validation pairs. Sets and both labels count the same. Where a set has no dates, or
    one for all headlines of a story, days are drawn: those of one event mostly within a day, as in HLGD.
    """

    summary: ClassVar[str] = "Weighs meaning, words, numbers and days of a pair (the shipped scorer)"
    result: ClassVar[str] = "event_pair.v1"

    encoder: str = field(
        default="e5_siamese.v1",
        metadata={
            "help": "name or signature of the encoder whose vectors are read; the model needs the same one"
        },
    )

    def train(self, pairs: PairSet, run: RunFolder, runtime: Runtime) -> None:
        asked = pairs.part(Part.VALIDATION)
        context = self.context(asked, runtime)
        odds, threshold = learn(asked, context, runtime)
        run.record(
            threshold={"chosen_on": "the mean F1 over the validation pairs of the sets", "value": threshold},
            training_pairs=len(asked),
            validation=measured(asked, scores(odds, asked, context), threshold),
        )
        files.make_folder(run.model)
        trained.write(run.model, PairOdds(self.encoder, odds, threshold))


def learn(pairs: PairSet, context: PairContext, runtime: Runtime) -> tuple[Additive, float]:
    """Weights, and the threshold with the best mean F1 over the sets at the dates that they have.

    Args:
        pairs: Labelled pairs; each of their timelines counts as a set.
        context: Their headlines.
        runtime: Its seed draws the days.
    """
    same, numbers = pairs.labels == SAME, pairs.timelines[pairs.left]
    features = pair_features(context)(PairList(pairs.left, pairs.right))
    plain = {name: value.copy() for name, value in features}
    sets = [numbers == one for one in np.unique(numbers)]
    sets = [own for own in sets if len(np.unique(same[own])) == 2]
    random, drawn = np.random.default_rng(runtime.seed), np.zeros(len(same), dtype=np.bool_)
    by_label, by_set = np.zeros(len(same)), np.zeros(len(same))
    for own in sets:
        by_label[own] = np.where(same[own], 1 / same[own].sum(), 1 / (~same[own]).sum())
        by_set[own] = 1 / own.sum()
        drawn |= own & (random.random(len(same)) >= (REAL if _really_dated(pairs.with_pairs(own)) else 0.0))
    invented = plain | _with_days(plain, drawn, *_invented(same, random))
    tables = [_table(invented), _table(plain)]
    odds = fit_additive(pieces(SIGNS, BENDS), tables[0], same, by_label, np.zeros(len(same)))
    odds = calibrated(odds, tables, same, by_set)
    found = scores(odds, pairs, context)
    return odds, best_mean_threshold([(pairs.labels[own], found[own]) for own in sets])


def calibrated(
    odds: Additive,
    tables: Sequence[Float32Array],
    same: npt.NDArray[np.bool_],
    weights: npt.NDArray[np.float64],
) -> Additive:
    """The same sum, stretched and moved so that it is a log odds at the share that the pairs have.

    Source: Platt 1999, "Probabilistic Outputs for Support Vector Machines".
    """
    from sklearn.linear_model import LogisticRegression

    names = list(pieces(SIGNS, BENDS))
    sums = [
        odds.log_odds((name, table[:, place].copy()) for place, name in enumerate(names)) for table in tables
    ]
    curve = LogisticRegression(C=np.inf).fit(
        np.concatenate(sums)[:, None].astype(np.float64),
        np.tile(same, len(tables)),
        sample_weight=np.tile(weights / weights.mean(), len(tables)),
    )
    scale, move = float(curve.coef_[0, 0]), float(curve.intercept_[0])
    stretched = {name: weight * scale for name, weight in odds.weights.items()}
    return replace(odds, weights=stretched, bias=odds.bias * scale + move)


def _with_days(
    values: Mapping[str, Float32Array],
    drawn: npt.NDArray[np.bool_],
    gaps: npt.NDArray[np.float64],
    missing: npt.NDArray[np.bool_],
) -> dict[str, Float32Array]:
    apart = np.where(drawn, gaps, values["days apart"]).astype(np.float32)
    return {
        "days apart": apart,
        "date missing": np.where(drawn, missing, values["date missing"]).astype(np.float32),
        FADED: np.where(drawn, faded(values["meaning"], apart), values[FADED]).astype(np.float32),
    }


def _table(values: Mapping[str, Float32Array]) -> Float32Array:
    columns = dict(bent(values.items(), BENDS))
    return np.stack([columns[name] for name in pieces(SIGNS, BENDS)], axis=1)


def scores(odds: Additive, pairs: PairSet, context: PairContext) -> Float32Array:
    """Probabilities of the pairs, float32 [m]."""
    return formula(odds, context).pairs(pairs.left, pairs.right)


def _invented(
    same: npt.NDArray[np.bool_], random: np.random.Generator
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.bool_]]:
    prompt = random.choice(PROMPTNESS, len(same))
    own = np.abs(random.geometric(prompt) - random.geometric(prompt))
    others = random.integers(0, NEAR + 1, len(same))
    far = random.random(len(same)) < FAR_SHARE
    others = np.where(far, random.integers(*FAR, len(same)), others)
    missing = random.random(len(same)) < UNDATED
    return np.where(missing, UNKNOWN_GAP, np.minimum(np.where(same, own, others), FARTHEST)), missing


def _really_dated(pairs: PairSet) -> bool:
    used = np.unique(np.concatenate([pairs.left, pairs.right]))
    days, groups = pairs.days[used], pairs.groups[used]
    if np.isnan(days).mean() > 0.5:
        return False
    firsts = np.unique(groups, return_index=True)[1][np.unique(groups, return_inverse=True)[1]]
    return bool(np.any(days != days[firsts]))
