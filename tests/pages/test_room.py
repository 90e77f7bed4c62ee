import re
from collections import Counter
from datetime import timedelta
from urllib.parse import parse_qs, urlsplit

import pytest
import streamlit as st
from streamlit import config

from components.frame.markdown import plain
from components.opened import resources
from components.people.room import lessons as lessons_page
from components.people.room.held import NEW_ROUND, link_for_phones, rooms
from components.people.room.screen import in_words
from components.server import other_servers
from components.server.security import Security
from components.server.server_keys import SERVER_KEY, startup_key
from components.server.signed_in import HEADER, TEACHERS
from core.data.timelines.load import load
from core.errors import DataSourceError
from core.journal.journal import Journal, the_journal
from core.people.room import lessons as stored_lessons
from core.people.room import measures
from core.people.room.attempts import both_orders, contradictions, wording
from core.people.room.files import answers_csv, groups_csv
from core.people.room.lessons import lessons
from core.people.room.measures import tally
from core.people.room.state import RoomStep
from core.people.room.task import RoomKind
from core.runtime import MODE, Mode, Runtime
from core.statistics.bootstrap import Figure
from tests.pages.opening import metrics, opened, press, settled, words
from tests.unit.people.by_hand import rows_of
from tests.unit.people.room.meeting import SWAPPED, breaking, broken_task


def started(kind=RoomKind.SAME_EVENT, items=3, by="room-open-button"):
    lesson = opened("room")
    lesson.number_input(key="room-items").set_value(items)
    settled(lesson.selectbox(key="room-kind").set_value(kind))
    press(lesson, by)
    return press(lesson, "Start")


@pytest.fixture
def lesson():
    return started()


def code_of(app):
    return str(app.session_state["state_RoomView"]["code"])


def room_of(app):
    return rooms().room(code_of(app))


def joined(code, nickname):
    app = opened("join", room=code)
    app.text_input(key="join-name").set_value(nickname)
    app.button[0].click()
    return settled(app)


def labels(app):
    return [button.label for button in app.button]


def roster(app):
    """Who is here, each with how far."""
    return [one.value for one in app.markdown if re.fullmatch(r".*Ada( :gray\[\d+/\d+])?", one.value)]


def test_a_phone_answers_every_item_and_can_go_back(lesson):
    app = joined(code_of(lesson), "Ada")
    for _ in range(3):
        press(app, "Same event")
    assert "All answered" in words(app)
    press(app, "Back")
    press(app, "Different events")
    assert sorted(room_of(lesson).round.first.values()) == ["different", "same", "same"]
    assert "All answered" in words(app)


def test_who_is_away_is_counted_apart_from_who_is_here(lesson, monkeypatch):
    joined(code_of(lesson), "Ada")
    monkeypatch.setattr("core.people.room.state.AWAY", timedelta(seconds=-1))
    said = words(settled(lesson)).replace("*", "")
    assert "0 here" in said
    assert "1 away" in said


def test_the_lobby_shows_who_is_there_and_nothing_that_will_be_asked():
    lesson = opened("room")
    settled(lesson.number_input(key="room-items").set_value(3))
    press(lesson, "room-open-button")
    joined(code_of(lesson), "Ada")
    settled(lesson)
    assert roster(lesson) == ["Ada"]
    assert "1 here" in words(lesson).replace("*", "")
    assert not lesson.metric
    assert not any(text in words(lesson) for item in room_of(lesson).round.task.items for text in item.texts)


def test_a_phone_shows_nobody_s_answers_and_no_result(lesson):
    ada, bo = joined(code_of(lesson), "Ada"), joined(code_of(lesson), "Bo")
    press(ada, "Same event")
    settled(bo)
    assert "Ada" not in words(bo)
    assert not bo.metric
    assert not bo.dataframe
    press(lesson, "Reveal answers")
    settled(bo)
    assert "Look at the screen" in words(bo)
    assert labels(bo) == []


def test_the_class_sees_no_agreement_while_it_votes_and_full_agreement_is_named(lesson):
    phones = [joined(code_of(lesson), name) for name in ("Ada", "Bo")]
    for reveal in ("Reveal answers", "Compare votes"):
        for app in phones:
            settled(app)
            for _ in range(3):
                press(app, "Same event")
        assert metrics(settled(lesson)) == {}
        press(lesson, reveal)
        shown = metrics(lesson)
        assert shown["Alpha"] == "All agree", "said once where nothing moved"
        assert any("all answers are the same" in one.value for one in lesson.caption)
        if reveal == "Reveal answers":
            press(lesson, "Vote again")
    assert shown["Changed"] == "0 of 6 given twice"
    assert shown["Same answer"] == "100 %"


def test_alpha_is_said_in_words(lesson):
    ada, bo = (joined(code_of(lesson), name) for name in ("Ada", "Bo"))
    for app, answers in ((ada, ("Same event",) * 3), (bo, ("Same event", *("Different events",) * 2))):
        for answer in answers:
            press(settled(app), answer)
    press(lesson, "Reveal answers")
    assert float(metrics(lesson)["Alpha"].replace("−", "-")) < 0
    screen = opened("screen", room=rooms().screen(code_of(lesson)))
    for app in (lesson, screen):
        assert not any("Agreement" in one.value for one in app.caption), "three items are too few to say"
    assert "Alpha" not in words(screen), "the number is for who leads the room"


def test_alpha_is_said_in_words_where_items_are_enough():
    lesson = started(items=20)
    token = lesson.session_state["state_RoomView"]["token"]
    for name in ("Ada", "Bo"):
        rooms().join(code_of(lesson), name, browser=name, door=0)
        for at, item in enumerate(room_of(lesson).round.task.items):
            answer = "same" if at % 2 or (at, name) == (0, "Bo") else "different"
            about = {"began": room_of(lesson).round.began, "item": item.key, "answer": answer}
            rooms().answer(code_of(lesson), name, **about)
    rooms().act(code_of(lesson), token, RoomStep.REVEALED)
    screen = opened("screen", room=rooms().screen(code_of(lesson)))
    for app in (settled(lesson), screen):
        assert any("Agreement is reliable" in one.value for one in app.caption)
        assert any("40 of 40 answers" in one.value for one in app.caption)


