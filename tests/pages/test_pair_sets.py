"""The page of pair sets, run by Streamlit itself without a browser."""

from tests.pages import opening
from tests.pages.opening import settled


def opened(**address):
    return opening.opened("pair_sets", **address)


def said(app, words):
    return any(words in markdown.value for markdown in app.markdown)


def test_another_set_and_its_settings():
    app = opened()
    assert said(app, "3,000 same event, 15,000 different (1 : 5.0)")
    app.selectbox(key="pair-set").set_value("iss.v1")
    assert said(settled(app), "**1,081 pairs** of 47 headlines · 1 timeline · 143 same event")
    app.number_input(key="pair-set-iss.v1-window_days").set_value(4.0)
    assert said(settled(app), "**200 pairs**")
    assert not app.exception
    assert not app.error


def test_filters_narrow_the_table():
    app = opened()
    settled(app.selectbox(key="pair-set").set_value("headlinecause_ru.v1"))
    app.multiselect(key="pair-tag").set_value(["same"])
    settled(app.multiselect(key="pair-part").set_value(["test"]))
    assert any(text.value == "**5** of 447 pairs" for text in app.markdown)
    settled(app.text_input(key="pair-words").set_value("nothing has these words"))
    assert any("No matches" in info.value for info in app.info)


def test_missing_sets_say_where_they_belong(tmp_path, monkeypatch):
    monkeypatch.setenv("HEADLINE_LAB_DATA", str(tmp_path))
    app = opened()
    assert "mrpc.v1" not in app.selectbox(key="pair-set").options
    assert any("mrpc_train_clean.tsv" in text.value.replace("\\", "") for text in app.markdown)
    assert not app.error


def test_pairs_of_the_open_timeline():
    assert any("**200 pairs**: 143 same event" in text.value for text in opened().markdown)
    app = opened(data="numhg")
    assert any("no human groups" in info.value for info in app.info)
    assert not app.error
