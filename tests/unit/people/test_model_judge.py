"""A language model as a judge: blind, in both orders, counted, and held to what people answered."""

import json
import re

import numpy as np
import pytest

from core.errors import InputError
from core.models.endpoints import addresses, asking
from core.people.evaluation_task import make_task
from core.people.forms import evaluation_forms
from core.people.model_judge import EndpointJudge, judge, judge_table
from core.people.rating_files import ratings_csv, read_ratings
from core.people.ratings import empty_ratings
from core.runtime import Runtime
from tests import language_model_server as server

SHOWN = re.compile(r"The first: (.*)\nThe second: (.*)\n")
TEXTS = [f"Article {number} is about a storm." for number in range(4)]
LINES = [
    ("A long headline about a storm", "Storm"), ("Wind", "A long headline about the wind"),
    ("always the first", "the first always"), ("?", "??"),
]  # fmt: skip


@pytest.fixture
def runtime(monkeypatch, tmp_path):
    monkeypatch.setenv("HEADLINE_LAB_USER", str(tmp_path / "user"))
    monkeypatch.setattr(asking, "FIRST_WAIT", 0.0)
    return Runtime(cache=tmp_path / "cache")


def longer(body, number):
    """Prefers the longer headline; where both are as long, the first; what asks is no answer."""
    first, second = SHOWN.search(body["messages"][-1]["content"]).groups()
    if "?" in first:
        return server.chat('{"answer": "perhaps"}')
    return server.chat('{"answer": "%s"}' % ("second" if len(second) > len(first) else "first"))


def judged(answer, runtime, form="preference.v1"):
    task = make_task("made", [f"a{number}" for number in range(4)], ["Secret one", "Secret two"], LINES)
    with server.serving(answer) as asked:
        addresses.store(addresses.Endpoint(address=asked.address, model="tiny"))
        return judge(task, evaluation_forms.parse(form), TEXTS, EndpointJudge(), runtime), asked


def test_an_answer_that_changes_with_the_order_is_none_and_is_counted(runtime):
    found, asked = judged(longer, runtime)
    pair = found.ratings.values[0, 0, :, 2]
    np.testing.assert_array_equal(pair, [1, -1, np.nan, np.nan])
    assert len(asked.bodies) == 8  # four pairs in both orders
    (row,) = judge_table(found).rows
    assert row[:3] == ("Better headline", 8, 2)  # both orders
    assert row[3].value == pytest.approx(2 / 3)
    assert row[4].value == pytest.approx(4 / 6)
    assert "prompt:judge.v1-" in found.signature
    assert "answered:tiny-2026-11-01" in found.signature


def test_no_system_is_named(runtime):
    _, asked = judged(longer, runtime)
    assert not any("Secret" in text for text in asked.texts)


def test_people_are_compared_with_it(runtime):
    found, _ = judged(longer, runtime)
    people = empty_ratings(found.ratings.form, found.ratings.task, ["Ann", "Ben"])
    people.values[:, 0, :, 2] = [[1, -1, 1, 1], [1, 1, 0, np.nan]]
    (row,) = judge_table(found, people).rows
    assert row[5].value == pytest.approx(3 / 4)
    assert row[6].value == pytest.approx(1 / 3)


def test_its_answers_are_a_file_of_answers(runtime):
    found, _ = judged(longer, runtime)
    form = found.ratings.form
    read = read_ratings(ratings_csv(found.ratings).encode(), "model.csv", form, found.ratings.task)
    np.testing.assert_array_equal(read.values, found.ratings.values)
    assert read.judges == ("tiny",)


def test_single_headlines_get_a_level_of_the_form(runtime):
    def answer(body, number):
        levels = body["response_format"]["json_schema"]["schema"]["properties"]["answer"]["enum"]
        return server.chat(f'{{"answer": "{levels[-1]}"}}')

    found, asked = judged(answer, runtime, "numhg.v1")
    form = found.ratings.form
    for at, question in enumerate(form.questions):
        values = found.ratings.values[0, at][:, list(question.places(2))]
        assert np.isnan(values).all() if question.ranks else (values == question.levels[-1].value).all()
    assert all("Article" in text for text in asked.texts)


def test_a_form_that_only_orders_is_refused(runtime):
    with pytest.raises(InputError):
        judged(longer, runtime, "best_worst.v1")


def test_the_command_writes_what_the_tables_read(command, tmp_path, monkeypatch, runtime):
    monkeypatch.setenv("HEADLINE_LAB_CACHE", str(tmp_path / "cache"))
    with server.serving(longer) as asked:
        addresses.store(addresses.Endpoint(address=asked.address, model="tiny"))
        out = tmp_path / "model.csv"
        given = ["samples/articles/outputs.jsonl", "--articles", "sample:articles", "--limit", "2"]
        code, said, err = command("evaluate", "ask", *given, "--out", out)
        assert code == 0
        assert err.count(asked.address) == 1
        assert "answered:tiny" in said
        told = json.loads(command("evaluate", "ask", *given, "--out", out, "--json")[1])
        assert "answered:tiny" in told["signature"]
        assert len(told["rows"]) == 1
        code, said, err = command("evaluate", "table", out, "--form", "preference.v1")
    assert code == 0
