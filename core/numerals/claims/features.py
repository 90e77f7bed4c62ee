"""What speaks for and against a claim, each by itself: value, unit, bound, words, holder, rival, derivation.

The features of one part of a claim are a few numbers; 0 says that they have nothing to say. What they come to
together is decided by `core.numerals.claims.judge`.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Final

import numpy as np

from core.arrays import FloatArray
from core.numerals.claims.claim import COUNTED, Claim, ClaimPlace, Rows, alike, are_pounds, around
from core.numerals.claims.clauses import given_of, said_of
from core.numerals.claims.differences import WAYS, ways_worked
from core.numerals.claims.words import (
    Word,
    agreement,
    article_words,
    opposed_to,
    sentence_words,
    step_of,
    stretch_of,
)
from core.numerals.derivations.features import as_float
from core.numerals.expressions.parse import Call, calls_of, used_leaves
from core.text.numerals.numeral import Approximation, Numeral, NumeralKind
from core.text.tokens import word_list

NOTHING: Final = -12.0  # stands for the logarithm of a share that is not there


def value_features(claim: Claim) -> Sequence[float]:
    """Whether the article has the value, or one that it is a rounding, a slip or a wrong magnitude of."""
    numeral, article = claim.numeral, claim.article
    best_error, slip, scaled, same_amount, rounding = 1.0, False, False, False, 0
    for other in article.numerals:
        if other.start < article.dateline or not alike(numeral, other) or not other.value:
            continue
        difference = abs(other.value - numeral.value)
        slip |= 0 < difference <= numeral.factor / 10**numeral.decimals
        same_amount |= difference > 0 and other.amount == numeral.amount
        if numeral.value:
            best_error = min(best_error, as_float(difference / max(other.value, numeral.value)))
            scaled |= difference > 0 and _is_power_of_ten(other.value / numeral.value)
    if claim.source is not None:
        apart = abs(article.numerals[claim.source].value - numeral.value)
        rounding = 1 if claim.source in claim.rounded or apart * 2 <= step_of(numeral) else -1
    return (len(claim.equal), len(claim.rounded), best_error, slip, scaled, same_amount, rounding)


def _is_power_of_ten(ratio: Fraction) -> bool:
    small, large = sorted((ratio.numerator, ratio.denominator))
    return small == 1 < large and str(large).rstrip("0") == "1"


def unit_features(claim: Claim) -> Sequence[float]:
    """Whether units and kinds differ, for the source and for every number of that value.

    The strict one is 1 where both units are read and differ for every number of the article of that value.
    """
    numeral, article = claim.numeral, claim.article
    rows = claim.equal or claim.rounded or claim.place.sources
    others = [article.numerals[row] for row in rows]
    strict = bool(others) and all(_units_differ(numeral, other) for other in others)
    kinds = bool(others) and not any(
        are_pounds(numeral, other) or numeral.kind is other.kind or {numeral.kind, other.kind} <= COUNTED
        for other in others
    )
    anywhere = bool(numeral.unit) and all(other.unit != numeral.unit for other in article.numerals)
    source, own = None if claim.source is None else article.numerals[claim.source], 0
    if source is not None and numeral.unit and source.unit:
        own = 1 if numeral.unit == source.unit or are_pounds(numeral, source) else -1
    return (strict, kinds, own, anywhere)


def _units_differ(numeral: Numeral, other: Numeral) -> bool:
    if are_pounds(numeral, other):
        return False
    if numeral.unit and other.unit:
        return numeral.unit != other.unit
    return (numeral.kind is NumeralKind.MONEY) != (other.kind is NumeralKind.MONEY)


def bound_features(claim: Claim) -> Sequence[float]:
    """Whether hedge or bound agree with the source, and with any number of the article of that kind."""
    if claim.source is None:
        return (0, 0, 0, 0)
    numeral, article, headline = claim.numeral, claim.article, claim.headline
    other = article.numerals[claim.source]
    said, given = stretch_of(numeral, headline), stretch_of(other, article.text)
    anywhere = [
        agreement(numeral, headline, article.numerals[row], article.text)
        for row in (*claim.equal, *claim.rounded)
    ]
    own = agreement(numeral, headline, other, article.text) if alike(numeral, other) else 0
    hedged = numeral.approximation is not Approximation.EXACT
    differ = (other.approximation is not Approximation.EXACT) + 2 * (said != given)
    return (own, max(anywhere, default=0), hedged, differ)


def rival_features(claim: Claim) -> Sequence[float]:
    """How the source compares with the best other number of its kind and unit put in its place."""
    place, article, numeral = claim.place, claim.article, claim.numeral
    if not len(place.alignment.numerals):
        return (NOTHING, 0, 0, 0)
    logs = np.log(place.shares + 1e-6)
    same = {*claim.equal, *claim.rounded} or set(place.sources)
    own = max((float(logs[row]) for row in same), default=NOTHING)
    rivals = [
        float(logs[row])
        for row, other in enumerate(article.numerals)
        if row not in same
        and other.start >= article.dateline
        and other.value != numeral.value
        and other.approximation is not Approximation.VAGUE
        and alike(numeral, other)
    ]
    return (own, own - max(rivals, default=NOTHING), sum(rival > own for rival in rivals), len(rivals))


def exchange_features(claim: Claim) -> Sequence[float]:
    """How much better the headline's numbers stood in each other's place, in log-shares; else 0."""
    logs, gains = np.log(claim.place.shares + 1e-6), []
    for other in claim.others:
        if not alike(claim.numeral, other.numeral) or claim.numeral.value == other.numeral.value:
            continue
        mine, yours = _rows(claim.place), _rows(other)
        if mine and yours:
            theirs = np.log(other.shares + 1e-6)
            as_it_is = logs[list(mine)].max() + theirs[list(yours)].max()
            exchanged = logs[list(yours)].max() + theirs[list(mine)].max()
            gains.append(max(NOTHING, float(exchanged - as_it_is)))
    return (max(gains, default=0), bool(gains))


def _rows(place: ClaimPlace) -> Rows:
    value = place.numeral.value
    rows = tuple(row for row, numeral in enumerate(place.article.numerals) if numeral.value == value)
    return rows or place.sources


def price_features(claim: Claim) -> Sequence[float]:
    """What the likeliest derivation costs: steps, constants that the article lacks, unlike numbers."""
    if not claim.place.derivations:
        return (0, 0, 0, 0, 0, 0)
    first = claim.place.derivations[0]
    steps = sum(1 for _ in calls_of(first.expression))
    leaves = len(list(used_leaves(first.expression))) if isinstance(first.expression, Call) else 0
    constants = max(0, leaves - len(first.sources)) if len(first.sources) > 1 or leaves > 1 else 0
    used = [claim.article.numerals[row] for row in first.sources]
    nouns, kinds = {numeral.counted for numeral in used} - {""}, {numeral.kind for numeral in used}
    dateline = any(numeral.start < claim.article.dateline for numeral in used)
    return (steps, constants, len(used), len(nouns) > 1, len(kinds) > 1, dateline)


def worked_features(claim: Claim) -> Sequence[float]:
    """Which kinds of everyday arithmetic give the number; see `core.numerals.claims.otherwise`."""
    ways = ways_worked(claim)
    return tuple(way in ways for way in WAYS)


WINDOW: Final = 10  # words around an article's number that are compared with those around the headline's


def word_features(claim: Claim) -> Sequence[float]:
    """Whether what is said of the number is said near its source, or the opposite of it."""
    if claim.source is None:
        return (0, 0, 0, 0, 0, 0)
    said = {predicate for _, word in said_of(claim) for predicate in word.predicates}
    given: dict[str, int] = {}
    for distance, word in reversed(given_of(claim, claim.source)):
        given.update(dict.fromkeys(word.predicates, distance))
    nearby = {predicate for word in _neighbours(claim, claim.source) for predicate in word.predicates}
    known = article_words(claim.article).predicates
    flips = [
        given.get(predicate, 40) - min(rivals)
        for predicate in said
        if (rivals := [given[other] for other in (given.keys() & opposed_to(predicate)) - said])
    ]
    return (
        len(said),
        sum(predicate in given for predicate in said) / max(len(said), 1),
        sum(predicate in given or predicate in nearby for predicate in said) / max(len(said), 1),
        bool(flips),
        max([0, *flips]),
        any(opposed_to(predicate) & known and predicate not in known for predicate in said),
    )


def _neighbours(claim: Claim, row: int) -> list[Word]:
    sentences, at = article_words(claim.article).sentences, claim.article.places[row]
    return [word for k in (at - 1, at + 1) if 0 <= k < len(sentences) for word in sentences[k]]


def overlap_features(claim: Claim) -> Sequence[float]:
    """How much of the headline stands in the source's sentence, beside it, and around the source."""
    if claim.source is None:
        return (0, 0, 0)
    content = [word.form for word in claim.words if word.content]
    near = [word.form for distance, word in claim.near if word.content and distance <= 3]
    sentence = sentence_words(claim.article, claim.source)
    inside = {word.form for word in sentence}
    beside = inside | {word.form for word in _neighbours(claim, claim.source)}
    start = claim.article.numerals[claim.source].number_start
    window = {word.form for _, word in around(sentence, start, WINDOW)}
    return (
        sum(form in inside for form in content) / max(len(content), 1),
        sum(form in beside for form in content) / max(len(content), 1),
        sum(form in window for form in near) / max(len(near), 1),
    )


