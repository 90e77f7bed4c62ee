"""Tiny random models of several architectures, opened in float32."""

import shutil

import pytest

from core.models.language_models.network import open_network
from core.runtime import Runtime


@pytest.fixture
def gpt2(tiny_gpt2):
    return open_network(tiny_gpt2, Runtime(half=False), prompt="plain")


@pytest.fixture(scope="session", params=["gpt2", "llama", "bloom"])
def folder(request, tiny_gpt2, tiny_llama, tmp_path_factory):
    """Learned positions, rotary ones, and ALiBi, whose distances are counted along the row."""
    import torch
    from transformers import BloomConfig, BloomForCausalLM

    if request.param != "bloom":
        return tiny_gpt2 if request.param == "gpt2" else tiny_llama
    folder = tmp_path_factory.mktemp("bloom")
    for file in tiny_gpt2.glob("token*"):
        shutil.copy(file, folder)
    torch.manual_seed(0)
    settings = BloomConfig(vocab_size=257, hidden_size=16, n_layer=2, n_head=2, initializer_range=0.5)
    BloomForCausalLM(settings).save_pretrained(folder)
    return folder
