import re
from dataclasses import dataclass

import pytest

from core.results.chart import ASIDE, PublishedChart, as_svg, broken, data_rows
from core.results.page import from_json, object_json, to_json
from core.results.render import as_csv, as_html, as_latex, as_text
from core.results.table import (
    WARNED,
    Table,
    TableColumn,
    chance,
    duration,
    footnotes,
    percent,
    spanned,
    stars,
    warnings_of,
)
from core.statistics.bootstrap import Figure

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


TABLE = Table(
    columns=(
        TableColumn("System", key="system"),
        TableColumn("ROUGE-1", key="rouge1", form=percent(2), better="higher", parts=WARNED, group="Words"),
        TableColumn("Time", key="seconds", form=duration, better="lower", group="Words"),
        TableColumn("Articles", key="articles"),
        TableColumn("Source", key="source", files_only=True),
    ),
    rows=(
        ("lead_1.v1", Figure(0.25, low=0.2, high=0.3, p=0.004, unit="articles"), 3.0, 1200, "here"),
        ("=cmd|'x'!A1", Figure(0.2, warning="Too few articles."), None, 1200, "-"),
        ("<b>&none", Figure(None, "nobody answered"), 0.25, 0, "here"),
    ),
    below=(("As published", "31.0", None, None, "paper"),),
    title="Headlines & more",
    notes=("Brackets: 95 %\nintervals.",),
    signatures=(("lead_1.v1", "headline-lab 1.0 · lead"),),
)


def test_text_aligns_columns_and_says_what_is_missing():
    lines = as_text(TABLE).splitlines()
    assert lines[0].split() == ["System", "ROUGE-1", "Time", "Articles"]
    assert set(lines[1]) == {"-"}
    assert len(lines[1]) == max(map(len, lines[:6]))
    assert re.split(r" {2,}", lines[2]) == ["lead_1.v1", "25.00 [20.00, 30.00]**", "3.0 s", "1,200"]
    assert re.split(r" {2,}", lines[3]) == ["=cmd|'x'!A1", "20.00 †", "–", "1,200"]
    assert re.split(r" {2,}", lines[4]) == ["<b>&none", "–", "0.2 s", "0"]
    assert lines[-1] == "intervals."
    assert as_text(TABLE, turned=True).splitlines()[0].startswith("System")


def test_csv_has_every_value_as_stored_and_no_formula():
    header, first, second, *_ = as_csv(TABLE).splitlines()
    assert header == "system,rouge1,rouge1_low,rouge1_high,rouge1_warning,seconds,articles,source"
    assert first == "lead_1.v1,0.25,0.2,0.3,,3,1200,here"
    assert second == "'=cmd|'x'!A1,0.2,,,Too few articles.,,1200,'-"


def test_latex_marks_the_best_and_escapes_the_rest():
    text = as_latex(TABLE)
    assert r"\begin{tabular}{lrrr}" in text
    assert r" & \multicolumn{2}{c}{Words} &  \\" in text
    assert r"lead\_1.v1 & \textbf{25.00}$^{**}$ & 3.0 s & 1,200 \\" in text
    assert r" & {\scriptsize [20.00, 30.00]} &  &  \\[2pt]" in text
    assert r"20.00$^\dagger$" in text
    assert r"\textbf{0.2 s}" in text
    assert text.count(r"\midrule") == 2
    (note,) = [line for line in text.splitlines() if "Brackets: 95" in line]
    assert not note.startswith("%")
    assert text.index(note) > text.index(r"\end{tabular}")
    assert text.endswith("% lead_1.v1: headline-lab 1.0 · lead\n")
    assert "scriptsize" not in as_latex(TABLE, spans=False)


def test_html_escapes_strangers_text():
    text = as_html(TABLE)
    assert "&lt;b&gt;&amp;none" in text
    assert "<b>" not in text
    assert '<td class="number">25.00 [20.00, 30.00]**</td>' in text


def test_forms():
    assert spanned(None, percent()) == "–" == chance(None)
    assert [chance(p) for p in (0.0004, 0.25)] == ["<0.001", "0.250"]
    assert [stars(p) for p in (None, 0.05, 0.049, 0.0099)] == ["", "", "*", "**"]
    assert [duration(s) for s in (9.94, 119, 600, 7200)] == ["9.9 s", "119 s", "10 min", "2.0 h"]
    assert footnotes([*warnings_of(TABLE), "Too few articles."]) == ["† Too few articles."]
    # Two lines with one mark would leave open which of them is meant.
    assert footnotes(["One.", "", "Two.", "One."]) == ["† One. Two."]


@dataclass(frozen=True, slots=True)
class Kept:
    """What is stored in these tests."""

    name: str
    figures: dict[str, Figure]
    bins: tuple[tuple[float, int | None], ...] = ()


KEPT = Kept("a", {"f1": Figure(0.5, low=0.25, high=1.0)}, ((1.0, None), (2.0, 3)))


def _read(text):
    return from_json(Kept, text, layout=2, what="a table", hint="Run it again.")


def test_json_is_read_back_with_its_types():
    text = to_json(KEPT, layout=2)
    assert _read(text) == KEPT
    assert text.count("\n") == 9
    assert '"value": 0.5' in object_json(KEPT)
