"""Tells addresses of one's own what was raised, besides other work."""

import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, Final

import msgspec

from core.errors import CoreError
from core.live.fetch import post
from core.live.rules import leaves_by

WAITS: Final = (0.0, 2.0, 10.0, 60.0)  # seconds before each try; after the last it is in vain
_AT_ONCE: Final = 100  # alarms of one request
_ADDRESSES: Final = 4  # that are told at the same time
Alarms = Sequence[Mapping[str, Any]]


class Webhooks:
    def __init__(
        self, wrap: Callable[[Alarms], Mapping[str, Any]], sent: Callable[[Sequence[str], str], None]
    ) -> None:
        self._wrap, self._sent = wrap, sent  # `sent` is given ids of alarms, and what went wrong
        self._waiting: dict[str, list[Mapping[str, Any]]] = {}  # by address; those that are busy stay in it
        self._lock, self._ended = threading.Lock(), threading.Event()
        self._pool = ThreadPoolExecutor(_ADDRESSES)

    def tell(self, address: str, alarms: Alarms) -> None:
        """Begins to tell; one address is told one thing after the other."""
        with self._lock:
            busy = address in self._waiting
            self._waiting.setdefault(address, []).extend(alarms)
        if alarms and not busy:
            self._pool.submit(self._work, address)

    def close(self) -> None:
        """Ends after one try of what waits; what is not taken then has to be told again."""
        self._ended.set()
        self._pool.shutdown()

    def _work(self, address: str) -> None:
        while True:
            with self._lock:
                alarms = self._waiting[address][:_AT_ONCE]
                del self._waiting[address][:_AT_ONCE]
                if not alarms:
                    del self._waiting[address]
                    return
            body, problem = msgspec.json.encode(self._wrap(alarms)), ""
            for wait in WAITS:
                if wait and self._ended.wait(wait):
                    return
                try:
                    post(address, body, outside=leaves_by(address))
                    problem = ""
                    break
                except CoreError as error:
                    problem = error.message
            with suppress(CoreError):  # what cannot be noted is told again
                self._sent([alarm["id"] for alarm in alarms], problem)