@pytest.mark.parametrize(
    ("alpha", "word"),
    [
        (Figure(-0.2), "too low"),
        (Figure(0.3, low=0.1, high=0.5), "too low"),
        (Figure(0.666), "too low"),
        (Figure(0.667), "tentative"),
        (Figure(0.8, low=0.6, high=0.9), "reliable"),
        (Figure(1.0), "reliable"),
    ],
)
def test_words_for_alpha_follow_its_usual_limits(alpha, word):
    assert in_words(alpha).startswith(word)


@pytest.mark.parametrize(
    "alpha", [Figure(None), Figure(0.9, warning="Too few items."), Figure(0.7, low=-0.1, high=1.0)]
)
def test_alpha_that_may_be_chance_or_is_doubted_has_no_word(alpha):
    assert in_words(alpha) == ""


def test_a_new_round_closes_its_choices_over_the_projector(lesson):
    lesson.session_state["room-new-round"] = True
    press(settled(lesson), "room-begin")
    assert room_of(lesson).round.number == 2
    assert not lesson.session_state["room-new-round"]


def test_the_projector_names_nobody_who_is_stuck(lesson, monkeypatch):
    joined(code_of(lesson), "Ada")
    (before,) = roster(settled(lesson))
    monkeypatch.setattr("core.people.room.state.STUCK", timedelta(seconds=-1))
    (after,) = roster(settled(lesson))
    assert any("1 stuck" in one.value for one in lesson.caption)
    assert after == before


def test_an_answer_that_cannot_be_stored_says_so(lesson, monkeypatch):
    app = joined(code_of(lesson), "Ada")

    def full(*_):
        raise DataSourceError("The disk is full.", hint="Make space.")

    with monkeypatch.context() as patch:
        patch.setattr(Journal, "append", full)
        press(app, "Same event")
    assert any("Your answer is not saved" in error.value for error in app.error)
    assert "0** of 3" in app.get("progress")[0].proto.text
    press(app, "Same event")
    assert "1** of 3" in app.get("progress")[0].proto.text


def test_the_screen_has_a_code_to_scan_where_phones_reach_its_address_and_else_says_that_none_can_join(
    lesson, monkeypatch
):
    wall = {"room": rooms().screen(code_of(lesson))}
    screen = opened("screen", **wall)
    assert not screen.get("image")
    assert "Phones cannot join" in words(screen)
    assert "--server" not in words(screen), "a command is for who runs the server"
    usual = st.get_option
    named = {"browser.serverAddress": "lab.example"}
    monkeypatch.setattr(st, "get_option", lambda option: named.get(option) or usual(option))
    screen = opened("screen", **wall)
    assert screen.get("image")
    assert "lab.example:8501/join" in words(screen).replace("\\", "")
    assert "Phones cannot join" not in words(screen)


def test_phones_get_the_port_that_the_server_s_other_name_has(lesson, monkeypatch):
    usual = st.get_option
    named = {"browser.serverAddress": "lab.example", "browser.serverPort": 8080}
    monkeypatch.setattr(st, "get_option", lambda option: named.get(option) or usual(option))
    assert urlsplit(link_for_phones(code_of(lesson))).netloc == "lab.example:8501", "no other port is told"
    monkeypatch.setattr(config, "is_manually_set", named.__contains__)
    assert urlsplit(link_for_phones(code_of(lesson))).netloc == "lab.example:8080"


def test_the_link_for_phones_holds_a_ticket_and_no_token(lesson):
    code = code_of(lesson)
    link = urlsplit(link_for_phones(code))
    assert (link.netloc, link.path) == ("localhost:8501", "/join")
    (ticket,) = parse_qs(link.query)["room"]
    folds = {fold.label: "".join(one.value for one in fold.markdown) for fold in lesson.expander}
    assert "--server.address" in folds["How to change that"]
    assert words(lesson).index("Phones cannot join") < words(lesson).index("--server.address")
    assert "token" not in str(lesson.query_params)
    app = joined(ticket, "Ada")
    assert [person.nickname for person in room_of(lesson).here] == ["Ada"]
    assert dict(app.query_params) in ({"room": ticket}, {"room": [ticket]})


def test_a_code_that_was_used_up_sends_to_the_one_on_the_screen(lesson):
    code = code_of(lesson)
    assert joined(code, "Ada").session_state["state_JoinView"]["joined"]
    press(settled(lesson), "Remove everybody")
    late = joined(code, "Bo")
    assert any("takes nobody in any more" in error.value for error in late.error)
    shown = rooms().code_shown(code)
    late.text_input(key="join-code").set_value(shown)
    settled(late.button[0].click())
    late.text_input(key="join-name").set_value("Bo")
    settled(late.button[0].click())
    assert [person.nickname for person in room_of(lesson).here] == ["Bo"]


def test_visitors_open_no_room_without_the_start_up_key(monkeypatch, capsys):
    monkeypatch.setenv(MODE, Mode.WORKSHOP)
    Security(lambda scope, receive, send: None)
    startup_key.cache_clear()
    key = startup_key()
    assert key in capsys.readouterr().out, "the person who starts the server reads it there"
    app = opened("room")
    for typed in ("", "000000000000", key[:-1]):
        assert "Open the room" not in labels(app)
        app.text_input(key="room-key").set_value(typed)
        press(app, "Next")
        assert len(app.error) == 1
    app.text_input(key="room-key").set_value(f" {key.upper()} ")
    press(app, "Next")
    before = len(list(rooms()._open_rooms()))
    press(app, "Open the room")
    assert len(list(rooms()._open_rooms())) == before + 1


