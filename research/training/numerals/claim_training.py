"""Trains the network that reads whether sentences support what a headline says of a number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from core import files
from core.models.networks.precision import in_half
from core.models.weights import locate
from core.numerals.entailing.question import CLASSES
from core.numerals.entailing.tokens import BASE, WEIGHTS, ClaimRow
from core.runtime import Runtime
from core.tensor_files import write_tensors
from research.runs.loop import Plan, TrainingTask, fit
from research.runs.run_folder import RunFolder
from research.training.numerals.claim_calibration import calibration_of
from research.training.numerals.claim_examples import ClaimExample, ClaimWriter
from research.training.numerals.claim_facts import ClaimFact
from research.training.numerals.claim_trials import WRONG, ClaimTrial, FloatArray, claim_trials, figures

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


@dataclass(frozen=True, slots=True, eq=False)
class _Step:
    rows: list[ClaimRow]
    answers: list[int]


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
        answers = torch.tensor(step.answers, device=runtime.device)
        return torch.nn.functional.cross_entropy(network(step.rows), answers)

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
    examples: list[ClaimExample] = [one for fact in facts for one in writer.examples(fact, seed)]
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
    return [_Step([rows[k] for k in batch], [number[examples[k].answer] for k in batch]) for batch in batches]
