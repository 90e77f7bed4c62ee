"""Runs pair models fast: each text tokenised once, pairs sorted by length, a batch a core, bfloat16."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from core.errors import ModelUnavailableError
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
from core.models.weights import fingerprint, prepare_hub_libraries
from core.pairs.cross_encoder.config import PairModelConfig
from core.pairs.cross_encoder.opening import FoundModel, open_model, read_settings
from core.pairs.cross_encoder.tokens import Ids, PairTokenizer, TokenRows, known_days
from core.runtime import Runtime
from core.similarities import Float32Array, IntArray

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
    from core.pairs.cross_encoder.folders import tokenizer_folder
    from core.pairs.cross_encoder.model import architecture_of, positions

    dtype = torch.bfloat16 if half else torch.float32
    settings = read_settings(found.settings)
    if not reads(settings):
        model = open_model(found)
        return PairReader(model.config, model.tokenizer, TransformersPairs(model, device, dtype), device)
    network = BertPairs(merged(found), settings, found.config, device=device, dtype=dtype)
    folder = tokenizer_folder(found.settings, found.config)
    most = positions(architecture_of(found.settings))
    return PairReader(found.config, PairTokenizer(folder, found.config, positions=most), network, device)
