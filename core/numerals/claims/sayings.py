"""Words of a headline that the article's plainly deny: opposites, ranks that it lacks, denials, periods."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile
from pathlib import Path
from typing import Any, Final

from core.numerals.claims.claim import Claim, around
from core.numerals.claims.clauses import beside, given_of, of_no_number, of_other_numbers, own_words, said_of
from core.numerals.claims.narrower import ENGLISH, Objection
from core.numerals.claims.verdict import Fault
from core.numerals.claims.words import Word, article_words, opposed_to
from core.text.numerals.numeral import NumeralKind

WINDOW: Final = 10  # words around an article's number that are compared with those around the headline's
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


_NOT: Final = ("n't", "n’t")
RANKED: Final = 3  # words behind a count among which an adjective is looked for
_DATA: Final[dict[str, Any]] = tomllib.loads(
    Path(__file__).with_name("words.toml").read_text(encoding="utf-8")
)
_RANKS: Final = {language: frozenset(words.split()) for language, words in _DATA["ranks"].items()}
_DENIALS: Final = {language: frozenset(words.split()) for language, words in _DATA["denials"].items()}
_NEGATIONS: Final = {language: frozenset(words.split()) for language, words in _DATA["negations"].items()}
_UN: Final = "un"
_TURNED: Final = {"up": "down", "down": "up"}
_APART: Final = 3  # words behind a verb among which its particle is looked for: "tore the old mill down"
_BEGINNING: Final = 4  # letters that tell a verb: washes, washed


def opposite(claim: Claim) -> Iterator[Objection]:
    """The opposite word in the source's sentence, and the headline's word nowhere in the article's."""
    pair = opposed_words(claim, nowhere=True)
    if pair is not None and claim.source is not None and claim.equal:
        source = claim.place.article.numerals[claim.source]
        said, given, turned = pair
        fault = Fault.BOUND if turned else Fault.OTHER
        yield fault, f"Of “{source.text}” the article says “{given}”, not “{said}”."


def other_rank(claim: Claim) -> Iterator[Objection]:
    """A count of things with an adjective that is nowhere in the article and makes them others or fewer."""
    place = claim.place
    ranks = _RANKS.get(place.article.language)
    if ranks is None or place.numeral.kind is not NumeralKind.COUNT:
        return
    behind = [word for word in claim.words if word.start >= place.numeral.end]
    known = article_words(place.article).forms
    for word in takewhile(lambda one: not one.text[0].isdigit(), behind[: min(RANKED, len(behind) - 1)]):
        if word.text.lower() in ranks and word.form not in known:
            yield Fault.OTHER, f"The article nowhere says “{word.text.lower()}”."


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


def undone(claim: Claim) -> Iterator[Objection]:
    """A word with "un" before it that stands in the source's sentence without: uncontained, contained."""
    article = claim.place.article
    if article.language != ENGLISH or not claim.equal:
        return
    words = article_words(article)
    rows = {article.places[row] for row in claim.equal}
    near = {word.text.lower() for row in rows for word in words.sentences[row]}
    for word in claim.words:
        text = word.text.lower()
        if text.startswith(_UN) and text[len(_UN) :] in near and word.form not in words.forms:
            yield Fault.OTHER, f"The article says “{text[len(_UN) :]}”, not “{text}”."


def turned(claim: Claim) -> Iterator[Objection]:
    """A verb with "down" that the source's sentence has with "up", or the other way round: "washes down"."""
    article = claim.place.article
    if article.language != ENGLISH or not claim.equal:
        return
    said = set(_turns(claim.words, 1))
    if not said:
        return
    words = article_words(article)
    said -= {one for some in words.sentences for one in _turns(some, _APART)}
    near = {one for row in claim.equal for one in _turns(words.sentences[article.places[row]], _APART)}
    for verb, particle in said:
        if (verb, _TURNED[particle]) in near:
            yield Fault.OTHER, f"The article has its verb with “{_TURNED[particle]}”, not with “{particle}”."


def _turns(words: Sequence[Word], apart: int) -> Iterator[tuple[str, str]]:
    for at, word in enumerate(words):
        for behind in words[at + 1 : at + 1 + apart]:
            if behind.text.lower() in _TURNED and word.content:
                yield word.form[:_BEGINNING], behind.text.lower()


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


def other_period(claim: Claim) -> Iterator[Objection]:
    """A period that the article has of other numbers alone: "last summer" for what burned on Sunday."""
    period = of_other_numbers(claim)
    if period is not None:
        number = claim.place.article.numerals[claim.equal[0]].text
        yield Fault.OTHER, f"The article says “{period.text}” of another number than “{number}”."


def no_such_period(claim: Claim) -> Iterator[Objection]:
    """A period that the article nowhere has, and one like it of the number: "last winter" for summer."""
    periods = of_no_number(claim)
    if periods is not None:
        said, given = periods
        yield Fault.OTHER, f"The article has it “{given.text}”, not “{said.text}”."
