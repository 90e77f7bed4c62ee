from base64 import b64decode
from itertools import chain
from xml.etree import ElementTree

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

from components.frame.page_state import PARTS
from components.server.places import pages
from components.tour.tour import STEPS
from core.data.timelines.load import load_text
from core.files import ROOT
from core.plugin_files import left_out, page_scripts
from tests.pages.opening import metrics, opened, press, settled, turned, words

PAGES = sorted(path.stem for path in (ROOT / "pages").glob("*.py") if path.stem != "__init__")


@pytest.mark.parametrize("page", [*PAGES, *chain(*PARTS.values())])
def test_every_page_opens_without_a_click(page):
    app = opened(page)
    assert not app.error
    assert len(app.title) == 1


@pytest.mark.parametrize("page", PAGES)
def test_pages_are_thin(page):
    assert len((ROOT / "pages" / f"{page}.py").read_text().splitlines()) <= 120


PLUGIN = """
import streamlit as st
from components.page import page
with page(__file__, "Outlets", "Who reports most?"):
    st.text("drawn by a plugin")
"""


def test_a_page_of_a_plugin_is_drawn_at_its_address_and_the_tour_comes_back_to_it(tmp_path, monkeypatch):
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages/outlets.py").write_text(PLUGIN, encoding="utf-8")
    (tmp_path / "pages/failing.py").write_text("1 / 0", encoding="utf-8")
    (tmp_path / "pages/compare.py").write_text(PLUGIN, encoding="utf-8")
    monkeypatch.setenv("HEADLINE_LAB_PLUGINS", str(tmp_path))
    page_scripts.cache_clear()
    try:
        app = opened("join")  # a page of which nothing is computed
        app._page_hash = calc_hash("outlets")  # as a browser that is at /outlets
        assert settled(app).text[0].value == "drawn by a plugin"
        assert app.title[0].value == "Outlets"
        assert {"outlets", "failing"} < set(pages())  # so that a reload finds the server
        press(app, "tour-start")
        app._page_hash = calc_hash("outlets")  # Streamlit's tester runs a page of the folder without its menu
        press(app, "tour-leave")
        assert app.text[0].value == "drawn by a plugin"
        app._page_hash = calc_hash("failing")
        assert len(settled(app).error) == 1
        app._page_hash = calc_hash("compare")
        assert [title.value for title in settled(app).title] != ["Outlets"]
        assert pages().count("compare") == 1
    finally:
        left_out().pop("plugins/pages/compare.py", None)
        page_scripts.cache_clear()  # last, for `left_out` looks for the pages again


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


@pytest.mark.slow
def test_a_sample_may_be_named_as_the_command_line_names_it():
    assert opened(data="sample:numhg").query_params["data"] in ("numhg", ["numhg"])


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


def test_ticks_that_a_search_hides_stay():
    def page():
        import streamlit as st

        from components.opened.views import timeline as state
        from components.timeline.headline_table import TABLE, _ticked

        state.select(group=None, rows={0}, by=TABLE)
        st.session_state["found"] = {"selection": {"rows": [1]}}
        _ticked("found", [20, 25], [1] * 47)
        st.text(str(sorted(state.now().rows)))

    assert AppTest.from_function(page).run().text[0].value == "[0, 25]"


@pytest.mark.slow
def test_the_tour_shows_what_it_speaks_of_and_gives_the_view_back():
    app = opened(granularity="0.7", group="1")
    before = dict(app.session_state["state_TimelineView"])
    assert before["group"] == 1
    press(app, "tour-start")
    for number, stop in enumerate(STEPS, 1):
        settled(turned(app, stop.page))
        assert not app.error
        assert f"{number} of {len(STEPS)} · {stop.title}" in words(app)
        if stop.title == "A wrong number is caught":
            assert "Pointer coverage" in words(app)
        app.button(key="tour-leave" if stop is STEPS[-1] else "tour-next").click().run()
    settled(turned(app, "timeline"))
    assert {**app.session_state["state_TimelineView"], "epoch": before["epoch"]} == before


