"""Headlines as weighted words: the part of a similarity that knows names and numbers by their letters."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from scipy import sparse

from core.text.tokens import STOP_WORDS

WORD = r"(?u)\b\w[\w'.-]*\b"
"""A word keeps inner apostrophes, points and hyphens: U.S., 3.5, twenty-first."""


def word_vectors(texts: Sequence[str]) -> sparse.csr_matrix:
    """TF-IDF vectors of unit length, fitted inside the timeline; float32 CSR [n, words].

    Counts are damped (1 + ln) and function words of English, Russian and Italian left out. A
    headline that keeps no word gets an empty row, and its cosine to all others is 0.

    Source: Salton and Buckley (1988), as scikit-learn's TfidfVectorizer computes it.
    """
    from sklearn.feature_extraction.text import TfidfVectorizer

    vectorizer = TfidfVectorizer(
        sublinear_tf=True,
        stop_words=sorted(frozenset().union(*STOP_WORDS.values())),
        token_pattern=WORD,
        dtype=np.float32,
    )
    try:
        return sparse.csr_matrix(vectorizer.fit_transform(texts))
    except ValueError:  # no headline has a word left
        return sparse.csr_matrix((len(texts), 1), dtype=np.float32)


@lru_cache(maxsize=4)
def timeline_words(texts: tuple[str, ...]) -> sparse.csr_matrix:
    """`word_vectors` of a whole timeline, kept for those who ask about one pair after another."""
    return word_vectors(texts)
