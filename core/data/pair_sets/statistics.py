"""What a pair set looks like: sizes, balance, days between, wording in common.

Source: Laban et al. 2021, section 3.5 with figures 2 and 3.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.arrays import IntArray
from core.data.pair_sets.drawing import WINDOW_DAYS
from core.data.pair_sets.pair_set import DIFFERENT, SAME, UNKNOWN, PairSet
from core.parts import Part

RATIO_BINS = 20
"""Bins of Levenshtein ratios over 0 to 1."""

_LONGEST_GAP = 366
"""Days between that are counted one by one; what is further apart is counted with the last."""


@dataclass(frozen=True, slots=True)
class PartCounts:
    """Size and balance of one part.

    Attributes:
        part: Which part.
        headlines: Headlines of the part.
        same: Pairs labelled 1.
        different: Pairs labelled 0.
        unknown: Pairs without a label.
    """

    part: Part
    headlines: int
    same: int
    different: int
    unknown: int

    @property
    def pairs(self) -> int:
        """All pairs of the part."""
        return self.same + self.different + self.unknown

    @property
    def balance(self) -> float | None:
        """Pairs labelled 0 for each labelled 1; None where there is none labelled 1."""
        return self.different / self.same if self.same else None


@dataclass(frozen=True, slots=True, eq=False)
class PairStatistics:
    """The figures of a pair set.

    Attributes:
        timelines: How many timelines there are.
        parts: Counts of the parts that have headlines.
        same_by_day: Pairs labelled 1 that are 0, 1, … whole days apart, int64 [d]; the last entry also
            counts everything further apart where d is 367.
        different_by_day: Those labelled 0, of the same length.
        undated: Pairs with an unknown date.
        window_days: The window below.
        inside: Share of the dated pairs labelled 1 that are inside the window; None without any.
        ratios: Levenshtein ratio of each pair labelled 1, float64 [p].
    """

    timelines: int
    parts: tuple[PartCounts, ...]
    same_by_day: IntArray
    different_by_day: IntArray
    undated: int
    window_days: float
    inside: float | None
    ratios: npt.NDArray[np.float64]

    @property
    def mean_ratio(self) -> float | None:
        """Mean Levenshtein ratio of the pairs labelled 1; None without any."""
        return float(self.ratios.mean()) if len(self.ratios) else None


def pair_statistics(pairs: PairSet, *, window_days: float = WINDOW_DAYS) -> PairStatistics:
    """The figures of a pair set."""
    gaps = pairs.days_apart
    dated = ~np.isnan(gaps)
    same, different = pairs.labels == SAME, pairs.labels == DIFFERENT
    length = int(min(gaps[dated].max(initial=-1), _LONGEST_GAP)) + 1
    near = gaps[dated & same] <= window_days
    return PairStatistics(
        timelines=len(np.unique(pairs.timelines)),
        parts=tuple(_counts(pairs, part) for part in Part if (pairs.parts == part.value).any()),
        same_by_day=_by_day(gaps[dated & same], length),
        different_by_day=_by_day(gaps[dated & different], length),
        undated=int((~dated).sum()),
        window_days=window_days,
        inside=float(near.mean()) if len(near) else None,
        ratios=levenshtein_ratios(pairs, np.flatnonzero(same)),
    )


def levenshtein_ratios(pairs: PairSet, places: IntArray) -> npt.NDArray[np.float64]:
    """Levenshtein ratio of some pairs, float64 [p], 0 to 1.

    (|a| + |b| - d) / (|a| + |b|) over characters, where d counts inserted and deleted characters and
    replaced ones twice; case counts. Source: HLGD, eq. 1, as `Levenshtein.ratio` has it.
    """
    from Levenshtein import ratio

    left, right = pairs.left[places].tolist(), pairs.right[places].tolist()
    texts = pairs.texts
    return np.array([ratio(texts[a], texts[b]) for a, b in zip(left, right, strict=True)], dtype=np.float64)


def as_object(statistics: PairStatistics) -> dict[str, object]:
    """The figures as plain values, for JSON; what is undefined is None."""
    edges = np.linspace(0.0, 1.0, RATIO_BINS + 1)
    return {
        "timelines": statistics.timelines,
        "parts": {
            counts.part.value: {
                "headlines": counts.headlines,
                "pairs": counts.pairs,
                "same": counts.same,
                "different": counts.different,
                "unknown": counts.unknown,
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


def _counts(pairs: PairSet, part: Part) -> PartCounts:
    labels = pairs.labels[pairs.pair_parts == part.value]
    same, different, unknown = (int((labels == label).sum()) for label in (SAME, DIFFERENT, UNKNOWN))
    return PartCounts(part, int((pairs.parts == part.value).sum()), same, different, unknown)


def _by_day(gaps: npt.NDArray[np.float64], length: int) -> IntArray:
    cut = np.minimum(gaps, _LONGEST_GAP).astype(np.int64)
    return np.bincount(cut, minlength=length).astype(np.int64)
