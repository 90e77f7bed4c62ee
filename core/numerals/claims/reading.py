"""What the claim model is asked of a claim, and what its answer gives to the trees."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Protocol

import numpy as np

from core.numerals.claims.claim import Claim
from core.numerals.claims.place import FloatArray
from core.numerals.entailing.question import CLASSES, ClaimQuestion, Span
from core.numerals.question import ReadArticle
from core.runtime import Runtime

READ_NAMES: Final = ("read_asked", *(f"read_{one}" for one in CLASSES))
"""Columns of the trees: whether the model was asked, its log-probability of support, and by how much that is
above each class of wrong claims."""
LANGUAGE: Final = "en"
"""What the model reads."""
MOST_SOURCES: Final = 3


class LoadedRereader(Protocol):
    """What reads claims once more that would be shown as supported or as wrong; see `judge.reread`."""

    @property
    def doubt(self) -> str:
        """One sentence on those of which it is not sure."""
        ...

    def log_odds(self, questions: Sequence[ClaimQuestion], runtime: Runtime) -> FloatArray:
        """Log-odds that the article supports each, float64 [n]."""
        ...


class LoadedClaimReader(Protocol):
    """A loaded claim model."""

    def log_probabilities(self, questions: Sequence[ClaimQuestion], runtime: Runtime) -> FloatArray:
        """Logarithms of the probabilities of `CLASSES`, float64 [n, 7]."""
        ...


def question_of(claim: Claim) -> ClaimQuestion | None:
    """The headline with its number and the sentences of its sources; None where the article has none."""
    place = claim.place
    if place.article.language != LANGUAGE:
        return None
    alone = claim.source is not None and (claim.equal or claim.rounded or len(place.sources) <= 1)
    rows = (claim.source,) if alone and claim.source is not None else place.sources[:MOST_SOURCES]
    if not rows:
        return None
    numeral, article = place.numeral, place.article
    places = [article.places[row] for row in rows]
    return ClaimQuestion(
        place.question.headline,
        numeral.start,
        numeral.end,
        _passages(article, sorted(rows)),
        before=_sentence(article, min(places) - 1),
        after=_sentence(article, max(places) + 1),
    )


def _sentence(article: ReadArticle, row: int) -> str:
    return article.text[slice(*article.sentences[row])] if 0 <= row < len(article.sentences) else ""


def read_row(log_probabilities: FloatArray | None) -> FloatArray:
    """What the trees see of an answer, float64 [len(READ_NAMES)]; zeros where nothing was asked."""
    if log_probabilities is None:
        return np.zeros(len(READ_NAMES))
    supported = log_probabilities[0]
    return np.concatenate([[1.0, supported], supported - log_probabilities[1:]])


def _passages(article: ReadArticle, rows: Sequence[int]) -> tuple[tuple[str, tuple[Span, ...]], ...]:
    found: dict[int, list[Span]] = {}
    for row in rows:
        numeral, (start, end) = article.numerals[row], article.sentences[article.places[row]]
        inside = (max(0, numeral.start - start), max(0, min(numeral.end, end) - start))
        found.setdefault(article.places[row], []).append(inside)
    return tuple(
        (article.text[slice(*article.sentences[at])], tuple(dict.fromkeys(spans)))
        for at, spans in found.items()
    )
