"""Names of a table in headlines of any language: at each capital the longest name that begins there."""

import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from core.text.tokens import fold

_WORD: Final = re.compile(r"[^\W\d_]+|\d+")
_MARKS: Final = re.compile("[\u0300-\u036f]+")
_UNMARKED: Final = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "ı": "i", "æ": "ae", "œ": "oe", "ð": "d"})
_APART: Final = re.compile(r"[,;:!?|«»\"„“”()/]|\.\s[^\W\d_]{4}")  # no name goes on behind one
_LONGEST_ACRONYM: Final = 5


class FoundName(NamedTuple):
    meaning: str
    end: int  # where it ends, in characters from 0
    before: str  # the word before it, "" at the beginning
    after: str


@lru_cache(maxsize=65_536)
def form(word: str, *, shouted: bool = False) -> str:
    """A word as tables have it: accents and Russian endings off; acronyms keep their capitals ("WHO")."""
    if 1 < len(word) <= _LONGEST_ACRONYM and word.isupper() and not shouted:
        return word
    small = word.casefold()
    if "а" <= small[0] <= "я" or small[0] == "ё":
        return fold(small)
    return _MARKS.sub("", unicodedata.normalize("NFD", small)).translate(_UNMARKED)


def name_form(name: str) -> str:
    """A name as tables have it, its words in their forms."""
    return " ".join(map(form, _WORD.findall(unicodedata.normalize("NFC", name))))


class NameTable:
    def __init__(self, meanings: Mapping[str, str], *, small: Collection[str] = ()) -> None:
        """What names mean, by form; those of `small` need no capital."""
        self._meanings, self._small = meanings, small
        self._longest = dict[str, int]()  # words of the longest name, by its first
        for first, *rest in map(str.split, meanings):
            if rest:
                self._longest[first] = max(self._longest.get(first, 1), len(rest) + 1)

    def find(self, text: str) -> Iterator[FoundName]:
        """The names of a headline, in order; none overlaps another."""
        text = unicodedata.normalize("NFC", text)
        spans = [word.span() for word in _WORD.finditer(text)]
        words = ["", *(text[start:end] for start, end in spans), ""]
        shouted = text.isupper()
        forms = [form(word, shouted=shouted) for word in words[1:-1]]
        first = 0
        while first < len(forms):
            capital, last = not words[first + 1][0].islower(), first
            for many in range(min(self._longest.get(forms[first], 1), len(forms) - first), 0, -1):
                name, start, end = (
                    " ".join(forms[first : first + many]),
                    spans[first][0],
                    spans[first + many - 1][1],
                )
                named = name in self._meanings and (capital or name in self._small)
                if named and not (many > 1 and _APART.search(text, start, end)):
                    last = first + many - 1
                    yield FoundName(self._meanings[name], end, words[first], words[last + 2])
                    break
            first = last + 1
