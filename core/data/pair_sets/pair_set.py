"""Labelled pairs over the headlines that they were drawn from, and the list of all sources."""

from __future__ import annotations

import hashlib
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from core.data.files import DataSource
from core.errors import InputError
from core.parts import Part
from core.registry import Registry
from core.similarities import IntArray

SAME, DIFFERENT, UNKNOWN = 1, 0, -1
"""Labels of a pair; 1 is the same event, as in HLGD's rows."""


@dataclass(frozen=True, slots=True, eq=False)
class PairSet:
    """Pairs of headlines, labelled, in the timelines that they come from.

    A headline belongs to one part, and a pair never joins two parts, so that a scorer that looks
    at the whole timeline sees nothing of another part.

    Attributes:
        name: Short name ("uci", "mrpc", …).
        texts: The headlines (or sentences), n of them.
        days: Publication time in days since 1970 UTC, float64 [n]; NaN where unknown.
        timelines: Number of the timeline of each headline, int64 [n], from 0.
        parts: Part of each headline, str [n].
        left, right: Rows of the two headlines of each pair, int64 [m], in the order of the source.
        labels: 1 same event, 0 different, -1 unknown, int64 [m].
        groups: Number of the gold group of each headline, int64 [n], -1 where there is none. Groups of
            different timelines have different numbers.
        bodies: Texts of the articles, "" where unknown; empty when there are none.
        annotators: Group number that each of k people gave, int64 [n, k], -1 for none; [0, 0] for none.
        tags: For each pair a tuple of words (the paper's phenomena, a relation, …); empty for none.
    """

    name: str
    texts: Sequence[str]
    days: npt.NDArray[np.float64]
    timelines: IntArray
    parts: npt.NDArray[np.str_]
    left: IntArray
    right: IntArray
    labels: IntArray
    groups: IntArray
    bodies: Sequence[str] = ()
    annotators: IntArray = field(default_factory=lambda: np.empty((0, 0), dtype=np.int64))
    tags: Sequence[tuple[str, ...]] = ()

    def __len__(self) -> int:
        """How many pairs there are."""
        return len(self.labels)

    @property
    def pair_parts(self) -> npt.NDArray[np.str_]:
        """Part of each pair, str [m]."""
        return self.parts[self.left]

    @property
    def days_apart(self) -> npt.NDArray[np.float64]:
        """Whole days between the two headlines, float64 [m], 0 and more; NaN where a date is unknown."""
        days = np.floor(self.days)
        return np.asarray(np.abs(days[self.left] - days[self.right]), dtype=np.float64)

    @property
    def fingerprint(self) -> str:
        """16 hex digits over everything that results depend on."""
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

    def with_headlines(self, kept: npt.NDArray[np.bool_]) -> PairSet:
        """Only some headlines, and the pairs between them.

        Args:
            kept: bool [n].
        """
        place = np.cumsum(kept) - 1
        rows = np.flatnonzero(kept)
        pairs = np.flatnonzero(kept[self.left] & kept[self.right])
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

    def with_pairs(self, kept: npt.NDArray[np.bool_] | IntArray) -> PairSet:
        """Only some pairs (a mask or places), over all headlines."""
        places = np.flatnonzero(kept) if kept.dtype == np.bool_ else kept
        return replace(
            self,
            left=self.left[places],
            right=self.right[places],
            labels=self.labels[places],
            tags=[self.tags[pair] for pair in places.tolist()] if self.tags else (),
        )


def undrawn(
    texts: Sequence[str],
    days: npt.NDArray[np.float64],
    timelines: IntArray,
    parts: npt.NDArray[np.str_],
    groups: IntArray,
    *,
    name: str = "",
    bodies: Sequence[str] = (),
    annotators: IntArray | None = None,
) -> PairSet:
    """Headlines with their groups, before pairs are drawn; see `PairSet` for the columns."""
    nothing = np.empty(0, dtype=np.int64)
    people = np.empty((0, 0), dtype=np.int64) if annotators is None else annotators
    return PairSet(name, texts, days, timelines, parts, nothing, nothing, nothing, groups, bodies, people)


def check(pairs: PairSet) -> PairSet:
    """The set itself, if its arrays fit together.

    Raises:
        InputError: Lengths differ, a pair joins two timelines or two parts, or a label is not 1, 0 or -1.
    """
    n, m = len(pairs.texts), len(pairs.labels)
    if not len(pairs.days) == len(pairs.timelines) == len(pairs.parts) == len(pairs.groups) == n:
        raise InputError(
            f"The pair set {pairs.name} has columns of different lengths.", hint="Read it again."
        )
    if not len(pairs.left) == len(pairs.right) == m:
        raise InputError(f"The pair set {pairs.name} has pairs without a label.", hint="Read it again.")
    if m and not np.isin(pairs.labels, (SAME, DIFFERENT, UNKNOWN)).all():
        raise InputError(
            f"The pair set {pairs.name} has labels other than 0 and 1.",
            hint="1 is the same event, 0 a different one; leave the label empty where it is not known.",
        )
    for what, column in (("timelines", pairs.timelines), ("parts", pairs.parts)):
        if m and np.any(column[pairs.left] != column[pairs.right]):
            raise InputError(
                f"The pair set {pairs.name} has a pair that joins two {what}.",
                hint="Give both headlines of a pair the same one.",
            )
    return pairs


def contradictions(pairs: PairSet) -> dict[int, int]:
    """Pairs labelled against an earlier pair of the same two headlines, in either order."""
    first: dict[tuple[int, int], int] = {}
    found: dict[int, int] = {}
    low, high = np.minimum(pairs.left, pairs.right), np.maximum(pairs.left, pairs.right)
    for place, (one, other, label) in enumerate(
        zip(low.tolist(), high.tolist(), pairs.labels.tolist(), strict=True)
    ):
        if label == UNKNOWN:
            continue
        earlier = first.setdefault((one, other), place)
        if pairs.labels[earlier] != label:
            found[place] = earlier
    return found


def require_both_classes(pairs: PairSet) -> None:
    """Checks that there is something to tell apart."""
    known = pairs.labels[pairs.labels != UNKNOWN]
    if not len(known):
        raise InputError(f"None of the pairs of {pairs.name} is labelled.", hint="Add labels 0 and 1.")
    if not (known == SAME).any() or not (known == DIFFERENT).any():
        which = "the same event" if known[0] == SAME else "different events"
        what = f"All {len(known):,} labelled pairs" if len(known) > 1 else "The only labelled pair"
        raise InputError(
            f"{what} of {pairs.name} {'are' if len(known) > 1 else 'is'} {which}.",
            hint="Both labels, 0 and 1, are needed.",
        )


class PairSource(DataSource):
    """Base of all sources of pair sets."""

    __slots__ = ()

    @property
    def name(self) -> str:
        """Short name of the pair set: the registered one without its version."""
        return pair_sources.name_of(self).rpartition(".v")[0]

    @abstractmethod
    def load(self) -> PairSet:
        """See `DataSource`."""


pair_sources: Registry[PairSource] = Registry("pair set", "core.data.pair_sets.sources")
