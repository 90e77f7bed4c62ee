"""Links in doubt, asked of a language model: what changes, what it costs, and that it stops and goes on."""

import re

import pytest

from core.data.timelines.load import load
from core.data.timelines.timeline import Field
from core.errors import Cancelled, CoreError, InputError
from core.events.asked_links import ROUND, UNSURE, ask_links, cost_of
from core.events.correction import Correction, History, Kind
from core.events.corrections import fitted
from core.events.grouping import Settings, prepare, regroup
from core.files import ROOT
from core.groups.quality import codes_of, pair_counts
from core.models.endpoints import addresses, asking
from core.pairs.scorer import pair_scorers
from core.runtime import Runtime
from tests import language_model_server as server

YES_NO = re.compile(r"A: (.*)\nB: (.*)")
MODEL = "endpoint|answer:scale"


@pytest.fixture(scope="module")
def desk(tmp_path_factory):
    """A day of a desk, and the event of each headline."""
    table = (ROOT / "samples/desks/fjord/serie_a_24.csv").read_bytes()
    timeline = load(table.replace(b"event", b"group", 1), "desk.csv")
    prepared = prepare(timeline, Settings(), Runtime(cache=tmp_path_factory.mktemp("cache")))
    return prepared, dict(zip(timeline.texts, timeline.table[Field.GOLD].tolist(), strict=True))


@pytest.fixture(autouse=True)
def apart(monkeypatch, tmp_path):
    monkeypatch.setenv("HEADLINE_LAB_USER", str(tmp_path / "user"))
    monkeypatch.setattr(asking, "FIRST_WAIT", 0.0)


@pytest.fixture
def runtime(tmp_path):
    return Runtime(cache=tmp_path / "cache")


def allow(asked, **more):
    addresses.store(addresses.Endpoint(address=asked.address, model="tiny", **more))


def headlines(body):
    return YES_NO.search(body["messages"][-1]["content"]).groups()


def by_gold(gold):
    def answer(body, number):
        left, right = headlines(body)
        return server.chat(f'{{"score": {100 * (gold[left] == gold[right])}}}')

    return answer


def f1(desk, history):
    prepared, gold = desk
    ids = regroup(prepared, corrections=fitted(history, prepared.timeline.index.row)).ids
    both, grouped, wanted = pair_counts(ids, codes_of([gold[text] for text in prepared.timeline.texts]))
    return 2 * both / (grouped + wanted)


def ask(desk, most, runtime, history=None, model=MODEL):
    return ask_links(desk[0], history or History(), pair_scorers.parse(model), most, runtime)


@pytest.mark.slow
def test_right_answers_make_groups_better_with_few_questions(desk, runtime):
    with server.serving(by_gold(desk[1])) as asked:
        allow(asked)
        few, more = ask(desk, 20, runtime), ask(desk, 60, runtime)
        assert len(asked.bodies) == more.questions <= 60
    assert few.questions <= 20
    assert f1(desk, History()) < f1(desk, few.history) < f1(desk, more.history) - 0.05


def test_each_answer_is_the_models_and_holds_as_peoples_do(desk, runtime):
    with server.serving(by_gold(desk[1])) as asked:
        allow(asked)
        found = ask(desk, 20, runtime)
    assert {entry.who for entry in found.history.corrections} == {"tiny"}
    prepared = desk[0]
    for level in (0.1, None, 0.95):
        corrections = fitted(found.history, prepared.timeline.index.row)
        ids = regroup(prepared, level, corrections=corrections).ids
        for answer in found.answers:
            assert answer.same is None or (ids[answer.left] == ids[answer.right]) == answer.same


def test_an_answer_that_changes_with_the_order_changes_nothing(desk, runtime):
    def fickle(body, number):
        left, right = headlines(body)
        return server.chat(f'{{"score": {100 * (left < right)}}}')

    with server.serving(fickle) as asked:
        allow(asked)
        found = ask(desk, 20, runtime)
    ids, first = regroup(desk[0]).ids, found.answers[:ROUND]
    for answer in first:
        assert answer.same is None or (ids[answer.left] == ids[answer.right]) == answer.same
    assert any(answer.same is None for answer in first)


@pytest.mark.parametrize(("text", "unread"), [("I cannot say.", True), ('{"score": 55}', False)])
def test_what_is_no_answer_is_counted_and_changes_nothing(desk, runtime, text, unread):
    with server.serving(lambda body, number: server.chat(text)) as asked:
        allow(asked)
        found = ask(desk, 10, runtime)
    assert UNSURE > 0.05
    assert found.unread == found.questions * unread
    assert {answer.same for answer in found.answers} == {None}
    assert f1(desk, found.history) == f1(desk, History())


@pytest.mark.slow
def test_it_stops_and_goes_on_without_a_question_twice(desk, runtime):
    def stopping(body, number):
        if number == 12:
            runtime.stop.set()
        return by_gold(desk[1])(body, number)

    with server.serving(stopping) as asked:
        allow(asked)
        with pytest.raises(Cancelled):
            ask(desk, 40, runtime)
        runtime.stop.clear()
        found = ask(desk, 40, runtime)
        texts = asked.texts
    assert len(texts) <= found.questions + 4
    with server.serving(by_gold(desk[1])) as other:
        allow(other)
        assert ask(desk, 40, Runtime(cache=runtime.cache / "other")).answers == found.answers


def test_what_was_answered_or_undone_is_not_asked_about_again(desk, runtime):
    with server.serving(by_gold(desk[1])) as asked:
        allow(asked)
        first = ask(desk, 12, runtime)
        undone = first.history.with_more(
            [Correction(kind=Kind.UNDO, text=entry.id) for entry in first.history.corrections]
        )
        assert f1(desk, undone) == f1(desk, History())
        more = ask(desk, 12, runtime, undone)
    pairs = [{frozenset(answer[:2]) for answer in part.answers} for part in (first, more)]
    assert pairs[0].isdisjoint(pairs[1])


def test_cost_is_told_before_and_the_budget_is_kept_over_all_rounds(desk, runtime, monkeypatch):
    monkeypatch.setenv("HEADLINE_LAB_ENDPOINT_REQUESTS", "1")
    lines = []
    with server.serving(by_gold(desk[1])) as asked:
        allow(asked, price_in=1000.0, price_out=1000.0, budget=0.15)
        told = Runtime(cache=runtime.cache, tell=lines.append)
        with pytest.raises(CoreError, match=r"0\.15"):  # 10 tokens an answer
            ask(desk, 40, told)
        assert len(asked.bodies) == 15
        assert (
            cost_of(
                desk[0],
                History(),
                pair_scorers.parse(MODEL),
                40,
            )
            in lines
        )
        assert cost_of(desk[0], History(), pair_scorers.parse("cosine"), 40) == ""
    assert len(lines) == 2
    assert "40 questions" in lines[1]
    assert "USD" in lines[1]


@pytest.mark.slow
def test_a_method_without_a_tree_is_refused_before_anything_is_sent(desk, runtime):
    flat = prepare(desk[0].source, Settings(method="louvain"), runtime)
    with server.serving(by_gold(desk[1])) as asked:
        allow(asked)
        with pytest.raises(InputError):
            ask((flat, desk[1]), 10, runtime)
    assert not asked.bodies
