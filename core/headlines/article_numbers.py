"""The numbers that a headline may take from its article."""

from __future__ import annotations

from typing import Final

from core.numerals.derivations.singles import fillings_of
from core.numerals.question import BLANK, blank_of, read_article

BLANKS: Final = (BLANK, f"{BLANK}K", f"{BLANK}M", f"{BLANK}B", f"{BLANK}%")
"""Where a number may stand: by itself, and before what changes how it is written."""


def derivable_numbers(text: str) -> frozenset[str]:
    """The numbers that stand in an article, and those that follow from its numerals, as they are written."""
    return _numbers(text, most_sources=2)


def restated_numbers(text: str) -> frozenset[str]:
    """The same without those that two numerals of the article give together.

    What is left stands in it, or is one of its numerals as a word's number, rounded, or in another magnitude
    or unit.
    """
    return _numbers(text, most_sources=1)


def _numbers(text: str, *, most_sources: int) -> frozenset[str]:
    from core.models.language_models.writing.choices import NUMBER

    article = read_article(text)
    found = {
        candidate.answer
        for headline in BLANKS
        for candidate in fillings_of(blank_of(headline, article))
        if len(candidate.sources) <= most_sources
    }
    return frozenset(number for line in (text, *found) for number in NUMBER.findall(line))
