"""What is said about the numerals of a headline: where each comes from, and whether it is supported."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from core.numerals.derivations.candidate import DerivationCandidate
from core.numerals.question import ReadArticle
from core.text.numerals.numeral import Numeral

MOST_DERIVATIONS: Final = 5


class Status(StrEnum):
    """The verdict on a numeral.

    `COPIED`: it stands in the article as it is. `DERIVED`: an operation makes it from the article's
    numerals. `CONTRADICTED`: the article gives another value for the same thing. `UNSUPPORTED`: nothing in
    the article supports it.
    """

    COPIED = "copied"
    DERIVED = "derived"
    CONTRADICTED = "contradicted"
    UNSUPPORTED = "unsupported"


@dataclass(frozen=True, slots=True)
class Derivation:
    """One way in which a numeral may be derived.

    Attributes:
        candidate: The expression and the article's numerals it uses.
        probability: That the number was derived so, 0–1, calibrated; higher is better.
    """

    candidate: DerivationCandidate
    probability: float


@dataclass(frozen=True, slots=True)
class CheckedNumeral:
    """One numeral of a headline.

    Attributes:
        numeral: As read from the headline.
        status: See `Status`.
        support: Probability that the article supports it for what it is attached to, 0–1, calibrated.
        derivations: Ways in which it may be derived, likeliest first, at most `MOST_DERIVATIONS`; ()
            where the number cannot be had from the article.
        same_thing: Probability that the number, as the article has it, belongs to what the headline attaches
            it to, 0–1; None where the article lacks the number.
        rival: Row of the article's numeral that gives another value for the same thing; None where there is
            none.
        reason: One sentence for a reader.
    """

    numeral: Numeral
    status: Status
    support: float
    derivations: tuple[Derivation, ...]
    same_thing: float | None
    rival: int | None
    reason: str


@dataclass(frozen=True, slots=True, eq=False)
class CheckedHeadline:
    """A headline compared with its article.

    Attributes:
        headline: The headline.
        article: The article with its numerals.
        numerals: Its numerals in order, () where it has none.
        system: Signature of what judged.
    """

    headline: str
    article: ReadArticle
    numerals: tuple[CheckedNumeral, ...]
    system: str


@dataclass(frozen=True, slots=True)
class Filled:
    """A number for a blank.

    Attributes:
        answer: As it is to be written: "3", "1.5", "1,300"; "" where the article has no numeral.
        derivations: Where it may come from, likeliest first; () where the article has no numeral.
        probability: That `answer` is right, 0–1, calibrated.
        others: Other answers with their probabilities, best first.
    """

    answer: str
    derivations: tuple[Derivation, ...]
    probability: float
    others: tuple[tuple[str, float], ...]
