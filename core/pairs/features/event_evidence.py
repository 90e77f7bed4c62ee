"""What two headlines of a timeline show for and against one event: the columns that trees read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from core.arrays import Float32Array, FloatArray
from core.pairs.context import PairContext
from core.pairs.features.across_languages import CELLS, across_languages
from core.pairs.features.families import Family, Values, numerals, shared_names, swapped
from core.pairs.features.overlap import LEAST, incidence, ones, rarity, scaled, share, sums
from core.pairs.selection import Selection
from core.text.aliases import alias_rows
from core.text.differences import ParsedHeadline, read
from core.text.gazetteer import place_rows, with_parents

UNKNOWN: Final = np.float32(-1)  # where a date is missing
ONLY_DAYS: Final = np.float32(-2)  # where a file has days without minutes

_STEM: Final = 5  # first letters by which forms of a word meet, of a long word one more
_LONG: Final = 7
_CROWD: Final = 10  # neighbours that say how crowded it is around a headline
_ASKED: Final = 1_500  # headlines that say how much time tells
_ONE: Final = np.float32(1)
_PEAK: Final = 4  # power by which the rarest shared word outweighs the others
_MINUTES: Final = 0.3  # share of dated headlines with a time of day from which a file has minutes
_NUMBER: Final = re.compile(r"\d[\d.,:]*\d|\d")


@dataclass(frozen=True, slots=True, eq=False)
class Crowds:
    """What the cosines of each headline with all others are like, float32 [n] each."""

    mean: Float32Array
    deviation: Float32Array
    nearest: Float32Array
    crowd: Float32Array  # mean of the nearest few

    @staticmethod
    def of(vectors: Float32Array) -> Crowds:
        n = len(vectors)
        columns = np.zeros((4, n), dtype=np.float32)
        few = min(_CROWD, n - 1)
        rows = max(CELLS // n, 1)
        for start in range(0, n if few else 0, rows):
            part = slice(start, start + rows)
            cosines = vectors[part] @ vectors.T
            height = np.arange(len(cosines))
            cosines[height, start + height] = np.nan
            columns[0, part], columns[1, part] = np.nanmean(cosines, axis=1), np.nanstd(cosines, axis=1)
            cosines[height, start + height] = -2.0
            highest = np.partition(cosines, n - few, axis=1)[:, n - few :]
            columns[2, part], columns[3, part] = highest.max(axis=1), highest.mean(axis=1)
        return Crowds(*columns)


def stem(form: str) -> str:
    return form[: _STEM + (len(form) > _LONG)]


def meaning(vectors: Float32Array) -> Family:
    """The cosine, as it is, and beside those of both headlines with all others of the file."""
    around = Crowds.of(vectors)
    centred = vectors - vectors.mean(axis=0)
    centred /= np.maximum(np.linalg.norm(centred, axis=1, keepdims=True), LEAST)

    def values(at: Selection) -> Values:
        cosine = at.inner(vectors)
        yield "meaning", cosine
        yield "meaning from the middle", at.inner(centred)
        left_mean, right_mean = at.sides(around.mean)
        left_width, right_width = at.sides(np.maximum(around.deviation, LEAST))
        yield (
            "meaning among all",
            ((cosine - left_mean) / left_width + (cosine - right_mean) / right_width) / 2,
        )
        left, right = at.sides(np.maximum(around.nearest, np.float32(0.05)))
        yield "meaning of the less near", cosine / np.minimum(left, right)
        yield "meaning of the nearer", cosine / np.maximum(left, right)
        left, right = at.sides(around.crowd)
        yield "crowd of the one", np.minimum(left, right)
        yield "crowd of the other", np.maximum(left, right)

    return values


def shared_words(readings: Sequence[ParsedHeadline]) -> Family:
    """Content words and names by their first letters: rarity of the shared, their share, the rarest."""
    forms = ((token.form for token in (*reading.names, *reading.words)) for reading in readings)
    words = incidence([[stem(form) for form in row if len(form) > 2] for row in forms])
    weights = rarity(words)
    halves, weight = scaled(words, np.sqrt(weights)), sums(scaled(words, weights))
    peaks, length = scaled(words, weights ** (_PEAK / 2)), sums(words)

    def values(at: Selection) -> Values:
        shared, (left, right) = at.shared(halves, halves), at.sides(weight)
        yield "rarity of shared words", shared
        yield "share of the poorer", share(shared, np.minimum(left, right))
        yield "share of the richer", share(shared, np.maximum(left, right))
        yield "rarest shared word", at.shared(peaks, peaks) ** np.float32(1 / _PEAK)
        left, right = at.sides(length)
        yield "words of the shorter", np.minimum(left, right)
        yield "words of the longer", np.maximum(left, right)

    return values


def exclusive(name: str, rows: Sequence[Iterable[str]]) -> Family:
    """Rarity of what both name, and of what each side names alone: names that exclude each other."""
    has = incidence(rows)
    weights = rarity(has)
    halves, weight, count = scaled(has, np.sqrt(weights)), sums(scaled(has, weights)), sums(has)

    def values(at: Selection) -> Values:
        shared, (left, right) = at.shared(halves, halves), at.sides(weight)
        yield f"{name} shared", shared
        yield f"{name} of the one alone", np.minimum(left, right) - shared
        yield f"{name} of the other alone", np.maximum(left, right) - shared
        left, right = at.sides(count)
        yield f"fewest {name}", np.minimum(left, right)

    return values


def sentence(readings: Sequence[ParsedHeadline]) -> Family:
    """How much of the sentence around names and numbers is the same: templates are."""
    forms = ((token.form for token in reading.words if not token.number) for reading in readings)
    words = incidence([[stem(form) for form in row if len(form) > 2] for row in forms])
    count = sums(words)

    def values(at: Selection) -> Values:
        shared, (left, right) = at.shared(words, words), at.sides(count)
        yield "sentence shared", shared
        yield "share of the sentence", share(shared, np.maximum(np.maximum(left, right), _ONE))

    return values


def digits(texts: Sequence[str]) -> Family:
    """Numbers as they are written: shared, and whether both have some and share none."""
    has = incidence([_NUMBER.findall(text) for text in texts])
    count = sums(has)

    def values(at: Selection) -> Values:
        shared, (left, right) = at.shared(has, has), at.sides(count)
        fewest = np.minimum(left, right)
        yield "numbers shared", shared
        yield "other numbers", ((fewest > 0) & (shared == 0)).astype(np.float32)
        yield "fewest numbers", fewest

    return values


def places(texts: Sequence[str]) -> Family:
    """Whether both name a place: one that is, holds, lies in or is near the other's, or none that is."""
    rows = place_rows(texts)
    columns = {place: column for column, place in enumerate(sorted({place for row in rows for place in row}))}
    own = ones([[columns[place] for place in row] for row in rows], len(columns))
    around = ones(
        [[columns[place] for place in with_parents(row) if place in columns] for row in rows], len(columns)
    )
    named = sums(own) > 0

    def values(at: Selection) -> Values:
        related = at.shared(own, around) + at.shared(around, own) > 0
        left, right = at.sides(named)
        yield "near places", related.astype(np.float32)
        yield "other places", (left & right & ~related).astype(np.float32)

    return values


