"""The same tests on several checkpoints of one model: mean and standard deviation, as in the paper."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from core.consistency.census import Census, CensusStudy, census, census_study
from core.consistency.commutative import (
    CommutativeStudy,
    CommutativeTest,
    commutative_study,
    commutative_test,
)
from core.consistency.spread import Spread, spread
from core.consistency.studies.repairing import DEFAULT_REPAIR, RepairReport, repair_all
from core.consistency.studies.scoring import Scoring, score_both_orders
from core.consistency.studies.subject import Subject
from core.errors import InputError
from core.pairs.cross_encoder.config import FILE, PairModelConfig
from core.pairs.scorer import pair_scorers
from core.runtime import Runtime

SYMMETRIC = "symmetric"


@dataclass(frozen=True, slots=True, eq=False)
class CheckpointFindings:
    """One checkpoint.

    Attributes:
        signature: Of its scores.
        commutative: Flips.
        census: Triplets by links.
        symmetric: Triplets after both orders are averaged.
        repaired: Triplets after the repair.
        f1, f1_symmetric, f1_repaired: Against gold; None without gold or where undefined.
    """

    signature: str
    commutative: CommutativeTest
    census: Census
    symmetric: Census
    repaired: Census
    f1: float | None
    f1_symmetric: float | None
    f1_repaired: float | None


@dataclass(frozen=True, slots=True, eq=False)
class Study:
    """Several checkpoints, and the spread of each figure over them.

    Attributes:
        checkpoints: One a checkpoint, in the order given.
        repair: Signature of the repair.
        commutative: Flip rate and mean change.
        census: Triplets before.
        symmetric: Triplets after both orders are averaged.
        repaired: Triplets after the repair.
        f1, f1_symmetric, f1_repaired: Agreement with gold.
    """

    checkpoints: tuple[CheckpointFindings, ...]
    repair: str
    commutative: CommutativeStudy
    census: CensusStudy
    symmetric: CensusStudy
    repaired: CensusStudy
    f1: Spread
    f1_symmetric: Spread
    f1_repaired: Spread


def study(
    subject: Subject,
    checkpoints: Sequence[str],
    how: Scoring,
    runtime: Runtime,
    *,
    repair: str = DEFAULT_REPAIR,
) -> Study:
    """Runs both tests, the symmetric average and one repair on every checkpoint.

    Source: HLGD (Laban, Bandarkar and Hearst 2021), section 5, with six checkpoints.

    Args:
        subject: The headlines.
        checkpoints: Folders of trained pair models, or signatures of scorers; at least one.
        how: Encoder, threshold and window; its scorer is not read.
        runtime: Where, with progress.
        repair: Name or signature.

    Raises:
        InputError: There is no checkpoint, or a folder holds no pair model.
        ModelUnavailableError: A checkpoint is damaged.
        UnknownNameError: No such scorer or repair.
        Cancelled: The runtime's stop was set.
    """
    if not checkpoints:
        raise InputError("A study needs checkpoints.", hint="Give the folder of at least one trained model.")
    scorers = [scorer_of(checkpoint) for checkpoint in checkpoints]
    found = tuple(_examined(subject, replace(how, scorer=scorer), runtime, repair) for scorer in scorers)
    each = [one for one, _ in found]
    return Study(
        checkpoints=tuple(each),
        repair=found[0][1].outcomes[1].signature,
        commutative=commutative_study([one.commutative for one in each]),
        census=census_study([one.census for one in each]),
        symmetric=census_study([one.symmetric for one in each]),
        repaired=census_study([one.repaired for one in each]),
        f1=spread(one.f1 for one in each),
        f1_symmetric=spread(one.f1_symmetric for one in each),
        f1_repaired=spread(one.f1_repaired for one in each),
    )


def scorer_of(checkpoint: str) -> str:
    """The signature of the scorer that uses a checkpoint.

    Args:
        checkpoint: A folder with `pair_model.json`, a training run's folder with such a `model`
            in it, or a signature, which is completed.

    Raises:
        InputError: It is a folder without a pair model.
    """
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
    name = _kind(folder)
    if not name:
        config = PairModelConfig.read(folder)
        names = {"concat": "finetuned_time", "prefix": "finetuned_day_prefix"}
        name = names.get(config.time, "finetuned_content" if config.input == "content" else "finetuned")
    return pair_scorers.signature(pair_scorers.parse(f"{name}|model:{folder}"))


def _kind(folder: Path) -> str:
    """The scorer that a model names; "" for one that reads both headlines at once, which names none."""
    try:
        told = json.loads((folder / FILE).read_text(encoding="utf-8"))
        return str(told.get("kind", ""))
    except (OSError, ValueError, AttributeError, RecursionError):
        return ""


def _examined(
    subject: Subject, how: Scoring, runtime: Runtime, repair: str
) -> tuple[CheckpointFindings, RepairReport]:
    scored = score_both_orders(subject, how, runtime)
    report = repair_all(scored, (SYMMETRIC, repair), runtime, resamples=1)
    symmetric, repaired = report.outcomes
    golds = (report.gold, symmetric.gold, repaired.gold)
    before, averaged, after = (gold.f1 if gold is not None else None for gold in golds)
    return CheckpointFindings(
        signature=scored.signature,
        commutative=commutative_test(scored.scores),
        census=census(scored.scores.links, scored=scored.scores.scored),
        symmetric=symmetric.census,
        repaired=repaired.census,
        f1=before,
        f1_symmetric=averaged,
        f1_repaired=after,
    ), report
