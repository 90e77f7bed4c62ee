"""States that follow from the entries of a log, brought up to date at each look."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import Final, Generic, TypeVar

from core.journal.entries import Entry

State = TypeVar("State")

_MOST: Final = 500


@dataclass(slots=True, eq=False)
class Folds(Generic[State]):
    """States by the key of their log, brought up to date at each look; those of the oldest looks go first."""

    _known: OrderedDict[Hashable, tuple[Sequence[Entry], set[str], State]] = field(
        default_factory=OrderedDict
    )
    _turn: threading.RLock = field(default_factory=threading.RLock)

    def fold(
        self,
        key: Hashable,
        entries: Sequence[Entry],
        begin: Callable[[], State],
        more: Callable[[State, Sequence[Entry]], State],
    ) -> State:
        """The state after all entries of a log; `more` folds further ones into a state."""
        with self._turn:
            known = self._known.pop(key) if key in self._known else ((), set(), begin())
            seen, ids, state = known
            if seen and (len(entries) < len(seen) or entries[len(seen) - 1] is not seen[-1]):
                seen, ids, state = (), set(), begin()
            new = []
            for entry in entries[len(seen) :]:
                if entry.id not in ids:
                    ids.add(entry.id)
                    new.append(entry)
            if new:
                state = more(state, new)
            self._known[key] = entries, ids, state
            while len(self._known) > _MOST:
                self._known.popitem(last=False)
            return state
