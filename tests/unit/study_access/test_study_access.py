"""What programs do in a study with a token, and what nobody does without."""

import json
import logging
import stat
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest

from core import limits
from core.errors import InputError
from core.journal.backup import taken
from core.journal.entries import NewEntry
from core.journal.erasure import secret_of
from core.journal.forget import forget
from core.journal.journal import the_journal
from core.journal.spellings import ErasureTarget
from core.journal.verify import unread
from core.people import studies, voting
from core.people.judges import Judges, NameTaken
from core.people.study import Background
from core.people.study_material import pairs_task
from core.people.study_results import answers_csv, answers_of, labels_csv
from core.runtime import user_folder
from core.study_access.tokens import AccessRole, make_token, revoke, tokens
from tests.unit.people.by_hand import rows_of
from tests.unit.study_access.conftest import Program, registered

ANYWHERE = ("/api/openapi.json", "/api/studies", "/lab/api/studies")
JOINING = {"agree": True, "background": {"Age": "40"}}


def test_there_is_nothing_until_a_token_was_made_and_after_the_last_was_revoked(server, study):
    for path in (*ANYWHERE, f"/api/studies/{study.code}/next"):
        answer = server.get(path, headers={"authorization": "Bearer x"})
        assert (answer.status_code, study.title in answer.text) == (404, False)
    token = make_token(the_journal(), AccessRole.MANAGER, "CI")
    headers = {"authorization": f"Bearer {token}"}
    assert [each["code"] for each in server.get("/lab/api/studies", headers=headers).json()] == [study.code]
    for wrong in ({}, {"authorization": "Bearer x"}, {"authorization": token}, {"cookie": f"token={token}"}):
        answer = server.get("/api/studies", headers=wrong)
        assert (answer.status_code, answer.headers["www-authenticate"]) == (401, "Bearer")
        assert study.title not in answer.text
    (known,) = tokens(the_journal()).values()
    revoke(the_journal(), known.id[:8])
    assert server.get("/api/studies", headers=headers).status_code == 404


def test_a_revoked_token_opens_nothing_and_the_others_go_on(program):
    first, second = program("manager", "one"), program("manager", "two")
    found = next(token for token in tokens(the_journal()).values() if token.who == "one")
    revoke(the_journal(), found.id)
    first.ask("items", status=401)
    assert len(second.ask("items")) == 6
    for nonsense in ("", "zz", found.id):
        with pytest.raises(InputError):
            revoke(the_journal(), nonsense)


def test_each_role_does_its_own_and_each_token_opens_its_own_study(program):
    other = registered("Another")
    manager, annotator = program("manager", code=""), program("annotator")
    adjudicator, own = program("adjudicator"), program("manager", "own")
    refused = [
        (annotator, "answers", None), (annotator, "items", {"items": [{}]}), (annotator, "comments", None),
        (annotator, "disagreements", None), (adjudicator, "next", None), (adjudicator, "answers", None),
        (adjudicator, "answers", {"item": "x", "answer": "same"}), (manager, "next", None),
        (annotator, "items", None),  # what is asked and not among them would be a pair with a known answer
        (manager, "decisions", {"item": "x", "answer": "same"}), (manager, "join", JOINING),
    ]  # fmt: skip
    for who, what, body in refused:
        who.ask(what, body, status=403)
    assert {each["code"] for each in manager.ask("/api/studies")} == {own.code, other.code}
    for who in (annotator, adjudicator, own):
        assert [each["title"] for each in who.ask("/api/studies")] == ["Pairs"]
        who.ask(f"/api/studies/{other.code}", status=404)
        who.ask("/api/studies/00000000", status=404)
    for who in (adjudicator, own):
        assert len(who.ask("items")) == 6
        who.ask(f"/api/studies/{other.code}/items", status=404)
    manager.ask("/api/studies/00000000/items", status=404)
    manager.ask("/api/studies/nonsense", status=404)
    with pytest.raises(InputError):
        make_token(the_journal(), AccessRole.ANNOTATOR, "Bo")


