"""A Plotly figure as Vega-Lite, so that every chart is published in one way.

Translated is what the figures of this package are made of: points and lines, notes, lines behind them, axes,
panels below each other, and a legend.
"""

from __future__ import annotations

import html
import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Any, Final

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from components.charts.maps import UNKNOWN
from components.charts.theme import ink
from core.results.chart import ASIDE
from core.results.vega import without_controls

Layer = dict[str, Any]
Plotly = Mapping[str, Any]

_DASHES: Final = {
    "solid": [1, 0],
    "dot": [2, 3],
    "dash": [7, 4],
    "dashdot": [8, 3, 2, 3],
    "longdash": [11, 4],
}
_TAG: Final = re.compile(r"</?[bi]>")
_BOLD: Final = re.compile(r"<b>[^<]*</b>")
_ALIGNED: Final = {"left": "left", "right": "right"}
HALO: Final = 4
LINE_HEIGHT: Final = 1.25


def translated(figure: go.Figure) -> Layer:
    """The figure as Vega-Lite with its data inside."""
    layout = figure.layout.to_plotly_json()
    traces = [trace.to_plotly_json() for trace in figure.data]
    legend = _legend([one for one in traces if _in_legend(one)])
    names = sorted({one.get("yaxis", "y") for one in traces})
    panels = [_panel(name, traces, layout, legend) for name in names]
    aside = [one["data"] for panel in panels for one in panel["layer"] if "name" in one["data"]]
    for place, data in enumerate(aside):
        data["name"] = f"{ASIDE}{place}"
    if len(panels) == 1:
        return panels[0]
    shared = dict.fromkeys(legend, "shared")
    return {"vconcat": panels, "resolve": {"scale": shared, "legend": shared}}


def words(text: str) -> str:
    """What a text of a figure says, without its markup; its lines apart."""
    # Inside an expression a control is written in letters, where nobody finds it any more.
    return without_controls(html.unescape(_TAG.sub("", text.replace("<br>", "\n"))))


def _panel(name: str, every: Sequence[Plotly], layout: Plotly, legend: Layer) -> Layer:
    number = name[1:]
    traces = [one for one in every if one.get("yaxis", "y") == name]
    columns = [one for one in traces if one.get("xaxis", "x") != f"x{number}"]
    axes = {
        axis: _axis(
            layout.get(f"{axis}axis{number}", {}), [one[axis] for one in traces if one not in columns]
        )
        for axis in ("x", "y")
    }
    if columns:
        ends = layout[f"xaxis{number}"]["domain"]
        axes["x"]["scale"]["range"] = [_across(end)["value"] for end in ends]
    layers = [_behind(one, axes) for one in layout.get("shapes", ())]
    for trace in traces:
        placed = axes
        if trace in columns:
            placed = axes | {"x": _across(np.mean(layout[f"xaxis{trace['xaxis'][1:]}"]["domain"]))}
        layers += _lines(trace, placed, legend) + _points(trace, placed, legend)
    if any(_only_named(one) for one in traces):
        layers.append({"data": _aside([]), "mark": "circle", "encoding": {"color": legend["color"]}})
    notes = layout.get("annotations", ())
    for note in notes:
        if note.get("yref", "y") == name:
            layers += _note(note, axes)
    found: Layer = {"layer": layers, "height": 300}
    heads = [one for one in notes if one.get("yref") == "paper"]
    if heads:
        top = max(layout[f"yaxis{number}"]["domain"])
        head = min(heads, key=lambda one: abs(one["y"] - top))
        found["title"] = {"text": words(head["text"]), "anchor": "start", "fontSize": 13, "color": ink().text}
    if any(_by_scheme(one) for one in traces):
        found["resolve"] = {"scale": {"color": "independent"}}
    return found


def _axis(axis: Plotly, values: Iterable[Sequence[Any]]) -> Layer:
    first = next((one for held in values for one in held if not _missing(one)), 0)
    temporal = isinstance(first, date | np.datetime64)
    ranged = axis.get("range")
    hidden = axis.get("visible") is False
    scale: Layer = {"zero": axis.get("rangemode") == "tozero", "nice": False}
    scale |= (
        {"domain": [_value(one) for one in ranged]}
        if ranged
        else {"padding": 14 if hidden or temporal else 0}
    )
    if temporal:
        scale |= {"type": "utc"}
        scale.pop("zero")
    title = (axis.get("title") or {}).get("text")
    shown = None if hidden else {"orient": axis["side"]} if axis.get("side") else {}
    return {"type": "temporal" if temporal else "quantitative", "scale": scale, "title": title, "axis": shown}


