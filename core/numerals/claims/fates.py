"""What became of those whom numbers count: killed, hurt, missing, rescued, or nobody; and its rules."""

import re
from collections.abc import Collection, Iterator
from functools import lru_cache
from itertools import chain, islice
from typing import Final

from core.numerals.checked_headline import Fault, Objection
from core.numerals.claims import rates, times
from core.numerals.claims.claim import HOW_OFTEN, Claim, Rows
from core.numerals.claims.clauses import Clause, clause_of, clauses_in, own_words, said_of
from core.numerals.claims.words import TABLES, predicates_of, sentence_words, sign, word_sets, words_of
from core.numerals.derivations.operands import looks_like_year
from core.numerals.question import AT_ONCE, ReadArticle
from core.text.numerals.numeral import Approximation, NumeralForm, NumeralKind

HARM: Final = frozenset({"killed", "injured", "missing"})
FATES: Final = HARM | {"rescued"}
OF_PEOPLE: Final = FATES | {"arrested", "released", "convicted", "evacuated", "infected"}
LOOSE_HARM: Final = sign("people")  # who neither died nor were hurt for sure
_NOBODY, _DENIED = (word_sets(TABLES[name]) for name in ("nobody", "denied"))
_NOT: Final = ("n't", "n’t")
_INHERITS: Final = sign("inherits")  # "of them", which are those of the clause before
_ANYBODY: Final = sign("anybody")  # of whom "no" says that it is nobody at all
_REACH: Final = 5  # words around "nobody" that say what nobody is
_BESIDE: Final = 5  # words around a number of people that say what became of them
_TOLD: Final = frozenset({"killed", "injured", "rescued"})


def fates_said(claim: Claim) -> frozenset[str]:
    """What harm the headline says came to those whom its number counts; none where it says "casualties"."""
    numeral, text = claim.numeral, claim.headline
    # "One dead" need not be a number of the article: "a man was killed".
    single = numeral.value == 1 and numeral.form is NumeralForm.WORDS
    loose = single or numeral.approximation is Approximation.VAGUE or not numeral.value
    unsure = times.TOTAL.search(text) or LOOSE_HARM.search(text)
    counts = numeral.kind is NumeralKind.COUNT and numeral.counted not in HOW_OFTEN
    if loose or unsure or not counts or rates.step_before(claim) == "by":
        return frozenset()
    return predicates_of(word for _, word in said_of(claim)) & HARM


@lru_cache(maxsize=AT_ONCE)
def fates_given(article: ReadArticle) -> tuple[frozenset[str], ...]:
    """What became of those whom each of an article's numerals counts, by its clause or those beside it."""
    fates = list[frozenset[str]]()
    for row, place in enumerate(article.places):
        clauses = clauses_in(article)[place]
        said = [FATES & predicates_of(words) for words in clauses.values()]
        own = [*clauses].index(clause_of(article, row))
        # "Eight Swedes and four Danes were killed": the next clause says it of both.
        fates.append(next(filter(None, (*said[own : own + 2], *said[max(own - 1, 0) : own])), frozenset()))
    return tuple(fates)


def counts_others(claim: Claim, rows: Rows, *, every: bool = False) -> bool:
    """Whether numbers count people of another fate than the headline's, or nobody of whom it is said."""
    said, given = fates_said(claim), fates_given(claim.article)
    used = [given[row] for row in rows if counts_people(claim.article, row)]
    if not said or any(fates and not fates & said for fates in used):
        return bool(said)
    return not (used and (all(used) if every else any(used))) and rival_fate(claim) is not None


def rival_fates(claim: Claim) -> list[int]:
    """Rows of the article's other numbers of those of whom the headline tells, and of no others."""
    said, article, value = fates_said(claim), claim.article, claim.numeral.value
    of_them = (row for row, fates in enumerate(fates_given(article)) if fates and fates <= said)
    return [row for row in of_them if counts_people(article, row) and article.numerals[row].value != value]


def rival_fate(claim: Claim) -> int | None:
    return max(rival_fates(claim), key=lambda row: float(claim.place.shares[row]), default=None)


def counts_people(article: ReadArticle, row: int) -> bool:
    numeral = article.numerals[row]
    after = numeral.start >= article.dateline and not looks_like_year(numeral)
    return numeral.kind is NumeralKind.COUNT and after


def clauses_of_nobody(
    article: ReadArticle, said: Collection[str], *, denied: bool = False
) -> Iterator[Clause]:
    """Clauses that say it of nobody and count nobody behind it; with `denied` those as well that deny it."""
    listed = _NOBODY[article.language] | (_DENIED[article.language] if denied else set())
    for clause, words in chain.from_iterable(clauses.items() for clauses in clauses_in(article)):
        small = [word.text.lower() for word in words]
        none = (k for k, word in enumerate(small) if word in listed or (denied and word.endswith(_NOT)))
        for at in islice(none, 1):
            behind = (n for n in article.numerals if words[at].start < n.start < clause.end)
            counted = any(n.value > denied and n.kind is NumeralKind.COUNT for n in behind)
            near = words[max(0, at - _REACH) : at + _REACH + 1]
            if not counted and not predicates_of(near).isdisjoint(said):
                yield clause


def plain_text(text: str, clause: Clause) -> str:
    return " ".join(text[slice(*clause)].split()).strip(" .,;–—")


def nobody(claim: Claim) -> Iterator[Objection]:
    """So many killed where the article says that nobody was, or nobody where it counts some."""
    article, numeral = claim.article, claim.numeral
    near = (word for far, word in said_of(claim) if far <= _BESIDE and word.predicates & OF_PEOPLE)
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
        if _is_of_others(claim, article.text[slice(*clause)]):
            continue
        numerals = enumerate(article.numerals)
        outside = (row for row, other in numerals if other.value and not clause.holds(other.start))
        words = (word for row in outside for word in own_words(article, row))
        if predicates_of(words).isdisjoint(said.predicates):
            quoted = plain_text(article.text, clause)
            yield Fault.VALUE, f"The article says “{quoted}”, not “{said.text}” of “{numeral.text}”."
            return


def _is_of_others(claim: Claim, clause: str) -> bool:
    """Whether it is said of none of one kind, and the headline counts others: "no residents"."""
    words = [word.lower() for word in re.findall(r"[^\W\d_]+", clause)]
    at = next((k for k, word in enumerate(words) if word in _NOBODY[claim.language]), len(words))
    for kind in words_of(" ".join(words[at + 1 : at + 2]), claim.language):
        said = kind.predicates or _ANYBODY.match(kind.text) or kind.form in {w.form for w in claim.words}
        return kind.content and not said
    return False


def other_fate(claim: Claim) -> Iterator[Objection]:
    """The dead of a number that the article has of the hurt or the saved, and the other way round."""
    article = claim.article
    said = {fate: word.text for _, word in said_of(claim) for fate in word.predicates & _TOLD}
    if len(said) != 1 or not claim.equal or claim.numeral.kind is not NumeralKind.COUNT:
        return
    ((fate, text),) = said.items()
    given = []
    for row in claim.equal:
        own, clause = own_words(article, row), clause_of(article, row)
        if _INHERITS.search(article.text, *clause):
            own = tuple(word for word in sentence_words(article, row) if word.start < clause.end)
        if fate in predicates_of(own):
            return
        given.append(next((word.text for word in own if word.predicates & _TOLD), ""))
    if all(given):
        number = article.numerals[claim.equal[0]].text
        yield Fault.OTHER, f"Of “{number}” the article says “{given[0]}”, not “{text}”."
