"""Bytes to text: which encoding it is, and refusing what is not text at all; gz within bounds."""

from __future__ import annotations

import codecs
import re
import unicodedata
import zlib
from dataclasses import dataclass

from core import limits
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


def decode(data: bytes) -> Decoded:
    """Text from bytes.

    Order: byte-order mark, UTF-16 by its zero bytes, UTF-8, UTF-8 with a few broken bytes, then the
    encoding that `encodings.guess` finds likeliest. What makes sense in none is refused, except for a few
    bytes in a text that is ASCII otherwise: those are read as cp1252, or latin-1 where that has gaps.

    Raises:
        InputError: It is not text.
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
    result = _detect(data)
    if _has_controls(result.text):
        raise _not_text()
    return result


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
                    raise damaged_gz(cut=True)
                total += len(piece)
                if total > most:
                    raise too_big_unpacked()
                pieces.append(piece)
        except zlib.error:
            raise damaged_gz(cut=False) from None
        data = member.unused_data
    return b"".join(pieces)


def damaged_gz(*, cut: bool) -> InputError:
    """The error for gz that ends too early, or is broken."""
    return InputError(f"The gz file is {'cut off' if cut else 'damaged'}.", hint="Download or copy it again.")


def too_big_unpacked() -> InputError:
    """The error for a file that unpacks to more than the limit."""
    return InputError(
        f"The file unpacks to more than {limits.UNPACKED_MEGABYTES.value:,} MB.",
        hint=f"Split it, or raise {limits.UNPACKED_MEGABYTES.variable}.",
    )


KNOWN = (
    *("cp1252", "cp1250", "cp1251", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257", "cp874"),
    *("cp932", "euc-jp", "gb18030", "big5", "cp949", "koi8-r", "koi8-u", "cp866"),
    *("iso-8859-1", "iso-8859-2", "iso-8859-5", "iso-8859-7", "iso-8859-9", "iso-8859-15"),
    *("mac-cyrillic", "shift_jis", "euc-kr", "big5hkscs", "euc_jis_2004"),
)
"""What is guessed, the best known first: what newsrooms, archives and spreadsheets wrote before UTF-8."""
_LOOKED_AT = 100_000
"""Bytes around letters past ASCII; more of them change no guess."""
_AROUND = 2_000
"""Bytes of a line that are looked at before and after a letter past ASCII."""
_PAST = re.compile(rb"[\x80-\xff]")
_BREAK = re.compile(rb"[\x00-\x2f]")
"""Bytes that are no part of a longer character in any encoding that is guessed."""
_SOUND = 0.85
"""Least share of characters past ASCII that are letters or marks of print, and of words in one script."""
_LEAST_SURE = 0.03
"""Of chardet's certainty, which is low for single headlines; what makes no sense stays below."""
_AS_GOOD = 0.9
"""Western text is far commoner than what it is mistaken for, so it wins where it is nearly as likely."""
_ACCENTS = 8
"""So few characters past ASCII, in a text of Latin letters otherwise, are no words of another script."""
_PRINT = frozenset("‘’‚‛“”„‟«»‹›–—―…·•°§©®™€£¥¢№¡¿±×÷½¼¾²³¹ªº´`\u00a0\u00ad\u200b\u200e\u200f")
_WORD = re.compile(r"[^\W\d_]+(?:[€£¥¢§©®™°±×÷]?[^\W\d_]+)+")
"""Letters, and signs that stand between two of them only where they are misread."""
_LONE = re.compile(r"(?<=\d)[À-ɏ](?!\w)|(?<!\w)[À-ɏ](?=\d)")
"""A letter alone beside a number, as a misread pound or half is."""
_CJK = re.compile(r"[\u2010-\u2027\u25a0-\u26ff\u3000-\u303f\uff00-\uffef]")
"""Marks, signs and forms of full width, as East Asian headlines are full of them."""


def guess(data: bytes) -> str | None:
    """Python's name of the encoding that text is most likely in; None where it makes sense in none.

    Args:
        data: Bytes of a text that is neither ASCII nor Unicode.
    """
    import chardet

    sample = _telling(data)
    found = chardet.detect_all(
        sample, ignore_threshold=True, compat_names=False, include_encodings=KNOWN, max_bytes=len(sample)
    )
    accents = len(re.findall(rb"[\x80-\xff]", sample)) < min(_ACCENTS, len(sample) / 10)
    sure: dict[str, float] = {}
    for one in found:
        name, text = one["encoding"], sample.decode(one["encoding"] or "latin-1", errors="replace")
        enough = one["confidence"] >= _LEAST_SURE or not any(_is_letter(c) for c in text)
        if name and enough and makes_sense(text) and not (accents and not _is_latin(text)):
            sure[name] = one["confidence"]
    if not sure:
        return None
    best = next(iter(sure))
    if sure.get("cp1252", 0.0) >= _AS_GOOD * sure[best]:
        return "cp1252"
    text = sample.decode(best, errors="replace")
    return next((name for name in KNOWN if _read(sample, name) == text), best)


def _read(data: bytes, name: str) -> str | None:
    try:
        return data.decode(name)
    except UnicodeDecodeError:
        return None


def _telling(data: bytes) -> bytes:
    """Lines with letters past ASCII, of long ones what is around those letters; each byte is read once."""
    pieces: list[bytes] = []
    size = end = 0
    while size <= _LOOKED_AT and (found := _PAST.search(data, end)):
        at = found.start()
        low, high = max(end, at - _AROUND), min(at + _AROUND, len(data))
        start = max(data.rfind(b"\n", low, at) + 1, low)
        line_end = data.find(b"\n", at, high)
        if line_end < 0 and high < len(data):  # not within a character of several bytes
            end = max((one.end() for one in _BREAK.finditer(data, at, high)), default=high)
        else:
            end = line_end + 1 if line_end >= 0 else high
        pieces.append(data[start:end])
        size += end - start
    return b"".join(pieces)


def makes_sense(text: str) -> bool:
    """Whether characters past ASCII are letters and marks of print, in words of one script each."""
    past = [c for c in text if not c.isascii()]
    sound = sum(map(_is_sound, past)) - len(_LONE.findall(text))
    words = [word for word in _WORD.findall(text) if not word.isascii()]
    mixed = sum(not _of_one_script(word) for word in words)
    return sound >= _SOUND * len(past) and mixed <= (1 - _SOUND) * len(words)


def _is_sound(character: str) -> bool:
    known = character in _PRINT or _CJK.match(character) is not None
    return known or character.isalpha() or unicodedata.category(character).startswith("M")


def _of_one_script(word: str) -> bool:
    """Whether a word has only Latin letters or only others; East Asian names of firms and papers mix them."""
    latin = sum(c.isascii() or _is_latin(c) for c in word)
    return word.isalpha() and (latin in (0, len(word)) or any(c > "\u2e80" for c in word))


def _is_latin(text: str) -> bool:
    return all("LATIN" in unicodedata.name(c, "") for c in text if _is_letter(c))


def _is_letter(character: str) -> bool:
    """Whether it is a letter past ASCII."""
    return not character.isascii() and character.isalpha()
