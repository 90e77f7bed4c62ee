"""Networks, folders and the fast path, against transformers' own classes."""

import json
from itertools import product
from pathlib import Path

import numpy as np
import pytest
import torch

from core.errors import InputError, ModelUnavailableError
from core.pairs.cross_encoder.found import find
from core.pairs.cross_encoder.inference import open_model, pair_reader
from core.pairs.cross_encoder.model import MOST_DAYS, WEIGHTS, build, load, save
from core.pairs.cross_encoder.tokens import PairModelConfig, input_texts
from core.pairs.trained import FILE
from core.runtime import Runtime
from tests.unit.pairs.conftest import context, shaken

TIMES = ("none", "concat", "prefix")
ADAPTERS = ("full", "lora", "frozen")
# Each pair of values of the three stands in one of these.
EVERY = [(("bert", "electra")[(t + a) % 2], TIMES[t], ADAPTERS[a]) for t in range(3) for a in range(3)]


def logits(model, size=8):
    given = context(size)
    tokens = model.tokenizer.tokenise(input_texts(model.config, given.texts, given.bodies))
    left, right = (part.ravel() for part in np.mgrid[0:size, 0:size])
    days = np.abs(given.days[left] - given.days[right])
    with torch.inference_mode():
        batch = model.collate([tokens[i] for i in left], [tokens[i] for i in right], days)
        return model.eval()(*batch).numpy()


def read(folder, config, *, half=False, size=8):
    given = context(size)
    reader = pair_reader(find(str(folder), config), Runtime(half=half))
    left, right = (part.ravel() for part in np.mgrid[0:size, 0:size])
    texts = list(given.bodies if config.input == "content" else given.texts)
    days = np.abs(given.days[left] - given.days[right])
    return reader.probabilities(reader.tokenise(texts), left, right, days, Runtime())


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "time", "adapter"), EVERY)
def test_a_saved_model_answers_the_same_loaded_and_on_the_fast_path(bases, tmp_path, kind, time, adapter):
    config = PairModelConfig(base=str(bases[kind]), time=time, adapter=adapter, max_tokens=40, rank=4)
    model, folder = shaken(build(config)), tmp_path / "pair"
    save(model, folder)
    again = load(folder)
    assert again.config == config
    assert set(again.trained()) == set(model.trained())
    # Adapters and heads are kept in half precision.
    np.testing.assert_allclose(logits(again), logits(model), atol=1e-6 if adapter == "full" else 3e-3)
    wanted = torch.softmax(torch.from_numpy(logits(again)), dim=1)[:, 1].numpy()
    assert wanted.std() > 0.002
    np.testing.assert_allclose(read(folder, config), wanted, atol=1e-5)
    np.testing.assert_allclose(read(folder, config, half=True), wanted, atol=1e-2)


@pytest.mark.parametrize("kind", ["bert", "electra"])
def test_a_full_model_loads_in_transformers_and_sentence_transformers(trained, kind):
    from sentence_transformers import CrossEncoder
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    folder = trained(kind, adapter="full")
    assert (folder / WEIGHTS).is_file()
    given = context()
    pairs = list(product(given.texts, given.texts))
    tokens = AutoTokenizer.from_pretrained(folder)(
        [a for a, _ in pairs],
        [b for _, b in pairs],
        padding=True,
        truncation=True,
        max_length=40,
        return_token_type_ids=True,
        return_tensors="pt",
    )
    with torch.inference_mode():
        plain = AutoModelForSequenceClassification.from_pretrained(folder).eval()(**tokens).logits
    ours = read(folder, PairModelConfig.read(folder))
    np.testing.assert_allclose(ours, plain.softmax(dim=1)[:, 1].numpy(), atol=1e-5)
    theirs = CrossEncoder(str(folder), max_length=40, device="cpu").predict(pairs, apply_softmax=True)
    np.testing.assert_allclose(ours, theirs[:, 1], atol=1e-5)


def test_the_days_count_where_the_model_reads_them(bases):
    for time in ("concat", "prefix"):
        model = shaken(build(PairModelConfig(base=str(bases["bert"]), time=time)))
        tokens = model.tokenizer.tokenise(["storm hits coast", "storm hits the coast"])
        with torch.inference_mode():
            near, far, further, beyond = (
                model(*model.collate(tokens[:1], tokens[1:], [days]))
                for days in (0.0, 3.0, MOST_DAYS, 10 * MOST_DAYS)
            )
        assert not torch.allclose(near, far, atol=1e-4)
        if time == "concat":
            assert torch.equal(further, beyond)
        with pytest.raises(InputError, match="1 of 1 pairs lack a date"):
            model.collate(tokens[:1], tokens[1:], [float("nan")])


