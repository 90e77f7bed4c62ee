"""What speaks for and against a claim, each by itself: value, bound, words, holder, derivation.

The features of one part of a claim are a few numbers; 0 says that they have nothing to say. What they come to
together is decided by `core.numerals.claims.judge`.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Final

import numpy as np

from core.arrays import FloatArray
from core.numerals.claims.claim import Claim, alike, around
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
from core.text.numerals.numeral import Approximation
from core.text.tokens import word_list


def value_features(claim: Claim) -> Sequence[float]:
    """Whether the article has the value, or one that it is a rounding or a wrong magnitude of."""
    numeral, article = claim.numeral, claim.article
    best_error, scaled, rounding = 1.0, False, 0
    for other in article.numerals:
        if other.start < article.dateline or not alike(numeral, other) or not other.value:
            continue
        difference = abs(other.value - numeral.value)
        if numeral.value:
            best_error = min(best_error, as_float(difference / max(other.value, numeral.value)))
            scaled |= difference > 0 and _is_power_of_ten(other.value / numeral.value)
    if claim.source is not None:
        apart = abs(article.numerals[claim.source].value - numeral.value)
        rounding = 1 if claim.source in claim.rounded or apart * 2 <= step_of(numeral) else -1
    return (len(claim.rounded), best_error, scaled, rounding)


def _is_power_of_ten(ratio: Fraction) -> bool:
    small, large = sorted((ratio.numerator, ratio.denominator))
    return small == 1 < large and str(large).rstrip("0") == "1"


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


def price_features(claim: Claim) -> Sequence[float]:
    """What the likeliest derivation costs: steps, constants that the article lacks, numbers."""
    if not claim.place.derivations:
        return (0, 0, 0)
    first = claim.place.derivations[0]
    steps = sum(1 for _ in calls_of(first.expression))
    leaves = len(list(used_leaves(first.expression))) if isinstance(first.expression, Call) else 0
    constants = max(0, leaves - len(first.sources)) if len(first.sources) > 1 or leaves > 1 else 0
    return (steps, constants, len(first.sources))


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


FEATURES: Final[Mapping[str, tuple[Callable[[Claim], Sequence[float]], tuple[str, ...]]]] = {
    "value": (value_features, ("rounded", "error", "scaled", "rounding")),
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
    "worked": (worked_features, tuple(WAYS)),
    "price": (price_features, ("steps", "constants", "sources")),
}
"""The features of every part of a claim, with their names."""
FEATURE_NAMES: Final = tuple(f"{part}_{name}" for part, (_, names) in FEATURES.items() for name in names)


def claim_features(claim: Claim) -> FloatArray:
    """The features of a claim, float64 [len(FEATURE_NAMES)] in the order of `FEATURE_NAMES`."""
    return np.array([number for read, _ in FEATURES.values() for number in read(claim)], dtype=np.float64)
