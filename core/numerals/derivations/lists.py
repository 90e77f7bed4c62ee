"""Lists of things in an English article, whose items a headline may have counted."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Final

from core.numerals.expressions.spans import count_things
from core.numerals.question import ReadArticle

MOST_LISTS: Final = 12
"""Lists of an article, from its beginning, that are looked at."""

MOST_THINGS: Final = 12
"""Longer lists are not counted by those who write headlines."""

_NAME: Final = r"(?:[A-Z][\w’'-]{1,20} ?){1,4}"
_THING: Final = r"(?:an?|the|his|her|their|one|another)\s(?:[^\W\d][\w’'-]{0,20} ?){1,3}"
_JOINED: Final = r",? ?and "
_AND: Final = re.compile(r" and ")
_LISTS: Final = (
    re.compile(rf"\b{_THING}(?:, {_THING}){{0,8}}{_JOINED}{_THING}"),
    re.compile(rf"\b{_NAME}(?:, {_NAME}){{1,8}}{_JOINED}{_NAME}"),
)


@dataclass(frozen=True, slots=True)
class ThingList:
    """A list.

    Attributes:
        text: As it stands in the article.
        count: How many things it names.
        sentence: Row of its sentence.
    """

    text: str
    count: int
    sentence: int


@lru_cache(maxsize=8)
def lists_of(article: ReadArticle) -> tuple[ThingList, ...]:
    """Lists of things with an article or possessive, and lists of at least three names, in order of place."""
    found = []
    for row, (start, end) in enumerate(article.sentences):
        sentence = article.text[start:end]
        forms = _LISTS if _AND.search(sentence) else ()
        for form in forms:
            for match in form.finditer(sentence):
                text = match.group().strip()
                count = count_things(text)
                if count.denominator == 1 and count > 1:
                    found.append(ThingList(text, int(count), row))
    return tuple(islice(found, MOST_LISTS))