def test_a_teacher_who_is_signed_in_needs_no_start_up_key(monkeypatch):
    monkeypatch.setenv(MODE, Mode.WORKSHOP)
    Security(lambda scope, receive, send: None)
    monkeypatch.setenv(HEADER, "X-Lab-User")
    monkeypatch.setenv(TEACHERS, "ada@example.org, Bo")
    said = {"X-Lab-User": "Ada@example.org"}
    monkeypatch.setattr(type(st.context), "headers", property(lambda _: said))
    app = opened("room")
    assert "Open the room" in labels(app)
    for name in ("eve", ""):
        said["X-Lab-User"] = name
        assert "Open the room" not in labels(settled(app))
    said["X-Lab-User"] = "Bo"
    monkeypatch.setattr(other_servers, "others", lambda: ["with another key"])
    assert "Open the room" in labels(settled(app))
    assert SERVER_KEY in app.warning[0].value
    monkeypatch.delenv(HEADER)
    assert "Open the room" not in labels(settled(app))


def test_a_room_groups_headlines_as_hlgd_did():
    lesson = started(RoomKind.GROUPS, 6)
    task = room_of(lesson).round.task
    app = joined(code_of(lesson), "Ada")
    assert labels(app) == ["New event"]
    press(app, "New event")
    assert task.items[1].texts[0] in words(app)
    first = next(one.key for one in app.button if one.label == plain(task.items[0].texts[0]))
    settled(app.button(key=first).click())
    (same,) = (one for one in app.button if one.label.startswith(plain(task.items[0].texts[0])))
    assert "and 1 more" in same.label
    press(app, "Back")
    assert [one.label for one in app.button if one.proto.type == "primary"] == [plain(task.items[0].texts[0])]
    press(app, "New event")
    for _ in range(4):
        press(app, "New event")
    assert "All answered" in words(app)
    rooms().join(code_of(lesson), "Bo", browser="Bo", door=0)
    for at, item in enumerate(task.items):
        about = {"began": room_of(lesson).round.began, "item": item.key}
        about["answer"] = task.items[0 if at == 1 else at].key
        rooms().answer(code_of(lesson), "Bo", **about)
    press(lesson, "Reveal answers")
    assert "AMI" in [one.label for one in lesson.metric]
    press(lesson, "Vote again")
    settled(app)
    assert any("your first answer" in label for label in labels(app))


def test_a_room_is_locked_and_its_answers_are_taken_away_and_brought_back(lesson):
    app = joined(code_of(lesson), "Ada")
    press(app, "Same event")
    press(lesson, "Lock")
    assert "takes nobody in any more" in words(opened("join", room=code_of(lesson)))
    press(lesson, "Reset")
    assert not room_of(lesson).round.first
    press(lesson, "Undo reset")
    assert list(room_of(lesson).round.first.values()) == ["same"]


def watched(lesson, until):
    """Looks at the room, as the page does every second, until something is so."""
    for _ in range(200):
        if until(room_of(lesson)):
            return room_of(lesson)
        settled(lesson)
    raise AssertionError("the simulated phones never did it")


@pytest.mark.slow
@pytest.mark.parametrize("kind", [RoomKind.SAME_EVENT, RoomKind.GROUPS, RoomKind.CHOICE, RoomKind.QUESTION])
def test_six_simulated_phones_vote_twice_are_marked_everywhere_and_end_with_the_room(kind):
    lesson = started(kind, 5, by="room-try")
    joined(code_of(lesson), "Ada")
    room = watched(lesson, lambda room: len(room.round.first) == 6 * 5)
    assert [person.simulated for person in room.here].count(True) == 6
    assert "6 of 7 phones are simulated" in words(lesson)
    press(lesson, "Reveal answers")
    press(lesson, "Vote again")
    room = watched(lesson, lambda room: len(room.round.second) == 6 * 5)
    for (who, key), answer in room.round.second.items():
        counts = tally(room.round, room.round.task.item(key), room.round.first)
        assert answer == room.round.first[who, key] or counts[answer] == max(counts.values())
    simulated = {row["person"] for row in rows_of(answers_csv(room).decode()) if row["simulated"] == "yes"}
    assert simulated == {f"Simulated {n}" for n in range(1, 7)}
    if kind == RoomKind.GROUPS:
        assert len(load(groups_csv(room), "groups.csv").annotators) == 6
        marked = groups_csv(room).decode().splitlines()[1].rpartition(",")[2]
        assert marked == " ".join(f"annot_{number}_group" for number in range(1, 7))
    press(lesson, "Compare votes")
    press(lesson, "Remove the simulated phones")
    assert [person.nickname for person in settled(lesson) and room_of(lesson).here] == ["Ada"]
    press(lesson, "Close the room")
    assert room_of(settled(lesson)).round.second == room.round.second


def test_a_pair_set_in_a_room_has_what_the_pair_model_says():
    lesson = opened("room")
    lesson.number_input(key="room-items").set_value(3)
    settled(lesson.selectbox(key="room-source").set_value("iss.v1"))
    press(lesson, "room-open-button")
    press(lesson, "Start")
    task = room_of(lesson).round.task
    assert {item.model for item in task.items} <= {"same", "different"}
    press(joined(code_of(lesson), "Ada"), "Same event")
    press(lesson, "Reveal answers")
    assert metrics(lesson) == {}, "one person agrees with nobody"
    for step in ("Vote again", "Compare votes"):
        press(lesson, step)
    assert "As the data say" in words(lesson)
    assert f"The model {task.scorer.partition('.')[0]} says" in words(lesson)


