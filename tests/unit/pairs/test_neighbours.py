"""The nearest training pairs are those whose vectors are nearest, in transformers' own words too."""

import json

import numpy as np
import pytest
import torch

from core.errors import InputError
from core.pairs.neighbours import nearest_training_pairs, training_sets
from core.runtime import Runtime
from tests.unit.pairs.conftest import context

EXACT = Runtime(half=False)


@pytest.fixture
def learned(tmp_path):
    """Twenty pairs to train with and one to measure on, which is no neighbour."""
    texts = list(context(42).texts)
    lines = ["headline_a,headline_b,date_a,date_b,label,part"]
    for at in range(21):
        part = "train" if at < 20 else "test"
        lines.append(
            f"storm {texts[2 * at]} {at},crew {texts[2 * at + 1]},2020-01-01,2020-01-03,{at % 2},{part}"
        )
    path = tmp_path / "learned.csv"
    path.write_text("\n".join(lines))
    return path, [(*line.split(",")[:2], line.split(",")[4]) for line in lines[1:-1]]


@pytest.mark.parametrize("kind", ["bert", "electra"])
def test_the_order_is_that_of_the_vectors_before_the_classifier(kind, trained, learned):
    from transformers import AutoModel, AutoTokenizer

    path, pairs = learned
    folder = trained(kind, adapter="full")
    asked = ("storm hits coast", "storm hits the coast 3")
    table = nearest_training_pairs(
        *asked, EXACT, scorer=f"finetuned.v1|model:{folder}", sets=[str(path)], count=20
    )
    every = [asked, *(pair[:2] for pair in pairs)]
    tokens = AutoTokenizer.from_pretrained(folder)(
        *map(list, zip(*every, strict=True)), padding=True, return_token_type_ids=True, return_tensors="pt"
    )
    with torch.inference_mode():
        output = AutoModel.from_pretrained(folder).eval()(**tokens)
    vectors = (output.pooler_output if kind == "bert" else output.last_hidden_state[:, 0]).numpy()
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    near = vectors[1:] @ vectors[0]
    assert [row[0] for row in table.rows] == pytest.approx(sorted(near.tolist(), reverse=True), abs=1e-5)
    assert table.rows[0][1:3] == pairs[int(near.argmax())][:2]
    labels = {pair[:2]: ("different events", "the same event")[int(pair[2])] for pair in pairs}
    assert {row[1:3]: row[3] for row in table.rows} == labels


def test_a_training_pair_is_its_own_neighbour_and_the_run_names_the_sets(trained, learned, tmp_path):
    path, pairs = learned
    folder = trained("bert", time="concat")
    scorer = f"finetuned_time.v1|model:{folder}"
    assert training_sets(scorer) == ()
    with pytest.raises(InputError, match="not known"):
        nearest_training_pairs("a storm", "storm", EXACT, scorer=scorer)
    with pytest.raises(InputError, match="no training pairs"):
        nearest_training_pairs("a storm", "storm", EXACT, scorer=scorer, sets=["iss"])
    (folder.parent / "run.json").write_text(json.dumps({"order": {"data": [str(path)]}}))
    assert training_sets(scorer) == (str(path),)
    days = ("2020-01-01", "2020-01-03")
    table = nearest_training_pairs(*pairs[7][:2], EXACT, scorer=scorer, days=days, count=3)
    assert len(table.rows) == 3
    assert table.rows[0][1:3] == pairs[7][:2]
    assert table.rows[0][0] == pytest.approx(1, abs=1e-5)
    assert "20 of 20" in table.notes[0]
