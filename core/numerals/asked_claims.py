"""A language model at an address reads checked claims: what it proves against the verdict makes it amber."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from typing import ClassVar, Final

import msgspec

from core.models.endpoints import recipe
from core.numerals.checked_headline import PASSING, CheckedHeadline, CheckedNumeral, Fault, Light
from core.numerals.expressions import parse, printing, validation
from core.numerals.reader import marked
from core.results.render import count_words, shorten
from core.runtime import Runtime
from core.text.numerals.read import read_numerals

RULE: Final = "language model"
_TOKENS: Final = 400  # of an answer at most
_RIGHT, _WRONG, _ABSENT = "right", "wrong", "absent"
_SCHEMA: Final = recipe.object_of(
    verdict={"type": "string", "enum": [_RIGHT, _WRONG, _ABSENT]},
    **{name: {"type": "string"} for name in ("quotation", "number", "holder", "expression")},
)


class _Answer(msgspec.Struct):
    verdict: str
    quotation: str
    number: str
    holder: str
    expression: str


class Reading(StrEnum):
    AGREES = "agree"
    DOUBTS = "doubt a number that passed"
    STANDS = "find right what stays doubted"
    UNPROVED = "have no quotation of the article, or another number than follows from it"
    UNREAD = "could not be read"


@dataclass(frozen=True, kw_only=True, slots=True)
class EndpointClaims(recipe.EndpointModel):
    """A language model at an address that reads a claim with the article, and has to quote it.

    Source: Gao et al. 2023, "Enabling Large Language Models to Generate Text with Citations", for answers
    that are taken only with what they quote.
    """

    holds: ClassVar[tuple[str, ...]] = ("article", "headline")
    what: ClassVar[str] = "Articles and headlines"
    usual_prompt: ClassVar[str] = "claim.v1"


@dataclass(frozen=True, slots=True, eq=False)
class AskedClaims:
    checked: list[CheckedHeadline]
    readings: Counter[Reading]

    @property
    def sentence(self) -> str:
        asked = count_words(self.readings.total(), "claim", "claims")
        counts = (f"{self.readings[each]:,} {each}" for each in Reading if self.readings[each])
        return f"The model read {asked}: {', '.join(counts)}." if self.readings else ""


def ask_claims(checked: Sequence[CheckedHeadline], by: EndpointClaims, runtime: Runtime) -> AskedClaims:
    """Asks about every number; one that passed and that the model disproves becomes amber, and nothing green.

    An answer is taken where its quotation stands in the article, and its number in the quotation, or follows
    from numbers of the article by its arithmetic. No other light changes: the article may hold words that
    tell the model what to say.
    """
    places = [(at, place) for at, each in enumerate(checked) for place in range(len(each.numerals))]
    texts = [
        {"article": each.article.text, "headline": marked(each.headline, ((own.start, own.end),))}
        for each in checked
        for own in (numeral.numeral for numeral in each.numerals)
    ]
    answers = by.ask(texts, runtime, tokens=_TOKENS, schema=_SCHEMA) if texts else []
    numerals, readings = [list(each.numerals) for each in checked], Counter[Reading]()
    for (at, place), answer in zip(places, answers, strict=True):
        said = recipe.parsed(answer.text, _Answer)
        numerals[at][place], reading = _read(checked[at], numerals[at][place], said)
        readings[reading] += 1
    signed = " · ".join(["", *recipe.answers_signature(runtime, by)])
    both = zip(checked, numerals, strict=True)
    read = [replace(each, numerals=tuple(own), system=f"{each.system}{signed}") for each, own in both]
    return AskedClaims(read, readings)


def _read(
    checked: CheckedHeadline, asked: CheckedNumeral, answer: _Answer | None
) -> tuple[CheckedNumeral, Reading]:
    if answer is None or answer.verdict not in (_RIGHT, _WRONG, _ABSENT):
        return asked, Reading.UNREAD
    place = _place(answer.quotation, checked.article.text)
    fault = None if place is None else _fault(checked, asked, answer)
    if place is None or (fault is None) != (answer.verdict == _RIGHT) or not _follows(checked, answer):
        return asked, Reading.UNPROVED
    agrees = (fault is None) is (asked.claim.light in PASSING)
    if fault is None or agrees:
        return asked, Reading.AGREES if agrees else Reading.STANDS
    quoted = shorten(" ".join(answer.quotation.split()), 160)
    what = f"“{answer.number}”" if fault is Fault.VALUE else f"“{asked.numeral.text}” of “{answer.holder}”"
    reason = f"A language model reads {what} here: “{quoted}”."
    doubted = replace(asked.claim, light=Light.CHECK, fault=fault, reason=reason, rule=RULE, right=None)
    return replace(asked, claim=replace(doubted, sentence=place)), Reading.DOUBTS


def _place(quotation: str, article: str) -> tuple[int, int] | None:
    """Where a quotation stands in an article, but for its spaces; None where it does not."""
    words = r"\s+".join(map(re.escape, quotation.split()))
    found = re.search(words, article) if words else None
    return None if found is None else found.span()


def _fault(checked: CheckedHeadline, asked: CheckedNumeral, answer: _Answer) -> Fault | None:
    """What the answer says is wrong; None where it has the headline's number, of what the headline says."""
    if _value(answer, checked) != asked.numeral.value:
        return Fault.VALUE
    holder = answer.holder.strip()
    foreign = answer.verdict == _WRONG and _place(holder, answer.quotation) is not None
    return Fault.OTHER if foreign and holder.casefold() not in checked.headline.casefold() else None


def _value(answer: _Answer, checked: CheckedHeadline) -> Fraction | None:
    """The number of an answer; None where it is none, or several."""
    read = read_numerals(answer.number, language=checked.article.language)
    return read[0].value if len(read) == 1 else None


def _follows(checked: CheckedHeadline, answer: _Answer) -> bool:
    """Whether the number stands in the quotation, or recomputes from numbers that the article has."""
    value = _value(answer, checked)
    if value is None:
        return False
    if answer.expression.strip():
        expression, gold = parse.parsed_or_none(answer.expression), printing.print_value(value)
        found = None if expression is None else validation.validate(expression, checked.article.text, gold)
        return found is not None and found.reproduces and not found.problems
    quoted = read_numerals(answer.quotation, language=checked.article.language)
    return any(numeral.value == value for numeral in quoted)
