"""The trainer of classifiers that read both headlines of a pair at once, as in the HLGD paper."""

from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import ClassVar, Final

import numpy as np

from core.arrays import BoolArray, Float32Array
from core.data.pair_sets.pair_set import PairSet
from core.errors import Cancelled, InputError
from core.models.networks.precision import in_half
from core.pairs.cross_encoder.tokens import PairModelConfig, input_texts
from core.pairs.metrics import best_threshold
from core.parts import Part
from core.registry import number, told
from core.runtime import Runtime
from research.runs.loop import Plan, TrainingTask, fit
from research.runs.run_folder import RunFolder
from research.runs.trainer import Trainer, settings_of, trainers
from research.training.pairs.data import sample, used_headlines
from research.training.pairs.vector_trainer import measured

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
        from research.training.pairs.pair_batches import PairBatches

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
