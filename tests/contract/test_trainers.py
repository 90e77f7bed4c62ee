"""What every registered trainer keeps: it stops and resumes, and leaves a signed model that a method runs."""

import numpy as np
import pytest

from core.data.articles import written_claims
from core.errors import Cancelled, InputError
from core.headlines.generator import GenerationOptions, headline_generators
from core.headlines.selection import Choices, headline_selectors
from core.numerals.question import blank_of, read_article, source_aligners
from core.numerals.reader import ClaimQuestion, claim_readers
from core.pairs.scorer import pair_scorers
from core.pairs.scoring import score_pairs
from core.parts import Part
from core.runtime import Runtime
from research.catalogue import training
from research.catalogue.training import TrainingOrder, carry_out, created, model_signature, order_of
from research.catalogue.training_kinds import KINDS
from research.runs.run_folder import RunState
from research.runs.trainer import trainers
from research.training.headlines.adapters import LanguageModelAdapter
from research.training.numerals import lessons
from tests import training_data
from tests.tiny_models import stand_for_flan_t5

NEURAL = "epochs:1|batch_size:8|words_read:20|vocabulary:120|embeddings:random|watched:4"
QUICK = {
    "catboost_pairs.v1": "trees:20",
    "claim_reader.v1": "epochs:1|made_epochs:1|batch_size:2|made:1|rank:2",
    "claim_verifier.v1": "epochs:1|made_epochs:1|batch_size:2|made:1|rank:2",
    "copynet.v1": NEURAL,
    "cross_encoder.v1": "max_pairs:16|epochs:1",
    "event_blend.v3": "timelines:1",
    "event_pair.v1": "encoder:minilm.v1",
    "flan_t5.v1": "epochs:1|batch_size:16|rank:2|article_tokens:12|watched:2|validations:1",
    "headline_selector.v1": "trees:20",
    "language_model.v1": "batch_size:16|rank:2|first_block:1|article_tokens:12|watched:2|validations:1",
    "numeral_aligner.v1": "aligner:lexical|trees:10|depth:2",
    "phrase_transformer.v1": f"{NEURAL}|width:16|hidden:16|layers:1",
    "pointer.v1": NEURAL,
    "pointer_coverage.v1": NEURAL,
    "pointer_grammemes.v1": NEURAL,
    "s2s.v1": NEURAL,
    "siamese.v1": "steps:5",
    "transformer.v1": f"{NEURAL}|width:16|hidden:16|layers:1",
}
"""Settings that let each trainer end in seconds; a new trainer is added here."""

NEEDS_BASE = frozenset({"hub_seq2seq.v1"})
"""Trainers of models that must be brought; their own tests make tiny ones."""


def test_the_trainers_are_these():
    assert set(trainers.names()) == set(QUICK) | NEEDS_BASE
    assert {name for kind in KINDS.values() for name in kind.names()} == set(trainers.names())
    assert all(kind.trainer in kind.names() for kind in KINDS.values())


def data_of(kind, folder, patch):
    """Names of data to learn from; made in the folder where none ships."""
    if kind == "pair":
        return (str(training_data.timeline_file(folder)),)
    if kind == "headlines":
        return (str(training_data.articles_file(folder)),)
    patch.setenv("HEADLINE_LAB_DATA", str(folder / "data"))
    patch.setattr(lessons, "is_there", lambda: False)  # the language model takes half a second a row
    training_data.numhg_file(folder / "data")
    patch.setattr(written_claims, "PLACE", training_data.written_claims_folder(folder / "data"))
    training_data.selection_files(folder / "data")
    return KINDS[kind].sets


@pytest.fixture(scope="module", params=sorted(QUICK))
def trained(request, tmp_path_factory, tiny_llama, tiny_t5):
    folder = tmp_path_factory.mktemp("runs")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(LanguageModelAdapter, "base", f"causal.v1|model:{tiny_llama}")
        stand_for_flan_t5(patch, tiny_t5)
        data = data_of(trainers.get(request.param).kind, folder, patch)
        signature = "|".join(filter(None, (request.param, QUICK[request.param])))
        run = created(TrainingOrder(trainer=signature, data=data, seed=1), folder / "run")
        run.ask_to_stop()
        with pytest.raises(Cancelled):
            carry_out(run, Runtime())
        assert run.state() is RunState.STOPPED
        carry_out(run, Runtime())
    with pytest.MonkeyPatch.context() as patch:
        stand_for_flan_t5(patch, tiny_t5)
        yield run


def test_the_run_has_finished_with_a_signed_card(trained):
    order = order_of(trained)
    assert trained.state() is RunState.FINISHED
    card = (trained.model / "README.md").read_text(encoding="utf-8")
    assert f"headline-lab train {order.kind.name} " in card
    (weights,) = order.kind.weights(trained, order.recipe)
    assert f"| weights | {weights.removeprefix('weights:')} |" in card
    assert str(trained.path) not in card, "a card goes to other people"
    assert trained.progress() or order.recipe.result in {"siamese.v1", "event_blend.v3", "event_pair.v1"}


def test_weights_are_nothing_that_runs_when_it_is_read(trained):
    allowed = {".json", ".safetensors", ".cbm", ".md", ".txt"}
    assert {path.suffix for path in trained.model.rglob("*") if path.is_file()} <= allowed


def test_the_model_runs_with_the_method_that_is_named(trained):
    signature = model_signature(trained)
    assert signature is not None
    {"pair": scores, "headlines": writes, "selector": ranks, "numerals": attaches, "claims": reads}[
        order_of(trained).kind.name
    ](trained, signature)


def scores(run, signature):
    scorer = pair_scorers.parse(signature)
    validation = training.ready_for(order_of(run))[0].part(Part.VALIDATION)
    found = score_pairs(validation, scorer, Runtime()).scores
    assert len(found) == len(validation) > 0
    assert ((found >= scorer.scale.low) & (found <= scorer.scale.high)).all()
    assert len(np.unique(found)) > 1
    assert scorer.threshold == pytest.approx(run.about()["threshold"]["value"], abs=1e-6)


def writes(run, signature):
    recipe = headline_generators.parse(signature)
    recipe.check()
    text = "A storm reached Arden on day 2. It closed 4 roads and 2 schools there."
    written = recipe.build(Runtime()).write([text, ""], GenerationOptions(candidates=2), Runtime())
    assert len(written) == 2
    assert all(written)


def ranks(run, signature):
    texts = ["storm closes 3 roads", "storm closes the roads"]
    choices = Choices(texts, np.full(2, np.nan), np.zeros((2, 0), np.float32))
    assert headline_selectors.parse(signature).build(Runtime()).rank(choices).best == 0
    assert "pseudo-headlines" in "".join(run.about()["measured"])


def attaches(run, signature):
    article = read_article("A fire in Hull killed 21 people. It hurt 77 others.")
    (found,) = (
        source_aligners.parse(signature)
        .build(Runtime())
        .align([blank_of("Hull Fire Hurts ____ Others", article)], Runtime())
    )
    assert article.numerals[int(found.numerals.argmax())].number == "77"


def reads(run, signature):
    claim = ClaimQuestion("Hull Fire Kills 21", 16, 18, (("A fire in Hull killed 21 people.", ((22, 24),)),))
    odds = claim_readers.parse(signature).build(Runtime()).log_odds([claim], Runtime())
    assert np.isfinite(odds).all()


def test_a_sample_is_never_learned_from(tmp_path):
    order = TrainingOrder(trainer="s2s.v1", data=("sample:articles",))
    with pytest.raises(InputError, match="no article with a headline to train on"):
        carry_out(created(order, tmp_path / "run"), Runtime())
