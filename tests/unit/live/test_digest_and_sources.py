import time

import pytest

from core.data.timelines.samples import info
from core.errors import InputError
from core.events.grouping import Settings, prepare, regroup
from core.live.arrivals import Arrival, timeline_of
from core.live.digest import StreamReader
from core.live.file_sources import FileSource
from core.live.follow import Following, follow, is_followed
from core.live.kept import stream_file
from core.live.log import StreamHeader, StreamLog
from core.live.processes import is_starting, remove, replay, start, stop
from core.live.replay import set_speed, speed_of
from core.live.sources import source_of
from core.live.stream import Stream
from core.runtime import Runtime
from tests.unit.live.conftest import HEADER, rows
from tests.unit.live.test_stream import same_groups


@pytest.mark.slow
def test_a_digest_is_what_the_records_say(iss, tmp_path):
    log = StreamLog(tmp_path / "iss.jsonl")
    log.begin(StreamHeader(source="iss"))
    stream = Stream(Runtime())
    reader = StreamReader(StreamLog(log.path))
    half = list(stream.add(iss[:30]))
    log.append(half)
    during = reader.digest(0)
    half.append(stream.regroup())
    log.append(half[-1:])
    first = reader.digest(0)
    assert any(change.source for record in half for change in record.changes)
    assert [(one.log, one.changed) for one in (during, first)] == [((), ())] * 2  # the first look is no news
    assert (during.looked, first.looked) == (0, first.records)
    assert (first.headlines, first.groups, first.records) == (30, len(stream.book.members), len(half))
    rest = [*stream.add(iss), stream.regroup()]
    log.append(rest)
    found = reader.digest(first.records)
    assert found.headlines == 47
    touched = {change.group for record in rest for change in record.changes} & set(stream.book.members)
    assert found.changed_count == len(touched)
    assert {one.number for one in found.changed} <= touched
    for one in (*found.new, *found.growing, *found.changed):
        assert one.size == len(stream.book.members[one.number])
        assert one.more <= one.size
        assert {each.key for each in one.headlines} <= set(stream.book.members[one.number])
    assert all(one.more == one.size for one in found.new)
    assert all(one.size > 1 for one in found.growing)
    timeline = reader.timeline("ISS", 20)
    assert timeline.texts == [one.text for one in iss[-20:]]
    groups = [int(value) for value in timeline.original["stream_group"]]
    assert groups == [stream.book.group_of[one.key] for one in iss[-20:]]


def _until(holds):
    until = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < until, "it never came to that"
        time.sleep(0.1)


@pytest.mark.slow
def test_the_app_follows_in_a_process_of_its_own_until_it_is_stopped(growing, monkeypatch):
    name = start(str(growing))
    assert is_starting(name)
    log = StreamLog(stream_file(name))
    try:
        _until(lambda: is_followed(log) and log.path.exists() and log.path.read_bytes().count(b"\n") >= 3)
        assert not is_starting(name)
        assert start(str(growing)) == name  # it is followed already
        monkeypatch.setenv("HEADLINE_LAB_STREAMS_AT_ONCE", "1")
        other = growing.with_name("other.csv")
        other.write_text(growing.read_text(encoding="utf-8") + rows(3), encoding="utf-8")
        with pytest.raises(InputError, match="1 stream is followed"):
            start(str(other))
    finally:
        stop(log)
    _until(lambda: not is_followed(log))


@pytest.mark.slow
def test_a_replay_is_one_for_all_and_begins_anew_once_it_was_stopped(tmp_path):
    path = tmp_path / "day.csv"
    path.write_text(DAY, encoding="utf-8")
    name = replay(path, 1)
    log = StreamLog(stream_file(name))
    came = 0
    for hours in (1, 2):
        assert replay(path, hours) == name  # it is starting
        _until(lambda: is_followed(log) and log.path.exists() and log.path.read_bytes().count(b"\n") > 2)
        came = log.path.read_bytes().count(b'"headline"')
        assert replay(path, 24) == name  # it is followed, at the speed that was chosen
        assert speed_of(log) == hours
        with pytest.raises(InputError, match="still followed"):
            remove(log)
        assert log.path.read_bytes().count(b'"headline"') >= came
        stop(log)
        _until(lambda: not is_followed(log))
        if hours == 1:
            replay(path, 2)
            assert not log.path.exists()


