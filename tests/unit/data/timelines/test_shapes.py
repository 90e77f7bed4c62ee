"""Files of the sources of this trade."""

import json

import pytest

from core.data.timelines import readers, shapes
from core.data.timelines.load import load
from core.data.timelines.preview import sniff
from core.data.timelines.timeline import Field
from core.errors import InputError
from core.files import ROOT
from tests.unit.data.timelines import source_samples as source

UNDATED = {"maxqda", "mind", "ag_news"}  # have no dates
WITHOUT_OUTLETS = {
    "x_analytics",
    "x_archive",
    "lemmy",
    "asana",
    "trello",
    "json_feed",
    "activitypub",
    "nyt_top_stories",
    "gdelt_doc_csv",
    "hacker_news",
    "hacker_news_search",
    "mind",
}  # the host of the address stands in
WITHOUT_ADDRESSES = {
    "ground_truth",
    "maxqda",
    "asana",
    "youtube_playlist",
    "nexis",
    "nexis_tools",
    "nexis_uni",
    "genios",
    "factiva",
    "factiva_snapshot",
    "youtube_api",
    "telegram",
}
RESEARCH = {"hlgd_timeline", "uci_news_aggregator"}  # in a table of their own
LATER = {"gdelt_doc", "gdelt_gkg"}


def test_each_shape_has_a_sample():
    assert {*source.SAMPLES, *source.REFUSED} == {layout.name for layout in shapes.layouts()}


@pytest.mark.parametrize("name", source.SAMPLES)
def test_a_source_is_recognised_and_its_fields_are_found(name):
    filename, text = source.SAMPLES[name]
    timeline = load(text.encode(), filename)
    assert timeline.report.format == name
    assert timeline.texts == list(source.TITLES)
    assert not timeline.report.rejected
    assert readers.title(name) in timeline.report.notes[0]
    if name in {"ag_news", "asana", "ground_truth"}:
        return
    hosts = ("harbour.example", "finance.example")
    assert timeline.publishers == list(hosts if name in WITHOUT_OUTLETS else source.OUTLETS)
    if name not in WITHOUT_ADDRESSES:
        assert list(timeline.table[Field.URL]) == list(source.ADDRESSES)
    if name not in UNDATED | LATER:
        days = [str(day)[:10] for day in timeline.table[Field.PUBLISHED]]
        assert days == list(source.DAYS)
    bodies = timeline.table[Field.BODY].dropna()
    assert all(body.startswith(source.TEXT[:20]) for body in bodies)
    authors = set(timeline.table[Field.AUTHORS].dropna())
    assert all("{" not in author and "[" not in author for author in authors)


@pytest.mark.parametrize("name", source.REFUSED)
def test_tables_without_headlines_are_refused_with_what_to_take_instead(name):
    with pytest.raises(InputError, match="no headlines") as refused:
        load(source.REFUSED[name].encode(), "20240115061500.export.CSV")
    assert "GKG" in refused.value.hint


def test_a_shape_is_told_in_the_preview_and_can_be_changed():
    filename, text = source.SAMPLES["media_cloud"]
    assert sniff(text.encode(), filename).format == "media_cloud"
    plain = load(text.encode(), filename, format="csv")
    assert (plain.report.format, plain.report.format_told) == ("csv", True)
    filename, text = source.SAMPLES["newsapi"]
    with pytest.raises(InputError, match="Media Cloud"):
        load(text.encode(), filename, format="media_cloud")


def test_flattened_answers_are_recognised_too():
    rows = [
        {
            "abstract": "a",
            "snippet": "s",
            "web_url": url,
            "pub_date": time,
            "source": "The Daily",
            "headline.main": title,
            "headline.kicker": "",
        }
        for title, _, url, _, time, _ in source.ROWS
    ]
    timeline = load(json.dumps(rows).encode(), "flat.json")
    assert (timeline.report.format, timeline.texts) == ("nyt_search", list(source.TITLES))
    csv = "source/id,source/name,author,title,url,urlToImage,publishedAt\n,Harbour Post,,A storm hits the coast,https://x.example/1,,2024-01-15T06:10:00Z\n"
    timeline = load(csv.encode(), "flat.csv")
    assert (timeline.report.format, timeline.publishers) == ("newsapi", ["Harbour Post"])


def test_columns_that_people_added_are_kept():
    filename, text = source.SAMPLES["media_cloud"]
    head, *rows = text.splitlines()
    marked = "\n".join([f"{head},group", *(f"{row},{number}" for number, row in enumerate(rows, 1))])
    timeline = load(marked.encode(), filename)
    assert timeline.report.format == "media_cloud"
    assert list(timeline.table[Field.GOLD]) == ["1", "2"]


def test_what_is_recognised_is_documented():
    page = (
        (ROOT / "docs/formats.md")
        .read_text(encoding="utf-8")
        .partition("## Sources")[2]
        .partition("\n## ")[0]
    )
    rows = dict(line.strip("|").split("|")[:2] for line in page.splitlines() if line.startswith("| `"))
    listed = {name.strip(" `"): title.strip() for name, title in rows.items()}
    assert listed == {form.name: form.title for form in shapes.layouts() if form.name not in RESEARCH}