@pytest.mark.slow
def test_a_class_breaks_the_model_and_the_projector_shows_who_did():
    lesson = started(RoomKind.BREAK, 4)
    task = room_of(lesson).round.task
    for scores in both_orders([item.texts for item in task.items], task.scorer, Runtime()):
        assert not contradictions(scores, task.threshold), "nothing is broken before anybody changed a word"
    app = joined(code_of(lesson), "Ada")
    press(app, "Ask the model")
    assert any("changed no word" in error.value for error in app.error)
    hostile = "<script>alert(1)</script> **bold** $x$"
    app.text_area[0].set_value(hostile)
    press(app, "Ask the model")
    (attempt,) = room_of(lesson).round.attempts
    assert attempt.texts[0] == hostile == app.text_area[0].value
    assert len(attempt.scores) == 6
    assert "in 1 answer of the model" in words(settled(lesson))
    press(app, "First words")
    assert [area.value for area in app.text_area] == list(task.item(attempt.item).texts)
    while (changed := breaking([area.value for area in app.text_area])) is None:
        press(app, "Other headlines")
    for area, text in zip(app.text_area, changed, strict=True):
        area.set_value(text)
    press(app, "Ask the model")
    assert "You broke it!" in app.header[0].value
    assert "1** of 4 broken" in app.get("progress")[0].proto.text
    settled(lesson)
    assert lesson.header[0].value == "1 contradiction"
    token = lesson.session_state["state_RoomView"]["token"]
    remote = opened("remote", control=f"{code_of(lesson)}.{token}")
    assert "1 contradiction in 2 answers of the model" in words(remote)
    assert lesson.table[0].value.iloc[0].tolist() == ["1 · Ada", 1]
    settled(lesson.toggle(key="room-nicknames").set_value(False))
    assert lesson.table[0].value.iloc[0].tolist() == ["1 · Phone 1", 1]
    press(lesson, "End the round")
    assert "Vote again" not in labels(lesson)
    files = [part.proto.label for part in lesson.get("download_button")]
    assert files == ["All without names (ZIP)", "Contradictions (CSV)"]
    settled(lesson.run())
    assert not lesson.error, "every file is drawn in one place"


def test_simulated_phones_break_the_model_too_and_are_marked():
    lesson = started(RoomKind.BREAK, 4, by="room-try")
    room = watched(lesson, lambda room: len(room.round.attempts) > 5)
    assert {room.people[attempt.who].simulated for attempt in room.round.attempts} == {True}
    assert any("phones are simulated" in caption.value for caption in settled(lesson).caption)
    token, item = lesson.session_state["state_RoomView"]["token"], room.round.task.items[0]
    about = {"began": room.round.began, "item": item.key, "typed": ["No words", *item.texts[1:]]}
    rooms().attempt(room.code, f"simulated 1 {token}", ask=lambda items: [SWAPPED] * len(items), **about)
    league = settled(lesson).table[0].value["League"]
    assert all(":material/smart_toy: Simulated" in name for name in league)


def test_files_has_the_votes_and_the_contradictions_whatever_the_last_round_asked(lesson):
    press(joined(code_of(lesson), "Ada"), "Same event")
    for kind in (RoomKind.BREAK, RoomKind.SAME_EVENT):
        settled(lesson.selectbox(key="room-kind").set_value(kind))
        press(lesson, "Begin the round")
        assert not lesson.error
        files = [part.proto.label for part in lesson.get("download_button")]
        assert files[:3] == ["All without names (ZIP)", "Answers (CSV)", "Contradictions (CSV)"]


def own_file(about):
    """A file that the teacher opened: its name, and what it is called."""
    opened()
    lines = "".join(
        f"{about} {place},2024-05-{day + 1:02}\n" for day in range(4) for place in ("north", "south")
    )
    timeline = load(f"headline,date\n{lines}".encode(), f"{about}.csv")
    return resources.shelf().put(f"{resources.FILE}{timeline.file_fingerprint}", timeline), timeline.name


def taught_again(lesson, page="room"):
    """The same room in a new window, after a restart of the server, which holds no file any more."""
    code, token = code_of(lesson), lesson.session_state["state_RoomView"]["token"]
    for name in resources.shelf().names():
        resources.close_file(name)
    return opened(page, control=f"{code}.{token}")


@pytest.mark.parametrize("page", ["room", "remote"])
def test_after_a_restart_a_new_round_is_about_the_file_of_the_class(page):
    name, title = own_file(f"Flood {page}")
    lesson = opened("room", data=name)
    settled(lesson.selectbox(key="room-kind").set_value(RoomKind.GROUPS))
    press(lesson, "room-open-button")
    before = room_of(lesson)
    assert before.round.task.title == title
    again = taught_again(lesson, page)
    assert again.selectbox(key="room-kind").value == RoomKind.GROUPS
    press(again, "room-begin")
    assert (room_of(again).round.number, room_of(again).round.task.items) == (2, before.round.task.items)


def test_a_new_round_says_that_a_file_is_not_open_and_offers_no_other(monkeypatch):
    monkeypatch.setattr("components.server.sessions.visitor", lambda: "the teacher")
    name, title = own_file("Frost")
    lesson = opened("room", data=name)
    press(lesson, "room-open-button")
    monkeypatch.setattr("components.server.sessions.visitor", lambda: "somebody else")
    again = taught_again(lesson)
    assert title not in words(again)
    assert "not open on this computer" in words(again)
    assert "Begin the round" not in labels(again)


def test_after_a_restart_a_new_round_is_about_the_pair_set_or_the_articles_of_the_class():
    lesson = opened("room")
    settled(lesson.selectbox(key="room-source").set_value("iss.v1"))
    press(lesson, "room-open-button")
    assert taught_again(lesson).selectbox(key="room-source").value == "iss.v1"
    lesson = opened("room", articles="sample:articles")
    settled(lesson.selectbox(key="room-kind").set_value(RoomKind.QUESTION))
    press(lesson, "room-open-button")
    again = press(taught_again(lesson), "room-begin")
    assert room_of(again).round.task == room_of(lesson).earlier[-1].task


