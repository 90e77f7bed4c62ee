"""Parts of a workbook read within bounds, so that none fills the memory."""

import re
import zipfile
from collections.abc import Callable
from typing import Any, Final
from xml.parsers import expat

from core.errors import InputError

MOST_TAGS: Final = 250_000
"""In one row, or outside of rows and texts; a full row has 16,384 cells of up to eight tags."""
LONGEST_TAG: Final = 1_000_000  # bytes of a tag, a comment, an instruction or a reference
LAST_ROW: Final = 1_048_576  # of the format
TOO_LONG: Final = f"A sheet of the workbook goes past row {LAST_ROW:,}, the last that a sheet has."
_CHUNK: Final = 1 << 16
_END: Final = re.compile(rb"</(?:[\w.-]+:)?(?:row|si)\b|<(?:[\w.-]+:)?row\b[^<>]*/>")
"""Where what was read is let go: the end of a row and of a text."""
_ROW: Final = re.compile(rb"<(?:[\w.-]+:)?row[\s/>]")


def unusable(why: str) -> InputError:
    return InputError(why, hint="Open and save it again, or export CSV.")


def refusal(error: BaseException | None) -> InputError | None:
    """The sentence with which a part was refused, where that is what an error came from."""
    while error is not None and not isinstance(error, InputError):
        error = error.__cause__ or error.__context__
    return error


class GuardedArchive(zipfile.ZipFile):
    def open(self, *given: Any, **named: Any) -> Any:
        part = super().open(*given, **named)
        part.read = _counted(_measured(part.read))  # type: ignore[method-assign]
        return part


def _measured(read: Callable[[int], bytes]) -> Callable[[int], bytes]:
    """Reads at least `_CHUNK`, and refuses a tag or comment that goes on for too long."""
    parser = expat.ParserCreate()
    parser.StartDoctypeDeclHandler = _refuse_doctype
    fed, sound = 0, True

    def measured(size: int) -> bytes:
        nonlocal fed, sound
        chunk = read(max(size, _CHUNK) if size else 0)
        try:
            if sound:
                parser.Parse(chunk, False)
        except expat.ExpatError:  # no XML, or damaged: whoever wants it finds that out here as well
            sound = False
        fed += len(chunk)
        if sound and fed - max(parser.CurrentByteIndex, 0) > LONGEST_TAG:
            raise unusable(f"The workbook has a tag or comment of more than {LONGEST_TAG:,} bytes.")
        return chunk

    return measured


def _refuse_doctype(*_: Any) -> None:
    raise unusable("A part of the workbook declares a document type, which a workbook has not.")


def _counted(read: Callable[[int], bytes]) -> Callable[..., bytes]:
    tags = rows = 0
    before = b""  # a mark may lie across two chunks

    def check(number: int) -> None:
        if number > MOST_TAGS:
            raise InputError(
                f"The workbook has more than {MOST_TAGS:,} tags in one row, or outside of rows and texts.",
                hint="Open it and save the rows alone, or export CSV.",
            )

    def count(chunk: bytes) -> bytes:
        nonlocal tags, rows, before
        rows += len(_ROW.findall(chunk))
        if rows > LAST_ROW:
            raise unusable(TOO_LONG)
        *whole, rest = _END.split(before + chunk)
        for piece in whole:
            check(tags + piece.count(b"<"))
            tags = 0
        tags += rest.count(b"<")
        check(tags)
        before = rest[rest.rfind(b"<") :] if b"<" in rest[-100:] else b""
        tags -= before.count(b"<")
        return chunk

    def counted(size: int | None = -1) -> bytes:
        if size is not None and size >= 0:
            return count(read(size))
        chunks = []
        while chunk := count(read(_CHUNK)):
            chunks.append(chunk)
        return b"".join(chunks)

    return counted