def aliases(texts: Sequence[str]) -> Family:
    """Rarity of the things that both name, perhaps by two names, and whether each names one of its own."""
    rows = alias_rows(texts)
    has = ones(rows, max((1 + max(row) for row in rows if row), default=0))
    weights = rarity(has)
    halves, weight = scaled(has, np.sqrt(weights)), sums(scaled(has, weights))

    def values(at: Selection) -> Values:
        shared, (left, right) = at.shared(halves, halves), at.sides(weight)
        yield "one thing by its names", shared
        yield "other things", np.minimum(left, right) - shared

    return values


def times(days: FloatArray, vectors: Float32Array) -> Family:
    """Hours and days between, and how much either tells in this file."""
    whole, known = np.floor(days), np.isfinite(days)
    minutes = bool(known.any()) and float(np.mean(days[known] > whole[known])) > _MINUTES
    span = float(np.ptp(days[known])) if known.any() else 0.0
    days_tell, minutes_tell = _tells(whole, vectors), _tells(days, vectors, same=whole) if minutes else 0.5

    def values(at: Selection) -> Values:
        left, right = at.sides(days)
        hours = (np.abs(left - right) * 24).astype(np.float32)
        unknown = np.isnan(hours)
        yield "hours apart", np.where(unknown, UNKNOWN, np.log1p(hours) if minutes else ONLY_DAYS)
        left, right = at.sides(whole)
        gap = np.abs(left - right).astype(np.float32)
        yield "days apart", np.where(unknown, UNKNOWN, np.log1p(gap))
        for name, value in (
            ("headlines", np.log(len(days))),
            ("span", np.log1p(span)),
            ("days tell", days_tell),
            ("minutes tell", minutes_tell),
        ):
            yield name, np.full(hours.shape, value, dtype=np.float32)

    return values


def _tells(days: FloatArray, vectors: Float32Array, same: FloatArray | None = None) -> float:
    """How often the nearest in meaning is nearer in time than another one; a half where time is chance."""
    asked = np.unique(np.linspace(0, len(days) - 1, min(len(days), _ASKED)).round().astype(np.int64))
    days, cosines = days[asked], vectors[asked] @ vectors[asked].T
    gaps = np.abs(days[:, None] - days[None, :])
    others = np.isfinite(gaps)
    if same is not None:
        others &= same[asked, None] == same[None, asked]
    np.fill_diagonal(others, False)
    cosines[~others] = -2.0
    own = gaps[np.arange(len(asked)), cosines.argmax(axis=1)][:, None]
    with np.errstate(invalid="ignore"):
        wins = np.where(gaps == own, 0.5, gaps > own)
    counts = others.sum(axis=1)
    some = counts > 1
    shares = (np.where(others, wins, 0.0).sum(axis=1) - 0.5)[some] / (counts[some] - 1)
    return float(shares.mean()) if some.any() else 0.5


def event_evidence(context: PairContext, *, languages: bool = False) -> dict[str, Family]:
    """The columns of a timeline by what they look at; those of a pair cannot tell left from right.

    With `languages`, what two headlines show across languages is among them.
    """
    readings = [read(text, known=context.reading.names) for text in context.texts]
    named = [[stem(token.form) for token in reading.names] for reading in readings]
    spoken = [
        [token.form for token in reading.tokens if token.text[:1].isupper() and not token.stop]
        for reading in readings
    ]
    capitals = [[stem(form) for form in row] for row in spoken]
    families = {
        "meaning": meaning(context.vectors),
        "words": shared_words(readings),
        "names": together(shared_names(readings), exclusive("names", named), exclusive("capitals", capitals)),
        "sentence": sentence(readings),
        "numbers": together(numerals(readings), digits(context.texts)),
        "one fact exchanged": swapped(readings),
        "places": places(context.texts),
        "names of one thing": aliases(context.texts),
        "time": times(context.days, context.vectors),
    }
    if languages:
        numbers = context.reading.language_numbers
        families["other languages"] = across_languages(spoken, context.vectors, numbers)
    return families


def together(*families: Family) -> Family:
    def values(at: Selection) -> Values:
        for family in families:
            yield from family(at)

    return values