def test_the_room_page_steps_through_the_results(lesson):
    press(joined(code_of(lesson), "Ada"), "Same event")
    assert "Next" not in labels(settled(lesson))
    press(lesson, "Reveal answers")
    shown = [measures.in_view(room_of(lesson))[0].key]
    for _ in range(2):
        press(lesson, "Next")
        shown.append(measures.in_view(room_of(lesson))[0].key)
    assert sorted(shown) == sorted(item.key for item in room_of(lesson).round.task.items)
    assert next(button for button in lesson.button if button.label == "Next").disabled
    press(lesson, "Previous")
    assert measures.in_view(room_of(lesson))[0].key == shown[1]


@pytest.mark.parametrize("items", [1, 3])
def test_one_next_step_is_filled_until_a_new_round(items):
    lesson = started(items=items)
    ada = joined(code_of(lesson), "Ada")
    for _ in range(items):
        press(ada, "Same event")
    told = ["Reveal answers", "Vote again", "Compare votes", *["Next"] * (items - 1)]
    for step in told:
        assert filled(settled(lesson)) == [step]
        press(lesson, step)
    assert filled(settled(lesson)) == []
    (new,) = [one.proto.popover for one in lesson.get("popover") if one.proto.popover.label == "New round"]
    assert new.type == "primary"
    assert ("Next" in labels(lesson)) == (items > 1), "nothing else to step to"
    lesson.session_state[NEW_ROUND] = True
    press(settled(lesson), "room-begin")
    assert room_of(lesson).round.number == 2


def filled(lesson):
    begin = "Begin the round"  # in the menu
    kinds = [(button.proto.type, button.label) for button in lesson.button]
    return [label for kind, label in kinds if kind == "primary" and label != begin]


def test_who_presses_nothing_in_the_second_vote_keeps_the_answers(lesson):
    ada, bo = joined(code_of(lesson), "Ada"), joined(code_of(lesson), "Bo")
    for app in (ada, bo):
        for _ in range(3):
            press(app, "Same event")
    press(lesson, "Reveal answers")
    press(lesson, "Vote again")
    press(settled(ada), "Different events")
    press(lesson, "Compare votes")
    assert metrics(lesson)["Changed"] == "1 of 6 given twice"
    assert any("5 of them kept" in caption.value for caption in lesson.caption)
    rows = rows_of(answers_csv(room_of(lesson)).decode())
    told = sorted((row["person"], row["second_vote"], row["second_kept"]) for row in rows)
    assert told == [
        ("Ada", "Different events", ""),
        *[("Ada", "Same event", "yes")] * 2,
        *[("Bo", "Same event", "yes")] * 3,
    ]


def test_the_remote_leads_all_phones_and_has_the_item_and_its_counts():
    lesson = opened("room")
    settled(lesson.number_input(key="room-items").set_value(3))
    press(lesson, "room-open-button")
    ada, bo = joined(code_of(lesson), "Ada"), joined(code_of(lesson), "Bo")
    token = lesson.session_state["state_RoomView"]["token"]
    remote = press(opened("remote", control=f"{code_of(lesson)}.{token}"), "Go question by question")

    def asked():
        lines = [one.value for one in (*remote.title, *remote.markdown)]
        return [line for line in lines if room_of(lesson).round.task.question in line]

    assert len(asked()) == 1, "a question is said once"
    first, second, third = room_of(lesson).round.task.items
    for app in (remote, settled(ada), settled(bo)):
        assert "1 of 3" in words(app).replace("*", "")
        assert all(text in words(app) for text in first.texts)
    press(ada, "Same event")
    press(bo, "Different events")
    press(bo, "Same event")
    assert sorted(room_of(lesson).round.first.values()) == ["same", "same"]
    assert "2 of 2 people done" in remote.run().get("progress")[0].proto.text.replace("*", "")
    press(remote, "Reveal answers")
    assert len(asked()) == 1
    assert [bar.proto.text for bar in remote.get("progress")] == [
        "Same event · 2 **100 %**",
        "Different events · 0 **0 %**",
    ]
    press(remote, "Next question")
    for app in (settled(ada), settled(bo)):
        assert all(text in words(app) for text in second.texts)
        assert "Back" not in labels(app)
    press(settled(lesson), "next-led")
    assert all(text in words(settled(ada)) for text in third.texts)
    press(settled(remote), "previous-led")
    assert room_of(lesson).round.led == second.key


@pytest.mark.parametrize("how", ["Start", "Go question by question"])
def test_after_the_reveal_a_phone_shows_its_answer_the_room_s_and_once_told_what_is_known(how):
    lesson = opened("room")
    settled(lesson.number_input(key="room-items").set_value(1))
    press(lesson, "room-open-button")
    phones = dict.fromkeys(("Ada", "Bo", "Cy"))
    for name in phones:
        phones[name] = joined(code_of(lesson), name)
    press(lesson, how)
    (item,) = room_of(lesson).round.task.items
    for name, app in phones.items():
        press(settled(app), "Different events" if name == "Ada" else "Same event")
        assert "Most of the room" not in words(app)
    press(lesson, "Reveal answers")
    said = words(settled(phones["Ada"])).replace("*", "")
    bars = [bar.proto.text.partition(" · ")[0] for bar in phones["Ada"].get("progress")]
    assert bars == ["Same event", "You: Different events"]
    assert "Most of the room: Same event" in said
    assert "people grouped" not in said
    press(lesson, "Show the answer")
    right = {"same": "Same event", "different": "Different events"}[item.right]
    for app in (settled(phones["Ada"]), lesson):
        assert "Most of the room: Same event" in words(app).replace("*", "")
        assert f"As people grouped them: {right}" in words(app).replace("*", "")
    assert "Vote again" not in labels(lesson)
    agree = {"same": 2, "different": 1}[item.right]
    screen = opened("screen", room=rooms().screen(code_of(lesson)))
    for app, between in ((lesson, " · "), (screen, "  \n")):
        (line,) = [one.value for one in app.markdown if one.value.startswith("As people grouped them")]
        assert line == f"As people grouped them: **{right}**{between}{agree} of 3 agree"


