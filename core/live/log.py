"""The file of a stream: its first line says what is followed, each further line is a record."""

import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import msgspec

from core import files
from core.errors import DataSourceError, InputError
from core.live.changes import StreamRecord

_VERSION: Final = 1
FORGOTTEN: Final = "forgotten"
_LONGEST_HEADER: Final = 10_000_000
_BEGINNING: Final = b'{"stream":'  # what the first line of a stream begins with, also where a kill cut it off
_KILLED: Final = "Begin a new stream, or take a copy of the file from before it was changed."


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamHeader:
    source: str  # the file, folder or address, as it was given
    shared: bool = False  # visitors of a workshop see the stream
    forgotten: frozenset[str] = frozenset()  # keys of headlines removed on request, not taken again


@dataclass(slots=True, eq=False)
class StreamLog:
    """The file of one stream, read from its beginning; `new` reads on."""

    path: Path  # the file; it need not be there yet
    header: StreamHeader | None = None  # what is followed; None before the first line is there
    _read: int = 0
    _last: int = 0
    _torn: bool = False
    _begun: bool = False

    @property
    def name(self) -> str:
        return self.path.stem

    @property
    def looked(self) -> Path:
        """The file whose time says when the source was last looked at, and which its follower holds."""
        return self.path.with_name(f".{self.path.name}.following")

    @property
    def problem(self) -> Path:
        """The file that says what is wrong with the source, since its time; absent where nothing is."""
        return self.path.with_name(f".{self.path.name}.problem")

    @property
    def rules(self) -> Path:
        return self.path.with_name(f".{self.path.name}.rules")

    @property
    def alarms(self) -> Path:
        """The file of what rules raised, a line each."""
        return self.path.with_name(f".{self.path.name}.alarms")

    @property
    def watched(self) -> Path:
        """The file that says up to which record rules were looked at."""
        return self.path.with_name(f".{self.path.name}.watched")

    def tell(self, problem: str) -> None:
        if not problem:
            self.problem.unlink(missing_ok=True)
        elif not self.problem.exists() or self.problem.read_text("utf-8") != problem:
            files.write(self.problem, problem.encode("utf-8", "replace"), durable=False)

    def begin(self, header: StreamHeader) -> None:
        if self.header is None:
            check_stream(self.path)
            files.make_folder(self.path.parent)
            body = {"stream": _VERSION, "source": header.source, "shared": header.shared}
            files.append(self.path, line_of(body))
            self.header = header
        elif self.header.source != header.source:
            message = f"{self.path} follows {self.header.source}, and not {header.source}."
            raise InputError(message, hint="Give another source a file of its own (--state).")

    def settle(self) -> None:
        """What stands in the file is on the disk: a follower may have been killed before it was."""
        if self.path.exists():
            files.append(self.path, b"")

    def append(self, records: Sequence[StreamRecord]) -> None:
        files.append(self.path, b"".join(line_of(record.body()) for record in records))

    def remove(self) -> None:
        """Removes the file and what is beside it; only for who holds the lock."""
        lock = self.rules.with_suffix(".lock")
        for path in (self.path, self.problem, self.rules, lock, self.alarms, self.watched, self.looked):
            with suppress(OSError):
                path.unlink()

    def new(self) -> Iterator[StreamRecord]:
        for body in self.bodies():
            if self.header is None:
                self.header = _header(body, self.path)
                continue
            try:
                yield msgspec.convert(body, StreamRecord)
            except msgspec.ValidationError:
                message = f"{self.path} holds a line that is no record of a stream."
                raise InputError(message, hint=_KILLED) from None

    def bodies(self) -> Iterator[Any]:
        """Whole lines that were not read yet, without zeros that a power cut leaves in a line's place."""
        for line in self._lines():
            try:
                body = json.loads(line)
            except ValueError:
                if not self._begun and not _may_begin(line):
                    raise _no_stream(self.path) from None
                self._torn |= b"\0" in line
                continue  # cut off; what came after it is whole
            self._begun = True
            number = body.get("number") if isinstance(body, dict) else None
            if isinstance(number, int):
                if self._torn and number != self._last + 1:
                    continue
                self._last, self._torn = number, False
            yield body

    def _lines(self) -> list[bytes]:
        try:
            with self.path.open("rb") as file:
                file.seek(self._read)
                data = file.read()
        except FileNotFoundError:
            return []
        except OSError as error:
            raise DataSourceError(f"{self.path} cannot be read.", hint="Check the file.") from error
        whole = data[: data.rfind(b"\n") + 1]
        self._read += len(whole)
        return whole.splitlines()


def header_of(path: Path) -> StreamHeader | None:
    """What the first line of a stream's file says; None before it is whole."""
    try:
        with path.open("rb") as file:
            while line := file.readline(_LONGEST_HEADER):
                with suppress(ValueError):
                    body = json.loads(line)
                    if line.endswith(b"\n"):
                        break
                # Cut off by a kill: the whole line stands below, or is not there yet.
                if not _may_begin(line):
                    raise _no_stream(path)
            else:
                return None
    except OSError as error:
        raise DataSourceError(f"{path} cannot be read.", hint="Check the file.") from error
    return _header(body, path)


def check_stream(path: Path) -> None:
    """Refuses a file that is there and no stream, so that nobody writes into it."""
    if path.exists():
        header_of(path)


def _header(body: Any, path: Path) -> StreamHeader:
    ours = isinstance(body, dict) and body.get("stream") == _VERSION
    if isinstance(body, dict) and type(number := body.get("stream")) is int and number > _VERSION:
        raise InputError(f"A newer version of Headline Lab made {path}.", hint="Update Headline Lab.")
    if not ours or not isinstance(body.get("source"), str):
        raise _no_stream(path)
    forgotten = frozenset(map(str, body.get(FORGOTTEN, ())))
    return StreamHeader(source=body["source"], shared=body.get("shared") is True, forgotten=forgotten)


def _may_begin(line: bytes) -> bool:
    return line.startswith(_BEGINNING) or _BEGINNING.startswith(line.rstrip(b"\n").rstrip(b"\0"))


def _no_stream(path: Path) -> InputError:
    return InputError(f"{path} is not the file of a stream.", hint="Give another file (--state).")


def line_of(body: dict[str, Any]) -> bytes:
    return json.dumps(body, allow_nan=False, separators=(",", ":")).encode() + b"\n"
