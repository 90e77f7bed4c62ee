"""The map that timelines and archives draw: points, names and what is done with them."""

import base64
import zlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import streamlit as st
from streamlit.runtime import get_instance

from components.frame.charts.theme import LARGE_PIXELS, is_dark
from components.frame.mounting import mounted
from components.frame.page_state import is_large
from core.archive.query import Lasso, corners_of
from core.palette import LIGHT, group_colour

_HTML: Final = Path(__file__).with_suffix(".html").read_text(encoding="utf-8")
_PARTS: Final = ("point_drawing", "point_names", "point_map")
_draw = mounted(__file__, "point_map_page", _HTML, style="point_map", before=_PARTS)
_lines = mounted(__file__, "map_lines", '<div class="listed"></div>', style="point_map", before=_PARTS[1:2])


def point_map(
    *,
    key: str,
    data: Mapping[str, Any],
    choose: Callable[[int], object],
    surround: Callable[[Lasso], object],
    picture: Callable[[], object],
    bits: bytes = b"",
) -> None:
    """Draws the map; `choose` gets a point, -1 for none; `bits` has a bit a selected point, b"" for none.

    `data` has addresses (`points`, `names`, and `texts` of all points or `text` of each by its number), a
    `place` within which the reader's window stays, a `label`, `found`; `plain` is grey but for what is
    chosen or looked at, until then the group of the `opening` point, -1 for none; one that `follows` goes
    to a chosen event. `picture` is called without WebGL.
    """
    usual: dict[str, Any] = {"colours": "", "texts": "", "legend": [], "lasso": [], "opening": -1}
    usual |= {"follows": False, "fills": False, "plain": True}
    usual["letters"] = LARGE_PIXELS / 13 if is_large() else 1.0
    usual["palette"] = [group_colour(place, dark=is_dark()) for place in (*range(len(LIGHT)), -1)]
    keys = "Arrow keys go to the nearest headline, Enter opens its event. Plus and minus zoom, 0 shows all."
    marked = base64.b64encode(zlib.compress(bits, 1)).decode() if bits else ""

    def point() -> None:
        if isinstance(given := st.session_state[key].point, int):
            choose(given)

    def lasso() -> None:
        if corners := corners_of(st.session_state[key].lasso):
            surround(corners)

    _draw(
        key=key,
        data={**usual, **data, "label": f"{data['label']} {keys}", "marked": marked},
        on_point_change=point,
        on_missed_change=lambda: None,
        on_lasso_change=lasso,
        on_picture_change=picture,
    )


def map_lines(lines: Sequence[tuple[int, str, str]], *, key: str, choose: Callable[[int], object]) -> None:
    """Draws lines of a number on the map, a title and facts; `choose` gets the place of one among them."""

    def chosen() -> None:
        if isinstance(at := st.session_state[key].chosen, int) and 0 <= at < len(lines):
            choose(at)

    _lines(key=key, data={"lines": lines}, on_chosen_change=chosen)


def served(content: bytes, name: str) -> str:
    """The address at which this page's reader finds a packed file while the page stands."""
    return get_instance().media_file_mgr.add(content, "application/gzip", f"map-{name}")
