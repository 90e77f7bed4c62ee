"""Which clause a number stands in, which words are said of it, changes of which an article has both ends."""

import re
from collections.abc import Collection, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import chain, pairwise
from typing import Final, NamedTuple

from core.numerals.claims.claim import Claim, alike, around
from core.numerals.claims.words import CHANGES, TABLES, Word, article_words, sentence_words
from core.numerals.derivations.operands import looks_like_year
from core.numerals.question import AT_ONCE, ReadArticle
from core.text.numerals.numeral import Approximation, Numeral, NumeralKind

_JOINS: Final = r"\b(?:and|but|while|whereas|und|aber|während|et|mais|tandis|e|ma|mentre|и|но|а)\b"
_BREAK: Final = re.compile(rf"[,;–—]\s|\s[-–—]\s|{_JOINS}", re.IGNORECASE)
_WITHOUT_DASH: Final = re.compile(rf"[,;]\s|{_JOINS}", re.IGNORECASE)
TELLING: Final = frozenset({NumeralKind.COUNT, NumeralKind.MONEY, NumeralKind.PERCENT, NumeralKind.MEASURE})
"""Kinds of numbers that have words of their own beside them; a date or an age is told in passing."""
_WHOLE: Final = 1_000
Scopes = tuple[frozenset[str], frozenset[str], frozenset[str]]
_ELIDED: Final = re.compile(r"^[^\W\d]{1,2}['’]")
_TABLES: Final = {
    language: {key: frozenset(words.split()) for key, words in table.items()}
    for language, table in TABLES["periods"].items()
}
OPERANDS: Final = frozenset({NumeralKind.COUNT, NumeralKind.MONEY, NumeralKind.MEASURE, NumeralKind.PERCENT})
"""Kinds of numbers that may be counted against each other."""
APART: Final = 80  # characters between the ends of a change at most
_OF: Final = ("'s", "’s", "s'", "s’")
CAPITALS: Final = "de"  # the language in which a capital inside of a sentence does not tell a name
_UP: Final = "rise"
_DOWN: Final = "fall"


class Clause(NamedTuple):
    start: int  # in characters of its text
    end: int

    def holds(self, place: int) -> bool:
        return self.start <= place < self.end


def breaks_in(language: str) -> re.Pattern[str]:
    """Where a clause may end; a Russian dash stands for a verb: "против — 11"."""
    return _WITHOUT_DASH if language == "ru" else _BREAK


def clauses_of(text: str, start: int, end: int, language: str) -> tuple[Clause, ...]:
    """The clauses of a sentence in order, which leave nothing out."""
    cuts = [start, *(match.end() for match in breaks_in(language).finditer(text, start, end)), end]
    return tuple(Clause(left, right) for left, right in pairwise(cuts) if left < right)


@lru_cache(maxsize=AT_ONCE)
def _sentences(article: ReadArticle) -> tuple[tuple[tuple[Clause, ...], tuple[Numeral, ...]], ...]:
    numerals: list[list[Numeral]] = [[] for _ in article.sentences]
    for numeral, place in zip(article.numerals, article.places, strict=True):
        if _tells(numeral):
            numerals[place].append(numeral)
    clauses = (clauses_of(article.text, start, end, article.language) for start, end in article.sentences)
    return tuple(zip(clauses, map(tuple, numerals), strict=True))


def _tells(numeral: Numeral) -> bool:
    return numeral.kind in TELLING and not looks_like_year(numeral)


def clause_of(article: ReadArticle, row: int) -> Clause:
    return _at(_sentences(article)[article.places[row]][0], article.numerals[row].number_start)


def own_words(article: ReadArticle, row: int) -> tuple[Word, ...]:
    clause = clause_of(article, row)
    return tuple(word for word in sentence_words(article, row) if clause.holds(word.start))


def beside(article: ReadArticle, row: int) -> Iterator[tuple[tuple[Word, ...], tuple[Numeral, ...]]]:
    """The clauses of the sentence of one of an article's numerals: their words, and their numbers."""
    clauses, numbers = _sentences(article)[article.places[row]]
    for clause in clauses:
        words = tuple(word for word in sentence_words(article, row) if clause.holds(word.start))
        yield words, tuple(number for number in numbers if clause.holds(number.number_start))


def said_of(claim: Claim) -> tuple[tuple[int, Word], ...]:
    """The headline's words near its number without those of another number's clause; see `Claim.near`."""
    return _left(claim.near, _taken(claim))


def _taken(claim: Claim) -> tuple[Clause, ...]:
    rivals = [other.numeral for other in claim.others if _tells(other.numeral)]
    clauses = clauses_of(claim.headline, 0, len(claim.headline), claim.language) if rivals else ()
    return _others(clauses, claim.numeral, rivals)


def given_of(claim: Claim, row: int) -> tuple[tuple[int, Word], ...]:
    """The words of a numeral's sentence without other numbers' clauses, nearest first, with distances."""
    article, numeral = claim.article, claim.article.numerals[row]
    clauses, numbers = _sentences(article)[article.places[row]]
    near = around(sentence_words(article, row), numeral.number_start, _WHOLE)
    return _left(near, _others(clauses, numeral, numbers))


