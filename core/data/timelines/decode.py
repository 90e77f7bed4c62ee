"""Bytes to text: which encoding it is, or which two, where it is text at all."""

import codecs
import io
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import IO

from core import limits
from core.data.timelines.guess import guess, telling
from core.data.timelines.gz import GZIP, PIECE, gunzip
from core.errors import InputError
from core.files import read_tables
from core.results.render import count_words
from core.text.markup import repaired

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_SIGNS = read_tables(__file__)["signatures"]
_SIGNATURES = {kind: tuple(sign.encode("latin-1") for sign in signs) for kind, signs in _SIGNS.items()}
_CONTROLS = re.compile("[\x01-\x08\x0e-\x1f]")
_FEW = 0.05  # share of bytes that may be read wrongly in a text that is English otherwise
_REPLACEMENT = "\ufffd"
_START = 100_000
_HIGH = bytes(range(128, 256))
_HALF = re.compile(rb"\xed[\xa0-\xbf][\x80-\xbf]")
_PAIR = re.compile(rb"\xed[\xa0-\xaf][\x80-\xbf]\xed[\xb0-\xbf][\x80-\xbf]")
_HALVES = "headline_lab.halves"
_NAMED = 5  # lines that a note names
_AND = " and "  # between UTF-8 and the encoding of the lines that are not in it
_BYTES = re.compile(r"cp125\d|cp866|cp874|iso-8859-\d+|koi8-[ru]|mac-cyrillic")
_SAMPLE = 2_000  # lines past ASCII that decide whether a file is in two encodings
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
    while piece := file.read(PIECE):
        yield piece + file.readline(PIECE)


def texts(read: Pieces, encoding: str) -> Iterator[str]:
    """Text piece by piece, without a byte-order mark; bytes that are no text are replaced."""
    name, _, other = encoding.partition(_AND)
    decoder = codecs.getincrementaldecoder(name)(_HALVES if name == "utf-8" else "replace")
    begun = False
    for piece, last in chain(((piece, False) for piece in read()), [(b"", True)]):
        text = "".join(_of_two(piece, other)) if other else decoder.decode(piece, last)
        text = text if begun else text.lstrip("\ufeff")
        begun = begun or bool(text)
        yield text


def _of_two(piece: bytes, other: str) -> Iterator[str]:
    for line in piece.splitlines(keepends=True):
        yield line.decode("utf-8", _HALVES) if _is_mostly_utf8(line) else line.decode(other, "replace")


def _is_mostly_utf8(line: bytes) -> bool:
    text = line.decode("utf-8", "replace")
    mostly = text.count(_REPLACEMENT) <= _past_ascii(text) / 2
    return mostly or _is_utf8(lambda: iter([line]), "surrogatepass")


def text_lines(pieces_of_text: Iterable[str]) -> Iterator[str]:
    """Lines with their ends, which are LF, CR LF or CR."""
    rest = ""
    for text in pieces_of_text:
        lines = list(io.StringIO(rest + text, newline=""))
        rest = lines.pop() if lines and not lines[-1].endswith("\n") else ""
        if len(rest) > (most := limits.LINE_CHARACTERS.value):
            hint = f"Give a table with one row a line, or raise {limits.LINE_CHARACTERS.variable}."
            raise InputError(f"A line of the file has more than {most:,} characters.", hint=hint)
        yield from lines
    yield from io.StringIO(rest, newline="")


def encoding_of(read: Pieces) -> tuple[str, tuple[str, ...]]:
    """Which encoding bytes are in, by all of them, and what was guessed or cannot be read, with its lines.

    Order: byte-order mark, UTF-16 by its zero bytes, UTF-8, UTF-8 with lines in an encoding of one byte a
    character, UTF-8 with a few broken bytes, what `guess` finds likeliest, cp1252 for a few bytes past ASCII.
    """
    head = next(read(), b"")
    for kind, signature in _SIGNATURES.items():
        if head.startswith(signature):
            raise _not_text(f"The file is {kind}, not a table of headlines.")
    if re.match(rb"[\s\S]{7}\x00\{\s*\"", head) is not None:  # the length of a head of JSON, then the head
        raise _not_text("The file is a model's weights, not a table of headlines.")
    if head[:4] == b"RIFF" and head[8:12] in (b"WAVE", b"AVI ", b"WEBP"):
        raise _not_text()
    name = _marked(head)
    marked, guessed = bool(name), False
    clean = name in ("", "utf-8") and _is_utf8(read, "strict")
    two, said = ("", ()) if clean or name not in ("", "utf-8") else _two_encodings(read)
    if two:
        name = two
    elif not name:
        guessed = not (clean or _is_utf8(read, "surrogatepass") or _is_broken_utf8(read))
        name = _guessed(read) if guessed else "utf-8"
    if _has_controls(next(filter(None, texts(read, name)), "")):
        raise _not_text()
    return name, () if clean else (*said, *_notes(read, name, marked=marked, guessed=guessed))


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


