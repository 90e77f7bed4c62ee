"""Headlines and sentences as pairs of texts whose numbers are marked."""

from __future__ import annotations

from collections.abc import Sequence

from core.numerals.entailing.question import ClaimQuestion
from research.training.numerals.claim_facts import ClaimFact, Source, passages
from research.training.numerals.marked_text import MarkedText

Pair = tuple[MarkedText, tuple[MarkedText, ...]]
"""A headline with its numeral, and sentences with theirs."""


def plain_pair(fact: ClaimFact) -> Pair:
    """Headline and sentences as they are."""
    numeral = fact.numeral
    headline = MarkedText(fact.question.headline, ((numeral.start, numeral.end),))
    return headline, marked_passages(fact.sources)


def asked(pair: Pair) -> ClaimQuestion:
    """The question about a headline's first span."""
    headline, sentences = pair
    return ClaimQuestion(headline.text, *headline.spans[0], tuple((one.text, one.spans) for one in sentences))


def marked_passages(sources: Sequence[Source]) -> tuple[MarkedText, ...]:
    """Sentences of sources with the places of the numerals in them."""
    return tuple(MarkedText(text, spans) for text, spans in passages(sources))
