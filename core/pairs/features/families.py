"""Features of the pairs of one timeline by family: meaning, words, names, numbers, swaps and time."""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

import numpy as np
import numpy.typing as npt

from core.arrays import Float32Array, IntArray
from core.pairs.features.overlap import incidence, ones, rarity, scaled, sums, unit, word_vectors
from core.pairs.scorer import PairContext
from core.pairs.selection import Selection
from core.text.differences import ParsedHeadline, denial, read, sides
from core.text.names import learn_names
from core.text.numerals.numeral import NumeralKind
from core.text.numerals.quantities import Quantity, same

if TYPE_CHECKING:
    from scipy import sparse


EXCHANGED: Final = "fact exchanged"
"""Name of the feature."""

_SHARED: Final = np.float32(0.6)  # of the longer headline's words; below it the sentence is another one


@dataclass(frozen=True, slots=True, eq=False)
class Swapped:
    """The words of each headline, and which of them are facts: names, numbers, words that have an opposite.

    A word that occurs twice counts twice, a number is its value, and a word that has an opposite its side.

    Attributes:
        words: 1 where a headline has a word; CSR [n, words].
        facts: The same of facts alone; CSR [n, facts].
        lengths: Words of each headline, float32 [n].
        held: Facts of each, float32 [n].
        denied: Whether it denies something, bool [n].
    """

    words: sparse.csr_matrix
    facts: sparse.csr_matrix
    lengths: Float32Array
    held: Float32Array
    denied: npt.NDArray[np.bool_]

    @staticmethod
    def of(readings: Sequence[ParsedHeadline]) -> Swapped:
        items = [_items(reading) for reading in readings]
        words = incidence([_numbered(word for word, _ in some) for some in items])
        facts = incidence([_numbered(word for word, fact in some if fact) for some in items])
        denied = np.array([denial(reading) is not None for reading in readings], dtype=np.bool_)
        return Swapped(words, facts, sums(words), sums(facts), denied)

    def values(self, at: Selection) -> Iterator[tuple[str, Float32Array]]:
        shared = at.shared(self.words, self.words)
        left, right = at.sides(self.lengths)
        alone, other_alone = left - shared, right - shared
        alike = (shared >= _SHARED * np.maximum(left, right)) & (np.maximum(alone, other_alone) <= 2)
        left_held, right_held = at.sides(self.held)
        facts = at.shared(self.facts, self.facts)
        one_fact = (alone == 1) & (other_alone == 1) & (np.minimum(left_held, right_held) - facts >= 1)
        left_denied, right_denied = at.sides(self.denied)
        yield EXCHANGED, (alike & (one_fact | (left_denied != right_denied))).astype(np.float32)


def _items(reading: ParsedHeadline) -> list[tuple[str, bool]]:
    """Words in order with whether each is a fact; a number of several words is one, and so are words of one
    side of an opposition."""
    names, opposed = {token.start for token in reading.names}, sides(reading.language)
    found: dict[int, tuple[str, bool]] = {}
    for token in reading.tokens:
        number = next((one for one in reading.numbers if one.start <= token.start < one.end), None)
        if number is None:
            word = opposed.get(token.form, token.form)
            found[token.start] = (word, token.start in names or token.number or token.form in opposed)
        else:
            found[number.start] = (f"{number.value:g}", True)
    return list(found.values())


def _numbered(words: Iterable[str]) -> list[str]:
    seen: Counter[str] = Counter()
    found = []
    for word in words:
        seen[word] += 1
        found.append(word if seen[word] == 1 else f"{word} {seen[word]}")
    return found


_NEAR = 1.12
"""Rounded numbers differ by at most a tenth, so only numbers inside this factor are compared."""


