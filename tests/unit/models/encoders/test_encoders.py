import gc
import json
import os
import pickle
import shutil
import sqlite3
import sys
import threading
import time
import weakref
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file

from benchmarks.makers import e5_centre
from core.data.timelines.samples import load_sample
from core.errors import Cancelled, ModelUnavailableError, UnknownNameError
from core.models.cards import SHIPPED, card, cards
from core.models.encoders import cached
from core.models.encoders.cached import encode_cached, shipped, shipped_keys
from core.models.encoders.e5_file import FILE, WeightFile, e5_weights
from core.models.encoders.e5_small import CENTRE, PREFIX, raw_encoder
from core.models.encoders.encoder import AUTOMATIC
from core.models.encoders.minilm import MiniLM
from core.models.encoders.transformers_encoder import TransformersEncoder
from core.models.file_hashes import hash_of
from core.models.networks import precision
from core.models.weights import load_state, locate
from core.pairs.scorers.event_blend import read_model
from core.pairs.timeline_context import encoder_of, scorer_of
from core.runtime import Runtime
from core.tensor_files import read_arrays
from tests.programs import printed

TEXTS = [
    "Space station crew prepares for spacewalk", "US stocks fall",
    "Caf\u00e9 owners\u2019 fury \u2014 \u00a31.5m bill \U0001f680", "word " * 400, "x", "",
]  # fmt: skip


@pytest.fixture(scope="module")
def lead():
    """multilingual-e5-small as transformers runs it, from tensors unpacked in plain numpy."""
    from transformers import BertConfig, BertModel

    file = e5_weights()
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


@pytest.mark.slow
def test_the_usual_word_pieces_of_e5_give_the_ids_of_all():
    file, whole = WeightFile(locate("e5_small") / FILE), WeightFile(locate("e5_small") / FILE)
    whole.tokenise(["Банк России"])  # from here on all pieces
    usual = [text for text in HUNDRED if text.isascii()]
    usual += ["“Storm” – £3m…", "^~\\x01{|}", "", "aaaaXXXX\x7f #€5", "qzxj’s"]
    assert file.tokenise(usual) == whole.tokenise(usual)
    assert len(file._tokenizer(usual=True)[1]) < len(whole._tokenizer(usual=True)[1]) / 2
    assert file.tokenise(HUNDRED) == whole.tokenise(HUNDRED)


SHARED = """
import gc, weakref
from core.models.encoders.e5_file import e5_weights
from core.models.encoders.e5_siamese import E5Siamese
from core.models.encoders.e5_small import raw_encoder
from core.runtime import Runtime

first, other = raw_encoder(Runtime()), E5Siamese().build(Runtime())
print(first.tokenise == other.tokenise == e5_weights().tokenise)
left = weakref.ref(e5_weights())
print(first.tokenise.__self__.words().packed.data_ptr() == left().words().packed.data_ptr())
del first, other
gc.collect()
print(left() is None)
"""


@pytest.mark.slow
def test_all_that_is_made_of_e5_shares_its_weights_while_it_lives():
    assert printed(SHARED).split() == ["True"] * 3


@pytest.mark.slow
def test_the_centre_that_ships_is_made_by_its_command(monkeypatch):
    encode = raw_encoder(Runtime(half=False)).encode
    # Of thousands of titles every tenth: their mean lies within the noise of such a draw.
    some = SimpleNamespace(encode=lambda texts: encode(texts[:: 10 if len(texts) > 1_000 else 1]))
    monkeypatch.setattr(e5_centre, "raw_encoder", lambda runtime: some)
    mean, languages = e5_centre.centre(Runtime(half=False))
    shipped_mean, shipped = read_arrays(CENTRE, "mean", "languages")
    assert np.abs(mean - shipped_mean).max() < 0.003
    assert np.linalg.svd(languages @ shipped.T)[1].min() > 0.999, "the same directions, whatever their order"


@pytest.mark.slow
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


