"""Words of a headline that the article's plainly deny: opposites, denials, periods, and whose a number is."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from core.numerals.claims.claim import ENGLISH, Claim
from core.numerals.claims.clauses import beside, given_of, of_other_numbers, own_words, said_of
from core.numerals.claims.otherwise import SCORE
from core.numerals.claims.words import TABLES, Word, article_words, opposed_to, word_sets
from core.numerals.verdict import Fault, Objection
from core.text.numerals.numeral import NumeralKind
from core.text.tokens import word_list

_CONVERSE: Final = frozenset({"donate", "receive", "pay"})
"""What one does while the other does its opposite: what is given is got."""
_DIRECTIONS: Final = frozenset({"rise", "fall", "profit", "loss", "win", "lose", "most", "least"})


_NOT: Final = ("n't", "n’t")
_DENIALS, _NEGATIONS = word_sets("denials"), word_sets("negations")


def opposite(claim: Claim) -> Iterator[Objection]:
    """The opposite word in the source's sentence, and the headline's word nowhere in the article's."""
    if claim.source is None or not claim.equal:
        return
    source = claim.place.article.numerals[claim.source]
    given = article_words(claim.place.article).predicates
    near, beside_it = said_of(claim), given_of(claim, claim.source)
    said = frozenset(predicate for _, word in near for predicate in word.predicates)
    for _, mine in near:
        for _, yours in beside_it:
            if mine.predicates & yours.predicates:
                break
            if mine.predicates & given or yours.predicates & said:
                continue
            for predicate in mine.predicates - _CONVERSE:
                if opposed_to(predicate) & yours.predicates:
                    fault = Fault.BOUND if predicate in _DIRECTIONS else Fault.OTHER
                    told = f"Of “{source.text}” the article says “{yours.text}”, not “{mine.text}”."
                    yield fault, told


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
    own = {predicate for word in own_words(article, row) for predicate in word.predicates}
    told = {
        predicate
        for words, numbers in beside(article, row)
        for word in words
        if numbers and article.numerals[row] not in numbers
        for predicate in word.predicates
    }
    for _, word in said_of(claim):
        opposed = any(opposed_to(predicate) & own for predicate in word.predicates)
        if opposed and word.predicates & told and not word.predicates & own:
            return word
    return None


def said_elsewhere(claim: Claim) -> Iterator[Objection]:
    """180 injured, where the article has 180 passengers and says of 27 alone that they were injured."""
    article, numeral = claim.place.article, claim.place.numeral
    others = [other.numeral.start for other in claim.others]
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
    if period := of_other_numbers(claim):
        number = claim.place.article.numerals[claim.equal[0]].text
        yield Fault.OTHER, f"The article says “{period.text}” of another number than “{number}”."


_LOSES: Final = re.compile(TABLES["loses"], re.IGNORECASE)
_SIDES: Final = ("who wins", "who loses")
_MEN: Final = word_list(
    "man boy son father dad husband brother grandson grandfather uncle nephew stepfather stepson widower "
    "boyfriend king prince businessman gunman policeman fisherman actor monk priest"
)
_WOMEN: Final = word_list(
    "woman girl daughter mother mom wife sister granddaughter grandmother aunt niece stepmother stepdaughter "
    "widow girlfriend queen princess businesswoman actress nun waitress"
)
_YEARS: Final = ("year", "years", "old")
_BEHIND: Final = 2
"""Words behind an age in which the article's person is looked for; the headline's stands directly there."""
_OWNER: Final = re.compile(r"['’]s?$")


def other_winner(claim: Claim) -> Iterator[Objection]:
    """A score with the names of both sides in another order than the article has them beside it."""
    place = claim.place
    small = article_words(place.article).small
    mine = [word for word in claim.words if _may_be_name(word, small)]
    scores = [
        match for match in SCORE.finditer(place.question.headline) if match.start() <= place.question.start
    ]
    if not any(place.question.start < score.end() for score in scores) or not claim.equal:
        return
    for row in claim.equal:
        sentence = article_words(place.article).sentences[place.article.places[row]]
        first = {word.form: word.start for word in reversed(sentence) if _may_be_name(word, small)}
        order = list(dict.fromkeys(word.form for word in mine if word.form in first))
        lost = any(_LOSES.match(word.text) for word in (*claim.words, *sentence))
        if lost or len(order) != len(_SIDES) or first[order[0]] < first[order[1]]:
            return
    yield Fault.OTHER, "The article names the other side first."


