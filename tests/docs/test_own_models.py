"""What the guide to own models says can be pasted and holds."""

import json
import re
import shutil

import pandas as pd
import pytest

from core import limits
from core.models.endpoints import addresses, asking
from core.pairs.scorer import pair_scorers
from core.people.study import Purpose, read_study
from core.runtime import Runtime
from core.study_access.study_models import pre_labelled
from tests import language_model_server as server
from tests.docs.following import page

GUIDE = page("own_models.md")
ROWS = ("Storm hits coast", "Coast is hit by a storm", "Bank raises its rate", "Rate raised by the bank")


@pytest.fixture(autouse=True)
def apart(monkeypatch, tmp_path):
    monkeypatch.setenv("HEADLINE_LAB_USER", str(tmp_path / "user"))
    monkeypatch.setenv("HEADLINE_LAB_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def asked():
    with server.serving(lambda body, number: server.chat('{"score": 100}')) as asked:
        addresses.store(addresses.Endpoint(address=asked.address, model="tiny"))
        yield asked


def pairs_file(tmp_path, **more):
    table = pd.DataFrame({"headline_a": [ROWS[0]], "headline_b": [ROWS[1]]} | more)
    table.to_csv(tmp_path / "pairs.csv", index=False)
    return tmp_path / "pairs.csv"


def test_the_small_study_can_be_pasted_and_is_labelled(asked):
    (text,) = re.findall(r"^```toml\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL)
    study = read_study(text.encode(), "study.toml")
    labelled, _ = pre_labelled(study, pair_scorers.parse("endpoint|answer:scale"), Runtime())
    assert [pair.suggested for pair in labelled.pairs if pair.use == Purpose.MAIN] == ["same", "same"]


def test_stored_answers_are_discarded_with_their_folder_or_by_another_seed(asked, command, tmp_path):
    score = ["score", pairs_file(tmp_path), "--out", tmp_path / "scored.csv", "--scorer"]
    for scorer, questions in [("", 1), ("", 1), ("|seed:1", 2)]:
        assert command(*score, f"endpoint|answer:scale{scorer}")[0] == 0
        assert len(asked.bodies) == questions
    (place,) = (
        row["place"] for row in json.loads(command("du", "--json")[1]) if row["place"].endswith("answers")
    )
    assert place == str(tmp_path / "cache" / asking.ANSWERS)
    shutil.rmtree(place)
    command(*score, "endpoint|answer:scale")
    assert len(asked.bodies) == 3


def test_limits_of_asking_are_the_variables_that_the_guide_names():
    known = (limits.ENDPOINT_TOKENS, limits.ENDPOINT_REQUESTS, limits.ENDPOINT_TRIES, limits.ENDPOINT_SECONDS)
    assert {limit.variable for limit in known} <= set(re.findall(r"`(HEADLINE_LAB_ENDPOINT_\w+)`", GUIDE))


@pytest.mark.parametrize(("scorer", "reads_more"), [("event_similarity", True), ("cosine", False)])
def test_which_scorer_of_own_vectors_reads_days(scorer, reads_more, command, tmp_path):
    vectors = tmp_path / "vectors.parquet"
    numbers = [[1.0, 0.1], [1.0, 0.2], [0.0, 1.0], [0.1, 1.0]]
    pd.DataFrame({"headline": ROWS, "vector": numbers}).to_parquet(vectors)
    scores = []
    for day in ("2026-11-01", "2026-11-20"):
        pairs = pairs_file(tmp_path, date_a=["2026-11-01"], date_b=[day])
        out = tmp_path / f"{day}.csv"
        how = ["--vectors", vectors, "--scorer", scorer, "--out", out]
        assert command("score", pairs, *how)[0] == 0
        scores.append(float(pd.read_csv(out)["score"][0]))
    assert (scores[0] != scores[1]) is reads_more
