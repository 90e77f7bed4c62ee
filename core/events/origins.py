"""Which reports of an event are one origin: one agency's, one text, one edited article; the evidence."""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, pairwise, product
from typing import Any, Final

import numpy as np

from core.arrays import FloatArray
from core.data.timelines.addresses import NOWHERE
from core.data.timelines.duplicates import components
from core.data.timelines.editions import Editions
from core.events.agencies import by_agency
from core.events.stated_days import WEEKDAYS
from core.files import read_tables
from core.text.desk_marks import label_end
from core.text.facts import VERB, read_facts
from core.text.normalise import comparison_key
from core.text.numerals.language_tables import language_tables
from core.text.numerals.languages import language_of
from core.text.reading import reads
from core.text.tokens import NEGATIONS, STOP_WORDS, word_list

ALIKE: Final = 0.75
"""How alike one text's headlines are, 0 to 1; chosen, with `_LETTERS`, on half of `benchmarks origins`."""
_LETTERS: Final = 0.3  # share of equal letters in that measure; the rest is that of equal words
BODIES_ALIKE: Final = 0.5  # share of two articles' runs of `_RUN` words that both have
_LIKELY: Final = 0.6  # share of the shorter headline's words that both have, for a closer look
_RUN: Final = 5
_REVISED_SHARE: Final = 0.8  # of the words of two headlines of one outlet: that both have, numbers apart
_FEWEST: Final = 3  # such words
_MOST: Final = 600  # reports of one event that are compared with each other
_NUMBERS: Final = re.compile(r"(?!(?:19|20)\d\d\b)\b\d+")  # no years
_ELLIPSIS: Final = re.compile(r"\s*(?:…|\.\.\.)$")
_TAIL: Final = re.compile(
    r"\s[-–—|*]\s+(?:(?:[^\W\d_a-zà-ÿа-я][\w.]*|d[aeio]s?|of|the|(?<=\w )\d+|\d\d?/\d\d?/\d{4})"
    r"(?:\s|$)){1,5}$"
)  # "- Diário do Grande ABC", "| Sport 365", "- 22/07/2021"
_TAILS, _BEFORE_TAIL = 3, 5  # tails at most, and words in front of them at least
_WEEKDAYS_AND_DENIALS: Final = NEGATIONS.union(
    word_list(read_tables(__file__)["denials"]), *WEEKDAYS.values()
)

Pair = tuple[int, int]  # places of two reports among the rows that are compared, the earlier one first


@dataclass(frozen=True, slots=True)
class Copy:
    row: int
    of: int  # the first report of the same origin
    beside: int  # the report of that origin with which it shares what `why` says
    why: str  # a few words: "the same words", "92 % of the wording is the same"


def origins(
    texts: Sequence[str], rows: Sequence[int], *, bodies: Sequence[str] = (),
    copies: Sequence[Sequence[int]] = (), outlets: Sequence[str | None] = (), links: Sequence[str] = (),
    editions: Editions | None = None, days: Sequence[float] | FloatArray = (),
) -> tuple[Copy, ...]:  # fmt: skip
    """The reports among `rows`, by time, that are of the same text, article or agency as an earlier one."""
    rows = list(rows)[:_MOST]
    bare = [_bare(texts[row]) for row in rows]
    keys = list(map(comparison_key, bare))
    edited = {} if editions is None else _edited(texts, rows, outlets, editions, days)
    certain = edited | _same_words(rows, keys, copies)
    certain |= _of_bodies([bodies[row] if bodies else "" for row in rows])
    likely = _wording_shares(keys, bare, [_ELLIPSIS.search(texts[row]) is not None for row in rows])
    agencies = by_agency(texts, rows, bodies, outlets, links)
    credits = {pair: f"both come from {name}" for name, of in agencies.items() for pair in pairwise(of)}
    why = {pair: f"{share:.0%} of the wording is the same" for pair, share in likely.items()}
    roots = components(len(rows), [*enumerate(_joined(len(rows), certain, likely)), *credits]).tolist()
    return _copies(rows, roots, why | credits | certain)


