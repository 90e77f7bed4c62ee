"""Headlines that are copies of one another: word for word, or syndicated with small changes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum

import numpy as np
import numpy.typing as npt

from core.data.timelines.timeline import Timeline
from core.text.normalise import clean_line, comparison_key

SIMILARITY = 95.0  # percent; below it, tests on UCI headlines begin to join different events
NEIGHBOURS = 8  # how far copies may stand apart in sorted order
SHORTEST = 24  # characters; shorter texts are near copies only when their keys are equal
_PREFIX = re.compile(
    r"^(?:(?:update\s*\d*|wrapup\s*\d*|refile|rpt|corrected|correction|breaking(?:\s+news)?|exclusive|video|"
    r"watch|обновлено|видео|срочно|ultim'?ora)\s*[-:–—|]\s*|\((?:update|updated|lead)\s*\d*\)\s*|"
    r"\[[^\]]{1,20}\]\s*)+",
    re.IGNORECASE,
)
_TRAILER = re.compile(r"\s*\((?:update|updated|lead|video|photos?|live|\d)\s*\d*\)\s*$", re.IGNORECASE)
_PUBLISHER = re.compile(r"\s+(?:[-–—|·:]{1,2})\s+(?P<name>[^-–—|·:]{2,40})$")
_CUT = re.compile(r"\s*(?:…|\.\.\.)$")
_HEDGES = "may might could not no never without isnt wont cannot non mai senza не нет без никогда"
_NEGATIONS = frozenset(_HEDGES.split())
_DIGITS = re.compile(r"\d+")


class Kind(IntEnum):
    """What makes a headline a copy."""

    FIRST = 0
    EXACT = 1
    NEAR = 2


@dataclass(frozen=True, slots=True)
class Duplicates:
    """Which headline each is a copy of.

    Attributes:
        duplicate_of: int64 [n]; row of the first copy, or the row itself.
        kind: int8 [n] of `Kind`: FIRST where `duplicate_of` is the row itself.
    """

    duplicate_of: npt.NDArray[np.int64]
    kind: npt.NDArray[np.int8]

    @property
    def exact(self) -> int:
        """How many headlines repeat an earlier one word for word."""
        return int((self.kind == Kind.EXACT).sum())

    @property
    def near(self) -> int:
        """How many headlines repeat an earlier one with small changes."""
        return int((self.kind == Kind.NEAR).sum())


@dataclass(frozen=True, slots=True)
class Folded:
    """A timeline without its copies, and the way back.

    Attributes:
        timeline: The first copies alone, in input order.
        kept: int64 [m]; their rows in the full timeline.
        position: int64 [n]; for each row of the full timeline the row in the folded one, so that
            `labels[position]` spreads folded labels to all copies.
    """

    timeline: Timeline
    kept: npt.NDArray[np.int64]
    position: npt.NDArray[np.int64]


def find_duplicates(texts: Sequence[str], *, publishers: Sequence[str | None] | None = None) -> Duplicates:
    """Finds exact and near copies.

    Exact: equal after white space and Unicode form are evened out. Near: equal but for case,
    punctuation, a publisher's name at the end, "UPDATE 1-" or "(1)" around it; or cut short with an
    ellipsis; or at least 95 % equal in characters with the same numbers, negations and "may" or
    "could". Copies of copies count as copies of the first.

    Args:
        texts: Headlines.
        publishers: Publisher of each, so that any publisher's name at the end is known as one.

    Returns:
        Arrays as long as the texts.
    """
    count = len(texts)
    lines = [clean_line(text) for text in texts]
    exact = _joined_by_key(count, lines)
    firsts = np.flatnonzero(exact == np.arange(count))
    known = {comparison_key(name) for name in publishers or () if name}
    cores = [_core(lines[row], known) for row in firsts.tolist()]
    keys = [comparison_key(core) for core in cores]
    pairs = [*_equal(keys), *_truncated(cores, keys), *_similar(keys)]
    near = components(len(firsts), pairs)
    place = np.zeros(count, dtype=np.int64)
    place[firsts] = np.arange(len(firsts))
    duplicate_of = firsts[near[place[exact]]] if count else np.zeros(0, dtype=np.int64)
    rows = np.arange(count)
    kind = np.where(duplicate_of == rows, Kind.FIRST, np.where(exact == duplicate_of, Kind.EXACT, Kind.NEAR))
    return Duplicates(duplicate_of.astype(np.int64), kind.astype(np.int8))


def fold(timeline: Timeline, duplicates: Duplicates) -> Folded:
    """The timeline with each headline once."""
    kept = np.flatnonzero(duplicates.duplicate_of == np.arange(len(timeline)))
    place = np.full(len(timeline), -1, dtype=np.int64)
    place[kept] = np.arange(len(kept))
    return Folded(timeline.select(kept), kept, place[duplicates.duplicate_of])


def _joined_by_key(count: int, keys: Sequence[str]) -> npt.NDArray[np.int64]:
    first: dict[str, int] = {}
    return np.fromiter(
        (first.setdefault(key, row) for row, key in enumerate(keys)), dtype=np.int64, count=count
    )


def _core(text: str, publishers: set[str]) -> str:
    """The headline without what outlets put around it."""
    core = _TRAILER.sub("", _PREFIX.sub("", text))
    tail = _PUBLISHER.search(core)
    if tail and len(core) - len(tail[0]) >= SHORTEST and _is_publisher(tail["name"], publishers):
        core = core[: tail.start()]
    return core or text


def _is_publisher(name: str, publishers: set[str]) -> bool:
    # A known outlet, or a bare domain or one or two capitalised words: "Reuters", "Fox News", "bbc.co.uk".
    if comparison_key(name) in publishers or re.fullmatch(r"[\w-]+(\.[\w-]+)+", name):
        return True
    words = name.split()
    return len(words) <= 2 and all(word[0].isupper() for word in words) and not _DIGITS.search(name)


def _equal(keys: Sequence[str]) -> list[tuple[int, int]]:
    first = _joined_by_key(len(keys), keys).tolist()
    return [(row, other) for row, other in enumerate(first) if row != other]


def _truncated(cores: Sequence[str], keys: Sequence[str]) -> list[tuple[int, int]]:
    """Pairs of a headline that ends in an ellipsis and one that it is the beginning of."""
    order = sorted(range(len(keys)), key=keys.__getitem__)
    at = {row: i for i, row in enumerate(order)}
    pairs: list[tuple[int, int]] = []
    for row, core in enumerate(cores):
        if not _CUT.search(core) or len(keys[row]) < SHORTEST:
            continue
        for other in order[at[row] + 1 : at[row] + 1 + NEIGHBOURS]:
            if keys[other].startswith(keys[row]):
                pairs.append((row, other))
    return pairs


def _similar(keys: Sequence[str]) -> list[tuple[int, int]]:
    """Pairs that are alike in characters: compared are neighbours when sorted from either end."""
    from rapidfuzz import fuzz, process

    rows = [row for row, key in enumerate(keys) if len(key) >= SHORTEST]
    pairs: set[tuple[int, int]] = set()
    orders = (
        sorted(rows, key=lambda row: keys[row]),
        sorted(rows, key=lambda row: keys[row][::-1]),
        sorted(rows, key=lambda row: " ".join(sorted(keys[row].split(), key=lambda w: (-len(w), w)))),
    )
    for order in orders:
        texts = [keys[row] for row in order]
        for step in range(1, min(NEIGHBOURS, len(order) - 1) + 1):
            scores = process.cpdist(texts[:-step], texts[step:], scorer=fuzz.ratio, score_cutoff=SIMILARITY)
            for i in np.flatnonzero(scores).tolist():
                a, b = order[i], order[i + step]
                if _same_facts(keys[a], keys[b]):
                    pairs.add((a, b))
    return sorted(pairs)


def _same_facts(a: str, b: str) -> bool:
    """Whether numbers, negations and hedges agree; "5 dead" is no copy of "6 dead"."""
    if sorted(_DIGITS.findall(a)) != sorted(_DIGITS.findall(b)):
        return False
    return _NEGATIONS.isdisjoint(set(a.split()) ^ set(b.split()))


def components(count: int, pairs: Iterable[tuple[int, int]]) -> npt.NDArray[np.int64]:
    """The smallest row that each row is joined to, directly or through others.

    Args:
        count: How many rows there are.
        pairs: Rows that belong together.

    Returns:
        int64 [count]; a row without pairs has itself.
    """
    parent = list(range(count))

    def root(row: int) -> int:
        while parent[row] != row:
            parent[row] = parent[parent[row]]
            row = parent[row]
        return row

    for a, b in pairs:
        first, second = root(a), root(b)
        if first != second:
            parent[max(first, second)] = min(first, second)
    return np.array([root(row) for row in range(count)], dtype=np.int64)
