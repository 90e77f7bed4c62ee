"""What a small model learns from people's labels of pairs, on top of the default scorer: in seconds."""

from dataclasses import dataclass
from itertools import product
from typing import Final

import numpy as np

from core.arrays import BoolArray, FloatArray, IntArray
from core.data.pair_sets.pair_set import DIFFERENT, SAME, UNKNOWN, PairSet
from core.models.encoders.cached import encode_cached
from core.models.encoders.encoder import AUTOMATIC
from core.pairs.features.additive import bent
from core.pairs.file_scoring import default_scorer
from core.pairs.metrics import Units, resampled, units_of
from core.pairs.scorer import pair_scorers
from core.pairs.scorers.event_pair import BENDS, pair_features
from core.pairs.scoring import context_of, score_pairs
from core.pairs.selection import PairList
from core.pairs.timeline_context import encoder_of
from core.results.number_forms import percent, spanned
from core.runtime import Runtime
from core.statistics.bootstrap import Figure
from core.statistics.logistic import logistic
from core.text.timeline_reading import TimelineReading

FEWEST: Final = 40, 10  # labels, and of each answer
STEPS: Final = (0.2, 0.4, 0.6, 0.8, 1.0)  # of the labels outside the fold that is held out
EARLIER: Final = -3  # the step with which all labels are compared: neighbours differ by too little to tell
FOLDS, REPEATS = 5, 5
LEVEL_PULL: Final = 0.1  # of the intercept: people may say same more or less often than the scorer
PULL: Final = 5.0  # of a standardised weight towards that of the untrained scorer


@dataclass(frozen=True, slots=True, kw_only=True)
class LearningCurve:
    """Accuracy on held-out labels, with 95 % intervals over pairs that share no headline."""

    steps: tuple[tuple[int, Figure], ...]  # how many labels were learned from, and the share; 0 is untrained
    gain: Figure  # of the last step over the first
    last: Figure  # of the last step over that two before
    unsure: IntArray  # all pairs, first that of which the model of all labels is least sure

    @property
    def all_met(self) -> bool:
        """Whether every held-out label is met at every step, so that no interval has a width."""
        return all(share.value == 1 for _, share in self.steps)

    @property
    def more_help(self) -> bool:
        """Whether they do measurably; a model that only makes good what few labels spoilt is not helped."""
        return min(self.last.low or 0, self.gain.value or 0) > 0

    @property
    def gain_said(self) -> str:
        if self.all_met:
            said = "The model is right about all held-out answers, untrained too"
            return f"{said}: nothing is to be gained from labels."
        met, before = (f"{100 * (each.value or 0):.1f} %" for _, each in (self.steps[-1], self.steps[0]))
        doubt = "" if (self.gain.low or 0) > 0 or (self.gain.high or 0) < 0 else ", which may be chance"
        said = f"Trained, the model has an accuracy of {met} on held-out answers, untrained {before}"
        return f"{said}: a difference of {spanned(self.gain, percent())} points{doubt}."

    @property
    def advice(self) -> str:
        helped = "More labels still help" if self.more_help else "More labels no longer help measurably"
        if (self.gain.value or 0) <= 0:
            helped = "Labels have not helped yet"
        (before, _), (count, _) = self.steps[EARLIER], self.steps[-1]
        return f"{helped}: {spanned(self.last, percent())} points from {before:,} to {count:,} labels."


def too_few(labels: IntArray) -> str:
    """Why nothing can be learned yet, a sentence; "" where there are enough labels."""
    same, different = (int((labels == label).sum()) for label in (SAME, DIFFERENT))
    if same + different >= FEWEST[0] and min(same, different) >= FEWEST[1]:
        return ""
    needs = f"a model learns from {FEWEST[0]}, {FEWEST[1]} of each answer at least"
    return f"{same:,} pairs are labelled same and {different:,} different, without ties; {needs}."


