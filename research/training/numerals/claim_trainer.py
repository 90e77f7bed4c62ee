"""Trains what reads claims about numbers, as a registered trainer."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from core.data.articles.blanks import Blanks
from core.models.weights import folder_named, locate
from core.numerals.entailing.calibration import write_calibration
from core.numerals.entailing.reader import ClaimReader
from core.numerals.entailing.tokens import BASE
from core.parts import Part
from core.runtime import Runtime
from research.runs.run_folder import RunFolder
from research.runs.trainer import Trainer, trainers
from research.training.numerals.claim_calibration import calibration_of
from research.training.numerals.claim_facts import claim_facts
from research.training.numerals.claim_training import (
    WATCH_SEED,
    log_probabilities_of,
    train_claims,
    write_claims,
)
from research.training.numerals.claim_trials import claim_trials, figures


@trainers.register("claim_reader.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class ClaimReaderTrainer(Trainer[Blanks]):
    """What reads whether sentences support what a headline says of a number.

    Right headlines are those of the training part with the sentences of their annotated sources; wrong ones
    are made from them: other numbers, units, bounds, opposites, names, words. The validation part says which
    weights are kept and calibrates them.

    Source: ours; see the claim reader `claim_minilm.v1`.
    """

    summary: ClassVar[str] = "Trains a network that reads whether sentences support the claim of a number"
    kind: ClassVar[str] = "claims"

    epochs: int = field(default=3, metadata={"low": 1, "high": 100, "help": "passes over the headlines"})
    learning_rate: float = field(
        default=1e-3, metadata={"low": 1e-7, "high": 1.0, "step": 1e-4, "help": "highest rate"}
    )
    rank: int = field(default=16, metadata={"low": 1, "high": 256, "help": "rank of the low-rank updates"})
    validations: int = field(
        default=2, metadata={"low": 1, "high": 100, "help": "times an epoch that recall is measured"}
    )

    start: str = field(
        default="",
        metadata={"help": "folder of a claim model of the same rank to go on from; empty for MiniLM alone"},
    )

    @property
    def result(self) -> str:
        return "claim_minilm.v1"

    def check(self, data: Blanks) -> None:
        locate(BASE)
        if self.start:
            ClaimReader(model=self.start).check()

    def train(self, data: Blanks, run: RunFolder, runtime: Runtime) -> None:
        given, watched = data.part(Part.TRAIN), data.part(Part.VALIDATION)
        run.record(training_rows=len(given))
        held = claim_facts(watched, runtime)
        network = train_claims(
            claim_facts(given, runtime),
            held,
            run,
            runtime,
            epochs=self.epochs,
            learning_rate=self.learning_rate,
            rank=self.rank,
            validations=self.validations,
            start=folder_named(self.start) if self.start else None,
        )
        write_claims(network, run.model)
        trials = claim_trials(held, WATCH_SEED)
        told = log_probabilities_of(network.eval(), trials)
        calibration = calibration_of(trials, told)
        write_calibration(calibration, run.model)
        scores = calibration.log_odds(told)
        caught = {f"caught_{kind}": one.caught[-1] for kind, one in figures(trials, scores).items()}
        run.record(validation=caught)
