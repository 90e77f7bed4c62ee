"""Names of a table in headlines of any language: at each capital the longest name that begins there."""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Final, Generic, NamedTuple, TypeVar

from core.text.tokens import fold

T = TypeVar("T")

_WORD: Final = re.compile(r"[^\W\d_]+|\d+")
_MARKS: Final = re.compile("[\u0300-\u036f]+")
_UNMARKED: Final = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "ı": "i", "æ": "ae", "œ": "oe", "ð": "d"})
_APART: Final = re.compile(r"[,;:!?|«»\"„“”()/]|\.\s[^\W\d_]{4}")  # no name goes on behind one
_LONGEST_ACRONYM: Final = 5
_GENITIVE: Final = 6  # letters of the shortest word that may be a genitive with s: "Berlins"


class FoundName(NamedTuple, Generic[T]):
    meaning: T
    start: int  # where it begins, in characters from 0
    end: int
    before: str  # the word before it, "" at the beginning
    after: str


@lru_cache(maxsize=65_536)
def form(word: str, *, shouted: bool = False) -> str:
    """A word as tables have it: accents and Russian endings off; acronyms keep their capitals ("WHO")."""
    if 1 < len(word) <= _LONGEST_ACRONYM and word.isupper() and not shouted:
        return word
    small = word.casefold()
    if small.isascii():
        return small
    if "а" <= small[0] <= "я" or small[0] == "ё":
        return fold(small)
    return _MARKS.sub("", unicodedata.normalize("NFD", small)).translate(_UNMARKED)


def name_form(name: str) -> str:
    """A name as tables have it, its words in their forms."""
    return " ".join(map(form, _WORD.findall(unicodedata.normalize("NFC", name))))


class NameTable(Generic[T]):
    """What names mean, by form."""

    def __init__(self, meanings: Mapping[str, T], *, small: frozenset[str] = frozenset()) -> None:
        """`small` are the forms of names that need no capital."""
        self._meanings, self._small = meanings, small
        self._longest = dict[str, int]()  # words of the longest name, by its first
        for name in meanings:
            first, _, rest = name.partition(" ")
            if rest:
                self._longest[first] = max(self._longest.get(first, 1), rest.count(" ") + 2)

    def find(self, text: str) -> Iterator[FoundName[T]]:
        """The names of a headline, in order; none overlaps another."""
        text = text if text.isascii() else unicodedata.normalize("NFC", text)
        words = list(_WORD.finditer(text))
        shouted = text.isupper()
        forms = [form(word[0], shouted=shouted) for word in words]
        first = 0
        while first < len(words):
            many, meaning = self._longest_at(text, words, forms, first)
            if meaning is not None:
                last = first + many - 1
                before = words[first - 1][0] if first else ""
                after = words[last + 1][0] if last + 1 < len(words) else ""
                yield FoundName(meaning, words[first].start(), words[last].end(), before, after)
            first += many

    def _longest_at(
        self, text: str, words: list[re.Match[str]], forms: list[str], first: int
    ) -> tuple[int, T | None]:
        capital = text[words[first].start()].isupper() or text[words[first].start()].isdigit()
        for many in range(min(self._longest.get(forms[first], 1), len(forms) - first), 0, -1):
            name = " ".join(forms[first : first + many])
            if many > 1 and _APART.search(text, words[first].start(), words[first + many - 1].end()):
                continue
            if name not in self._meanings and len(forms[first + many - 1]) >= _GENITIVE:
                name = name.removesuffix("s")
            if (meaning := self._meanings.get(name)) is not None and (capital or name in self._small):
                return many, meaning
        return 1, None
