"""What is flagged of claims that were made wrong in headlines of unseen NumHG articles, and what is cleared.

Each right headline is checked, and once more for each way in which its claim can be made wrong. Thresholds,
curves and weights come from training and validation rows; the test part is reported. Intervals are of 2,000
resamples of the headlines; what is flagged is flagged in each by the right claims of the same resample.

python -m benchmarks.claim_verdicts FOLDER      trains the weights anew
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, Final

import numpy as np

from benchmarks.crossed_claims import crossed_claims
from core.arrays import BoolArray, FloatArray
from core.data.articles.sets import load_blanks
from core.numerals.checking import DEFAULT, Checker, load_checker, recipe_of
from core.numerals.claims.claim import READ_NAMES
from core.numerals.claims.judge import DOUBTED_TWICE, objected, settled
from core.numerals.claims.verdict import SURE
from core.numerals.claims.weights import CHEAP, ClaimWeights, write_claim_weights
from core.numerals.entailing.rereading import ClaimReader
from core.numerals.weighing.weights import read_weights
from core.parts import Part
from core.runtime import Runtime
from core.statistics.bootstrap import bootstrap_sums, draws, interval
from research.training.numerals.lessons import is_judged
from research.training.numerals.verdict_training import (
    MADE_BY,
    RIGHT,
    ClaimRows,
    claim_rows,
    fit_claims,
    untrained,
)

SEEDS: Final = {Part.TRAIN: 201, Part.VALIDATION: 202, Part.TEST: 203}
FALSE_ALARMS: Final = (0.01, 0.03)
ALONE: Final = 0.03
RESAMPLES: Final = 2_000
FOUND: Final = tuple(str(how) for made in MADE_BY.values() for how in made)
"""Kinds that some part of the trees looks for."""


def run() -> dict[str, Any]:
    """One row a kind of claim."""
    runtime = Runtime(patient=True)
    checker = load_checker(None, runtime)
    claims = claim_rows(load_blanks("numhg").part(Part.TEST), checker, runtime, seed=SEEDS[Part.TEST])
    return {"benchmark": "Claims made wrong", **figures(claims, checker.claims)}


def figures(claims: ClaimRows, weights: ClaimWeights) -> dict[str, Any]:
    """The table and what is below it."""
    rows_seen = _as_asked(claims, weights)
    parts = settled(weights.parts(rows_seen), claims.sure)
    said = objected(weights.whole(parts), claims.against)
    said = np.where(claims.twice < 0, np.minimum(said, DOUBTED_TWICE), said)
    said = np.where(claims.twice > 0, weights.constants.wrong, said)
    right = np.sort(said[claims.kinds == RIGHT])
    rows = []
    for kind in dict.fromkeys([RIGHT, *sorted(set(claims.kinds.tolist()))]):
        mine = claims.kinds == kind
        row: dict[str, Any] = {"claims": kind, "n": int(mine.sum())}
        part = next((part for part, made in MADE_BY.items() if kind in made), None)
        ties = np.searchsorted(right, said[mine], side="left") + np.searchsorted(
            right, said[mine], side="right"
        )
        row["AUC"] = None if kind == RIGHT else round(float(1 - ties.mean() / (2 * len(right))), 3)
        for share in FALSE_ALARMS:
            row[f"flagged at {share:.0%} false alarms"] = _flagged(said, claims, mine, share)
        # What the part that looks for this kind finds alone: the parts share the false alarms above.
        row["by its own part at 3% false alarms"] = part and _flagged(parts[part], claims, mine, ALONE)
        row["wrong (red)"] = _share(said[mine] < weights.constants.wrong)
        row["supported (green)"] = _share(said[mine] >= SURE)
        rows.append(row)
    return {"rows": rows, **_calibration(claims, said)}


def _calibration(claims: ClaimRows, said: FloatArray) -> dict[str, Any]:
    weights = claims.weights(FOUND)
    bins = np.minimum((said * 10).astype(int), 9)
    error = sum(
        abs(float((weights * (claims.right - said))[bins == one].sum())) for one in range(10)
    ) / float(weights.sum())
    green = (said >= SURE) & (weights > 0)
    cleared = float(weights[green & ~claims.right].sum())
    return {
        "calibration_error": round(error, 3),
        "wrong_among_green": round(cleared / float(weights[green].sum()), 3),
        "green_among_wrong": round(cleared / float(weights[~claims.right].sum()), 3),
    }


def _as_asked(claims: ClaimRows, weights: ClaimWeights) -> FloatArray:
    unread = claims.rows.copy()
    unread[:, [column for column, name in enumerate(weights.names) if name in READ_NAMES]] = 0.0
    cheap = weights.whole(settled(weights.parts(unread, CHEAP), claims.sure))
    return np.where((cheap >= weights.constants.wrong)[:, None], claims.rows, unread)


def _flagged(said: FloatArray, claims: ClaimRows, mine: BoolArray, share: float) -> str:
    right = claims.kinds == RIGHT
    value = float((said[mine] < np.quantile(said[right], share)).mean())
    each = []
    for drawn in draws(int(claims.headlines.max()) + 1, resamples=RESAMPLES, seed=0):
        for counts in drawn:
            bar = np.quantile(np.repeat(said[right], counts[claims.headlines[right]].astype(int)), share)
            weights = counts[claims.headlines[mine]]
            each.append(float(weights[said[mine] < bar].sum() / max(weights.sum(), 1.0)))
    low, high = (100 * (end or 0.0) for end in interval(np.array(each)))
    return f"{100 * value:.1f} [{low:.1f}, {high:.1f}]"


def _share(hits: BoolArray) -> str:
    sums = bootstrap_sums(np.column_stack([hits, np.ones(len(hits))]).astype(np.float64), resamples=RESAMPLES)
    low, high = (100 * (end or 0.0) for end in interval(sums[:, 0] / sums[:, 1]))
    return f"{100 * hits.mean():.1f} [{low:.1f}, {high:.1f}]"


def train(folder: Path) -> None:
    """Grows the trees on training rows and fits the constants; test rows are not read."""
    runtime = Runtime(patient=True)
    recipe = recipe_of(None)
    reader = ClaimReader().build(runtime)
    checker = Checker(recipe.build(runtime), read_weights(recipe.folder), untrained(), DEFAULT, reader)
    blanks = load_blanks("numhg")
    given, watched = blanks.part(Part.TRAIN), blanks.part(Part.VALIDATION)
    kept = np.array([is_judged(text) for text in given.texts])
    seen = given.at(np.flatnonzero(~kept).tolist())
    unseen = given.at(np.flatnonzero(kept).tolist())
    weights = fit_claims(
        claim_rows(unseen, checker, runtime, seed=SEEDS[Part.TRAIN]),
        claim_rows(watched, checker, runtime, seed=SEEDS[Part.VALIDATION]),
        crossed_claims(seen, watched, checker, runtime, seed=SEEDS[Part.TRAIN]),
        runtime,
    )
    write_claim_weights(folder, weights)


if __name__ == "__main__":
    train(Path(sys.argv[1]))
