"""Which numbers of an article may be counted with each other: one unit, one thing, and how plainly."""

import re
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, pairwise
from typing import Final

from core.numerals.claims import bounds, clauses
from core.numerals.claims.claim import Claim, Rows
from core.numerals.claims.rates import rate_in_article
from core.numerals.claims.words import TABLES, article_words, expressions
from core.numerals.derivations.operands import looks_like_year
from core.numerals.question import AT_ONCE, ReadArticle
from core.text.numerals.language_tables import language_tables
from core.text.numerals.numeral import Approximation, Numeral, NumeralForm, NumeralKind

APART: Final = 8  # sentences between two operands at most
OPERANDS: Final = clauses.TELLING | {NumeralKind.DURATION}  # never ages, ranks, years, days
PLAIN: Final = 4  # how plain arithmetic is that is told; each of up to three digits that it meets counts one
_DIGITS: Final = 3
_CONTRAST: Final = 80  # characters between two numbers of which one is told by the other
_BEHIND: Final = 12  # characters behind a part in which "of them" is looked for
_SAME: Final = 5  # letters at the beginning by which words are one
_WORDS: Final = r"\s+(?:[^\W\d]+(?:['’]s?)?\s+){0,3}\W?$"
_LINKS, _LINKS_OF = (
    expressions(TABLES[name], before=r"(?<!\w)", behind=rf"{_WORDS}|^\s?[-–—:]\s?$")
    for name in ("links", "links_of")
)
_OF_THEM: Final = expressions(TABLES["parts_of"])
_JOINED: Final = re.compile(r"\b(?:and|plus|und|sowie|et|e|ed|и|y)\b|[,&]\s", re.IGNORECASE)
_SCORE: Final = re.compile(r"\d[-–:]\d")
_REACHES: Final = {  # twentieths of a hedged number that make its hedge true
    **{Approximation.MORE_THAN: (20, 25), Approximation.AT_LEAST: (20, 25), Approximation.ABOUT: (18, 22)},
    **{Approximation.LESS_THAN: (16, 20), Approximation.AT_MOST: (16, 20)},
}
_ROAD: Final = re.compile(r"(?<!\w)[A-ZÄÖÜ]{1,2}[ -]$")


def is_word(numeral: Numeral, language: str) -> bool:
    """Whether a number is a word that is often no number: "one", "both", "double"."""
    single = numeral.number.lower() in language_tables(language).singles
    return numeral.form is NumeralForm.WORDS and (numeral.value == 1 or (single and numeral.value <= 2))


def is_operand(article: ReadArticle, numeral: Numeral) -> bool:
    """Whether a number of an article may be counted against another one: no year, road, "both" or "one"."""
    road = not numeral.counted and _ROAD.search(article.text[: numeral.start][-4:])
    plain = numeral.approximation is not Approximation.VAGUE and not looks_like_year(numeral)
    inside = numeral.start >= article.dateline and unit_of(numeral)[0] in OPERANDS and numeral.value > 0
    return plain and inside and not is_word(numeral, article.language) and not road


@lru_cache(maxsize=AT_ONCE)
def pairs_of_one_kind(article: ReadArticle) -> tuple[tuple[int, int, Numeral, Numeral], ...]:
    """Pairs of an article's numerals of one unit that may tell of one thing, the smaller one first."""
    pairs = []
    rows = [row for row, numeral in enumerate(article.numerals) if is_operand(article, numeral)]
    for left, right in combinations(rows, 2):
        first, second = article.numerals[left], article.numerals[right]
        apart = article.places[right] - article.places[left]
        near = are_alike(first, second) and apart <= (APART if unit_of(first) == unit_of(second) else 1)
        if near and first.value != second.value:
            low, high = (left, right) if first.value < second.value else (right, left)
            pairs.append((low, high, article.numerals[low], article.numerals[high]))
    return tuple(pairs)


