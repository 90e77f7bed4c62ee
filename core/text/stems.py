"""Words of a text of any script in lower case, and their stems."""

import re
import threading
import unicodedata
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Final

from core.text.porter import porter_stem

_SNOWBALL: Final = {"ru": "Russian", "it": "Italian", "de": "German", "fr": "French"}
SHORTEST_STEMMED: Final = 4  # letters of the shortest word that is stemmed, as in rouge-score 0.1.2
_ENGLISH = bytes(sign if chr(sign) in "abcdefghijklmnopqrstuvwxyz0123456789" else 32 for sign in range(256))
_MARKS: Final = "".join(
    sign for sign in map(chr, range(0x300, 0x3100)) if unicodedata.category(sign)[0] == "M"
)
_ANY = re.compile(f"[^\\W_](?:[^\\W_]|[{_MARKS}])*")  # vowels of India are marks: a word goes on behind them
_ACCENTS = re.compile("[\u0300-\u036f]+")
_UNSPACED: Final = (
    "[\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
)
"""Signs of scripts without spaces between words: Thai, Lao, Tibetan, Burmese, Khmer, Japanese, Chinese."""
_SIGN = re.compile(f"[\u0e40-\u0e44\u0ec0-\u0ec4]?{_UNSPACED}[{_MARKS}]*")  # vowels of Thai stand before
_OTHER_SCRIPTS = re.compile(f"{_UNSPACED}|[\u0900-\u0dff]")


def is_unspaced(text: str) -> bool:
    """Whether a text has signs of a script without spaces between words."""
    return not text.isascii() and _SIGN.search(text) is not None


def spaced(text: str) -> str:
    """The text with spaces around each sign, with its marks, of a script that has none between words."""
    return text if text.isascii() else _SIGN.sub(r" \g<0> ", text)


def cut_in_signs(texts: Iterable[str]) -> bool:
    """Whether any text has words that only `spaced` and marks inside words make countable."""
    return any(not text.isascii() and _OTHER_SCRIPTS.search(text) for text in texts)


def mostly_ascii(text: str) -> bool:
    """Whether half of the letters of a text, its marks among them, or more are those of English."""
    letters = [] if text.isascii() else [sign for sign in text if unicodedata.category(sign)[0] in "LM"]
    return 2 * sum(map(str.isascii, letters)) >= len(letters)


def plain_words(text: str, language: str) -> list[str]:
    """The words of a text in lower case, not stemmed; of English only those of a to z, where most are."""
    if language == "en" and mostly_ascii(text):
        return text.lower().encode("ascii", "replace").translate(_ENGLISH).decode("ascii").split()
    return _ANY.findall(spaced(_without_accents(text)))


def _without_accents(text: str) -> str:
    composed = unicodedata.normalize("NFC", text).casefold().replace("ё", "е")
    return composed if composed.isascii() else _ACCENTS.sub("", composed)


@lru_cache(maxsize=8)
def stemmer(language: str) -> Callable[[str], str] | None:
    """What stems a word: Porter 1980 for English, Snowball for de, fr, it, ru; None without stems."""
    stem: Callable[[str], str] = porter_stem
    if language in _SNOWBALL:
        import snowballstemmer

        # By its class: another package, where it is installed, would be asked in its place.
        snowball, turn = getattr(snowballstemmer, f"{_SNOWBALL[language]}Stemmer")(), threading.Lock()

        def stem(word: str) -> str:
            with turn:  # it keeps the word that it is at
                return str(snowball.stemWord(word.lower()))

    elif language != "en":
        return None
    return lru_cache(maxsize=100_000)(stem)


def stemmer_name(language: str) -> str:
    """The stemmer of a language in words, "no stems" where there is none."""
    snowball = f"Snowball stems ({language})" if language in _SNOWBALL else "no stems"
    return "Porter stems" if language == "en" else snowball
