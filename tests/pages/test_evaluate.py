import re

import pytest
import streamlit as st

from components.headlines.compare import opened as compared
from components.server import shelf
from components.server.signed_in import HEADER
from core.data.articles.articles import articles_of
from core.data.articles.outputs import Outputs
from core.headlines.opening import open_set
from core.journal.backup import taken
from core.journal.entries import NewEntry
from core.journal.erasure import secret_of
from core.journal.forget import forget
from core.journal.journal import the_journal
from core.journal.opening import VARIABLE, sqlite_url
from core.journal.spellings import ErasureTarget
from core.people.forms import add_form, form_of
from core.people.judges import Judges
from core.runtime import user_folder
from tests.pages.opening import opened, press, put, settled, words

ARTICLES, OUTPUTS = open_set("sample:articles")
NAMES = [one.system for one in OUTPUTS]


def judged_by(name, **address):
    app = opened("evaluate", **address)
    app.text_input(key="evaluate-judge").set_value(name)
    return settled(app)


def asks(app):
    return [button for button in app.button if str(button.key).startswith("ask-")]


def answer_all(app):
    """The first answer that is offered, until no question is open."""
    for _ in range(20):
        if not asks(app):
            return
        press(app, "ask-")
    raise AssertionError("questions never end")


def test_the_open_questions_are_asked_in_turn_and_kept():
    app = judged_by("Ada", seed="1")
    answer_all(app)
    assert "This article is judged" in words(app)
    press(app, "evaluate-next")
    assert "Article **2** of 40" in words(app)
    assert not any(name in words(app) for name in NAMES)
    press(app, "evaluate-undo")
    assert "Article **1** of 40" in words(app)
    assert "Which headline comes 2nd?" in words(app)


def test_a_headline_without_numbers_has_an_answer_of_its_own_that_counts_as_none():
    app = judged_by("Uma", seed="31")
    assert [one.label for one in asks(app)][-1] == "Has no numbers"
    assert all("correct" in one.label for one in asks(app)[:-1]), "an answer is whole without its question"
    assert asks(app)[-1].proto.shortcut == "3"
    assert "“Has no numbers” counts as “None correct”" in words(app)
    (asked,) = [str(each.value) for each in app.markdown if "Are its numbers correct?" in str(each.value)]
    assert "counts as" not in asked, "a rule of counting is no part of the question"
    assert "No number in it" not in asked
    assert "Choose none" not in words(app), "one of the two is to be chosen, and it is named"
    press(app, asks(app)[-1].key)
    assert app.segmented_control(key="rate-0-1-numeral_accuracy").value == 0
    assert "Has no numbers" not in [button.label for button in asks(app)]
    assert form_of("numhg.v1").questions[0].levels[0].wording == "none", "files keep theirs"


def test_a_choice_that_is_clicked_again_is_taken_back():
    app = judged_by("Dee", seed="3")
    settled(app.segmented_control(key="rate-0-1-readability").set_value(4))
    assert app.segmented_control(key="rate-0-1-readability").value == 4
    settled(app.segmented_control(key="rate-0-1-readability").set_value(None))
    assert app.segmented_control(key="rate-0-1-readability").value is None
    assert "Headline 1 · Are its numbers correct?" in words(app)


def test_results_name_nobody_while_the_compare_page_is_blind():
    app = opened("compare", blind="yes", article=ARTICLES.ids[0])
    app.switch_page("pages/judge.py")
    put(app, "PlacesView", judge="evaluate")
    put(app, "EvaluateView", shown="results")
    settled(app)
    assert app.dataframe[0].value["System"].tolist()[:3] == ["System 1", "System 2", "System 3"]
    assert "Answers (CSV)" not in {one.label for one in app.get("download_button")}


def test_results_begin_with_the_best_system():
    app = judged_by("Zoe", seed="2")
    answer_all(app)
    put(app, "EvaluateView", shown="results")
    table = settled(app).dataframe[0].value[: len(NAMES)]  # published ones are below
    points = [[float(cell.split()[0]) for cell in row[1:]] for row in table.to_numpy().tolist()]
    assert points == sorted(points, reverse=True)
    assert table["System"].tolist() != NAMES  # as the file has them


def token_of(app):
    return str(app.session_state["state_EvaluateView"]["token"])


