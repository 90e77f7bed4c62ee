"""What is said about the numerals of a headline: verdicts, where numbers come from, what a person says."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from core.data.articles.article_files import READ_CHARACTERS
from core.digests import digest
from core.journal.entries import NewEntry
from core.journal.journal import Journal
from core.numerals.derivations.operands import DerivationCandidate
from core.numerals.question import ReadArticle
from core.text.language import NAMES
from core.text.numerals import languages
from core.text.numerals.numeral import Numeral

_TELLING: Final = 4  # letters of the shortest word that tells a headline's language
NOT_READ: Final = "numbers that could not be read"  # because the program failed
MOST_DERIVATIONS: Final = 5
KIND: Final = "right after all"
CLEARED: Final = "A person found this right."


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
    HUMAN = "needs a human"


Objection = tuple[Fault, str]  # what disagrees, and one sentence on it with what both texts say


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


def worst_of(lights: Iterable[Light]) -> Light:
    """The worst of some lights; `SUPPORTED` of none."""
    order = tuple(Light)
    return max(lights, key=order.index, default=Light.SUPPORTED)


def why_unread(headline: str, article: str) -> str:
    """Which of the two is in a language whose numbers are not read, in a few words; "" for neither."""
    article = article[:READ_CHARACTERS]
    code = languages.language_of(article)
    if language := languages.unread_language(article) or ("" if code in languages.LANGUAGES else NAMES[code]):
        return f"an article in {language}"
    language = languages.unread_language(headline)
    if not language:
        doubtful = languages.is_of_doubtful_language(headline) and languages.is_of_doubtful_language(article)
        return "an article in a language that cannot be told" if doubtful else ""
    words = [word.casefold() for word in headline.split() if len(word) >= _TELLING]
    known = set(article.casefold().split())
    return f"a headline in {language}" if 2 * sum(word in known for word in words) < len(words) else ""


def refusal(why: str) -> str:
    if why == NOT_READ:
        return "Its numbers, or those of its article, could not be read. Check them yourself."
    return f"This is {why}; numbers are read in {languages.LANGUAGE_NAMES}."


@dataclass(frozen=True, slots=True)
class Derivation:
    candidate: DerivationCandidate  # the expression and the article's numerals it uses
    probability: float  # that the number was derived so, 0–1, calibrated; higher is better


@dataclass(frozen=True, slots=True)
class CheckedNumeral:
    numeral: Numeral  # as read from the headline
    claim: ClaimVerdict
    # likeliest first, at most `MOST_DERIVATIONS`; the sources of the first one are those of the reason
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

    @property
    def light(self) -> Light:
        """The worst light of its numerals; `CHECK` at best where something could not be read or found."""
        lights = [checked.claim.light for checked in self.numerals]
        return worst_of([*lights, Light.CHECK] if self.invented or self.unread else lights)

    @property
    def reason(self) -> str:
        """What decides its light, a sentence for each of its numbers that has it."""
        if self.unread:
            return refusal(self.unread)
        light = self.light
        reasons = dict.fromkeys(each.claim.reason for each in self.numerals if each.claim.light is light)
        if reasons and light is not Light.SUPPORTED:
            return " ".join(reasons)
        if self.invented:
            return missing_words(self.invented)
        if not self.numerals:
            return "It holds no number."
        corrected = dict.fromkeys(filter(None, (each.claim.corrected for each in self.numerals)))
        whole = " ".join(["All its numbers are supported.", *corrected])
        return self.numerals[0].claim.reason if len(self.numerals) == 1 else whole


@dataclass(frozen=True, slots=True)
class Filled:
    answer: str  # as it is to be written: "3", "1.5", "1,300"; "" where no numeral is there or likely enough
    derivations: tuple[Derivation, ...]  # where it may come from, likeliest first
    probability: float  # that `answer` is right, 0–1, calibrated
    others: tuple[tuple[str, float], ...]  # other answers with their probabilities, best first


def missing_words(words: Sequence[str]) -> str:
    """A sentence on words that the article lacks, at most three of them; at least one is given."""
    shown = [f"“{word}”" for word in dict.fromkeys(words)][:3]
    listed = " and ".join((", ".join(shown[:-1]), shown[-1])) if len(shown) > 1 else shown[0]
    return f"The article does not have {listed}."


def clear(journal: Journal, checked: CheckedHeadline, place: int, *, right: bool, owner: str = "") -> None:
    """Stores that a number is right after all, or takes that back; `owner` is "" on one's own computer."""
    numeral = checked.numerals[place]
    body = {
        "start": numeral.numeral.start,
        "number": numeral.numeral.text,
        "light": (numeral.claim.set_aside or numeral.claim.light).value,
        "rule": numeral.claim.rule,
        "right": right,
        "corrected": numeral.claim.corrected,
    }
    journal.append(_stream(checked, owner), [NewEntry(kind=KIND, body=body)])


def with_answers(
    journal: Journal, checked: Sequence[CheckedHeadline], owner: str = ""
) -> list[CheckedHeadline]:
    """The same headlines; numbers that a person found right are *found*, and tell what was set aside."""
    return [cleared(headline, _found_right(headline, journal, owner)) for headline in checked]


def _found_right(checked: CheckedHeadline, journal: Journal, owner: str) -> set[int]:
    if all(numeral.claim.light in PASSING for numeral in checked.numerals):
        return set()
    bodies = (entry.body for entry in journal.read(_stream(checked, owner)))
    right = {(body["start"], body.get("corrected", "")): body["right"] for body in bodies}
    places = ((each.numeral.start, each.claim.corrected) for each in checked.numerals)
    return {place[0] for place in places if right.get(place)}


def cleared(checked: CheckedHeadline, right: Collection[int]) -> CheckedHeadline:
    """The same headline, whose numbers that begin at some places a person found right."""
    numerals = (_cleared(each) if each.numeral.start in right else each for each in checked.numerals)
    return replace(checked, numerals=tuple(numerals))


def _cleared(checked: CheckedNumeral) -> CheckedNumeral:
    claim = checked.claim
    if claim.light in PASSING:
        return checked
    reason = f"{CLEARED} {claim.reason}"
    claim = replace(claim, light=Light.FOUND, fault=None, reason=reason, set_aside=claim.light)
    return replace(checked, claim=claim, rival=None)


def _stream(checked: CheckedHeadline, owner: str) -> str:
    return stream_of(owner, checked.given or checked.article.text, checked.headline)


def stream_of(owner: str, *texts: str) -> str:
    return f"numbers/{owner or 'local'}/{digest(*texts, digits=32)}"
