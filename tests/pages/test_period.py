"""The period of the Timeline page: chosen, stepped, kept in the address, and undone."""

from __future__ import annotations

from tests.pages.opening import listed, opened, settled


def test_a_period_narrows_the_list_and_stays_in_the_address() -> None:
    app = opened()
    everything = len(listed(app))
    picked = app.selectbox(key="pick-period")
    assert picked.value == "Whole timeline"
    picked.set_value(next(name for name in picked.options if "Jan 2015" in name))
    settled(app)
    assert not app.exception
    assert app.query_params["from"] in ("2015-01-01", ["2015-01-01"])
    assert 0 < len(listed(app)) < everything
    assert all(one["facts"].endswith("Jan 2015") for one in listed(app))

    app.button(key="period-whole").click()
    settled(app)
    assert len(listed(app)) == everything
    assert "from" not in app.query_params


def test_a_link_holds_days_of_the_readers_own() -> None:
    app = opened(**{"from": "2015-01-10", "to": "2015-01-14"})
    assert all(one["facts"].endswith("Jan 2015") for one in listed(app))
    assert app.selectbox(key="pick-period").value == "Other days …"


def test_why_is_one_click_away_and_numbers_are_checked_on_their_page() -> None:
    app = opened(group="1")
    app.session_state["card-tab-1"] = "Why?"
    settled(app)
    assert not app.exception
    assert any("They are together" in text.value for text in app.markdown)
    app.button(key="check-numbers").click()
    settled(app)
    assert not app.exception
    assert app.title[0].value == "Numerals"
    assert app.text_area(key="numerals-own-headlines").value
