"""How far people agree in their votes and groups, and which headlines divide them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from core import limits
from core.arrays import FloatArray, IntArray
from core.data.pair_sets.annotated import merge_annotators, pairs_together, timeline_groups
from core.data.pair_sets.pair_alpha import pair_alpha
from core.data.timelines.timeline import Timeline
from core.errors import InputError
from core.groups.quality import quality
from core.people.forms import Asks, FormQuestion, Gives
from core.people.votes import VoteTable
from core.statistics.bootstrap import Figure
from core.statistics.krippendorff import Scale, alpha_of

MEASURES: Final = ("ami", "ari", "pair_f1")
Record = Mapping[str, Any]
"""A line of a table by the keys of its columns."""


@dataclass(frozen=True, slots=True, eq=False)
class GroupAgreement:
    name: str
    headlines: int  # how many somebody grouped
    annotators: IntArray  # the groups of those who grouped anything, int64 [n, k], as `people` names them
    merged: IntArray  # global groups, int64 [n], from 0; a headline that nobody grouped is one of its own
    people: tuple[Record, ...]  # each against the groups merged from the others, as `compared` measures it
    alpha: float | None  # Krippendorff's, over pairs of headlines, "same group" or not
    divided: FloatArray  # of each headline's pairs that somebody put together, the share that others did not

    @property
    def groups(self) -> int:
        """How many global groups there are, without headlines that nobody grouped."""
        return int(self.merged.max(initial=-1)) + 1 - (len(self.merged) - self.headlines)

    @property
    def positive_pairs(self) -> int:
        sizes = np.bincount(self.merged)
        return int((sizes * (sizes - 1) // 2).sum())

    @property
    def means(self) -> dict[str, Figure]:
        """The annotators' means, the paper's agreement for "ami", None where one has no value; and alpha."""
        means = {name: mean_of([person[name].value for person in self.people]) for name in MEASURES}
        return {name: Figure(value) for name, value in {**means, "alpha": self.alpha}.items()}


def group_agreement(
    timeline: Timeline, *, quorum: float | None = None, seed: int = 0, resamples: int = 0
) -> GroupAgreement:
    _, annotators = timeline_groups(timeline)
    grouped = np.asarray((annotators >= 0).any(axis=0))
    names = [name for name, some in zip(timeline.annotators, grouped, strict=True) if some]
    annotators = annotators[:, grouped]
    if annotators.shape[1] < 2:
        said = f"{timeline.name[:80] or 'The timeline'} was grouped by fewer than two annotators."
        hint = "Add columns `annot_1_group`, `annot_2_group` …, or another tool's file (--answers)."
        raise InputError(said, hint=hint)
    most = limits.CANDIDATE_PAIRS.value
    if sum(int((np.bincount(column[column >= 0]) ** 2).sum()) for column in annotators.T) > 2 * most:
        said = f"The annotators' groups hold more than {most:,} pairs of headlines."
        raise InputError(said, hint=f"Compare fewer headlines, or raise {limits.CANDIDATE_PAIRS.variable}.")
    how: dict[str, Any] = {"quorum": quorum, "seed": seed, "resamples": resamples}
    people = tuple(
        compared(name, annotators[:, at], np.delete(annotators, at, axis=1), **how)
        for at, name in enumerate(names)
    )
    left, right, yes, both = pairs_together(annotators)
    counts = (at_headlines(left, right, pairs, len(timeline)) for pairs in (yes < both, 1))
    with np.errstate(invalid="ignore"):
        divided = np.divide(*counts)
    return GroupAgreement(
        name=timeline.name,
        headlines=int((annotators >= 0).any(axis=1).sum()),
        annotators=annotators,
        merged=merge_annotators(annotators, quorum=quorum, seed=seed),
        people=people,
        alpha=pair_alpha(annotators).value,
        divided=divided,
    )


def compared(
    name: str, groups: IntArray, others: IntArray, *, quorum: float | None = None, seed: int = 0,
    resamples: int = 0,
) -> Record:  # fmt: skip
    """One grouping, int64 [n], against those of others, int64 [n, k], merged; -1 for none.

    Resamples of the merged groups give each measure its interval.
    """
    own = (groups >= 0) & (others >= 0).any(axis=1)
    merged = merge_annotators(others, quorum=quorum, seed=seed)
    scores = quality(groups[own], merged[own].tolist(), resamples=resamples, seed=seed).scores
    given = groups[groups >= 0]
    sizes = {"annotator": name, "headlines": len(given), "groups": len(np.unique(given))}
    return {**sizes, **{measure: scores[measure] for measure in MEASURES}}


def mean_of(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return float(np.mean(known)) if known and len(known) == len(values) else None


def with_model(annotators: IntArray, model: IntArray) -> FloatArray:
    """Of the answers on which people differ, the share on the model's side, float64 [n], 0–1 or NaN."""
    left, right, together, both, same = _differing(annotators, model)
    sided = np.where(same, together, both - together)
    agreeing, asked = (at_headlines(left, right, counts, len(annotators)) for counts in (sided, both))
    with np.errstate(invalid="ignore"):
        return agreeing / asked


