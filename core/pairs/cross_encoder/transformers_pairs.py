"""A pair model of any architecture, run by transformers.

Imports torch; scorers import it inside functions.
"""

from __future__ import annotations

import torch

from core.pairs.cross_encoder.model import PairModel, batch_of
from core.pairs.cross_encoder.tokens import TokenRows
from core.similarities import Float32Array


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
        self._device = device

    def logits(self, rows: TokenRows, days: Float32Array) -> Float32Array:
        """Logits of some pairs, float32 [b, 1 or 2], from tokens and whole days apart, float32 [b]."""
        with torch.inference_mode():
            logits: Float32Array = self._model(batch_of(rows, days).to(self._device)).float().cpu().numpy()
            return logits
