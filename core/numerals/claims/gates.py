"""What speaks for and against a claim, each by itself: value, unit, bound, words, holder, rival, derivation.

A gate looks at one part of a claim and gives a few numbers; 0 says that it has nothing to say. What they come
to together is decided by `core.numerals.claims.judge`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Final

import numpy as np

from core.arrays import FloatArray
from core.numerals.claims.claim import COUNTED, Claim, ClaimPlace, alike, are_pounds, around
from core.numerals.claims.clauses import given_of, said_of
from core.numerals.claims.differences import WAYS, ways_worked
from core.numerals.claims.words import (
    BoundAgreement,
    Word,
    agreement,
    article_words,
    opposed_to,
    step_of,
    stretch_of,
)
from core.numerals.derivations.features import as_float
from core.numerals.expressions.parse import Call, calls_of, used_leaves
from core.text.numerals.numeral import Approximation, Numeral, NumeralKind
from core.text.tokens import word_list

NOTHING: Final = -12.0  # stands for the logarithm of a share that is not there


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
    if are_pounds(numeral, other):
        return False
    if numeral.unit and other.unit:
        return numeral.unit != other.unit
    return (numeral.kind is NumeralKind.MONEY) != (other.kind is NumeralKind.MONEY)


def _kinds_differ(numeral: Numeral, other: Numeral) -> bool:
    both = {numeral.kind, other.kind}
    return len(both) > 1 and not both <= COUNTED and not are_pounds(numeral, other)


def _unit_sign(numeral: Numeral, other: Numeral) -> float:
    if not numeral.unit or not other.unit:
        return 0.0
    return 1.0 if numeral.unit == other.unit or are_pounds(numeral, other) else -1.0


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


def rival_gate(claim: Claim) -> Sequence[float]:
    """How the source compares with the best other number of its kind and unit put in its place."""
    place = claim.place
    article, numeral = place.article, place.numeral
    if not len(place.alignment.numerals):
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
    return (own, own - best, float(sum(rival > own for rival in rivals)), float(len(rivals)))


def exchange_gate(claim: Claim) -> Sequence[float]:
    """How much better the headline's numbers stood in each other's place, in log-shares; else 0."""
    place = claim.place
    worst, held = NOTHING, 0.0
    logs = np.log(place.shares + 1e-6) if len(place.alignment.numerals) else np.zeros(0)
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
    rows = tuple(row for row, numeral in enumerate(place.article.numerals) if numeral.value == value)
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
    nouns = {numeral.counted for numeral in used} - {""}
    kinds = {numeral.kind for numeral in used}
    return (
        float(len(calls)),
        float(constants),
        float(len(used)),
        float(len(nouns) > 1),
        float(len(kinds) > 1),
        float(any(numeral.start < article.dateline for numeral in used)),
    )


def worked_gate(claim: Claim) -> Sequence[float]:
    """Which kinds of everyday arithmetic give the number; see `core.numerals.claims.otherwise`."""
    found = ways_worked(claim)
    return tuple(float(way in found) for way in WAYS)


WINDOW: Final = 10  # words around an article's number that are compared with those around the headline's


def word_gate(claim: Claim) -> Sequence[float]:
    """Whether what is said of the number is said near its source, or the opposite of it."""
    if claim.source is None:
        return (0.0,) * 6
    article = claim.place.article
    words = article_words(article)
    row = article.places[claim.source]
    beside_it = given_of(claim, claim.source)
    said = {
        predicate: distance for distance, word in reversed(said_of(claim)) for predicate in word.predicates
    }
    given: dict[str, int] = {}
    for distance, word in reversed(beside_it):
        given.update(dict.fromkeys(word.predicates, distance))
    nearby = {
        predicate
        for k in (row - 1, row + 1)
        if 0 <= k < len(words.sentences)
        for word in words.sentences[k]
        for predicate in word.predicates
    }
    opposite = flip_distance = 0.0
    for one in said:
        rivals = [given[other] for other in opposed_to(one) if other in given and other not in said]
        if rivals:
            opposite = 1.0
            flip_distance = max(flip_distance, float(given.get(one, 40) - min(rivals)))
    return (
        float(len(said)),
        float(sum(one in given for one in said)) / max(len(said), 1),
        float(sum(one in given or one in nearby for one in said)) / max(len(said), 1),
        opposite,
        flip_distance,
        float(any(opposed_to(one) & words.predicates and one not in words.predicates for one in said)),
    )


def overlap_gate(claim: Claim) -> Sequence[float]:
    """How much of the headline stands in the source's sentence, beside it, and around the source."""
    article = claim.place.article
    content = [word for word in claim.words if word.content]
    words = article_words(article)
    total = max(len(content), 1)
    near = [word for distance, word in claim.near if word.content and distance <= 3]
    if claim.source is None:
        return (0.0, 0.0, 0.0)
    row = article.places[claim.source]
    inside = {word.form for word in words.sentences[row]}
    beside = inside | {
        word.form for k in (row - 1, row + 1) if 0 <= k < len(words.sentences) for word in words.sentences[k]
    }
    beside_it = {
        word.form
        for _, word in around(words.sentences[row], article.numerals[claim.source].number_start, WINDOW)
    }
    return (
        sum(word.form in inside for word in content) / total,
        sum(word.form in beside for word in content) / total,
        sum(word.form in beside_it for word in near) / max(len(near), 1),
    )


