"""Runs pair models fast: each text tokenised once, pairs sorted by length, a batch a core, bfloat16."""

from __future__ import annotations

import dataclasses
import functools
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import numpy.typing as npt

from core.arrays import Float32Array, IntArray
from core.errors import CoreError, ModelUnavailableError
from core.models import weights
from core.models.networks.batches import (
    CPU_TOKENS,
    GPU_TOKENS,
    fold,
    one_core_threads,
    plan,
    spread,
    workers_for,
)
from core.models.networks.precision import in_half
from core.models.weights import (
    fingerprint,
    folder_named,
    has_tokenizer,
    hub_allowed,
    load_state,
    locate,
    prepare_hub_libraries,
)
from core.pairs.cross_encoder.tokens import Ids, PairModelConfig, PairTokenizer, TokenRows, known_days
from core.pairs.model_file import FILE
from core.runtime import Runtime

if TYPE_CHECKING:
    from torch import Tensor

    from core.pairs.cross_encoder.model import PairModel

# What wrappers put before every name of a saved state.
_WRAPPERS = ("module.", "model.")


@dataclasses.dataclass(frozen=True, slots=True)
class FoundModel:
    """A pair model on this machine, not loaded.

    Attributes:
        weights: Its folder, or the checkpoint file.
        settings: Folder of config.json and tokenizer.
        config: What it is.
    """

    weights: Path
    settings: Path
    config: PairModelConfig

    @property
    def plain(self) -> bool:
        """It has no `pair_model.json`: a classifier of transformers, or a bare checkpoint."""
        return self.weights.is_file() or not (self.weights / FILE).is_file()

    def files(self, *, allow_network: bool) -> tuple[Path, ...]:
        """Files and folders that it is loaded from: its own, and those of the model that it was made from.

        Args:
            allow_network: Download the base where the user allows it.

        Raises:
            ModelUnavailableError: Its base is not on this machine.
        """
        own = tuple(dict.fromkeys((self.weights, self.settings)))
        whole = self.plain or (self.config.adapter == "full" and has_tokenizer(self.weights))
        return (
            own if whole else (*own, locate(self.config.base, allow_network=allow_network and hub_allowed()))
        )


def find(model: str, otherwise: PairModelConfig, *, allow_network: bool = True) -> FoundModel:
    """Where a pair model lies and what it is, without loading it."""
    allowed = allow_network and hub_allowed()
    path = folder_named(model)
    if path.is_file():
        return FoundModel(path, locate(otherwise.base, allow_network=allowed), otherwise)
    folder = locate(model, allow_network=allowed)
    if not (folder / FILE).is_file():
        return FoundModel(folder, folder, dataclasses.replace(otherwise, base=str(folder)))
    config = PairModelConfig.read(folder)
    for what in ("input", "time"):
        given, wanted = getattr(config, what), getattr(otherwise, what)
        if given != wanted:
            raise ModelUnavailableError(
                f"The pair model {model} has {what} {given!r}, and this scorer runs models with {wanted!r}.",
                hint="Choose the scorer that fits the model, or another model.",
            )
    return FoundModel(folder, folder, config)


def made_from(model: str) -> str:
    """The base that a pair model names in its `pair_model.json`; "" where it names none, or is not here."""
    with suppress(CoreError):
        if not folder_named(model).is_file():
            folder = locate(model)
            if (folder / FILE).is_file():
                return PairModelConfig.read(folder).base
    return ""


def open_model(found: FoundModel) -> PairModel:
    """Loads a pair model."""
    from core.pairs.cross_encoder.model import assemble, load

    if not found.plain:
        return load(found.weights)
    return assemble(
        found.config,
        found.settings,
        unwrapped(load_state(found.weights)),
        head_given=True,
    )


def read_settings(folder: Path) -> dict[str, Any]:
    """The config.json of a pair model."""
    settings = weights.read_settings(folder)
    outputs = len(settings.get("id2label") or ()) or 2
    if outputs > 2:
        raise ModelUnavailableError(
            f"The classifier in {folder} has {outputs} outputs; a pair model has one or two.",
            hint="Give a model that was trained on pairs that are the same or not.",
        )
    return settings


def unwrapped(state: dict[str, Tensor]) -> dict[str, Tensor]:
    """The tensors by transformers' names: without the `module.` or `model.` of a wrapper around all."""
    for prefix in _WRAPPERS:
        if state and all(name.startswith(prefix) for name in state):
            state = {name.removeprefix(prefix): tensor for name, tensor in state.items()}
    return state


STEP = "Reading pairs of headlines"
_SLICE = 256


