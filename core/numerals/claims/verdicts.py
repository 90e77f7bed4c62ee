"""The verdict on a judged claim: a light, what disagrees, and one sentence."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from core import limits
from core.numerals.checked_headline import ClaimVerdict, Fault, Light, Objection, RightNumber
from core.numerals.claims import amounts, claim_weights, clauses, fates, rules, sayings
from core.numerals.claims.bounds import step_of
from core.numerals.claims.claim import MULTIPLIED, Claim, alike, is_unpriced
from core.numerals.claims.evidence import NumberEvidence
from core.numerals.claims.right_numbers import given_as, holders_said, instead, right_number, with_next
from core.text.numerals.numeral import Approximation, Numeral, NumeralForm, NumeralKind

PRECISE: Final = 0.8  # share of false ones among those that meet a reason, from which it asks for a look
OF_WORDS: Final = frozenset(  # reasons that rest on a single word
    {"opposite word", "said of another number", "other thing", "other name before it", "to or by"}
)
PLAIN: Final = frozenset(  # reasons that rest on the numbers themselves: the whole does not outweigh them
    {*rules.OTHERWISE, "bare end", "percentage points", "turned behind it", "wrong side"}
    - {"other unit", "other way"}
)
OUTWEIGHED: Final = 0.5  # log-odds from which the whole outweighs another reason: above, most are true
OUTWEIGHED_WORD: Final = -1.0  # the same of a single word
BELIEVED: Final = 1.0  # log-odds from which the whole outweighs that the article gives a number in no way
ABSENT: Final = "not in the article"  # what makes a number wrong that the article does not give
LOOSE: Final = "no plain source"  # the same for a number that is said loosely: it asks for a look
CHANCE: Final = "by unlikely arithmetic"  # asks for a look where only arithmetic of unlike numbers gives it
UNLIKE: Final = "said otherwise"  # asks for a look where the whole speaks against a claim
_FEW: Final = 12
_TO: Final = 5  # characters between two numbers that share the unit of the second
_PRICED: Final = frozenset({NumeralKind.MONEY, NumeralKind.PERCENT})
_LIKELY: Final = 0.3  # share from which a number of the article is what the headline's stands for


@dataclass(frozen=True, slots=True, eq=False)
class JudgedClaim:
    claim: Claim  # what was judged
    way: claim_weights.Ways  # by what it was read
    log_odds: float  # that the whole claim is true
    support: float  # what speaks for a green light
    evidence: NumberEvidence | None  # what gives the number
    reasons: Mapping[str, Objection]  # what speaks against it, by the rule's name


def verdict_of(judged: JudgedClaim, weights: claim_weights.ClaimWeights) -> tuple[ClaimVerdict, int | None]:
    """The verdict, and the row of the article's number that stands against the headline's, where one does."""
    claim, evidence, constants = judged.claim, judged.evidence, weights.constants[judged.way]
    article, text, log_odds = claim.article, claim.numeral.text, judged.log_odds
    probability = 1 / (1 + math.exp(-min(max(log_odds, -30.0), 30.0)))
    row = evidence.rows[0] if evidence and evidence.rows else claim.source
    sentence = None if row is None else article.sentences[article.places[row]]
    for name, (fault, reason) in judged.reasons.items():
        if speaks(name, log_odds, weights):
            light = Light.WRONG if name in rules.OTHERWISE else Light.CHECK
            return _doubted(judged, (light, fault, probability), name, reason, sentence)
    rival = rival_of(claim) if evidence is None or evidence.chance else None
    line = sentence if rival is None else article.sentences[article.places[rival]]
    if is_absent(claim, evidence) or is_other(claim, evidence, rival):
        fault, reason, right = _absent(claim, rival)
        light = Light.WRONG if log_odds < BELIEVED else Light.CHECK
        return ClaimVerdict(light, fault, probability, reason, line, ABSENT, right=right), rival
    unlike = has_other_kinds(claim) and (log_odds < OUTWEIGHED or claim.numeral.kind in _PRICED)
    unlike &= log_odds >= constants.unlike  # else what it is said of is asked below, and has the right number
    unplain = unlike or (not claim.equal and (log_odds < 0 or not is_free(claim.numeral)))
    if evidence is None and unplain:
        reason = _lacking(claim) if unlike else f"Nothing in the article plainly gives “{text}”."
        return ClaimVerdict(Light.CHECK, Fault.ABSENT, probability, reason, sentence, LOOSE), None
    given = article.numerals[claim.equal[0]].text if claim.equal else claim.numeral.text
    explanation = evidence.explanation if evidence else f"The article has “{given}”."
    if evidence.chance if evidence else not claim.equal:
        explanation = _lacking(claim, ", only numbers from which it might be worked out")
        if (near := _rounded(claim)) is not None:
            explanation = f"The article has “{article.numerals[near].text}”; “{text}” is that, rounded."
            sentence = article.sentences[article.places[near]]
    if by_chance(claim, evidence):
        fault, reason, right = _absent(claim, rival)
        if fault is not Fault.VALUE:
            fault, line, rival = Fault.ABSENT, sentence, None
            reason = _lacking(claim, ", and nothing that it counts with it gives it")
        return ClaimVerdict(Light.CHECK, fault, probability, reason, line, CHANCE, right=right), rival
    if log_odds < constants.unlike and claim.equal:
        doubt, reason = (Light.CHECK, Fault.OTHER, probability), sayings.unlike(claim)
        return _doubted(judged, doubt, UNLIKE, reason, sentence)
    said = claim.headline.strip().rstrip(".…")
    opens = sentence is not None and article.text[slice(*sentence)].lstrip().startswith(said)
    green = evidence is not None and evidence.sure and (judged.support >= constants.supported or opens)
    # Where a sentence has several ages it is not sure whose is whose.
    beside = zip(article.numerals, article.places, strict=True)
    same = (n for n, at in beside if row is not None and at == article.places[row])
    ages = {n.value for n in same if n.kind is claim.numeral.kind is NumeralKind.AGE}
    light = Light.SUPPORTED if green and len(ages) < 2 else Light.FOUND
    return ClaimVerdict(light, None, probability, explanation, sentence), None


def _doubted(
    judged: JudgedClaim,
    said: tuple[Light, Fault, float],
    rule: str,
    reason: str,
    sentence: tuple[int, int] | None,
) -> tuple[ClaimVerdict, int | None]:
    """A doubt for a reason, with the number that the article has instead and the line that it quotes."""
    claim, article = judged.claim, judged.claim.article
    right = right_number(claim, rule, reason)
    if right is not None:
        given = article.numerals[right.row].text
        if right.holder or rule in (UNLIKE, "other thing"):
            reason = holders_said(claim, right)
            said = said[0], Fault.OTHER, said[2]
        elif rule == "other score":
            reason = f"The article has {right.text}, not {claim.headline[right.start : right.end]}."
        elif f"“{given}" not in reason:
            reason = f"{reason} For this it has “{given}”."
    quoted = reason.partition("“")[2].partition("”")[0]
    lines = [line for line in (sentence, *article.sentences) if line is not None]
    quoting = (line for line in lines if quoted and quoted in article.text[slice(*line)])
    row = None if right is None else right.row
    line = next(quoting, sentence) if row is None else article.sentences[article.places[row]]
    of_people = any(word.predicates & fates.OF_PEOPLE for _, word in clauses.said_of(claim))
    if right is not None and not right.holder and rule in (UNLIKE, "other thing") and of_people:
        right = None  # 95 firefighters are not 95 hurt ones
    return ClaimVerdict(*said, reason, line, rule, right=right), row


def _lacking(claim: Claim, more: str = "") -> str:
    """What is said where the article does not have a number so: with what it has it, if it does."""
    said, given = with_next(claim.headline, claim.numeral), given_as(claim)
    if not given:
        return f"The article does not have “{said}”{more}."
    return f"The article has “{given}”." if said == given else f"The article has “{given}”, not “{said}”."


def _rounded(claim: Claim) -> int | None:
    """The article's number that the headline's most likely rounds, to its last digit."""
    likeliest = next(iter(claim.place.derivations), None)
    if likeliest is None or likeliest.way != "round" or len(likeliest.sources) != 1:
        return None
    numeral, other = claim.numeral, claim.article.numerals[likeliest.sources[0]]
    near = abs(other.value - numeral.value) * 2 <= step_of(numeral)
    return likeliest.sources[0] if near and alike(numeral, other) and other.unit == numeral.unit else None


def speaks(rule: str, log_odds: float, weights: claim_weights.ClaimWeights) -> bool:
    """Whether a reason raises a light over a claim: most written headlines that meet it are false."""
    least = OUTWEIGHED_WORD if rule in OF_WORDS else math.inf if rule in PLAIN else OUTWEIGHED
    false, count = weights.met.get(rule, (0, 0))
    return log_odds < least and (rule in rules.OTHERWISE or false >= PRECISE * max(count, 1))


def is_absent(claim: Claim, evidence: NumberEvidence | None) -> bool:
    """Whether the article gives a number in no way; what is said loosely may follow by more arithmetic."""
    numeral, numerals = claim.numeral, claim.article.numerals
    equal = [numerals[row] for row in claim.equal]
    priced = (other.numeral for other in claim.others if other.numeral.kind in _PRICED)
    shared = any(0 < other.start - numeral.end <= _TO for other in priced)  # "from 7.9 to 7.2 %"
    if evidence or shared or is_free(numeral) or any(is_unpriced(numeral, other) for other in equal):
        return False
    # "$5" is no reason for "5 dead".
    return all(numeral.kind is NumeralKind.COUNT and other.kind in _PRICED for other in equal)


def has_other_kinds(claim: Claim) -> bool:
    """Whether the article has the value of other things alone: five pupils for 5 %."""
    kind, equal = claim.numeral.kind, [claim.article.numerals[row] for row in claim.equal]
    unlike = (n.kind is not kind and (n.kind is not NumeralKind.COUNT or n.counted != "") for n in equal)
    return bool(equal) and kind in _PRICED | amounts.MEASURED and all(unlike)


def is_other(claim: Claim, evidence: NumberEvidence | None, rival: int | None) -> bool:
    """Whether the article counts the same with another number, and only unlikely arithmetic gives it."""
    if rival is None or not (evidence is None or by_chance(claim, evidence)):
        return False
    if rival == fates.rival_fate(claim):
        return evidence is None or not evidence.typed
    return evidence is not None and _counts_same(claim, rival) and float(claim.place.shares[rival]) >= _LIKELY


def by_chance(claim: Claim, evidence: NumberEvidence | None) -> bool:
    """Whether a number follows only by arithmetic of numbers that have not one unit and one thing."""
    chance = evidence is not None and evidence.chance and not evidence.typed
    return chance and not is_free(claim.numeral)


def is_free(numeral: Numeral) -> bool:
    """Whether a number is said so loosely that its want of a source says little."""
    spelled = numeral.form is NumeralForm.WORDS and not MULTIPLIED.match(numeral.text)
    loose = numeral.approximation is not Approximation.EXACT or spelled
    if numeral.kind is NumeralKind.FRACTION or numeral.approximation is Approximation.VAGUE:
        return numeral.value < 1 or numeral.approximation is Approximation.VAGUE
    return loose and numeral.value <= _FEW


def rival_of(claim: Claim) -> int | None:
    """The article's number that most likely stands where the headline has another; None for none like it."""
    numeral, article, shares = claim.numeral, claim.article, claim.place.shares
    others = [(row, other) for row, other in enumerate(article.numerals) if other.start >= article.dateline]
    rows = [row for row, other in others if other.value != numeral.value and alike(numeral, other)]
    counted = [row for row in rows if _counts_same(claim, row)]
    scaled = [row for row in rows if amounts.is_scaled(numeral, article.numerals[row])]
    likeliest = max(scaled or counted or rows, key=lambda row: float(shares[row]), default=None)
    return fate if (fate := fates.rival_fate(claim)) in rows else likeliest


def _absent(claim: Claim, rival: int | None) -> tuple[Fault, str, RightNumber | None]:
    numeral, numerals = claim.numeral, claim.article.numerals
    if not numerals:
        return Fault.ABSENT, "The article has no number.", None
    likely = rival is not None and float(claim.place.shares[rival]) >= _LIKELY
    if rival is not None and (likely or rival == fates.rival_fate(claim) or _counts_same(claim, rival)):
        right = instead(claim, rival)
        if right or rival == fates.rival_fate(claim):
            reason = f"For this the article has “{numerals[rival].text}”, not “{numeral.text}”."
        else:
            reason = f"{_lacking(claim)} It has “{with_next(claim.article.text, numerals[rival])}”."
        return Fault.VALUE, reason, right
    reason = f"Nothing in the article gives “{numeral.text}”."
    if len(numerals) == limits.ARTICLE_NUMERALS.value:
        reason = f"Nothing in the article's first {len(numerals):,} numbers gives {numeral.number}."
    elif given_as(claim):
        reason = _lacking(claim)
    return Fault.ABSENT, reason, None


def _counts_same(claim: Claim, row: int) -> bool:
    counted = claim.numeral.counted
    return bool(counted) and claim.article.numerals[row].counted == counted
