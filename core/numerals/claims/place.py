"""A number of a headline with everything that was found about it before its claim is judged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.numerals.attachment import Attachment, shares_of
from core.numerals.derivations.candidate import DerivationCandidate
from core.numerals.question import NumeralQuestion, ReadArticle
from core.text.numerals.numeral import Numeral

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class ClaimPlace:
    """A number of a headline.

    Attributes:
        question: Its place.
        attachment: What belongs there.
        derivations: Ways to the number, likeliest first.
        ranks: Their sums of trees, float64 [m].
        weighed: Features of its support; see `core.numerals.weighing.support`.
    """

    question: NumeralQuestion
    attachment: Attachment
    derivations: Sequence[DerivationCandidate]
    ranks: FloatArray
    weighed: FloatArray

    @property
    def numeral(self) -> Numeral:
        """The number."""
        if self.question.numeral is None:
            raise ValueError("a blank claims nothing")
        return self.question.numeral

    @property
    def article(self) -> ReadArticle:
        """The article."""
        return self.question.article

    @property
    def shares(self) -> FloatArray:
        """For each numeral of the article the share with which it belongs at the place, float64 [n]."""
        return shares_of(self.attachment.numerals)

    @property
    def sources(self) -> tuple[int, ...]:
        """Rows of the article's numerals that the likeliest derivation uses; () where there is none."""
        return self.derivations[0].sources if self.derivations else ()
