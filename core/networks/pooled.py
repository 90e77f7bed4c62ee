"""A transformers model and its tokenizer with pooling on top."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F  # noqa: N812

from core.errors import ModelUnavailableError
from core.similarities import Float32Array, IntArray
from core.weights import load_state

# Without any of these transformers makes up an empty tokenizer.
_TOKENIZERS = ("tokenizer.json", "vocab.txt", "vocab.json", "*.model")


class Pooled:
    """Token ids → unit vectors through any encoder of transformers.

    Args:
        folder: Folder with config.json, a tokenizer and weights.
        pooling: "mean" over the tokens, or "cls": the first.
        max_tokens: Longer texts are cut; also at what the model can take.
        device: "cuda", "mps" or "cpu".
        half: Compute in bfloat16.

    Raises:
        ModelUnavailableError: transformers cannot load the folder.
    """

    def __init__(self, folder: Path, *, pooling: str, max_tokens: int, device: str, half: bool) -> None:
        from transformers import MODEL_MAPPING, AutoConfig, AutoTokenizer
        from transformers import logging as transformers_logging

        transformers_logging.disable_progress_bar()  # type: ignore[no-untyped-call]
        if not any(next(folder.glob(pattern), None) for pattern in _TOKENIZERS):
            raise ModelUnavailableError(
                f"The folder {folder} has no tokenizer.",
                hint="Copy its files beside the weights.",
            )
        state = load_state(folder)
        # Keeps the tokenizer's truncation setting, which is its own state, in one piece.
        self._lock = threading.Lock()
        try:
            config = AutoConfig.from_pretrained(folder, local_files_only=True, trust_remote_code=False)
            self._tokenizer: Any = AutoTokenizer.from_pretrained(
                folder, local_files_only=True, trust_remote_code=False
            )
            # The class, not AutoModel: given no folder it takes the tensors and reads no file.
            kind: Any = MODEL_MAPPING[type(config)]
            model, report = kind.from_pretrained(
                None,
                config=config,
                state_dict=state,
                dtype=torch.bfloat16 if half else torch.float32,
                output_loading_info=True,
            )
        except Exception as error:  # the library raises whatever its parts raise
            if isinstance(error, MemoryError):
                raise
            raise ModelUnavailableError(
                f"The folder {folder} cannot be loaded as a text encoder ({type(error).__name__}).",
                hint="Give a folder with config.json, tokenizer files and safetensors of one encoder model.",
            ) from error
        missing = sorted(name for name in report["missing_keys"] if "pooler" not in name)
        if missing:
            raise ModelUnavailableError(
                f"The weights in {folder} lack {len(missing)} tensors that its config.json names, "
                f"such as {missing[0]}.",
                hint="Give a folder whose weights and config.json belong together.",
            )
        self._model = model.eval().to(device)
        self._cls = pooling == "cls"
        self._device = device
        self.dimensions = int(config.hidden_size)
        self.pad = int(self._tokenizer.pad_token_id or 0)
        self._max_tokens = min(max_tokens, _positions(config), int(self._tokenizer.model_max_length))

    def tokenise(self, texts: list[str]) -> list[list[int]]:
        """Token ids of each text, with the model's special tokens."""
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


def _positions(config: Any) -> int:
    """How many tokens the model can take; RoBERTa and its kin lose those up to the padding id."""
    positions = int(getattr(config, "max_position_embeddings", 512) or 512)
    shifted = "roberta" in config.model_type or config.model_type in {"camembert", "mpnet"}
    return positions - (int(config.pad_token_id or 0) + 1 if shifted else 0)