def _behind(shape: Plotly, axes: Plotly) -> Layer:
    look = shape["line"]
    return {
        "data": _aside([{"y": shape["y0"]}]),
        "mark": {"type": "rule", "strokeWidth": look["width"], "color": look["color"]},
        "encoding": {"y": {"field": "y", **axes["y"]}},
    }


def _lines(trace: Plotly, axes: Plotly, legend: Layer) -> list[Layer]:
    if "lines" not in trace["mode"]:
        return []
    look = trace["line"]
    values: list[Layer] = []
    part = 0
    for x, y in zip(trace["x"], trace["y"], strict=True):
        if _missing(x) or _missing(y):
            part += 1
        else:
            values.append(_named(trace) | {"x": _value(x), "y": _value(y)} | ({"part": part} if part else {}))
    named = legend if _in_legend(trace) else {"color": {"value": look["color"]}}
    mark = {
        "type": "line",
        "strokeWidth": look.get("width", 2),
        "opacity": trace.get("opacity", 1),
        "strokeDash": _DASHES[look.get("dash", "solid")],
    }
    apart = {"detail": {"field": "part", "type": "nominal"}} if part else {}
    return [
        {"data": {"values": values}, "mark": mark, "encoding": {**_placed(axes), **named, **apart}},
    ]


def _points(trace: Plotly, axes: Plotly, legend: Layer) -> list[Layer]:
    if trace["type"] not in {"scatter", "scattergl"}:
        raise ValueError(f"No chart is translated from traces of the kind {trace['type']}.")
    if "markers" not in trace["mode"] or _only_named(trace):
        return []
    look = trace.get("marker", {})
    count = len(trace["x"])
    texts = _each(trace.get("hovertext"), count)
    sizes = _each(look.get("size", 6), count)
    by_scheme = _by_scheme(trace)
    colours = (
        look["color"] if by_scheme else _each(_explicit(look) or trace.get("line", {}).get("color"), count)
    )
    bright = trace.get("selectedpoints")
    values = []
    for row in range(count):
        line = _named(trace) | ({} if "value" in axes["x"] else {"x": _value(trace["x"][row])})
        line |= {"y": _value(trace["y"][row])}
        line |= {"text": words(texts[row])} if texts[row] else {}
        line |= {"size": round(math.pi / 4 * float(sizes[row]) ** 2, 1), "colour": _value(colours[row])}
        values.append(line | ({"faded": True} if bright is not None and row not in set(bright) else {}))
    edge, opacity = look.get("line", {}), look.get("opacity", 1.0)
    faded = trace.get("unselected", {}).get("marker", {}).get("opacity", opacity)
    coloured = {"color": {"field": "colour", "type": "nominal", "scale": None}}
    if by_scheme:
        coloured = {"color": _scheme(look)}
    elif _in_legend(trace):
        coloured = {"color": legend["color"]}
    encoding = {
        **_placed(axes),
        **coloured,
        "size": {"field": "size", "type": "quantitative", "scale": None, "legend": None},
        "opacity": {"condition": {"test": "datum.faded", "value": faded}, "value": opacity},
    }
    mark: Layer = {"type": "circle", "stroke": edge.get("color"), "strokeWidth": edge.get("width", 0)}
    if look.get("symbol") == "diamond":
        mark |= {"type": "point", "shape": "diamond", "filled": True}
    if by_scheme:
        mark["invalid"] = None
    return [{"data": {"values": values}, "mark": mark, "encoding": encoding}]


def _note(note: Plotly, axes: Plotly) -> list[Layer]:
    lines = words(note["text"]).split("\n")
    size = note["font"]["size"]
    drop = {"bottom": -(len(lines) - 1) * LINE_HEIGHT * size, "top": size * 0.8}.get(
        note.get("yanchor", "middle"), size * 0.35 - (len(lines) - 1) * LINE_HEIGHT * size / 2
    )
    text = {
        "type": "text",
        "align": _ALIGNED.get(note.get("xanchor", "center"), "center"),
        "baseline": "alphabetic",
        "dx": note.get("xshift", 0),
        "dy": drop - note.get("yshift", 0),
        "fontSize": size,
        "lineHeight": LINE_HEIGHT * size,
        "lineBreak": "\n",
        "fontWeight": 600 if _BOLD.fullmatch(note["text"]) else 400,
        "color": note["font"]["color"],
    }
    paper = ink().paper
    halo = text | {"stroke": paper, "strokeWidth": HALO, "strokeJoin": "round", "color": paper}
    placed = axes | {"x": _across(note["x"])} if note.get("xref") == "paper" else axes
    encoding = {
        **_placed(placed),
        "text": {"field": "t", "type": "nominal"},
    }
    said = {"x": _value(note["x"]), "y": _value(note["y"]), "t": "\n".join(lines)}
    return [{"data": _aside([said]), "mark": mark, "encoding": encoding} for mark in (halo, text)]