@dataclass(frozen=True, slots=True, eq=False)
class Numerals:
    """Numbers, what they agree with, and what they count. All are CSR with a row a headline.

    Attributes:
        numbers: 1 where a headline has a number.
        agreeing: 1 where it has a number that says the same, one perhaps rounded.
        things: 1 where it says exactly how many or how much of a thing.
        exact: 1 where it has that exact number of a thing.
        alike: 1 where it has a number of the same thing that says the same.
    """

    numbers: sparse.csr_matrix
    agreeing: sparse.csr_matrix
    things: sparse.csr_matrix
    exact: sparse.csr_matrix
    alike: sparse.csr_matrix

    @staticmethod
    def of(readings: Sequence[ParsedHeadline]) -> Numerals:
        """Compares the distinct numbers of a timeline with each other, once."""
        distinct: dict[tuple[object, ...], int] = {}
        quantities: list[Quantity] = []
        rows: list[list[int]] = []
        for reading in readings:
            rows.append([])
            for number in reading.numbers:
                place = distinct.setdefault(_identity(number), len(distinct))
                if place == len(quantities):
                    quantities.append(number)
                rows[-1].append(place)
        things = [_thing(number) for number in quantities]
        numbers = ones(rows, len(quantities))
        exact = ones([[place for place in row if things[place]] for row in rows], len(quantities))
        agreeing, same_thing = _agreements(quantities, things)
        return Numerals(
            numbers=numbers,
            agreeing=_at_most_one(numbers @ agreeing),
            things=incidence([[things[place] for place in row if things[place]] for row in rows]),
            exact=exact,
            alike=_at_most_one(exact @ same_thing),
        )

    def values(self, at: Selection) -> Iterator[tuple[str, Float32Array]]:
        yield "numbers agree", np.minimum(at.shared(self.agreeing, self.numbers), np.float32(1))
        unlike = at.shared(self.things, self.things) - at.shared(self.alike, self.exact)
        yield "numbers conflict", np.clip(unlike, np.float32(0), np.float32(1))


def _identity(number: Quantity) -> tuple[object, ...]:
    return (number.kind, number.unit, number.value, number.resolution, number.exact, number.firm)


def _thing(number: Quantity) -> str:
    return f"{number.kind.value} {number.unit}" if number.firm else ""


def _agreements(
    quantities: Sequence[Quantity], things: Sequence[str]
) -> tuple[sparse.csr_matrix, sparse.csr_matrix]:
    kinds: dict[NumeralKind, list[int]] = defaultdict(list)
    for place in sorted(range(len(quantities)), key=lambda place: quantities[place].value):
        kinds[quantities[place].kind].append(place)
    rows = [[place] for place in range(len(quantities))]
    for places in kinds.values():
        for start, one in enumerate(places):
            most = quantities[one].value * _NEAR
            near = itertools.takewhile(lambda other: quantities[other].value <= most, places[start + 1 :])  # noqa: B023
            for other in near:
                if same(quantities[one], quantities[other]):
                    rows[one].append(other)
                    rows[other].append(one)
    alike = [
        [other for other in row if things[other] and things[other] == things[place]]
        for place, row in enumerate(rows)
    ]
    # Where nobody writes a number there is one column without one.
    return ones(rows or [[]], len(rows)), ones(alike or [[]], len(rows))


def _at_most_one(rows: sparse.csr_matrix) -> sparse.csr_matrix:
    from scipy import sparse

    rows = sparse.csr_matrix(rows, dtype=np.float32)
    rows.data[:] = 1.0
    return rows


FARTHEST = 60.0
"""Days beyond which it makes no more difference how many they are."""

UNKNOWN_GAP = 1.0
"""Days that are assumed where a date is missing; a feature of its own says that it is."""

ONE_DAY = 0.5
FEWEST_DAYS = 20
"""Share of dated pairs of one day from which days are no evidence, and of how many headlines."""

_LEAST = np.float32(1e-3)


class Family(Protocol):
    """Features that have seen the timeline; they cannot tell left from right."""

    def values(self, at: Selection) -> Iterator[tuple[str, Float32Array]]:
        """Name and values of each feature, one after another so that little memory is held."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Meaning:
    """Cosines of the encoder's vectors."""

    vectors: Float32Array

    def values(self, at: Selection) -> Iterator[tuple[str, Float32Array]]:
        yield "meaning", at.inner(self.vectors)


