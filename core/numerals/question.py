"""An article whose numerals have been read, and a headline's numeral (or blank) that is asked about."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from core.text.numerals.numeral import Numeral

BLANK: Final = "____"
"""What stands for the number in NumHG's and SemEval's headlines."""
BLANKS: Final = re.compile(r"_{4,}")
"""Four or more underscores in a row are a blank."""


@dataclass(frozen=True, slots=True, eq=False)
class ReadArticle:
    """An article with its numerals.

    Attributes:
        text: The article, cut to the characters that systems read.
        language: ISO 639-1 code: "en", "ru" or "it".
        sentences: Start and end of each sentence in characters, in order.
        numerals: In order of `start`, not overlapping.
        places: For each numeral the row of its sentence in `sentences`.
        dateline: Characters at the beginning that are a dateline, as NumHG's "(Sep 25, 2016 1:28 PM CDT)";
            0 where there is none. Numerals that begin before it belong to the dateline.
    """

    text: str
    language: str
    sentences: tuple[tuple[int, int], ...]
    numerals: tuple[Numeral, ...]
    places: tuple[int, ...]
    dateline: int


@dataclass(frozen=True, slots=True, eq=False)
class Question:
    """A place in a headline where a number stands or is missing.

    Attributes:
        article: See `ReadArticle`.
        headline: The whole headline; of a blank the underscores are part of it.
        start: Where the bare number (or blank) begins in `headline`, in characters from 0.
        end: Where it ends, exclusive.
        numeral: The numeral that stands there; None for a blank.
    """

    article: ReadArticle
    headline: str
    start: int
    end: int
    numeral: Numeral | None

    @property
    def masked(self) -> str:
        """The headline with a blank in place of the bare number, for what must not see the number."""
        return self.holding(BLANK)

    def holding(self, number: str) -> str:
        """The headline with another number at the place."""
        return f"{self.headline[: self.start]}{number}{self.headline[self.end :]}"