PLACES = {
    "lanes": ("timeline", {"show": "lanes"}, ["swimlane"]),
    "map": ("timeline", {"show": "map"}, ["map"]),
    "scores": ("compare", {"show": "scores"}, ["compare", "compare-table", "duel"]),
    "differences": ("compare", {"show": "differences"}, []),
    "numbers": ("compare", {"show": "numbers"}, []),
    "pairs": ("pairs", {}, ["pairs", "pairs-table"]),
    "pair sets": ("pair_sets", {}, ["pair-parts"]),
    "leaderboard": ("leaderboard", {}, ["board", "board-table"]),
    "agreement": ("agreement", {"simulate": "yes"}, ["agreement-table", "agreement-people"]),
    "consistency": ("consistency", {}, ["triangle"]),
    "repairs": ("consistency", {"show": "repairs"}, ["repairs"]),
}
CHARTS = ("vega_lite_chart", "arrow_vega_lite_chart", "plotly_chart")


def buttons(app):
    keys = [str(button.key) for button in app.button if button.label.startswith("Publish this")]
    return [key.removeprefix("publish-") for key in keys]


@pytest.mark.parametrize("name", PLACES)
def test_every_chart_and_table_has_its_panel(name):
    page, address, wanted = PLACES[name]
    app = opened(page, **address)
    charts = sum(len(app.get(kind)) for kind in CHARTS)
    charts += sum('class="figures"' in drawn.proto.body for drawn in app.get("html"))
    labels = [button.label for button in app.button]
    assert labels.count("Publish this chart") == charts + (name == "map")  # which draws its points itself
    assert set(wanted) <= set(buttons(app))


def test_the_panel_has_words_from_the_data_and_all_files():
    app = settled(next(one for one in opened("pairs").button if one.key == "publish-pairs").click())
    labels = {button.label for button in app.get("download_button")}
    assert {"SVG", "PNG", "HTML", "CSV"} <= labels
    (alt,) = [area for area in app.text_area if area.label == "Alt text"]
    assert "highest" in alt.value
    assert "F1" in alt.value
    assert {field.label for field in app.text_input} >= {"Title", "Source", "Note"}
    assert "went wrong" not in words(app)


def preview(app):
    (image,) = [html.proto.body for html in app.get("html") if "data:image/svg" in html.proto.body]
    drawn = b64decode(image.partition("base64,")[2].partition('"')[0]).decode()
    return " ".join(ElementTree.fromstring(drawn).itertext())


@pytest.mark.slow
@pytest.mark.parametrize("what", ["pairs", "pairs-table"])
def test_labels_in_the_picture_are_edited_before_it_is_published(what):
    app = opened("pairs")

    def panel():
        settled(next(one for one in app.button if one.key == f"publish-{what}").click())

    panel()
    (labels,) = [area for area in app.text_area if area.label.startswith("Labels")]
    lines = labels.value.splitlines()
    assert "Token overlap" in preview(app)
    app.session_state[labels.key] = labels.value.replace("Token overlap", "<b>Ours & others</b>")
    panel()  # a whole run closes it
    said = preview(app)
    assert ("<b>Ours & others</b>" in said, "Token overlap" in said) == (True, False)
    app.session_state[labels.key] = "one line"
    panel()
    assert f"{len(lines)} labels" in app.error[0].value


def test_a_table_is_published_with_eight_columns_until_others_are_chosen():
    app = settled(next(one for one in opened("pairs").button if one.key == "publish-pairs-table").click())
    (columns,) = [one for one in app.multiselect if one.label == "Columns"]
    assert len(columns.value) == 7
    assert len(columns.options) > 7
    assert "LaTeX" in {button.label for button in app.get("download_button")}
    (note,) = [field for field in app.text_input if field.label == "Note"]
    assert "share a letter" in note.value
    assert "smallest difference" in note.value
