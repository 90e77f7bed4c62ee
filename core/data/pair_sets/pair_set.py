"""Labelled pairs of headlines, and the base of all sources of them."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from core.arrays import BoolArray, FloatArray, IntArray
from core.data.files import DataSource
from core.errors import InputError
from core.parts import Part
from core.registry import Registry

SAME, DIFFERENT, UNKNOWN = 1, 0, -1  # labels of a pair; 1 is the same event, as in HLGD's rows
pair_sources: Registry[PairSource] = Registry("pair set", "core.data.pair_sets")


def _nothing() -> IntArray:
    return np.empty(0, dtype=np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class PairSet:
    """Labelled pairs of headlines in timelines; a headline is of one part, and a pair never joins two."""

    name: str  # short name ("uci", "mrpc", …)
    texts: Sequence[str]  # the headlines (or sentences), n of them
    days: FloatArray  # publication time in days since 1970 UTC, float64 [n]; NaN where unknown
    timelines: IntArray  # number of the timeline of each headline, int64 [n], from 0
    parts: npt.NDArray[np.str_]  # part of each headline, str [n]
    groups: IntArray  # gold group, int64 [n], -1 for none; no number stands in two timelines
    # Rows of both headlines of each pair, int64 [m], in the order of the source; none before pairs are drawn.
    left: IntArray = field(default_factory=_nothing)
    right: IntArray = field(default_factory=_nothing)
    labels: IntArray = field(default_factory=_nothing)  # 1 same event, 0 different, -1 unknown, int64 [m]
    bodies: Sequence[str] = ()  # texts of the articles, "" where unknown; empty when there are none
    # Group number that each of k people gave, int64 [n, k], -1 for none; [0, 0] for no people.
    annotators: IntArray = field(default_factory=lambda: np.empty((0, 0), dtype=np.int64))
    tags: Sequence[tuple[str, ...]] = ()  # words on each pair (phenomena, a relation, …); empty for none

    def __len__(self) -> int:
        return len(self.labels)

    @property
    def pair_parts(self) -> npt.NDArray[np.str_]:
        return self.parts[self.left]

    @property
    def days_apart(self) -> FloatArray:
        """Whole days between the two headlines, float64 [m], 0 and more; NaN where a date is unknown."""
        days = np.floor(self.days)
        return np.asarray(np.abs(days[self.left] - days[self.right]), dtype=np.float64)

    @property
    def fingerprint(self) -> str:
        digest = hashlib.sha256()
        for text in (*self.texts, *self.bodies):
            digest.update(f"\x1f{text}".encode("utf-8", errors="surrogatepass"))
        for array in (self.days, self.timelines, self.left, self.right, self.labels, self.annotators):
            digest.update(np.ascontiguousarray(array).tobytes())
        digest.update("|".join(self.parts.tolist()).encode())
        return digest.hexdigest()[:16]

    def part(self, *wanted: Part) -> PairSet:
        """The pairs and headlines of some parts alone, in the same order."""
        return self.with_headlines(np.isin(self.parts, [part.value for part in wanted]))

    def with_headlines(self, mask: BoolArray) -> PairSet:
        """Only some headlines, and the pairs between them."""
        place = np.cumsum(mask) - 1
        rows = np.flatnonzero(mask)
        pairs = np.flatnonzero(mask[self.left] & mask[self.right])
        return replace(
            self,
            texts=[self.texts[row] for row in rows.tolist()],
            days=self.days[rows],
            timelines=self.timelines[rows],
            parts=self.parts[rows],
            groups=self.groups[rows],
            bodies=[self.bodies[row] for row in rows.tolist()] if self.bodies else (),
            annotators=self.annotators[rows] if len(self.annotators) else self.annotators,
            left=place[self.left[pairs]].astype(np.int64),
            right=place[self.right[pairs]].astype(np.int64),
            labels=self.labels[pairs],
            tags=[self.tags[pair] for pair in pairs.tolist()] if self.tags else (),
        )

    def with_pairs(self, chosen: BoolArray | IntArray) -> PairSet:
        """Only some pairs (a mask or places), over all headlines."""
        places = np.flatnonzero(chosen) if chosen.dtype == np.bool_ else chosen
        tags = [self.tags[pair] for pair in places.tolist()] if self.tags else ()
        left, right, labels = self.left[places], self.right[places], self.labels[places]
        return replace(self, left=left, right=right, labels=labels, tags=tags)


def check(pairs: PairSet) -> PairSet:
    n, m = len(pairs.texts), len(pairs.labels)
    if not len(pairs.days) == len(pairs.timelines) == len(pairs.parts) == len(pairs.groups) == n:
        message = f"The pair set {pairs.name} has columns of different lengths."
        raise InputError(message, hint="Read it again.")
    if not len(pairs.left) == len(pairs.right) == m:
        raise InputError(f"The pair set {pairs.name} has pairs without a label.", hint="Read it again.")
    if m and not np.isin(pairs.labels, (SAME, DIFFERENT, UNKNOWN)).all():
        hint = "1 is the same event, 0 a different one; leave the label empty where it is not known."
        raise InputError(f"The pair set {pairs.name} has labels other than 0 and 1.", hint=hint)
    for what, column in (("timelines", pairs.timelines), ("parts", pairs.parts)):
        if m and np.any(column[pairs.left] != column[pairs.right]):
            message = f"The pair set {pairs.name} has a pair that joins two {what}."
            raise InputError(message, hint="Give both headlines of a pair the same one.")
    return pairs


def concatenate(sets: Sequence[PairSet], *, name: str) -> PairSet:
    """Several pair sets as one; their timelines and groups stay apart."""
    rows = np.cumsum([0, *(len(dataset.texts) for dataset in sets)])[:-1]
    bodies = [text for dataset in sets for text in dataset.bodies or [""] * len(dataset.texts)]
    tags = [words for dataset in sets for words in dataset.tags or [()] * len(dataset)]
    k = max(dataset.annotators.shape[1] for dataset in sets)
    annotators = [
        np.pad(dataset.annotators, ((0, 0), (0, k - dataset.annotators.shape[1])), constant_values=-1)
        if len(dataset.annotators)
        else np.full((len(dataset.texts), k), -1, dtype=np.int64)
        for dataset in sets
    ]
    return check(
        PairSet(
            name=name,
            texts=[text for dataset in sets for text in dataset.texts],
            days=np.concatenate([dataset.days for dataset in sets]),
            timelines=_numbered_apart([dataset.timelines for dataset in sets]),
            parts=np.concatenate([dataset.parts for dataset in sets]),
            left=np.concatenate([dataset.left + first for dataset, first in zip(sets, rows, strict=True)]),
            right=np.concatenate([dataset.right + first for dataset, first in zip(sets, rows, strict=True)]),
            labels=np.concatenate([dataset.labels for dataset in sets]),
            groups=_numbered_apart([dataset.groups for dataset in sets]),
            bodies=bodies if any(dataset.bodies for dataset in sets) else (),
            annotators=np.concatenate(annotators) if k else sets[0].annotators,
            tags=tags if any(dataset.tags for dataset in sets) else (),
        )
    )


def _numbered_apart(columns: Sequence[IntArray]) -> IntArray:
    result, first = [], 0
    for column in columns:
        result.append(np.where(column < 0, -1, column + first))
        first += int(column.max(initial=-1)) + 1
    return np.concatenate(result).astype(np.int64)


def contradictions(pairs: PairSet) -> dict[int, int]:
    """Pairs labelled against an earlier pair of the same two headlines, in either order."""
    first: dict[tuple[int, int], int] = {}
    contradicted: dict[int, int] = {}
    low, high = np.minimum(pairs.left, pairs.right), np.maximum(pairs.left, pairs.right)
    labelled = zip(low.tolist(), high.tolist(), pairs.labels.tolist(), strict=True)
    for place, (left, right, label) in enumerate(labelled):
        if label == UNKNOWN:
            continue
        earlier = first.setdefault((left, right), place)
        if pairs.labels[earlier] != label:
            contradicted[place] = earlier
    return contradicted


def require_both_classes(pairs: PairSet) -> None:
    known = pairs.labels[pairs.labels != UNKNOWN]
    if not len(known):
        raise InputError(f"None of the pairs of {pairs.name} is labelled.", hint="Add labels 0 and 1.")
    if not (known == SAME).any() or not (known == DIFFERENT).any():
        which = "the same event" if known[0] == SAME else "different events"
        what = f"All {len(known):,} labelled pairs" if len(known) > 1 else "The only labelled pair"
        message = f"{what} of {pairs.name} {'are' if len(known) > 1 else 'is'} {which}."
        raise InputError(message, hint="Both labels, 0 and 1, are needed.")


class PairSource(DataSource[PairSet]):
    __slots__ = ()

    @property
    def name(self) -> str:
        """Short name of the pair set: the registered one without its version."""
        return pair_sources.name_of(self).rpartition(".v")[0]
