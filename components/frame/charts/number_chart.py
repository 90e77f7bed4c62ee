"""A number of an event over time: a step line, and a mark for each outlet's value."""

from collections.abc import Sequence
from datetime import UTC, datetime, tzinfo
from typing import Any, Final

import altair as alt

from components.frame.charts import theme, vega_parts
from core.events.number_lines import NumberLine
from core.palette import AGAINST, group_colour
from core.results.render import zone_name

_FORMAT: Final = ",~r"
_NEAR: Final = 0.08  # share of the picture's height within which two numbers run into each other
_ROOM: Final = 24  # pixels beside the first and the last mark
_ABOVE: Final = 1.12  # of the highest value: where the plot ends, with room for its number
_NAMED: Final = 6  # outlets with a colour of their own
_OTHERS: Final = "other outlets"
_SHAPES: Final = {
    "the number itself": "circle",
    "at least, more than": "triangle-up",
    "at most, about, range": "diamond",
    "corrected, withdrawn": "cross",
}


def number_chart(
    line: NumberLine, times: Sequence[datetime | None], zone: tzinfo = UTC
) -> alt.LayerChart | None:
    """The values of a line, `times` those of its points; None where fewer than two have one."""
    local = [time and time.astimezone(zone) for time in times]
    dated = [(point, time) for point, time in zip(line.points, local, strict=True) if time is not None]
    if len(dated) < 2:
        return None
    names = list(dict.fromkeys(point.outlet or "no outlet" for point, _ in dated))
    shown = names if len(names) <= _NAMED + 1 else names[:_NAMED]
    colours = {name: group_colour(at, dark=theme.is_dark()) for at, name in enumerate(shown)}
    colours |= {_OTHERS: theme.ink().muted} if len(shown) < len(names) else {}
    marks: list[dict[str, Any]] = []
    steps: list[dict[str, Any]] = []
    for point, time in dated:
        # Read as UTC, so that the axis has the hours of the zone.
        moment, name = time.strftime("%Y-%m-%dT%H:%M:%SZ"), point.outlet or "no outlet"
        bound = point.meant in ("at least", "more than")
        kind = 3 if point.until >= 0 else 1 if bound else 2 if point.meant else 0
        marks.append({
            "Time": moment, "Value": point.value, "Outlet": name if name in colours else _OTHERS,
            "low": point.low, "Said": point.text, "Kind": list(_SHAPES)[kind],
            "Status": ", ".join(filter(None, (point.meant, point.status))) or "stated", "Name": name,
        })  # fmt: skip
        open_end = bound and steps and point.value < steps[-1]["Value"]
        if point.status != "lower" and not open_end:
            steps.append({"Time": moment, "Value": point.value})
    years = "–".join(dict.fromkeys(f"{time:%Y}" for _, time in (dated[0], dated[-1])))
    name = zone_name(dated[-1][1], zone)
    time_axis = alt.Axis(title=f"{years}, {name}", labelOverlap=True, tickCount=6, format="%-d %b %H:%M")
    x = alt.X("Time:T", scale=alt.Scale(type="utc", padding=_ROOM), axis=time_axis)
    top = max(mark["Value"] for mark in marks)
    scale = alt.Scale(domainMax=_ABOVE * top) if top > 0 else alt.Undefined
    y = alt.Y("Value:Q", title=line.head, axis=alt.Axis(tickCount=5, format=_FORMAT), scale=scale)
    of_outlet = vega_parts.legend_of(colours, "Outlet")
    kinds = {name: shape for name, shape in _SHAPES.items() if any(mark["Kind"] == name for mark in marks)}
    tips = ["Name:N", alt.Tooltip("Time:T", format="%-d %b, %H:%M"), "Said:N", "Status:N"]
    legend = {"orient": "bottom", "columns": 1, "symbolFillColor": theme.ink().muted, "symbolStrokeWidth": 0}
    base = alt.Chart(alt.InlineData(values=marks)).encode(x=x, y=y)
    rise = alt.Chart(vega_parts.unlisted_data("steps", steps)).mark_line(
        interpolate="step-after", strokeWidth=2, color=theme.ink().muted
    )
    ranges = [mark for mark in marks if 0 < mark["low"] < mark["Value"]]
    spans = alt.Chart(vega_parts.unlisted_data("ranges", ranges)).mark_rule(strokeWidth=2)
    dots = base.mark_point(filled=True, size=90, opacity=1).encode(
        color=of_outlet, tooltip=tips, shape=vega_parts.legend_of(kinds, "Kind", of=alt.Shape, **legend)
    )
    disputed = base.transform_filter("indexof(datum.Status, 'disputed') >= 0").mark_point(
        size=260, strokeWidth=2, color=theme.meaning_colour(AGAINST)
    )
    holding = [at for at, (point, _) in enumerate(dated) if point.status != "lower" and point.until < 0]
    newest = marks[max(holding, default=-1)]
    rows = {point.row: mark for (point, _), mark in zip(dated, marks, strict=True)}
    agreed = rows.get(line.latest.row, newest)  # yields to the newest where the two would run into each other
    shown = [agreed] * (abs(agreed["Value"] - newest["Value"]) > _NEAR * top) + [newest]
    look = {"colour": theme.ink().text, "size": 13, "up": 14}
    words = [
        vega_parts.label_row(f"{each['Value']:,.10g}", **look, Time=each["Time"], Value=each["Value"])
        for each in shown
    ]
    layers = [rise.encode(x=x, y=y), spans.encode(x=x, y="low:Q", y2="Value:Q"), disputed, dots]
    label = vega_parts.label_layer("latest", words, x=x, y=y, size=13, fontWeight=600)
    return alt.layer(*layers, label).resolve_scale(shape="independent").properties(height=380)