def test_a_checkpoint_loads_under_every_prefix(bases, tmp_path):
    from transformers import AutoConfig, AutoTokenizer, ElectraForSequenceClassification

    torch.manual_seed(3)
    plain = ElectraForSequenceClassification(AutoConfig.from_pretrained(bases["electra"])).eval()
    names = set(plain.state_dict())
    assert {"classifier.dense.weight", "classifier.out_proj.bias"} <= names
    otherwise = PairModelConfig(
        base=str(bases["electra"]), time="prefix", adapter="full", segments=False, max_tokens=64
    )
    # The input as the authors' script makes it.
    ids = AutoTokenizer.from_pretrained(bases["electra"]).encode("[SEP]3[SEP]storm hits", "the coast")
    with torch.inference_mode():
        wanted = plain(input_ids=torch.tensor([ids])).logits.softmax(dim=1)[0, 1].item()
    for prefix in ("", "model.", "module.", "module.model."):
        file = tmp_path / "cls_elec_base_hlgd_0.74f1.bin"
        torch.save({prefix + name: part for name, part in plain.state_dict().items()}, file)
        reader = pair_reader(find(str(file), otherwise), Runtime(half=False))
        tokens = reader.tokenise(["storm hits", "the coast"])
        got = reader.probabilities(tokens, np.array([0]), np.array([1]), np.array([3.0]), Runtime())
        assert got[0] == pytest.approx(wanted, abs=1e-5)


def test_a_checkpoint_with_code_is_refused(bases, tmp_path):
    class Bad:
        def __reduce__(self):
            return (Path.touch, (tmp_path / "ran",))

    torch.save({"electra": Bad()}, tmp_path / "bad.bin")
    with pytest.raises(ModelUnavailableError, match="refused"):
        open_model(find(str(tmp_path / "bad.bin"), PairModelConfig(base=str(bases["electra"]))))
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize(("kind", "outputs"), [("bert", 1), ("electra", 2), ("bert", 3)])
def test_plain_classifiers_of_one_or_two_outputs(bases, tmp_path, kind, outputs):
    from transformers import AutoConfig, AutoModelForSequenceClassification

    from tests.tiny_models import save_words
    from tests.unit.pairs.conftest import WORDS

    settings = AutoConfig.from_pretrained(bases[kind], num_labels=outputs)
    plain = AutoModelForSequenceClassification.from_config(settings).eval()
    plain.save_pretrained(tmp_path)
    save_words(tmp_path, WORDS)
    otherwise = PairModelConfig(adapter="full", max_tokens=40)
    if outputs == 3:
        with pytest.raises(ModelUnavailableError, match="has 3 outputs"):
            pair_reader(find(str(tmp_path), otherwise), Runtime())
        return
    model = open_model(find(str(tmp_path), otherwise))
    raw = torch.from_numpy(logits(model))
    wanted = torch.sigmoid(raw[:, 0]) if outputs == 1 else raw.softmax(dim=1)[:, 1]
    np.testing.assert_allclose(read(tmp_path, otherwise), wanted.numpy(), atol=1e-5)


def test_updates_of_another_base_are_one_sentence(trained, bases):
    folder = trained("bert")
    settings = json.loads((folder / FILE).read_text())
    (folder / FILE).write_text(json.dumps(settings | {"rank": 3}))
    with pytest.raises(ModelUnavailableError, match="do not fit"):
        load(folder)
    (folder / FILE).write_text(json.dumps(settings | {"base": str(bases["electra"])}))
    with pytest.raises(ModelUnavailableError):
        load(folder)


def test_weights_that_are_no_numbers_are_one_sentence(bases, tmp_path):
    model = build(PairModelConfig(base=str(bases["bert"]), adapter="frozen"))
    with torch.no_grad():
        model.network.classifier.bias.fill_(float("nan"))
    save(model, tmp_path / "pair")
    with pytest.raises(ModelUnavailableError, match="gives no number for 64 of 64 pairs"):
        read(tmp_path / "pair", model.config)
