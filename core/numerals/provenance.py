"""What is said about the numerals of a headline: where each comes from, and the verdict on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from core.data.articles.articles import READ_CHARACTERS
from core.numerals.claims.verdict import ClaimVerdict, Light, worst_of
from core.numerals.derivations.operands import DerivationCandidate
from core.numerals.question import ReadArticle
from core.text.numerals.languages import LANGUAGE_NAMES, is_of_doubtful_language, unread_language
from core.text.numerals.numeral import Numeral

_TELLING: Final = 4
"""Letters of the shortest word by which a headline is known to be in its article's language."""


def why_unread(headline: str, article: str) -> str:
    """Which of the two is in a language whose numbers are not read, in a few words; "" where both are read.

    A headline that shares most of its longer words with an article that is read is taken for its language.
    """
    language = unread_language(article[:READ_CHARACTERS])
    if language:
        return f"an article in {language}"
    language = unread_language(headline)
    if not language:
        doubtful = is_of_doubtful_language(headline) and is_of_doubtful_language(article[:READ_CHARACTERS])
        return "an article in a language that cannot be told" if doubtful else ""
    words = [word.casefold() for word in headline.split() if len(word) >= _TELLING]
    known = set(article[:READ_CHARACTERS].casefold().split())
    return f"a headline in {language}" if 2 * sum(word in known for word in words) < len(words) else ""


def refusal(why: str) -> str:
    """The sentence for what `why_unread` says."""
    return f"This is {why}; numbers are read in {LANGUAGE_NAMES}."


MOST_DERIVATIONS: Final = 5


@dataclass(frozen=True, slots=True)
class Derivation:
    """One way in which a numeral may be derived."""

    candidate: DerivationCandidate  # the expression and the article's numerals it uses
    probability: float  # that the number was derived so, 0–1, calibrated; higher is better


@dataclass(frozen=True, slots=True)
class CheckedNumeral:
    """One numeral of a headline."""

    numeral: Numeral  # as read from the headline
    claim: ClaimVerdict
    # likeliest first, at most `MOST_DERIVATIONS`; the sources of the first one are those of the reason
    derivations: tuple[Derivation, ...]
    rival: int | None  # row of the article's numeral that stands for it there, where the value is another


@dataclass(frozen=True, slots=True, eq=False)
class CheckedHeadline:
    """A headline compared with its article."""

    headline: str
    article: ReadArticle  # the article with its numerals
    numerals: tuple[CheckedNumeral, ...]  # its numerals in order, () where it has none
    system: str  # signature of what judged
    invented: tuple[str, ...] = ()  # its names and words that the article lacks
    unread: str = ""  # which of the two is in a language whose numbers are not read, in a few words

    @property
    def light(self) -> Light:
        """The worst light of its numerals; `CHECK` at best where something could not be read or found."""
        lights = [one.claim.light for one in self.numerals]
        return worst_of([*lights, Light.CHECK] if self.invented or self.unread else lights)

    @property
    def reason(self) -> str:
        """One sentence on what decides its light."""
        if self.unread:
            return refusal(self.unread)
        light = self.light
        for one in self.numerals:
            if one.claim.light is light and light is not Light.SUPPORTED:
                return one.claim.reason
        if self.invented:
            return missing_words(self.invented)
        if not self.numerals:
            return "It holds no number."
        return self.numerals[0].claim.reason if len(self.numerals) == 1 else "All its numbers are supported."


@dataclass(frozen=True, slots=True)
class Filled:
    """A number for a blank."""

    answer: str  # as it is to be written: "3", "1.5", "1,300"; "" where the article has no numeral
    derivations: tuple[Derivation, ...]  # where it may come from, likeliest first
    probability: float  # that `answer` is right, 0–1, calibrated
    others: tuple[tuple[str, float], ...]  # other answers with their probabilities, best first


def missing_words(words: Sequence[str]) -> str:
    """A sentence on words that the article lacks, at most three of them; at least one is given."""
    shown = [f"“{word}”" for word in dict.fromkeys(words)][:3]
    listed = " and ".join((", ".join(shown[:-1]), shown[-1])) if len(shown) > 1 else shown[0]
    return f"The article does not have {listed}."
