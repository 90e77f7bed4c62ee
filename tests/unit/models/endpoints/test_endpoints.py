"""Language models at an address: nothing is lost, doubled or guessed, and keys go to their address alone."""

import logging
import math
import re
import stat
import sys
import threading
import traceback
from dataclasses import replace
from itertools import combinations, pairwise

import numpy as np
import pandas as pd
import pytest

from core import limits
from core.consistency.studies import scoring as studies
from core.consistency.studies.findings import examine
from core.consistency.studies.subject import subject_of_timeline
from core.data.articles.articles import articles_of
from core.data.pair_sets.pair_set import PairSet
from core.data.timelines.load import load_frame
from core.errors import Cancelled, CoreError, InputError, ModelUnavailableError
from core.events.asked_links import ask_links
from core.events.correction import History
from core.events.grouping import Settings, prepare, regroup
from core.events.named_events import name_events
from core.headlines.generator import GenerationOptions
from core.headlines.generators.endpoint import INSTEAD
from core.headlines.writing import with_lights, write_headlines
from core.models.endpoints import addresses, asking, costs
from core.models.endpoints.prompt_files import Prompt, store_version
from core.models.endpoints.recipe import parsed, sent_by
from core.numerals.asked_claims import EndpointClaims, ask_claims
from core.numerals.checking import load_checker
from core.pairs.scorer import pair_scorers
from core.pairs.scoring import score_pairs, swap
from core.people.study import Study, StudyPair, study_file
from core.runtime import MODE, Runtime
from core.study_access.study_models import pre_labelled
from tests import language_model_server as server
from tests.language_model_server import YES_NO, chance, sure

KEY = "sk-test-0123456789abcdef"


@pytest.fixture(autouse=True)
def apart(monkeypatch, tmp_path):
    """A user of its own, and no waiting between tries."""
    monkeypatch.setenv("HEADLINE_LAB_USER", str(tmp_path / "user"))
    for name in (addresses.ADDRESS, addresses.MODEL, addresses.KEY, addresses.VISITORS, MODE):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(asking, "FIRST_WAIT", 0.0)


@pytest.fixture
def runtime(tmp_path):
    return Runtime(cache=tmp_path / "cache")


def allow(asked, **more):
    addresses.store(addresses.Endpoint(address=asked.address, model="tiny", **more))


def pairs_of(count):
    texts = [f"Storm {number} hits coast" for number in range(count + 1)]
    numbers = np.arange(count, dtype=np.int64)
    rows = np.zeros(count + 1, dtype=np.int64)
    return PairSet(
        name="made", texts=texts, days=np.full(count + 1, np.nan), timelines=rows, groups=rows - 1,
        parts=np.full(count + 1, "test"), left=numbers, right=numbers + 1, labels=rows[1:],
    )  # fmt: skip


def expected(pairs):
    return [chance(left, right) for left, right in pairwise(pairs.texts)]


def everything_in(folder):
    return [path.read_bytes() for path in folder.rglob("*") if path.is_file()]


def test_scores_are_the_probability_of_yes_and_depend_on_the_order(runtime):
    pairs = pairs_of(3)
    with server.serving(sure) as asked:
        allow(asked)
        scored = score_pairs(pairs, pair_scorers.parse("endpoint"), runtime)
        turned = score_pairs(swap(pairs), pair_scorers.parse("endpoint"), runtime)
    np.testing.assert_allclose(scored.scores, expected(pairs), atol=1e-6)
    assert not np.allclose(scored.scores, turned.scores)
    assert {body["model"] for body in asked.bodies} == {"tiny"}
    assert {body["temperature"] for body in asked.bodies} == {0.0}


def test_a_signature_names_who_answered_the_prompt_and_the_day(runtime):
    with server.serving(sure) as asked:
        allow(asked, key=KEY)
        scored = score_pairs(pairs_of(1), pair_scorers.parse("endpoint"), runtime)
    assert f"endpoint.v1|address:{asked.address}|model:tiny|prompt:same_event.v1" in scored.signature
    assert re.search(
        r"prompt:same_event\.v1-[0-9a-f]{8} · answered:tiny-2026-11-01 \d{4}-\d\d-\d\d", scored.signature
    )
    assert KEY not in scored.signature


def test_what_was_answered_is_not_asked_again_but_for_another_prompt_or_setting(runtime, tmp_path):
    with server.serving(sure) as asked:
        allow(asked)
        first = score_pairs(pairs_of(5), pair_scorers.parse("endpoint"), runtime)
        again = score_pairs(pairs_of(5), pair_scorers.parse("endpoint"), runtime)
        assert len(asked.bodies) == 5
        score_pairs(pairs_of(5), pair_scorers.parse("endpoint|seed:1"), runtime)
        assert len(asked.bodies) == 10
        own = tmp_path / "user" / "prompts" / "own.v1.toml"
        own.parent.mkdir()
        own.write_text('user = """One event?\nA: $left\nB: $right\n"""\n')
        other = score_pairs(pairs_of(5), pair_scorers.parse("endpoint|prompt:own.v1"), runtime)
    assert len(asked.bodies) == 15
    assert "prompt:own.v1-" in other.signature
    assert again.signature == first.signature
    np.testing.assert_array_equal(again.scores, first.scores)


