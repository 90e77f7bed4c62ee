"""Bytes to text: which encoding it is, and refusing what is not text at all; gz within bounds."""

from __future__ import annotations

import codecs
import re
import zlib
from dataclasses import dataclass

from core import limits
from core.data.timelines.encodings import KNOWN, guess
from core.errors import InputError

_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_SIGNATURES = (
    (b"\x1f\x8b", "a gz file inside another"),
    (b"\x89PNG\r\n", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"GIF87a", "a GIF picture"),
    (b"GIF89a", "a GIF picture"),
    (b"%PDF-", "a PDF document"),
    (b"PK\x03\x04", "a zip archive"),
    (b"PK\x05\x06", "an empty zip archive"),
    (b"Rar!\x1a\x07", "a RAR archive"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    *((b"BZh%d1AY&SY" % level, "a bz2 archive") for level in range(1, 10)),
    (b"\xfd7zXZ\x00", "an xz archive"),
    (b"\x28\xb5\x2f\xfd", "a zstd archive"),
    (b"SQLite format 3\x00", "a SQLite database"),
    (b"\x7fELF", "a program"),
    (b"MZ\x90\x00", "a program"),
    (b"\x93NUMPY", "an array of NumPy"),
    (b"\x89HDF\r\n\x1a\n", "an HDF5 file"),
    (b"ARROW1\x00\x00", "an Arrow file"),
    (b"Obj\x01", "an Avro file"),
    *((bytes([0x80, version]), "a pickle of Python, which is never opened") for version in range(2, 6)),
    (b"GGUF\x02\x00\x00\x00", "a model"),
    (b"GGUF\x03\x00\x00\x00", "a model"),
    (b"\x00\x00\x00\x18ftyp", "a film"),
    (b"\x00\x00\x00\x20ftyp", "a film"),
)
GZIP = b"\x1f\x8b"
_CONTROLS = re.compile("[\x01-\x08\x0e-\x1f]")
_FEW = 0.05  # share of bytes that may be read wrongly in a text that is English otherwise
_REPLACEMENT = "\ufffd"
_PIECE = 1 << 20
_UNICODE = ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "ascii", "latin-1")


@dataclass(frozen=True, slots=True)
class Decoded:
    """Text and how it was made out.

    Attributes:
        text: The text, without a byte-order mark.
        encoding: Python's name of the encoding.
        notes: What was guessed or replaced.
    """

    text: str
    encoding: str
    notes: tuple[str, ...] = ()


def decode(data: bytes, *, encoding: str | None = None) -> Decoded:
    """Text from bytes.

    Order: byte-order mark, UTF-16 by its zero bytes, UTF-8, UTF-8 with a few broken bytes, then the
    encoding that `encodings.guess` finds likeliest. What makes sense in none is refused, except for a few
    bytes in a text that is ASCII otherwise: those are read as cp1252, or latin-1 where that has gaps.

    Raises:
        InputError: It is not text, or does not fit the encoding that was asked for.
    """
    for signature, kind in _SIGNATURES:
        if data.startswith(signature):
            raise InputError(
                f"The file is {kind}, not a table of headlines.",
                hint="Give CSV, TSV, XLSX, JSON, JSONL, Parquet or plain text.",
            )
    if re.match(rb"[\s\S]{7}\x00\{\s*\"", data) is not None:  # the length of a head of JSON, then the head
        raise InputError(
            "The file is a model's weights, not a table of headlines.",
            hint="Give CSV, TSV, XLSX, JSON, JSONL, Parquet or plain text.",
        )
    if data[:4] == b"RIFF" and data[8:12] in (b"WAVE", b"AVI ", b"WEBP"):
        raise _not_text()
    if encoding is not None:
        return _as_asked(data, encoding)
    result = _detect(data)
    if _has_controls(result.text):
        raise _not_text()
    return result


def _as_asked(data: bytes, encoding: str) -> Decoded:
    if encoding.lower().replace("_", "-") not in {name.replace("_", "-") for name in (*_UNICODE, *KNOWN)}:
        raise InputError(
            f"There is no text encoding called {encoding[:40]!r}.",
            hint="Try utf-8, cp1251, cp1252 or utf-16.",
        )
    try:
        return Decoded(data.decode(encoding).lstrip("\ufeff"), encoding.lower())
    except UnicodeDecodeError as error:
        raise InputError(
            f"The file is not {encoding}: byte {error.start:,} does not fit.",
            hint="Leave the encoding to be detected, or choose another.",
        ) from None


