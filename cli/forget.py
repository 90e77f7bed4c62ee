"""`headline-lab forget`: removes a URL, a publisher or a participant, from backups too."""

import json
import sys
from pathlib import Path

import click

_PLACES = ("file", "pair_set", "stream", "archive")  # names under which a receipt has what was cleaned


@click.command()
@click.argument("kind", type=click.Choice(["url", "publisher", "person"]))
@click.argument("value")
@click.option(
    "--backup",
    "backups",
    multiple=True,
    type=click.Path(path_type=Path),
    help="A backup elsewhere that is cleaned too; may be repeated.",
)
@click.option("--out", type=click.Path(path_type=Path), help="Write the receipt.")
def forget(kind: str, value: str, backups: tuple[Path, ...], out: Path | None) -> None:
    """Remove a url, a publisher or a person from all that is stored, and print a receipt.

    Answers, backups, pair sets, streams, archives and caches are cleaned. An older backup that is restored
    later is cleaned then. Exit code 1: nothing was found, or something still holds it; the receipt says what.
    """
    from core.archive.opened import clean_archives, headlines_in_archives
    from core.data.pair_sets.load import clean_sets, files_with, headlines_in_sets
    from core.disk_cache import emptied
    from core.files import write
    from core.journal.forget import (
        ENDING,
        Opting,
        backup_folder,
        clean_backups,
        headlines_in_backups,
        secret_of,
    )
    from core.journal.forget import forget as forgotten
    from core.journal.journal import the_journal
    from core.live.log import clean_streams, headlines_in_streams
    from core.runtime import cache_folder

    secret, journal = secret_of(Opting(kind), value), the_journal()
    kept = [*sorted(backup_folder().glob(f"*{ENDING}")), *backups]
    for texts in (
        headlines_in_backups(journal, kept, secret),
        headlines_in_sets(secret),
        headlines_in_streams(secret),
        headlines_in_archives(secret),
    ):
        secret = secret.with_headlines(texts)
    places = {
        "backups": clean_backups(kept, secret),
        "pair_sets": clean_sets(secret),
        "streams": clean_streams(secret),
        "archives": clean_archives(secret),
    }
    # Texts that only mention it stay: whether they are to go is nothing that a program can say.
    by_hand = files_with(value) if kind != "person" else []
    caches = emptied(cache_folder()) if secret.headlines else 0
    receipt = forgotten(journal, secret, {**places, "caches": caches, "by_hand": by_hand})
    said = json.dumps(receipt, indent=1)
    if out is not None:
        write(out, f"{said}\n".encode())
    click.echo(said)
    for name in by_hand:
        click.echo(f"{name} still mentions it: take that out by hand.", err=True)
    cleaned = [receipt, receipt.get("database", {}), *(one for part in places.values() for one in part)]
    failed = [one for one in cleaned if "problem" in one]
    for one in failed:
        place = next((str(one[name]) for name in _PLACES if name in one), "The database")
        click.echo(f"{place} was not cleaned: {one['problem']}", err=True)
    if not any(one.get("removed") or one.get("changed") for one in cleaned):
        click.echo(f"Nothing that is stored here names this {kind}: nothing was removed.", err=True)
    elif not failed and not by_hand:
        return
    sys.exit(1)
