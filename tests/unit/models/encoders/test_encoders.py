from __future__ import annotations

import json
import shutil

import numpy as np
import pytest
import torch

from core.errors import ModelUnavailableError
from core.models.encoders.encoder import default_encoder
from core.models.encoders.minilm import MiniLM
from core.models.encoders.transformers_encoder import TransformersEncoder
from core.models.networks.bert import Bert
from core.models.weights import load_state, locate
from core.runtime import Runtime

TEXTS = [
    "Space station crew prepares for spacewalk",
    "US stocks fall",
    "Caf\u00e9 owners\u2019 fury \u2014 \u00a31.5m bill \U0001f680",
    "word " * 400,
    "x",
    "",
]


def test_the_default_follows_the_language():
    assert default_encoder("en") == "minilm.v1"
    for language in ("ru", "it", "mixed", "unknown", ""):
        assert default_encoder(language) == "use_multilingual.v1"


def test_minilm_is_transformers_own_bert():
    from tokenizers import Tokenizer
    from transformers import BertModel

    folder = locate("minilm")
    model = BertModel.from_pretrained(folder).eval()
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(256)
    want = []
    with torch.inference_mode():
        for text in TEXTS:
            ids = torch.tensor([tokenizer.encode(text).ids])
            mean = model(input_ids=ids).last_hidden_state.mean(dim=1)[0]
            want.append((mean / mean.norm()).numpy())
    plain = MiniLM().build(Runtime(half=False)).encode(TEXTS)
    assert np.sum(plain * np.array(want), axis=1).min() > 0.999999
    half = MiniLM().build(Runtime(half=True)).encode(TEXTS)
    assert np.sum(half * np.array(want), axis=1).min() > 0.9998


def test_other_berts_are_sent_elsewhere(tiny_bert):
    state = load_state(tiny_bert)
    config = json.loads((tiny_bert / "config.json").read_text())
    Bert(state, config, device="cpu", dtype=torch.float32)
    with pytest.raises(ModelUnavailableError, match="gelu"):
        Bert(state, {**config, "hidden_act": "relu"}, device="cpu", dtype=torch.float32)
    state.pop("encoder.layer.1.output.dense.bias")
    with pytest.raises(ModelUnavailableError, match=r"encoder\.layer\.1\.output\.dense\.bias"):
        Bert(state, config, device="cpu", dtype=torch.float32)


@pytest.mark.parametrize("pooling", ["mean", "cls"])
def test_a_folder_pools_as_asked(tiny_bert, pooling):
    from transformers import AutoTokenizer, BertModel

    texts = ["storm hits the coast", "bank cuts rates", "bank raises rates of the bank " * 30]
    encoder = TransformersEncoder(model=str(tiny_bert), pooling=pooling).build(Runtime(half=False))
    tokenizer = AutoTokenizer.from_pretrained(tiny_bert)
    model = BertModel.from_pretrained(tiny_bert).eval()
    for text, vector in zip(texts, encoder.encode(texts), strict=True):
        ids = tokenizer(text, return_tensors="pt", truncation=True, max_length=64)["input_ids"]
        with torch.inference_mode():
            hidden = model(ids).last_hidden_state[0]
        want = (hidden[0] if pooling == "cls" else hidden.mean(dim=0)).numpy()
        assert np.allclose(vector, want / np.linalg.norm(want), atol=1e-5)


@pytest.mark.parametrize("missing", ["tokenizer.json", "weights", "config", "config text"])
def test_half_a_model_is_refused_in_one_sentence(tmp_path, tiny_bert, missing):
    folder = tmp_path / "model"
    shutil.copytree(tiny_bert, folder)
    config = json.loads((folder / "config.json").read_text())
    if missing == "tokenizer.json":
        for path in folder.glob("*token*"):
            path.unlink()
    elif missing == "weights":
        (folder / "config.json").write_text(json.dumps({**config, "num_hidden_layers": 3}))
    elif missing == "config":
        (folder / "config.json").write_text('{"model_type": "no_such_kind", "hidden_size": 4}')
    else:
        (folder / "config.json").write_text("{")
    with pytest.raises(ModelUnavailableError) as error:
        TransformersEncoder(model=str(folder)).build(Runtime())
    assert "\n" not in str(error.value)
