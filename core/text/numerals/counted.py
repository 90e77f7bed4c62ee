"""What numerals count, in its normal form."""

import re
from functools import lru_cache
from typing import Final

from core.files import read_tables
from core.text.numerals.tokenized_line import TokenizedLine
from core.text.stems import stemmer
from core.text.tokens import word_list

_FARTHEST: Final = 4
_IRREGULAR: Final[dict[str, str]] = read_tables(__file__, "words")["irregular"]
_ADJECTIVE: Final = word_list("ых их ые ие ого его ому ему ый ий ая яя ое ее ую ым ими ыми")
"""Endings of Russian adjectives and participles, which stand before what is counted."""
_NASAL: Final = re.compile(r"(?:ões|ãos|ães|ão)$")
_IBERIAN_ENDING: Final = re.compile(r"(?<=\w\w\w)(?:[aeo]s?|(?<=[rlndzj])es|s)$")
_NOT_PLURAL: Final = ("ss", "us", "is", "ous", "'s")


def counted_after(line: TokenizedLine, at: int) -> str:
    """Singular (English) or stem of what is counted behind a token: the first plural, else the last word."""
    tables = line.language
    while line.next(at) in tables.skipped:
        at += 1
    noun = ""
    for place in range(at, at + _FARTHEST):
        word = line.next(place)
        if not word or word in tables.stops or word in tables.starts or not word[0].isalpha():
            break
        if tables.code == "en" and (word.endswith("ly") or (noun and word.endswith("ed"))):
            if noun:
                break
            continue
        if tables.nouns_in_capitals and not line.surface(place)[0].isupper():
            continue
        last = place
        while tables.nouns_in_capitals and last - place < _FARTHEST and _goes_on(line, last):
            last += 1
        noun = line.words[last]
        if tables.code == "ru" and word.endswith(_ADJECTIVE):
            continue
        if tables.code != "en" or _is_plural(word):
            break
    return normal_form(noun, tables.code) if noun else ""


def _goes_on(line: TokenizedLine, place: int) -> bool:
    return line.hyphened(place + 1) and line.words[place + 1].isalpha()


def _is_plural(word: str) -> bool:
    plural = len(word) > 3 and word.endswith("s") and not word.endswith(_NOT_PLURAL)
    return plural or word in _IRREGULAR or word.endswith("men")


@lru_cache(maxsize=20_000)
def normal_form(word: str, language: str) -> str:
    """A noun in the singular (English) or as its stem, in lower case; "" gives ""."""
    if language in ("es", "pt"):
        return _IBERIAN_ENDING.sub("", _NASAL.sub("ao", word))
    if language != "en":
        stem = stemmer(language)
        return stem(word) if stem else word
    known = _IRREGULAR.get(word)
    if known:
        return known
    if len(word) > 4 and word.endswith("men"):
        return f"{word[:-2]}an"
    if len(word) < 4 or not word.endswith("s") or word.endswith(_NOT_PLURAL):
        return word
    if word.endswith("ies"):
        return f"{word[:-3]}y"
    if word.endswith(("ches", "shes", "xes", "sses", "zzes")):
        return word[:-2]
    return word[:-1]
