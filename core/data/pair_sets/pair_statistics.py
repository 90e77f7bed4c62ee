"""Figures of a pair set: labels by part, days apart, wording alike."""

from dataclasses import dataclass

import numpy as np

from core.arrays import BoolArray, FloatArray, IntArray
from core.data.pair_sets.pair_set import DIFFERENT, SAME, UNKNOWN, PairSet
from core.parts import Part

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
    ratios: FloatArray  # Levenshtein ratio of each pair labelled 1, float64 [p], 0 to 1

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

    def by_day(labelled: BoolArray) -> IntArray:
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
