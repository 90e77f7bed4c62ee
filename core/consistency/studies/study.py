"""Repairs side by side, and the same tests on several checkpoints of one model, as in the paper."""

import math
import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from core.arrays import BoolArray, FloatArray, IntArray
from core.consistency.census import Census, census
from core.consistency.certificate import Certificate, certify, least_changes
from core.consistency.repairs import Repair, RepairInput, averaged, repairs
from core.consistency.score_matrix import commutative_test
from core.consistency.studies import scoring
from core.consistency.studies.subject import StudySubject, Truth, truth_of
from core.errors import InputError
from core.groups.grouper import GroupingInput, groupers
from core.pairs.cross_encoder.tokens import PairModelConfig
from core.pairs.metrics import ratio, resampled, units_of
from core.pairs.scorer import pair_scorers
from core.pairs.trained import FILE, READS_BOTH, kind_of
from core.runtime import Runtime
from core.similarities import Similarities
from core.statistics.bootstrap import Figure

DEFAULT_REPAIR = "fewest_changes"  # it changes least; its F1 is measured, not presumed (docs/consistency.md)
METHOD = "average_linkage"  # that makes the groups which repairs ask for
SYMMETRIC = "symmetric"
STAGES = ("before", "symmetric", "repaired")  # as they are, with orders averaged, repaired
TRIPLETS = {"111": "three", "110": "two"} | {name: name for name in ("linked_twice", "consistent_share")}
"""Figures of a `Census` by the names that they have in results."""


@dataclass(frozen=True, slots=True)
class PairAgreement:
    f1: Figure
    precision: float | None
    recall: float | None


@dataclass(frozen=True, slots=True, eq=False)
class RepairOutcome:
    signature: str
    repair: Repair
    census: Census
    certificate: Certificate | None
    gold: PairAgreement | None
    difference: Figure | None


@dataclass(frozen=True, slots=True, eq=False)
class RepairReport:
    before: BoolArray
    census: Census
    gold: PairAgreement | None
    outcomes: tuple[RepairOutcome, ...]
    constants: Mapping[str, PairAgreement] = field(default_factory=dict)

    @property
    def smallest_first(self) -> list[RepairOutcome]:
        """Those that change least first; the default wins a draw, and broken triangles come last."""

        def rank(outcome: RepairOutcome) -> tuple[float, bool]:
            certificate = outcome.certificate
            changed = math.inf if certificate is None else certificate.changed
            return changed, not outcome.signature.startswith(DEFAULT_REPAIR)

        return sorted(self.outcomes, key=rank)


def repair_all(
    scored: scoring.ScoredSubject,
    names: Sequence[str],
    runtime: Runtime,
    *,
    groups: IntArray | None = None,
    resamples: int = 1000,
) -> RepairReport:
    scores = scored.scores
    recipes = [repairs.parse(name) for name in names]
    if groups is None and any(recipe.needs_groups for recipe in recipes):
        groups = groups_of(scored, runtime)
    before = scores.links
    truth = truth_of(scored.subject, scores.scored)
    drawn = _Drawn(truth, scored.subject.headlines.groups, resamples, runtime.seed)
    least = least_changes(before, scores.scored, runtime)
    gold = drawn.agreement(before)
    outcomes = []
    for recipe in runtime.track(recipes, "Repairing"):
        made = recipe.repair(RepairInput(scores, groups, least), runtime)
        after = drawn.agreement(made.decisions)
        outcomes.append(
            RepairOutcome(
                signature=repairs.signature(recipe),
                repair=made,
                census=census(made.decisions, scored=scores.scored),
                certificate=certify(before, made.decisions, least) if made.labels is not None else None,
                gold=after,
                difference=drawn.difference(before, gold, made.decisions, after),
            )
        )
    broken = census(before, scored=scores.scored)
    return RepairReport(before, broken, gold, tuple(outcomes), drawn.constants(before))


def groups_of(scored: scoring.ScoredSubject, runtime: Runtime) -> IntArray:
    """Groups of the averaged scores, cut where similarity falls below the threshold, int64 [n]."""
    grouper = groupers.parse(METHOD)
    mean = averaged(scored.scores)
    np.fill_diagonal(mean, 1.0)
    labels = np.empty(len(mean), dtype=np.int64)
    timelines = scored.subject.headlines.timelines
    used = 0
    for timeline in np.unique(timelines).tolist():
        rows = np.flatnonzero(timelines == timeline)
        similarities = Similarities(np.ascontiguousarray(mean[np.ix_(rows, rows)]))
        fitted = grouper.fit(GroupingInput(similarities, scored.vectors[rows]), runtime)
        labels[rows] = fitted.cut(1 - scored.scores.threshold) + used
        used += len(rows)
    return labels


