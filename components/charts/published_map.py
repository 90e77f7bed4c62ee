"""The map of headlines as Vega-Lite, for publication."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from components.charts.maps import LABEL_CHARACTERS, Colouring
from components.charts.theme import ink
from components.markdown import shorten
from core.maps.labels import MapLabel
from core.similarities import Float32Array

HEIGHT = 420


def map_spec(positions: Float32Array, colouring: Colouring, labels: Sequence[MapLabel]) -> dict[str, Any]:
    """The map with its names and, where colours mean something, a legend.

    Args:
        positions: Places, float32 [n, 2].
        colouring: Colours of the n points.
        labels: Names drawn on the map.
    """
    colours = ink()
    place = {
        axis: {"field": axis, "type": "quantitative", "axis": None, "scale": {"zero": False, "nice": False}}
        for axis in ("x", "y")
    }
    few = len(positions) <= 500
    points = [
        {"x": round(float(x), 4), "y": round(float(y), 4), "c": _plain(colour)}
        for (x, y), colour in zip(positions, colouring.colours, strict=True)
    ]
    names = [
        {"x": round(one.x, 4), "y": round(one.y, 4), "t": shorten(one.text, LABEL_CHARACTERS)}
        for one in labels
    ]
    text = {"type": "text", "dy": -11, "fontSize": 12, "fontWeight": 600}
    halo = {**text, "stroke": colours.paper, "strokeWidth": 4, "strokeJoin": "round", "color": colours.paper}
    layers: list[dict[str, Any]] = [
        {
            "data": {"values": points},
            "mark": {"type": "circle", "opacity": 0.9 if few else 0.6, "size": 70 if few else 14},
            "encoding": {**place, "color": _colour(colouring)},
        }
    ]
    for mark in (halo, {**text, "color": colours.text}):
        named = {**place, "text": {"field": "t"}}
        layers.append({"data": {"values": names}, "mark": mark, "encoding": named})
    return {"height": HEIGHT, "layer": layers}


def _plain(colour: str | float) -> str | float | None:
    """A colour by name, or a number that JSON has."""
    if isinstance(colour, str):
        return colour
    return None if np.isnan(colour) else round(float(colour), 4)


def _colour(colouring: Colouring) -> dict[str, Any]:
    if colouring.ends[0]:
        known = [float(one) for one in colouring.colours if not np.isnan(float(one))]
        low, high = min(known), max(known)
        return {
            "field": "c",
            "type": "quantitative",
            "scale": {"scheme": "viridis", "domain": [low, high]},
            "legend": {
                "orient": "bottom",
                "title": None,
                "gradientLength": 240,
                "values": [low, high],
                "labelExpr": f"{json.dumps(list(colouring.ends))}[datum.index]",
                "labelOverlap": False,
            },
        }
    if not colouring.legend:
        return {"field": "c", "type": "nominal", "scale": None}
    shown = [shorten(said, 30) for _, said in colouring.legend]
    names = [one for one, _ in colouring.legend]
    return {
        "field": "c",
        "type": "nominal",
        "scale": {"domain": names, "range": names},
        "legend": {
            "orient": "bottom",
            "title": None,
            "columns": 4,
            "symbolOpacity": 1,
            "labelExpr": f"{json.dumps(shown)}[datum.index]",
        },
    }
