"""What speaks against a claim so plainly that no weighing may show it as supported.

NumHG has too few such headlines to learn from: an amount a day where the article has one an hour, a change
"to" where it has one "by", the score of a match with another number in it, the opposite word, another
currency, a share of somebody else, an adjective that is nowhere in the article, a word that denies, the other
side of a match first, a change that the article has the other way, the other half of the day.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path
from typing import Any, Final

from core.numerals.claims.arithmetic import worked_out
from core.numerals.claims.changes import amount_of, concerning, direction_of, goes
from core.numerals.claims.claim import Claim
from core.numerals.claims.narrower import (
    Objection,
    not_done,
    of_some,
    only_up_to,
    other_side,
    other_whole,
)
from core.numerals.claims.verdict import Fault
from core.numerals.claims.word_gates import opposed_words
from core.numerals.claims.words import Word, article_words
from core.numerals.claims.workings.pairs import is_about
from core.text.numerals.numeral import Numeral, NumeralKind

NAMES_IN: Final = "en"
"""The language in which a capital inside of a sentence is a name, and who has a share stands before it."""
_NOT: Final = ("n't", "n’t")
RANKED: Final = 3
"""Words behind a count among which an adjective is looked for."""
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
_RANKS: Final = {language: frozenset(words.split()) for language, words in _DATA["ranks"].items()}
_DENIALS: Final = {language: frozenset(words.split()) for language, words in _DATA["denials"].items()}
_NEGATIONS: Final = {language: frozenset(words.split()) for language, words in _DATA["negations"].items()}
_SPANS: Final = {
    language: re.compile(rf"[^.;:!?\d]{{0,12}}\b(?:{words})\W+(?:\w+\W+)?", re.IGNORECASE)
    for language, words in _DATA["spans"].items()
}
_LOSES: Final = re.compile(_DATA["loses"], re.IGNORECASE)
_SIDES: Final = ("who wins", "who loses")
_UN: Final = "un"
_HALF: Final = re.compile(r"(?::\d\d)?\s?([ap])\.?\s?m\b", re.IGNORECASE)
_SCORE: Final = re.compile(r"(?<![\w.,])(\d{1,3})\s?[-–:]\s?(\d{1,3})(?![\w:]|[.,-]\d)")


def objection(claim: Claim) -> Objection | None:
    """The first that there is; None where nothing speaks so plainly."""
    found = (one for look in _LOOKS for one in look(claim))
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
    rows = claim.equal or worked_out(claim)
    if said is None or not rows or place.numeral.kind is NumeralKind.DURATION:
        return
    if over := next(filter(None, (_span_of(claim, row, said[0]) for row in claim.equal)), ""):
        yield Fault.OTHER, f"The article has it “{over}”, not “{said[1]}”."
    rates = [_rate_of(*_sentence(claim, row), language) for row in rows]
    given = [one for one in rates if one is not None]
    # Of two numbers that give a third, one has the rate.
    if given and all(one[0] != said[0] for one in given) and (len(given) == len(rows) or not claim.equal):
        yield Fault.OTHER, f"The article has it “{given[0][1]}”, not “{said[1]}”."


def _span_of(claim: Claim, row: int, unit: str) -> str:
    """The span over which the article has a sum in all, in a rate's unit: "over five years"; "" for none."""
    article = claim.place.article
    spans = _SPANS.get(article.language)
    one, after = article.numerals[row], article.numerals[row + 1 : row + 2]
    if spans is None or not after or after[0].unit != unit or after[0].value <= 1:
        return ""
    between = article.text[one.end : after[0].start]
    return f"{between.strip()} {after[0].text}" if spans.fullmatch(between) else ""


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


def _other_winner(claim: Claim) -> Iterator[Objection]:
    """A score with the names of both sides in another order than the article has them beside it."""
    place = claim.place
    names = article_words(place.article).names
    mine = [word for word in claim.words if _is_name(word, names)]
    scores = [one for one in _SCORE.finditer(place.question.headline) if one.start() <= place.question.start]
    if not any(place.question.start < one.end() for one in scores) or not claim.equal:
        return
    for row in claim.equal:
        sentence = article_words(place.article).sentences[place.article.places[row]]
        first = {word.form: word.start for word in reversed(sentence) if _is_name(word, names)}
        order = list(dict.fromkeys(word.form for word in mine if word.form in first))
        lost = any(_LOSES.match(word.text) for word in (*claim.words, *sentence))
        if lost or len(order) != len(_SIDES) or first[order[0]] < first[order[1]]:
            return
    yield Fault.OTHER, "The article names the other side first."


def _opposite(claim: Claim) -> Iterator[Objection]:
    """The opposite word in the source's sentence, and the headline's word nowhere in the article's."""
    pair = opposed_words(claim, nowhere=True)
    source = _source(claim)
    if pair is not None and source is not None and claim.equal:
        said, given, turned = pair
        fault = Fault.BOUND if turned else Fault.OTHER
        yield fault, f"Of “{source.text}” the article says “{given}”, not “{said}”."


