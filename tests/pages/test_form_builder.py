"""Own questions: written in fields, seen as participants see them, answered in a study, and measured."""

import csv
import io
import tomllib

import pytest

from core.journal.journal import the_journal
from core.people import studies, study_results
from core.people.forms import form_folder, known_forms
from core.results.table import text_rows
from tests.pages.opening import opened, press, settled, words


def field(app, kind, name, number):
    return next(one for one in getattr(app, kind) if one.key == f"form-field-{name}-{number}")


def pills(app):
    return next(one for one in app.get("button_group") if str(one.key).startswith("enter-"))


def mark(app, first, last):
    """Taps two words, which marks those between them."""
    settled(pills(app).set_value([first]))
    settled(pills(app).set_value([first, last]))


def built(title):
    app = opened("studies")
    press(app, "Your own questions")
    settled(app.text_input(key="form-field-title").set_value(title))
    settled(field(app, "text_input", "label", 0).set_value("Topic"))
    settled(field(app, "text_area", "answers-one_of", 0).set_value("p = politics\ns = sport\no = other"))
    press(app, "Add a question")
    settled(field(app, "text_input", "text", 1).set_value("Which of these does it name?"))
    settled(field(app, "selectbox", "gives", 1).set_value("several"))
    settled(field(app, "text_area", "answers-several", 1).set_value("a person\na place"))
    settled(field(app, "multiselect", "when", 1).set_value([(0, "politics")]))
    press(app, "Add a question")
    settled(field(app, "text_input", "text", 2).set_value("Which words make a claim?"))
    return settled(field(app, "selectbox", "gives", 2).set_value("words"))


def test_a_form_is_built_without_toml_and_tried_as_participants_see_it():
    app = built("Topics")
    before = the_journal().streams("")
    assert "Headline 1 · What is this headline about?" in words(app)
    press(app, "politics")
    assert "Headline 1 · Which of these does it name?" in words(app)
    settled(pills(app).set_value([1, 2]))
    press(app, "Done")
    mark(app, 2, 4)
    press(app, "Done")
    assert "Headline 2 · What" in words(app)
    press(app, "sport")
    assert "Headline 2 · Which words" in words(app), "the second question is asked of politics alone"
    assert the_journal().streams("") == before, "nobody keeps what is tried"
    press(app, "Use this form")
    (form,) = [each for each in known_forms().values() if each.title == "Topics"]
    assert app.selectbox(key="study-asks").value == form.name
    (path,) = form_folder().glob("topics*.toml")
    table = tomllib.loads(path.read_text())
    assert table["questions"][1]["when_answers"] == ["politics"]
    assert table["questions"][0]["keys"] == ["p", "s", "o"]
    press(app, "Your own questions")
    assert field(app, "text_area", "answers-one_of", 0).value == "p = politics\ns = sport\no = other"
    assert field(app, "multiselect", "when", 1).value == [(0, "politics")]


@pytest.mark.parametrize(
    "lines", ["p = politics\ns = sport\nother", "P = politics\ns = sport\no = other", "P = a\nS = b"]
)
def test_keys_that_do_not_fit_are_said_in_a_sentence_and_the_fields_stay(lines):
    app = opened("studies")
    press(app, "Your own questions")
    settled(field(app, "text_area", "answers-one_of", 0).set_value(lines))
    assert not app.exception
    assert "other keys than answers" in words(app)
    assert "small letter" in words(app)
    assert next(each for each in app.button if each.label == "Use this form").disabled
    settled(
        field(app, "text_area", "answers-one_of", 0).set_value(
            lines.lower().replace("\nother", "\no = other")
        )
    )
    assert not next(each for each in app.button if each.label == "Use this form").disabled
    assert "other keys" not in words(app)
    settled(field(app, "text_area", "answers-one_of", 0).set_value("politics"))
    assert "low to high" not in words(app), "one of several has no order"


