"""Articles and outputs that mean harm: read as text, drawn as text, written as text."""

import csv
import io
import json

import pytest

from core.data.articles.articles import articles_of
from core.data.articles.load import parse_articles
from core.data.articles.outputs import parse_outputs
from core.errors import CoreError
from core.results.render import neutralise, restored
from tests.hostile.corpus import HEADLINES, table
from tests.hostile.running import settled
from tests.hostile.test_drawn import markdown_is_harmless

ROWS = [["text", "headline", "cluster"], *[[f"{text} said so. {text}", text, text] for text in HEADLINES]]


def test_hostile_articles_are_drawn_as_text(visit):
    app = visit("write")
    app.segmented_control(key="write-source").set_value("A file")
    settled(app)
    app.file_uploader(key="write-upload").set_value(("bad.csv", table(ROWS), "text/csv"))
    settled(app)
    assert not app.error
    row = next(box for box in app.selectbox if box.label == "Article")
    for place in range(len(HEADLINES)):
        row.select_index(place)
        settled(app)
        assert not app.exception
        markdown_is_harmless(app)
        row = next(box for box in app.selectbox if box.label == "Article")


def test_hostile_articles_are_written_as_text(tmp_path, command):
    source, out = tmp_path / "bad.csv", tmp_path / "out.csv"
    source.write_bytes(table(ROWS))
    assert command("write", source, "--system", "first-sentence", "--candidates", 3, "--out", out)[0] == 0
    rows = list(csv.reader(io.StringIO(out.read_text(encoding="utf-8"), newline="")))
    assert len(rows) == len(ROWS)
    assert all(
        neutralise(restored(cell), numbers=False) in (cell, f"'{cell}") for row in rows for cell in row
    )
    lines = tmp_path / "out.jsonl"
    assert command("write", source, "--system", "textrank", "--out", lines)[0] == 0
    assert len([json.loads(line) for line in lines.read_text(encoding="utf-8").split("\n") if line]) == len(
        HEADLINES
    )


def test_hostile_headlines_keep_their_places():
    articles = articles_of("news", ["text"] * len(HEADLINES))
    single = table([["headline"], *[[text] for text in HEADLINES]])
    (outputs,) = parse_outputs(single, "bad.csv", articles)
    assert len(outputs.headlines) == len(HEADLINES)
    assert not any("\n" in line for line in outputs.headlines)


@pytest.mark.parametrize("nest", ["[" * 100_000, '{"text":' * 50_000, "<b>" * 100_000])
def test_deep_nesting_is_refused_or_read(nest):
    read = parse_articles(f'[{{"text": {json.dumps(nest + " a word")}}}]'.encode(), "deep.json")
    assert read.articles.texts[0].endswith("a word")
    with pytest.raises(CoreError):
        parse_articles(nest.encode(), "deep.json")


def test_escaped_tags_are_the_same_article_before_and_after_reading():
    rows = [["text", "headline"], ["&lt;b&gt;Rates&lt;/b&gt; &amp;amp; prices rise.", "Rates"]]
    articles = parse_articles(table(rows), "a.csv").articles
    assert articles.texts == ("<b>Rates</b> &amp; prices rise.",)
    assert parse_outputs(table(rows), "a.csv", articles)[0].headlines == ("Rates",)
