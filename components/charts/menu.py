"""The one way to show a chart: drawn on the page, with a menu that makes files of it for publication."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import streamlit as st

from components import large_text
from components.charts.theme import ink
from components.page import downloads, stem
from core.results.chart import SIZES, PublishedChart, as_embed, as_png, as_svg, data_rows
from core.results.render import delimited

if TYPE_CHECKING:
    import altair
    import plotly.graph_objects as go

MOST_CHARACTERS: Final = 400  # of a title or a source line; what is typed beyond it is left out
_QUIET: Final = {"displayModeBar": False, "displaylogo": False}
Rows = Callable[[], Sequence[Sequence[object]]]


def show_chart(
    chart: go.Figure | altair.TopLevelMixin,
    *,
    published: Callable[[], altair.TopLevelMixin] | None = None,
    name: str,
    title: str,
    source: str,
    alt: str = "",
    data: Rows | None = None,
    least: int = 0,
    **more: Any,
) -> None:
    """Draws a chart and its menu; nothing is made before a button is pressed. No menu for a class.

    A figure of Plotly, for which headlines are selected, is published as `published` draws it.
    """
    if published is not None:
        st.plotly_chart(chart, **{"config": _QUIET, "alt": alt or title, **more})
    else:
        st.altair_chart(chart, **{"width": "stretch", "alt": alt or title, **more})
    if not large_text.on():
        _menu(published or (lambda: chart), name=name, title=title, source=source, data=data, least=least)


@st.fragment
def _menu(
    draw: Callable[[], Any], *, name: str, title: str, source: str, data: Rows | None, least: int
) -> None:
    key = f"{name}-chart"
    menu = st.popover("Publish this chart", icon=":material/ios_share:", type="tertiary")
    with menu, st.container(key=f"publish-{key}"):
        shown = st.text_input("Title", title, key=f"{key}-title")[:MOST_CHARACTERS]
        said = st.text_input("Source line", source, key=f"{key}-source")[:MOST_CHARACTERS]
        size = st.segmented_control("For", list(SIZES), default="Web", required=True, key=f"{key}-size")
        wanted = SIZES[str(size)]
        st.caption(
            f"{wanted.width:,} × {wanted.height:,} pixels; higher where a chart has many lines. "
            "The letters are inside the SVG and the embed."
        )

        def chart() -> PublishedChart:
            colours = ink()
            return PublishedChart(
                spec=draw().to_dict(),
                title=shown,
                source=said,
                size=wanted,
                least=least,
                text=colours.text,
                quiet=colours.muted,
                paper=colours.paper,
            )

        def rows() -> Sequence[Sequence[object]]:
            return data_rows(draw().to_dict()) if data is None else data()

        file = stem(title, "chart")
        help = "One frame to paste into a page: the picture itself, no script, nothing loaded."
        downloads(
            ("SVG", lambda: as_svg(chart(), font=font()), f"{file}.svg"),
            ("PNG", lambda: as_png(chart(), font=font()), f"{file}.png"),
            ("Embed (HTML)", lambda: as_embed(chart(), font=font()), f"{file}-embed.html", help),
            ("Data (CSV)", lambda: delimited(rows()), f"{file}-data.csv"),
            key=f"{key}-files",
        )


@cache
def font() -> bytes:
    """The face of the pages, as Streamlit sends it; b"" where this Streamlit has none."""
    media = Path(st.__file__).parent / "static" / "static" / "media"
    found = next(media.glob("SourceSansVF-Upright.*.woff2"), None)
    return b"" if found is None else found.read_bytes()
