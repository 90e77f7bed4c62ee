"""The face that pictures are drawn in, cut to the letters that they need."""

import io
import tempfile
from collections.abc import Iterable
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from core import files

FAMILY: Final = "Source Sans"
WEIGHTS: Final = (400, 600)  # weights that pictures are drawn in
_SHAPING: Final = ("BASE", "GDEF", "GPOS", "GSUB", "STAT", "MVAR")
"""Tables that take seconds to read and only refine what these letters look like beside each other."""
_DRAWN: Final = (
    *(range(0x20, 0x7F), range(0xA0, 0x180), range(0x370, 0x460), range(0x1E00, 0x1F00)),
    *(range(0x2010, 0x2070), range(0x20A0, 0x20C0), range(0x2100, 0x2300)),
)
"""Latin, Greek and Cyrillic letters and signs; what else a text has is drawn with fonts of the reader."""


def with_letters(font: bytes, text: str) -> bytes:
    """A WOFF2 file of one line of weights that has the letters of a text and no others."""
    face = _cut(_small(font), {ord(letter) for letter in text} | {0x20})
    face.flavor = "woff2"
    return _bytes(face)


@cache
def still_files(font: bytes) -> tempfile.TemporaryDirectory[str]:
    """A folder with a TrueType file for each of `WEIGHTS`, made once: PNGs are drawn with files."""
    from fontTools.ttLib import TTFont
    from fontTools.varLib.instancer import instantiateVariableFont

    folder = files.temporary("face")
    for weight in WEIGHTS:
        still = instantiateVariableFont(TTFont(io.BytesIO(_small(font))), {"wght": weight})
        still["OS/2"].usWeightClass = weight
        files.write(Path(folder.name) / f"{weight}.ttf", _bytes(still), durable=False)
    return folder


@cache
def _small(font: bytes) -> bytes:
    face = _cut(font, {letter for block in _DRAWN for letter in block})
    face.flavor = None
    return _bytes(face)


def _cut(font: bytes, letters: Iterable[int]) -> Any:
    from fontTools.subset import Options, Subsetter
    from fontTools.ttLib import TTFont

    face = TTFont(io.BytesIO(font))
    for table in _SHAPING:
        if table in face:
            del face[table]
    names = face["name"]
    for kind in (16, 17):
        names.removeNames(nameID=kind)
    names.setName(FAMILY, 1, 3, 1, 0x409)
    # Readers of fonts look for the first and the last of these.
    cutting = Subsetter(Options(name_IDs=[1, 2, 6], notdef_outline=True))
    cutting.populate(unicodes=letters)
    cutting.subset(face)
    return face


def _bytes(font: Any) -> bytes:
    out = io.BytesIO()
    font.save(out)
    return out.getvalue()


@cache
def font() -> bytes:
    """The face as Streamlit sends it, WOFF2; b"" where this Streamlit has none."""
    streamlit = find_spec("streamlit")
    if streamlit is None or streamlit.origin is None:
        return b""
    media = Path(streamlit.origin).parent / "static" / "static" / "media"
    file = next(media.glob("SourceSansVF-Upright.*.woff2"), None)
    return b"" if file is None else file.read_bytes()
