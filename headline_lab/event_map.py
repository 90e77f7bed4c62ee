"""The map of a timeline in a notebook, with what is selected back in Python. Imports anywidget."""

import base64
import zlib
from pathlib import Path
from typing import Any, Final

import anywidget
import numpy as np
from traitlets import Dict, Int, List, Unicode, observe

from core.archive.query import corners_of
from core.archive.timeline_points import place_points
from core.arrays import Float32Array, IntArray
from core.data.timelines.periods import written_days
from core.events.cards import group_summaries
from core.events.grouping import Grouping, Prepared
from core.files import ROOT
from core.palette import LIGHT, NEUTRAL_LIGHT

_MAP: Final = str(ROOT / "components/frame/point_")  # what the page of the map is made of
_READ: Final = {name: Path(f"{_MAP}{name}").read_text(encoding="utf-8") for name in ("map.css", "map.html")}
_SCRIPTS: Final = *(f"{_MAP}{name}.js" for name in ("drawing", "names", "map")), f"{__file__[:-3]}.js"
_LOOK: Final = """--st-background-color: #fff; --st-secondary-background-color: #eee; --st-text-color: #222;
--st-border-color: #bbb; --st-primary-color: #0b5fa5; --st-base-radius: 4px; --st-font: sans-serif"""


class EventMap(anywidget.AnyWidget):
    """What `map_widget` gives: `selected` has rows of the source, and can be set; `headlines` their texts."""

    _esm = "\n".join(Path(script).read_text(encoding="utf-8") for script in _SCRIPTS)
    _html = Unicode(f"<style>:host {{{_LOOK}}} {_READ['map.css']}</style><div>{_READ['map.html']}</div>")
    _html.tag(sync=True)
    _content: Any = Dict().tag(sync=True)
    _shown: Any = Dict().tag(sync=True)
    _choice: Any = List().tag(sync=True)
    selected: Any = List(Int())

    def __init__(self, prepared: Prepared, grouping: Grouping, places: Float32Array, rows: IntArray) -> None:
        timeline, self._ids, self._rows = prepared.timeline, grouping.ids, rows
        self._texts = texts = timeline.texts
        titles = {event.group: texts[event.representative] for event in group_summaries(prepared, grouping)}
        self._points = points = place_points(places, self._ids, titles)
        tips = [*zip(texts, timeline.publishers, written_days(timeline), strict=True)]
        label, palette = f"Map of {len(texts):,} headlines by meaning.", [*LIGHT, NEUTRAL_LIGHT]
        content = {"key": id(self), "label": label, "palette": palette, "points": points.content}
        content |= {"names": list(points.names), "texts": [tips[row] for row in points.order.tolist()]}
        super().__init__(_content=content, _shown={"marked": "", "found": 0})

    @property
    def headlines(self) -> list[str]:
        return [self._texts[at] for at in np.flatnonzero(np.isin(self._rows, self.selected))]

    @observe("_choice")
    def _choose(self, change: Any) -> None:
        """A point selects its event; a lasso what is inside."""
        kind, value, *_ = change.new or ("", 0)
        chosen = np.zeros(0, dtype=np.int64)
        if kind == "lasso" and (lasso := corners_of(value)):
            chosen = np.array(self._points.inside(lasso), dtype=np.int64)
        elif kind == "point" and type(value) is int and 0 <= value < len(self._ids):
            chosen = np.flatnonzero(self._ids == self._ids[self._points.order[value]])
        self.selected = self._rows[chosen].tolist()

    @observe("selected")
    def _mark(self, change: Any) -> None:
        chosen = np.isin(self._rows, change.new)[self._points.order]  # without rows that are not on the map
        bits = np.packbits(chosen, bitorder="little").tobytes()
        marked = base64.b64encode(zlib.compress(bits, 1)).decode() if chosen.any() else ""
        self._shown = {"marked": marked, "found": int(chosen.sum())}
