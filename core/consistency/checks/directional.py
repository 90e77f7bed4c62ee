"""Changes after which it is another event: another name, number, place, time or day, or the opposite."""

from __future__ import annotations

import datetime
import re
from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np

from core.consistency.checks import check
from core.consistency.checks.invariant import WORDS
from core.text.differences import find_names
from core.text.numerals.quantities import AMOUNTS, read_quantities
from core.text.tokens import word_list

_TRIES = 50


@check.checks.register("changed_name.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class ChangedName(check.Check):
    summary: ClassVar[str] = "A name exchanged for another of the timeline"
    kind: ClassVar[check.CheckKind] = check.CheckKind.DIRECTIONAL

    def reworded(self, text: str, material: check.Material, random: np.random.Generator) -> str | None:
        own = find_names(text, known=material.names)
        if not own:
            return None
        name = check.drawn(own, random)
        held = {token.form for token in own}
        for _ in range(_TRIES):
            donor = material.headlines[int(random.integers(len(material.headlines)))]
            others = [
                token
                for token in find_names(donor.text, known=material.names)
                if token.form not in held and token.acronym == name.acronym
            ]
            if others:
                other = check.drawn(others, random).text
                return check.spliced(text, name.start, name.end, other)
        return None


_DIGITS = re.compile(r"\d[\d,]*(?:\.\d+)?")


@check.checks.register("changed_number.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class ChangedNumber(check.Check):
    summary: ClassVar[str] = "A number that is clearly another (12 dead, 30 dead)"
    kind: ClassVar[check.CheckKind] = check.CheckKind.DIRECTIONAL

    def reworded(self, text: str, material: check.Material, random: np.random.Generator) -> str | None:
        numbers = [
            number
            for number in read_quantities(text)
            if number.exact and number.value > 0 and number.kind in AMOUNTS
        ]
        if not numbers:
            return None
        number = check.drawn(numbers, random)
        other = _other(number.text, random)
        if other is None:
            return None
        return check.spliced(text, number.start, number.end, other)


def _other(text: str, random: np.random.Generator) -> str | None:
    factor = float(random.uniform(1.5, 3.0))
    written = _DIGITS.search(text)
    if written is None:
        value = WORDS.index(text.casefold()) if text.casefold() in WORDS else 0
        larger = min(round(value * factor) + 1, len(WORDS) - 1)
        return WORDS[larger] if 0 < value < larger else None
    digits = written[0].rstrip(",")
    plain = digits.replace(",", "")
    if "." in plain:
        changed = f"{float(plain) * factor:.{len(plain.partition('.')[2])}f}"
    else:
        changed = str(round(int(plain) * factor) + 1)
        changed = f"{int(changed):,}" if "," in digits else changed
    return text[: written.start()] + changed + text[written.start() + len(digits) :]


PLACES = tuple(  # a place is exchanged for one of its kind
    word_list(kind)
    for kind in (
        """Afghanistan Argentina Australia Austria Belgium Brazil Britain Canada Chile China Colombia Cuba
        Denmark Egypt Ethiopia Finland France Germany Greece Haiti Hungary India Indonesia Iran Iraq Ireland
        Israel Italy Japan Jordan Kenya Lebanon Libya Malaysia Mexico Morocco Nepal Netherlands Nigeria Norway
        Pakistan Peru Philippines Poland Portugal Romania Russia Somalia Spain Sudan Sweden Switzerland Syria
        Taiwan Thailand Turkey Uganda Ukraine Venezuela Vietnam Yemen Zimbabwe""",
        """Amsterdam Athens Baghdad Bangkok Barcelona Beijing Berlin Boston Brussels Budapest Cairo Chicago
        Dallas Delhi Denver Detroit Dublin Houston Istanbul Jakarta Jerusalem Johannesburg Kabul Kiev Lagos
        Lima Lisbon London Madrid Manchester Manila Melbourne Miami Moscow Mumbai Munich Nairobi Oslo Paris
        Philadelphia Phoenix Prague Rome Seattle Seoul Shanghai Singapore Stockholm Sydney Tehran Tokyo
        Toronto Vienna Warsaw""",
        """Alabama Alaska Arizona Arkansas California Colorado Connecticut Delaware Florida Hawaii Idaho
        Illinois Indiana Iowa Kansas Kentucky Louisiana Maine Maryland Massachusetts Michigan Minnesota
        Mississippi Missouri Montana Nebraska Nevada Ohio Oklahoma Oregon Pennsylvania Tennessee Texas Utah
        Vermont Virginia Wisconsin Wyoming""",
        "Africa Asia Europe Antarctica",
        "Mars Venus Jupiter Saturn Mercury Neptune",
    )
)

_PLACES_LIKE = {place: kind for kind in PLACES for place in kind}
_PLACE = re.compile(r"\b(?:" + "|".join(_PLACES_LIKE) + r")\b")


@check.checks.register("changed_place.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class ChangedPlace(check.Check):
    summary: ClassVar[str] = "Another country, city or state"
    kind: ClassVar[check.CheckKind] = check.CheckKind.DIRECTIONAL

    def reworded(self, text: str, material: check.Material, random: np.random.Generator) -> str | None:
        places = list(dict.fromkeys(_PLACE.findall(text)))
        if not places:
            return None
        place = check.drawn(places, random)
        others = [other for other in _PLACES_LIKE[place] if other not in places]
        other = check.drawn(others, random)
        return re.sub(rf"\b{place}\b", other, text)


DAYS = word_list("Monday Tuesday Wednesday Thursday Friday Saturday Sunday")
MONTHS = tuple(word_list("January February March April June July August September October November December"))
"""Without May, which is a verb as often."""

_TIME = re.compile(r"\b(?:" + "|".join((*DAYS, *MONTHS)) + r"|(?:19|20)\d\d)\b")


@check.checks.register("changed_time.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class ChangedTime(check.Check):
    summary: ClassVar[str] = "Another weekday, month or year in the headline"
    kind: ClassVar[check.CheckKind] = check.CheckKind.DIRECTIONAL

    def reworded(self, text: str, material: check.Material, random: np.random.Generator) -> str | None:
        match = _TIME.search(text)
        if match is None:
            return None
        word = match[0]
        if word.isdigit():
            other = str(int(word) + int(random.choice([-2, -1, 1, 2])))
        else:
            kind = DAYS if word in DAYS else MONTHS
            others = [name for name in kind if name != word]
            other = check.drawn(others, random)
        return check.spliced(text, match.start(), match.end(), other)


@check.checks.register("different_day.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class DifferentDay(check.Check):
    """Publishes the headline again much later: "Markets open higher" is then another event."""

    summary: ClassVar[str] = "The same words published weeks later"
    kind: ClassVar[check.CheckKind] = check.CheckKind.DIRECTIONAL

    least_days: int = field(default=30, metadata={"help": "fewest days between", "low": 1, "high": 3650})

    def change(
        self, headline: check.DatedHeadline, material: check.Material, random: np.random.Generator
    ) -> check.DatedHeadline | None:
        if headline.date is None:
            return None
        days = int(random.integers(self.least_days, 2 * self.least_days + 1))
        if (datetime.date.max - headline.date).days < days:
            return None
        return replace(headline, date=headline.date + datetime.timedelta(days=days))

    def reworded(self, text: str, material: check.Material, random: np.random.Generator) -> str | None:
        return text


OPPOSITES = check.word_pairs(  # either may stand for the other
    """wins/loses; win/lose; won/lost; rise/fall; rises/falls; rose/fell; up/down; gains/losses;
    approves/rejects; approved/rejected; accepts/refuses; agrees/refuses; confirms/denies;
    confirmed/denied; guilty/not guilty; passes/fails; starts/stops; begins/ends; opens/closes;
    arrives/departs; survives/dies; alive/dead; success/failure; successful/failed; increase/decrease;
    increases/decreases; higher/lower; supports/opposes; joins/leaves; arrested/released"""
)

_SWAPS = {word: other for pair in OPPOSITES for word, other in (pair, pair[::-1])}
_WORD = re.compile(
    r"(?<![\w-])(?:" + "|".join(re.escape(word) for word in sorted(_SWAPS, key=len, reverse=True)) + r")\b",
    re.IGNORECASE,
)
_AUXILIARY = re.compile(
    r"\b(?:will|would|can|could|should|must|may|is|are|was|were|has|have|had|did|does|do)\b(?! not\b|n['’]t)",
    re.IGNORECASE,
)
_NEGATED = re.compile(
    r"\b(will|would|could|should|must|is|are|was|were|has|have|had|did|does|do) not\b", re.I
)


@check.checks.register("negation.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Negation(check.Check):
    """Denies what the headline says: "not" put in or taken out, or a word made its opposite; English."""

    summary: ClassVar[str] = "“not” put in or taken out, or a word turned into its opposite"
    kind: ClassVar[check.CheckKind] = check.CheckKind.DIRECTIONAL

    def reworded(self, text: str, material: check.Material, random: np.random.Generator) -> str | None:
        for pattern, other in ((_NEGATED, lambda match: match[1]), (_AUXILIARY, _denied), (_WORD, _opposite)):
            match = pattern.search(text)
            if match is not None:
                return check.spliced(text, match.start(), match.end(), other(match))
        return None


def _denied(match: re.Match[str]) -> str:
    negation = "Not" if match[0][0].isupper() and not match[0].isupper() else "not"
    return f"{match[0]} {negation}"


def _opposite(match: re.Match[str]) -> str:
    other = _SWAPS[match[0].casefold()]
    return other[0].upper() + other[1:] if match[0][0].isupper() else other