def test_the_screen_has_the_answers_to_choose_from_while_one_item_is_asked_and_the_page_has_it_first():
    lesson = started(items=1)
    (item,) = room_of(lesson).round.task.items
    joined(code_of(lesson), "Ada")
    screen = opened("screen", room=rooms().screen(code_of(lesson)))
    said = words(screen)
    parts = (*item.texts, "Same event", "Different events")
    assert sorted(parts, key=said.replace("*", "").index) == list(parts)
    said = words(settled(lesson)).replace("*", "")
    assert said.index(item.texts[0]) < said.index("Ada")
    (bar,) = lesson.get("progress")
    assert bar.proto.text == "**0** of 1 people done", "how many are done is said once"
    press(lesson, "Reveal answers")
    assert ":gray-badge[Same event]" not in words(screen.run())


@pytest.mark.parametrize(
    ("answers", "said"),
    [
        ("S", "1 of 4 answered: Same event"),
        ("SD", "2 of 4 answered: 1 : 1"),
        ("SDS", "Most of the room: Same event"),
    ],
)
def test_what_is_said_of_the_room_needs_answers_of_more_than_half_of_it(answers, said):
    lesson = started(items=1)
    phones = [joined(code_of(lesson), name) for name in ("Ada", "Bo", "Cy", "Di")]
    token = lesson.session_state["state_RoomView"]["token"]
    for app, answer in zip(phones, answers, strict=False):
        press(app, {"S": "Same event", "D": "Different events"}[answer])
    press(lesson, "Reveal answers")
    remote = opened("remote", control=f"{code_of(lesson)}.{token}")
    screen = opened("screen", room=rooms().screen(code_of(lesson)))
    for shown in map(words, (lesson, remote, screen, settled(phones[3]))):
        assert said in shown.replace("*", "")
        assert ("Most of the room" in shown) == said.startswith("Most")
        assert "split" not in shown


def test_a_room_without_a_majority_is_said_to_be_split_and_a_phone_has_the_result_first_and_then_why():
    lesson = started(items=1)
    (item,) = room_of(lesson).round.task.items
    phones = {name: joined(code_of(lesson), name) for name in ("Ada", "Bo", "Cy")}
    for (name, app), label in zip(phones.items(), ("Same event", "Different events"), strict=False):
        app.text_input[0].set_value(f"Because of {name}")
        press(app, label)
    press(lesson, "Reveal answers")
    screen = opened("screen", room=rooms().screen(code_of(lesson)))
    said = words(settled(phones["Cy"]))
    for shown in (said, words(lesson), words(screen)):
        assert "split 1 : 1" in shown
        assert "Most of the room" not in shown
    parts = ("split 1 : 1", *item.texts, "Because of Ada", "Because of Bo", "Look at the screen")
    assert sorted(parts, key=said.index) == list(parts)
    bars = [[bar.proto.text for bar in app.get("progress")] for app in (phones["Cy"], lesson, screen)]
    assert bars[0] == bars[1] == bars[2] == ["Same event · 1 **50 %**", "Different events · 1 **50 %**"]
    press(lesson, "Vote again")
    press(settled(phones["Cy"]), "Same event")
    press(lesson, "Compare votes")
    assert "Most of the room: Same event" in words(settled(phones["Cy"])).replace("*", "")


def test_two_headlines_have_one_order_and_letter_everywhere_but_in_a_choice_that_the_screen_does_not_show():
    lesson = started(items=1)
    (item,) = room_of(lesson).round.task.items
    for app in (lesson, *(joined(code_of(lesson), f"Phone {number}") for number in range(6))):
        said = words(settled(app)).replace("*", "")
        assert 0 <= said.find(f"A {item.texts[0]}") < said.find(f"B {item.texts[1]}")
    lesson = started(RoomKind.CHOICE, items=1)
    (item,) = room_of(lesson).round.task.items
    orders = {tuple(map(plain, item.texts))[::turn] for turn in (1, -1)}
    phones, shown = [], set()
    while shown != orders and len(phones) < 30:  # each draws one of two orders
        phones.append(joined(code_of(lesson), f"Phone {len(phones)}"))
        shown.add(tuple(labels(phones[-1])[:2]))
    assert shown == orders
    press(lesson, "Go question by question")
    lettered = [f"*{letter}* **{plain(text)}**" for letter, text in zip("AB", item.texts, strict=True)]
    assert all(labels(settled(app))[:2] == lettered for app in phones)


def test_a_countdown_ends_the_vote_on_every_phone(lesson, monkeypatch):
    app = joined(code_of(lesson), "Ada")
    press(lesson, "Start 30 s timer")
    assert any(caption.value.endswith(" s") for caption in settled(app).caption)
    press(app, "Same event")
    over = room_of(lesson).round.until + timedelta(seconds=1)
    monkeypatch.setattr("core.people.room.state.RoomRound.over", lambda self, now: over >= self.until)
    assert "Time is over" in words(settled(app))
    assert labels(app) == []


def quiz(app, question, right):
    app.selectbox(key="lesson-asks").set_value("quiz")
    app.text_input(key="lesson-question").set_value(question)
    app.text_area(key="lesson-answers").set_value("Police\nNobody")
    app.text_input(key="lesson-right").set_value(right)
    return press(app, "Save the question" if "Save the question" in labels(app) else "Add the question")


