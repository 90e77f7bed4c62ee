"""The one place where Vega-Lite becomes SVG, and SVG becomes PNG; and the face of a published chart: only the
letters that it uses, or still files that a PNG is drawn with.
"""

from __future__ import annotations

import io
import re
import tempfile
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

from core import files

VERSION: Final = "6.1"
_NO_XML: Final = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def without_controls(text: str) -> str:
    """A text without what no XML file may hold."""
    return _NO_XML.sub("", text)


def as_svg(spec: Mapping[str, Any]) -> str:
    """A Vega-Lite picture as SVG; it may load nothing."""
    import vl_convert

    # One control character in a text ends the whole process, where the width of the text is measured.
    drawn: str = vl_convert.vegalite_to_svg(_cleaned(spec), vl_version=VERSION, allowed_base_urls=[])
    return drawn


def as_png(svg: str) -> bytes:
    import vl_convert

    made: bytes = vl_convert.svg_to_png(without_controls(svg), scale=1)
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
        return {name: _cleaned(one) for name, one in part.items()}
    return [_cleaned(one) for one in part] if isinstance(part, list | tuple) else part


FAMILY: Final = "Source Sans"
WEIGHTS: Final = (400, 600)
"""Weights that pictures are drawn in."""
_SHAPING: Final = ("BASE", "GDEF", "GPOS", "GSUB", "STAT", "MVAR")
"""Tables that take seconds to read and only refine what these letters look like beside each other."""
_DRAWN: Final = (
    range(0x20, 0x7F),
    range(0xA0, 0x180),
    range(0x370, 0x460),
    range(0x1E00, 0x1F00),
    range(0x2010, 0x2070),
    range(0x20A0, 0x20C0),
    range(0x2100, 0x2300),
)
"""Latin, Greek and Cyrillic letters and signs; what else a text has is drawn with fonts of the reader."""


def with_letters(font: bytes, text: str) -> bytes:
    """A WOFF2 file of one line of weights that has the letters of a text and no others."""
    found = _cut(_small(font), {ord(letter) for letter in text} | {0x20})
    found.flavor = "woff2"
    return _bytes(found)


@cache
def still_files(font: bytes) -> tempfile.TemporaryDirectory[str]:
    """A folder with a TrueType file for each of `WEIGHTS`, made once: PNGs are drawn with files."""
    from fontTools.ttLib import TTFont
    from fontTools.varLib.instancer import instantiateVariableFont

    folder = tempfile.TemporaryDirectory(prefix="headline-lab-face-", ignore_cleanup_errors=True)
    for weight in WEIGHTS:
        still = instantiateVariableFont(TTFont(io.BytesIO(_small(font))), {"wght": weight})
        still["OS/2"].usWeightClass = weight
        files.write(Path(folder.name) / f"{weight}.ttf", _bytes(still), durable=False)
    return folder


@cache
def _small(font: bytes) -> bytes:
    found = _cut(font, {letter for block in _DRAWN for letter in block})
    found.flavor = None
    return _bytes(found)


def _cut(font: bytes, letters: Iterable[int]) -> Any:
    from fontTools.subset import Options, Subsetter
    from fontTools.ttLib import TTFont

    found = TTFont(io.BytesIO(font))
    for table in _SHAPING:
        if table in found:
            del found[table]
    names = found["name"]
    for kind in (16, 17):
        names.removeNames(nameID=kind)
    names.setName(FAMILY, 1, 3, 1, 0x409)
    # Readers of fonts look for the first and the last of these.
    cutting = Subsetter(Options(name_IDs=[1, 2, 6], notdef_outline=True))
    cutting.populate(unicodes=letters)
    cutting.subset(found)
    return found


def _bytes(font: Any) -> bytes:
    out = io.BytesIO()
    font.save(out)
    return out.getvalue()
