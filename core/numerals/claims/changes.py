"""Changes of which an article has both ends, and which way headlines say that something goes."""

from collections.abc import Collection
from fractions import Fraction
from functools import lru_cache
from typing import Final, NamedTuple

from core.numerals.claims.claim import Claim
from core.numerals.claims.clauses import breaks_in
from core.numerals.claims.pairs import is_operand
from core.numerals.claims.words import CHANGES, Word, article_words, sentence_words
from core.numerals.question import AT_ONCE, ReadArticle
from core.text.numerals.numeral import Numeral, NumeralKind

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
    signs, changes = CHANGES.get(article.language), []
    rows = [row for row, numeral in enumerate(article.numerals) if signs and is_operand(article, numeral)]
    for at, right in enumerate(rows):
        second = article.numerals[right]
        left = next((row for row in reversed(rows[:at]) if _alike(article.numerals[row], second)), None)
        if signs is None or left is None or article.places[left] != article.places[right]:
            continue
        first = article.numerals[left]
        between = article.text[first.end : second.start]
        if len(between) > APART or first.value == second.value:
            continue
        before = article.text[article.sentences[article.places[left]][0] : first.start]
        if signs["from"].search(before) and signs["to"].search(between):
            changes.append(Change(left, right))
        elif signs["against"].search(between) or (
            signs["to"].search(before) and signs["from"].search(between)
        ):
            changes.append(Change(right, left))
    return tuple(changes)


def _alike(first: Numeral, second: Numeral) -> bool:
    same = (first.kind, first.unit) == (second.kind, second.unit)
    return same or any(
        numeral.kind is NumeralKind.COUNT and not numeral.counted for numeral in (first, second)
    )


def amount_of(claim: Claim, change: Change) -> Fraction | None:
    """By how much something rises, in per cent of its first end or in its unit; 25 to 40 % are 15 points."""
    numeral, article = claim.numeral, claim.article
    first, last = article.numerals[change.before], article.numerals[change.after]
    unit = last.unit or first.unit
    size = last.value - first.value
    if in_points(claim):
        return size if unit == "%" else None
    if numeral.kind is NumeralKind.PERCENT:
        return size / first.value * 100
    if are_points(claim):
        return size if unit in ("", "%") else None
    return size if numeral.unit == unit else None


def in_points(claim: Claim) -> bool:
    """Whether the headline's number counts points between percentages: "15 percentage points"."""
    numeral, signs = claim.numeral, CHANGES.get(claim.language)
    if numeral.kind is not NumeralKind.PERCENT or signs is None:
        return False
    return signs["points"].search(numeral.text.lower()) is not None


def are_points(claim: Claim) -> bool:
    """Whether what the headline's number counts is called points: "21 points"."""
    signs, behind = CHANGES.get(claim.language), claim.headline[claim.numeral.end :].lower().split()[:2]
    return signs is not None and any(signs["points"].match(word) for word in behind)


def direction_of(claim: Claim) -> str:
    """Which way the headline says that something goes: "rise", "fall", or "" where it says neither."""
    said = [word for _, word in claim.near if ways_of(claim, word)]
    return next(iter(ways_of(claim, said[0]))) if said else ""


def ways_of(claim: Claim, word: Word) -> frozenset[str]:
    """The one direction that a word says; none where it says both or neither."""
    ways = word.predicates & {_UP, _DOWN}
    signs = CHANGES.get(claim.language)
    if not ways and signs is not None and signs["less"].fullmatch(word.text.lower()):
        return frozenset({_DOWN})
    return ways if len(ways) == 1 else frozenset()


def goes(size: Fraction) -> str:
    return _UP if size > 0 else _DOWN


def concerns(claim: Claim, rows: Collection[int]) -> bool:
    """Whether the sentences of numerals, with those before, have what the headline says but directions."""
    article, sentences = claim.article, article_words(claim.article).sentences
    places = {article.places[row] - step for row in rows for step in (0, 1)}
    forms = {word.form for at in places if at >= 0 for word in sentences[at]}
    return _has_all(claim, forms, _lead(article))


def _has_all(claim: Claim, forms: Collection[str], elsewhere: Collection[str]) -> bool:
    numeral, signs = claim.numeral, CHANGES.get(claim.language)
    behind = next((word for word in claim.words if word.start >= numeral.end), None)
    said = {
        word.form
        for word in claim.words
        if word.content
        and not numeral.start <= word.start < numeral.end
        # The article has the ends in per cent.
        and not (word is behind and signs is not None and signs["points"].fullmatch(word.text.lower()))
        and word.form in article_words(claim.article).forms
        and not word.predicates & {_UP, _DOWN}
    }
    return not said.isdisjoint(forms) and said.issubset({*forms, *elsewhere})


def _lead(article: ReadArticle) -> set[str]:
    words = article_words(article)
    return {word.form for sentence in words.sentences[:1] for word in sentence} & names_of(article)


def concerning(claim: Claim) -> list[Change]:
    """The article's changes that are of what the headline is about."""
    return [change for change in changes_of(claim.article) if concerns(claim, (change.before, change.after))]


def in_one_clause(claim: Claim, change: Change) -> bool:
    """Whether the clause of a change has what the headline says, but for its actor and names of the lead."""
    article = claim.article
    elsewhere = {form for other in changes_of(article) if other != change for form in _clause(article, other)}
    names, actor = names_of(article), set[str]()
    lead = (word for words in article_words(article).sentences[:1] for word in words if word.content)
    for at, word in enumerate(lead):
        owner = word.text.endswith(_OF)
        if word.form in names or (at == 0 and owner):
            actor.add(word.form)
        if actor and (owner or word.form not in names):
            break
    return _has_all(claim, _clause(article, change), (_lead(article) - elsewhere) | actor)


def _clause(article: ReadArticle, change: Change) -> set[str]:
    left, right = sorted((change.before, change.after))
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
