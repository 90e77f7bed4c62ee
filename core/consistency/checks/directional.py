"""Changes of a headline after which it reports another event."""

import datetime
import re
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from core.consistency.checks import check
from core.consistency.checks.check import GIVEN, NUMBER_WORDS, any_of
from core.registry import number
from core.text.names import find_names
from core.text.numerals.quantities import AMOUNTS, read_quantities
from core.text.tokens import word_list

_TRIES = 50
_DIGITS = re.compile(r"\d[\d,]*(?:\.\d+)?")
PLACES = tuple(map(word_list, GIVEN["places"]))
_PLACES_LIKE = {place: kind for kind in PLACES for place in kind}
_PLACE = re.compile(r"\b(?:" + "|".join(_PLACES_LIKE) + r")\b")
DAYS, MONTHS = (word_list(GIVEN[name]) for name in ("days", "months"))
_TIME = re.compile(r"\b(?:" + "|".join((*DAYS, *MONTHS)) + r"|(?:19|20)\d\d)\b")
OPPOSITES = check.word_pairs(GIVEN["opposites"])
_SWAPS = {word: other for pair in OPPOSITES for word, other in (pair, pair[::-1])}
_WORD = re.compile(rf"(?<![\w-]){any_of(_SWAPS)}\b", re.IGNORECASE)
_AUXILIARY = re.compile(
    r"\b(?:will|would|can|could|should|must|may|is|are|was|were|has|have|had|did|does|do)\b(?! not\b|n['’]t)",
    re.IGNORECASE,
)
_NEGATED = re.compile(
    r"\b(will|would|could|should|must|is|are|was|were|has|have|had|did|does|do) not\b", re.I
)


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
                return check.spliced(text, name.start, name.end, check.drawn(others, random).text)
        return None


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
        return None if other is None else check.spliced(text, number.start, number.end, other)


def _other(text: str, random: np.random.Generator) -> str | None:
    factor = float(random.uniform(1.5, 3.0))
    written = _DIGITS.search(text)
    if written is None:
        value = NUMBER_WORDS.index(text.casefold()) if text.casefold() in NUMBER_WORDS else 0
        larger = min(round(value * factor) + 1, len(NUMBER_WORDS) - 1)
        return NUMBER_WORDS[larger] if 0 < value < larger else None
    digits = written[0].rstrip(",")
    plain = digits.replace(",", "")
    if "." in plain:
        changed = f"{float(plain) * factor:.{len(plain.partition('.')[2])}f}"
    else:
        changed = str(round(int(plain) * factor) + 1)
        changed = f"{int(changed):,}" if "," in digits else changed
    return text[: written.start()] + changed + text[written.start() + len(digits) :]


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
        other = check.drawn([other for other in _PLACES_LIKE[place] if other not in places], random)
        return re.sub(rf"\b{place}\b", other, text)


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
            names = DAYS if word in DAYS else MONTHS
            other = check.drawn([name for name in names if name != word], random)
        return check.spliced(text, match.start(), match.end(), other)


@check.checks.register("different_day.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class DifferentDay(check.Check):
    """Publishes the headline again much later: "Markets open higher" is then another event."""

    summary: ClassVar[str] = "The same words published weeks later"
    kind: ClassVar[check.CheckKind] = check.CheckKind.DIRECTIONAL

    least_days: int = number(30, 1, 3650, "fewest days between")

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
