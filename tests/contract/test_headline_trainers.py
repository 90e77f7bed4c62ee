"""What every registered trainer of headlines keeps: it leaves a model that its generator writes with."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.catalogue.catalogue import summary_of
from core.catalogue.training import Order, carry_out, created, model_signature, order_of
from core.errors import Cancelled, InputError
from core.headlines.generator import Wishes, headline_generators
from core.headlines.training.trainer import headline_trainers
from core.models.training.run_folder import RunFolder, State
from core.runtime import Runtime

NEURAL = "epochs:1|batch_size:8|words_read:20|vocabulary:120|embeddings:random|watched:4"
QUICK = {
    "copynet.v1": NEURAL,
    "language_model.v1": "batch_size:16|rank:2|first_block:29|article_tokens:12|watched:2|validations:1",
    "pointer.v1": NEURAL,
    "pointer_coverage.v1": NEURAL,
    "pointer_grammemes.v1": NEURAL,
    "phrase_transformer.v1": f"{NEURAL}|width:16|hidden:16|layers:1",
    "s2s.v1": NEURAL,
    "transformer.v1": f"{NEURAL}|width:16|hidden:16|layers:1",
}
"""Settings that let each trainer end in seconds; a new trainer is added here."""

NEEDS_BASE = frozenset({"hub_seq2seq.v1"})
"""Trainers of models that must be brought; their own tests make tiny ones."""

TOWNS = ("Arden", "Bellmoor", "Corville", "Dunwich", "Eastham", "Farleigh", "Garston", "Hadley")


@pytest.fixture(scope="module")
def articles(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("articles") / "articles.jsonl"
    lines = [
        {
            "text": f"A storm reached {town} on day {day}. It closed {day + 2} roads and a school.",
            "headline": f"Storm Closes {day + 2} Roads in {town}",
        }
        for town in TOWNS
        for day in range(1, 5)
    ]
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    return path


@pytest.fixture(scope="module", params=sorted(QUICK))
def trained(
    request: pytest.FixtureRequest, articles: Path, tmp_path_factory: pytest.TempPathFactory
) -> RunFolder:
    signature = f"{request.param}|{QUICK[request.param]}"
    order = Order(kind="headlines", trainer=signature, data=(str(articles),), seed=1)
    run = created(order, tmp_path_factory.mktemp("runs") / "run")
    carry_out(run, Runtime())
    return run


def test_the_trainers_are_these() -> None:
    assert set(headline_trainers.names()) == set(QUICK) | NEEDS_BASE


def test_the_run_has_finished_with_a_card(trained: RunFolder) -> None:
    recipe = headline_trainers.parse(order_of(trained).trainer)
    assert headline_trainers.parse(headline_trainers.signature(recipe)) == recipe
    assert summary_of(recipe)
    assert trained.state() is State.FINISHED
    card = (trained.model / "README.md").read_text(encoding="utf-8")
    assert "articles.jsonl" in card
    assert str(trained.path) not in card, "a card goes to other people"


def test_its_generator_writes_with_the_model(trained: RunFolder) -> None:
    signature = model_signature(trained)
    assert signature is not None
    recipe = headline_generators.parse(signature)
    recipe.check()
    text = "A storm reached Arden on day 2. It closed 4 roads and 2 schools there."
    written = recipe.build(Runtime()).write([text, ""], Wishes(candidates=2), Runtime())
    assert len(written) == 2
    assert all(written)


def test_weights_are_nothing_that_runs_when_it_is_read(trained: RunFolder) -> None:
    kinds = {path.suffix for path in trained.model.rglob("*") if path.is_file()}
    assert kinds <= {".safetensors", ".json", ".md", ".txt"}


@pytest.mark.parametrize("name", sorted(QUICK))
def test_a_stop_is_heard(name: str, articles: Path, tmp_path: Path) -> None:
    order = Order(kind="headlines", trainer=f"{name}|{QUICK[name]}", data=(str(articles),))
    run = created(order, tmp_path / "run")
    runtime = Runtime()
    runtime.stop.set()
    with pytest.raises(Cancelled):
        carry_out(run, runtime)
    assert run.state() is State.STOPPED


def test_a_sample_is_never_learned_from(tmp_path: Path) -> None:
    order = Order(kind="headlines", trainer="s2s.v1", data=("sample:articles",))
    with pytest.raises(InputError, match="no article with a headline to train on"):
        carry_out(created(order, tmp_path / "run"), Runtime())