@dataclass(frozen=True, slots=True, eq=False)
class WordFamily:
    """Words as they are written, and content words in their light normal form.

    Attributes:
        spelled: TF-IDF rows of unit length of the words as written, CSR.
        rare: Rarities of a headline's forms as rows of unit length, CSR.
        halves: Square roots of these rarities, so that products sum up rarities, CSR.
        weight: Sum of the rarities of each headline's forms, float32 [n].
    """

    spelled: sparse.csr_matrix
    rare: sparse.csr_matrix
    halves: sparse.csr_matrix
    weight: Float32Array

    @staticmethod
    def of(spelled: sparse.csr_matrix, readings: Sequence[ParsedHeadline]) -> WordFamily:
        forms = incidence(
            [[token.form for token in (*reading.names, *reading.words)] for reading in readings]
        )
        weights = rarity(forms)
        weighted = scaled(forms, weights)
        return WordFamily(spelled, unit(weighted), scaled(forms, np.sqrt(weights)), sums(weighted))

    def values(self, at: Selection) -> Iterator[tuple[str, Float32Array]]:
        yield "words", at.shared(self.spelled, self.spelled)
        yield "content words", at.shared(self.rare, self.rare)
        left, right = at.sides(self.weight)
        both = at.shared(self.halves, self.halves)
        both /= np.maximum(np.minimum(left, right), _LEAST)
        yield "one contains the other", both


@dataclass(frozen=True, slots=True, eq=False)
class Names:
    """Words that look like names."""

    halves: sparse.csr_matrix
    weight: Float32Array

    @staticmethod
    def of(readings: Sequence[ParsedHeadline]) -> Names:
        names = incidence([[token.form for token in reading.names] for reading in readings])
        weights = rarity(names) / np.float32(np.log(len(readings) + 2))
        return Names(scaled(names, np.sqrt(weights)), sums(scaled(names, weights)))

    def values(self, at: Selection) -> Iterator[tuple[str, Float32Array]]:
        """See `Family`: what is shared, the most that one side names alone, and 1 where a side names none."""
        shared = at.shared(self.halves, self.halves)
        left, right = at.sides(self.weight)
        yield "names in one alone", np.maximum(left, right) - shared
        yield "no names", (np.minimum(left, right) == 0).astype(np.float32)
        yield "names", shared


@dataclass(frozen=True, slots=True, eq=False)
class Times:
    """Publication days."""

    days: npt.NDArray[np.float64]

    def values(self, at: Selection) -> Iterator[tuple[str, Float32Array]]:
        """See `Family`: whether they are of one day, days apart on two scales, 1 where that is not known."""
        left, right = at.sides(self.days)
        gap = np.abs(left - right).astype(np.float32)
        unknown = np.isnan(gap)
        gap[unknown] = UNKNOWN_GAP
        yield (
            "another day",
            np.where(unknown, np.float32(0.5), np.minimum(np.ceil(gap), 1)).astype(np.float32),
        )
        np.minimum(gap, np.float32(FARTHEST), out=gap)
        yield "days apart", np.log1p(gap)
        yield "weeks apart", gap / np.float32(7)
        yield "date missing", unknown.astype(np.float32)


def informative(days: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Days, or NaN throughout where they are no evidence: many headlines, most pairs of one day."""
    known = days[np.isfinite(days)]
    _, counts = np.unique(known, return_counts=True)
    together = float((counts * (counts - 1)).sum())
    if len(known) >= FEWEST_DAYS and together > ONE_DAY * len(known) * (len(known) - 1):
        return np.full_like(days, np.nan)
    return days


@dataclass(frozen=True, slots=True)
class PairFeatures:
    """Families that have seen a timeline."""

    families: tuple[Family, ...]

    @staticmethod
    def of(context: PairContext) -> PairFeatures:
        known = learn_names(context.texts)
        readings = [read(text, known=known) for text in context.texts]
        return PairFeatures(
            (
                Meaning(context.vectors),
                WordFamily.of(word_vectors(context.texts), readings),
                Names.of(readings),
                Numerals.of(readings),
                Times(informative(np.floor(context.days))),
                Swapped.of(readings),
            )
        )

    def values(self, at: Selection) -> Iterator[tuple[str, Float32Array]]:
        for family in self.families:
            yield from family.values(at)


def by_day_and_wording(texts: Sequence[str], days: npt.NDArray[np.float64]) -> IntArray:
    """An order of the headlines that does not depend on the one they come in, int64 [n].

    By day, the undated last, then by wording; copies of one day are interchangeable.
    """
    _, wording = np.unique(np.array(texts, dtype=np.str_), return_inverse=True)
    return np.lexsort((wording.ravel(), days)).astype(np.int64)
