"""Claims judged: what gives their numbers, what speaks against them, and what trees and networks weigh."""

from collections.abc import Collection, Sequence

import numpy as np

from core.arrays import FloatArray
from core.numerals.claims import claim_weights, features, rules, verdicts
from core.numerals.claims.claim import ENGLISH, Claim, ClaimPlace, question_of, read_claim
from core.numerals.claims.evidence import evidence_of
from core.numerals.reader import ClaimQuestion, ReadsClaims
from core.runtime import Runtime


def judge_claims(
    headlines: Sequence[Sequence[ClaimPlace]],
    weights: claim_weights.ClaimWeights,
    runtime: Runtime,
    reader: ReadsClaims | None = None,
    verifier: ReadsClaims | None = None,
) -> list[list[verdicts.JudgedClaim]]:
    """Judges the claims of headlines; the verifier reads those in English."""
    pairs = ([(own, [each for each in places if each is not own]) for own in places] for places in headlines)
    claims = [[read_claim(*pair) for pair in some] for some in pairs]
    flat = [claim for some in claims for claim in some]
    if not flat:
        return [[] for _ in headlines]
    reasons = [rules.reasons_of(claim) for claim in flat]
    rows = claim_rows(flat, reasons)
    questions = [question_of(claim) for claim in flat]
    read = read_by(reader, questions, runtime)
    english = [q if claim.language == ENGLISH else None for q, claim in zip(questions, flat, strict=True)]
    again = read_by(verifier, english, runtime)
    odds, ways = weights.log_odds(rows, read, again), claim_weights.ways_of(read, again)
    support = weights.support(rows, odds).tolist()
    evidence = map(evidence_of, flat)
    judged = map(verdicts.JudgedClaim, flat, ways, odds.tolist(), support, evidence, reasons)
    return [[next(judged) for _ in some] for some in claims]


def read_by(
    reader: ReadsClaims | None, questions: Sequence[ClaimQuestion | None], runtime: Runtime
) -> FloatArray:
    """Log-odds of a network for n claims, float64 [n]; NaN where there is no network or no question."""
    read = np.full(len(questions), np.nan)
    asked = [k for k, question in enumerate(questions) if question is not None]
    if reader is not None and asked:
        read[asked] = reader.log_odds([q for q in questions if q is not None], runtime)
    return read


def claim_rows(claims: Sequence[Claim], reasons: Sequence[Collection[str]]) -> FloatArray:
    """What the trees look at of n claims, float64 [n, len(NAMES)]."""
    met = ([rule in some for rule in rules.RULES] for some in reasons)
    pairs = zip(claims, met, strict=True)
    rows = ((features.claim_features(claim), claim.place.weighed, own) for claim, own in pairs)
    return np.array([np.concatenate(row) for row in rows])
