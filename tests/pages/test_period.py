"""The period of the Timeline page: chosen, stepped, kept in the address, and undone."""

from __future__ import annotations

from tests.pages.opening import opened, settled


def test_a_period_narrows_the_list_and_stays_in_the_address() -> None:
    app = opened()
    listed = len(app.dataframe[0].value)
    picked = app.selectbox(key="pick-period")
    assert picked.value == "Whole timeline"
    picked.set_value(next(name for name in picked.options if "Jan 2015" in name))
    settled(app)
    assert not app.exception
    assert app.header[0].value == "Events of 1 – 31 Jan 2015"
    assert app.query_params["from"] in ("2015-01-01", ["2015-01-01"])
    table = app.dataframe[0].value
    assert 0 < len(table) < listed
    assert all(day.year == 2015 and day.month == 1 for day in table["First"])
    assert table["Size"].is_monotonic_decreasing

    app.button(key="period-whole").click()
    settled(app)
    assert len(app.dataframe[0].value) == listed
    assert "from" not in app.query_params


def test_a_link_holds_days_of_the_readers_own() -> None:
    app = opened(**{"from": "2015-01-10", "to": "2015-01-14"})
    assert app.header[0].value == "Events of 10 – 14 Jan 2015"
    assert app.selectbox(key="pick-period").value == "Other days …"


def test_why_is_one_click_away_and_numbers_are_checked_on_their_page() -> None:
    app = opened(group="1")
    next(button for button in app.button if button.label == "Why?").click()
    settled(app)
    assert not app.exception
    assert any("They are together" in text.value for text in app.markdown)
    app.button(key="check-numbers").click()
    settled(app)
    assert not app.exception
    assert app.title[0].value == "Numerals"
    assert app.text_area(key="numerals-own-headlines").value
