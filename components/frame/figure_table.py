"""Figures with their intervals drawn beside them: how well systems do, how far people agree."""

import math
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any, Final

import streamlit as st

from components.frame.charts.show_chart import show_chart
from components.frame.charts.theme import ink
from components.frame.charts.ticks import round_ticks
from core.results.number_forms import between, marked, stars
from core.results.render import clean
from core.results.table import Row, Table, TableColumn, cell_text, number_of
from core.statistics.bootstrap import Figure

ALL_FIGURES: Final = "All figures"  # the heading under which the rest of the figures is folded
_STYLE: Final = Path(__file__).with_suffix(".css")
_WORDS: Final = 24  # characters that stand in one line beside the plot
_FAR: Final = 0.5  # of the best: what has less than this share of it does not stretch the scale
_SEEN: Final = 12  # rows that a window shows at first; others do not stretch the scale either
_ZERO: Final = " zero"  # in quiet ink
TIED: Final = "Best, or not told apart from it"
APART: Final = "Told apart from the best"
Parts = Mapping[str, Sequence[Row]]
"""Rows by the name that stands above them."""
Scales = Mapping[int, tuple[float, float]]
"""Where the scale of a column that is drawn begins and ends."""


def show_figures(
    table: Table, *, alt: str, parts: Parts | None = None, shaded: bool = False, name: str = "",
    where: str = "", **published: Any,
) -> None:  # fmt: skip
    """Draws a line for each row, the best of the first measure on top, and intervals as marks, parts under
    their names, the best's interval shaded where intervals decide them; with a name the first measure is
    published, or what is given for it.
    """
    st.html(_STYLE)
    block, at = st.container(key=f"figures-{name}" if name else None), next(iter(_scales(table)), None)
    block.html(figures_html(table, alt=alt, parts=parts, shaded=shaded))
    if not name or at is None:
        return
    from components.frame.charts.intervals import figure_chart

    figures = [(str(row[0]), of) for row in _ranked(table, at) if isinstance(of := row[at], Figure)]
    known = [(who, of) for who, of in figures if of.value is not None]
    head = [table.columns[0].title.casefold(), table.columns[at].title, "low", "high"]
    with block:
        show_chart(
            None,
            name=name,
            title=finding(table, where=where),
            **{
                "published": lambda _: figure_chart(table.columns[at], known),
                "data": lambda: [head, *([who, of.value, of.low, of.high] for who, of in figures)],
                **published,
            },
        )


def finding(table: Table, *, where: str = "") -> str:
    """What is seen of the first measure: who has most of it, or least where that is better."""
    at = next(iter(_scales(table)), 0)
    column, row = table.columns[at], next(iter(_ranked(table, at)), None)
    if row is None or number_of(row[at]) is None:
        return column.title
    end, most = "lowest" if column.better == "lower" else "highest", cell_text(row[at], column, spans=False)
    return f"{cell_text(row[0], table.columns[0])} has the {end} {column.title}{where}: {most}"


def told_apart(table: Table) -> Parts:
    """The best of the first measure with what has an interval that meets its own, and the others."""
    at = next(iter(_scales(table)), 0)
    figures = [(row, of) for row in _ranked(table, at) if isinstance(of := row[at], Figure)]
    known = [(row, of.low, of.high) for row, of in figures if of.low is not None and of.high is not None]
    if not known or known[0][0] is not figures[0][0]:
        return {}
    _, low, high = known[0]
    tied = [row for row, begin, end in known if end >= low and begin <= high]
    apart = [row for row in table.rows if row not in tied]
    return {TIED: tied, APART: apart} if apart else {TIED: tied}


