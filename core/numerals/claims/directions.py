"""Rules on directions: the article has it the other way, as a loss, by for to, or from the other end."""

import re
from collections.abc import Iterator
from typing import Final

from core.numerals.checked_headline import Fault, Objection
from core.numerals.claims import changes, clauses, pairs, rates
from core.numerals.claims.claim import DATED, FIXED, Claim, around, unanimous
from core.numerals.claims.words import TABLES, expressions
from core.text.numerals.numeral import NumeralKind

_WAY_REACH: Final = 5  # words around a sum or a percentage that say which way it goes
_OPPOSITE: Final = {"rise": "fall", "fall": "rise"}
RESULTS: Final = {"profit": "loss", "loss": "profit"}  # each with what it excludes
_BEHIND: Final = {
    way: expressions(table, before=r"[\s,(]*(?:\w+[ ,]+)?") for way, table in TABLES["behind"].items()
}
_BEHIND_BY: Final = {  # "46 on the railways, four fewer than", "46 000, rund 2000 weniger als"
    way: expressions(table, before=r"[^.;,\d]{0,40},\s(?:[^\W\d]+ )?[\w.,\u202f\xa0]+(?: [^\W\d]+)?\s")
    for way, table in TABLES["behind_by"].items()
}
_AFTER: Final = 40  # characters behind a number that say how it differs from another
_NEAR: Final = 3  # words between a number that is no percentage and the way it goes, at most
_BESIDE: Final = 8  # words beside a number of the article that say which way it goes


def other_way(claim: Claim) -> Iterator[Objection]:
    """A rise by a number that the article has of a fall alone, and the other way round."""
    article, numeral = claim.article, claim.numeral
    reach = _WAY_REACH if numeral.kind is NumeralKind.PERCENT else _NEAR
    said = _said_way(claim, reach)
    if numeral.kind in FIXED or said is None:
        return
    turned = {_OPPOSITE[said[1]]}

    def other(row: int) -> str:
        own = clauses.own_words(article, row)
        ways = {way for word in own for way in changes.ways_of(claim, word)}
        beside = around(own, article.numerals[row].number_start, _BESIDE)
        return next((word.text for _, word in beside if ways == turned == changes.ways_of(claim, word)), "")

    if given := unanimous(map(other, claim.alike_rows)):
        source = article.numerals[claim.alike_rows[0]].text
        yield Fault.BOUND, f"The article says “{given}” of “{source}”, not “{said[0]}”."


def _said_way(claim: Claim, reach: int) -> tuple[str, str] | None:
    """The nearest word that says a direction, and which; None where none is so near to the number."""
    near = ((word, changes.ways_of(claim, word)) for distance, word in claim.near if distance <= reach)
    return next(((word.text, way) for word, ways in near for way in ways), None)


def turned_behind_it(claim: Claim) -> Iterator[Objection]:
    """A rise to 441 or by 8 %, where the article has "441, down from 446", "8 % less"."""
    article, numeral = claim.article, claim.numeral
    said, to = _said_way(claim, _NEAR + 1), rates.step_before(claim) == "to"
    if said is None or numeral.kind in DATED:
        return
    way, turned = said[1], _OPPOSITE[said[1]]

    def behind(row: int) -> str:
        end, language = article.numerals[row].end, article.language
        after = re.split(r"[.;]\s|\d", article.text[end:][:_AFTER], maxsplit=1)[0]
        by = {way: signs[language].match(article.text[end:]) for way, signs in _BEHIND_BY.items()}
        ways = {way: signs[language].match(after) or by[way] for way, signs in _BEHIND.items()}
        own = ways[turned]
        if own is None or ways[way]:
            return ""
        so_much = any(end < other.start < end + own.end() for other in article.numerals)
        clear = so_much if own is by[turned] else not to or " from" in after
        return f"{article.numerals[row].text}{own[0]}" if clear else ""

    if given := unanimous(map(behind, claim.alike_rows)):
        yield Fault.BOUND, f"The article has “{given}”, not “{said[0]}”."


def profit_or_loss(claim: Claim) -> Iterator[Objection]:
    """A profit of a sum that the article has of a loss alone, and the other way round."""
    article, results = claim.article, RESULTS.keys()
    words = [word for near, word in claim.near if near <= _WAY_REACH and word.predicates & results]
    result, *more = {result for word in words for result in word.predicates & results} or {""}
    rows = [row for row in claim.equal if article.numerals[row].kind is NumeralKind.MONEY]
    if not result or more or not rows or claim.numeral.kind is not NumeralKind.MONEY:
        return
    given = [[word for word in clauses.own_words(article, row) if word.predicates & results] for row in rows]
    if all(own and all(word.predicates & results == {RESULTS[result]} for word in own) for own in given):
        number = article.numerals[rows[0]].text
        yield Fault.BOUND, f"The article says “{given[0][0].text}” of “{number}”, not “{words[0].text}”."


def to_or_by(claim: Claim) -> Iterator[Objection]:
    """A change to a number where the article has one by it, and the other way round."""
    said = rates.step_before(claim)
    given = {rates.step_in_article(claim.article, row) for row in claim.equal}
    if said and given == ({"to", "by"} - {said}):
        yield Fault.OTHER, f"The article has a change “{given.pop()}” this number, not “{said}” it."


def ends_of_a_change(claim: Claim) -> Iterator[Objection]:
    """A change that goes the other way than the article's, or ends where that begins."""
    concerned = changes.concerning(claim)
    numerals, way = claim.article.numerals, changes.direction_of(claim)
    to = rates.step_before(claim) == "to"
    amounts = ((change, changes.amount_of(claim, change)) for change in concerned)
    by = [change for change, amount in amounts if amount is not None and pairs.is_about(claim, abs(amount))]
    if meant := [each for each in concerned if each in by or (to and each.after in claim.equal)]:
        ways = (changes.goes(numerals[end.after].value - numerals[end.before].value) for end in meant)
        wrong = meant if way and way not in ways else []
    else:
        begin = {change.before for change in concerned}
        from_there = to and begin.issuperset(claim.equal)
        wrong = [change for change in concerned if from_there and change.before in claim.equal]
    for change in wrong:
        first, last = numerals[change.before], numerals[change.after]
        yield Fault.BOUND, f"The article has it from “{first.text}” to “{last.text}”."
