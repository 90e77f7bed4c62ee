"""Models of the hub: each recipe runs on a tiny model of its architecture, and none is fetched unasked."""

import json
import re
import shutil
from dataclasses import replace
from types import SimpleNamespace

import click
import numpy as np
import pytest

from core.errors import ModelUnavailableError
from core.headlines.generator import GenerationOptions, headline_generators
from core.models import weights
from core.models.encoders.encoder import encoders
from core.pairs.context import PairContext
from core.pairs.scorer import pair_scorers
from core.runtime import OFFLINE, Runtime
from tests.tiny_models import save_encoder

WORDS = ["river", "rose", "officials", "said"]
PAIR = ["Officials said the river rose", "River rose"]
LABELS = {0: "neutral", 1: "entailment", 2: "contradiction"}
TEXT = "Officials in Paris said on Monday that the river rose by 3 feet. Nobody was hurt."


@pytest.fixture
def listed(command):
    code, out, errors = command("models", "--json")
    assert code == 0, errors
    return json.loads(out)


@pytest.fixture
def model_of(tiny, tiny_llama, tmp_path):
    def folder(architecture):
        if architecture in ("bart", "pegasus", "t5", "mt5"):
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
        if not made.exists():
            made.mkdir()
            save_encoder(made, architecture, WORDS)
        if architecture == "deberta-v2":
            more = {
                "relative_attention": True,
                "pos_att_type": ["p2c", "c2p"],
                "position_biased_input": False,
            }
            classify(made, type_vocab_size=0, id2label=LABELS, **more)
        elif architecture == "roberta":
            classify(made, type_vocab_size=1, id2label={0: "0", 1: "1"}, pad_token_id=0)
            two_separators(made)
        return made

    return folder


def classify(folder, **more):
    """Makes a classifier with what its architecture has on the hub: labels, token types, distances."""
    import torch
    from transformers import AutoConfig, AutoModelForSequenceClassification

    torch.manual_seed(0)
    settings = AutoConfig.from_pretrained(folder, initializer_range=0.5, **more)
    AutoModelForSequenceClassification.from_config(settings).save_pretrained(folder)


def two_separators(folder):
    """Joins two texts as RoBERTa does: two signs between them, and one type."""
    from tokenizers.processors import RobertaProcessing
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(folder)
    tokenizer.backend_tokenizer.post_processor = RobertaProcessing(("[SEP]", 3), ("[CLS]", 2))
    tokenizer.save_pretrained(folder)


def probability_by_transformers(folder, left, right):
    """Of the entailment, by the library's own classes."""
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    model = AutoModelForSequenceClassification.from_pretrained(folder).eval()
    with torch.inference_mode():
        logits = model(**AutoTokenizer.from_pretrained(folder)(left, right, return_tensors="pt")).logits
    return logits.softmax(dim=-1)[0, 1].item()


def add_chat_template(folder):
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(folder)
    tokenizer.chat_template = "{% for each in messages %}{{ each['content'] }}\n{% endfor %}"
    tokenizer.save_pretrained(folder)


