"""Adapters against the layers that training puts beside a model's own."""

import copy
import json
from typing import Any

import pytest

from core.errors import ModelUnavailableError
from core.models.language_models.adapters import AdapterConfig, with_adapter
from core.models.language_models.causal import Causal
from core.models.networks.low_rank import add_low_rank, llama_layers, write_adapter
from core.runtime import Runtime
from research.runs.checkpoint import write_tensors

EXACT = Runtime(half=False)


@pytest.fixture
def adapter(tiny_llama, tmp_path):
    """Random updates of the second of two blocks."""
    tuned_model(tiny_llama, tmp_path)
    return tmp_path


def tuned_model(base, folder):
    import torch

    about = AdapterConfig(
        base=f"causal.v1|model:{base}",
        rank=3,
        alpha=6.0,
        first_block=1,
        article_tokens=40,
        headline_tokens=12,
        before="<|endoftext|>",
        end="\n",
    )
    model: Any = copy.deepcopy(Causal(model=str(base)).build(EXACT).model)
    layers = llama_layers(model, about.first_block)
    add_low_rank(model, layers, rank=about.rank, scale=about.alpha / about.rank, seed=0)
    torch.manual_seed(1)
    for name, value in model.named_parameters():
        if name.endswith("lora_B"):
            # As adapters are kept in half precision.
            value.data = torch.randn_like(value).half().float()
        elif name.endswith("lora_A"):
            value.data = value.data.half().float()
    write_adapter(model, folder)
    about.write(folder)
    return model


def test_merged_weights_answer_as_the_layers_in_training(tiny_llama, tmp_path):
    import torch

    tuned = tuned_model(tiny_llama, tmp_path)
    ids = torch.arange(20)[None]
    merged = with_adapter(tmp_path, EXACT)
    plain: Any = Causal(model=str(tiny_llama)).build(EXACT)
    with torch.inference_mode():
        wanted, found = tuned(ids).logits, merged.model(ids).logits
        assert torch.allclose(found, wanted, atol=1e-4)
        assert not torch.allclose(found, plain.model(ids).logits, atol=0.1)
    assert merged.fingerprint != plain.fingerprint


def without_weights(folder):
    (folder / "adapter.safetensors").unlink()


def broken_weights(folder):
    (folder / "adapter.safetensors").write_bytes(b"\x80\x04 nothing")


def changed(**values):
    def change(folder):
        about = json.loads((folder / "headline_model.json").read_text())
        (folder / "headline_model.json").write_text(json.dumps({**about, **values}))

    return change


def weights(change):
    def write(folder):
        from safetensors.torch import load_file

        write_tensors(folder / "adapter.safetensors", change(load_file(folder / "adapter.safetensors")))

    return write


LAYER = "model.layers.1.mlp.up_proj"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("damage", "sentence"),
    [
        (without_weights, "holds no adapter"),
        (broken_weights, "damaged or incomplete"),
        (changed(format="another"), "does not describe"),
        (changed(rank=0), "does not describe"),
        (changed(rank=4), "another shape"),
        (changed(base="nothing.v1"), "no language model here"),
        (changed(base="causal.v1|model:/nowhere"), "/nowhere"),
        (weights(lambda state: {}), "no tensors"),
        (
            weights(lambda state: {**state, "model.layers.9.mlp.up_proj.lora_A": state[f"{LAYER}.lora_A"]}),
            "no layer",
        ),
        (weights(lambda state: {**state, f"{LAYER}.lora_A": state[f"{LAYER}.lora_A"] * 1e6}), "no number"),
        (weights(lambda state: {k: v for k, v in state.items() if k != f"{LAYER}.lora_B"}), "no layer"),
    ],
)
def test_damaged_adapters(adapter, damage, sentence):
    damage(adapter)
    with pytest.raises(ModelUnavailableError, match=sentence) as caught:
        with_adapter(adapter, EXACT)
    assert caught.value.hint
