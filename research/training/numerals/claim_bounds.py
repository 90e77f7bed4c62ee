"""Bounds of numbers made right and wrong: nearly, more than, at least; also of rounded numbers."""

from __future__ import annotations

from random import Random
from typing import Final

from core.text.numerals.numeral import NumeralKind
from research.training.numerals.claim_changes import bound_before, with_bound
from research.training.numerals.claim_facts import ClaimFact
from research.training.numerals.claim_pairs import Pair
from research.training.numerals.claim_words import WRONG_BOUNDS
from research.training.numerals.slot_numbers import in_slot, rounded, written

_UNBOUNDED: Final = frozenset(
    {NumeralKind.YEAR, NumeralKind.DATE, NumeralKind.TIME, NumeralKind.NAME, NumeralKind.ORDINAL}
)


def bounded(fact: ClaimFact, pair: Pair, draw: Random, *, right: bool, sentence: bool = True) -> Pair | None:
    """A bound before a copied number that has none; right where the sentence gets one that says the same."""
    if not _boundable(fact, pair):
        return None
    kind = draw.choice(("more", "less", "near", *(("least", "most") if right else ())))
    bare = bound_before(pair[1][0]) is None
    headline = with_bound(pair[0], kind, draw)
    if not bare:
        return None
    if right:
        return headline, (with_bound(pair[1][0], kind, draw),)
    if not sentence or draw.random() < 0.5:
        return headline, pair[1]
    return headline, (with_bound(pair[1][0], draw.choice(WRONG_BOUNDS[kind]), draw),)


def rounded_with_bound(fact: ClaimFact, pair: Pair, draw: Random, *, right: bool) -> Pair | None:
    """The number rounded in the headline, with a bound that holds or does not."""
    if not _boundable(fact, pair):
        return None
    up = draw.random() < 0.5
    value = rounded(fact.sources[0].numeral, draw, up=up)
    number = written(value, fact.numeral) if value is not None else None
    if number is None:
        return None
    headline = in_slot(pair[0], fact.numeral, number)
    kinds = ("near", "near", "less") if up == right else ("more",)
    return with_bound(headline, draw.choice(kinds), draw), pair[1]


def hedged(fact: ClaimFact, pair: Pair, draw: Random) -> Pair | None:
    """The sentence hedges, the headline does not: headlines leave that out."""
    if not _boundable(fact, pair) or bound_before(pair[1][0]) is not None:
        return None
    return pair[0], (with_bound(pair[1][0], draw.choice(("about", "more", "near", "least")), draw),)


def _boundable(fact: ClaimFact, pair: Pair) -> bool:
    if not fact.copied or fact.numeral.kind in _UNBOUNDED or len(pair[1][0].spans) != 1:
        return False
    before = pair[0].text[: pair[0].spans[0][0]]
    return bound_before(pair[0]) is None and before[-1:] in ("", " ")
