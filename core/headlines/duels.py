"""Articles as a reader goes through them: systems blind, by a measure or words, with what differs marked."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, combinations
from string import ascii_uppercase
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray
from core.data.articles.articles import Articles
from core.data.articles.outputs import Outputs
from core.headlines.comparison.comparison import Comparison
from core.runtime import Runtime
from core.text.differences import compare_readings, read
from core.text.marks import MarkKind, TextMark
from core.text.numerals.quantities import conflict, read_quantities, same
from core.text.support import Trace, names_of, read_evidence, read_source, trace

HIDDEN: Final = "hidden"
MEAN: Final = "mean"
SPREAD: Final = "spread"
"""How the values of several systems become one value an article; the name of a system is the third way."""
_ADDED = frozenset({MarkKind.ADDED_WORD, MarkKind.ADDED_NAME, MarkKind.ADDED_NUMBER})
_AGAINST = frozenset({MarkKind.CONFLICTING_NUMBER, MarkKind.OPPOSED})


def shuffled(systems: Sequence[str], article: str, *, seed: int = 0) -> list[int]:
    """Places of the systems as an article shows them, drawn by names, article and seed alone."""

    def drawn(place: int) -> bytes:
        return hashlib.sha256(f"{seed}\x1f{article}\x1f{systems[place]}".encode()).digest()

    return sorted(range(len(systems)), key=drawn)


def letter(place: int) -> str:
    """A, B, … Z, then AA, AB, … for places from 0."""
    before, last = divmod(place, len(ascii_uppercase))
    return (letter(before - 1) if before else "") + ascii_uppercase[last]


def blinded(outputs: Sequence[Outputs], *, seed: int = 0) -> list[Outputs]:
    """The systems in a drawn order as "System 1", "System 2", …, without source or published scores."""
    order = shuffled([output.system for output in outputs], "", seed=seed)
    return [
        replace(outputs[place], system=f"System {number}", source=HIDDEN, published={})
        for number, place in enumerate(order, 1)
    ]


def blinded_comparison(comparison: Comparison, *, seed: int = 0) -> Comparison:
    """The same comparison with its systems `blinded`; nothing is scored again."""
    order = np.array(shuffled(comparison.systems, "", seed=seed), dtype=np.int64)
    return replace(
        comparison,
        outputs=tuple(blinded(comparison.outputs, seed=seed)),
        measured=tuple(
            replace(
                measured,
                statistics=measured.statistics[order],
                scores=measured.scores[order],
                values=measured.values[order],
                resampled=measured.resampled[:, order],
            )
            for measured in comparison.measured
        ),
        fingerprint=hashlib.sha256(f"blind {seed} {comparison.fingerprint}".encode()).hexdigest()[:16],
    )


@dataclass(frozen=True, slots=True, eq=False)
class ArticleMeasure:
    key: str  # unique name
    label: str  # for people
    # float64 [s, n], or [1, n] where it says nothing about a single system; NaN where undefined
    values: FloatArray

    def of(self, which: str, systems: Sequence[str]) -> FloatArray:
        """One value an article, float64 [n]."""
        if which in systems and len(self.values) == len(systems):
            return np.asarray(self.values[list(systems).index(which)])
        known = ~np.isnan(self.values)
        some = known.any(axis=0)
        if which == SPREAD:
            high = np.where(known, self.values, -np.inf).max(axis=0)
            low = np.where(known, self.values, np.inf).min(axis=0)
            return np.where(some, high - np.where(some, low, 0.0), np.nan)
        total = np.where(known, self.values, 0.0).sum(axis=0)
        return np.where(some, total / np.maximum(known.sum(axis=0), 1), np.nan)


def haystack(articles: Articles, outputs: Sequence[Outputs]) -> tuple[str, ...]:
    """What a search looks through, one text an article: id, headlines and the article, case-folded."""
    lines = zip(*(output.headlines for output in outputs), strict=True) if outputs else [()] * len(articles)
    return tuple(
        "\n".join([id_, *references, *headlines, text]).casefold()
        for id_, references, headlines, text in zip(
            articles.ids, articles.references, lines, articles.texts, strict=True
        )
    )


def hits(hay: Sequence[str], search: str) -> npt.NDArray[np.bool_]:
    """Where all words of a search stand, as parts of words, bool [n]; everywhere for an empty search."""
    needles = search.casefold().split()
    return np.fromiter((all(needle in text for needle in needles) for text in hay), np.bool_, len(hay))


@lru_cache(maxsize=4_096)
def own_marks(texts: tuple[str, ...]) -> tuple[tuple[TextMark, ...], ...]:
    """For each headline: what no other one has, and what disagrees with any other one."""
    readings = {place: read(text) for place, text in enumerate(texts) if text}
    marks: list[list[tuple[TextMark, ...]]] = [[] for _ in texts]
    for left, right in combinations(readings, 2):
        differences = compare_readings(readings[left], readings[right])
        marks[left].append(differences.left_marks)
        marks[right].append(differences.right_marks)
    return tuple(map(_joined, marks))


@lru_cache(maxsize=4_096)
def marks_against(
    reference: str, texts: tuple[str, ...], article: str = ""
) -> tuple[tuple[TextMark, ...], ...]:
    """For each headline: what the reference has not, and what disagrees with it."""
    original, numbers = read(reference), read_quantities(article)

    def checked(mark: TextMark, text: str) -> TextMark:
        if mark.kind is not MarkKind.CONFLICTING_NUMBER:
            return mark
        own = [number for number in read(text).numbers if mark.start <= number.start < mark.end]
        right = all(
            any(same(quantity, other) for other in numbers)
            and not any(conflict(quantity, other) for other in numbers)
            for quantity in own
        )
        return replace(mark, kind=MarkKind.ADDED_NUMBER) if own and right else mark

    return tuple(
        tuple(checked(mark, text) for mark in _joined([compare_readings(original, read(text)).right_marks]))
        if text
        else ()
        for text in texts
    )


def _joined(compared: list[tuple[TextMark, ...]]) -> tuple[TextMark, ...]:
    by_span: dict[tuple[int, int], list[MarkKind]] = {}
    for mark in chain.from_iterable(compared):
        by_span.setdefault((mark.start, mark.end), []).append(mark.kind)
    joined: list[TextMark] = []
    for (start, end), kinds in sorted(by_span.items()):
        against = next((kind for kind in kinds if kind in _AGAINST), None)
        added = len(kinds) == len(compared) and all(kind in _ADDED for kind in kinds)
        kind = against or (kinds[0] if added else None)
        if kind is not None and (not joined or start >= joined[-1].end):
            joined.append(TextMark(start, end, kind))
    return tuple(joined)


class Traced(NamedTuple):
    """s systems on n articles."""

    names: frozenset[str]  # normal forms of the names in all articles
    unsupported: FloatArray  # names and numbers of headlines that their articles lack, [s, n]; NaN if unread


def traced(articles: Articles, outputs: Sequence[Outputs], runtime: Runtime) -> Traced:
    """Holds every headline against its article."""
    names = names_of(read_source(text) for text in runtime.track(articles.texts, "Reading names"))
    unsupported = np.full((len(outputs), len(articles)), np.nan)
    for row, text in enumerate(runtime.track(articles.texts, "Comparing headlines with their articles")):
        if text.strip():
            for place, held in enumerate(traces(text, [output.headlines[row] for output in outputs], names)):
                if held.coverage is not None:
                    unsupported[place, row] = len(held.names) + len(held.numbers)
    return Traced(names, unsupported)


def traces(text: str, headlines: Sequence[str], names: frozenset[str]) -> list[Trace]:
    evidence = read_evidence(read_source(text))
    return [trace(headline, evidence, known=names) for headline in headlines]
