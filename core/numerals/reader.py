"""Networks that read a claim with the sentences of its number: what they are asked, and the small one, e5."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Final

import numpy as np

from core.arrays import FloatArray, IntArray
from core.errors import ModelUnavailableError
from core.models.cards import SHIPPED
from core.models.encoders.e5_file import FILE, WeightFile, e5_weights
from core.models.encoders.e5_small import e5_network
from core.models.loaded import loaded
from core.models.networks.batches import each_batch
from core.models.networks.precision import quickest
from core.models.weights import TrainedRecipe, fingerprint, load_state, locate
from core.registry import Registry, told
from core.runtime import Runtime
from core.text.normalise import without_surrogates

if TYPE_CHECKING:
    import torch

    from core.models.networks.bert import Bert

Span = tuple[int, int]  # where something begins and ends (exclusive) in a text, in characters from 0
UPDATES: Final = "adapter.safetensors"  # as `core.models.networks.low_rank.write_adapter` has them
HEAD: Final = "head.safetensors"  # the layers over its last states
SCALE: Final = 2.0  # factor of the low-rank updates (alpha / rank)
MOST_TOKENS: Final = 160
_HEADLINE: Final = 60  # tokens of the headline that are read
_NEAR: Final = 200  # letters of the sentence before and of the one behind
_STEP: Final = "Reading claims"
_MARK, _CLOSE = "«", "»"


class ClaimClass(StrEnum):
    """What the networks tell apart, in the order of their outputs."""

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
    beside: str = ""  # of the others the one with most words of the headline; "" where none has any


class ReadsClaims(ABC):
    """A loaded claim reader; threads may share it."""

    @abstractmethod
    def log_odds(self, questions: Sequence[ClaimQuestion], runtime: Runtime) -> FloatArray:
        """Log-odds that the article supports each claim, float64 [n]."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ClaimReaderRecipe(TrainedRecipe, ABC):
    trainer: ClassVar[str]
    base: ClassVar[str]  # name of the model that the updates belong to
    languages: ClassVar[frozenset[str]] = frozenset()  # that it reads; all where empty

    model: str = told("", "folder of a model of its trainer; empty for the one that ships")

    @property
    @abstractmethod
    def weights(self) -> tuple[Path, ...]: ...

    def check(self) -> None:
        if not all((self.folder / name).is_file() for name in (UPDATES, HEAD)):
            command = f"headline-lab train claims --trainer {self.trainer} --out FOLDER"
            message = f"There is no model that reads claims in {self.folder}."
            raise ModelUnavailableError(message, hint=f"Train one with `{command}`, and give FOLDER/model.")
        locate(self.base)

    @abstractmethod
    def build(self, runtime: Runtime) -> ReadsClaims: ...

    def unfit(self) -> ModelUnavailableError:
        message = f"The weights in {self.folder} do not fit the network that they belong to."
        hint = "Copy the folder again from where it was trained, or train it anew."
        return ModelUnavailableError(message, hint=hint)


claim_readers: Registry[ClaimReaderRecipe] = Registry(
    "claim reader", "core.numerals.reader", "core.numerals.verifier"
)


