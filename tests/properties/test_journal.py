"""The journal on both databases compared with lists: appends, replays, restarts, backups, and forgetting."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import settings
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from core.errors import InputError
from core.journal.database import close
from core.journal.forget import (
    Backup,
    Opting,
    forget,
    packed,
    put_back,
    secret_of,
    taken,
    unpacked,
    without_forgotten,
)
from core.journal.journal import Entry, Journal, NewEntry

STREAM = st.sampled_from(["rooms/a", "rooms/b", "votes"])
PERSON = st.sampled_from(["Ada", "Bo", "Cy"])
SOMETHING = st.integers(0, 1_000)


class Storing(RuleBasedStateMachine):
    """Writers, readers and the person who runs the server. The model is a list of entries a stream."""

    def __init__(self, journal: Journal) -> None:
        super().__init__()
        self.journal = journal
        put_back(journal, Backup(entries=(), receipts=()))
        self.stored: dict[str, list[NewEntry]] = {}
        self.seen: dict[str, list[Entry]] = {}
        self.kept: tuple[bytes, dict[str, list[NewEntry]]] | None = None
        self.gone: set[str] = set()  # since the backup

    @rule(stream=STREAM, who=PERSON, bodies=st.lists(SOMETHING, min_size=1, max_size=3))
    def append(self, stream: str, who: str, bodies: list[int]) -> None:
        new = [NewEntry(kind="vote", who=who, body={"value": value}) for value in bodies]
        stored = self.journal.append(stream, new)
        assert [one.id for one in stored] == [one.id for one in new]
        self.stored.setdefault(stream, []).extend(new)

    @precondition(lambda self: self.stored)
    @rule(data=st.data(), forged=st.booleans())
    def replay(self, data: st.DataObject, forged: bool) -> None:
        """A form is sent again, as it was or with another answer."""
        stream = data.draw(st.sampled_from(sorted(self.stored)))
        old = data.draw(st.sampled_from(self.stored[stream]))
        if not forged:
            assert self.journal.append(stream, [old])[0].id == old.id
            return
        with pytest.raises(InputError):
            self.journal.append(stream, [replace(old, body={"value": -1}), NewEntry(kind="vote")])

    @rule(stream=STREAM)
    def look_for_news(self, stream: str) -> None:
        """A reader that asks only for what came since its last look."""
        seen = self.seen.setdefault(stream, [])
        seen += self.journal.read(stream, after=seen[-1].sequence if seen else 0)
        assert [one.id for one in seen] == [one.id for one in self.stored.get(stream, [])]

    @rule()
    def restart(self) -> None:
        close(self.journal.url)

    @rule()
    def back_up(self) -> None:
        self.gone.clear()
        self.kept = packed(taken(self.journal)), {name: list(some) for name, some in self.stored.items()}

    @precondition(lambda self: self.kept)
    @rule()
    def restore(self) -> None:
        assert self.kept is not None
        content, before = self.kept
        put_back(self.journal, without_forgotten(unpacked(content), taken(self.journal).receipts))
        self.stored = {name: list(some) for name, some in before.items()}
        self._without(self.gone)
        self.seen.clear()

    @rule(who=PERSON)
    def opt_out(self, who: str) -> None:
        before = sum(map(len, self.stored.values()))
        receipt = forget(self.journal, secret_of(Opting.PERSON, who), {})
        self.gone.add(who)
        self._without({who})
        assert receipt["removed"] == before - sum(map(len, self.stored.values()))
        self.seen.clear()

    def _without(self, people: set[str]) -> None:
        left = {name: [one for one in some if one.who not in people] for name, some in self.stored.items()}
        self.stored = {name: some for name, some in left.items() if some}

    @invariant()
    def holds_what_was_stored(self) -> None:
        assert set(self.journal.streams()) == set(self.stored)
        for stream, expected in self.stored.items():
            found = self.journal.read(stream)
            assert [(one.id, one.who, one.body) for one in found] == [
                (one.id, one.who, one.body) for one in expected
            ]
            numbers: list[Any] = [one.sequence for one in found]
            assert numbers == sorted(set(numbers))


@pytest.mark.slow
def test_the_journal_holds_what_lists_hold(journal: Journal) -> None:
    run_state_machine_as_test(
        lambda: Storing(journal), settings=settings(max_examples=12, stateful_step_count=20, deadline=None)
    )
