"""Vega-Lite drawn as a picture that fits a page."""

import re
from collections.abc import Mapping
from typing import Any, Final

from core.results.chart import FONTS, INK, QUIET, Picture
from core.results.text_lines import text_width
from core.results.vega import as_svg, data_rows

LEAST_STEP: Final = 14
"""Units of a line of a chart at least; a picture with many lines is higher than its size says."""
_LETTERS: Final = 13  # units of letters
MOST_STEP: Final = 60  # units of a line at most, so that two bars do not fill a screen


def vega_picture(spec: Mapping[str, Any]) -> Picture:
    """Draws Vega-Lite with its data inside; in its usermeta stands the `least` height that it needs."""

    def draw(width: float, height: float) -> tuple[str, float, float]:
        return _drawn(spec, width, max(height, spec.get("usermeta", {}).get("least", 0)))

    return draw


def _drawn(whole: Mapping[str, Any], width: float, height: float) -> tuple[str, float, float]:
    spec = {name: part for name, part in whole.items() if name not in {"$schema", "config", "usermeta"}}
    given, joined = dict(whole.get("config", {})), spec.get("vconcat")
    if joined:
        each = (height - 80 * len(joined)) / len(joined)
        spec |= {"vconcat": [panel | {"width": width - 70, "height": max(each, 60)} for panel in joined]}
        return _svg(spec, given, {"type": "pad"}, width)
    step = spec.get("height")
    if isinstance(step, Mapping):
        stepped = spec | {"width": width, "height": {**step, "step": LEAST_STEP}}
        picture = _svg(stepped, given, {"type": "fit-x", "contains": "padding"}, width)
        if picture[2] >= height:
            return picture
        stepped["height"] = {**step, "step": MOST_STEP}
        picture = _svg(stepped, given, {"type": "fit-x", "contains": "padding"}, width)
        if picture[2] <= height:
            return picture
    fitted = spec | {"width": width, "height": height}
    return _svg(fitted, given, {"type": "fit", "contains": "padding"}, width)


def _svg(
    spec: Mapping[str, Any], given: Mapping[str, Any], autosize: Mapping[str, str], width: float
) -> tuple[str, float, float]:
    axis = {"labelColor": QUIET, "titleColor": INK, "domain": False, "labelFlush": False}
    axis |= {"tickColor": QUIET, "gridColor": QUIET, "gridOpacity": 0.2}
    whole = {
        **_fitting(spec, width, _longest(spec)),
        "$schema": "https://vega.github.io/schema/vega-lite/v6.json",
        "background": None,
        "padding": 0,
        "autosize": autosize,
        "config": {
            **given,
            "font": FONTS,
            "view": {"stroke": None},
            "axis": {"labelFontSize": _LETTERS, "titleFontSize": _LETTERS, **given.get("axis", {}), **axis},
            "axisQuantitative": {"tickCount": 6},
            "axisX": {"titleAnchor": "start"},
            "legend": {
                "labelFontSize": _LETTERS,
                "layout": {side: {"anchor": "start", "direction": "vertical"} for side in ("top", "bottom")},
                **given.get("legend", {}),
                "labelColor": INK,
                "titleColor": INK,
            },
        },
    }
    drawn = as_svg(whole)
    head = drawn[: drawn.index(">") + 1]
    box = [float(part) for part in re.findall(r'viewBox="([^"]*)"', head)[0].split()]
    inner = drawn[len(head) : drawn.rindex("</svg>")]
    return inner, box[2], box[3]


def _longest(spec: Mapping[str, Any]) -> dict[str, float]:
    """How wide the longest text of each column is drawn."""
    head, *rows = data_rows(spec)
    columns = zip(head, zip(*rows, strict=True), strict=True) if rows else ()
    return {str(name): _LETTERS * max(text_width(str(text)) for text in column) for name, column in columns}


def _fitting(spec: Any, width: float, longest: Mapping[str, float]) -> Any:
    if isinstance(spec, Mapping):
        kept = {"data", "datasets"}
        fitted = {
            name: part if name in kept else _fitting(part, width, longest) for name, part in spec.items()
        }
        if "labelLimit" in fitted:
            fitted["labelLimit"] = round(0.55 * width)
        if "labelLimit" in (fitted.get("axis") or {}):
            # Names begin at the edge, as the title does.
            room = min(0.55 * width, longest.get(fitted.get("field", ""), 0)) + 6
            fitted["axis"] |= {"labelAlign": "left", "labelPadding": room, "ticks": False}
        if isinstance(fitted.get("legend"), Mapping) and "gradientLength" not in fitted["legend"]:
            # A legend stands over the plot, right of the names at its axis.
            columns = max(1, int(0.55 * width // 180))
            fitted["legend"] |= {"columns": columns, "labelLimit": round(0.55 * width / columns) - 24}
        return fitted
    return [_fitting(part, width, longest) for part in spec] if isinstance(spec, list) else spec
