"""What a headline asks for at a place, read from the words around it alone."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import Final

from core.numerals.question import Question
from core.text.numerals.languages import language_of
from core.text.numerals.numeral import Approximation, Bound, Form, Kind, Numeral
from core.text.numerals.read import read_numerals

STAND_IN: Final = "7"
"""A number that reads as nothing but a number: no year, no hour, no name."""


@lru_cache(maxsize=64)
def asked_of(question: Question) -> Numeral:
    """The numeral that would stand at the place were its number 7: its kind, unit and what it counts.

    The number that does stand there is not looked at, so that what is said of a place is the same for a
    blank and for a number.
    """
    headline = f"{question.headline[: question.start]}{STAND_IN}{question.headline[question.end :]}"
    language = language_of(headline, doubtful=question.article.language)
    for numeral in read_numerals(headline, language=language):
        if numeral.number_start <= question.start < numeral.number_end:
            return numeral
    return _plain(question.start)


def _plain(start: int) -> Numeral:
    end = start + len(STAND_IN)
    return Numeral(
        text=STAND_IN,
        start=start,
        end=end,
        number=STAND_IN,
        number_start=start,
        number_end=end,
        amount=Fraction(7),
        factor=Fraction(1),
        decimals=0,
        kind=Kind.COUNT,
        unit="",
        counted="",
        approximation=Approximation.EXACT,
        bound=Bound.NONE,
        form=Form.DIGITS,
    )