def _detect(data: bytes) -> Decoded:
    for bom, name in _BOMS:
        if data.startswith(bom):
            return _utf(data, name)
    head = data[:4096]
    zeros = head.count(0)
    if zeros > 0.2 * len(head):
        odd, even = head[1::2].count(0), head[::2].count(0)
        if odd >= 3 * even or even >= 3 * odd:
            return _utf(data, "utf-16-le" if odd > even else "utf-16-be")
        raise _not_text()
    try:
        return Decoded(data.decode("utf-8"), "utf-8")
    except UnicodeDecodeError:
        pass
    try:  # halves of pairs, as Java and old databases write them
        halves = data.decode("utf-8", errors="surrogatepass").encode("utf-16-le", errors="surrogatepass")
        text = halves.decode("utf-16-le", errors="replace")
        return Decoded(text, "utf-8", _replaced(text.count(_REPLACEMENT)))
    except UnicodeDecodeError:
        pass
    loose = data.decode("utf-8", errors="replace")
    broken = loose.count(_REPLACEMENT)
    # In other encodings hardly any two bytes happen to be a character of UTF-8.
    if broken <= sum(map(len, re.findall(r"[^\x00-\x7f]+", loose))) / 2:
        return Decoded(
            loose, "utf-8", (f"{broken:,} bytes are not UTF-8 and were replaced by {_REPLACEMENT}.",)
        )
    return _guessed(data)


def _utf(data: bytes, name: str) -> Decoded:
    text = data.decode(name, errors="replace").lstrip("\ufeff")
    broken = text.count(_REPLACEMENT)
    if broken > 0.05 * len(text):
        raise _not_text()
    return Decoded(text, name.removesuffix("-sig"), _replaced(broken))


def _replaced(broken: int) -> tuple[str, ...]:
    if not broken:
        return ()
    return (f"{broken:,} characters could not be read and were replaced by {_REPLACEMENT}.",)


def _guessed(data: bytes) -> Decoded:
    name = guess(data)
    if name is None:
        if _has_controls(data.decode("latin-1")):
            raise _not_text()
        start = data[:200_000]
        if len(re.findall(rb"[\x80-\xff]", start)) > _FEW * len(start):
            raise InputError(
                "The encoding of the file could not be made out.",
                hint="Save it again as UTF-8; in Excel that is “CSV UTF-8”.",
            )
        name = "latin-1" if re.search(rb"[\x81\x8d\x8f\x90\x9d]", data) else "cp1252"
    text = data.decode(name, errors="replace")
    taken = (
        f"The encoding is not stated and was taken to be {name}; if letters look wrong, save the file again "
        "as UTF-8."
    )
    return Decoded(text, name, (taken, *_replaced(text.count(_REPLACEMENT))))


def _has_controls(text: str) -> bool:
    """Whether there are more control characters than a text has."""
    start = text[:100_000]
    return len(_CONTROLS.findall(start)) > 8 + 0.05 * len(start)


def _not_text() -> InputError:
    return InputError(
        "The file is not text and not a format that is known here.",
        hint="Give CSV, TSV, XLSX, JSON, JSONL, Parquet or plain text.",
    )


def gunzip(data: bytes) -> bytes:
    """Undoes gz, several members included, within the `unpacked_megabytes` limit.

    Raises:
        InputError: The data is cut off or broken, or unpacks to too much.
    """
    most = limits.UNPACKED_MEGABYTES.value * 1_000_000
    pieces: list[bytes] = []
    total = 0
    while data.startswith(GZIP):
        member = zlib.decompressobj(wbits=31)
        try:
            while not member.eof:
                piece = member.decompress(data, _PIECE)
                data = member.unconsumed_tail
                if not piece and not data and not member.eof:
                    raise InputError("The gz file is cut off.", hint="Download or copy it again.")
                total += len(piece)
                if total > most:
                    raise too_big_unpacked()
                pieces.append(piece)
        except zlib.error:
            raise InputError("The gz file is damaged.", hint="Download or copy it again.") from None
        data = member.unused_data
    return b"".join(pieces)


def too_big_unpacked() -> InputError:
    """The error for a file that unpacks to more than the limit."""
    return InputError(
        f"The file unpacks to more than {limits.UNPACKED_MEGABYTES.value:,} MB.",
        hint=f"Split it, or raise {limits.UNPACKED_MEGABYTES.variable}.",
    )
