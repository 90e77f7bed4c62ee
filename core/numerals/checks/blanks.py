"""The blank of a headline, told before anything is computed."""

from __future__ import annotations

from core.numerals.question import BLANKS


def fill_in(headline: str, answer: str) -> str:
    """The headline with the answer in its blank; as it is where there is no answer."""
    return BLANKS.sub(lambda _: answer, headline) if answer else headline


def has_one_blank(headline: str) -> bool:
    """Whether a headline has exactly one blank of four or more underscores."""
    return len(BLANKS.findall(headline)) == 1


def why_no_blank(headline: str) -> str:
    """Why nothing can be filled in, in a few words; "" where it can."""
    count = len(BLANKS.findall(headline))
    return "" if count == 1 else f"{count or 'no'} blank{'s' if count else ''}"