def _other_change(claim: Claim) -> Iterator[Objection]:
    """A change that goes the other way than the article's, or ends where that begins."""
    place, told = claim.place, concerning(claim)
    if not told:
        return
    numerals, way = place.article.numerals, direction_of(claim)
    to = _step(place.question.headline, place.numeral.start, _STEPS[place.article.language]) == "to"
    meant = []
    for one in told:
        amount = amount_of(claim, one)
        by = amount is not None and is_about(claim, abs(amount))
        if by or (to and one.after in claim.equal):
            meant.append(one)
    if meant:
        ways = {goes(numerals[one.after].value - numerals[one.before].value) for one in meant}
        wrong = meant if way and way not in ways else []
    else:
        begin = {one.before for one in told}
        wrong = [one for one in told if to and one.before in claim.equal and begin.issuperset(claim.equal)]
    for one in wrong:
        first, last = numerals[one.before], numerals[one.after]
        yield Fault.BOUND, f"The article has it from “{first.text}” to “{last.text}”."


def _other_half(claim: Claim) -> Iterator[Objection]:
    """An hour after noon that the article has before noon alone, or the other way round."""
    place = claim.place
    said = _HALF.match(place.question.headline, place.numeral.number_end)
    numerals, text = place.article.numerals, place.article.text
    hours = [numerals[row] for row in claim.equal if numerals[row].kind is NumeralKind.TIME]
    given = [_HALF.match(text, one.number_end) for one in hours]
    if said and given and all(one and one[1].lower() != said[1].lower() for one in given):
        yield Fault.VALUE, f"The article has “{hours[0].text}”, in the other half of the day."


def _other_currency(claim: Claim) -> Iterator[Objection]:
    """A sum that the article has in other currencies alone."""
    numeral = claim.place.numeral
    if numeral.kind is not NumeralKind.MONEY or not numeral.unit:
        return
    equal = [claim.place.article.numerals[row] for row in claim.equal]
    sums = [one for one in equal if one.kind is NumeralKind.MONEY]
    if sums and all(one.unit and one.unit != numeral.unit for one in sums):
        yield Fault.UNIT, f"The article has “{sums[0].text}”, not “{numeral.text}”."


def _other_holder(claim: Claim) -> Iterator[Objection]:
    """A share of which the article's sentence names another holder first, and the headline's behind it.

    "Holt won with 54 %, beating Cruz" does not say that Cruz won with 54 %.
    """
    place = claim.place
    if place.numeral.kind is not NumeralKind.PERCENT or place.article.language != NAMES_IN:
        return
    names = article_words(place.article).names
    mine = [word for word in claim.words if _is_name(word, names)]
    holders = {word.form for word in mine if word.start < place.question.start}
    if not holders or not claim.equal:
        return
    for row in claim.equal:
        numeral = place.article.numerals[row]
        beside = [
            word
            for word in article_words(place.article).sentences[place.article.places[row]]
            if _is_name(word, names)
        ]
        before = {word.form for word in beside if word.start < numeral.start}
        after = {word.form for word in beside if word.start >= numeral.end}
        if not before or before & {word.form for word in mine} or not holders & after:
            return
    yield Fault.OTHER, f"The article has “{numeral.text}”, but another name stands before it."


def _absent_holder(claim: Claim) -> Iterator[Objection]:
    """A number of which the article's sentence names somebody else, and the headline's name is not near it.

    "Tarvo is to cut 2,400 jobs" does not say that Kestrel cuts them, whom the article names elsewhere.
    """
    place = claim.place
    if place.article.language != NAMES_IN or not claim.equal:
        return
    words = article_words(place.article)
    mine = {
        word.form for word in claim.words if word.start < place.question.start and _is_name(word, words.names)
    }
    for row in claim.equal:
        start, at = place.article.numerals[row].start, place.article.places[row]
        rows = words.sentences[max(0, at - 1) : at + 2]
        if mine & {word.form for sentence in rows for word in sentence if _is_name(word, words.names)}:
            return
        if not any(word.start < start and _is_name(word, words.names) for word in words.sentences[at]):
            return
    if mine:
        yield Fault.OTHER, f"Around “{place.article.numerals[claim.equal[0]].text}” the article names others."


def _is_name(word: Word, names: frozenset[str]) -> bool:
    return word.text[0].isupper() and word.form in names


def _other_rank(claim: Claim) -> Iterator[Objection]:
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


def _denied(claim: Claim) -> Iterator[Objection]:
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


def _undone(claim: Claim) -> Iterator[Objection]:
    """A word with "un" before it that stands in the source's sentence without: uncontained, contained."""
    article = claim.place.article
    if article.language != NAMES_IN or not claim.equal:
        return
    words = article_words(article)
    rows = {article.places[row] for row in claim.equal}
    near = {word.text.lower() for row in rows for word in words.sentences[row]}
    for word in claim.words:
        text = word.text.lower()
        if text.startswith(_UN) and text[len(_UN) :] in near and word.form not in words.forms:
            yield Fault.OTHER, f"The article says “{text[len(_UN) :]}”, not “{text}”."


_LOOKS: Final = (
    _other_currency,
    _other_rate,
    _other_step,
    _other_change,
    _other_half,
    _other_score,
    _other_winner,
    _other_holder,
    _absent_holder,
    _other_rank,
    _denied,
    _undone,
    _opposite,
    only_up_to,
    not_done,
    of_some,
    other_side,
    other_whole,
)
