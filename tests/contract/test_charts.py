"""Every chart of the pages goes one way, and can be published as a file that is safe wherever it lands."""

import ast
import base64
import csv
import inspect
import io
import json
import math
import re
from datetime import UTC, datetime, timedelta
from html.parser import HTMLParser
from importlib import import_module
from itertools import combinations, pairwise
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pandas as pd
import pytest

from components.frame.charts import theme
from components.frame.charts.agreement_charts import divided_chart, sides_chart, time_chart
from components.frame.charts.colouring import by_category, by_number, greyed
from components.frame.charts.intervals import figure_chart, interval_chart, slice_chart, span
from components.frame.charts.level_chart import level_chart
from components.frame.charts.maps import disagreement_chart, map_chart
from components.frame.charts.number_chart import number_chart
from components.frame.charts.pair_charts import (
    day_chart,
    driver_chart,
    part_chart,
    ratio_chart,
    reliability_chart,
)
from components.frame.charts.show_chart import in_print_colours
from components.frame.charts.stacked_bars import light_chart, numeral_chart, operator_chart
from components.frame.charts.swimlane import EDGE, HINTED, layout, swimlane_chart, swimlane_figure
from components.frame.charts.training_curve import training_chart
from components.frame.charts.triangle import triangle_chart
from core.data.pair_sets.pair_statistics import PartCounts
from core.events.lanes import Lane, Mark
from core.events.number_lines import NumberLine, ValuePoint
from core.files import ROOT
from core.groups.granularity import CUTS
from core.headlines.comparison.slices import Slice
from core.headlines.metrics import Column
from core.headlines.numeral_scores import OperatorShare
from core.maps.labels import MapLabel
from core.numerals.checked_headline import Light
from core.numerals.operators import OPERATORS
from core.palette import DARK, LIGHT, NEUTRAL_LIGHT
from core.parts import Part
from core.results.chart import SIZES, PublishedChart, as_embed, as_png, as_svg
from core.results.delimited import delimited
from core.results.fonts import font
from core.results.number_forms import percent
from core.results.render import clean
from core.results.table import Table, TableColumn
from core.results.text_lines import text_width
from core.results.vega import as_svg as drawn_svg
from core.results.vega import data_rows
from core.results.vega_picture import vega_picture
from core.statistics.bootstrap import Figure

HOSTILE = "<script>alert(1)</script> & ]]> \u202eabc \u0001 שלום"
HEADLINES = ("Crew leaves the US segment", HOSTILE, "False alarm on the station")
_COLUMN = Column(name="x", label="Mean ROUGE", help="x", higher_is_better=True)
_PLACES = np.array([[0, 0], [1, 0.4], [0.4, 1]], dtype=np.float32)

_VALUES = (
    ValuePoint(0, HOSTILE, 12, 12, 12, "", "12 dead"),
    ValuePoint(1, "Reuters", 40, 40, math.inf, "at least", HOSTILE),
    ValuePoint(2, HOSTILE, 38, 30, 38, "range", "30 to 38 dead", "corrected", until=1),
)


def _swimlane(width=1000):
    start = datetime(2015, 1, 14, 9, tzinfo=UTC)
    lanes = [
        Lane(at, text, tuple(Mark(start + timedelta(days=d + at), "a day", HOSTILE, text) for d in range(3)))
        for at, text in enumerate(HEADLINES)
    ]
    lanes.append(Lane(3, "When was it?", (Mark(None, "no date", "", "When was it?"),)))
    return swimlane_chart(lanes, width=width)


def test_every_report_has_a_place_and_no_mark_of_a_lane_hides_another():
    start = datetime(2015, 1, 14, tzinfo=UTC)
    for reports, apart in ((4, 9), (30, 2), (300, 0.2)):
        times = [start + timedelta(hours=apart * at**1.1) for at in range(reports)]
        marks = [Mark(time, "a day", "Reuters", "Alarm") for time in times] + [
            Mark(None, "", "", "When?")
        ] * 3
        dots = layout([Lane(1, "Alarm", tuple(marks))], 1000).dots
        assert sum(len(dot.marks) for dot in dots) == len(marks)
        gaps = [math.dist((a.x, a.y), (b.x, b.y)) for a, b in combinations(dots, 2)]
        assert min(gaps, default=99) > 9


