"""Writes `scores.npz`: float32 scores of all pairs of the sample by the scorer that Consistency tests first.

python -m samples.iss.make_scores
"""

from __future__ import annotations

import numpy as np

from core.consistency.studies.scoring import SHIPPED, Scoring, score_both_orders
from core.consistency.studies.subject import subject_of_timeline
from core.data.timelines.load import load_sample
from core.runtime import Runtime, stay_offline


def main() -> None:
    """Scores them anew, whatever is stored."""
    stay_offline()
    SHIPPED.unlink(missing_ok=True)
    scored = score_both_orders(subject_of_timeline(load_sample()), Scoring(), Runtime(half=False))
    _, *made_by, _, _ = scored.signature.split(" · ")
    np.savez_compressed(SHIPPED, made_by=" · ".join(made_by), values=scored.scores.probabilities)


if __name__ == "__main__":
    main()