def test_an_annotator_joins_answers_and_finds_each_answer_in_the_study(program, study):
    annotator, manager = program("annotator"), program("manager")
    asked = annotator.ask("next")
    assert (asked["state"], asked["item"], asked["consent"]) == ("join", None, "I may stop.")
    item = pairs_task(study).items[0]
    annotator.ask("answers", {"item": item.id, "answer": "same"}, status=409)
    annotator.ask("join", {"background": {"Age": "40"}}, status=409)  # has not agreed
    annotator.ask("join", {"agree": True}, status=409)  # Age is not answered
    assert not studies.participants(the_journal(), study)
    annotator.ask("join", JOINING, status=204)
    first = annotator.ask("next")
    assert (first["state"], first["background"]) == ("training", [])
    taken_ = annotator.ask("answers", {"item": first["item"]["id"], "answer": "different", "seconds": 2.5})
    assert taken_ == ["same"]
    annotator.ask("answers", {"item": first["item"]["id"], "answer": "same"}, status=409)  # it has one
    second = annotator.ask("next")["item"]["id"]
    annotator.ask("answers", {"item": second, "answer": "perhaps"}, status=409)
    done = annotator.answer_all()
    assert annotator.ask("next")["state"] == "done"
    rows = manager.ask("answers")
    assert rows == rows_of(answers_csv(the_journal(), study))
    assert sum(row["task"] == "main" for row in rows) == 6
    assert len(done) == 6 + sum(row["task"] == "control" for row in rows)
    assert {row["Age"] for row in rows} == {"40"}
    assert "Ada" not in json.dumps(rows)
    assert manager.ask()["answers"] == len(rows)


def test_who_fails_the_exam_is_told_no_pair_and_may_begin_again(program, study):
    annotator = program("annotator")
    annotator.ask("join", JOINING, status=204)
    annotator.ask("again", method="POST", status=409)
    annotator.answer_all(lambda texts: "same" if "training" in "".join(texts) else "different")
    asked = annotator.ask("next")
    assert (asked["state"], asked["item"], asked["may_repeat"]) == ("failed", None, True)
    for door in (studies.PAUSED, studies.CLOSED):
        studies.turn(the_journal(), study, door)
        assert (annotator.ask("next")["state"], annotator.ask("next")["may_repeat"]) == (door, False)
        annotator.ask("again", method="POST", status=409)
    studies.turn(the_journal(), study, studies.OPENED)
    annotator.ask("again", method="POST", status=204)
    assert annotator.ask("next")["state"] == "training"
    assert annotator.answer_all()


def test_a_study_that_is_paused_or_full_takes_no_answer(program, study):
    annotator = program("annotator")
    annotator.ask("join", JOINING, status=204)
    item = annotator.ask("next")["item"]["id"]
    studies.turn(the_journal(), study, studies.PAUSED)
    assert annotator.ask("next")["state"] == "paused"
    annotator.ask("answers", {"item": item, "answer": "same"}, status=409)
    studies.turn(the_journal(), study, studies.OPENED)
    annotator.answer_all()
    other = program("annotator", "Bo")
    other.ask("join", JOINING, status=204)
    other.answer_all()
    late = program("annotator", "Cem")
    late.ask("join", JOINING, status=204)
    assert (late.ask("next")["state"], late.ask("next")["item"]) == ("full", None)


def test_the_time_of_a_study_is_over_for_a_program_too(server):
    study = registered("Timed", minutes=10)
    known = {
        who: Program(server, make_token(the_journal(), AccessRole.ANNOTATOR, who, study.code), study.code)
        for who in ("Late", "Early")
    }
    begun = {"Late": datetime.now(UTC) - timedelta(minutes=11), "Early": datetime.now(UTC)}
    for who, when in begun.items():
        body = {"consent": 0, "background": {}}
        entry = NewEntry(kind=studies.JOINED, who=f"{who} ({study.code})", body=body, when=when)
        the_journal().append(study.stream(studies.PEOPLE), [entry])
    item = known["Early"].ask("next")["item"]["id"]
    assert [known["Late"].ask("next")[name] for name in ("state", "item")] == ["over", None]
    known["Late"].ask("answers", {"item": item, "answer": "same"}, status=409)
    known["Early"].ask("answers", {"item": item, "answer": "same"})
    assert [entry.who for entry in studies.answered(the_journal(), study)] == [f"Early ({study.code})"]


