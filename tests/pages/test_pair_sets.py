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


def test_pairs_of_the_open_timeline():
    assert any("**200 pairs**: 143 same event" in text.value for text in opened().markdown)
    app = opened(data="numhg")
    assert any("no human groups" in info.value for info in app.info)
    assert not app.error
