"""Labelled pairs over the headlines that they were drawn from, their figures, and the list of all sources."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from pathlib import PurePath
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from core.arrays import IntArray
from core.data.files import DataSource
from core.data.timelines.duplicates import components
from core.errors import InputError
from core.parts import Part
from core.registry import Registry
from core.results.render import delimited

SAME, DIFFERENT, UNKNOWN = 1, 0, -1  # labels of a pair; 1 is the same event, as in HLGD's rows


def _nothing() -> IntArray:
    return np.empty(0, dtype=np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class PairSet:
    """Labelled pairs of headlines in timelines; a headline is of one part, and a pair never joins two."""

    name: str  # short name ("uci", "mrpc", …)
    texts: Sequence[str]  # the headlines (or sentences), n of them
    days: npt.NDArray[np.float64]  # publication time in days since 1970 UTC, float64 [n]; NaN where unknown
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
    def days_apart(self) -> npt.NDArray[np.float64]:
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

    def with_headlines(self, mask: npt.NDArray[np.bool_]) -> PairSet:
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

    def with_pairs(self, chosen: npt.NDArray[np.bool_] | IntArray) -> PairSet:
        """Only some pairs (a mask or places), over all headlines."""
        places = np.flatnonzero(chosen) if chosen.dtype == np.bool_ else chosen
        return replace(
            self,
            left=self.left[places],
            right=self.right[places],
            labels=self.labels[places],
            tags=[self.tags[pair] for pair in places.tolist()] if self.tags else (),
        )


def check(pairs: PairSet) -> PairSet:
    n, m = len(pairs.texts), len(pairs.labels)
    if not len(pairs.days) == len(pairs.timelines) == len(pairs.parts) == len(pairs.groups) == n:
        message = f"The pair set {pairs.name} has columns of different lengths."
        raise InputError(message, hint="Read it again.")
    if not len(pairs.left) == len(pairs.right) == m:
        raise InputError(f"The pair set {pairs.name} has pairs without a label.", hint="Read it again.")
    if m and not np.isin(pairs.labels, (SAME, DIFFERENT, UNKNOWN)).all():
        message = f"The pair set {pairs.name} has labels other than 0 and 1."
        hint = "1 is the same event, 0 a different one; leave the label empty where it is not known."
        raise InputError(message, hint=hint)
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
    for place, (left, right, label) in enumerate(
        zip(low.tolist(), high.tolist(), pairs.labels.tolist(), strict=True)
    ):
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


WINDOW_DAYS = 4.0  # 98 % of the positives of HLGD are no further apart
RATIO_BINS = 20  # bins of Levenshtein ratios over 0 to 1

_LONGEST_GAP = 366  # days between that are counted one by one; what is further apart is counted with the last


@dataclass(frozen=True, slots=True)
class PartCounts:
    part: Part
    headlines: int
    same: int
    different: int
    unknown: int

    @property
    def pairs(self) -> int:
        return self.same + self.different + self.unknown

    @property
    def balance(self) -> float | None:
        """Pairs labelled 0 for each labelled 1; None where there is none labelled 1."""
        return self.different / self.same if self.same else None


@dataclass(frozen=True, slots=True, eq=False)
class PairStatistics:
    timelines: int  # how many timelines there are
    parts: tuple[PartCounts, ...]  # counts of the parts that have headlines
    same_by_day: IntArray  # pairs labelled 1 so many whole days apart, [d]; further ones in the last of 367
    different_by_day: IntArray  # those labelled 0, of the same length
    undated: int  # pairs with an unknown date
    window_days: float  # the window below
    inside: float | None  # share of the dated pairs labelled 1 that are inside the window; None without any
    ratios: npt.NDArray[np.float64]  # Levenshtein ratio of each pair labelled 1, float64 [p], 0 to 1

    @property
    def mean_ratio(self) -> float | None:
        return float(self.ratios.mean()) if len(self.ratios) else None


def pair_statistics(pairs: PairSet, *, window_days: float = WINDOW_DAYS) -> PairStatistics:
    from Levenshtein import ratio

    gaps = pairs.days_apart
    dated = ~np.isnan(gaps)
    same, different = pairs.labels == SAME, pairs.labels == DIFFERENT
    length = int(min(gaps[dated].max(initial=-1), _LONGEST_GAP)) + 1
    near = gaps[dated & same] <= window_days

    def by_day(labelled: npt.NDArray[np.bool_]) -> IntArray:
        days = np.minimum(gaps[dated & labelled], _LONGEST_GAP).astype(np.int64)
        return np.bincount(days, minlength=length).astype(np.int64)

    def counts(part: Part) -> PartCounts:
        labels = pairs.labels[pairs.pair_parts == part.value]
        by_label = (int((labels == label).sum()) for label in (SAME, DIFFERENT, UNKNOWN))
        return PartCounts(part, int((pairs.parts == part.value).sum()), *by_label)

    both = zip(pairs.left[same].tolist(), pairs.right[same].tolist(), strict=True)
    return PairStatistics(
        timelines=len(np.unique(pairs.timelines)),
        parts=tuple(counts(part) for part in Part if (pairs.parts == part.value).any()),
        same_by_day=by_day(same),
        different_by_day=by_day(different),
        undated=int((~dated).sum()),
        window_days=window_days,
        inside=float(near.mean()) if len(near) else None,
        # Source: HLGD, eq. 1. A replaced character counts as one deleted and one inserted; case counts.
        ratios=np.array([ratio(pairs.texts[a], pairs.texts[b]) for a, b in both], dtype=np.float64),
    )


def as_object(statistics: PairStatistics) -> dict[str, object]:
    edges = np.linspace(0.0, 1.0, RATIO_BINS + 1)
    counted = ("headlines", "pairs", "same", "different", "unknown")
    return {
        "timelines": statistics.timelines,
        "parts": {
            counts.part.value: {
                **{what: getattr(counts, what) for what in counted},
                "different_per_same": counts.balance,
            }
            for counts in statistics.parts
        },
        "same_by_day": statistics.same_by_day.tolist(),
        "different_by_day": statistics.different_by_day.tolist(),
        "undated_pairs": statistics.undated,
        "window_days": statistics.window_days,
        "same_inside_window": statistics.inside,
        "levenshtein_mean": statistics.mean_ratio,
        "levenshtein_histogram": np.histogram(statistics.ratios, edges)[0].tolist(),
    }


class PairSource(DataSource[PairSet]):
    __slots__ = ()

    @property
    def name(self) -> str:
        """Short name of the pair set: the registered one without its version."""
        return pair_sources.name_of(self).rpartition(".v")[0]


pair_sources: Registry[PairSource] = Registry("pair set", "core.data.pair_sets")


FEWEST_TIMELINES = 5  # with fewer timelines, parts are drawn of whole events

K = TypeVar("K", bound=Hashable)


def drawn(names: Sequence[K], shares: tuple[float, float, float], *, seed: int) -> dict[K, Part]:
    """Parts of distinct names, drawn at random for shares of train, validation and test that sum to 1."""
    ordered = sorted(names, key=str)
    shuffled = np.random.default_rng(seed).permutation(len(ordered))
    return in_order([ordered[place] for place in shuffled.tolist()], shares)


def in_order(names: Sequence[K], shares: tuple[float, float, float]) -> dict[K, Part]:
    """Parts of names in the given order: the first are train, the last test."""
    first = round(shares[0] * len(names))
    second = round((shares[0] + shares[1]) * len(names))
    return {
        name: Part.TRAIN if place < first else Part.VALIDATION if place < second else Part.TEST
        for place, name in enumerate(names)
    }


def parts_of(names: Sequence[K], parts: dict[K, Part]) -> npt.NDArray[np.str_]:
    return np.array([parts[name].value for name in names], dtype=np.str_)


def numbers(names: Sequence[Hashable]) -> npt.NDArray[np.int64]:
    """Names as numbers from 0 in order of first appearance, int64 [n]."""
    seen: dict[Hashable, int] = {}
    return np.array([seen.setdefault(name, len(seen)) for name in names], dtype=np.int64)


def joined_groups(pairs: PairSet) -> IntArray:
    """Gold groups that follow from the labels, int64 [n]: what pairs labelled 1 join, directly or not."""
    same = pairs.labels == SAME
    edges = zip(pairs.left[same].tolist(), pairs.right[same].tolist(), strict=True)
    return components(len(pairs.texts), edges)


def events(pairs: PairSet) -> IntArray:
    """The event of each headline, int64 [n]: its gold group, or what pairs of the same event join."""
    joined = joined_groups(pairs)
    # Groups come first, so that a component never has the number of a group.
    return np.where(pairs.groups >= 0, pairs.groups, joined + int(pairs.groups.max(initial=-1)) + 1)


def by_event(pairs: PairSet, shares: tuple[float, float, float], *, seed: int) -> PairSet:
    """The pairs with parts drawn of whole timelines, or of whole events where there are few timelines."""
    few = len(np.unique(pairs.timelines)) < FEWEST_TIMELINES
    units = (_with_neighbours(pairs, events(pairs)) if few else pairs.timelines).tolist()
    parts = parts_of(units, drawn(sorted(set(units)), shares, seed=seed))
    return replace(pairs.with_pairs(parts[pairs.left] == parts[pairs.right]), parts=parts)


def _with_neighbours(pairs: PairSet, units: IntArray) -> IntArray:
    _, place, sizes = np.unique(units, return_inverse=True, return_counts=True)
    alone = sizes[place] == 1
    moved = units.copy()
    for left, right in zip(pairs.left.tolist(), pairs.right.tolist(), strict=True):
        for lone, beside in ((left, right), (right, left)):
            if alone[lone] and not alone[beside] and moved[lone] == units[lone]:
                moved[lone] = units[beside]
    return moved


FORMATS = ("json", "csv")
COLUMNS = ("timeline_id", "headline_a", "headline_b", "date_a", "date_b", "url_a", "url_b", "label")
_EPOCH = date(1970, 1, 1)


def format_of(path: PurePath) -> str:
    ending = path.suffix.lower().lstrip(".")
    if ending not in FORMATS:
        message = f"Pairs are not written as {path.name[:80]!r}."
        raise InputError(message, hint="End the name in .json or .csv.")
    return ending


def write_pairs(pairs: PairSet, format: str, *, urls: Sequence[str] = ()) -> bytes:
    """Every pair in order: timeline_id, headline_a/b, date_a/b, url_a/b, label."""
    addresses = list(urls) or [""] * len(pairs.texts)
    days = [
        "" if math.isnan(day) else (_EPOCH + timedelta(days=math.floor(day))).isoformat()
        for day in pairs.days.tolist()
    ]
    rows = []
    for left, right, label in np.stack([pairs.left, pairs.right, pairs.labels], axis=1).tolist():
        sides = [column[row] for column in (pairs.texts, days, addresses) for row in (left, right)]
        rows.append([int(pairs.timelines[left]), *sides, None if label == UNKNOWN else label])
    if format == "json":
        objects = (json.dumps(dict(zip(COLUMNS, row, strict=True)), ensure_ascii=False) for row in rows)
        return ("[\n" + ",\n".join(objects) + "\n]\n").encode()
    return delimited([COLUMNS, *rows]).encode()