def figures_html(table: Table, *, alt: str, parts: Parts | None = None, shaded: bool = False) -> str:
    scales = _scales(table)
    at = next(iter(scales), None)
    ranked = _ranked(table, at)
    filled = {said: [row for row in ranked if row in rows] for said, rows in (parts or {}).items() if rows}
    heads, bodies = _heads(table, scales), []
    for said, rows in filled.items() if len(filled) > 1 else (("", ranked),):
        lines = [f"<tr>{_line(row, table, scales)}</tr>" for row in rows]
        head = f'<th scope="rowgroup" colspan="{len(table.columns) + 2}">{said}</th>'
        bodies.append(f'<tr class="part">{head}</tr>' * bool(said) + "".join(lines))
    bodies[-1] += "".join(f'<tr class="below">{_line(row, table, scales)}</tr>' for row in table.below)
    colours = {"ink": ink().text, "quiet": ink().muted, "rule": ink().grid, "mark": ink().accent}
    colours |= {f"grid-{at}": _grid(scale) for at, scale in scales.items() if _figures(table.rows, at)}
    if shaded and at is not None and filled:
        colours |= {f"near-{end}": _share(getattr(ranked[0][at], end), scales[at]) for end in ("low", "high")}
    look = ";".join(f"--{name}:{colour}" for name, colour in colours.items())
    return (
        f'<table class="figures" style="{look}" aria-label="{_text(alt)}">'
        f"<thead><tr>{heads}</tr></thead><tbody>{'</tbody><tbody>'.join(bodies)}</tbody></table>"
    )


def _scales(table: Table) -> Scales:
    measures = {at: figures for at, _ in table.shown() if (figures := _figures(table.rows, at))}
    if not measures:  # counts: of the first column that has them, as lines from zero
        counts = (
            (at, [max(of, _whole(row, table, at)) for row in table.rows if isinstance(of := row[at], int)])
            for at, _ in table.shown()
        )
        return next(({at: (0.0, max(1.0, *of))} for at, of in counts if of), {})
    # Beside figures with intervals those without are plain numbers.
    spread = {at for at, figures in measures.items() if any(of.low is not None for of in figures)}
    drawn = [at for at in measures if at in spread or not spread]
    seen = _ranked(table, drawn[0])[:_SEEN]
    return {at: _scale(_figures(seen, at), table.columns[at].better) for at in drawn if _figures(seen, at)}


def _whole(row: Row, table: Table, at: int) -> int:
    """What a count is a part of: the column of files behind it has it; 0 without one."""
    pairs = zip(row[at + 1 : at + 2], table.columns[at + 1 :], strict=False)
    return next((of for of, column in pairs if column.files_only and isinstance(of, int)), 0)


def _alone(table: Table, scales: Scales) -> bool:
    """One measure alone has its interval behind its value."""
    return len(scales) == 1 and any(of.low is not None for of in _figures(table.rows, next(iter(scales))))


def _text(text: str) -> str:
    return escape(clean(text))


def _figures(rows: Sequence[Row], at: int) -> list[Figure]:
    return [cell for row in rows if isinstance(cell := row[at], Figure) and cell.value is not None]


def _ranked(table: Table, at: int | None) -> Sequence[Row]:
    if at is None:
        return table.rows
    sign = 1 if table.columns[at].better == "lower" else -1
    numbers = {id(row): number_of(row[at]) for row in table.rows}
    return sorted(table.rows, key=lambda row: math.inf if (of := numbers[id(row)]) is None else sign * of)


def _scale(figures: Sequence[Figure], better: str) -> tuple[float, float]:
    """Round ends around all intervals; what is far below the best lies at the edge."""
    ends = [[end for end in (of.value, of.low, of.high) if end is not None] for of in figures]
    best = max(end[0] for end in ends)
    # A share of the best says something where more is better and nothing lies below zero.
    far = _FAR * best if better != "lower" and min(end[0] for end in ends) >= 0 else -math.inf
    near = [end for each in ends if each[0] >= far for end in each]
    low, high = min(near), max(near)
    step = 10 ** math.floor(math.log10(high - low)) if high > low else max(abs(high), 1.0) / 10
    begin = step * math.floor(low / step + 1e-9)
    end = step * math.ceil(high / step - 1e-9)
    # What begins near zero begins at it: a place on the scale is then a share of its end.
    return (0.0 if 0 < begin < end / 3 else min(begin, end - step)), end