class PairNetwork(Protocol):
    """A loaded pair model, without its tokenizer; safe to call from several threads."""

    def logits(self, rows: TokenRows, days: Float32Array) -> Float32Array:
        """Logits of pairs, float32 [b, 1 or 2], from tokens and whole days apart, float32 [b]."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class PairReader:
    """A loaded pair model.

    Attributes:
        config: What it is.
        tokenizer: Makes its input.
        network: The rest.
        device: "cuda", "mps" or "cpu".
    """

    config: PairModelConfig
    tokenizer: PairTokenizer
    network: PairNetwork
    device: str

    def tokenise(self, texts: list[str]) -> list[Ids]:
        """Token ids of each text alone; each distinct text is tokenised once."""
        distinct, inverse = fold(texts)
        slices = [distinct[i : i + _SLICE] for i in range(0, len(distinct), _SLICE)]
        with one_core_threads(workers_for("cpu")) as pool:
            ids = [row for rows in pool.map(self.tokenizer.tokenise, slices) for row in rows]
        return [ids[place] for place in inverse.tolist()]

    def probabilities(
        self,
        tokens: list[Ids],
        left: IntArray,
        right: IntArray,
        days: npt.NDArray[np.float64],
        runtime: Runtime,
    ) -> Float32Array:
        """Probability that the pairs (left[k], right[k]), in this order, tell the same event.

        For both orders give `left` and `right` twice, the second time exchanged: one pass costs
        what the pairs cost.

        Args:
            tokens: From `tokenise`.
            left: Places in `tokens`, int64 [m].
            right: Places in `tokens`, int64 [m].
            days: Days apart, float64 [m]; only read where the model wants them.
            runtime: Where progress goes, and the stop signal.

        Returns:
            float32 [m], 0 to 1.

        Raises:
            InputError: The model wants the days, and some are not known.
            ModelUnavailableError: The network gives something that is no number.
            Cancelled: The runtime's stop was set.
        """
        result = np.empty(len(left), dtype=np.float32)
        if not len(left):
            return result
        apart = known_days(days) if self.config.time != "none" else np.zeros(len(left))
        sizes = np.fromiter(map(len, tokens), dtype=np.int64, count=len(tokens))
        most = self.tokenizer.max_tokens
        lengths = np.minimum(sizes[left] + sizes[right] + self.tokenizer.frame.size, most)

        def one(batch: IntArray) -> None:
            pairs = [
                self.tokenizer.pair(tokens[a], tokens[b], day)
                for a, b, day in zip(left[batch], right[batch], apart[batch].tolist(), strict=True)
            ]
            logits = self.network.logits(self.tokenizer.rows(pairs), apart[batch].astype(np.float32))
            result[batch] = probability(logits, self.config.same_label)

        workers = workers_for(self.device)
        with one_core_threads(workers) as pool:
            batches = plan(lengths, CPU_TOKENS if self.device == "cpu" else GPU_TOKENS)
            spread(batches, one, pool, runtime, step=STEP, workers=workers)
        bad = int(np.count_nonzero(~np.isfinite(result)))
        if bad:
            raise ModelUnavailableError(
                f"The pair model gives no number for {bad} of {len(result)} pairs: its weights are damaged.",
                hint="Train or copy the model again.",
            )
        return result


def probability(logits: Float32Array, same_label: int) -> Float32Array:
    """Probability of the same event, float32 [b], from logits [b, 1] (sigmoid) or [b, 2] (softmax)."""
    margin = logits[:, 0] if logits.shape[1] == 1 else logits[:, same_label] - logits[:, 1 - same_label]
    # The same formula for both signs would overflow for one of them.
    small = np.exp(-np.abs(margin))
    return np.asarray(np.where(margin >= 0, 1, small) / (1 + small), dtype=np.float32)


def pair_reader(found: FoundModel, runtime: Runtime) -> PairReader:
    """Loads a pair model; the last two are remembered."""
    half = in_half(runtime)
    return _load(found, fingerprint(*found.files(allow_network=True)), runtime.device, half)


@functools.lru_cache(maxsize=2)
def _load(found: FoundModel, mark: str, device: str, half: bool) -> PairReader:
    prepare_hub_libraries()
    import torch

    from core.pairs.cross_encoder.bert_pairs import BertPairs, TransformersPairs, merged, reads
    from core.pairs.cross_encoder.model import architecture_of, positions, tokenizer_folder

    dtype = torch.bfloat16 if half else torch.float32
    settings = read_settings(found.settings)
    if not reads(settings):
        model = open_model(found)
        return PairReader(model.config, model.tokenizer, TransformersPairs(model, device, dtype), device)
    network = BertPairs(merged(found), settings, found.config, device=device, dtype=dtype)
    folder = tokenizer_folder(found.settings, found.config)
    most = positions(architecture_of(found.settings))
    return PairReader(found.config, PairTokenizer(folder, found.config, positions=most), network, device)
