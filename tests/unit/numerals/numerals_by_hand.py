"""Numerals, articles and questions made by hand, for tests of what is done with them."""

from __future__ import annotations

import numpy as np

from core.numerals.checked_headline import PASSING, ClaimVerdict, Fault, Light
from core.numerals.claims.claim import Claim, ClaimPlace, read_claim
from core.numerals.derivations.features import SUPPORT_NAMES
from core.numerals.derivations.search import derivations_of
from core.numerals.question import WAYS, Alignment, NumeralQuestion, ReadArticle, questions_of, read_article
from core.text.numerals.numeral import Numeral
from core.text.numerals.read import read_numerals


def numerals_in(text: str) -> tuple[Numeral, ...]:
    return read_numerals(text, language="en")


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


def claim_of(headline: str, article: str, number: str = "") -> Claim:
    """The claim about a number of a headline, the first one if none is named."""
    read = read_article(article)
    places = [_place(question) for question in questions_of(headline, read)]
    chosen = next(one for one in places if not number or one.numeral.number == number)
    return read_claim(chosen, [one for one in places if one is not chosen])


def _place(question: NumeralQuestion) -> ClaimPlace:
    candidates = derivations_of(question)
    return ClaimPlace(
        question=question,
        alignment=Alignment(np.zeros(len(question.article.numerals)), np.zeros(len(WAYS))),
        derivations=candidates,
        ranks=np.zeros(len(candidates)),
        weighed=np.zeros(len(SUPPORT_NAMES)),
    )