def test_on_a_phone_time_has_a_strip_below_the_words_of_each_lane():
    start = datetime(2015, 1, 14, tzinfo=UTC)
    marks = tuple(
        Mark(start + timedelta(days=40 * at), "a day", "Reuters", "Alarm") for at in (0, 0, 0, 1, 9)
    )
    lanes = [Lane(at, "Alarm", marks) for at in (1, 2)]
    placed, figure = layout(lanes, 358), swimlane_figure(lanes, selected=(), width=358)
    bands = [each for each in figure.layout.shapes if each.type == "rect" and each.xsizemode is None]
    assert {round(each.y1 - each.y0) for each in bands} == {24}
    for at in range(len(lanes)):
        own = [each.y0 for each in bands if at * placed.row < each.y0 < (at + 1) * placed.row]
        words = [each for each in placed.words if each.lane is not None and each.y // placed.row == at]
        assert max(each.y + each.down + each.size / 2 for each in words) <= min(own)
    assert max(dot.size for dot in placed.dots) <= 18
    strokes = [
        each for each in figure.layout.shapes if each.type == "line" and each.line.color == theme.LIGHT.muted
    ]
    gaps = [(end, begin) for (_, end), (begin, _) in pairwise(placed.stretches)]
    assert len(strokes) == 2 * len(gaps) > 0, "where time is cut out there are two strokes"
    assert all(any(end <= each.x0 < each.x1 <= begin for end, begin in gaps) for each in strokes)


@pytest.mark.parametrize("large", [False, True])
@pytest.mark.parametrize("width", [820, 1232])
def test_words_of_a_gap_keep_off_the_dates_beside_it(monkeypatch, width, large):
    monkeypatch.setattr("components.frame.charts.swimlane.is_large", lambda: large)
    start, gaps = datetime(2015, 1, 14, tzinfo=UTC), 0
    for days in range(1, 50):
        times = [start + timedelta(days=day) for day in (*range(days), days + 500, days + 503, days + 1100)]
        marks = tuple(Mark(time, "a day", "Reuters", "Alarm") for time in times)
        placed = layout([Lane(1, "Alarm", marks)], width)
        row = sorted((words for words in placed.words if words.down == -13), key=lambda words: words.x)
        gaps += len(placed.stretches) - 1
        for one, other in pairwise(row):
            assert other.x - one.x - text_width(one.text) * one.size >= 4, (days, one.text, other.text)
    assert gaps >= 49


def test_in_a_narrow_window_titles_of_lanes_have_two_lines_and_reports_are_small():
    start = datetime(2015, 1, 14, tzinfo=UTC)
    title = "A headline that is far too long for the third of a narrow window in which titles stand"
    marks = tuple(Mark(start + timedelta(days=40 * (at // 9)), "a day", "ap", "Alarm") for at in range(10))
    placed = layout([Lane(1, title, marks), Lane(2, "Short", marks)], 772)
    for lane, lines in enumerate((3, 2)):
        own = [each for each in placed.words if each.lane == lane]
        assert len(own) == lines
        ends = (each.x + HINTED * text_width(each.text) * each.size for each in own)
        assert max(ends) <= placed.left - EDGE
        for above, below in pairwise(own):
            assert below.y + below.down - above.y - above.down >= below.size
        assert placed.row * lane <= own[0].y + own[0].down - own[0].size / 2
        assert own[-1].y + own[-1].down + own[-1].size / 2 <= placed.row * (lane + 1)
    assert max(dot.size for dot in placed.dots) <= 18
    assert min(each.size for each in placed.words) >= 13
    assert max(dot.size for dot in layout([Lane(1, title, marks)], 1000).dots) > 18


def _training():
    lines: list[dict[str, Any]] = [{"step": at, "steps": 50, "loss": 1 / (at + 1)} for at in range(1, 50)]
    lines += [{"step": at, "steps": 50, "validation": {"f1": at / 60, "loss": 0.4}} for at in (20, 40)]
    return training_chart(sorted(lines, key=lambda line: int(line["step"])))


def _map(colouring):
    label = MapLabel(group=1, row=1, x=1.0, y=0.4, size=2, text=HOSTILE)
    return map_chart(_PLACES, HEADLINES, colouring, labels=[label], selected=[0])


EXAMPLES = {
    "divided_chart": lambda: divided_chart(
        pd.DataFrame({"D": [80, 20], "S": [10, 60], "Headline": HEADLINES[:2]}), differ="D", side="S"
    ),
    "sides_chart": lambda: sides_chart(
        pd.DataFrame({"Headline": HEADLINES[:2], HOSTILE: [3, 0], "b": [1, 2]}), [HOSTILE, "b"]
    ),
    "interval_chart": lambda: interval_chart(
        [{"System": HOSTILE, **span(0.5, 0.4, 0.7)}, {"System": "b", **span(0.2, None, None)}], title="F1"
    ),
    "figure_chart": lambda: figure_chart(
        TableColumn("Mean ROUGE", form=percent()),
        [(HOSTILE, Figure(0.5, low=0.4, high=0.6)), ("c", Figure(0.3)), ("a", Figure(0.2))],
    ),
    "slice_chart": lambda: slice_chart(
        _COLUMN,
        {"a": 0, HOSTILE: 1, "without a value": 2},
        [Slice(kind="Length", label="short", articles=9, figures=(Figure(0.2), Figure(0.3), Figure(None)))],
    ),
    "map_chart": lambda: _map(by_category(["Reuters", HOSTILE, None])),
    "map_chart by number": lambda: _map(by_number([0.0, 1.0, float("nan")], ("early", HOSTILE))),
    "disagreement_chart": lambda: disagreement_chart(_PLACES, HEADLINES, np.array([0.0, 0.5, np.nan])),
    "numeral_chart": lambda: numeral_chart({"worse": {Light.WRONG: 2}, HOSTILE: {Light.FOUND: 3}}),
    "light_chart": lambda: light_chart(
        {
            "worse": {Light.WRONG: 2, Light.SUPPORTED: 1, Light.CHECK: 0, None: 0},
            HOSTILE: {Light.WRONG: 0, Light.SUPPORTED: 1, Light.CHECK: 0, None: 1},
        }
    ),
    "operator_chart": lambda: operator_chart(
        [
            OperatorShare(system=name, operator=how, numerals=3, share=Figure(0.5))
            for name, how in (("a", list(OPERATORS)[1]), (HOSTILE, next(iter(OPERATORS))))
        ]
    ),
    "level_chart": lambda: level_chart((np.linspace(0.9, 0.4, len(CUTS)), np.linspace(0, 1, len(CUTS))), 0.6),
    "day_chart": lambda: day_chart(np.array([4, 2, 1]), np.array([0, 3, 5])),
    "part_chart": lambda: part_chart([PartCounts(Part.TRAIN, 9, 4, 5, 0), PartCounts(Part.TEST, 3, 1, 2, 0)]),
    "ratio_chart": lambda: ratio_chart({HOSTILE: np.array([0.2, 0.5]), "MRPC": np.array([0.8])}),
    "reliability_chart": lambda: reliability_chart([(0, 0.5, 4, 0.3, 0.2), (0.5, 1, 9, 0.8, 0.9)]),
    "driver_chart": lambda: driver_chart([("a word", 0.1), (HOSTILE, -0.7)]),
    "swimlane_chart": _swimlane,
    "training_chart": _training,
    "time_chart": lambda: time_chart(
        Table(
            columns=tuple(TableColumn(key, key) for key in ("version", "to", "answers", "alpha")),
            rows=(
                ("1", "2026-11-24", "12", Figure(0.4, low=0.2, high=0.6)),
                (HOSTILE, "2026-11-25", "9", Figure(0.7)),
            ),
        )
    ),
    "number_chart": lambda: number_chart(
        NumberLine("dead", _VALUES, _VALUES[-1]),
        [datetime(2015, 1, day, 9, tzinfo=UTC) for day in (14, 15, 16)],
    ),
    "triangle_chart": lambda: triangle_chart(
        HEADLINES, ["14 Jan", "", HOSTILE], [0.9, 0.8, 0.1], [True, True, False]
    ),
}


DRAWN = {"plotly_chart", "altair_chart", "vega_lite_chart", "line_chart", "bar_chart", "area_chart",
         "scatter_chart", "pyplot", "graphviz_chart", "pydeck_chart"}  # fmt: skip
THE_WAY = ROOT / "components/frame/charts/show_chart.py"
SVG = "{http://www.w3.org/2000/svg}"
TITLE = f"What the outlets say {HOSTILE}"


def _sources():
    return [ROOT / "app.py", ROOT / "menu.py", *ROOT.glob("pages/*.py"), *ROOT.glob("components/**/*.py")]


def test_no_page_draws_a_chart_around_the_one_way():
    around = [
        f"{path.relative_to(ROOT)}:{node.lineno} {node.attr}"
        for path in _sources()
        if path != THE_WAY
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute) and node.attr in DRAWN
    ]
    assert around == []


def test_every_chart_has_an_example():
    found = set()
    for path in (ROOT / "components/frame/charts").glob("*.py"):
        module = import_module(f"components.frame.charts.{path.stem}")
        found |= {
            name
            for name, one in vars(module).items()
            if inspect.isfunction(one)
            and one.__module__ == module.__name__
            and re.fullmatch(r"[a-z]\w*_chart", name)
            and name != "show_chart"
        }
    assert found == {name.split()[0] for name in EXAMPLES}


def _published(name, *, size="Web", title=TITLE):
    spec = EXAMPLES[name]().to_dict()
    return PublishedChart(
        picture=vega_picture(spec), title=title, source=f"Source: {HOSTILE}", size=SIZES[size]
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", EXAMPLES)
def test_its_svg_holds_title_and_font_and_nothing_that_runs_or_loads(name):
    drawn = as_svg(_published(name), font=font())
    root = ET.fromstring(drawn)
    assert root.get("width") == str(SIZES["Web"].width)
    assert re.search(r"@font-face\{[^}]*url\(data:font/woff2;base64,[\w+/=]{4000,}\)", drawn)
    texts = " ".join("".join(one.itertext()) for one in root.iter(f"{SVG}text"))
    said = " ".join(re.sub("[\u0001\u2067\u2069]", "", texts).split())
    assert "What the outlets say <script>alert(1)</script> & ]]>" in said
    assert _bad(root) == []


def _bad(root):
    """Whatever in an SVG runs, loads or leads elsewhere."""
    found = []
    for one in root.iter():
        kind = one.tag.rpartition("}")[2]
        if kind in {"script", "image", "a", "use", "foreignObject", "iframe", "animate", "set"}:
            found.append(kind)
        for name, value in one.attrib.items():
            outside = re.search(r"https?:|javascript:|url\((?!#)", value, re.IGNORECASE)
            if name.rpartition("}")[2].lower() == "href" or name.lower().startswith("on") or outside:
                found.append(f"{kind} {name}={value[:40]}")
        if kind == "style":
            found += re.findall(r"url\((?!data:font)[^)]*|@import", one.text or "")
    return found


@pytest.mark.parametrize("name", EXAMPLES)
def test_its_data_are_rows_with_a_header(name):
    header, *rows = csv.reader(io.StringIO(delimited(data_rows(EXAMPLES[name]().to_dict()))))
    assert header
    assert rows
    assert {len(row) for row in rows} == {len(header)}
    assert not [cell for row in rows for cell in row if cell.startswith("{")]


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_mark_has_its_entry_in_the_legend_and_no_entry_is_without_a_mark(name):
    for field, domain, values in _legends(EXAMPLES[name]().to_dict()):
        drawn = {line.get(field) for line in values} - {None}
        assert drawn <= set(domain), f"{drawn - set(domain)} are drawn and not named"
        if not name.startswith("map_chart"):
            assert set(domain) <= drawn, f"{set(domain) - drawn} are named and not drawn"


def _legends(spec):
    """Field, names in the legend, and all data of each encoding that has named entries."""
    named = spec.get("datasets", {})
    every = [line for rows in _data(spec, named) for line in rows]
    for part in _parts(spec):
        for one in part.get("encoding", {}).values():
            named_entries = isinstance(one, dict) and one.get("legend") and one.get("type") == "nominal"
            if named_entries and isinstance(one.get("scale"), dict):
                yield one["field"], one["scale"]["domain"], every


def _parts(spec):
    yield spec
    for kind in ("layer", "vconcat"):
        for child in spec.get(kind, ()):
            yield from _parts(child)


def _data(spec, named):
    for part in _parts(spec):
        data = part.get("data", {})
        yield named.get(data.get("name"), data.get("values", []))


# What a screen's red, green and blue become for an eye without the cones of red, and without those of green.
# Source: Machado, Oliveira and Fernandes (2009), severity 1.
BLIND = {
    "protanopia": [[0.152, 1.053, -0.205], [0.115, 0.786, 0.099], [-0.004, -0.048, 1.052]],
    "deuteranopia": [[0.367, 0.861, -0.228], [0.280, 0.673, 0.047], [-0.012, 0.043, 0.969]],
}
TO_XYZ = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]


def _lab(colour, eye):
    channels = np.array([int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)])
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    xyz = TO_XYZ @ np.clip(np.array(eye) @ linear, 0, 1) / [0.9505, 1, 1.089]
    cube = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * cube[1] - 16, 500 * (cube[0] - cube[1]), 200 * (cube[1] - cube[2])])


@pytest.mark.parametrize("eye", BLIND)
@pytest.mark.parametrize("name", [*EXAMPLES, "the palette"])
def test_neighbours_are_told_apart_by_colour_blind_readers(name, eye):
    if name == "the palette":
        scales = [list(LIGHT)]
    else:
        encodings = [
            part.get("encoding", {}) for part in _parts(in_print_colours(EXAMPLES[name]().to_dict()))
        ]
        scales = [
            each["color"]["scale"]["range"]
            for each in encodings
            if "range" in (each.get("color", {}).get("scale") or {})
            and not {"shape", "strokeDash"} & each.keys()
        ]
    for colours in scales:
        for left, right in pairwise(colours):
            assert np.linalg.norm(_lab(left, BLIND[eye]) - _lab(right, BLIND[eye])) >= 10, (left, right)


def test_the_side_that_contradicts_is_the_loudest_and_corners_beside_fields_have_headlines_where_they_fit():
    def drawn(*links, width=700, **look):
        texts = ["A crew lands", "A rocket starts", "A crew moves"]
        chart = triangle_chart(texts, ["1 May"] * 3, [0.9, 0.8, 0.1], links, **look)
        return vega_picture(chart.to_dict())(width, 400)[0]

    def seen(picture, said):
        found = re.findall(rf"<text[^>]*>[^<]*(?:<tspan[^>]*>)?[^<]*{said}", picture)
        return [' opacity="0"' not in text for text in found]

    broken, whole = drawn(True, True, False), drawn(True, True, True)
    assert re.findall(r'stroke-width="(\d)" stroke-dasharray="10,6"', broken) == ["4"]
    assert "10,6" not in whole
    assert re.search(r'font-size="16px" font-weight="600"[^>]*>0.10 different', broken)
    assert re.search(r">\W?A rocket starts", broken)
    for width, fits in ((700, True), (390, False)):
        beside = drawn(True, True, False, width=width, fields=True)
        assert set(seen(beside, "A rocket starts")) == {fits}
        assert set(seen(beside, "1 May")) == {not fits}, "else the date stands alone"


def test_curves_of_training_are_named_in_a_line_above_the_plot_of_a_phone():
    spec = _training().to_dict()
    data = [part.get("data", {}) for part in _parts(spec)]
    (names,) = [each["values"] for each in data if "more of Loss" in each.get("name", "")]
    assert [row["text"] for row in names] == ["─ Loss", "━ Mean of 20"]
    assert len({(row["y"], row["dy"]) for row in names}) == 1
    assert names[0]["dx"] < names[1]["dx"]


def test_a_training_whose_measures_could_not_be_measured_is_drawn():
    lines = [{"step": at, "steps": 9, "loss": 1 / at, "validation": {"f1": None}} for at in range(1, 10)]
    assert "Nothing could be measured" in json.dumps(training_chart(lines).to_dict())


def test_a_map_has_colour_for_what_is_chosen_alone():
    seen = greyed(by_category(["Reuters", "ap", "Reuters"]), [0])
    assert [hue == NEUTRAL_LIGHT for hue in seen.colours] == [False, True, True]
    assert not seen.legend


@pytest.mark.slow
def test_a_published_chart_has_the_colours_of_paper_in_a_dark_window(monkeypatch):
    def spec(dark):
        monkeypatch.setattr(theme, "is_dark", lambda: dark)
        return in_print_colours(EXAMPLES["map_chart"]().to_dict())

    assert data_rows(spec(dark=True)) == data_rows(spec(dark=False))
    assert not any(colour in str(spec(dark=True)) for colour in (*DARK, theme.DARK.text, theme.DARK.paper))


@pytest.mark.parametrize("width", [SIZES["Phone"].across, SIZES["Column"].across])
def test_lanes_use_the_width_of_a_phone(width):
    drawn, across, _ = vega_picture(_swimlane(width).to_dict())(width, 500)
    plot = re.findall(r'class="background"[^>]* d="M[\d.]+,[\d.]+h([\d.]+)v', drawn)[0]
    assert across == width
    assert float(plot) > 0.97 * width


def test_published_lanes_name_the_days_the_quiet_between_them_and_reports_without_a_date():
    start = datetime(2015, 1, 14, 9, tzinfo=UTC)
    times = [start, start + timedelta(days=3), start + timedelta(days=400)]
    lane = Lane(
        1, "It", tuple(Mark(time, "a day", name, "It") for time, name in zip(times, "abc", strict=True))
    )
    undated = Lane(2, "When?", (Mark(None, "no date", "", "When?"),))
    shown = {words.text for words in layout([lane, undated], 1000).words}
    assert {"14 Jan", "17 Jan", "13 mo", "18 Feb", "2015", "2016", "no date"} <= shown
    assert any(text.endswith("a first") for text in shown)
    drawn = "".join(ET.fromstring(as_svg(_published("swimlane_chart"))).itertext())
    assert "14 Jan" in drawn
    assert "no date" in drawn


def test_twelve_lanes_fit_a_picture_for_the_web():
    start = datetime(2015, 1, 14, 9, tzinfo=UTC)
    lanes = [Lane(at, "It", (Mark(start + timedelta(days=at), "a day", "a", "It"),)) for at in range(12)]
    picture = vega_picture(swimlane_chart(lanes, width=SIZES["Web"].across).to_dict())
    drawn = as_png(PublishedChart(picture=picture, title="It " * 30, source="a"), font=font())
    assert int.from_bytes(drawn[20:24], "big") <= 900


@pytest.mark.parametrize("size", [next(iter(SIZES)), list(SIZES)[-1]])
def test_its_picture_has_the_size_that_was_chosen(size):
    drawn = as_png(_published("figure_chart", size=size), font=font())
    assert drawn.startswith(b"\x89PNG")
    pixels = tuple(int.from_bytes(drawn[at : at + 4], "big") for at in (16, 20))
    assert pixels == (SIZES[size].width, SIZES[size].height)


@pytest.mark.parametrize(
    ("title", "end"),
    [
        ("שלום לכולם, אמר הנשיא", "end"),
        ("Said: \u202eabc", "start"),
        ("word " * 200, "start"),
        ("x" * 900, "start"),
    ],
)
def test_a_title_of_any_length_and_direction_stays_inside(title, end):
    root = ET.fromstring(as_svg(_published("figure_chart", title=title)))
    lines = [one for one in root.findall(f"{SVG}text") if one.get("font-size") == "20"]
    assert 1 <= len(lines) <= 4
    assert {one.get("text-anchor") for one in lines} == {end}
    assert all(len("".join(one.itertext())) < 90 for one in lines)


class _Embed(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))


