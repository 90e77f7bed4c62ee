"""`headline-lab live`: groups headlines as they arrive."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cli.progress import note, working
from core import files

if TYPE_CHECKING:
    from core.live.changes import StreamRecord
    from core.live.stream import Stream


@click.command()
@click.argument("source", metavar="SOURCE")
@click.option(
    "--state", type=click.Path(path_type=Path, dir_okay=False), help="File of the stream; default: by SOURCE."
)
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="Append what changes as .jsonl.")
@click.option("--once", is_flag=True, help="Look once, then end.")
@click.option(
    "--every",
    type=click.FloatRange(1, 86_400),
    default=60.0,
    show_default=True,
    help="Seconds between looks.",
)
@click.option("--private", is_flag=True, help="Ask addresses of this computer and of private networks too.")
@click.option("--shared", is_flag=True, help="Visitors of a workshop see the stream on the Live page.")
@click.option("--quiet", is_flag=True, help="Print no changes.")
def live(
    source: str,
    state: Path | None,
    out: Path | None,
    once: bool,
    every: float,
    private: bool,
    shared: bool,
    quiet: bool,
) -> None:
    """Group headlines of SOURCE as they arrive, and print what changes as JSON lines.

    SOURCE is a file that grows, a folder to which files are added, or the address of a feed. Everything is
    kept in the file of the stream: start the command again, and it goes on where it was.
    """
    from core.live.follow import Following, follow
    from core.live.log import StreamHeader, StreamLog, name_for, stream_file
    from core.live.sources import source_of

    found = source_of(source, private=private)
    followed = source if "://" in source else str(Path(source).resolve())
    log = StreamLog(state if state is not None else stream_file(name_for(followed)))
    written = _Written(out) if out is not None else None

    def told(stream: Stream, records: tuple[StreamRecord, ...]) -> None:
        lines = [json.dumps(as_told(stream, one), ensure_ascii=False) for one in records]
        if written is not None:
            written.append(records, lines)
        if not quiet:
            for line in lines:
                click.echo(line)

    with working(quiet=True) as runtime:
        how = Following(
            header=StreamHeader(source=followed, shared=shared),
            source=found,
            seconds=every,
            once=once,
            told=told,
            note=note,
            resumed=None if written is None else written.catch_up,
        )
        try:
            stream = follow(log, how, runtime)
        except KeyboardInterrupt:
            note(f"Stopped. The stream is kept in {log.path}.")
            return
    book = stream.book
    note(f"{len(book.headlines):,} headlines in {len(book.members):,} groups, kept in {log.path}.")


def as_told(stream: Stream, record: StreamRecord) -> dict[str, Any]:
    """A record for other programs: what came, and what changed, with the reason."""
    headlines = stream.book.headlines
    came = record.headline
    return {
        "number": record.number,
        "time": record.time.isoformat(),
        "headline": None if came is None else came.body(),
        "level": record.level,
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
    """The file of changes, a line a record; it lacks none and holds none twice, however the command ended."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._last = _last_number(path)

    def catch_up(self, stream: Stream, records: tuple[StreamRecord, ...]) -> None:
        """Writes what is stored in the stream and was not written when the command ended."""
        self.append(records, [json.dumps(as_told(stream, one), ensure_ascii=False) for one in records])

    def append(self, records: tuple[StreamRecord, ...], lines: list[str]) -> None:
        """Adds the lines of records that are not there yet."""
        new = [line for one, line in zip(records, lines, strict=True) if one.number > self._last]
        if new:
            files.append(self._path, "".join(f"{line}\n" for line in new).encode("utf-8", "surrogatepass"))
            self._last = records[-1].number


def _last_number(path: Path) -> int:
    """The number of the last record whose line is whole, 0 for none."""
    last = 0
    if path.is_file():
        with path.open("rb") as file:
            for line in file:
                try:
                    last = max(last, int(json.loads(line)["number"]))
                except (ValueError, TypeError, KeyError):
                    continue
    return last
