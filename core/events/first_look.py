"""A first picture of many headlines: a sample laid out and grouped by shared words, within seconds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from core.arrays import Float32Array, IntArray
from core.maps.projector import DEFAULT_MAP, projectors
from core.runtime import Runtime

MOST: Final = 2_000  # headlines of a sample at most: all their pairs are compared
TOPICS: Final = 64  # dimensions to which the weighted words are reduced before they are laid out
CUT: Final = 0.6
"""Mean cosine distance up to which sampled headlines are shown as one story; not tuned, a first picture."""


@dataclass(frozen=True, slots=True, eq=False)
class FirstLook:
    """A sample of a timeline."""

    rows: IntArray  # its rows in the timeline, int64 [k], rising
    positions: Float32Array  # their places on the map, float32 [k, 2]
    groups: IntArray  # story of each, int64 [k], from 1
    stories: tuple[tuple[int, int], ...]  # row in the middle and size, the largest first


def first_look(texts: Sequence[str], *, most: int, runtime: Runtime) -> FirstLook:
    """Groups and lays out a sample by the words that headlines share; no model is loaded."""
    from scipy.cluster.hierarchy import fcluster, linkage
    from scipy.spatial.distance import squareform

    count = min(most, MOST, len(texts))
    rows = np.unique(np.linspace(0, len(texts) - 1, count).round().astype(np.int64))
    words = _weighted_words([texts[row] for row in rows.tolist()])
    cosine = np.clip(words @ words.T, 0.0, 1.0).astype(np.float64)
    groups = np.ones(len(rows), dtype=np.int64)
    if len(rows) > 1:
        away = 1.0 - cosine
        np.fill_diagonal(away, 0.0)
        groups = fcluster(linkage(squareform(away, checks=False), "average"), CUT, "distance").astype(
            np.int64
        )
    positions = projectors.parse(DEFAULT_MAP).project(_topics(words), runtime)
    numbers, sizes = np.unique(groups, return_counts=True)
    stories = []
    for at in np.lexsort((numbers, -sizes)):
        inside = np.flatnonzero(groups == numbers[at])
        middle = inside[int(np.argmax(cosine[np.ix_(inside, inside)].sum(axis=1)))]
        stories.append((int(rows[middle]), int(sizes[at])))
    return FirstLook(rows, positions, groups, tuple(stories))


def _weighted_words(texts: Sequence[str]) -> Float32Array:
    from sklearn.feature_extraction.text import TfidfVectorizer

    # A word of one headline joins it to no other.
    rare = 2 if len(texts) > 50 else 1
    vectorizer = TfidfVectorizer(sublinear_tf=True, min_df=rare)
    try:
        found = vectorizer.fit_transform(texts)
    except ValueError:
        # No headline has a word that counts.
        return np.zeros((len(texts), 1), dtype=np.float32)
    return np.asarray(found.toarray(), dtype=np.float32)


def _topics(words: Float32Array) -> Float32Array:
    from sklearn.decomposition import TruncatedSVD

    dimensions = min(TOPICS, min(words.shape) - 1)
    if dimensions < 2:
        return words
    return np.asarray(TruncatedSVD(dimensions, random_state=0).fit_transform(words), dtype=np.float32)
