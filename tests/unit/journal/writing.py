"""A process that writes into a journal until it is killed."""

from core.journal.entries import NewEntry
from core.journal.journal import Journal


def vote_on(url, who, acknowledged):
    journal, number = Journal(url), 0
    while True:
        new = NewEntry(kind="vote", who=who, body={"number": number})
        journal.append("votes", [new])
        acknowledged.send(new.id)
        number += 1
