"""What the points of a map are coloured by: events, outlets, days, stories."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from components.frame.charts import theme
from core.palette import group_colour

HEIGHT = 470  # pixels; with the search above it the whole map is on the first screen of laptop and phone
UNKNOWN = "#767676"  # a point without a number
VIRIDIS = (
    *("#440154", "#482173", "#433e85", "#38588c", "#2d708e", "#25858e"),
    *("#1e9b8a", "#2ab07f", "#52c569", "#86d549", "#c2df23", "#fde725"),
)
PLACES = len(VIRIDIS)  # colours on a map; one more is grey
NAMED_COLOURS = 11  # categories that get a colour of their own; the rest are grey


class Colouring(NamedTuple):
    colours: Sequence[str] | Sequence[float]
    ends: tuple[str, str] = ("", "")
    legend: tuple[tuple[str, str], ...] = ()


def by_group(ids: Sequence[int], singles: set[int]) -> Colouring:
    dark = theme.is_dark()
    return Colouring([group_colour(-1 if group in singles else group, dark=dark) for group in ids])


def greyed(colouring: Colouring, selected: Sequence[int]) -> Colouring:
    """In colour what is selected alone."""
    bright, grey = set(selected), theme.meaning_colour(-1)
    return Colouring([hue if row in bright else grey for row, hue in enumerate(map(str, colouring.colours))])


def by_category(values: Sequence[str | None]) -> Colouring:
    dark, grey = theme.is_dark(), theme.meaning_colour(-1)
    counts = Counter(value for value in values if value is not None)
    named = sorted(counts, key=lambda v: (-counts[v], v))[:NAMED_COLOURS]
    colour = {value: group_colour(k + 1, dark=dark) for k, value in enumerate(named)}
    legend = [(colour[v], f"{v} ({counts[v]})") for v in named]
    words = ["others"] * (len(counts) > len(named)) + ["not known"] * (None in values)
    if words:
        legend.append((grey, " or ".join(words)))
    return Colouring([colour.get(v or "", grey) for v in values], legend=tuple(legend))


def by_number(values: Sequence[float], ends: tuple[str, str]) -> Colouring:
    """From least to greatest on a scale that colour-blind readers can follow; NaN in grey."""
    unknown = any(np.isnan(value) for value in values)
    return Colouring(values, ends=ends, legend=((UNKNOWN, "not known"),) if unknown else ())


def painted(colouring: Colouring) -> tuple[list[str], list[int], list[tuple[str, str]]]:
    """Colours of a map, the place among them of each headline's, the last being grey, and the legend."""
    if not colouring.ends[0]:
        grey = theme.meaning_colour(-1)
        named = dict.fromkeys([hue for hue, _ in colouring.legend] or map(str, colouring.colours))
        paints = [hue for hue in named if hue != grey][:PLACES]
        places = {hue: place for place, hue in enumerate(paints)}
        filled = [*paints, *[grey] * (PLACES + 1 - len(paints))]
        return filled, [places.get(str(hue), PLACES) for hue in colouring.colours], list(colouring.legend)
    values = np.asarray(colouring.colours, dtype=np.float64)
    shares = (values - np.nanmin(values)) / (np.nanmax(values) - np.nanmin(values) or 1.0)
    places = np.where(np.isnan(shares), PLACES, np.nan_to_num(shares) * (PLACES - 1)).round().astype(int)
    scale = (f"linear-gradient(90deg, {', '.join(VIRIDIS)})", " – ".join(dict.fromkeys(colouring.ends)))
    return [*VIRIDIS, UNKNOWN], places.tolist(), [scale, *colouring.legend]
