"""Models of the hub: each recipe runs on a tiny model of its architecture, and none is fetched unasked."""

import json
import shutil
from dataclasses import replace
from types import SimpleNamespace

import click
import numpy as np
import pytest

from core.headlines.generator import GenerationOptions, headline_generators
from core.models import weights
from core.models.encoders.encoder import encoders
from core.runtime import OFFLINE, Runtime
from tests.tiny_models import save_encoder

TEXT = "Officials in Paris said on Monday that the river rose by 3 feet. Nobody was hurt."


@pytest.fixture
def listed(command):
    code, out, errors = command("models", "--json")
    assert code == 0, errors
    return json.loads(out)


@pytest.fixture
def model_of(tiny, tiny_llama, tmp_path):
    def folder(architecture):
        if architecture in ("bart", "t5"):
            return tiny(architecture)
        if architecture == "llama":
            return shutil.copytree(tiny_llama, tmp_path / architecture)
        made = tmp_path / architecture
        if architecture == "qwen2":
            import torch
            from transformers import AutoTokenizer, Qwen2Config, Qwen2ForCausalLM

            torch.manual_seed(0)
            tokenizer = AutoTokenizer.from_pretrained(tiny_llama)
            small = {"hidden_size": 16, "intermediate_size": 32, "num_hidden_layers": 2}
            heads = {"num_attention_heads": 2, "num_key_value_heads": 1}
            Qwen2ForCausalLM(Qwen2Config(vocab_size=len(tokenizer), **small, **heads)).save_pretrained(made)
            tokenizer.save_pretrained(made)
            return made
        made.mkdir()
        save_encoder(made, architecture, ["river", "rose", "officials", "said"])
        return made

    return folder


def add_chat_template(folder):
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(folder)
    tokenizer.chat_template = "{% for each in messages %}{{ each['content'] }}\n{% endfor %}"
    tokenizer.save_pretrained(folder)


def test_each_recipe_runs_on_a_tiny_model_of_its_architecture(listed, model_of, tmp_path):
    runtime = Runtime(cache=tmp_path / "cache", half=False)
    assert {"text encoder", "headline generator"} == {each["kind"] for each in listed}
    for each in listed:
        assert each["licence"]
        assert each["what_for"]
        folder = str(model_of(each["architecture"]))
        if each["kind"] == "text encoder":
            recipe = encoders.parse(each["recipe"])
            assert recipe.model == each["model"]
            vectors = replace(recipe, model=folder).build(runtime).encode([TEXT, "river rose"])
            assert np.isfinite(vectors).all()
        else:
            recipe = headline_generators.parse(each["recipe"])
            if "prompt:chat" in each["recipe"]:
                add_chat_template(folder)
            assert recipe.model == each["model"]
            writer = replace(recipe, model=folder).build(runtime)
            ((first, *_),) = writer.write([TEXT], GenerationOptions(), runtime)
            assert first.text


@pytest.fixture
def hub(monkeypatch, tmp_path, tiny):
    """A hub of one model, which says how large it is, and what was asked of it."""
    import huggingface_hub

    for variable in (*OFFLINE, weights.ALLOW_HUB):
        monkeypatch.setenv(variable, "")
    asked = []

    def info(name, *, files_metadata):
        asked.append(("size", name))
        files = {"model.safetensors": 1_500_000, "config.json": 1, "pytorch_model.bin": 99_000_000}
        siblings = [SimpleNamespace(rfilename=file, size=size) for file, size in files.items()]
        return SimpleNamespace(siblings=siblings)

    def download(name, *, allow_patterns, local_files_only=False):
        if local_files_only:
            raise FileNotFoundError
        asked.append(("files", name))
        return str(shutil.copytree(tiny("bart"), tmp_path / "fetched"))

    monkeypatch.setattr(huggingface_hub, "model_info", info)
    monkeypatch.setattr(huggingface_hub, "snapshot_download", download)
    return asked


def test_nothing_is_fetched_before_somebody_who_saw_the_size_agrees(command, hub, monkeypatch):
    said = []
    monkeypatch.setattr(click, "confirm", lambda *words, **_: (_ for _ in ()).throw(click.Abort()))
    code, _, errors = command("models", "facebook/bart-large-cnn")
    assert code != 0
    assert "2 MB from https://huggingface.co/facebook/bart-large-cnn, MIT" in errors
    assert hub == [("size", "facebook/bart-large-cnn")]
    monkeypatch.setattr(click, "confirm", lambda *words, **_: said.append(words))
    code, out, _ = command("models", "facebook/bart-large-cnn")
    assert code == 0
    assert said
    assert "bart.v1|model:facebook/bart-large-cnn" in out
    assert hub[-1] == ("files", "facebook/bart-large-cnn")


def test_only_what_is_listed_is_fetched(command, hub):
    code, _, errors = command("models", "somebody/else")
    assert code == 2
    assert "facebook/bart-large-cnn" in errors
    assert hub == []
