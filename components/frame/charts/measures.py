"""Scores with their intervals, verdicts and operators as stacked bars, and labelled pairs in pictures."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import product
from typing import Any, Final

import altair as alt
import numpy as np
import numpy.typing as npt
import pandas as pd

from components.frame.charts.theme import ink, is_dark, lines_of, meaning, named
from components.frame.markdown import shorten
from core.arrays import IntArray
from core.data.pair_sets.pair_set import RATIO_BINS, PartCounts
from core.headlines.comparison.slices import Slice
from core.headlines.listed_verdicts import ORDER
from core.headlines.metrics import Column
from core.headlines.numeral_scores import OperatorShare
from core.numerals.checks.verdict_words import LIGHT_HUES, word_of
from core.numerals.operators import OPERATORS
from core.numerals.verdict import Light
from core.palette import AGAINST, AGREES, APART, group_colour
from core.results.table import Table
from core.statistics.bootstrap import Figure

NAME_CHARACTERS = 40
_ENDS = ("value", "low", "high")
_NEAR: Final = alt.Scale(zero=False, nice=True)
_UNIT, _PERCENT = alt.Scale(domain=[0, 1]), alt.Scale(domain=[0, 100])


def span(value: float | None, low: float | None, high: float | None, *, times: float = 1) -> dict[str, float]:
    """A value and its ends as they are drawn; ends that are not known lie on the value."""
    shown = 0.0 if value is None else value
    ends = {"value": shown, "low": shown if low is None else low, "high": shown if high is None else high}
    return {name: round(times * end, 4) for name, end in ends.items()}


def _tips(format: str, *names: str) -> list[alt.Tooltip]:
    return [alt.Tooltip(f"{name}:Q", format=format) for name in names]


def interval_chart(
    lines: Iterable[Mapping[str, Any]], *, title: str, sort: Any = None, x: alt.X | None = None, **more: Any
) -> alt.LayerChart:
    data = pd.DataFrame(list(lines))
    base = alt.Chart(data if len(data) else pd.DataFrame(columns=["System", *_ENDS]))
    more = {"color": alt.value(meaning(AGREES)), "y": lines_of("System", sort=sort, limit=220)} | more
    axis = x or alt.X("value:Q", scale=_NEAR, axis=alt.Axis(tickCount=6))
    rule = base.mark_rule(strokeWidth=3, opacity=0.7)
    rule = rule.encode(x=alt.X("low:Q", title=title), x2="high:Q", **more)
    said = ["System", *_tips("", *_ENDS)]
    dot = base.mark_circle(size=80, opacity=1).encode(x=axis.title(title), tooltip=said, **more)
    return (rule + dot).properties(height=alt.Step(26))


def score_chart(column: Column, systems: Sequence[str], entries: Sequence[Figure]) -> alt.LayerChart:
    figures, higher = zip(systems, entries, strict=True), column.higher_is_better is not False
    return _ranked(figures, column.label, times=100 if column.high == 1 else 1, highest_first=higher)


def score_rows(label: str, systems: Sequence[str], entries: Sequence[Figure]) -> list[list[object]]:
    rows = ([name, of.value, of.low, of.high] for name, of in zip(systems, entries, strict=True))
    return [["system", label, "low", "high"], *rows]


def people_chart(people: Sequence[str], figures: Sequence[Figure], label: str) -> alt.LayerChart:
    return _ranked(zip(people, figures, strict=True), label, times=1)


def _ranked(
    figures: Iterable[tuple[str, Figure]], label: str, *, times: float = 100, highest_first: bool = True
) -> alt.LayerChart:
    lines: list[dict[str, Any]] = [
        {"System": shorten(name, NAME_CHARACTERS), **span(figure.value, figure.low, figure.high, times=times)}
        for name, figure in figures
        if figure.value is not None
    ]
    # By name: a field to sort by is ignored where layers share an axis.
    lines.sort(key=lambda line: line["value"], reverse=highest_first)
    return interval_chart(lines, title=f"{label}, 95 % interval", sort=[line["System"] for line in lines])


def slice_chart(column: Column, systems: Mapping[str, int], slices: Sequence[Slice]) -> alt.LayerChart:
    """Systems, by their places in the slices' values, side by side on parts of one kind of the articles."""
    times = 100 if column.high == 1 else 1
    marks, hues = [], {}
    for part, (place, (name, at)) in product(slices, enumerate(systems.items())):
        figure, system = part.figures[at], shorten(name, NAME_CHARACTERS)
        if figure.value is not None:
            where = {"Articles": f"{part.label} ({part.articles:,})", "System": system}
            marks.append(where | span(figure.value, figure.low, figure.high, times=times))
            hues[place] = system
    # A system without a value on any part has no mark, and so no entry in the legend.
    colours = {hues[place]: _hue(place) for place in sorted(hues)}
    base = alt.Chart(pd.DataFrame(marks, columns=["Articles", "System", *_ENDS]))
    beside, hue = alt.YOffset("System:N", sort=list(colours)), named(colours, "System", symbolOpacity=1)
    base = base.encode(y=lines_of("Articles", limit=220), yOffset=beside, color=hue)
    look = {"title": f"{column.label}, 95 % interval", "scale": _NEAR, "axis": alt.Axis(tickCount=6)}
    low, value = (alt.X(f"{end}:Q", **look) for end in ("low", "value"))
    shape = named(colours, "System", of=alt.Shape, symbolOpacity=1)
    shape.scale = alt.Scale(domain=list(colours))
    said = ["System", "Articles", *_tips("", *_ENDS)]
    rule = base.mark_rule(strokeWidth=2.5, opacity=0.7).encode(x=low, x2="high:Q")
    point = base.mark_point(size=70, filled=True, opacity=1).encode(x=value, shape=shape, tooltip=said)
    return (rule + point).properties(height=alt.Step(16))


