"""A claim: a number of a headline with what several features need of it."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, TypeVar

from core.arrays import FloatArray
from core.numerals.claims.bounds import is_hedged, is_rounded_from
from core.numerals.claims.words import TABLES, Word, sign, words_of
from core.numerals.derivations.operands import DerivationCandidate, looks_like_year
from core.numerals.question import Alignment, NumeralQuestion, ReadArticle, shares_of
from core.numerals.reader import ClaimQuestion, Span
from core.text.numerals.numeral import Numeral, NumeralKind

T = TypeVar("T")
Rows = tuple[int, ...]  # rows of an article's numerals
NEAR: Final = 7  # words on either side of a headline's number that say something of it
COUNTED: Final = frozenset({NumeralKind.COUNT, NumeralKind.MEASURE, NumeralKind.DURATION, NumeralKind.AGE})
"""Kinds that writers take for each other."""
PARTS: Final = frozenset({NumeralKind.COUNT, NumeralKind.FRACTION})
"""Kinds of a part and its whole: "two of the five"."""
HOW_OFTEN: Final = frozenset({"time", "mal", "fois", "volt", "раз"})  # what such numbers count
FIXED: Final = frozenset({NumeralKind.DATE, NumeralKind.YEAR, NumeralKind.AGE, NumeralKind.ORDINAL})
"""Kinds of numbers by which nothing rises or falls."""
DATED: Final = FIXED | {NumeralKind.TIME}
_POUNDS: Final = frozenset({"GBP", "pound"})
MULTIPLIED: Final = sign("multiplied")
_FACTOR: Final = re.compile(f"{MULTIPLIED.pattern}|{TABLES['signs']['factor']}", re.IGNORECASE)
_HALF_DAY: Final = re.compile(r"(?<=[\d ])([ap])\.?m\b", re.IGNORECASE)
_SUM: Final = 100  # from where a plain number is taken for a sum of money
ENGLISH: Final = "en"  # the language that names and claims are read in
MOST_SOURCES: Final = 3
_STEM: Final = re.compile(r"[^\W\d_]{4,}")


@dataclass(frozen=True, slots=True, eq=False)
class ClaimPlace:
    question: NumeralQuestion
    alignment: Alignment  # what belongs there
    derivations: Sequence[DerivationCandidate]  # ways to the number, likeliest first
    ranks: FloatArray  # their sums of trees, float64 [m]
    weighed: FloatArray  # features of its support; see `core.numerals.checking`

    @property
    def numeral(self) -> Numeral:
        if self.question.numeral is None:
            raise ValueError("a blank claims nothing")
        return self.question.numeral

    @property
    def article(self) -> ReadArticle:
        return self.question.article

    @property
    def shares(self) -> FloatArray:
        """For each numeral of the article the share with which it belongs at the place, float64 [n]."""
        return shares_of(self.alignment.numerals)

    @property
    def sources(self) -> tuple[int, ...]:
        """Rows of the article's numerals that the likeliest derivation uses; () where there is none."""
        return self.derivations[0].sources if self.derivations else ()


@dataclass(frozen=True, slots=True, eq=False)
class Claim:
    place: ClaimPlace
    numeral: Numeral  # the headline's number
    headline: str
    article: ReadArticle
    language: str  # of the article
    hedged: bool  # whether the number is not said to be exact
    others: Sequence[ClaimPlace]  # the headline's other numbers
    equal: tuple[int, ...]  # rows of the article's numerals with the same value
    rounded: tuple[int, ...]  # rows of those of which a hedged number is a true rounding
    source: int | None  # row of the numeral that the claim is compared with; None where there is none
    words: tuple[Word, ...]  # the headline's words
    near: tuple[tuple[int, Word], ...]

    @property
    def shown(self) -> set[Fraction]:
        return {self.numeral.value, *(other.numeral.value for other in self.others)}

    @property
    def alike_rows(self) -> list[int]:
        """Rows of `equal` that may tell of the same thing; see `alike`."""
        return [row for row in self.equal if alike(self.numeral, self.article.numerals[row])]


def read_claim(place: ClaimPlace, others: Sequence[ClaimPlace]) -> Claim:
    numeral, article, headline = place.numeral, place.article, place.question.headline
    rows = {row: other for row, other in enumerate(article.numerals) if may_support(article, other)}
    equal = tuple(row for row, other in rows.items() if _is_equal(numeral, other))
    likes = (row for row, other in rows.items() if row not in equal and alike(numeral, other))
    rounded = tuple(row for row in likes if is_rounded_from(numeral, headline, rows[row], article.text))
    words = words_of(headline, article.language)
    near = around(words, place.question.start, NEAR)
    several = len(place.sources) != 1 or rounded
    candidates = ((*equal, *rounded) or place.sources) if several else place.sources
    source = max(candidates, key=lambda row: float(place.shares[row]), default=None)
    read = (place, numeral, headline, article, article.language, is_hedged(numeral, headline))
    return Claim(*read, others, equal, rounded, source, words, near)


