"""What speaks for and against a claim, each by itself: value, unit, bound, words, holder, rival, derivation.

A gate looks at one part of a claim and gives a few numbers; 0 says that it has nothing to say. What they come
to together is decided by `core.numerals.claims.weights`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Final

import numpy as np

from core.numerals.claims.bounds import BoundAgreement, agreement, is_rounded_from, step_of, stretch_of
from core.numerals.claims.place import ClaimPlace, FloatArray
from core.numerals.claims.words import Word, article_words, opposed_to, words_of
from core.numerals.derivations.article_table import as_float
from core.numerals.derivations.operands import looks_like_year
from core.numerals.expressions.tree import Call, calls_of, used_leaves
from core.text.numerals.numeral import Approximation, Numeral, NumeralKind

NEAR: Final = 7
"""Words on either side of a headline's number that say something of it."""
WINDOW: Final = 10
"""The same in an article, where sentences are longer."""
NOTHING: Final = -12.0
"""Stands for the logarithm of a share that is not there."""
_DIRECTIONS: Final = frozenset({"rise", "fall", "profit", "loss", "win", "lose"})
_COUNTED: Final = frozenset({NumeralKind.COUNT, NumeralKind.MEASURE, NumeralKind.DURATION, NumeralKind.AGE})


@dataclass(frozen=True, slots=True, eq=False)
class Claim:
    """A place and what several gates need of it.

    Attributes:
        place: The number.
        others: The headline's other numbers.
        equal: Rows of the article's numerals with the same value.
        rounded: Rows of those of which a hedged number is a true rounding.
        source: Row of the numeral that the claim is compared with; None where there is none.
        words: The headline's words.
        near: Those of them near the number, nearest first, with how many words they are away.
    """

    place: ClaimPlace
    others: Sequence[ClaimPlace]
    equal: tuple[int, ...]
    rounded: tuple[int, ...]
    source: int | None
    words: tuple[Word, ...]
    near: tuple[tuple[int, Word], ...]


def read_claim(place: ClaimPlace, others: Sequence[ClaimPlace]) -> Claim:
    """What the gates need."""
    numeral, article, headline = place.numeral, place.article, place.question.headline
    rows = [row for row, one in enumerate(article.numerals) if one.start >= article.dateline]
    equal = tuple(row for row in rows if article.numerals[row].value == numeral.value)
    rounded = tuple(
        row
        for row in rows
        if row not in equal
        and alike(numeral, article.numerals[row])
        and is_rounded_from(numeral, headline, article.numerals[row], article.text)
    )
    words = words_of(headline, article.language)
    near = _around(words, place.question.start, NEAR)
    return Claim(place, others, equal, rounded, _source(place, equal, rounded), words, near)


def _source(place: ClaimPlace, equal: Sequence[int], rounded: Sequence[int]) -> int | None:
    """The article's number that the claim is compared with, of equals the one that belongs there most."""
    shares = place.shares
    if place.derivations and len(place.sources) == 1 and not rounded:
        return place.sources[0]
    rows = (*equal, *rounded) or place.sources
    return max(rows, key=lambda row: float(shares[row]), default=None)


def alike(numeral: Numeral, other: Numeral) -> bool:
    """Whether two numbers may tell of the same thing: kinds that are taken for each other, no other unit."""
    if looks_like_year(numeral) != looks_like_year(other):
        return False
    if numeral.unit and other.unit and numeral.unit != other.unit:
        return False
    return numeral.kind is other.kind or {numeral.kind, other.kind} <= _COUNTED


def _around(words: Sequence[Word], at: int, reach: int) -> tuple[tuple[int, Word], ...]:
    """The words around a place in a text, nearest first, with their distances in words."""
    place = next((k for k, word in enumerate(words) if word.start >= at), len(words))
    found = [(k - place if k > place else place - k, words[k]) for k in range(len(words)) if k != place]
    return tuple(sorted((one for one in found if one[0] <= reach), key=lambda one: one[0]))


