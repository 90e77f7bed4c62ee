"""Headline models as folders."""

import json

import pytest
import torch

from core.errors import ModelUnavailableError
from core.headlines.generator import Wishes, headline_generators
from core.runtime import Runtime
from research.neural.config import FILE
from research.neural.model import WEIGHTS, NeuralWriter, read_model, write_model

from .examples import ARCHITECTURES, ARTICLES, tiny_model


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_a_model_that_is_saved_and_read_writes_the_same(architecture, tmp_path):
    model = tiny_model(architecture)
    write_model(tmp_path, model)
    again = read_model(tmp_path)
    assert again.config == model.config
    wanted = NeuralWriter(model).write(ARTICLES, Wishes(candidates=3), Runtime())
    assert NeuralWriter(again).write(ARTICLES, Wishes(candidates=3), Runtime()) == wanted
    recipe = headline_generators.parse(f"{architecture}.v1|model:{tmp_path}")
    recipe.check()
    assert recipe.build(Runtime()).write(ARTICLES, Wishes(candidates=3), Runtime()) == wanted


def test_a_packed_model_is_small_and_stays_near(tmp_path):
    model = tiny_model("pointer")
    write_model(tmp_path / "full", model)
    write_model(tmp_path / "small", model, small=True)
    sizes = [(tmp_path / name / WEIGHTS).stat().st_size for name in ("full", "small")]
    assert sizes[1] < 0.7 * sizes[0]
    for name, value in read_model(tmp_path / "small").module.state_dict().items():
        assert value.dtype == torch.float32
        assert torch.allclose(value, model.module.state_dict()[name], rtol=1e-3, atol=1e-3)


def test_a_generator_says_how_to_get_a_model_that_is_missing(tmp_path):
    with pytest.raises(ModelUnavailableError, match="headline-lab train headlines"):
        headline_generators.parse(f"pointer.v1|model:{tmp_path}").check()
    write_model(tmp_path, tiny_model("s2s"))
    with pytest.raises(ModelUnavailableError, match="architecture s2s"):
        headline_generators.parse(f"pointer.v1|model:{tmp_path}").check()


def _damage(folder, change):
    config = json.loads((folder / FILE).read_text())
    if change == "no weights":
        (folder / WEIGHTS).unlink()
    elif change == "cut weights":
        (folder / WEIGHTS).write_bytes((folder / WEIGHTS).read_bytes()[:100])
    elif change == "huge sizes":
        config["settings"]["hidden"] = 10**9
    elif change == "unknown architecture":
        config["architecture"] = "os"
    elif change == "list":
        config = []
    (folder / FILE).write_text(json.dumps(config))


@pytest.mark.parametrize(
    "change", ["no weights", "cut weights", "huge sizes", "unknown architecture", "list"]
)
def test_a_damaged_model_is_refused_with_a_sentence(tmp_path, change):
    write_model(tmp_path, tiny_model("pointer"))
    _damage(tmp_path, change)
    with pytest.raises(ModelUnavailableError):
        read_model(tmp_path)
