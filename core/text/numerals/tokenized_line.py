"""A text cut into the tokens that its numerals are read from."""

import re
import unicodedata
from bisect import bisect_left
from dataclasses import dataclass
from typing import Final

from core.text.numerals.language_tables import Language
from core.text.numerals.numeral import VULGAR

_TOKEN: Final = re.compile(
    rf"\d+(?:[.,]\d+)*|[{VULGAR}]|(?<!\w)(?i:hat[- ]tricks?|хет-трик\w*)"
    rf"|[^\W\d_{VULGAR}]+(?:[\u0300-\u036f]+[^\W\d_{VULGAR}]*)*"
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
        return self.words[at] if 0 <= at < len(self.words) else ""

    def sign(self, place: int) -> str:
        """The character at a place of the text, which may end before it; else ""."""
        return self.text[place] if 0 <= place < len(self.text) else ""

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
        """Whether the point before a token makes an ordinal of digits ("am 3. Oktober")."""
        tables = self.language
        if not tables.point_nouns or not 0 < at < len(self.words) or self.gap(at) not in _POINTS:
            return False
        digits, word = self.words[at - 1], self.words[at]
        short = digits.isdecimal() and len(digits) <= _LONGEST_ORDINAL
        if not short or digits[0] == "0" or word[0].isdecimal():
            return False
        if word in tables.months or word in tables.point_nouns or self.surface(at)[0].islower():
            return True
        return word not in tables.stops and self.before(at - 1) in tables.point_before

    def spaced(self, at: int) -> bool:
        return self.gap(at) in _SPACES

    def hyphened(self, at: int) -> bool:
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
        words = []
        for place in range(at, at + length):
            word = self.next(place)
            if not word:
                return ()
            words.append(word)
        return tuple(words)


def cut(text: str, language: Language) -> TokenizedLine:
    matches = list(_TOKEN.finditer(text))
    plain = str.lower if text.isascii() else _plain
    starts, ends = [match.start() for match in matches], [match.end() for match in matches]
    return TokenizedLine(
        text, language, starts, ends, [plain(match[0]).replace(" ", "-") for match in matches]
    )


def _plain(word: str) -> str:
    lower = word.lower()
    return lower if lower.isascii() else unicodedata.normalize("NFC", lower).replace("ё", "е")
