"""Numerals, articles and questions made by hand, for tests of what is done with them."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

import numpy as np

from core.numerals.claims.claim import Claim, ClaimPlace, read_claim
from core.numerals.derivations.features import SUPPORT_NAMES
from core.numerals.derivations.search import derivations_of
from core.numerals.question import WAYS, Alignment, NumeralQuestion, ReadArticle, questions_of, read_article
from core.numerals.verdict import PASSING, ClaimVerdict, Fault, Light
from core.text.numerals.numeral import Approximation, Bound, Numeral, NumeralForm, NumeralKind

FACTORS = {"": 1, "K": 10**3, "M": 10**6, "B": 10**9, "млн": 10**6}
FACTORS |= {"thousand": 10**3, "million": 10**6, "billion": 10**9, "Billion": 10**9}
_FOUND = re.compile(r"(\$?)(\d+(?:,\d{3})*(?:\.\d+)?)(?:\s?(K|M|B|thousand|million|[bB]illion|млн)\b|(%))?")


def numerals_in(text: str) -> tuple[Numeral, ...]:
    """Numbers in digits with dollars, per cent and a magnitude, and years: enough for these tests."""
    return tuple(_numeral(found) for found in _FOUND.finditer(text))


def _numeral(found: re.Match[str], **other: Any) -> Numeral:
    money, number, magnitude, percent = found[1], found[2], found[3] or "", found[4]
    kind = NumeralKind.MONEY if money else NumeralKind.PERCENT if percent else NumeralKind.COUNT
    if re.fullmatch(r"(?:19|20)\d\d", number) and kind is NumeralKind.COUNT and not magnitude:
        kind = NumeralKind.YEAR
    return Numeral(
        text=found[0],
        start=found.start(),
        end=found.end(),
        number=number,
        number_start=found.start(2),
        number_end=found.end(2),
        amount=Fraction(number.replace(",", "")),
        factor=Fraction(FACTORS[magnitude]),
        decimals=len(number.partition(".")[2]),
        kind=kind,
        unit="USD" if money else "%" if percent else "",
        counted="",
        approximation=Approximation.EXACT,
        bound=Bound.NONE,
        form=NumeralForm.MIXED if magnitude else NumeralForm.DIGITS,
    )


def article(text: str, *, language: str = "en", dateline: int = 0) -> ReadArticle:
    """An article of one sentence."""
    numerals = numerals_in(text)
    return ReadArticle(text, language, ((0, len(text)),), numerals, (0,) * len(numerals), dateline)


def question(headline: str, text: str, *, at: int = 0, dateline: int = 0) -> NumeralQuestion:
    """The place of a headline's number, the first if nothing else is said."""
    numeral = numerals_in(headline)[at]
    read = article(text, dateline=dateline)
    return NumeralQuestion(read, headline, numeral.number_start, numeral.number_end, numeral)


def claim(light: Light, probability: float = 0.97, reason: str = "", *, rival: bool = False) -> ClaimVerdict:
    """A verdict; what is wrong has another value in the article, or none."""
    if light in PASSING:
        return ClaimVerdict(light, None, probability, reason, None)
    fault = Fault.HUMAN if light is Light.CHECK else Fault.VALUE if rival else Fault.ABSENT
    return ClaimVerdict(light, fault, probability, reason, None)


def claim_of(headline: str, article: str, number: str = "", *, belongs: str = "") -> Claim:
    """The claim about a number of a headline, the first one if none is named.

    `belongs` is the article's numeral that belongs at the number's place most.
    """
    read = read_article(article)
    places = [_place(question, belongs) for question in questions_of(headline, read)]
    chosen = next(one for one in places if not number or one.numeral.number == number)
    return read_claim(chosen, [one for one in places if one is not chosen])


def _place(question: NumeralQuestion, belongs: str) -> ClaimPlace:
    numerals = question.article.numerals
    scores = np.array([3.0 if belongs and one.text == belongs else 0.0 for one in numerals])
    candidates = derivations_of(question)
    return ClaimPlace(
        question=question,
        alignment=Alignment(scores, np.zeros(len(WAYS))),
        derivations=candidates,
        ranks=np.zeros(len(candidates)),
        weighed=np.zeros(len(SUPPORT_NAMES)),
    )
