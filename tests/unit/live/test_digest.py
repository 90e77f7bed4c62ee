"""What a reader is shown of a stream, and streams that the app follows in processes of their own."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from core.errors import InputError
from core.live.changes import Arrival, ChangeKind, StreamChange, StreamRecord
from core.live.follow import StreamDigest, StreamReader, is_followed, is_starting, start, stop
from core.live.log import StreamHeader, StreamLog, stream_file
from core.live.stream import Stream
from core.runtime import Runtime
from tests.unit.live.conftest import rows


def test_a_digest_is_what_the_records_say(iss: list[Arrival], tmp_path: Path) -> None:
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


def test_only_what_was_there_before_a_look_can_merge_or_split(iss: list[Arrival], tmp_path: Path) -> None:
    def change(kind: ChangeKind, group: int, source: int = 0, *keys: str) -> StreamChange:
        return StreamChange(kind=kind, group=group, source=source, keys=keys, line=0.5)

    a, b, c = iss[:3]
    opened, merged, moved = ChangeKind.OPENED, ChangeKind.MERGED, ChangeKind.MOVED
    looks = [
        (a, [change(opened, 1, 0, a.key)]),
        (b, [change(opened, 2, 0, b.key), change(merged, 1, 2)]),
        (None, [change(ChangeKind.SPLIT, 3, 1, b.key)]),
        (c, [change(opened, 4, 0, c.key)]),
        (None, [change(moved, 1, 4, c.key), change(merged, 3, 1)]),
    ]
    log = StreamLog(tmp_path / "by-hand.jsonl")
    log.begin(StreamHeader(source="by hand"))
    for number, (headline, changes) in enumerate(looks, start=1):
        ends = {"level": 0.5, "ends_look": True} if headline is None else {"headline": headline}
        log.append([StreamRecord(number=number, time=datetime.now(UTC), changes=tuple(changes), **ends)])
    digest = StreamReader(StreamLog(log.path)).digest(0)
    assert [(one.change.kind, one.change.group, one.change.source) for one in digest.log] == [(merged, 3, 1)]


def test_a_date_that_no_news_can_have_or_none_spoils_no_list(iss: list[Arrival], tmp_path: Path) -> None:
    def digest(name: str, arrivals: list[Arrival]) -> StreamDigest:
        log = StreamLog(tmp_path / name)
        log.begin(StreamHeader(source="iss"))
        stream = Stream(Runtime())
        log.append([*stream.add(arrivals), stream.regroup()])
        return StreamReader(StreamLog(log.path)).digest(0)

    far = Arrival(key="f" * 32, text="Bread is cheaper", published=datetime(9999, 1, 1, tzinfo=UTC))
    undated = [Arrival(key=f"{n:032x}", text=one.text, published=None) for n, one in enumerate(iss[:5])]
    without, found = digest("without", iss), digest("with", [*iss, far, *undated])
    assert found.undated == without.undated + 5
    assert found.newest == without.newest == max(one.published for one in iss if one.published)
    assert [one.title for one in found.new] == [one.title for one in without.new]
    assert [one.title for one in found.growing] == [one.title for one in without.growing] != []


def _until(holds: Callable[[], bool]) -> None:
    until = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < until, "it never came to that"
        time.sleep(0.1)


@pytest.mark.slow
def test_the_app_follows_in_a_process_of_its_own_until_it_is_stopped(
    growing: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
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
