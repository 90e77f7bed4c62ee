"""A text cut into words and runs of digits, and a numeral while it is being read."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
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
    """A text and its tokens; every list has one entry for each token, in order."""

    text: str
    language: Language  # tables of its language
    starts: list[int]  # where each token begins, in characters from 0
    ends: list[int]  # where it ends, exclusive
    words: list[str]  # the token in lower case, composed (NFC), ё as е

    def __len__(self) -> int:
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

    def token_from(self, at: int, place: int) -> int:
        """The first token from `at` on that begins at a place of the text or behind it."""
        return max(at, bisect_left(self.starts, place))

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
    matches = list(_TOKEN.finditer(text))
    plain = str.lower if text.isascii() else _plain
    starts, ends = [match.start() for match in matches], [match.end() for match in matches]
    return TokenizedLine(text, language, starts, ends, [plain(match[0]) for match in matches])


def _plain(word: str) -> str:
    lower = word.lower()
    return lower if lower.isascii() else unicodedata.normalize("NFC", lower).replace("ё", "е")


ONE = Fraction(1)


@dataclass(slots=True)
class Draft:
    """A numeral of which not everything is known yet."""

    first: int  # its first token
    after: int  # the token after its last one, unit words of its text included
    start: int  # where its text begins
    end: int  # where its text ends, exclusive
    number_start: int  # where the bare number begins
    number_end: int  # where it ends, exclusive
    amount: Fraction  # see `Numeral`, as all that follow
    form: NumeralForm
    factor: Fraction = ONE
    decimals: int = 0
    kind: NumeralKind | None = None  # None until it is known
    unit: str = ""
    counted: str = ""
    approximation: Approximation = Approximation.EXACT
    bound: Bound = Bound.NONE
    sign: str = ""

    @property
    def value(self) -> Fraction:
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