@claim_readers.register("claim_e5.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class ClaimReader(ClaimReaderRecipe):
    """e5-small, taught to say whether an article supports what a headline says of a number, in any language.

    It reads the headline, the sentences of the number's sources with what stands beside them, and of those
    the one more that shares most words, all numbers in question between marks.

    Source: Wang et al. 2024 for the base; Hu et al. 2022 for the updates; Schuster et al. 2021, "Get Your
    Vitamin C!", for learning from claims that differ in a word or two; the arrangement is ours.
    """

    summary: ClassVar[str] = (
        "A small network reads whether the article supports a claim, in any language (E5)"
    )
    numbers = staticmethod(quickest)
    trainer: ClassVar[str] = "claim_reader"
    shipped: ClassVar[Path] = SHIPPED / "claim_e5"
    base: ClassVar[str] = "e5_small"

    @property
    def weights(self) -> tuple[Path, ...]:
        return self.folder, locate(self.base) / FILE

    def build(self, runtime: Runtime) -> ReadsClaims:
        self.check()
        return _open(self, fingerprint(*self.weights), runtime)


class ReaderModel(ReadsClaims):
    def __init__(self, recipe: ClaimReader, runtime: Runtime) -> None:
        from core.models.networks.low_rank import read_adapter

        file = e5_weights()
        try:
            updates, head = read_adapter(recipe.folder / UPDATES), load_state(recipe.folder / HEAD)
            self._bert: Bert = e5_network(file, runtime, updates, scale=SCALE, numbers=quickest(runtime))
            self._head = {name: value.float().to(runtime.device) for name, value in head.items()}
            (states,) = self._bert.vectors([np.zeros(3, np.int64)], np.array([3]), [[0, 1, 2]])
            said_of(self._head, states[None])
        except (ValueError, KeyError, RuntimeError) as error:
            raise recipe.unfit() from error
        self._tokens = ClaimTokens(file)
        self._device = runtime.device

    def log_odds(self, questions: Sequence[ClaimQuestion], runtime: Runtime) -> FloatArray:
        import torch

        rows = self._tokens.of(questions)
        odds = np.zeros(len(rows))

        def work(batch: IntArray) -> None:
            some = [rows[at] for at in batch.tolist()]
            ids = [np.array(tokens, dtype=np.int64) for tokens, _ in some]
            firsts = np.array([len(tokens) for tokens, _ in some])
            with torch.inference_mode():
                states = self._bert.vectors(ids, firsts, [asked for _, asked in some])
                # One by one: a product of several rows is another in its last digits.
                odds[batch] = [log_odds_of(said_of(self._head, state[None]))[0] for state in states]

        batches = self._bert.planned([len(tokens) for tokens, _ in rows])
        each_batch(batches, work, self._device, runtime, step=_STEP)
        return odds


class ClaimTokens:
    """What the network reads of a claim: the headline, then the sentences, and which tokens are asked."""

    def __init__(self, file: WeightFile) -> None:
        self._tokenise = file.tokenise
        self._marks = tuple(self._tokenise([mark])[0][-2] for mark in (_MARK, _CLOSE))

    def of(self, questions: Sequence[ClaimQuestion]) -> list[tuple[list[int], list[int]]]:
        """Token ids, and the places of the first and of the marks around the headline's number."""
        headlines = self._tokenise([marked(q.headline, ((q.start, q.end),)) for q in questions])
        sentences = (" ".join(marked(*sentence) for sentence in q.sentences) for q in questions)
        both = zip(questions, sentences, strict=True)
        passages = (f"{q.before[-_NEAR:]} {said} {q.after[:_NEAR]} {q.beside}" for q, said in both)
        articles, rows = self._tokenise([" ".join(text.split()) for text in passages]), []
        for headline, article in zip(headlines, articles, strict=True):
            said = headline[:_HEADLINE]
            marks = [said.index(mark) if mark in said else len(said) - 1 for mark in self._marks]
            rows.append(((said + article[1:])[:MOST_TOKENS], [0, *marks]))
        return rows


def said_of(head: dict[str, torch.Tensor], states: torch.Tensor) -> torch.Tensor:
    """Logits of `CLASSES`, float32 [n, 7], of the states of the asked tokens [n, 3, d]."""
    import torch.nn.functional as F  # noqa: N812

    inner = F.linear(states.float().flatten(1), head["inner.weight"], head["inner.bias"]).tanh()
    return F.linear(inner, head["outer.weight"], head["outer.bias"])


def log_odds_of(logits: torch.Tensor) -> FloatArray:
    """Log-odds of support, float64 [n], from logits [n, 7]."""
    import torch

    odds = logits[:, 0].double() - torch.logsumexp(logits[:, 1:].double(), dim=1)
    return np.asarray(odds.cpu().numpy())


def marked(text: str, spans: Sequence[Span]) -> str:
    """The text with marks around some of it, for which its own quotation marks of that kind make room."""
    text = without_surrogates(text.replace(_MARK, '"').replace(_CLOSE, '"'))
    for start, end in sorted(set(spans), reverse=True):
        text = f"{text[:start]} {_MARK} {text[start:end]} {_CLOSE} {text[end:]}"
    return text


@loaded(1)
def _open(recipe: ClaimReader, mark: str, runtime: Runtime) -> ReaderModel:
    return ReaderModel(recipe, runtime)
