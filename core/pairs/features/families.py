"""Features of the pairs of one timeline: meaning, words, names, numbers, swaps, time; and Dialogue's."""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

import numpy as np
from rapidfuzz import fuzz, process

from core.arrays import Float32Array, FloatArray, IntArray
from core.pairs.context import PairContext
from core.pairs.features.overlap import (
    Overlap,
    dice,
    incidence,
    jaccard,
    ones,
    overlap,
    rarity,
    scaled,
    sums,
    unit,
)
from core.pairs.selection import PairList, Selection
from core.text.differences import ParsedHeadline, denial, read, sides
from core.text.numerals.numeral import NumeralKind
from core.text.numerals.quantities import Quantity, same
from core.text.tokens import word_list

if TYPE_CHECKING:
    from scipy import sparse

Values = Iterator[tuple[str, Float32Array]]
Family = Callable[[Selection], Values]
"""Name and values of each feature of some pairs, one after another; they cannot tell left from right."""

EXCHANGED: Final = "fact exchanged"  # name of the feature

_SHARED: Final = np.float32(0.6)  # of the longer headline's words; below it the sentence is another one
_NEAR = 1.12  # rounded numbers differ by at most a tenth, so only numbers inside this factor are compared
FARTHEST = 60.0  # days beyond which it makes no more difference how many they are
UNKNOWN_GAP = 1.0  # days that are assumed where a date is missing; a feature of its own says that it is
ONE_DAY = 0.5
FEWEST_DAYS = 20  # share of dated pairs of one day from which days are no evidence, and of how many headlines
_LEAST = np.float32(1e-3)
NAMES: Final = word_list(
    """cosine difference_mean difference_deviation difference_largest shared_words shared_trigrams edit_ratio
    names_shared names_share numbers_shared numbers_share numbers_in_conflict length_ratio days_apart"""
)
"""What each column is; one for each reduced dimension of |u - v| follows."""
FALLING: Final = frozenset({"numbers_in_conflict", "days_apart"})
"""Columns with which the probability of the same event may only rise, or only fall."""
PairColumns = Callable[[IntArray, IntArray], Float32Array]


def swapped(readings: Sequence[ParsedHeadline]) -> Family:
    """Whether one fact was exchanged: a name, a number, a word that has an opposite; or a denial."""
    items = [_items(reading) for reading in readings]
    words = incidence([_numbered(word for word, _ in some) for some in items])
    facts = incidence([_numbered(word for word, fact in some if fact) for some in items])
    denied = np.array([denial(reading) is not None for reading in readings], dtype=np.bool_)
    lengths, held = sums(words), sums(facts)

    def values(at: Selection) -> Values:
        shared = at.shared(words, words)
        left, right = at.sides(lengths)
        alone, other_alone = left - shared, right - shared
        alike = (shared >= _SHARED * np.maximum(left, right)) & (np.maximum(alone, other_alone) <= 2)
        left_held, right_held = at.sides(held)
        unshared = np.minimum(left_held, right_held) - at.shared(facts, facts)
        one_fact = (alone == 1) & (other_alone == 1) & (unshared >= 1)
        left_denied, right_denied = at.sides(denied)
        yield EXCHANGED, (alike & (one_fact | (left_denied != right_denied))).astype(np.float32)

    return values


def _items(reading: ParsedHeadline) -> list[tuple[str, bool]]:
    """Words in order with whether each is a fact; a number is one, and so are words of one side."""
    names, opposed = {token.start for token in reading.names}, sides(reading.language)
    facts: dict[int, tuple[str, bool]] = {}
    for token in reading.tokens:
        number = next(
            (number for number in reading.numbers if number.start <= token.start < number.end), None
        )
        if number is None:
            word = opposed.get(token.form, token.form)
            facts[token.start] = (word, token.start in names or token.number or token.form in opposed)
        else:
            facts[number.start] = (f"{number.value:g}", True)
    return list(facts.values())


def _numbered(words: Iterable[str]) -> list[str]:
    seen: Counter[str] = Counter()
    numbered = []
    for word in words:
        seen[word] += 1
        numbered.append(word if seen[word] == 1 else f"{word} {seen[word]}")
    return numbered


