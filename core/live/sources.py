"""What a stream follows: a file, a folder, an address, or a replay."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar, Final, Protocol

from core.data.timelines.load import load
from core.errors import CoreError, DataSourceError, InputError
from core.live.arrivals import Arrival
from core.live.excluded_rows import ExcludedRows, Note
from core.live.fetch import Fetched, Fetcher, is_address
from core.live.file_sources import FileSource, FolderSource, sentence_of
from core.live.kept import name_for, stream_file
from core.live.log import StreamLog
from core.live.replay import ReplaySource

REPLAY: Final = "replay:"  # stands before the path of a file that is replayed


class HeadlineSource(Protocol):
    @property
    def left(self) -> int | None:
        """How many headlines are still to come; None where nobody knows."""
        ...

    @property
    def problem(self) -> str:
        """What was wrong when it was last read, in a sentence; "" for nothing."""
        ...

    def look(self, *, last: bool, note: Note) -> list[Arrival]:
        """What is there and may be new, by time; a headline that was there before may come again."""
        ...

    def reads(self, path: Path) -> bool: ...


def source_of(given: str, *, private: bool = False, log: StreamLog | None = None) -> HeadlineSource:
    """What is followed; a replay takes its speed from next to its log."""
    if not given.strip():
        raise InputError("There is nothing to follow.", hint="Give a file, a folder or an address.")
    if is_address(given):
        return UrlSource(Fetcher(given, private=private))
    path = Path(given.removeprefix(REPLAY))
    if not path.exists():
        message = f"There is no file or folder {str(path)[:200]}."
        raise DataSourceError(message, hint="Check the path and the spelling.")
    if not given.startswith(REPLAY):
        return FolderSource(path) if path.is_dir() else FileSource(path)
    if path.is_dir():
        raise InputError("A folder cannot be replayed.", hint="Give one file of it.")
    return ReplaySource(FileSource(path), log or StreamLog(stream_file(name_for(full_name(given)))))


def full_name(given: str) -> str:
    """What stands for a source in the file of its stream: an address as it is, or the whole path."""
    if is_address(given):
        return given
    replay = REPLAY if given.startswith(REPLAY) else ""
    return f"{replay}{Path(given.removeprefix(REPLAY)).resolve()}"


@dataclass(slots=True, eq=False)
class UrlSource:
    """An address of a feed, or of a file of any format that is read."""

    fetcher: Fetcher
    left: ClassVar[int | None] = None
    problem: str = ""
    _answered: bool = False
    _excluded: ExcludedRows = field(default_factory=ExcludedRows)

    def look(self, *, last: bool, note: Note) -> list[Arrival]:
        try:
            fetched = self.fetcher.fetch()
            arrivals = [] if fetched is None else self._read(fetched, note)
        except CoreError as error:
            self.fetcher.forget()
            if not self._answered:
                raise
            self.problem = f"{self.fetcher.shown} could not be read: {sentence_of(error)}"
            note(self.problem)
            return []
        self._answered, self.problem = True, self._excluded.problem
        return arrivals

    def reads(self, path: Path) -> bool:
        return False

    def _read(self, fetched: Fetched, note: Note) -> list[Arrival]:
        timeline = load(*fetched, growing=True)
        if any("cut off" in said for said in timeline.report.notes):
            self.fetcher.forget()  # what was cut off comes with the next look
        return self._excluded.arrivals(timeline, self.fetcher.shown, note)
