"""A disk that fails at a chosen call, put in the place of the system that `core.files` writes through.

short   the call writes only a part, and says so
full    from the call on the disk is full; a write gets a part of its bytes onto it before
broken  the call fails with an input/output error; a write got a part of its bytes out before
dead    the call and all after it fail so
killed  the process ends at the call: nothing after it happens, clearing up neither
"""

import dataclasses
import errno
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from unittest import mock

from core import files
from core.errors import CoreError

FAULTS = ("short", "full", "broken", "killed")
NEEDS_SPACE = ("open", "write")
LET_GO = ("close", "unlock")


class Killed(BaseException):
    pass


@dataclass
class Disk:
    """A system whose call number `at`, counted from 1, fails in some way."""

    fault: str
    at: int
    calls: list[str] = field(default_factory=list)
    opened: set[int] = field(default_factory=set)

    @property
    def reached(self) -> bool:
        return len(self.calls) >= self.at

    def system(self) -> files.System:
        real = files.System()
        names = [one.name for one in dataclasses.fields(files.System)]
        return files.System(**{name: self._call(name, getattr(real, name)) for name in names})

    def end(self) -> None:
        for file in self.opened:
            os.close(file)

    def _call(self, name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*given: Any) -> Any:
            if self.reached and self.fault == "killed":
                raise Killed
            self.calls.append(name)
            if self.reached and self._fails(name):
                return self._fail(name, real, given)
            return self._done(name, real, given)

        return call

    def _fails(self, name: str) -> bool:
        if self.fault == "full":
            return name in NEEDS_SPACE
        return self.fault == "dead" or len(self.calls) == self.at

    def _fail(self, name: str, real: Callable[..., Any], given: tuple[Any, ...]) -> Any:
        if name == "write" and not (self.fault == "full" and "truncate" in self.calls):
            file, content = given
            part = real(file, content[: len(content) // 2]) if len(content) > 1 else 0
            if part and (self.fault == "short" or (self.fault == "full" and len(self.calls) == self.at)):
                return part
        elif self.fault == "short":
            return self._done(name, real, given)
        elif name in LET_GO and self.fault != "killed":
            self._done(name, real, given)  # a file is closed, whatever closing it says
        if self.fault == "killed":
            raise Killed
        number = errno.ENOSPC if self.fault == "full" else errno.EIO
        raise OSError(number, os.strerror(number))

    def _done(self, name: str, real: Callable[..., Any], given: tuple[Any, ...]) -> Any:
        value = real(*given)
        if name == "open":
            self.opened.add(value)
        if name == "close":
            self.opened.discard(given[0])
        return value


@dataclass(frozen=True)
class Attempt:
    """How something went on a disk that fails: `done`, `told` (a `CoreError`) or `killed`."""

    disk: Disk
    outcome: str
    error: CoreError | None = None


def attempt(act, fault, at):
    """Does something on a disk whose call `at` fails; an error that is no `CoreError` gets out."""
    disk = Disk(fault, at)
    try:
        with mock.patch.object(files, "SYSTEM", disk.system()):
            act()
    except CoreError as error:
        return Attempt(disk, "told", error)
    except Killed:
        return Attempt(disk, "killed")
    finally:
        disk.end()
    return Attempt(disk, "done")


def attempts(act, faults=FAULTS, *, before=lambda: None):
    """Does something again and again, with each fault at each of its calls, after `before` each time."""
    for fault in faults:
        for at in range(1, 1_000):
            before()
            found = attempt(act, fault, at)
            if not found.disk.reached:
                assert at > 1, "nothing was written through core.files"
                break
            yield found


def partials(folder):
    return [path for path in folder.rglob("*") if path.name.endswith(files.PARTIAL)]
