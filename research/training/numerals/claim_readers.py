"""Teaches networks to read claims: e5-small in any language, the language model once more in English."""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final

import numpy as np

from core import files
from core.data.articles import written_claims
from core.data.articles.blanks import Blanks
from core.errors import InputError
from core.models.encoders.e5_file import e5_weights
from core.models.language_models.causal import SmolLM2
from core.models.weights import fingerprint, locate
from core.numerals.reader import (
    CLASSES,
    HEAD,
    SCALE,
    ClaimQuestion,
    ClaimReader,
    ClaimReaderRecipe,
    ClaimTokens,
    log_odds_of,
    said_of,
)
from core.numerals.verifier import ClaimVerifier, said_at_end, tokens_of
from core.parts import Part
from core.registry import number
from core.runtime import Runtime
from core.tensor_files import write_tensors
from research.runs.loop import Plan, TrainingTask, fit
from research.runs.run_folder import RunFolder
from research.runs.trainer import Trainer, settings_of, trainers
from research.training.numerals.claim_examples import ClaimExample, ClaimWriter
from research.training.numerals.claim_facts import ClaimFact, claim_facts
from research.training.numerals.lessons import is_judged
from research.training.numerals.written_claims import WrittenQuestion, claims_written, written_questions
from research.training.trainable_e5 import trainable_e5

if TYPE_CHECKING:
    import torch
    from torch import Tensor

MADE_WEIGHT: Final = 0.5  # weight of the made-up examples in the loss
EXAMPLES: Final = 3  # examples that are made of a fact at least, nearly always
_AT_ONCE: Final = 64
_NEAR_ONE: Final = -1e-4  # log-probabilities above this count as this: the log of the rest stays finite
TWICE: Final = 0.4055  # log-odds of .6, from which a written headline counts as upheld in the figures
Step = tuple[Sequence[WrittenQuestion], list[ClaimExample]]


class ClaimNetwork(ABC):
    """A network with low-rank updates beside its linear layers, and layers over some of its last states."""

    module: torch.nn.ModuleDict  # "network" and "head"

    @abstractmethod
    def logits(self, questions: Sequence[ClaimQuestion]) -> Tensor:
        """Logits of `CLASSES`, float32 [n, 7]."""

    def write(self, folder: Path) -> None:
        from core.models.networks.low_rank import write_adapter

        files.make_folder(folder)
        write_adapter(self.module["network"], folder, small=True)
        write_tensors(folder / HEAD, self.module["head"].state_dict())


class VerifierNetwork(ClaimNetwork):
    def __init__(self, model: Any, tokenizer: Any, *, rank: int, seed: int) -> None:
        import torch

        from core.models.networks.low_rank import add_low_rank, llama_layers

        model = copy.deepcopy(model)
        add_low_rank(model, llama_layers(model, 0), rank=rank, scale=SCALE, seed=seed)
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            head = torch.nn.Linear(int(model.config.hidden_size), len(CLASSES))
        self.module = torch.nn.ModuleDict({"network": model, "head": head.to(model.device)})
        self._tokenizer = tokenizer

    def logits(self, questions: Sequence[ClaimQuestion]) -> Tensor:
        head: Any = self.module["head"]
        rows = [tokens_of(self._tokenizer, question) for question in questions]
        return said_at_end(self.module["network"], head, rows)


