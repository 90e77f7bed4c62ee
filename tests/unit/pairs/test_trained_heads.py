"""The siamese and CatBoost scorers and their trainers: reproducible, symmetric, clear about what is wrong."""

from __future__ import annotations

import dataclasses
import json
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from core.data.pair_sets.pair_set import PairSet, check
from core.errors import InputError, ModelUnavailableError
from core.files import ROOT
from core.pairs.features.families import NAMES, handcrafted
from core.pairs.scorer import PairContext, PairScorer
from core.pairs.scorers.pair_models import CatBoostPairs, Head, PreparedSiamese, Siamese
from core.parts import Part
from core.runtime import Runtime
from research.runs.run_folder import RunFolder
from research.training.pairs import vector_pairs
from research.training.pairs.vector_pairs import CatBoostPairsTrainer as GrowTrees
from research.training.pairs.vector_pairs import SiameseTrainer as FitSiamese

WIDTH = 12
TRAINERS = [
    FitSiamese(encoder="minilm.v1", penalty=1.0),
    GrowTrees(encoder="minilm.v1", trees=30, directions=3),
]
SCORERS = [Siamese, CatBoostPairs]
EVENTS = [
    "Crew of {} returns to station", "Bank raises rates by {} percent", "Storm kills {} in Texas",
    "Team wins after {} games", "Senate votes on bill {}", "Fire burns {} homes",
]  # fmt: skip


def vectors_of(texts: list[str]) -> np.ndarray:
    """Unit vectors near the direction of each text's event."""
    found = []
    for row, text in enumerate(texts):
        event = next(k for k, form in enumerate(EVENTS) if text.startswith(form.split()[0]))
        noise = np.random.default_rng(row).normal(size=WIDTH)
        vector = np.random.default_rng(1000 + event).normal(size=WIDTH) + 0.7 * noise
        found.append(vector / np.linalg.norm(vector))
    return np.array(found, dtype=np.float32)


@pytest.fixture
def pairs(monkeypatch: pytest.MonkeyPatch) -> PairSet:
    """All pairs of 60 headlines about six events, half of the headlines for validation."""
    texts = [EVENTS[k % 6].format(k) for k in range(60)]
    parts = np.array([Part.TRAIN.value if k < 30 else Part.VALIDATION.value for k in range(60)])
    left, right = np.triu_indices(60, 1)
    inside = parts[left] == parts[right]
    left, right = left[inside], right[inside]
    groups = np.array([k % 6 + 6 * (k >= 30) for k in range(60)])
    days = np.arange(60, dtype=np.float64) % 7
    days[::9] = np.nan
    monkeypatch.setattr(vector_pairs, "encode_cached", lambda texts, recipe, runtime: vectors_of(list(texts)))
    return check(
        PairSet(
            name="six",
            texts=texts,
            days=days,
            timelines=np.zeros(60, dtype=np.int64),
            parts=parts,
            left=left,
            right=right,
            labels=(groups[left] == groups[right]).astype(np.int64),
            groups=groups,
        )
    )


@pytest.fixture
def started(tmp_path: Path) -> Callable[[str], RunFolder]:
    def start(name: str) -> RunFolder:
        run = RunFolder(tmp_path / name)
        run.create({"kind": "pair"})
        run.start()
        return run

    return start


def context_of(pairs: PairSet) -> PairContext:
    return PairContext(list(pairs.texts), pairs.days, vectors_of(list(pairs.texts)))


@pytest.mark.parametrize(("trainer", "scorer"), list(zip(TRAINERS, SCORERS, strict=True)))
def test_a_trained_model_scores_what_it_learnt(trainer, scorer, pairs, started) -> None:
    run = started("run")
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
def test_validation_pairs_do_not_enter_the_weights(trainer, pairs, started) -> None:
    labels = pairs.labels.copy()
    held_out = np.flatnonzero(pairs.pair_parts == Part.VALIDATION.value)
    labels[held_out] = np.random.default_rng(0).permutation(labels[held_out])
    scores = []
    for name, given in (("as", pairs), ("other", dataclasses.replace(pairs, labels=labels))):
        run = started(name)
        short = dataclasses.replace(trainer, trees=1) if hasattr(trainer, "trees") else trainer
        short.train(given, run, Runtime())
        scorer = SCORERS[TRAINERS.index(trainer)](model=str(run.model))
        scores.append(scorer.prepare(context_of(pairs), Runtime()).pairs(pairs.left, pairs.right))
    np.testing.assert_array_equal(scores[0], scores[1])


@pytest.mark.parametrize(("scorer", "other"), [(Siamese, "catboost_pairs"), (CatBoostPairs, "siamese")])
def test_a_model_of_another_kind(scorer, other) -> None:
    with pytest.raises(ModelUnavailableError, match=f"is of the kind {other!r}"):
        scorer(model=other).prepare(PairContext([], np.empty(0), np.empty((0, 0), np.float32)), Runtime())
    with pytest.raises(ModelUnavailableError, match="no trained pair model"):
        _ = scorer(model="nothing/here").threshold


@pytest.mark.parametrize("damage", ["weights", "missing", "width"])
@pytest.mark.parametrize("scorer", SCORERS)
def test_damaged_models(scorer, damage, tmp_path) -> None:
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
        scorer(model=str(folder)).prepare(
            PairContext([], np.empty(0), np.empty((0, 0), np.float32)), Runtime()
        )


def test_the_siamese_head_is_its_formula() -> None:
    random = np.random.default_rng(5)
    vectors = random.normal(size=(70, 6)).astype(np.float32)
    head = Head(random.normal(size=6).astype(np.float32), random.normal(size=6).astype(np.float32), 0.3)
    block = PreparedSiamese(head, vectors).block(slice(0, 70), slice(3, 9))
    for row, column in ((0, 0), (69, 5), (40, 2)):
        u, v = vectors[row].astype(float), vectors[3 + column].astype(float)
        margin = np.abs(u - v) @ head.apart + (u * v) @ head.product + 0.3
        assert block[row, column] == pytest.approx(1 / (1 + np.exp(-margin)), abs=1e-5)


def test_handcrafted_features_say_what_their_names_say() -> None:
    texts = ["Storm kills 12 people in Texas", "12 people dead in Texas after storm", "Storm kills 14 people"]
    vectors = np.eye(3, 4, dtype=np.float32)
    context = PairContext(texts, np.array([3.9, 5.1, np.nan]), vectors)
    features = handcrafted(context, np.ones((4, 1), dtype=np.float32))
    found = features(np.array([0, 0]), np.array([1, 2]))
    one, other = (dict(zip((*NAMES, "direction_0"), row.tolist(), strict=True)) for row in found)
    assert one["cosine"] == 0
    assert one["direction_0"] == pytest.approx(2)
    assert one["difference_mean"] == pytest.approx(0.5)
    assert one["difference_largest"] == 1
    assert one["numbers_shared"] == 1
    assert one["numbers_in_conflict"] == 0
    assert other["numbers_shared"] == 0
    assert other["numbers_in_conflict"] == 1
    assert one["days_apart"] == 2
    assert np.isnan(other["days_apart"])
    assert one["length_ratio"] == pytest.approx(len(texts[0]) / len(texts[1]))
    assert 0 < other["edit_ratio"] < 1


@pytest.mark.parametrize("scorer", SCORERS)
def test_vectors_of_another_encoder(scorer) -> None:
    context = PairContext(["a", "b"], np.zeros(2), np.eye(2, 512, dtype=np.float32))
    with pytest.raises(InputError, match=r"vectors of 384 numbers, and the encoder gives 512"):
        scorer().prepare(context, Runtime())
