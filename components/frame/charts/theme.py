"""Colours, sizes and words that all pictures share, in light and dark, usual and large."""

import html
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

import altair as alt
import pandas as pd
import streamlit as st

from components.frame.markdown import shorten
from components.frame.page_state import is_large
from components.frame.publish import Files, publish
from core import palette
from core.palette import group_colour
from core.results.alt_text import alt_text, axes
from core.results.chart import PAPER, ChartSize, Picture
from core.results.delimited import delimited
from core.results.vega import ASIDE, data_rows
from core.results.vega_picture import vega_picture

if TYPE_CHECKING:
    import plotly.graph_objects as go

Chart = TypeVar("Chart", bound="alt.TopLevelMixin")
LINE_HEIGHT: Final = 1.25
_ONE_LINE: Final = 36  # letters of a legend of two names that a phone has on one line


class Ink(NamedTuple):
    text: str
    muted: str
    grid: str
    paper: str


LIGHT = Ink(text="#121210", muted="#5c5a52", grid="#e4dfd2", paper="#fdfcf9")
DARK = Ink(text="#ececea", muted="#a9adb3", grid="#2f343a", paper="#16181b")
LARGE_PIXELS = 18  # least size of letters readable from the last row; see components/frame/large_text.css
_PRINTED: Final = {
    **dict(zip(palette.DARK, palette.LIGHT, strict=True)),
    palette.NEUTRAL_DARK: palette.NEUTRAL_LIGHT,
    **dict(zip(DARK, LIGHT, strict=True)),
    **dict.fromkeys((DARK.paper, LIGHT.paper), PAPER),
}


def is_dark() -> bool:
    return st.context.theme.type == "dark"


def ink() -> Ink:
    return DARK if is_dark() else LIGHT


def meaning(place: int) -> str:
    """The colour of a meaning of `core.palette` (`AGREES`, `AGAINST` …) in the reader's theme."""
    return group_colour(place, dark=is_dark())


def hover(text: str, length: int = 110) -> str:
    """User text for a hover box: cut, and harmless, because Plotly reads some HTML in it."""
    return html.escape(shorten(text, length), quote=False)


def readable(chart: Chart) -> Chart:
    """An Altair chart with letters dark enough to be read, and for a classroom while text is large."""
    looks: dict[str, Any] = {"labelColor": ink().muted, "titleColor": ink().muted}
    if is_large():
        looks |= {"labelFontSize": LARGE_PIXELS, "titleFontSize": LARGE_PIXELS}
    limit = {"labelLimit": 420} if is_large() else {}
    return chart.configure_axis(**looks, **limit, gridColor=ink().grid).configure_legend(**looks)


def named(looks: Mapping[str, Any], field: str, *, of: Any = alt.Color, **legend: Any) -> Any:
    """The looks of named things, with their legend on top; two long names stand one below the other."""
    columns = 1 if len(looks) == 2 and len("".join(looks)) > _ONE_LINE else 2
    shown = alt.Legend(**{"orient": "top", "title": None, "columns": columns, "labelLimit": 260, **legend})
    scale = alt.Scale(domain=list(looks), range=list(looks.values()))
    return of(f"{field}:N", sort=list(looks), scale=scale, legend=shown)


def lines_of(field: str, *, sort: Any = None, limit: int = 260) -> alt.Y:
    narrow = f"windowSize()[0] > 0 && windowSize()[0] < 700 ? {min(limit, 150)} : {max(limit, 340)}"
    axis = alt.Axis(labelLimit=alt.expr(narrow), labelOverlap=False)
    return alt.Y(f"{field}:N", sort=sort, title=None, axis=axis)


def between(low: float, high: float, field: str, channel: Any) -> Any:
    """Places from `low` to `high`, without an axis."""
    return channel(f"{field}:Q", scale=alt.Scale(domain=[low, high], zero=False, nice=False), axis=None)


def inline(table: pd.DataFrame) -> alt.InlineData:
    """Data of any length; Altair takes 5,000 lines of a table."""
    return alt.InlineData(values=table.astype(object).where(table.notna(), None).to_dict("records"))


def aside(name: str, rows: Iterable[Mapping[str, Any]]) -> alt.InlineData:
    """Data that are drawn and are not what the picture shows."""
    return alt.InlineData(values=list(rows), name=f"{ASIDE}{name}")


def note(text: str, colour: str, size: float, *, up: float = 0, right: float = 0, **place: Any) -> Any:
    """A row for `notes`: its lines are centred around its place, `right` and `up` pixels from there."""
    drop = size * 0.35 - text.count("\n") * LINE_HEIGHT * size / 2
    return {"text": text, "colour": colour, "dx": right, "dy": drop - up, **place}


def notes(
    name: str, rows: Sequence[Mapping[str, Any]], *, x: Any, y: Any, size: float, **look: Any
) -> alt.LayerChart:
    paper = ink().paper
    words = {"baseline": "alphabetic", "dx": alt.expr("datum.dx"), "dy": alt.expr("datum.dy")}
    words |= {"fontSize": size, "lineHeight": LINE_HEIGHT * size, "lineBreak": "\n", **look}
    base = alt.Chart().encode(x=x, y=y, text="text:N")
    halo = base.mark_text(**words, stroke=paper, strokeWidth=4, strokeJoin="round", color=paper)
    said = base.mark_text(**words).encode(color=alt.Color("colour:N", scale=None))
    return alt.layer(halo, said, data=aside(name, rows))


def printed(part: Any) -> Any:
    """A drawing in the colours of paper, whatever the reader's theme."""
    if isinstance(part, dict):
        return {name: printed(child) for name, child in part.items()}
    if isinstance(part, list):
        return [printed(child) for child in part]
    return _PRINTED.get(part, part) if isinstance(part, str) else part


def still_picture(figure: "go.Figure", *, alt: str, key: str) -> None:
    """Draws a figure that nobody chooses from or publishes, as a projector shows it."""
    clear, font = "rgba(0,0,0,0)", {"color": ink().text, "size": LARGE_PIXELS if is_large() else 13}
    figure.update_layout(height=200, margin=dict.fromkeys("lrtb", 8), font=font)
    figure.update_layout(paper_bgcolor=clear, plot_bgcolor=clear)
    st.plotly_chart(figure, alt=alt, config={"staticPlot": True}, key=key)


def show_chart(
    chart: "go.Figure | alt.TopLevelMixin | None",
    *,
    published: Callable[[float], alt.TopLevelMixin] | None = None,
    name: str,
    title: str,
    source: str = "",
    alt: str = "",
    data: Callable[[], Sequence[Sequence[object]]] | None = None,
    words: Callable[[], str] | None = None,
    **more: Any,
) -> None:
    """Draws a chart, or nothing for None, and the button to publish it or what is `published`."""
    if chart is not None and published is not None:
        st.plotly_chart(chart, **{"alt": alt or title, **more})
    elif chart is not None:
        chart = readable(chart)
        st.altair_chart(chart, **{"width": "stretch", "alt": alt or title, **more})

    def contents(size: ChartSize) -> tuple[Picture, str, str, Callable[[], str], Files]:
        drawn = chart if published is None else published(size.across)
        spec = printed(drawn.to_dict())
        rows = data_rows(spec) if data is None else data()
        known = axes(spec) if data is None else {"unit": axes(spec).get("unit", "")}
        shown = alt_text(title, rows, **known) if words is None else words()
        return vega_picture(spec), "", shown, lambda: delimited(rows), lambda *_: ()

    publish("chart", contents, name=name, title=title, source=source)
