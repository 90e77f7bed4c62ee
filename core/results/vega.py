"""The one place where Vega-Lite becomes SVG, and SVG becomes PNG."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from core.results.typeface import still_files

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
    """An SVG as PNG, a pixel for each of its units."""
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
