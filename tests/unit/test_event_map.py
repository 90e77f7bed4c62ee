"""The map in a notebook: what is chosen there arrives in Python, and what is selected in Python is shown."""

import sys

import pandas as pd
import pytest

from core.archive.points import SPAN
from core.errors import InputError, ModelUnavailableError
from headline_lab import group_headlines
from headline_lab.bench import map_widget

HOSTILE = "Flood kills 12 in Lindau <img src=x onerror=alert(1)"
HEADLINES = [
    *("Storm hits the coast", "", "The storm hits the coast", "Bank cuts interest rates"),
    *("Interest rates cut by bank", "Crew returns to earth", HOSTILE),
]
MOMENT = 1_700_000_000_000


@pytest.fixture
def shown():
    pytest.importorskip("anywidget", reason="the extra `notebook` is not installed")
    return map_widget(HEADLINES, scorer="levenshtein")


def choose(widget, kind, value):
    """Sets the trait as the front end does, by a message."""
    widget.set_state({"_choice": [kind, value, MOMENT]})


def point_of(widget, row):
    """The place among the points that the browser gets of a headline."""
    return [text[0] for text in widget._content["texts"]].index(HEADLINES[row])


def test_a_click_selects_the_event_in_rows_of_the_list_and_escape_nothing(shown):
    groups = group_headlines(HEADLINES, scorer="levenshtein")["group"]
    for row in (0, 3, 5, 6):
        choose(shown, "point", point_of(shown, row))
        assert shown.selected == groups.index[groups == groups[row]].tolist()
        assert shown.headlines == [HEADLINES[at] for at in shown.selected]
    choose(shown, "point", -1)
    assert shown.selected == shown.headlines == []


def test_a_lasso_selects_what_lies_inside(shown):
    shown.selected = [0]
    choose(shown, "lasso", [[-SPAN, 0], [SPAN, 0], [SPAN, SPAN]])  # not on the map
    assert shown.selected == []
    choose(shown, "lasso", [[0, 0], [SPAN // 2, 0], [SPAN // 2, SPAN], [0, SPAN]])
    left = shown.selected
    choose(shown, "lasso", [[SPAN // 2, 0], [SPAN, 0], [SPAN, SPAN], [SPAN // 2, SPAN]])
    assert left
    assert shown.selected
    assert not {*left} & {*shown.selected}
    assert 1 not in (*left, *shown.selected)  # no headline


@pytest.mark.parametrize(
    "value", [None, "", 10**9, True, [], [["a", 1]] * 3, [[float("inf"), 1]] * 3, {"x": 1}]
)
def test_what_is_no_choice_selects_nothing(shown, value):
    for kind in ("point", "lasso", "other"):
        shown.selected = [0]
        choose(shown, kind, value)
        assert shown.selected == []


def test_what_is_selected_in_python_is_sent_to_be_marked(shown):
    before = shown._shown
    shown.selected = [0, 2]
    assert shown._shown["found"] == 2
    assert shown._shown["marked"] != before["marked"] == ""
    assert shown.headlines == [HEADLINES[0], HEADLINES[2]]
    shown.selected = [0, 1]  # the second is no headline
    assert shown._shown["found"] == 1
    shown.selected = [1, len(HEADLINES)]
    assert shown._shown == before


def test_what_people_wrote_is_in_no_markup_and_no_script(shown):
    assert HOSTILE in {text[0] for text in shown._content["texts"]}
    assert "Lindau" not in shown._html + shown._esm


def test_rows_of_a_data_frame_and_of_a_sample_are_counted_as_groups_are():
    pytest.importorskip("anywidget", reason="the extra `notebook` is not installed")
    frame = pd.DataFrame({"headline": HEADLINES[::-1]})
    widget = map_widget(frame, scorer="levenshtein")
    widget.selected = [4]
    assert widget.headlines == [HEADLINES[2]]
    with pytest.raises(InputError):
        map_widget([])


def test_without_the_extra_a_sentence_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "anywidget", None)
    monkeypatch.delitem(sys.modules, "headline_lab.event_map", raising=False)
    with pytest.raises(ModelUnavailableError, match="anywidget") as raised:
        map_widget(HEADLINES)
    assert "headline-lab[notebook]" in str(raised.value)
