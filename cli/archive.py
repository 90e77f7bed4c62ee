"""`headline-lab archive`: months of news, up to millions of headlines, grouped and mapped in a folder."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
from click import option

from cli.progress import PATH, SHARE, column_mapping, printed, show, working
from core import files
from core.errors import InputError
from core.files import write


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
    from core.archive.opened import archives_folder, name_for

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
    from core.journal.forget import backup_folder, backup_name, packed, taken
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
    from core.journal import forget as erasure
    from core.journal.journal import the_journal

    journal = the_journal()
    given, before = erasure.read_backup(file), erasure.taken(journal)
    if before.entries:
        path = erasure.backup_folder() / erasure.backup_name("before-restore")
        files.make_folder(path.parent)
        files.write(path, erasure.packed(before))
        click.echo(f"What was stored until now is in {path}", err=True)
    remaining = erasure.without_forgotten(given, before.receipts)
    erasure.put_back(journal, remaining)
    click.echo(f"{len(remaining.entries):,} entries are back from {file}")
    if left_out := len(given.entries) - len(remaining.entries):
        click.echo(f"{left_out:,} stayed forgotten, as receipts ask.", err=True)


_PLACES = ("file", "pair_set", "stream", "archive")  # names under which a receipt has what was cleaned


@click.command()
@click.argument("kind", type=click.Choice(["url", "publisher", "person"]))
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
    """Remove a url, a publisher or a person from all that is stored, and print a receipt.

    Answers, backups, pair sets, streams, archives and caches are cleaned. An older backup that is restored
    later is cleaned then. Exit code 1: nothing was found, or something still holds it; the receipt says what.
    """
    from core.archive.opened import clean_archives, headlines_in_archives
    from core.data.pair_sets.load import clean_sets, files_with, headlines_in_sets
    from core.disk_cache import emptied
    from core.journal import forget as erasure
    from core.journal.journal import the_journal
    from core.live.log import clean_streams, headlines_in_streams
    from core.runtime import cache_folder

    secret, journal = erasure.secret_of(erasure.ErasureTarget(kind), value), the_journal()
    backup_files = [*sorted(erasure.backup_folder().glob(f"*{erasure.ENDING}")), *backups]
    for texts in (
        erasure.headlines_in_backups(journal, backup_files, secret),
        headlines_in_sets(secret),
        headlines_in_streams(secret),
        headlines_in_archives(secret),
    ):
        secret = secret.with_headlines(texts)
    places = {
        "backups": erasure.clean_backups(backup_files, secret),
        "pair_sets": clean_sets(secret),
        "streams": clean_streams(secret),
        "archives": clean_archives(secret),
    }
    # Texts that only mention it stay: whether they are to go is nothing that a program can say.
    by_hand = files_with(value) if kind != "person" else []
    caches = emptied(cache_folder()) if secret.headlines else 0
    receipt = erasure.forget(journal, secret, {**places, "caches": caches, "by_hand": by_hand})
    said = json.dumps(receipt, indent=1)
    if out is not None:
        write(out, f"{said}\n".encode())
    click.echo(said)
    for name in by_hand:
        click.echo(f"{name} still mentions it: take that out by hand.", err=True)
    cleaned = [receipt, receipt.get("database", {}), *(place for part in places.values() for place in part)]
    failed = [place for place in cleaned if "problem" in place]
    for failure in failed:
        place = next((str(failure[name]) for name in _PLACES if name in failure), "The database")
        click.echo(f"{place} was not cleaned: {failure['problem']}", err=True)
    if not any(place.get("removed") or place.get("changed") for place in cleaned):
        click.echo(f"Nothing that is stored here names this {kind}: nothing was removed.", err=True)
    elif not failed and not by_hand:
        return
    sys.exit(1)
