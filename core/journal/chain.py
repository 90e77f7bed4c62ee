"""Digests that chain the entries of a stream, so that whatever does not fit is noticed."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from core.digests import digest
from core.journal.tables import Row

End = tuple[int, str]  # number and digest of the last entry of a stream
NOTHING: Final[End] = (0, "")  # how an empty stream ends
_DIGITS: Final = 32
_CELLS: Final = ("sequence", "stream", "id", "kind", "who", "time", "body")


def linked(rows: Iterable[Row], heads: Mapping[str, str] = {}) -> Iterator[dict[str, Any]]:
    """Entries in their order, each with a digest of itself and of the one before it in its stream."""
    before = {**heads}
    for row in rows:
        digest = before[row["stream"]] = digest_of(before.get(row["stream"], ""), row)
        yield {**row, "digest": digest}


def digest_of(before: str, row: Row, cells: Sequence[str] = _CELLS) -> str:
    # No cell holds the sign between them: names are checked, and JSON escapes it.
    said = "\0".join([before, *[str(row[name]) for name in cells]])
    return digest(said, digits=_DIGITS)


def receipt_digest(before: str, row: Row) -> str:
    return digest_of(before, row, ("number", "time", "body"))


def entry_fault(row: Row) -> str:
    return f"Entry {row['sequence']} of the database is damaged, or one before it in its stream is missing"


def receipt_fault(row: Row) -> str:
    return f"Receipt {row['number']} of the database is damaged, or one before it is missing"


def end_fault(stream: str) -> str:
    return f"The newest entries of {stream!r} are missing or damaged"


def followed(rows: Iterable[Row], stream: str, end: End, head: End) -> tuple[End, str]:
    """The end of a stream after further rows, and the first thing that does not fit; "" for nothing."""
    for row in rows:
        end = row["sequence"], digest_of(end[1], row)
        if (row["digest"], row["stream"]) != (end[1], stream):
            return end, entry_fault(row)
    return end, "" if end == head else end_fault(stream)


@dataclass(frozen=True, slots=True)
class Contents:
    entries: Sequence[Row]
    receipts: Sequence[Row]
    heads: Mapping[str, End]
    origin: str

    def faults(self) -> Iterator[str]:
        ends: dict[str, End] = {}
        for row in self.entries:
            stream = row["stream"]
            if row["digest"] != digest_of(ends.get(stream, NOTHING)[1], row):
                yield f"{entry_fault(row)}."
            ends[stream] = row["sequence"], row["digest"]
        # What follows a row that does not fit hangs on it as it stands: one turned bit is one finding.
        differ = [name for name in {**ends, **self.heads} if ends.get(name) != self.heads.get(name)]
        yield from (f"{end_fault(name)}." for name in differ)
        before = self.origin
        for row in self.receipts:
            if row["digest"] != receipt_digest(before, row):
                yield f"{receipt_fault(row)}."
            before = row["digest"]