def _left(words: tuple[tuple[int, Word], ...], taken: Sequence[Clause]) -> tuple[tuple[int, Word], ...]:
    remaining = tuple(word for word in words if not any(clause.holds(word[1].start) for clause in taken))
    return remaining if any(word.predicates for _, word in remaining) else words


def _others(clauses: Sequence[Clause], numeral: Numeral, numbers: Sequence[Numeral]) -> tuple[Clause, ...]:
    theirs = {_at(clauses, number.number_start) for number in numbers}
    return tuple(clause for clause in clauses if clause in theirs - {_at(clauses, numeral.number_start)})


def _at(clauses: Sequence[Clause], place: int) -> Clause:
    return next((clause for clause in clauses if clause.holds(place)), clauses[-1])


def words_said(claim: Claim) -> list[Word]:
    """The content words of a headline without its number."""
    start, end = claim.numeral.start, claim.numeral.end
    return [word for word in claim.words if word.content and not start <= word.start < end]


def own_rows(claim: Claim) -> Sequence[int]:
    """Rows of the article's numerals that the headline's may be."""
    rows = claim.alike_rows or claim.equal or claim.rounded
    return rows or (() if claim.source is None else (claim.source,))


def rival_rows(claim: Claim) -> list[int]:
    """Rows of other numbers of the article that may tell of the same thing, and are not in the headline."""
    numeral, article = claim.numeral, claim.article
    shown = {numeral.value, *(other.numeral.value for other in claim.others)}
    rows = [row for row, other in enumerate(article.numerals) if other.start >= article.dateline]
    numerals = article.numerals
    return [row for row in rows if numerals[row].value not in shown and alike(numeral, numerals[row])]


@lru_cache(maxsize=AT_ONCE * 32)
def words_with(article: ReadArticle, row: int) -> Scopes:
    """Forms of the words of the clause of one of an article's numerals, its sentence, and the two beside."""
    sentences, at = article_words(article).sentences, article.places[row]
    near = chain.from_iterable(sentences[max(at - 1, 0) : at + 2])
    clause, sentence, around_it = (
        frozenset(word.form for word in words) for words in (own_words(article, row), sentences[at], near)
    )
    return clause, sentence, around_it


class TimeWords(NamedTuple):
    """A word or two that say when."""

    name: str  # the entries of `words.toml` that they are
    text: str  # as they stand
    start: int  # where they begin, in characters of the text


def periods_of(words: Sequence[Word], language: str) -> Iterator[TimeWords]:
    """What some words in order say about when."""
    tables = _TABLES[language]
    for word in words:
        if alone := _entry(tables["alone"], word):
            yield TimeWords(alone, word.text, word.start)
    for left, right in pairwise(words):
        for first, second in ((left, right), (right, left)):
            which, what = _entry(tables["which"], first), _entry(tables["what"], second)
            if which and what:
                yield TimeWords(f"{which} {what}", f"{left.text} {right.text}", left.start)


def _entry(table: Collection[str], word: Word) -> str:
    low = word.text.lower()
    low = low if low in table else _ELIDED.sub("", low)
    forms = (low, *(f"{low[:size]}*" for size in range(len(low), 1, -1)))
    return next((form for form in forms if form in table), "")


def of_other_numbers(claim: Claim) -> TimeWords | None:
    """The headline's period where the article has it of other numbers alone, and another of this one."""
    article, language = claim.article, claim.language
    others = (*_taken(claim), Clause(claim.numeral.start, claim.numeral.end))
    free = [word for word in claim.words if not any(other.holds(word.start) for other in others)]
    mine = list(periods_of(free, language))
    if len(mine) != 1 or not claim.equal:
        return None
    sentences = enumerate(article_words(article).sentences)
    periods = [(at, period) for at, words in sentences for period in periods_of(words, language)]
    same = [(at, period) for at, period in periods if period.name == mine[0].name]
    if not same or not all(_is_of_others(claim, at, period) for at, period in same):
        return None
    timed = all(list(periods_of(own_words(article, row), language)) for row in claim.equal)
    return mine[0] if timed else None


def _is_of_others(claim: Claim, at: int, period: TimeWords) -> bool:
    article = claim.article
    rows = [row for row, place in enumerate(article.places) if place == at]
    behind = [row for row in rows if article.numerals[row].start > period.start]
    if not set(behind).isdisjoint(claim.equal):
        return False
    near = [row for row in rows if clause_of(article, row).holds(period.start)] or behind
    return (
        bool(near)
        and set(near).isdisjoint(claim.equal)
        and Clause(*article.sentences[at]).holds(period.start)
    )


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


def is_operand(article: ReadArticle, numeral: Numeral) -> bool:
    """Whether a number of an article may be counted against another one."""
    return (
        numeral.start >= article.dateline
        and numeral.kind in OPERANDS
        and numeral.value > 0
        and not looks_like_year(numeral)
        and numeral.approximation is not Approximation.VAGUE
    )


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
    return size if {numeral.unit, unit} in ({unit}, {"", "%"}) else None


def in_points(claim: Claim) -> bool:
    """Whether the headline's number counts points between percentages: "15 percentage points"."""
    numeral, signs = claim.numeral, CHANGES.get(claim.language)
    if numeral.kind is not NumeralKind.PERCENT or signs is None:
        return False
    return signs["points"].search(numeral.text.lower()) is not None


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
