"""Changes of which an article has both ends, and which way headlines say that something goes."""

from collections.abc import Collection
from fractions import Fraction
from functools import lru_cache
from typing import Final, NamedTuple

from core.numerals.claims.claim import Claim
from core.numerals.claims.clauses import breaks_in, words_said
from core.numerals.claims.pairs import are_alike, is_operand
from core.numerals.claims.words import BOTH_WAYS, CHANGES, Word, article_words, sentence_words
from core.numerals.question import AT_ONCE, ReadArticle
from core.text.numerals.numeral import NumeralKind

APART: Final = 80  # characters between the ends of a change at most
_OF: Final = ("'s", "’s", "s'", "s’")
CAPITALS: Final = "de"  # the language in which a capital inside of a sentence does not tell a name
_UP: Final = "rise"
_DOWN: Final = "fall"


class Change(NamedTuple):
    before: int  # row of the article's numeral that it begins with
    after: int  # row of the one that it ends with


@lru_cache(maxsize=AT_ONCE)
def changes_of(article: ReadArticle) -> tuple[Change, ...]:
    """The changes of which an article has both ends in one sentence, in order."""
    signs, changes = CHANGES[article.language], []
    rows = [row for row, numeral in enumerate(article.numerals) if is_operand(article, numeral)]
    for at, right in enumerate(rows):
        second = article.numerals[right]
        left = next((row for row in reversed(rows[:at]) if are_alike(article.numerals[row], second)), None)
        if left is None or article.places[left] != article.places[right]:
            continue
        first = article.numerals[left]
        between = article.text[first.end : second.start]
        if len(between) > APART or first.value == second.value:
            continue
        before = article.text[article.sentences[article.places[left]][0] : first.start]
        turned = signs["to"].search(before) and signs["from"].search(between)
        if signs["from"].search(before) and signs["to"].search(between):
            changes.append(Change(left, right))
        elif turned or signs["against"].search(between):
            changes.append(Change(right, left))
    return tuple(changes)


def amount_of(claim: Claim, change: Change) -> Fraction | None:
    """By how much something rises, in per cent of its first end or in its unit; 25 to 40 % are 15 points."""
    first, last = (claim.article.numerals[row] for row in change)
    unit, size = last.unit or first.unit, last.value - first.value
    if claim.numeral.kind is NumeralKind.PERCENT and not in_points(claim):
        return size / first.value * 100
    named = ("", "%") if are_points(claim) else (claim.numeral.unit,)
    return size if unit in (("%",) if in_points(claim) else named) else None


def in_points(claim: Claim) -> bool:
    """Whether the headline's number counts points between percentages: "15 percentage points"."""
    said = CHANGES[claim.language]["points"].search(claim.numeral.text.lower())
    return claim.numeral.kind is NumeralKind.PERCENT and said is not None


def are_points(claim: Claim) -> bool:
    """Whether what the headline's number counts is called points: "21 points"."""
    points, behind = CHANGES[claim.language]["points"], claim.headline[claim.numeral.end :].lower().split()
    return any(points.match(word) for word in behind[:2])


def direction_of(claim: Claim) -> str:
    """Which way the headline says that something goes: "rise", "fall", or "" where it says neither."""
    return next((way for _, word in claim.near for way in ways_of(claim, word)), "")


def ways_of(claim: Claim, word: Word) -> frozenset[str]:
    """The one direction that a word says; none where it says both or neither."""
    ways = word.predicates & BOTH_WAYS
    if not ways and CHANGES[claim.language]["less"].fullmatch(word.text.lower()):
        return frozenset({_DOWN})
    return ways if len(ways) == 1 else frozenset()


def goes(size: Fraction) -> str:
    return _UP if size > 0 else _DOWN


def _has_all(claim: Claim, forms: Collection[str], elsewhere: Collection[str]) -> bool:
    """Whether words have what the headline says, but for directions."""
    points, known = CHANGES[claim.language]["points"], article_words(claim.article).forms
    behind = next((word for word in claim.words if word.start >= claim.numeral.end), None)
    # The article has the ends in per cent.
    unit = behind if behind and points.fullmatch(behind.text.lower()) else None
    words = (word for word in words_said(claim) if word is not unit and word.form in known)
    said = {word.form for word in words if not word.predicates & BOTH_WAYS}
    return not said.isdisjoint(forms) and said.issubset({*forms, *elsewhere})


def _lead(article: ReadArticle) -> set[str]:
    return {word.form for word in article_words(article).lead} & names_of(article)


def concerning(claim: Claim) -> list[Change]:
    """The article's changes of which their sentences, with those before, say what the headline says."""
    article, sentences, given = claim.article, article_words(claim.article).sentences, []
    for change in changes_of(article):
        places = {article.places[row] - step for row in change for step in (0, 1)}
        forms = {word.form for at in places if at >= 0 for word in sentences[at]}
        given += [change] if _has_all(claim, forms, _lead(article)) else []
    return given


def in_one_clause(claim: Claim, change: Change) -> bool:
    """Whether the clause of a change has what the headline says, but for its actor and names of the lead."""
    article = claim.article
    elsewhere = {form for other in changes_of(article) if other != change for form in _clause(article, other)}
    names, actor = names_of(article), set[str]()
    for at, word in enumerate(word for word in article_words(article).lead if word.content):
        owner = word.text.endswith(_OF)
        if word.form in names or (at == 0 and owner):
            actor.add(word.form)
        if actor and (owner or word.form not in names):
            break
    return _has_all(claim, _clause(article, change), (_lead(article) - elsewhere) | actor)


def _clause(article: ReadArticle, change: Change) -> set[str]:
    left, right = sorted(change)
    start, end = article.sentences[article.places[left]]
    first, last = article.numerals[left], article.numerals[right]
    breaks = breaks_in(article.language)
    start = max((match.end() for match in breaks.finditer(article.text, start, first.start)), default=start)
    behind = breaks.search(article.text, last.end, end)
    end = behind.start() if behind else end
    return {word.form for word in sentence_words(article, left) if start <= word.start < end}


def names_of(article: ReadArticle) -> frozenset[str]:
    """Forms of an article's names, none in a language that writes other words with a capital, too."""
    return frozenset() if article.language == CAPITALS else article_words(article).names