def _legend(named: Sequence[Plotly]) -> Layer:
    if not named:
        return {}
    lines = all("lines" in one["mode"] for one in named)
    names = [_named(one)["series"] for one in named]
    shown = {
        "orient": "bottom",
        "title": None,
        "symbolOpacity": 1,
        "symbolType": "stroke" if lines else "circle",
    }

    def by(range_: list[Any]) -> Layer:
        scale = {"domain": names, "range": range_}
        return {"field": "series", "type": "nominal", "scale": scale, "legend": shown}

    found = {"color": by([one["line" if lines else "marker"]["color"] for one in named])}
    if lines:
        found["strokeDash"] = by([_DASHES[one["line"].get("dash", "solid")] for one in named])
    return found


def _scheme(look: Plotly) -> Layer:
    bar = look["colorbar"]
    low, high = _range(look)
    stops = look["colorscale"]
    ends = {
        "orient": "bottom",
        "title": None,
        "gradientLength": 240,
        "values": [*bar["tickvals"]],
        "labelExpr": f"{json.dumps([words(one) for one in bar['ticktext']])}[datum.index]",
        "labelOverlap": False,
    }
    scale = {
        "domain": [low + place * (high - low) for place, _ in stops],
        "range": [colour for _, colour in stops],
        "clamp": True,
    }
    by = {"field": "colour", "type": "quantitative", "scale": scale, "legend": ends}
    return {"condition": {"test": "isValid(datum.colour)", **by}, "value": UNKNOWN}


def _explicit(look: Plotly) -> Any:
    given = look.get("color")
    if given is None or isinstance(given, str) or isinstance(given[0], str):
        return given
    low, high = _range(look)
    stops = [place for place, _ in look["colorscale"]]
    bands = np.array([_bands(colour) for _, colour in look["colorscale"]])
    places = (np.asarray(given, dtype=np.float64) - low) / ((high - low) or 1.0)
    mixed = np.stack([np.interp(places, stops, band) for band in bands.T], axis=1)
    return ["#" + "".join(f"{round(band):02x}" for band in one) for one in mixed.tolist()]


def _range(look: Plotly) -> tuple[float, float]:
    known = [float(one) for one in look["color"] if not _missing(one)] or [0.0, 1.0]
    return look.get("cmin", min(known)), look.get("cmax", max(known))


def _bands(colour: str) -> list[int]:
    return [int(colour[at : at + 2], 16) for at in (1, 3, 5)]


def _placed(axes: Plotly) -> Layer:
    return {name: axis if "value" in axis else {"field": name, **axis} for name, axis in axes.items()}


def _across(share: float) -> Layer:
    return {"value": {"expr": f"{share:g} * width"}}


def _aside(values: list[Layer]) -> Layer:
    return {"name": ASIDE, "values": values}


def _named(trace: Plotly) -> Layer:
    return {"series": words(trace["name"])} if trace.get("name") else {}


def _in_legend(trace: Plotly) -> bool:
    return bool(trace.get("name")) and trace.get("showlegend", True) is not False


def _only_named(trace: Plotly) -> bool:
    return _in_legend(trace) and all(_missing(one) for one in trace["x"])


def _by_scheme(trace: Plotly) -> bool:
    return bool(trace.get("marker", {}).get("showscale"))


def _each(value: Any, count: int) -> Sequence[Any]:
    return [value] * count if value is None or isinstance(value, str | int | float) else value


def _missing(value: Any) -> bool:
    return value is None or bool(pd.isna(value))


def _value(value: Any) -> Any:
    if _missing(value):
        return None
    if isinstance(value, datetime):
        return (value if value.tzinfo else value.replace(tzinfo=UTC)).isoformat()
    if isinstance(value, np.datetime64):
        return f"{value.astype('datetime64[s]')}Z"
    if isinstance(value, date):
        return value.isoformat()
    return value.item() if isinstance(value, np.generic) else value
