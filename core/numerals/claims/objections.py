"""What speaks against a claim so plainly that no weighing may show it as supported.

NumHG has too few such headlines to learn from: an amount a day where the article has one an hour, a change
"to" where it has one "by", the score of a match with another number in it, the opposite word.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from core.numerals.claims.claim import Claim
from core.numerals.claims.verdict import Fault
from core.numerals.claims.word_gates import opposed_words
from core.text.numerals.numeral import Numeral, NumeralKind

Objection = tuple[Fault, str]
"""What disagrees, and one sentence on it."""
REACH: Final = 40
"""Characters behind a number in which a rate is looked for."""
_DATA: Final[dict[str, Any]] = tomllib.loads(
    Path(__file__).with_name("words.toml").read_text(encoding="utf-8")
)
_BETWEEN: Final = re.compile(r"[^.;:!?\d]*$")


def _units(language: str) -> tuple[re.Pattern[str], dict[str, str]]:
    table = _DATA["rates"][language]
    names = {word: unit for unit, words in table["units"].items() for word in words.split()}
    words = "|".join(sorted(map(re.escape, names), key=len, reverse=True))
    return re.compile(rf"(?<!\w)(?:{table['before']})\s*({words})(?!\w)", re.IGNORECASE), names


_RATES: Final = {language: _units(language) for language in _DATA["rates"]}
_STEPS: Final = {
    language: {
        way: re.compile(rf"(?<!\w)(?:{words})\s*(?:an?\s*)?\W?$", re.IGNORECASE)
        for way, words in table.items()
    }
    for language, table in _DATA["steps"].items()
}
_SCORE: Final = re.compile(r"(?<![\w.,])(\d{1,3})\s?[-–:]\s?(\d{1,3})(?![\w:]|[.,-]\d)")


def objection(claim: Claim) -> Objection | None:
    """The first that there is; None where nothing speaks so plainly."""
    found = (one for look in (_other_rate, _other_step, _other_score, _opposite) for one in look(claim))
    return next(found, None)


def _source(claim: Claim) -> Numeral | None:
    return None if claim.source is None else claim.place.article.numerals[claim.source]


def _sentence(claim: Claim, row: int) -> tuple[str, int]:
    """A numeral's sentence, and where the numeral ends in it."""
    article = claim.place.article
    start, end = article.sentences[article.places[row]]
    return article.text[start:end], article.numerals[row].end - start


def _rate_of(text: str, end: int, language: str) -> tuple[str, str] | None:
    """Unit of the rate behind a number, and how it is written."""
    if language not in _RATES:
        return None
    pattern, names = _RATES[language]
    found = pattern.search(text[: end + REACH], end)
    if found is None or not _BETWEEN.fullmatch(text[end : found.start()]):
        return None
    return names[found[1].lower()], found[0]


def _other_rate(claim: Claim) -> Iterator[Objection]:
    """An amount a day of which the article has no such amount, but one an hour, or one in all."""
    place = claim.place
    language = place.article.language
    said = _rate_of(place.question.headline, place.numeral.end, language)
    if said is None or not claim.equal or place.numeral.kind is NumeralKind.DURATION:
        return
    given = [_rate_of(*_sentence(claim, row), language) for row in claim.equal]
    if all(one is not None and one[0] != said[0] for one in given):
        written = next(one[1] for one in given if one is not None)
        yield Fault.OTHER, f"The article has it “{written}”, not “{said[1]}”."


def _other_step(claim: Claim) -> Iterator[Objection]:
    """A change to a number where the article has one by it, and the other way round."""
    place = claim.place
    ways = _STEPS.get(place.article.language)
    if ways is None or not claim.equal:
        return
    said = _step(place.question.headline, place.numeral.start, ways)
    given = {_step(place.article.text, place.article.numerals[row].start, ways) for row in claim.equal}
    if said and given == ({"to", "by"} - {said}):
        yield Fault.OTHER, f"The article has a change “{given.pop()}” this number, not “{said}” it."


def _step(text: str, start: int, ways: dict[str, re.Pattern[str]]) -> str:
    before = text[max(0, start - 12) : start]
    return next((way for way, pattern in ways.items() if pattern.search(before)), "")


def _other_score(claim: Claim) -> Iterator[Objection]:
    """A score of which the article has one number alone beside another."""
    place = claim.place
    for found in _SCORE.finditer(place.question.headline):
        if not found.start() <= place.question.start < found.end():
            continue
        scores = [{one[1], one[2]} for one in _SCORE.finditer(place.article.text, place.article.dateline)]
        mine = {found[1], found[2]}
        if scores and mine not in scores and any(mine & one for one in scores):
            yield Fault.VALUE, f"The article has another score than {found[0]}."


def _opposite(claim: Claim) -> Iterator[Objection]:
    """The opposite word in the source's sentence, and the headline's word nowhere in the article's."""
    pair = opposed_words(claim, nowhere=True)
    source = _source(claim)
    if pair is not None and source is not None and claim.equal:
        said, given, turned = pair
        fault = Fault.BOUND if turned else Fault.OTHER
        yield fault, f"Of “{source.text}” the article says “{given}”, not “{said}”."
