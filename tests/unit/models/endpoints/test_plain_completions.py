"""Servers that complete texts and have no chat: found out or named, and every use works through them."""

import math
import re

import numpy as np
import pytest

from core.data.articles.articles import articles_of
from core.errors import ModelUnavailableError
from core.headlines.generator import GenerationOptions
from core.headlines.writing import write_headlines
from core.models.endpoints import addresses, asking
from core.numerals.asked_claims import EndpointClaims, Reading, ask_claims
from core.numerals.checking import load_checker
from core.pairs.context import PairContext
from core.pairs.scorer import pair_scorers
from core.people.evaluation_task import make_task
from core.people.forms import evaluation_forms
from core.runtime import Runtime
from core.study_access.model_judge import EndpointJudge, judge
from tests import language_model_server as server

PLAIN = ("/v1/completions",)
YES_NO = {" Yes": math.log(0.3), " no": math.log(0.1), "\n": math.log(0.05)}
CRASH = "A bus crash near Lyon killed 14 people on Monday."
NO_TEMPLATE = server.Failing(400, '{"message": "default chat template is no longer allowed"}')


@pytest.fixture
def runtime(monkeypatch, tmp_path):
    monkeypatch.setenv("HEADLINE_LAB_USER", str(tmp_path / "user"))
    monkeypatch.setattr(asking, "FIRST_WAIT", 0.0)
    return Runtime(cache=tmp_path / "cache")


def allow(asked, **more):
    addresses.store(addresses.Endpoint(address=asked.address, model="tiny", **more))


def scored(runtime, scorer="endpoint"):
    context = PairContext(["Storm", "Rain"], np.full(2, np.nan), np.empty((2, 0), dtype=np.float32))
    return pair_scorers.parse(scorer).prepare(context, runtime).pairs(np.array([0]), np.array([1]))


def yes_no(body, number):
    return server.completion(" Yes", tokens=YES_NO)


def as_llama_says_it(body, number):
    said = yes_no(body, number)
    said["choices"][0]["logprobs"] = server.chat("", tokens=YES_NO)["choices"][0]["logprobs"]
    return said


@pytest.mark.parametrize("answer", [yes_no, as_llama_says_it])
@pytest.mark.parametrize(
    ("takes", "more"),
    [(PLAIN, {}), (PLAIN, {"interface": "completions"}), ((), {"interface": "completions"})],
)
def test_a_pair_is_scored_by_the_first_token_and_the_signature_says_how(answer, takes, more, runtime):
    with server.serving(answer, **({"takes": takes} if takes else {})) as asked:
        allow(asked, **more)
        (score,) = scored(runtime)
    assert score == pytest.approx(0.75)
    (body,) = asked.bodies
    assert "messages" not in body
    assert {"Storm", "Rain"} <= set(re.findall(r"\w+", body["prompt"]))
    assert body["prompt"].endswith("Answer:")
    signed = asking.answered_by(asked.address, "tiny", pair_scorers.parse("endpoint").pinned(), runtime)
    assert "without chat" in signed


def test_a_model_that_its_server_refuses_to_chat_with_is_asked_to_complete(runtime):
    def answer(body, number):
        return NO_TEMPLATE if "messages" in body else yes_no(body, number)

    with server.serving(answer) as asked:
        allow(asked)
        assert scored(runtime)[0] == pytest.approx(0.75)
        assert len(asked.bodies) == 2
        allow(asked, interface="chat")
        with pytest.raises(ModelUnavailableError, match="chat template"):
            scored(Runtime(cache=runtime.cache / "other"))
    assert all("messages" in body for body in asked.bodies[2:])


