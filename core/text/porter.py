"""Words and their stems, as ROUGE and METEOR compare them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final

_SNOWBALL: Final = {"ru": "russian", "it": "italian", "de": "german", "fr": "french"}

SHORTEST_STEMMED: Final = 4
"""Letters of the shortest word that is stemmed, as in rouge-score 0.1.2."""

_ENGLISH = bytes(sign if chr(sign) in "abcdefghijklmnopqrstuvwxyz0123456789" else 32 for sign in range(256))
_ANY = re.compile(r"[^\W_]+")
_MARKS = re.compile("[\u0300-\u036f]+")


def plain_words(text: str, language: str) -> list[str]:
    """The words of a text in lower case, not stemmed."""
    if language == "en":
        return text.lower().encode("ascii", "replace").translate(_ENGLISH).decode("ascii").split()
    return _ANY.findall(_plain(text))


@lru_cache(maxsize=8)
def stemmer(language: str) -> Callable[[str], str] | None:
    """What stems a lower-case word, remembering the last 100,000; None for a language without stems.

    Source: nltk; Porter 1980, "An algorithm for suffix stripping", with nltk's extensions for English, as in
    rouge-score, and Snowball (Porter 2001) for German, French, Italian and Russian.
    """
    made: Any
    if language == "en":
        from nltk.stem.porter import PorterStemmer

        made = PorterStemmer()
    elif language in _SNOWBALL:
        from nltk.stem.snowball import SnowballStemmer

        made = SnowballStemmer(_SNOWBALL[language])
    else:
        return None
    return lru_cache(maxsize=100_000)(made.stem)


def stemmer_name(language: str) -> str:
    """The stemmer of a language in words, "no stems" where there is none."""
    if language == "en":
        return "Porter stems"
    return f"Snowball stems ({language})" if language in _SNOWBALL else "no stems"


def _plain(text: str) -> str:
    composed = unicodedata.normalize("NFC", text).casefold().replace("ё", "е")
    return composed if composed.isascii() else _MARKS.sub("", composed)
