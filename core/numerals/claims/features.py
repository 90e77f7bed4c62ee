"""What speaks for and against a claim, each by itself: value, bound, words, other numbers, derivation."""

from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import chain
from typing import Final

import numpy as np

from core.arrays import FloatArray
from core.numerals.claims.bounds import agreement, step_of, stretch_of
from core.numerals.claims.claim import Claim, alike, around
from core.numerals.claims.clauses import given_of, own_rows, rival_rows, said_of, words_said, words_with
from core.numerals.claims.differences import WAYS, ways_worked
from core.numerals.claims.words import article_words, opposed_to, predicates_of, sentence_words
from core.numerals.derivations.features import as_float
from core.numerals.question import ReadArticle
from core.text.numerals.numeral import Approximation
from core.text.tokens import word_list

FAR: Final = 40  # words; nothing is counted as farther from a number
SIDES: Final = 2  # content words on either side of the headline's number that are looked at by themselves
SIDE_NAMES: Final = ("distance", "level", "near", "far", "rival")
_WORDS: Final = word_list(
    "said absent known clause clause_lacks sentence sentence_lacks nearby nearby_lacks rival_clause "
    "rival_clause_ahead rival_sentence rival_sentence_ahead elsewhere farther"
)
_SIDES: Final = tuple(
    f"{side}_{name}" for side in ("right", "right2", "left", "left2") for name in SIDE_NAMES
)


def value_features(claim: Claim) -> Sequence[float]:
    """Whether the article has the value, or one that it is a rounding or a wrong magnitude of."""
    numeral, article, value, rounding = claim.numeral, claim.article, claim.numeral.value, 0
    after = (other for other in article.numerals if other.start >= article.dateline)
    others = {other.value for other in after if alike(numeral, other) and other.value and value}
    error = min((as_float(abs(other - value) / max(other, value)) for other in others), default=1.0)
    ratios = (sorted((other / value).as_integer_ratio()) for other in others)
    scaled = any(small == 1 < large and str(large).rstrip("0") == "1" for small, large in ratios)
    if claim.source is not None:
        apart = abs(article.numerals[claim.source].value - value)
        rounding = 1 if claim.source in claim.rounded or apart * 2 <= step_of(numeral) else -1
    return (len(claim.rounded), min(error, 1.0), scaled, rounding)


def bound_features(claim: Claim) -> Sequence[float]:
    """Whether hedge or bound agree with the source, and with any number of the article of that kind."""
    if claim.source is None:
        return (0, 0, 0, 0)
    numeral, article, headline = claim.numeral, claim.article, claim.headline
    other = article.numerals[claim.source]
    said, given = stretch_of(numeral, headline), stretch_of(other, article.text)
    same = (article.numerals[row] for row in (*claim.equal, *claim.rounded))
    anywhere = [agreement(numeral, headline, other, article.text) for other in same]
    own = agreement(numeral, headline, other, article.text) if alike(numeral, other) else 0
    hedged = numeral.approximation is not Approximation.EXACT
    differ = (other.approximation is not Approximation.EXACT) + 2 * (said != given)
    return (own, max(anywhere, default=0), hedged, differ)


def word_features(claim: Claim) -> Sequence[float]:
    """How many of the headline's words stand with its number in the article, and how many with another."""
    article, said, rows = claim.article, [word.form for word in words_said(claim)], rival_rows(claim)
    own, rivals = ([words_with(article, row) for row in each] for each in (own_rows(claim), rows))
    known = sum(form in article_words(article).forms for form in said)
    mine = [_most(said, [row[scope] for row in own]) for scope in range(3)]
    theirs = [_most(said, [row[scope] for row in rivals]) for scope in range(2)]
    elsewhere = [set(said).difference(*(row[scope] for row in own)) for scope in (1, 2)]
    count = max(len(said), 1)
    inside = (number for some in mine for number in (some / count, known - some))
    both = zip(mine, theirs, strict=False)
    ahead = (number for some, other in both for number in (other / count, (other - some) / count))
    beside = (_most(words, [row[0] for row in rivals]) for words in elsewhere)
    return (len(said), len(said) - known, known / count, *inside, *ahead, *beside)


