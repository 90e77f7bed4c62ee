"""The verdict on a claim: rules against it, what trees and networks weigh it, its light, one sentence."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from core import files, limits
from core.arrays import FloatArray
from core.models import boosted_trees
from core.models.loaded import loaded
from core.numerals.claims import holders, otherwise, sayings
from core.numerals.claims.claim import (
    ENGLISH,
    MULTIPLIED,
    Claim,
    ClaimPlace,
    alike,
    is_unpriced,
    question_of,
    read_claim,
)
from core.numerals.claims.differences import says_less
from core.numerals.claims.evidence import NumberEvidence, evidence_of, rival_fate
from core.numerals.claims.features import FEATURE_NAMES, claim_features
from core.numerals.claims.otherwise import is_scaled
from core.numerals.claims.times import TOTAL
from core.numerals.derivations.features import SUPPORT_NAMES
from core.numerals.reader import ClaimQuestion, ReadsClaims
from core.numerals.verdict import ClaimVerdict, Fault, Light, Objection
from core.runtime import Runtime
from core.text.numerals.numeral import Approximation, Numeral, NumeralForm, NumeralKind

Rule = Callable[[Claim], Iterator[Objection]]

OTHERWISE: Final[Mapping[str, Rule]] = {  # the article says otherwise: they make a number wrong
    "nobody": otherwise.nobody,
    "other currency": otherwise.other_currency,
    "other unit": otherwise.other_unit,
    "other magnitude": otherwise.other_magnitude,
    "other end": otherwise.other_end,
    "other month": otherwise.other_month,
    "other score": otherwise.other_score,
    "ends of a change": otherwise.other_change,
    "other way": otherwise.other_way,
    "profit or loss": otherwise.other_result,
}
REASONS: Final[Mapping[str, Rule]] = {  # they ask for a look: most written headlines that meet them are false
    "other fate": otherwise.other_fate,
    "bare end": otherwise.bare_end,
    "wrong side": otherwise.other_side,
    "turned behind it": otherwise.turned_behind,
    "plan for fact": sayings.plan_for_fact,
    "percentage points": sayings.points,
    "ordinal for count": sayings.ordinal,
    "other length": sayings.other_length,
    "earlier number": sayings.earlier,
    "opposite word": sayings.opposite,
    "rate": otherwise.other_rate,
    "to or by": otherwise.other_step,
    "said of another number": sayings.exchanged,
    "said of another number alone": sayings.said_elsewhere,
    "whole for part": sayings.whole_for_part,
    "other thing": sayings.other_thing,
    "other period": sayings.other_period,
    "turned round": holders.turned_round,
    "other name before it": holders.other_holder,
    "other age": holders.other_age,
    "named later": holders.named_later,
}
RULES: Final[Mapping[str, Rule]] = {**OTHERWISE, **REASONS}
FOLDER: Final = files.ROOT / "models" / "numeral_claims"
ABOUT: Final = "claims.json"
TREES: Final = "claims.safetensors"
NAMES: Final = (  # columns of the trees
    *FEATURE_NAMES,
    *(f"support_{name}" for name in SUPPORT_NAMES),
    *(f"rule_{name.replace(' ', '_')}" for name in RULES),
)
WRITTEN, NUMBERS = "written", "numbers"  # the ensembles; higher sums speak for the claim
PRECISE: Final = 0.8  # share of false ones among those that meet a reason, from which it asks for a look
OF_WORDS: Final = frozenset(  # reasons that rest on a single word
    {"opposite word", "said of another number", "other thing", "other name before it", "to or by"}
)
PLAIN: Final = frozenset(  # reasons that rest on the numbers themselves: the whole does not outweigh them
    {*OTHERWISE, "bare end", "percentage points", "turned behind it", "wrong side"}
    - {"other unit", "other way"}
)
OUTWEIGHED: Final = 0.5  # log-odds from which the whole outweighs another reason: above, most are true
OUTWEIGHED_WORD: Final = -1.0  # the same of a single word
ABSENT: Final = "not in the article"  # what makes a number wrong that the article does not give
LOOSE: Final = "no plain source"  # the same for a number that is said loosely: it asks for a look
CHANCE: Final = "by unlikely arithmetic"  # asks for a look where only arithmetic of unlike numbers gives it
UNLIKE: Final = "said otherwise"  # asks for a look where the whole speaks against a claim
_FEW: Final = 12
_PRICED: Final = frozenset({NumeralKind.MONEY, NumeralKind.PERCENT})
_LIKELY: Final = 0.3  # share from which a number of the article is what the headline's stands for


def reasons_of(claim: Claim) -> dict[str, Objection]:
    """What speaks against a claim, by the name of the rule, the plainest first."""
    rules = RULES if claim.numeral.value else {"nobody": RULES["nobody"]}
    return {name: objection for name, rule in rules.items() if (objection := next(iter(rule(claim)), None))}


class Ways(StrEnum):
    """By what claims are read beside the rules."""

    RULES = "rules"  # nothing
    READ = "read"  # the small network
    THOROUGH = "thorough"  # the language model, too


@dataclass(frozen=True, slots=True)
class ClaimConstants:
    """How what is known of a claim makes log-odds, and limits; fitted on rows that nothing learned from."""

    intercept: float
    trees: float  # factor of the sum of the written ensemble
    reader: float  # of the log-odds of the small network
    verifier: float  # of those of the language model
    unlike: float  # log-odds below which a claim asks for a look
    supported: float  # support from which a claim is green


@dataclass(frozen=True, slots=True, eq=False)
class ClaimWeights:
    trees: Mapping[str, boosted_trees.BoostedTrees]  # `WRITTEN` and `NUMBERS`
    constants: Mapping[Ways, ClaimConstants]
    met: Mapping[str, tuple[int, int]]  # by rule: false written headlines, and all, that met it

    def log_odds(self, rows: FloatArray, reader: FloatArray, verifier: FloatArray) -> FloatArray:
        """Log-odds that n claims are true, float64 [n], of rows and readings, NaN where there is none."""
        odds, sums = np.zeros(len(rows)), self.trees[WRITTEN].predict(rows)
        for row, (way, read, again) in enumerate(
            zip(ways_of(reader, verifier), reader, verifier, strict=True)
        ):
            how = self.constants[way]
            odds[row] = how.intercept + how.trees * sums[row]
            odds[row] += how.reader * np.nan_to_num(read) + how.verifier * np.nan_to_num(again)
        return odds

    def support(self, rows: FloatArray, log_odds: FloatArray) -> FloatArray:
        """What speaks for a green light, float64 [n]: two thirds from the ensemble that saw wrong numbers."""
        return (log_odds + 2 * self.trees[NUMBERS].predict(rows)) / 3


def ways_of(reader: FloatArray, verifier: FloatArray) -> list[Ways]:
    """By what each of n claims was read, of its readings."""
    ways = np.where(np.isnan(reader), Ways.RULES, np.where(np.isnan(verifier), Ways.READ, Ways.THOROUGH))
    return [Ways(way) for way in ways.tolist()]


def measured(rule: str) -> str:
    """What a reason was worth on written headlines, a sentence."""
    false, count = read_claim_weights().met.get(rule, (0, 0))
    if not count:
        return "What this reason is worth was not counted."
    return f"Of {count:,} written headlines with this reason {false:,} were false."


def write_claim_weights(folder: Path, weights: ClaimWeights) -> None:
    constants = {way.value: asdict(how) for way, how in weights.constants.items()}
    about = {"constants": constants, "met": dict(weights.met), "features": list(NAMES)}
    boosted_trees.write_folder(
        folder, ABOUT, about, TREES, narrowed(boosted_trees.named_tables(dict(weights.trees)))
    )


def narrowed(tables: Mapping[str, npt.NDArray[Any]]) -> dict[str, npt.NDArray[Any]]:
    """Tables of trees as they are stored: single precision of the leaves costs less than a thousandth."""
    small: dict[str, type[np.generic]] = {"columns": np.int16, "values": np.float32}
    return {
        key: table.astype(small.get(key.rpartition(".")[2], table.dtype)) for key, table in tables.items()
    }


def read_claim_weights(folder: Path = FOLDER) -> ClaimWeights:
    """The weights of a folder; of files that have not changed they are read once."""
    return boosted_trees.read_once(folder, (ABOUT, TREES), _read_weights)


@loaded(2)
def _read_weights(folder: Path, marks: tuple[str, ...]) -> ClaimWeights:
    about, tables = boosted_trees.read_folder(folder, ABOUT, TREES)
    if tuple(about["features"]) != NAMES:
        raise boosted_trees.other_features(folder)
    constants = {Ways(way): ClaimConstants(**how) for way, how in about["constants"].items()}
    met = {rule: (int(false), int(count)) for rule, (false, count) in about["met"].items()}
    trees = {
        name: boosted_trees.from_tables(boosted_trees.tables_of(name, tables), len(NAMES))
        for name in (WRITTEN, NUMBERS)
    }
    return ClaimWeights(trees, constants, met)


def speaks(rule: str, log_odds: float, weights: ClaimWeights) -> bool:
    """Whether a reason raises a light over a claim of some log-odds."""
    least = OUTWEIGHED_WORD if rule in OF_WORDS else math.inf if rule in PLAIN else OUTWEIGHED
    return log_odds < least and (rule in OTHERWISE or is_precise(rule, weights))


@dataclass(frozen=True, slots=True, eq=False)
class JudgedClaim:
    claim: Claim  # what was judged
    way: Ways  # by what it was read
    log_odds: float  # that the whole claim is true
    support: float  # what speaks for a green light
    evidence: NumberEvidence | None  # what gives the number
    reasons: Mapping[str, Objection]  # what speaks against it, by the rule's name


def judge_claims(
    headlines: Sequence[Sequence[ClaimPlace]],
    weights: ClaimWeights,
    runtime: Runtime,
    reader: ReadsClaims | None = None,
    verifier: ReadsClaims | None = None,
) -> list[list[JudgedClaim]]:
    """Judges the claims of headlines; the verifier reads those in English."""
    claims = [
        [read_claim(place, [other for other in places if other is not place]) for place in places]
        for places in headlines
    ]
    flat = [claim for some in claims for claim in some]
    if not flat:
        return [[] for _ in headlines]
    reasons = [reasons_of(claim) for claim in flat]
    rows = claim_rows(flat, reasons)
    questions = [question_of(claim) for claim in flat]
    read = read_by(reader, questions, runtime)
    english = [q if claim.language == ENGLISH else None for q, claim in zip(questions, flat, strict=True)]
    again = read_by(verifier, english, runtime)
    odds, ways = weights.log_odds(rows, read, again), ways_of(read, again)
    support = weights.support(rows, odds).tolist()
    judged = (
        JudgedClaim(claim, ways[k], float(odds[k]), support[k], evidence_of(claim), reasons[k])
        for k, claim in enumerate(flat)
    )
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
    return np.array(
        [
            np.concatenate([claim_features(claim), claim.place.weighed, [rule in met for rule in RULES]])
            for claim, met in zip(claims, reasons, strict=True)
        ]
    )


def verdict_of(judged: JudgedClaim, weights: ClaimWeights) -> tuple[ClaimVerdict, int | None]:
    """The verdict, and the row of the article's number that stands against the headline's, where one does."""
    claim, evidence, constants = judged.claim, judged.evidence, weights.constants[judged.way]
    article, text, log_odds = claim.article, claim.numeral.text, judged.log_odds
    probability = 1 / (1 + math.exp(-min(max(log_odds, -30.0), 30.0)))
    row = evidence.rows[0] if evidence and evidence.rows else claim.source
    sentence = None if row is None else article.sentences[article.places[row]]
    for name, (fault, reason) in judged.reasons.items():
        if speaks(name, log_odds, weights):
            light = Light.WRONG if name in OTHERWISE else Light.CHECK
            quoted = reason.partition("“")[2].partition("”")[0]
            lines = [line for line in (sentence, *article.sentences) if line is not None]
            quoting = (line for line in lines if quoted and quoted in article.text[slice(*line)])
            return ClaimVerdict(light, fault, probability, reason, next(quoting, sentence), name), None
    rival = rival_of(claim) if evidence is None or evidence.chance else None
    line = sentence if rival is None else article.sentences[article.places[rival]]
    if is_absent(claim, evidence) or is_other(claim, evidence, rival):
        fault, reason = _absent(claim, rival)
        light = Light.WRONG if log_odds < OUTWEIGHED else Light.CHECK
        return ClaimVerdict(light, fault, probability, reason, line, ABSENT), rival
    if evidence is None and not claim.equal and log_odds < 0:
        reason = f"Nothing in the article plainly gives “{text}”."
        return ClaimVerdict(Light.CHECK, Fault.ABSENT, probability, reason, sentence, LOOSE), None
    given = article.numerals[claim.equal[0]].text if claim.equal else claim.numeral.text
    explanation = evidence.explanation if evidence else f"The article has “{given}”."
    if evidence.chance if evidence else not claim.equal:
        explanation = f"The article does not have “{text}”, only numbers from which it might be worked out."
    if min(log_odds, judged.support) < 0 and by_chance(claim, evidence):
        fault, reason = _absent(claim, rival)
        if rival is None or fault is not Fault.VALUE:
            explanation = f"The article does not have “{text}”, and nothing that it counts with it gives it."
            return ClaimVerdict(Light.CHECK, Fault.ABSENT, probability, explanation, sentence, CHANCE), None
        return ClaimVerdict(Light.CHECK, fault, probability, reason, line, CHANCE), rival
    if log_odds < constants.unlike and claim.equal:
        reason = sayings.unlike(claim)
        return ClaimVerdict(Light.CHECK, Fault.OTHER, probability, reason, sentence, UNLIKE), None
    said = claim.headline.strip().rstrip(".…")
    opens = sentence is not None and article.text[slice(*sentence)].lstrip().startswith(said)
    green = evidence is not None and evidence.sure and (judged.support >= constants.supported or opens)
    green = green and not _is_one_of_ages(claim, row)
    light = Light.SUPPORTED if green else Light.FOUND
    return ClaimVerdict(light, None, probability, explanation, sentence), None


def _is_one_of_ages(claim: Claim, row: int | None) -> bool:
    """Whether a number is an age, and the sentence that has it has other ages: whose it is is not sure."""
    article = claim.article
    ages = (
        n.value
        for n, at in zip(article.numerals, article.places, strict=True)
        if n.kind is NumeralKind.AGE and row is not None and at == article.places[row]
    )
    return claim.numeral.kind is NumeralKind.AGE and len(set(ages)) > 1


def is_precise(rule: str, weights: ClaimWeights) -> bool:
    """Whether a reason may ask for a look: most of the written headlines that meet it are false."""
    false, count = weights.met.get(rule, (0, 0))
    return count > 0 and false >= PRECISE * count


def is_absent(claim: Claim, evidence: NumberEvidence | None) -> bool:
    """Whether the article gives a number in no way; what is said loosely may follow by more arithmetic."""
    numeral, numerals = claim.numeral, claim.article.numerals
    equal = [numerals[row] for row in claim.equal]
    if is_free(numeral) or evidence is not None or any(is_unpriced(numeral, other) for other in equal):
        return False
    # "$5" is no reason for "5 dead".
    return all(numeral.kind is NumeralKind.COUNT and other.kind in _PRICED for other in equal)


def is_other(claim: Claim, evidence: NumberEvidence | None, rival: int | None) -> bool:
    """Whether the article counts the same with another number, and only unlikely arithmetic gives it."""
    if rival is None or not (evidence is None or by_chance(claim, evidence)):
        return False
    if rival == rival_fate(claim):
        return evidence is None or evidence.nonsense
    return evidence is not None and _counts_same(claim, rival) and float(claim.place.shares[rival]) >= _LIKELY


def by_chance(claim: Claim, evidence: NumberEvidence | None) -> bool:
    """Whether a number follows only by arithmetic that explains too much and is not said to be meant."""
    if evidence is None or not evidence.chance:
        return False
    if evidence.nonsense:
        return not TOTAL.search(claim.headline)
    return not is_free(claim.numeral) and not says_less(claim) and not TOTAL.search(claim.headline)


def is_free(numeral: Numeral) -> bool:
    """Whether a number is said so loosely that its want of a source says little."""
    spelled = numeral.form is NumeralForm.WORDS and not MULTIPLIED.match(numeral.text)
    loose = numeral.approximation is not Approximation.EXACT or spelled
    return numeral.kind is NumeralKind.FRACTION or (loose and numeral.value <= _FEW)


def rival_of(claim: Claim) -> int | None:
    """The article's number that most likely stands where the headline has another; None for none like it."""
    numeral, article, shares = claim.numeral, claim.article, claim.place.shares
    rows = [
        row
        for row, other in enumerate(article.numerals)
        if other.start >= article.dateline and other.value != numeral.value and alike(numeral, other)
    ]
    counted = [row for row in rows if numeral.counted and article.numerals[row].counted == numeral.counted]
    scaled = [row for row in rows if is_scaled(numeral, article.numerals[row])]
    fate = rival_fate(claim)
    if fate in rows:
        return fate
    return max(scaled or counted or rows, key=lambda row: float(shares[row]), default=None)


def _absent(claim: Claim, rival: int | None) -> Objection:
    numeral, numerals = claim.numeral, claim.article.numerals
    if not numerals:
        return Fault.ABSENT, "The article has no number."
    likely = rival is not None and float(claim.place.shares[rival]) >= _LIKELY
    if rival is not None and (likely or rival == rival_fate(claim) or _counts_same(claim, rival)):
        return Fault.VALUE, f"For this the article has “{numerals[rival].text}”, not “{numeral.text}”."
    if len(numerals) == limits.ARTICLE_NUMERALS.value:
        reason = f"Nothing in the article's first {len(numerals):,} numbers gives {numeral.number}."
        return Fault.ABSENT, reason
    return Fault.ABSENT, f"Nothing in the article gives “{numeral.text}”."


def _counts_same(claim: Claim, row: int) -> bool:
    counted = claim.numeral.counted
    return bool(counted) and claim.article.numerals[row].counted == counted
