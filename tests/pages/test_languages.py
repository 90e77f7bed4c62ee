"""Phones and the screen in the language of their reader, whatever the teacher and the headlines speak."""

from urllib.parse import parse_qsl, urlsplit

import pytest

from components.frame.language import LANGUAGES
from core.people.room.task import RoomKind
from tests.pages.opening import drawn, opened, press, settled, words
from tests.pages.test_room import code_of, labels, room_of, started


def joined(code, nickname, locale):
    app = opened("join", room=code, locale=locale)
    app.text_input(key="join-name").set_value(nickname)
    app.button[0].click()
    return settled(app)


@pytest.fixture(scope="module")
def lesson():
    return started()


@pytest.mark.parametrize("tag", sorted(set(LANGUAGES) - {"en"}))
def test_a_phone_speaks_the_language_of_its_browser_from_joining_to_the_end(lesson, tag):
    texts, english = LANGUAGES[tag]["texts"], LANGUAGES["en"]["name"]
    app = joined(code_of(lesson), f"Phone {tag}", f"{tag}-XX")
    assert drawn(app, "accessibility")["lang"] == tag
    assert drawn(app, "accessibility")["dir"] == LANGUAGES[tag]["direction"]
    assert texts["Do both headlines report the same event?"] in words(app)
    for _ in range(3):
        press(app, texts["Same event"])
    assert texts["All answered"] in words(app)
    assert "answered" not in words(app).replace(texts["All answered"], "")
    assert english in app.selectbox(key="language").options
    given = {answer for (who, _), answer in room_of(lesson).round.first.items()}
    assert given == {"same"}


def test_a_language_that_is_not_here_is_english_and_a_person_changes_it(lesson):
    app = joined(code_of(lesson), "Bo", "nl-NL")
    assert labels(app)[:2] == ["Same event", "Different events"]
    settled(app.selectbox(key="language").set_value("ru"))
    assert labels(app)[:2] == ["Одно событие", "Разные события"]
    assert [*app.query_params["lang"]] == ["ru"] or app.query_params["lang"] == "ru"
    assert drawn(settled(app), "accessibility")["lang"] == "ru"


def test_refusals_are_said_in_the_language_of_the_phone(lesson):
    app = opened("join", locale="de-AT")
    app.text_input(key="join-code").set_value("BCDFGHJK")
    settled(app.button[0].click())
    assert "Es gibt keinen Raum mit diesem Code" in words(app)
    app = opened("join", room=code_of(lesson), locale="de-AT")
    app.text_input(key="join-name").set_value("x" * 40)
    settled(app.button[0].click())
    assert "40 Zeichen; höchstens 24" in words(app)


def test_the_teacher_s_page_stays_english_and_the_screen_has_a_language_of_its_own(lesson):
    assert "Reveal answers" in labels(settled(lesson))
    settled(lesson.selectbox(key="room-screen-language").set_value("es"))
    (link,) = (each.proto.url for each in lesson.get("link_button") if each.proto.label == "Open the screen")
    asked = dict(parse_qsl(urlsplit(link).query))
    shown = opened("screen", **asked, locale="de-DE")
    assert "¿Los dos titulares informan del mismo suceso?" in words(shown)
    assert opened("room", locale="ar-EG").title[0].value == "Room"


def test_words_that_a_teacher_wrote_are_shown_as_they_were_written():
    lesson = started(RoomKind.GROUPS, 3)
    app = joined(code_of(lesson), "Ada", "fr")
    assert labels(app)[0] == "Nouvel événement"
    assert room_of(lesson).round.task.items[0].texts[0] in words(app)
