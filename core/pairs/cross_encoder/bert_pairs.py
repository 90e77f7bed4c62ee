"""Pair models as they run: over BERT without transformers, and over any architecture with it.

Imports torch; scorers import it inside functions.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor

from core.arrays import Float32Array
from core.errors import ModelUnavailableError
from core.models.networks import low_rank
from core.models.networks.bert import Bert
from core.models.weights import hub_allowed, load_state, locate
from core.pairs.cross_encoder.inference import FoundModel, unwrapped
from core.pairs.cross_encoder.model import MOST_DAYS, PairModel
from core.pairs.cross_encoder.tokens import PairModelConfig, TokenRows


class BertPairs:
    """Logits of pairs, low-rank updates merged, only the first token at the end; threads may share it.

    Args:
        state: Tensors of encoder and head by their bare names (`bare`).
        settings: The model's config.json.
        config: What the pair model is.
        device: "cuda", "mps" or "cpu".
        dtype: Of the encoder, float32 or bfloat16; the head is float32.

    Raises:
        ModelUnavailableError: A tensor is missing, or it is another kind of BERT.
    """

    def __init__(
        self,
        state: dict[str, Tensor],
        settings: dict[str, Any],
        config: PairModelConfig,
        *,
        device: str,
        dtype: torch.dtype,
    ) -> None:
        self._bert = Bert(state, settings, device=device, dtype=dtype)
        self._concat = config.time == "concat"
        names = ("text_layer", "days_layer", "classifier") if self._concat else ("pooler.dense", "classifier")
        missing = [f"{name}.{part}" for name in names for part in ("weight", "bias")]
        missing = [name for name in missing if name not in state]
        if missing:
            raise ModelUnavailableError(
                f"The pair model has no {missing[0]}.", hint="Train it first, or copy it again."
            )
        self._head = {name: state[name].to(device, torch.float32) for name in state if name.startswith(names)}
        self._device = device

    def logits(self, rows: TokenRows, days: Float32Array) -> Float32Array:
        """Logits of some pairs, float32 [b, 2].

        Args:
            rows: The pairs as tokens.
            days: Whole days apart, float32 [b]; only read where the model wants them.
        """
        with torch.inference_mode():
            asked = np.zeros((len(rows.ids), 1), dtype=np.int64)
            first = self._bert.hidden(rows.ids, rows.lengths, rows.firsts, asked=asked)[:, 0].float()
            if self._concat:
                apart = torch.from_numpy(days).to(self._device).clamp(max=MOST_DAYS)
                read = self._layer("days_layer", torch.log1p(apart)[:, None])
                pooled = torch.cat([self._layer("text_layer", first), read], dim=1)
            else:
                pooled = self._layer("pooler.dense", first)
            logits = F.linear(pooled, self._head["classifier.weight"], self._head["classifier.bias"])
            result: Float32Array = logits.cpu().numpy()
            return result

    def _layer(self, name: str, given: Tensor) -> Tensor:
        return torch.tanh(F.linear(given, self._head[f"{name}.weight"], self._head[f"{name}.bias"]))


def reads(settings: dict[str, Any]) -> bool:
    """Whether `BertPairs` can run a model with this config.json."""
    return (
        settings.get("model_type") == "bert"
        and settings.get("hidden_act") == "gelu"
        and settings.get("position_embedding_type", "absolute") == "absolute"
        and not settings.get("is_decoder")
    )


def merged(found: FoundModel) -> dict[str, Tensor]:
    """All tensors of a pair model over BERT by their bare names, low-rank updates merged."""
    own = bare(unwrapped(load_state(found.weights)))
    if found.config.adapter == "full" or found.plain:
        return own
    state = bare(load_state(locate(found.config.base, allow_network=hub_allowed())))
    return low_rank.merged(state, own, scale=found.config.alpha / found.config.rank)


def bare(state: dict[str, Tensor]) -> dict[str, Tensor]:
    """Tensors by names without the network's own prefixes."""
    return {name.removeprefix("network.").removeprefix("bert."): tensor for name, tensor in state.items()}


class TransformersPairs:
    """Logits of pairs; it changes nothing while it runs, so threads may share it.

    Args:
        model: A loaded pair model; low-rank updates are merged into it.
        device: "cuda", "mps" or "cpu".
        dtype: float32 or bfloat16.
    """

    def __init__(self, model: PairModel, device: str, dtype: torch.dtype) -> None:
        for layer in model.network.modules():
            if hasattr(layer, "lora_A"):
                layer.merge()
        self._model = model.eval().to(device, dtype)

    def logits(self, rows: TokenRows, days: Float32Array) -> Float32Array:
        """Logits of some pairs, float32 [b, 1 or 2], from tokens and whole days apart, float32 [b]."""
        with torch.inference_mode():
            logits: Float32Array = self._model(rows, days).float().cpu().numpy()
            return logits