def test_another_kind_of_answer_leaves_the_button_of_nothing_behind():
    app = opened("studies")
    settled(app.selectbox(key="study-asks").set_value("numhg.v1"))
    press(app, "Your own questions")
    assert "No numbers" in {each.label for each in app.button}
    settled(field(app, "selectbox", "gives", 0).set_value("one_of"))
    assert not app.error
    assert "No numbers" not in {each.label for each in app.button}
    assert not next(each for each in app.button if each.label == "Use this form").disabled


OUTPUTS = b"id,text,North,South\n" + b"".join(
    b"%d,The bank raised rates to %d percent.,Rates at %d percent,Bank raises its rates\n" % (at, at, at)
    for at in range(1, 3)
)


def study_of_form(app):
    asks = app.selectbox(key="study-asks").value
    settled(app.file_uploader(key=f"study-own-{asks}").set_value((f"{asks}.csv", OUTPUTS, "text/csv")))
    press(app, "Start the study")
    assert not app.error
    (study,) = [each for each in studies.studies(the_journal()) if each.asks == asks]
    return study


@pytest.mark.slow
def test_participants_answer_the_new_kinds_and_files_have_their_words():
    app = built("All kinds")
    press(app, "Add a question")
    settled(field(app, "text_input", "label", 3).set_value("Why"))
    settled(field(app, "text_input", "text", 3).set_value("Why?"))
    settled(field(app, "selectbox", "gives", 3).set_value("text"))
    press(app, "Add a question")
    settled(field(app, "text_input", "text", 4).set_value("How many people are named?"))
    settled(field(app, "text_input", "label", 4).set_value("Count"))
    settled(field(app, "selectbox", "gives", 4).set_value("number"))
    press(app, "Use this form")
    study = study_of_form(app)
    person = opened("study", study=study.code, participant="Ada")
    for at in range(4):
        press(person, "sport" if at else "politics")
        if not at:
            settled(pills(person).set_value([2]))
            press(person, "Done")
        mark(person, 1, 3)
        press(person, "Done")
        press(person, "Done")
        assert "Nothing is entered." in words(person), "an empty text is no answer"
        settled(next(one for one in person.text_area).set_value("It says <b>so</b>."))
        press(person, "Done")
        settled(next(one for one in person.number_input).set_value(at + 1))
        press(person, "Done")
        if "Next open article" in words(person):
            press(person, "Next open article")
    assert "All done" in words(person)
    rows = list(csv.DictReader(io.StringIO(study_results.answers_csv(the_journal(), study))))
    given = {}
    for row in rows:
        given.setdefault(row["task"], []).append(row["answer"])
    assert sorted(given["topic"]) == ["politics", "sport", "sport", "sport"]
    assert given["question_2"] == ["a place"]
    assert set(given["question_3"]) == {"1-3"}
    assert set(given["why"]) == {"It says <b>so</b>."}
    assert sorted(given["count"]) == ["1", "2", "3", "4"]
    tables = {table.title: text_rows(table) for table in study_results.result_tables(the_journal(), study)}
    assert [row[0] for row in tables["Topic"][1:]] == ["politics", "sport", "other"]
    assert tables["Count"][1][0] == "Mean"
    run = opened("studies", study=study.code, run="yes")
    assert not run.error
    assert len(run.get("html")) > 2


def test_a_changed_answer_takes_back_what_was_asked_because_of_it():
    app = built("Changed")
    press(app, "Use this form")
    study = study_of_form(app)
    person = opened("study", study=study.code, participant="Bo")
    press(person, "politics")
    settled(pills(person).set_value([1]))
    press(person, "Done")
    csv_of = lambda: study_results.answers_csv(the_journal(), study)  # noqa: E731
    assert "a person" in csv_of()
    settled(next(one for one in person.get("button_group") if "-topic" in str(one.key)).set_value(1))
    assert "a person" not in csv_of()
    assert "sport" in csv_of()
    assert "Which words" in words(person)
