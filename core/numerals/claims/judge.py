"""The verdict on a claim: its probability, the part that disagrees, and one sentence for a journalist."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import numpy as np

from core.arrays import BoolArray, FloatArray, IntArray
from core.numerals.claims.amounts import Settled, surely, worked_out
from core.numerals.claims.claim import (
    READ_NAMES,
    Claim,
    ClaimPlace,
    LoadedRereader,
    alike,
    question_of,
    read_claim,
    read_row,
)
from core.numerals.claims.gates import gate_features
from core.numerals.claims.narrower import Objection
from core.numerals.claims.objections import objection
from core.numerals.claims.sayings import opposed_words
from core.numerals.claims.verdict import SURE, ClaimVerdict, Fault, Light
from core.numerals.claims.weights import CHEAP, ClaimWeights
from core.numerals.claims.words import BoundAgreement, agreement
from core.numerals.expressions.printing import explain
from core.runtime import Runtime
from core.text.numerals.numeral import Approximation, Numeral, NumeralKind

if TYPE_CHECKING:
    from core.numerals.entailing.network import ClaimModel

OBJECTED: Final = 0.6
"""The probability of a claim that something speaks plainly against: it is shown as doubtful at best."""
TWICE: Final = math.log(0.6 / 0.4)
"""Log-odds below which the second reading doubts a claim: on validation articles this leaves 63 % of the true
claims that were green, and 19 % of the false ones."""
UPHELD: Final = 0.0
"""Log-odds from which the second reading upholds a claim that would be wrong: it is to be checked then."""
DOUBTED_TWICE: Final = 0.9
"""The probability of a claim that the second reading doubts, at most: in real headlines most are right."""
_STOP: Final = re.compile(r"[.!?…]['\"”’»)]*\s+|\n")
_UNIT_WORD: Final = re.compile(r"[ \u00a0\u202f-]?([^\W\d_][\w/²³]*|[°²³]\w*)")
_ABBREVIATION: Final = 3  # letters of an abbreviated unit, which stands for several words

DOUBTED: Final = math.log(0.1)
"""A part of a claim in which there is less trust disagrees: less than a tenth of the right claims, over the
part's budget, have as little."""


_SETTLED: Final[Mapping[str, Settled]] = MappingProxyType(
    dict.fromkeys(("value", "place", "unit", "bound"), Settled.NUMBER) | {"word": Settled.WORDS}
)
"""The parts that arithmetic settles, and what it has to settle for that."""
LIKELY: Final = -4.0
"""The least trust in a number that the article's clause or arithmetic speaks for: such a one is not wrong."""
ABSENT: Final = math.log(0.002)  # the most trust in the value of a number that the article surely lacks


@dataclass(frozen=True, slots=True, eq=False)
class JudgedClaim:
    """A claim with the probabilities of its parts."""

    claim: Claim  # what was judged
    parts: Mapping[str, float]  # the trust in each part; see `core.numerals.claims.weights`
    probability: float  # that the whole claim is right
    worked: tuple[int, ...] = ()  # rows of the article's numerals from which it follows
    objection: Objection | None = None  # what speaks plainly against it


def judge_claims(
    headlines: Sequence[Sequence[ClaimPlace]],
    weights: ClaimWeights,
    reader: ClaimModel | None,
    runtime: Runtime,
    rereader: LoadedRereader | None = None,
) -> list[list[JudgedClaim]]:
    """Judges every number of some headlines."""
    claims = [
        [read_claim(place, [other for other in places if other is not place]) for place in places]
        for places in headlines
    ]
    flat = [claim for some in claims for claim in some]
    if not flat:
        return [[] for _ in headlines]
    worked = [worked_out(claim) for claim in flat]
    sure = np.array([surely(*one) for one in zip(flat, worked, strict=True)])
    rows = claim_rows(flat, weights, reader, runtime, sure=sure)
    parts = settled(weights.parts(rows), sure)
    objections = [objection(claim) for claim in flat]
    whole = objected(weights.whole(parts), np.array([one is not None for one in objections]))
    doubted, upheld = reread(flat, whole, weights.constants.wrong, rereader, runtime)
    whole[upheld] = weights.constants.wrong
    whole[doubted] = np.minimum(whole[doubted], DOUBTED_TWICE)
    for k in doubted:
        objections[k] = (Fault.HUMAN, rereader.doubt if rereader else "")
    judged = iter(
        JudgedClaim(
            claim, {part: float(each[k]) for part, each in parts.items()}, float(whole[k]), worked[k], why
        )
        for k, (claim, why) in enumerate(zip(flat, objections, strict=True))
    )
    return [[next(judged) for _ in some] for some in claims]


