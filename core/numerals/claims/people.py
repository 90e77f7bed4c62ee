"""Rules on those whom a number counts: nobody, or people of another fate."""

from collections.abc import Iterator
from typing import Final

from core.numerals.claims import clauses
from core.numerals.claims.claim import Claim
from core.numerals.claims.fates import clauses_of_nobody, fates_given, plain_text
from core.numerals.verdict import Fault, Objection
from core.text.numerals.numeral import NumeralKind

OF_PEOPLE: Final = frozenset(
    {"killed", "injured", "missing", "rescued", "arrested", "released", "convicted", "evacuated", "infected"}
)
_REACH: Final = 5  # words around a number of people that say what became of them
_FATES: Final = frozenset({"killed", "injured", "rescued"})


def nobody(claim: Claim) -> Iterator[Objection]:
    """So many killed where the article says that nobody was, or nobody where it counts some."""
    article, numeral = claim.article, claim.numeral
    near = (word for far, word in clauses.said_of(claim) if far <= _REACH and word.predicates & OF_PEOPLE)
    said = next((word for word in near if numeral.value or word.start > numeral.start), None)
    if numeral.kind is not NumeralKind.COUNT or said is None:
        return
    if not numeral.value:
        told = zip(article.numerals, fates_given(article), strict=True)
        counts = (n for n, fates in told if fates & said.predicates and n.kind is NumeralKind.COUNT)
        some = next((n for n in counts if n.value > 1), None)
        if some is not None and not any(clauses_of_nobody(article, said.predicates, denied=True)):
            yield Fault.VALUE, f"For this the article has “{some.text}”, not “{numeral.text}”."
        return
    for clause in clauses_of_nobody(article, said.predicates):
        numerals = enumerate(article.numerals)
        outside = (row for row, other in numerals if other.value and not clause.holds(other.start))
        words = (word for row in outside for word in clauses.own_words(article, row))
        if not any(word.predicates & said.predicates for word in words):
            quoted = plain_text(article.text, clause)
            yield Fault.VALUE, f"The article says “{quoted}”, not “{said.text}” of “{numeral.text}”."
            return


def other_fate(claim: Claim) -> Iterator[Objection]:
    """The dead of a number that the article has of the hurt or the saved, and the other way round."""
    article = claim.article
    said = {fate: word.text for _, word in clauses.said_of(claim) for fate in word.predicates & _FATES}
    if len(said) != 1 or not claim.equal or claim.numeral.kind is not NumeralKind.COUNT:
        return
    ((fate, text),) = said.items()
    given = []
    for row in claim.equal:
        own = clauses.own_words(article, row)
        if any(fate in word.predicates for word in own):
            return
        others = (word.text for word in own if word.predicates & _FATES)
        given.append(next(others, ""))
    if all(given):
        number = article.numerals[claim.equal[0]].text
        yield Fault.OTHER, f"Of “{number}” the article says “{given[0]}”, not “{text}”."
