"""The file of a stream: its first line says what is followed, each further line is a record.

Records are appended and never changed. A line that a kill cut off is left out when the file is read: nobody
was told of it, and the headline comes again from its source.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path, PurePath
from typing import Any, Final

from core import files
from core.errors import DataSourceError, InputError
from core.live.changes import StreamRecord
from core.runtime import user_folder

_VERSION: Final = 1
_LONGEST_HEADER: Final = 100_000
SUFFIX: Final = ".jsonl"
NAME: Final = r"[a-z0-9][a-z0-9-]{0,59}"
"""What a stream may be called: its file has this name."""
_BEGINNING: Final = b'{"stream":'
"""What the first line of a stream begins with, also where a kill cut it off."""
_KILLED: Final = "Begin a new stream, or take a copy of the file from before it was changed."


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamHeader:
    """What a stream follows.

    Attributes:
        source: The file, folder or address, as it was given.
        shared: Visitors of a workshop see the stream.
    """

    source: str
    shared: bool = False


@dataclass(slots=True, eq=False)
class StreamLog:
    """The file of one stream, read from its beginning; `new` reads on.

    Attributes:
        path: The file; it need not be there yet.
        header: What is followed; None before the first line is there.
    """

    path: Path
    header: StreamHeader | None = None
    _read: int = 0

    @property
    def name(self) -> str:
        """What the stream is called."""
        return self.path.stem

    @property
    def looked(self) -> Path:
        """The file whose time says when the source was last looked at, and which its follower holds."""
        return self.path.with_name(f".{self.path.name}.following")

    def begin(self, header: StreamHeader) -> None:
        """Writes the first line, where there is none.

        Raises:
            InputError: The file follows something else, or is no stream; it stays as it is.
            DataSourceError: It cannot be written.
        """
        if self.header is None:
            check_stream(self.path)
            files.make_folder(self.path.parent)
            body = {"stream": _VERSION, "source": header.source, "shared": header.shared}
            files.append(self.path, _line(body))
            self.header = header
        elif self.header.source != header.source:
            raise InputError(
                f"{self.path} follows {self.header.source}, and not {header.source}.",
                hint="Give another --state file for another source.",
            )

    def append(self, records: Sequence[StreamRecord]) -> None:
        """Stores records; they are on the disk when this returns.

        Raises:
            DataSourceError: They cannot be written.
        """
        files.append(self.path, b"".join(_line(record.body()) for record in records))

    def remove(self) -> None:
        """Removes the file and its lock; only for who holds the lock."""
        for path in (self.path, self.looked):
            with suppress(OSError):
                path.unlink()

    def new(self) -> Iterator[StreamRecord]:
        """The records that stand in the file and were not read yet.

        Raises:
            InputError: The file is no stream.
            DataSourceError: It cannot be read.
        """
        for line in self._lines():
            try:
                body = json.loads(line)
            except ValueError:
                if self.header is None and not _may_begin(line):
                    raise _no_stream(self.path) from None
                continue  # cut off by a kill; what came after it is whole
            if self.header is None:
                self.header = _header(body, self.path)
                continue
            try:
                record = StreamRecord.of(body)
            except (ValueError, TypeError, KeyError, AttributeError):
                raise InputError(
                    f"{self.path} holds a line that is no record of a stream.", hint=_KILLED
                ) from None
            yield record

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
    """What the first line of a stream's file says; None before it is whole.

    Raises:
        InputError: The file is no stream.
        DataSourceError: It cannot be read.
    """
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
    """Refuses a file that is there and no stream, so that nobody writes into it.

    Raises:
        InputError: It is none.
        DataSourceError: It cannot be read.
    """
    if path.exists():
        header_of(path)


def streams_folder() -> Path:
    """Where streams are kept that have no file of their own: `live` in the user's folder."""
    return user_folder() / "live"


def stream_file(name: str) -> Path:
    """The file of a stream by its name.

    Raises:
        InputError: No stream can be called that.
    """
    if not re.fullmatch(NAME, name):
        raise InputError(
            f"A stream cannot be called {name[:80]!r}.",
            hint="Use small letters, digits and hyphens, at most 60.",
        )
    return streams_folder() / f"{name}{SUFFIX}"


def name_for(source: str) -> str:
    """A name for the stream of a source: the same source has the same."""
    shown = source.partition("://")[2] or PurePath(source).name
    words = re.sub(r"[^a-z0-9]+", "-", shown.lower())
    digest = blake2b(source.encode("utf-8", "surrogatepass"), digest_size=4).hexdigest()
    return f"{words.strip('-')[-40:].strip('-')}-{digest}".lstrip("-")


def kept_streams() -> list[Path]:
    """The files of all streams in the folder, the one that was written last first."""
    folder = streams_folder()
    if not folder.is_dir():
        return []
    found: list[tuple[float, str, Path]] = []
    for path in folder.glob(f"*{SUFFIX}"):
        with suppress(FileNotFoundError):  # one that could not be followed goes again
            if re.fullmatch(NAME, path.stem):
                found.append((-path.stat().st_mtime, path.name, path))
    return [path for _, _, path in sorted(found)]


def _header(body: Any, path: Path) -> StreamHeader:
    if (
        not isinstance(body, dict)
        or body.get("stream") != _VERSION
        or not isinstance(body.get("source"), str)
    ):
        raise _no_stream(path)
    return StreamHeader(source=body["source"], shared=body.get("shared") is True)


def _may_begin(line: bytes) -> bool:
    """Whether a line that is not whole may be the beginning of a stream's first one."""
    return line.startswith(_BEGINNING) or _BEGINNING.startswith(line.rstrip(b"\n"))


def _no_stream(path: Path) -> InputError:
    return InputError(f"{path} is not the file of a stream.", hint="Give another --state file.")


def _line(body: dict[str, Any]) -> bytes:
    return json.dumps(body, allow_nan=False, separators=(",", ":")).encode() + b"\n"