def reread(
    claims: Sequence[Claim],
    whole: FloatArray,
    wrong: float,
    rereader: LoadedRereader | None,
    runtime: Runtime,
) -> tuple[list[int], list[int]]:
    """Rows of the claims that would be supported and are doubted, and of those that would be wrong and hold.

    Read are the claims that would be shown as supported, and those that would be shown as wrong though the
    article has the very number. What has no source in the article, or is in a language that the second
    reader does not know, it does not read.
    """
    if rereader is None:
        return [], []
    looked_at = [
        k for k, claim in enumerate(claims) if whole[k] >= SURE or (whole[k] < wrong and claim.equal)
    ]
    asked = {k: question_of(claims[k]) for k in looked_at}
    questions = {k: one for k, one in asked.items() if one is not None}
    odds = rereader.log_odds(list(questions.values()), runtime) if questions else ()
    told = dict(zip(questions, odds, strict=True))
    return (
        [k for k, one in told.items() if whole[k] >= SURE and one < TWICE],
        [k for k, one in told.items() if whole[k] < wrong and one >= UPHELD],
    )


def objected(whole: FloatArray, against: BoolArray) -> FloatArray:
    """Probabilities of claims, at most `OBJECTED` where something speaks plainly against one."""
    return np.where(against, np.minimum(whole, OBJECTED), whole)


def settled(parts: Mapping[str, FloatArray], sure: IntArray) -> dict[str, FloatArray]:
    """The trust in each part, where arithmetic that gives the number, or cannot, leaves no doubt about it."""
    found = {part: _at_least(each, sure, _SETTLED.get(part)) for part, each in parts.items()}
    value = found["value"]
    return found | {"value": np.where(sure == Settled.ABSENT, np.minimum(value, ABSENT), value)}


def _at_least(trust: FloatArray, sure: IntArray, level: Settled | None) -> FloatArray:
    if level is None:
        return trust
    found = np.where(sure >= level, np.maximum(trust, 0.0), trust)
    likely = (sure == Settled.LIKELY) & (level is Settled.NUMBER)
    return np.where(likely, np.maximum(found, LIKELY), found)


def claim_rows(
    claims: Sequence[Claim],
    weights: ClaimWeights | None,
    reader: ClaimModel | None,
    runtime: Runtime,
    *,
    sure: IntArray | None = None,
) -> FloatArray:
    """What the trees look at, float64 [n, f]."""
    rows = np.array([_plain_row(claim) for claim in claims])
    if reader is None:
        return rows
    asked = [question_of(claim) for claim in claims]
    if weights is not None:
        settled_by = np.zeros(len(claims), dtype=np.int64) if sure is None else sure
        cheap = weights.whole(settled(weights.parts(rows, CHEAP), settled_by))
        doubted = cheap >= weights.constants.wrong
        asked = [one if doubted[k] else None for k, one in enumerate(asked)]
    questions = [one for one in asked if one is not None]
    said = iter(reader.log_probabilities(questions, runtime)) if questions else iter(())
    read = [read_row(None if one is None else next(said)) for one in asked]
    return np.hstack([rows[:, : -len(READ_NAMES)], np.array(read)])


def _plain_row(claim: Claim) -> FloatArray:
    return np.concatenate([gate_features(claim), claim.place.weighed, read_row(None)])


def verdict_of(judged: JudgedClaim, *, wrong: float, rival: int | None) -> ClaimVerdict:
    """The verdict."""
    claim = judged.claim
    probability = judged.probability
    light = Light.SUPPORTED if probability >= SURE else Light.WRONG if probability < wrong else Light.CHECK
    source = rival if rival is not None and not claim.equal else claim.source
    if judged.worked:
        source = judged.worked[0]
    if source is None:
        source = _likeliest(claim)
    article = claim.place.article
    sentence = None if source is None else article.sentences[article.places[source]]
    if light is Light.SUPPORTED:
        return ClaimVerdict(light, None, probability, _why_supported(judged), sentence)
    fault, reason = judged.objection or _fault(judged, source)
    if (
        judged.objection is None
        and light is Light.CHECK
        and judged.parts[min(judged.parts, key=judged.parts.__getitem__)] > DOUBTED
    ):
        fault, reason = Fault.HUMAN, _in_doubt(judged, source, reason)
    return ClaimVerdict(light, fault, probability, reason, sentence)


