"""The headlines that a consistency test runs on."""

from __future__ import annotations

import datetime
import math
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from core.data.pair_sets.pair_set import SAME, UNKNOWN, PairSet
from core.data.timelines.timeline import Field, Timeline
from core.pairs.scorer import NO_ANNOTATORS
from core.pairs.scoring.contexts import pair_context
from core.parts import Part as PairPart
from core.similarities import IntArray

EPOCH: Final = datetime.date(1970, 1, 1)

BoolArray = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Subject:
    """Headlines of one timeline or several; only pairs inside a timeline are compared.

    Attributes:
        headlines: The n headlines; of its pairs only the labels are read, and only where headlines have no
            gold groups.
        fingerprint: Of the data, as it stands in signatures.
    """

    headlines: PairSet
    fingerprint: str

    def __len__(self) -> int:
        """How many headlines there are."""
        return len(self.headlines.texts)

    @property
    def together(self) -> BoolArray:
        """Pairs of one timeline, bool [n, n], the diagonal false."""
        timelines = self.headlines.timelines
        inside = timelines[:, None] == timelines[None, :]
        np.fill_diagonal(inside, False)
        return np.asarray(inside)


def date_of(day: float) -> datetime.date | None:
    """The date of a publication time in days since 1970; None where it is NaN."""
    return None if math.isnan(day) else EPOCH + datetime.timedelta(days=math.floor(day))


@dataclass(frozen=True, slots=True, eq=False)
class Truth:
    """Pairs of which people said whether they tell the same event.

    Attributes:
        left, right: Rows, int64 [m].
        labels: 1 same event, 0 different, int64 [m].
    """

    left: IntArray
    right: IntArray
    labels: IntArray

    def __len__(self) -> int:
        return len(self.labels)


def subject_of_timeline(timeline: Timeline) -> Subject:
    """All headlines of a timeline, with its gold groups where it has some."""
    import pandas as pd

    n = len(timeline)
    context = pair_context(timeline, np.empty((n, 0), dtype=np.float32))
    nothing = np.empty(0, dtype=np.int64)
    headlines = PairSet(
        name=timeline.name,
        texts=timeline.texts,
        days=timeline.days,
        timelines=np.zeros(n, dtype=np.int64),
        parts=np.full(n, PairPart.TEST.value),
        left=nothing,
        right=nothing,
        labels=nothing,
        groups=pd.factorize(timeline.table[Field.GOLD])[0].astype(np.int64),
        bodies=context.bodies,
        annotators=context.annotators if context.annotators.size else NO_ANNOTATORS,
    )
    return Subject(headlines, timeline.fingerprint)


def subject_of_pairs(pairs: PairSet) -> Subject:
    """All headlines of a pair set (or of one part of it), timeline by timeline."""
    return Subject(pairs, pairs.fingerprint)


def truth_of(subject: Subject, scored: BoolArray) -> Truth:
    """The scored pairs with a known answer, left < right.

    Gold groups answer where any headline has one; else the labels of the pair set do.
    """
    headlines = subject.headlines
    if np.any(headlines.groups >= 0):
        known = headlines.groups >= 0
        left, right = np.nonzero(np.triu(scored & known[:, None] & known[None, :], k=1))
        same = headlines.groups[left] == headlines.groups[right]
        return Truth(left, right, same.astype(np.int64))
    judged = (headlines.labels != UNKNOWN) & scored[headlines.left, headlines.right]
    left = np.minimum(headlines.left[judged], headlines.right[judged])
    right = np.maximum(headlines.left[judged], headlines.right[judged])
    return Truth(left, right, (headlines.labels[judged] == SAME).astype(np.int64))
