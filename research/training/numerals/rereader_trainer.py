"""Trains what reads claims once more, as a registered trainer."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

from core.data.articles import sets
from core.data.articles.sets import Blanks
from core.models.language_models.causal import SmolLM2
from core.models.weights import fingerprint
from core.parts import Part
from core.runtime import Runtime
from research.runs.loop import Plan, TrainingTask, fit
from research.runs.run_folder import RunFolder
from research.runs.trainer import Trainer, trainers
from research.training.numerals.claim_examples import ClaimWriter, written_questions
from research.training.numerals.claim_facts import claim_facts
from research.training.numerals.lessons import is_judged


@trainers.register("claim_rereader.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class ClaimRereaderTrainer(Trainer[Blanks]):
    """The small language model, taught to say whether an article supports what a headline says of a number.

    Each step has headlines that were written for NumHG's training articles, true or false, and examples that
    are made of its annotated rows. The written validation headlines say which weights are kept. The articles
    that trees of claims learn from are left out.

    Source: ours; see the claim reader `claim_smollm2.v1`.
    """

    summary: ClassVar[str] = "Teaches the small language model to read claims of numbers once more"
    kind: ClassVar[str] = "claims"

    epochs: int = field(
        default=6, metadata={"low": 1, "high": 100, "help": "passes over the written headlines"}
    )
    batch_size: int = field(
        default=32, metadata={"low": 1, "high": 1024, "help": "written headlines of one step"}
    )
    made: int = field(
        default=32, metadata={"low": 0, "high": 1024, "help": "made-up examples beside them in one step"}
    )
    learning_rate: float = field(
        default=4e-4, metadata={"low": 1e-7, "high": 1.0, "step": 1e-4, "help": "highest rate"}
    )
    rank: int = field(default=16, metadata={"low": 1, "high": 256, "help": "rank of the low-rank updates"})
    validations: int = field(
        default=1, metadata={"low": 1, "high": 100, "help": "times an epoch that it is measured"}
    )

    @property
    def result(self) -> str:
        return "claim_smollm2.v1"

    def check(self, data: Blanks) -> None:
        SmolLM2().check()
        sets.PLACE.require()

    def train(self, data: Blanks, run: RunFolder, runtime: Runtime) -> None:
        from research.training.numerals.rereader_training import RereaderNetwork, loss_of, measures, steps_of

        given, watched = data.part(Part.TRAIN), data.part(Part.VALIDATION)
        written = written_questions(sets.load_written_claims(Part.TRAIN, given), runtime)
        held = written_questions(sets.load_written_claims(Part.VALIDATION, watched), runtime)
        facts = (
            [fact for fact in claim_facts(given, runtime) if not is_judged(given.texts[fact.row])]
            if self.made
            else []
        )
        writer = ClaimWriter(facts)
        base: Any = SmolLM2().build(runtime)
        network = RereaderNetwork(base.model, base.tokenizer, rank=self.rank, seed=runtime.seed)
        run.record(
            written_headlines=len(written),
            written_fingerprint=fingerprint(sets.PLACE.require()),
            annotated_headlines=len(facts),
            trained_weights=sum(one.numel() for one in network.parameters() if one.requires_grad),
            half=str(base.model.dtype),
        )
        fit(
            TrainingTask(
                module=network,
                batches=lambda epoch: steps_of(
                    written,
                    facts,
                    writer,
                    batch=self.batch_size,
                    made=self.made,
                    seed=runtime.seed + epoch,
                ),
                loss=lambda step: loss_of(network, step),
                validate=lambda: measures(network, held),
                best_by="area",
            ),
            Plan(
                epochs=self.epochs,
                learning_rate=self.learning_rate,
                warmup_steps=100,
                validations=self.validations,
                clip=1.0,
            ),
            run,
            runtime,
        )
        network.write(run.model)
        run.record(validation=dict(measures(network.eval(), held)))
