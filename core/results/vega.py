"""A Vega-Lite picture: the data inside it, and the picture as SVG and as PNG."""

import re
import struct
import unicodedata
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from html import escape
from typing import Any, Final
from zlib import crc32

from core.results.fonts import still_files

VERSION: Final = "6.1"
ASIDE: Final = "aside-"
"""Begins the name of data in a picture that is drawn and is not what it shows: notes, lines behind marks."""
_SVG: Final = "http://www.w3.org/2000/svg"
_NO_XML: Final = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_OTHER_LETTERS: Final = re.compile("[^\x00-\u024f\u0300-\u052f\u1e00-\u2bff]+")
_HEADER: Final = 33  # bytes of a PNG before which its texts cannot stand
_NO_LETTER: Final = "\U0010fffd"
_WRITTEN_IN: Final = {"CJK": "Chinese", "HIRAGANA": "Japanese", "KATAKANA": "Japanese", "HANGUL": "Korean"}


def without_controls(text: str) -> str:
    """A text without what no XML file may hold."""
    return _NO_XML.sub("", text)


def as_svg(spec: Mapping[str, Any]) -> str:
    """A Vega-Lite picture as SVG; it may load nothing."""
    import vl_convert

    # One control character in a text ends the whole process, where the width of the text is measured.
    drawn: str = vl_convert.vegalite_to_svg(_cleaned(spec), vl_version=VERSION, allowed_base_urls=[])
    return drawn


def as_png(svg: str, *, signature: str = "") -> bytes:
    """An SVG as PNG; letters that no font of this computer has are named: "[Korean]"."""
    png = _drawn(_OTHER_LETTERS.sub(_or_named, without_controls(svg)))
    if not signature:
        return png
    text = b"iTXt" + b"Software\0\0\0\0\0" + f"Headline Lab · {signature}".encode()
    chunk = struct.pack(">I", len(text) - 4) + text + struct.pack(">I", crc32(text))
    return png[:_HEADER] + chunk + png[_HEADER:]


def metadata(signature: str) -> str:
    """An element of SVG that says what the data of a picture depend on; "" for nothing."""
    said = escape(without_controls(signature), quote=False)
    return f"<metadata>Headline Lab · {said}</metadata>" if said else ""


def _or_named(letters: re.Match[str]) -> str:
    scripts = {unicodedata.name(letter, "?").partition(" ")[0]: letter for letter in letters[0]}
    missing = [script for script, letter in scripts.items() if _box(letter) == _box(_NO_LETTER)]
    return f"[{_WRITTEN_IN.get(missing[-1], missing[-1].title())}]" if missing else letters[0]


@lru_cache(maxsize=512)
def _box(letter: str) -> bytes:
    text = f'<text y="30" font-family="Arial, \'Liberation Sans\', sans-serif">{letter}</text>'
    return _drawn(f'<svg xmlns="{_SVG}" width="40" height="40">{text}</svg>')


def _drawn(svg: str) -> bytes:
    import vl_convert

    made: bytes = vl_convert.svg_to_png(svg, scale=1)
    return made


@cache
def use_font(font: bytes) -> None:
    """Draws with a face from now on, also where only the widths of its letters count."""
    import vl_convert

    vl_convert.register_font_directory(still_files(font).name)


def _cleaned(part: Any) -> Any:
    if isinstance(part, str):
        return without_controls(part)
    if isinstance(part, Mapping):
        return {name: _cleaned(child) for name, child in part.items()}
    return [_cleaned(child) for child in part] if isinstance(part, list | tuple) else part


def data_rows(spec: Mapping[str, Any]) -> list[list[object]]:
    lines = [line for values in _values(spec, spec.get("datasets", {})) for line in values]
    names = list(dict.fromkeys(name for line in lines for name in line))
    return [[*names], *([line.get(name) for name in names] for line in lines)]


def _values(part: Any, named: Mapping[str, Any]) -> list[Sequence[Mapping[str, Any]]]:
    tables: list[Sequence[Mapping[str, Any]]] = []
    if isinstance(part, Mapping):
        data = part.get("data", {})
        aside = str(data.get("name", "")).startswith(ASIDE)
        values = None if aside else data.get("values") or named.get(data.get("name", ""))
        tables = [values] if values else []
        for kind in ("layer", "vconcat", "hconcat"):
            for child in part.get(kind, ()):
                values = _values(child, named)
                tables += [value for value in values if not any(value is held for held in tables)]
    return tables
