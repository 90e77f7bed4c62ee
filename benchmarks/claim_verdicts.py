"""What is flagged of claims that were made wrong in headlines of unseen NumHG articles, and what is cleared.

Each right headline is checked, and once more for each way in which its claim can be made wrong. Thresholds,
curves and weights come from training and validation rows; the test part is reported. The claim model is asked
about every claim; the program does not ask it about those that are wrong without it. Intervals are of 2,000
resamples of the articles.

python -m benchmarks.claim_verdicts FOLDER      trains the weights anew
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, Final

import numpy as np

from core.data.articles.blanks import Blanks, load_blanks
from core.numerals.checking import load_checker
from core.numerals.claims.judge import objected, settled
from core.numerals.claims.verdict import SURE
from core.numerals.claims.weights import ClaimWeights, write_claim_weights
from core.numerals.training.lessons import is_judged
from core.numerals.training.verdict_training import MADE_BY, RIGHT, ClaimRows, claim_rows, fit_claims
from core.parts import Part
from core.runtime import Runtime
from core.statistics.bootstrap import bootstrap_sums, interval

SEEDS: Final = {Part.TRAIN: 201, Part.VALIDATION: 202, Part.TEST: 203}
FALSE_ALARMS: Final = (0.01, 0.03)
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
    said = objected(weights.whole(settled(weights.parts(claims.rows), claims.sure)), claims.against)
    right = np.sort(said[claims.kinds == RIGHT])
    rows = []
    for kind in dict.fromkeys([RIGHT, *sorted(set(claims.kinds.tolist()))]):
        mine = claims.kinds == kind
        row: dict[str, Any] = {"claims": kind, "n": int(mine.sum())}
        ties = np.searchsorted(right, said[mine], side="left") + np.searchsorted(
            right, said[mine], side="right"
        )
        row["AUC"] = None if kind == RIGHT else round(float(1 - ties.mean() / (2 * len(right))), 3)
        for share in FALSE_ALARMS:
            row[f"flagged at {share:.0%} false alarms"] = _share(said[mine] < np.quantile(right, share))
        row["wrong (red)"] = _share(said[mine] < weights.constants.wrong)
        row["supported (green)"] = _share(said[mine] >= SURE)
        rows.append(row)
    return {"rows": rows, **_calibration(claims, said)}


def _calibration(claims: ClaimRows, said: np.ndarray[Any, np.dtype[np.float64]]) -> dict[str, Any]:
    """Calibration error over ten bins, and what share of the green claims is wrong."""
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


def _share(hits: np.ndarray[Any, np.dtype[np.bool_]]) -> str:
    """A share in per cent with its interval; one claim of a kind an article."""
    sums = bootstrap_sums(np.column_stack([hits, np.ones(len(hits))]).astype(np.float64), resamples=2_000)
    low, high = (100 * (end or 0.0) for end in interval(sums[:, 0] / sums[:, 1]))
    return f"{100 * hits.mean():.1f} [{low:.1f}, {high:.1f}]"


def train(folder: Path) -> None:
    """Grows the trees on training rows that no attacher has seen; validation rows fit the constants."""
    runtime = Runtime(patient=True)
    checker = load_checker(None, runtime)
    blanks = load_blanks("numhg")
    given: Blanks = blanks.part(Part.TRAIN)
    kept = given.at([row for row, text in enumerate(given.texts) if is_judged(text)])
    learned = claim_rows(kept, checker, runtime, seed=SEEDS[Part.TRAIN])
    watched = claim_rows(blanks.part(Part.VALIDATION), checker, runtime, seed=SEEDS[Part.VALIDATION])
    write_claim_weights(folder, fit_claims(learned, watched, runtime))


if __name__ == "__main__":
    train(Path(sys.argv[1]))
