"""The same tests on several checkpoints of one model: mean and standard deviation, as in the paper."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from core.consistency.census import Census
from core.consistency.commutative import commutative_test
from core.consistency.studies.repairing import DEFAULT_REPAIR, RepairReport, repair_all
from core.consistency.studies.scoring import Scoring, score_both_orders
from core.consistency.studies.subject import StudySubject
from core.errors import InputError
from core.pairs.cross_encoder.tokens import PairModelConfig
from core.pairs.model_file import FILE, READS_BOTH, kind_of
from core.pairs.scorer import pair_scorers
from core.runtime import Runtime

SYMMETRIC = "symmetric"
STAGES = ("before", "symmetric", "repaired")
"""Decisions as they are, after both orders are averaged, and after the repair."""

TRIPLETS = {"111": "three", "110": "two"} | {name: name for name in ("linked_twice", "consistent_share")}
"""Figures of a `Census` by the names that they have in results."""


@dataclass(frozen=True, slots=True)
class Spread:
    """One figure measured on several checkpoints."""

    mean: float | None
    deviation: float | None
    values: tuple[float, ...]


def spread(values: Iterable[float | None]) -> Spread:
    known = tuple(float(value) for value in values if value is not None)
    if len(known) < 2:
        return Spread(known[0] if known else None, None, known)
    return Spread(statistics.fmean(known), statistics.stdev(known), known)


@dataclass(frozen=True, slots=True, eq=False)
class Study:
    """Several checkpoints, and the spread of each figure over them."""

    signatures: tuple[str, ...]
    repair: str
    flip_rate: Spread
    mean_change: Spread
    census: Mapping[str, Mapping[str, Spread]]
    f1: Mapping[str, Spread]


def study(
    subject: StudySubject,
    checkpoints: Sequence[str],
    how: Scoring,
    runtime: Runtime,
    *,
    repair: str = DEFAULT_REPAIR,
) -> Study:
    """Runs both tests, the symmetric average and one repair on every checkpoint.

    Source: HLGD (Laban, Bandarkar and Hearst 2021), section 5, with six checkpoints.
    """
    if not checkpoints:
        raise InputError("A study needs checkpoints.", hint="Give the folder of at least one trained model.")
    found = []
    for scorer in [scorer_of(checkpoint) for checkpoint in checkpoints]:
        scored = score_both_orders(subject, replace(how, scorer=scorer), runtime)
        found.append((scored, repair_all(scored, (SYMMETRIC, repair), runtime, resamples=1)))
    tests = [commutative_test(scored.scores) for scored, _ in found]
    stages = [_stages(report) for _, report in found]
    return Study(
        signatures=tuple(scored.signature for scored, _ in found),
        repair=found[0][1].outcomes[1].signature,
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
    """Triplets and F1 at each stage."""
    golds = (report.gold, *(outcome.gold for outcome in report.outcomes))
    counts = (report.census, *(outcome.census for outcome in report.outcomes))
    return {
        stage: (count, gold.f1.value if gold is not None else None)
        for stage, count, gold in zip(STAGES, counts, golds, strict=True)
    }


def scorer_of(checkpoint: str) -> str:
    """The signature of the scorer that uses a checkpoint."""
    folder = Path(checkpoint)
    if not folder.is_dir():
        return pair_scorers.signature(pair_scorers.parse(checkpoint))
    if not (folder / FILE).is_file():
        folder = folder / "model"
    if not (folder / FILE).is_file():
        raise InputError(
            f"{checkpoint} holds no pair model: there is no {FILE} in it.",
            hint="Give the folder that `headline-lab train pair` wrote, or its `model` folder.",
        )
    name = kind_of(folder)
    if name == READS_BOTH:
        config = PairModelConfig.read(folder)
        names = {"concat": "finetuned_time", "prefix": "finetuned_day_prefix"}
        name = names.get(config.time, "finetuned_content" if config.input == "content" else "finetuned")
    return pair_scorers.signature(pair_scorers.parse(f"{name}|model:{folder}"))