def _hue(place: int) -> str:
    return group_colour(place, dark=is_dark())


def _light_hue(light: Light | None) -> str:
    return meaning(LIGHT_HUES.get(light, -1))


def numeral_chart(counts: Mapping[str, Mapping[Light, int]]) -> alt.Chart:
    """A bar for each line, cut into the verdicts on its numbers; the fewest wrong ones on top."""
    bars = {name: {light.value: n for light, n in by.items()} for name, by in counts.items()}
    colours = {light.value: _light_hue(light) for light in reversed(Light)}
    return _stacked(bars, "Verdict", colours, good=[Light.WRONG.value], most_first=False)


def light_chart(counts: Mapping[str, Mapping[Light | None, int]]) -> alt.Chart:
    """A bar for each line, cut into the lights of its headlines; the fewest wrong ones on top."""
    bars = {name: {word_of(light): n for light, n in by.items()} for name, by in counts.items()}
    colours = {word_of(light): _light_hue(light) for light in ORDER}
    return _stacked(bars, "Light", colours, good=[word_of(ORDER[0])], of="Headlines", most_first=False)


def operator_chart(shares: Sequence[OperatorShare]) -> alt.Chart:
    """A bar for each system, cut into the operators that give its numerals that nothing speaks against."""
    bars: dict[str, dict[str, int]] = {}
    for each in shares:
        bars.setdefault(each.system, {})[each.operator] = each.numerals
    given = [operator for operator in OPERATORS if any(by.get(operator) for by in bars.values())]
    colours = {operator: _hue(at) for at, operator in enumerate(given)}
    return _stacked(bars, "Operator", colours, good=list(OPERATORS)[:1])


SAME, DIFFERENT = "same event", "different events"
SHOWN_DAYS = 10  # from this many days on pairs share the last bar


def part_chart(parts: Sequence[PartCounts]) -> alt.Chart:
    unknown = "not labelled"
    bars = {
        counts.part.value: {SAME: counts.same, DIFFERENT: counts.different, unknown: counts.unknown}
        for counts in parts
    }
    colours = {SAME: meaning(AGREES), DIFFERENT: meaning(APART), unknown: meaning(-1)}
    x = alt.X("Pairs:Q", title="Pairs")
    return _stacked(bars, "Label", colours, good=(), of="Pairs", x=x, height=alt.Step(40))


def _stacked(
    bars: Mapping[str, Mapping[str, int]],
    part: str,
    colours: Mapping[str, str],
    *,
    good: Collection[str],
    of: str = "Numbers",
    most_first: bool = True,
    x: alt.X | None = None,
    height: Any = alt.Step(26),  # noqa: B008 - a plain value
) -> alt.Chart:
    names = [name for name in colours if any(by.get(name) for by in bars.values())]

    def share(name: str) -> float:
        total = sum(bars[name].values())
        good_share = sum(bars[name].get(part, 0) for part in good) / (total or 1)
        return 2.0 if not total else -good_share if most_first else good_share

    cells = []
    for name in sorted(bars, key=share):
        line = f"{shorten(name, NAME_CHARACTERS)} ({sum(bars[name].values()):,})"
        cells += [(line, piece, bars[name].get(piece, 0), place) for place, piece in enumerate(names)]
    look = {"title": f"Share of the {of.lower()}", "axis": alt.Axis(format="%"), "stack": "normalize"}
    return _bars(
        pd.DataFrame(cells, columns=["Line", part, of, "at"]),
        height,
        y=lines_of("Line"),
        x=x or alt.X(f"{of}:Q", **look),
        color=named({name: colours[name] for name in names}, part, labelLimit=alt.Undefined, columnPadding=6),
        order=alt.Order("at:Q"),
        tooltip=["Line:N", f"{part}:N", f"{of}:Q"],
    )


