"""A map of headlines as the browser draws it."""

import base64
import gzip
import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
import streamlit as st

from components.frame.charts import maps
from components.frame.point_map import point_map, served
from core.archive.points import coordinates, drawing_order, packed
from core.archive.query import Lasso, LassoIndex
from core.arrays import Float32Array, IntArray
from core.maps.labels import medoid
from core.results.render import count_words

WITHOUT_WEBGL = "without-webgl"  # this browser draws no points: it gets a picture


class Points(NamedTuple):
    """A map as it is sent: points in an order in which those of an event follow each other."""

    order: IntArray  # the row of each point
    lasso: LassoIndex
    content: bytes
    names: Sequence[tuple[str, int]]  # titles with a point of each, those of the largest events first

    def inside(self, lasso: Lasso) -> list[int]:
        return sorted(self.order[self.lasso.inside(lasso)].tolist())


def place_points(positions: Float32Array, ids: IntArray, titles: Mapping[int, str]) -> Points:
    numbers, groups, sizes = np.unique(ids, return_inverse=True, return_counts=True)
    ranked = np.argsort(-sizes, kind="stable")
    order = drawing_order(groups + 1, ranked + 1)
    spread = np.ptp(positions, axis=0) if len(positions) else 1.0
    places = (positions / np.where(spread > 0, spread, 1.0)).astype(np.float32)  # it fills any window
    content = packed(places[order], sizes[ranked][::-1])
    point_of = np.empty_like(order)
    point_of[order] = np.arange(len(order))
    named = [at for at in ranked.tolist() if sizes[at] > 1 and int(numbers[at]) in titles]
    middles = [int(point_of[medoid(places, np.flatnonzero(groups == at))]) for at in named]
    names = [(titles[int(numbers[at])], middle) for at, middle in zip(named, middles, strict=True)]
    return Points(order, LassoIndex(*coordinates(places[order]).T), content, names)


def draw_points(
    points: Points,
    place: str,
    texts: Sequence[Sequence[str]],
    colouring: maps.Colouring,
    selected: Sequence[int],
    *,
    key: str = "points",
    choose: Callable[[int], object],
    surround: Callable[[Lasso], object],
) -> None:
    palette, colours, legend = maps.painted(colouring)
    bright = np.zeros(len(points.order), dtype=np.bool_)
    bright[list(selected)] = True
    paints = np.asarray(colours, dtype=np.uint8)[points.order].tobytes()
    data = {"place": place, "fills": True, "palette": palette, "legend": legend, "found": len(selected)}
    data |= {"points": served(points.content, f"{key}-points"), "colours": base64.b64encode(paints).decode()}
    data["label"] = f"Map of {count_words(len(texts), 'headline', 'headlines')} by meaning."
    words = [texts[row] for row in points.order.tolist()]
    for name, content in (("names", list(points.names)), ("texts", words)):
        data[name] = served(gzip.compress(json.dumps(content).encode(), 4, mtime=0), f"{key}-{name}")
    point_map(
        key=key,
        data=data,
        bits=np.packbits(bright[points.order], bitorder="little").tobytes() if selected else b"",
        choose=choose,
        surround=surround,
        picture=partial(st.session_state.__setitem__, WITHOUT_WEBGL, True),
    )
