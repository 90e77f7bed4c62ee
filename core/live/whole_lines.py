"""The whole lines of a file that may still grow."""

import codecs
import json
from typing import Final

_JSON_LINES: Final = ("jsonl", "ndjson")
_BY_LINES: Final = ("csv", "tsv", "txt", *_JSON_LINES)  # the last line may not be whole yet
_TABLES: Final = ("csv", "tsv")
_MARKS: Final = (  # that of UTF-32 first: that of UTF-16 is its beginning
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


def whole_lines(data: bytes, ending: str) -> bytes:
    """A file up to the end of its last whole line; an object of JSON is whole without a line end."""
    if ending not in _BY_LINES:
        return data
    encoding = _encoding(data)
    end = _after_last(data, "\n".encode(encoding)) or _after_last(data, "\r".encode(encoding))
    return data if ending in _JSON_LINES and _is_object(data[end:]) else data[:end]


def is_nothing_yet(data: bytes, ending: str) -> bool:
    """Whether whole lines hold no row yet: they are blank, or one line that may name a table's columns."""
    encoding = _encoding(data)
    if encoding != "utf-8":
        data = data.decode(encoding, "replace").lstrip("\ufeff").encode()
    filled = data.removeprefix(codecs.BOM_UTF8).strip()
    return not filled or (ending in _TABLES and len(filled.splitlines()) == 1)


def _encoding(data: bytes) -> str:
    for mark, name in _MARKS:
        if data.startswith(mark):
            return name
    zeros = tuple(not byte for byte in data[:2])
    if zeros == (False, True):
        return "utf-16-le"
    return "utf-16-be" if zeros == (True, False) else "utf-8"


def _after_last(data: bytes, line_end: bytes) -> int:
    at = data.rfind(line_end)
    while at % len(line_end) and at > 0:
        at = data.rfind(line_end, 0, at + len(line_end) - 1)
    return at + len(line_end) if at >= 0 else 0


def _is_object(line: bytes) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False
