"""Bytes to text: which encoding it is, and refusing what is not text at all; gz within bounds."""

import codecs
import gzip
import io
import re
import unicodedata
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import IO, cast

from core import limits
from core.errors import InputError
from core.results.render import count_words

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_SIGNATURES: tuple[tuple[bytes | tuple[bytes, ...], str], ...] = (
    (b"\x1f\x8b", "a gz file inside another"),
    (b"\x89PNG\r\n", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    ((b"GIF87a", b"GIF89a"), "a GIF picture"),
    (b"%PDF-", "a PDF document"),
    (b"PK\x03\x04", "a zip archive"),
    (b"PK\x05\x06", "an empty zip archive"),
    (b"Rar!\x1a\x07", "a RAR archive"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (tuple(b"BZh%d1AY&SY" % level for level in range(1, 10)), "a bz2 archive"),
    (b"\xfd7zXZ\x00", "an xz archive"),
    (b"\x28\xb5\x2f\xfd", "a zstd archive"),
    (b"SQLite format 3\x00", "a SQLite database"),
    ((b"\x7fELF", b"MZ\x90\x00"), "a program"),
    (b"\x93NUMPY", "an array of NumPy"),
    (b"\x89HDF\r\n\x1a\n", "an HDF5 file"),
    (b"ARROW1\x00\x00", "an Arrow file"),
    (b"Obj\x01", "an Avro file"),
    (tuple(bytes([0x80, version]) for version in range(2, 6)), "a pickle of Python, which is never opened"),
    ((b"GGUF\x02\x00\x00\x00", b"GGUF\x03\x00\x00\x00"), "a model"),
    ((b"\x00\x00\x00\x18ftyp", b"\x00\x00\x00\x20ftyp"), "a film"),
)
GZIP = b"\x1f\x8b"
_CONTROLS = re.compile("[\x01-\x08\x0e-\x1f]")
_FEW = 0.05  # share of bytes that may be read wrongly in a text that is English otherwise
_REPLACEMENT = "\ufffd"
_PIECE = 1 << 20
_START = 100_000
_HIGH = bytes(range(128, 256))
_HALF = re.compile(rb"\xed[\xa0-\xbf][\x80-\xbf]")
_PAIR = re.compile(rb"\xed[\xa0-\xaf][\x80-\xbf]\xed[\xb0-\xbf][\x80-\xbf]")
_HALVES = "headline_lab.halves"
_NAMED = 5  # lines that a note names
Pieces = Callable[[], Iterator[bytes]]


@dataclass(frozen=True, slots=True)
class Decoded:
    text: str
    encoding: str
    notes: tuple[str, ...] = ()


def decode(data: bytes) -> Decoded:
    def read() -> Iterator[bytes]:
        return pieces(io.BytesIO(data))

    name, notes = encoding_of(read)
    return Decoded("".join(texts(read, name)), name, notes)


def text_of(data: bytes) -> str:
    return decode(gunzip(data) if data.startswith(GZIP) else data).text


def pieces(file: IO[bytes]) -> Iterator[bytes]:
    """The bytes of a file, a megabyte and the rest of its line at a time."""
    while piece := file.read(_PIECE):
        yield piece + file.readline(_PIECE)


def texts(read: Pieces, encoding: str) -> Iterator[str]:
    """Text piece by piece, without a byte-order mark; bytes that are no text are replaced."""
    decoder = codecs.getincrementaldecoder(encoding)(_HALVES if encoding == "utf-8" else "replace")
    begun = False
    for piece, last in chain(((piece, False) for piece in read()), [(b"", True)]):
        text = decoder.decode(piece, last)
        text = text if begun else text.lstrip("\ufeff")
        begun = begun or bool(text)
        yield text


def text_lines(pieces_of_text: Iterable[str]) -> Iterator[str]:
    """Lines with their ends, which are LF, CR LF or CR."""
    rest = ""
    for text in pieces_of_text:
        lines = list(io.StringIO(rest + text, newline=""))
        rest = lines.pop() if lines and not lines[-1].endswith("\n") else ""
        if len(rest) > (most := limits.LINE_CHARACTERS.value):
            raise InputError(
                f"A line of the file has more than {most:,} characters.",
                hint=f"Give a table with one row a line, or raise {limits.LINE_CHARACTERS.variable}.",
            )
        yield from lines
    yield from io.StringIO(rest, newline="")


def encoding_of(read: Pieces) -> tuple[str, tuple[str, ...]]:
    """Which encoding bytes are in, by all of them, and what was guessed or cannot be read, with its lines.

    Order: byte-order mark, UTF-16 by its zero bytes, UTF-8, UTF-8 with a few broken bytes, then the
    encoding that `guess` finds likeliest. What makes sense in none is refused, except for a few
    bytes in a text that is ASCII otherwise: those are read as cp1252.
    """
    head = next(read(), b"")
    for signature, kind in _SIGNATURES:
        if head.startswith(signature):
            raise _not_text(f"The file is {kind}, not a table of headlines.")
    if re.match(rb"[\s\S]{7}\x00\{\s*\"", head) is not None:  # the length of a head of JSON, then the head
        raise _not_text("The file is a model's weights, not a table of headlines.")
    if head[:4] == b"RIFF" and head[8:12] in (b"WAVE", b"AVI ", b"WEBP"):
        raise _not_text()
    name = _marked(head)
    marked, guessed = bool(name), False
    clean = name in ("", "utf-8") and _is_utf8(read, "strict")
    if not name:
        guessed = not (clean or _is_utf8(read, "surrogatepass") or _is_broken_utf8(read))
        name = _guessed(read) if guessed else "utf-8"
    if _has_controls(next(filter(None, texts(read, name)), "")):
        raise _not_text()
    return name, () if clean else _notes(read, name, marked=marked, guessed=guessed)


def _marked(head: bytes) -> str:
    for bom, name in _BOMS:
        if head.startswith(bom):
            return name
    head = head[:4096]
    zeros = head.count(0)
    if zeros > 0.2 * len(head):
        odd, even = head[1::2].count(0), head[::2].count(0)
        if odd >= 3 * even or even >= 3 * odd:
            return "utf-16-le" if odd > even else "utf-16-be"
        raise _not_text()
    return ""


def _is_broken_utf8(read: Pieces) -> bool:
    broken = past = 0
    for text in texts(read, "utf-8"):
        broken += text.count(_REPLACEMENT)
        past += _past_ascii(text)
    return broken <= past / 2  # in other encodings hardly any two bytes happen to be a character of UTF-8


def _is_utf8(read: Pieces, errors: str) -> bool:
    decoder = codecs.getincrementaldecoder("utf-8")(errors)
    try:
        for piece in read():
            decoder.decode(piece)
        decoder.decode(b"", True)
    except UnicodeDecodeError:
        return False
    return True


def _mend(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeDecodeError):
        raise error
    pair = _PAIR.match(error.object, error.start)  # as Java and old databases write a character
    if pair is not None:
        halves = pair[0].decode("utf-8", "surrogatepass").encode("utf-16-le", "surrogatepass")
        return halves.decode("utf-16-le"), pair.end()
    half = _HALF.match(error.object, error.start)
    return _REPLACEMENT, error.end if half is None else half.end()


codecs.register_error(_HALVES, _mend)


def _past_ascii(text: str) -> int:
    return 0 if text.isascii() else sum(map(len, re.findall(r"[^\x00-\x7f]+", text)))


def _notes(read: Pieces, name: str, *, marked: bool, guessed: bool) -> tuple[str, ...]:
    characters = past = first = broken = count = 0
    named: list[str] = []
    for number, line in enumerate(text_lines(texts(read, name)), 1):
        characters += len(line)
        if line.isascii():
            continue
        first = first or number
        past += _past_ascii(line)
        if replaced := line.count(_REPLACEMENT):
            broken += replaced
            count += 1
            named += [f"{number:,}"] if count <= _NAMED else []
    if marked and broken > _FEW * characters:
        raise _not_text()
    notes = []
    if guessed:
        letters = count_words(past, "character", "characters")
        notes.append(
            f"The encoding is not stated and was taken to be {name}, by {letters} past ASCII, the first in "
            f"line {first:,}; if letters look wrong, save the file again as UTF-8."
        )
    if broken:
        said = "character could not be read and was", "characters could not be read and were"
        more = f" and {count - _NAMED:,} more" if count > _NAMED else ""
        at = f"{'line' if count == 1 else 'lines'} {', '.join(named)}{more}"
        notes.append(f"{count_words(broken, *said)} replaced by {_REPLACEMENT} in {at}.")
    return tuple(notes)


def _guessed(read: Pieces) -> str:
    name = guess(_telling(read))
    if name is not None:
        return name
    if _has_controls(next(read())[:_START].decode("latin-1")):
        raise _not_text()
    size = high = 0
    for piece in read():
        size += len(piece)
        high += len(piece) - len(piece.translate(None, _HIGH))
    if high > _FEW * size:
        raise InputError(
            "The encoding of the file could not be made out.",
            hint="Save it again as UTF-8; in Excel that is “CSV UTF-8”.",
        )
    return "cp1252"


def _has_controls(text: str) -> bool:
    start = text[:_START]
    return len(_CONTROLS.findall(start)) > 8 + _FEW * len(start)


def _not_text(why: str = "The file is not text and not a format that is known here.") -> InputError:
    return InputError(why, hint="Give CSV, TSV, XLSX, JSON, JSONL, Parquet or plain text.")


def gunzip(data: bytes) -> bytes:
    """Undoes gz, several members included, within the `unpacked_megabytes` limit."""
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
        raise InputError(
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
_LOOKED_AT = 100_000  # bytes around letters past ASCII; more of them change no guess
_AROUND = 2_000  # bytes of a line that are looked at before and after a letter past ASCII
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


def guess(sample: bytes) -> str | None:
    """Python's name of the encoding that text is most likely in; None where it makes sense in none."""
    import chardet

    results = chardet.detect_all(
        sample, ignore_threshold=True, compat_names=False, include_encodings=KNOWN, max_bytes=len(sample)
    )
    accents = len(re.findall(rb"[\x80-\xff]", sample)) < min(_ACCENTS, len(sample) / 10)
    sure: dict[str, float] = {}
    for result in results:
        name, text = result["encoding"], sample.decode(result["encoding"] or "latin-1", errors="replace")
        enough = result["confidence"] >= _LEAST_SURE or not any(_is_letter(c) for c in text)
        if name and enough and makes_sense(text) and not (accents and not _is_latin(text)):
            sure[name] = result["confidence"]
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


def _telling(read: Pieces) -> bytes:
    around: list[bytes] = []
    size = 0
    for data in read():
        end = 0
        while size <= _LOOKED_AT and (non_ascii := _PAST.search(data, end)):
            at = non_ascii.start()
            low, high = max(end, at - _AROUND), min(at + _AROUND, len(data))
            start = max(data.rfind(b"\n", low, at) + 1, low)
            line_end = data.find(b"\n", at, high)
            if line_end < 0 and high < len(data):  # not within a character of several bytes
                end = max((match.end() for match in _BREAK.finditer(data, at, high)), default=high)
            else:
                end = line_end + 1 if line_end >= 0 else high
            around.append(data[start:end])
            size += end - start
    return b"".join(around)


def makes_sense(text: str) -> bool:
    """Whether characters past ASCII are letters and marks of print, in words of one script each."""
    past = [c for c in text if not c.isascii()]
    known = sum(
        c in _PRINT or c.isalpha() or _CJK.match(c) is not None or unicodedata.category(c).startswith("M")
        for c in past
    )
    sound = known - len(_LONE.findall(text))
    words = [word for word in _WORD.findall(text) if not word.isascii()]
    mixed = sum(not _of_one_script(word) for word in words)
    return sound >= _SOUND * len(past) and mixed <= (1 - _SOUND) * len(words)


def _of_one_script(word: str) -> bool:
    latin = sum(c.isascii() or _is_latin(c) for c in word)
    return word.isalpha() and (latin in (0, len(word)) or any(c > "\u2e80" for c in word))


def _is_latin(text: str) -> bool:
    return all("LATIN" in unicodedata.name(c, "") for c in text if _is_letter(c))


def _is_letter(character: str) -> bool:
    return not character.isascii() and character.isalpha()
