"""A text cut into words and runs of digits, and a numeral while it is being read."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from core.text.numerals.numeral import Approximation, Bound, Numeral, NumeralForm, NumeralKind
from core.text.numerals.tables import Language

VULGAR: Final = "¼½¾⅐⅑⅒⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞"
"""Fractions that are one character."""

_TOKEN: Final = re.compile(
    rf"\d+(?:[.,]\d+)*|[{VULGAR}]|[^\W\d_{VULGAR}]+(?:[\u0300-\u036f]+[^\W\d_{VULGAR}]*)*"
)
_JOINS: Final = frozenset({" ", "-", "\u00a0", "\u202f", "\u2009", "\u2010", "\u2011", "\n", "  ", ""})
_POINTS: Final = frozenset({". ", ".", ".\u00a0"})
_APOSTROPHES: Final = frozenset({"'", "’"})
_SPACES: Final = frozenset({" ", "\u00a0", "\u202f", "\u2009", "  ", "\n"})
_LONGEST_ORDINAL: Final = 3
_HYPHENS: Final = frozenset({"-", "\u2010", "\u2011"})


@dataclass(frozen=True, slots=True, eq=False)
class TokenizedLine:
    """A text and its tokens; every list has one entry for each token, in order.

    Attributes:
        text: The text.
        language: Tables of its language.
        starts: Where each token begins, in characters from 0.
        ends: Where it ends, exclusive.
        words: The token in lower case, composed (NFC), ё as е.
    """

    text: str
    language: Language
    starts: list[int]
    ends: list[int]
    words: list[str]

    def __len__(self) -> int:
        """How many tokens there are."""
        return len(self.words)

    def word(self, at: int) -> str:
        """A token in lower case; "" outside of the text."""
        return self.words[at] if 0 <= at < len(self.words) else ""

    def gap(self, at: int) -> str:
        """What stands between a token and the one before it; of the first and past the end a line end."""
        if 0 < at < len(self.words):
            return self.text[self.ends[at - 1] : self.starts[at]]
        return "\n\n"

    def joined(self, at: int) -> bool:
        """Whether no more than a space or hyphen stands before a token, or the point of an abbreviation."""
        gap = self.gap(at)
        if gap in _JOINS:
            return True
        if gap in _POINTS:
            return self.words[at - 1] in self.language.dotted or self.pointed(at)
        return gap in _APOSTROPHES and self.language.elides

    def pointed(self, at: int) -> bool:
        """Whether the point before a token makes an ordinal of the digits before it ("am 3. Oktober").

        It ends a sentence where a function word follows, or a name behind no word that asks for an ordinal.
        """
        tables = self.language
        if not tables.point_nouns or not 0 < at < len(self.words) or self.gap(at) not in _POINTS:
            return False
        digits, word = self.words[at - 1], self.words[at]
        if (
            not digits.isdecimal()
            or len(digits) > _LONGEST_ORDINAL
            or digits[0] == "0"
            or word[0].isdecimal()
        ):
            return False
        if word in tables.months or word in tables.point_nouns or self.surface(at)[0].islower():
            return True
        return word not in tables.stops and self.before(at - 1) in tables.point_before

    def spaced(self, at: int) -> bool:
        """Whether a space, and no more, stands before a token."""
        return self.gap(at) in _SPACES

    def hyphened(self, at: int) -> bool:
        """Whether a hyphen, and no more, stands before a token."""
        return self.gap(at) in _HYPHENS

    def next(self, at: int) -> str:
        """The word of a token that is joined to the one before it; else ""."""
        return self.words[at] if at < len(self.words) and self.joined(at) else ""

    def before(self, at: int) -> str:
        """The word before a token where a space or hyphen, and no more, parts them; else ""."""
        return self.words[at - 1] if at > 0 and self.joined(at) else ""

    def surface(self, at: int) -> str:
        """A token as it stands; "" outside of the text."""
        return self.text[self.starts[at] : self.ends[at]] if 0 <= at < len(self.words) else ""

    def phrase(self, at: int, length: int) -> tuple[str, ...]:
        """So many joined words from a token on; () where they are not joined."""
        found = []
        for place in range(at, at + length):
            word = self.next(place)
            if not word:
                return ()
            found.append(word)
        return tuple(found)


def cut(text: str, language: Language) -> TokenizedLine:
    """Cuts a text into words and runs of digits.

    Args:
        text: Of any length and script; time is in proportion to it.
        language: Tables for what reads the line.
    """
    starts, ends, found = [], [], []
    for match in _TOKEN.finditer(text):
        starts.append(match.start())
        ends.append(match.end())
        found.append(match[0])
    if text.isascii():
        return TokenizedLine(text, language, starts, ends, [word.lower() for word in found])
    return TokenizedLine(text, language, starts, ends, [_plain(word) for word in found])


def _plain(word: str) -> str:
    lower = word.lower()
    return lower if lower.isascii() else unicodedata.normalize("NFC", lower).replace("ё", "е")


ONE = Fraction(1)


@dataclass(slots=True)
class Draft:
    """A numeral of which not everything is known yet.

    Attributes:
        first: Its first token.
        after: The token after its last one, unit words of its text included.
        start: Where its text begins.
        end: Where its text ends, exclusive.
        number_start: Where the bare number begins.
        number_end: Where it ends, exclusive.
        amount: See `Numeral`, as all that follow.
        factor: ""
        decimals: ""
        form: ""
        kind: None until it is known.
        unit: ""
        counted: ""
        approximation: ""
        bound: ""
        sign: ""
    """

    first: int
    after: int
    start: int
    end: int
    number_start: int
    number_end: int
    amount: Fraction
    form: NumeralForm
    factor: Fraction = ONE
    decimals: int = 0
    kind: NumeralKind | None = None
    unit: str = ""
    counted: str = ""
    approximation: Approximation = Approximation.EXACT
    bound: Bound = Bound.NONE
    sign: str = ""

    @property
    def value(self) -> Fraction:
        """What it amounts to."""
        return self.amount * self.factor

    def finished(self, text: str) -> Numeral:
        """The numeral; a kind that was not found is a count."""
        return Numeral(
            text=text[self.start : self.end],
            start=self.start,
            end=self.end,
            number=text[self.number_start : self.number_end],
            number_start=self.number_start,
            number_end=self.number_end,
            amount=self.amount,
            factor=self.factor,
            decimals=self.decimals,
            kind=self.kind or NumeralKind.COUNT,
            unit=self.unit,
            counted=self.counted,
            approximation=self.approximation,
            bound=self.bound,
            form=self.form,
            sign=self.sign,
        )
