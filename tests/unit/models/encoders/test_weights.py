import json
import pickle
import shutil

import pytest
import torch
from safetensors.torch import load_file, save_file

from core.errors import ModelUnavailableError, UnknownNameError
from core.models.weights import card, cards, fault, fingerprint, load_state, locate


def test_every_card_is_complete_and_its_weights_are_here():
    assert len({c.name for c in cards()}) == len(cards()) >= 2
    for known in cards():
        assert known.title
        assert known.licence
        assert known.languages
        assert known.what_for
        folder = locate(known.name)
        size = sum(path.stat().st_size for path in folder.iterdir() if path.is_file())
        assert size / 1e6 == pytest.approx(known.megabytes, rel=0.1)
    assert card("minilm").dimensions == 384
    with pytest.raises(UnknownNameError, match="minilm"):
        card("nothing")


def test_a_folder_that_is_not_a_model(tmp_path, tiny_bert):
    with pytest.raises(ModelUnavailableError, match=r"no config\.json and no \*\.safetensors"):
        locate(tmp_path)
    shutil.copy(tiny_bert / "config.json", tmp_path)
    with pytest.raises(ModelUnavailableError, match=r"it has no \*\.safetensors"):
        locate(tmp_path)
    with pytest.raises(ModelUnavailableError, match="is a file"):
        locate(tmp_path / "config.json")
    with pytest.raises(ModelUnavailableError, match="no model folder"):
        locate(tmp_path / "not" / "there")
    with pytest.raises(ModelUnavailableError, match="no model folder"):
        locate("")
    assert locate(tiny_bert) == tiny_bert


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


def test_the_fingerprint_follows_the_weights_not_the_place(tmp_path, tiny_bert):
    copy = tmp_path / "copy"
    shutil.copytree(tiny_bert, copy)
    assert fingerprint(copy) == fingerprint(tiny_bert)
    state = load_file(copy / "model.safetensors")
    save_file({name: tensor + 1e-3 for name, tensor in state.items()}, copy / "model.safetensors")
    assert fingerprint(copy) != fingerprint(tiny_bert)
    big = tmp_path / "big"
    big.mkdir()
    save_file({"w": torch.zeros(1_000_000)}, big / "model.safetensors")
    before = fingerprint(big)
    save_file({"w": torch.zeros(1_000_000) + 1e-6}, big / "model.safetensors")
    assert fingerprint(big) != before


def test_why_a_folder_cannot_be_loaded_is_told_without_the_librarys_words(tmp_path, tiny_bert):
    folder = tmp_path / "model"
    shutil.copytree(tiny_bert, folder)
    sound = json.loads((folder / "config.json").read_text())

    def told(**changed):
        (folder / "config.json").write_text(json.dumps({**sound, **changed}))
        return fault(folder, RuntimeError("size mismatch for bert.embeddings"))

    assert told() == "its weights have other shapes than its config.json says"
    assert told(model_type="telepathy") == "transformers does not know its architecture, 'telepathy'"
    assert told(model_type=None) == "its config.json names no architecture"
    assert told(num_hidden_layers=10**9).endswith("gives num_hidden_layers a value that no model has")
    assert told(hidden_size=-1).endswith("gives hidden_size a value that no model has")
    told()
    assert fault(folder, KeyError(dict)) == "a model of its architecture, 'bert', does not do that"
    (folder / "config.json").write_text("{")
    assert fault(folder, ValueError()).endswith("cannot be read as JSON")
    told()
    (folder / "tokenizer_config.json").write_text("{")
    assert fault(folder, ValueError()) == "its tokenizer_config.json cannot be read as JSON"
    (folder / "tokenizer_config.json").unlink()
    assert fault(folder, ValueError("?")).startswith("its config.json, tokenizer and weights do not fit")
    next(folder.glob("*.safetensors")).write_bytes(b"")
    assert "damaged or incomplete" in fault(folder, ValueError())


def test_a_hub_id_with_downloading_off():
    with pytest.raises(ModelUnavailableError, match="HEADLINE_LAB_ALLOW_HUB=1"):
        locate("nobody/no-such-model")