def _two_encodings(read: Pieces) -> tuple[str, tuple[str, ...]]:
    """UTF-8 and the encoding of one byte a character that other lines are in, with a note; else nothing."""
    import ftfy.bad_codecs  # noqa: F401  knows cp1252 with a character for each byte

    utf8 = garbled = count = 0
    others, named = list[bytes](), list[int]()
    lines = (line for piece in read() for line in piece.splitlines(keepends=True))
    for number, line in enumerate(lines, 1):
        if line.isascii():
            continue
        if not _is_mostly_utf8(line):
            count += 1
            named += [number] if count <= _NAMED else []
            others += [line] if count <= _SAMPLE else []
        elif utf8 < _SAMPLE:
            utf8 += 1
            garbled += repaired(line.decode("sloppy-windows-1252")).letters
    if not others or 2 * garbled <= utf8:
        return "", ()
    name = guess(telling(lambda: iter(others))) or ""
    if not _BYTES.fullmatch(name) or not _is_written(b"".join(others).decode(name, "replace")):
        return "", ()
    said = "line is not UTF-8 as others are and was", "lines are not UTF-8 as others are and were"
    note = f"{count_words(count, *said)} read as {name} ({_places(named, count)}); if letters look wrong "
    return f"utf-8{_AND}{name}", (f"{note}there, save the file again as UTF-8.",)


def _is_written(text: str) -> bool:
    """Whether most letters past ASCII stand in words, and none there is a capital behind a small letter."""
    words = [word for word in re.findall(r"[^\W\d_]{2,}", text) if not word.isascii()]
    whole = [word for word in words if not any(a.islower() and b.isupper() for a, b in pairwise(word))]
    letters = sum(c.isalpha() for c in text if not c.isascii())
    return 2 * sum(_past_ascii(word) for word in whole) >= letters


def _places(named: Sequence[int], count: int) -> str:
    more = f" and {count - len(named):,} more" * (count > len(named))
    return f"{'line' if count == 1 else 'lines'} {', '.join(f'{number:,}' for number in named)}{more}"


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
    named: list[int] = []
    for number, line in enumerate(text_lines(texts(read, name)), 1):
        characters += len(line)
        if line.isascii():
            continue
        first = first or number
        past += _past_ascii(line)
        if replaced := line.count(_REPLACEMENT):
            broken += replaced
            count += 1
            named += [number] if count <= _NAMED else []
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
        at = _places(named, count)
        notes.append(f"{count_words(broken, *said)} replaced by {_REPLACEMENT} in {at}.")
    return tuple(notes)


def _guessed(read: Pieces) -> str:
    name = guess(telling(read))
    if (old := _old_mac(next(read()), name or "cp1252")) or name is not None:
        return old or str(name)
    if _has_controls(next(read())[:_START].decode("latin-1")):
        raise _not_text()
    size = high = 0
    for piece in read():
        size += len(piece)
        high += len(piece) - len(piece.translate(None, _HIGH))
    if high > _FEW * size:
        message = "The encoding of the file could not be made out."
        raise InputError(message, hint="Save it again as UTF-8; in Excel that is “CSV UTF-8”.")
    return "cp1252"


def _old_mac(head: bytes, guessed: str) -> str:
    """The encoding of an old Mac, whose lines end in CR alone, where more of its letters are small ones."""
    if b"\n" in head or b"\r" not in head:
        return ""
    counts = [
        sum(sign.islower() and not sign.isascii() for sign in head.decode(name, "replace"))
        for name in ("mac-roman", guessed)
    ]
    return "mac-roman" if counts[0] > counts[1] else ""


def _has_controls(text: str) -> bool:
    start = text[:_START]
    return len(_CONTROLS.findall(start)) > 8 + _FEW * len(start)


def _not_text(why: str = "The file is not text and not a format that is known here.") -> InputError:
    return InputError(why, hint="Give CSV, TSV, XLSX, JSON, JSONL, Parquet or plain text.")