def test_a_name_that_is_taken_asks_for_its_link_and_shows_nothing():
    app = judged_by("Fay", seed="6")
    answer_all(app)
    link = f"http://lab.example/evaluate?seed=6&token={token_of(app)}"
    other = judged_by(" FAY\u200e ", seed="6")
    assert "has judged here before" in words(other)
    assert not other.get("progress")
    assert not asks(other), "what cannot be pressed yet is shown"
    strange = judged_by("Gus", seed="6")
    renamed = judged_by("Fay", seed="6")
    settled(renamed.text_input(key="evaluate-judge").set_value("Hal"))
    assert "Judging as **Hal**" in words(renamed)
    for forged in ("x", link[:-1], f"?token={token_of(strange)}"):
        settled(other.text_input(key="evaluate-link").set_value(forged))
        assert any("not the link of" in error.value for error in other.error)
        assert "Judging as" not in words(other)
    settled(other.text_input(key="evaluate-link").set_value(link))
    assert not other.error
    assert "Judging as **Fay**" in words(other)
    assert "token" not in str(other.query_params)
    assert "Article **2** of 40" in words(other)


def test_articles_of_ones_own_and_an_added_system_open_after_a_restart():
    opened("evaluate")
    articles = articles_of("own", ["Four storms hit Rome.", "Rain in Oslo."], references=[["Storms"], []])
    written = {name: (f"{name} storms", f"{name} rain") for name in "AB"}
    own = [Outputs(system=name, headlines=lines, source="own.csv") for name, lines in written.items()]
    name = compared.keep_file("own.csv", articles, own)
    added = Outputs(system="C", headlines=("C storms", "C rain"), source="more.csv")
    compared._systems().put(added.fingerprint, (articles.fingerprint, added))
    address = {"articles": name, "systems": f"{own[0].fingerprint},{added.fingerprint}"}
    app = judged_by("Quirin", **address)
    answer_all(app)
    done = app.get("progress")[0].proto.text
    assert done.startswith("**1**") or "1** of 2" in done
    shelf._store.cache_clear()
    st.cache_resource.clear()
    later = opened("evaluate", token=token_of(app), **address)
    assert not later.error
    assert later.get("progress")[0].proto.text == done
    assert any(f"C {what}" in words(later) for what in ("storms", "rain"))
    again = compared.opened_articles(name)
    assert (again.title, again.fingerprint) == ("own.csv", articles.fingerprint)
    assert list(again.outputs) == [one.fingerprint for one in own]
    page = {"headline": "B storms", "url": "https://a.example/1"}
    the_journal().append("notes/one", [NewEntry(kind="note", body=page)])
    forget(the_journal(), secret_of(ErasureTarget.URL, page["url"]), {})
    shelf._store.cache_clear()
    assert "B storms" not in str(taken(the_journal()).entries)
    assert compared.opened_articles(name).articles.texts == ("Rain in Oslo.",)


def test_answers_of_two_windows_stay_side_by_side():
    first = judged_by("Ida", seed="8")
    second = opened("evaluate", seed="8", token=token_of(first))
    first.segmented_control(key="rate-0-1-readability").set_value(4)
    second.segmented_control(key="rate-0-1-numeral_accuracy").set_value(2)
    settled(first)
    settled(second)
    settled(first)
    for app in (first, second):
        assert app.segmented_control(key="rate-0-1-readability").value == 4
        assert app.segmented_control(key="rate-0-1-numeral_accuracy").value == 2


@pytest.mark.slow
@pytest.mark.usefixtures("workshop")
def test_a_workshop_shows_sums_and_nobodys_single_answers():
    judges = [judged_by(name, seed="9", count="2") for name in ("Jan", "Kim", "Lou")]
    for app in judges[:2]:
        answer_all(app)
    shown = opened("evaluate", show="results", seed="9", count="1")
    ours = shown.dataframe[0].value.set_index("System").loc[NAMES]
    assert set(ours[ours.columns[0]]) == {"–"}
    assert "at least 3 judges" in words(shown)
    # Nothing is promised that a made-up name breaks.
    assert "who judges under several names" in words(shown)
    assert {"JSON"} == {one.label for one in shown.get("download_button")}
    answer_all(judges[2])
    settled(shown)
    ours = shown.dataframe[0].value.set_index("System").loc[NAMES]
    assert "–" not in set(ours[ours.columns[0]])


def test_answers_that_cannot_be_kept_are_told(tmp_path, monkeypatch):
    app = judged_by("Eve", seed="4")
    (tmp_path / "file").write_text("not a folder")
    monkeypatch.setenv(VARIABLE, sqlite_url(tmp_path / "file" / "below"))
    press(app, "ask-")
    assert any("cannot be made" in error.value.replace("\\", "") for error in app.error)
    assert "0** of 40" in app.get("progress")[0].proto.text
    assert "Eve" not in the_journal().people("ratings/")


def test_no_name_stands_in_the_address_and_none_leaves_the_folder(tmp_path):
    app = judged_by("../../../oops", seed="5")
    answer_all(app)
    assert "oops" not in str(app.query_params)
    assert not list(user_folder().parent.glob("*oops*"))