def _same_words(rows: Sequence[int], keys: Sequence[str], copies: Sequence[Sequence[int]]) -> dict[Pair, str]:
    place, same = {row: at for at, row in enumerate(rows)}, {}
    for report in copies:
        first, *others = [place[row] for row in report if row in place] or [0]
        for a, b in (sorted((first, other)) for other in others):
            same[a, b] = "the same words" if keys[a] == keys[b] else "the same words but for spelling"
    for equal in _places_by_key(keys).values():
        same |= dict.fromkeys(pairwise(equal), "the same words")
    return same


def _copies(rows: Sequence[int], roots: Sequence[int], why: Mapping[Pair, str]) -> tuple[Copy, ...]:
    copies = []
    for at, root in enumerate(roots):
        if root != at:
            pair = (root, at) if (root, at) in why else next(pair for pair in why if at in pair)
            beside = pair[0] if pair[1] == at else pair[1]
            copies.append(Copy(rows[at], rows[root], rows[beside], why[pair]))
    return tuple(copies)


def _joined(count: int, certain: Mapping[Pair, str], likely: Mapping[Pair, float]) -> list[int]:
    """The first report of each one's text; texts join where at least half of their pairs are alike."""
    roots: list[int] = components(count, certain).tolist()
    members = _places_by_key(roots)
    for a, b in sorted(likely, key=lambda pair: -likely[pair]):
        left, right = sorted((roots[a], roots[b]))
        if left == right:
            continue
        pairs = list(product(members[left], members[right]))
        if 2 * sum((min(pair), max(pair)) in likely for pair in pairs) >= len(pairs):
            members[left] += members.pop(right)
            for at in members[left]:
                roots[at] = left
    return roots


def _places_by_key(keys: Sequence[Any]) -> dict[Any, list[int]]:
    places: dict[Any, list[int]] = {}
    for at, key in enumerate(keys):
        places.setdefault(key, []).append(at)
    return places


def _unnumbered(text: str) -> frozenset[str]:
    cardinals = language_tables(code := language_of(text)).cardinals
    left_out = STOP_WORDS.get(code, frozenset()) | cardinals.keys()
    return frozenset(word for word in comparison_key(text).split() if word not in left_out and word.isalpha())


def _edited(
    texts: Sequence[str], rows: Sequence[int], outlets: Sequence[str | None], editions: Editions,
    days: Sequence[float] | FloatArray,
) -> dict[Pair, str]:  # fmt: skip
    words, edited = [_unnumbered(texts[row]) for row in rows], {}
    by_outlet = _places_by_key([outlets[row] if outlets else None for row in rows])
    for a, b in chain.from_iterable(combinations(own, 2) for name, own in by_outlet.items() if name):
        shared, apart = words[a] & words[b], words[a] ^ words[b]
        if len(shared) < max(_FEWEST, _REVISED_SHARE * (len(shared) + len(apart))):
            continue
        addresses = {editions.addresses[rows[a]], editions.addresses[rows[b]]} - {NOWHERE}
        near = abs(days[rows[a]] - days[rows[b]]) < 1 and len(addresses) < 2  # else two articles
        if near and not apart & _WEEKDAYS_AND_DENIALS:
            edited[a, b] = "the same outlet's words within a day, numbers apart"
    for article in _places_by_key([editions.article[row] for row in rows]).values():
        edited |= dict.fromkeys(pairwise(article), "one address, edited")
    return edited


@reads("wording", str)
def _bare(text: str) -> str:
    text = _ELLIPSIS.sub("", text[label_end(text) :]) or text
    for _ in range(_TAILS):
        tail = _TAIL.search(text)
        if tail and len(text[: tail.start()].split()) >= _BEFORE_TAIL:
            text = text[: tail.start()]
    return text


