"""Whose a number is: of somebody or something else than the headline says, by the article's plain words."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from itertools import pairwise, takewhile
from pathlib import Path
from typing import Final

from core.numerals.claims.amounts import SCORE
from core.numerals.claims.claim import Claim
from core.numerals.claims.clauses import words_outside
from core.numerals.claims.narrower import ENGLISH, Objection
from core.numerals.claims.verdict import Fault
from core.numerals.claims.words import Word, article_words, words_of
from core.text.numerals.numeral import NumeralKind

_LOSES: Final = re.compile(
    tomllib.loads(Path(__file__).with_name("words.toml").read_text(encoding="utf-8"))["loses"], re.IGNORECASE
)
_DIVISIONS: Final = {
    language: frozenset(words.split())
    for language, words in tomllib.loads(Path(__file__).with_name("words.toml").read_text(encoding="utf-8"))[
        "divisions"
    ].items()
}
_WAYS: Final = frozenset({"rise", "fall"})
_HELPING: Final = frozenset(
    {"was", "were", "is", "are", "be", "been", "being", "has", "had", "have", "will", "also", "then"}
)
_PREPOSITIONS: Final = frozenset(
    {"on", "in", "at", "of", "from", "by", "for", "with", "near", "since", "until", "to"}
)
_SIDES: Final = ("who wins", "who loses")
_WHOLE: Final = re.compile(r"\s+of\s+(?:(?:the|its|his|her|their|all|a|an|this|that)\s+)?", re.IGNORECASE)
_OWNER: Final = ("'s", "’s", "s'", "s’")
_PHRASE: Final = 4  # words behind a share that say what it is of


def other_winner(claim: Claim) -> Iterator[Objection]:
    """A score with the names of both sides in another order than the article has them beside it."""
    place = claim.place
    names = article_words(place.article).names
    mine = [word for word in claim.words if is_name(word, names)]
    scores = [one for one in SCORE.finditer(place.question.headline) if one.start() <= place.question.start]
    if not any(place.question.start < one.end() for one in scores) or not claim.equal:
        return
    for row in claim.equal:
        sentence = article_words(place.article).sentences[place.article.places[row]]
        first = {word.form: word.start for word in reversed(sentence) if is_name(word, names)}
        order = list(dict.fromkeys(word.form for word in mine if word.form in first))
        lost = any(_LOSES.match(word.text) for word in (*claim.words, *sentence))
        if lost or len(order) != len(_SIDES) or first[order[0]] < first[order[1]]:
            return
    yield Fault.OTHER, "The article names the other side first."


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


def absent_holder(claim: Claim) -> Iterator[Objection]:
    """A number of which the article's sentence names somebody else, and the headline's name is not near it.

    "Tarvo is to cut 2,400 jobs" does not say that Kestrel cuts them, whom the article names elsewhere.
    """
    place = claim.place
    if place.article.language != ENGLISH or not claim.equal:
        return
    words = article_words(place.article)
    mine = {
        word.form for word in claim.words if word.start < place.question.start and is_name(word, words.names)
    }
    for row in claim.equal:
        start, at = place.article.numerals[row].start, place.article.places[row]
        rows = words.sentences[max(0, at - 1) : at + 2]
        if mine & {word.form for sentence in rows for word in sentence if is_name(word, words.names)}:
            return
        if not any(word.start < start and is_name(word, words.names) for word in words.sentences[at]):
            return
    if mine:
        yield Fault.OTHER, f"Around “{place.article.numerals[claim.equal[0]].text}” the article names others."


def other_subject(claim: Claim) -> Iterator[Objection]:
    """A verb with a number that the article has of somebody else: "Tolland sentenced to 30 months".

    In the headline the verb stands directly behind a name; in the article other names stand directly before
    it or behind it, and none of the headline's.
    """
    place = claim.place
    article = place.article
    if article.language != ENGLISH or not claim.equal:
        return
    names = article_words(article).names
    mine = {word.form for word in claim.words if is_name(word, names)}
    before = [word for word in claim.words if word.start < place.numeral.start]
    verbs = [word for name, word in pairwise(before) if is_name(name, names) and not is_name(word, names)]
    for verb in verbs:
        found = [_doers(claim, row, verb, names) for row in claim.equal]
        if verb.content and all(found) and not any(one & mine for one in found):
            number = article.numerals[claim.equal[0]].text
            yield Fault.OTHER, f"The article has “{number}” of somebody else."


def _doers(claim: Claim, row: int, verb: Word, names: frozenset[str]) -> set[str]:
    article = claim.place.article
    number = article.numerals[row]
    words = [
        word
        for word in article_words(article).sentences[article.places[row]]
        if word.start < number.start and word.text.lower() not in _HELPING and not word.text[0].isdigit()
    ]
    places = [at for at, word in enumerate(words) if word.form == verb.form and not is_name(word, names)]
    if not places:
        return set()
    at = places[-1]
    ahead = list(takewhile(lambda word: is_name(word, names), reversed(words[:at])))
    place = at - len(ahead) - 1
    # "A judge in Corran on Monday sentenced" does not name who did.
    if place >= 0 and words[place].text.lower() in _PREPOSITIONS:
        ahead = []
    behind = takewhile(lambda word: is_name(word, names), words[at + 1 :])
    return {word.form for word in (*ahead, *behind)}


def of_division(claim: Claim) -> Iterator[Objection]:
    """A growth or share that the article has of a part of a firm, and the headline of no part."""
    place = claim.place
    article = place.article
    parts = _DIVISIONS[article.language]
    moving = any(word.predicates & _WAYS for _, word in claim.near)
    if place.numeral.kind is not NumeralKind.PERCENT or not moving or not claim.equal:
        return
    said = {word.form for word in claim.words}
    if any(word.text.lower() in parts for word in claim.words):
        return
    given = []
    for row in claim.equal:
        end = article.numerals[row].start
        own = [word for word in words_outside(article, row) if word.start < end]
        at = next((at for at, word in enumerate(own) if word.text.lower() in parts), None)
        named = [] if at is None else [word for word in own[max(0, at - 1) : at + 1] if word.content]
        if not named or any(word.form in said for word in named):
            return
        given.append(" ".join(word.text for word in named))
    yield Fault.OTHER, f"The article has it of “{given[0]}”, a part."


def other_whole(claim: Claim) -> Iterator[Objection]:
    """A share of something else that the article tells of: 60 % of a firm, for 60 % of its memory unit."""
    place = claim.place
    article = place.article
    mine = _whole(place.question.headline, place.numeral.end)
    if article.language != ENGLISH or not claim.equal or not mine:
        return
    given = [_whole(article.text, article.numerals[row].end) for row in claim.equal]
    heads = [{word.form for word in one if not word.text.endswith(_OWNER)} for one in given]
    said = mine[-1]
    if said.form in article_words(article).forms and all(one and said.form not in one for one in heads):
        phrase = " ".join(word.text for word in given[0])
        yield Fault.OTHER, f"The article has it of “{phrase}”, not of “{said.text}”."


def _whole(text: str, start: int) -> list[Word]:
    of = _WHOLE.match(text, start)
    found: list[Word] = []
    if of is None:
        return found
    end = of.end()
    for word in words_of(text[end : end + 80], ENGLISH):
        apart = text[end + (found[-1].start + len(found[-1].text) if found else 0) : end + word.start]
        if not word.content or apart.strip(" -") or len(found) == _PHRASE:
            break
        found.append(word)
    return found


def is_name(word: Word, names: frozenset[str]) -> bool:
    """Whether a word is one of an article's names."""
    return word.text[0].isupper() and word.form in names
