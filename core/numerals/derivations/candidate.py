"""One way in which a number can come from an article."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from core.numerals.expressions.tree import Expression


@dataclass(frozen=True, slots=True)
class Candidate:
    """An expression over an article's numerals, before anything is said about how likely it is.

    Attributes:
        expression: In NumHG's terms, leaves as they are written in the article.
        sources: Rows of the numerals in `ReadArticle.numerals` that it uses, in order of its leaves; a leaf
            that the article lacks (a constant) has none.
        value: What it amounts to, in the same terms as the bare number at the place: 3 for "$____K" and an
            article's "$3,000".
        answer: How the number is written into a headline: "3", "1.5", "1,300".
        way: One of `core.numerals.attachment.WAYS`.
    """

    expression: Expression
    sources: tuple[int, ...]
    value: Fraction
    answer: str
    way: str