def add(path, text):
    path.write_bytes(path.read_bytes() + text.encode())


def looked(source, *, last=False):
    notes: list[str] = []
    found: list[Arrival] = source.look(last=last, note=notes.append)
    return sorted(one.text.split()[2] for one in found), notes


def test_a_file_is_read_when_it_grew_and_a_headline_keeps_its_key(growing):
    source = source_of(str(growing))
    first = source.look(last=False, note=print)
    assert looked(source) == ([], [])
    add(growing, rows(3))
    again = source.look(last=False, note=print)
    assert [one.key for one in again][: len(first)] == [one.key for one in first]
    assert [one.text.split()[2] for one in again] == ["1", "2", "3"]


def test_a_line_that_is_not_whole_waits_until_it_is_or_nobody_looks_again(growing):
    source = source_of(str(growing))
    add(growing, "Headline number 3 says")
    assert looked(source)[0] == ["1", "2"]
    add(growing, " something,2024-05-03,wire")
    assert looked(source)[0] == ["1", "2"]
    waits = ["growing.csv: the last line has no line end; it waits until it has one."]
    assert [looked(source) for _ in range(3)] == [([], waits), ([], []), ([], [])]
    assert source.problem == waits[0]
    assert looked(source_of(str(growing)), last=True)[0] == ["1", "2", "3"]
    add(growing, " and radio\n")
    (added,) = [one for one in source.look(last=False, note=print) if one.text.split()[2] == "3"]
    assert (added.publisher, source.problem) == ("wire and radio", "")


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-be", "utf-32", "mac"])
def test_a_file_of_any_encoding_that_is_cut_anywhere_doubles_nothing(tmp_path, encoding):
    # The second byte of U+0A0A and U+010A, and the first of U+0A05, are those of a line end.
    text = HEADER + rows(1) + "Ċ number 2 ਊ ਅ,2024-05-03,ਅ wire\n" + rows(3)
    if encoding == "mac":
        encoding, text = "utf-8", text.replace("\n", "\r")
    data = text.encode(encoding)
    path = tmp_path / "day.csv"
    path.write_bytes(data)
    expected = {one.key for one in FileSource(path).look(last=True, note=print)}
    assert len(expected) == 3
    source = FileSource(path)
    found: set[str] = set()
    for end in range(0, len(data) + 1):
        path.write_bytes(data[:end])
        found |= {one.key for one in source.look(last=False, note=print)}
        assert found <= expected
    assert found == expected


def test_rows_that_cannot_be_used_are_said_once(growing):
    add(growing, ",2024-05-03,wire\n" + "x" * 10_001 + ",2024-05-03,wire\n" + rows(3))
    source = FileSource(growing)
    found, (said,) = looked(source)
    assert found == ["1", "2", "3"]
    assert said.startswith("growing.csv: 2 rows excluded: line 4, headline: ")
    assert "; line 5, headline: " in said
    add(growing, rows(4))
    assert looked(source) == (["1", "2", "3", "4"], [])
    add(growing, ",2024-05-03,wire\n" * 7)
    (said,) = looked(source)[1]
    assert said.startswith("growing.csv: 7 rows excluded: line 8")
    assert said.endswith("; and 2 more.")


def test_a_folder_takes_files_as_they_come_and_goes_on_past_one_that_cannot_be_read(tmp_path):
    (tmp_path / "a.csv").write_text(HEADER + rows(2), encoding="utf-8")
    (tmp_path / "b.xlsx").write_bytes(b"PK\x03\x04 no workbook")
    (tmp_path / "picture.png").write_bytes(b"\x89PNG")
    source = source_of(str(tmp_path))
    found, notes = looked(source)
    assert found == ["2"]
    assert len(notes) == 1
    assert notes[0].startswith("b.xlsx could not be read: ")
    (tmp_path / "c.csv").write_text(HEADER + rows(1), encoding="utf-8")
    assert looked(source) == (["1"], [])