def value_gate(claim: Claim) -> Sequence[float]:
    """Whether the article has the value, or one that it is a rounding, a slip or a wrong magnitude of."""
    numeral, article = claim.place.numeral, claim.place.article
    best_error, slip, scaled, sameamount = 1.0, 0.0, 0.0, 0.0
    step = numeral.factor / 10**numeral.decimals
    for other in article.numerals:
        if other.start < article.dateline or not alike(numeral, other) or not other.value:
            continue
        difference = abs(other.value - numeral.value)
        error = as_float(difference / max(other.value, numeral.value)) if numeral.value else 1.0
        best_error = min(best_error, error)
        slip = max(slip, float(0 < difference <= step))
        scaled = max(
            scaled,
            float(difference > 0 and _is_power_of_ten(other.value / numeral.value)) if numeral.value else 0.0,
        )
        sameamount = max(sameamount, float(difference > 0 and other.amount == numeral.amount))
    rounding = float(_rounding(claim))
    return (
        float(len(claim.equal)),
        float(len(claim.rounded)),
        best_error,
        slip,
        scaled,
        sameamount,
        rounding,
    )


def _is_power_of_ten(ratio: Fraction) -> bool:
    small, large = sorted((ratio.numerator, ratio.denominator))
    return small == 1 < large and str(large).rstrip("0") == "1"


def _rounding(claim: Claim) -> int:
    """Whether the number is its source rounded as it should be: 1, -1 where it is not, 0 without one."""
    if claim.source is None:
        return 0
    numeral, other = claim.place.numeral, claim.place.article.numerals[claim.source]
    if numeral.value == other.value or claim.source in claim.rounded:
        return 1
    step = step_of(numeral)
    return 1 if abs(other.value - numeral.value) * 2 <= step else -1


def unit_gate(claim: Claim) -> Sequence[float]:
    """Whether units and kinds differ, for the source and for every number of that value.

    The strict one is 1 where both units are read and differ for every number of the article of that value.
    """
    numeral, article = claim.place.numeral, claim.place.article
    rows = claim.equal or claim.rounded or claim.place.sources
    others = [article.numerals[row] for row in rows]
    strict = float(bool(others) and all(_units_differ(numeral, other) for other in others))
    kinds = float(bool(others) and all(_kinds_differ(numeral, other) for other in others))
    source = None if claim.source is None else article.numerals[claim.source]
    own = 0.0 if source is None else _unit_sign(numeral, source)
    anywhere = float(bool(numeral.unit) and all(other.unit != numeral.unit for other in article.numerals))
    return (strict, kinds, own, anywhere)


def _units_differ(numeral: Numeral, other: Numeral) -> bool:
    if numeral.unit and other.unit:
        return numeral.unit != other.unit
    return (numeral.kind is NumeralKind.MONEY) != (other.kind is NumeralKind.MONEY)


def _kinds_differ(numeral: Numeral, other: Numeral) -> bool:
    return numeral.kind is not other.kind and not {numeral.kind, other.kind} <= _COUNTED


def _unit_sign(numeral: Numeral, other: Numeral) -> float:
    if not numeral.unit or not other.unit:
        return 0.0
    return 1.0 if numeral.unit == other.unit else -1.0


def bound_gate(claim: Claim) -> Sequence[float]:
    """Whether hedge or bound agree with the source, and with any number of the article of that kind."""
    place = claim.place
    numeral, article, headline = place.numeral, place.article, place.question.headline
    if claim.source is None:
        return (0.0, 0.0, 0.0, 0.0)
    other = article.numerals[claim.source]
    said, given = stretch_of(numeral, headline), stretch_of(other, article.text)
    own = (
        agreement(numeral, headline, other, article.text) if alike(numeral, other) else BoundAgreement.UNKNOWN
    )
    anywhere = max(
        (
            agreement(numeral, headline, article.numerals[row], article.text)
            for row in (*claim.equal, *claim.rounded)
        ),
        default=BoundAgreement.UNKNOWN,
    )
    hedged = float(numeral.approximation is not Approximation.EXACT)
    return (
        float(own),
        float(anywhere),
        hedged,
        float(other.approximation is not Approximation.EXACT) + 2 * float(said != given),
    )


