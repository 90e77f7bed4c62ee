"""Reports as one HTML file that opens offline, results as comparable JSON, charts as SVG and PNG."""

import base64
import dataclasses
import hashlib
import io
import json
import os
import platform
import re
import tempfile
import unicodedata
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from typing import Any, Final, TypeVar, get_origin

import msgspec

from core import files
from core.errors import DataSourceError, InputError
from core.palette import DARK, LIGHT, NEUTRAL_DARK, NEUTRAL_LIGHT

_PAGE: Final = Path(__file__).with_suffix(".html").read_text(encoding="utf-8")
_BASE: Final = "\n" + Path(__file__).with_suffix(".css").read_text(encoding="utf-8")
_NIGHT = """
:root{--ink:#e9e7e1;--quiet:#a5a49e;--rule:#33363c;--paper:#14161a;--card:#1b1e23;--link:#8cc2f5}
"""
_PAINTS = {"#1c1c1a": "#e9e7e1", "#5c5c57": "#a5a49e", "#dedbd3": "#33363c", "#fbfaf7": "#14161a"}


def html_page(body: str, *, title: str, style: str = "", script: str = "", **values: Any) -> bytes:
    """A report as one UTF-8 HTML file: nothing is loaded from anywhere, text is escaped."""
    from jinja2 import Environment, StrictUndefined

    environment = Environment(autoescape=True, undefined=StrictUndefined)
    page = environment.from_string(_PAGE.replace("{{ body }}\n", body))
    parts = {"title": title, "style": _style_sheet() + style, "script": script}
    return page.render(**parts, script_hash=script_hash(script), **values).encode("utf-8")


def script_hash(script: str) -> str:
    """How a Content-Security-Policy calls a script that it allows."""
    digest = hashlib.sha256(script.encode("utf-8")).digest()
    return f"sha256-{base64.b64encode(digest).decode('ascii')}"


def _style_sheet() -> str:
    swaps = {**_PAINTS, **dict(zip(LIGHT, DARK, strict=True)), NEUTRAL_LIGHT: NEUTRAL_DARK}
    classes = "".join(f".g{i}{{--group:{colour}}}" for i, colour in enumerate(LIGHT))
    night_classes = "".join(f".g{i}{{--group:{colour}}}" for i, colour in enumerate(DARK))
    painted = product(swaps.items(), ("fill", "stroke"))
    repaint = "".join(f'.picture [{of}="{light}"]{{{of}:{dark}}}' for (light, dark), of in painted)
    night = f"{_NIGHT}{night_classes}.alone{{--group:{NEUTRAL_DARK}}}{repaint}"
    return (
        f"{_BASE}{classes}.alone{{--group:{NEUTRAL_LIGHT}}}"
        f"@media screen and (prefers-color-scheme:dark){{{night}}}"
    )


Kind = TypeVar("Kind")


def to_json(value: Any, *, layout: int) -> str:
    """A dataclass as JSON that is easy to compare by eye: one line for each item of a list."""
    lines = []
    for name, part in {"layout": layout, **msgspec.to_builtins(value)}.items():
        written = json.dumps(part, ensure_ascii=False, allow_nan=False)
        if isinstance(part, list | tuple) and part:
            items = ",\n  ".join(json.dumps(item, ensure_ascii=False, allow_nan=False) for item in part)
            written = f"[\n  {items}\n ]"
        lines.append(f" {json.dumps(name)}: {written}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def from_json(
    kind: type[Kind], text: str | bytes, *, layout: int, what: str, hint: str, key: str = "layout"
) -> Kind:
    """Reads what `to_json` wrote, every field checked against the type that it declares."""
    try:
        plain = msgspec.json.decode(text)
        if not isinstance(plain, dict) or plain.pop(key, None) != layout:
            raise ValueError(layout)
        fields = dataclasses.fields(get_origin(kind) or kind)  # type: ignore[arg-type]
        if plain.keys() - {field.name for field in fields}:
            raise ValueError(kind)
        return msgspec.convert(plain, kind)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        raise InputError(f"This is not {what} as this version writes it.", hint=hint) from None


def load(kind: type[Kind], path: Path, *, layout: int, what: str, hint: str) -> Kind:
    """Reads a file that `to_json` filled; see `from_json`."""
    try:
        text = path.read_bytes()
    except OSError as error:
        raise DataSourceError(f"{path} cannot be read: {error.strerror}.", hint=hint) from None
    return from_json(kind, text, layout=layout, what=what, hint=hint)


def object_json(value: Any) -> str:
    """Results for other programs: dataclasses and plain values as one indented object."""
    return json.dumps(msgspec.to_builtins(value), ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def this_machine() -> dict[str, Any]:
    model = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        names = [line for line in cpuinfo.read_text().splitlines() if line.startswith("model name")]
        model = names[0].partition(":")[2].strip() if names else model
    return {"processor": model, "cores": os.cpu_count(), "python": platform.python_version()}


def provenance(date: str, program: str, machine: Any, *more: str) -> str:
    """When, by what and where results were measured, in one line."""
    where = f"{machine.get('cores')} cores ({machine.get('processor')})"
    return f"{', '.join([date, program, where, *more])}."


VERSION: Final = "6.1"
_SVG: Final = "http://www.w3.org/2000/svg"
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
    """An SVG as PNG; letters that no font of this computer has are named: "[Korean]"."""
    return _drawn(_OTHER_LETTERS.sub(_or_named, without_controls(svg)))


_OTHER_LETTERS: Final = re.compile("[^\x00-\u024f\u0300-\u052f\u1e00-\u2bff]+")
_NO_LETTER: Final = "\U0010fffd"
_WRITTEN_IN: Final = {"CJK": "Chinese", "HIRAGANA": "Japanese", "KATAKANA": "Japanese", "HANGUL": "Korean"}


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

    folder = tempfile.TemporaryDirectory(prefix="headline-lab-face-", ignore_cleanup_errors=True)
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
