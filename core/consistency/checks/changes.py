"""Changes of words that must not change a decision, and changes after which it is another event."""

from __future__ import annotations

import datetime
import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import ClassVar, Final

import numpy as np

from core.consistency.checks.check import (
    Check,
    CheckKind,
    DatedHeadline,
    Material,
    checks,
    drawn,
    spliced,
    word_pairs,
)
from core.text.names import find_names
from core.text.numerals.numeral import NumeralKind
from core.text.numerals.quantities import AMOUNTS, Quantity, read_quantities
from core.text.tokens import word_list

_WORDS: Final = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


def _any_of(words: Iterable[str]) -> str:
    return f"(?:{'|'.join(map(re.escape, sorted(words, key=len, reverse=True)))})"


@checks.register("case.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class LetterCase(Check):
    summary: ClassVar[str] = "All capitals, or Title Case"

    def reworded(self, text: str, material: Material, random: np.random.Generator) -> str | None:
        words = text.split(" ")
        titled = " ".join(word[:1].upper() + word[1:] for word in words)
        choices = [form for form in (text.upper(), titled) if form != text]
        return drawn(choices, random) if choices else None


@checks.register("punctuation.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Punctuation(Check):
    summary: ClassVar[str] = "A full stop more or less, another dash or apostrophe"

    def reworded(self, text: str, material: Material, random: np.random.Generator) -> str | None:
        ends = text[:-1].rstrip() if text.endswith((".", "!")) else f"{text}."
        variants = [
            ends,
            re.sub(r"\s[-–—]\s", " – " if " - " in text else " - ", text),
            re.sub(r"(?<=\w)'(?=\w)", "’", text) if "’" not in text else text.replace("’", "'"),
            re.sub(r"(?<=[^\W\d]): ", " - ", text, count=1),
        ]
        choices = [changed for changed in variants if changed and changed != text]
        return drawn(choices, random) if choices else None


_DOUBLE = re.compile('["“”„«»]')
_SINGLE = re.compile(r"(?<!\w)['‘](?=\w)([^'‘’]+)['’](?!\w)")


@checks.register("quotation_marks.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class QuotationMarks(Check):
    summary: ClassVar[str] = "Quotation marks left out"

    def reworded(self, text: str, material: Material, random: np.random.Generator) -> str | None:
        bare = " ".join(_SINGLE.sub(r"\1", _DOUBLE.sub("", text)).split())
        return bare if bare and bare != text else None


SUFFIXES: tuple[str, ...] = tuple(_WORDS["suffixes"])
_SUFFIX = re.compile(r"(?:" + "|".join(re.escape(suffix) for suffix in SUFFIXES) + r")$")


@checks.register("source_suffix.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class SourceSuffix(Check):
    summary: ClassVar[str] = "A publisher's name at the end (“ - CNN”)"

    def reworded(self, text: str, material: Material, random: np.random.Generator) -> str | None:
        bare = _SUFFIX.sub("", text)
        if bare != text:
            return bare if bare.strip() else None
        return text + drawn(SUFFIXES, random)


STYLES = word_pairs(_WORDS["styles"])
_EITHER = {word.casefold(): other for pair in STYLES for word, other in (pair, pair[::-1])}
_STYLED = re.compile(rf"(?<![\w.&]){_any_of(_EITHER)}(?![\w.&])", re.IGNORECASE)
_CAPITALS = frozenset(word for pair in STYLES for word in pair if word.isupper() and word.isalpha())


@checks.register("publisher_style.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class PublisherStyle(Check):
    summary: ClassVar[str] = "A word of another house style (US, U.S.; probe, investigation)"

    def reworded(self, text: str, material: Material, random: np.random.Generator) -> str | None:
        matches = [
            match
            for match in _STYLED.finditer(text)
            if match[0].isupper() or match[0].upper() not in _CAPITALS
        ]
        if not matches:
            return None
        match = drawn(matches, random)
        other = _EITHER[match[0].casefold()]
        if match[0][0].isupper() and other[0].islower():
            other = other[0].upper() + other[1:]
        return spliced(text, match.start(), match.end(), other)


WORDS = word_list(_WORDS["numbers"])
_MAGNITUDES = ((1_000_000_000, "billion"), (1_000_000, "million"), (1_000, "thousand"), (100, "hundred"))
_WRITTEN = AMOUNTS - {NumeralKind.AGE}


@checks.register("number_format.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class NumberFormat(Check):
    summary: ClassVar[str] = "A number written another way (1,000, 1000, one thousand)"

    def reworded(self, text: str, material: Material, random: np.random.Generator) -> str | None:
        for number in read_quantities(text):
            if ways := rewritten(number):
                return spliced(text, number.start, number.end, drawn(ways, random))
        return None


def rewritten(number: Quantity) -> list[str]:
    """Other ways to write a number, each of which reads back as the same value; [] where there is none."""
    if number.kind not in _WRITTEN or not number.exact or number.value != int(number.value):
        return []
    if number.kind is NumeralKind.PERCENT:
        digits = f"{int(number.value)}"
        forms = [f"{digits}%", f"{digits} percent"]
    else:
        sign = re.match(r"[$€£]?", number.text)
        before = sign[0] if sign else ""
        if number.kind is NumeralKind.MONEY and not before:
            return []
        forms = [before + form for form in _forms(int(number.value), words=not before)]
    return [form for form in forms if form != number.text.casefold() and _reads_as(form, number)]


def _forms(value: int, *, words: bool) -> list[str]:
    forms = [f"{value:,}", str(value)]
    if words and value < len(WORDS):
        forms.append(WORDS[value])
    for size, name in _MAGNITUDES:
        count, rest = divmod(value, size)
        if count and not rest and count < 1000 and (words or size >= 1_000_000):
            forms.append(f"{count} {name}")
            if words and count < len(WORDS):
                forms.append(f"{WORDS[count]} {name}")
            break
    return forms


def _reads_as(form: str, number: Quantity) -> bool:
    read = read_quantities(f"about {form} of")
    return len(read) == 1 and read[0].value == number.value


_TRIES = 50


@checks.register("changed_name.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class ChangedName(Check):
    summary: ClassVar[str] = "A name exchanged for another of the timeline"
    kind: ClassVar[CheckKind] = CheckKind.DIRECTIONAL

    def reworded(self, text: str, material: Material, random: np.random.Generator) -> str | None:
        own = find_names(text, known=material.names)
        if not own:
            return None
        name = drawn(own, random)
        held = {token.form for token in own}
        for _ in range(_TRIES):
            donor = material.headlines[int(random.integers(len(material.headlines)))]
            others = [
                token
                for token in find_names(donor.text, known=material.names)
                if token.form not in held and token.acronym == name.acronym
            ]
            if others:
                return spliced(text, name.start, name.end, drawn(others, random).text)
        return None


_DIGITS = re.compile(r"\d[\d,]*(?:\.\d+)?")


@checks.register("changed_number.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class ChangedNumber(Check):
    summary: ClassVar[str] = "A number that is clearly another (12 dead, 30 dead)"
    kind: ClassVar[CheckKind] = CheckKind.DIRECTIONAL

    def reworded(self, text: str, material: Material, random: np.random.Generator) -> str | None:
        numbers = [
            number
            for number in read_quantities(text)
            if number.exact and number.value > 0 and number.kind in AMOUNTS
        ]
        if not numbers:
            return None
        number = drawn(numbers, random)
        other = _other(number.text, random)
        return None if other is None else spliced(text, number.start, number.end, other)


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


PLACES = tuple(map(word_list, _WORDS["places"]))
_PLACES_LIKE = {place: kind for kind in PLACES for place in kind}
_PLACE = re.compile(r"\b(?:" + "|".join(_PLACES_LIKE) + r")\b")


@checks.register("changed_place.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class ChangedPlace(Check):
    summary: ClassVar[str] = "Another country, city or state"
    kind: ClassVar[CheckKind] = CheckKind.DIRECTIONAL

    def reworded(self, text: str, material: Material, random: np.random.Generator) -> str | None:
        places = list(dict.fromkeys(_PLACE.findall(text)))
        if not places:
            return None
        place = drawn(places, random)
        other = drawn([other for other in _PLACES_LIKE[place] if other not in places], random)
        return re.sub(rf"\b{place}\b", other, text)


DAYS, MONTHS = (word_list(_WORDS[name]) for name in ("days", "months"))
_TIME = re.compile(r"\b(?:" + "|".join((*DAYS, *MONTHS)) + r"|(?:19|20)\d\d)\b")


@checks.register("changed_time.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class ChangedTime(Check):
    summary: ClassVar[str] = "Another weekday, month or year in the headline"
    kind: ClassVar[CheckKind] = CheckKind.DIRECTIONAL

    def reworded(self, text: str, material: Material, random: np.random.Generator) -> str | None:
        match = _TIME.search(text)
        if match is None:
            return None
        word = match[0]
        if word.isdigit():
            other = str(int(word) + int(random.choice([-2, -1, 1, 2])))
        else:
            names = DAYS if word in DAYS else MONTHS
            other = drawn([name for name in names if name != word], random)
        return spliced(text, match.start(), match.end(), other)


@checks.register("different_day.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class DifferentDay(Check):
    """Publishes the headline again much later: "Markets open higher" is then another event."""

    summary: ClassVar[str] = "The same words published weeks later"
    kind: ClassVar[CheckKind] = CheckKind.DIRECTIONAL

    least_days: int = field(default=30, metadata={"help": "fewest days between", "low": 1, "high": 3650})

    def change(
        self, headline: DatedHeadline, material: Material, random: np.random.Generator
    ) -> DatedHeadline | None:
        if headline.date is None:
            return None
        days = int(random.integers(self.least_days, 2 * self.least_days + 1))
        if (datetime.date.max - headline.date).days < days:
            return None
        return replace(headline, date=headline.date + datetime.timedelta(days=days))

    def reworded(self, text: str, material: Material, random: np.random.Generator) -> str | None:
        return text


OPPOSITES = word_pairs(_WORDS["opposites"])
_SWAPS = {word: other for pair in OPPOSITES for word, other in (pair, pair[::-1])}
_WORD = re.compile(rf"(?<![\w-]){_any_of(_SWAPS)}\b", re.IGNORECASE)
_AUXILIARY = re.compile(
    r"\b(?:will|would|can|could|should|must|may|is|are|was|were|has|have|had|did|does|do)\b(?! not\b|n['’]t)",
    re.IGNORECASE,
)
_NEGATED = re.compile(
    r"\b(will|would|could|should|must|is|are|was|were|has|have|had|did|does|do) not\b", re.I
)


@checks.register("negation.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Negation(Check):
    """Denies what the headline says: "not" put in or taken out, or a word made its opposite; English."""

    summary: ClassVar[str] = "“not” put in or taken out, or a word turned into its opposite"
    kind: ClassVar[CheckKind] = CheckKind.DIRECTIONAL

    def reworded(self, text: str, material: Material, random: np.random.Generator) -> str | None:
        for pattern, other in ((_NEGATED, lambda match: match[1]), (_AUXILIARY, _denied), (_WORD, _opposite)):
            match = pattern.search(text)
            if match is not None:
                return spliced(text, match.start(), match.end(), other(match))
        return None


def _denied(match: re.Match[str]) -> str:
    negation = "Not" if match[0][0].isupper() and not match[0].isupper() else "not"
    return f"{match[0]} {negation}"


def _opposite(match: re.Match[str]) -> str:
    other = _SWAPS[match[0].casefold()]
    return other[0].upper() + other[1:] if match[0][0].isupper() else other
