"""A transformers model and its tokenizer with pooling on top."""

from __future__ import annotations

import threading
from pathlib import Path

import torch
import torch.nn.functional as F  # noqa: N812

from core.arrays import Float32Array, IntArray
from core.models.networks.pretrained import load_pretrained


class Pooled:
    """Token ids → unit vectors through any encoder of transformers."""

    def __init__(self, folder: Path, *, pooling: str, max_tokens: int, device: str, half: bool) -> None:
        opened = load_pretrained(folder, device=device, half=half)
        # Keeps the tokenizer's truncation setting, which is its own state, in one piece.
        self._lock = threading.Lock()
        self._tokenizer = opened.tokenizer
        self._model = opened.model
        self._cls = pooling == "cls"
        self._device = device
        self.dimensions = int(opened.config.hidden_size)
        self.pad = int(self._tokenizer.pad_token_id or 0)
        self._max_tokens = min(max_tokens, opened.max_tokens)

    def tokenise(self, texts: list[str]) -> list[list[int]]:
        with self._lock:
            encoded = self._tokenizer(texts, truncation=True, max_length=self._max_tokens)
        ids: list[list[int]] = encoded["input_ids"]
        return ids

    def embed(self, ids: IntArray, lengths: IntArray) -> Float32Array:
        """Unit vectors float32 [b, d] of ids int64 [b, w], padded on the right."""
        with torch.inference_mode():
            present = torch.arange(ids.shape[1])[None, :] < torch.from_numpy(lengths)[:, None]
            present = present.to(self._device)
            output = self._model(
                input_ids=torch.from_numpy(ids).to(self._device), attention_mask=present.long()
            )
            hidden = output.last_hidden_state.float()
            pooled = hidden[:, 0] if self._cls else (hidden * present[..., None]).sum(dim=1)
            vectors: Float32Array = F.normalize(pooled, dim=1).cpu().numpy()
            return vectors
