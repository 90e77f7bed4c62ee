"""Curves of a training run."""

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import cycle
from typing import Any, Final, NamedTuple

import altair as alt
import numpy as np
import pandas as pd

from components.frame.charts import theme
from components.frame.charts.ticks import round_ticks
from components.frame.charts.vega_parts import inline_data, label_layer, label_row, unlisted_data
from core.results.text_lines import text_width

SMOOTHED_LINES: Final = 20  # that the smoothed loss is the mean of
_TITLES: Final = {"f1": "F1", "rouge_mean": "mean ROUGE"}
_DASHES: Final = ([1, 0], [2, 3], [7, 4], [8, 3, 2, 3], [11, 4])
_LOSS_DASHES: Final = ([1, 0], [1, 0], [2, 3])  # the two curves of training are told apart by their width
_LINES: Final = {True: "━┄╌┅╍", False: "─━┄"}  # before names, of curves with points and without
_PHONE: Final = "(windowSize()[0] > 0 && windowSize()[0] < 700)"  # where names of curves stand above the plot
_ACROSS: Final = 310  # pixels of a line of them
_HEIGHT: Final = 200  # pixels of a panel, about; its words come on top
_FEW: Final = 6  # steps that stand below a panel as they are
_UNBOUNDED: Final = ("loss", "perplexity", "threshold")
"""What a validation says that is not drawn between 0 and 1; the loss has a chart of its own."""


class _Curve(NamedTuple):
    values: pd.Series
    colour: str
    width: float


class _Panel(NamedTuple):
    title: str
    curves: Mapping[str, _Curve]
    kind: str
    dashes: Sequence[Sequence[int]]
    ends: tuple[float, float]
    points: bool
    first: int = 0  # step
    about: str = ""


def training_chart(lines: Sequence[Mapping[str, Any]]) -> alt.VConcatChart:
    """The curves of the lines of progress.jsonl; one panel until something was validated."""
    table = pd.json_normalize(list(lines)).set_index("step")
    last = int(table["steps"][table["loss"].notna()].iloc[-1])
    panels = [_losses(table), *_validations(table)]
    drawn = [_draw(panel, last) for panel in panels]
    return alt.vconcat(*drawn).resolve_scale(color="independent", strokeDash="independent")


def measure_title(name: str) -> str:
    return _TITLES.get(name, name.replace("rouge", "ROUGE-").replace("_", " "))


def _losses(table: pd.DataFrame) -> _Panel:
    loss, quiet, validated = table["loss"].dropna(), theme.ink().muted, _validated(table)
    mean = _Curve(loss.rolling(SMOOTHED_LINES, 1).mean(), theme.ink().accent, 2.0)
    curves = {"Loss": _Curve(loss, quiet, 1.0), f"Mean of {SMOOTHED_LINES}": mean}
    if "loss" in validated and validated.columns.isin(_UNBOUNDED).all():
        curves["Validation loss"] = _Curve(validated["loss"], quiet, 1.5)
    ticks = round_ticks(0.0, 1.1 * max(curve.values.max() for curve in curves.values()) or 1.0, _FEW - 1)
    top = ticks[-1] + ticks[1]  # a line, where the plot ends
    first, last = mean.values.iloc[[0, -1]]
    goes = "falls" if last < first else "goes"
    title = f"Loss {goes} from {first:.2f} to {last:.2f} in {loss.index[-1]:,} steps"
    look = {"points": False, "about": f"Of each step, and the mean of the last {SMOOTHED_LINES}"}
    return _Panel(title, curves, "Curve", _LOSS_DASHES, (0.0, top), **look)


def _validations(table: pd.DataFrame) -> list[_Panel]:
    """The panel of what was validated, if anything was."""
    measures = _validated(table).drop(columns=[*_UNBOUNDED], errors="ignore")
    curves: dict[str, _Curve] = {}
    for name, values in measures.items():
        title = measure_title(name)
        look = (theme.ink().muted, 1.2) if curves else (theme.ink().accent, 2.0)
        curves[title[0].upper() + title[1:]] = _Curve(values, *look)
    if not curves:
        return []
    low = math.floor(10 * np.nan_to_num(measures.min().min())) / 10
    high = math.ceil(10 * np.nan_to_num(measures.max().max(), nan=1.0)) / 10
    ends = low, max(low + 0.1, high)
    # Two validations and more begin at the left; before the first nothing is known.
    first = int(measures.index[0]) if len(measures) > 1 else 0
    look = {"points": True, "first": first, "about": "On the validation part, which it did not learn from"}
    return [_Panel(_risen(curves), curves, "Measure", _DASHES, ends, **look)]


def _risen(curves: Mapping[str, _Curve]) -> str:
    """What is seen of the first measure."""
    measure, of = next((name, curve.values.dropna()) for name, curve in curves.items())
    if of.empty:
        return "Nothing could be measured"
    first, last = of.iloc[[0, -1]]
    goes = "rises" if last > first else "falls" if last < first else "goes"
    return f"{measure} {goes} from {first:.2f} to {last:.2f}" if len(of) > 1 else f"{measure} {last:.2f}"


def _validated(table: pd.DataFrame) -> pd.DataFrame:
    """The validations, a column for each measure."""
    found = table.filter(regex=r"^validation\.").dropna(how="all")
    return found.rename(columns=lambda name: name.partition(".")[2]).apply(pd.to_numeric)


