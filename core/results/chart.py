"""Charts for publication: a Vega-Lite picture with title and source line, as SVG with its font or as PNG."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

VEGA_LITE: Final = "6.1"
FAMILY: Final = "Source Sans"
WIDTHS: Final = {"Article": 640, "Slide": 960, "Phone": 360}
"""Width of the drawing in pixels by where it will be shown."""
PNG_SCALE: Final = 2.0
"""Pixels of the PNG for each of the picture, for sharp screens."""
LABEL_PIXELS: Final = 360
"""Width of a name at an axis at most."""
_FONTS: Final = f"'{FAMILY}', 'Source Sans 3', 'Source Sans Pro', Arial, 'Liberation Sans', sans-serif"


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedChart:
    """What is published.

    Attributes:
        spec: Vega-Lite, with its data inside.
        title: Above the picture; "" for none.
        source: Below it: where the data is from.
        width: Of the drawing in pixels.
        text, quiet, paper: Colours of the title, the source line and the background.
    """

    spec: Mapping[str, Any]
    title: str
    source: str
    width: int = WIDTHS["Article"]
    text: str = "#121210"
    quiet: str = "#5c5a52"
    paper: str = "#ffffff"


def as_svg(chart: PublishedChart, *, font: bytes = b"") -> str:
    """The chart as SVG.

    Args:
        chart: What is drawn.
        font: A WOFF2 file of `FAMILY` that goes into the picture; without it the reader's own fonts are used.
    """
    import vl_convert

    drawn: str = vl_convert.vegalite_to_svg(_whole(chart), vl_version=VEGA_LITE, allowed_base_urls=[])
    if not font:
        return drawn
    data = base64.b64encode(font).decode()
    face = (
        f"@font-face{{font-family:'{FAMILY}';font-weight:200 900;"
        f"src:url(data:font/woff2;base64,{data}) format('woff2')}}"
    )
    end = drawn.index(">", drawn.index("<svg")) + 1
    return f"{drawn[:end]}<style>{face}</style>{drawn[end:]}"


def as_png(chart: PublishedChart) -> bytes:
    """The chart as PNG, at `PNG_SCALE`."""
    import vl_convert

    drawn: bytes = vl_convert.vegalite_to_png(
        _whole(chart), vl_version=VEGA_LITE, scale=PNG_SCALE, allowed_base_urls=[]
    )
    return drawn


def _whole(chart: PublishedChart) -> dict[str, Any]:
    """The picture under its title and above its source line."""
    spec = {name: part for name, part in chart.spec.items() if name not in {"$schema", "config", "datasets"}}
    given = dict(chart.spec.get("config", {}))
    line = {
        "data": {"values": [{"t": chart.source}]},
        "mark": {"type": "text", "align": "left", "baseline": "top", "fontSize": 11, "color": chart.quiet},
        "encoding": {"text": {"field": "t"}, "x": {"value": 0}, "y": {"value": 0}},
        "width": chart.width,
        "height": 14,
        "view": {"stroke": None},
    }
    axis = {"labelColor": chart.quiet, "titleColor": chart.text, "domain": False, "tickColor": chart.quiet}
    title = {"text": chart.title, "anchor": "start", "fontSize": 18, "color": chart.text, "offset": 12}
    return {
        "$schema": "https://vega.github.io/schema/vega-lite/v6.json",
        "background": chart.paper,
        "padding": 16,
        **({"title": title} if chart.title else {}),
        **({"datasets": chart.spec["datasets"]} if "datasets" in chart.spec else {}),
        "vconcat": [_named_in_full(spec) | {"width": chart.width}, line],
        "config": {
            **given,
            "font": _FONTS,
            "view": {"stroke": None},
            "axis": {"labelFontSize": 12, "titleFontSize": 12, **given.get("axis", {}), **axis},
            "legend": {**given.get("legend", {}), "labelColor": chart.text, "titleColor": chart.text},
        },
    }


def _named_in_full(spec: Any) -> Any:
    """The same picture with longer names at its axes: there is more space than on a page."""
    if isinstance(spec, Mapping):
        return {
            name: LABEL_PIXELS if name == "labelLimit" else _named_in_full(part)
            for name, part in spec.items()
        }
    return [_named_in_full(part) for part in spec] if isinstance(spec, list) else spec
