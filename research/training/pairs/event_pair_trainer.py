"""The trainer of the scorer `event_pair`, which looks at two headlines alone."""

from dataclasses import dataclass, replace
from typing import ClassVar, Final

import numpy as np

from core import files
from core.arrays import BoolArray, Float32Array, FloatArray
from core.data.pair_sets.pair_set import SAME, PairSet
from core.pairs import trained
from core.pairs.context import PairContext
from core.pairs.features.additive import Additive, bent, pieces
from core.pairs.scorers import event_pair
from core.pairs.selection import PairList
from core.parts import Part
from core.registry import told
from core.runtime import Runtime
from core.statistics.logistic import fit_logistic
from research.runs.run_folder import RunFolder
from research.runs.trainer import trainers
from research.training.pairs.drawn_timelines import PROMPTNESS
from research.training.pairs.event_blend_trainer import CHOSEN_ON, best_mean_threshold, fit_additive, table_of
from research.training.pairs.vector_trainer import ENCODER, VectorTrainer, measured

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

    encoder: str = told("e5_siamese.v1", ENCODER)

    def train(self, pairs: PairSet, run: RunFolder, runtime: Runtime) -> None:
        asked = pairs.part(Part.VALIDATION)
        context = self.context(asked, runtime)
        odds, threshold = learn(asked, context, runtime)
        run.record(threshold={"chosen_on": CHOSEN_ON, "value": threshold}, training_pairs=len(asked))
        run.record(validation=measured(asked, scores(odds, asked, context), threshold))
        files.make_folder(run.model)
        trained.write(run.model, event_pair.PairOdds(self.encoder, odds, threshold))


def learn(pairs: PairSet, context: PairContext, runtime: Runtime) -> tuple[Additive, float]:
    """Weights, and the threshold with the best mean F1 over the pairs' timelines at the dates they have."""
    same, numbers = pairs.labels == SAME, pairs.timelines[pairs.left]
    features = event_pair.pair_features(context)(PairList(pairs.left, pairs.right))
    plain = {name: value.copy() for name, value in features}
    sets = [numbers == number for number in np.unique(numbers)]
    sets = [own for own in sets if len(np.unique(same[own])) == 2]
    random, drawn = np.random.default_rng(runtime.seed), np.zeros(len(same), dtype=np.bool_)
    by_label, by_set = np.zeros(len(same)), np.zeros(len(same))
    for own in sets:
        by_label[own] = np.where(same[own], 1 / same[own].sum(), 1 / (~same[own]).sum())
        by_set[own] = 1 / own.sum()
        drawn |= own & (random.random(len(same)) >= (REAL if _really_dated(pairs.with_pairs(own)) else 0.0))
    gaps, missing = _invented(same, random)
    faded = event_pair.faded(plain["meaning"], np.where(drawn, gaps, plain["days apart"]).astype(np.float32))
    new = {"days apart": gaps, "date missing": missing, event_pair.FADED: faded}
    invented = plain | {
        name: np.where(drawn, value, plain[name]).astype(np.float32) for name, value in new.items()
    }
    signs = pieces(event_pair.SIGNS, event_pair.BENDS)
    tables = [table_of(bent(values.items(), event_pair.BENDS), signs) for values in (invented, plain)]
    odds = fit_additive(signs, tables[0], same, by_label, np.zeros(len(same)))
    # The same sum, stretched and moved so that it is a log odds at the share that the pairs have.
    columns = np.concatenate(tables).T
    sums = odds.log_odds((name, column.copy()) for name, column in zip(signs, columns, strict=True))
    scale, move = fit_logistic(sums, np.tile(same, 2), np.tile(by_set, 2), softened=False)
    stretched = {name: weight * scale for name, weight in odds.weights.items()}
    odds = replace(odds, weights=stretched, bias=odds.bias * scale + move)
    learned = scores(odds, pairs, context)
    return odds, best_mean_threshold([(pairs.labels[own], learned[own]) for own in sets])


def scores(odds: Additive, pairs: PairSet, context: PairContext) -> Float32Array:
    return event_pair.formula(odds, context).pairs(pairs.left, pairs.right)


def _invented(same: BoolArray, random: np.random.Generator) -> tuple[FloatArray, BoolArray]:
    prompt = random.choice(PROMPTNESS, len(same))
    own = np.abs(random.geometric(prompt) - random.geometric(prompt))
    others = random.integers(0, NEAR + 1, len(same))
    far = random.random(len(same)) < FAR_SHARE
    others = np.where(far, random.integers(*FAR, len(same)), others)
    missing = random.random(len(same)) < UNDATED
    known = np.minimum(np.where(same, own, others), event_pair.FARTHEST)
    return np.where(missing, event_pair.UNKNOWN_GAP, known), missing


def _really_dated(pairs: PairSet) -> bool:
    used = np.unique(np.concatenate([pairs.left, pairs.right]))
    days, groups = pairs.days[used], pairs.groups[used]
    if np.isnan(days).mean() > 0.5:
        return False
    firsts = np.unique(groups, return_index=True)[1][np.unique(groups, return_inverse=True)[1]]
    return bool(np.any(days != days[firsts]))