def article_pieces():
    """Some words of each article that no headline holds and that markdown leaves as they are."""
    headlines = " \n".join(headline for one in OUTPUTS for headline in one.headlines)
    found = [re.findall(r"(?:\b[a-z]{2,} ){4}", text) for text in ARTICLES.texts]
    return [next(piece for piece in pieces if piece not in headlines) for pieces in found]


def sent(app):
    return "".join(str(getattr(node, "proto", "")) for node in app.main)


def test_the_italian_forms_article_is_not_sent_before_question_three():
    app = judged_by("Ned", seed="21", form="italian.v1", count="1")
    pieces = article_pieces()
    seen = []
    for _ in range(30):
        if not asks(app):
            break
        question = int(asks(app)[0].key.split("-")[2])
        seen.append(question)
        shown = sent(app)
        assert sum(piece in shown for piece in pieces) == (0 if question < 3 else 1), question
        assert ("The article is shown here after question 3." in shown) == (question < 3)
        press(app, "ask-")
    # Three systems: each, three pairs, one; the article; each, and an order whose last place follows.
    assert seen == [0, 0, 0, 1, 1, 1, 2, 3, 3, 3, 4, 4]
    assert "All done, thank you" in words(app)


def test_questions_before_the_article_are_closed_once_it_was_shown():
    app = judged_by("Ola", seed="22", form="italian.v1", count="1")
    for _ in range(6):
        press(app, "ask-")
    other = opened("evaluate", seed="22", form="italian.v1", count="1", token=token_of(app))
    assert not app.button(key="evaluate-undo").disabled
    press(app, "ask-")
    assert app.button(key="evaluate-undo").disabled
    before = other.segmented_control(key="rate-0-1-correctness").value
    settled(other.segmented_control(key="rate-0-1-correctness").set_value(1 - before))
    assert any("the questions before it are closed" in error.value for error in other.error)
    assert other.segmented_control(key="rate-0-1-correctness").value == before
    assert other.segmented_control(key="rate-0-1-correctness").disabled
    press(app, "ask-")
    assert not app.button(key="evaluate-undo").disabled


def test_preferences_are_asked_in_pairs_and_ranked():
    app = judged_by("Rae", seed="25", form="preference.v1", count="2")
    offered = [(button.label, button.proto.shortcut) for button in asks(app)]
    assert offered == [("Headline 1", "1"), ("Equal", "0"), ("Headline 2", "2")]
    for _ in range(3):
        press(app, "ask-")
    assert "This article is judged" in words(app)
    settled(app.segmented_control(key="evaluate-shown").set_value("results"))
    (ranked,) = (frame.value for frame in app.dataframe if "Strength" in frame.value.columns)
    assert set(ranked["System"]) == set(NAMES)
    assert "took the headline shown first" in words(app)


@pytest.mark.slow
def test_the_advisor_is_folded_and_computes_when_it_is_asked():
    app = opened("evaluate", show="results", seed="26", count="3")
    assert "How many judges?" not in words(app)
    settled(app.toggle(key="evaluate-power-plan").set_value(True))
    assert "items do not show a difference of 10.0 % to 3 judges" in words(app)
    settled(app.number_input(key="evaluate-power-judges").set_value(10))
    assert "items show a difference of 10.0 % to 10 judges." in words(app)
    assert "False alarms" in words(app)


def test_a_form_of_ones_own_is_judged():
    text = 'title = "Mine"\n[[questions]]\nkey = "clear"\ntext = "Is it clear?"\nanswers = ["no", "yes"]\n'
    added = add_form(text.encode(), "mine.toml")
    app = judged_by("Sol", seed="27", form=added.name, count="1")
    assert "Headline 1 · Is it clear?" in words(app)
    for _ in range(3):
        press(app, "ask-")
    assert "All done" in words(app)
    strange = opened("evaluate", form="own-none-12345678")
    assert "Are its numbers correct?" in words(strange)


def test_who_is_signed_in_judges_by_that_name_alone(monkeypatch):
    said = {"X-Lab-User": "Zoë Núñez".encode().decode("latin-1")}
    monkeypatch.setattr(type(st.context), "headers", property(lambda _: said))
    token = Judges(journal=the_journal()).take("Bo")
    monkeypatch.setenv(HEADER, "X-Lab-User")
    before = set(the_journal().people("ratings/"))
    app = opened("evaluate", seed="1", token=token)
    assert "Judging as **Zoë Núñez**" in words(app)
    assert not any(str(field.key).startswith("evaluate-") for field in app.text_input)
    assert "Your link" not in words(app)
    answer_all(app)
    assert set(the_journal().people("ratings/")) - before == {"Zoë Núñez"}
    said.clear()
    app = settled(app)
    assert "Nobody is signed in here" in words(app)
    assert not asks(app)
    monkeypatch.delenv(HEADER)
    assert opened("evaluate").text_input(key="evaluate-judge").value == ""
