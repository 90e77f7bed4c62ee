"""The log on disk: one file a timeline, named by its fingerprint, to which each correction is appended.

A correction is on the disk when `add` returns. Threads, windows and processes append under a lock, and a line
says nothing but its own correction, so that none is lost. A file that holds at least half of the headlines
of one that was corrected, and has no log of its own, takes the corrections on.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import cached_property, lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from core import files, limits
from core.data.timelines.timeline import Timeline
from core.errors import DataSourceError, InputError
from core.events.corrections.correction import FORMAT, Correction, HeadlineKey, Kind, as_line, keys_of
from core.events.corrections.history import History, read_lines
from core.runtime import user_folder

SHARED: Final = 0.5
"""Share of the earlier headlines that a later version of a file has to hold to count as one."""
SAMPLED: Final = 256
"""Headlines by which a later version of a file is recognised: those with the smallest hashes."""
LOOKED_AT: Final = 500
"""Logs among which an earlier version is looked for, the last changed first."""
_HINT: Final = "Check that the folder may be written and that there is space, then correct again."


def default_folder() -> Path:
    """The folder of the corrections that the page keeps."""
    return user_folder() / "corrections"


def hashes(keys: Sequence[HeadlineKey]) -> set[str]:
    """A hash of each headline, 16 hex digits."""
    told = ("\x1f".join(key).encode("utf-8", errors="surrogatepass") for key in set(keys))
    return {sha256(text).hexdigest()[:16] for text in told}


@dataclass(frozen=True, eq=False)
class CorrectionStore:
    """The corrections of one timeline.

    Attributes:
        root: The folder of all logs; `default_folder` as a rule.
        fingerprint: Of the timeline.
        name: Of the timeline, for people.
        keys: Of its headlines.
    """

    root: Path
    fingerprint: str
    name: str
    keys: tuple[HeadlineKey, ...]

    @property
    def path(self) -> Path:
        """Where the log is, once there is one."""
        return self.root / f"{self.fingerprint}.jsonl"

    def read(self) -> History:
        """The corrections as they stand.

        Raises:
            DataSourceError: The file cannot be read.
        """
        own = _read(self.path)
        return own[0] if own is not None else self._taken_on()

    def add(self, *corrections: Correction) -> History:
        """Appends corrections, all or none; they are on the disk when this returns.

        Args:
            corrections: In their order. Their time is put after that of what is there.

        Raises:
            InputError: There are too many.
            DataSourceError: They cannot be written; the log is as it was.
        """
        before = self.read()
        now = datetime.now(UTC)
        if before.corrections:
            now = max(now, before.corrections[-1].when + timedelta(microseconds=1))
        timed = [replace(one, when=now + timedelta(microseconds=at)) for at, one in enumerate(corrections)]
        return self._append(before, timed)

    def merge(self, other: History) -> int:
        """Adds the corrections of another log, with who made them and when; gives how many are new.

        Raises:
            InputError: There are too many.
            DataSourceError: They cannot be written; the log is as it was.
        """
        before = self.read()
        known = {one.id for one in before.corrections}
        new = [one for one in other.corrections if one.id not in known]
        if new:
            self._append(before, new)
        return len(new)

    def undo(self, correction: Correction, who: str = "") -> History:
        """Takes one back: events are as if it had never been made.

        Raises:
            DataSourceError: It cannot be written.
        """
        return self.add(Correction(kind=Kind.UNDO, text=correction.id, who=who))

    def redo(self, correction: Correction, who: str = "") -> History:
        """Does one again that was undone, at its old place in the order.

        Raises:
            DataSourceError: It cannot be written.
        """
        return self.add(Correction(kind=Kind.REDO, text=correction.id, who=who))

    def _append(self, before: History, new: Sequence[Correction]) -> History:
        most = limits.CORRECTIONS.value
        if len(before.corrections) + len(new) > most:
            raise InputError(
                f"A timeline keeps at most {most:,} corrections, with every undo and redo.",
                hint=f"Save the corrected timeline as gold and go on with that, or raise "
                f"{limits.CORRECTIONS.variable}.",
            )
        files.make_folder(self.root)
        content = b"".join(map(as_line, new))
        if not self.path.exists():
            # Two windows that do this at once write the same lines twice, and each counts once.
            content = self._head(before) + b"".join(map(as_line, before.corrections)) + content
        files.append(self.path, content, hint=_HINT)
        return self.read()

    def _head(self, before: History) -> bytes:
        """Says what the log is about, and by which headlines a later version of the file is known."""
        told = {
            "format": FORMAT,
            "timeline": self.name,
            "fingerprint": self.fingerprint,
            "headlines": len(self.keys),
            "sample": sorted(self._hashes)[:SAMPLED],
            "taken_from": before.taken_from,
        }
        return f"{json.dumps(told)}\n".encode("ascii")

    @cached_property
    def _hashes(self) -> set[str]:
        return hashes(self.keys)

    def _taken_on(self) -> History:
        """The corrections of an earlier version of the file: of several, of the one changed last."""
        for path in _logs(self.root):
            try:
                found = _read(path)
            except DataSourceError:
                continue
            if found is None or not found[0].corrections:
                continue
            told = found[1].get("sample")
            sample = set(map(str, told)) if isinstance(told, list) else set()
            if sample and len(sample & self._hashes) >= SHARED * len(sample):
                return replace(found[0], taken_from=str(found[1].get("timeline", ""))[:200] or "another file")
        return History()


def store_of(timeline: Timeline, root: Path | None = None) -> CorrectionStore:
    """The store of a timeline.

    Args:
        timeline: As it was given.
        root: The folder of all logs; None for `default_folder`.
    """
    keys = tuple(keys_of(timeline))
    return CorrectionStore(root or default_folder(), timeline.fingerprint, timeline.name, keys)


def _logs(root: Path) -> list[Path]:
    def changed(path: Path) -> float:
        try:
            return path.stat().st_mtime
        except OSError:
            return 0.0

    return sorted(root.glob("*.jsonl"), key=lambda path: (-changed(path), path.name))[:LOOKED_AT]


def _read(path: Path) -> tuple[History, Mapping[str, Any]] | None:
    """A log and its head; None where there is no file."""
    try:
        found = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise _unreadable(path, error) from None
    return _parsed(path, (found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns))


@lru_cache(maxsize=LOOKED_AT)
def _parsed(path: Path, state: tuple[int, int, int, int]) -> tuple[History, Mapping[str, Any]]:
    """The log as it is in a state of the file; a line that is not ended is being written, or was cut off."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise _unreadable(path, error) from None
    history, heads = read_lines(line for line in content.split(b"\n")[:-1] if line)
    head: Mapping[str, Any] = heads[0] if heads else {}
    taken = head.get("taken_from", "")
    if content and not content.endswith(b"\n"):
        history = replace(history, damaged=history.damaged + 1)
    return replace(history, taken_from=taken[:200] if isinstance(taken, str) else ""), head


def _unreadable(path: Path, error: OSError) -> DataSourceError:
    return DataSourceError(
        f"The corrections in {path} cannot be read ({error.strerror or os.strerror(error.errno or 5)}).",
        hint="Check that the file may be read.",
    )
