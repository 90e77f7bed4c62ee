"""Follows a source: looks, groups what is new, and stores it."""

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from core import files
from core.errors import CoreError, InputError
from core.live import changes, excluded_rows, sources
from core.live.alarms import Watch
from core.live.log import StreamHeader, StreamLog, check_stream
from core.live.stream import Stream
from core.runtime import Runtime

_TOGETHER: Final = 32  # records that are stored at once: a disk write each would cost more than grouping
_NAP_SECONDS: Final = 0.2
_TRIES: Final = 5

Told = Callable[[Stream, tuple[changes.StreamRecord, ...]], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Following:
    header: StreamHeader  # what the file of the stream says of it
    source: sources.HeadlineSource  # what is looked at
    seconds: float  # between two looks
    once: bool  # look once, then end
    told: Told  # is given records that are on the disk
    note: excluded_rows.Note  # is told in a sentence what could not be read
    resumed: Told | None = None  # is given all records that were stored before


def follow(log: StreamLog, how: Following, runtime: Runtime) -> Stream:
    """Follows a source to its end, until told to stop, or once; a record is stored before anybody is told."""
    check_stream(log.path)  # before its lock is made beside it
    files.make_folder(log.path.parent)
    with _alone(log), ExitStack() as ending:
        log.settle()
        records = tuple(log.new())
        stream = Stream(runtime, records)
        if how.resumed is not None:
            how.resumed(stream, records)
        log.begin(how.header)
        watch = ending.enter_context(closing(Watch(log, stream.book, records, how.note)))
        while True:
            files.stamp(log.looked)
            try:
                waiting: list[changes.StreamRecord] = []
                gone = log.header.forgotten if log.header is not None else ()
                seen = how.source.look(last=how.once, note=how.note)
                arrivals = [arrival for arrival in seen if arrival.key not in gone]
                log.tell(how.source.problem)
                for record in stream.add(arrivals):
                    waiting.append(record)
                    if len(waiting) == _TOGETHER:
                        _store(stream, log, how, watch, waiting)
                if stream.is_behind and (not how.source.left or stream.is_due):
                    waiting.append(stream.regroup())
                _store(stream, log, how, watch, waiting)
                watch.look()
            except CoreError as error:
                if stream.book.records:
                    log.tell(error.message)
                else:
                    log.remove()
                raise
            if how.once or how.source.left == 0 or _stopped(log, runtime, how.seconds):
                return stream


def _store(
    stream: Stream, log: StreamLog, how: Following, watch: Watch, waiting: list[changes.StreamRecord]
) -> None:
    if waiting:
        log.append(waiting)
        watch.take(waiting)
        how.told(stream, tuple(waiting))
        waiting.clear()
        files.stamp(log.looked)


def stop_file(log: StreamLog) -> Path:
    return log.path.with_name(f".{log.path.name}.stop")


def is_followed(log: StreamLog) -> bool:
    if not log.looked.exists():
        return False
    with files.only_one(log.looked) as free:
        return not free


def _stopped(log: StreamLog, runtime: Runtime, seconds: float) -> bool:
    until = time.monotonic() + seconds
    while True:
        nap = max(0.0, min(_NAP_SECONDS, until - time.monotonic()))
        if stop_file(log).exists() or runtime.stop.wait(nap):
            stop_file(log).unlink(missing_ok=True)
            return True
        if time.monotonic() >= until:
            return False


@contextmanager
def _alone(log: StreamLog) -> Iterator[None]:
    for _ in range(_TRIES):  # somebody may only be looking whether the stream is followed
        with files.only_one(log.looked) as alone:
            if alone and log.looked.exists():  # who held it before may have removed it
                stop_file(log).unlink(missing_ok=True)
                yield
                return
        time.sleep(_NAP_SECONDS)
    message = f"Another process follows into {log.path}."
    raise InputError(message, hint="End it first (or give another --state file).")


def seconds_since_look(log: StreamLog) -> float | None:
    """How long ago the source was last looked at; None where it never was."""
    try:
        return max(0.0, time.time() - log.looked.stat().st_mtime)
    except OSError:
        return None


def problem_of(log: StreamLog) -> tuple[str, datetime] | None:
    """What is wrong with the source that is followed, and since when, in UTC; None for nothing."""
    try:
        return log.problem.read_text("utf-8"), datetime.fromtimestamp(log.problem.stat().st_mtime, UTC)
    except OSError:
        return None