def questions_of(app, title):
    return [item.question or item.texts[0] for item in lessons(the_journal())[title].items]


@pytest.mark.slow
def test_a_lesson_is_chosen_from_what_is_open_written_ordered_edited_and_led():
    lesson = opened("room")
    settled(lesson.selectbox(key="room-kind").set_value(RoomKind.LESSON))
    title = "Floods and <b>storms</b>"
    settled(lesson.text_input(key="lesson-title").set_value(title.replace(" ", "  ")))
    offered = [box for box in lesson.checkbox if str(box.key).startswith("lesson-pair-")]
    easy = [box.label for box in offered if box.label.endswith("easy]")]
    assert 0 < len(easy) < len(offered)
    for label in easy:
        same = "people grouped them\\: Same" in label
        words_of = re.compile(r"\w{4,}" if same else r"\w{7,}").findall
        one, other, _ = (set(words_of(line.casefold())) for line in label.split("  \n"))
        assert bool(one & other) is same, label
    first, second = offered[:2]
    first.check(), second.check()
    press(lesson, "Add the ticked pairs")
    pairs = questions_of(lesson, title)
    quiz(lesson, "Who counts the dead?", "Police")
    assert questions_of(lesson, title) == [*pairs, "Who counts the dead?"]
    for place in (2, 1):
        press(lesson, f"lesson-earlier-{place}")
    press(lesson, "lesson-remove-1")
    press(lesson, "lesson-edit-0")
    quiz(lesson, "Who counts?", "Nurses")
    assert any("right answer" in error.value for error in lesson.error)
    quiz(lesson, "Who counts?", "Nobody")
    assert questions_of(lesson, title) == ["Who counts?", pairs[1]]
    press(lesson, "room-open-button")
    ada = joined(code_of(lesson), "Ada")
    press(lesson, "Go question by question")
    assert "Who counts?" in words(settled(ada))
    assert labels(ada) == ["Police", "Nobody"]
    press(ada, "Police")
    press(lesson, "Reveal answers")
    press(lesson, "Show the answer")
    assert "As the lesson says: Nobody" in words(settled(ada)).replace("*", "")
    press(lesson, "Next question")
    assert labels(settled(ada)) == ["Same event", "Different events"]
    remote = taught_again(lesson, "remote")
    assert remote.selectbox(key="room-lesson").value == title


def test_phones_order_answers_and_write_their_own_and_the_teacher_hides_one_before_the_class_sees_it():
    lesson = opened("room")
    settled(lesson.selectbox(key="room-kind").set_value(RoomKind.LESSON))
    settled(lesson.text_input(key="lesson-title").set_value("Words"))
    for asks, question, answers in (
        ("ranking", "Which is best?", "One\nTwo\nThree"),
        ("text", "Which word?", ""),
    ):
        lesson.selectbox(key="lesson-asks").set_value(asks)
        lesson.text_input(key="lesson-question").set_value(question)
        lesson.text_area(key="lesson-answers").set_value(answers)
        press(lesson, "Add the question")
    press(lesson, "room-open-button")
    phones = [joined(code_of(lesson), name) for name in ("Ada", "Bo")]
    press(lesson, "Go question by question")
    for app, order in zip(phones, (("Two", "One"), ("Two", "Three")), strict=True):
        settled(app)
        assert next(button for button in app.button if button.label == "Send").disabled
        for label in order:
            press(app, label)
        press(app, "Send")
    assert sorted(room_of(lesson).round.first.values()) == ["2 > 1 > 3", "2 > 3 > 1"]
    press(lesson, "Reveal answers")
    said = [bar.proto.text for bar in lesson.get("progress")]
    assert said == ["Two **1.0**", "One **2.5**", "Three **2.5**"]
    assert "Most of the room: Two > One > Three" in words(settled(phones[0])).replace("*", "")
    press(lesson, "Next question")
    for app, text in zip(phones, ("<b>strong verb", "rude"), strict=True):
        settled(app)
        next(box for box in app.text_input if box.label == "Your answer").set_value(text)
        press(app, "Send")
    remote = taught_again(lesson, "remote")
    press(remote, "rude")
    press(remote, "Reveal answers")
    screen = words(settled(lesson))
    assert "b strong verb" in screen
    assert "rude" not in screen.split("Which word?")[-1].replace("~~rude~~", "")
    for app in phones:
        assert "One" not in words(settled(app))
    press(remote, "Close the room")
    summary = words(settled(phones[0])).replace("*", "")
    assert "You: Two > One > Three" in summary
    assert "You: <b>strong verb" in summary.replace("\\", "")
    assert not {"Bo", "rude"} & set(summary.partition("Thank you")[2].split())


def test_reasons_stand_under_the_answer_they_were_given_for_on_the_screen_and_one_on_a_phone():
    lesson = started(items=1)
    (item,) = room_of(lesson).round.task.items
    given = {"Ada": "Same event", "Bo": "Different events", "Cy": "Same event", "Di": "Same event"}
    phones = {name: joined(code_of(lesson), name) for name in given}
    for name, label in given.items():
        phones[name].text_input[0].set_value(f"Because of {name}")
        press(phones[name], label)
    remote = taught_again(lesson, "remote")
    press(remote, "Reveal answers")
    press(remote, "Because of Di")
    screen = opened("screen", room=rooms().screen(code_of(lesson)))
    said = [each.value for each in screen.markdown if "Because" in each.value]
    assert [re.findall(r"Because of (\w+)", each) for each in said] == [["Ada", "Cy"], ["Bo"]]
    assert [each.split("**")[1] for each in said] == ["Same event", "Different events"]
    reasons = {name: re.findall(r"Because of (\w+)", words(settled(app))) for name, app in phones.items()}
    assert reasons == {"Ada": ["Cy"], "Bo": ["Ada"], "Cy": ["Ada"], "Di": ["Ada"]}
    press(remote, "Show the answer")
    right = {"same": "Ada", "different": "Bo"}[item.right]
    assert re.findall(r"Because of (\w+)", words(settled(phones["Di"]))) == [right]


