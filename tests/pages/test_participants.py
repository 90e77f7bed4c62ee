"""The page of a study's participants: who comes in how, what is said at the door, and how it ends."""

from dataclasses import replace
from datetime import timedelta

import pytest

from components.people.study import identity
from core.errors import InputError
from core.journal.journal import the_journal
from core.people import studies, study_results
from core.people.judges import Judges
from core.people.study import Purpose, StudyPair, Version, read_study, study_file
from tests.pages.opening import opened, press, settled, turned, words
from tests.pages.test_study import pairs_study, voted

PEOPLE = ("Ada", "Bo", "Cy", "Spam", "Quit", "Idle")


def small_study(count=2, **more):
    known = [StudyPair(Purpose(use), f"{use} a", "b", "same") for use in ("training", "exam")]
    pairs = tuple(StudyPair(Purpose.MAIN, f"Pair {at}", f"{more['title']} {at}") for at in range(count))
    study = replace(studies.templates()["same_event"], pairs=(*known, *pairs), training=0, exam=0, **more)
    return studies.register(the_journal(), study)


def left(study):
    return {entry.who for entry in studies.answered(the_journal(), study)}


def test_who_comes_with_an_id_begins_at_once_and_ends_with_code_and_button():
    end = {"completion": "C0DE77", "redirect": "https://app.prolific.com/submissions/complete?cc=C0DE77"}
    study = small_study(title="Prolific", **end)
    app = opened("study", study=study.code, PROLIFIC_PID="5f3c9a")
    assert not app.text_input
    for _ in range(4):
        assert "C0DE77" not in words(app)
        press(app, "Same event")
    assert [each.value for each in app.code if "C0DE77" in each.value] == ["C0DE77"]
    (link,) = [each.proto for each in app.get("link_button")]
    assert (link.url, link.label) == (end["redirect"], r"Go on to app.prolific.com".replace(".", r"\."))
    assert left(study) == {f"5f3c9a ({study.code})"}
    assert "5f3c9a" not in study_results.answers_csv(the_journal(), study)
    named = study_results.answers_csv(the_journal(), study, names=True)
    assert ",5f3c9a," in named
    assert "PROLIFIC_PID" not in app.query_params


def test_an_id_goes_on_elsewhere_by_its_link_alone():
    study, other = small_study(title="Devices", count=3), small_study(title="Another", count=3)
    first = opened("study", study=study.code, workerId="W7")
    press(first, "Same event")
    token = first.session_state["state_EvaluateView"]["token"]
    elsewhere = opened("study", study=study.code, workerId="W7")
    assert "W7 has begun already" in words(elsewhere)
    assert not any(button.label == "Same event" for button in elsewhere.button)
    for given in ("nonsense", Judges(journal=the_journal()).take(f"Eve ({study.code})")):
        settled(elsewhere.text_input(key="study-personal-link").set_value(given))
        assert "not your link" in words(elsewhere)
    settled(elsewhere.text_input(key="study-personal-link").set_value(f"http://x/study?token={token}"))
    assert "**1** of 1" not in words(elsewhere)
    assert "**Exam:**" in words(elsewhere), "it goes on where the first browser was"
    linked = opened("study", study=study.code, token=token)
    assert "**Exam:**" in words(linked)
    assert "token" not in linked.query_params
    assert "**Training:**" in words(opened("study", study=other.code, workerId="W7"))
    assert opened("study", study=other.code, token=token).text_input, "a link is for one study"


@pytest.mark.parametrize("consent", [(), (Version("2026-05-04", "I may stop."),)])
def test_an_id_is_taken_when_its_person_begins_and_not_when_the_link_is_opened(consent):
    study = small_study(title=f"Opened {len(consent)}", count=3, consent=consent)
    first, second = (opened("study", study=study.code, PROLIFIC_PID="P1") for _ in range(2))
    for app in (first, second):
        assert "has begun already" not in words(app)

    def begin(app):
        for box in app.checkbox:
            box.check()
        press(app, "Begin" if consent else "Same event")

    begin(second)
    assert "has begun already" not in words(settled(second))
    assert "**Exam:**" in words(second) or "**Training:**" in words(second)
    if consent:
        begin(first)
    assert "P1 has begun already" in words(settled(first))
    assert not any(button.label == "Same event" for button in first.button)
    assert len(studies.participants(the_journal(), study)) == 1
    assert "P1 has begun already" in words(opened("study", study=study.code, PROLIFIC_PID="P1"))


