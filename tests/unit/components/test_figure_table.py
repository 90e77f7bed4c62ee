"""The table of figures: the best on top, marks on one scale, and no text of a user as HTML."""

import re
from dataclasses import replace

from components.frame.figure_table import figures_html, finding, told_apart
from core.results.table import Table, TableColumn
from core.statistics.bootstrap import Figure

HOSTILE = "<img src=x onerror=alert(1)>"
ROWS = (
    ("far below", 3, Figure(0.2, low=0.1, high=0.25)),
    (HOSTILE, 4, Figure(0.8, low=0.62, high=0.98)),
    ("nothing", 5, Figure(None)),
    ("second", 6, Figure(0.7)),
)


def table(better="higher"):
    columns = TableColumn("Who"), TableColumn("Groups"), TableColumn("F1", better=better)
    return Table(columns=columns, rows=ROWS, below=(("the model", 7, ""),))


def lines(of):
    return re.findall(r"<tr.*?</tr>", figures_html(of, alt=HOSTILE))[1:]


def ticks(of):
    """The numbers of a scale, each with how far right it stands, in percent."""
    found = re.findall(r'<i style="left:(.*?)%">(.*?)</i>', figures_html(of, alt="F1"))
    return {number: float(place) for place, number in found}


def test_the_best_stands_on_top_and_what_has_no_value_last(monkeypatch):
    monkeypatch.setattr("components.frame.charts.theme.is_dark", lambda: False)
    names = [re.search(r'<th scope="row"[^>]*><span>(.*?)</span>', line)[1] for line in lines(table())]
    assert names == ["&lt;img src=x onerror=alert(1)&gt;", "second", "far below", "nothing", "the model"]
    assert "<img" not in figures_html(table(), alt=HOSTILE)
    first = re.search(r'<th scope="row"[^>]*><span>(.*?)</span>', lines(table("lower"))[0])[1]
    assert first == "far below"
    assert "interval" in lines(table("lower"))[0], "what is best is drawn, also where it is the least"
    assert finding(table("lower")) == "far below has the lowest F1: 0.200"


def test_marks_lie_on_a_scale_that_what_is_far_below_does_not_stretch(monkeypatch):
    monkeypatch.setattr("components.frame.charts.theme.is_dark", lambda: False)
    drawn = lines(table())
    assert ticks(table()) == {"0.6": 0, "0.7": 25, "0.8": 50, "0.9": 75, "1": 100}
    heads = re.findall(r'<th scope="col" class="value">(.*?)</th>', figures_html(table(), alt="F1"))
    assert heads == ["Value", "95 % interval"]
    assert '"--value:50.0%;--low:5.0%;--high:95.0%"' in drawn[0]
    assert '"--value:25.0%;--low:25.0%;--high:25.0%"' in drawn[1]
    assert "interval" not in drawn[2], "it is beyond the edge, and its figures say where"
    assert "below 0.6" in drawn[2]
    assert "[0.100, 0.250]" in drawn[2]
    assert "interval" not in drawn[3]
    one = Table(columns=table().columns[::2], rows=(("all alike", Figure(1.0)),))
    assert "--value:100.0%" in lines(one)[0], "one value has a scale as well, and none above 1"
    assert ticks(one) == {"0.9": 0, "0.95": 50, "1": 100}
    assert drawn[4].startswith('<tr class="below">')


def test_rows_beyond_the_first_window_do_not_stretch_the_scale(monkeypatch):
    monkeypatch.setattr("components.frame.charts.theme.is_dark", lambda: False)
    far = (("thirteenth", 1, Figure(0.55, low=0.5, high=0.6)),)
    many = replace(table(), rows=(*[(f"row {at}", 1, ROWS[1][2]) for at in range(12)], *far))
    assert next(iter(ticks(many))) == "0.6"
    assert "below 0.6" in lines(many)[12]


def test_a_count_says_what_it_is_a_part_of_and_has_the_rest_behind_its_line(monkeypatch):
    monkeypatch.setattr("components.frame.charts.theme.is_dark", lambda: False)
    columns = TableColumn("Who"), TableColumn("First"), TableColumn("Shared", files_only=True)
    first, second = lines(Table(columns=columns, rows=(("A", 2, 2), ("B", 1, 4))))
    assert ["2 of 2" in first, "1 of 4" in second] == [True, True]
    assert "--high:25.0%;--whole:100.0%" in second
    alone = lines(Table(columns=columns[:2], rows=(("A", 2), ("B", 1))))
    assert "--high:50.0%;--whole:50.0%" in alone[1]
    assert " of " not in alone[1]
    drawn = figures_html(Table(columns=columns, rows=(("B", 1, 4),)), alt="First")
    assert re.search(r'First<span class="rest">[^<]*shared', drawn), "its head says what is pale"


def parts(of, told):
    """Names in each part of the drawn table."""
    bodies = re.findall(r"<tbody>(.*?)</tbody>", figures_html(of, alt="F1", parts=told))
    return [re.findall(r'<th scope="row"[^>]*><span>(.*?)</span>', body) for body in bodies]


def test_a_rule_stands_between_what_is_not_told_apart_from_the_best_and_the_rest(monkeypatch):
    monkeypatch.setattr("components.frame.charts.theme.is_dark", lambda: False)
    rows = (
        ("far", Figure(0.1, low=0.0, high=0.2)),
        ("wide", Figure(0.5, low=0.1, high=0.75)),
        ("best", Figure(0.8, low=0.7, high=0.9)),
        ("near", Figure(0.6, low=0.55, high=0.69)),
    )
    of = Table(columns=table().columns[::2], rows=rows, below=(("none", Figure(None)),))
    told = told_apart(of)
    assert parts(of, told) == [["best", "wide"], ["near", "far", "none"]]
    drawn = figures_html(of, alt="F1", parts=told, shaded=True)
    assert re.findall(r'scope="rowgroup" colspan="(\d)"', drawn) == ["4", "4"], (
        "a head is at least as wide as a line"
    )
    assert "--near-low:77.8%;--near-high:100.0%" in drawn, "the field is the interval of the best"
    tested = {"Tied": rows[2:3], "Lower": rows[:2], "Not tested": rows[3:]}
    assert parts(of, tested) == [["best"], ["wide", "far"], ["near", "none"]]
    assert "--near" not in figures_html(of, alt="F1", parts=tested), "a test told them, and no interval"
    less = Table(columns=table("lower").columns[::2], rows=rows)
    assert parts(less, told_apart(less)) == [["far", "wide"], ["near", "best"]]
    assert parts(of, None) == [["best", "near", "wide", "far", "none"]]
    alike = replace(of, rows=rows[1:3])
    assert parts(alike, told_apart(alike)) == [["best", "wide", "none"]], "nothing to tell apart"
    assert told_apart(replace(of, rows=(("only", Figure(0.5)), *rows[:1]))) == {}
