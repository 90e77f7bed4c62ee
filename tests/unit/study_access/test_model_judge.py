"""A language model as a judge: blind, in both orders, counted, and held to what people answered."""

import json
import re

import numpy as np
import pytest

from core.models.endpoints import addresses, asking
from core.people.evaluation_task import make_task
from core.people.forms import evaluation_forms, read_form
from core.people.rating_files import ratings_csv, read_ratings
from core.people.ratings import asked_of, check_ratings, empty_ratings
from core.runtime import Runtime
from core.study_access.model_judge import EndpointJudge, corrected_table, judge, judge_table
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


def judged(answer, runtime, form="preference.v1", **how):
    task = make_task("made", [f"a{number}" for number in range(4)], ["Secret one", "Secret two"], LINES)
    with server.serving(answer) as asked:
        addresses.store(addresses.Endpoint(address=asked.address, model="tiny"))
        form = evaluation_forms.parse(form) if isinstance(form, str) else form
        return judge(task, form, TEXTS, EndpointJudge(), runtime, **how), asked


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


def by_length(lines, runtime, form, answer=longer):
    task = make_task("made", [f"a{number}" for number in range(len(lines))], list("CAB"), lines)
    with server.serving(answer) as asked:
        addresses.store(addresses.Endpoint(address=asked.address, model="tiny"))
        return judge(task, form, TEXTS[: len(lines)], EndpointJudge(), runtime), asked


ORDER = read_form(b"""
title = "Ours"
[[questions]]
key = "place"
label = "Place"
text = "In which order?"
asks = "order"
[[questions]]
key = "one"
label = "The one"
text = "Which one is best?"
asks = "one"
""", "ours.toml")  # fmt: skip
THREE = [
    ("Rain", "Rain falls", "Rain falls again"),
    ("Longest one", "Longer", "Long"),
    ("Wind", "Snow", "Fog!"),
]


def test_the_order_of_headlines_and_the_one_best_follow_from_its_choices_between_two(runtime):
    found, asked = by_length(THREE, runtime, ORDER)
    assert len(asked.bodies) == 2 * 3 * 3 * 2  # questions, articles, pairs, orders
    order, one = found.ratings.values[0, :, :, :3]
    nothing = [np.nan] * 3  # three as long: the first, whichever stands there
    np.testing.assert_array_equal(order, [[1, 2, 3], [3, 2, 1], nothing])
    np.testing.assert_array_equal(one, [[0, 0, 1], [1, 0, 0], nothing])
    check_ratings(found.ratings)
    assert read_ratings(ratings_csv(found.ratings).encode(), "model.csv", ORDER, found.ratings.task)
    assert [row[1:3] for row in judge_table(found).rows] == [(18, 0)] * 2


def test_choices_that_go_in_a_circle_give_no_order(runtime):
    beats = {"Rock": "Scissors", "Scissors": "Paper", "Paper": "Rock"}

    def circle(body, number):
        first, second = SHOWN.search(body["messages"][-1]["content"]).groups()
        return server.chat('{"answer": "%s"}' % ("first" if beats[first] == second else "second"))

    found, _ = by_length([tuple(beats)], runtime, ORDER, circle)
    assert np.isnan(found.ratings.values).all()
    assert np.isfinite(found.agreed[:, :, 3:]).all()


@pytest.mark.parametrize("form", [ORDER, evaluation_forms.parse("preference.v1")])
def test_systems_have_an_order_with_intervals_where_it_compared_pairs(runtime, form):
    lines = [tuple("x" * (1 + (row * place) % 7) for place in (3, 5, 6)) for row in range(1, 5)]
    found, _ = by_length(lines, runtime, form)
    for table in found.orders():
        assert "tiny" in table.title
        strengths = {row[0]: row[3] for row in table.rows}
        assert list(strengths) == list("BCA")  # with 5, 4 and 3 of 8 choices
        values = [each.value for each in strengths.values()]
        assert values == sorted(values, reverse=True)
        assert any(each.low is not None and each.low < each.value < each.high for each in strengths.values())
    assert len(found.orders()) == len(form.questions)


def test_a_question_asked_again_has_a_seed_of_its_own_and_what_most_say_counts(runtime):
    def answer(body, number):
        first, second = SHOWN.search(body["messages"][-1]["content"]).groups()
        ahead = "first" if len(first) > len(second) else "second"
        return server.chat('{"answer": "%s"}' % (ahead if body["seed"] < 2 else "equal"))

    found, asked = judged(answer, runtime, times=3)
    assert len(asked.bodies) == 24
    assert sorted({body["seed"] for body in asked.bodies}) == [0, 1, 2]
    np.testing.assert_array_equal(found.ratings.values[0, 0, :, 2], [1, -1, np.nan, -1])
    columns = [column.key for column in judge_table(found).columns]
    (row,) = judge_table(found).rows
    assert row[1] == 24
    assert row[columns.index("repeated")].value == pytest.approx(1 / 3)
    assert "times:3" in found.signature


def test_an_answer_that_most_do_not_give_is_none(runtime):
    def answer(body, number):
        first, second = SHOWN.search(body["messages"][-1]["content"]).groups()
        longest = ("first", "second") if len(first) > len(second) else ("second", "first")
        return server.chat(json.dumps({"answer": (*longest, "equal")[body["seed"]]}))

    assert np.isnan(judged(answer, runtime, times=3)[0].ratings.values).all()