def test_a_reason_stays_with_the_answer_of_the_vote_in_which_it_was_given():
    lesson = started(items=1)
    phones = {name: joined(code_of(lesson), name) for name in ("Ada", "Bo", "Cy")}
    for name, app in phones.items():
        app.text_input[0].set_value(f"Because of {name}")
        press(app, "Same event")
    press(lesson, "Reveal answers")
    press(lesson, "Vote again")
    for app in phones.values():
        assert settled(app).text_input[0].value == ""
    press(phones["Ada"], "Different events")
    phones["Bo"].text_input[0].set_value("Because of hindsight")
    press(phones["Bo"], "Different events")
    press(lesson, "Compare votes")
    screen = opened("screen", room=rooms().screen(code_of(lesson)))
    said = [each.value for each in screen.markdown if "Because" in each.value]
    assert {each.split("**")[1]: re.findall(r"Because of (\w+)", each) for each in said} == {
        "Same event": ["Ada", "Cy"],
        "Different events": ["hindsight"],
    }


def question():
    return stored_lessons.own_question("quiz", "Who came?", (), ("Police", "Nobody"), "Police")


@pytest.mark.parametrize("end", [RoomStep.PAUSED, RoomStep.NEW_ROUND])
def test_points_are_told_wherever_a_room_is_closed(end):
    code, token = rooms().open(stored_lessons.lesson("Points", [question()], points=True))
    app = press(joined(code, "Ada"), "Police")
    for step in (RoomStep.REVEALED, RoomStep.SOLVED, end):
        rooms().act(code, token, step, **({"task": broken_task()} if step == RoomStep.NEW_ROUND else {}))
        assert "points" not in words(settled(app))
    rooms().act(code, token, RoomStep.CLOSED)
    assert "You have 1 of 1 points" in words(settled(app))


def test_whether_a_lesson_gives_points_follows_its_title_and_changes_by_the_switch_alone():
    for title, points in (("With", True), ("Without", False)):
        stored_lessons.save_lesson(the_journal(), title, [question()], points=points)
    lesson = opened("room")
    settled(lesson.selectbox(key="room-kind").set_value(RoomKind.LESSON))

    def switch():
        return next(each for each in lesson.toggle if str(each.key).startswith("lesson-points"))

    titles = ("With", True), ("New", False), ("Without", False), ("With", True)
    for asked, (title, points) in enumerate(titles):
        settled(lesson.text_input(key="lesson-title").set_value(title))
        assert switch().value is points
        quiz(lesson, f"Question {asked}?", "Police")
        assert lessons(the_journal())[title].points is points
    settled(switch().set_value(False))
    assert not lessons(the_journal())["With"].points
    assert len(questions_of(lesson, "With")) == 3


@pytest.mark.slow
def test_points_are_told_each_phone_at_the_end_where_the_lesson_gives_them():
    lesson = opened("room")
    settled(lesson.selectbox(key="room-kind").set_value(RoomKind.LESSON))
    settled(lesson.text_input(key="lesson-title").set_value("Points"))
    for question, right in (("First?", "Police"), ("Second?", "Nobody"), ("Third?", "Police")):
        quiz(lesson, question, right)
    settled(lesson.toggle(key="lesson-points").set_value(True))
    assert lessons(the_journal())["Points"].points
    quiz(lesson, "Fourth?", "Police")
    press(lesson, "room-open-button")
    phones = {name: joined(code_of(lesson), name) for name in ("Ada", "Bo")}
    press(lesson, "Go question by question")
    for question in range(4):
        for name, app in phones.items():
            press(settled(app), "Nobody" if name == "Bo" else "Police")
        press(lesson, "Reveal answers")
        assert "points" not in words(settled(phones["Ada"]))
        if question < 3:
            press(lesson, "Show the answer")
            press(lesson, "Next question")
    screen = rooms().screen(code_of(lesson))
    press(lesson, "Close the room")
    # The fourth answer was not told.
    assert "You have 2 of 3 points" in words(settled(phones["Ada"]))
    assert "You have 1 of 3 points" in words(settled(phones["Bo"]))
    for page in (opened("screen", room=screen), lesson):
        assert "points" not in words(page)


def test_a_lesson_s_list_says_how_many_had_a_pair_right_before(monkeypatch):
    lesson = started(RoomKind.SAME_EVENT, 40)
    item = room_of(lesson).round.task.items[0]
    token = lesson.session_state["state_RoomView"]["token"]
    # Rooms of other tests may have asked it, too.
    before = measures.first_answers(rooms().latest()).get(tuple(wording(item.texts)), Counter())
    for name, answer in (("Ada", "same"), ("Bo", "different"), ("Cy", item.right)):
        rooms().join(code_of(lesson), name, browser=name, door=0)
        about = {"began": room_of(lesson).round.began, "item": item.key, "answer": answer}
        rooms().answer(code_of(lesson), name, **about)
    rooms().act(code_of(lesson), token, RoomStep.REVEALED)
    lessons_page._answers_before.clear()
    looks, first_answers = [], measures.first_answers
    monkeypatch.setattr(measures, "first_answers", lambda given: looks.append(1) or first_answers(given))
    chosen = opened("room")
    settled(chosen.selectbox(key="room-kind").set_value(RoomKind.LESSON))
    pair = "  \n".join(map(plain, item.texts))
    (label,) = (box.label for box in chosen.checkbox if box.label.startswith(pair))
    said = f"right before: {before[item.right] + 2} of {before.total() + 3}"
    assert said in label.replace("\\", "")
    settled(chosen)
    assert len(looks) == 1, "the last rooms are looked at once a minute and not at each press"
