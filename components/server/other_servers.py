"""Other servers on a database that was named: what this one shares with them, and what it does not."""

import os
from datetime import UTC, datetime, timedelta
from typing import Final

from components.server.server_keys import SERVER_KEY, own_secret, server_secret
from core.digests import secret_digest
from core.journal.entries import NewEntry
from core.journal.journal import the_journal
from core.journal.opening import VARIABLE
from core.runtime import user_folder

_STREAM: Final = "servers"
_RUNS: Final = "runs"
_RECENT: Final = timedelta(days=2)  # each server stores once a day that it runs


def note_server() -> None:
    """Stores, once a day, by what marks others know the key and the folder of this server."""
    if VARIABLE in os.environ:
        key, folder = _marks()
        day = f"{datetime.now(UTC):%Y%m%d}-{key}-{folder}"
        the_journal().append(_STREAM, [NewEntry(kind=_RUNS, id=day, body={"key": key, "folder": folder})])


def others() -> list[str]:
    """Marks of the keys of other servers that ran lately; servers with one folder are one."""
    if VARIABLE not in os.environ:
        return []
    since, (_, folder) = datetime.now(UTC) - _RECENT, _marks()
    found = (entry.body for entry in the_journal().read(_STREAM) if entry.when > since)
    return [str(body["key"]) for body in found if body["folder"] != folder]


def files_apart() -> str:
    """What other servers do not see of this one; "" where there is none."""
    said = (
        "Another server uses this database. Forms, pair sets, streams and archives are each server's own: in"
    )
    return f"{said} {user_folder()}." if others() else ""


def rooms_apart() -> str:
    """Why phones of another server are not in the rooms of this one; "" where they are, or there is none."""
    if {*others()} <= {_marks()[0]}:
        return ""
    return f"Phones of another server join no room by a QR code of this one. Give both one {SERVER_KEY}."


def _marks() -> tuple[str, str]:
    key, folder = (secret_digest(secret, "server", "") for secret in (server_secret(), own_secret()))
    return key, folder
