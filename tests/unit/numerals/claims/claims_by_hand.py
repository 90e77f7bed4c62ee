"""Claims of headlines read from texts, with every number of the article as likely as the others."""

from __future__ import annotations

import numpy as np

from core.numerals.claims.claim import Claim, ClaimPlace, read_claim
from core.numerals.derivations.features import SUPPORT_NAMES
from core.numerals.derivations.search import derivations_of
from core.numerals.question import WAYS, Attachment, NumeralQuestion, questions_of, read_article


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
        attachment=Attachment(scores, np.zeros(len(WAYS))),
        derivations=candidates,
        ranks=np.zeros(len(candidates)),
        weighed=np.zeros(len(SUPPORT_NAMES)),
    )
