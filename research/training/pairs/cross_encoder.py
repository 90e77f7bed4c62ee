"""Classifiers that read both headlines of a pair at once, fine-tuned as in the HLGD paper."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import ClassVar, Final

import numpy as np
import torch
from torch import Tensor, nn

from core.arrays import BoolArray, Float32Array, IntArray
from core.data.pair_sets.pair_set import PairSet
from core.errors import Cancelled, InputError
from core.models.networks.batches import in_half
from core.pairs.cross_encoder.model import PairModel
from core.pairs.cross_encoder.tokens import PairModelConfig, input_texts
from core.pairs.metrics import best_threshold, pair_quality
from core.parts import Part
from core.registry import number, told
from core.runtime import Runtime
from research.runs.loop import Plan, TrainingTask, fit
from research.runs.run_folder import RunFolder
from research.runs.trainer import Trainer, settings_of, trainers
from research.training.pairs.data import sample, used_headlines
from research.training.pairs.vector_pairs import measured

RATES: Final = MappingProxyType({"full": 3e-5, "lora": 1e-3, "frozen": 1e-3})
"""Highest learning rate by what is trained. The paper's figure was lost. 3e-5 is the lowest that BERT's
and the second lowest that ELECTRA's authors fine-tune with; new weights of adapters and heads need more."""
MAX_TOKENS: Final = MappingProxyType({"headline": 128, "content": 512})
"""Tokens of a pair by what is read; of 255 words each only the beginnings fit into 512."""
WATCHED_PAIRS: Final = 2000  # validation pairs that are scored while training goes on; all are in the end
SCORED_AT_ONCE: Final = 1000  # pairs between two looks at whether to stop, and of a step with a limit
TUNED_PAIRS: Final = 4000  # training pairs that the threshold is chosen on at most


_READ: Final = "what of an article is read; content is its first 255 words"
_TIMED: Final = "how the days between enter: not, beside the text, or written before it"
_ADAPTED: Final = "low-rank updates and the head, the head alone, or every weight"
_RATE: Final = "highest rate; empty for 0.00003 where every weight is trained and 0.001 else"
_WAITED: Final = "validations without a better F1 after which training ends; 0 for never"
_DRAWN: Final = "drawn once, the same for every seed; empty for all"


