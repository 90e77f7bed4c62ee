"""What the article says of less than the headline does: of a part, of another whole, as a possibility.

The number is the article's, so trees that weigh numbers and single words pass it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final

from core.numerals.claims.claim import Claim
from core.numerals.claims.verdict import Fault
from core.numerals.claims.words import PARTS, Word, article_words, is_nearly
from core.text.numerals.numeral import Approximation, NumeralKind

Objection = tuple[Fault, str]  # what disagrees, and one sentence on it

ENGLISH: Final = "en"  # the language that all of this is read in
_POSSIBLE: Final = re.compile(
    r"\b(?:could|may|might|can|would|faces?|facing|possibl[ey]|potential\w*|max\w*|risks?|up to)\b",
    re.IGNORECASE,
)
_DROPPED: Final = re.compile(
    r"\b(?:decided against|ruled out|called off|backed (?:off|away|out)|shelved|scrapped|"
    r"drop(?:s|ped|ping)? (?:(?:the|its|his|her|their|a) )?(?:plans?|idea|proposal)|"
    r"(?:had )?(?:considered|weighed|mulled) \w+ing)\b",
    re.IGNORECASE,
)
_PLANNED: Final = re.compile(
    r"\b(?:not|no|never|won't|against|rul\w+|call\w+|back\w+|shelv\w+|scrap\w*|drop\w*|consider\w*|"
    r"weigh\w*|mull\w*|plan(?:s|ned|ning)?|eye[sd]?|may|might|could|once|almost|nearly)\b",
    re.IGNORECASE,
)
_SIDES: Final = {"above", "below"}
_PHRASE: Final = 4  # words behind a number that say what it is of, or on which side of a line


def only_up_to(claim: Claim) -> Iterator[Objection]:
    """A number that the article has as the most that is possible, and the headline as what is."""
    place = claim.place
    article, headline = place.article, place.question.headline
    if place.numeral.kind is NumeralKind.ORDINAL:  # "to move up to fourth place" gives no bound
        return
    exact = place.numeral.approximation is Approximation.EXACT and not is_nearly(place.numeral, headline)
    rows = [article.numerals[row] for row in claim.equal]
    most = (
        article.language == ENGLISH
        and bool(rows)
        and all(one.approximation is Approximation.AT_MOST for one in rows)
    )
    if most and exact and not _POSSIBLE.search(headline):
        yield Fault.BOUND, f"The article has “{rows[0].text}” as the most that is possible."


def not_done(claim: Claim) -> Iterator[Objection]:
    """A number of what was considered or planned and then given up, where the headline says neither."""
    place = claim.place
    if place.article.language != ENGLISH or not claim.equal or _PLANNED.search(place.question.headline):
        return
    told = [_DROPPED.search(_sentence(claim, row)) for row in claim.equal]
    if all(told) and told[0] is not None:
        yield Fault.OTHER, f"The article says “{told[0][0]}” of it."


def other_side(claim: Claim) -> Iterator[Objection]:
    """Above a line where the article has the number below it, and the other way round."""
    article = claim.place.article
    if article.language != ENGLISH or not claim.equal:
        return
    said = _side(word for word in claim.words if word.start >= claim.place.numeral.end)
    sentences = article_words(article).sentences
    given = {
        _side(word for word in sentences[article.places[row]] if word.start >= article.numerals[row].end)
        for row in claim.equal
    }
    if said and given == _SIDES - {said}:
        yield Fault.BOUND, f"The article has it {given.pop()}, not {said}."


def _side(words: Iterable[Word]) -> str:
    near = (word.text.lower() for word in islice(words, _PHRASE))
    return next((word for word in near if word in _SIDES), "")


def of_some(claim: Claim) -> Iterator[Objection]:
    """A word that the article has of some of them alone: "24 people died, seven of them children"."""
    place = claim.place
    if place.article.language != ENGLISH or not claim.equal or claim.others:
        return
    if PARTS[ENGLISH].search(place.question.headline) or not all(_of_part(claim, row) for row in claim.equal):
        return
    word = _of_part(claim, claim.equal[0])[0]
    yield Fault.OTHER, f"The article says “{word.text.lower()}” of some of them alone."


def _of_part(claim: Claim, row: int) -> list[Word]:
    article = claim.place.article
    end = article.sentences[article.places[row]][1]
    number = article.numerals[row].end
    part = PARTS[ENGLISH].search(article.text, number, end)
    # Of "four of them were closed" the four are the part.
    if part is None or not article.text[number : part.start()].strip():
        return []
    words = [word for sentence in article_words(article).sentences for word in sentence]
    inside = {word.form for word in words if part.end() <= word.start < end}
    elsewhere = {word.form for word in words if not part.end() <= word.start < end}
    return [word for word in claim.words if word.content and word.form in inside - elsewhere]


def _sentence(claim: Claim, row: int) -> str:
    start, end = claim.place.article.sentences[claim.place.article.places[row]]
    return claim.place.article.text[start:end]