def _may_be_name(word: Word, small: frozenset[str]) -> bool:
    return word.content and word.text[0].isupper() and word.text.lower() not in small


def other_holder(claim: Claim) -> Iterator[Objection]:
    """A share of which the article's sentence names another holder first, and the headline's behind it.

    "Holt won with 54 %, beating Cruz" does not say that Cruz won with 54 %.
    """
    place = claim.place
    if place.numeral.kind is not NumeralKind.PERCENT or place.article.language != ENGLISH:
        return
    names = article_words(place.article).names
    mine = [word for word in claim.words if is_name(word, names)]
    holders = {word.form for word in mine if word.start < place.question.start}
    if not holders or not claim.equal:
        return
    for row in claim.equal:
        numeral = place.article.numerals[row]
        beside = [
            word
            for word in article_words(place.article).sentences[place.article.places[row]]
            if is_name(word, names)
        ]
        before = {word.form for word in beside if word.start < numeral.start}
        after = {word.form for word in beside if word.start >= numeral.end}
        if not before or before & {word.form for word in mine} or not holders & after:
            return
    yield Fault.OTHER, f"The article has “{numeral.text}”, but another name stands before it."


def is_name(word: Word, names: frozenset[str]) -> bool:
    return word.text[0].isupper() and word.form in names


def other_sex(claim: Claim) -> Iterator[Objection]:
    """A woman of an age, or one woman, where the article has a man alone, and the other way round."""
    place = claim.place
    article = place.article
    if article.language != ENGLISH or not claim.equal:
        return
    said = _person(claim.words, place.numeral.end, 1) or _before(claim.words, place.numeral.start)
    sentences = article_words(article).sentences
    told = [(sentences[article.places[row]], article.numerals[row]) for row in claim.equal]
    given = [_person(words, numeral.end, _BEHIND) or _before(words, numeral.start) for words, numeral in told]
    if said and all(given) and all((one in _MEN) != (said in _MEN) for one in given):
        yield Fault.OTHER, f"The article has a {given[0]} there, not a {said}."


def _person(words: Sequence[Word], end: int, reach: int) -> str:
    behind = (word.text.lower() for word in words if word.start >= end)
    near = islice((word for word in behind if word not in _YEARS), reach)
    return next((word for word in near if word in _MEN or word in _WOMEN), "")


def _before(words: Sequence[Word], start: int) -> str:
    last = next((word for word in reversed(words) if word.start < start), None)
    low = "" if last is None else last.text.lower()
    near = last is not None and start - last.start <= len(low) + len(", ")
    return low if near and (low in _MEN or low in _WOMEN) else ""


def named_later(claim: Claim) -> Iterator[Objection]:
    """A number said of somebody whom the article names only afterwards, of the surname that stands before.

    "Hugo Lang received 75,000 pounds. His wife, Ines Lang, paints" does not say that Ines Lang received them.
    """
    place = claim.place
    article = place.article
    if article.language != ENGLISH or not claim.equal:
        return
    words = article_words(article)
    runs = [run for run in _runs(claim.words, words.names) if run[0].start < place.question.start]
    if not runs:
        return
    last = max(article.places[row] for row in claim.equal)
    before = {word.form for some in words.sentences[: last + 1] for word in some}
    for run in runs:
        if run[0].form not in before and run[-1].form in before:
            said = " ".join(word.text for word in run)
            yield Fault.OTHER, f"The article names “{said}” only afterwards."


def _runs(words: Sequence[Word], names: frozenset[str]) -> list[list[Word]]:
    runs: list[list[Word]] = []
    for word in words:
        if not word.text[0].isupper() or word.form not in names:
            continue
        last = runs[-1][-1] if runs else None
        if last is not None and word.start == last.start + len(last.text) + 1 and not _is_owner(last):
            runs[-1].append(word)
        else:
            runs.append([word])
    return runs


def _is_owner(word: Word) -> bool:
    return _OWNER.search(word.text) is not None