@trainers.register("cross_encoder.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class CrossEncoder(Trainer[PairSet]):
    """A text encoder that reads two headlines as one sequence and learns whether they report one event.

    Source: HLGD (Laban et al. 2021), section 4.3 and appendix B; Hu et al. 2022 for the low-rank updates.
    """

    summary: ClassVar[str] = "Fine-tunes a text encoder to read both headlines at once"
    kind: ClassVar[str] = "pair"

    base: str = told("minilm", "name, folder or hub id of the text encoder to start from", label="Base model")
    input: str = told("headline", _READ, choices=("headline", "content"))
    time: str = told("none", _TIMED, choices=("none", "concat", "prefix"))
    adapter: str = told("lora", _ADAPTED, choices=("lora", "frozen", "full"), label="What is trained")
    epochs: int = number(3, 1, 100, "passes over the pairs")
    batch_size: int = number(32, 1, 1024, "pairs of one step")
    learning_rate: float | None = number(None, 1e-7, 1.0, _RATE, step=1e-5)
    warmup_steps: int = number(1000, 0, 1_000_000, "steps in which the rate rises; short runs take a tenth")
    patience: int = number(2, 0, 100, _WAITED)
    validations: int = number(1, 1, 100, "times an epoch that F1 is measured")
    max_pairs: int | None = number(None, 2, 10_000_000, _DRAWN, label="Training pairs at most")
    rank: int = number(8, 1, 256, "rank of the low-rank updates")
    symmetry: float = number(0.0, 0.0, 100.0, "weight of the loss on answers that change with the order")
    triples: float = number(0.0, 0.0, 100.0, "weight of the loss on A = B and B = C, but not A = C")
    average: float = number(0.0, 0.0, 0.9, "share of the last steps whose mean weights are kept; 0 for none")

    def check(self, pairs: PairSet) -> None:
        if self.time != "none":
            need(pairs, np.isfinite(pairs.days), "a date", "Give dates, or train without time.")
        if self.input == "content":
            bodies = np.array([bool(body.strip()) for body in pairs.bodies or [""] * len(pairs.texts)])
            need(pairs, bodies, "the text of an article", "Give pairs with content, or train on headlines.")

    def train(self, pairs: PairSet, run: RunFolder, runtime: Runtime) -> None:
        from core.pairs.cross_encoder.model import build, save

        model = build(self.config, seed=runtime.seed).to(runtime.device)
        drawn = sample(pairs.part(Part.TRAIN), self.max_pairs)
        train = PairBatches.of(model, drawn, runtime.device, triangles=self.triples > 0)
        watched = sample(pairs.part(Part.VALIDATION), WATCHED_PAIRS)
        rate = self.learning_rate or RATES[self.adapter]
        plan = settings_of(Plan, self, learning_rate=rate, half=in_half(runtime))
        run.record(training_pairs=len(train.pairs), half=plan.half)
        task = TrainingTask(
            model,
            lambda epoch: train.shuffled(self.batch_size, seed=runtime.seed, epoch=epoch),
            lambda chosen: train.loss(chosen, symmetry=self.symmetry, triples=self.triples),
            PairBatches.of(model, watched, runtime.device).watch,
        )
        fit(task, plan, run, runtime)
        save(model, run.model)
        tuned, validation = sample(train.pairs, TUNED_PAIRS), pairs.part(Part.VALIDATION)
        threshold = best_threshold(tuned.labels, self._scores(tuned, run, runtime))
        run.record(threshold={"chosen_on": "train", "value": threshold})
        if len(set(validation.labels.tolist())) == 2:
            scores = self._scores(validation, run, runtime)
            run.record(validation=measured(validation, scores, threshold))
            own = best_threshold(validation.labels, scores)
            run.record(validation_own_threshold=measured(validation, scores, own))
        replace(self.config, threshold=threshold).write(run.model)

    def _scores(self, pairs: PairSet, run: RunFolder, runtime: Runtime) -> Float32Array:
        from core.pairs.cross_encoder.found import find
        from core.pairs.cross_encoder.inference import pair_reader

        pairs = used_headlines(pairs)
        reader = pair_reader(find(str(run.model), self.config), runtime)
        tokens = reader.tokenise(input_texts(self.config, pairs.texts, pairs.bodies))
        scores = np.empty(len(pairs), dtype=np.float32)
        for start in range(0, len(pairs), SCORED_AT_ONCE):
            if runtime.stop.is_set():
                raise Cancelled("Measuring")
            some = slice(start, start + SCORED_AT_ONCE)
            sides = pairs.left[some], pairs.right[some], pairs.days_apart[some]
            scores[some] = reader.probabilities(tokens, *sides, runtime)
        return scores

    @property
    def result(self) -> str:
        if self.time != "none":
            return "finetuned_time.v1" if self.time == "concat" else "finetuned_day_prefix.v1"
        return "finetuned_content.v1" if self.input == "content" else "finetuned.v1"

    @property
    def config(self) -> PairModelConfig:
        config: PairModelConfig = settings_of(PairModelConfig, self, max_tokens=MAX_TOKENS[self.input])
        return config


def need(pairs: PairSet, known: BoolArray, what: str, hint: str) -> None:
    missing = int(np.sum(~(known[pairs.left] & known[pairs.right])))
    if missing:
        raise InputError(f"{missing:,} of {len(pairs):,} pairs of {pairs.name} lack {what}.", hint=hint)


def chains(texts: Sequence[str], *, nearest: int = 30) -> IntArray:
    """Rows of the headlines that share the most rare words with each, int64 [n, k], k at most `nearest`."""
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.neighbors import NearestNeighbors

    words = TfidfVectorizer(analyzer=lambda text: text.lower().split()).fit_transform(texts)
    search = NearestNeighbors(n_neighbors=min(nearest, len(texts) - 1), metric="cosine").fit(words)
    return np.asarray(search.kneighbors(return_distance=False), dtype=np.int64)


WATCHED_AT_ONCE = 64
SORTED_BATCHES = 16  # batches whose pairs are sorted by length together, so that little padding is computed

TRIANGLES: Final = 8  # triangles of a batch: each has three pairs more to read

Chosen = tuple[IntArray, BoolArray, IntArray]
"""Places of the pairs of a batch, whether the two headlines of each change places, and the rows of the
headlines of some triangles, [t, 3]."""


@dataclass(frozen=True, slots=True, eq=False)
class PairBatches:
    model: PairModel
    pairs: PairSet
    tokens: Sequence[list[int]]
    device: str
    near: IntArray  # what `chains` has of each headline; without columns where no triangles are drawn

    @classmethod
    def of(cls, model: PairModel, pairs: PairSet, device: str, *, triangles: bool = False) -> PairBatches:
        used = used_headlines(pairs)
        tokens = model.tokenizer.tokenise(input_texts(model.config, used.texts, used.bodies))
        near = chains(used.texts) if triangles else np.empty((len(used.texts), 0), dtype=np.int64)
        return cls(model, used, tokens, device, near)

    def shuffled(self, size: int, *, seed: int, epoch: int) -> list[Chosen]:
        """The batches of an epoch: every pair once, headlines in random order."""
        random = np.random.default_rng([seed, epoch])
        order = random.permutation(len(self.pairs))
        swapped = random.random(len(self.pairs)) < 0.5
        lengths = self._lengths()
        batches: list[IntArray] = []
        for start in range(0, len(order), size * SORTED_BATCHES):
            rows = order[start : start + size * SORTED_BATCHES]
            rows = rows[np.argsort(lengths[rows], kind="stable")]
            batches += [rows[place : place + size] for place in range(0, len(rows), size)]
        return [
            (batches[place], swapped[batches[place]], self.triangles(random))
            for place in random.permutation(len(batches)).tolist()
        ]

    def triangles(self, random: np.random.Generator) -> IntArray:
        """Some triplets of different headlines, each near the one before, in random order, [t, 3]."""
        count, width = self.near.shape
        if not width:
            return np.empty((0, 3), dtype=np.int64)
        rows = [random.integers(count, size=TRIANGLES)]
        for _ in range(2):
            rows.append(self.near[rows[-1], random.integers(width, size=TRIANGLES)])
        closed = np.stack(rows, axis=1)
        return random.permuted(closed[closed[:, 0] != closed[:, 2]], axis=1)

    def loss(self, chosen: Chosen, *, symmetry: float = 0.0, triples: float = 0.0) -> Tensor:
        """Cross-entropy, with the weighted distance of both orders and what triangles are short of closing.

        The last two, in log probabilities: their distance, and how far A = B and B = C together pass A = C.

        Source: Li et al. 2019, "A Logic-Driven Framework for Consistency of Neural Models".
        """
        rows, swapped, closed = chosen
        labels = self.pairs.labels[rows]
        if self.model.config.same_label == 0:
            labels = 1 - labels
        target = torch.from_numpy(labels).to(self.device)
        left, right = self.pairs.left[rows], self.pairs.right[rows]
        first, second = np.where(swapped, right, left), np.where(swapped, left, right)
        logits = self._logits(first, second)
        loss = nn.functional.cross_entropy(logits, target)
        if symmetry:
            turned = self._logits(second, first)
            loss = (loss + nn.functional.cross_entropy(turned, target)) / 2
            loss = loss + symmetry * (logits.log_softmax(1) - turned.log_softmax(1)).abs().mean()
        if triples and len(closed):
            same = self.sides(closed)
            short = [same.sum(dim=1) - 2 * same[:, side] for side in range(3)]
            loss = loss + triples * torch.relu(torch.stack(short)).sum(dim=0).mean()
        return loss

    def sides(self, closed: IntArray) -> Tensor:
        """Log probabilities that A = B, B = C and A = C, of triangles [t, 3]."""
        logits = self._logits(closed[:, [0, 1, 0]].ravel(), closed[:, [1, 2, 2]].ravel())
        return logits.log_softmax(1)[:, self.model.config.same_label].reshape(-1, 3)

    def watch(self) -> dict[str, float | None]:
        """F1, precision and recall at the best threshold of these pairs, and their loss."""
        labels = self.pairs.labels
        if len(set(labels.tolist())) < 2:
            return {}
        scores = self._scores()
        threshold = best_threshold(labels, scores)
        quality = pair_quality(labels, scores, threshold)
        right = np.where(labels == 1, scores, 1 - scores).astype(np.float64)
        return {
            **{name: quality[name].value for name in ("f1", "precision", "recall")},
            "threshold": threshold,
            "loss": float(-np.log(np.maximum(right, 1e-7)).mean()),
        }

    def _scores(self) -> Float32Array:
        scores = np.empty(len(self.pairs), dtype=np.float32)
        order = np.argsort(self._lengths(), kind="stable")
        for start in range(0, len(order), WATCHED_AT_ONCE):
            rows = order[start : start + WATCHED_AT_ONCE]
            chances = torch.softmax(self._logits(self.pairs.left[rows], self.pairs.right[rows]), dim=1)
            scores[rows] = chances[:, self.model.config.same_label].cpu().numpy()
        return scores

    def _lengths(self) -> IntArray:
        counts = np.array([len(ids) for ids in self.tokens], dtype=np.int64)
        return counts[self.pairs.left] + counts[self.pairs.right]

    def _logits(self, left: IntArray, right: IntArray) -> Tensor:
        """Of pairs of headlines by their rows, the left ones first, float32 [m, 2]."""
        first, second = ([self.tokens[row] for row in side.tolist()] for side in (left, right))
        days = np.floor(self.pairs.days)
        logits: Tensor = self.model(*self.model.collate(first, second, np.abs(days[left] - days[right])))
        return logits.float()
