import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
import streamlit as st
from msgspec import structs

from components.opened import resources
from components.opened.resources import FILE, shelf
from components.server import shelf as shelf_module
from core.data.pair_sets.load import load_pair_set
from core.data.pair_sets.simulated import with_simulated
from core.data.timelines.load import load_text
from core.journal import opening
from core.journal.backup import packed, read_backup, taken
from core.journal.entries import NewEntry
from core.journal.erasure import secret_of
from core.journal.forget import forget
from core.journal.journal import the_journal
from core.journal.losses import LOSSES
from core.journal.spellings import ErasureTarget
from core.people import grouping, study_results
from core.people.adjudication import Adjudication, adjudication, released_format
from core.people.agreement import group_agreement
from core.people.grouping import PLACED, grouping_task
from core.people.judges import Judges
from core.people.questions import BETTER_HEADLINE, SAME_EVENT
from core.people.study import USUAL, Purpose
from core.people.voting import VOTED, voting_task
from core.people.voting import vote as vote_body
from tests.pages.opening import opened, press, settled, shown_html, turned, words
from tests.unit.people.by_hand import groups_given, pairs_answered


def come_in(name, *, skip=True, **address):
    app = opened("annotate", **address)
    settled(app.text_input(key="evaluate-judge").set_value(name))
    if skip:
        press(app, "annotate-skip")
    return app


def test_instructions_and_training_come_first():
    app = opened("annotate")
    assert "no earlier headline reports it" in words(app)
    assert "Enter a name to begin." in words(app)
    assert "Bitcoin Exchange Mt. Gox Seeks US Bankruptcy Relief" in words(app), "an example"
    for task in ("groups", "pairs", "headlines"):
        buttons = opened("annotate", task=task).button
        assert [one.label for one in buttons if one.proto.type == "primary"] == ["Start"]
        assert not [one.label for one in buttons if one.disabled]
    app = come_in("Ada", skip=False)
    assert "**Training:** 12 headlines" in words(app)
    assert "Enter a name" not in words(app)
    press(app, "annotate-new")
    assert app.success[0].value.startswith("“Bitcoin Exchange")
    press(app, "annotate-new")
    assert "It belongs with “Bitcoin Exchange" in app.warning[0].value.replace("\\", "")


def own_timeline(about, count=12):
    opened()
    lines = "".join(f"{about} {row},2024-05-{row + 1:02}\n" for row in range(count))
    timeline = load_text(f"headline,date\n{lines}")
    return shelf().put(f"{FILE}{timeline.file_fingerprint}", timeline), timeline


def test_what_another_window_was_ahead_with_stands_and_is_said():
    name, timeline = own_timeline("Flood")
    first = come_in("Wim", data=name)
    second = opened("annotate", data=name, token=first.session_state["state_EvaluateView"]["token"])
    press(first, "annotate-new")
    press(second, "annotate-vague")
    assert "placed meanwhile" in second.toast[0].value
    assert "Flood 0" in words(second)
    assert second.button(key="annotate-new-0").proto.type == "primary"
    (placed,) = (entry for entry in grouping_task(timeline).answers.read() if entry.kind == PLACED)
    assert not placed.body["single"]
    press(second, "annotate-vague")  # what is shown can be changed
    assert [entry.body["single"] for entry in grouping_task(timeline).answers.read()] == [False, True]
    assert not second.error


def test_groups_are_computed_once_for_each_answer(monkeypatch):
    app, computed, real = come_in("Ines", data=own_timeline("Storm")[0]), [], grouping.person_groups
    monkeypatch.setattr(grouping, "person_groups", lambda *given: computed.append(given) or real(*given))
    for _ in range(3):
        press(app, "annotate-new")
    assert len(computed) == 3