def _wording_shares(keys: Sequence[str], texts: Sequence[str], cut: Sequence[bool]) -> dict[Pair, float]:
    """How alike two headlines are that are one text: words in the same order, the rarer the more."""
    from rapidfuzz.distance import Indel

    words = [key.split() or [""] for key in keys]  # nothing is left of "’"
    counts = Counter(word for key in set(map(tuple, words)) for word in set(key))
    weights = {word: math.log1p(len(set(keys)) / count) for word, count in counts.items()}
    shares = {}
    for a, b in _candidate_pairs(words, weights):
        left = words[a][: len(words[b])] if cut[b] else words[a]
        right = words[b][: len(words[a])] if cut[a] else words[b]
        shared = _in_order(left, right, weights)
        share = 2 * shared / sum(weights[word] for word in (*left, *right))
        letters = Indel.normalized_similarity(" ".join(left), " ".join(right))
        share += _LETTERS * (letters - share)
        if share >= ALIKE and not (_differ_in_substance(left, right) or _disagree(texts[a], texts[b])):
            shares[a, b] = share
    return shares


def _candidate_pairs(words: Sequence[Sequence[str]], weights: Mapping[str, float]) -> list[Pair]:
    place = {word: at for at, word in enumerate(weights)}
    has = np.zeros((len(words), len(weights)), dtype=np.float32)
    for at, own in enumerate(words):
        has[at, [place[word] for word in own]] = 1
    common = (has * np.array(list(weights.values()), dtype=np.float32)) @ has.T
    least = np.minimum.outer(common.diagonal(), common.diagonal())
    return [(a, b) for a, b in np.argwhere(np.triu(common >= _LIKELY * least, 1)).tolist()]


def _in_order(left: Sequence[str], right: Sequence[str], weights: Mapping[str, float]) -> float:
    """The weight of the words that both have in the same order (longest common subsequence)."""
    before = [0.0] * (len(right) + 1)
    for word in left:
        row = [0.0]
        for at, other in enumerate(right):
            joined = before[at] + weights[word] if word == other else 0.0
            row.append(max(before[at + 1], row[-1], joined))
        before = row
    return before[-1]


def _of_bodies(bodies: Sequence[str]) -> dict[Pair, str]:
    runs = {at: run for at, body in enumerate(bodies) if (run := _runs(body))}
    shares = {(a, b): len(runs[a] & runs[b]) / len(runs[a] | runs[b]) for a, b in combinations(runs, 2)}
    same = f"of the article's runs of {_RUN} words are the same"
    return {pair: f"{share:.0%} {same}" for pair, share in shares.items() if share >= BODIES_ALIKE}


def _runs(body: str) -> frozenset[tuple[str, ...]]:
    words = comparison_key(body).split()
    return frozenset(zip(*(words[at:] for at in range(_RUN)), strict=False))


def _differ_in_substance(left: Sequence[str], right: Sequence[str]) -> bool:
    """Whether two headlines have other numbers, or one alone has a weekday or a denial."""
    if sorted(_NUMBERS.findall(" ".join(left))) != sorted(_NUMBERS.findall(" ".join(right))):
        return True
    own, other = set(left) - set(right), set(right) - set(left)
    tables = language_tables(language_of(" ".join(left)))
    values = [{tables.cardinals.get(word, 1) for word in words} - {1} for words in (own, other)]
    scales = [{tables.scales[word] for word in words if word in tables.scales} for words in (own, other)]
    telling = bool((own | other) & _WEEKDAYS_AND_DENIALS) or values[0] != values[1]
    return telling or (all(scales) and scales[0] != scales[1])


def _disagree(left: str, right: str) -> bool:
    """Whether both state a number of one thing, each another: "from 15 to 21 dead", "from 21 to 15"."""
    own, other = ([fact for fact in read_facts(text) if fact.column != VERB] for text in (left, right))
    agreed = {x.column for x, y in product(own, other) if x.column == y.column and x.same(y)}
    return not {x.column for x in own} & {y.column for y in other} <= agreed
