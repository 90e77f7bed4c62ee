"""Three headlines and what a model says of each two."""

from collections.abc import Iterable, Sequence
from textwrap import wrap
from typing import Any, Final

import altair as alt
import pandas as pd

from components.frame.charts import theme
from components.frame.charts.vega_parts import LINE_HEIGHT, label_layer, label_row
from components.frame.page_state import is_large
from core.palette import APART
from core.results.text_lines import isolated, text_width

PLACES: Final = ((0.5, 1.0), (0.0, 0.0), (1.0, 0.0))  # the headline that both links share stands on top
SIDES: Final = ((0, 1), (0, 2), (1, 2))  # the shared headline with the second, with the third, and these two
AWAY: Final = 14  # pixels from an edge to what is said of it, and from the middle of a corner to its edge
ANSWERS: Final = ("different", "same event")  # what a model says of two headlines, by whether it links them
_HEIGHT: Final = 260  # pixels from the lower corners to the upper one
_NARROW: Final = "width < 600"  # no room for headlines beside each other
_MARGIN: Final = "(width < 500 ? 0.42 : 0.2)"
"""Beside the lower corners, of the distance between them; a phone needs it for what is said of the sides."""


def triangle_chart(
    texts: Sequence[str], dates: Sequence[str], scores: Sequence[float], links: Sequence[bool],
    notes: Sequence[str] = ("", "", ""), *, names: str = "ABC", fields: bool = False,
) -> alt.LayerChart:  # fmt: skip
    """Each two have their score and answer, and below these a note in quiet ink.

    With fields, which have the whole headlines, narrow corners have dates alone.
    """
    colours, large = theme.ink(), is_large()
    letters, size = (theme.LARGE_PIXELS, theme.LARGE_PIXELS) if large else (15, 13)
    labels = [
        _label("" if fields and large else text, date, wide=up > 0)
        for text, date, (_, up) in zip(texts, dates, PLACES, strict=True)
    ]
    heights = [(label.count("\n") + 1) * LINE_HEIGHT * size + 6 for label in labels]
    above, below = (AWAY + 4 + each for each in (heights[0], max(heights[1:])))
    plot = f"(height - {above + below})"
    x = _axis(alt.X, "x", _MARGIN, _MARGIN)
    y = _axis(alt.Y, "y", f"{below} / {plot}", f"{above} / {plot}")
    looks = {ANSWERS[1]: colours.accent, ANSWERS[0]: theme.meaning_colour(APART)}
    against = sum(links) == 2  # what links two sides contradicts the third, which is the loudest
    sides, words, quiet = [], {True: [], False: []}, []
    for (start, end), side, score, link, note in zip(SIDES, (-1, 1, 0), scores, links, notes, strict=True):
        (x0, y0), (x1, y1) = PLACES[start], PLACES[end]
        pair, ends = f"{names[start]} and {names[end]}", {"x": x0, "y": y0, "x2": x1, "y2": y1}
        sides.append({"Pair": pair, "Answer": ANSWERS[link], "Score": score, **ends})
        said, loud = f"{score:.2f} {ANSWERS[link]}", against and not link
        # Beside its edge, away from the middle: none is struck through.
        lines = note.split("\n")
        wide = max((letters + loud) * text_width(said), *(size * text_width(line) for line in lines))
        under = size * LINE_HEIGHT * len(lines)
        place = {"x": (x0 + x1) / 2, "y": (y0 + y1) / 2, "right": side * (AWAY + wide / 2 + 5)}
        up = under if side else AWAY + 0.35 * letters + under
        words[loud].append(label_row(said, colours.text, letters + loud, **place, up=up))
        up -= (letters * LINE_HEIGHT + under) / 2
        quiet.append(label_row(note, colours.muted, size, **place, up=up))
    together = alt.datum.Answer == ANSWERS[True]
    lines = alt.Chart(pd.DataFrame(sides)).mark_rule()
    lines = lines.encode(
        **{"x": x, "y": y, "x2": "x2:Q", "y2": "y2:Q"},
        color=alt.Color(
            "Answer:N", scale=alt.Scale(domain=list(looks), range=list(looks.values())), legend=None
        ),
        strokeDash=alt.condition(together, alt.value([1, 0]), alt.value([10, 6])),
        strokeWidth=alt.condition(together, alt.value(2), alt.value(4 if against else 2)),
    )
    places = [dict(zip("xy", place, strict=True)) for place in PLACES]
    corners = pd.DataFrame(places).assign(Name=list(names), Headline=list(texts), Date=list(dates))
    dots = alt.Chart(corners).encode(x=x, y=y)

    def beside_dots(name: str, labels: Iterable[str], shown: str) -> alt.LayerChart:
        away = [AWAY + 3 + (label.count("\n") + 1) * LINE_HEIGHT * size / 2 for label in labels]
        named = zip(labels, away, places, strict=True)
        rows = [label_row(of, colours.text, size, up=up if to["y"] else -up, **to) for of, up, to in named]
        look = {"opacity": alt.expr(f"{_NARROW} ? {shown}")} if fields else {}
        return label_layer(name, rows, x=x, y=y, size=size, **look)

    ring = {"color": colours.paper, "stroke": colours.text, "strokeWidth": 2, "opacity": 1}
    letter = {"fontSize": letters, "fontWeight": 600, "color": colours.text, "baseline": "middle"}
    drawn = alt.layer(
        lines,
        dots.mark_circle(size=(2 * AWAY) ** 2, **ring),
        dots.mark_text(**letter).encode(text="Name:N", tooltip=["Headline", "Date"]),
        label_layer("scores", words[False], x=x, y=y, size=letters),
        label_layer("contradiction", words[True], x=x, y=y, size=letters + 1, fontWeight=600),
        label_layer("notes", quiet, x=x, y=y, size=size),
        beside_dots("headlines", labels, "0 : 1"),
        *([beside_dots("dates", dates, "1 : 0")] if fields else []),
    )
    return drawn.properties(height=_HEIGHT + above + below)


def _axis(channel: Any, field: str, low: str, high: str) -> Any:
    """Places from 0 to 1 and what stands beyond, without an axis."""
    ends = {"domainMin": alt.expr(f"-({low})"), "domainMax": alt.expr(f"1 + {high}")}
    return channel(f"{field}:Q", scale=alt.Scale(**ends, zero=False, nice=False), axis=None)


def _label(text: str, date: str, *, wide: bool) -> str:
    # Large letters leave space for fewer lines, so these are longer; nothing stands beside the top one.
    length, most = (32, 3) if is_large() else (46, 2) if wide else (26, 4)
    lines = wrap(text, length, drop_whitespace=True)
    if len(lines) > most:
        lines = [*lines[: most - 1], lines[most - 1][: length - 1] + "…"]
    return "\n".join(isolated(line) for line in [*lines, date] if line)