def test_what_reads_which_side_gets_the_sides_as_shown(server):
    study = registered("Better", asks="better_headline")
    annotator = Program(
        server, make_token(the_journal(), AccessRole.ANNOTATOR, "Ada", study.code), study.code
    )
    annotator.answer_all(lambda texts: "left" if texts[0] != "Other" else "right")
    task = pairs_task(study)
    own = voting.voter(task, task.answers.read(), f"Ada ({study.code})")
    main = [pair.id for pair in task.pool("main")]
    assert any(map(own.swapped, task.pool("main")))
    assert {own.votes[item].answer for item in main if item in own.votes} <= {"left"}


def test_items_come_in_one_by_one_and_a_bad_one_takes_no_other_with_it(program, study):
    manager, annotator = program("manager"), program("annotator")
    annotator.ask("join", JOINING, status=204)
    annotator.answer_all()
    good = {"left": "Dam fails", "right": "Dam breaks", "left_day": "2026-11-26"}
    bad = [
        None, 7, "x", [], {}, {"left": "Only one"}, {"left": "", "right": "Empty"}, {"left": 1, "right": "2"},
        {"left": "a", "right": "b", "answer": "same"}, {"left": "x" * 501, "right": "b"},
        {"left": "a\n\u0000", "right": "   "}, {**good, "left_day": "yesterday"},
        {**good, "left_day": "2026-02-31"}, {"left": "main 0", "right": "Other"}, good,
        {"left": "Other", "right": "main 0"}, {"left": "Dam", "right": " Dam "},
        {"left": "Dam breaks", "right": "Dam fails", "right_day": "2026-11-26"},
    ]  # fmt: skip
    formula = {"left": '=HYPERLINK("http://x")', "right": "<b>Dam</b>, broken\n"}
    answer = manager.ask("items", {"items": [good, *bad, formula]})
    assert [item["texts"][0] for item in answer["taken"]] == ["Dam fails", '=HYPERLINK("http://x")']
    assert {int(place) for place in answer["refused"]} == {*range(1, len(bad) + 1)}
    assert all(answer["refused"].values())
    now = studies.study_of(the_journal(), study.code)
    assert answer["sha256"] == now.sha256 != study.sha256
    assert [item["texts"][0] for item in manager.ask("items")][-2:] == [
        "Dam fails", '=HYPERLINK("http://x")'
    ]  # fmt: skip
    assert studies.state_of(the_journal(), now).changed
    assert len(annotator.answer_all()) >= 2  # what was answered stays so
    assert sum(row["task"] == "main" for row in manager.ask("answers")) == 8
    again = manager.ask("items", {"items": [good]})
    assert (again["taken"], len(again["refused"])) == ([], 1)
    assert studies.study_of(the_journal(), study.code).sha256 == now.sha256


def test_an_answer_that_its_question_does_not_offer_is_refused(server):
    asked = Background("Age", ("under 30", "30 or older")), Background("Field")
    study = registered("Offered", background=asked)
    ada = Program(server, make_token(the_journal(), AccessRole.ANNOTATOR, "Ada", study.code), study.code)
    refused = ada.ask("join", {"background": {"Age": "40", "Field": "law"}}, status=400)
    assert "30 or older" in refused["error"]
    assert not studies.participants(the_journal(), study)
    ada.ask("join", {"background": {"Age": "30 or older", "Field": "law"}}, status=204)
    other = Program(server, make_token(the_journal(), AccessRole.ANNOTATOR, "Bo", study.code), study.code)
    other.ask("join", {"background": {"Age": studies.NOT_SAID, "Field": "law"}}, status=204)


def test_items_are_for_studies_of_their_own_pairs(server):
    study = studies.register(the_journal(), studies.templates()["same_event"])
    manager = Program(server, make_token(the_journal(), AccessRole.MANAGER, "CI"), study.code)
    manager.ask("items", {"items": [{"left": "a", "right": "b"}]}, status=409)


def test_versions_of_a_study_and_comments_of_a_program_have_an_end(program, study, monkeypatch):
    monkeypatch.setenv(limits.STUDY_VERSIONS.variable, "2")
    monkeypatch.setenv(limits.STUDY_COMMENTS.variable, "1")
    manager, annotator = program("manager"), program("annotator")
    manager.ask("items", {"items": [{"left": "Dam fails", "right": "Dam breaks"}]})
    before = the_journal().read(f"studies/{study.code}")
    manager.ask("items", {"items": [{"left": "Dam bursts", "right": "Dam breaks"}]}, status=409)
    assert the_journal().read(f"studies/{study.code}") == before
    said = {"item": manager.ask("items")[0]["id"], "flag": True}
    for who in (annotator, manager):
        who.ask("comments", said, status=204)
        who.ask("comments", said, status=409)
    assert len(manager.ask("comments")) == 2


