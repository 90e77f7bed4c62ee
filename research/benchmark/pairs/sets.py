"""The pair sets of the benchmark, and what is measured of a system on one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from core.data.pair_sets.load import load_pair_set, source_of
from core.data.pair_sets.pair_set import DIFFERENT, SAME, PairSet, check, pair_sources
from core.errors import CoreError
from core.pairs.metrics import Units, units_of
from core.parts import Part
from core.text.language import timeline_language
from research.benchmark.pairs.rows import ALWAYS_YES, HUMAN, MOST_FREQUENT
from research.benchmark.results import BenchmarkCell, BenchmarkSet

POOL = ("hlgd.v1", "uci.v1", "allsides.v1", "ecbplus.v1")  # they choose thresholds where a set has no pairs
FEWEST = 5  # pairs of each kind without which a part cannot choose a threshold


@dataclass(frozen=True, slots=True, kw_only=True)
class PairSetFacts(BenchmarkSet):
    """One pair set; `count` is of its labelled test pairs."""

    items: str = "test pairs"
    pairs: Mapping[str, int] = field(default_factory=dict)
    positives: Mapping[str, int] = field(default_factory=dict)
    annotated: int = 0  # how many people's own groups come with it
    timelines: int = 0  # of the test pairs; 0 where nobody counted

    @property
    def how_drawn(self) -> str:
        """How its pairs are drawn: "iss: 1,081 pairs of 1 timeline, 6.6 negatives a positive"."""
        same = self.positives.get(Part.TEST, 0)
        room = f" of {self.timelines:,} timeline{'s' * (self.timelines > 1)}" if self.timelines else ""
        ratio = f", {(self.count - same) / same:.1f} negatives a positive" if same else ""
        return f"{self.name}: {self.count:,} pairs{room}{ratio}"


@dataclass(frozen=True, slots=True, kw_only=True)
class PairCell(BenchmarkCell):
    """One scorer on one set.

    Figures: f1, precision, recall, accuracy, average_precision, roc_auc, calibration_error, calibrated_error
    (after a curve fitted where the threshold was chosen), brier, and validation_f1 (at the same threshold).
    The curve `score` is its reliability.
    """

    counts: Mapping[str, int] = field(default_factory=dict)
    threshold: float | None = None  # the score from which a pair was called the same event
    chosen_on: str = ""
    tuned_pairs: int = 0

    @property
    def summary(self) -> str:
        f1 = self.value("f1")
        return self.why_not if f1 is None else f"F1 {f1:.3f}"

    @property
    def pairs_per_second(self) -> float | None:
        return self.count / self.seconds if self.seconds else None


def is_part(cell: PairCell) -> bool:
    return 0 < cell.count < cell.whole


def best(cells: Sequence[PairCell]) -> PairCell | None:
    """The cell of the scorer with the highest F1 on a set; None where none has one."""
    apart = (HUMAN, ALWAYS_YES, MOST_FREQUENT)
    scorers = [cell for cell in cells if cell.value("f1") is not None and cell.system not in apart]
    # Those on the most pairs alone: others are no match for them.
    return max(scorers, key=lambda cell: (cell.count, cell.value("f1") or 0.0), default=None)


@dataclass(frozen=True, slots=True, eq=False)
class MeasuredSet:
    facts: PairSetFacts
    pairs: PairSet
    test: PairSet
    units: Units


def open_set(wanted: str) -> MeasuredSet:
    source = source_of(wanted)
    summary = f"{source.summary}. Licence: {source.licence}."
    return measured(load_pair_set(wanted), key=wanted, summary=summary)


def closed_set(wanted: str, error: CoreError) -> PairSetFacts:
    name = Path(wanted).name if "/" in wanted else wanted.partition("|")[0]
    return PairSetFacts(key=wanted, name=name, why_not=error.message)


def measured(pairs: PairSet, *, key: str = "", summary: str = "") -> MeasuredSet:
    """Leaves out what cannot be measured, and says so."""
    check(pairs)
    labelled = np.isin(pairs.labels, (SAME, DIFFERENT))
    seen: dict[tuple[str, ...], set[int]] = {}
    days = [str(day) for day in np.floor(pairs.days).tolist()]
    keys = []
    columns = (column.tolist() for column in (pairs.left, pairs.right, pairs.labels))
    for left, right, label in zip(*columns, strict=True):
        keys.append(tuple(sorted(f"{days[row]} {pairs.texts[row]}" for row in (left, right))))
        seen.setdefault(keys[-1], set()).add(label)
    both = np.array([{SAME, DIFFERENT} <= seen[key] for key in keys], dtype=np.bool_) & labelled
    left_out = {"without a label": ~labelled, "that occur with both labels": both}
    notes = [f"{own.sum():,} pairs {words} are left out." for words, own in left_out.items() if own.any()]
    usable = pairs.with_pairs(labelled & ~both)
    if len(np.unique(usable.part(Part.TEST).labels)) < 2 <= len(np.unique(usable.labels)) and not any(
        can_choose(usable.part(part)) for part in (Part.TRAIN, Part.VALIDATION)
    ):
        usable = replace(usable, parts=np.full(len(usable.texts), Part.TEST.value))
        notes.append(
            f"All {len(usable):,} pairs are measured: the test part alone holds pairs of one kind, and no "
            "threshold is chosen here."
        )
    test = usable.part(Part.TEST)
    units = units_of(test.left, test.right, test.groups)
    facts = PairSetFacts(
        key=key or pairs.name,
        name=pairs.name,
        fingerprint=pairs.fingerprint,
        about=summary,
        count=len(test),
        whole=len(pairs.part(Part.TEST)),
        pairs={part.value: int((usable.pair_parts == part).sum()) for part in Part},
        positives={part.value: int(usable.labels[usable.pair_parts == part].sum()) for part in Part},
        annotated=test.annotators.shape[1] if test.annotators.size else 0,
        timelines=len(np.unique(test.timelines)),
        language=timeline_language(test.texts or usable.texts),
        unit=units.name,
        units=units.count,
        notes=tuple(notes),
        why_not=_why_not(test),
    )
    return MeasuredSet(facts, usable, test, units)


def sampled(pairs: PairSet, cap: int, *, seed: int) -> PairSet:
    """At most so many of the pairs, drawn with a seed and in their order; all headlines stay."""
    return pairs.with_pairs(sampled_places(len(pairs), cap, seed=seed))


def sampled_places(pairs: int, cap: int, *, seed: int) -> npt.NDArray[np.int64]:
    """Places of the pairs that `sampled` takes, ascending, int64."""
    return np.sort(np.random.default_rng(seed).permutation(pairs)[:cap]).astype(np.int64)


def can_choose(pairs: PairSet) -> bool:
    return min(int((pairs.labels == SAME).sum()), int((pairs.labels == DIFFERENT).sum())) >= FEWEST


def pool(names: Sequence[str] = POOL) -> list[PairSet]:
    """The training and validation parts of the available sets, for sets that have none of their own."""
    sets = []
    for name in names:
        if pair_sources.get(name)().find() is not None:
            pairs = measured(load_pair_set(name)).pairs.part(Part.TRAIN, Part.VALIDATION)
            sets.append(replace(pairs, name=name.partition(".v")[0]))
    return sets


def _why_not(test: PairSet) -> str:
    if not len(test):
        return "It has no labelled test pairs."
    if len(np.unique(test.labels)) > 1:
        return ""
    kind = "the same event" if test.labels[0] == SAME else "different events"
    if len(test) == 1:
        return f"Its only test pair is labelled {kind}, so no scorer can be measured on it."
    return f"All {len(test):,} test pairs are labelled {kind}, so no scorer can be measured on them."


def with_bodies(pairs: PairSet) -> npt.NDArray[np.bool_]:
    if not pairs.bodies:
        return np.zeros(len(pairs), dtype=np.bool_)
    present = np.array([bool(body.strip()) for body in pairs.bodies], dtype=np.bool_)
    return np.asarray(present[pairs.left] & present[pairs.right])
