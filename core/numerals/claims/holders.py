"""Whose a number is: of somebody else than the headline says, by the article's plain words."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Final

from core.numerals.claims.amounts import SCORE
from core.numerals.claims.claim import ENGLISH, Claim
from core.numerals.claims.verdict import Fault, Objection
from core.numerals.claims.words import Word, article_words
from core.text.numerals.numeral import NumeralKind
from core.text.tokens import word_list

_LOSES: Final = re.compile(
    tomllib.loads(Path(__file__).with_name("words.toml").read_text(encoding="utf-8"))["loses"], re.IGNORECASE
)
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
    scores = [one for one in SCORE.finditer(place.question.headline) if one.start() <= place.question.start]
    if not any(place.question.start < one.end() for one in scores) or not claim.equal:
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
    """Whether a word is one of an article's names."""
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
    given = [_person(words, one.end, _BEHIND) or _before(words, one.start) for words, one in told]
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
