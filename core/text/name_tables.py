"""Names of a table in headlines of any language: at each capital the longest name that begins there."""

import re
import unicodedata
from collections.abc import Collection, Mapping
from functools import lru_cache
from typing import Final

from core.text.normalise import searched
from core.text.reading import reads
from core.text.tokens import REMEMBERED, fold

_WORD: Final = re.compile(r"[^\W\d_]+|\d+")
_APART: Final = re.compile(r"[,;:!?|«»\"„“”()/]|\.\s[^\W\d_]{4}")  # no name goes on behind one
_LONGEST_ACRONYM: Final = 5


@lru_cache(maxsize=65_536)
def form(word: str) -> str:
    """A word as tables have it: accents and Russian endings off; acronyms keep their capitals ("WHO")."""
    if 1 < len(word) <= _LONGEST_ACRONYM and word.isupper():
        return word
    return fold(word) if "а" <= word[0].casefold() <= "ё" else searched(word)


def name_form(name: str) -> str:
    return " ".join(map(form, _WORD.findall(unicodedata.normalize("NFC", name))))


class NameTable:
    def __init__(self, meanings: Mapping[str, str], *, small: Collection[str] = ()) -> None:
        """What names mean, by form; those of `small` need no capital."""
        self.meanings, self.small = meanings, small
        self.longest = dict[str, int]()  # words of the longest name, by its first
        for first, *rest in (name.split() for name in meanings if " " in name):
            self.longest[first] = max(self.longest.get(first, 1), len(rest) + 1)


@reads("names", lambda text: ())
@lru_cache(maxsize=2 * REMEMBERED)
def found_names(text: str, table: NameTable) -> tuple[tuple[str, str, str], ...]:
    """What each name of a headline means, with the text before and behind it; none overlaps another."""
    text = unicodedata.normalize("NFC", text.title() if text.isupper() else text)
    words, found, first = list(_WORD.finditer(text)), list[tuple[str, str, str]](), 0
    forms = [form(word[0]) for word in words]
    while first < len(words):
        start = words[first].start()
        for last in range(min(table.longest.get(forms[first], 1) + first, len(words)) - 1, first - 1, -1):
            name, end = " ".join(forms[first : last + 1]), words[last].end()
            named = name in table.meanings and (not text[start].islower() or name in table.small)
            if named and (first == last or not _APART.search(text, start, end)):
                found.append((table.meanings[name], text[:start], text[end:]))
                break
        first = last + 1
    return tuple(found)
