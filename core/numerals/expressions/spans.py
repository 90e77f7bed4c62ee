"""Spans of an article as numbers: how many things one names."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Final

from core.numerals.expressions.words import leading_count

_JOINED: Final = re.compile(r"(?:, ?| )(?:and|or|&) ", re.IGNORECASE)
_MOST_WORDS: Final = 5  # of a thing in a list; what is longer is a clause


def count_things(text: str) -> Fraction:
    """How many things a span names, as NumHG's `Span` has it.

    One thing counts 1, whatever it is: "a bedridden elderly man", "last year", "a million". A list counts its
    items: "A, B and C" 3; an age between commas is no item. A thing with its number first counts that
    number: "two men and a woman" 3.
    """
    items = [item for item in _items(text) if not item.isdigit()]
    return sum(map(leading_count, items), Fraction(0)) if items else Fraction(1)


def _items(text: str) -> list[str]:
    """The items of a list that ends in "and" or "or"; the text itself where it is no such list."""
    *before, last = _JOINED.split(" ".join(text.split()))
    items = [item for part in before for item in part.split(",")] + [last]
    items = [item.strip() for item in items if item.strip()]
    if not before or any(len(item.split()) > _MOST_WORDS for item in items):
        return [text]
    return items
