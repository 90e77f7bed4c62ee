"""Pairs of a study that a model labelled before people see them: sure ones alone, and signed."""

import json
import re

import pytest

from core.errors import InputError
from core.journal.entries import NewEntry
from core.journal.journal import the_journal
from core.models.endpoints import addresses
from core.pairs.scorer import pair_scorers
from core.people import studies, study_material, study_results, voting
from core.people.study import Purpose, Sees, Study, StudyPair, read_study, study_file
from core.runtime import Runtime
from core.study_access.study_models import pre_labelled
from tests import language_model_server as server
from tests.unit.people.by_hand import rows_of

MODEL = "endpoint|answer:scale"
PAIRS = (
    StudyPair(Purpose.EXAM, "exam", "b", "same"),
    StudyPair(Purpose.CONTROL, "control", "b", "different"),
    StudyPair(Purpose.MAIN, "alike", "b"),
    StudyPair(Purpose.MAIN, "other", "b"),
    StudyPair(Purpose.MAIN, "unsure", "b"),
    StudyPair(Purpose.MAIN, "unread", "b"),
)
SAID = {"control": 0, "alike": 95, "other": 3, "unsure": 55}


@pytest.fixture(autouse=True)
def apart(monkeypatch, tmp_path):
    monkeypatch.setenv("HEADLINE_LAB_USER", str(tmp_path / "user"))


def answer(body, number):
    left = re.search(r"A: (.*)\nB:", body["messages"][-1]["content"])[1]
    return server.chat(json.dumps({"score": SAID[left]}) if left in SAID else "I cannot say.")


@pytest.fixture
def asked(tmp_path):
    study = Study(title="Ours", asks="same_event", pairs=PAIRS)
    with server.serving(answer) as at:
        addresses.store(addresses.Endpoint(address=at.address, model="tiny", key="sk-label-0123456789"))
        labelled, said = pre_labelled(study, pair_scorers.parse(MODEL), Runtime(cache=tmp_path / "cache"))
    return study, labelled, said, at


def test_only_what_the_model_is_sure_of_is_suggested_and_nothing_in_the_exam(asked):
    _, labelled, said, at = asked
    found = {pair.left: pair.suggested for pair in labelled.pairs}
    assert found == {
        "exam": "", "control": "different", "alike": "same", "other": "different", "unsure": "", "unread": "",
    }  # fmt: skip
    assert not any("exam" in text for text in at.texts)
    assert said.startswith("3 of 5 ")


def test_the_file_says_who_suggested_and_is_read_as_it_was_written(asked):
    study, labelled, _, _ = asked
    assert read_study(study_file(labelled), "x") == labelled
    assert labelled.sees is Sees.MODEL
    assert re.search(r"prompt:same_event_scale\.v1-\w+ · answered:tiny-2026-11-01 20", labelled.suggested_by)
    assert b"sk-label" not in study_file(labelled)
    assert b"suggested" not in study_file(study)  # whose hash stays


def test_each_vote_says_what_was_suggested_with_it_and_votes_of_other_studies_do_not(asked):
    study, labelled, _, _ = asked
    for made, wanted in ((study, None), (labelled, {"alike": "same", "other": "different", "unsure": ""})):
        filed = studies.register(the_journal(), made)
        task = study_material.pairs_task(filed)
        for item in task.pool(Purpose.MAIN):
            body = voting.vote(task, item, "same")
            task.answers.append([NewEntry(kind=voting.VOTED, who="Ada", body=body)])
        rows = rows_of(study_results.answers_csv(the_journal(), filed))
        if wanted is None:
            assert "suggested" not in rows[0]
        else:
            found = {row["first"]: row["suggested"] for row in rows}
            assert found.items() >= wanted.items()
            assert study_results.PairAnswers(the_journal(), filed).followed.startswith("1 of 2 ")


def test_a_study_that_asks_for_something_else_is_refused_before_anything_is_sent(tmp_path):
    with pytest.raises(InputError):
        pre_labelled(Study(title="Ours", asks="groups"), pair_scorers.parse(MODEL), Runtime(cache=tmp_path))


def test_the_command_writes_the_study_and_says_what_is_sent(command, tmp_path, monkeypatch):
    monkeypatch.setenv("HEADLINE_LAB_CACHE", str(tmp_path / "cache"))
    (tmp_path / "in.toml").write_bytes(study_file(Study(title="Ours", asks="same_event", pairs=PAIRS)))
    with server.serving(answer) as at:
        addresses.store(addresses.Endpoint(address=at.address, model="tiny"))
        out = tmp_path / "out.toml"
        code, _, errors = command(
            "study", "prelabel", tmp_path / "in.toml", "--scorer", MODEL, "--out", out, "--quiet"
        )
    assert code == 0
    assert f"go to {at.address}" in errors
    assert errors.count("5 questions: about") == 1  # what all of them cost, before the first
    assert sum(pair.suggested != "" for pair in read_study(out.read_bytes(), "x").pairs) == 3
