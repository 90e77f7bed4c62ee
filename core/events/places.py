"""Whether a name is a place's: one that gazetteers have, or one that stands behind "in" or "near"."""

from collections.abc import Iterable
from enum import Enum
from typing import Final

from core.files import read_tables
from core.text.facts import FACT_WORDS, is_saying, places, same_name
from core.text.gazetteer import is_place_name, lies_in, place_rows
from core.text.numerals.language_tables import language_tables
from core.text.numerals.languages import language_of
from core.text.reading import reads
from core.text.tokens import STOP_WORDS, fold, tokenize, word_list

_ARTICLES: Final = frozenset(word_list(read_tables(__file__)["articles"]))
_PARTS: Final = frozenset(word_list("northern southern eastern western central"))  # "off northern Japan"
_OF: Final = frozenset(word_list("of de du di da do del della von"))


class PlaceReading(Enum):
    PLACE = 1  # it is where something is
    OPEN = 0
    NO_PLACE = -1


def nested(name: str, others: Iterable[str]) -> bool:
    """Whether a place is in each of some others, or they are in it, as far as the gazetteer knows all."""
    own, *around = place_rows(
        [f"in {same_name(each, people=False).title() or each}" for each in (name, *others)]
    )
    return bool(own) and all(of and lies_in(own[0], of[0]) for of in around)


def is_country(name: str) -> bool:
    return (same_name(name, people=False) or name.casefold()) in FACT_WORDS["adjectives"]


def is_known_place(text: str, *, doubtful: bool = False) -> bool:
    return is_place_name(text, doubtful=doubtful) or same_name(text, people=False) != ""


@reads("places", lambda text: PlaceReading.OPEN)
def stands_as_place(text: str, start: int, end: int, language: str) -> PlaceReading:
    """Whether a name is where something is: "Crete quake"; neither "Essen: …" nor "in the Apple store"."""
    code = language_of(text, doubtful=language)
    prepositions = places(code)
    before = text[:start].casefold().split()[-2:]
    headed = "" if before else text[end:].lstrip()[:1]
    town = headed == "," and is_known_place(text[start:end]) and not is_country(text[start:end])
    if headed == ":" or town or not _OF.isdisjoint(before[-1:]):
        return PlaceReading.OPEN
    near = before[-1:] if before[-1:] and before[-1] in prepositions else before[:-1]
    direct = bool(near) and (near == before[-1:] or before[-1] in _ARTICLES | _PARTS)
    is_month = fold(text[start:end].rstrip(".")) in language_tables(code).months
    following = next((token for token in tokenize(text) if token.start >= end), None)
    beside = following if following and text[end : following.start] == " " else None
    if beside and beside.text.casefold() in places("behind") and not is_month:
        return PlaceReading.PLACE
    # "сообщили в НАСА": no place, but who says it
    speaks = code == "ru" and text[start:end].isupper() and any(is_saying(each, code) for each in before[:1])
    if not direct or near[-1] not in prepositions or is_month or speaks:
        return PlaceReading.NO_PLACE
    if beside is None or beside.number:
        is_attribute = text[end : end + 2] in {"'s", "’s"}
    else:
        is_attribute = not (beside.stop or beside.text.casefold() in STOP_WORDS.get(code, ()))
    return PlaceReading.OPEN if is_attribute else PlaceReading.PLACE
