"""Words of a headline that the article's plainly deny: opposites, ranks that it lacks, denials, periods."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from itertools import takewhile
from pathlib import Path
from typing import Any, Final

from core.numerals.claims.claim import Claim
from core.numerals.claims.clauses import beside, of_no_number, of_other_numbers, own_words, said_of
from core.numerals.claims.narrower import ENGLISH, Objection
from core.numerals.claims.verdict import Fault
from core.numerals.claims.word_gates import opposed_words
from core.numerals.claims.words import Word, article_words, opposed_to
from core.text.numerals.numeral import NumeralKind

_NOT: Final = ("n't", "n’t")
RANKED: Final = 3
"""Words behind a count among which an adjective is looked for."""
_DATA: Final[dict[str, Any]] = tomllib.loads(
    Path(__file__).with_name("words.toml").read_text(encoding="utf-8")
)
_RANKS: Final = {language: frozenset(words.split()) for language, words in _DATA["ranks"].items()}
_DENIALS: Final = {language: frozenset(words.split()) for language, words in _DATA["denials"].items()}
_NEGATIONS: Final = {language: frozenset(words.split()) for language, words in _DATA["negations"].items()}
_UN: Final = "un"
_TURNED: Final = {"up": "down", "down": "up"}
_APART: Final = 3
"""Words behind a verb among which its particle is looked for: "tore the old mill down"."""
_BEGINNING: Final = 4
"""Letters that tell a verb: washes, washed."""


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
