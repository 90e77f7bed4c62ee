"""What a number counts: the head of the noun phrase after it, found by a light rule."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from core.text.numerals.lines import Line
from core.text.stems import stemmer
from core.text.tokens import word_list

_FARTHEST: Final = 4
_IRREGULAR: Final = {
    "people": "person", "men": "man", "women": "woman", "children": "child", "kids": "kid", "feet": "foot",
    "lives": "life", "wives": "wife", "knives": "knife", "wolves": "wolf", "mice": "mouse", "teeth": "tooth",
    "geese": "goose", "movies": "movie", "cookies": "cookie", "species": "species", "series": "series",
    "buses": "bus", "shoes": "shoe", "houses": "house", "cases": "case", "horses": "horse", "nurses": "nurse",
    "courses": "course", "businesses": "business", "heroes": "hero", "potatoes": "potato", "crises": "crisis",
    "thieves": "thief", "selves": "self", "halves": "half", "leaves": "leaf", "votes": "vote", "dead": "dead",
    "news": "news", "ties": "tie", "pies": "pie", "zombies": "zombie", "selfies": "selfie", "cops": "cop",
    "releases": "release", "purchases": "purchase", "increases": "increase", "phases": "phase",
}  # fmt: skip
_ADJECTIVE: Final = word_list("ых их ые ие ого его ому ему ый ий ая яя ое ее ую ым ими ыми")
"""Endings of Russian adjectives and participles, which stand before what is counted."""
_NOT_PLURAL: Final = ("ss", "us", "is", "ous", "'s")


def counted_after(line: Line, at: int) -> str:
    """Normal form of what is counted by a number whose words end before a token.

    The first plural among the next few words of the phrase, else its last word. English words are put into
    the singular, others to their stem.

    Args:
        line: The text.
        at: The token after the number.

    Returns:
        "" where no noun phrase follows.
    """
    tables = line.language
    while line.next(at) in tables.skipped:
        at += 1
    found = ""
    for place in range(at, at + _FARTHEST):
        word = line.next(place)
        if not word or word in tables.stops or word in tables.starts or not word[0].isalpha():
            break
        if tables.code == "en" and (word.endswith("ly") or (found and word.endswith("ed"))):
            if found:
                break
            continue
        found = word
        if tables.code == "ru" and word.endswith(_ADJECTIVE):
            continue
        if tables.code != "en" or _is_plural(word):
            break
    return normal_form(found, tables.code) if found else ""


def _is_plural(word: str) -> bool:
    return (
        word in _IRREGULAR
        or (len(word) > 3 and word.endswith("s") and not word.endswith(_NOT_PLURAL))
        or (word.endswith("men"))
    )


@lru_cache(maxsize=20_000)
def normal_form(word: str, language: str) -> str:
    """A noun in the singular (English) or as its stem, in lower case; "" gives ""."""
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