def test_a_table_that_has_only_its_head_is_followed_and_what_is_spoiled_is_named_once(tmp_path):
    path = tmp_path / "news.csv"
    head = "headline,date\n"
    path.write_text(head, encoding="utf-8")
    source = FileSource(path)
    assert looked(source) == ([], [])
    path.write_text(head + "Storm hits Genoa,2024-05-06\n", encoding="utf-8")
    assert looked(source) == (["Genoa"], [])
    for spoiled in (b"<html>\n<body>Not found</body>\n</html>\n", bytes(range(256)) * 9):
        path.write_bytes(spoiled)
        found, notes = zip(*(looked(source) for _ in range(3)), strict=True)
        assert (any(found), sum(map(len, notes))) == (False, 1)
    path.unlink()
    assert looked(source) == ([], ["news.csv could not be read: it is not there."])
    path.write_text(head, encoding="utf-8")
    with pytest.raises(InputError, match="header but no rows"):
        looked(FileSource(path), last=True)


DAY = "headline,date\n" + "".join(
    f"Storm number {hour} closes the harbour,2024-05-01T{hour:02}:00:00Z\n" for hour in range(10)
)


@pytest.fixture
def replayed(tmp_path, monkeypatch):
    """The replay of ten headlines, an hour apart; its log, and a clock that tests move."""
    path, clock = tmp_path / "day.csv", [0.0]
    path.write_text(DAY, encoding="utf-8")
    monkeypatch.setattr("core.live.replay.time.monotonic", lambda: clock[0])
    log = StreamLog(tmp_path / "stream.jsonl")
    return source_of(f"replay:{path}", log=log), log, clock


def test_a_replay_brings_headlines_at_their_own_times_at_the_speed_that_is_chosen(replayed):
    source, log, clock = replayed
    set_speed(log, 1)
    came = [looked(source)[0]]
    for speed, seconds in ((1, 2.5), (0, 100), (1, 0.5), (2, 1), (1, 0.1)):
        set_speed(log, speed)
        clock[0] += seconds
        came.append(looked(source)[0])
    assert came == [["0"], ["1", "2"], [], ["3"], ["4", "5"], []]
    assert source.left == 4
    clock[0] += 60
    assert looked(source)[0] == ["6", "7", "8", "9"]
    assert source.left == 0


def test_a_replay_that_stands_still_for_long_ends_and_goes_on_where_it_was(replayed):
    source, log, clock = replayed
    set_speed(log, 0)
    assert looked(source)[0] == ["0"]
    clock[0] += 601
    assert looked(source)[0] == []
    assert source.left == 0


@pytest.mark.slow
def test_a_replay_ends_by_itself_with_the_groups_of_its_timeline(tmp_path, iss):
    sample = info("iss").path
    log = StreamLog(tmp_path / "replay.jsonl")
    set_speed(log, 1e6)
    how = {"seconds": 0.01, "once": False, "told": lambda *_: None, "note": print}
    source, header = source_of(f"replay:{sample}", log=log), StreamHeader(source=f"replay:{sample}")
    stream = follow(log, Following(header=header, source=source, **how), Runtime())
    groups = regroup(prepare(timeline_of(iss, "iss"), Settings(), Runtime())).ids
    assert same_groups([stream.book.group_of[one.key] for one in iss], groups.tolist())
    remove(log)
    assert not list(tmp_path.glob("replay*"))


def test_what_cannot_be_replayed_is_said(tmp_path):
    (tmp_path / "day.csv").write_text("headline\nStorm\n", encoding="utf-8")
    with pytest.raises(InputError, match="No headline of"):
        looked(source_of(f"replay:{tmp_path / 'day.csv'}"))
    with pytest.raises(InputError, match="A folder cannot be replayed"):
        source_of(f"replay:{tmp_path}")
