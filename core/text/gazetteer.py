"""Where headlines say that something is: countries, their regions and cities, and what lies in or near what.

Names that are also words ("Reading") or given names count only where they stand as a place: "in Reading".
Source: GeoNames (CC BY 4.0) for cities, CLDR (Unicode-3.0) for countries, our own words for the rest.
"""

import gzip
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np

from core.arrays import FloatArray
from core.files import read_tables
from core.text.name_tables import NameTable, found_names
from core.text.tokens import word_list

_BESIDE: Final = {kind: frozenset(word_list(words)) for kind, words in read_tables(__file__).items()}
_LABEL: Final = re.compile(r"\s?[:.–—|](?:\s|$)|\s-\s|,\s[A-Z]")  # behind a place that a headline begins with
_DEGREE: Final = 111.2  # kilometres of a degree of latitude


def place_rows(texts: Sequence[str]) -> list[tuple[int, ...]]:
    """The ids of places that each headline names; of one name that near others, the usual, or the largest."""
    named = [_named(text) for text in texts]
    mentions = Counter(n for names in named for first, *more in names if not more for n in _chain(first)[:-1])
    return [_chosen(names, mentions) for names in named]


def is_place_name(name: str, *, doubtful: bool = False) -> bool:
    """Whether all of a name is a place's; `doubtful` ones are words and surnames, too: "Reading"."""
    found = [
        (*meaning.split("\t"), *around) for meaning, *around in found_names(f"in {name}", _gazetteer()[1])
    ]
    return any(
        ids != "" and (doubtful or doubts in ("", "g")) and (before, behind) == ("in ", "")
        for ids, doubts, before, behind in found
    )


def with_parents(places: Iterable[int]) -> set[int]:
    """The ids of places, of all that they lie in, and of what is near: as far as both reach."""
    return set[int]().union(*map(_surroundings, places))


def lies_in(place: int, other: int) -> bool:
    """Whether one of two places is in the other, or both are one: Columbus is in Ohio."""
    return place in _chain(other) or other in _chain(place)


def _named(text: str) -> tuple[tuple[int, ...], ...]:
    found = [(*meaning.split("\t"), *around) for meaning, *around in found_names(text, _gazetteer()[1])]
    return tuple(tuple(map(int, ids.split(","))) for ids, *where in found if ids and _stands_as_place(*where))


def _stands_as_place(doubts: str, before: str, behind: str) -> bool:
    together = "g" in doubts and behind[:1] == " " and behind[1:2].isupper()  # "Jordan Delmotte"
    of_paper = not _BESIDE["no_place_before"].isdisjoint(re.findall(r"\w+", behind)[:1])
    last = re.findall(r"\w+", before.casefold())[-1:]
    direct = not _BESIDE["near"].isdisjoint(last) or (doubts == "s" and not _BESIDE["of"].isdisjoint(last))
    stands = doubts in ("", "g") or direct or (not last and _LABEL.match(behind) is not None)
    return stands and not together and not of_paper


def _chosen(named: Sequence[tuple[int, ...]], mentions: Counter[int]) -> tuple[int, ...]:
    places = list[int]()
    for alike in named:
        others = {other[0] for other in named if other != alike}
        around = {place: _surroundings(place) for place in alike if alike[1:]}
        ranks = {n: (len(near & others), sum(mentions[each] for each in near)) for n, near in around.items()}
        places.append(max(ranks, key=ranks.__getitem__, default=alike[0]))
    wider = {wide for place in places for wide in _chain(place)[1:]}
    return tuple(dict.fromkeys(place for place in places if place not in wider))


def _chain(place: int) -> tuple[int, ...]:
    inside = int(_gazetteer()[0][0, place])
    return (place,) if inside < 0 else (place, *_chain(inside))


@cache
def _surroundings(place: int) -> frozenset[int]:
    _, latitudes, longitudes, reaches = _gazetteer()[0]
    north, east = latitudes - latitudes[place], longitudes - longitudes[place]
    apart = np.hypot(north, east * np.cos(np.radians(latitudes[place]))) * _DEGREE
    return frozenset((*_chain(place), *np.flatnonzero(apart <= reaches + reaches[place]).tolist()))


@cache
def _gazetteer() -> tuple[FloatArray, NameTable]:
    """What each place lies in (-1: a country), latitude, longitude, reach in km, [4, places]; and names."""
    content = gzip.decompress(Path(__file__).with_name("gazetteer.txt.gz").read_bytes()).decode("utf-8")
    *columns, named = content.split("\n", 4)
    names = NameTable(dict(line.split("\t", 1) for line in named.splitlines()))
    return np.array([column.split() for column in columns], dtype=np.float64), names
