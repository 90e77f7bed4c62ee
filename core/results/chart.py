"""Charts for publication: a Vega-Lite picture between its title and source line, as SVG, PNG or an embed."""

from __future__ import annotations

import base64
import html
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from core.results import page as vega
from core.results.page import FAMILY, with_letters, without_controls

_WIDE: Final = 1.0
_CAPITAL: Final = 0.68
_USUAL: Final = 0.55
_NARROW: Final = 0.31
_THIN: Final = frozenset("iljtfrI.,:;!|'()[] ")


def broken(text: str, width: float, *, most: int) -> tuple[str, ...]:
    """The lines of a text, none wider than asked for; the last ends with "…" where text is left out."""
    # A control that orders what follows it would also order the lines below.
    shown = "".join(sign for sign in " ".join(text.split()) if unicodedata.category(sign) not in {"Cc", "Cs"})
    lines: list[str] = []
    line = ""
    for word in shown.split():
        pieces, rest, start = [], 0.0, 0
        for place, letter in enumerate(word):
            wide = text_width(letter)
            if rest + wide > width and place > start:
                pieces.append(word[start:place])
                start, rest = place, 0.0
            rest += wide
        for piece in [*pieces, word[start:]]:
            joined = f"{line} {piece}" if line else piece
            if line and text_width(joined) > width:
                lines.append(line)
                line = piece
            else:
                line = joined
    lines += [line] if line else []
    if len(lines) <= most:
        return tuple(lines)
    last = lines[most - 1]
    while last and text_width(f"{last}…") > width:
        last = last[:-1]
    return (*lines[: most - 1], f"{last.rstrip()}…")


def is_rtl(text: str) -> bool:
    """Whether the first letter that has a direction is written from right to left."""
    for letter in text:
        direction = unicodedata.bidirectional(letter)
        if direction in {"R", "AL"}:
            return True
        if direction == "L":
            return False
    return False


def isolated(text: str) -> str:
    """The text in a direction of its own, where it holds letters that are written from right to left."""
    rtl = any(unicodedata.bidirectional(letter) in {"R", "AL"} for letter in text)
    return f"\u2068{text}\u2069" if rtl else text


def text_width(text: str) -> float:
    """About how wide a line is, in sizes of its letters."""
    return sum(map(_letter_width, text))


def _letter_width(letter: str) -> float:
    if unicodedata.combining(letter) or unicodedata.category(letter) == "Cf":
        return 0.0
    if unicodedata.east_asian_width(letter) in "WF":
        return _WIDE
    if letter in _THIN:
        return _NARROW
    return _CAPITAL if letter.isupper() or letter in "mw%@—…" else _USUAL


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartSize:
    width: int
    height: int
    scale: float

    @property
    def across(self) -> float:
        """Units that a picture is wide, without its margins."""
        return self.width / self.scale - 2 * _MARGIN


SIZES: Final = {
    "Web": ChartSize(width=1200, height=675, scale=1.5),
    "Square": ChartSize(width=1080, height=1080, scale=1.5),
    "Column": ChartSize(width=840, height=1050, scale=2.0),
    "Phone": ChartSize(width=1080, height=1920, scale=3.0),
}
"""Sizes by where the picture will be shown."""
ASIDE: Final = "aside-"
"""Begins the name of data in a picture that is drawn and is not what it shows: notes, lines behind marks."""
LEAST_STEP: Final = 14
"""Units of a line of a chart at least; a picture with many lines is higher than its size says."""
MOST_STEP: Final = 60  # units of a line at most, so that two bars do not fill a screen
_MARGIN: Final = 20
_TITLE: Final = 20
_SOURCE: Final = 11
_TITLE_LINES: Final = 4
_SOURCE_LINES: Final = 3
FONTS: Final = f"'{FAMILY}', 'Source Sans 3', 'Source Sans Pro', Arial, 'Liberation Sans', sans-serif"


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedChart:
    spec: Mapping[str, Any]  # Vega-Lite, with its data inside; in its usermeta the `least` height it needs
    title: str  # above the picture; "" for none
    source: str  # below it: where the data is from; "" for none
    size: ChartSize = SIZES["Web"]  # of the whole picture
    text: str = "#121210"  # colours of the title, the source line and the background
    quiet: str = "#5c5a52"  # colours of the title, the source line and the background
    paper: str = "#ffffff"  # colours of the title, the source line and the background


