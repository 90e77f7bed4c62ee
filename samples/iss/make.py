"""Writes float32 figures of the sample, so that the first pictures need no model: `vectors.npz`, by the
encoder that Timeline asks first, and `scores.npz` of all pairs, by the scorer that Consistency tests first.

python -m samples.iss.make
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np

from core.consistency.studies import scoring
from core.consistency.studies.subject import subject_of_timeline
from core.data.timelines.samples import load_sample
from core.models.encoders import cached, encoder
from core.pairs.timeline_context import encoder_of, scorer_of
from core.runtime import Runtime, stay_offline


def main() -> None:
    """Computes them anew, whatever is stored."""
    stay_offline()
    sample = load_sample()
    cached.SHIPPED.unlink(missing_ok=True)
    texts = list(dict.fromkeys(sample.texts))
    recipe = encoder_of(sample.reading, encoder.AUTOMATIC, scorer_of(encoder.AUTOMATIC))
    with tempfile.TemporaryDirectory() as folder:
        vectors = cached.encode_cached(texts, recipe, Runtime(cache=Path(folder), half=False))
    keys = [np.frombuffer(key, np.uint8) for key in cached.shipped_keys(texts, recipe)]
    np.savez_compressed(cached.SHIPPED, keys=np.stack(keys), vectors=vectors)

    scoring.SHIPPED.unlink(missing_ok=True)
    subject = subject_of_timeline(sample)
    scored = scoring.score_both_orders(subject, scoring.Scoring(), Runtime(half=False))
    _, *made_by, _, _ = scored.signature.split(" · ")
    np.savez_compressed(scoring.SHIPPED, made_by=" · ".join(made_by), values=scored.scores.probabilities)


if __name__ == "__main__":
    main()