def model_sides(annotators: IntArray, model: IntArray) -> tuple[IntArray, Figure]:
    """With which of two annotators a model sides, int64 [n, 2], and its share for the first with interval."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    left, right, _, _, same = _differing(annotators, model)
    first, n = (annotators[left, 0] == annotators[right, 0]) == same, len(annotators)
    graph = coo_array((np.ones(len(left)), (left, right)), shape=(n, n))
    _, place = np.unique(connected_components(graph)[1][left], return_inverse=True)
    share = Figure.ratio(np.stack([np.bincount(place, first), np.bincount(place)], axis=1), unit="places")
    sides = [at_headlines(left, right, side, n) for side in (first, ~first)]
    return np.stack(sides, axis=1).astype(np.int64), share


def _differing(annotators: IntArray, model: IntArray) -> tuple[npt.NDArray[Any], ...]:
    left, right, together, both = pairs_together(annotators)
    pairs = np.stack([left, right, together, both, model[left] == model[right]])
    return tuple(pairs[:, together < both])


def at_headlines(left: IntArray, right: IntArray, pairs: npt.ArrayLike, n: int) -> FloatArray:
    """What the pairs of each of n headlines add up to, float64 [n], from both ends of each pair."""
    values = np.broadcast_to(pairs, left.shape)
    totals = np.bincount(np.concatenate([left, right]), np.tile(values, 2), minlength=n)
    return np.asarray(totals, dtype=np.float64)


def scale_of(question: FormQuestion) -> Scale:
    own = {Gives.SEVERAL: Scale.SETS, Gives.NUMBER: Scale.INTERVAL, Gives.GRADE: None}
    if (scale := own.get(question.gives, Scale.NOMINAL)) is not None:
        return scale
    graded = len(question.levels) > 2 and not question.about_pairs
    return Scale.ORDINAL if graded or question.asks in (Asks.ORDER, Asks.BEST_WORST) else Scale.NOMINAL


def alpha(votes: VoteTable, scale: Scale = Scale.NOMINAL, *, interval: bool = True) -> Figure:
    """How far the people agree beyond chance; see `alpha_of`."""
    return alpha_of(votes.values(scale), scale, interval=interval)


def equal_pairs(votes: VoteTable) -> tuple[IntArray, IntArray]:
    """How many of the ordered pairs of answers to each item are the same, and how many pairs there are."""
    counts = (votes.codes[..., None] == np.arange(len(votes.answers))).sum(axis=1)
    total = counts.sum(axis=1)
    return (counts * (counts - 1)).sum(axis=1), total * (total - 1)


def raw_agreement(votes: VoteTable) -> float | None:
    """Share of the pairs of answers to one item that are the same, 0–1; None where no item has two."""
    equal, pairs = (int(counts.sum()) for counts in equal_pairs(votes))
    return equal / pairs if pairs else None
