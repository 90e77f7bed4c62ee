"""Words of a headline that the article's plainly deny: opposites, ranks that it lacks, denials, periods."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from core.numerals.claims.claim import Claim, around
from core.numerals.claims.clauses import beside, given_of, of_other_numbers, own_words, said_of
from core.numerals.claims.verdict import Fault, Objection
from core.numerals.claims.words import Word, article_words, opposed_to
from core.text.numerals.numeral import NumeralKind

WINDOW: Final = 10  # words around an article's number that are compared with those around the headline's
_CONVERSE: Final = frozenset({"donate", "receive", "pay"})
"""What one does while the other does its opposite: what is given is got."""
_DIRECTIONS: Final = frozenset({"rise", "fall", "profit", "loss", "win", "lose", "most", "least"})


def word_gate(claim: Claim) -> Sequence[float]:
    """Whether what is said of the number is said near its source, or the opposite of it."""
    if claim.source is None:
        return (0.0,) * 6
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
    return (
        float(len(said)),
        float(sum(one in given for one in said)) / max(len(said), 1),
        float(sum(one in given or one in nearby for one in said)) / max(len(said), 1),
        opposite,
        flip_distance,
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
    rival = max((fits[one] for one in others), default=(0.0, 0.0, 0.0, 0.0))
    least = [min((fits[one][k] for one in there), default=0.0) for k in range(4)]
    most = [max((fits[one][k] for one in others), default=0.0) for k in range(4)]
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


_NOT: Final = ("n't", "n’t")
_DATA: Final[dict[str, Any]] = tomllib.loads(
    Path(__file__).with_name("words.toml").read_text(encoding="utf-8")
)
_DENIALS: Final = {language: frozenset(words.split()) for language, words in _DATA["denials"].items()}
_NEGATIONS: Final = {language: frozenset(words.split()) for language, words in _DATA["negations"].items()}


def opposite(claim: Claim) -> Iterator[Objection]:
    """The opposite word in the source's sentence, and the headline's word nowhere in the article's."""
    pair = opposed_words(claim, nowhere=True)
    if pair is not None and claim.source is not None and claim.equal:
        source = claim.place.article.numerals[claim.source]
        said, given, turned = pair
        fault = Fault.BOUND if turned else Fault.OTHER
        yield fault, f"Of “{source.text}” the article says “{given}”, not “{said}”."


def denied(claim: Claim) -> Iterator[Objection]:
    """A word that denies ("refuses", "spares"), where no sentence around the source denies anything."""
    article = claim.place.article
    denials = _DENIALS.get(article.language)
    if denials is None or not claim.equal:
        return
    words = article_words(article)
    said = [
        word.text for word in claim.words if word.text.lower() in denials and word.form not in words.forms
    ]
    rows = {article.places[row] + step for row in claim.equal for step in (-1, 0, 1)}
    near = [word for row in rows if 0 <= row < len(words.sentences) for word in words.sentences[row]]
    negative = denials | _NEGATIONS[article.language]
    if said and not any(word.text.lower() in negative or word.text.endswith(_NOT) for word in near):
        yield Fault.OTHER, f"The article nowhere says “{said[0].lower()}”."


def exchanged(claim: Claim) -> Iterator[Objection]:
    """What the article says of another number in its own clause, where it says the opposite of this one."""
    article = claim.place.article
    found = [_exchanged_word(claim, row) for row in claim.equal]
    if found and all(found) and found[0] is not None:
        number = article.numerals[claim.equal[0]].text
        yield Fault.OTHER, f"The article says “{found[0].text.lower()}” of another number than “{number}”."


def _exchanged_word(claim: Claim, row: int) -> Word | None:
    article = claim.place.article
    own = {one for word in own_words(article, row) for one in word.predicates}
    told = {
        one
        for words, numbers in beside(article, row)
        for word in words
        if numbers and article.numerals[row] not in numbers
        for one in word.predicates
    }
    for _, word in said_of(claim):
        opposed = any(opposed_to(one) & own for one in word.predicates)
        if opposed and word.predicates & told and not word.predicates & own:
            return word
    return None


def said_elsewhere(claim: Claim) -> Iterator[Objection]:
    """180 injured, where the article has 180 passengers and says of 27 alone that they were injured."""
    article, numeral = claim.place.article, claim.place.numeral
    others = [one.numeral.start for one in claim.others]
    near = (
        word
        for distance, word in claim.near
        if distance <= _BESIDE
        and word.predicates & _OF_PEOPLE
        and all(abs(word.start - numeral.start) < abs(word.start - other) for other in others)
    )
    said = next(near, None)
    headline = claim.place.question.headline
    beside_it = (*headline[: numeral.start].split()[-1:], *headline[numeral.end :].split()[:1])
    if any(word.lower() in _PART_OF for word in beside_it):
        return
    if said is None or numeral.kind is not NumeralKind.COUNT or not claim.equal or numeral.value <= _FEW:
        return
    words = article_words(article)
    rows = {article.places[row] for row in claim.equal}
    if any(word.predicates & said.predicates for at in rows for word in words.sentences[at]):
        return
    for row, one in enumerate(article.numerals):
        told = (word for word in own_words(article, row) if word.predicates & said.predicates)
        other = next(told, None) if one.kind is NumeralKind.COUNT and one.value != numeral.value else None
        if other is not None:
            yield (
                Fault.OTHER,
                f"The article says “{other.text}” of “{one.text}”, not “{said.text}” of “{numeral.text}”.",
            )
            return


_PART_OF: Final = frozenset({"of", "von", "des", "der", "sur", "su", "di", "dei", "из"})
_FEW: Final = 12  # such numbers are often a sum, or said of several things
_BESIDE: Final = 3  # words beside a number in a headline that say what became of those whom it counts
_OF_PEOPLE: Final = frozenset(
    {"killed", "injured", "missing", "rescued", "arrested", "released", "convicted", "evacuated", "infected"}
)


def other_period(claim: Claim) -> Iterator[Objection]:
    """A period that the article has of other numbers alone: "last summer" for what burned on Sunday."""
    period = of_other_numbers(claim)
    if period is not None:
        number = claim.place.article.numerals[claim.equal[0]].text
        yield Fault.OTHER, f"The article says “{period.text}” of another number than “{number}”."
