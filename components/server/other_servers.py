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
        marks = _marks()
        day = f"{datetime.now(UTC):%Y%m%d}-{marks['key']}-{marks['folder']}"
        the_journal().append(_STREAM, [NewEntry(kind=_RUNS, id=day, body=marks)])


def others() -> list[str]:
    """Marks of the keys of other servers that ran lately; servers with one folder are one."""
    if VARIABLE not in os.environ:
        return []
    since, folder = datetime.now(UTC) - _RECENT, _marks()["folder"]
    found = (entry.body for entry in the_journal().read(_STREAM) if entry.when > since)
    return [str(body["key"]) for body in found if body["folder"] != folder]


def rooms_apart() -> str:
    """Why phones of another server are not in the rooms of this one; "" where they are, or there is none."""
    if all(key == _marks()["key"] for key in others()):
        return ""
    said = (
        "Another server uses this database, with another key: its phones join no room by the QR code that is "
    )
    return f"{said}shown here. Start both with the same {SERVER_KEY}."


def said_of_others() -> str:
    """What is shared with another server and what is not; "" without one."""
    if not others():
        return ""
    said = (
        "Another server uses this database. Answers, studies and rooms are shared; forms, pair sets, streams "
    )
    said += f"and archives are not: those of this server are in {user_folder()}. {rooms_apart()}"
    return said.rstrip()


def _marks() -> dict[str, str]:
    return {
        name: secret_digest(key, "server", "")
        for name, key in (("key", server_secret()), ("folder", own_secret()))
    }