@pytest.mark.slow
def test_each_recipe_runs_on_a_tiny_model_of_its_architecture(listed, model_of, tmp_path):
    runtime = Runtime(cache=tmp_path / "cache", half=False)
    assert {each["kind"] for each in listed} == {
        "text encoder", "pair scorer", "headline generator", "language model",
    }  # fmt: skip
    for each in listed:
        assert each["licence"]
        assert each["what_for"]
        assert re.fullmatch(r"\d{4}\.\d{5}", each["paper"])
        if each["kind"] == "language model":  # `tests/unit/models/endpoints/test_gguf.py`
            continue
        folder = str(model_of(each["architecture"]))
        if each["kind"] == "text encoder":
            recipe = encoders.parse(each["recipe"])
            assert recipe.model == each["model"]
            vectors = replace(recipe, model=folder).build(runtime).encode([TEXT, "river rose"])
            assert np.isfinite(vectors).all()
        elif each["kind"] == "pair scorer":
            recipe = pair_scorers.parse(each["recipe"])
            assert recipe.model == each["model"]
            context = PairContext(PAIR, np.full(2, np.nan), np.empty((2, 0), dtype=np.float32))
            prepared = replace(recipe, model=folder).prepare(context, runtime)
            scores = prepared.pairs(np.array([0, 1]), np.array([1, 0]))
            wanted = [probability_by_transformers(folder, *pair) for pair in (PAIR, PAIR[::-1])]
            np.testing.assert_allclose(scores, wanted, atol=1e-5)
            assert abs(scores[0] - scores[1]) > 1e-3
        else:
            recipe = headline_generators.parse(each["recipe"])
            if "prompt:chat" in each["recipe"]:
                add_chat_template(folder)
            assert recipe.model == each["model"]
            writer = replace(recipe, model=folder).build(runtime)
            ((first, *_),) = writer.write([TEXT], GenerationOptions(), runtime)
            assert first.text


def test_a_classifier_of_three_answers_without_an_entailment_is_refused(model_of):
    folder = model_of("deberta-v2")
    settings = json.loads((folder / "config.json").read_text())
    labels = {"0": "left", "1": "centre", "2": "right"}
    (folder / "config.json").write_text(json.dumps(settings | {"id2label": labels}))
    with pytest.raises(ModelUnavailableError, match="entailment"):
        pair_scorers.parse(f"pair_classifier.v1|model:{folder}").reader(Runtime())


@pytest.fixture
def hub(monkeypatch, tmp_path, tiny):
    """A hub of one model, which says how large it is, and what was asked of it."""
    import huggingface_hub

    for variable in (*OFFLINE, weights.ALLOW_HUB):
        monkeypatch.setenv(variable, "")
    asked = []

    def info(name, *, files_metadata, revision):
        asked.append(("size", *filter(None, (name, revision))))
        files = {"model.safetensors": 1_500_000, "config.json": 1, "pytorch_model.bin": 99_000_000}
        files |= {"tiny-Q4_K_M.gguf": 700_000_000, "tiny-Q8_0.gguf": 1_400_000_000} if "GGUF" in name else {}
        siblings = [SimpleNamespace(rfilename=file, size=size) for file, size in files.items()]
        return SimpleNamespace(siblings=siblings)

    def download(name, *, allow_patterns, revision, local_files_only=False):
        if local_files_only:
            raise FileNotFoundError
        asked.append(("files", *filter(None, (name, revision))))
        if "GGUF" in name:
            (tmp_path / "tiny-Q4_K_M.gguf").touch()
            return str(tmp_path)
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


def test_a_conversion_of_the_hub_is_fetched_by_its_revision(command, hub, monkeypatch):
    monkeypatch.setattr(click, "confirm", lambda *words, **_: None)
    name = "google/pegasus-xsum@refs/pr/17"
    code, _, errors = command("models", name)
    assert code == 0
    assert "https://huggingface.co/google/pegasus-xsum/tree/refs/pr/17" in errors
    assert hub == [("size", *name.split("@")), ("files", *name.split("@"))]


def test_of_a_gguf_one_file_is_fetched_and_how_it_is_served_is_said(command, hub, monkeypatch, tmp_path):
    monkeypatch.setattr(click, "confirm", lambda *words, **_: None)
    code, out, errors = command("models", "Qwen/Qwen2.5-1.5B-Instruct-GGUF")
    assert code == 0
    assert "700 MB" in errors
    assert f"llama-server -m {tmp_path / 'tiny-Q4_K_M.gguf'}" in out


def test_only_what_is_listed_is_fetched(command, hub):
    code, _, errors = command("models", "somebody/else")
    assert code == 2
    assert "facebook/bart-large-cnn" in errors
    assert hub == []
