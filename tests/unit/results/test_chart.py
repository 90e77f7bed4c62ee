"""Charts for publication."""

import pytest

from core.results.chart import ASIDE, PublishedChart, as_svg, broken, data_rows

SPEC = {
    "data": {"values": [{"a": "<b>one</b>", "b": 1}, {"a": "two", "b": 2}]},
    "mark": "bar",
    "encoding": {"y": {"field": "a", "type": "nominal"}, "x": {"field": "b", "type": "quantitative"}},
}


def chart(**more):
    given = {"spec": SPEC, "title": "Two & one", "source": "Source: <nobody>"}
    return PublishedChart(**(given | more))


def test_title_source_and_data_are_in_the_picture_as_text():
    drawn = as_svg(chart())
    for said in ("Two &amp; one", "Source: &lt;nobody&gt;", "&lt;b&gt;one&lt;/b&gt;", "two"):
        assert f">{said}<" in drawn
    assert "@font-face" not in drawn


def test_data_are_those_of_every_layer_once_and_not_what_is_drawn_aside():
    layers = [
        {"data": {"name": "given"}},
        {"data": {"values": [{"b": 2}]}},
        {"data": {"name": f"{ASIDE}0", "values": [{"note": "x"}]}},
        {"data": {"name": "given"}},
    ]
    found = data_rows({"layer": layers, "datasets": {"given": [{"a": 1}]}})
    assert found == [["a", "b"], [1, None], [None, 2]]


@pytest.mark.parametrize(
    ("text", "most", "lines"),
    [
        ("", 2, ()),
        ("one\ttwo\n three", 9, ("one two", "three")),
        ("one two three four five six", 2, ("one two", "three…")),
        ("a" * 15, 9, ("a" * 7, "a" * 7, "a")),
        ("漢字漢字漢字", 9, ("漢字漢", "字漢字")),
        ("\x07\x00", 9, ()),
    ],
)
def test_a_text_is_broken_between_words_and_where_a_word_is_too_wide(text, most, lines):
    assert broken(text, 3.9, most=most) == lines
