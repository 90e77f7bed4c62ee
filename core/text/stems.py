"""Words without their endings, as ROUGE and METEOR compare them; English, Russian, Italian, German,
French.

rouge-score's own tokenizer keeps a–z and digits alone, so that nothing is left of a Russian headline and
"città" loses its last letter. Here English is cut exactly as there, and any other language by the same rule
with the letters and digits of every script.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final

from core.text.porter import porter_stem

SNOWBALL: Final = {"ru": "russian", "it": "italian", "de": "german", "fr": "french"}
"""Languages whose words are stemmed by Snowball; English is stemmed by Porter, others are not stemmed."""

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


class StemNumbers(dict[str, int]):
    """A number for every word, the same for words of one stem; given out as words are asked for.

    Words of fewer than four letters are not stemmed, as in rouge-score 0.1.2.

    Args:
        language: ISO 639-1 code; see `stemmer`.
        stems: Whether to stem; else every word has a number of its own.
    """

    def __init__(self, language: str, *, stems: bool = True) -> None:
        super().__init__()
        self._stem = stemmer(language) if stems else None
        self._numbers: dict[str, int] = {}

    def __missing__(self, word: str) -> int:
        """The number of a word that was not asked for before."""
        stem = self._stem(word) if self._stem and len(word) >= SHORTEST_STEMMED else word
        self[word] = number = self._numbers.setdefault(stem, len(self._numbers))
        return number


@lru_cache(maxsize=8)
def stemmer(language: str) -> Callable[[str], str] | None:
    """What stems a lower-case word, remembering the last 100,000; None for a language without stems.

    Source: `porter_stem` for English; Snowball (Porter 2001), of nltk, for the languages of `SNOWBALL`.
    """
    if language == "en":
        return lru_cache(maxsize=100_000)(porter_stem)
    if language in SNOWBALL:
        from nltk.stem.snowball import SnowballStemmer

        made: Any = SnowballStemmer(SNOWBALL[language])
        return lru_cache(maxsize=100_000)(made.stem)
    return None


def stemmer_name(language: str) -> str:
    """The stemmer of a language in words, "no stems" where there is none."""
    return {"en": "Porter stems"}.get(language) or (
        f"Snowball stems ({language})" if language in SNOWBALL else "no stems"
    )


def _plain(text: str) -> str:
    composed = unicodedata.normalize("NFC", text).casefold().replace("ё", "е")
    return composed if composed.isascii() else _MARKS.sub("", composed)
