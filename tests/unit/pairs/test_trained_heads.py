"""The siamese and CatBoost scorers and their trainers: reproducible, symmetric, clear about what is wrong."""

import dataclasses
import json
import shutil
from types import SimpleNamespace

import numpy as np
import pytest

from core.errors import InputError, ModelUnavailableError
from core.files import ROOT
from core.pairs.context import PairContext
from core.pairs.scorer import PairScorer, ScoreScale, pair_scorers
from core.pairs.scorers.pair_models import CatBoostPairs, Head, PreparedSiamese, Siamese
from core.pairs.scoring import score_pairs
from core.parts import Part
from core.runtime import Runtime
from research.runs.trainer import trainers
from research.training.pairs import catboost_pairs, vector_trainer
from research.training.pairs.catboost_pairs import CatBoostPairsTrainer as GrowTrees
from research.training.pairs.siamese import SiameseTrainer as FitSiamese
from tests.training_data import started
from tests.unit.pairs.pair_worlds import vectors_of, world

TRAINERS = [
    FitSiamese(encoder="minilm.v1", penalty=1.0),
    GrowTrees(encoder="minilm.v1", trees=30, directions=3),
]
SCORERS = [Siamese, CatBoostPairs]
NOTHING = PairContext([], np.empty(0), np.empty((0, 0), np.float32))


@pytest.fixture
def pairs(monkeypatch):
    made = world(groups=12).part(Part.TRAIN, Part.VALIDATION)
    known = dict(zip(made.texts, vectors_of(made), strict=True))
    monkeypatch.setattr(
        vector_trainer, "encode_cached", lambda texts, *_: np.array([known[t] for t in texts])
    )
    return made


def context_of(pairs):
    return PairContext(list(pairs.texts), pairs.days, vectors_of(pairs))


@pytest.mark.parametrize(("trainer", "scorer"), list(zip(TRAINERS, SCORERS, strict=True)))
def test_a_trained_model_scores_what_it_learnt(trainer, scorer, pairs, tmp_path):
    run = started(tmp_path / "run")
    trainer.train(pairs, run, Runtime())
    recipe: PairScorer = scorer(model=str(run.model))
    scores = recipe.prepare(context_of(pairs), Runtime()).pairs(pairs.left, pairs.right)
    same = pairs.labels == 1
    assert np.median(scores[same]) > recipe.threshold > np.median(scores[~same])
    about = run.about()
    assert about["threshold"] == {"chosen_on": "validation", "value": recipe.threshold}
    assert about["validation_own_threshold"]["f1"][0] > 0.6
    assert about["training_pairs"] == len(pairs.part(Part.TRAIN))


@pytest.mark.parametrize("trainer", TRAINERS)
def test_validation_pairs_do_not_enter_the_weights(trainer, pairs, tmp_path):
    labels = pairs.labels.copy()
    held_out = np.flatnonzero(pairs.pair_parts == Part.VALIDATION.value)
    labels[held_out] = np.random.default_rng(0).permutation(labels[held_out])
    scores = []
    for name, given in (("as", pairs), ("other", dataclasses.replace(pairs, labels=labels))):
        run = started(tmp_path / name)
        short = dataclasses.replace(trainer, trees=1) if hasattr(trainer, "trees") else trainer
        short.train(given, run, Runtime())
        scorer = SCORERS[TRAINERS.index(trainer)](model=str(run.model))
        scores.append(scorer.prepare(context_of(pairs), Runtime()).pairs(pairs.left, pairs.right))
    np.testing.assert_array_equal(scores[0], scores[1])


def test_a_student_learns_what_its_teacher_says_and_no_label(pairs, tmp_path, monkeypatch):
    train = pairs.pair_parts == Part.TRAIN.value
    labels = np.where(train, np.random.default_rng(0).integers(0, 2, len(pairs)), pairs.labels)
    given, run = dataclasses.replace(pairs, labels=labels), started(tmp_path / "student")
    student = trainers.get("catboost_pairs.v1")(trees=60, teacher="token_overlap")
    student.check(given)
    student.train(given, run, Runtime())
    learned = CatBoostPairs(model=str(run.model)).prepare(context_of(pairs), Runtime())
    said = score_pairs(pairs, pair_scorers.parse("token_overlap"), Runtime()).scores
    assert np.corrcoef(learned.pairs(pairs.left, pairs.right), said)[0, 1] > 0.8
    unbounded = SimpleNamespace(scale=ScoreScale(low=-np.inf))
    monkeypatch.setattr(catboost_pairs.pair_scorers, "parse", lambda _: unbounded)
    with pytest.raises(InputError, match="no probabilities"):
        student.check(given)


@pytest.mark.parametrize(("scorer", "other"), [(Siamese, "catboost_pairs"), (CatBoostPairs, "siamese")])
def test_a_model_of_another_kind(scorer, other):
    with pytest.raises(ModelUnavailableError, match=f"is of the kind {other!r}"):
        scorer(model=other).prepare(NOTHING, Runtime())
    with pytest.raises(ModelUnavailableError, match="no trained pair model"):
        _ = scorer(model="nothing/here").threshold


@pytest.mark.parametrize("damage", ["weights", "missing", "width"])
@pytest.mark.parametrize("scorer", SCORERS)
def test_damaged_models(scorer, damage, tmp_path):
    shipped = ROOT / "models" / scorer().model
    folder = tmp_path / "model"
    shutil.copytree(shipped, folder)
    settings = json.loads((folder / "pair_model.json").read_text())
    weights = next(path for path in folder.iterdir() if path.suffix in {".cbm", ".safetensors"})
    if damage == "weights":
        weights.write_bytes(b"\x00" * 64)
    elif damage == "missing":
        weights.unlink()
    else:
        (folder / "pair_model.json").write_text(json.dumps({**settings, "dimensions": 383}))
    with pytest.raises(ModelUnavailableError):
        scorer(model=str(folder)).prepare(NOTHING, Runtime())


def test_the_siamese_head_is_its_formula():
    random = np.random.default_rng(5)
    vectors = random.normal(size=(70, 6)).astype(np.float32)
    head = Head(random.normal(size=6).astype(np.float32), random.normal(size=6).astype(np.float32), 0.3)
    block = PreparedSiamese(head, vectors).block(slice(0, 70), slice(3, 9))
    for row, column in ((0, 0), (69, 5), (40, 2)):
        u, v = vectors[row].astype(float), vectors[3 + column].astype(float)
        margin = np.abs(u - v) @ head.apart + (u * v) @ head.product + 0.3
        assert block[row, column] == pytest.approx(1 / (1 + np.exp(-margin)), abs=1e-5)


@pytest.mark.parametrize("scorer", SCORERS)
def test_vectors_of_another_encoder(scorer):
    context = PairContext(["a", "b"], np.zeros(2), np.eye(2, 512, dtype=np.float32))
    with pytest.raises(InputError, match=r"vectors of 384 numbers, and the encoder gives 512"):
        scorer().prepare(context, Runtime())
