"""What the scorers over a pair model share: they differ in what the model reads, and in which ships."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar, Final

import numpy as np
import numpy.typing as npt

from core.arrays import Float32Array, IntArray
from core.errors import InputError
from core.models.networks.precision import half_or_whole
from core.pairs.cross_encoder.inference import PairReader, find, made_from, pair_reader
from core.pairs.cross_encoder.tokens import Ids, PairModelConfig, input_texts
from core.pairs.scorer import Need, PairByPair, PairContext, PairScorer, PreparedScorer, ScorePart, ScoreScale
from core.runtime import Runtime

MODEL: Final[Mapping[str, Any]] = MappingProxyType(
    {"help": "a pair model's name, a folder, a hub id, or a checkpoint file", "label": "Pair model"}
)
"""What a scorer says of its field `model`."""

CHECKPOINT_BASE: Final[Mapping[str, Any]] = MappingProxyType(
    {"help": "the architecture and tokenizer of a checkpoint file: a folder or hub id"}
)
"""What a scorer says of its field `base`."""

ELECTRA: Final = "google/electra-base-discriminator"
"""What the HLGD paper's classifiers were made from (appendix B)."""


@dataclass(frozen=True, slots=True, eq=False)
class PreparedPairModel(PairByPair):
    """A pair model over the headlines of a timeline.

    Attributes:
        reader: The loaded model.
        tokens: What it reads of each headline, as token ids, n of them.
        days: Publication day, whole numbers as float64 [n]; NaN where unknown.
        runtime: Where progress goes, and the stop signal.
    """

    rows_at_once: ClassVar[int] = 1 << 30  # batches are made by length, the better the more pairs there are

    reader: PairReader
    tokens: list[Ids]
    days: npt.NDArray[np.float64]
    runtime: Runtime

    def __len__(self) -> int:
        return len(self.tokens)

    def pairs(self, left: IntArray, right: IntArray) -> Float32Array:
        apart = np.abs(self.days[left] - self.days[right])
        known = np.isfinite(apart) | (self.reader.config.time == "none")
        scores = np.zeros(len(left), dtype=np.float32)
        scores[known] = self.reader.probabilities(
            self.tokens, left[known], right[known], apart[known], self.runtime
        )
        return scores


@dataclass(frozen=True, kw_only=True, slots=True)
class PairModelScorer(PairScorer):
    """Base of the scorers that ask a pair model; dates, where it reads them, are part of its input.

    Attributes:
        model: Name, folder or hub id of the model, or a checkpoint file.
        base: What gives a checkpoint file its architecture and tokenizer; of a model that says itself what it
            was made from, that, and another that is asked for is refused: a signature names what ran.
        reads: What a model without `pair_model.json` is taken for.
    """

    scale: ClassVar[ScoreScale] = ScoreScale(symmetric=False)
    part: ClassVar[str] = "probability of the same event"
    reads: ClassVar[PairModelConfig]
    numbers = staticmethod(half_or_whole)

    model: str = field(default="", metadata=MODEL)
    base: str = field(default=ELECTRA, metadata=CHECKPOINT_BASE)

    def __post_init__(self) -> None:
        """Takes the base that the model names, where it names one."""
        named = made_from(self.model)
        if not named:
            return
        default = next(one.default for one in fields(self) if one.name == "base")
        if self.base not in ("", named, default):
            raise InputError(
                f"The model in {self.model} was trained on {named[:80]}, not on {self.base[:80]}.",
                hint="Leave `base` out, or give a model that names none, such as a checkpoint file.",
            )
        object.__setattr__(self, "base", named)

    @property
    def needs(self) -> frozenset[Need]:
        bodies = {Need.BODIES} if self.reads.input == "content" else set()
        return frozenset(bodies | ({Need.DATES} if self.reads.time != "none" else set()))

    @property
    def threshold(self) -> float:
        return find(self.model, self._reads).config.threshold

    @property
    def _reads(self) -> PairModelConfig:
        return replace(self.reads, base=self.base)

    @property
    def weights(self) -> tuple[Path, ...]:
        """Of the model and of what it was made from; see `core.models.weights.files`."""
        return find(self.model, self._reads, allow_network=False).files(allow_network=False)

    def reader(self, runtime: Runtime) -> PairReader:
        """The loaded model."""
        return pair_reader(find(self.model, self._reads), runtime)

    def prepare(self, context: PairContext, runtime: Runtime) -> PreparedScorer:
        reader = self.reader(runtime)
        texts = input_texts(reader.config, context.texts, context.bodies)
        return PreparedPairModel(reader, reader.tokenise(texts), np.floor(context.days), runtime)

    def words(
        self, context: PairContext, left: int, right: int, runtime: Runtime
    ) -> tuple[tuple[ScorePart, ...], ...]:
        reader, rows = self.reader(runtime), [left, right]
        bodies = [context.bodies[row] for row in rows] if context.bodies else ()
        first, second = (
            text.split() for text in input_texts(reader.config, [context.texts[row] for row in rows], bodies)
        )
        texts, firsts, seconds = _without_each_word(first, second)
        days = np.floor(context.days[rows])
        both = reader.probabilities(
            reader.tokenise(texts),
            np.concatenate([firsts, seconds]),
            np.concatenate([seconds, firsts]),
            np.full(2 * len(firsts), abs(days[0] - days[1])),
            runtime,
        )
        scores = both.reshape(2, -1).mean(axis=0).astype(np.float64)
        weights = (scores[0] - scores[1:]).tolist()
        found = tuple(map(ScorePart, first + second, weights))
        return found[: len(first)], found[len(first) :]


def _without_each_word(left: Sequence[str], right: Sequence[str]) -> tuple[list[str], IntArray, IntArray]:
    shorter = [
        " ".join([*text[:place], *text[place + 1 :]]) for text in (left, right) for place in range(len(text))
    ]
    places = np.arange(2, 2 + len(shorter))
    of_left = np.arange(len(shorter)) < len(left)
    firsts = np.concatenate([[0], np.where(of_left, places, 0)]).astype(np.int64)
    seconds = np.concatenate([[1], np.where(of_left, 1, places)]).astype(np.int64)
    return [" ".join(left), " ".join(right), *shorter], firsts, seconds
