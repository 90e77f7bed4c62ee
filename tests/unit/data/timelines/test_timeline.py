import numpy as np
import pytest

from core.data.timelines import load as samples
from core.data.timelines.load import load, load_sample
from core.errors import UnknownNameError

DATA = b"headline,date,group\nA b,2015-01-14,1\nC d,,2\nE f,2015-01-15T12:00:00Z,\n"


def test_columns_of_the_table():
    table = load(DATA, "a.csv").table
    assert list(table.columns) == [
        "headline", "published", "day_only", "publisher", "url", "authors", "body", "language", "gold_group",
    ]  # fmt: skip
    assert str(table["published"].dtype) == "datetime64[us, UTC]"
    assert table["day_only"].dtype == bool
    assert table["gold_group"].tolist() == ["1", "2", None]
    assert list(table.index) == [0, 1, 2]


def test_days_undated_and_gold():
    timeline = load(DATA, "a.csv")
    assert timeline.days[0] == 16449.0
    assert np.isnan(timeline.days[1])
    assert timeline.days[2] == 16450.5
    assert timeline.undated == 1
    assert not timeline.has_gold
    assert timeline.headline(2).gold_group is None
    assert [h.row for h in timeline] == [0, 1, 2]


def test_the_fingerprint_depends_on_content_alone():
    first = load(DATA, "a.csv")
    assert first.fingerprint == load(DATA, "b.csv", name="other").fingerprint
    assert len(first.fingerprint) == 16
    assert first.fingerprint != load(DATA.replace(b"A b", b"A c"), "a.csv").fingerprint
    shifted = load(b"headline,publisher\nA b,\n", "a.csv"), load(b"headline,url\nA b,\n", "a.csv")
    assert shifted[0].fingerprint == shifted[1].fingerprint  # neither says anything but the headline


def test_files_of_the_same_headlines_are_told_apart_by_what_else_they_hold():
    first = load(DATA, "a.csv")
    noted = load(
        b"headline,date,group,note\nA b,2015-01-14,1,x\nC d,,2,y\nE f,2015-01-15T12:00:00Z,,z\n", "a.csv"
    )
    with_a_bad_row = load(DATA + b",2015-01-14,1\n", "a.csv")
    files = [first, noted, with_a_bad_row, load(DATA, "b.csv")]
    assert len({one.fingerprint for one in files}) == 1
    assert len({one.file_fingerprint for one in files}) == 4
    assert first.file_fingerprint == load(DATA, "a.csv").file_fingerprint


def test_select_keeps_order_and_originals():
    timeline = load_sample("iss")
    part = timeline.select([5, 2])
    assert part.texts == [timeline.texts[5], timeline.texts[2]]
    assert list(part.original["headline"]) == part.texts
    assert list(part.table.index) == [0, 1]
    with pytest.raises(IndexError):
        timeline.select([99])
    assert len(timeline.select([])) == 0


@pytest.mark.parametrize("name", samples.names())
def test_each_sample_is_what_its_card_says(name):
    card = samples.info(name)
    timeline = samples.load_sample(name)
    assert (len(timeline), timeline.report.format) == (card.rows, card.format)
    assert not timeline.report.rejected
    assert timeline.name == card.title
    assert card.licence
    assert card.source
    assert card.path.stat().st_size < 2_000_000
    readme = (card.path.parent / "README.md").read_text(encoding="utf-8")
    assert card.licence in readme
    assert card.source in readme


def test_iss_is_the_default_and_first():
    assert samples.names() == ["iss", "numhg", "uci"]
    timeline = samples.load_sample()
    assert (len(timeline), timeline.table["gold_group"].nunique()) == (47, 12)
    assert timeline.has_gold


def test_an_unknown_sample():
    with pytest.raises(UnknownNameError, match="iss, numhg, uci"):
        samples.info("moon")
