"""Recomputes every constant of the simple pair scorers that was chosen on data, and prints it.

python -m benchmarks.thresholds

Thresholds are chosen on the train parts of UCI, AllSides and ECB+, as many pairs of each as the smallest
has, by the best F1; tau and the time-only curve on UCI and AllSides, because the dated pairs of ECB+ are
nearly all of the same event. ISS and all validation and test parts play no part.

All headlines of a story of UCI or AllSides carry one day, because the story was collected as one: a
scorer that knows time would learn that. So their headlines are moved by geometric delays that
make as many positives fall on one day as in ECB+, where dates are those of the articles, among
those at most 4 days apart (the HLGD paper's window).
"""

import dataclasses
from typing import Any

import numpy as np

from core.data.pair_sets.load import load_pair_set
from core.pairs.fading import time_factor
from core.pairs.metrics import best_f1, best_threshold
from core.pairs.scorer import pair_scorers
from core.pairs.scorers.baselines import fit
from core.pairs.scoring import score_pairs
from core.parts import Part
from core.runtime import Runtime, stay_offline
from core.statistics.logistic import logistic

SETS = ("uci", "allsides", "ecbplus")
MOVED = ("uci", "allsides")
REAL = "ecbplus"
SEED = 303
WINDOW = 4
TIMELESS = (
    "levenshtein.v1",
    "token_overlap.v1",
    "char_overlap.v1",
    "tfidf.v1",
    "lsa.v1",
    "static_embeddings.v1",
    "cosine.v1",
)
TIMED = ("cosine_time.v1", "event_similarity.v2")


def main() -> None:
    stay_offline()
    sets = training_sets(np.random.default_rng(SEED))
    for name, value in constants(sets, Runtime()).items():
        print(f"{name}: {value:.3f}", flush=True)


def training_sets(rng: np.random.Generator) -> list[Any]:
    loaded = {name: load_pair_set(name).part(Part.TRAIN) for name in SETS}
    real = loaded[REAL]
    apart = real.days_apart[(real.labels == 1) & (real.days_apart <= WINDOW)]
    same_day = float((apart == 0).mean())
    # Two geometric delays with success p are equal with probability p / (2 - p).
    success = 2 * same_day / (1 + same_day)
    print(f"{len(apart)} near positives of {REAL}, {same_day:.3f} of one day: delays with p = {success:.3f}")
    for name in MOVED:
        moved = loaded[name].days + rng.geometric(success, len(loaded[name].days)) - 1
        loaded[name] = dataclasses.replace(loaded[name], days=moved)
    smallest = min(len(pairs) for pairs in loaded.values())
    return [pairs.with_pairs(np.sort(rng.permutation(len(pairs))[:smallest])) for pairs in loaded.values()]


TAUS = tuple(float(tau) for tau in np.geomspace(0.25, 128.0, 19).round(2))
"""Candidates for tau in days: from fading within the day to hardly at all, each about 1.4 times the last."""


def fit_tau(scores: Any, days_apart: Any, labels: Any) -> float:
    """The tau whose faded scores separate labelled pairs best, by F1 at its own threshold.

    Of equally good ones the slowest fading is taken. Source: HLGD (Laban et al. 2021), section 4.
    """
    return max(reversed(TAUS), key=lambda tau: best_f1(labels, scores * time_factor(days_apart, tau)))


def constants(sets: list[Any], runtime: Any) -> dict[str, float]:
    labels = np.concatenate([pairs.labels for pairs in sets])
    apart = np.concatenate([pairs.days_apart for pairs in sets])
    dated = np.repeat([pairs.name in MOVED for pairs in sets], [len(pairs) for pairs in sets])
    curve = fit(apart[dated], labels[dated])
    found = {"time_only.v1 intercept": curve.intercept, "time_only.v1 slope": curve.slope}
    scores = {
        name: np.concatenate([score_pairs(pairs, pair_scorers.parse(name), runtime).scores for pairs in sets])
        for name in (*TIMELESS, *TIMED)
    }
    scores["time_only.v1"] = logistic(curve.intercept + curve.slope * apart)
    for name, values in scores.items():
        known = ~np.isnan(values)
        found[f"{name} threshold"] = best_threshold(labels[known], values[known])
    taus = {name: fit_tau(scores[name][dated], apart[dated], labels[dated]) for name in TIMELESS}
    found |= {f"with_time.v1 tau_days around {name}": tau for name, tau in taus.items()}
    tau = float(np.median(list(taus.values())))
    found["with_time.v1 tau_days (median)"] = tau
    shares = []
    for name in TIMELESS:
        faded = scores[name][dated] * time_factor(apart[dated], tau)
        plain = best_threshold(labels[dated], scores[name][dated])
        shares.append(best_threshold(labels[dated], faded) / plain)
    found["with_time.v1 share of the inner threshold (median)"] = float(np.median(shares))
    return found


if __name__ == "__main__":
    main()