def holder_features(claim: Claim) -> Sequence[float]:
    """Whether the headline's names stand by the source, and whether others fit there better.

    A name fits as well as its sentence that shares most words with the headline, and by how early and how
    often the article has it.
    """
    words = article_words(claim.article)
    sentences, named = words.sentences, words.names
    content = [word for word in claim.words if word.content]
    names = {word.form for word in content if word.text[0].isupper() and word.text.lower() not in words.small}
    if claim.source is None:
        return (len(names), *(0,) * 12)
    row = claim.article.places[claim.source]
    there, others, inside = names & named, named - names, {word.form for word in sentences[row]} & named
    before = {word.form for k in range(max(0, row - 2), row) for word in sentences[k]}
    fits = _fits(sentences, named, {word.form for word in content} - names, row)
    least = [min((fits[name][k] for name in there), default=0.0) for k in range(4)]
    most = [max((fits[other][k] for other in others), default=0.0) for k in range(4)]
    return (
        len(names),
        len(there & inside) / max(len(there), 1),
        len(there & (inside | before)) / max(len(there), 1),
        len(inside - names),
        *(number for low, high in zip(least, most, strict=True) for number in (low, low - high)),
        bool(inside & others) and not inside & there,
    )


def _fits(
    sentences: Sequence[Sequence[Word]], known: frozenset[str], plain: set[str], row: int
) -> dict[str, tuple[float, float, float, float]]:
    fits: dict[str, tuple[float, float, float, float]] = {}
    for k, sentence in enumerate(sentences):
        forms = {word.form for word in sentence}
        share = len(forms & plain) / max(len(plain), 1)
        for form in forms & known:
            shared, first, count, near = fits.get(form, (0.0, -k, 0, -99))
            fits[form] = (max(shared, share), first, count + 1, max(near, -abs(k - row)))
    return fits


