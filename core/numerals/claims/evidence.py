"""Where a number of a headline comes from, as a sentence: a number of the article, or arithmetic."""

import re
from dataclasses import dataclass
from itertools import chain
from typing import Final

from core.numerals.claims import fates, pairs
from core.numerals.claims.bounds import BoundAgreement, agreement, step_of
from core.numerals.claims.claim import DATED, HOW_OFTEN, PARTS, Claim, Rows, alike, is_unpriced
from core.numerals.claims.clauses import clauses_in, said_of
from core.numerals.claims.differences import UNSURE, Derived, derived, told
from core.numerals.claims.words import predicates_of, sentence_words
from core.numerals.expressions.expression import Call
from core.numerals.expressions.printing import explain
from core.text.numerals.numeral import Approximation, Numeral, NumeralKind

_PLAINLY: Final = frozenset({Approximation.EXACT, Approximation.VAGUE})
_SUMS: Final = frozenset({"added", "others", "difference"})
_ONE: Final = re.compile(r"\b(?:an?|another|ein(?:e[mnr]?)?|une?|un[ao])\b", re.IGNORECASE)
_ROUND: Final = 20  # a number is no rounding of one that differs by more than this part of it
_PLAIN: Final = frozenset({"copy", "trans", "paraphrase", "round"})  # ways with one number


@dataclass(frozen=True, slots=True)
class NumberEvidence:
    rows: Rows  # of the article's numerals, the one that decides first
    explanation: str  # one sentence: "“4.2 million” is 20 % more than “3.5 million”."
    sure: bool  # whether it is the number itself, or arithmetic that seldom comes out by chance
    chance: bool = False  # whether it is arithmetic that nothing says is meant, which is not quoted
    typed: bool = False  # whether it is arithmetic of one unit and thing that may be meant


def evidence_of(claim: Claim) -> NumberEvidence | None:
    """The plainest way to the number; None where the article gives it in no way."""
    if not claim.numeral.value:
        return _single(claim) or _copied(claim)
    copied = _copied(claim)
    if copied and claim.numeral.unit and all(claim.article.numerals[row].counted for row in copied.rows):
        return _worked(claim) or copied  # 40 workers are no 40 degrees
    return copied or _worked(claim) or _single(claim) or _derived(claim)


def _copied(claim: Claim) -> NumberEvidence | None:
    numeral, article = claim.numeral, claim.article
    given = article.numerals
    # A hedged number rounds one that the article hedges, too: "over 12,000" of "some 12,600".
    hedged = (row for row, other in enumerate(given) if claim.hedged and other.approximation not in _PLAINLY)
    loose = (row for row in hedged if given[row].start >= article.dateline and alike(numeral, given[row]))
    of_unit = (row for row in (*claim.rounded, *loose) if given[row].unit == numeral.unit)
    near = (row for row in of_unit if numeral.kind not in DATED and pairs.is_about(claim, given[row].value))
    rounded = [row for row in near if not fates.counts_others(claim, (row,))]
    rows = [row for row in (*claim.equal, *rounded) if _is_of_kind(numeral, given[row])]
    if not rows and numeral.kind in PARTS and numeral.value >= 1:
        # "Two of the five pools".
        parts = (row for row in claim.equal if given[row].kind in PARTS)
        forms = ((row, {word.form for word in sentence_words(article, row)}) for row in parts)
        of_it = numeral.kind is NumeralKind.FRACTION
        rows = [row for row, near in forms if of_it or numeral.counted in near - {""}]
    if not rows:
        return None
    counted = "" if numeral.counted in HOW_OFTEN else numeral.counted
    alone = [row for row in rows if counted and given[row].counted == counted] or rows
    same = [row for row in alone if row in claim.equal] or [row for row in rows if row in claim.equal]
    if same:
        best = max(same, key=lambda row: float(claim.place.shares[row]))
        return NumberEvidence((best,), f"The article has “{given[best].text}”.", sure=True)
    best = min(alone, key=lambda row: abs(given[row].value - numeral.value))
    holds = agreement(numeral, claim.headline, given[best], article.text) is BoundAgreement.HOLDS
    text = f"“{given[best].text}” rounded is “{numeral.text}”."
    if numeral.approximation is not Approximation.EXACT and holds:
        text = f"“{numeral.text}” is true of the article's “{given[best].text}”."
    return NumberEvidence((best,), text, sure=False)


def _is_of_kind(numeral: Numeral, other: Numeral) -> bool:
    return alike(numeral, other) or is_unpriced(numeral, other) or is_unpriced(other, numeral)


def _worked(claim: Claim) -> NumberEvidence | None:
    derivation = told(claim)
    if derivation is None or _counts_others(claim, derivation):
        return None
    way, rows = derivation.way, derivation.rows
    plain = way not in UNSURE and derivation.plain > pairs.PLAIN
    if plain and way == "difference":  # an exact one, of numbers of one sentence, where no other is meant
        exact = claim.numeral.approximation in {Approximation.EXACT, Approximation.ABOUT}
        one = len({claim.article.places[row] for row in rows}) == 1
        plain = one and exact and not pairs.are_of_another(claim, rows)
    return NumberEvidence(rows, _arithmetic(way, claim, rows), sure=plain)


