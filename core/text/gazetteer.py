"""Where headlines say that something is: countries, their regions and cities, and what lies in or near what.

Two headlines that name places apart from each other are hardly of one event. Names that are also words
("Reading", "Essen") or given names count only where they stand as a place does: "in Reading", "Reading: …".
Source: GeoNames (CC BY 4.0) for cities, CLDR (Unicode licence) for countries, our own words for the rest.
"""

import gzip
import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from core.arrays import FloatArray, Int32Array
from core.text.facts import FACT_WORDS
from core.text.name_tables import FoundName, NameTable
from core.text.reading import reads
from core.text.tokens import REMEMBERED, word_list

PlaceIds = tuple[int, ...]  # of places, each once

_NEAR: Final = frozenset(word for words in FACT_WORDS["places"].values() for word in word_list(words)) | {"w"}
_OF: Final = frozenset(word_list("of de d du di do da von del della"))
_NO_PLACE_BEFORE: Final = frozenset(
    word_list(
        """Times Post Globe Journal Herald Tribune Chronicle Examiner Gazette Telegraph Standard Mercury Courier
        Star Reporter Zeitung Nachrichten Rundschau Presse County Parish"""
    )
)  # "The New York Times"; counties are called as towns far away
_LABEL: Final = re.compile(r"\s?[:.–—|](?:\s|$)|\s-\s|,\s[A-Z]")  # behind a place that a headline begins with
_WORD, _SMALL, _GIVEN = "w", "s", "g"  # how doubtful a name is, as the file has it
_DEGREE: Final = 111.2  # kilometres of a degree of latitude


class Place(NamedTuple):
    id: int
    name: str
    inside: int  # id of the region or country that it lies in, -1 for a country


class _Gazetteer(NamedTuple):
    called: list[str]  # the name of each place
    inside: list[int]
    spots: FloatArray  # [places, 2], latitude and longitude in degrees
    reaches: Int32Array  # kilometres around each spot, -1 for what has none
    names: NameTable[str]  # places of a name and its doubts, as the file has them


def place(number: int) -> Place:
    """The place with an id."""
    return Place(number, _gazetteer().called[number], _gazetteer().inside[number])


def places_of(text: str) -> tuple[Place, ...]:
    """The places that a headline names, in order; what one of the others lies in is left out."""
    return tuple(map(place, place_rows([text])[0]))


def place_rows(texts: Sequence[str]) -> list[PlaceIds]:
    """The ids of the places that each headline of a timeline names, as `places_of` gives them.

    Of several places of one name it is the one in or near what the headline names too, else in or near what
    others name most, else the largest.
    """
    named = [_named(text) for text in texts]
    mentions = Counter(
        wide for names in named for first, *others in names if not others for wide in _chain(first)
    )
    countries = {number: often for number, often in mentions.items() if _gazetteer().inside[number] < 0}
    # Where no country has most of the places, none is at home.
    for number in countries:
        if 2 * countries[number] < sum(countries.values()):
            del mentions[number]
    return [_chosen(names, mentions) for names in named]


def with_parents(row: Iterable[int]) -> set[int]:
    """The ids of places, of all that they lie in, and of what is near them: as far as both reach."""
    return set[int]().union(*map(_surroundings, row))


def conflict(left: Iterable[int], right: Iterable[int]) -> bool:
    """Whether both name a place, and none of one is, contains, lies in or is near any of the other."""
    left, right = set(left), set(right)
    return bool(left and right) and not (left & with_parents(right) or right & with_parents(left))


@reads("places", lambda text: ())
@lru_cache(maxsize=REMEMBERED)
def _named(text: str) -> tuple[PlaceIds, ...]:
    """For each name in a headline the places that are so called, the largest first."""
    candidates = list[PlaceIds]()
    for found in _gazetteer().names.find(text):
        numbers, _, doubts = found.meaning.partition("\t")
        if numbers and _stands_as_place(text, found, doubts):
            candidates.append(tuple(map(int, numbers.split(","))))
    return tuple(candidates)


def _stands_as_place(text: str, found: FoundName[str], doubts: str) -> bool:
    before = found.before.casefold()
    if found.after in _NO_PLACE_BEFORE:
        return False
    if _GIVEN in doubts and found.after[:1].isupper() and text[found.end : found.end + 1] == " ":
        return False  # "Jordan Delmotte"
    if not (_WORD in doubts or _SMALL in doubts) or before in _NEAR:
        return True
    is_label = not before and _LABEL.match(text, found.end) is not None
    return is_label or (_SMALL in doubts and before in _OF)


def _chosen(named: Sequence[PlaceIds], mentions: Counter[int]) -> PlaceIds:
    here = {candidates[0] for candidates in named}
    numbers = list[int]()
    for candidates in named:
        others = here - set(candidates)

        def nearness(number: int, others: Collection[int] = others) -> tuple[bool, int]:
            around = _surroundings(number)
            return not around.isdisjoint(others), sum(mentions[each] for each in around)

        numbers.append(max(candidates, key=nearness) if candidates[1:] else candidates[0])
    wider = {wide for number in numbers for wide in _chain(number)[1:]}
    return tuple(dict.fromkeys(number for number in numbers if number not in wider))


def _chain(number: int) -> PlaceIds:
    """A place, what it lies in, and so on up to its country."""
    inside = _gazetteer().inside[number]
    return (number,) if inside < 0 else (number, *_chain(inside))


@cache
def _surroundings(number: int) -> frozenset[int]:
    _, _, spots, reaches, _ = _gazetteer()
    near = list[int]()
    if reaches[number] >= 0:
        apart = (spots - spots[number]) * _DEGREE
        apart[:, 1] *= np.cos(np.radians(spots[number, 0]))
        reached = (np.hypot(*apart.T) <= reaches + reaches[number]) & (reaches >= 0)
        near = np.flatnonzero(reached).tolist()
    return frozenset((*_chain(number), *near))


@cache
def _gazetteer() -> _Gazetteer:
    file = Path(__file__).with_name("gazetteer.txt.gz")
    *columns, called, named = gzip.decompress(file.read_bytes()).decode("utf-8").split("\n", 5)
    inside, *spots, reaches = (np.array(column.split(), dtype=np.int32) for column in columns)
    names = dict(line.split("\t", 1) for line in named.splitlines())
    return _Gazetteer(
        called.split("\t"), inside.tolist(), np.stack(spots, axis=1) / 10, reaches, NameTable(names)
    )
