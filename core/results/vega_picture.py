"""Vega-Lite drawn as a picture that fits a page."""

import re
from collections.abc import Mapping
from typing import Any, Final

from core.results.chart import FONTS, INK, QUIET, Picture
from core.results.vega import as_svg

LEAST_STEP: Final = 14
"""Units of a line of a chart at least; a picture with many lines is higher than its size says."""
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
            "axisQuantitative": {"tickCount": 6},
            "legend": {
                "labelFontSize": 12,
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


def _fitting(spec: Any, width: float) -> Any:
    if isinstance(spec, Mapping):
        kept = {"data", "datasets"}
        fitted = {name: part if name in kept else _fitting(part, width) for name, part in spec.items()}
        if "labelLimit" in fitted:
            fitted["labelLimit"] = round(0.42 * width)
        if isinstance(fitted.get("legend"), Mapping) and "gradientLength" not in fitted["legend"]:
            # A legend stands over the plot, right of the names at its axis.
            columns = max(1, int(0.55 * width // 180))
            fitted["legend"] |= {"columns": columns, "labelLimit": round(0.55 * width / columns) - 24}
        return fitted
    return [_fitting(part, width) for part in spec] if isinstance(spec, list) else spec
