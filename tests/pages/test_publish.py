"""Every chart, and every table that people would print, has the panel to publish it."""

import pytest

from tests.pages.opening import opened, settled, words

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
    labels = [button.label for button in app.button]
    assert labels.count("Publish this chart") == charts + (name == "map")  # which draws its points itself
    assert set(wanted) <= set(buttons(app))


def test_the_panel_has_words_from_the_data_and_all_files():
    app = settled(next(one for one in opened("pairs").button if one.key == "publish-pairs").click())
    labels = {button.label for button in app.get("download_button")}
    assert {"SVG", "PNG", "HTML", "CSV"} <= labels
    (alt,) = app.text_area
    assert "highest" in alt.value
    assert "F1" in alt.value
    assert {field.label for field in app.text_input} >= {"Title", "Source", "Note"}
    assert "went wrong" not in words(app)


def test_a_table_is_published_with_eight_columns_until_others_are_chosen():
    app = settled(next(one for one in opened("pairs").button if one.key == "publish-pairs-table").click())
    (columns,) = [one for one in app.multiselect if one.label == "Columns"]
    assert len(columns.value) == 7
    assert len(columns.options) > 7
    assert "LaTeX" in {button.label for button in app.get("download_button")}
    (note,) = [field for field in app.text_input if field.label == "Note"]
    assert "share a letter" in note.value
    assert "smallest difference" in note.value
