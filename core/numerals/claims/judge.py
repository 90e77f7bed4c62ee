"""The verdict on a claim: its light, its probability, what disagrees, and one sentence for a journalist."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from core import limits
from core.arrays import FloatArray
from core.numerals.claims.claim import Claim, ClaimPlace, alike, question_of, read_claim
from core.numerals.claims.evidence import Evidence, evidence_of
from core.numerals.claims.gates import gate_features
from core.numerals.claims.otherwise import is_scaled
from core.numerals.claims.rules import OTHERWISE, reasons_of
from core.numerals.claims.verdict import ClaimVerdict, Fault, Light, Objection
from core.numerals.claims.weights import ClaimWeights
from core.numerals.claims.workings.differences import says_less
from core.numerals.claims.workings.times import TOTAL
from core.numerals.question import ReadArticle
from core.runtime import Runtime
from core.text.numerals.numeral import Approximation, Numeral, NumeralForm, NumeralKind

if TYPE_CHECKING:
    from core.numerals.entailing.rereader import RereadingModel

PRECISE: Final = 0.8
"""Share of false ones among the written headlines that meet a reason, from which it asks for a look."""
ABSENT: Final = "not in the article"
"""The name of what makes a number wrong that the article does not give."""
LOOSE: Final = "no plain source"
"""The same for a number that is said loosely: it asks for a look."""
READ: Final = "read thoroughly"
"""The name of what asks for a look where the second reading doubts a claim that no rule speaks against."""
CHANCE: Final = "by unlikely arithmetic"
"""The name of what asks for a look where only arithmetic of unlike numbers gives the number."""


@dataclass(frozen=True, slots=True, eq=False)
class JudgedClaim:
    """A claim with what its verdict is made of."""

    claim: Claim  # what was judged
    parts: Mapping[str, float]  # what each part says, as log-odds
    log_odds: float  # that the whole claim is true
    evidence: Evidence | None  # what gives the number
    reasons: Mapping[str, Objection]  # what speaks against it, by the rule's name
    reading: float | None = None  # log-odds of the second reading; None where nothing was read


def judge_claims(
    headlines: Sequence[Sequence[ClaimPlace]],
    weights: ClaimWeights,
    runtime: Runtime,
    rereader: RereadingModel | None = None,
) -> list[list[JudgedClaim]]:
    """Judges every number of some headlines."""
    claims = [
        [read_claim(place, [other for other in places if other is not place]) for place in places]
        for places in headlines
    ]
    flat = [claim for some in claims for claim in some]
    if not flat:
        return [[] for _ in headlines]
    parts = weights.parts(claim_rows(flat))
    odds, readings = weights.log_odds(parts), _read(flat, rereader, runtime)
    slope, intercept = weights.constants.reread
    judged = iter(
        JudgedClaim(
            claim,
            {part: float(each[k]) for part, each in parts.items()},
            float(odds[k]) + (slope * readings[k] + intercept if k in readings else 0.0),
            evidence_of(claim),
            reasons_of(claim),
            readings.get(k),
        )
        for k, claim in enumerate(flat)
    )
    return [[next(judged) for _ in some] for some in claims]


def claim_rows(claims: Sequence[Claim]) -> FloatArray:
    """What the trees look at, float64 [n, len(NAMES)]."""
    return np.array([np.concatenate([gate_features(claim), claim.place.weighed]) for claim in claims])


def _read(claims: Sequence[Claim], rereader: RereadingModel | None, runtime: Runtime) -> dict[int, float]:
    """What the second reading says, by the place of each claim that it could read, in log-odds."""
    if rereader is None:
        return {}
    asked = {k: question for k, claim in enumerate(claims) if (question := question_of(claim)) is not None}
    return dict(zip(asked, rereader.log_odds(list(asked.values()), runtime).tolist(), strict=True))


def verdict_of(judged: JudgedClaim, weights: ClaimWeights) -> tuple[ClaimVerdict, int | None]:
    """The verdict, and the row of the article's number that stands against the headline's, where one does."""
    claim, constants = judged.claim, weights.constants
    article = claim.place.article
    probability = 1 / (1 + math.exp(-min(max(judged.log_odds, -30.0), 30.0)))
    row = judged.evidence.rows[0] if judged.evidence and judged.evidence.rows else claim.source
    sentence = None if row is None else article.sentences[article.places[row]]
    for name, (fault, reason) in judged.reasons.items():
        if name in OTHERWISE or is_precise(name, weights):
            light = Light.WRONG if name in OTHERWISE else Light.CHECK
            line = _quoting(article, reason, sentence)
            return ClaimVerdict(light, fault, probability, reason, line, name), None
    rival = rival_of(claim) if judged.evidence is None or judged.evidence.chance else None
    if is_absent(claim, judged.evidence) or is_other(claim, judged.evidence, rival):
        fault, reason = _absent(judged, rival)
        if rival is not None:
            sentence = article.sentences[article.places[rival]]
        return ClaimVerdict(Light.WRONG, fault, probability, reason, sentence, ABSENT), rival
    if judged.evidence is None and not claim.equal:
        told = f"Nothing in the article plainly gives “{claim.place.numeral.text}”."
        return ClaimVerdict(Light.CHECK, Fault.ABSENT, probability, told, sentence, LOOSE), None
    if judged.reading is not None and judged.reading < constants.doubt:
        told = f"Read thoroughly, the article does not seem to say this of “{claim.place.numeral.text}”."
        return ClaimVerdict(Light.CHECK, Fault.OTHER, probability, told, sentence, READ), None
    told = judged.evidence.told if judged.evidence else f"The article has {claim.place.numeral.number}."
    if judged.evidence is not None and judged.evidence.chance:
        told = f"Only arithmetic gives “{claim.place.numeral.text}”. {told}"
    if is_chance(judged, weights):
        fault, reason = _absent(judged, rival)
        if rival is None or fault is not Fault.VALUE:
            return ClaimVerdict(Light.CHECK, Fault.ABSENT, probability, told, sentence, CHANCE), None
        sentence = article.sentences[article.places[rival]]
        return ClaimVerdict(Light.CHECK, fault, probability, f"{reason} {told}", sentence, CHANCE), rival
    sure = judged.evidence is not None and judged.evidence.sure
    green = sure and (judged.log_odds >= constants.supported or _opens(claim, sentence))
    return ClaimVerdict(Light.SUPPORTED if green else Light.FOUND, None, probability, told, sentence), None


def _opens(claim: Claim, line: tuple[int, int] | None) -> bool:
    """Whether a sentence of the article is the headline word for word, or begins with it."""
    said = claim.place.question.headline.strip().rstrip(".…")
    return line is not None and claim.place.article.text[slice(*line)].lstrip().startswith(said)


def _quoting(article: ReadArticle, reason: str, line: tuple[int, int] | None) -> tuple[int, int] | None:
    """The sentence that has what a reason quotes of the article, which it does first; else the line given."""
    quoted = reason.partition("“")[2].partition("”")[0]
    lines = [one for one in (line, *article.sentences) if one is not None]
    return next((one for one in lines if quoted and quoted in article.text[slice(*one)]), line)


def is_precise(rule: str, weights: ClaimWeights) -> bool:
    """Whether a reason may ask for a look: most of the written headlines that meet it are false."""
    false, count = weights.met.get(rule, (0, 0))
    return count > 0 and false >= PRECISE * count


def is_absent(claim: Claim, evidence: Evidence | None) -> bool:
    """Whether the article gives a number in no way; what is said loosely may follow by more arithmetic."""
    numeral, numerals = claim.place.numeral, claim.place.article.numerals
    if is_free(numeral) or evidence is not None:
        return False
    # "$5" is no reason for "5 dead".
    return all(numeral.kind is NumeralKind.COUNT and numerals[row].kind in _PRICED for row in claim.equal)


def is_other(claim: Claim, evidence: Evidence | None, rival: int | None) -> bool:
    """Whether the article counts the same with another number, and only unlikely arithmetic gives it."""
    if rival is None or not by_chance(claim, evidence):
        return False
    return _counts_same(claim, rival) and float(claim.place.shares[rival]) >= _LIKELY


def is_chance(judged: JudgedClaim, weights: ClaimWeights) -> bool:
    """Whether only arithmetic of unlike numbers gives the number, and little else speaks for its value."""
    return by_chance(judged.claim, judged.evidence) and judged.parts["value"] < weights.constants.chance


def by_chance(claim: Claim, evidence: Evidence | None) -> bool:
    """Whether a number follows only by arithmetic that explains too much and is not said to be meant."""
    if evidence is None or not evidence.chance or is_free(claim.place.numeral):
        return False
    return not says_less(claim) and not TOTAL.search(claim.place.question.headline)


def is_free(numeral: Numeral) -> bool:
    """Whether a number is said so loosely that its want of a source says little."""
    loose = numeral.approximation is not Approximation.EXACT or numeral.form is NumeralForm.WORDS
    return numeral.kind is NumeralKind.FRACTION or (loose and numeral.value <= _FEW)


_FEW: Final = 12
_PRICED: Final = frozenset({NumeralKind.MONEY, NumeralKind.PERCENT})


def rival_of(claim: Claim) -> int | None:
    """The article's number that most likely stands where the headline has another; None for none like it."""
    numeral, article, shares = claim.place.numeral, claim.place.article, claim.place.shares
    rows = [
        row
        for row, one in enumerate(article.numerals)
        if one.start >= article.dateline and one.value != numeral.value and alike(numeral, one)
    ]
    counted = [row for row in rows if numeral.counted and article.numerals[row].counted == numeral.counted]
    scaled = [row for row in rows if is_scaled(numeral, article.numerals[row])]
    return max(scaled or counted or rows, key=lambda row: float(shares[row]), default=None)


def _absent(judged: JudgedClaim, rival: int | None) -> Objection:
    claim = judged.claim
    numeral, article = claim.place.numeral, claim.place.article
    if not article.numerals:
        return Fault.ABSENT, "The article has no number."
    if rival is not None and (_counts_same(claim, rival) or float(claim.place.shares[rival]) >= _LIKELY):
        return (
            Fault.VALUE,
            f"For this the article has “{article.numerals[rival].text}”, not “{numeral.text}”.",
        )
    if len(article.numerals) == limits.ARTICLE_NUMERALS.value:
        told = f"Nothing in the article's first {len(article.numerals):,} numbers gives {numeral.number}."
        return Fault.ABSENT, told
    return Fault.ABSENT, f"Nothing in the article gives “{numeral.text}”."


def _counts_same(claim: Claim, row: int) -> bool:
    counted = claim.place.numeral.counted
    return bool(counted) and claim.place.article.numerals[row].counted == counted


_LIKELY: Final = 0.3  # share from which a number of the article is what the headline's stands for