def test_its_html_is_one_picture_with_alt_text_and_without_script_or_network():
    made = as_embed(_published("map_chart"), font=font())
    assert made.isascii()
    page = _Embed()
    page.feed(made)
    [(figure, _), (tag, looks)] = page.tags
    assert (figure, tag) == ("figure", "img")
    assert looks["alt"] == clean(TITLE.replace("\u0001", ""))
    head, _, data = str(looks["src"]).partition(",")
    assert head == "data:image/svg+xml;base64"
    svg = ET.fromstring(base64.b64decode(data))
    assert _bad(svg) == []
    assert svg.findtext(f"{SVG}title") == svg.findtext(f"{SVG}desc") == clean(TITLE.replace("\u0001", ""))
    assert len(made) < 60_000


def test_two_long_names_of_a_legend_stand_one_below_the_other():
    short, long = (day_chart(np.array([count]), np.array([count])) for count in (5, 15_000))
    columns = [chart.to_dict()["encoding"]["color"]["legend"]["columns"] for chart in (short, long)]
    assert columns == [2, 1]


def test_a_long_name_stands_whole_in_two_lines_around_the_place_of_its_mark():
    name = "MiniLM twin of Electra fine-tuned on headlines, both orders of equation five"
    figures = [(name, Figure(0.8)), ("Short", Figure(0.7))]
    root = ET.fromstring(drawn_svg(figure_chart(TableColumn("F1"), figures).to_dict()))
    texts = [[*each.itertext()] for each in root.iter(f"{SVG}text")]
    (lines,) = (parts for parts in texts if "MiniLM" in "".join(parts))
    assert " ".join(lines) == name
    assert len(lines) == 2
    assert ["Short"] in texts
