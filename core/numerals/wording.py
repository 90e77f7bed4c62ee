"""Numbers that say how well each numeral of an article fits a place of a headline, by words around it."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Any, Final

import numpy as np

from core.arrays import BoolArray, FloatArray, IntArray
from core.numerals.derivations.features import ArticleTable, agreement, clash, table_of
from core.numerals.derivations.operands import KINDS
from core.numerals.derivations.slots import MARKS, asked_of, marks_of, slot_of
from core.numerals.question import AT_ONCE, NumeralQuestion, ReadArticle
from core.text.numerals.languages import language_of
from core.text.numerals.numeral import Approximation, Numeral, NumeralKind
from core.text.numerals.read import read_numerals
from core.text.stems import SHORTEST_STEMMED, stemmer
from core.text.tokens import STOP_WORDS, word_list

MOST_WORDS: Final = 6_000
"""Words of an article's beginning that are looked at; a news article has a few hundred."""
_WORD: Final = re.compile(r"[^\W_]+")
WINDOWS: Final = (2, 5, 12)  # words to either side of a numeral in which the headline's words are looked for
FAR: Final = 60.0  # a headline's word that the article lacks is taken to stand so many words away
_OVERLAP: Final = (
    *(f"{which}_within_{window}" for which in ("all", "near") for window in WINDOWS),
    *("all_kernel", "near_kernel", "all_sentence", "near_sentence", "all_around"),
)
_RANKED: Final = ("all_kernel", "near_kernel", "all_sentence")
_ORDER: Final = tuple(f"{name}_{how}" for name in _RANKED for how in ("rank", "behind"))
_NEIGHBOURS: Final = word_list(
    "next_same next_two_same previous_same next_within previous_within counted after_counted"
)
_FIT: Final = word_list(
    "kind unit factor in_reach percent_clash money_clash ordinal_clash age_clash name_clash span "
    "elsewhere approximate both_approximate"
)
_CLASHING: Final = tuple(map(NumeralKind, ("percent", "money", "ordinal", "age", "name")))
_OWN: Final[dict[str, Callable[[ArticleTable, Sequence[Numeral]], Any]]] = {
    "dateline": lambda table, given: table.dateline,
    "sentence": lambda table, given: table.behind,
    "start": lambda table, given: table.starts,
    "number": lambda table, given: np.arange(len(given)) - table.dateline.sum(),
    "standing": lambda table, given: table.standing,
    "size": lambda table, given: np.log10(np.clip(np.abs(table.values), 1e-6, 1e18)),
    "whole": lambda table, given: [numeral.value.denominator == 1 for numeral in given],
    "year": lambda table, given: table.years,
    "words": lambda table, given: table.words,
    "mixed": lambda table, given: [numeral.factor != 1 for numeral in given],
    "decimals": lambda table, given: [numeral.decimals for numeral in given],
    "bound": lambda table, given: table.bounds,
    "thousands": lambda table, given: [
        n.factor == n.amount.denominator == 1 and n.amount >= 1000 for n in given
    ],
    "same_kind": lambda table, given: (table.kinds[:, None] == table.kinds).sum(axis=1),
    "first_of_kind": lambda table, given: np.tril(table.kinds[:, None] == table.kinds, -1).sum(axis=1),
    "numerals": lambda table, given: np.full(len(given), len(given)),
    "is_small": lambda table, given: table.values <= 12,
}
_OWN_KINDS: Final = tuple(f"is_{kind.value}" for kind in NumeralKind)
ASKED: Final = (
    *(f"asked_{kind.value}" for kind in NumeralKind),
    *("asked_factor", *MARKS),
    *("asked_approximate", "asked_counted", "asked_at_start", "asked_words"),
)
NAMES: Final[tuple[str, ...]] = (*_OVERLAP, *_ORDER, *_NEIGHBOURS, *_FIT, *_OWN, *_OWN_KINDS, *ASKED)
"""Names of the columns of `wording_of`, in order."""


