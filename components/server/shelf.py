"""Opened things by name: each session keeps its own, within a bound on the whole."""

import dataclasses
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import Any, Generic, TypeVar, cast

import numpy as np
import pandas as pd

from components.server import sessions
from core import limits
from core.errors import DataSourceError, InputError
from core.journal.erasure import secret_in
from core.journal.journal import the_journal
from core.journal.spellings import ErasureTarget

T = TypeVar("T")
Place = tuple[str, str]  # A shelf and a name on it
LEAST_MEGABYTES = 0.5  # what anything is taken for at least, so that many small things are bounded, too
_removals: dict[str, int] = {}  # the last removal on request that is known, by the database's address


def megabytes(thing: Any) -> float:
    total = 0
    for leaf in _leaves(thing, set()):
        if isinstance(leaf, pd.DataFrame):
            total += int(leaf.memory_usage(deep=True).sum())
        else:
            total += leaf.nbytes if isinstance(leaf, np.ndarray) else len(leaf)
    return total / 1e6


def holds(thing: Any, is_it: Callable[[str], bool]) -> bool:
    texts: set[Any] = set()
    for leaf in _leaves(thing, set()):
        if isinstance(leaf, pd.DataFrame):
            texts.update(*(leaf[name].dropna().unique() for name in leaf))
        elif isinstance(leaf, str):
            texts.add(leaf)
    return any(isinstance(text, str) and is_it(text) for text in texts)


def _leaves(thing: Any, seen: set[int]) -> Iterator[Any]:
    if id(thing) in seen:
        return
    seen.add(id(thing))
    if isinstance(thing, np.ndarray | pd.DataFrame | str | bytes):
        yield thing
        return
    parts: Iterable[Any] = ()
    sparse = sys.modules.get("scipy.sparse")  # without it nothing is sparse
    if sparse is not None and sparse.issparse(thing):
        parts = (value for value in vars(thing).values() if isinstance(value, np.ndarray))
    elif dataclasses.is_dataclass(thing):
        parts = (getattr(thing, field.name, None) for field in dataclasses.fields(thing))
    elif isinstance(thing, Mapping):
        parts = thing.values()
    elif isinstance(thing, list | tuple | set | frozenset):
        parts = thing
    for part in parts:
        yield from _leaves(part, seen)


@dataclass(slots=True)
class _Kept:
    thing: Any
    megabytes: float
    used: dict[str, float]  # when each session used it last, on the monotonic clock


class Store:
    """What all shelves hold, within `kept_files` a session and `kept_megabytes`: what is open stays."""

    def __init__(self, connected: Callable[[str], bool] = sessions.connected) -> None:
        self._connected = connected
        self._kept: dict[Place, _Kept] = {}
        self._open: dict[tuple[str, str], Place] = {}  # what each session has open, by shelf and session
        self._lock = threading.Lock()

    def put(self, place: Place, thing: object, session: str) -> None:
        size = max(megabytes(thing), LEAST_MEGABYTES)
        with self._lock:
            # What the session had open may go for it.
            before = self._open.pop((place[0], session), None)
            try:
                self._make_space(place, size)
            except InputError:
                if before is not None:
                    self._open[place[0], session] = before
                raise
            used = self._kept[place].used if place in self._kept else {}
            self._kept[place] = _Kept(thing, size, used | {session: time.monotonic()})
            self._open[place[0], session] = place
            self._leave_own(place, session)

    def close(self, is_it: Callable[[str], bool]) -> None:
        """Closes what holds a text that is looked for, whoever has it open."""
        with self._lock:
            for place in [place for place, entry in self._kept.items() if holds(entry.thing, is_it)]:
                del self._kept[place]
            self._open = {who: place for who, place in self._open.items() if place in self._kept}

    def get(self, place: Place, session: str, *, opens: bool) -> Any | None:
        with self._lock:
            entry = self._kept.get(place)
            if entry is None:
                return None
            if opens:
                entry.used[session] = time.monotonic()
                self._open[place[0], session] = place
            return entry.thing

    def names(self, shelf: str) -> list[str]:
        with self._lock:
            return [name for kind, name in self._kept if kind == shelf]

    def remove(self, place: Place) -> None:
        with self._lock:
            self._kept.pop(place, None)
            self._open = {who: at for who, at in self._open.items() if at != place}

    def _make_space(self, place: Place, size: float) -> None:
        most = limits.KEPT_MEGABYTES.value
        held = sum(entry.megabytes for at, entry in self._kept.items() if at != place) + size
        if held <= most:
            return
        self._open = {who: at for who, at in self._open.items() if self._connected(who[1])}
        looked_at = {*self._open.values(), place}

        def turn(at: Place) -> tuple[bool, float]:
            used = self._kept[at].used
            return any(map(self._connected, used)), max(used.values())

        loose = sorted((at for at in self._kept if at not in looked_at), key=turn)
        free = most - held + size + sum(self._kept[at].megabytes for at in loose)
        if size > free:
            raise InputError(
                f"This file takes {size:,.0f} megabytes of memory. The files that are open leave "
                f"{max(free, 0):,.0f}.",
                hint="Try again when somebody has closed a file, or give a smaller one; the person who runs "
                f"the server can raise {limits.KEPT_MEGABYTES.variable}.",
            )
        for at in loose:
            if held <= most:
                return
            held -= self._kept.pop(at).megabytes

    def _leave_own(self, place: Place, session: str) -> None:
        # A session that is gone, as by a reload, leaves its things to the others of its shelf.
        used = {at: entry.used for at, entry in self._kept.items() if at[0] == place[0]}
        own = [at for at in used if session in used[at] or not any(map(self._connected, used[at]))]
        own.sort(key=lambda at: used[at].get(session, max(used[at].values())))
        for at in own[: -limits.KEPT_FILES.value]:
            used[at].pop(session, None)
            if not any(map(self._connected, used[at])):
                del self._kept[at]


# Not a cache of Streamlit's: any browser may have those emptied.
@cache
def _store() -> Store:
    return Store()


def close_forgotten() -> None:
    """Closes the files that hold what was removed from all that is stored since the last page was drawn."""
    journal = the_journal()
    known = _removals.get(journal.url)
    with suppress(DataSourceError):  # pages that need the journal say what is wrong with it
        receipts = journal.receipts(after=known or 0)
        for receipt in receipts.values() if known is not None else ():
            if receipt["what"] in set(ErasureTarget):
                _store().close(secret_in(receipt).is_in)
        _removals[journal.url] = max(receipts, default=known or 0)


class Shelf(Generic[T]):
    """Things of one kind by name, in the name of the running session; in a workshop its own alone."""

    def __init__(self, kind: str, store: Store | None = None) -> None:
        self._kind = f"{kind} {sessions.visitor()}"
        self._store = store or _store()

    def put(self, name: str, thing: T) -> str:
        self._store.put((self._kind, name), thing, sessions.current())
        return name

    def open(self, name: str) -> T | None:
        """The thing of that name, which this session has open from now on; None where it is not here."""
        return cast("T | None", self._store.get((self._kind, name), sessions.current(), opens=True))

    def get(self, name: str) -> T | None:
        return cast("T | None", self._store.get((self._kind, name), sessions.current(), opens=False))

    def names(self) -> list[str]:
        return self._store.names(self._kind)

    def close(self, name: str) -> None:
        """Closes it in every window of this computer; in a workshop, of the visitor."""
        self._store.remove((self._kind, name))