def as_svg(chart: PublishedChart, *, font: bytes = b"") -> str:
    return with_face(_composed(chart, font)[0], font)


def with_face(drawn: str, font: bytes) -> str:
    """The picture with the letters of a face that it needs inside; as it is for b""."""
    if not font:
        return drawn
    text = html.unescape(" ".join(re.findall(r">([^<]+)<", drawn)))
    data = base64.b64encode(with_letters(font, text)).decode()
    face = (
        f"@font-face{{font-family:'{FAMILY}';font-weight:200 900;"
        f"src:url(data:font/woff2;base64,{data}) format('woff2')}}"
    )
    end = drawn.index(">") + 1
    return f"{drawn[:end]}<style>{face}</style>{drawn[end:]}"


def as_png(chart: PublishedChart, *, font: bytes = b"") -> bytes:
    drawn, _ = _composed(chart, font)
    return vega.as_png(drawn)


def as_embed(chart: PublishedChart, *, font: bytes = b"") -> str:
    """A frame to paste into a page, or to open by itself: no script, nothing from elsewhere, ASCII alone."""
    _, height = _composed(chart, font)
    title = html.escape(chart.title or "Chart")
    page = (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
        "style-src 'unsafe-inline'; font-src data:\">"
        f"<title>{title}</title><style>body{{margin:0}}svg{{display:block;width:100%;height:auto}}</style>"
        f"</head><body>{as_svg(chart, font=font)}</body></html>"
    )
    frame = (
        f'<iframe title="{title}" sandbox="" loading="lazy" style="border:0;width:100%;'
        f'aspect-ratio:{chart.size.width}/{height}" srcdoc="{html.escape(page)}"></iframe>\n'
    )
    return without_controls(frame).encode("ascii", "xmlcharrefreplace").decode()


def data_rows(spec: Mapping[str, Any]) -> list[list[object]]:
    """The data inside a Vega-Lite picture as rows, the header first."""
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
                tables += [
                    value for value in _values(child, named) if not any(value is held for held in tables)
                ]
    return tables


def _composed(chart: PublishedChart, font: bytes) -> tuple[str, int]:
    if font:
        vega.use_font(font)
    size = chart.size
    width, least = size.width / size.scale, size.height / size.scale
    within = size.across
    titles = broken(chart.title, within / _TITLE, most=_TITLE_LINES)
    sources = broken(chart.source, within / _SOURCE, most=_SOURCE_LINES)
    top = _MARGIN + 26 * len(titles) + (6 if titles else 0)
    bottom = _MARGIN + 15 * len(sources) + (8 if sources else 0)
    needed = chart.spec.get("usermeta", {}).get("least", 0)
    inner, across, down = _drawn(chart, within, max(least - top - bottom, needed))
    shown = min(within, across) / across
    height = max(least, top + shown * down + bottom)
    pixels = round(height * size.scale)
    above = f'font-size="{_TITLE}" font-weight="600" fill="{chart.text}"'
    below = f'font-size="{_SOURCE}" fill="{chart.quiet}"'
    first, last = _MARGIN + _TITLE - 2, height - bottom + _SOURCE + 10
    texts = [
        *(_line(title, width, first + 26 * at, above) for at, title in enumerate(titles)),
        *(_line(source, width, last + 15 * at, below) for at, source in enumerate(sources)),
    ]
    about = html.escape(" ".join(chart.title.split()) or "Chart")
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{size.width}" height="{pixels}" '
        f'viewBox="0 0 {width:g} {pixels / size.scale:g}" role="img" aria-label="{about}">'
        f'<rect width="100%" height="100%" fill="{chart.paper}"/>{"".join(texts)}'
        f'<svg x="{_MARGIN}" y="{top}" width="{within:g}" height="{height - top - bottom:g}" '
        f'viewBox="0 0 {across:g} {down:g}" preserveAspectRatio="xMidYMin meet">{inner}</svg></svg>'
    )
    return without_controls(svg), pixels