class ReaderNetwork(ClaimNetwork):
    """e5-small; the head is over the first token and the marks around the headline's number."""

    def __init__(self, *, rank: int, seed: int, device: str) -> None:
        import torch

        file = e5_weights()
        network = trainable_e5(file, rank=rank, scale=SCALE, seed=seed).to(device)
        size = int(network.config.hidden_size)
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            inner, outer = torch.nn.Linear(3 * size, size), torch.nn.Linear(size, len(CLASSES))
        head = torch.nn.ModuleDict({"inner": inner, "outer": outer}).to(device)
        self.module = torch.nn.ModuleDict({"network": network, "head": head})
        self._words, self._tokens = file.words(), ClaimTokens(file)

    def logits(self, questions: Sequence[ClaimQuestion]) -> Tensor:
        import torch

        rows = self._tokens.of(questions)
        network: Any = self.module["network"]
        ids = [torch.tensor(tokens) for tokens, _ in rows]
        present = torch.nn.utils.rnn.pad_sequence([torch.ones_like(row) for row in ids], batch_first=True)
        words = self._words.look_up(torch.nn.utils.rnn.pad_sequence(ids, batch_first=True))
        given = words.to(device=network.device, dtype=network.dtype)
        hidden = network(inputs_embeds=given, attention_mask=present.to(network.device)).last_hidden_state
        asked = torch.tensor([asked for _, asked in rows], device=network.device)
        states = hidden.gather(1, asked[:, :, None].expand(-1, -1, hidden.shape[2]))
        return said_of(dict(self.module["head"].named_parameters()), states)


