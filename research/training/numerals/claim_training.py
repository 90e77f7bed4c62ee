"""Trains the network that reads whether sentences support what a headline says of a number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Final

import numpy as np

from core import files
from core.arrays import FloatArray
from core.data.articles.sets import Blanks
from core.models.networks.precision import in_half
from core.models.weights import folder_named, locate
from core.numerals.entailing.calibration import write_calibration
from core.numerals.entailing.question import CLASSES
from core.numerals.entailing.rereading import ClaimReader
from core.numerals.entailing.tokens import BASE, WEIGHTS, ClaimRow
from core.parts import Part
from core.runtime import Runtime
from core.tensor_files import write_tensors
from research.runs.loop import Plan, TrainingTask, fit
from research.runs.run_folder import RunFolder
from research.runs.trainer import Trainer, trainers
from research.training.numerals.claim_examples import ClaimExample, ClaimWriter
from research.training.numerals.claim_facts import ClaimFact, claim_facts
from research.training.numerals.claim_rivals import WRONG, ClaimTrial, claim_trials, figures
from research.training.numerals.rereader_trainer import calibration_of

if TYPE_CHECKING:
    import torch

    from core.numerals.entailing.network import ClaimNetwork

BATCH: Final = 16
"""Examples of a step."""
EXAMPLES: Final = 4
"""Examples of a fact in an epoch, in the mean; a little fewer than are made of most."""
WATCH_SEED: Final = 102
"""Of the wrong headlines of the validation part."""
SCORED: Final = 64
"""Questions that are scored at once."""


_Step = tuple[list[ClaimRow], list[int]]
"""Questions and their classes."""


def train_claims(
    learned: Sequence[ClaimFact],
    watched: Sequence[ClaimFact],
    run: RunFolder,
    runtime: Runtime,
    *,
    epochs: int,
    learning_rate: float,
    rank: int,
    validations: int = 2,
    start: Path | None = None,
) -> ClaimNetwork:
    """Trains it in a run folder; the weights that flag most wrong headlines of the watched facts are kept.

    Each epoch draws other wrong headlines. The loss is the cross-entropy of the classes.
    """
    import torch

    from core.numerals.entailing.network import ClaimNetwork

    half = in_half(runtime)
    network = ClaimNetwork(locate(BASE), rank=rank, seed=runtime.seed, half=half).to(runtime.device)
    if start is not None:
        network.start_from(start)
    writer = ClaimWriter(learned)
    trials = claim_trials(watched, WATCH_SEED)

    def loss(step: _Step) -> torch.Tensor:
        rows, answers = step
        wanted = torch.tensor(answers, device=runtime.device)
        return torch.nn.functional.cross_entropy(network(rows), wanted)

    def validate() -> Mapping[str, float | None]:
        told = log_probabilities_of(network, trials)
        found = figures(trials, calibration_of(trials, told).log_odds(told))
        caught = {kind: figure.caught[-1] for kind, figure in found.items()}
        means = {"caught": float(np.mean(list(caught.values()))) if caught else None}
        return {**means, **{kind: caught.get(kind) for kind in WRONG}}

    task = TrainingTask(
        module=network,
        batches=lambda epoch: _steps(network, writer, learned, seed=runtime.seed + epoch),
        loss=loss,
        validate=validate,
        best_by="caught",
    )
    run.record(half=half, trained_weights=sum(part.numel() for part in network.trained().values()))
    schedule = Plan(
        epochs=epochs,
        learning_rate=learning_rate,
        warmup_steps=100,
        validations=validations,
        clip=1.0,
    )
    fit(task, schedule, run, runtime)
    return network


def log_probabilities_of(network: ClaimNetwork, trials: Sequence[ClaimTrial]) -> FloatArray:
    """Logarithms of the probabilities of the classes for each trial, float64 [n, 7]."""
    import torch

    rows = network.tokenizer.rows([trial.question for trial in trials])
    order = np.argsort([len(row.ids) for row in rows], kind="stable")
    found = np.zeros((len(rows), len(CLASSES)))
    with torch.inference_mode():
        for start in range(0, len(order), SCORED):
            some = order[start : start + SCORED]
            logits = network([rows[k] for k in some]).double()
            found[some] = torch.log_softmax(logits, dim=1).cpu().numpy()
    return found


def write_claims(network: ClaimNetwork, folder: Path) -> None:
    """Writes what was trained, in half precision."""
    import torch

    files.make_folder(folder)
    ready = {name: part.to("cpu", torch.float16) for name, part in network.trained().items()}
    write_tensors(folder / WEIGHTS, ready)


def _steps(
    network: ClaimNetwork, writer: ClaimWriter, facts: Sequence[ClaimFact], *, seed: int
) -> list[_Step]:
    draw = np.random.default_rng(seed)
    examples: list[ClaimExample] = [example for fact in facts for example in writer.examples(fact, seed)]
    # Every epoch has as many.
    wanted = EXAMPLES * len(facts)
    kept = draw.permutation(len(examples))
    kept = np.resize(kept, wanted)
    examples = [examples[k] for k in kept]
    rows = network.tokenizer.rows([one.question for one in examples])
    # Noise mixes neighbours, so that the same examples do not always meet.
    lengths = np.array([len(row.ids) for row in rows]) + draw.uniform(0, 8, len(rows))
    order = np.argsort(-lengths, kind="stable")
    batches = [order[start : start + BATCH] for start in range(0, len(order), BATCH)]
    draw.shuffle(batches)
    number = {one: at for at, one in enumerate(CLASSES)}
    return [([rows[k] for k in batch], [number[examples[k].answer] for k in batch]) for batch in batches]


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