class _Drawn:
    def __init__(self, truth: Truth, groups: IntArray, resamples: int, seed: int) -> None:
        self._left, self._right, self._labels = truth
        self._units = units_of(self._left, self._right, groups)
        self._resamples = resamples
        self._seed = seed

    def f1(self, decisions: BoolArray) -> FloatArray:
        called = decisions[self._left, self._right]
        return resampled(self._labels, called, self._units, resamples=self._resamples, seed=self._seed)["f1"]

    def agreement(self, decisions: BoolArray) -> PairAgreement | None:
        if not len(self._labels):
            return None
        called, same = decisions[self._left, self._right], self._labels == 1
        hits = int(np.count_nonzero(called & same))
        together, sought = int(np.count_nonzero(called)), int(np.count_nonzero(same))
        if not together + sought:
            reason = "no two headlines are together, in the decisions or in gold"
            return PairAgreement(Figure(None, reason), None, None)
        return PairAgreement(
            f1=self._figure(2 * hits / (together + sought), lambda: self.f1(decisions)),
            precision=ratio(hits, together),
            recall=ratio(hits, sought),
        )

    def difference(
        self, before: BoolArray, gold: PairAgreement | None, after: BoolArray, made: PairAgreement | None
    ) -> Figure | None:
        if gold is None or made is None:
            return None
        values = gold.f1.value, made.f1.value
        gap = None if values[0] is None or values[1] is None else values[1] - values[0]
        return self._figure(gap, lambda: self.f1(after) - self.f1(before))

    def _figure(self, value: float | None, drawn: Callable[[], FloatArray]) -> Figure:
        return Figure.resampled(value, drawn, units=self._units.count, unit=self._units.name)

    def constants(self, like: BoolArray) -> dict[str, PairAgreement]:
        yes, no = np.ones_like(like), np.zeros_like(like)
        mostly = 2 * int(np.count_nonzero(self._labels == 1)) > len(self._labels)
        answers = {"always yes": yes, "most frequent answer": yes if mostly else no}
        agreements = {name: self.agreement(decisions) for name, decisions in answers.items()}
        return {name: agreement for name, agreement in agreements.items() if agreement is not None}


@dataclass(frozen=True, slots=True)
class Spread:
    mean: float | None
    deviation: float | None
    values: tuple[float, ...]


def spread(values: Iterable[float | None]) -> Spread:
    known = tuple(float(value) for value in values if value is not None)
    if len(known) < 2:
        return Spread(known[0] if known else None, None, known)
    return Spread(statistics.fmean(known), statistics.stdev(known), known)


@dataclass(frozen=True, slots=True, eq=False)
class CheckpointStudy:
    signatures: tuple[str, ...]
    repair: str
    flip_rate: Spread
    mean_change: Spread
    census: Mapping[str, Mapping[str, Spread]]
    f1: Mapping[str, Spread]


def study(
    subject: StudySubject,
    checkpoints: Sequence[str],
    how: scoring.Scoring,
    runtime: Runtime,
    *,
    repair: str = DEFAULT_REPAIR,
) -> CheckpointStudy:
    """Both tests, the symmetric average and one repair on every checkpoint, as in HLGD, section 5."""
    if not checkpoints:
        raise InputError("A study needs checkpoints.", hint="Give the folder of at least one trained model.")
    results = []
    for scorer in [scorer_of(checkpoint) for checkpoint in checkpoints]:
        scored = scoring.score_both_orders(subject, replace(how, scorer=scorer), runtime)
        results.append((scored, repair_all(scored, (SYMMETRIC, repair), runtime, resamples=1)))
    tests = [commutative_test(scored.scores) for scored, _ in results]
    stages = [_stages(report) for _, report in results]
    return CheckpointStudy(
        signatures=tuple(scored.signature for scored, _ in results),
        repair=results[0][1].outcomes[1].signature,
        flip_rate=spread(test.flip_rate for test in tests),
        mean_change=spread(test.mean_change for test in tests),
        census={
            stage: {
                name: spread(getattr(checkpoint[stage][0], figure) for checkpoint in stages)
                for name, figure in TRIPLETS.items()
            }
            for stage in STAGES
        },
        f1={stage: spread(checkpoint[stage][1] for checkpoint in stages) for stage in STAGES},
    )


def _stages(report: RepairReport) -> dict[str, tuple[Census, float | None]]:
    golds = (report.gold, *(outcome.gold for outcome in report.outcomes))
    counts = (report.census, *(outcome.census for outcome in report.outcomes))
    return {
        stage: (count, gold.f1.value if gold is not None else None)
        for stage, count, gold in zip(STAGES, counts, golds, strict=True)
    }


def scorer_of(checkpoint: str) -> str:
    folder = Path(checkpoint)
    if not folder.is_dir():
        return pair_scorers.signature(pair_scorers.parse(checkpoint))
    if not (folder / FILE).is_file():
        folder = folder / "model"
    if not (folder / FILE).is_file():
        hint = "Give the folder that `headline-lab train pair` wrote, or its `model` folder."
        raise InputError(f"{checkpoint} holds no pair model: there is no {FILE} in it.", hint=hint)
    name = kind_of(folder)
    if name == READS_BOTH:
        config = PairModelConfig.read(folder)
        names = {"concat": "finetuned_time", "prefix": "finetuned_day_prefix"}
        name = names.get(config.time, "finetuned_content" if config.input == "content" else "finetuned")
    return pair_scorers.signature(pair_scorers.parse(f"{name}|model:{folder}"))