def _draw(panel: _Panel, last: int) -> alt.LayerChart:
    curve = panel.kind
    measured = sorted({step for values, *_ in panel.curves.values() for step in values.index})
    points = [
        pd.DataFrame({curve: name, "Step": values.index, "Value": values.to_numpy(), "width": width})
        for name, (values, _, width) in panel.curves.items()
    ]
    data = inline_data(pd.concat(points))
    shown = {name: one.colour for name, one in panel.curves.items() if one.values.notna().any()}
    dashes = dict(zip(shown, cycle(panel.dashes), strict=False))
    look = {"subtitle": panel.about, "subtitleFontSize": 13, "subtitleColor": theme.ink().muted}
    slope, names = panel.points and len(measured) == 2, [*_names(panel)]
    second = [*(_names(panel, first=True) if slope else _key(panel))]
    high = min((row["dy"] for row in second), default=0)
    offset = 8 if slope else alt.expr(f"{_PHONE} ? {18 - high} : 8")
    look |= {"anchor": "start", "frame": "bounds", "offset": offset, "color": theme.ink().text}
    head = alt.TitleParams(panel.title, fontSize=13, **look)
    beside = 9 + max((13 * text_width(name["text"]) for name in names), default=0)
    # The scale ends with the last step: right of it stand the names, on a phone nothing.
    phone = "false" if slope else _PHONE
    longer = f"{phone} ? 1 : windowSize()[0] > 0 ? width / (width - {beside:.0f}) : 1.25"
    end = alt.expr(f"{panel.first} + {last - panel.first} * ({longer})")
    scale = alt.Scale(domainMin=panel.first, domainMax=end, nice=False)
    ticks = measured if 0 < len(measured) <= _FEW else round_ticks(panel.first, last, _FEW)
    named = f"datum.label + (datum.value == {ticks[-1]} ? ' steps' : '')"
    align = {"condition": {"test": f"datum.value == {ticks[-1]}", "value": "right"}, "value": "center"}
    steps = {"scale": scale, "axis": alt.Axis(values=ticks, labelExpr=named, labelAlign=align)}
    lines = round_ticks(*panel.ends, most=_FEW - 1)
    bare = {"labels": False, "ticks": False} if slope else {}
    axis = alt.Axis(minExtent=40, grid=False, values=lines, **bare)
    look = {"title": None, "scale": alt.Scale(domain=panel.ends, nice=False), "axis": axis}
    drawn = alt.Chart(data).mark_line(point=panel.points)
    drawn = drawn.encode(
        x=alt.X("Step:Q", title=None, **steps),
        y=alt.Y("Value:Q", **look),
        color=alt.Color(f"{curve}:N", scale=_looks(shown), legend=None),
        strokeDash=alt.StrokeDash(f"{curve}:N", scale=_looks(dashes), legend=None),
        strokeWidth=alt.StrokeWidth("width:Q", scale=None),
        opacity=alt.when(alt.datum.width == 1.0).then(alt.value(0.35)).otherwise(alt.value(1)),
        tooltip=[f"{curve}:N", "Step:Q", alt.Tooltip("Value:Q", format=".3f")],
    )
    rows = [{"y": at, "x": panel.first, "end": last} for at in lines]
    grid = alt.Chart(unlisted_data(f"scale of {panel.title}", rows)).mark_rule(color=theme.ink().grid)
    grid = grid.encode(x=alt.X("x:Q", **steps), x2="end:Q", y=alt.Y("y:Q", **look))
    places = {"x": alt.X("x:Q", **steps), "y": alt.Y("y:Q", **look), "size": 13, "fontWeight": 600}
    words = label_layer(f"names of {panel.title}", names, **places, align="left")
    more_words = label_layer(f"more of {panel.title}", second, **places, align="right" if slope else "left")
    if not slope:
        words = words.transform_filter(f"width >= 0 && !{_PHONE}")
        more_words = more_words.transform_filter(f"width >= 0 && {_PHONE}")
    named_panel = {"name": "narrow"} if slope else {}
    parts = [*([] if slope else [grid]), drawn, words, more_words]
    return alt.layer(*parts).properties(height=_HEIGHT + 80, title=head, **named_panel)


def _looks(looks: Mapping[str, Any]) -> alt.Scale:
    return alt.Scale(domain=list(looks), range=list(looks.values()))


def _key(panel: _Panel) -> Iterator[dict[str, Any]]:
    """Names of curves above the plot, in a line, or upwards in more."""
    right, up, place = 0.0, 14, {"x": float(panel.first), "y": panel.ends[1]}
    measured = ((name, curve, curve.values.dropna()) for name, curve in panel.curves.items())
    drawn = (one for one in measured if len(one[2]))
    for line, (name, curve, values) in zip(cycle(_LINES[panel.points]), drawn, strict=False):
        said = f"{line} {name}" + f" {values.iloc[-1]:.2f}" * panel.points
        wide = 13 * text_width(said)
        right, up = (right, up) if right + wide < _ACROSS else (0.0, up + 18)
        yield label_row(said, curve.colour, 13, up=up, right=right, **place)
        right += wide + 20


def _names(panel: _Panel, *, first: bool = False) -> Iterator[dict[str, Any]]:
    """Names right of the last points of curves, or their values left of the first."""
    drawn = {name: curve.values.dropna() for name, curve in panel.curves.items()}
    places = {}
    for name, values in drawn.items():
        if len(values):
            at = 0 if first else -1
            places[name] = {"x": float(values.index[at]), "y": float(values.iloc[at])}
    (low, high), taken = panel.ends, -math.inf
    for name in sorted(places, key=lambda name: places[name]["y"]):
        at = _HEIGHT * (places[name]["y"] - low) / (high - low)
        taken = max(at, taken + 17)
        value = f"{drawn[name].iloc[0 if first else -1]:.2f}"
        said = value if first else f"{name} {value}" if panel.points else name
        right = -8 if first else 8
        yield label_row(said, panel.curves[name].colour, 13, up=taken - at, right=right, **places[name])
