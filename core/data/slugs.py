"""Headlines read out of the addresses of their articles."""

import re
from typing import Final
from urllib.parse import unquote, urlsplit

from core.files import read_tables

FEWEST_WORDS: Final = 4  # words of letters in a part of an address that is a headline, no section or keyword

_ENDING = re.compile(r"\.[a-z]{2,5}$", re.IGNORECASE)
_NUMBERED = re.compile(r"(?:n|id|nid|t|a|post)?\d{4,}|[0-9a-f]{16,}", re.IGNORECASE)
_LETTERS = re.compile(r"[a-z'’]+", re.IGNORECASE)

_RULES: Final = [(re.compile(latin), letters) for latin, letters in read_tables(__file__)["cyrillic"].items()]
_SIGNS: Final = str.maketrans("abcdefghijklmnopqrstuvwxyz'’", "абцдефгхижклмнопкрстуввхызьь")


def pseudo_headline(url: str) -> str:
    """The headline that an address holds, in Cyrillic; "" where it holds none."""
    words = slug_words(url)
    text = " ".join(cyrillic(word) for word in words)
    return text[:1].upper() + text[1:]


def slug_words(url: str) -> list[str]:
    """The words of that part of the address as they stand, in lower case; [] where there is none."""
    try:
        path = urlsplit(url).path
    except ValueError:  # no address at all
        return []
    for part in reversed(unquote(path).split("/")):
        words = [word for word in re.split(r"[^\w'’]+|_+", _ENDING.sub("", part).casefold()) if word]
        while words and _NUMBERED.fullmatch(words[0]):
            words = words[1:]
        while words and _NUMBERED.fullmatch(words[-1]):
            words = words[:-1]
        if sum(word.isalpha() for word in words) >= FEWEST_WORDS:
            return words
    return []


def cyrillic(word: str) -> str:
    """A word in Latin letters written in Cyrillic ones; anything else as it stands."""
    if not _LETTERS.fullmatch(word):
        return word
    for latin, letters in _RULES:
        word = latin.sub(letters, word)
    return word.translate(_SIGNS)
