import pytest
import streamlit as st

from components.page_state import OLD_ADDRESSES
from core.data.timelines.load import load_text
from core.files import ROOT
from tests.pages.opening import listed, metrics, opened, press, put, settled, turned

PAGES = sorted(path.stem for path in (ROOT / "pages").glob("*.py") if path.stem != "__init__")


@pytest.mark.parametrize("page", [*PAGES, *OLD_ADDRESSES])
def test_every_page_opens_without_a_click(page):
    app = opened(page)
    assert not app.error
    assert len(app.title) == 1


@pytest.mark.parametrize("page", PAGES)
def test_pages_are_thin(page):
    assert len((ROOT / "pages" / f"{page}.py").read_text().splitlines()) <= 120


@pytest.mark.slow
@pytest.mark.parametrize(
    ("page", "shown"), [("timeline", "lanes"), ("compare", "scores"), ("consistency", "repairs")]
)
def test_a_link_to_a_view_of_one_page_is_not_refused_by_the_others(page, shown):
    assert not any("in the link" in box.value for box in opened(page, show=shown).warning)


def test_iss_is_grouped_at_once():
    shown = metrics(opened())
    assert shown["Headlines"] == "47"
    assert float(shown["Pair F1"]) >= 0.759
    assert float(shown["AMI"]) >= 0.863


def test_slider_regroups_and_keeps_the_choice_in_the_address():
    app = opened()
    before = metrics(app)["Single reports"]
    settled(app.slider(key="pick-granularity").set_value(0.2))
    assert int(metrics(app)["Single reports"]) > int(before)
    assert app.query_params["granularity"] in ("0.2", ["0.2"])
    press(app, "automatic")
    assert metrics(app)["Single reports"] == before
    assert "granularity" not in app.query_params


def test_link_reopens_the_view():
    app = opened(granularity="0.7", group="1")
    assert app.slider(key="pick-granularity").value == 0.7
    assert any(caption.value.startswith("event 1 ·") for caption in app.caption)

    app = opened(granularity="0.4", method="leiden.v1", encoder="use_multilingual.v1")
    shown = " ".join(caption.value for caption in app.caption)
    assert "leiden.v1" in shown
    assert "use_multilingual.v1" in shown


def test_a_sample_may_be_named_as_the_command_line_names_it():
    assert opened(data="sample:numhg").query_params["data"] in ("numhg", ["numhg"])


def test_only_what_an_earlier_version_lacked_is_called_new():
    lines = [
        "2024-05-01\tReuters\tCentral bank raises rates",
        "2024-05-01\tAP\tCentral bank raises interest rates again",
        "2024-05-30\tReuters\tStorm closes two airports",
        "2024-05-30\tAP\tTwo airports closed by the storm",
    ]
    app = opened("open")
    for more, expected in (([], []), (["2024-05-02\tAP\tFlood hits Passau"], ["Flood hits Passau"])):
        settled(turned(app, "sources"))
        settled(app.text_area(key="pasted").set_value("\n".join([*lines, *more])))
        app.button(key="load").click().run()
        settled(turned(app, "timeline"))
        assert [event["title"] for event in listed(app) if event["trend"] == "new"] == expected


def test_the_lines_that_the_paste_box_shows_become_a_timeline():
    app = opened("open")
    shown = app.text_area(key="pasted").placeholder
    settled(app.text_area(key="pasted").set_value(f"{shown}\nStorm closes two airports\n"))
    app.button(key="load").click().run()
    settled(turned(app, "timeline"))  # where a load without rejected rows leads
    assert not app.error
    assert metrics(app)["Headlines"] == str(len(shown.splitlines()) + 1)
    timeline, (first, second) = load_text(shown), shown.splitlines()
    when = str(timeline.table["published"][0].date())
    assert "\t".join([when, str(timeline.publishers[0]), timeline.texts[0]]) == first
    assert (timeline.texts[1], timeline.undated) == (second, 1)


def test_what_belongs_to_the_old_timeline_is_hidden_while_the_new_one_is_drawn(monkeypatch):
    drawn: list[str] = []
    html = st.html
    monkeypatch.setattr(st, "html", lambda body, **more: drawn.append(str(body)) or html(body, **more))
    app = opened("map")
    settled(app)
    assert not any("data-stale" in body for body in drawn)
    put(app, "TimelineView", data="numhg")
    settled(app)
    assert sum("data-stale" in body for body in drawn) == 1
