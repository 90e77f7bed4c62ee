from datetime import UTC, datetime

import msgspec
import pytest

from core import files
from core.errors import InputError
from core.journal.forget import ErasureTarget, secret_of
from core.live import log as logs
from core.live.changes import Arrival, ChangeKind, StreamChange, StreamRecord
from core.live.follow import Following, follow, problem_of
from core.live.log import StreamHeader, StreamLog, StreamReader, stream_file
from core.live.sources import source_of
from core.runtime import Runtime

HEADER = StreamHeader(source="/news/day.csv")


def record(number):
    key = f"{number:032x}"
    change = StreamChange(kind=ChangeKind.OPENED, group=number, keys=(key,), alike=0.1, line=0.3)
    when = datetime(2024, 5, 6, tzinfo=UTC)
    headline = Arrival(key=key, text=f"Überschrift {number}\u2028", published=when)
    return StreamRecord(number=number, time=datetime.now(UTC), headline=headline, changes=(change,))


def look(log, source):
    how = {"seconds": 1, "once": True, "told": lambda *_: None, "note": print}
    follow(StreamLog(log.path), Following(header=HEADER, source=source, **how), Runtime())


@pytest.fixture
def log(tmp_path):
    found = StreamLog(tmp_path / "day.jsonl")
    found.begin(HEADER)
    return found


@pytest.mark.parametrize("left", [1, 20, 80])
def test_a_line_that_a_kill_cut_off_is_nothing_and_spoils_nothing(log, left):
    log.append([record(1), record(2)])
    whole = log.path.read_bytes()
    start = whole.rstrip(b"\n").rfind(b"\n") + 1
    log.path.write_bytes(whole[: start + left])
    assert logs.header_of(log.path) == HEADER
    assert [one.number for one in StreamLog(log.path).new()] == [1]
    log.append([record(2)])
    assert [one.number for one in StreamLog(log.path).new()] == [1, 2]


def test_two_processes_do_not_follow_into_one_file(log, growing):
    source = source_of(str(growing))
    with files.only_one(log.looked) as alone:
        assert alone
        with pytest.raises(InputError, match="Another process"):
            look(log, source)
    look(log, source)


def test_what_is_wrong_with_a_source_is_said_until_it_is_read_again(log, growing):
    source, good = source_of(str(growing)), growing.read_bytes()
    look(log, source)
    assert problem_of(log) is None
    growing.write_bytes(bytes(range(256)) * 4)
    look(log, source)
    said, since = problem_of(log)
    assert growing.name in said
    look(log, source)
    assert problem_of(log) == (said, since)
    growing.unlink()
    look(log, source)
    assert problem_of(log)[0] != said
    growing.write_bytes(good + b"One more headline of the day,2024-05-09,wire\n")
    look(log, source)
    assert problem_of(log) is None
    assert sum(one.headline is not None for one in StreamLog(log.path).new()) == 3


def test_streams_are_kept_by_name_and_a_source_has_one_name():
    name = logs.name_for("https://example.org/News/feed.xml")
    assert logs.name_for("https://example.org/News/feed.xml?page=1") != name
    assert name.startswith("example-org-news-feed-xml-")
    path = stream_file(name)
    StreamLog(path).begin(HEADER)
    assert path.read_bytes().startswith(b'{"stream":1,')  # which later versions have to read
    assert logs.kept_streams() == [path]
    for wrong in ("", "../day", "Day", "a" * 61, ".hidden"):
        with pytest.raises(InputError, match="cannot be called"):
            stream_file(wrong)


def test_a_headline_is_forgotten_where_it_is_and_other_streams_stay_as_they_are(tmp_path, monkeypatch):
    monkeypatch.setenv("HEADLINE_LAB_USER", str(tmp_path))
    secret = secret_of(ErasureTarget.PUBLISHER, "The Bugle")
    assert logs.kept_streams() == logs.clean_streams(secret) == []
    for name, publisher in (("bugle", "The Bugle"), ("wire", "wire")):
        headline = msgspec.structs.replace(record(1).headline, publisher=publisher)
        records = [msgspec.structs.replace(record(1), headline=headline), record(2)]
        StreamLog(stream_file(name)).begin(HEADER)
        StreamLog(stream_file(name)).append(records)
    assert list(logs.headlines_in_streams(secret)) == [record(1).headline.text]
    before = stream_file("wire").read_bytes()
    assert logs.clean_streams(secret) == [{"stream": "bugle", "removed": 1}]
    assert stream_file("wire").read_bytes() == before
    left = list(StreamLog(stream_file("bugle")).new())
    assert [one.headline and one.headline.text for one in left] == [None, record(2).headline.text]


def test_a_merger_after_the_first_look_is_listed_by_the_earliest_headline_of_its_group(log):
    merged = StreamChange(kind=ChangeKind.MERGED, group=2, source=1, alike=0.4, line=0.3)
    looked = StreamRecord(number=3, time=datetime.now(UTC), ends_look=True, changes=())
    log.append([record(1), record(2), looked])
    reader = StreamReader(StreamLog(log.path))
    assert (reader.digest(0).log, reader.digest(0).groups) == ((), 2)
    log.append([StreamRecord(number=4, time=datetime.now(UTC), changes=(merged,))])
    found = reader.digest(3)
    assert [(one.title, one.change.source) for one in found.log] == [(record(1).headline.text, 1)]
    assert (found.groups, found.looked, found.changed_count, found.changed[0].size) == (1, 3, 1, 2)
    assert found.changed[0].title == record(1).headline.text
