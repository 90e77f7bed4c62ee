"""What the program asks a claim reader about headlines that were written with their truth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from core.data.articles.written_claims import WrittenClaim
from core.numerals.checking import Checker, recipe_of
from core.numerals.claims.claim import read_claim
from core.numerals.claims.place import ClaimPlace
from core.numerals.claims.reading import question_of
from core.numerals.claims.weights import names_with, read_claim_weights
from core.numerals.entailing.question import ClaimQuestion
from core.numerals.weighing.support import SUPPORT_NAMES
from core.numerals.weighing.weights import read_weights
from core.runtime import Runtime

STEP: Final = "Reading written headlines"
_AT_ONCE: Final = 50


@dataclass(frozen=True, slots=True)
class WrittenQuestion:
    """A question with its answer.

    Attributes:
        question: What the program asks.
        true: Whether the article supports it.
    """

    question: ClaimQuestion
    true: bool


def written_questions(claims: Sequence[WrittenClaim], runtime: Runtime) -> list[WrittenQuestion]:
    """The questions about the numbers in question; those without a source in the article are left out.

    The default attacher finds the sources, as where headlines are checked, so that what is learned from is
    what will be asked.
    """
    if not claims:
        return []
    recipe = recipe_of(None)
    weights = read_claim_weights(names_with(SUPPORT_NAMES))
    checker = Checker(recipe.build(runtime), read_weights(recipe.folder), weights, system="")
    found = []
    for start in runtime.track(range(0, len(claims), _AT_ONCE), STEP):
        some = claims[start : start + _AT_ONCE]
        headlines, articles = [one.headline for one in some], [one.article for one in some]
        for claim, places in zip(some, checker.places(headlines, articles, runtime), strict=True):
            question = _asked(claim, places)
            if question is not None:
                found.append(WrittenQuestion(question, claim.true))
    return found


def _asked(claim: WrittenClaim, places: Sequence[ClaimPlace]) -> ClaimQuestion | None:
    for place in places:
        if place.numeral.start < claim.end and claim.start < place.numeral.end:
            return question_of(read_claim(place, [other for other in places if other is not place]))
    return None