@pytest.mark.parametrize(("door", "said"), [("paused", "is paused"), ("closed", "is closed")])
def test_a_door_that_is_shut_says_so_and_takes_no_answer(door, said):
    study = small_study(title=door)
    inside = opened("study", study=study.code, participant="Ada")
    run = opened("studies", study=study.code, run="yes")
    press(run, f"study-{door}")
    press(inside, "Same event")
    assert not left(study)
    assert said in words(settled(inside))
    late = opened("study", study=study.code, participant="Bo")
    assert said in words(late)
    assert not late.text_input
    press(run, "Open again")
    press(settled(inside), "Same event")
    assert left(study) == {f"Ada ({study.code})"}


def test_a_study_takes_no_more_people_than_it_has_places_for():
    consent = (Version("2026-05-04", "I agree."),)
    study = small_study(title="Places", people=1, consent=consent)
    first, second = (opened("study", study=study.code, participant=who) for who in ("Ada", "Bo"))
    for app in (first, second):
        app.checkbox(key="study-agree").check()
    press(first, "Begin")
    press(second, "Begin")
    assert "is full" in words(settled(second))
    assert "**Training:**" in words(first)
    assert "is full" in words(opened("study", study=study.code))
    assert len(studies.participants(the_journal(), study)) == 1


@pytest.mark.parametrize(
    "address", ["javascript:alert(1)", "//evil.example", "data:text/html,x", "https://a b"]
)
def test_only_an_address_of_the_web_stands_at_the_end(address):
    with pytest.raises(InputError, match="Redirect"):
        small_study(title="Bad", redirect=address)
    study = replace(studies.templates()["same_event"], title="Old")
    assert b"redirect" not in study_file(study)
    assert b"people =" not in study_file(study)
    with pytest.raises(InputError):
        read_study(study_file(study) + f'redirect = "{address}"\n'.encode(), "study.toml")


def test_a_participant_reads_the_study_in_the_language_of_the_browser():
    study = small_study(title="Языки")
    app = opened("study", study=study.code, participant="Аня", locale="ru-RU")
    assert "Тренировка" in words(app)
    for _ in range(4):
        press(app, "Одно событие")
    assert "Всё готово, спасибо." in words(app)


def test_an_older_link_into_the_laboratory_leads_to_the_bare_page():
    study = small_study(title="Older link")
    app = opened("studies", study=study.code)
    assert app.title[0].value == "Older link"
    assert [field.label for field in app.text_input] == ["Your name or initials"]


@pytest.mark.parametrize("page", ["timeline", "compare", "judge", "benchmark", "room"])
def test_a_session_that_began_as_a_participant_s_has_no_other_page(page):
    study = small_study(title=f"Locked {page}")
    app = opened("study", study=study.code)
    app.session_state["bare"] = "study"  # as its first run sets it, by the address of the browser
    settled(turned(app, page))
    assert app.title[0].value == f"Locked {page}"
    assert app.text_input[0].label == "Your name or initials"


@pytest.mark.usefixtures("workshop")
def test_a_browser_that_takes_part_in_a_workshop_opens_nothing_else(monkeypatch):
    study = small_study(title="Browser")
    token = Judges(journal=the_journal()).take(f"Ada ({study.code})")
    cookies = {identity.COOKIE: token}
    monkeypatch.setattr("streamlit.runtime.context.ContextProxy.cookies", property(lambda _: cookies))
    for page in ("timeline", "compare", "judge"):
        app = opened(page)
        assert app.title[0].value == "Browser"
        assert "**Training:**" in words(app)
    press(app, "Leave the study")
    assert not app.session_state["state_EvaluateView"]["token"]
    cookies[identity.COOKIE] = "forged"
    assert opened("compare").title[0].value == "Compare"


@pytest.mark.parametrize("code", ["zzzzzzzz", "00000000", ""])
def test_a_code_that_is_none_shows_no_other_study(code, monkeypatch):
    study = small_study(title=f"Before {code}")
    cookies = {identity.COOKIE: Judges(journal=the_journal()).take(f"Ada ({study.code})")}
    monkeypatch.setattr("streamlit.runtime.context.ContextProxy.cookies", property(lambda _: cookies))
    shown = words(opened("study", study=code))
    assert "There is no study with this link" in shown
    assert "Before" not in shown
    assert "**Training:**" in words(opened("study")), "without a code the browser goes on where it was"


