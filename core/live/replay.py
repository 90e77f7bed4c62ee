"""A file whose headlines come at their own times."""

import time
from collections import deque
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import ClassVar, Final

from core import files
from core.errors import InputError
from core.live import excluded_rows, file_sources
from core.live.arrivals import Arrival
from core.live.log import StreamLog

SPEED: Final = 1 / 6  # hours of a replay that pass in a second, where nobody chose
_AT_ONCE: Final = 64  # headlines of a look, so that who stops it need not wait
_PAUSED_SECONDS: Final = 600.0  # after which a replay that stands still ends


def _speed_file(log: StreamLog) -> Path:
    return log.path.with_name(f".{log.path.name}.speed")


def speed_of(log: StreamLog) -> float:
    """Hours of a replay that pass in a second; 0 while it is paused."""
    try:
        return float(_speed_file(log).read_bytes())
    except (OSError, ValueError):
        return SPEED


def set_speed(log: StreamLog, hours: float) -> None:
    files.make_folder(log.path.parent)
    files.write(_speed_file(log), f"{hours}".encode(), durable=False)


@dataclass(slots=True, eq=False)
class ReplaySource:
    """A file whose headlines come at their own times, an undated one with those before it."""

    problem: ClassVar[str] = ""
    file: file_sources.FileSource
    log: StreamLog
    _waiting: deque[tuple[datetime, Arrival]] | None = None
    _clock: datetime = datetime.min  # of the replay
    _looked: float = 0.0  # when the clock was set, in seconds that only grow
    _moved: float = 0.0  # when it last moved

    @property
    def left(self) -> int | None:
        return None if self._waiting is None else len(self._waiting)

    def look(self, *, last: bool, note: excluded_rows.Note) -> list[Arrival]:
        now = time.monotonic()
        if self._waiting is None:
            self._waiting = self._read(note)
            self._clock = self._waiting[0][0] if self._waiting else self._clock
            self._looked = self._moved = now = time.monotonic()
        hours = speed_of(self.log)
        self._clock += timedelta(hours=hours * (now - self._looked))
        self._looked, self._moved = now, now if hours else self._moved
        due: list[Arrival] = []
        while self._waiting and (last or (self._waiting[0][0] <= self._clock and len(due) < _AT_ONCE)):
            due.append(self._waiting.popleft()[1])
        if now - self._moved > _PAUSED_SECONDS:
            self._waiting.clear()
        return due

    def reads(self, path: Path) -> bool:
        return self.file.reads(path)

    def _read(self, note: excluded_rows.Note) -> deque[tuple[datetime, Arrival]]:
        came = {record.headline.key for record in StreamLog(self.log.path).new() if record.headline}
        arrivals = self.file.look(last=True, note=note)
        time = next((arrival.published for arrival in arrivals if arrival.published), None)
        if time is None:
            message = f"No headline of {self.file.path.name} has a date, so that it cannot be replayed."
            raise InputError(message, hint="Follow the file itself.")
        waiting: deque[tuple[datetime, Arrival]] = deque()
        for arrival in arrivals:
            time = arrival.published or time
            if arrival.key not in came:
                waiting.append((time, arrival))
        return waiting
