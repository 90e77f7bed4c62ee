"""Which headline each selector chooses, worked by hand, and models that are damaged."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from core.errors import InputError, ModelUnavailableError
from core.headlines.selection import (
    ABOUT,
    NAMES,
    TREES,
    Choices,
    Ranking,
    features,
    headline_selectors,
    read_model,
)
from core.models.weights.cards import SHIPPED
from core.runtime import Runtime

NONE = np.zeros((3, 0), dtype=np.float32)


def rank(name: str, texts: list[str], days: list[float] | None = None, vectors: object = None) -> Ranking:
    k = len(texts)
    given = Choices(
        texts,
        np.full(k, np.nan) if days is None else np.array(days),
        np.zeros((k, 0), dtype=np.float32) if vectors is None else np.array(vectors, dtype=np.float32),
    )
    return headline_selectors.parse(name).build(Runtime()).rank(given)


def test_the_medoid_is_nearest_to_the_others() -> None:
    turned = [[np.cos(angle), np.sin(angle)] for angle in (0.0, 0.4, 1.2)]
    found = rank("medoid", ["a", "b", "c"], vectors=turned)
    assert found.best == 1
    assert found.scores[0] == pytest.approx((np.cos(0.4) + np.cos(1.2)) / 2, abs=1e-6)


def test_the_longest_has_most_words_then_most_characters() -> None:
    assert rank("longest", ["one two three", "incomprehensibilities", "one two"]).best == 0
    assert rank("longest", ["one two", "three four"]).best == 1


def test_the_most_recent_has_a_date() -> None:
    found = rank("most_recent", ["a", "b", "c"], [np.nan, 18_407.0, 18_409.5])
    assert found.best == 2
    assert found.reasons == (
        "Its time is not known.",
        "It was published on 25 May 2020.",
        "It was published on 27 May 2020.",
    )
    assert found.scores[0] < found.scores[1]


@pytest.mark.parametrize(
    "worse",
    [
        "Storm shuts three airports in the north of Italy, thousands of ...",
        "Storm shuts three airports in the north of Italy, thousands of…",
        "Did the storm shut three airports in the north of Italy on Monday?",
        "Storm shuts three airports in the north of Italy and strands us!",
        "STORM SHUTS THREE AIRPORTS IN THE NORTH OF ITALY ON MONDAY",
    ],
)
def test_a_headline_that_breaks_a_rule_comes_last(worse: str) -> None:
    texts = ["Storm shuts airports in Italy", worse, "Airports in Italy are shut by a storm"]
    found = rank("guidelines|base:longest", texts)
    assert rank("longest", texts).best == 1
    assert found.best == 2
    assert np.argmin(found.scores) == 1
    assert "Against it: " in found.reasons[1]


def test_features_of_a_group_worked_by_hand() -> None:
    texts = ["Storm shuts 3 airports", "Storm shuts airports again", "Italy: 3 airports closed (2)"]
    read = features(Choices(texts, np.zeros(3), NONE))
    values = {name: read.values[:, NAMES.index(name)].tolist() for name in NAMES}
    assert read.words.tolist() == values["words"] == [4, 4, 4]
    assert values["words_rank"] == [0.5, 0.5, 0.5]
    assert values["numbers"] == [1, 0, 1]
    assert values["numbers_more"] == pytest.approx([1 / 3, -2 / 3, 1 / 3])
    assert values["numbers_shared"] == [0.5, 0, 0.5]
    # storm and shuts stand in two, airports in three; seven occurrences in all.
    assert read.shared == 3
    assert read.held.tolist() == [3, 3, 1]
    assert values["coverage"] == pytest.approx([1, 1, 3 / 7])
    assert values["own_words"][0] == 0
    assert values["own_words"][2] == 2
    assert values["support"][0] == pytest.approx((0.5 + 0.5 + 1) / 3)
    assert values["closeness_rank"] == [0.5, 0.5, 0.5]
    assert values["characters"] == [22, 26, 23]
    assert values["length_ratio"] == pytest.approx(np.log(np.array([22, 26, 23]) / 23))


def test_a_real_and_a_rebuilt_headline_give_the_same_numbers() -> None:
    real = ["«Шторм» закрыл 3 аэропорта!", "Три аэропорта закрыты из-за шторма: подробности"]
    rebuilt = ["шторм закрыл 3 аэропорта", "три аэропорта закрыты из за шторма подробности"]
    one = features(Choices(real, np.zeros(2), NONE[:2]))
    other = features(Choices(rebuilt, np.zeros(2), NONE[:2]))
    np.testing.assert_array_equal(one.values, other.values)


def copied(folder: Path) -> Path:
    folder.mkdir()
    for name in (ABOUT, TREES):
        (folder / name).write_bytes((SHIPPED / "headline_selector" / name).read_bytes())
    return folder


def test_damaged_models_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailableError, match="no trained selector 'none'"):
        headline_selectors.parse("catboost|model:none").check()
    for number, (change, says) in enumerate(
        (
            ({"features": ["words"]}, "reads other numbers"),
            ({"margin": -1}, "damaged"),
            ({"margin": "x"}, "damaged"),
            ({"dimensions": 7}, "reads other numbers"),
        )
    ):
        folder = copied(tmp_path / str(number))
        told = json.loads((folder / ABOUT).read_text()) | change
        (folder / ABOUT).write_text(json.dumps(told))
        with pytest.raises(ModelUnavailableError, match=says):
            read_model(folder)
    folder = copied(tmp_path / "cut")
    (folder / TREES).write_bytes((folder / TREES).read_bytes()[:100])
    with pytest.raises(ModelUnavailableError, match="damaged"):
        read_model(folder)
    folder = copied(tmp_path / "far")
    tables = load_file(folder / TREES)
    tables["columns"] = tables["columns"] + 100
    save_file(tables, folder / TREES)
    with pytest.raises(ModelUnavailableError, match="trees of the model are damaged"):
        read_model(folder)


def test_a_model_over_vectors_wants_those_of_its_encoder() -> None:
    with pytest.raises(InputError, match="vectors of 384 numbers"):
        rank("catboost|model:headline_selector_e5", ["a b", "c d"], vectors=np.eye(2))