def numerals(readings: Sequence[ParsedHeadline]) -> Family:
    """Whether two headlines have a number that says the same, perhaps rounded, and exact ones that do not."""
    distinct: dict[tuple[object, ...], int] = {}
    quantities: list[Quantity] = []
    rows: list[list[int]] = []
    for reading in readings:
        rows.append([])
        for number in reading.numbers:
            key = (number.kind, number.unit, number.value, number.resolution, number.exact, number.firm)
            place = distinct.setdefault(key, len(distinct))
            if place == len(quantities):
                quantities.append(number)
            rows[-1].append(place)
    named = [f"{number.kind.value} {number.unit}" if number.firm else "" for number in quantities]
    numbers = ones(rows, len(quantities))
    exact = ones([[place for place in row if named[place]] for row in rows], len(quantities))
    things = incidence([[named[place] for place in row if named[place]] for row in rows])
    same_number, same_thing = _agreements(quantities, named)
    agreeing, alike = _at_most_one(numbers @ same_number), _at_most_one(exact @ same_thing)

    def values(at: Selection) -> Values:
        yield "numbers agree", np.minimum(at.shared(agreeing, numbers), np.float32(1))
        unlike = at.shared(things, things) - at.shared(alike, exact)
        yield "numbers conflict", np.clip(unlike, np.float32(0), np.float32(1))

    return values


def _agreements(
    quantities: Sequence[Quantity], things: Sequence[str]
) -> tuple[sparse.csr_matrix, sparse.csr_matrix]:
    kinds: dict[NumeralKind, list[int]] = defaultdict(list)
    for place in sorted(range(len(quantities)), key=lambda place: quantities[place].value):
        kinds[quantities[place].kind].append(place)
    rows = [[place] for place in range(len(quantities))]
    for places in kinds.values():
        for start, first in enumerate(places):
            most = quantities[first].value * _NEAR
            near = itertools.takewhile(lambda other: quantities[other].value <= most, places[start + 1 :])  # noqa: B023
            for other in near:
                if same(quantities[first], quantities[other]):
                    rows[first].append(other)
                    rows[other].append(first)
    counted = [(things[place], row) for place, row in enumerate(rows)]
    alike = [[other for other in row if thing and things[other] == thing] for thing, row in counted]
    # Where nobody writes a number there is one column without one.
    return ones(rows or [[]], len(rows)), ones(alike or [[]], len(rows))


def _at_most_one(rows: sparse.csr_matrix) -> sparse.csr_matrix:
    from scipy import sparse

    rows = sparse.csr_matrix(rows, dtype=np.float32)
    rows.data[:] = 1.0
    return rows


def shared_words(spelled: sparse.csr_matrix, readings: Sequence[ParsedHeadline]) -> Family:
    """Words as they are written (TF-IDF), and content words in their light normal form by their rarity."""
    forms = incidence([[token.form for token in (*reading.names, *reading.words)] for reading in readings])
    weights = rarity(forms)
    weighted = scaled(forms, weights)
    rare, weight = unit(weighted), sums(weighted)
    halves = scaled(forms, np.sqrt(weights))  # so that products sum up rarities

    def values(at: Selection) -> Values:
        yield "words", at.shared(spelled, spelled)
        yield "content words", at.shared(rare, rare)
        left, right = at.sides(weight)
        both = at.shared(halves, halves)
        both /= np.maximum(np.minimum(left, right), _LEAST)
        yield "one contains the other", both

    return values


def shared_names(readings: Sequence[ParsedHeadline]) -> Family:
    """What is shared, the most that one side names alone, and 1 where a side names none."""
    names = incidence([[token.form for token in reading.names] for reading in readings])
    weights = rarity(names) / np.float32(np.log(len(readings) + 2))
    halves, weight = scaled(names, np.sqrt(weights)), sums(scaled(names, weights))

    def values(at: Selection) -> Values:
        shared = at.shared(halves, halves)
        left, right = at.sides(weight)
        yield "names in one alone", np.maximum(left, right) - shared
        yield "no names", (np.minimum(left, right) == 0).astype(np.float32)
        yield "names", shared

    return values