def word_gate(claim: Claim) -> Sequence[float]:
    """Whether what is said of the number is said near its source, or the opposite of it."""
    if claim.source is None:
        return (0.0,) * 8
    article = claim.place.article
    words = article_words(article)
    row = article.places[claim.source]
    around = _around(words.sentences[row], article.numerals[claim.source].number_start, 1_000)
    said = {one: distance for distance, word in reversed(claim.near) for one in word.predicates}
    given: dict[str, int] = {}
    for distance, word in reversed(around):
        given.update(dict.fromkeys(word.predicates, distance))
    nearby = {
        one
        for k in (row - 1, row + 1)
        if 0 <= k < len(words.sentences)
        for word in words.sentences[k]
        for one in word.predicates
    }
    opposite = flip_distance = 0.0
    for one in said:
        rivals = [given[other] for other in opposed_to(one) if other in given and other not in said]
        if rivals:
            opposite = 1.0
            flip_distance = max(flip_distance, float(given.get(one, 40) - min(rivals)))
    missing = [one for one in said if one not in words.predicates]
    return (
        float(len(said)),
        float(sum(one in given for one in said)) / max(len(said), 1),
        float(sum(one in given or one in nearby for one in said)) / max(len(said), 1),
        float(len(missing)),
        opposite,
        flip_distance,
        _lone_missing(claim, words.forms),
        float(any(opposed_to(one) & words.predicates and one not in words.predicates for one in said)),
    )


def opposed_words(claim: Claim) -> tuple[str, str, bool] | None:
    """The headline's word, the article's that excludes it, and whether they are directions; None without."""
    if claim.source is None:
        return None
    article = claim.place.article
    row = article.places[claim.source]
    start = article.numerals[claim.source].number_start
    around = _around(article_words(article).sentences[row], start, 1_000)
    for _, mine in claim.near:
        for _, yours in around:
            if mine.predicates & yours.predicates:
                break
            for one in mine.predicates:
                if opposed_to(one) & yours.predicates:
                    return mine.text, yours.text, one in _DIRECTIONS
    return None


def _lone_missing(claim: Claim, forms: frozenset[str]) -> float:
    """How many words that say something of the number the article has in no form."""
    return float(sum(bool(word.predicates) and word.form not in forms for _, word in claim.near))


def overlap_gate(claim: Claim) -> Sequence[float]:
    """How much of the headline stands in the source's sentence, around the source, and in the article."""
    article = claim.place.article
    content = [word for word in claim.words if word.content]
    words = article_words(article)
    total = max(len(content), 1)
    absent = sum(word.form not in words.forms for word in content) / total
    near = [word for distance, word in claim.near if word.content and distance <= 3]
    absent_near = float(sum(word.form not in words.forms for word in near))
    if claim.source is None:
        return (0.0, 0.0, 0.0, absent, absent_near)
    row = article.places[claim.source]
    inside = {word.form for word in words.sentences[row]}
    beside = inside | {
        word.form for k in (row - 1, row + 1) if 0 <= k < len(words.sentences) for word in words.sentences[k]
    }
    around = {
        word.form
        for _, word in _around(words.sentences[row], article.numerals[claim.source].number_start, WINDOW)
    }
    return (
        sum(word.form in inside for word in content) / total,
        sum(word.form in beside for word in content) / total,
        sum(word.form in around for word in near) / max(len(near), 1),
        absent,
        absent_near,
    )


def holder_gate(claim: Claim) -> Sequence[float]:
    """Whether the headline's names stand by the source, and whether others stand there instead."""
    article = claim.place.article
    words = article_words(article)
    names = {
        word.form
        for word in claim.words
        if word.content and word.text[0].isupper() and word.text.lower() not in words.small
    }
    named = {
        word.form for sentence in words.sentences for word in sentence if word.text.lower() in words.capital
    }
    there = names & named
    absent = float(len(names - words.forms))
    if claim.source is None:
        return (float(len(names)), absent, 0.0, 0.0, 0.0)
    row = article.places[claim.source]
    sentence = words.sentences[row]
    inside = {
        word.form for word in sentence if word.text[0].isupper() and word.text.lower() not in words.small
    }
    before = {word.form for k in range(max(0, row - 2), row) for word in words.sentences[k]}
    total = max(len(there), 1)
    return (
        float(len(names)),
        absent,
        len(there & inside) / total,
        len(there & (inside | before)) / total,
        float(len(inside - names)),
    )


def counted_gate(claim: Claim) -> Sequence[float]:
    """Whether the same thing is counted, here and by the article's other numbers."""
    numeral, article = claim.place.numeral, claim.place.article
    source = None if claim.source is None else article.numerals[claim.source]
    own = 0.0
    if source is not None and numeral.counted and source.counted:
        own = 1.0 if numeral.counted == source.counted else -1.0
    rivals = [
        one
        for one in article.numerals
        if numeral.counted and one.counted == numeral.counted and one.value != numeral.value
    ]
    inside = 0.0
    if source is not None and numeral.counted and claim.source is not None:
        start, end = article.sentences[article.places[claim.source]]
        inside = float(numeral.counted in article.text[start:end].lower())
    return (own, float(len(rivals)), inside)