@dataclass(frozen=True, slots=True, eq=False)
class StemmedWords:
    stems: tuple[str, ...]  # the stem of each in lower case
    starts: IntArray  # where each begins, int64 [t]
    content: BoolArray  # whether it is neither a function word nor a number, bool [t]


def words_of(text: str, language: str) -> StemmedWords:
    matches = list(islice(_WORD.finditer(text), MOST_WORDS))
    stops, stem = STOP_WORDS.get(language, STOP_WORDS["en"]), stemmer(language)
    plain = [match.group().casefold() for match in matches]
    content = [word not in stops and word[0].isalpha() and len(word) > 1 for word in plain]
    return StemmedWords(
        tuple(stem(word) if stem and len(word) >= SHORTEST_STEMMED else word for word in plain),
        np.array([match.start() for match in matches], dtype=np.int64),
        np.array(content, np.bool_),
    )


def wording_of(question: NumeralQuestion) -> FloatArray:
    """Features of the article's numerals, float64 [n, f] by `NAMES`, whatever stands at the place."""
    count = len(question.article.numerals)
    if not count:
        return np.zeros((0, len(NAMES)))
    overlap, asked = _overlaps(question), np.tile(asked_row(question), (count, 1))
    own = (_neighbours(question), _fit(question), _own(question.article), asked)
    return np.concatenate([overlap, _ordered(overlap), *own], axis=1)


@dataclass(frozen=True, slots=True, eq=False)
class _Text:
    words: StemmedWords
    at: dict[str, list[int]]
    first: IntArray
    last: IntArray
    sentences: IntArray