def test_all_items_of_many_programs_that_write_at_once_are_there(program, study):
    managers = [program("manager", f"m{at}") for at in range(4)]
    given = [[{"left": f"Dam {at} {turn}", "right": "Breaks"} for turn in range(3)] for at in range(4)]

    def add(at):
        return [managers[at].ask("items", {"items": [item]})["taken"] for item in given[at]]

    with ThreadPoolExecutor(4) as pool:
        taken_ = list(pool.map(add, range(4)))
    assert all(len(each) == 1 for own in taken_ for each in own)
    texts = {pair.left for pair in studies.study_of(the_journal(), study.code).pairs}
    assert {item["left"] for own in given for item in own} <= texts


def test_of_two_answers_to_one_pair_at_once_one_is_stored(program, study):
    annotator = program("annotator")
    annotator.ask("join", JOINING, status=204)
    item = annotator.ask("next")["item"]["id"]

    def give(answer):
        headers = {"authorization": f"Bearer {annotator.token}"}
        place = f"/api/studies/{study.code}/answers"
        body = {"item": item, "answer": answer}
        return annotator.client.post(place, json=body, headers=headers).status_code

    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(give, ["same", "different"] * 4))
    assert set(found) <= {200, 409}
    assert 200 in found
    votes = [entry for entry in studies.answered(the_journal(), study) if entry.kind == voting.VOTED]
    assert len(votes) == 1


def divided(program):
    for name, said in (("Ada", "same"), ("Bo", "different")):
        annotator = program("annotator", name)
        annotator.ask("join", JOINING, status=204)
        annotator.answer_all(lambda texts, said=said: said if "main" in "".join(texts) else "same")


def test_an_adjudicator_sees_what_divides_people_blind_and_decides_it(program, study):
    divided(program)
    adjudicator = program("adjudicator", "Judge")
    waiting = adjudicator.ask("disagreements")
    assert (len(waiting), {each["differ"] for each in waiting}) == (6, {1.0})
    assert not any(name in json.dumps(waiting) for name in ("Ada", "Bo", "p-"))
    item = waiting[0]["item"]["id"]
    for wrong in ({"answer": "perhaps"}, {"answer": "same", "error": "none such"}):
        adjudicator.ask("decisions", {"item": item, **wrong}, status=409)
    adjudicator.ask("decisions", {"item": item, "answer": "same", "question": 7}, status=409)
    adjudicator.ask("decisions", {"item": "x", "answer": "same"}, status=409)
    given = {"item": item, "answer": "different", "confidence": "guess"}
    adjudicator.ask("decisions", given, status=204)
    assert item not in [each["item"]["id"] for each in adjudicator.ask("disagreements")]
    rows = rows_of(labels_csv(answers_of(the_journal(), study)))
    assert [(row["decided"], row["adjudicated"], row["confidence"]) for row in rows if row["decided"]] == [
        ("different", "blind", "guess")
    ]


def test_comments_and_flags_come_to_who_runs_the_study_with_codes_for_people(program, study):
    annotator, manager = program("annotator"), program("manager")
    item = manager.ask("items")[0]
    annotator.ask("comments", {"item": item["id"], "text": "Two <b>events</b>", "flag": True}, status=204)
    program("adjudicator").ask("comments", {"item": item["id"], "flag": True}, status=204)
    annotator.ask("comments", {"item": item["id"]}, status=409)
    annotator.ask("comments", {"item": "none", "text": "x"}, status=409)
    second, first = manager.ask("comments")
    assert first["headline"] == " | ".join(item["texts"])
    assert (first["comment"], first["flag"]) == ("Two <b>events</b>", "yes")
    assert (second["comment"], second["flag"], second["item"]) == ("", "yes", item["id"])
    assert "Ada" not in json.dumps([first, second])
    assert not unread(the_journal())


