"""Files packed as gz, unpacked within the limit."""

import gzip
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, cast

from core import limits
from core.errors import InputError

GZIP = b"\x1f\x8b"
PIECE = 1 << 20


def gunzip(data: bytes) -> bytes:
    """Undoes gz, several members included, within the `unpacked_megabytes` limit."""
    pieces: list[bytes] = []
    total = 0
    while data.startswith(GZIP):
        member = zlib.decompressobj(wbits=31)
        try:
            while not member.eof:
                piece = member.decompress(data, PIECE)
                data = member.unconsumed_tail
                if not piece and not data and not member.eof:
                    raise damaged_gz(cut=True)
                total += len(piece)
                check_unpacked(total)
                pieces.append(piece)
        except zlib.error:
            raise damaged_gz(cut=False) from None
        data = member.unused_data
    return b"".join(pieces)


@contextmanager
def unpacked(path: Path) -> Iterator[IO[bytes]]:
    """The bytes of a file of any length, gz or not, whatever its name says."""
    with path.open("rb") as file:
        packed = file.read(len(GZIP)) == GZIP
    with gzip.open(path) if packed else path.open("rb") as file:
        try:
            yield cast("IO[bytes]", file)
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise damaged_gz(cut=isinstance(error, EOFError)) from None


def damaged_gz(*, cut: bool) -> InputError:
    return InputError(f"The gz file is {'cut off' if cut else 'damaged'}.", hint="Download or copy it again.")


def check_unpacked(size: int) -> None:
    if size > limits.UNPACKED_MEGABYTES.value * 1_000_000:
        message = f"The file unpacks to more than {limits.UNPACKED_MEGABYTES.value:,} MB."
        raise InputError(message, hint=f"Split it, or raise {limits.UNPACKED_MEGABYTES.variable}.")