def _bars(lines: pd.DataFrame, height: Any, **encoding: Any) -> alt.Chart:
    return alt.Chart(lines).mark_bar().encode(**encoding).properties(height=height)


def day_chart(same: IntArray, different: IntArray) -> alt.Chart:
    """Share of each label's pairs by days between: how many are 0, 1, … days apart."""
    last = min(SHOWN_DAYS, len(same) - 1)
    days = [str(day) for day in range(last + 1)]
    if len(same) - 1 > SHOWN_DAYS:
        days[-1] = f"{SHOWN_DAYS}+"
    frames, colours = [], {}
    for label, counts, place in ((SAME, same, AGREES), (DIFFERENT, different, APART)):
        shown = np.append(counts[:last], counts[last:].sum())
        if total := int(shown.sum()):
            name = f"{label} ({total:,})"
            colours[name] = meaning(place)
            cells = {"Days": days, "Label": name, "Pairs": shown, "Share": 100 * shown / total}
            frames.append(pd.DataFrame(cells))
    return _bars(
        pd.concat(frames) if frames else pd.DataFrame(columns=["Days", "Label", "Pairs", "Share"]),
        280,
        x=alt.X("Days:N", sort=days, title="Days between the headlines", axis=alt.Axis(labelAngle=0)),
        xOffset=alt.XOffset("Label:N", sort=list(colours)),
        y=alt.Y("Share:Q", title="% of the pairs"),
        color=named(colours, "Label"),
        tooltip=["Days:N", "Label:N", "Pairs:Q", *_tips(".1f", "Share")],
    )


_DASHES: Final = ([1, 0], [7, 4], [2, 3])


def ratio_chart(ratios: Mapping[str, npt.NDArray[np.float64]]) -> alt.Chart:
    """Share of the positive pairs of each corpus by Levenshtein ratio; the first is drawn strongest."""
    edges = np.linspace(0.0, 1.0, RATIO_BINS + 1)
    middles = ((edges[:-1] + edges[1:]) / 2).round(4)
    lines, names = [], []
    for name, values in ratios.items():
        shares = 100 * np.histogram(values, edges)[0] / max(len(values), 1)
        names.append(f"{shorten(name, NAME_CHARACTERS)}, mean {values.mean():.2f}")
        lines += [(*pair, names[-1]) for pair in zip(middles.tolist(), shares.tolist(), strict=True)]
    colours = {name: _hue(2 * (at % 3)) for at, name in enumerate(names)}
    dashes = {name: _DASHES[at % 3] for at, name in enumerate(names)}
    first = alt.datum.Corpus == (names[0] if names else "")
    drawn = alt.Chart(pd.DataFrame(lines, columns=["Ratio", "Share", "Corpus"])).mark_line()
    return drawn.properties(height=280).encode(
        x=alt.X("Ratio:Q", title="Levenshtein ratio of the positives", scale=_UNIT),
        y=alt.Y("Share:Q", title="% of the positives"),
        color=named(colours, "Corpus", symbolType="stroke"),
        strokeDash=named(dashes, "Corpus", of=alt.StrokeDash, symbolType="stroke"),
        strokeWidth=alt.condition(first, alt.value(3.5), alt.value(2)),
        tooltip=["Corpus:N", *_tips(".2f", "Ratio"), *_tips(".1f", "Share")],
    )


IDEAL, MEASURED = "where scores would be probabilities", "pairs with such a score"


def reliability_chart(bins: Sequence[tuple[float, float, int, float | None, float | None]]) -> alt.LayerChart:
    measured = [(mean, share, count) for _, _, count, mean, share in bins if count]
    data = pd.DataFrame(measured, columns=["Mean score", "Same event", "Pairs"]).assign(Shown=MEASURED)
    ideal = pd.DataFrame({"Mean score": [0.0, 1.0], "Same event": [0.0, 1.0], "Shown": [IDEAL, IDEAL]})
    ends = sorted({data["Pairs"].min(), data["Pairs"].max()}) if len(data) else []
    legend = alt.Legend(orient="bottom", title="Pairs", values=ends)
    place = {
        "x": alt.X("Mean score:Q", scale=_UNIT),
        "y": alt.Y("Same event:Q", scale=_UNIT, title="Share of the same event"),
        "color": named({MEASURED: meaning(AGREES), IDEAL: ink().muted}, "Shown"),
    }
    points = alt.Chart(data).mark_circle(opacity=0.9)
    size = alt.Size("Pairs:Q", scale=alt.Scale(range=[40, 500]), legend=legend)
    said = [*_tips(".2f", "Mean score", "Same event"), "Pairs:Q"]
    line = alt.Chart(ideal).mark_line(strokeDash=[4, 4]).encode(**place)
    return (line + points.encode(**place, size=size, tooltip=said)).properties(height=320)


