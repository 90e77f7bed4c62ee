"""German common nouns, which have a capital as names have.

`german_nouns.txt.gz` has the nouns of Wikidata's lexemes (CC0) that `_is_compound` does not make of shorter
ones, in small letters; surnames that are common nouns as well ("Koch") count as nouns.
"""

import gzip
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

from core.text.tokens import word_list

_ENDINGS: Final = ("e", "n", "en", "er", "ern", "s", "es", "ns", "se", "sen", "nen", "ens")
_UMLAUTS: Final = str.maketrans("äöü", "aou")
_LINKS: Final = ("", "s", "n", "en", "es", "er", "e")
_PEOPLES: Final = frozenset({"bayern", "sachsen", "franken", "schwaben", "hessen", "polen", "schweden"})
"""Places that are called as their people."""
_SHORTEST: Final = 3
_LONGEST: Final = 50
_OF_PLACES: Final = word_list("burg berg dorf land heim furt hausen bach feld kirchen stein mund reich ow")
"""Endings of towns and countries: a compound of these that is in no list of nouns is a name."""


@lru_cache(maxsize=65_536)
def is_common_noun(word: str) -> bool:
    """Whether a word is a German common noun, inflected or compound ones among them."""
    small = word.lower()
    if small in _PEOPLES or len(small) > _LONGEST:
        return False
    if not _nouns().isdisjoint(_bases(small)):
        return True
    return not small.endswith(_OF_PLACES) and _is_compound(small)


@cache
def _nouns() -> frozenset[str]:
    file = Path(__file__).with_name("german_nouns.txt.gz")
    return frozenset(gzip.decompress(file.read_bytes()).decode("utf-8").split())


def _bases(word: str) -> Iterator[str]:
    yield word
    for ending in _ENDINGS:
        base = word.removesuffix(ending)
        if base != word and len(base) >= _SHORTEST:
            yield base
        if base != word and len(base) >= (_SHORTEST if ending == "e" else _SHORTEST + 1):
            yield _without_umlaut(base)
    if len(word) > _SHORTEST:
        yield _without_umlaut(word)


def _without_umlaut(word: str) -> str:
    at = max(map(word.rfind, "äöü"))
    return word[:at] + word[at:].translate(_UMLAUTS) if at >= 0 else word


def _is_compound(word: str) -> bool:
    head = word[:-_SHORTEST]
    tied = head.endswith("s") and len(head) > _SHORTEST + 1  # "Unglücksbus", but not "Habeck" or "Passau"
    cuts = range(_SHORTEST, len(word) - _SHORTEST + tied)
    return any(_is_head(word[:cut]) and is_common_noun(word[cut:]) for cut in cuts)


def _is_head(part: str) -> bool:
    heads = (part.removesuffix(link) for link in _LINKS)
    return any(len(head) >= _SHORTEST and not _nouns().isdisjoint((head, f"{head}e")) for head in heads)