def test_best_and_worst_are_asked_in_both_orders_whole_or_not_at_all(runtime):
    lines = [[f"{'long ' * (place + row)}{row}" for place in range(5)] for row in range(3)]
    lines.append([f"alike {place}" for place in range(5)])
    task = make_task("made", [f"a{number}" for number in range(4)], list("ABCDE"), lines)

    def answer(body, number):
        shown = re.findall(r"Headline \d: (.*)", body["messages"][-1]["content"])
        order = sorted(range(len(shown)), key=lambda at: len(shown[at]))
        return server.chat(json.dumps({"answer": f"best {order[-1] + 1} worst {order[0] + 1}"}))

    with server.serving(answer) as asked:
        addresses.store(addresses.Endpoint(address=asked.address, model="tiny"))
        form = evaluation_forms.parse("best_worst.v1")
        found = judge(task, form, TEXTS, EndpointJudge(), runtime)
    assert len(asked.bodies) == 8
    values = found.ratings.values[0, 0]
    wanted = asked_of(form, task)[0]
    for row in range(3):
        shown = np.flatnonzero(wanted[row])
        assert values[row, shown].tolist() == [-1.0, 0.0, 0.0, 1.0]  # the longest is the best
        assert np.isnan(values[row, ~wanted[row]]).all()
    assert np.isnan(values[3]).all()  # the first and the last shown, whatever they are
    check_ratings(found.ratings)
    (row,) = judge_table(found).rows
    assert row[:3] == ("Best minus worst", 8, 0)
    assert row[3].value == pytest.approx(3 / 4)


def test_a_judge_that_prefers_what_it_wrote_is_held_to_people(runtime):
    def answer(body, number):
        first, _ = SHOWN.search(body["messages"][-1]["content"]).groups()
        own = {line for line, _ in LINES}
        return server.chat('{"answer": "%s"}' % ("first" if first in own else "second"))

    found, _ = judged(answer, runtime)
    people = empty_ratings(found.ratings.form, found.ratings.task, ["Ann", "Ben"])
    people.values[:, 0, :, 2] = [[1, -1, 1, 0], [-1, -1, 0, 1]]
    table = judge_table(found, people, own=["Secret one"])
    row = dict(zip([column.key for column in table.columns], table.rows[0], strict=True))
    assert row["own"].value == 1
    assert row["own_more"].value == pytest.approx(1 - (1 + 0 + 1 + 0.5 + 0 + 0 + 0.5 + 1) / 8)
    assert row["own_more"].low < row["own_more"].value < row["own_more"].high
    other = judge_table(found, own=["Secret two"]).rows[0]
    assert other[5].value == 0


def test_few_answers_of_people_correct_the_models(runtime):
    found, _ = judged(lambda body, number: server.chat("{}"), runtime, "numhg.v1")
    found.ratings.values[0] = 0
    found.ratings.values[0, 0, :, 0] = [2, 1, 0, 0]
    people = empty_ratings(found.ratings.form, found.ratings.task, ["Ann"])
    people.values[0, 0, :2, 0] = [2, 1]
    table = corrected_table(found, people)
    keys = [column.key for column in table.columns]
    row = dict(zip(keys, table.rows[0], strict=True))
    assert row["subject"] == "Secret one"
    assert (row["by_people"], row["by_model"]) == (2, 4)
    assert row["people"].value > row["corrected"].value  # the model says that the others are worse


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
        ((order),) = told["orders"].values()
        assert {"system", "strength"} <= order[0].keys()
        code, said, err = command("evaluate", "table", out, "--form", "preference.v1")
    assert code == 0


def test_the_command_asks_again_and_corrects_by_a_few_answers_of_people(
    command, tmp_path, monkeypatch, runtime
):
    monkeypatch.setenv("HEADLINE_LAB_CACHE", str(tmp_path / "cache"))
    out, people = tmp_path / "model.csv", tmp_path / "people.csv"
    given = ["samples/articles/outputs.jsonl", "--articles", "sample:articles", "--json"]
    with server.serving(longer) as asked:
        addresses.store(addresses.Endpoint(address=asked.address, model="first sentence"))
        assert command("evaluate", "ask", *given, "--limit", "3", "--out", people)[0] == 0
        people.write_text(people.read_text().replace("first sentence,", "Ann,"))
        begun = len(asked.bodies)
        more = ["--limit", "6", "--times", "2", "--temperature", "0.5", "--people", people]
        told = json.loads(command("evaluate", "ask", *given, *more, "--out", out)[1])
    assert {body["seed"] for body in asked.bodies[begun:]} == {0, 1}
    assert {body["temperature"] for body in asked.bodies[begun:]} == {0.5}
    (row,) = told["rows"]
    assert row["repeated"] == 1
    assert {"own", "own_more"} <= row.keys()  # a system has the model's name
    assert [each["by_people"] for each in told["corrected"]] == [3, 3, 3]
    assert all(each["by_model"] >= 3 for each in told["corrected"])
    assert all(each["worth"] is None or each["worth"] > 0 for each in told["corrected"])
