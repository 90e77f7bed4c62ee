"""The one way to draw a chart: readable, with its alt text, and with the button to publish it.

Altair is imported where a chart is one of its: the first page has none.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeVar

import streamlit as st

from components.frame.charts.theme import DARK, LARGE_PIXELS, LEAST_PIXELS, LIGHT, ink
from components.frame.markdown import plain
from components.frame.page_state import is_large
from components.frame.publish import Publication, publish
from core import palette
from core.results.alt_text import alt_text, axes
from core.results.chart import PAPER, ChartSize
from core.results.delimited import delimited
from core.results.vega import data_rows
from core.results.vega_labels import labels_of, relabelled
from core.results.vega_picture import vega_picture

if TYPE_CHECKING:
    import altair as alt
    import plotly.graph_objects as go

Chart = TypeVar("Chart", bound="alt.TopLevelMixin")
_PRINTED: Final = {
    **dict(zip(palette.DARK, palette.LIGHT, strict=True)),
    palette.NEUTRAL_DARK: palette.NEUTRAL_LIGHT,
    **dict(zip(DARK, LIGHT, strict=True)),
    **dict.fromkeys((DARK.paper, LIGHT.paper), PAPER),
}


def readable(chart: Chart) -> Chart:
    """An Altair chart with letters dark enough to be read, and for a classroom while text is large."""
    size = LARGE_PIXELS if is_large() else LEAST_PIXELS
    looks = {
        "labelColor": ink().muted,
        "titleColor": ink().muted,
        "labelFontSize": size,
        "titleFontSize": size,
    }
    limit = {"labelLimit": 420} if is_large() else {}
    # Names stand at their marks, and a scale has few lines.
    chart = chart.configure_axis(**looks, **limit, gridColor=ink().grid, labelFlush=False)
    return chart.configure_axisQuantitative(tickCount=6).configure_legend(**looks)


def in_print_colours(part: Any) -> Any:
    """A drawing in the colours of paper, whatever the reader's theme."""
    if isinstance(part, dict):
        return {name: in_print_colours(child) for name, child in part.items()}
    if isinstance(part, list):
        return [in_print_colours(child) for child in part]
    return _PRINTED.get(part, part) if isinstance(part, str) else part


def show_chart(
    chart: go.Figure | alt.TopLevelMixin | None,
    *,
    published: Callable[[float], alt.TopLevelMixin] | None = None,
    name: str,
    title: str,
    source: str = "",
    signature: str = "",
    alt: str = "",
    data: Callable[[], Sequence[Sequence[object]]] | None = None,
    words: Callable[[], str] | None = None,
    **options: Any,
) -> None:
    """Draws a chart, or nothing for None, and the button to publish it or what is `published`."""
    if hasattr(chart, "to_plotly_json"):
        st.plotly_chart(chart, **{"alt": alt or title, **options})
    elif chart is not None and hasattr(chart, "vconcat"):  # Streamlit gives layers in panels no width
        named = [panel.name if isinstance(panel.name, str) else at for at, panel in enumerate(chart.vconcat)]
        places = st.columns([5 if at == "narrow" else 13 for at in named])
        for at, place, panel in zip(named, places, chart.vconcat, strict=True):
            head, bare = panel.title, panel.properties(title="")
            with place, st.container(gap="xxsmall", key=f"panel-{name}-{at}"):
                st.header(plain(head.text), anchor=False)
                st.caption(plain(head.subtitle or ""))
                st.altair_chart(readable(bare), width="stretch", alt=head.text, key=f"{name}-{at}")
    elif chart is not None:
        st.altair_chart(readable(chart), **{"width": "stretch", "alt": alt or title, **options})

    def contents(size: ChartSize) -> Publication:
        drawn = readable(chart) if published is None else published(size.across)
        spec = in_print_colours(drawn.to_dict())
        rows = data_rows(spec) if data is None else data()
        axis_words = axes(spec) if data is None else {"unit": axes(spec).get("unit", "")}
        described = alt_text(title, rows, **axis_words) if words is None else words()
        picture, csv = (lambda names: vega_picture(relabelled(spec, names))), (lambda: delimited(rows))
        return Publication(picture, "", described, csv, labels=labels_of(spec))

    publish("chart", contents, name=name, title=title, source=source, signature=signature)
