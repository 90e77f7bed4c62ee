"""What words speak for and against a claim: predicates, words in common, names, the thing that is counted."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from core.numerals.claims.claim import Claim, around
from core.numerals.claims.clauses import given_of, said_of
from core.numerals.claims.words import Word, article_words, opposed_to

WINDOW: Final = 10
"""Words around an article's number that are compared with those around the headline's."""
_CONVERSE: Final = frozenset({"donate", "receive", "pay"})
"""What one does while the other does its opposite: what is given is got."""
_DIRECTIONS: Final = frozenset({"rise", "fall", "profit", "loss", "win", "lose", "most", "least"})


def word_gate(claim: Claim) -> Sequence[float]:
    """Whether what is said of the number is said near its source, or the opposite of it."""
    if claim.source is None:
        return (0.0,) * 8
    article = claim.place.article
    words = article_words(article)
    row = article.places[claim.source]
    beside_it = given_of(claim, claim.source)
    said = {one: distance for distance, word in reversed(said_of(claim)) for one in word.predicates}
    given: dict[str, int] = {}
    for distance, word in reversed(beside_it):
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


def opposed_words(claim: Claim, *, nowhere: bool = False) -> tuple[str, str, bool] | None:
    """The headline's word, the article's that excludes it, and whether they are directions; None without."""
    if claim.source is None:
        return None
    article = claim.place.article
    words = article_words(article)
    beside_it, near = given_of(claim, claim.source), said_of(claim)
    all_said = frozenset(one for _, word in near for one in word.predicates)
    for _, mine in near:
        for _, yours in beside_it:
            if mine.predicates & yours.predicates:
                break
            if nowhere and (mine.predicates & words.predicates or yours.predicates & all_said):
                continue
            for one in mine.predicates - (_CONVERSE if nowhere else frozenset()):
                if opposed_to(one) & yours.predicates:
                    return mine.text, yours.text, one in _DIRECTIONS
    return None


def _lone_missing(claim: Claim, forms: frozenset[str]) -> float:
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
    beside_it = {
        word.form
        for _, word in around(words.sentences[row], article.numerals[claim.source].number_start, WINDOW)
    }
    return (
        sum(word.form in inside for word in content) / total,
        sum(word.form in beside for word in content) / total,
        sum(word.form in beside_it for word in near) / max(len(near), 1),
        absent,
        absent_near,
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
    absent = float(len(names - words.forms))
    if claim.source is None:
        return (float(len(names)), absent) + (0.0,) * 12
    row = article.places[claim.source]
    inside = {word.form for word in sentences[row]} & named
    before = {word.form for k in range(max(0, row - 2), row) for word in sentences[k]}
    plain = {word.form for word in claim.words if word.content} - names
    fits = _fits(sentences, named, plain, row)
    others = named - names
    total = max(len(there), 1)
    worst = min((fits[one] for one in there), default=(0.0, 0.0, 0.0, 0.0))
    rival = max((fits[one] for one in others), default=(0.0, 0.0, 0.0, 0.0))
    least = [min((fits[one][k] for one in there), default=0.0) for k in range(4)]
    most = [max((fits[one][k] for one in others), default=0.0) for k in range(4)]
    return (
        float(len(names)),
        absent,
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
        for one in forms & known:
            first.setdefault(one, k)
            count[one] = count.get(one, 0) + 1
            shared[one] = max(shared.get(one, 0.0), share)
            near[one] = min(near.get(one, 99), abs(k - row))
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