@pytest.mark.slow
def test_who_must_agree_is_chosen_on_the_page():
    app = opened("agreement", simulate="yes")
    assert "(simulated annotators)" in app.dataframe[0].value["Timeline"][0]
    before = app.dataframe[0].value["Groups"][0]
    settled(app.selectbox(key="agreement-joined").set_value("all"))
    assert int(app.dataframe[0].value["Groups"][0]) > int(before)
    assert opened("agreement", simulate="yes", quorum="all").dataframe[0].value["Groups"][0] != before


@pytest.mark.slow
def test_simulated_annotators_stand_in_until_people_have_grouped_and_the_choice_remains():
    app = opened("agreement")
    assert "Nobody has grouped these so far" in words(app)
    [drawn] = [one.proto.body for one in app.get("html") if 'class="figures"' in one.proto.body]
    assert "AMI" in app.header[0].value
    assert re.findall(r'class="drawn">([^<]+)', drawn) == ["AMI"], "what is drawn is what the heading names"
    assert app.dataframe[1].value["Annotator"].tolist()[:5] == [f"simulated {at}" for at in range(1, 6)]
    task = grouping_task(resources.timeline("iss"))
    for who in ("Uma", "Vic"):
        groups_given(task, who, [""] * len(task.order))
    assert settled(app).dataframe[1].value["Annotator"].tolist()[:2] == ["Uma", "Vic"]
    assert "simulated" not in str(app.dataframe[0].value)
    settled(app.toggle(key="agreement-simulate").set_value(True))
    assert "Nobody has" not in words(app)
    assert "(simulated annotators)" in app.dataframe[0].value["Timeline"][0]
    settled(turned(app, "annotate"))
    assert settled(turned(app, "agreement")).toggle(key="agreement-simulate").value


