"""The numbers of an event over time: the newest of each thing with its source, and the line of one."""

import math
from collections.abc import Sequence
from functools import partial

import streamlit as st

from components.frame.charts.show_chart import show_chart
from components.frame.markdown import plain, quiet
from components.opened.reader_zone import reader_zone
from components.timeline.correct import event_title
from components.timeline.workspace import View
from core.data.timelines.timeline import Field
from core.events.number_lines import NumberLine, lines_table
from core.events.published_source import published_source
from core.events.report_times import moment_of
from core.groups.summary import GroupSummary

_DESCRIBED = 8  # values in the alt text, the last ones


def newest(view: View, lines: Sequence[NumberLine]) -> None:
    """What the event counts, if anything, a line of words each."""
    if lines:
        st.markdown("  \n".join(_latest(view, line) for line in lines))


def over_time(view: View, event: GroupSummary, lines: Sequence[NumberLine]) -> None:
    """A picture of what changed, if anything did."""
    from components.frame.charts.number_chart import number_chart

    timeline = view.timeline
    drawn = {line.head: line for line in lines if len({point.row for point in line.points}) > 1}
    if not drawn:
        return
    head = next(iter(drawn))
    st.subheader("Over time", anchor=False)
    if len(drawn) > 1:
        look = {"default": head, "required": True, "label_visibility": "collapsed"}
        head = str(st.segmented_control("Number", list(drawn), key=f"number-{event.group}", **look))
    line = drawn[head]
    known = [not math.isnan(timeline.days[point.row]) for point in line.points]
    published = timeline.table[Field.PUBLISHED]
    times = [published[point.row] if at else None for point, at in zip(line.points, known, strict=True)]
    values = lines_table(timeline, lines)
    title = f"{event_title(view, event.group, event.representative)}: {head}"
    show_chart(
        number_chart(line, times, reader_zone()),
        published=lambda _: number_chart(line, times),
        name=f"numbers-{head}",
        title=title,
        source=published_source(timeline, event.rows),
        signature=view.grouping.signature,
        data=lambda: [[column.title for column in values.columns], *values.rows],
        words=lambda: f"{title}. {_said(view, line)}",
        alt=f"{head} over time; what is published has the values as a table",
        key=f"numbers-{event.group}-{head}",
    )
    st.caption(
        f"The line goes on to each newer value; {'; '.join(_signs(line)) or 'nothing contradicts it'}."
    )


def _signs(line: NumberLine) -> list[str]:
    """What the marks that are there mean, in words."""
    status = {point.status for point in line.points}
    falls = any(point.until >= 0 for point in line.points)
    signs = {
        "a red ring: another outlet has another value at about that time": "disputed" in status,
        "a cross: corrected or withdrawn since, after which the line may fall": falls,
        "a mark below the line: less than an earlier report, which does not lower it": "lower" in status,
    }
    return [words for words, drawn in signs.items() if drawn]


def _latest(view: View, line: NumberLine) -> str:
    point = line.latest
    said = f"**{plain(line.head)}: {point.said}**"
    others = [each for each in line.points if each.status == "disputed" and each.value != point.value]
    against = ""
    if point.status == "disputed" and others:
        against = f"{others[-1].outlet or 'another report'} has {others[-1].said} at about that time"
    when = partial(moment_of, view.timeline, zone=reader_zone())
    gone = [
        f"{old.said} {old.status} by {old.outlet or 'its outlet'}, {when(old.until)}"
        for old in line.points
        if old.until >= 0
    ]
    source = [part for part in (point.outlet, when(point.row)) if part]
    return f"{said} {quiet(', '.join(source), against, *gone[-2:])}"


def _said(view: View, line: NumberLine) -> str:
    values = []
    for point in line.points[-_DESCRIBED:]:
        said = f"{moment_of(view.timeline, point.row) or 'no date'}: {point.said}"
        values.append(", ".join(filter(None, (said, point.outlet, point.status))))
    return f"{'; '.join(values)}."