@pytest.mark.slow
def test_who_runs_a_study_sees_everybody_and_excludes_with_a_reason_that_stays():
    study = pairs_study(24, ("exam", "control"), title="People", votes=9)
    for who in ("Ada", "Bo", "Cy"):
        voted(study, f"{who} ({study.code})", {})
    voted(study, f"Spam ({study.code})", {Purpose.MAIN: "different"})
    voted(study, f"Quit ({study.code})", {}, 3)
    studies.join(the_journal(), study, f"Idle ({study.code})", {})
    code = {who: studies.pseudonym(the_journal(), study, f"{who} ({study.code})") for who in PEOPLE}
    app = opened("studies", study=study.code, run="yes")

    def shown():
        (table,) = [frame.value for frame in app.dataframe if "As others" in frame.value.columns]
        return table.set_index("Person").to_dict("index")

    first = shown()
    assert set(first) == set(code.values())
    assert first[code["Spam"]]["As others"].startswith("0 %")
    # Of 72 votes of Bo, Cy and the spammer 48 are the same, and both of who quit.
    assert first[code["Ada"]]["As others"].startswith("68 % [")
    assert first[code["Ada"]]["Exam right"] == "1 of 1"
    assert first[code["Quit"]]["State"] == "left in: work"
    assert first[code["Idle"]]["State"] == "not begun"
    settled(app.selectbox(key="study-excluded-person").set_value(code["Spam"]))
    press(app, "study-exclude")
    assert "No reason is given" in words(app)
    assert shown()[code["Spam"]]["Counts"] == "yes"
    settled(app.text_input(key="study-excluded-reason").set_value("Pressed one key"))
    press(app, "study-exclude")
    assert shown()[code["Spam"]]["Counts"] == "no: excluded"
    assert shown()[code["Ada"]]["As others"].startswith("100 %")
    assert f"{code['Spam']} is excluded: Pressed one key" in words(app)
    rows = study_results.answers_csv(the_journal(), study).splitlines()
    assert {row.rpartition(",")[2] for row in rows if code["Spam"] in row} == {"no"}
    settled(app.text_input(key="study-excluded-reason").set_value("Asked, was honest"))
    press(app, "study-exclude")
    assert shown()[code["Spam"]]["Counts"] == "yes"
    stored = [entry for entry in studies.stored(the_journal(), study) if "reason" in entry.body]
    assert [entry.body["reason"] for entry in stored] == ["Pressed one key", "Asked, was honest"]


def test_a_persons_time_runs_on_another_device_too_and_its_end_is_said_on_both():
    end = {"completion": "C0DE99", "consent": (Version("2026-05-04", "I agree."),)}
    study = small_study(title="Timed", count=3, minutes=10, **end)
    app = opened("study", study=study.code, participant="Ada")
    assert "Time for this study, once you begin: 10 min" in words(app)
    app.checkbox(key="study-agree").check()
    press(app, "Begin")
    for _ in range(3):
        press(app, "Same event")
    assert "Time left: 9 min" in words(app)
    token = app.session_state["state_EvaluateView"]["token"]
    other = opened("study", study=study.code, token=token)
    assert "Time left: 9 min" in words(other)
    entry = next(entry for entry in studies.stored(the_journal(), study) if entry.kind == studies.JOINED)
    real, later = studies.seconds_left, entry.when + timedelta(minutes=11)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(studies, "seconds_left", lambda *given: real(*given[:3], later))
        before = len(studies.answered(the_journal(), study))
        press(other, "Same event")
        assert len(studies.answered(the_journal(), study)) == before, "a late answer is not stored"
        for device in (app, other):
            assert "**Your time is over.**" in words(settled(device))
            assert not any(button.label == "Same event" for button in device.button)
            assert any("C0DE99" in code.value for code in device.code)
    idle = small_study(title="Idle", count=3, minutes=10, **end)
    nobody = opened("study", study=idle.code, participant="Idle")
    nobody.checkbox(key="study-agree").check()
    press(nobody, "Begin")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(studies, "seconds_left", lambda *_: 0.0)
        assert "**Your time is over.**" in words(settled(nobody))
        assert not any("C0DE99" in code.value for code in nobody.code), "who did nothing gets no code"
