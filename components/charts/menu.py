"""The menu of a chart: its title and size, then SVG, PNG and the data behind it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

from components import large_text
from components.charts.theme import ink
from components.downloads import Download, downloads, stem
from components.markdown import plain
from core.results.chart import WIDTHS, PublishedChart, as_png, as_svg
from core.results.delimited import delimited


@cache
def _font() -> bytes:
    """The face of the pages, as Streamlit sends it; b"" where this Streamlit has none."""
    media = Path(st.__file__).parent / "static" / "static" / "media"
    found = next(media.glob("SourceSansVF-Upright.*.woff2"), None)
    return b"" if found is None else found.read_bytes()


def chart_menu(
    spec: Callable[[], Mapping[str, Any]],
    *,
    title: str,
    source: str,
    data: Callable[[], Sequence[Sequence[object]]],
    key: str,
) -> None:
    """Draws the menu; nothing is made before a button is pressed. Not for a class.

    Args:
        spec: Gives the picture as Vega-Lite with its data inside.
        title: Proposed above it.
        source: Where the data is from, below it.
        data: Gives its data as rows, the header first.
        key: Of its widgets.
    """
    if large_text.on():
        return
    with st.popover("Publish this chart", icon=":material/ios_share:", type="tertiary"):
        shown = st.text_input("Title", title, key=f"{key}-title", max_chars=120)
        size = st.segmented_control("For", list(WIDTHS), default="Article", required=True, key=f"{key}-size")
        st.caption(f"Source line: {plain(source)}")

        def chart() -> PublishedChart:
            colours = ink()
            return PublishedChart(
                spec=spec(),
                title=shown,
                source=source,
                width=WIDTHS[str(size)],
                text=colours.text,
                quiet=colours.muted,
                paper=colours.paper,
            )

        name = stem(title, "chart")
        downloads(
            Download("SVG", lambda: as_svg(chart(), font=_font()), f"{name}.svg"),
            Download("PNG", lambda: as_png(chart()), f"{name}.png"),
            Download("Data (CSV)", lambda: delimited(data()), f"{name}-data.csv"),
            key=f"{key}-files",
        )