def counted_features(claim: Claim) -> Sequence[float]:
    """Whether the same thing is counted, here and by the article's other numbers."""
    numeral, article = claim.numeral, claim.article
    if not numeral.counted:
        return (0, 0, 0)
    rivals = [other.value for other in article.numerals if other.counted == numeral.counted]
    own, inside = 0, False
    if claim.source is not None:
        counted = article.numerals[claim.source].counted
        own = (1 if counted == numeral.counted else -1) if counted else 0
        inside = (
            numeral.counted in article.text[slice(*article.sentences[article.places[claim.source]])].lower()
        )
    return (own, sum(value != numeral.value for value in rivals), inside)


FEATURES: Final[Mapping[str, tuple[Callable[[Claim], Sequence[float]], tuple[str, ...]]]] = {
    "value": (value_features, ("equal", "rounded", "error", "slip", "scaled", "amount", "rounding")),
    "unit": (unit_features, ("strict", "kinds", "source", "anywhere")),
    "bound": (bound_features, ("source", "anywhere", "hedged", "differ")),
    "word": (word_features, ("said", "sentence", "nearby", "opposite", "nearer", "flipped")),
    "overlap": (overlap_features, ("sentence", "nearby", "around")),
    "holder": (
        holder_features,
        word_list(
            "names sentence before others fit fit_ahead early early_ahead often often_ahead near near_ahead "
            "instead"
        ),
    ),
    "counted": (counted_features, ("same", "rivals", "sentence")),
    "rival": (rival_features, ("share", "ahead", "rank", "rivals")),
    "exchange": (exchange_features, ("gain", "pairs")),
    "worked": (worked_features, tuple(WAYS)),
    "price": (price_features, ("steps", "constants", "sources", "nouns", "kinds", "dateline")),
}
"""The features of every part of a claim, with their names."""
FEATURE_NAMES: Final = tuple(f"{part}_{name}" for part, (_, names) in FEATURES.items() for name in names)


def claim_features(claim: Claim) -> FloatArray:
    """The features of a claim, float64 [len(FEATURE_NAMES)] in the order of `FEATURE_NAMES`."""
    return np.array([number for read, _ in FEATURES.values() for number in read(claim)], dtype=np.float64)
