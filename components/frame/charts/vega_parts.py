"""Parts that pictures in Vega-Lite share: legends, axes, data in place, and labels."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import altair as alt
import pandas as pd

from components.frame.charts.theme import ink
from core.results.vega import ASIDE

LINE_HEIGHT: Final = 1.25
_NAME_LINE: Final = 44  # letters of a name that stand in one of its two lines
_ONE_LINE: Final = 36  # letters of a legend of two names that a phone has on one line


def legend_of(looks: Mapping[str, Any], field: str, *, of: Any = alt.Color, **legend: Any) -> Any:
    """The looks of named things, with their legend on top; two long names stand one below the other."""
    columns = 1 if len(looks) == 2 and len("".join(looks)) > _ONE_LINE else 2
    shown = alt.Legend(**{"orient": "top", "title": None, "columns": columns, "labelLimit": 260, **legend})
    scale = alt.Scale(domain=list(looks), range=list(looks.values()))
    return of(f"{field}:N", sort=list(looks), scale=scale, legend=shown)


def category_axis(field: str, *, sort: Any = None, limit: int = 260) -> alt.Y:
    narrow = f"windowSize()[0] > 0 && windowSize()[0] < 700 ? {min(limit, 150)} : {max(limit, 340)}"
    end = f"lastindexof(slice(datum.label, 0, {_NAME_LINE}), ' ')"
    two = f"length(datum.label) > {_NAME_LINE} && {end} > 0"
    lines = f"[slice(datum.label, 0, {end}), slice(datum.label, {end} + 1)]"
    look: dict[str, Any] = {"labelExpr": f"{two} ? {lines} : datum.label"}
    # The first of two lines stands above the middle of its mark, the other below.
    look["labelBaseline"] = {"condition": {"test": two, "value": "bottom"}, "value": "middle"}
    axis = alt.Axis(labelLimit=alt.expr(narrow), labelOverlap=False, labelLineHeight=13, **look)
    return alt.Y(f"{field}:N", sort=sort, title=None, axis=axis)


def hidden_axis(low: float, high: float, field: str, channel: Any) -> Any:
    """Places from `low` to `high`, without an axis."""
    return channel(f"{field}:Q", scale=alt.Scale(domain=[low, high], zero=False, nice=False), axis=None)


def inline_data(table: pd.DataFrame) -> alt.InlineData:
    """Data of any length; Altair takes 5,000 lines of a table."""
    return alt.InlineData(values=table.astype(object).where(table.notna(), None).to_dict("records"))


def unlisted_data(name: str, rows: Iterable[Mapping[str, Any]]) -> alt.InlineData:
    """Data that are drawn and are not what the picture shows."""
    return alt.InlineData(values=list(rows), name=f"{ASIDE}{name}")


def label_row(text: str, colour: str, size: float, *, up: float = 0, right: float = 0, **place: Any) -> Any:
    """A row for `label_layer`: its lines are centred around its place, `right` and `up` pixels from there."""
    drop = size * 0.35 - text.count("\n") * LINE_HEIGHT * size / 2
    return {"text": text, "colour": colour, "dx": right, "dy": drop - up, **place}


def label_layer(
    name: str, rows: Sequence[Mapping[str, Any]], *, x: Any, y: Any, size: float, **look: Any
) -> alt.LayerChart:
    paper = ink().paper
    words = {"baseline": "alphabetic", "dx": alt.expr("datum.dx"), "dy": alt.expr("datum.dy")}
    words |= {"fontSize": size, "lineHeight": LINE_HEIGHT * size, "lineBreak": "\n", **look}
    base = alt.Chart().encode(x=x, y=y, text="text:N")
    halo = base.mark_text(**words, stroke=paper, strokeWidth=4, strokeJoin="round", color=paper)
    letters = base.mark_text(**words).encode(color=alt.Color("colour:N", scale=None))
    return alt.layer(halo, letters, data=unlisted_data(name, rows))


def leader_layer(rows: Sequence[Mapping[str, Any]], *, x: Any, y: Any) -> alt.Chart:
    """Lines from places to the edges of their names, `across` and `down` pixels from there."""
    ends = {"x2Offset": alt.expr("datum.across"), "y2Offset": alt.expr("datum.down")}
    line = alt.Chart(unlisted_data("leaders", rows)).mark_rule(**ends, stroke=ink().muted, strokeWidth=0.7)
    return line.encode(x=x, y=y, x2="x", y2="y")
