"""How far annotators agree who grouped one timeline: against the others' merged groups, and pair by pair.

Source: Laban et al. 2021, sections 3.4 and 3.5 and table 1: the global groups are merged from all annotators
(`core.data.pair_sets.builder.merge_annotators`), and each annotator is compared with the groups merged from
the others, by adjusted mutual information.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from core import limits
from core.data.pair_sets.builder import merge_annotators, pairs_together, timeline_groups
from core.data.timelines.timeline import Timeline
from core.errors import InputError
from core.events.grouping import Settings, prepare, regroup
from core.groups.quality.metrics import quality
from core.runtime import Runtime
from core.statistics.figure import Figure

IntArray = npt.NDArray[np.int64]
FloatArray = npt.NDArray[np.float64]

MEASURES: Final = ("ami", "ari", "pair_f1")


@dataclass(frozen=True, slots=True)
class PersonAgreement:
    """One annotator, or a model, against the groups merged from the (other) annotators.

    Attributes:
        name: Column of the annotator.
        headlines: How many headlines the annotator grouped.
        groups: How many groups that made.
        scores: By measure of `MEASURES`.
    """

    name: str
    headlines: int
    groups: int
    scores: dict[str, Figure]


@dataclass(frozen=True, slots=True, eq=False)
class GroupAgreement:
    """How far the annotators of one timeline agree.

    Attributes:
        name: Of the timeline.
        headlines: How many of them somebody grouped.
        merged: Global groups, int64 [n], numbered from 0; a headline that nobody grouped is one of its own.
        people: The annotators in order.
        alpha: Krippendorff's alpha over pairs of headlines, "same group" or not; None where undefined.
        divided: For each headline, of the pairs with it that somebody put together, the share on which the
            annotators differ, float64 [n], 0–1; NaN where nobody put it with another.
    """

    name: str
    headlines: int
    merged: IntArray
    people: tuple[PersonAgreement, ...]
    alpha: float | None
    divided: FloatArray

    @property
    def groups(self) -> int:
        """How many global groups there are, without headlines that nobody grouped."""
        return int(self.merged.max(initial=-1)) + 1 - (len(self.merged) - self.headlines)

    @property
    def positive_pairs(self) -> int:
        """Pairs of headlines that share a global group."""
        sizes = np.bincount(self.merged)
        return int((sizes * (sizes - 1) // 2).sum())

    def mean(self, measure: str) -> float | None:
        """The annotators' mean of a measure, the paper's agreement for "ami"; None where one has no value."""
        values = [person.scores[measure].value for person in self.people]
        known = [value for value in values if value is not None]
        return float(np.mean(known)) if known and len(known) == len(values) else None


def group_agreement(timeline: Timeline, *, quorum: float | None = None, seed: int = 0) -> GroupAgreement:
    """The agreement of a timeline's annotators."""
    _, annotators = timeline_groups(timeline)
    names = [name for name, own in zip(timeline.annotators, annotators.T, strict=True) if (own >= 0).any()]
    annotators = annotators[:, (annotators >= 0).any(axis=0)]
    if annotators.shape[1] < 2:
        raise InputError(
            f"{timeline.name[:80] or 'The timeline'} was grouped by fewer than two annotators.",
            hint="Add columns `annot_1_group`, `annot_2_group` and so on, one an annotator.",
        )
    _refuse_many_pairs(annotators)
    people = tuple(
        compared(name, annotators[:, at], np.delete(annotators, at, axis=1), quorum=quorum, seed=seed)
        for at, name in enumerate(names)
    )
    left, right, yes, both = pairs_together(annotators)
    return GroupAgreement(
        name=timeline.name,
        headlines=int((annotators >= 0).any(axis=1).sum()),
        merged=merge_annotators(annotators, quorum=quorum, seed=seed),
        people=people,
        alpha=_pair_alpha(annotators, yes, both),
        divided=_divided(len(timeline), left, right, yes < both),
    )


def compared(
    name: str, groups: IntArray, others: IntArray, *, quorum: float | None = None, seed: int = 0
) -> PersonAgreement:
    """One grouping against those of others, merged; over the headlines that it and one of them have.

    Args:
        name: Whose it is.
        groups: int64 [n], -1 for none.
        others: int64 [n, k], -1 for none.
        quorum: Share of the others that joins two headlines; see `merge_annotators`.
        seed: Of the communities.
    """
    own = (groups >= 0) & (others >= 0).any(axis=1)
    merged = merge_annotators(others, quorum=quorum, seed=seed)
    scores = quality(groups[own], merged[own].tolist()).scores
    return PersonAgreement(
        name,
        int((groups >= 0).sum()),
        len(np.unique(groups[groups >= 0])),
        {one: scores[one] for one in MEASURES},
    )


def model_agreement(
    timeline: Timeline, runtime: Runtime, *, quorum: float | None = None, seed: int = 0
) -> PersonAgreement:
    """The program's own groups, with its default settings, against those merged from all annotators."""
    prepared = prepare(timeline, Settings(), runtime)
    grouping = regroup(prepared, None)
    own = np.asarray(grouping.ids[prepared.position], dtype=np.int64)
    name = f"groups by {prepared.scorer.partition('|')[0]}"
    return compared(name, own, timeline_groups(timeline)[1], quorum=quorum, seed=seed)


def mean_agreement(found: Sequence[GroupAgreement], measure: str = "ami") -> float | None:
    """The mean over timelines, each counted once, as the paper's .814 is."""
    values = [one.mean(measure) for one in found]
    known = [value for value in values if value is not None]
    return float(np.mean(known)) if known and len(known) == len(values) else None


def _refuse_many_pairs(annotators: IntArray) -> None:
    most = limits.CANDIDATE_PAIRS.value
    if sum(int((np.bincount(one[one >= 0]) ** 2).sum()) for one in annotators.T) > 2 * most:
        raise InputError(
            f"The annotators' groups hold more than {most:,} pairs of headlines.",
            hint=f"Compare fewer headlines, or raise {limits.CANDIDATE_PAIRS.variable}.",
        )


def _pair_alpha(annotators: IntArray, yes: IntArray, both: IntArray) -> float | None:
    """Krippendorff's alpha (2018, chapter 12), nominal, over all pairs of headlines: same group or not."""
    patterns, counts = np.unique(annotators >= 0, axis=0, return_counts=True)
    shared = patterns.astype(np.int64) @ patterns.T.astype(np.int64)
    pairs = np.outer(counts, counts) - np.diag(counts)
    said = float((pairs * shared * (shared >= 2)).sum()) / 2
    kept = both >= 2
    agreed = float(yes[kept].sum())
    differing = float((2 * yes[kept] * (both[kept] - yes[kept]) / (both[kept] - 1)).sum())
    expected = 2 * agreed * (said - agreed) / max(said - 1, 1)
    return 1 - differing / expected if expected else None


def _divided(n: int, left: IntArray, right: IntArray, differ: npt.NDArray[np.bool_]) -> FloatArray:
    ends = np.concatenate([left, right])
    split = np.bincount(ends, weights=np.concatenate([differ, differ]), minlength=n)
    with np.errstate(invalid="ignore"):
        return np.asarray(split / np.bincount(ends, minlength=n), dtype=np.float64)
