"""The languages whose numerals are read."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from core.errors import InputError
from core.text.numerals.tables import Language
from core.text.tokens import STOP_WORDS

LANGUAGES: Final = ("en", "ru", "it")
_SAMPLE: Final = 1_000
_ITALIAN: Final = STOP_WORDS["it"] - STOP_WORDS["en"]
_ENGLISH: Final = STOP_WORDS["en"] - STOP_WORDS["it"]
_VOWELS: Final = "aeiouàèéìòù"
_OPEN: Final = 0.6
"""Share of words that end in a vowel: Italian texts nearly all have more, English ones less."""
_EDGES: Final = " .,;:!?()[]«»\"'“”‘’"


def language_of(text: str, *, doubtful: str = "en") -> str:
    """The language of a text among `LANGUAGES`, by its script and function words.

    Args:
        text: Of any length; its first 1,000 characters count.
        doubtful: The answer where there are no English function words and few words that end in vowels, as
            nearly all Italian ones do; "ru" is taken for "en".
    """
    found = [word.strip(_EDGES).casefold() for word in text[:_SAMPLE].split() if not word.isupper()]
    letters = [word for word in found if word[:1].isalpha()]
    if 2 * sum("\u0400" <= word[0] <= "\u04ff" for word in letters) > len(letters):
        return "ru"
    italian = sum(word in _ITALIAN for word in letters)
    english = sum(word in _ENGLISH for word in letters)
    long = [word for word in letters if len(word) > 1]
    open_share = sum(word[-1] in _VOWELS for word in long) / len(long) if long else 0.0
    if italian > english and open_share > _OPEN:
        return "it"
    if not english and doubtful == "it":
        return "it"
    return "en"


@lru_cache(maxsize=4)
def tables_of(code: str) -> Language:
    """The tables of a language.

    Raises:
        InputError: Its numerals are not read.
    """
    from core.text.numerals.english import ENGLISH
    from core.text.numerals.italian import ITALIAN
    from core.text.numerals.russian import RUSSIAN

    for language in (ENGLISH, RUSSIAN, ITALIAN):
        if language.code == code:
            return language
    raise InputError(
        f"Numerals of the language {code!r} are not read.", hint=f"Give one of {', '.join(LANGUAGES)}."
    )
