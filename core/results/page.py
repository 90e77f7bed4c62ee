"""A report as one HTML file that opens offline."""

import base64
import hashlib
from itertools import product
from pathlib import Path
from typing import Any, Final

from core.palette import DARK, LIGHT, NEUTRAL_DARK, NEUTRAL_LIGHT

_PAGE: Final = Path(__file__).with_suffix(".html").read_text(encoding="utf-8")
_BASE: Final = "\n" + Path(__file__).with_suffix(".css").read_text(encoding="utf-8")
_NIGHT = """
:root{--ink:#ececea;--quiet:#a9adb3;--rule:#3a3f46;--paper:#16181b;--card:#1e2125;--link:#8fc0ea}
"""
_PAINTS = {"#121210": "#ececea", "#5c5a52": "#a9adb3", "#d9d4c5": "#3a3f46", "#fdfcf9": "#16181b"}


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
    dark = f"@media screen and (prefers-color-scheme:dark){{{night}}}"
    return f"{_BASE}{classes}.alone{{--group:{NEUTRAL_LIGHT}}}{dark}"
