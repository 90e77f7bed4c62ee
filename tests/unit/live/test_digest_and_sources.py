import time

import pytest

from core.errors import InputError
from core.live.changes import Arrival
from core.live.follow import FileSource, is_followed, is_starting, source_of, start, stop
from core.live.log import StreamHeader, StreamLog, StreamReader, stream_file
from core.live.stream import Stream
from core.runtime import Runtime
from tests.unit.live.conftest import HEADER, rows


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


def looked(source, *, last=False):
    notes: list[str] = []
    found: list[Arrival] = source.look(last=last, note=notes.append)
    return sorted(one.text.split()[2] for one in found), notes


def test_a_file_is_read_when_it_grew_and_a_headline_keeps_its_key(growing):
    source = source_of(str(growing))
    first = source.look(last=False, note=print)
    assert looked(source) == ([], [])
    with growing.open("a", encoding="utf-8") as file:
        file.write(rows(3))
    again = source.look(last=False, note=print)
    assert [one.key for one in again][: len(first)] == [one.key for one in first]
    assert [one.text.split()[2] for one in again] == ["1", "2", "3"]


def test_a_line_that_is_not_whole_waits_until_it_is_or_nobody_looks_again(growing):
    source = source_of(str(growing))
    with growing.open("a", encoding="utf-8") as file:
        file.write("Headline number 3 says")
    assert looked(source)[0] == ["1", "2"]
    with growing.open("a", encoding="utf-8") as file:
        file.write(" something,2024-05-03,wire")
    assert looked(source)[0] == ["1", "2"]
    waits = ["growing.csv: the last line has no line end; it waits until it has one."]
    assert [looked(source) for _ in range(3)] == [([], waits), ([], []), ([], [])]
    assert looked(source_of(str(growing)), last=True)[0] == ["1", "2", "3"]
    with growing.open("a", encoding="utf-8") as file:
        file.write(" and radio\n")
    (added,) = [one for one in source.look(last=False, note=print) if one.text.split()[2] == "3"]
    assert added.publisher == "wire and radio"


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
    with growing.open("a", encoding="utf-8") as file:
        file.write(",2024-05-03,wire\n" + "x" * 10_001 + ",2024-05-03,wire\n" + rows(3))
    source = FileSource(growing)
    found, (said,) = looked(source)
    assert found == ["1", "2", "3"]
    assert said.startswith("growing.csv: 2 rows excluded: line 4, headline: ")
    assert "; line 5, headline: " in said
    with growing.open("a", encoding="utf-8") as file:
        file.write(rows(4))
    assert looked(source) == (["1", "2", "3", "4"], [])
    with growing.open("a", encoding="utf-8") as file:
        file.write(",2024-05-03,wire\n" * 7)
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
    notes: list[str] = []
    assert source.look(last=False, note=notes.append) == []
    path.write_text(head + "Storm hits,2024-05-06\n", encoding="utf-8")
    assert [one.text for one in source.look(last=False, note=notes.append)] == ["Storm hits"]
    assert notes == []
    for spoiled in (b"<html>\n<body>Not found</body>\n</html>\n", bytes(range(256)) * 9):
        path.write_bytes(spoiled)
        for _ in range(3):
            assert source.look(last=False, note=notes.append) == []
    path.unlink()
    assert source.look(last=False, note=notes.append) == []
    assert len(notes) == 3
    assert notes[-1] == "news.csv could not be read: it is not there."
    path.write_text(head, encoding="utf-8")
    with pytest.raises(InputError, match="header but no rows"):
        FileSource(path).look(last=True, note=notes.append)
