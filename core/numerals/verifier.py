"""The language model that reads claims once more: what it is asked, as a registered method, and loaded."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final

import numpy as np
import numpy.typing as npt

from core.errors import ModelUnavailableError
from core.models.cards import SHIPPED
from core.models.language_models.causal import SmolLM2
from core.models.loaded import loaded
from core.models.networks.batches import half_or_whole
from core.models.weights import fingerprint, folder_named, load_state
from core.registry import Registry
from core.runtime import Runtime
from core.text.normalise import without_surrogates

if TYPE_CHECKING:
    import torch

Span = tuple[int, int]  # where something begins and ends (exclusive) in a text, in characters from 0


class ClaimClass(StrEnum):
    """What the network tells apart, in the order of its outputs."""

    SUPPORTED = "supported"  # the sentences say what the headline says of the number
    OTHER = "other"  # the number counts or belongs to something else
    UNIT = "unit"  # unit or currency differ
    BOUND = "bound"  # hedge or bound differ ("nearly" for "more than")
    CLAIM = "claim"  # what is said of it differs (killed, hurt)
    HOLDER = "holder"  # it is somebody else's
    WORD = "word"  # another word of the headline was replaced


CLASSES = tuple(ClaimClass)


@dataclass(frozen=True, slots=True)
class ClaimQuestion:
    headline: str  # the whole headline
    start: int  # where the numeral begins in `headline` with its currency sign, in characters from 0
    end: int  # where it ends with its magnitude and percent sign, exclusive
    sentences: tuple[tuple[str, tuple[Span, ...]], ...]
    before: str = ""  # the sentence before the first of them; "" where there is none
    after: str = ""  # the one behind the last


claim_readers: Registry[ClaimVerifier] = Registry("claim reader", "core.numerals.verifier")


UPDATES: Final = "adapter.safetensors"
"""Low-rank updates of the language model, as `core.models.networks.low_rank.write_adapter` writes them."""
HEAD: Final = "head.safetensors"  # the layer over the last token


@claim_readers.register("claim_smollm2.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class ClaimVerifier:
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
    shipped: ClassVar[Path] = SHIPPED / "claim_smollm2"

    model: str = field(
        default="",
        metadata={"help": "folder of a model of the trainer `claim_verifier`; empty for the one that ships"},
    )

    @property
    def folder(self) -> Path:
        return folder_named(self.model) if self.model else self.shipped

    @property
    def weights(self) -> tuple[Path, ...]:
        return (self.folder, *SmolLM2().weights)

    def check(self) -> None:
        if not all((self.folder / name).is_file() for name in (UPDATES, HEAD)):
            raise ModelUnavailableError(
                f"There is no model that reads claims once more in {self.folder}.",
                hint="Train one with `headline-lab train claims --trainer claim_verifier --out FOLDER`, "
                "and give FOLDER/model.",
            )
        SmolLM2().check()

    def build(self, runtime: Runtime) -> VerifierModel:
        self.check()
        mark = fingerprint(self.folder, *SmolLM2().weights)
        return _open(self.folder, mark, runtime.device, runtime.half, runtime.cache)


SCALE: Final = 2.0  # factor of the low-rank updates (alpha / rank)
MOST_TOKENS: Final = 500  # the last tokens that are read
_BEFORE, _AFTER, _BETWEEN, _HEADLINE = 400, 300, 2_500, 300
"""Letters of the sentence before, the one behind, all of the article, and the headline that are read."""
_AT_ONCE: Final = 32
_STEP: Final = "Reading claims once more"


class VerifierModel:
    """Says how likely an article supports what a headline says of a number; threads may share it."""

    def __init__(self, folder: Path, runtime: Runtime) -> None:
        import torch

        from core.models.networks.low_rank import add_updates

        base = SmolLM2().build(runtime)
        updates, head = load_state(folder / UPDATES), load_state(folder / HEAD)
        self._tokenizer: Any = base.tokenizer
        self._model: Any = copy.deepcopy(base.model)
        self._head = torch.nn.Linear(int(self._model.config.hidden_size), len(CLASSES))
        try:
            rank = next(len(value) for name, value in updates.items() if name.endswith(".lora_A"))
            add_updates(self._model, updates, rank=rank, scale=SCALE)
            self._head.load_state_dict({name.removeprefix("head."): value for name, value in head.items()})
        except (StopIteration, ValueError, RuntimeError) as error:
            raise ModelUnavailableError(
                f"The weights in {folder} do not fit the language model.",
                hint="Copy the folder again from where it was trained, or train it anew.",
            ) from error
        self._head.to(self._model.device).requires_grad_(False)

    def log_odds(self, questions: Sequence[ClaimQuestion], runtime: Runtime) -> npt.NDArray[np.float64]:
        """Log-odds that the article supports each claim, float64 [n]."""
        import torch

        rows = [tokens_of(self._tokenizer, question) for question in questions]
        order = sorted(range(len(rows)), key=lambda at: len(rows[at]))
        # Alone on a processor, so that an answer does not depend on those beside it.
        at_once = 1 if self._model.device.type == "cpu" else _AT_ONCE
        odds = np.zeros(len(rows))
        for start in runtime.track(range(0, len(rows), at_once), _STEP):
            some = order[start : start + at_once]
            with torch.inference_mode():
                logits = said_at_end(self._model, self._head, [rows[at] for at in some])
                odds[some] = log_odds_of(logits)
        return odds


def said_at_end(model: Any, head: torch.nn.Linear, rows: Sequence[Sequence[int]]) -> torch.Tensor:
    """What a layer says of the last token of each row, float32 [n, 7]."""
    import torch

    ids = torch.zeros(len(rows), max(map(len, rows)), dtype=torch.int64)
    for row, tokens in enumerate(rows):  # padded on the right, where no token that counts can see it
        ids[row, : len(tokens)] = torch.tensor(tokens)
    ends = torch.tensor([len(tokens) - 1 for tokens in rows], device=model.device)
    hidden = model.model(input_ids=ids.to(model.device), use_cache=False).last_hidden_state
    said: torch.Tensor = head(hidden[torch.arange(len(rows), device=model.device), ends].float())
    return said


def log_odds_of(logits: torch.Tensor) -> npt.NDArray[np.float64]:
    """Log-odds of support, float64 [n], from logits [n, 7]."""
    import torch

    logits = logits.double()
    odds = logits[:, 0] - torch.logsumexp(logits[:, 1:], dim=1)
    return np.asarray(odds.cpu().numpy())


def tokens_of(tokenizer: Any, question: ClaimQuestion) -> list[int]:
    tokens: list[int] = tokenizer(
        reading_text(question), add_special_tokens=False, split_special_tokens=True
    )["input_ids"]
    return tokens[-MOST_TOKENS:]


def reading_text(question: ClaimQuestion) -> str:
    """What the model reads: the sentences with their neighbours, the headline, and what it goes on from."""
    said = " ".join(_marked(text, spans) for text, spans in question.sentences)
    article = " ".join(f"{question.before[-_BEFORE:]} {said} {question.after[:_AFTER]}".split())
    headline = _marked(question.headline, ((question.start, question.end),))
    return without_surrogates(
        f"Article: {article[:_BETWEEN]}\nHeadline: {headline[:_HEADLINE]}\nThe headline is"
    )


@loaded(1)
def _open(folder: Path, mark: str, device: str, half: bool, cache: Path) -> VerifierModel:
    return VerifierModel(folder, Runtime(device=device, half=half, cache=cache))


def _marked(text: str, spans: Sequence[Span]) -> str:
    text = text.replace("«", '"').replace("»", '"')
    for start, end in sorted(set(spans), reverse=True):
        text = f"{text[:start]}« {text[start:end]} »{text[end:]}"
    return text