def _most(forms: Collection[str], scopes: Sequence[Collection[str]]) -> int:
    return max((sum(form in scope for form in forms) for scope in scopes), default=0)


def side_features(claim: Claim) -> Sequence[float]:
    """How near the words beside the headline's number stand to it in the article, and to other numbers."""
    article, columns = claim.article, list[float]()
    own, rivals = own_rows(claim), rival_rows(claim)
    scopes = [words_with(article, row) for row in own]
    clauses = [words_with(article, row)[0] for row in rivals]
    near, far = (_distances(article, rows) for rows in (own, rivals))
    content = {word.start for word in words_said(claim)}
    said = [pair for pair in claim.near if pair[1].start in content]
    for behind in (True, False):
        beside = [pair for pair in said if (pair[1].start > claim.numeral.start) is behind][:SIDES]
        for distance, word in beside:
            levels = (4 - k if k < 2 else 2 for row in scopes for k in range(3) if word.form in row[k])
            level = max(levels, default=int(word.form in article_words(article).forms))
            there = any(word.form in clause for clause in clauses)
            columns += (distance, level, near.get(word.form, FAR), far.get(word.form, FAR), there)
        columns += (9, -1, FAR, FAR, 0) * (SIDES - len(beside))
    return columns


def _distances(article: ReadArticle, rows: Collection[int]) -> dict[str, int]:
    """By form how many words a word is away from the nearest of some numbers in its sentence."""
    places = ((sentence_words(article, row), article.numerals[row].number_start) for row in rows)
    pairs = chain.from_iterable(around(*place, FAR) for place in places)
    return {word.form: distance for distance, word in sorted(pairs, key=lambda pair: -pair[0])}


def deed_features(claim: Claim) -> Sequence[float]:
    """Whether what is said of the number is said near its source, or the opposite of it."""
    if claim.source is None:
        return (0, 0, 0, 0, 0)
    said = predicates_of(word for _, word in said_of(claim))
    given: dict[str, int] = {}
    for distance, word in reversed(given_of(claim, claim.source)):
        given.update(dict.fromkeys(word.predicates, distance))
    known = article_words(claim.article).predicates
    rivals = {each: [given[other] for other in (given.keys() & opposed_to(each)) - said] for each in said}
    flips = [given.get(predicate, FAR) - min(against) for predicate, against in rivals.items() if against]
    share = sum(predicate in given for predicate in said) / max(len(said), 1)
    flipped = any(opposed_to(predicate) & known and predicate not in known for predicate in said)
    return (len(said), share, bool(flips), max([0, *flips]), flipped)


def rival_features(claim: Claim) -> Sequence[float]:
    """How many numbers of the article the headline's may be, and how much likelier than the others."""
    own, rivals, shares = own_rows(claim), rival_rows(claim), claim.place.shares
    likeliest = max((float(shares[row]) for row in rivals), default=0.0)
    return len(own), len(rivals), sum(float(shares[row]) for row in own) - likeliest, likeliest


FEATURES: Final[Mapping[str, tuple[Callable[[Claim], Sequence[float]], tuple[str, ...]]]] = {
    "value": (value_features, ("rounded", "error", "scaled", "rounding")),
    "bound": (bound_features, ("source", "anywhere", "hedged", "differ")),
    "word": (word_features, _WORDS),
    "side": (side_features, _SIDES),
    "deed": (deed_features, ("said", "sentence", "opposite", "nearer", "flipped")),
    "rival": (rival_features, ("sources", "rivals", "ahead", "share")),
    "worked": (lambda claim: [way in ways_worked(claim) for way in WAYS], tuple(WAYS)),
}
"""The features of every part of a claim, with their names."""
FEATURE_NAMES: Final = tuple(f"{part}_{name}" for part, (_, names) in FEATURES.items() for name in names)


def claim_features(claim: Claim) -> FloatArray:
    return np.array([number for read, _ in FEATURES.values() for number in read(claim)], dtype=np.float64)