def test_a_comment_tells_no_pair_with_a_known_answer_from_the_others(program, study):
    annotator = program("annotator")
    items = [item.id for item in pairs_task(study).items]
    for item in items:
        annotator.ask("comments", {"item": item, "text": "Unclear"}, status=204)
    assert [said["item"] for said in program("manager").ask("comments")] == items[::-1]


def test_no_token_is_in_a_file_a_log_a_backup_or_an_export(program, study, caplog, monkeypatch):
    monkeypatch.setenv("HEADLINE_LAB_LOG", "json")
    caplog.set_level(logging.DEBUG)
    annotator, manager = program("annotator"), program("manager")
    annotator.ask("join", JOINING, status=204)
    annotator.answer_all()
    manager.ask("items", {"items": [{"left": "Secret dam", "right": "Breaks"}]})
    stored = b"".join(path.read_bytes() for path in user_folder().rglob("*") if path.is_file())
    said = caplog.text + "".join(str(getattr(record, "about", "")) for record in caplog.records)
    everything = [
        stored.decode(errors="replace"),
        said,
        json.dumps(taken(the_journal()).entries, default=str),
    ]
    everything.append(answers_csv(the_journal(), study))
    for token in (annotator.token, manager.token):
        assert not any(token in text for text in everything)
    assert "Secret dam" not in said
    assert "Ada" not in said
    databases = list(user_folder().rglob("*.sqlite*"))
    assert {stat.S_IMODE(path.stat().st_mode) for path in databases} == {0o600}


def test_forgetting_a_person_ends_their_token(program, study):
    annotator, manager = program("annotator"), program("manager", "CI")
    annotator.ask("next")
    forget(the_journal(), secret_of(ErasureTarget.PERSON, f"Ada ({study.code})"), {})
    annotator.ask("next", status=401)
    manager.ask("items")


def test_an_annotator_s_name_is_nobody_else_s_on_the_page_and_a_new_token_goes_on(program, study):
    first = program("annotator")
    with pytest.raises(NameTaken):
        Judges(journal=the_journal()).take(f"Ada ({study.code})")
    Judges(journal=the_journal()).take(f"Bo ({study.code})")
    with pytest.raises(NameTaken):
        program("annotator", "Bo")
    first.ask("join", JOINING, status=204)
    assert program("annotator").ask("next")["state"] == "training"


HOSTILE = [
    b"", b"{", b"[]", b"null", b"\xff\xfe", b'{"items":[]}', b'{"items":{}}', b"[" * 100_000,
    b'{"items":' + b"[" * 50_000, b'{"items":["\\ud800"]}', b'{"items":[{"left":"\\ud800","right":"b"}]}',
    b'{"item":"x","answer":"same","seconds":1e999}', b'{"item":"x","answer":"same","seconds":NaN}',
    b'{"item":"\\u0000","text":"x"}', b'{"agree":"yes"}', b'{"agree":true,"background":{"Age":7}}',
]  # fmt: skip


@pytest.mark.parametrize("body", HOSTILE)
def test_a_hostile_body_is_refused_and_changes_nothing(program, study, body):
    manager, annotator = program("manager"), program("annotator")
    before = the_journal().streams()
    for who, what in ((manager, "items"), (manager, "comments"), (annotator, "answers"), (annotator, "join")):
        headers = {"authorization": f"Bearer {who.token}", "content-type": "application/json"}
        answer = who.client.post(f"/api/studies/{study.code}/{what}", content=body, headers=headers)
        assert answer.status_code in {400, 409} or not answer.json()["taken"]
        assert "Traceback" not in answer.text
    assert the_journal().streams() == before


def test_a_body_that_is_too_large_is_not_read(program, study):
    manager = program("manager")
    headers = {"authorization": f"Bearer {manager.token}"}
    place = f"/api/studies/{study.code}/items"
    assert manager.client.post(place, content=b" " * 2_000_001, headers=headers).status_code == 413


def test_another_site_gets_nothing_even_with_a_token(program):
    manager = program("manager")
    headers = {"authorization": f"Bearer {manager.token}", "origin": "https://evil.example"}
    assert manager.client.get("/api/studies", headers=headers).status_code == 403


def test_entries_that_another_program_left_break_no_list(program, study):
    the_journal().append(study.stream("comments"), [NewEntry(kind="commented", who="x", body={"item": 7})])
    assert program("manager").ask("comments") == []
