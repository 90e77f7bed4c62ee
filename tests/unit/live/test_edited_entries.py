"""A feed that changes a title has edited a headline, and brings no second one."""

import pytest

from cli.live import record_as_object
from core.data.timelines.load import load
from core.events.edited_headlines import edits_table
from core.live.arrivals import arrivals_of
from core.live.digest import StreamReader
from core.live.log import StreamHeader, StreamLog
from core.live.stream import Stream
from core.results.delimited import delimited
from core.runtime import Runtime

OTHERS = ("Bank raises rates again", "Storm closes the airport of Hamburg", "Actors end their strike")


def feed(title, *, time="12:00", link="https://wire.example/a/quake-1", guid="", outlet="Wire"):
    items = [
        f"<item><title>{text}</title><link>https://wire.example/b/{at}</link>"
        f"<pubDate>Mon, 06 May 2024 0{7 + at}:30:00 GMT</pubDate></item>"
        for at, text in enumerate(OTHERS)
    ]
    marked = f"<guid isPermaLink='false'>{guid}</guid>" if guid else ""
    items.append(
        f"<item><title>{title}</title><link>{link}</link>{marked}"
        f"<pubDate>Mon, 06 May 2024 {time}:00 GMT</pubDate></item>"
    )
    text = f"<rss version='2.0'><channel><title>{outlet}</title>{''.join(items)}</channel></rss>"
    return arrivals_of(load(text.encode(), "feed.xml", growing=True))


@pytest.fixture
def log(tmp_path):
    log = StreamLog(tmp_path / "wire.jsonl")
    log.begin(StreamHeader(source="wire"))
    return log


def looked(log, *looks):
    """A stream that was started again before each look."""
    for arrivals in looks:
        stream = Stream(Runtime(), StreamLog(log.path).new())
        log.append([*stream.add(arrivals), stream.regroup()])
    return StreamReader(StreamLog(log.path)).digest(0)


@pytest.mark.slow
def test_another_title_at_one_address_is_one_headline_with_its_history(log):
    first, then = feed("Quake in Peru kills 14"), feed("Quake in Peru kills 9", time="12:04")
    found = looked(log, first, then, then)
    assert (found.headlines, found.versions) == (4, 1)
    (edit,) = found.edits.edits
    assert edit.numbers == ("changed 14 → 9 dead",)
    assert edit.said == "changed 14 → 9 dead, 6 May 2024, 12:04 UTC"
    (group,) = (one for one in (*found.growing, *found.new) if one.title == "Quake in Peru kills 9")
    assert (group.size, [one.text for one in group.headlines]) == (1, ["Quake in Peru kills 9"])
    exported = edits_table(found.edits.timeline, [edit]).rows[0]
    assert {"Quake in Peru kills 14", "Quake in Peru kills 9", "6 May 2024, 12:04 UTC"} <= set(exported)
    timeline = StreamReader(StreamLog(log.path)).timeline("Wire", 9)
    assert timeline.texts[-2:] == ["Quake in Peru kills 14", "Quake in Peru kills 9"]
    assert timeline.editions.outdated == {3}
    assert len(set(timeline.original["stream_group"][-2:])) == 1


def undated(*titles):
    lines = [
        ["publisher", "headline", "url"],
        *(["Wire", text, "https://wire.example/a/1"] for text in titles),
    ]
    return arrivals_of(load(delimited(lines).encode(), "wire.csv"))


QUAKE = "Quake in Peru kills 14", "Quake in Peru kills 9"


def test_of_wordings_that_come_at_once_and_without_a_date_none_replaced_the_other(log):
    found = looked(log, undated(*QUAKE))
    (edit,) = found.edits.edits
    assert (found.versions, edit.numbers, edit.when) == (1, (), "")
    assert "not known" in edit.said
    stream = Stream(Runtime(), StreamLog(log.path).new())
    records = StreamLog(log.path).new()
    assert [record_as_object(stream, each)["replaces"] for each in records if each.headline] == [None, None]


def test_a_wording_that_comes_at_a_later_look_is_the_later_one_unless_its_date_denies_it(log):
    (edit,) = looked(log, undated(QUAKE[0]), undated(*QUAKE)).edits.edits
    assert edit.numbers == ("changed 14 → 9 dead",)
    late = looked(log, feed(QUAKE[1], time="12:04"), feed(QUAKE[0], time="12:00")).edits.edits[0]
    assert (late.numbers, late.when, late.also) == ((), "", QUAKE[0])


@pytest.mark.slow
def test_a_guid_is_enough_also_with_another_address_and_other_words(log):
    found = looked(
        log,
        feed("Blast heard in the port", guid="a7", link="https://wire.example/a/blast"),
        feed("Beirut: at least 78 dead", guid="a7", link="https://wire.example/a/beirut-78-dead"),
    )
    assert (found.headlines, found.versions) == (4, 1)
    assert found.edits.edits[0].when  # when it was seen, where the feed leaves the date


@pytest.mark.slow
def test_an_entry_that_is_only_dated_anew_is_nothing_new(log):
    found = looked(log, feed("Quake in Peru", guid="a7"), feed("Quake in Peru", guid="a7", time="15:00"))
    assert (found.headlines, found.versions, found.edits.edits) == (4, 0, ())


@pytest.mark.slow
def test_an_address_of_unlike_headlines_or_of_another_outlet_is_no_edit(log):
    found = looked(
        log,
        feed("Quake in Peru kills 14"),
        feed("Chess: a draw in Berlin"),
        feed("Quake in Peru kills 15", outlet="The Other"),
    )
    assert (found.versions, found.edits.edits) == (0, ())


@pytest.mark.slow
def test_all_versions_are_kept_and_the_last_one_counts(log):
    titles = ("Quake in Peru kills 14", "Quake in Peru kills 9", "Quake in Peru: 20 dead")
    found = looked(log, *(feed(title, time=f"12:0{at}") for at, title in enumerate(titles)))
    assert (found.headlines, found.versions) == (4, 2)
    texts = found.edits.timeline.texts
    assert [(texts[one.before], texts[one.after]) for one in found.edits.edits] == [titles[1:], titles[:2]]