def _line(text: str, width: float, y: float, look: str) -> str:
    # Isolated, so that its own direction orders it and no mark in it reaches further.
    end = is_rtl(text)
    x, anchor = (width - _MARGIN, "end") if end else (_MARGIN, "start")
    text = f"\u2067{text}\u2069" if end else text
    return (
        f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}" font-family="{FONTS}" {look}>'
        f"{html.escape(text, quote=False)}</text>"
    )


def _drawn(chart: PublishedChart, width: float, height: float) -> tuple[str, float, float]:
    spec = {name: part for name, part in chart.spec.items() if name not in {"$schema", "config", "usermeta"}}
    joined = spec.get("vconcat")
    if joined:
        each = (height - 80 * len(joined)) / len(joined)
        spec |= {"vconcat": [panel | {"width": width - 70, "height": max(each, 60)} for panel in joined]}
        return _svg(chart, spec, {"type": "pad"}, width)
    step = spec.get("height")
    if isinstance(step, Mapping):
        stepped = spec | {"width": width, "height": {**step, "step": LEAST_STEP}}
        picture = _svg(chart, stepped, {"type": "fit-x", "contains": "padding"}, width)
        if picture[2] >= height:
            return picture
        stepped["height"] = {**step, "step": MOST_STEP}
        picture = _svg(chart, stepped, {"type": "fit-x", "contains": "padding"}, width)
        if picture[2] <= height:
            return picture
    fitted = spec | {"width": width, "height": height}
    return _svg(chart, fitted, {"type": "fit", "contains": "padding"}, width)


def _svg(
    chart: PublishedChart, spec: Mapping[str, Any], autosize: Mapping[str, str], width: float
) -> tuple[str, float, float]:
    given = dict(chart.spec.get("config", {}))
    axis = {
        "labelColor": chart.quiet,
        "titleColor": chart.text,
        "domain": False,
        "tickColor": chart.quiet,
        "gridColor": chart.quiet,
        "gridOpacity": 0.2,
    }
    whole = {
        **_fitting(spec, width),
        "$schema": "https://vega.github.io/schema/vega-lite/v6.json",
        "background": None,
        "padding": 0,
        "autosize": autosize,
        "config": {
            **given,
            "font": FONTS,
            "view": {"stroke": None},
            "axis": {"labelFontSize": 12, "titleFontSize": 12, **given.get("axis", {}), **axis},
            "legend": {
                "labelFontSize": 12,
                "layout": {side: {"anchor": "start", "direction": "vertical"} for side in ("top", "bottom")},
                **given.get("legend", {}),
                "labelColor": chart.text,
                "titleColor": chart.text,
            },
        },
    }
    drawn = vega.as_svg(whole)
    head = drawn[: drawn.index(">") + 1]
    box = [float(part) for part in re.findall(r'viewBox="([^"]*)"', head)[0].split()]
    inner = drawn[len(head) : drawn.rindex("</svg>")]
    return inner, box[2], box[3]


def _fitting(spec: Any, width: float) -> Any:
    if isinstance(spec, Mapping):
        fitted = {
            name: _fitting(part, width) for name, part in spec.items() if name not in {"data", "datasets"}
        }
        fitted |= {name: spec[name] for name in ("data", "datasets") if name in spec}
        if "labelLimit" in fitted:
            fitted["labelLimit"] = round(0.42 * width)
        if isinstance(fitted.get("legend"), Mapping) and "gradientLength" not in fitted["legend"]:
            # A legend stands over the plot, right of the names at its axis.
            columns = max(1, int(0.55 * width // 180))
            fitted["legend"] |= {"columns": columns, "labelLimit": round(0.55 * width / columns) - 24}
        return fitted
    return [_fitting(part, width) for part in spec] if isinstance(spec, list) else spec
