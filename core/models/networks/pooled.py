"""A transformers model with its tokenizer: one vector a text, or what a layer says of every token."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import torch
import torch.nn.functional as F  # noqa: N812

from core.arrays import Float32Array, IntArray
from core.errors import ModelUnavailableError
from core.models.networks.batches import clean, padded, spread_by_length
from core.models.networks.pretrained import load_pretrained
from core.runtime import Runtime


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


# These take a word at the beginning of a text for another one than after a space.
_SPACED: Final = ("RobertaTokenizer", "GPT2Tokenizer", "RobertaTokenizerFast", "GPT2TokenizerFast")


@dataclass(frozen=True, slots=True)
class Tokens:
    """A text as the network reads it."""

    ids: tuple[int, ...]
    words: tuple[int | None, ...]
    pieces: tuple[str, ...]


class TokenStates:
    """Token vectors from the first layers of any encoder of transformers, in float32."""

    def __init__(self, folder: Path, *, layers: int, device: str) -> None:
        opened = load_pretrained(folder, device=device, half=False, layers=layers)
        if opened.config.is_encoder_decoder or not opened.tokenizer.is_fast:
            raise ModelUnavailableError(
                f"The model in {folder} gives no vectors of words.",
                hint="Give an encoder such as BERT or RoBERTa that has a tokenizer.json.",
            )
        self._lock = threading.Lock()
        self._tokenizer = opened.tokenizer
        self._model = opened.model
        self._max_tokens = opened.max_tokens
        self._device = device
        self._pad = int(self._tokenizer.pad_token_id or 0)
        self._space = " " if type(self._tokenizer).__name__ in _SPACED else ""
        ends = (self._tokenizer.cls_token_id, self._tokenizer.sep_token_id)
        self.framing = frozenset(int(token) for token in ends if token is not None)
        """Ids of the tokens that begin and end a text."""

    def tokenise(self, texts: Sequence[str]) -> list[Tokens]:
        """The tokens of each text, cut at what the model can take."""
        if not texts:
            return []
        spaced = [self._space + clean(text).strip() for text in texts]
        with self._lock:
            encoded = self._tokenizer(spaced, truncation=True, max_length=self._max_tokens)
        return [
            Tokens(
                tuple(ids),
                tuple(encoded.word_ids(row)),
                tuple(self._tokenizer.convert_ids_to_tokens(ids)),
            )
            for row, ids in enumerate(encoded["input_ids"])
        ]

    def vectors(self, texts: Sequence[Tokens], runtime: Runtime, *, step: str) -> list[Float32Array]:
        """Unit vectors of the tokens of each text, float32 [tokens, d]; equal texts are read once."""
        places: dict[tuple[int, ...], int] = {}
        where = [places.setdefault(text.ids, len(places)) for text in texts]
        rows = list(places)
        found: list[Float32Array] = [None] * len(rows)  # type: ignore[list-item]

        def read(batch: IntArray) -> None:
            ids, lengths = padded([rows[row] for row in batch], self._pad)
            states = self._states(ids, lengths)
            for row, length, vectors in zip(batch, lengths, states, strict=True):
                found[row] = vectors[:length].copy()

        spread_by_length([len(row) for row in rows], read, self._device, runtime, step=step)
        return [found[place] for place in where]

    def _states(self, ids: IntArray, lengths: IntArray) -> Float32Array:
        with torch.inference_mode():
            present = torch.arange(ids.shape[1])[None, :] < torch.from_numpy(lengths)[:, None]
            output = self._model(
                input_ids=torch.from_numpy(ids).to(self._device),
                attention_mask=present.long().to(self._device),
            )
            unit = torch.nn.functional.normalize(output.last_hidden_state.float(), dim=-1)
            states: Float32Array = unit.cpu().numpy()
            return states