def unit_of(numeral: Numeral) -> tuple[NumeralKind, str]:
    part = numeral.kind is NumeralKind.FRACTION and numeral.value >= 1  # "140 of the 210"
    return (NumeralKind.COUNT if part else numeral.kind), numeral.unit


def are_alike(first: Numeral, second: Numeral) -> bool:
    """Whether two numbers have one unit, or one of them leaves it to the other: "from 4.50 to 6 euros"."""
    bare = (number.kind is NumeralKind.COUNT and not number.counted for number in (first, second))
    return unit_of(first) == unit_of(second) or any(bare)


def is_about(claim: Claim, value: Fraction) -> bool:
    """Whether a value rounds to the headline's number, or makes its hedge true."""
    numeral = claim.numeral
    if bounds.is_nearly(numeral, claim.headline):
        return bool(numeral.value * Fraction(9, 10) <= value < numeral.value)
    if numeral.approximation in _REACHES:
        low, high = (numeral.value * Fraction(end, 20) for end in _REACHES[numeral.approximation])
        return bool(low <= value <= high)
    step = min(bounds.step_of(numeral), numeral.factor / 10**numeral.decimals)
    return bool(abs(value - numeral.value) * 2 <= step)


def is_one(noun: str, other: str) -> bool:
    """Whether two normal forms of nouns are one word; in German the end of a compound, too."""
    short, long = sorted((noun, other), key=len)
    return noun[:_SAME] == other[:_SAME] or (len(short) > 3 and long.endswith(short))


def may_be_one(article: ReadArticle, left: int, right: int) -> bool:
    """Whether two numbers may tell of one thing: neither is of a score alone, nor has a rate of its own."""
    first, second = article.numerals[left], article.numerals[right]
    between = article.text[min(first.end, second.end) : max(first.start, second.start)]
    scored = (_is_of_score(article, first) or _is_of_score(article, second)) and len(between) > 1
    if scored or between == " for ":  # six wickets "for 71"
        return False
    rates = {rate[0] for rate in (rate_in_article(article, row) for row in (left, right)) if rate}
    return len(rates) < 2 and are_alike(first, second)


def are_one_thing(article: ReadArticle, left: int, right: int) -> bool:
    """Whether two numbers also count one noun, one of them perhaps without naming it."""
    first, second = article.numerals[left], article.numerals[right]
    named = first.kind is second.kind is NumeralKind.COUNT and first.counted and second.counted
    one = not named or is_one(first.counted, second.counted) or are_linked(article, (left, right), part=True)
    return one and may_be_one(article, left, right)


def _is_of_score(article: ReadArticle, numeral: Numeral) -> bool:
    around = article.text[max(0, numeral.start - 2) : numeral.end + 2]
    return _SCORE.search(around) is not None and numeral.kind is NumeralKind.COUNT


def are_linked(article: ReadArticle, rows: Rows, *, part: bool = False) -> bool:
    """Whether the article itself sets two numbers against each other: "from 16 to 42", "two of the nine"."""
    left, right = sorted(rows[:2])
    first, second = article.numerals[left], article.numerals[right]
    between = article.text[first.end : second.start]
    if article.places[left] != article.places[right] or len(between) > _CONTRAST:
        return False
    of, links, parts = (table[article.language] for table in (_LINKS_OF, _LINKS, _OF_THEM))
    told = parts.search(between) or parts.search(article.text[second.end : second.end + _BEHIND])
    before = article.text[max(0, first.start - _BEHIND) : first.start]
    whole = part and first.value > second.value and of.search(before)  # "Of the 40 products, five"
    return bool(told or whole or of.search(between) or (not part and links.search(between)))


def is_part(article: ReadArticle, small: int, large: int) -> bool:
    """Whether one number may count a part of another: one noun, "of the", "of them", or a part of a sum."""
    first, second = article.numerals[small], article.numerals[large]
    if are_linked(article, (small, large), part=True):
        return True
    if first.kind is not NumeralKind.COUNT:
        return abs(article.places[small] - article.places[large]) <= 1
    return bool(first.counted and second.counted) and is_one(first.counted, second.counted)


