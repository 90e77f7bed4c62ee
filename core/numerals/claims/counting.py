"""Whether arithmetic speaks of what a headline counts: minutes give no dead, and the hurt none either."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from core.numerals.claims.claim import Claim, Rows, step_before
from core.numerals.claims.clauses import clauses_of, said_of
from core.numerals.claims.times import TOTAL
from core.numerals.claims.words import article_words
from core.numerals.derivations.operands import looks_like_year
from core.numerals.expressions.parse import Expression, calls_of, used_leaves
from core.numerals.operators import ADD, COPY, DIVIDE, MULTIPLY, PARAPHRASE, ROUND, SUBTRACT, TRANS
from core.numerals.question import AT_ONCE, ReadArticle
from core.text.numerals.numeral import Approximation, NumeralForm, NumeralKind

AS_IT_IS: Final = {TRANS, PARAPHRASE, COPY, ROUND}
_HARM: Final = frozenset({"killed", "injured", "missing"})
_FATES: Final = _HARM | {"rescued"}
_TIMES: Final = frozenset({"time", "mal", "fois", "volt", "раз"})
_PEOPLE: Final = re.compile(
    r"\b(?:casualt|victim|toll|affected|opfer|betroffen|bilan|vittim|coinvolt|жертв|пострада)", re.IGNORECASE
)
"""Words that say neither whether people died nor whether they were hurt."""


def fates_said(claim: Claim) -> frozenset[str]:
    """What harm the headline says came to those whom its number counts; none where it says "casualties"."""
    numeral, text = claim.numeral, claim.headline
    # "One dead" need not be a number of the article: "a man was killed".
    single = numeral.value == 1 and numeral.form is NumeralForm.WORDS
    loose = single or numeral.approximation is Approximation.VAGUE or not numeral.value
    if numeral.kind is not NumeralKind.COUNT or numeral.counted in _TIMES or step_before(claim) == "by":
        return frozenset()
    if loose or TOTAL.search(text) or _PEOPLE.search(text):
        return frozenset()
    return frozenset(fate for _, word in said_of(claim) for fate in word.predicates) & _HARM


@lru_cache(maxsize=AT_ONCE)
def fates_given(article: ReadArticle) -> tuple[frozenset[str], ...]:
    """What became of those whom each of an article's numerals counts, by its clause or those beside it."""
    sentences, fates = article_words(article).sentences, list[frozenset[str]]()
    for numeral, place in zip(article.numerals, article.places, strict=True):
        clauses = clauses_of(article.text, *article.sentences[place], article.language)
        words, last = sentences[place], len(clauses) - 1
        said = [{fate for w in words if clause.holds(w.start) for fate in w.predicates} for clause in clauses]
        own = next((k for k, clause in enumerate(clauses) if clause.holds(numeral.number_start)), last)
        # "Eight Swedes and four Danes were killed": the next clause says it of both.
        near = (*said[own : own + 2], *said[max(own - 1, 0) : own])
        fates.append(next((_FATES & each for each in near if _FATES & each), frozenset()))
    return tuple(fates)


def counts_others(claim: Claim, rows: Rows, *, every: bool = False) -> bool:
    """Whether numbers count people of another fate than the headline's, or nobody of whom it is said.

    The latter only where the article has a number of those whom the headline tells of. A sum may have parts
    of which it is not said, a difference (`every`) none.
    """
    said, given = fates_said(claim), fates_given(claim.article)
    used = [given[row] for row in rows if _counts(claim.article, row)]
    if not said or any(fates and not fates & said for fates in used):
        return bool(said)
    return not (used and (all(used) if every else any(used))) and rival_fate(claim) is not None


def rival_fate(claim: Claim) -> int | None:
    """The article's likeliest number of those of whom the headline tells, and of no others."""
    said, article, value = fates_said(claim), claim.article, claim.numeral.value
    of_them = [row for row, fates in enumerate(fates_given(article)) if fates and fates <= said]
    rows = [row for row in of_them if _counts(article, row) and article.numerals[row].value != value]
    return max(rows, key=lambda row: float(claim.place.shares[row]), default=None)


def _counts(article: ReadArticle, row: int) -> bool:
    numeral = article.numerals[row]
    after = numeral.start >= article.dateline and not looks_like_year(numeral)
    return numeral.kind is NumeralKind.COUNT and after


_BELOW: Final = frozenset({Approximation.LESS_THAN, Approximation.AT_MOST})


def other_bound(claim: Claim) -> str:
    """What speaks against "under 13" where the article has "under 12"; "" for nothing."""
    given = [claim.article.numerals[row] for row in claim.rounded]
    bounds = {claim.numeral.approximation, *(numeral.approximation for numeral in given)}
    if claim.equal or not given or not bounds <= _BELOW:
        return ""
    return f"The article's own bound is “{given[0].text}”, not “{claim.numeral.text}”."


def is_nonsense(claim: Claim, expression: Expression, rows: Rows) -> bool:
    """Whether arithmetic adds unlike numbers or ones that the article lacks, or counts somebody else."""
    steps = {call.operator for call in calls_of(expression)} - AS_IT_IS
    if counts_others(claim, rows, every=SUBTRACT in steps) or len(steps) > 1:
        return True
    if not steps or not steps <= {ADD, SUBTRACT}:
        return bool(fates_said(claim) and steps & {MULTIPLY, DIVIDE})
    kinds = {(claim.article.numerals[row].kind, claim.article.numerals[row].unit) for row in rows}
    unlike = ADD in steps and not kinds <= {(claim.numeral.kind, claim.numeral.unit)}
    return unlike or len(list(used_leaves(expression))) > len(rows)
