"""A picture for publication between title, note and source line: as SVG, PNG or HTML."""

import base64
import html
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from core.results import render, vega
from core.results.fonts import FAMILY, with_letters
from core.results.text_lines import broken, is_rtl
from core.results.vega import use_font, without_controls

_MARGIN: Final = 20
_TITLE: Final = 20
_SOURCE: Final = 11
_TITLE_LINES: Final = 4
_NOTE_LINES: Final = 12
_SOURCE_LINES: Final = 3
FONTS: Final = f"'{FAMILY}', 'Source Sans 3', 'Source Sans Pro', Arial, 'Liberation Sans', sans-serif"
INK, QUIET, RULE, PAPER = "#121210", "#5c5a52", "#d8d4c8", "#ffffff"  # as in print, whatever the screen
Picture = Callable[[float, float], tuple[str, float, float]]
"""Draws inside a width, and a height if it can: elements of SVG, and how wide and high they are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartSize:
    width: int
    height: int
    scale: float

    @property
    def across(self) -> float:
        return self.width / self.scale - 2 * _MARGIN


SIZES: Final = {
    "Web": ChartSize(width=1200, height=675, scale=1.5),
    "Square": ChartSize(width=1080, height=1080, scale=1.5),
    "Column": ChartSize(width=840, height=1050, scale=2.0),
    "Phone": ChartSize(width=1080, height=1920, scale=3.0),
}
"""Sizes by where the picture will be shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedChart:
    picture: Picture
    title: str  # above the picture; "" for none
    source: str  # below it: where the data is from; "" for none
    note: str = ""  # above the source line: what a reader must know; "" for none
    alt: str = ""  # what it shows, for those who do not see it; the title where it is ""
    size: ChartSize = SIZES["Web"]  # of the whole picture
    signature: str = ""  # what the data depend on: in the file, not on the picture; "" for nothing


def as_svg(chart: PublishedChart, *, font: bytes = b"") -> str:
    return with_face(_composed(chart, font), font)


def with_face(drawn: str, font: bytes) -> str:
    """The picture with the letters of a face that it needs inside; as it is for b""."""
    if not font:
        return drawn
    text = html.unescape(" ".join(re.findall(r">([^<]+)<", drawn)))
    data = base64.b64encode(with_letters(font, text)).decode()
    source = f"url(data:font/woff2;base64,{data}) format('woff2')"
    face = f"@font-face{{font-family:'{FAMILY}';font-weight:200 900;src:{source}}}"
    end = drawn.index(">") + 1
    return f"{drawn[:end]}<style>{face}</style>{drawn[end:]}"


def as_png(chart: PublishedChart, *, font: bytes = b"") -> bytes:
    return vega.as_png(_composed(chart, font), signature=chart.signature)


def as_embed(chart: PublishedChart, *, font: bytes = b"") -> str:
    """A figure to paste into a page, or to open by itself: no script, nothing from elsewhere, ASCII alone."""
    data = base64.b64encode(as_svg(chart, font=font).encode()).decode()
    alt = _words(chart.alt or chart.title) or "Chart"
    look = f"width:100%;max-width:{chart.size.width}px;height:auto"
    image = f'<img style="{look}" alt="{alt}" src="data:image/svg+xml;base64,{data}">'
    figure = f'<figure style="margin:0">{image}</figure>\n'
    return figure.encode("ascii", "xmlcharrefreplace").decode()


def _words(text: str) -> str:
    return html.escape(render.clean(without_controls(text)))


def _composed(chart: PublishedChart, font: bytes) -> str:
    if font:
        use_font(font)
    size = chart.size
    width, least = size.width / size.scale, size.height / size.scale
    within = size.across
    titles = broken(chart.title, within / _TITLE, most=_TITLE_LINES)
    below = list(broken(chart.note, within / _SOURCE, most=_NOTE_LINES))
    below += broken(chart.source, within / _SOURCE, most=_SOURCE_LINES)
    top = _MARGIN + 26 * len(titles) + (6 if titles else 0)
    bottom = _MARGIN + 15 * len(below) + (8 if below else 0)
    inner, across, down = chart.picture(within, least - top - bottom)
    shown = min(within, across) / across
    height = max(least, top + shown * down + bottom)
    pixels = round(height * size.scale)
    first, last = _MARGIN + _TITLE - 2, height - bottom + _SOURCE + 10
    look = f'font-size="{_TITLE}" font-weight="600" fill="{INK}"'
    texts = [_line(title, width, first + 26 * at, look) for at, title in enumerate(titles)]
    look = f'font-size="{_SOURCE}" fill="{QUIET}"'
    texts += [_line(text, width, last + 15 * at, look) for at, text in enumerate(below)]
    title, alt = _words(chart.title) or "Chart", _words(chart.alt or chart.title)
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{size.width}" height="{pixels}" '
        f'viewBox="0 0 {width:g} {pixels / size.scale:g}" role="img" aria-label="{alt or title}">'
        f"<title>{title}</title><desc>{alt}</desc>{vega.metadata(chart.signature)}"
        f'<rect width="100%" height="100%" fill="{PAPER}"/>{"".join(texts)}'
        f'<svg x="{_MARGIN}" y="{top}" width="{within:g}" height="{height - top - bottom:g}" '
        f'viewBox="0 0 {across:g} {down:g}" preserveAspectRatio="xMidYMin meet">{inner}</svg></svg>'
    )
    return without_controls(svg)


def _line(text: str, width: float, y: float, look: str) -> str:
    # Isolated, so that its own direction orders it and no mark in it reaches further.
    end = is_rtl(text)
    x, anchor = (width - _MARGIN, "end") if end else (_MARGIN, "start")
    text = f"\u2067{text}\u2069" if end else text
    return (
        f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}" font-family="{FONTS}" {look}>'
        f"{html.escape(text, quote=False)}</text>"
    )