def rival_gate(claim: Claim) -> Sequence[float]:
    """How the source compares with the best other number of its kind and unit put in its place."""
    place = claim.place
    article, numeral = place.article, place.numeral
    if not len(place.attachment.numerals):
        return (NOTHING, 0.0, 0.0, 0.0)
    logs = np.log(place.shares + 1e-6)
    same = {*claim.equal, *claim.rounded} or set(place.sources)
    own = max((float(logs[row]) for row in same), default=NOTHING)
    rivals = [
        float(logs[row])
        for row, one in enumerate(article.numerals)
        if row not in same
        and one.start >= article.dateline
        and one.value != numeral.value
        and one.approximation is not Approximation.VAGUE
        and alike(numeral, one)
    ]
    best = max(rivals, default=NOTHING)
    return (own, own - best, float(sum(one > own for one in rivals)), float(len(rivals)))


def exchange_gate(claim: Claim) -> Sequence[float]:
    """How much better the headline's numbers stood in each other's place, in log-shares; else 0."""
    place = claim.place
    worst, held = NOTHING, 0.0
    logs = np.log(place.shares + 1e-6) if len(place.attachment.numerals) else np.zeros(0)
    for other in claim.others:
        if not alike(place.numeral, other.numeral) or place.numeral.value == other.numeral.value:
            continue
        mine, yours = _rows(place), _rows(other)
        if not mine or not yours:
            continue
        theirs = np.log(other.shares + 1e-6)
        as_it_is = logs[list(mine)].max() + theirs[list(yours)].max()
        exchanged = logs[list(yours)].max() + theirs[list(mine)].max()
        worst = max(worst, float(exchanged - as_it_is))
        held = 1.0
    return (worst if held else 0.0, held)


def _rows(place: ClaimPlace) -> tuple[int, ...]:
    value = place.numeral.value
    rows = tuple(row for row, one in enumerate(place.article.numerals) if one.value == value)
    return rows or place.sources


def price_gate(claim: Claim) -> Sequence[float]:
    """What the likeliest derivation costs: steps, constants that the article lacks, unlike numbers."""
    place, article = claim.place, claim.place.article
    if not place.derivations:
        return (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    first = place.derivations[0]
    calls = [call.operator.name for call in calls_of(first.expression)]
    leaves = len(list(used_leaves(first.expression))) if isinstance(first.expression, Call) else 0
    constants = max(0, leaves - len(first.sources)) if len(first.sources) > 1 or leaves > 1 else 0
    used = [article.numerals[row] for row in first.sources]
    nouns = {one.counted for one in used} - {""}
    kinds = {one.kind for one in used}
    return (
        float(len(calls)),
        float(constants),
        float(len(used)),
        float(len(nouns) > 1),
        float(len(kinds) > 1),
        float(any(one.start < article.dateline for one in used)),
    )


GATES: Final[Mapping[str, tuple[Callable[[Claim], Sequence[float]], tuple[str, ...]]]] = MappingProxyType(
    {
        "value": (value_gate, ("equal", "rounded", "error", "slip", "scaled", "amount", "rounding")),
        "unit": (unit_gate, ("strict", "kinds", "source", "anywhere")),
        "bound": (bound_gate, ("source", "anywhere", "hedged", "differ")),
        "word": (
            word_gate,
            ("said", "sentence", "nearby", "missing", "opposite", "nearer", "new", "flipped"),
        ),
        "overlap": (overlap_gate, ("sentence", "nearby", "around", "absent", "absent_near")),
        "holder": (holder_gate, ("names", "absent", "sentence", "before", "others")),
        "counted": (counted_gate, ("same", "rivals", "sentence")),
        "rival": (rival_gate, ("share", "ahead", "rank", "rivals")),
        "exchange": (exchange_gate, ("gain", "pairs")),
        "price": (price_gate, ("steps", "constants", "sources", "nouns", "kinds", "dateline")),
    }
)
"""Every gate with the names of its numbers."""
GATE_NAMES: Final = tuple(f"{gate}_{name}" for gate, (_, names) in GATES.items() for name in names)


def gate_features(claim: Claim) -> FloatArray:
    """What all gates say, float64 [len(GATE_NAMES)] in the order of `GATE_NAMES`."""
    return np.array([number for gate, _ in GATES.values() for number in gate(claim)], dtype=np.float64)