def test_every_card_is_complete_and_its_weights_are_here():
    assert len({c.name for c in cards()}) == len(cards()) >= 2
    for known in cards():
        assert all((known.title, known.licence, known.languages, known.what_for))
        size = sum(path.stat().st_size for path in locate(known.name).iterdir() if path.is_file())
        assert size / 1e6 == pytest.approx(known.megabytes, rel=0.1)
    assert card("minilm").dimensions == 384
    with pytest.raises(UnknownNameError, match="minilm"):
        card("nothing")


class _Attack:
    def __init__(self, flag: str) -> None:
        self.flag = flag

    def __reduce__(self) -> tuple[object, tuple[str, str]]:
        return open, (self.flag, "w")


@pytest.mark.parametrize("how", ["torch", "plain"])
def test_a_pickle_with_code_is_refused_and_not_run(tmp_path, how):
    flag = tmp_path / "ran"
    (tmp_path / "config.json").write_text("{}")
    if how == "torch":
        torch.save({"weight": _Attack(str(flag))}, tmp_path / "pytorch_model.bin")
    else:
        (tmp_path / "pytorch_model.bin").write_bytes(pickle.dumps(_Attack(str(flag))))
    with pytest.raises(ModelUnavailableError, match="refused"):
        load_state(locate(tmp_path))
    assert not flag.exists()


def test_a_bin_of_tensors_loads_and_safetensors_go_first(tmp_path, tiny_bert):
    state = load_file(tiny_bert / "model.safetensors")
    torch.save(state, tmp_path / "pytorch_model.bin")
    loaded = load_state(tmp_path)
    assert loaded.keys() == state.keys()
    assert all(torch.equal(loaded[name], state[name]) for name in state)
    save_file({"one": torch.ones(2)}, tmp_path / "model.safetensors")
    assert load_state(tmp_path).keys() == {"one"}


def test_damaged_weights(tmp_path):
    (tmp_path / "model.safetensors").write_bytes(b"\x00" * 50)
    with pytest.raises(ModelUnavailableError, match="damaged"):
        load_state(tmp_path)
    torch.save([1, 2], tmp_path / "pytorch_model.bin")
    (tmp_path / "model.safetensors").unlink()
    with pytest.raises(ModelUnavailableError, match="not a table of tensors"):
        load_state(tmp_path)


def test_a_hub_id_with_downloading_off():
    with pytest.raises(ModelUnavailableError, match="HEADLINE_LAB_ALLOW_HUB=1"):
        locate("nobody/no-such-model")


REPEATED = [
    "storm hits coast", "bank cuts rates", "storm hits coast", "\u0441\u0442\u0440\u0430\u043d\u0430", "",
]  # fmt: skip


def test_a_timeline_is_paid_for_once_and_ten_more_headlines_cost_ten(tmp_path, counting):
    runtime = Runtime(cache=tmp_path)
    first = encode_cached(REPEATED, counting, runtime)
    assert sorted(counting.texts) == sorted(set(REPEATED))
    again = encode_cached(REPEATED, counting, runtime)
    assert np.array_equal(first, again)
    assert len(counting.builds) == 1, "a cached timeline does not load the model"
    counting.texts.clear()
    more = encode_cached([*REPEATED, *(f"new {i}" for i in range(10))], counting, runtime)
    assert sorted(counting.texts) == sorted(f"new {i}" for i in range(10))
    assert np.array_equal(more[:5], first)


def test_the_model_goes_as_soon_as_its_texts_are_encoded(tmp_path, counting, monkeypatch):
    build, built = type(counting).build, []

    def watched(recipe, runtime):
        encoder = build(recipe, runtime)
        built.append(weakref.ref(encoder))
        return encoder

    monkeypatch.setattr(type(counting), "build", watched)
    gc.disable()
    try:
        encode_cached(["a", "b"], counting, Runtime(cache=tmp_path))
        assert [model() for model in built] == [None]
    finally:
        gc.enable()


def test_a_flipped_bit_is_a_miss(tmp_path, counting):
    runtime = Runtime(cache=tmp_path)
    good = encode_cached(["a", "b"], counting, runtime)
    with sqlite3.connect(tmp_path / cached.FILE) as connection:
        (blob,) = connection.execute("SELECT vector FROM vectors LIMIT 1").fetchone()
        bad = bytes([*blob[:-1], blob[-1] ^ 1])
        connection.execute("UPDATE vectors SET vector = ? WHERE vector = ?", (bad, blob))
    counting.texts.clear()
    assert np.array_equal(encode_cached(["a", "b"], counting, runtime), good)
    assert len(counting.texts) == 1