def steps_of(
    written: Sequence[WrittenQuestion],
    facts: Sequence[ClaimFact],
    writer: ClaimWriter,
    *,
    batch: int,
    made: int,
    seed: int,
) -> list[Step]:
    """The steps of an epoch: every written headline once, beside each batch other made-up examples."""
    if not written or (made and not facts):
        said = "There is no written headline, or no annotated row, to train on."
        raise InputError(said, hint="Name numhg.")
    draw = np.random.default_rng(seed)
    order = draw.permutation(len(written))
    batches = [order[start : start + batch] for start in range(0, len(order), batch)]
    wanted = made * len(batches)
    examples: list[ClaimExample] = []
    if wanted:
        drawn = np.resize(draw.permutation(len(facts)), -(-wanted // EXAMPLES)).tolist()
        for k, at in enumerate(drawn):
            # A fact that is drawn twice makes other examples the second time.
            examples += writer.examples(facts[at], seed + k // len(facts))
        examples = [examples[row] for row in np.resize(draw.permutation(len(examples)), wanted)]
    parts = (examples[k * made : (k + 1) * made] for k in range(len(batches)))
    return [([written[row] for row in rows], part) for rows, part in zip(batches, parts, strict=True)]


def loss_of(network: ClaimNetwork, step: Step) -> Tensor:
    """Cross-entropy of true and false for what was written, and half of that of the classes for the rest."""
    import torch

    written, made = step
    parts = [_written_loss(network, written)] if written else []
    if made:
        logits = network.logits([example.question for example in made])
        answers = torch.tensor([CLASSES.index(example.answer) for example in made], device=logits.device)
        parts.append(MADE_WEIGHT * torch.nn.functional.cross_entropy(logits, answers))
    return torch.stack(parts).sum()


def _written_loss(network: ClaimNetwork, written: Sequence[WrittenQuestion]) -> Tensor:
    import torch

    right = torch.log_softmax(network.logits([question.question for question in written]), dim=1)[:, 0]
    true = torch.tensor([question.true for question in written], device=right.device)
    return -torch.where(true, right, torch.log(-torch.expm1(right.clamp(max=_NEAR_ONE)))).mean()


def measures(network: ClaimNetwork, watched: Sequence[WrittenQuestion]) -> Mapping[str, float | None]:
    """How well it tells true written headlines from false ones; empty where there are none."""
    if not watched:
        return {}
    import torch

    questions = [question.question for question in watched]
    parts = [questions[start : start + _AT_ONCE] for start in range(0, len(questions), _AT_ONCE)]
    with torch.no_grad():
        odds = np.concatenate([log_odds_of(network.logits(part)) for part in parts])
    true = np.array([question.true for question in watched])
    right, wrong = odds[true], odds[~true]
    if not len(right) or not len(wrong):
        return {"area": None, "kept": None, "left": None}
    above = (right[:, None] > wrong).mean() + (right[:, None] == wrong).mean() / 2
    accepted, left = ((own >= TWICE).mean() for own in (right, wrong))
    return {"area": float(above), "kept": float(accepted), "left": float(left)}


@dataclass(frozen=True, kw_only=True, slots=True)
class _ClaimTrainer(Trainer[Blanks]):
    kind: ClassVar[str] = "claims"
    reader: ClassVar[type[ClaimReaderRecipe]]

    epochs: int = number(9, 1, 100, "passes over the written headlines")
    made_epochs: int = number(3, 0, 100, "passes of as many steps before them, over made-up examples alone")
    batch_size: int = number(64, 1, 1024, "written headlines of one step")
    made: int = number(32, 0, 1024, "made-up examples beside them in one step")
    learning_rate: float = number(5e-4, 1e-7, 1.0, "highest rate", step=1e-4)
    rank: int = number(32, 1, 256, "rank of the low-rank updates")
    validations: int = number(1, 1, 100, "times an epoch that it is measured")

    @abstractmethod
    def network(self, runtime: Runtime) -> ClaimNetwork: ...

    def train(self, data: Blanks, run: RunFolder, runtime: Runtime) -> None:
        given, watched = data.part(Part.TRAIN), data.part(Part.VALIDATION)
        claims = map(claims_written, (Part.TRAIN, Part.VALIDATION), (given, watched))
        languages = self.reader.languages
        written, held = (written_questions(own, runtime, languages=languages) for own in claims)
        facts = claim_facts(given, runtime) if self.made else []
        facts = [fact for fact in facts if not is_judged(given.texts[fact.row])]
        writer = ClaimWriter(facts)
        network = self.network(runtime)
        mark = fingerprint(written_claims.PLACE.require())
        run.record(written_headlines=len(written), written_fingerprint=mark, annotated_headlines=len(facts))
        alone = self.made_epochs if self.made else 0

        def steps(epoch: int) -> list[Step]:
            sizes = {"batch": self.batch_size, "made": self.made}
            made = steps_of(written, facts, writer, seed=runtime.seed + epoch, **sizes)
            return made if epoch >= alone else [((), examples) for _, examples in made]

        watch = partial(measures, network, held)
        task = TrainingTask(network.module, steps, partial(loss_of, network), watch, best_by="area")
        plan = settings_of(Plan, self, warmup_steps=100, clip=1.0)
        fit(task, replace(plan, epochs=alone + self.epochs), run, runtime)
        network.write(run.model)
        network.module.eval()
        run.record(validation=dict(watch()))


@trainers.register("claim_reader.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class ClaimReaderTrainer(_ClaimTrainer):
    """e5-small, taught to say whether an article supports what a headline says of a number.

    Source: ours; see the claim reader `claim_e5.v1`, and "Claims read" in docs/training.md.
    """

    summary: ClassVar[str] = "Teaches a small network of any language to read claims of numbers"
    result: ClassVar[str] = "claim_e5.v1"
    reader: ClassVar[type[ClaimReaderRecipe]] = ClaimReader

    def check(self, data: Blanks) -> None:
        locate(ClaimReader.base)
        written_claims.PLACE.require()

    def network(self, runtime: Runtime) -> ClaimNetwork:
        return ReaderNetwork(rank=self.rank, seed=runtime.seed, device=runtime.device)


@trainers.register("claim_verifier.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class ClaimVerifierTrainer(_ClaimTrainer):
    """The small language model, taught to say whether an article supports what a headline says of a number.

    Source: ours; see the claim reader `claim_smollm2.v1`, and "Claims read" in docs/training.md.
    """

    summary: ClassVar[str] = "Teaches the small language model to read claims of numbers once more"
    result: ClassVar[str] = "claim_smollm2.v1"
    reader: ClassVar[type[ClaimReaderRecipe]] = ClaimVerifier

    epochs: int = number(5, 1, 100, "passes over the written headlines")
    made_epochs: int = number(1, 0, 100, "passes of as many steps before them, over made-up examples alone")
    learning_rate: float = number(4e-4, 1e-7, 1.0, "highest rate", step=1e-4)
    rank: int = number(16, 1, 256, "rank of the low-rank updates")

    def check(self, data: Blanks) -> None:
        SmolLM2().check()
        written_claims.PLACE.require()

    def network(self, runtime: Runtime) -> ClaimNetwork:
        base: Any = SmolLM2().build(runtime)
        return VerifierNetwork(base.model, base.tokenizer, rank=self.rank, seed=runtime.seed)
