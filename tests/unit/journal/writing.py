"""A process that writes into a journal until it is killed."""

from __future__ import annotations

from multiprocessing.connection import Connection

from core.journal.journal import Journal, NewEntry


def vote_on(url: str, who: str, acknowledged: Connection) -> None:
    """Stores votes for ever; sends the id of each one that was stored."""
    journal, number = Journal(url), 0
    while True:
        new = NewEntry(kind="vote", who=who, body={"number": number})
        journal.append("votes", [new])
        acknowledged.send(new.id)
        number += 1