@pytest.mark.parametrize("place", ["under a file", "is a folder"])
def test_a_place_that_cannot_be_written_means_no_cache(tmp_path, counting, place):
    if place == "under a file":
        (tmp_path / "file").write_text("here")
        folder = tmp_path / "file" / "cache"
    else:
        folder = tmp_path
        (folder / cached.FILE).mkdir()
    for _ in range(2):
        assert encode_cached(["a"], counting, Runtime(cache=folder)).shape == (1, 8)
    assert len(counting.builds) == 2


def test_progress_counts_headlines_and_stopping_keeps_what_was_done(tmp_path, counting, monkeypatch):
    monkeypatch.setattr("core.models.encoders.cached._CHECKPOINT", 10)
    reports: list[tuple[int, int]] = []
    stop = threading.Event()

    def report(step, done, total):
        reports.append((done, total))
        if done >= 15:
            stop.set()

    texts = [f"headline {i}" for i in range(40)]
    with pytest.raises(Cancelled):
        encode_cached(texts, counting, Runtime(cache=tmp_path, report=report, stop=stop))
    assert [done for done, _ in reports] == sorted(done for done, _ in reports)
    assert {total for _, total in reports} == {40}
    counting.texts.clear()
    encode_cached(texts, counting, Runtime(cache=tmp_path))
    assert len(counting.texts) == 30


@pytest.mark.slow
@pytest.mark.parametrize(("half", "least"), [(False, 0.999999), (True, 0.9998)])
def test_vectors_that_ship_are_those_of_the_encoder(tmp_path, monkeypatch, half, least):
    monkeypatch.setattr(precision, "bfloat16_pays", lambda device: half)
    sample = load_sample()
    texts, recipe = sample.texts, encoder_of(sample.reading, AUTOMATIC, scorer_of(AUTOMATIC))
    runtime = Runtime(cache=tmp_path)
    assert set(shipped_keys(texts, recipe)) == shipped().keys()
    read = encode_cached(texts, recipe, runtime)
    monkeypatch.setattr(cached, "shipped", dict)
    computed = encode_cached(texts, recipe, runtime)
    assert (read * computed).sum(axis=1).min() > least


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere torch is asked for a GPU")
def test_the_first_timeline_is_grouped_without_torch(tmp_path):
    code = (
        "import sys; from pathlib import Path\n"
        "from core import runtime; runtime._DRIVERS = ()\n"
        "from core.data.timelines.samples import load_sample\n"
        "from core.events.grouping import Settings, prepare\n"
        "where = runtime.Runtime(cache=Path(sys.argv[1]), device=runtime.detect_device())\n"
        "prepare(load_sample(), Settings(), where)\n"
        "print('torch' in sys.modules, where.device)"
    )
    assert printed(code, tmp_path).split() == ["False", "cpu"]


def test_a_change_in_place_with_the_time_set_back_is_read(tmp_path, monkeypatch):
    monkeypatch.setenv("HEADLINE_LAB_CACHE", str(tmp_path / "cache"))
    file, long_ago = tmp_path / "model.safetensors", time.time() - 1000
    file.write_bytes(b"one")
    os.utime(file, (long_ago, long_ago))
    first, about = hash_of(file), file.stat()
    file.write_bytes(b"two")
    os.utime(file, ns=(about.st_atime_ns, about.st_mtime_ns))
    assert file.stat().st_ino == about.st_ino
    assert hash_of(file) != first


def test_a_model_in_memory_is_known_by_content(tmp_path):
    folder = tmp_path / "model"
    shutil.copytree(SHIPPED / "event_blend", folder)
    file = folder / "pair_model.json"
    before, about = read_model(str(folder)), file.stat()
    file.write_text(json.dumps(json.loads(file.read_text()) | {"threshold": 0.123}))
    os.utime(file, ns=(about.st_atime_ns, about.st_mtime_ns))
    assert read_model(str(folder)).threshold == 0.123 != before.threshold