def learn(pairs: PairSet, columns: FloatArray, runtime: Runtime) -> LearningCurve:
    """Learns from the pairs that have labels, of which there are not `too_few`, by the `evidence` of all."""
    known = np.flatnonzero(pairs.labels != UNKNOWN)
    labels, shown = pairs.labels[known], columns[known]
    units = units_of(pairs.left[known], pairs.right[known], np.full(len(pairs.texts), -1))
    steps = [shown[None, :, 0] > 0, *_held_out(labels, shown, units, runtime)]
    shares = [float((step == labels).mean()) for step in steps]
    # The mean over repeats in each resample, which are the same for all.
    drawn = [np.mean([resampled(labels, one, units)["accuracy"] for one in step], axis=0) for step in steps]
    counts = [round(share * len(labels) * (1 - 1 / FOLDS)) for share in (0, *STEPS)]

    def figure(value: float, resamples: FloatArray) -> Figure:
        return Figure.resampled(value, resamples, units=units.count, unit=units.name)

    return LearningCurve(
        steps=tuple(zip(counts, map(figure, shares, drawn), strict=True)),
        gain=figure(shares[-1] - shares[0], drawn[-1] - drawn[0]),
        last=figure(shares[-1] - shares[EARLIER], drawn[-1] - drawn[EARLIER]),
        unsure=np.argsort(np.abs(columns @ fitted(shown, labels)), kind="stable"),
    )


def evidence(pairs: PairSet, runtime: Runtime) -> FloatArray:
    """Log odds of the default scorer, 0 at its threshold; 1; and what else pairs show, float64 [m, 2 + k]."""
    scorer = pair_scorers.parse(default_scorer())
    scores = score_pairs(pairs, scorer, runtime).scores.astype(np.float64)
    scores = np.clip(np.where(np.isnan(scores), scorer.threshold, scores), 1e-3, 1 - 1e-3)
    odds = np.log(scores / (1 - scores)) - np.log(scorer.threshold / (1 - scorer.threshold))
    vectors = encode_cached(pairs.texts, encoder_of(TimelineReading(pairs.texts), AUTOMATIC, scorer), runtime)
    features = pair_features(context_of(pairs, np.arange(len(pairs.texts)), vectors))
    values = bent(features(PairList(pairs.left, pairs.right)), BENDS)
    columns = np.column_stack([value.astype(np.float64) for _, value in values])
    spread = columns.std(axis=0)
    columns = (columns - columns.mean(axis=0))[:, spread > 0] / spread[spread > 0]
    return np.column_stack([odds, np.ones(len(pairs)), columns])


def fitted(columns: FloatArray, labels: IntArray) -> FloatArray:
    """Weights of a logistic regression that are drawn to the untrained scorer: few labels change little."""
    from scipy.optimize import minimize

    untrained = np.eye(columns.shape[1])[0]
    pull = np.where(np.arange(columns.shape[1]) == 1, LEVEL_PULL, PULL)

    def loss(weights: FloatArray) -> tuple[float, FloatArray]:
        odds, moved = columns @ weights, weights - untrained
        value = (np.logaddexp(0, odds) - labels * odds).sum() + 0.5 * pull @ moved**2
        return float(value), columns.T @ (logistic(odds) - labels) + pull * moved

    return np.asarray(minimize(loss, untrained, jac=True, method="L-BFGS-B").x)


def _held_out(labels: IntArray, columns: FloatArray, units: Units, runtime: Runtime) -> BoolArray:
    """Decisions on held-out pairs, bool [steps, repeats, m]."""
    # Pairs that share a headline are held out together, where there are enough clusters of them.
    whole = np.array_equal(units.left, units.right)
    cluster, clusters = (units.left, units.count) if whole else (np.arange(len(labels)), len(labels))
    called = np.empty((len(STEPS), REPEATS, len(labels)), dtype=np.bool_)
    for repeat in runtime.track(range(REPEATS), "Learning from the answers"):
        draw = np.random.default_rng(repeat)
        folds, order = (draw.permutation(clusters) % FOLDS)[cluster], draw.permutation(len(labels))
        for fold, (step, share) in product(range(FOLDS), enumerate(STEPS)):
            training, held = order[folds[order] != fold], folds == fold
            rows = training[: round(share * len(training))]
            called[step, repeat, held] = columns[held] @ fitted(columns[rows], labels[rows]) > 0
    return called