def may_support(article: ReadArticle, numeral: Numeral) -> bool:
    """Whether a number of an article states something: not in its dateline, no name such as "Boeing 737"."""
    return numeral.start >= article.dateline and numeral.kind is not NumeralKind.NAME


def _is_equal(numeral: Numeral, other: Numeral) -> bool:
    """Whether two numbers have one value; 18:40 is 6.40 p.m., and not 6.40 a.m.; "tripled" is not three."""
    same = numeral.value == other.value
    if numeral.kind is not NumeralKind.TIME or other.kind is not NumeralKind.TIME:
        return same and (not MULTIPLIED.match(numeral.text) or _FACTOR.match(other.text) is not None)
    halves = _half_day(numeral), _half_day(other)
    if all(halves) or not any(halves):
        return same and halves[0] == halves[1]
    told, plain = (numeral, other) if halves[0] else (other, numeral)
    return plain.value in (told.value, told.value % 12 + 12 * ("p" in halves))


def _half_day(numeral: Numeral) -> str:
    match = _HALF_DAY.search(numeral.text)
    return match[1].lower() if match else ""


def alike(numeral: Numeral, other: Numeral) -> bool:
    """Whether two numbers may tell of the same thing: kinds that are taken for each other, no other unit."""
    if looks_like_year(numeral) != looks_like_year(other) or are_pounds(numeral, other):
        return looks_like_year(numeral) == looks_like_year(other)
    unlike = numeral.value == other.value and not _is_equal(numeral, other)
    if unlike or (numeral.unit and other.unit and numeral.unit != other.unit):
        return False
    return numeral.kind is other.kind or {numeral.kind, other.kind} <= COUNTED


def is_unpriced(numeral: Numeral, other: Numeral) -> bool:
    """Whether one may be the other without its currency: "12.5 million for schools" and "€12.5 million"."""
    plain = numeral.kind is NumeralKind.COUNT and not numeral.counted
    return plain and other.kind is NumeralKind.MONEY and numeral.value >= _SUM


def are_pounds(numeral: Numeral, other: Numeral) -> bool:
    """Whether one is money and the other a weight that may be meant for it: £90M and "90 million pounds"."""
    return {numeral.unit, other.unit} == _POUNDS


def around(words: Sequence[Word], at: int, reach: int) -> tuple[tuple[int, Word], ...]:
    """The words around a place in a text, nearest first, with their distances in words."""
    place = next((k for k, word in enumerate(words) if word.start >= at), len(words))
    distances = ((abs(k - place), word) for k, word in enumerate(words) if k != place)
    return tuple(sorted((pair for pair in distances if pair[0] <= reach), key=lambda pair: pair[0]))


def question_of(claim: Claim) -> ClaimQuestion | None:
    """The headline with its number and the sentences of its sources; None where the article has none."""
    place, article = claim.place, claim.article
    alone = claim.source is not None and (claim.equal or claim.rounded or len(place.sources) <= 1)
    rows = (claim.source,) if alone and claim.source is not None else place.sources[:MOST_SOURCES]
    if not rows:
        return None
    sentences = [article.text[slice(*sentence)] for sentence in article.sentences]
    spans: dict[int, list[Span]] = {}
    for row in sorted(rows):
        numeral, at = article.numerals[row], article.places[row]
        start, end = article.sentences[at]
        inside = (max(0, numeral.start - start), max(0, min(numeral.end, end) - start))
        spans.setdefault(at, []).append(inside)
    before, after = min(spans) - 1, max(spans) + 1
    said, free = beginnings(claim.headline), {*range(len(sentences))} - {*spans, before, after}
    shared = {at: len(said & beginnings(sentences[at])) for at in sorted(free)}
    beside = max(shared, key=lambda at: shared[at], default=0)
    own = tuple((sentences[at], tuple(dict.fromkeys(some))) for at, some in spans.items())
    around_them = (sentences[before] if before >= 0 else "", "".join(sentences[after : after + 1]))
    beside_them = sentences[beside] if shared.get(beside) else ""
    number = place.numeral
    return ClaimQuestion(claim.headline, number.start, number.end, own, *around_them, beside_them)


def unanimous(findings: Iterable[T]) -> T | None:
    """The first of some findings, of which none is empty; None where one is, or there are none."""
    listed = list(findings)
    return listed[0] if listed and all(listed) else None


def beginnings(text: str) -> set[str]:
    """The first five letters of the longer words of a text, which its forms share."""
    return {word[:5] for word in _STEM.findall(text.lower())}