@lru_cache(maxsize=AT_ONCE)
def _text_of(article: ReadArticle) -> _Text:
    words = words_of(article.text, article.language)
    at: dict[str, list[int]] = {}
    for place, stem in enumerate(words.stems):
        at.setdefault(stem, []).append(place)
    ends = np.array([end for _, end in article.sentences], dtype=np.int64)
    return _Text(
        words,
        at,
        np.searchsorted(words.starts, [numeral.number_start for numeral in article.numerals]),
        np.searchsorted(words.starts, [numeral.end for numeral in article.numerals]),
        np.searchsorted(ends, words.starts, side="right"),
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Head:
    stems: tuple[str, ...]
    weights: FloatArray
    near: FloatArray
    after: tuple[str, str]
    before: str
    numbers: frozenset[float]


@lru_cache(maxsize=4 * AT_ONCE)
def _head_of(question: NumeralQuestion) -> _Head:
    language = language_of(question.masked, doubtful=question.article.language)
    text = _text_of(question.article)
    before = words_of(question.headline[: question.start], language)
    asked = asked_of(question)
    cut = question.end + max(0, asked.end - asked.number_end)
    after = words_of(question.headline[cut:], language)
    stems: dict[str, int] = {}
    for words, reach in ((after, range(1, len(after.stems) + 1)), (before, range(len(before.stems), 0, -1))):
        for stem, content, distance in zip(words.stems, words.content.tolist(), reach, strict=True):
            if content:
                stems[stem] = min(distance, stems.get(stem, distance))
    counts = np.array([len(text.at.get(stem, ())) for stem in stems], dtype=np.float64)
    weights = 1.0 / (1.0 + np.log1p(counts))
    distances = np.array([*stems.values()], dtype=np.float64)
    masked = question.holding(" " * (question.end - question.start))
    others = frozenset(
        float(numeral.value) for numeral in read_numerals(masked, language=language) if numeral.value < 10**15
    )
    following = (*after.stems[:2], "", "")
    near, last = weights * np.exp(-(distances - 1) / 3), before.stems[-1] if before.stems else ""
    return _Head(tuple(stems), weights, near, (following[0], following[1]), last, others)


def _overlaps(question: NumeralQuestion) -> FloatArray:
    text, head = _text_of(question.article), _head_of(question)
    places = np.array(question.article.places, dtype=np.int64)
    distances = np.full((len(head.stems), len(places)), FAR)
    inside, around = np.zeros((2, *distances.shape), dtype=np.bool_)
    for row, stem in enumerate(head.stems):
        positions = text.at.get(stem)
        if positions is None:
            continue
        at = np.array(positions)[:, None]
        apart = np.where(at < text.first, text.first - at, np.maximum(at - text.last + 1, 1))
        distances[row] = np.minimum(apart.min(axis=0), FAR)
        sentences = np.abs(text.sentences[at] - places)
        inside[row] = (sentences == 0).any(axis=0)
        around[row] = (sentences <= 1).any(axis=0)
    both, kernel = (head.weights, head.near), np.exp(-distances / 6)
    weighed = [(weights, distances <= window) for weights in both for window in WINDOWS]
    weighed += [(weights, which) for which in (kernel, inside) for weights in both]
    weighed.append((head.weights, around))
    return np.column_stack([weights @ which / max(weights.sum(), 1e-9) for weights, which in weighed])


def _ordered(overlap: FloatArray) -> FloatArray:
    columns = []
    for name in _RANKED:
        column = overlap[:, _OVERLAP.index(name)]
        columns += [(column[None, :] > column[:, None]).sum(axis=1), column.max() - column]
    return np.column_stack(columns).astype(np.float64)


def _neighbours(question: NumeralQuestion) -> FloatArray:
    text, head, asked = _text_of(question.article), _head_of(question), asked_of(question)
    stems = (*text.words.stems, "", "", "", "", "")
    rows = []
    place, (after, _), before = slot_of(question), head.after, head.before
    places = zip(text.first.tolist(), text.last.tolist(), strict=True)
    for numeral, (first, last) in zip(question.article.numerals, places, strict=True):
        following, leading = stems[last : last + 4], stems[max(first - 4, 0) : first]
        behind = after != "" and (following[0] == after, following[:2] == head.after, after in following)
        ahead = before != "" and (leading[-1:] == (before,), before in leading)
        (next_one, next_two, near), (last_one, close) = behind or (0, 0, 0), ahead or (0, 0)
        counted = (agreement(asked.counted, numeral.counted), agreement(place.after, numeral.counted))
        rows.append((next_one, next_two, last_one, near, close, *counted))
    return np.array(rows, dtype=np.float64)


def _fit(question: NumeralQuestion) -> FloatArray:
    table, asked, place = table_of(question.article), asked_of(question), slot_of(question)
    head, given = _head_of(question), question.article.numerals
    with np.errstate(over="ignore"):
        reach = table.values / float(place.factor)
    unit = [numeral.unit == asked.unit for numeral in given]
    factor = [numeral.factor == place.factor for numeral in given]
    span = [place.span != "" and numeral.unit == place.span for numeral in given]
    clashes = (clash(table, asked, kind) for kind in _CLASHING)
    elsewhere = [value in head.numbers for value in table.values.tolist()]
    hedged = table.approximations > 0
    both = hedged & (asked.approximation is not Approximation.EXACT)
    fits = (table.kinds == KINDS.index(asked.kind), unit, factor, (reach >= 0.5) & (reach < 1000))
    return np.column_stack([*fits, *clashes, span, elsewhere, hedged, both]).astype(np.float64)


@lru_cache(maxsize=AT_ONCE)
def _own(article: ReadArticle) -> FloatArray:
    table, given = table_of(article), article.numerals
    own = np.column_stack([column(table, given) for column in _OWN.values()])
    kinds = table.kinds[:, None] == np.arange(len(KINDS))
    return np.concatenate([own, kinds], axis=1).astype(np.float64)


def asked_row(question: NumeralQuestion) -> FloatArray:
    """What the place asks for, float64 with an entry for each of `ASKED`."""
    asked, place = asked_of(question), slot_of(question)
    kinds = (kind is asked.kind for kind in NumeralKind)
    said = (asked.approximation is not Approximation.EXACT, asked.counted != "", question.start == 0)
    words = len(question.headline.split())
    return np.array([*kinds, np.log10(float(place.factor)), *marks_of(place), *said, words], dtype=np.float64)