def test_without_probabilities_it_says_so_and_a_number_is_read_before_what_follows(runtime):
    said = ' {"score": 70}\n\nHow sure is it that {"score": 5}'
    with server.serving(lambda body, number: server.completion(said), takes=PLAIN) as asked:
        allow(asked)
        with pytest.raises(ModelUnavailableError, match="logprobs"):
            scored(runtime)
        assert scored(runtime, "endpoint|answer:scale")[0] == pytest.approx(0.7)
        asked.answer = lambda body, number: server.completion(f" Perhaps: {said}")
        other = Runtime(cache=runtime.cache / "other")
        assert np.isnan(scored(other, "endpoint|answer:scale")).all()
    assert asked.bodies[-1]["json_schema"]["required"] == ["score"]


def test_what_it_refuses_is_left_out(runtime):
    def answer(body, number):
        refused = [name for name in ("response_format", "json_schema", "seed") if name in body]
        said = f"Unrecognized request argument: {' '.join(refused)}"
        return server.Failing(400, said) if refused else server.completion('{"score": 10}')

    with server.serving(answer, takes=PLAIN) as asked:
        allow(asked)
        assert scored(runtime, "endpoint|answer:scale")[0] == pytest.approx(0.1)


@pytest.mark.slow
def test_it_writes_reads_claims_and_judges(runtime):
    answers = {
        "Write the headline": '{"headlines": ["14 killed in bus crash"]}',
        "check numbers": '{"verdict": "right", "quotation": "killed 14 people", "number": "14", '
        '"holder": "", "expression": ""}',
        "You judge": '{"answer": "equal"}',
    }

    def answer(body, number):
        return server.completion(next(said for words, said in answers.items() if words in body["prompt"]))

    with server.serving(answer, takes=PLAIN) as asked:
        allow(asked)
        written = write_headlines(articles_of("made", [CRASH]), "endpoint", GenerationOptions(), runtime)
        checked = load_checker(None, runtime).check(["14 killed near Lyon"], [CRASH], runtime)
        read = ask_claims(checked, EndpointClaims(), runtime)
        task = make_task("made", ["a"], ["One", "Two"], [("Bus crash kills 14", "Storm")])
        judged = judge(task, evaluation_forms.parse("preference.v1"), [CRASH], EndpointJudge(), runtime)
    assert written.candidates[0][0].text == "14 killed in bus crash"
    assert read.readings == {Reading.AGREES: 1}
    assert judged.straight[0, 0, 0, 2] == judged.turned[0, 0, 0, 2] == 0
    assert "without chat" in written.signature
    assert "without chat" in judged.signature


@pytest.mark.parametrize("interface", ["completions", "chat"])
def test_an_answer_of_the_other_interface_says_so_at_once(interface, runtime):
    other = server.completion if interface == "chat" else server.chat
    with server.serving(lambda body, number: other("yes", tokens=YES_NO)) as asked:
        allow(asked, interface=interface)
        with pytest.raises(ModelUnavailableError) as error:
            scored(runtime)
    assert len(asked.bodies) == 1
    assert {"chat", "completions"} <= set(re.findall(r"\w+", error.value.message))


def test_a_page_of_the_web_is_no_answer_and_is_asked_for_once(runtime):
    with server.serving(lambda body, number: server.PAGE) as asked:
        allow(asked)
        with pytest.raises(ModelUnavailableError, match="HTML") as error:
            scored(runtime)
    assert len(asked.bodies) == 1
    assert "/v1" in error.value.hint


def test_a_stored_interface_stays_where_the_server_has_it_and_is_found_anew_where_not():
    with server.serving(None) as asked:
        endpoint = addresses.Endpoint(address=asked.address, interface=addresses.COMPLETIONS)
        assert asking.interface_of(endpoint) == addresses.COMPLETIONS
        asked.takes = ("/v1/chat/completions",)
        assert asking.interface_of(endpoint) == addresses.CHAT


@pytest.mark.parametrize(
    ("takes", "found"), [(PLAIN, addresses.COMPLETIONS), (("/v1/chat/completions", *PLAIN), addresses.CHAT)]
)
def test_it_is_found_out_without_a_text(takes, found, runtime):
    with server.serving(None, takes=takes) as asked:
        assert asking.interface_of(addresses.Endpoint(address=asked.address)) == found
    assert asked.bodies == []
