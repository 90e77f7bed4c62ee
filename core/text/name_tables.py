"""Names of a table in headlines of any language: at each capital the longest name that begins there."""

import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache
from typing import Final

from core.text.tokens import fold

_WORD: Final = re.compile(r"[^\W\d_]+|\d+")
_MARKS: Final = re.compile("[\u0300-\u036f]+")
_UNMARKED: Final = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "ı": "i", "æ": "ae", "œ": "oe", "ð": "d"})
_APART: Final = re.compile(r"[,;:!?|«»\"„“”()/]|\.\s[^\W\d_]{4}")  # no name goes on behind one
_LONGEST_ACRONYM: Final = 5


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
    return " ".join(map(form, _WORD.findall(unicodedata.normalize("NFC", name))))


class NameTable:
    def __init__(self, meanings: Mapping[str, str], *, small: Collection[str] = ()) -> None:
        """What names mean, by form; those of `small` need no capital."""
        self._meanings, self._small = meanings, small
        self._longest = dict[str, int]()  # words of the longest name, by its first
        for first, *rest in map(str.split, meanings):
            if rest:
                self._longest[first] = max(self._longest.get(first, 1), len(rest) + 1)

    def find(self, text: str) -> Iterator[tuple[str, str, str]]:
        """What each name of a headline means, with the text before and behind it; none overlaps another."""
        text = unicodedata.normalize("NFC", text)
        words, shouted = list(_WORD.finditer(text)), text.isupper()
        forms = [form(word[0], shouted=shouted) for word in words]
        first = 0
        while first < len(words):
            start, following = words[first].start(), first + 1
            for last in range(min(self._longest.get(forms[first], 1) + first, len(words)) - 1, first - 1, -1):
                name, end = " ".join(forms[first : last + 1]), words[last].end()
                named = name in self._meanings and (not text[start].islower() or name in self._small)
                if named and (first == last or not _APART.search(text, start, end)):
                    yield self._meanings[name], text[:start], text[end:]
                    following = last + 1
                    break
            first = following
