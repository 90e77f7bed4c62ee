"""Whose a number is: rules that meet the names of a headline with those of its article."""

import re
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final

from core.numerals.checked_headline import Fault, Objection
from core.numerals.claims.changes import CAPITALS
from core.numerals.claims.claim import ENGLISH, Claim, unanimous
from core.numerals.claims.words import OWNER, TABLES, Word, article_words, sentence_words
from core.text.numerals.numeral import Numeral, NumeralKind

_TURNS: Final = re.compile(TABLES["turns"], re.IGNORECASE)
_SHORT, _APART, _CLOSE = 3, 6, 3  # letters of a small word; words between two names, and beside their verb
_COMMA: Final = re.compile(r"\s?[,(]\s?(?:aged |âgée? de )?")


def turned_round(claim: Claim) -> Iterator[Objection]:
    """Holt beats Cruz, where the article has it that Cruz beat Holt."""
    article, words, known = claim.article, claim.words, article_words(claim.article)
    capitals = () if claim.language == CAPITALS else enumerate(words)
    named = [k for k, word in capitals if word.text[0].isupper() and word.text.lower() not in known.small]
    near = ((words[a], words[a + 1 : b], words[b]) for a, b in combinations(named, 2) if b - a <= _APART)
    for first, between, last in near:
        verbs = {word.form for word in between if word.content and len(word.text) > _SHORT}
        turned = _TURNS.search(claim.headline[first.start : last.start])
        places = ((s, k) for s in known.sentences for k, word in enumerate(s) if word.form in verbs)
        for sentence, at in () if turned else places:
            verb, left, right = sentence[at], sentence[max(0, at - _CLOSE) : at], sentence[at + 1 :][:_CLOSE]
            doer = next((word for word in left if word.form == last.form), None)
            other = next((word for word in right if word.form == first.form), None)
            active = doer and other and not _TURNS.search(article.text[doer.start : other.start])
            if doer and other and active and not verb.text[0].isupper():
                yield Fault.OTHER, f"The article has it as “{doer.text} {verb.text} {other.text}”."


def other_name_before_it(claim: Claim) -> Iterator[Objection]:
    """A share before which the article names another holder: "Holt won with 54 %, beating Cruz"."""
    names = article_words(claim.article).names
    mine = [word for word in claim.words if is_name(word, names)]
    holders = {word.form for word in mine if word.start < claim.numeral.number_start}

    def other(row: int) -> str:
        numeral = claim.article.numerals[row]
        beside = [word for word in sentence_words(claim.article, row) if is_name(word, names)]
        before = {word.form for word in beside if word.start < numeral.start}
        after = {word.form for word in beside if word.start >= numeral.end}
        foreign = before and before.isdisjoint(word.form for word in mine) and holders & after
        return numeral.text if foreign else ""

    share = claim.numeral.kind is NumeralKind.PERCENT and claim.language == ENGLISH
    if share and holders and (text := unanimous(map(other, reversed(claim.equal)))):
        yield Fault.OTHER, f"The article has “{text}”, but another name stands before it."


def other_age(claim: Claim) -> Iterator[Objection]:
    """The age of somebody else: "Holt, 54" where the article has "Ines Cruz, 54"."""
    article, numeral, names = claim.article, claim.numeral, article_words(claim.article).names
    if numeral.kind is not NumeralKind.AGE or claim.language == CAPITALS or not claim.equal:
        return
    mine, forms = _named(claim.words, claim.headline, numeral, names), {word.form for word in claim.words}

    def other(row: int) -> str:
        given = _named(sentence_words(article, row), article.text, article.numerals[row], names)
        return "" if forms & {word.form for word in given} else " ".join(word.text for word in given)

    if mine and (holder := unanimous(map(other, reversed(claim.equal)))):
        yield Fault.OTHER, f"The article has “{numeral.text}” as the age of “{holder}”."


def _named(words: Sequence[Word], text: str, numeral: Numeral, names: frozenset[str]) -> list[Word]:
    """The name that stands right before an age: "Ines Cruz, 54"."""
    runs = ((run, run[-1].end) for run in _runs(words, names))
    named = (run for run, end in runs if _COMMA.fullmatch(text[end : max(end, numeral.start)]))
    return next(named, [])


def is_name(word: Word, names: frozenset[str]) -> bool:
    return word.text[0].isupper() and word.form in names


def named_later(claim: Claim) -> Iterator[Objection]:
    """A number said of somebody whom the article names only afterwards, of a surname that stands before."""
    article = claim.article
    if article.language != ENGLISH or not claim.equal:
        return
    words = article_words(article)
    runs = [run for run in _runs(claim.words, words.names) if run[0].start < claim.numeral.number_start]
    last = max(article.places[row] for row in claim.equal)
    before = {word.form for some in words.sentences[: last + 1] for word in some}
    for run in runs:
        if run[0].form not in before and run[-1].form in before:
            yield Fault.OTHER, f"The article names “{' '.join(word.text for word in run)}” only afterwards."


def _runs(words: Sequence[Word], names: frozenset[str]) -> list[list[Word]]:
    runs: list[list[Word]] = []
    for word in (word for word in words if is_name(word, names)):
        last = runs[-1][-1] if runs else None
        if last and word.start == last.end + 1 and not OWNER.search(last.text):
            runs[-1].append(word)
        else:
            runs.append([word])
    return runs