def _counts_others(claim: Claim, derivation: Derived) -> bool:
    way = derivation.way
    return way in _SUMS and fates.counts_others(claim, derivation.rows, every=way == "difference")


def _single(claim: Claim) -> NumberEvidence | None:
    """Where a clause says of one person what the headline says of "1", and counts nobody: a man died."""
    article, told = claim.article, [word for _, word in said_of(claim)]
    if not claim.numeral.value:
        told = [word for word in told if word.start > claim.numeral.start and word.predicates][:1]
    said = predicates_of(told) & fates.FATES
    if fates.LOOSE_HARM.search(claim.headline) and not claim.numeral.value:
        said |= fates.HARM
    if claim.numeral.value > 1 or claim.numeral.kind is not NumeralKind.COUNT or not said:
        return None
    if not claim.numeral.value:
        clause = next(fates.clauses_of_nobody(article, said, denied=True), None)
        text = clause and f"The article says “{fates.plain_text(article.text, clause)}”."
        return NumberEvidence((), text, sure=True) if text else None
    for clause, words in chain.from_iterable(clauses.items() for clauses in clauses_in(article)):
        there = (row for row, n in enumerate(article.numerals) if clause.holds(n.start))
        counted = any(fates.counts_people(article, row) for row in there)
        if predicates_of(words) & said and not counted and _ONE.search(article.text[slice(*clause)]):
            return NumberEvidence((), "The article tells it of one.", sure=False)
    return None


def _derived(claim: Claim) -> NumberEvidence | None:
    """The number in another form or rounded; else what is not plain, or comes out by chance."""
    numeral, numerals = claim.numeral, claim.article.numerals
    typed = next((each for each in derived(claim) if not _counts_others(claim, each)), None)
    listed = None
    for derivation in claim.place.derivations:
        rows = derivation.sources or ((claim.source,) if claim.source is not None else ())
        rounded = derivation.way == "round"
        if derivation.way not in _PLAIN or len(rows) != 1:
            # What is named one by one in the article is counted, and has no numbers.
            named = not derivation.sources and isinstance(derivation.expression, Call)
            # Ten or a hundred times a number says nothing.
            empty = derivation.way == "other" and len(rows) == 1 and not named
            if not empty:
                listed = listed or NumberEvidence(rows, "", sure=False, chance=True, typed=named)
        elif _is_other_form(claim, numerals[rows[0]], rounded=rounded) and not (rounded and typed):
            text = f"“{numerals[rows[0]].text}” rounded is “{numeral.text}”."
            text = text if rounded else f"It is {explain(derivation.expression)}."
            return NumberEvidence(rows, text, sure=not rounded)
    if typed is not None:
        return NumberEvidence(typed.rows, "", sure=False, chance=True, typed=True)
    return None if claim.equal else listed


def _is_other_form(claim: Claim, other: Numeral, *, rounded: bool) -> bool:
    """Whether a number is another one in other words or rounded: "$5" is no reason for "5 dead"."""
    numeral = claim.numeral
    near = alike(numeral, other) and abs(numeral.value - other.value) <= step_of(numeral)
    if not near or not rounded:
        return near
    # 25 is no rounding of 20, "more than 20,000" none of 19,847; the middle is rounded up.
    bound = agreement(numeral, claim.headline, other, claim.article.text)
    over = bound is BoundAgreement.CONTRADICTS and other.approximation is Approximation.EXACT
    near = abs(numeral.value - other.value) * _ROUND <= other.value and numeral.unit == other.unit
    nearest = -step_of(numeral) <= (other.value - numeral.value) * 2 < step_of(numeral)
    return near and not over and nearest and not (other.unit and numeral.counted)


def _arithmetic(way: str, claim: Claim, rows: Rows) -> str:
    numeral, used = claim.numeral, [claim.article.numerals[row] for row in rows]
    listed = " and ".join(f"“{source.text}”" for source in used)
    together = way == "difference" and len(used) == 2 and sum(part.value for part in used) == numeral.value
    if together or way == "added":
        another = ", and one more," if sum(part.value for part in used) + 1 == numeral.value else ""
        return f"{listed}{another} are “{numeral.text}” together."
    if way == "difference":
        return f"Between {listed} are “{numeral.text}”."
    ratio = len(used) == 2 and used[1].value and used[0].value < used[1].value
    if way not in ("change", "share") or not ratio:
        return f"“{numeral.text}” follows from {listed}."
    if way == "share":
        return f"“{used[0].text}” of “{used[1].text}” are {numeral.text}."
    low, high = sorted(used, key=lambda source: source.value)
    up = high.value / low.value - 1 if low.value else 0
    said = numeral.value / (100 if numeral.kind is NumeralKind.PERCENT else 1)
    if abs(up - said) <= abs(1 - low.value / high.value - said):
        return f"“{high.text}” is {numeral.text} more than “{low.text}”."
    return f"“{low.text}” is {numeral.text} less than “{high.text}”."