def _heads(table: Table, scales: Scales) -> str:
    cells = []
    for at, column in table.shown():
        title = _text(column.title)
        if at in scales:
            alone, axis = _alone(table, scales), ""
            if _figures(table.rows, at):
                places = ((tick, _share(tick, scales[at])) for tick in round_ticks(*scales[at]))
                marks = (f'<i style="left:{place}">{_text(_end(column, tick))}</i>' for tick, place in places)
                axis = f'<span class="axis">{"".join(marks)}</span>'
            if any(_whole(row, table, at) for row in table.rows):
                axis = f'<span class="rest">other {_text(table.columns[at + 1].title.casefold())}</span>'
            cells.append(f'<th scope="col" class="drawn">{title}{axis}</th>')
            if not _figures(table.rows, at):  # a count stands behind its line
                continue
            values = ("Value", "95 % interval") if alone else (f'<span class="heard">{title}</span>',)
            cells += [f'<th scope="col" class="value">{value}</th>' for value in values]
        else:
            cells.append(f'<th scope="col" class="{_kind(table, at)}">{title}</th>')
    return "".join(cells)


def _share(of: float, scale: tuple[float, float]) -> str:
    low, high = scale
    return f"{100 * min(1.0, max(0.0, (of - low) / (high - low))):.1f}%"


def _grid(scale: tuple[float, float]) -> str:
    places = (_share(tick, scale) for tick in round_ticks(*scale))
    return ",".join(f"linear-gradient(var(--rule) 0 0) {place} 0/1px 100% no-repeat" for place in places)


def _kind(table: Table, at: int) -> str:
    lengths = [len(cell) for row in table.rows if isinstance(cell := row[at], str)]
    return "" if not at else "number" if not lengths else "text" if max(lengths) > _WORDS else "text short"


def _end(column: TableColumn, end: float) -> str:
    written = column.form(end)
    return written.rstrip("0").rstrip(".") if "." in written else written


def _line(row: Row, table: Table, scales: Scales) -> str:
    cells = []
    for at, column in table.shown():
        said = _text(cell_text(row[at], column))
        if not at:
            cells.append(f'<th scope="row" dir="auto"><span>{said}</span></th>')
        elif at in scales and not _figures(table.rows, at):
            cells.append(_count(row, table, at, scales[at]))
        elif at in scales:
            cells.append(_measure(row, at, column, scales[at], alone=_alone(table, scales)))
        else:
            words = " span" * (isinstance(row[at], str) and _kind(table, at) == "number")
            look = f"{_kind(table, at)}{words}{_ZERO * (said == '0')}"
            cells.append(f'<td class="{look}" dir="auto">{said}</td>')
    return "".join(cells)


def _count(row: Row, table: Table, at: int, scale: tuple[float, float]) -> str:
    """A line from zero, with the pale rest of what it is a part of, and its number behind it."""
    count, whole, said = (
        number_of(row[at]) or 0.0,
        _whole(row, table, at),
        cell_text(row[at], table.columns[at]),
    )
    look = f"--low:0%;--high:{_share(count, scale)};--whole:{_share(max(whole, count), scale)}"
    number = f'<b class="{_ZERO * (said == "0")}">{_text(said)}{f" of {whole:,}" * bool(whole)}</b>'
    return f'<td class="drawn"><span class="interval count" style="{look}">{number}</span></td>'


def _measure(row: Row, at: int, column: TableColumn, scale: tuple[float, float], *, alone: bool) -> str:
    """A mark on its scale and its number."""
    cell = row[at]
    mark, value, span = "", _text(cell_text(cell, column)), ""
    if isinstance(cell, Figure) and cell.value is not None:
        point, ends = cell.value, {"value": cell.value, "low": cell.low, "high": cell.high}
        places = (f"--{name}:{_share(point if end is None else end, scale)}" for name, end in ends.items())
        look = f'class="interval" style="{";".join(places)}"'
        mark = f'<span {look} aria-hidden="true"></span>'
        if point < scale[0]:
            mark = f'<span class="span">below {_text(_end(column, scale[0]))}</span>'
        value = _text(cell_text(cell, column, spans=False) + stars(cell.p))
        span = _text(marked(between(cell, column.form), cell.warning))
    cells = f'<td class="drawn" style="--grid:var(--grid-{at})">{mark}</td>'
    cells += f'<td class="value{_ZERO * (value == "0")}" title="{span}">{value}</td>'
    return cells + f'<td class="span">{span}</td>' * alone
