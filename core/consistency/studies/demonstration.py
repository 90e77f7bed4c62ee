"""Three headlines on which a model contradicts itself, and what it says when they are changed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from core.arrays import Float32Array, IntArray
from core.consistency.score_matrix import ScoreMatrix
from core.consistency.studies.scoring import Findings, ScoredSubject, Scoring, from_0_to_1
from core.models.encoders.cache import encode_cached
from core.pairs.scorer import Need, check_range, pair_scorers
from core.pairs.scoring import context_of, encoder_of
from core.runtime import Runtime


def contradictions(scores: ScoreMatrix, findings: Findings) -> IntArray:
    """Rows a, b, c of headlines of which the model says a = b and a = c, but not b = c, int64 [k, 3].

    Asked about b and a instead, a model that reads the order says that they differ; a symmetric one is
    shown by its worst broken triangles. The strongest comes first: the change by the order, and how far
    the third score is below the other two.
    """
    worst, values, says = findings.commutative.worst, scores.probabilities, scores.decisions
    found: dict[tuple[int, int, int], float] = {}
    for i, j in zip(worst.left.tolist(), worst.right.tolist(), strict=True):
        a, b = (i, j) if says[i, j] else (j, i)
        broken = says[a] & scores.scored[b] & ~says[b]
        broken[[a, b]] = False
        if not broken.any():
            continue
        severity = np.where(broken, np.minimum(values[a, b], values[a]) - values[b], -1)
        c = int(severity.argmax())
        found[a, b, c] = float(severity[c] + abs(values[a, b] - values[b, a]))
    if found:
        return np.array(sorted(found, key=lambda rows: -found[rows]), dtype=np.int64)
    triangles = findings.triangles
    return np.stack([triangles.centre, triangles.left, triangles.right], axis=1)


def ask(
    scored: ScoredSubject, rows: tuple[int, ...], texts: Mapping[int, str], how: Scoring, runtime: Runtime
) -> Float32Array:
    """Asks the model about some headlines, of which `texts` has others; float32 [k, k], as `scored` has them.

    The other headlines of the timeline stay what a model that looks at its surroundings sees.
    """
    headlines = scored.subject.headlines
    changed = [texts.get(row, text) for row, text in enumerate(headlines.texts)]
    headlines = replace(headlines, texts=changed)
    scorer = pair_scorers.parse(how.scorer)
    vectors = np.empty((len(changed), 0), dtype=np.float32)
    if Need.VECTORS in scorer.needs:
        vectors = encode_cached(
            changed, encoder_of(scored.subject.headlines.texts, how.encoder, scorer), runtime
        )
    same = np.flatnonzero(headlines.timelines == headlines.timelines[rows[0]])
    prepared = scorer.prepare(context_of(headlines, same, vectors), runtime)
    k = len(rows)
    left, right = np.nonzero(~np.eye(k, dtype=np.bool_))
    places = np.searchsorted(same, np.array(rows))
    values = np.asarray(prepared.pairs(places[left], places[right]), dtype=np.float32)
    check_range(values, scorer)
    answers = np.zeros((k, k), dtype=np.float32)
    answers[left, right] = np.clip(from_0_to_1(values, scorer.scale), 0.0, 1.0)
    return answers
