"""The learned scorer against cosine with time decay and `event_similarity`, on test parts.

For each set twice: *left out*, where neither the scorer's weights and threshold nor the rivals' tau and
threshold have seen any of the set, only the training parts of the others; and *as shipped*, where the
scorer is the one in models/ and the rivals are tuned on the training part of the set itself. ECB+ headlines
and first sentences count as one set when left out. ISS has no training part: the rivals are tuned on
all sets. Intervals: 95 % paired bootstrap over gold groups.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from core.pairs.metrics import (
    Units,
    best_threshold,
    f1,
    pair_intervals,
    pair_quality,
    resampled,
    resampled_average_precision,
    units_of,
)
from core.statistics.bootstrap import RESAMPLES, Figure, paired_bootstrap

SETS = ("uci", "allsides", "neus", "ecbplus", "ecbplus_sentences", "emergent")
FAMILY = {"ecbplus_sentences": "ecbplus"}
TAUS = (1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 12.0, 20.0, 40.0)


def run() -> dict[str, Any]:
    """Average precision and F1 of the three scorers, and differences with intervals."""
    from core.data.pair_sets.load import load_pair_set
    from core.pairs import model_file
    from core.pairs.scorers.event_blend import EventBlend
    from core.parts import Part
    from core.runtime import Runtime
    from research.training.pairs.data import concatenate
    from research.training.pairs.event_blend import EventBlendTrainer

    runtime = Runtime()
    sets = {name: load_pair_set(name) for name in SETS}
    train = {name: pairs.part(Part.TRAIN) for name, pairs in sets.items()}
    rows = []
    for left_out in dict.fromkeys(FAMILY.get(name, name) for name in SETS):
        own = [name for name in SETS if FAMILY.get(name, name) == left_out]
        rest = [name for name in SETS if name not in own]
        known = [sets[name].part(Part.TRAIN, Part.VALIDATION) for name in rest]
        with tempfile.TemporaryDirectory() as folder:
            model_file.write(Path(folder), EventBlendTrainer().learn(concatenate(known), runtime))
            scorer = EventBlend(model=folder)
            rivals = _rivals([train[name] for name in rest], runtime)
            for name in own:
                rows += _rows("left out", sets[name].part(Part.TEST), scorer, rivals, runtime)
    for name in SETS:
        rivals = _rivals([train[name]], runtime)
        rows += _rows("as shipped", sets[name].part(Part.TEST), EventBlend(), rivals, runtime)
    rivals = _rivals(list(train.values()), runtime)
    rows += _rows("never seen", load_pair_set("iss"), EventBlend(), rivals, runtime)
    return {"benchmark": "learned_scorer", "rows": rows}


def _rivals(train: Sequence[Any], runtime: Any) -> dict[str, tuple[Any, float]]:
    from core.pairs.scorers.cosine import CosineTime
    from core.pairs.scorers.event_similarity import EventSimilarity

    found = {}
    for kind in (CosineTime, EventSimilarity):
        tried = []
        dated = any(np.isfinite(pairs.days).any() for pairs in train)
        for tau in TAUS if dated else (kind().tau_days,):
            scorer = kind(tau_days=tau)
            threshold, f1 = _best(train, scorer, runtime)
            tried.append((f1, -tau, threshold, scorer))
        _, _, threshold, scorer = max(tried, key=lambda one: one[:2])
        found["cosine_time" if kind is CosineTime else "event_similarity"] = (scorer, threshold)
    return found


def _best(train: Sequence[Any], scorer: Any, runtime: Any) -> tuple[float, float]:
    from core.pairs.scoring import score_pairs
    from research.training.pairs.event_blend import best_mean_threshold, mean_f1

    scored = [(pairs.labels, score_pairs(pairs, scorer, runtime).scores) for pairs in train]
    one_set = len(train) == 1
    threshold = best_threshold(*scored[0]) if one_set else best_mean_threshold(scored)
    return threshold, mean_f1(scored, threshold)


def _rows(kind: str, pairs: Any, scorer: Any, rivals: dict[str, Any], runtime: Any) -> list[dict[str, Any]]:
    from core.pairs.scoring import score_pairs

    units = units_of(pairs.left, pairs.right, pairs.groups)
    rows, found = [], []
    for name, (one, threshold) in {"event_blend": (scorer, scorer.threshold), **rivals}.items():
        scores = score_pairs(pairs, one, runtime).scores
        quality = pair_quality(pairs.labels, scores, threshold)
        spans = pair_intervals(pairs.labels, scores, threshold, units)
        best = pair_quality(pairs.labels, scores, best_threshold(pairs.labels, scores))
        precision = resampled_average_precision(pairs.labels, scores, units)
        found.append((scores >= threshold, precision, quality["average_precision"].value))
        row = {
            "set": pairs.name,
            "kind": kind,
            "pairs": len(pairs),
            "scorer": name,
            "tau_days": getattr(one, "tau_days", None),
            "threshold": _short(threshold),
            "f1": _cell(quality["f1"].value, spans["f1"]),
            "average_precision": _cell(quality["average_precision"].value, spans["average_precision"]),
            "f1_at_gold's_threshold": _short(best["f1"].value),
        }
        if name in rivals:
            said, drawn, value = found[0]
            f1 = f1_difference(pairs.labels, said, scores >= threshold, units)
            gap = None if value is None or found[-1][2] is None else value - found[-1][2]
            ap = paired_bootstrap(drawn, precision, gap, count=units.count, units=units.name)
            row["f1_of_event_blend_above"] = _cell(f1.value, f1.interval)
            row["average_precision_of_event_blend_above"] = _cell(ap.value, ap.interval)
        rows.append(row)
    return rows


def f1_difference(
    labels: npt.ArrayLike,
    one: npt.ArrayLike,
    other: npt.ArrayLike,
    units: Units,
    *,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Figure:
    """F1 of one scorer's decisions minus another's, by the paired bootstrap."""
    truth = np.asarray(labels).astype(np.bool_)
    first, second = f1(truth, np.asarray(one)), f1(truth, np.asarray(other))
    return paired_bootstrap(
        resampled(truth, one, units, resamples=resamples, seed=seed)["f1"],
        resampled(truth, other, units, resamples=resamples, seed=seed)["f1"],
        None if first is None or second is None else first - second,
        count=units.count,
        units=units.name,
    )


def _cell(value: float | None, span: tuple[float | None, float | None]) -> str:
    low, high = map(_short, span)
    return f"{_short(value)} [{low}, {high}]"


def _short(value: float | None) -> float | None:
    return None if value is None else round(float(value), 3)
