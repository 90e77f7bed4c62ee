"""Runs pair models fast: each text tokenised once, pairs sorted by length, a batch a core, bfloat16."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Final

import numpy as np

from core.arrays import Float32Array, FloatArray, IntArray
from core.errors import InputError, ModelUnavailableError
from core.models.loaded import loaded
from core.models.networks.batches import fold, one_core_threads, spread_by_length, workers_for
from core.models.networks.precision import half_or_whole, in_half
from core.models.weights import fingerprint, load_state, prepare_hub_libraries
from core.pairs.context import PairContext
from core.pairs.cross_encoder.found import FoundModel, find, made_from, read_settings, unwrapped
from core.pairs.cross_encoder.tokens import (
    Ids,
    PairModelConfig,
    PairTokenizer,
    TokenRows,
    input_texts,
    known_days,
)
from core.pairs.scorer import Need, PairByPair, PairScorer, PreparedScorer, ScoreScale
from core.pairs.trained import FILE
from core.runtime import Runtime

if TYPE_CHECKING:
    from core.pairs.cross_encoder.model import BertPairs, PairModel, TransformersPairs

STEP = "Reading pairs of headlines"
_SLICE = 256
_NAMED: Final = "a pair model's name, a folder, a hub id, or a checkpoint file"
PAIR_MODEL: Final = {"help": _NAMED, "label": "Pair model"}
CHECKPOINT_BASE: Final = {"help": "the architecture and tokenizer of a checkpoint file: a folder or hub id"}
ELECTRA: Final = "google/electra-base-discriminator"  # what the HLGD paper's classifiers were made from


def open_model(trained: FoundModel) -> PairModel:
    from core.pairs.cross_encoder.model import assemble, load

    if not trained.plain:
        return load(trained.weights)
    return assemble(trained.config, trained.settings, unwrapped(load_state(trained.weights)), head_given=True)


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class PairReader:
    """A loaded pair model."""

    config: PairModelConfig
    tokenizer: PairTokenizer
    network: BertPairs | TransformersPairs
    device: str

    def tokenise(self, texts: list[str]) -> list[Ids]:
        """Token ids of each text alone; each distinct text is tokenised once."""
        distinct, inverse = fold(texts)
        slices = [distinct[i : i + _SLICE] for i in range(0, len(distinct), _SLICE)]
        with one_core_threads(workers_for("cpu")) as pool:
            ids = [row for rows in pool.map(self.tokenizer.tokenise, slices) for row in rows]
        return [ids[place] for place in inverse.tolist()]

    def probabilities(
        self, tokens: list[Ids], left: IntArray, right: IntArray, days: FloatArray, runtime: Runtime
    ) -> Float32Array:
        """Probability that the pairs (left[k], right[k]), in this order, tell the same event."""
        result = np.empty(len(left), dtype=np.float32)

        def score(batch: IntArray, rows: TokenRows, apart: Float32Array) -> None:
            result[batch] = probability(self.network.logits(rows, apart), self.config.same_label)

        self._read(score, tokens, (left, right, days), runtime)
        bad = int(np.count_nonzero(~np.isfinite(result)))
        if bad:
            raise ModelUnavailableError(
                f"The pair model gives no number for {bad} of {len(result)} pairs: its weights are damaged.",
                hint="Train or copy the model again.",
            )
        return result

    def vectors(
        self, tokens: list[Ids], left: IntArray, right: IntArray, days: FloatArray, runtime: Runtime
    ) -> list[Float32Array]:
        """What the classifier reads of each pair."""
        found = [np.empty(0, dtype=np.float32)] * len(left)

        def keep(batch: IntArray, rows: TokenRows, apart: Float32Array) -> None:
            for place, vector in zip(batch.tolist(), self.network.pooled(rows, apart), strict=True):
                found[place] = vector

        self._read(keep, tokens, (left, right, days), runtime)
        return found

    def _read(
        self,
        take: Callable[[IntArray, TokenRows, Float32Array], None],
        tokens: list[Ids],
        given: tuple[IntArray, IntArray, FloatArray],
        runtime: Runtime,
    ) -> None:
        """Hands over the pairs in batches of like length: their places, tokens, and days apart."""
        left, right, days = given
        if not len(left):
            return
        apart = known_days(days) if self.config.time != "none" else np.zeros(len(left))
        sizes = np.fromiter(map(len, tokens), dtype=np.int64, count=len(tokens))
        most = self.tokenizer.max_tokens
        lengths = np.minimum(sizes[left] + sizes[right] + self.tokenizer.frame.size, most)

        def read(batch: IntArray) -> None:
            rows = zip(left[batch], right[batch], apart[batch].tolist(), strict=True)
            pairs = [self.tokenizer.pair(tokens[a], tokens[b], day) for a, b, day in rows]
            take(batch, self.tokenizer.rows(pairs), apart[batch].astype(np.float32))

        spread_by_length(lengths, read, self.device, runtime, step=STEP)


def probability(logits: Float32Array, same_label: int) -> Float32Array:
    """Probability of the same event, float32 [b], from logits [b, 1] (sigmoid) or [b, k] (softmax)."""
    margin = logits[:, 0]
    if logits.shape[1] > 1:
        others = np.delete(logits, same_label, axis=1)
        with np.errstate(invalid="ignore"):  # NaN is said of damaged weights
            margin = logits[:, same_label] - np.logaddexp.reduce(others, axis=1)
    # The same formula for both signs would overflow for one of them.
    small = np.exp(-np.abs(margin))
    return np.asarray(np.where(margin >= 0, 1, small) / (1 + small), dtype=np.float32)


def pair_reader(trained: FoundModel, runtime: Runtime) -> PairReader:
    """Loads a pair model; the last two are remembered."""
    half = in_half(runtime)
    return _load(trained, fingerprint(*trained.files(allow_network=True)), runtime.device, half)


@loaded(2)
def _load(trained: FoundModel, mark: str, device: str, half: bool) -> PairReader:
    prepare_hub_libraries()
    import torch

    from core.models.networks.pretrained import positions
    from core.pairs.cross_encoder.model import (
        BertPairs,
        TransformersPairs,
        architecture_of,
        merged,
        reads,
        tokenizer_folder,
    )

    dtype = torch.bfloat16 if half else torch.float32
    settings = read_settings(trained.settings)
    if not reads(settings):
        model = open_model(trained)
        return PairReader(model.config, model.tokenizer, TransformersPairs(model, device, dtype), device)
    network = BertPairs(merged(trained), settings, trained.config, device=device, dtype=dtype)
    folder = tokenizer_folder(trained.settings, trained.config)
    most = positions(architecture_of(trained.settings))
    return PairReader(trained.config, PairTokenizer(folder, trained.config, positions=most), network, device)


@dataclass(frozen=True, kw_only=True, slots=True)
class PairModelScorer(PairScorer):
    """Base of the scorers that ask a pair model; dates, where it reads them, are part of its input."""

    scale: ClassVar[ScoreScale] = ScoreScale(symmetric=False)
    part: ClassVar[str] = "probability of the same event"
    reads: ClassVar[PairModelConfig] = PairModelConfig(adapter="full", max_tokens=128)
    numbers = staticmethod(half_or_whole)

    model: str = field(default="", metadata=PAIR_MODEL)
    base: str = field(default=ELECTRA, metadata=CHECKPOINT_BASE)

    def __post_init__(self) -> None:
        named = made_from(self.model)
        if named is None:
            return
        default = next(parameter.default for parameter in fields(self) if parameter.name == "base")
        if named and self.base not in ("", named, default):
            message = f"The model in {self.model} was trained on {named[:80]}, not on {self.base[:80]}."
            hint = "Leave `base` out, or give a model that names none, such as a checkpoint file."
            raise InputError(message, hint=hint)
        object.__setattr__(self, "base", named)

    @property
    def needs(self) -> frozenset[Need]:
        bodies = {Need.BODIES} if self.reads.input == "content" else set()
        return frozenset(bodies | ({Need.DATES} if self.reads.time != "none" else set()))

    @property
    def threshold(self) -> float:
        return find(self.model, self._reads).config.threshold

    @property
    def unfitted(self) -> str:
        if not find(self.model, self._reads).plain:
            return ""
        return (
            f"The threshold {self.threshold:g} was never fitted to {Path(self.model).name}, which has no "
            f"{FILE}: give a threshold chosen on labelled pairs."
        )

    @property
    def _reads(self) -> PairModelConfig:
        return replace(self.reads, base=self.base)

    @property
    def weights(self) -> tuple[Path, ...]:
        return find(self.model, self._reads, allow_network=False).files(allow_network=False)

    def reader(self, runtime: Runtime) -> PairReader:
        return pair_reader(find(self.model, self._reads), runtime)

    def network(self) -> PairModel:
        """The model as it is trained, loaded anew; `reader` has one that runs faster."""
        return open_model(find(self.model, self._reads))

    def prepare(self, context: PairContext, runtime: Runtime) -> PreparedScorer:
        reader = self.reader(runtime)
        tokens = reader.tokenise(input_texts(reader.config, context.texts, context.bodies))
        days = np.floor(context.days)

        def score(left: IntArray, right: IntArray) -> Float32Array:
            apart = np.abs(days[left] - days[right])
            known = np.isfinite(apart) | (reader.config.time == "none")
            scores = np.zeros(len(left), dtype=np.float32)
            scores[known] = reader.probabilities(tokens, left[known], right[known], apart[known], runtime)
            return scores

        # Batches are made by length, the better the more pairs there are.
        return PairByPair(len(context), score, rows_at_once=1 << 30)