def holder_gate(claim: Claim) -> Sequence[float]:
    """Whether the headline's names stand by the source, and whether others fit there better.

    A name fits as well as its sentence that shares most words with the headline, and by how early and how
    often the article has it.
    """
    article = claim.place.article
    words = article_words(article)
    names = {
        word.form
        for word in claim.words
        if word.content and word.text[0].isupper() and word.text.lower() not in words.small
    }
    sentences = words.sentences
    named = words.names
    there = names & named
    if claim.source is None:
        return (float(len(names)),) + (0.0,) * 12
    row = article.places[claim.source]
    inside = {word.form for word in sentences[row]} & named
    before = {word.form for k in range(max(0, row - 2), row) for word in sentences[k]}
    plain = {word.form for word in claim.words if word.content} - names
    fits = _fits(sentences, named, plain, row)
    others = named - names
    total = max(len(there), 1)
    worst = min((fits[one] for one in there), default=(0.0, 0.0, 0.0, 0.0))
    rival = max((fits[other] for other in others), default=(0.0, 0.0, 0.0, 0.0))
    least = [min((fits[one][k] for one in there), default=0.0) for k in range(4)]
    most = [max((fits[other][k] for other in others), default=0.0) for k in range(4)]
    return (
        float(len(names)),
        len(there & inside) / total,
        len(there & (inside | before)) / total,
        float(len(inside - names)),
        worst[0],
        worst[0] - rival[0],
        least[1],
        least[1] - most[1],
        least[2],
        least[2] - most[2],
        least[3],
        least[3] - most[3],
        float(bool(inside & others) and not inside & there),
    )


def _fits(
    sentences: Sequence[Sequence[Word]], named: Iterable[str], plain: set[str], row: int
) -> dict[str, tuple[float, float, float, float]]:
    first: dict[str, int] = {}
    count: dict[str, int] = {}
    shared: dict[str, float] = {}
    near: dict[str, int] = {}
    known = set(named)
    for k, sentence in enumerate(sentences):
        forms = {word.form for word in sentence}
        share = len(forms & plain) / max(len(plain), 1)
        for form in forms & known:
            first.setdefault(form, k)
            count[form] = count.get(form, 0) + 1
            shared[form] = max(shared.get(form, 0.0), share)
            near[form] = min(near.get(form, 99), abs(k - row))
    return {one: (shared[one], -float(first[one]), float(count[one]), -float(near[one])) for one in known}


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


GATES: Final[Mapping[str, tuple[Callable[[Claim], Sequence[float]], tuple[str, ...]]]] = {
    "value": (value_gate, ("equal", "rounded", "error", "slip", "scaled", "amount", "rounding")),
    "unit": (unit_gate, ("strict", "kinds", "source", "anywhere")),
    "bound": (bound_gate, ("source", "anywhere", "hedged", "differ")),
    "word": (word_gate, ("said", "sentence", "nearby", "opposite", "nearer", "flipped")),
    "overlap": (overlap_gate, ("sentence", "nearby", "around")),
    "holder": (
        holder_gate,
        word_list(
            "names sentence before others fit fit_ahead early early_ahead often often_ahead near near_ahead "
            "instead"
        ),
    ),
    "counted": (counted_gate, ("same", "rivals", "sentence")),
    "rival": (rival_gate, ("share", "ahead", "rank", "rivals")),
    "exchange": (exchange_gate, ("gain", "pairs")),
    "worked": (worked_gate, tuple(WAYS)),
    "price": (price_gate, ("steps", "constants", "sources", "nouns", "kinds", "dateline")),
}
"""Every gate with the names of its numbers."""
GATE_NAMES: Final = tuple(f"{gate}_{name}" for gate, (_, names) in GATES.items() for name in names)


def gate_features(claim: Claim) -> FloatArray:
    """What all gates say, float64 [len(GATE_NAMES)] in the order of `GATE_NAMES`."""
    return np.array([number for gate, _ in GATES.values() for number in gate(claim)], dtype=np.float64)