def _in_doubt(judged: JudgedClaim, source: int | None, reason: str) -> str:
    if source is None or not (judged.claim.equal or judged.claim.rounded):
        return reason
    other = judged.claim.place.article.numerals[source]
    return f"The article has “{other.text}”; read there whether it says the same of it."


def _fault(judged: JudgedClaim, source: int | None) -> tuple[Fault, str]:
    claim = judged.claim
    part = min(judged.parts, key=judged.parts.__getitem__)
    numeral, article = claim.place.numeral, claim.place.article
    other = None if source is None else article.numerals[source]
    if other is None:
        return Fault.ABSENT, "The article has no number."
    if part == "unit":
        return Fault.UNIT, _units_differ(claim, other)
    if part == "bound":
        return Fault.BOUND, f"The article has “{_with_hedge(article.text, other.start, other.end)}”."
    if part == "holder":
        return Fault.OTHER, f"The article has “{other.text}”, but other names stand there."
    if part == "word":
        pair = opposed_words(claim)
        if pair is None:
            return (
                Fault.HUMAN,
                f"What the headline says of “{numeral.text}” is not what the article says near it.",
            )
        said, given, turned = pair
        fault = Fault.BOUND if turned else Fault.OTHER
        return fault, f"Of “{other.text}” the article says “{given}”, not “{said}”."
    if claim.equal or claim.rounded:
        return Fault.OTHER, f"The article has “{other.text}”, but seemingly for something else."
    if claim.place.derivations and len(claim.place.sources) > 1:
        way = explain(claim.place.derivations[0].expression)
        return Fault.ABSENT, f"The article does not have it; it could be {way}, which nothing else supports."
    if alike(numeral, other):
        return Fault.VALUE, f"For this the article has “{other.text}”."
    return Fault.ABSENT, f"Nothing in the article gives {numeral.number}."


def _units_differ(claim: Claim, other: Numeral) -> str:
    numeral, headline = claim.place.numeral, claim.place.question.headline
    said, given = with_unit(headline, numeral), with_unit(claim.place.article.text, other)
    if said.casefold() == given.casefold():
        return f"The article has “{given}”; compare the units."
    return f"The article has “{given}”, not “{said}”."


def with_unit(text: str, numeral: Numeral) -> str:
    """A numeral with the word of its unit, where that stands behind it: "4,300 feet"."""
    if numeral.kind not in (NumeralKind.MEASURE, NumeralKind.DURATION):
        return numeral.text
    found = _UNIT_WORD.match(text, numeral.end)
    end = found.end() if found else numeral.end
    if found and len(found[1]) > _ABBREVIATION:
        for _ in range(numeral.unit.count(" ")):
            found = _UNIT_WORD.match(text, end)
            end = found.end() if found else end
    return text[numeral.start : end]


def _likeliest(claim: Claim) -> int | None:
    shares = claim.place.shares
    rows = range(len(claim.place.article.numerals))
    numerals = claim.place.article.numerals
    same = [row for row in rows if alike(claim.place.numeral, numerals[row])]
    return max(same or rows, key=lambda row: float(shares[row]), default=None)


def _why_supported(judged: JudgedClaim) -> str:
    claim = judged.claim
    article, numeral = claim.place.article, claim.place.numeral
    if judged.worked:
        texts = [f"“{article.numerals[row].text}”" for row in judged.worked]
        return f"It follows from {' and '.join(texts)}."
    if claim.source is not None:
        other = article.numerals[claim.source]
        if claim.source in claim.equal:
            return f"The article has “{other.text}”."
        holds = agreement(numeral, claim.place.question.headline, other, article.text) is BoundAgreement.HOLDS
        if holds and numeral.approximation is not Approximation.EXACT:
            return f"The article has “{other.text}”, which this is true of."
    if claim.place.derivations:
        return f"It is {explain(claim.place.derivations[0].expression)}."
    return f"The article supports {numeral.number}."


def _with_hedge(text: str, start: int, end: int) -> str:
    before = _STOP.split(text[max(0, start - 30) : start])[-1].split()
    return " ".join([*before[-2:], text[start:end]])
