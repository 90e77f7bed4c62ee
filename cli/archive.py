"""What stays on the disk: `headline-lab archive`, `live`, `backup`, `restore`, `verify`, `forget`."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click
from click import option

from cli.progress import PATH, SHARE, NumberType, PathType, column_mapping, note, printed, show, working
from core import files
from core.errors import DataSourceError, InputError


@click.command()
@click.argument("file", metavar="FILE", type=PATH)
@option(
    "--out",
    type=click.Path(),
    help="Folder of the archive, new or begun before; default: where the app shows it, by FILE.",
)
@option("--column", "columns", multiple=True, metavar="FIELD=NAME", help="Column of a field; repeatable.")
@option(
    "--window",
    type=click.IntRange(0, 366),
    default=3,
    show_default=True,
    help="Days: headlines further apart are never compared.",
)
@option("--granularity", type=SHARE, help="0 to 1; default: a run of the headlines suggests it.")
@option(
    "--cluster",
    metavar="ADDRESS",
    help="Encode and compare on a Ray cluster: ray://HOST:PORT, or HOST:PORT on one of its machines.",
)
@option("--shared", is_flag=True, help="Visitors of a workshop see the archive under Archive.")
@printed
def archive(
    file: Path,
    out: str | None,
    columns: tuple[str, ...],
    window: int,
    granularity: float | None,
    cluster: str | None,
    shared: bool,
) -> None:
    """Group and map the headlines of a large FILE in a folder.

    FILE is CSV, TSV (either may be .gz) or Parquet with a row of column names. A run that was stopped goes
    on where it was.
    """
    from core.archive.build import ArchiveSettings, build
    from core.archive.cluster import computing
    from core.archive.kept import archives_folder, name_for

    settings = ArchiveSettings(window=window, granularity=granularity, shared=shared)
    if out == "":
        raise InputError("--out names no folder.", hint="Name one, or leave --out away.")
    folder = archives_folder() / name_for(file) if out is None else Path(out)
    with working(patient=True) as runtime, computing(cluster) as backend:
        summary = build(file, folder, settings, column_mapping(columns), runtime, backend=backend)
    show(summary, lambda: "\n".join(_lines(summary)))


def _lines(summary: dict[str, Any]) -> Iterator[str]:
    for name, value in summary.items():
        if name == "left_out_why":
            for reason in value:
                more = f" and {reason['rows'] - 1:,} more" if reason["rows"] > 1 else ""
                yield f"  line {reason['line']:,}{more}: {reason['reason']}"
        elif name == "notes":
            yield from value
        elif name == "ledger":
            yield f"{name}: {', '.join(f'{count:,} {what}' for what, count in value.items() if count)}"
        else:
            yield f"{name}: {value}"


@click.command()
@click.argument("file", type=PATH, required=False)
def backup(file: Path | None) -> None:
    """Write all answers, votes and corrections into FILE; without one, into the user's folder.

    The app may run meanwhile. The file fits both databases, SQLite and PostgreSQL.
    """
    from core.journal.backup import backup_folder, backup_name, packed, taken
    from core.journal.journal import the_journal

    stored = taken(the_journal())
    path = file or backup_folder() / backup_name()
    if file is None:
        files.make_folder(path.parent)
    files.write(path, packed(stored))
    click.echo(f"{len(stored.entries):,} entries in {path}")


@click.command()
@click.argument("file", type=PATH)
def restore(file: Path) -> None:
    """Bring back what a backup FILE holds, in place of what is stored now.

    What is stored now is written into a backup first. What was forgotten stays forgotten.
    """
    from core.journal.backup import backup_folder, backup_name, read_backup
    from core.journal.journal import the_journal
    from core.journal.restore import put_back

    given = read_backup(file)
    kept = backup_folder() / backup_name("before-restore")
    before, now = put_back(the_journal(), given, keep=kept)
    if before.entries:
        click.echo(f"What was stored until now is in {kept}", err=True)
    click.echo(f"{len(now.entries):,} entries are back from {file}")
    if left_out := len(given.entries) - len(now.entries):
        click.echo(f"{left_out:,} stayed forgotten, as receipts ask.", err=True)


@click.command()
@printed
def verify() -> None:
    """Compare all that is stored with its digests: a sentence for each thing that is damaged or missing.

    Answers, votes and corrections, and the backups in the user's folder. Exit code 1: something is.
    """
    from core.journal.journal import the_journal
    from core.journal.verify import damaged_backups
    from core.journal.verify import verify as damage_of

    faults = [*damage_of(the_journal()), *damaged_backups()]
    show({"faults": faults}, lambda: "\n".join(faults) or "All that is stored is whole.")
    sys.exit(bool(faults))


_BY_HAND: Final = 3
_PLACES = ("file", "pair_set", "stream", "archive")  # names under which a receipt has what was cleaned


@click.command()
@click.argument("kind", type=click.Choice(["url", "publisher", "person", "entry"]))
@click.argument("value")
@option(
    "--backup",
    "backups",
    multiple=True,
    type=PATH,
    help="A backup elsewhere that is cleaned too; repeatable.",
)
@option("--out", type=PATH, help="Write the receipt.")
def forget(kind: str, value: str, backups: tuple[Path, ...], out: Path | None) -> None:
    """Remove a url, a publisher, a person or an entry from all that is stored, and print a receipt.

    Answers, backups, pair sets, streams, archives and caches are cleaned. An older backup that is restored
    later is cleaned then. Exit code 1: nothing was found, or something was not cleaned; 3: something still
    mentions it and is to be cleaned by hand. The receipt says what.
    """
    from core.archive.forgetting import clean_archives, headlines_in_archives
    from core.data.pair_sets.forgetting import clean_sets, headlines_in_sets
    from core.journal.backup import ENDING, backup_folder
    from core.journal.erasure import secret_of
    from core.journal.forget import clean_backups, headlines_in_backups
    from core.journal.forget import forget as forget_value
    from core.journal.journal import the_journal
    from core.journal.mentions import Mention
    from core.journal.spellings import ErasureTarget
    from core.live.forgetting import clean_streams, headlines_in_streams

    target, journal = ErasureTarget(kind), the_journal()
    secret = secret_of(target, value)
    backup_files = [*sorted(backup_folder().glob(f"*{ENDING}")), *backups]
    places: dict[str, list[dict[str, Any]]] = {}
    if target is not ErasureTarget.ENTRY:
        value_alone = secret
        secret = secret.with_headlines(headlines_in_backups(journal, backup_files, value_alone))
        for headlines_in in (headlines_in_sets, headlines_in_streams, headlines_in_archives):
            secret = secret.with_headlines(headlines_in(value_alone))
        cleaning = {"pair_sets": clean_sets, "streams": clean_streams, "archives": clean_archives}
        places = {name: clean(secret) for name, clean in cleaning.items()}
    places = {"backups": clean_backups(backup_files, secret), **places}
    # Texts that only mention it stay: whether they are to go is nothing that a program can say.
    mention = None if target is ErasureTarget.ENTRY else Mention(target, value)
    caches, by_hand = _mentioned(mention, backups, emptying=bool(secret.headlines))
    receipt = forget_value(journal, secret, {**places, "caches": caches, "by_hand": by_hand}, mention)
    # A restore in the meantime has written a backup of what was there.
    new = sorted({*backup_folder().glob(f"*{ENDING}")} - {*backup_files})
    places["backups"] += clean_backups(new, secret)
    said = json.dumps({**receipt, **places}, indent=1)
    if out is not None:
        files.write(out, f"{said}\n".encode())
    click.echo(said)
    for name in by_hand:
        click.echo(f"{name} still mentions it: take that out by hand.", err=True)
    for id_ in receipt.get("mentioned", ()):
        name = receipt["by_hand"][-1]
        click.echo(f"{name} mentions it: `headline-lab forget entry {id_}` removes that entry.", err=True)
    cleaned = [receipt, receipt.get("database", {}), *(place for part in places.values() for place in part)]
    failed = [place for place in cleaned if "problem" in place]
    for failure in failed:
        place = next((str(failure[name]) for name in _PLACES if name in failure), "The database")
        click.echo(f"{place} was not cleaned: {failure['problem']}", err=True)
    nothing = not any(place.get("removed") or place.get("changed") for place in cleaned)
    if nothing:
        why = "" if receipt["by_hand"] else f"Nothing that is stored here names this {kind}: "
        click.echo(f"{why}nothing was removed." if why else "Nothing was removed.", err=True)
    sys.exit(1 if failed else _BY_HAND if receipt["by_hand"] else int(nothing))


def _mentioned(
    mention: Mention | None, backups: tuple[Path, ...], *, emptying: bool
) -> tuple[int, list[str]]:
    """How many files of caches went, and the files that still mention what is forgotten."""
    from core.disk_cache import emptied, with_texts
    from core.journal.mentions import files_that_mention, mentions
    from core.runtime import cache_folder, user_folder

    user, cache = user_folder(), cache_folder()
    if mention is None:
        return 0, []
    cached = files_that_mention(mention, with_texts(cache), cache)
    count = emptied(cache) if emptying or cached else 0
    in_cache = set(cache.rglob("*")).difference(cached) if cache != user else set[Path]()
    journal = {user / f"journal.sqlite{ending}" for ending in ("", "-wal", "-shm", "-head")}
    own = files_that_mention(mention, {*user.rglob("*")} - in_cache - journal, user)
    cached = [path for path in cached if path.exists() and not path.is_relative_to(user)]
    others = [path for path in backups if mentions(mention, path, path.name)]
    return count, [*(path.relative_to(user).as_posix() for path in own), *map(str, [*cached, *others])]


if TYPE_CHECKING:
    from core.journal.mentions import Mention
    from core.live.changes import StreamRecord
    from core.live.stream import Stream

_BEGINNING: Final = b'{"number": '  # what a line of the file of changes begins with


@click.command()
@click.argument("source", metavar="SOURCE")
@option("--state", type=PathType(path_type=Path, dir_okay=False), help="Stream's file; default: by SOURCE.")
@option("--out", type=PathType(path_type=Path, dir_okay=False), help="Append what changes as .jsonl.")
@option("--once", is_flag=True, help="Look once, then end.")
@option("--every", type=NumberType(1, 86_400), default=60.0, show_default=True, help="Seconds between looks.")
@option("--speed", type=NumberType(0.001, 8_760), help="Hours of a replay that pass in a second.")
@option("--private", is_flag=True, help="Ask addresses of this computer and of private networks too.")
@option("--shared", is_flag=True, help="Visitors of a workshop see the stream under Live.")
@option("--quiet", is_flag=True, help="Print no changes.")
def live(
    source: str,
    state: Path | None,
    out: Path | None,
    once: bool,
    every: float,
    speed: float | None,
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
        lines = [json.dumps(record_as_object(stream, record), ensure_ascii=False) for record in records]
        if written is not None:
            written.append(records, lines)
        if not quiet:
            for line in lines:
                click.echo(line)

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
            resumed=None if written is None else written.catch_up,
        )
        try:
            stream = follow(log, how, runtime)
        except KeyboardInterrupt:
            note(f"Stopped. The stream is kept in {log.path}.")
            return
    headlines = count_words(len(stream.book.headlines), "headline", "headlines")
    groups = count_words(len(stream.book.members), "group", "groups")
    note(*stream.book.unread_notes(), f"{headlines} in {groups}, kept in {log.path}.")


def record_as_object(stream: Stream, record: StreamRecord) -> dict[str, Any]:
    """A record for other programs: what came, and what changed, with the reason."""
    headlines = stream.book.headlines
    came = record.headline
    return {
        "number": record.number,
        "time": record.time.isoformat(),
        "headline": None if came is None else came.body(),
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

    def catch_up(self, stream: Stream, records: tuple[StreamRecord, ...]) -> None:
        self.append(
            records, [json.dumps(record_as_object(stream, record), ensure_ascii=False) for record in records]
        )

    def append(self, records: tuple[StreamRecord, ...], lines: list[str]) -> None:
        new = [line for record, line in zip(records, lines, strict=True) if record.number > self._last]
        if new:
            files.append(self._path, "".join(f"{line}\n" for line in new).encode("utf-8", "surrogatepass"))
            self._last = records[-1].number


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
