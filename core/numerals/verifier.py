"""The thorough reading: the language model reads English claims with their sentences."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final

import numpy as np

from core.arrays import FloatArray
from core.models.cards import SHIPPED
from core.models.language_models.causal import SmolLM2
from core.models.loaded import loaded
from core.models.networks.batches import cores_that_are_free
from core.models.networks.precision import half_or_whole
from core.models.weights import fingerprint, load_state
from core.numerals import reader
from core.runtime import Runtime
from core.text.normalise import without_surrogates

if TYPE_CHECKING:
    import torch

MOST_TOKENS: Final = 500  # the last tokens that are read
_BEFORE, _AFTER, _BETWEEN, _HEADLINE = 400, 300, 2_500, 300  # letters that are read
_AT_ONCE: Final = 32
_STEP: Final = "Reading claims once more"


@reader.claim_readers.register("claim_smollm2.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class ClaimVerifier(reader.ClaimReaderRecipe):
    """The small language model, taught to say whether an article supports what a headline says of a number.

    It reads the sentences of the number's sources with their neighbours, and the headline, all numbers in
    question between marks. It has learned from right headlines of NumHG, from wrong ones made of them, and
    from headlines that were written for NumHG's training articles, four of seven of them false in a way in
    which writers err. It knows English.

    Source: Ben Allal et al. 2025 (SmolLM2); Hu et al. 2022 for the updates; Schuster et al. 2021, "Get Your
    Vitamin C!", for learning from claims that differ in a word or two; the arrangement is ours.
    """

    summary: ClassVar[str] = "A language model reads once more whether the article supports a claim (SmolLM2)"
    numbers = staticmethod(half_or_whole)
    languages: ClassVar[frozenset[str]] = frozenset({"en"})
    trainer: ClassVar[str] = "claim_verifier"
    shipped: ClassVar[Path] = SHIPPED / "claim_smollm2"
    base: ClassVar[str] = "smollm2"

    @property
    def weights(self) -> tuple[Path, ...]:
        return (self.folder, *SmolLM2().weights)

    def check(self) -> None:
        reader.ClaimReaderRecipe.check(self)  # `super()` does not know a class with slots
        SmolLM2().check()

    def build(self, runtime: Runtime) -> VerifierModel:
        self.check()
        return _open(self, fingerprint(*self.weights), runtime)


class VerifierModel(reader.ReadsClaims):
    def __init__(self, recipe: ClaimVerifier, runtime: Runtime) -> None:
        import torch

        from core.models.networks.low_rank import add_updates

        base = SmolLM2().build(runtime)
        updates, head = load_state(recipe.folder / reader.UPDATES), load_state(recipe.folder / reader.HEAD)
        self._tokenizer: Any = base.tokenizer
        self._model: Any = copy.deepcopy(base.model)
        self._head = torch.nn.Linear(int(self._model.config.hidden_size), len(reader.CLASSES))
        try:
            rank = next(len(value) for name, value in updates.items() if name.endswith(".lora_A"))
            add_updates(self._model, updates, rank=rank, scale=reader.SCALE)
            self._head.load_state_dict({name.removeprefix("head."): value for name, value in head.items()})
        except (StopIteration, ValueError, RuntimeError) as error:
            raise recipe.unfit() from error
        self._head.to(self._model.device).requires_grad_(False)

    def log_odds(self, questions: Sequence[reader.ClaimQuestion], runtime: Runtime) -> FloatArray:
        import torch

        rows = [tokens_of(self._tokenizer, question) for question in questions]
        order = sorted(range(len(rows)), key=lambda at: len(rows[at]))
        # Alone on a processor, so that an answer does not depend on those beside it.
        at_once = 1 if self._model.device.type == "cpu" else _AT_ONCE
        odds = np.zeros(len(rows))
        for start in runtime.track(range(0, len(rows), at_once), _STEP):
            some = order[start : start + at_once]
            with torch.inference_mode(), cores_that_are_free():
                logits = said_at_end(self._model, self._head, [rows[at] for at in some])
                odds[some] = reader.log_odds_of(logits)
        return odds


def said_at_end(model: Any, head: torch.nn.Linear, rows: Sequence[Sequence[int]]) -> torch.Tensor:
    """What a layer says of the last token of each row, float32 [n, 7]."""
    import torch

    # Padded on the right, where no token that counts can see it.
    ids = torch.nn.utils.rnn.pad_sequence([torch.tensor(tokens) for tokens in rows], batch_first=True)
    ends = torch.tensor([len(tokens) - 1 for tokens in rows], device=model.device)
    hidden = model.model(input_ids=ids.to(model.device), use_cache=False).last_hidden_state
    said: torch.Tensor = head(hidden[torch.arange(len(rows), device=model.device), ends].float())
    return said


def tokens_of(tokenizer: Any, question: reader.ClaimQuestion) -> list[int]:
    """What the model reads: the sentences with their neighbours, the headline, and what it goes on from."""
    said = " ".join(reader.marked(text, spans) for text, spans in question.sentences)
    article = " ".join(f"{question.before[-_BEFORE:]} {said} {question.after[:_AFTER]}".split())
    headline = " ".join(reader.marked(question.headline, ((question.start, question.end),)).split())
    text = f"Article: {article[:_BETWEEN]}\nHeadline: {headline[:_HEADLINE]}\nThe headline is"
    how = {"add_special_tokens": False, "split_special_tokens": True}
    tokens: list[int] = tokenizer(without_surrogates(text), **how)["input_ids"]
    return tokens[-MOST_TOKENS:]


@loaded(1)
def _open(recipe: ClaimVerifier, mark: str, runtime: Runtime) -> VerifierModel:
    return VerifierModel(recipe, runtime)
