import json
import shutil

import numpy as np
import pytest
import torch

from core.errors import ModelUnavailableError
from core.models.encoders.e5_small import CENTRE, FILE, PREFIX, E5Small, WeightFile, raw_encoder
from core.models.encoders.encoder import default_encoder
from core.models.encoders.minilm import MiniLM
from core.models.encoders.transformers_encoder import TransformersEncoder
from core.models.weights import locate
from core.runtime import Runtime
from core.tensor_files import read_arrays
from research.training.e5_centre import centre

TEXTS = [
    "Space station crew prepares for spacewalk",
    "US stocks fall",
    "Caf\u00e9 owners\u2019 fury \u2014 \u00a31.5m bill \U0001f680",
    "word " * 400,
    "x",
    "",
]


def test_the_default_follows_the_language_and_what_can_be_installed(monkeypatch):
    assert default_encoder("en") == "minilm.v1"
    for multilingual in ("e5_small.v1", "use_multilingual.v1"):
        for language in ("ru", "it", "mixed", "unknown", ""):
            assert default_encoder(language) == multilingual
        monkeypatch.setattr("core.models.encoders.encoder.find_spec", lambda name: None)


@pytest.fixture(scope="module")
def lead():
    """multilingual-e5-small as transformers runs it, from tensors unpacked in plain numpy."""
    from transformers import BertConfig, BertModel

    file = WeightFile(locate("e5_small") / FILE)
    names = {key: value for key, value in file.config.items() if key != "model_type"}
    model = BertModel(BertConfig(**names), add_pooling_layer=False).eval()
    packed = file.packed("emb.word", file.config["vocab_size"]).numpy().reshape(-1, 18)
    scales = packed[:, :2].copy().view(np.float16).astype(np.float32)
    steps = np.concatenate([packed[:, 2:] & 15, packed[:, 2:] >> 4], axis=1).astype(np.float32) - 8
    words = torch.from_numpy((steps * scales).reshape(file.config["vocab_size"], -1))
    model.load_state_dict({**file.state(), "embeddings.word_embeddings.weight": words}, strict=False)
    return model


HUNDRED = [*TEXTS[:3], "Банк России повысил ставку", "رئيس الوزراء", "日本の首相が訪米", "½ Ⅷ  two spaces"]


@pytest.mark.slow
def test_e5_is_transformers_own_bert_over_its_word_pieces(lead):
    encoder = raw_encoder(Runtime(half=False))
    rows = encoder.tokenise([PREFIX + text for text in HUNDRED])
    with torch.inference_mode():
        means = [lead(input_ids=torch.tensor([row])).last_hidden_state[0].mean(dim=0) for row in rows]
    want = np.array([(mean / mean.norm()).numpy() for mean in means])
    assert np.sum(encoder.encode(HUNDRED) * want, axis=1).min() > 0.99999


def test_a_headline_in_two_languages_is_nearer_than_two_headlines_of_one():
    vectors = (
        E5Small()
        .build(Runtime(half=False))
        .encode(
            ["Centrale bank verhoogt rente", "La banca centrale alza i tassi", "La squadra vince ai rigori"]
        )
    )
    assert vectors[0] @ vectors[1] > vectors[1] @ vectors[2] + 0.3


@pytest.mark.slow
def test_the_centre_that_ships_is_made_by_its_command():
    mean, languages = centre(Runtime(half=False))
    shipped_mean, shipped = read_arrays(CENTRE, "mean", "languages")
    assert np.allclose(mean, shipped_mean, atol=1e-4)
    assert np.linalg.svd(languages @ shipped.T)[1].min() > 0.999, "the same directions, whatever their order"


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
