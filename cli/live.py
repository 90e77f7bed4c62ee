"""`headline-lab live`: headlines grouped as they arrive, and what changes as JSON lines."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from cli.options import command
from cli.progress import note, working
from core import files
from core.errors import DataSourceError, InputError

if TYPE_CHECKING:
    from core.live.changes import StreamRecord
    from core.live.log import StreamLog
    from core.live.stream import Stream

_BEGINNING: Final = b'{"number": '  # what a line of the file of changes begins with


@command()
def live(
    source: str,
    state: Path | None,
    out: Path | None,
    once: bool,
    every: float,
    speed: float | None,
    tell: tuple[str, ...],
    webhook: str,
    private: bool,
    shared: bool,
    quiet: bool,
) -> None:
    """Group headlines of SOURCE as they arrive, and print what changes as JSON lines.

    SOURCE is a file that grows, a folder to which files are added, the address of a feed, or replay:FILE,
    whose headlines come at their own times. Everything is kept in the file of the stream: start the command
    again, and it goes on where it was.
    """
    from core.live.follow import Following, follow
    from core.live.kept import name_for, stream_file
    from core.live.log import StreamHeader, StreamLog
    from core.live.replay import set_speed
    from core.live.sources import REPLAY, full_name, source_of
    from core.results.render import count_words

    followed = full_name(source)
    log = StreamLog(state if state is not None else stream_file(name_for(followed)))
    followed_source = source_of(source, private=private, log=log)
    for flag, path in (("--state", log.path), ("--out", out)):
        if path is not None and followed_source.reads(path):
            raise InputError(f"{flag} {path} is a part of what is followed.", hint="Give another file.")
    if out is not None and out.resolve() == log.path.resolve():
        raise InputError("--state and --out name the same file.", hint="Give another --out file.")
    written = _Written(out) if out is not None else None

    def told(stream: Stream, records: tuple[StreamRecord, ...]) -> None:
        if written is not None:
            written.append(stream, records)
        if not quiet:
            click.echo(_lines(stream, records), nl=False)

    _set_rules(log, tell, webhook)
    if speed is not None:
        set_speed(log, speed)
    with working(bars=False) as runtime:
        how = Following(
            header=StreamHeader(source=followed, shared=shared),
            source=followed_source,
            seconds=min(every, 0.2) if source.startswith(REPLAY) else every,
            once=once,
            told=told,
            note=note,
            resumed=None if written is None else written.append,
        )
        try:
            stream = follow(log, how, runtime)
        except KeyboardInterrupt:
            note(f"Stopped. The stream is kept in {log.path}.")
            return
    headlines = count_words(len(stream.book.headlines), "headline", "headlines")
    groups = count_words(len(stream.book.members), "group", "groups")
    note(*stream.book.unread_notes(), f"{headlines} in {groups}, kept in {log.path}.")


def _set_rules(log: StreamLog, written: Iterable[str], webhook: str) -> None:
    from core.live.log import check_stream
    from core.live.rules import read_rule, rules_of, set_rule

    check_stream(log.path)  # before anything is written beside it
    for each in written:
        set_rule(log, read_rule(each, datetime.now(UTC), webhook))
    for rule in rules_of(log):
        note(f"{rule.words}. {rule.leaves}".rstrip())


def record_as_object(stream: Stream, record: StreamRecord) -> dict[str, Any]:
    """A record for other programs: what came, and what changed, with the reason."""
    headlines = stream.book.headlines
    came = record.headline
    unordered = came is None or came.key in stream.book.unordered
    before = None if came is None or unordered else headlines.get(came.edits or "")
    return {
        "number": record.number,
        "time": record.time.isoformat(),
        "headline": None if came is None else came.body(),
        "replaces": None if before is None else before.text,
        "level": record.level,
        "unread": {what: [headlines[key].text for key in keys] for what, keys in record.unread.items()},
        "changes": [
            {
                "kind": change.kind.value,
                "group": change.group,
                "source": change.source or None,
                "headlines": [headlines[key].text for key in change.keys],
                "reason": change.reason,
            }
            for change in record.changes
        ],
    }


class _Written:
    def __init__(self, path: Path) -> None:
        self._path = path
        self._last = _last_number(path)

    def append(self, stream: Stream, records: tuple[StreamRecord, ...]) -> None:
        new = [record for record in records if record.number > self._last]
        if new:
            files.append(self._path, _lines(stream, new).encode("utf-8", "surrogatepass"))
            self._last = new[-1].number


def _lines(stream: Stream, records: Iterable[StreamRecord]) -> str:
    objects = (record_as_object(stream, record) for record in records)
    return "".join(f"{json.dumps(each, ensure_ascii=False)}\n" for each in objects)


def _last_number(path: Path) -> int:
    """The number of the last record whose line is whole, 0 for none."""
    if not path.exists():
        return 0
    try:
        with path.open("rb") as file:
            return max((_number(line, path) for line in file), default=0)
    except OSError as error:
        raise DataSourceError(f"{path} cannot be read.", hint="Give another --out file.") from error


def _number(line: bytes, path: Path) -> int:
    try:
        record = json.loads(line)
    except ValueError:
        if line.startswith(_BEGINNING) or _BEGINNING.startswith(line.rstrip(b"\n")):
            return 0
        record = None
    if not isinstance(record, dict) or not isinstance(record.get("number"), int) or "changes" not in record:
        said = f"{path} holds something else than changes of streams."
        raise InputError(said, hint="Give another --out file.")
    return int(record["number"])