@pytest.mark.slow
def test_two_annotators_are_told_with_whom_the_model_sides():
    name, timeline = own_timeline("Rain")
    task = grouping_task(timeline)
    for who, size in (("Uma", 2), ("Vic", 3)):
        groups_given(task, who, [str(row // size) for row in range(12)])
    app = adjudicating("Iris W", simulate="", data=name)
    assert "Uma and Vic differ on 10 pairs of headlines" in words(app).replace("\\", "")
    assert all("Model with Uma" not in table.value for table in app.dataframe)
    settled(app.toggle(key="agreement-open").set_value(True))
    table = next(table.value for table in app.dataframe if "Model with Uma" in table.value)
    assert "With model %" not in table
    assert (table["Model with Uma"] + table["Model with Vic"]).min() > 0


@pytest.mark.slow
def test_no_export_hides_that_annotators_are_simulated():
    timeline = with_simulated(resources.timeline("iss"), 5)
    released = released_format(timeline, group_agreement(timeline).merged, Adjudication((), 0))
    assert set(released["annotators"]) == {"simulated"}
    for address in ({"about": "votes"}, {"about": "votes", "question": "better_headline"}, {"about": "file"}):
        app = opened("agreement", **address)
        assert "simulated" in words(app)
        people = re.findall(r'<th scope="row"[^>]*><span>(.*?)</span>', shown_html(app))
        assert sorted(people) == [f"simulated {at}" for at in range(1, 6)], "each has a line of the figures"
        alpha = next(one.value["Alpha"][0] for one in app.dataframe if "Alpha" in one.value)
        said = next(head.value for head in app.header if "alpha" in head.value)
        assert said.endswith(f" {float(alpha.split()[0]):.2f}"), "the heading says how far they agree"
        saved = [one.label for one in app.get("download_button")]
        assert saved[0] == "Votes (CSV)"
        assert all(label.endswith(": tasks") for label in saved[1:])


def adjudicating(name, **address):
    """A new browser of somebody who has shown the personal link."""
    token = Judges(journal=the_journal()).take(name)
    return settled(opened("agreement", **{"simulate": "yes", **address}, token=token))


def gavel(app):
    return [one.value for one in app.caption if ":material/gavel:" in one.value]


def decided(app):
    (bar,) = [bar.proto.text for bar in app.get("progress")]
    return bar


def kinds(app):
    return next(box for box in app.selectbox if "-error-" in str(box.key))


def states(app):
    return next(one.value["State"].tolist() for one in app.dataframe if "State" in one.value)


def at_first(app):
    while not app.button(key="previous-item").disabled:
        press(app, "previous-item")
    return app


def decide(app, choice=0):
    card = [str(one.key) for one in app.button if re.match(r"adjudicate-\d+-", str(one.key))]
    return press(app, card[choice])


def test_adjudication_is_blind_may_be_taken_back_and_says_what_was_shown():
    app = adjudicating("Iris Q")
    hidden = [f"simulated {at}" for at in range(1, 6)]
    assert not any(name in words(app).partition("Iris Q")[2] for name in (*hidden, "model:"))
    assert all("With model %" not in table.value for table in app.dataframe)
    assert "**0 of 44 decided**" in decided(app)
    settled(kinds(app).set_value("Slip"))
    decide(press(app, "adjudicate-guess"))
    assert ("**1 of 44 decided**" in decided(app), states(app)[:2]) == (True, ["decided", ""])
    assert "1 decision of adjudicators, 1 of them blind" in gavel(app)[0]
    slips = next(row for row in app.dataframe[-1].value.to_numpy().tolist() if row[0] == "Slip")
    assert (slips[1], slips[2][:5]) == ("1", "100.0")
    press(app, "adjudicate-undo")
    assert not gavel(app)
    settled(app.toggle(key="agreement-open").set_value(True))
    assert "model:" in words(app)
    settled(app.toggle(key="agreement-open").set_value(False))
    decide(app)
    assert "1 decision of adjudicators, 0 of them blind" in gavel(app)[0]


def test_what_an_adjudicator_was_shown_holds_after_a_reload():
    assert opened("agreement", simulate="yes").toggle(key="agreement-open").disabled
    app = adjudicating("Nils R")
    settled(app.toggle(key="agreement-open").set_value(True))
    token = app.session_state["state_EvaluateView"]["token"]
    again = settled(opened("agreement", simulate="yes", token=token))
    assert "model:" not in words(again)
    decide(at_first(again))
    assert "1 decision of adjudicators, 0 of them blind" in gavel(again)[0]


@pytest.mark.slow
def test_what_another_adjudicator_decided_is_shown_with_the_annotators():
    first = at_first(decide(at_first(adjudicating("Ada T"))))
    assert "Decided by Ada T" in words(first)

    def filled(app):
        card = [one for one in app.button if re.match(r"adjudicate-\d+-", str(one.key))]
        return [str(one.key) for one in card if one.proto.type == "primary"]

    assert filled(first)
    second = at_first(adjudicating("Bo T"))
    assert "Decided by" not in words(second)
    assert not filled(second)
    at_first(decide(second))
    assert "Decided by Bo T" in words(second)
    third = at_first(adjudicating("Cy T"))
    third.toggle(key="agreement-open").set_value(True)
    assert "Decided by Bo T" in words(settled(third))
    decide(third)
    assert "1 decision of adjudicators, 0 of them blind" in gavel(third)[0]
    # Another person at the same browser has asked for nothing.
    third.button(key="evaluate-other").click()
    assert "model:" not in words(settled(third))


def test_pairs_wait_for_a_second_adjudicator_and_are_open_where_two_differ():
    first = adjudicating("Ida P", about="votes")
    settled(first.toggle(key="agreement-two").set_value(True))
    settled(first.text_area(key="agreement-errors").set_value("Numbers\n\nNames"))
    decide(first)
    assert ("**0 of 35 decided**" in decided(first), states(first)[0]) == (True, "one more decides")
    assert decided(first).endswith("you: 1 · 1 wait for a second person")
    second = adjudicating("Jo P", about="votes")
    assert decided(second).endswith("decided** · 1 wait for a second person")
    assert kinds(second).options == ["No kind of error", "Numbers", "Names"]
    decide(second, 1)
    assert "1 open: two differ" in decided(second)
    again = opened("agreement", about="votes", token=str(first.session_state["state_EvaluateView"]["token"]))
    at_first(again)
    assert "Two adjudicators differ" in again.warning[0].value
    decide(again, 1)
    assert "**1 of 35 decided**" in decided(again)
    task = voting_task(load_pair_set("iss.v1"), SAME_EVENT)
    bodies = [entry.body for entry in adjudication(task.index, "same_event", simulated=True).read()]
    bodies = [body for body in bodies if "answer" in body]
    shown = [(body["answer"], body["again"]) for body in bodies]
    assert shown == [("same", False), ("different", False), ("different", True)]
    assert all((body["shown"], body["seen"]) == ("blind", ["left", "right"]) for body in bodies)


@pytest.mark.usefixtures("workshop")
def test_a_workshop_names_nobody_and_exports_nothing():
    found = opened("agreement", simulate="yes")
    tables = [table.value for table in found.dataframe]
    # That of people is not among them.
    assert [table.columns[0] for table in tables] == ["Headlines", "Probability %"]
    assert not found.get("download_button")
    assert "are not shown in a workshop" in words(found)


def vote(app, answers, count):
    """Answers the pairs that are asked, those with a known answer rightly but for what `answers` says."""
    task = voting_task(load_pair_set("iss.v1"), SAME_EVENT)
    for _ in range(count):
        shown = next(str(one.key) for one in app.button if str(one.key).startswith("vote-same-"))
        item = task.by_id[shown.rpartition("-")[2]]
        answer = answers.get(item.use) or next(iter(task.question.right(item)), "same")
        press(app, f"vote-{answer}-")
    return app


@pytest.mark.slow
def test_votes_come_after_training_and_exam_and_their_agreement_follows():
    for name, answer in (("Ida", "same"), ("Jo", "different")):
        app = opened("annotate", task="pairs")
        settled(app.text_input(key="evaluate-judge").set_value(name))
        assert "you are told what is right" in words(app)
        vote(app, {Purpose.TRAINING: "same"}, 2)
        assert [*app.success, *app.warning]
        vote(app, {}, USUAL.training + USUAL.exam - 2)
        assert not app.success
        vote(app, {Purpose.MAIN: answer}, 3)
        press(app, "vote-undo")
        assert "**2** votes given" in [bar.proto.text for bar in app.get("progress")]
    found = opened("agreement", about="votes")
    assert found.dataframe[0].value.iloc[0, :3].tolist() == ["2", "2", "4"]
    assert found.dataframe[1].value["Votes"].tolist() == [2, 2]
    assert any("**0 items** of 2 decided" in one.value for one in found.caption)


@pytest.mark.slow
def test_the_answers_of_a_study_are_opened_as_its_own_page_counts_them():
    study = pairs_answered(the_journal())
    table = study_results.result_tables(the_journal(), study)[0]
    app = opened("agreement", about="file")
    file = ("answers.csv", study_results.answers_csv(the_journal(), study).encode(), "text/csv")
    settled(app.file_uploader(key="agreement-file").set_value(file))
    assert app.dataframe[0].value.iloc[0, :3].tolist() == ["12", "5", "40"]
    assert app.dataframe[0].value.iloc[0, -1].startswith(f"{table.rows[0][-1].value:.3f} [")
    assert "Left out of answers.csv: 60 rows" in words(app)


def test_the_page_says_how_many_pairs_with_votes_changed_and_are_gone():
    task = voting_task(load_pair_set("iss.v1"), BETTER_HEADLINE)
    first, second, *others = task.pool(Purpose.MAIN)
    mistaken = structs.replace(first, left=f"{first.left}x")
    gone = structs.replace(second, left="Gone since", right="Also gone")
    before = replace(task, items=(mistaken, gone, *others))
    votes = [vote_body(before, item, "left") for item in before.items[:3]]
    before.answers.append([NewEntry(kind=VOTED, who="Lea", body=body) for body in votes])
    app = come_in("Max", skip=False, task="headlines")
    (said,) = (one.value for one in app.caption if "gone" in one.value)
    assert re.findall(r"\d+", said) == ["2", "1", "1"]
    assert "pairs" in said


def test_votes_of_a_file_are_read_decided_and_given_back():
    app = opened("agreement", about="file")
    rows = [f"{item},{who},{(item + (who == 'c') * (item % 2)) % 2}" for item in range(12) for who in "abc"]
    table = "\n".join(["item,worker_id,label", *rows]).encode()
    settled(app.file_uploader(key="agreement-file").set_value([("votes.csv", table, "text/csv")]))
    assert app.dataframe[0].value.iloc[0, :3].tolist() == ["12", "3", "36"]
    assert any("**12 items** of 12 decided" in one.value for one in app.caption)


def test_a_timeline_of_ones_own_opens_after_a_restart(tmp_path):
    file = load_text(
        "headline,date,outlet,link,desk\nStorm hits,2024-05-01,A,http://a.example/1,x\n"
        "Storm damage,2024-05-01 10:00,,,\nRain,,B,http://b.example/2,y\n"
    )
    name = f"{FILE}{file.file_fingerprint}"
    opened()
    shelf().put(name, file)
    app = come_in("Ottilie", data=name)
    press(app, "New group")
    shelf_module._store.cache_clear()
    st.cache_resource.clear()
    later = opened("annotate", data=name, token=str(app.session_state["state_EvaluateView"]["token"]))
    assert not later.error
    assert "**1** Storm hits" in words(later)
    again = resources.timeline(name)
    assert again.file_fingerprint == file.file_fingerprint
    assert again.table.dtypes.equals(file.table.dtypes)
    backup = tmp_path / "all.jsonl.gz"
    backup.write_bytes(packed(taken(the_journal())))
    assert "Storm hits" in str(read_backup(backup).entries)
    forget(the_journal(), secret_of(ErasureTarget.URL, "http://a.example/1"), {})
    shelf_module._store.cache_clear()
    assert "Storm hits" not in str(taken(the_journal()).entries)
    assert resources.timeline(name).texts == ["Storm damage", "Rain"]


def test_a_file_that_is_open_is_closed_when_its_outlet_opts_out():
    assert not opened().exception
    text = "headline,date,outlet\nStorm,2024-05-01,NAME\nRain,2024-05-02,NAME\n"
    files = {name: load_text(text.replace("NAME", name)) for name in "AB"}
    names = {name: shelf().put(f"{FILE}{file.file_fingerprint}", file) for name, file in files.items()}
    forget(the_journal(), secret_of(ErasureTarget.PUBLISHER, "a"), {})
    gone, stays = (opened(show="map", data=name) for name in names.values())
    assert "not open on this computer" in " ".join(error.value for error in gone.error)
    assert (list(stays.error), shelf().get(names["A"])) == ([], None)
    assert shelf().get(names["B"]) is files["B"]


def test_what_the_disk_lost_is_said_for_a_week():
    for days, said in ((8, False), (1, True)):
        when = datetime.now(UTC) - timedelta(days=days)
        lost = NewEntry(kind="lost", when=when, body={"entries": 5, "removals": 1})
        the_journal().append(LOSSES, [lost])
        shown = [warning.value for warning in opened("annotate").warning]
        assert any("5" in text and "headline-lab forget" in text for text in shown) == said


def test_a_page_says_that_a_backup_is_being_restored():
    with opening.open_database(the_journal().url).replacing():
        during = opened("annotate")
    notices = [
        [one.value for one in app.info if "being restored" in one.value]
        for app in (during, opened("annotate"))
    ]
    assert list(map(len, notices)) == [1, 0]
    assert not during.exception
