"""Numbers in digits that a headline may take from its article."""

from __future__ import annotations

from typing import Final

from core.numerals.derivations.fillings import fillings_of
from core.numerals.question import BLANK, blank_of, read_article

BLANKS: Final = (BLANK, f"{BLANK}K", f"{BLANK}M", f"{BLANK}B", f"{BLANK}%")
"""Where a number may stand: by itself, and before what changes how it is written."""


def derivable_numbers(text: str) -> frozenset[str]:
    """The numbers that stand in an article, and those that follow from its numerals, as they are written.

    Args:
        text: The article.
    """
    from core.models.language_models.writing.allowed_numbers import NUMBER

    article = read_article(text)
    found = {
        candidate.answer for headline in BLANKS for candidate in fillings_of(blank_of(headline, article))
    }
    return frozenset(number for one in (text, *found) for number in NUMBER.findall(one))
