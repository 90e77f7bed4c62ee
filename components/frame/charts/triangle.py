"""Three headlines and what a model says of each two."""

from collections.abc import Sequence
from textwrap import wrap
from typing import Final

import altair as alt
import pandas as pd

from components.frame.charts import theme
from components.frame.charts.vega_parts import LINE_HEIGHT, hidden_axis, label_layer, label_row
from components.frame.page_state import is_large
from core.palette import AGREES, APART
from core.results.text_lines import isolated, text_width

PLACES: Final = ((0.5, 0.86), (0.0, 0.0), (1.0, 0.0))  # the headline that both links share stands on top
SIDES: Final = ((0, 1), (0, 2), (1, 2))  # the shared headline with the second, with the third, and these two
AWAY: Final = 14  # pixels from an edge to what is said of it
ANSWERS: Final = ("different", "same event")  # what a model says of two headlines, by whether it links them


def triangle_chart(
    texts: Sequence[str], dates: Sequence[str], scores: Sequence[float], links: Sequence[bool],
    notes: Sequence[str] = ("", "", ""),
) -> alt.LayerChart:  # fmt: skip
    """Each two have their score and answer, and below these a note in quiet ink."""
    colours, large = theme.ink(), is_large()
    letters, size = (theme.LARGE_PIXELS, theme.LARGE_PIXELS) if large else (15, 13)
    x, y = hidden_axis(-0.42, 1.42, "x", alt.X), hidden_axis(-0.5, 1.45 if large else 1.32, "y", alt.Y)
    looks = {ANSWERS[link]: theme.meaning_colour(AGREES if link else APART) for link in links}
    sides, words, quiet = [], [], []
    for (start, end), side, score, link, note in zip(SIDES, (-1, 1, 0), scores, links, notes, strict=True):
        (x0, y0), (x1, y1) = PLACES[start], PLACES[end]
        pair, ends = f"{'ABC'[start]} and {'ABC'[end]}", {"x": x0, "y": y0, "x2": x1, "y2": y1}
        sides.append({"Pair": pair, "Answer": ANSWERS[link], "Score": score, **ends})
        said = f"{score:.2f} {ANSWERS[link]}"
        # Beside its edge, away from the middle: none is struck through.
        lines = note.split("\n")
        wide = max(letters * text_width(said), *(size * text_width(line) for line in lines))
        below = size * LINE_HEIGHT * len(lines)
        place = {"x": (x0 + x1) / 2, "y": (y0 + y1) / 2, "right": side * (AWAY + wide / 2 + 5)}
        up = below if side else AWAY + 0.35 * letters + below
        words.append(label_row(said, colours.text, letters, **place, up=up))
        up -= (letters * LINE_HEIGHT + below) / 2
        quiet.append(label_row(note, colours.muted, size, **place, up=up))
    together = alt.datum.Answer == ANSWERS[True]
    lines = alt.Chart(pd.DataFrame(sides)).mark_rule()
    lines = lines.encode(
        **{"x": x, "y": y, "x2": "x2:Q", "y2": "y2:Q"},
        color=alt.Color(
            "Answer:N", scale=alt.Scale(domain=list(looks), range=list(looks.values())), legend=None
        ),
        strokeDash=alt.condition(together, alt.value([1, 0]), alt.value([2, 3])),
        strokeWidth=alt.condition(together, alt.value(5), alt.value(2)),
    )
    places = [dict(zip("xy", place, strict=True)) for place in PLACES]
    corners = pd.DataFrame(places).assign(Name=list("ABC"), Headline=list(texts), Date=list(dates))
    look = {"color": colours.text, "stroke": colours.paper, "strokeWidth": 2, "opacity": 1}
    dots = alt.Chart(corners).mark_circle(size=200, **look)
    labels = []
    for name, text, date, place in zip("ABC", texts, dates, places, strict=True):
        label = _label(name, text, date, wide=place["y"] > 0)
        away = 20 + (label.count("\n") + 1) * LINE_HEIGHT * size / 2
        labels.append(label_row(label, colours.text, size, up=away if place["y"] else -away, **place))
    drawn = alt.layer(
        lines,
        dots.encode(x=x, y=y, tooltip=["Headline", "Date"]),
        label_layer("scores", words, x=x, y=y, size=letters, fontWeight=600),
        label_layer("notes", quiet, x=x, y=y, size=size),
        label_layer("headlines", labels, x=x, y=y, size=size),
    )
    return drawn.properties(height=470 if large else 400)


def _label(name: str, text: str, date: str, *, wide: bool) -> str:
    # Large letters leave space for fewer lines, so these are longer; nothing stands beside the top one.
    length, most = (32, 3) if is_large() else (46, 2) if wide else (26, 4)
    lines = wrap(f"{name}: {text}", length, drop_whitespace=True)
    if len(lines) > most:
        lines = [*lines[: most - 1], lines[most - 1][: length - 1] + "…"]
    return "\n".join(isolated(line) for line in [*lines, date] if line)
