"""What is said about a headline and its numerals: lights, faults, verdicts, and where numbers come from."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from core.numerals.derivations.operands import DerivationCandidate
from core.numerals.question import ReadArticle
from core.numerals.unread import refusal
from core.text.numerals.numeral import Numeral


class Light(StrEnum):
    """What the article says to a number of a headline: green, no colour, amber, red."""

    SUPPORTED = "supported"  # one sentence has it and what it counts, or it follows by the arithmetic shown
    FOUND = "found"  # the value is in the article or follows from it, and nothing speaks against it
    CHECK = "check this"  # there is a reason to look
    WRONG = "wrong"  # the article says otherwise, or gives no such number by any arithmetic


PASSING: Final = frozenset({Light.SUPPORTED, Light.FOUND})  # lights of numbers that nothing speaks against


class Fault(StrEnum):
    """Which part of a claim disagrees with the article, or could not be decided."""

    VALUE = "wrong value"
    OTHER = "right number of something else"
    UNIT = "unit or currency differs"
    BOUND = "direction or bound reversed"
    ABSENT = "not in the article"
    SAID = "said otherwise"  # what is said beside the numbers
    HUMAN = "needs a human"


Objection = tuple[Fault, str]  # what disagrees, and one sentence on it with what both texts say


@dataclass(frozen=True, slots=True)
class RightNumber:
    """What the article has instead of a number of the headline."""

    row: int  # of the article's number
    text: str  # as it is to stand in the headline
    start: int  # where what it takes the place of begins in the headline, in characters from 0
    end: int  # where that ends, exclusive
    holder: str = ""  # whose the article says it is; "" where that is not what differs

    def put_into(self, headline: str) -> str:
        return f"{headline[: self.start]}{self.text}{headline[self.end :]}"


@dataclass(frozen=True, slots=True)
class ClaimVerdict:
    light: Light
    fault: Fault | None  # what disagrees; None exactly where nothing does (`PASSING`)
    probability: float  # that the article supports the claim, 0–1, calibrated on written headlines
    reason: str  # one sentence for a journalist: "Of “27” the article says “injuring”, not “kills”."
    sentence: tuple[int, int] | None  # start and end in `ReadArticle.text` of what decides; None for none
    rule: str = ""  # what raised amber or red, by its name in `core.numerals.claims.judge`; "" for nothing
    set_aside: Light | None = None  # the light that a person set aside, who found the number right
    corrected: str = ""  # which corrected facts of the article it rests on; part of `reason`
    right: RightNumber | None = None  # what the article has instead, where the reason names it


def worst_of(lights: Iterable[Light]) -> Light:
    order = tuple(Light)
    return max(lights, key=order.index, default=Light.SUPPORTED)


@dataclass(frozen=True, slots=True)
class Derivation:
    candidate: DerivationCandidate  # the expression and the article's numerals it uses
    probability: float  # that the number was derived so, 0–1, calibrated; higher is better


@dataclass(frozen=True, slots=True)
class CheckedNumeral:
    numeral: Numeral  # as read from the headline
    claim: ClaimVerdict
    # the likeliest first, at most `checking.MOST_DERIVATIONS`; the reason is on the sources of the first one
    derivations: tuple[Derivation, ...]
    rival: int | None  # row of the article's numeral that stands for it there, where the value is another


@dataclass(frozen=True, slots=True, eq=False)
class CheckedHeadline:
    headline: str
    article: ReadArticle  # the article with its numerals
    numerals: tuple[CheckedNumeral, ...]  # its numerals in order, () where it has none
    system: str  # signature of what judged
    invented: tuple[str, ...] = ()  # its names and words that the article lacks
    unread: str = ""  # which of the two is in a language whose numbers are not read, in a few words
    given: str = ""  # the article before a person corrected its facts; "" where nobody did
    whole: ClaimVerdict | None = None  # on what it says beside its numbers; None where it was not read

    @property
    def claims(self) -> list[ClaimVerdict]:
        """The verdicts on its numerals, and on the whole where that doubts or stands alone."""
        own = [checked.claim for checked in self.numerals]
        decides = self.whole is not None and (not own or self.whole.light not in PASSING)
        return [*own, self.whole] if self.whole is not None and decides else own

    @property
    def light(self) -> Light:
        """The worst light of what decides; `CHECK` at best where something could not be read or found."""
        lacking = [Light.CHECK] if self.invented or self.unread else []
        return worst_of([*(claim.light for claim in self.claims), *lacking])

    @property
    def reason(self) -> str:
        """What decides its light, a sentence for each verdict that has it."""
        if self.unread:
            return refusal(self.unread)
        light, claims = self.light, self.claims
        reasons = dict.fromkeys(claim.reason for claim in claims if claim.light is light)
        if reasons and (light is not Light.SUPPORTED or len(reasons) == 1):
            return " ".join(reasons)
        corrected = dict.fromkeys(filter(None, (claim.corrected for claim in claims)))
        if self.invented:
            return " ".join([missing_words(self.invented), *corrected])
        return " ".join(["All its numbers are supported.", *corrected]) if claims else "It holds no number."


@dataclass(frozen=True, slots=True)
class FilledBlank:
    answer: str  # as it is to be written: "3", "1.5", "1,300"; "" where no numeral is there or likely enough
    derivations: tuple[Derivation, ...]  # where it may come from, likeliest first
    probability: float  # that `answer` is right, 0–1, calibrated
    others: tuple[tuple[str, float], ...]  # other answers with their probabilities, best first


def missing_words(words: Sequence[str]) -> str:
    """A sentence on words that the article lacks, at most three of them; at least one is given."""
    shown = [f"“{word}”" for word in dict.fromkeys(words)][:3]
    listed = " and ".join((", ".join(shown[:-1]), shown[-1])) if len(shown) > 1 else shown[0]
    return f"The article does not have {listed}."
