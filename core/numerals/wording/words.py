"""Words of a text as numbers, with their places."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np

from core.numerals.derivations.operands import BoolArray, IntArray
from core.text.stems import SHORTEST_STEMMED, stemmer
from core.text.tokens import STOP_WORDS

MOST_WORDS: Final = 6_000
"""Words of an article's beginning that are looked at; a news article has a few hundred."""

_WORD: Final = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True, eq=False)
class StemmedWords:
    """t words.

    Attributes:
        stems: The stem of each in lower case.
        starts: Where each begins, int64 [t].
        content: Whether it is neither a function word nor a number, bool [t].
    """

    stems: tuple[str, ...]
    starts: IntArray
    content: BoolArray


def words_of(text: str, language: str) -> StemmedWords:
    """The words of a text."""
    found = []
    for match in _WORD.finditer(text):
        found.append(match)
        if len(found) == MOST_WORDS:
            break
    stops = STOP_WORDS.get(language, STOP_WORDS["en"])
    plain = [match.group().casefold() for match in found]
    stem = _stem(language)
    return StemmedWords(
        stems=tuple(map(stem, plain)),
        starts=np.array([match.start() for match in found], dtype=np.int64),
        content=np.array(
            [word not in stops and word[0].isalpha() and len(word) > 1 for word in plain], np.bool_
        ),
    )


@lru_cache(maxsize=8)
def _stem(language: str) -> Callable[[str], str]:
    given = stemmer(language)

    @lru_cache(maxsize=100_000)
    def stem(word: str) -> str:
        return given(word) if given is not None and len(word) >= SHORTEST_STEMMED else word

    return stem
