"""What is drawn and taken away of a hostile timeline: its text is there, and none of it is alive."""

import csv
import io
import json
import re
import zipfile
from html.parser import HTMLParser

import pandas as pd
import pytest

from components.frame.markdown import SEAM, plain
from core.data.timelines.load import load
from core.events.cards import group_card, group_summaries
from core.events.explanations import why_together
from core.events.export import FORMATS, draw_map, report, report_bundle, table_bytes
from core.events.grouping import Settings, prepare, regroup
from core.events.report import search_script
from core.maps.projector import DEFAULT_MAP
from core.results.delimited import neutralise, restored
from core.runtime import Runtime
from core.text.markup import without_markup
from tests.hostile.corpus import ACTIVE, LOADED, MARKUP
from tests.pages.opening import opened, put, settled, turned

HOSTILE = LOADED["every field hostile"]
OWN_DIRECTIVES = {
    *("green", "blue", "red", "orange", "yellow", "gray"),
    *("red-background", "green-background", "small", "material"),
}


def markdown_is_harmless(app):
    drawn = [*app.markdown, *app.caption, *app.header, *app.title, *app.info, *app.success, *app.warning]
    assert drawn
    for element in drawn:
        assert not getattr(element, "allow_html", False)
        bare = re.sub(r"`[^`]*`", "", re.sub(r"\\.", "", element.value.replace(SEAM, "")))
        assert not re.search(r"<\w|!\[|\]\(|\$|https?:|www\.|:streamlit:|:smile:", bare), element.value
        assert set(re.findall(r":([a-z-]+)[\[/]", bare)) <= OWN_DIRECTIVES, element.value
        assert ":material/home:" not in bare


def figures_are_harmless(app):
    charts = app.get("plotly_chart")
    for chart in charts:
        for text in texts_of(json.loads(chart.proto.spec)):
            bare = re.sub(r"</?i>|<br>|<b>\d+</b>", "", text)
            assert "<" not in bare, text
            assert not any(tag in bare.lower() for tag in ACTIVE if tag.startswith("<")), text
    return len(charts)


def texts_of(node):
    if isinstance(node, str):
        return [node]
    if isinstance(node, dict):
        return [text for value in node.values() for text in texts_of(value)]
    return [text for value in node for text in texts_of(value)] if isinstance(node, list) else []


@pytest.fixture
def app():
    app = opened("open")
    app.file_uploader(key="upload").set_value([(HOSTILE.name, HOSTILE.content, "text/csv")])
    settled(app)
    markdown_is_harmless(app)
    app.button(key="load").click()
    return settled(app)


def test_pages_draw_hostile_text_as_text(app):
    settled(turned(app, "timeline"))
    put(app, "ListView", show="lanes")
    settled(app)
    assert figures_are_harmless(app) == 1
    shown: set[str] = set()
    read = {without_markup(text) for text in MARKUP}
    for group in range(1, 9):
        put(app, "TimelineView", group=group)
        settled(app)
        assert not app.exception
        assert not app.error
        assert any(caption.value.startswith(f"event {group} ·") for caption in app.caption)
        markdown_is_harmless(app)
        assert figures_are_harmless(app) == 1
        shown |= {text for text in read if any(plain(text) in drawn.value for drawn in app.header)}
    assert shown
    put(app, "TimelineView", group=None)
    put(app, "ListView", show="map")
    settled(app)
    for colour in ("group", "gold", "publisher", "date", "language", "score"):
        put(app, "TimelineView", colour=colour)
        settled(app)
        assert not app.error
        markdown_is_harmless(app)
        assert figures_are_harmless(app) == 0  # the map draws texts as texts, see tests/browser
    links = [table.value["Link"] for table in app.dataframe if "Link" in table.value]
    assert links
    for column in links:
        assert all(link.startswith("https://") for link in column.dropna())
        assert column.isna().any()


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        if self.cdata_elem == "script":
            self.scripts.append(data)


def page_is_harmless(page):
    tags = Tags()
    tags.feed(page.decode())
    assert len(tags.found) > 20
    assert "".join(tags.scripts) == search_script()
    assert sum(tag == "script" for tag, _ in tags.found) == 1
    for tag, attributes in tags.found:
        assert tag not in {"iframe", "object", "embed", "base", "form", "link"}
        for name, value in attributes.items():
            assert not name.startswith("on"), (tag, name)
            if name in {"href", "src", "xlink:href"}:
                assert re.match(r"https?://|#|data:image/", value or ""), (tag, value)
                assert tag != "img" or (value or "").startswith("data:")


@pytest.mark.parametrize(
    ("file", "fold"), [(file, place % 2 == 0) for place, file in enumerate(LOADED.values())], ids=list(LOADED)
)
def test_everything_can_be_taken_away(file, fold):
    timeline = load(file.content, file.name)
    prepared = prepare(timeline, Settings(fold=fold), Runtime())
    grouping = regroup(prepared)
    for line in group_summaries(prepared, grouping):
        card = group_card(prepared, grouping, line.group)
        assert card.summary.size == line.size
    last = len(prepared.timeline) - 1
    assert why_together(prepared, grouping, 0, last).link.similarity <= 1.0 + 1e-6
    drawing = draw_map(prepared, DEFAULT_MAP, Runtime())
    page_is_harmless(report(prepared, grouping, drawing))
    bundle = report_bundle(prepared, grouping, drawing)
    assert bundle == report_bundle(prepared, grouping, drawing)
    with zipfile.ZipFile(io.BytesIO(bundle)) as archive:
        assert archive.testzip() is None
        page_is_harmless(archive.read("report.html"))
    tables = {kind: table_bytes(prepared, grouping, kind) for kind in FORMATS}
    for kind, delimiter in (("csv", ","), ("tsv", "\t")):
        rows = list(csv.reader(io.StringIO(tables[kind].decode(), newline=""), delimiter=delimiter))
        assert len(rows) == len(timeline) + 1
        assert all(
            neutralise(restored(cell), numbers=False) in (cell, f"'{cell}") for row in rows for cell in row
        )
    assert len(json.loads(tables["json"])["headlines"]) == len(timeline)
    assert len([json.loads(line) for line in tables["jsonl"].decode().split("\n") if line]) == len(timeline)
    assert len(pd.read_parquet(io.BytesIO(tables["parquet"]))) == len(timeline)
    assert len(pd.read_excel(io.BytesIO(tables["xlsx"]), sheet_name=0)) == len(timeline)
