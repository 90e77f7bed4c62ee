"""Where headlines say that something is: countries, their regions and cities, and what lies in or near what.

Names that are also words ("Reading") or given names count only where they stand as a place: "in Reading".
Source: GeoNames (CC BY 4.0) for cities, CLDR (Unicode-3.0) for countries, our own words for the rest.
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
from core.files import read_tables
from core.text.name_tables import NameTable
from core.text.reading import reads
from core.text.tokens import REMEMBERED, word_list

Ids = tuple[int, ...]
_BESIDE: Final = {kind: frozenset(word_list(words)) for kind, words in read_tables(__file__).items()}
_LABEL: Final = re.compile(r"\s?[:.–—|](?:\s|$)|\s-\s|,\s[A-Z]")  # behind a place that a headline begins with
_WORD: Final = re.compile(r"[^\W\d_]+")
_DEGREE: Final = 111.2  # kilometres of a degree of latitude


class _Gazetteer(NamedTuple):
    inside: list[int]  # the smallest place that each is in, -1 for a country
    spots: FloatArray  # [places, 2], latitude and longitude in degrees
    reaches: Int32Array  # kilometres around each spot, -1 for what is in no one spot
    names: NameTable  # the places of a name, and how doubtful it is


def place_rows(texts: Sequence[str]) -> list[Ids]:
    """The ids of the places that each headline of a timeline names, but for those that another one lies in.

    Of places of one name it is that in or near what the headline names too, else what others do, or the
    largest.
    """
    named = [_named(text) for text in texts]
    mentions = Counter(n for names in named for first, *more in names if not more for n in _chain(first)[:-1])
    return [_chosen(names, mentions) for names in named]


def with_parents(places: Iterable[int]) -> set[int]:
    """The ids of places, of all that they lie in, and of what is near: as far as both reach."""
    return set[int]().union(*map(_surroundings, places))


def conflict(left: Collection[int], right: Collection[int]) -> bool:
    """Whether both name a place, and none of one is, contains, lies in or is near any of the other."""
    apart = with_parents(left).isdisjoint(right) and with_parents(right).isdisjoint(left)
    return bool(left and right) and apart


@reads("places", lambda text: ())
@lru_cache(maxsize=REMEMBERED)
def _named(text: str) -> tuple[Ids, ...]:
    """For each name in a headline the places that are so called, the largest first."""
    found = [(*meaning.split("\t"), *around) for meaning, *around in _gazetteer().names.find(text)]
    return tuple(
        tuple(map(int, ids.split(","))) for ids, *doubts in found if ids and _stands_as_place(*doubts)
    )


def _stands_as_place(doubts: str, before: str, behind: str) -> bool:
    together = "g" in doubts and behind[:1] == " " and behind[1:2].isupper()  # "Jordan Delmotte"
    if together or not _BESIDE["no_place_before"].isdisjoint(_WORD.findall(behind)[:1]):
        return False
    last = _WORD.findall(before.casefold())[-1:]
    direct = not _BESIDE["near"].isdisjoint(last) or (doubts == "s" and not _BESIDE["of"].isdisjoint(last))
    return doubts in ("", "g") or direct or (not last and _LABEL.match(behind) is not None)


def _chosen(named: Sequence[Ids], mentions: Counter[int]) -> Ids:
    places = list[int]()
    for alike in named:
        others = {other[0] for other in named if other != alike}
        around = {place: _surroundings(place) for place in alike if alike[1:]}
        ranks = {n: (len(near & others), sum(mentions[each] for each in near)) for n, near in around.items()}
        places.append(max(ranks, key=ranks.__getitem__, default=alike[0]))
    wider = {wide for place in places for wide in _chain(place)[1:]}
    return tuple(dict.fromkeys(place for place in places if place not in wider))


def _chain(place: int) -> Ids:
    """A place, what it lies in, and so on up to its country."""
    inside = _gazetteer().inside[place]
    return (place,) if inside < 0 else (place, *_chain(inside))


@cache
def _surroundings(place: int) -> frozenset[int]:
    _, spots, reaches, _ = _gazetteer()
    apart = (spots - spots[place]) * _DEGREE * (1, np.cos(np.radians(spots[place, 0])))
    near = (reaches >= 0) & (np.hypot(*apart.T) <= reaches + reaches[place]) & (reaches[place] >= 0)
    return frozenset((*_chain(place), *np.flatnonzero(near).tolist()))


@cache
def _gazetteer() -> _Gazetteer:
    content = gzip.decompress(Path(__file__).with_name("gazetteer.txt.gz").read_bytes()).decode("utf-8")
    *columns, named = content.split("\n", 4)
    inside, *spots, reaches = (np.array(column.split(), dtype=np.int32) for column in columns)
    names = NameTable(dict(line.split("\t", 1) for line in named.splitlines()))
    return _Gazetteer(inside.tolist(), np.stack(spots, axis=1) / 10, reaches, names)
