"""`headline-lab forget`: what is stored of an address, a publisher or a person goes."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from cli.options import command
from cli.progress import show
from core import files

if TYPE_CHECKING:
    from core.journal.mentions import Mention

_BY_HAND: Final = 3
_PLACES = ("file", "pair_set", "stream", "archive")  # names under which a receipt has what was cleaned


@command()
def forget(kind: str, value: str, backups: tuple[Path, ...], out: Path | None) -> None:
    """Remove a url, a publisher, a person or an entry from all that is stored, and print a receipt.

    Answers, backups, pair sets, streams, archives and caches are cleaned. An older backup that is restored
    later is cleaned then. Exit code 1: nothing was found, or something was not cleaned; 3: something still
    mentions it and is to be cleaned by hand. The receipt says what.
    """
    from core.archive.forgetting import clean_archives, headlines_in_archives
    from core.data.pair_sets.forgetting import clean_sets, headlines_in_sets
    from core.journal import backup
    from core.journal import forget as erasure
    from core.journal.erasure import secret_of
    from core.journal.journal import the_journal
    from core.journal.mentions import Mention
    from core.journal.spellings import ErasureTarget
    from core.live.forgetting import clean_streams, headlines_in_streams

    target, journal = ErasureTarget(kind), the_journal()
    secret = secret_of(target, value)
    backup_files = [*sorted(backup.backup_folder().glob(f"*{backup.ENDING}")), *backups]
    places: dict[str, list[dict[str, Any]]] = {}
    if target is not ErasureTarget.ENTRY:
        value_alone = secret
        secret = secret.with_headlines(erasure.headlines_in_backups(journal, backup_files, value_alone))
        for headlines_in in (headlines_in_sets, headlines_in_streams, headlines_in_archives):
            secret = secret.with_headlines(headlines_in(value_alone))
        cleaning = {"pair_sets": clean_sets, "streams": clean_streams, "archives": clean_archives}
        places = {name: clean(secret) for name, clean in cleaning.items()}
    places = {"backups": erasure.clean_backups(backup_files, secret), **places}
    # Texts that only mention it stay: whether they are to go is nothing that a program can say.
    mention = None if target is ErasureTarget.ENTRY else Mention(target, value)
    caches, by_hand = _mentioned(mention, backups, emptying=bool(secret.headlines))
    receipt = erasure.forget(journal, secret, {**places, "caches": caches, "by_hand": by_hand}, mention)
    # A restore in the meantime has written a backup of what was there.
    new = sorted({*backup.backup_folder().glob(f"*{backup.ENDING}")} - {*backup_files})
    places["backups"] += erasure.clean_backups(new, secret)
    said = json.dumps({**receipt, **places}, indent=1)
    if out is not None:
        files.write(out, f"{said}\n".encode())
    show({**receipt, **places}, lambda: said)
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
    mention: "Mention | None", backups: tuple[Path, ...], *, emptying: bool
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
