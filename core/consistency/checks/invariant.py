"""Changes of a headline that must not change a decision."""

import re
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from core.consistency.checks import check
from core.text.numerals.numeral import NumeralKind
from core.text.numerals.quantities import AMOUNTS, Quantity, read_quantities

_DOUBLE = re.compile('["“”„«»]')
_SINGLE = re.compile(r"(?<!\w)['‘](?=\w)([^'‘’]+)['’](?!\w)")
SUFFIXES: tuple[str, ...] = tuple(check.GIVEN["suffixes"])
_SUFFIX = re.compile(r"(?:" + "|".join(re.escape(suffix) for suffix in SUFFIXES) + r")$")
STYLES = check.word_pairs(check.GIVEN["styles"])
_EITHER = {word.casefold(): other for pair in STYLES for word, other in (pair, pair[::-1])}
_STYLED = re.compile(rf"(?<![\w.&]){check.any_of(_EITHER)}(?![\w.&])", re.IGNORECASE)
_CAPITALS = frozenset(word for pair in STYLES for word in pair if word.isupper() and word.isalpha())
_MAGNITUDES = ((1_000_000_000, "billion"), (1_000_000, "million"), (1_000, "thousand"), (100, "hundred"))
_WRITTEN = AMOUNTS - {NumeralKind.AGE}


@check.checks.register("case.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class LetterCase(check.Check):
    summary: ClassVar[str] = "All capitals, or Title Case"

    def reworded(self, text: str, material: check.Material, random: np.random.Generator) -> str | None:
        words = text.split(" ")
        titled = " ".join(word[:1].upper() + word[1:] for word in words)
        choices = [form for form in (text.upper(), titled) if form != text]
        return check.drawn(choices, random) if choices else None


@check.checks.register("punctuation.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Punctuation(check.Check):
    summary: ClassVar[str] = "A full stop more or less, another dash or apostrophe"

    def reworded(self, text: str, material: check.Material, random: np.random.Generator) -> str | None:
        ends = text[:-1].rstrip() if text.endswith((".", "!")) else f"{text}."
        variants = [
            ends,
            re.sub(r"\s[-–—]\s", " – " if " - " in text else " - ", text),
            re.sub(r"(?<=\w)'(?=\w)", "’", text) if "’" not in text else text.replace("’", "'"),
            re.sub(r"(?<=[^\W\d]): ", " - ", text, count=1),
        ]
        choices = [changed for changed in variants if changed and changed != text]
        return check.drawn(choices, random) if choices else None


@check.checks.register("quotation_marks.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class QuotationMarks(check.Check):
    summary: ClassVar[str] = "Quotation marks left out"

    def reworded(self, text: str, material: check.Material, random: np.random.Generator) -> str | None:
        bare = " ".join(_SINGLE.sub(r"\1", _DOUBLE.sub("", text)).split())
        return bare if bare and bare != text else None


@check.checks.register("source_suffix.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class SourceSuffix(check.Check):
    summary: ClassVar[str] = "A publisher's name at the end (“ - CNN”)"

    def reworded(self, text: str, material: check.Material, random: np.random.Generator) -> str | None:
        bare = _SUFFIX.sub("", text)
        if bare != text:
            return bare if bare.strip() else None
        return text + check.drawn(SUFFIXES, random)


@check.checks.register("publisher_style.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class PublisherStyle(check.Check):
    summary: ClassVar[str] = "A word of another house style (US, U.S.; probe, investigation)"

    def reworded(self, text: str, material: check.Material, random: np.random.Generator) -> str | None:
        matches = [
            match
            for match in _STYLED.finditer(text)
            if match[0].isupper() or match[0].upper() not in _CAPITALS
        ]
        if not matches:
            return None
        match = check.drawn(matches, random)
        other = _EITHER[match[0].casefold()]
        if match[0][0].isupper() and other[0].islower():
            other = other[0].upper() + other[1:]
        return check.spliced(text, match.start(), match.end(), other)


@check.checks.register("number_format.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class NumberFormat(check.Check):
    summary: ClassVar[str] = "A number written another way (1,000, 1000, one thousand)"

    def reworded(self, text: str, material: check.Material, random: np.random.Generator) -> str | None:
        for number in read_quantities(text):
            if ways := rewritten(number):
                return check.spliced(text, number.start, number.end, check.drawn(ways, random))
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
    if words and value < len(check.NUMBER_WORDS):
        forms.append(check.NUMBER_WORDS[value])
    for size, name in _MAGNITUDES:
        count, rest = divmod(value, size)
        if count and not rest and count < 1000 and (words or size >= 1_000_000):
            forms.append(f"{count} {name}")
            if words and count < len(check.NUMBER_WORDS):
                forms.append(f"{check.NUMBER_WORDS[count]} {name}")
            break
    return forms


def _reads_as(form: str, number: Quantity) -> bool:
    read = read_quantities(f"about {form} of")
    return len(read) == 1 and read[0].value == number.value