FOR, OTHERWISE = "speaks for the same event", "speaks against it"


def driver_chart(drives: Sequence[tuple[str, float]]) -> alt.Chart:
    lines = [
        (what, weight, FOR if weight > 0 else OTHERWISE)
        for what, weight in sorted(drives, key=lambda drive: -abs(drive[1]))
    ]
    looks = {FOR: meaning(AGREES), OTHERWISE: meaning(AGAINST)}
    looks = {name: colour for name, colour in looks.items() if any(name in line for line in lines)}
    return _bars(
        pd.DataFrame(lines, columns=["What", "Weight", "Speaks"]),
        alt.Step(22),
        x=alt.X("Weight:Q", title="Weight in the score"),
        y=lines_of("What"),
        color=named(looks, "Speaks"),
        tooltip=["What:N", *_tips(".3f", "Weight")],
    )


def divided_chart(said: pd.DataFrame, *, differ: str, side: str) -> alt.Chart:
    across, up = "Pairs on which people differ, %", "Answers on the model's side, %"
    dots = alt.Chart(said.rename(columns={differ: "differ", side: "side"}))
    dots = dots.mark_circle(size=90, opacity=0.7, color=meaning(AGREES)).properties(height=360)
    return dots.encode(
        x=alt.X("differ:Q", scale=_PERCENT, title=across),
        y=alt.Y("side:Q", scale=_PERCENT, title=up),
        tooltip=["Headline:N", alt.Tooltip("differ:Q", title=across), alt.Tooltip("side:Q", title=up)],
    )


def sides_chart(said: pd.DataFrame, sides: Sequence[str]) -> alt.Chart:
    """A bar for each of the 20 headlines on which two people differ most, cut by the model's side."""
    widest = said.loc[said[list(sides)].sum(axis=1).nlargest(20).index]
    named_lines = [f"{at}. {shorten(text, NAME_CHARACTERS)}" for at, text in enumerate(widest["Headline"], 1)]
    lines = widest.assign(Headline=named_lines).melt("Headline", list(sides), "Side", "Pairs")
    colours = dict(zip(sides, map(_hue, (AGREES, APART)), strict=True))
    x = alt.X("Pairs:Q", title="Pairs on which the two differ", axis=alt.Axis(tickMinStep=1, format="d"))
    look = {"y": lines_of("Headline", sort=None), "color": named(colours, "Side"), "x": x}
    return _bars(lines, alt.Step(24), **look, tooltip=["Headline:N", "Side:N", "Pairs:Q"])


def time_chart(table: Table) -> alt.LayerChart:
    """Alpha with its interval at the last day of each period, a line for each version of the instructions."""
    lines = []
    for row in table.rows:
        cells = dict(zip((column.key for column in table.columns), row, strict=True))
        figure = cells["alpha"]
        if isinstance(figure, Figure) and figure.value is not None:
            name = f"Instructions {cells.get('version', '')}".strip()
            day = {"Day": cells["to"], "Version": name, "Answers": cells["answers"]}
            lines.append(day | span(figure.value, figure.low, figure.high))
    data = pd.DataFrame(lines, columns=["Day", "Version", "Answers", *_ENDS])
    colours = {name: _hue(2 * at) for at, name in enumerate(dict.fromkeys(data["Version"]))}
    days = alt.Axis(format="%-d %b", tickCount=6)
    base = alt.Chart(data).encode(
        x=alt.X("Day:T", title=None, scale=alt.Scale(type="utc"), axis=days),
        color=named(colours, "Version") if len(colours) > 1 else alt.value(meaning(AGREES)),
    )
    said = ["Day:T", "Version:N", "Answers:N", *_tips(".3f", *_ENDS)]
    rule = base.mark_rule(strokeWidth=2.5, opacity=0.7).encode(y="low:Q", y2="high:Q")
    y = alt.Y("value:Q", title="Alpha, 95 % interval", scale=_NEAR)
    return (rule + base.mark_line(point={"size": 70}).encode(y=y, tooltip=said)).properties(height=260)
