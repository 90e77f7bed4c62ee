"""Trains the network that points from a blank to the article's numerals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from core import files
from core.models.networks.batches import in_half, plan
from core.models.weights import locate
from core.numerals.pointing.tokens import QuestionRow
from core.runtime import Runtime
from core.tensor_files import write_tensors
from research.runs.loop import Plan, TrainingTask, fit
from research.runs.run_folder import RunFolder
from research.training.numerals.lessons import BlankLesson

if TYPE_CHECKING:
    import torch

    from core.numerals.pointing.network import PointerNetwork

BASE: Final = "minilm"
TOKENS: Final = 4_096
"""Padded tokens of a step: about 14 articles."""
WAY_WEIGHT: Final = 0.3
"""Of the loss of the ways beside that of the numerals."""


_Step = tuple[list[QuestionRow], list[BlankLesson]]


def train_pointer(
    learned: Sequence[BlankLesson],
    watched: Sequence[BlankLesson],
    run: RunFolder,
    runtime: Runtime,
    *,
    epochs: int,
    learning_rate: float,
    rank: int,
) -> PointerNetwork:
    """Trains it in a run folder; the weights that point best on the watched lessons are kept."""
    import torch

    from core.numerals.pointing.network import PointerNetwork

    network = PointerNetwork(locate(BASE), rank=rank, seed=runtime.seed)
    rows = network.tokenizer.rows([lesson.question for lesson in learned])
    watch = _steps(network.tokenizer.rows([lesson.question for lesson in watched]), watched, seed=None)

    def loss(step: _Step) -> torch.Tensor:
        losses = []
        for lesson, (scores, ways) in zip(step[1], network(step[0]), strict=True):
            shares = torch.log_softmax(scores, dim=0)
            losses.append(-torch.logsumexp(shares[torch.from_numpy(lesson.targets)], dim=0))
            losses.append(-WAY_WEIGHT * torch.log_softmax(ways, dim=0)[lesson.way])
        return torch.stack(losses).sum() / len(step[0])

    def validate() -> Mapping[str, float | None]:
        pointed, told = [], []
        for step in watch:
            for lesson, (scores, ways) in zip(step[1], network(step[0]), strict=True):
                pointed.append(int(scores.argmax()) in lesson.targets)
                told.append(int(ways.argmax()) == lesson.way)
        return {"pointed": float(np.mean(pointed)), "ways": float(np.mean(told))}

    task = TrainingTask(
        module=network,
        batches=lambda epoch: _steps(rows, learned, seed=runtime.seed + epoch),
        loss=loss,
        validate=validate,
        best_by="pointed",
    )
    half = in_half(runtime)
    run.record(half=half, trained_weights=sum(part.numel() for part in network.trained().values()))
    schedule = Plan(
        epochs=epochs,
        learning_rate=learning_rate,
        warmup_steps=100,
        validations=2,
        half=half,
        clip=1.0,
    )
    fit(task, schedule, run, runtime)
    return network


def write_pointer(network: PointerNetwork, folder: Path) -> None:
    """Writes what was trained, in half precision."""
    import torch

    files.make_folder(folder)
    ready = {name: part.to("cpu", torch.float16) for name, part in network.trained().items()}
    write_tensors(folder / "pointer.safetensors", ready)


def _steps(rows: Sequence[QuestionRow], lessons: Sequence[BlankLesson], *, seed: int | None) -> list[_Step]:
    lengths = np.array([len(row.ids) for row in rows], dtype=np.float64)
    if seed is not None:
        # Noise mixes neighbours, so that the same articles do not always meet.
        lengths = lengths + np.random.default_rng(seed).uniform(0, 24, len(lengths))
    batches = plan(lengths.astype(np.int64), TOKENS)
    if seed is not None:
        np.random.default_rng(seed).shuffle(batches)
    return [([rows[k] for k in batch], [lessons[k] for k in batch]) for batch in batches]