def under_every_failure(answer):
    failures = [
        server.KILLED, server.BROKEN, server.ENDLESS, server.Failing(429), server.Failing(503),
        {"choices": []},
    ]  # fmt: skip
    rare = {100: server.HANGING, 200: server.SLOW, 400: server.HANGING}

    def failing(body, number):
        if number in rare:
            return rare[number]
        return failures[number // 3 % len(failures)] if number % 3 == 0 else answer(body, number)

    return failing


@pytest.fixture
def patient(monkeypatch):
    monkeypatch.setenv(limits.ENDPOINT_SECONDS.variable, "1")
    monkeypatch.setenv(limits.ENDPOINT_TRIES.variable, "10")


@pytest.mark.slow
@pytest.mark.usefixtures("patient")
def test_a_thousand_pairs_under_every_failure_are_each_answered_once(runtime):
    pairs = pairs_of(1_000)
    with server.serving(under_every_failure(sure)) as asked:
        allow(asked)
        scored = score_pairs(pairs, pair_scorers.parse("endpoint"), runtime)
    np.testing.assert_allclose(scored.scores, expected(pairs), atol=1e-6)
    assert not scored.why_not
    assert len(asked.bodies) > 1_300


@pytest.mark.slow
@pytest.mark.usefixtures("patient")
def test_two_hundred_articles_under_every_failure_have_each_its_own_headline(runtime):
    def answer(body, number):
        about = re.search(r"Storm \d+ hit", body["messages"][-1]["content"])[0]
        return server.chat(f'{{"headlines": ["{about} the coast"]}}')

    texts = [f"Storm {number} hit the coast on Monday. Nobody was hurt." for number in range(200)]
    with server.serving(under_every_failure(answer)) as asked:
        allow(asked)
        written = write_headlines(articles_of("made", texts), "endpoint", GenerationOptions(), runtime)
        answered = runtime.spent["questions"]
    assert [each[0].text for each in written.candidates] == [f"Storm {n} hit the coast" for n in range(200)]
    assert answered == 200
    assert len(asked.bodies) > 260


@pytest.mark.parametrize(
    "failure", [server.KILLED, server.BROKEN, server.ENDLESS, server.Failing(429), server.SLOW]
)
def test_an_answer_that_fails_is_asked_for_again(failure, runtime, monkeypatch):
    monkeypatch.setenv(limits.ENDPOINT_SECONDS.variable, "1")
    with server.serving(lambda body, number: failure if number == 2 else sure(body, number)) as asked:
        allow(asked)
        scored = score_pairs(pairs_of(3), pair_scorers.parse("endpoint"), runtime)
    np.testing.assert_allclose(scored.scores, expected(pairs_of(3)), atol=1e-6)
    assert len(asked.bodies) == 4


def test_a_run_that_ends_early_goes_on_where_it_was(runtime, monkeypatch):
    monkeypatch.setenv(limits.ENDPOINT_REQUESTS.variable, "1")
    monkeypatch.setenv(limits.ENDPOINT_TRIES.variable, "2")
    gone = True

    def answer(body, number):
        return server.Failing(500) if gone and number > 6 else sure(body, number)

    with server.serving(answer) as asked:
        allow(asked)
        with pytest.raises(CoreError, match="2 tries"):
            score_pairs(pairs_of(10), pair_scorers.parse("endpoint"), runtime)
        gone, before = False, len(asked.bodies)
        scored = score_pairs(pairs_of(10), pair_scorers.parse("endpoint"), runtime)
    assert len(asked.bodies) == before + 4
    np.testing.assert_allclose(scored.scores, expected(pairs_of(10)), atol=1e-6)


def test_a_stopped_run_keeps_what_was_answered(runtime, monkeypatch):
    monkeypatch.setenv(limits.ENDPOINT_REQUESTS.variable, "1")

    def answer(body, number):
        if number == 5:
            runtime.stop.set()
        return sure(body, number)

    with server.serving(answer) as asked:
        allow(asked)
        with pytest.raises(Cancelled):
            score_pairs(pairs_of(10), pair_scorers.parse("endpoint"), runtime)
        runtime.stop.clear()
        before = len(asked.bodies)
        score_pairs(pairs_of(10), pair_scorers.parse("endpoint"), runtime)
    assert before < 10
    assert len(asked.bodies) <= 11


def test_the_budget_ends_a_run_and_the_next_goes_on(runtime, monkeypatch):
    monkeypatch.setenv(limits.ENDPOINT_REQUESTS.variable, "1")
    monkeypatch.setenv(limits.ENDPOINT_TOKENS.variable, "40")
    with server.serving(sure) as asked:
        allow(asked)
        for done in (4, 8):
            run = replace(runtime, spent={})
            with pytest.raises(CoreError, match="budget"):
                score_pairs(pairs_of(10), pair_scorers.parse("endpoint"), run)
            assert len(asked.bodies) == done
            with pytest.raises(CoreError, match="budget"):  # it is the run's, however often it asks
                score_pairs(pairs_of(10), pair_scorers.parse("endpoint"), run)
            assert len(asked.bodies) == done
        score_pairs(pairs_of(10), pair_scorers.parse("endpoint"), replace(runtime, spent={}))
    assert len(asked.bodies) == 10


def test_money_is_told_before_and_after_and_its_budget_ends_a_run(runtime, monkeypatch):
    monkeypatch.setenv(limits.ENDPOINT_REQUESTS.variable, "1")
    lines = []

    def counted(body, number):
        said = sure(body, number)
        return said | {"usage": {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}}

    def run():
        return replace(runtime, spent={}, tell=lines.append)

    with server.serving(counted) as asked:
        allow(asked, price_in=2.0, price_out=10.0, currency="EUR", budget=0.0008)
        ended = run()
        with pytest.raises(CoreError, match=r"0\.0008 EUR") as error:
            score_pairs(pairs_of(5), pair_scorers.parse("endpoint"), ended)
        assert limits.ENDPOINT_TOKENS.variable not in error.value.hint
        assert len(asked.bodies) == 3  # 0.0003 each
        assert (
            costs.after(ended.spent) == "3 questions were answered: 300 tokens sent, 30 received, 0.0009 EUR."
        )
        done = run()
        score_pairs(pairs_of(5), pair_scorers.parse("endpoint"), done)
        again = run()
        score_pairs(pairs_of(5), pair_scorers.parse("endpoint"), again)
    assert done.spent["EUR"] == pytest.approx(0.0006)
    assert (again.spent, costs.after(again.spent)) == ({}, "")
    foreseen = [line for line in lines if "about" in line]
    assert [line.partition(" ")[0] for line in foreseen] == ["5", "2"]
    assert all("EUR" in line for line in foreseen)


def test_prices_stay_where_a_model_is_set_again_and_wrong_ones_are_refused(tmp_path):
    address = "http://127.0.0.1:1/v1"
    addresses.store(
        addresses.Endpoint(address=address, model="tiny", price_in=2.0, currency="EUR", context=900)
    )
    addresses.store(addresses.Endpoint(address=address, model="other"))
    (known,) = addresses.endpoints()
    assert (known.model, known.price_in, known.currency, known.context) == ("other", 2.0, "EUR", 900)
    file = tmp_path / "user" / "endpoints.json"
    for wrong in ('"price_in":-1', '"price_in":"cheap"', '"currency":"euros"'):
        name = wrong.partition(":")[0]
        file.write_text(re.sub(rf"{name}:[^,}}]+", wrong, file.read_text()))
        with pytest.raises(CoreError):
            addresses.endpoints()


def test_answers_that_are_none_are_counted_and_not_guessed(runtime):
    said = {2: {"Perhaps": math.log(0.95), "yes": math.log(0.04)}, 4: {"The": -0.01}}

    def answer(body, number):
        left = YES_NO.search(body["messages"][-1]["content"])[1]
        number = int(left.split()[1])
        return server.chat("?", tokens=said[number]) if number in said else sure(body, number)

    with server.serving(answer) as asked:
        allow(asked)
        scored = score_pairs(pairs_of(6), pair_scorers.parse("endpoint"), runtime)
    assert set(scored.why_not) == {2, 4}
    assert np.isnan(scored.scores[[2, 4]]).all()
    assert np.isfinite(scored.scores[[0, 1, 3, 5]]).all()


def test_an_answer_that_its_server_cannot_read_is_counted_and_not_asked_for_again(runtime):
    said = '{"error": {"code": 500, "message": "The model produced output that does not match the expected"}}'
    with server.serving(lambda body, number: server.Failing(500, said)) as asked:
        allow(asked)
        scored = score_pairs(pairs_of(3), pair_scorers.parse("endpoint|answer:scale"), runtime)
    assert len(asked.bodies) == len(scored.why_not) == 3


@pytest.mark.parametrize(
    ("text", "score"),
    [
        ('{"score": 70}', 0.7), ('```json\n{"score": 0}\n```', 0.0), ('<think>20?</think>{"score": 5}', 0.05),
        ("70", None), ('{"score": 101}', None), ('{"score": "70"}', None), ('It is {"score": 70}', None),
        ("", None),
    ],
)  # fmt: skip
def test_a_number_on_the_scale_is_read_or_none(text, score, runtime):
    with server.serving(lambda body, number: server.chat(text)) as asked:
        allow(asked)
        scored = score_pairs(pairs_of(1), pair_scorers.parse("endpoint|answer:scale"), runtime)
    assert asked.bodies[0]["response_format"]["json_schema"]["schema"]["required"] == ["score"]
    if score is None:
        assert 0 in scored.why_not
    else:
        assert scored.scores[0] == pytest.approx(score)


def test_a_server_without_probabilities_is_told_of(runtime):
    with server.serving(lambda body, number: server.chat("yes")) as asked:
        allow(asked)
        with pytest.raises(ModelUnavailableError, match="logprobs") as error:
            score_pairs(pairs_of(1), pair_scorers.parse("endpoint"), runtime)
    assert "answer:scale" in error.value.hint


def test_answers_without_probabilities_are_asked_for_again(runtime):
    with server.serving(lambda body, number: server.chat("yes")) as asked:
        allow(asked)
        with pytest.raises(ModelUnavailableError):
            score_pairs(pairs_of(2), pair_scorers.parse("endpoint"), runtime)
        asked.answer = sure
        scored = score_pairs(pairs_of(2), pair_scorers.parse("endpoint"), runtime)
        np.testing.assert_allclose(scored.scores, expected(pairs_of(2)), atol=1e-6)
        score_pairs(pairs_of(2), pair_scorers.parse("endpoint"), runtime)
    assert len(asked.bodies) == 4


def test_a_model_is_asked_at_the_address_where_it_is_set(runtime, monkeypatch):
    with server.serving(sure) as first, server.serving(sure) as second:
        allow(second)
        monkeypatch.setenv(addresses.ADDRESS, first.address)
        monkeypatch.setenv(addresses.MODEL, "smol")
        score_pairs(pairs_of(1), pair_scorers.parse("endpoint|model:tiny"), runtime)
        assert (len(first.bodies), len(second.bodies)) == (0, 1)
        score_pairs(pairs_of(1), pair_scorers.parse("endpoint"), runtime)
        assert [body["model"] for body in first.bodies] == ["smol"]
        named = f"endpoint|address:{first.address}|model:other"
        for unclear, model in (("endpoint|model:other", "smol"), ("endpoint|model:tiny", "tiny")):
            monkeypatch.setenv(addresses.MODEL, model)
            with pytest.raises(InputError) as error:
                score_pairs(pairs_of(2), pair_scorers.parse(unclear), runtime)
            assert {"endpoint", "address", "model"} <= set(re.findall(r"\w+", error.value.hint))
        assert (len(first.bodies), len(second.bodies)) == (1, 1)
        score_pairs(pairs_of(1), pair_scorers.parse(named), runtime)
    assert [body["model"] for body in first.bodies] == ["smol", "other"]


def test_another_model_of_the_only_address_is_asked_there(runtime):
    with server.serving(sure) as asked:
        allow(asked)
        score_pairs(pairs_of(1), pair_scorers.parse("endpoint|model:other"), runtime)
    assert [body["model"] for body in asked.bodies] == ["other"]


def test_a_stop_waits_for_no_hung_server_and_leaves_nothing_that_a_program_waits_for(runtime):
    def hangs(body, number):
        runtime.stop.set()
        return server.HANGING

    before = set(threading.enumerate())
    with server.serving(hangs) as asked:
        allow(asked)
        with pytest.raises(Cancelled):
            score_pairs(pairs_of(3), pair_scorers.parse("endpoint"), runtime)
        left = set(threading.enumerate()) - before
        assert not asked.over.is_set()
        assert left
        assert all(thread.daemon for thread in left)


def test_tries_are_told(runtime, monkeypatch):
    lines = []
    monkeypatch.setenv(limits.ENDPOINT_TRIES.variable, "5")
    with server.serving(lambda body, number: server.KILLED if number < 3 else sure(body, number)) as asked:
        allow(asked, key=KEY)
        score_pairs(pairs_of(1), pair_scorers.parse("endpoint"), replace(runtime, tell=lines.append))
    tries = [re.findall(r"try \d of 5", line) for line in lines]
    assert list(filter(None, tries)) == [["try 2 of 5"], ["try 3 of 5"]]
    assert KEY not in "".join(lines)


@pytest.mark.parametrize(("scorer", "questions"), [("endpoint", 12), ("symmetric|base:endpoint", 24)])
def test_cost_is_one_sum_before_over_timelines_and_orders(scorer, questions, runtime):
    lines, pairs = [], pairs_of(12)
    rows = np.arange(24)
    pairs = replace(
        pairs, texts=[pairs.texts[row % 12] + f" {row}" for row in rows], days=np.full(24, np.nan),
        timelines=rows // 4, groups=rows * 0 - 1, parts=np.full(24, "test"), left=rows[::2], right=rows[1::2],
    )  # fmt: skip
    with server.serving(sure) as asked:
        allow(asked)
        scored = score_pairs(pairs, pair_scorers.parse(scorer), replace(runtime, tell=lines.append))
    assert len(asked.bodies) == questions
    assert [int(line.split()[0]) for line in lines if "questions: about" in line] == [questions]
    assert scored.scored.all()


def test_cost_of_writing_is_one_sum_before(runtime):
    lines, texts = [], [f"Storm {number} hit the coast on Monday." for number in range(60)]
    with server.serving(lambda body, number: server.chat('{"headlines": ["Storm hits"]}')) as asked:
        allow(asked)
        told = replace(runtime, tell=lines.append)
        write_headlines(articles_of("made", texts), "endpoint", GenerationOptions(), told)
    assert (
        [int(line.split()[0]) for line in lines if "questions: about" in line] == [60] == [len(asked.bodies)]
    )


def test_tokens_are_summed_where_a_server_gives_no_sum(runtime):
    def counted(body, number):
        return sure(body, number) | {"usage": {"prompt_tokens": 50, "completion_tokens": 1}}

    with server.serving(counted) as asked:
        allow(asked)
        score_pairs(pairs_of(1), pair_scorers.parse("endpoint"), runtime)
    assert (runtime.spent["sent"], runtime.spent["received"]) == (50, 1)


def test_what_a_server_refuses_is_left_out_and_signed(runtime):
    def answer(body, number):
        for name in ("response_format", "temperature", "max_tokens"):
            if name in body:
                return server.Failing(400, f'{{"error": {{"message": "Unsupported parameter: {name}"}}}}')
        return server.chat('{"score": 50}')

    with server.serving(answer) as asked:
        allow(asked)
        scored = score_pairs(pairs_of(1), pair_scorers.parse("endpoint|answer:scale"), runtime)
    assert scored.scores[0] == 0.5
    assert asked.bodies[-1]["max_completion_tokens"] > 0
    assert (
        "answered:tiny-2026-11-01 without response_format without temperature without max_tokens"
        in scored.signature
    )


def test_a_consistency_study_audits_it_and_says_how_many_pairs_it_lacks(runtime):
    texts = [f"Storm {number} hits coast" for number in range(4)]

    def answer(body, number):
        left, right = YES_NO.search(body["messages"][-1]["content"]).groups()
        return server.chat("?", tokens={"?": 0.0}) if {left, right} == {*texts[:2]} else sure(body, number)

    with server.serving(answer) as asked:
        allow(asked)
        subject = subject_of_timeline(load_frame(pd.DataFrame({"headline": texts})))
        scored = studies.score_both_orders(subject, studies.Scoring(scorer="endpoint"), runtime)
    assert len(asked.bodies) == 12  # every pair in both orders, none with itself
    assert scored.scores.scored.sum() == 10
    assert "1 pairs" in scored.note
    assert "answered:" in scored.signature


def test_paraphrased_prompts_and_temperatures_are_studied_apart_through_the_registry(runtime):
    texts = ["Storm", "Rain falls", "Bank raises its rate", "Fire", "Whale on a beach"]
    subject = subject_of_timeline(load_frame(pd.DataFrame({"headline": texts})))
    one, other = (
        store_version("same_event.v1", Prompt(user=f"{asks}\nA: $left\nB: $right"))
        for asks in ("One event?", "Do these differ in nothing but words?")
    )

    def answer(body, number):
        said = body["messages"][-1]["content"]
        return server.chat("no", tokens={"no": -0.01}) if "differ" in said else sure(body, number)

    def studied(scorer):
        scored = studies.score_both_orders(subject, studies.Scoring(scorer=scorer), runtime)
        return examine(scored).commutative.flips, scored.signature

    with server.serving(answer) as asked:
        allow(asked)
        first, second = studied(f"endpoint|prompt:{one}"), studied(f"endpoint|prompt:{other}")
        warm = studied(f"endpoint|prompt:{one}|temperature:0.7")
        assert studied(f"endpoint|prompt:{one}") == first
    ways = [(chance(a, b) >= 0.5) != (chance(b, a) >= 0.5) for a, b in combinations(texts, 2)]
    assert (first[0], second[0], warm[0]) == (sum(ways), 0, sum(ways))
    assert sum(ways) > 0
    assert [body["temperature"] for body in asked.bodies] == [0.0] * 40 + [0.7] * 20
    assert f"prompt:{one}-" in first[1]
    assert f"prompt:{other}-" in second[1]
    assert "temperature:0.7" in warm[1]


def test_longer_texts_are_cut_to_the_context_at_their_end_and_that_is_said(runtime):
    lines = []
    texts = [
        "Short one.",
        "Storm hit the coast on Monday. " + "Nothing else was reported. " * 400 + "The end.",
    ]
    with server.serving(lambda body, number: server.chat('{"headlines": ["Storm hits"]}')) as asked:
        allow(asked, context=1_000)
        told = replace(runtime, tell=lines.append)
        written = write_headlines(articles_of("made", texts), "endpoint", GenerationOptions(), told)
        short, long = sorted(asked.texts, key=len)
        assert "Short one." in short
        assert "Storm hit the coast on Monday." in long
        assert "The end." not in long
        for body in asked.bodies:
            whole = "".join(each["content"] for each in body["messages"])
            assert costs.tokens_of(whole) + body["max_tokens"] <= 1_000
        assert [line.split()[0] for line in lines if "1,000" in line] == ["1"]
        assert "context:1000" in written.signature
        addresses.remove(asked.address)
        allow(asked, context=40)
        with pytest.raises(InputError, match="context"):
            write_headlines(articles_of("made", ["Other."]), "endpoint", GenerationOptions(), runtime)
    assert len(asked.bodies) == 2


def test_the_text_with_the_most_tokens_is_cut_not_the_one_with_the_most_letters(runtime):
    latin, chinese = (
        "Storm hits the coast. " * 10,
        "\u98a8\u66b4" * 90,
    )  # 220 letters are 55 tokens, 180 are 135
    pairs = replace(pairs_of(1), texts=[latin.strip(), chinese])
    with server.serving(lambda body, number: server.chat("no", tokens={"no": -0.01})) as asked:
        allow(asked, context=200)
        score_pairs(pairs, pair_scorers.parse("endpoint"), runtime)
    assert asked.texts
    for text in asked.texts:
        assert latin.strip() in text
        assert chinese not in text


ARTICLES = (
    "A bus crash near Lyon killed 14 people on Monday.",
    "The bank raised its rate to 21 per cent.",
    "?!",
)


@pytest.mark.slow
def test_a_writer_gives_candidates_that_the_verdict_on_numbers_checks(runtime):
    def answer(body, number):
        if "Lyon" not in body["messages"][-1]["content"]:
            return server.chat("I cannot do that.")
        return server.chat(
            '{"headlines": ["14 killed in bus crash near Lyon.", "41 killed in bus crash near Lyon"]}'
        )

    with server.serving(answer) as asked:
        allow(asked)
        written = write_headlines(
            articles_of("made", ARTICLES), "endpoint", GenerationOptions(candidates=2), runtime
        )
        lights = [each.light for each in with_lights(written, runtime).candidates[0]]
    assert [each.text for each in written.candidates[0]] == [
        "14 killed in bus crash near Lyon", "41 killed in bus crash near Lyon",
    ]  # fmt: skip
    assert lights[0] != lights[1]
    assert written.candidates[1][0].instead == INSTEAD
    assert "1 answer held no headline" in written.notes[0]
    assert "sentences of the article" not in " ".join(written.notes)
    assert written.candidates[2][0].text == ""
    assert len(asked.bodies) == 2
    assert "prompt:headlines.v1-" in written.signature


def test_a_key_goes_to_its_address_alone(runtime, tmp_path, capfd, caplog, monkeypatch):
    caplog.set_level(logging.DEBUG)
    errors = []

    def fails(address, count):
        with pytest.raises(CoreError) as error:
            score_pairs(pairs_of(count), pair_scorers.parse(f"endpoint|address:{address}"), runtime)
        errors.append(error.value)

    with server.serving(sure) as right, server.serving(sure) as other:
        allow(other)
        allow(right, key=KEY)
        score_pairs(pairs_of(3), pair_scorers.parse(f"endpoint|address:{right.address}"), runtime)
        score_pairs(pairs_of(3), pair_scorers.parse(f"endpoint|address:{other.address}"), runtime)
        for status in (400, 401, 404, 307):
            failing = server.Failing(
                status, f"Wrong key {KEY}", {"Location": f"{other.address}/chat/completions"}
            )
            right.answer = lambda body, number, failing=failing: failing
            fails(right.address, 9)
    assert set(right.keys) == {f"Bearer {KEY}"}
    assert other.keys == [None] * 3  # no redirect was followed
    kept = tmp_path / "user" / "endpoints.json"
    assert KEY in kept.read_text()
    if sys.platform != "win32":
        assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    traces = "".join("".join(traceback.format_exception(each)) + repr(each.__dict__) for each in errors)
    stored = [data.decode("latin-1") for data in everything_in(tmp_path / "cache")]
    for place in (
        repr(addresses.endpoints()),
        traces,
        caplog.text,
        *capfd.readouterr(),
        *map(str, errors),
        *stored,
    ):
        assert KEY not in place


def test_a_server_that_repeats_the_key_gets_it_into_nothing_that_is_stored(runtime, tmp_path):
    def repeats(body, number):
        said = sure(body, number) | {"model": f"tiny {KEY}"}
        said["choices"][0]["message"]["content"] = f"Bearer {KEY}"
        said["choices"][0]["logprobs"]["content"][0]["top_logprobs"].append({"token": KEY, "logprob": -9.0})
        return said

    with server.serving(repeats) as asked:
        allow(asked, key=KEY)
        scored = score_pairs(pairs_of(3), pair_scorers.parse("endpoint"), runtime)
    assert KEY not in repr(scored)
    assert not any(KEY.encode() in data for data in everything_in(tmp_path / "cache"))


@pytest.mark.parametrize("counted", [-1_000_000, 10**30])
def test_a_count_that_nothing_can_have_is_not_believed(counted, runtime):
    def lies(body, number):
        return sure(body, number) | {"usage": {"prompt_tokens": counted, "total_tokens": counted}}

    with server.serving(lies) as asked:
        allow(asked)
        score_pairs(pairs_of(3), pair_scorers.parse("endpoint"), runtime)
    assert 0 < runtime.spent["sent"] < 10_000


def links(runtime):
    texts = ["Storm hits coast", "Storm reaches coast", "Bank raises rate", "Rate is raised by bank"]
    prepared = prepare(load_frame(pd.DataFrame({"headline": texts})), Settings(), runtime)
    return ask_links(prepared, History(), pair_scorers.parse("endpoint|answer:scale"), 8, runtime).history


def claims(runtime):
    checked = load_checker(None, runtime).check(["14 killed near Lyon"], [ARTICLES[0]], runtime)
    return ask_claims(checked, EndpointClaims(), runtime).checked


def names(runtime):
    prepared = prepare(
        load_frame(pd.DataFrame({"headline": ["Storm hits", "Storm hits coast"]})), Settings(), runtime
    )
    return name_events(prepared, regroup(prepared, 0.9), History(), "endpoint", runtime)


def labels(runtime):
    study = Study(title="Ours", asks="same_event", pairs=(StudyPair("main", "Storm", "Rain"),))
    return study_file(pre_labelled(study, pair_scorers.parse("endpoint|answer:scale"), runtime)[0])


@pytest.mark.slow
@pytest.mark.parametrize("way", [links, claims, names, labels])
def test_no_other_way_of_asking_lets_a_key_out(way, runtime, tmp_path, capfd, caplog):
    caplog.set_level(logging.DEBUG)
    lines, errors = [], []
    runtime = replace(runtime, tell=lines.append)
    with server.serving(lambda body, number: server.chat('{"score": 100}')) as asked:
        allow(asked, key=KEY, price_in=1.0, price_out=2.0)
        written = [repr(way(runtime))]
        for status in (400, 401, 404):
            asked.answer = lambda body, number, status=status: server.Failing(status, f"Wrong key {KEY}")
            with pytest.raises(CoreError) as error:
                way(replace(runtime, cache=tmp_path / str(status)))
            errors.append("".join(traceback.format_exception(error.value)) + repr(error.value.__dict__))
    assert set(asked.keys) == {f"Bearer {KEY}"}
    assert lines
    stored = [
        path.read_text("latin-1")
        for path in tmp_path.rglob("*")
        if path.is_file() and path.name != "endpoints.json"
    ]
    assert stored
    places = (
        *written,
        *lines,
        *errors,
        *stored,
        costs.after(runtime.spent),
        caplog.text,
        *capfd.readouterr(),
    )
    for place in places:
        assert KEY not in place


@pytest.mark.parametrize(
    ("given", "place"),
    [
        ("http://127.0.0.1:8080", addresses.THIS_COMPUTER),
        ("http://localhost:11434/v1", addresses.THIS_COMPUTER),
        ("http://[::1]:8000/v1/chat/completions", addresses.THIS_COMPUTER),
        ("http://10.0.0.5:8000", addresses.OWN_NETWORK), ("http://gpu:8000", addresses.OWN_NETWORK),
        ("http://gpu.local/v1/", addresses.OWN_NETWORK), ("https://api.example.org/v1", addresses.INTERNET),
        ("https://8.8.8.8/v1", addresses.INTERNET), ("https://127.0.0.1.example.org", addresses.INTERNET),
    ],
)  # fmt: skip
def test_an_address_says_where_texts_go(given, place):
    address = addresses.checked_address(given)
    assert address.endswith("/v1")
    assert addresses.place_of(address) == place
    assert ("nothing leaves" in addresses.sentence_of(address, "Headlines")) == (
        place == addresses.THIS_COMPUTER
    )


@pytest.mark.parametrize(
    "given",
    [
        "",
        "ftp://a/v1",
        "api.example.org",
        f"https://me:{KEY}@a.org/v1",
        f"https://a.org/v1?key={KEY}",
        "http://a.org/v1",
    ],
)
def test_an_address_that_is_none_or_holds_a_key_or_is_not_encrypted_is_refused(given):
    with pytest.raises(InputError) as error:
        addresses.checked_address(given)
    assert KEY not in str(error.value)


def test_nothing_is_sent_to_an_address_that_nobody_allowed(runtime):
    with server.serving(sure) as asked, server.serving(sure) as other:
        with pytest.raises(ModelUnavailableError):
            score_pairs(
                pairs_of(1), pair_scorers.parse(f"endpoint|address:{asked.address}|model:tiny"), runtime
            )
        allow(other, key=KEY)
        with pytest.raises(ModelUnavailableError):
            score_pairs(
                pairs_of(1), pair_scorers.parse(f"endpoint|address:{asked.address}|model:tiny"), runtime
            )
    assert not asked.bodies
    assert not other.bodies


def test_visitors_of_a_workshop_ask_none_unless_the_owner_allows_it(runtime, monkeypatch):
    with server.serving(sure) as asked:
        allow(asked)
        monkeypatch.setenv(MODE, "workshop")
        with pytest.raises(ModelUnavailableError):
            score_pairs(pairs_of(1), pair_scorers.parse("endpoint"), runtime)
        assert not asked.bodies
        monkeypatch.setenv(addresses.VISITORS, "1")
        score_pairs(pairs_of(1), pair_scorers.parse("endpoint"), runtime)
    assert len(asked.bodies) == 1


def test_the_environment_comes_before_the_file(monkeypatch):
    addresses.store(addresses.Endpoint(address="https://a.example.org", model="a", key=KEY))
    monkeypatch.setenv(addresses.ADDRESS, "https://b.example.org/v1")
    monkeypatch.setenv(addresses.MODEL, "b")
    first, second = addresses.endpoints()
    assert (first.address, first.model, first.key) == ("https://b.example.org/v1", "b", "")
    assert second.key == KEY


def test_it_is_said_in_one_line_what_leaves_and_where_to(monkeypatch):
    assert sent_by(pair_scorers.parse("symmetric|base:levenshtein")) == []
    monkeypatch.setenv(addresses.ADDRESS, "https://a.example.org")
    (line,) = sent_by(pair_scorers.parse("symmetric|base:endpoint"))
    assert "https://a.example.org/v1" in line


@pytest.mark.parametrize(
    ("row", "named"),
    [
        ('{"address": "http://example.com:18128/v1"}', "not encrypted"),
        ('{"address": "http://127.0.0.1:1/v1", "price_inn": 1}', "price_inn"),
        ('{"address": "http://127.0.0.1:1/v1", "budget": 1}', "price"),
        ('{"address": "http://127.0.0.1:1/v1", "price_in": "cheap"}', "price_in"),
    ],
)
def test_what_is_wrong_in_the_file_of_addresses_is_said_and_nothing_of_it_used(row, named, tmp_path):
    file = tmp_path / "user" / "endpoints.json"
    file.parent.mkdir()
    file.write_text(f"[{row}]")
    with pytest.raises(InputError, match=named):
        addresses.endpoints()
    file.write_text('[{"address": "http://127.0.0.1:1", "key": "sk-1"}]')
    file.chmod(0o644)
    assert addresses.endpoints()[0].address == "http://127.0.0.1:1/v1"
    if sys.platform != "win32":
        assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_prompt_that_lacks_a_headline_is_refused(tmp_path):
    path = tmp_path / "user" / "prompts" / "own.v1.toml"
    path.parent.mkdir(parents=True)
    path.write_text('user = "One event? $left"\n')
    addresses.store(addresses.Endpoint(address="http://127.0.0.1:9/v1", model="tiny"))
    with pytest.raises(InputError, match="own"):
        pair_scorers.parse("endpoint|prompt:own.v1").check()
    with pytest.raises(CoreError):
        pair_scorers.parse("endpoint|prompt:../../own.v1").check()


def test_the_command_says_what_is_sent_before_it_scores(command, tmp_path, monkeypatch):
    table = tmp_path / "pairs.csv"
    table.write_text("headline_a,headline_b\nStorm 1 hits coast,Storm 2 hits coast\n")
    monkeypatch.setenv("HEADLINE_LAB_CACHE", str(tmp_path / "cache"))
    with server.serving(sure) as asked:
        monkeypatch.setenv(addresses.ADDRESS, asked.address)
        monkeypatch.setenv(addresses.MODEL, "tiny")
        monkeypatch.setenv(addresses.KEY, KEY)
        code, out, err = command("score", table, "--scorer", "endpoint", "--out", tmp_path / "scored.csv")
    assert code == 0
    assert err.count(asked.address) == 1
    assert "nothing leaves" in err
    assert asked.keys == [f"Bearer {KEY}"]
    assert KEY not in out + err + (tmp_path / "scored.csv").read_text()


def test_an_object_is_read_strictly():
    assert parsed('{"a": 1} and more', dict) is None
    assert parsed('{"a": 1}', dict) == {"a": 1}