def days_between(days: FloatArray) -> Family:
    """Whether they are of one day, days apart on two scales, and 1 where that is not known."""

    def values(at: Selection) -> Values:
        left, right = at.sides(days)
        gap = np.abs(left - right).astype(np.float32)
        unknown = np.isnan(gap)
        gap[unknown] = UNKNOWN_GAP
        another = np.where(unknown, np.float32(0.5), np.minimum(np.ceil(gap), 1))
        yield "another day", another.astype(np.float32)
        np.minimum(gap, np.float32(FARTHEST), out=gap)
        yield "days apart", np.log1p(gap)
        yield "weeks apart", gap / np.float32(7)
        yield "date missing", unknown.astype(np.float32)

    return values


def informative(days: FloatArray) -> FloatArray:
    """Days, or NaN throughout where they are no evidence: many headlines, most pairs of one day."""
    known = days[np.isfinite(days)]
    _, counts = np.unique(known, return_counts=True)
    together = float((counts * (counts - 1)).sum())
    if len(known) >= FEWEST_DAYS and together > ONE_DAY * len(known) * (len(known) - 1):
        return np.full_like(days, np.nan)
    return days


def timeline_features(context: PairContext) -> Family:
    """Cosines of the encoder's vectors, and all families above."""
    readings = [read(text, known=context.reading.names) for text in context.texts]
    families = (
        shared_words(context.words, readings),
        shared_names(readings),
        numerals(readings),
        days_between(informative(np.floor(context.days))),
        swapped(readings),
    )

    def values(at: Selection) -> Values:
        yield "meaning", at.inner(context.vectors)
        for family in families:
            yield from family(at)

    return values


RISING: Final = frozenset({"cosine", "shared_words", "shared_trigrams", "edit_ratio", "names_shared"})


def handcrafted(context: PairContext, reduction: Float32Array) -> PairColumns:
    """Columns `NAMES` and the reduced |u - v| of pairs, the same for both orders, float32 [m, 14 + k]."""
    readings = [read(text, known=context.reading.names) for text in context.texts]
    lower = [text.casefold() for text in context.texts]
    lengths = np.array([len(text) for text in lower], dtype=np.float32)
    days = np.floor(context.days)
    words = overlap(
        (frozenset(token.form for token in (*reading.words, *reading.names)) for reading in readings), jaccard
    )
    plain = [" ".join(text.split()) for text in lower]
    runs = (frozenset(text[start : start + 3] for start in range(len(text) - 2)) for text in plain)
    trigrams = overlap(runs, dice)

    def counted(features: Iterable[Iterable[str]]) -> Overlap:
        return overlap(map(frozenset, features), lambda shared, both: shared)

    kinds = [[(number, f"{number.kind} {number.unit}") for number in reading.numbers] for reading in readings]
    names = counted((token.form for token in reading.names) for reading in readings)
    numbers = counted((f"{kind} {number.value:.6g}" for number, kind in row) for row in kinds)
    things = counted((kind for number, kind in row if number.firm) for row in kinds)

    def features(left: IntArray, right: IntArray) -> Float32Array:
        u, v = context.vectors[left], context.vectors[right]
        gap = np.abs(u - v)
        shorter, longer = np.minimum(lengths[left], lengths[right]), np.maximum(lengths[left], lengths[right])
        at, ends = PairList(left, right), (np.minimum(left, right), np.maximum(left, right))
        edited = ([lower[row] for row in rows.tolist()] for rows in ends)
        shared_names, shared_numbers = names.score(at), numbers.score(at)
        columns = [
            np.einsum("md,md->m", u, v),
            gap.mean(axis=1),
            gap.std(axis=1),
            gap.max(axis=1),
            words.score(at),
            trigrams.score(at),
            np.asarray(process.cpdist(*edited, scorer=fuzz.ratio, dtype=np.float32)) / np.float32(100),
            shared_names,
            jaccard(shared_names, names.counts[left] + names.counts[right]),
            shared_numbers,
            jaccard(shared_numbers, numbers.counts[left] + numbers.counts[right]),
            np.maximum(things.score(at) - shared_numbers, 0),
            shorter / np.maximum(longer, 1),
            np.abs(days[left] - days[right]),
        ]
        return np.column_stack([*columns, gap @ reduction]).astype(np.float32)

    return features
