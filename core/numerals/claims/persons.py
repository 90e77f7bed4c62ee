"""Whose a number is, told from who is said to be related to whom: another person in the headline's place.

The number and all names are the article's, so what looks for names near the number passes them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final, NamedTuple

from core.numerals.claims.claim import Claim
from core.numerals.claims.narrower import ENGLISH, Objection
from core.numerals.claims.verdict import Fault
from core.numerals.claims.words import Word, article_words
from core.text.tokens import word_list

_MEN: Final = word_list(
    "man boy son father dad husband brother grandson grandfather uncle nephew stepfather stepson widower "
    "boyfriend king prince businessman gunman policeman fisherman actor monk priest"
)
_WOMEN: Final = word_list(
    "woman girl daughter mother mom wife sister granddaughter grandmother aunt niece stepmother stepdaughter "
    "widow girlfriend queen princess businesswoman actress nun waitress"
)
_RELATED: Final = frozenset(
    word_list(
        "son daughter wife husband hubby brother sister father mother dad mom grandson granddaughter "
        "grandfather grandmother widow widower girlfriend boyfriend fiance fiancee fiancé fiancée nephew "
        "niece cousin uncle aunt stepson stepdaughter stepfather stepmother ex lawyer lawyers attorney "
        "attorneys spokesman spokeswoman aide driver bodyguard nanny publicist doctor killer accuser "
        "murderer victim twin parents heir rival opponent successor predecessor"
    )
)
_YEARS: Final = ("year", "years", "old")
_THEIRS: Final = frozenset({"his", "her"})
_OWNER: Final = re.compile(r"['’]s?$")
_BEHIND: Final = 2
"""Words behind an age in which the article's person is looked for; the headline's stands directly there."""
_APART: Final = 3
"""Words behind an owner in which the person who belongs to him is looked for: "Biden's eldest son"."""


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


def of_a_relative(claim: Claim) -> Iterator[Objection]:
    """A number of somebody's son or lawyer, said of him or her.

    "Joe Biden's eldest son plans to run in 2016" does not say that Joe Biden does.
    """
    place = claim.place
    article = place.article
    if article.language != ENGLISH or not claim.equal:
        return
    if any(_bare(word) in _RELATED for word in claim.words):
        return
    names = article_words(article).names
    mine = [run for run in _runs(claim.words, names) if run[0].start < place.question.start]
    sentences = [article_words(article).sentences[article.places[row]] for row in claim.equal]
    told = [(_owners(one, names), {word.form for word in one}) for one in sentences]
    for run in mine:
        forms = frozenset(word.form for word in run)
        # Where his whole name does not stand, nothing is said of whose the number is.
        given = [
            next((one.who for one in owners if one.alone_is(forms)), "")
            for owners, near in told
            if forms <= near
        ]
        if given and all(given) and not _is_owner(run[-1]):
            said = " ".join(word.text for word in run)
            yield Fault.OTHER, f"The article says it of “{given[0]}”, not of “{said}”."


class _Owner(NamedTuple):
    """A name that stands before somebody of his or hers: "Joe Biden's eldest son"."""

    names: frozenset[str]
    others: frozenset[str]
    who: str

    def alone_is(self, forms: frozenset[str]) -> bool:
        return forms <= self.names and not forms <= self.others


def of_his_relative(claim: Claim) -> Iterator[Objection]:
    """A number of "his wife" or "her lawyer", said of the person whose she or he is.

    "His wife, Ines Lang, has sold 14 pictures" does not say that Lang or Hugo Lang has sold them.
    """
    place = claim.place
    article = place.article
    if article.language != ENGLISH or not claim.equal:
        return
    words = article_words(article)
    mine = [run for run in _runs(claim.words, words.names) if run[0].start < place.question.start]
    if not mine or any(_bare(word) in _RELATED for word in claim.words):
        return
    sentences = {article.places[row] for row in claim.equal}
    whose = [_relative(words.sentences[at]) for at in sentences]
    elsewhere = {word.form for at, some in enumerate(words.sentences) if at not in sentences for word in some}
    own = {word.form for at in sentences for word in words.sentences[at]} - elsewhere
    if all(whose) and not any(word.form in own for run in mine for word in run):
        yield Fault.OTHER, f"The article says it of “{whose[0]}”."


def _relative(sentence: Sequence[Word]) -> str:
    if not sentence or sentence[0].text.lower() not in _THEIRS:
        return ""
    end = next((at for at, word in enumerate(sentence[: _APART + 1]) if word.text.lower() in _RELATED), 0)
    return " ".join(word.text for word in sentence[: end + 1]) if end else ""


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


def _owners(sentence: Sequence[Word], names: frozenset[str]) -> list[_Owner]:
    runs = _runs(sentence, names)
    found = []
    for run in runs:
        behind = [word for word in sentence if word.start > run[-1].start][:_APART]
        other = next((word for word in behind if word.text.lower() in _RELATED), None)
        if _is_owner(run[-1]) and other is not None:
            forms = frozenset(word.form for word in run)
            elsewhere = {word.form for one in runs if one is not run for word in one}
            who = f"{' '.join(word.text for word in run)} {other.text}"
            found.append(_Owner(forms, forms & elsewhere, who))
    return found


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


def _bare(word: Word) -> str:
    return word.text.lower().removesuffix("'s").removesuffix("’s")