def are_joined(article: ReadArticle, rows: Rows) -> bool:
    """Whether numbers of one sentence stand in one list: "three men, two women and a child"."""
    for left, right in pairwise(sorted(rows)):
        between = article.text[article.numerals[left].end : article.numerals[right].start]
        apart = article.places[left] != article.places[right] or len(between) > _CONTRAST * 3 // 4
        if apart or not _JOINED.search(between):
            return False
    return True


def plainness(claim: Claim, rows: Rows, *, said: bool, linked: bool) -> int:
    """How plainly arithmetic with numbers is meant; see `PLAIN`. `said` by a word of the headline."""
    article, numeral = claim.article, claim.numeral
    used = [article.numerals[row] for row in rows]
    nouns = [number.counted for number in used if number.kind is NumeralKind.COUNT and number.counted]
    forms = [numeral.counted, *(word.form for word in clauses.words_said(claim))]
    named = [any(word and is_one(noun, word) for word in forms) for noun in nouns]
    same = len(nouns) == len(used) and all(is_one(nouns[0], noun) for noun in nouns)
    weight = 2 * linked + said + same + any(named)
    if len(used) > 1 and nouns and not (same or linked):
        # "More deaths than births" names both.
        unlike = len(nouns) > 1 and not all(named) and not all(is_one(nouns[0], noun) for noun in nouns)
        weight -= 3 if unlike else 1
    weight -= 2 * bool(nouns and numeral.counted and not (any(named) or linked))
    places = {article.places[row] for row in rows}
    weight += (len(places) == 1) + (len({clauses.clause_of(article, row) for row in rows}) == 1 < len(rows))
    weight -= min(max(max(places) - min(places) - 1, 0), 3)
    digits = str(numeral.amount.numerator).strip("0") if numeral.amount.denominator == 1 else ""
    exact = len(digits) or numeral.decimals + len(str(int(numeral.amount)))
    shared = _shared(claim, rows)
    weight -= 4 * (shared < 0 and not (any(named) or said or linked))
    return weight + shared + min(max(exact - claim.hedged, 0), _DIGITS)


def are_of_another(claim: Claim, rows: Rows) -> bool:
    """Whether a word of the headline is not said with numbers, but with another one of their unit."""
    article = claim.article
    away = _said(claim).difference(*(clauses.words_with(article, row)[1] for row in rows))
    unit = unit_of(article.numerals[rows[0]])
    others = (row for row, other in enumerate(article.numerals) if row not in rows and unit_of(other) == unit)
    return any(not away.isdisjoint(clauses.words_with(article, row)[0]) for row in others)


def may_be_meant(claim: Claim, rows: Rows) -> bool:
    """Whether numbers are exact, where more than one is used, and the headline's words not all of others."""
    hedged = any(claim.article.numerals[row].approximation in _REACHES for row in rows)
    exact = len(rows) == 1 or claim.hedged or not hedged
    return exact and (_shared(claim, rows) > 0 or not are_of_another(claim, rows))


def _said(claim: Claim) -> frozenset[str]:
    """The words of a headline that its article has, without names of the lead unless it has no others."""
    words = article_words(claim.article)
    lead = {word.form for word in words.lead} & words.names
    said = frozenset(word.form for word in clauses.words_said(claim)) & words.forms
    return (said - lead) or said


def _shared(claim: Claim, rows: Rows) -> int:
    """0 to 2: how much of what the headline says, as far as the article says it, stands with numbers."""
    article, said = claim.article, _said(claim)
    scopes = [clauses.words_with(article, row) for row in rows]
    if not said or any(said.isdisjoint(scope[2]) for scope in scopes):
        return -1
    clause, sentence = (said & frozenset().union(*(scope[k] for scope in scopes)) for k in (0, 1))
    share = (len(sentence) + len(clause)) / (2 * len(said))
    return (share >= 0.35) + (share >= 0.7)
