"""Words of a headline that the article plainly denies: opposites, plans, periods, what a number counts."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from core.numerals.checked_headline import Fault, Objection
from core.numerals.claims import changes, clauses, periods
from core.numerals.claims.amounts import scores_of
from core.numerals.claims.claim import DATED, ENGLISH, Claim
from core.numerals.claims.differences import says_less, ways_worked
from core.numerals.claims.fates import OF_PEOPLE, TIMES, counts_others
from core.numerals.claims.pairs import pairs_of_one_kind
from core.numerals.claims.words import (
    LEAVES_OPEN,
    TABLES,
    Word,
    article_words,
    expressions,
    opposed_to,
    sentence_words,
    sign,
)
from core.text.numerals.numeral import Numeral, NumeralKind

_CONVERSE: Final = frozenset({"donate", "receive", "pay"})  # what is given is got
_DIRECTIONS: Final = frozenset({"rise", "fall", "profit", "loss", "win", "lose", "most", "least"})
_PART_OF: Final = frozenset({"of", "von", "des", "der", "sur", "su", "di", "dei", "из"})
_FEW: Final = 12  # such numbers are often a sum, or said of several things
_BESIDE: Final = 3  # words beside a number in a headline that say what became of those whom it counts
_COUNTS: Final = {NumeralKind.COUNT}
_LONGEST: Final = 3
_OPEN: Final = expressions(TABLES["open"])
_AHEAD: Final = 9  # words between what leaves a deed open and its number, at most
_POINTS, _RUN, _LENGTH, _OF_WHOLE = map(sign, ("points", "run", "length", "part"))
_LENGTHS: Final = {
    length: re.compile(rf"\b(?:{words})(?![- ]old)\b", re.IGNORECASE)
    for length, words in TABLES["lengths"].items()
}
_LEFT, _RIGHT, _JUST = 30, 40, 12  # characters between a number and the span of time that is said of it
_EARLIER, _SAYS_EARLIER = (expressions(TABLES[name]) for name in ("earlier", "says_earlier"))
_NEXT_TO: Final = 40  # characters before a number in which what makes it the earlier one stands
_PARTS: Final = frozenset({NumeralKind.COUNT, NumeralKind.FRACTION})


def opposite(claim: Claim) -> Iterator[Objection]:
    """The opposite word in the source's sentence, and the headline's in none beside it."""
    if claim.source is None or not claim.equal:
        return
    source = claim.article.numerals[claim.source]
    at = claim.article.places[claim.source]
    around_it = article_words(claim.article).sentences[max(at - 1, 0) : at + 2]
    given = frozenset(predicate for words in around_it for word in words for predicate in word.predicates)
    near, beside_it = clauses.said_of(claim), clauses.given_of(claim, claim.source)
    said = frozenset(predicate for _, word in near for predicate in word.predicates)
    # One side's win is the other's defeat.
    converse = _CONVERSE | {"win", "lose"} if scores_of(claim) else _CONVERSE
    for _, mine in near:
        for _, yours in beside_it:
            if mine.predicates & yours.predicates:
                break
            if mine.predicates & given or yours.predicates & said:
                continue
            for predicate in mine.predicates - converse:
                if opposed_to(predicate) & yours.predicates:
                    fault = Fault.BOUND if predicate in _DIRECTIONS else Fault.OTHER
                    yield fault, f"Of “{source.text}” the article says “{yours.text}”, not “{mine.text}”."


def exchanged(claim: Claim) -> Iterator[Objection]:
    """What the article says of another number in its own clause, where it says the opposite of this one."""
    article = claim.article
    words = [_exchanged_word(claim, row) for row in claim.equal]
    if words and all(words) and words[0] is not None:
        number = article.numerals[claim.equal[0]].text
        yield Fault.OTHER, f"The article says “{words[0].text.lower()}”, but not of “{number}”."


def _exchanged_word(claim: Claim, row: int) -> Word | None:
    article = claim.article
    own = {predicate for word in clauses.own_words(article, row) for predicate in word.predicates}
    mine, beside = article.numerals[row], clauses.beside(article, row)
    others = (word for words, numbers in beside if numbers and mine not in numbers for word in words)
    other_predicates = {predicate for word in others for predicate in word.predicates}
    for _, word in clauses.said_of(claim):
        opposed = any(opposed_to(predicate) & own for predicate in word.predicates)
        if opposed and word.predicates & other_predicates and not word.predicates & own:
            return word
    return None


def said_elsewhere(claim: Claim) -> Iterator[Objection]:
    """180 injured, where the article has 180 passengers and says of 27 alone that they were injured."""
    article, numeral, headline = claim.article, claim.numeral, claim.headline
    others = [other.numeral.start for other in claim.others]
    near = (
        word
        for distance, word in claim.near
        if distance <= _BESIDE
        and word.predicates & OF_PEOPLE
        and all(abs(word.start - numeral.start) < abs(word.start - other) for other in others)
    )
    said = next(near, None)
    beside_it = (*headline[: numeral.start].split()[-1:], *headline[numeral.end :].split()[:1])
    counts = numeral.kind is NumeralKind.COUNT and numeral.value > _FEW
    if said is None or not counts or not claim.equal or any(word.lower() in _PART_OF for word in beside_it):
        return
    own = (word for row in claim.equal for word in sentence_words(article, row))
    if any(word.predicates & said.predicates for word in own):
        return
    for row, source in enumerate(article.numerals):
        words = (word for word in clauses.own_words(article, row) if word.predicates & said.predicates)
        counts = source.kind is NumeralKind.COUNT and source.value != numeral.value
        if counts and (other := next(words, None)):
            given = f"“{other.text}” of “{source.text}”"
            yield Fault.OTHER, f"The article says {given}, not “{said.text}” of “{numeral.text}”."
            return


def other_thing(claim: Claim) -> Iterator[Objection]:
    """4,100 factories, where the article has 4,100 homes and 1,500 factories."""
    article, numeral = claim.article, claim.numeral
    equal = [article.numerals[row] for row in claim.equal]
    things = [
        _things(sentence_words(article, row), article.text, article.numerals[row]) for row in claim.equal
    ]
    mine = _things(claim.words, claim.headline, numeral)[:1]
    if not mine or not things or not all(things) or {numeral.kind, *(n.kind for n in equal)} != _COUNTS:
        return
    said, shown = mine[0], {numeral.value, *(other.numeral.value for other in claim.others)}
    if any(word.form == said.form for row in claim.equal for word in clauses.own_words(article, row)):
        return
    for row, other in enumerate(article.numerals):
        near = any(abs(article.places[row] - article.places[own]) <= 1 for own in claim.equal)
        if near and other.kind is NumeralKind.COUNT and other.value not in shown:
            names = _things(sentence_words(article, row), article.text, other)
            if other.start >= article.dateline and any(word.form == said.form for word in names):
                given = f"“{equal[0].text} {things[0][0].text}”"
                yield Fault.OTHER, f"The article has {given}, and “{said.text}” of “{other.text}”."


def _things(words: Sequence[Word], text: str, numeral: Numeral) -> list[Word]:
    """Up to three words that say behind a number what it counts: "4,100 family homes"."""
    named, end = list[Word](), numeral.end
    for word in words:
        if word.start < numeral.end:
            continue
        if not word.content or text[end : word.start].strip("- ") or len(named) == _LONGEST:
            break
        named.append(word)
        end = word.start + len(word.text)
    return named


def other_period(claim: Claim) -> Iterator[Objection]:
    """A period that the article has of other numbers alone: "last summer" for what burned on Sunday."""
    # A half of a match is no period of its score at the end.
    period = None if scores_of(claim) else periods.of_other_numbers(claim)
    if period:
        number = claim.article.numerals[claim.equal[0]].text
        yield Fault.OTHER, f"The article says “{period.text}”, but not of “{number}”."


def plan_for_fact(claim: Claim) -> Iterator[Objection]:
    """ "Hires 450", where the article has 450 only after "intends to"."""
    article, language, numeral = claim.article, claim.language, claim.numeral
    rows = claim.alike_rows
    if numeral.kind in DATED or "?" in claim.headline or LEAVES_OPEN[language].search(claim.headline):
        return
    said = []
    for row in rows:
        before = article.text[clauses.clause_of(article, row)[0] : article.numerals[row].start]
        words = (match for match in _OPEN[language].finditer(before) if match[0] != "May")
        near = (word[0] for word in words if len(before[word.end() :].split()) <= _AHEAD)
        said.append(next(near, ""))
    if said and all(said):
        number = article.numerals[rows[0]].text
        yield Fault.OTHER, f"The article says “{said[0]}” of “{number}”: it need not have come about."


def points(claim: Claim) -> Iterator[Objection]:
    """2 % more, where the article has two percentage points, and the other way round."""
    article, numeral = claim.article, claim.numeral
    rows = [article.numerals[row] for row in claim.equal]
    shares = [(other, _is_points(article.text, other)) for other in rows]
    given = {n.text: in_points for n, in_points in shares if in_points or n.kind is NumeralKind.PERCENT}
    said = _is_points(claim.headline, numeral)
    if numeral.kind is NumeralKind.PERCENT and given and said not in given.values():
        text = next(iter(given))
        meant = f"“{text}” as points, not as a share" if not said else f"“{text}”, not points"
        yield Fault.UNIT, f"The article has {meant}."
    if numeral.kind is NumeralKind.PERCENT and not (said or claim.equal) and changes.direction_of(claim):
        for _, _, low, high in () if "change" in ways_worked(claim) else pairs_of_one_kind(article):
            if low.kind is NumeralKind.PERCENT and high.value - low.value == numeral.value:
                yield Fault.UNIT, f"From “{low.text}” to “{high.text}” are points between two percentages."


def _is_points(text: str, numeral: Numeral) -> bool:
    return bool(_POINTS.match(text, numeral.end) or _POINTS.search(numeral.text))


def ordinal(claim: Claim) -> Iterator[Objection]:
    """Three dead where the article has the third, and nothing else from which three would follow."""
    numerals, said = claim.article.numerals, claim.numeral.kind
    ranks = {numerals[row].kind for row in claim.equal} == {NumeralKind.ORDINAL} and not ways_worked(claim)
    counts = claim.numeral.counted and claim.numeral.counted not in TIMES and not says_less(claim)
    if said is NumeralKind.COUNT and counts and ranks and not _RUN.search(claim.headline):
        yield Fault.OTHER, f"The article has “{numerals[claim.equal[0]].text}”, not “{claim.numeral.text}”."


def other_length(claim: Claim) -> Iterator[Objection]:
    """352 a month, where the article has 352 last year."""
    article, numeral = claim.article, claim.numeral
    rows = claim.alike_rows
    said = [
        match
        for match in _LENGTH.finditer(claim.headline)
        if -_LEFT <= match.start() - numeral.end <= _RIGHT or 0 <= numeral.start - match.end() <= _JUST
    ]
    if claim.language != ENGLISH or len(said) != 1 or numeral.kind in DATED | {NumeralKind.DURATION}:
        return
    length = next(name for name, words in _LENGTHS.items() if words.search(said[0][1] or said[0]["adverb"]))
    given = ""
    for row in rows:
        place = article.places[row]
        before, own = (article.text[slice(*article.sentences[max(at, 0)])] for at in (place - 1, place))
        other = next((match for words in _LENGTHS.values() if (match := words.search(own))), None)
        if other is None or _LENGTHS[length].search(own) or _LENGTHS[length].search(before):
            return
        given = other[0]
    if given:
        yield Fault.OTHER, f"Of “{numeral.text}” the article says “{given}”, not “{said[0][0]}”."


def whole_for_part(claim: Claim) -> Iterator[Objection]:
    """640 jobs cut, where the article has 640 only as "120 of the 640"."""
    article, numeral = claim.article, claim.numeral
    beside_it = (*claim.headline[: numeral.start].split()[-1:], *claim.headline[numeral.end :].split()[:1])
    of_it = says_less(claim) or any(word.lower() in _PART_OF for word in beside_it)
    if numeral.kind is not NumeralKind.COUNT or of_it or counts_others(claim, claim.equal):
        return
    reason = ""
    for row in claim.equal:
        part, whole = article.numerals[max(row - 1, 0)], article.numerals[row]
        is_part = row and {part.kind, whole.kind} <= _PARTS and part.value != 1 and part.value < whole.value
        if not is_part or not _OF_WHOLE.fullmatch(article.text[part.end : whole.start]):
            return
        if any(other.numeral.value == part.value for other in claim.others):
            return
        reason = f"“{whole.text}” is the whole, of which the article has “{part.text}”."
    if reason:
        yield Fault.OTHER, reason


def earlier(claim: Claim) -> Iterator[Objection]:
    """48 as this year's, where the article has it only in "51, up from 48"."""
    article, language, numeral = claim.article, claim.language, claim.numeral
    rows = claim.alike_rows
    if numeral.kind in DATED or _SAYS_EARLIER[language].search(claim.headline):
        return
    ends = changes.changes_of(article)
    begins = {change.before for change in ends} - {change.after for change in ends}
    for row in rows:
        start = article.numerals[row].start
        said = article.text[max(start - _NEXT_TO, 0) : start].rstrip()
        if row not in begins and not _EARLIER[language].search(said):
            return
    if rows:
        yield Fault.OTHER, f"The article has “{article.numerals[rows[0]].text}” as the earlier number."


def unlike(claim: Claim) -> str:
    """The plainest of what a headline says of its number and the article does not, a sentence."""
    article, numeral = claim.article, claim.numeral
    words = sorted(clauses.words_said(claim), key=lambda word: abs(word.start - numeral.start))
    own = [clauses.words_with(article, row) for row in clauses.own_rows(claim)]
    free = [word for word in words if not any(word.form in row[1] for row in own)]
    shares = claim.place.shares
    for row in sorted(clauses.rival_rows(claim), key=lambda row: -float(shares[row])):
        clause = {word.text.lower() for word in clauses.own_words(article, row)}
        if word := next((word for word in free if word.text.lower() in clause), None):
            other = article.numerals[row].text
            return (
                f"The article says “{word.text}” where it has “{other}”, not where it has “{numeral.text}”."
            )
    if not free:
        return f"The article does not plainly say this of “{numeral.text}”."
    word = next((word for word in free if word.form in article_words(article).forms), free[0])
    given = article.numerals[clauses.own_rows(claim)[0]].text
    return f"Where the article has “{given}”, it does not say “{word.text}”."
