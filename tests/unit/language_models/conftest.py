"""Tiny random models of several architectures, opened in float32."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from core.language_models.network import CausalNetwork
from core.language_models.opening import open_network
from core.runtime import Runtime


@pytest.fixture
def gpt2(tiny_gpt2: Path) -> CausalNetwork:
    return open_network(tiny_gpt2, Runtime(half=False), prompt="plain")


@pytest.fixture(scope="session", params=["gpt2", "llama", "bloom"])
def folder(request: pytest.FixtureRequest, tiny_gpt2: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Learned positions, rotary ones, and ALiBi, whose distances are counted along the row."""
    import torch
    from transformers import BloomConfig, BloomForCausalLM, LlamaConfig, LlamaForCausalLM

    if request.param == "gpt2":
        return tiny_gpt2
    folder = tmp_path_factory.mktemp(request.param)
    for file in tiny_gpt2.glob("token*"):
        shutil.copy(file, folder)
    torch.manual_seed(0)
    if request.param == "llama":
        config = LlamaConfig(
            vocab_size=257,
            hidden_size=16,
            intermediate_size=32,
            num_hidden_layers=2,
            num_attention_heads=2,
            initializer_range=0.5,
        )
        LlamaForCausalLM(config).save_pretrained(folder)
    else:
        settings = BloomConfig(vocab_size=257, hidden_size=16, n_layer=2, n_head=2, initializer_range=0.5)
        BloomForCausalLM(settings).save_pretrained(folder)
    return folder
