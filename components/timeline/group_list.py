"""The list of events: search, order, a sparkline each, and keys to go through them."""

import hashlib
import json
import math
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from components import jobs
from components.charts.theme import is_dark
from components.resources import cached
from components.timeline import state
from components.timeline.workspace import View, period_choice
from components.widgets import choose_here, mounted, search
from core.data.timelines.timeline import Field, Period, Timeline, rows_within, written_day
from core.events.cards import EventDispute, disputes, group_summaries, vague
from core.events.grouping import Story, headline_keys, stories_of
from core.events.lanes import Course, courses
from core.groups.card import GroupSummary
from core.palette import group_colour
from core.results.render import count_words, safe_link
from core.text.normalise import searched


@cached(max_entries=32)
def _summaries(view: View, period: Period | None) -> list[GroupSummary]:
    return group_summaries(view.prepared, view.grouping, within=rows_within(view.timeline, period))


def summaries(view: View) -> list[GroupSummary]:
    return _summaries(view, state.now().period)


@cached(max_entries=16)
def written_days(timeline: Timeline) -> list[str]:
    """The day of each headline for people; "" where it is not known. Rows in the timeline's order."""
    return ["" if pd.isna(when) else written_day(when) for when in timeline.table[Field.PUBLISHED]]


@cached(max_entries=16)
def safe_links(timeline: Timeline) -> pd.Series:
    """The address of each headline where a browser may be sent there, else None; indexed by row."""
    return timeline.table[Field.URL].map(safe_link)


def marked_title(view: View, group: int, row: int) -> str:
    title = view.grouping.title(group, view.timeline.texts[row])
    return " ".join(filter(None, (view.grouping.marks.symbols(group), title)))


VIEW = "group-list"
FIRST_EVENTS = 100

_draw = mounted(__file__, "group_list", '<div class="events" role="listbox" tabindex="0"></div>')


def events(view: View) -> list[GroupSummary]:
    listed, wanted = summaries(view), state.LIST.now()
    texts = [searched(text) for text in view.timeline.texts] if wanted.find else []
    for word in searched(wanted.find).split():
        listed = [event for event in listed if any(word in texts[row] for row in event.rows)]
    days = view.timeline.days
    if wanted.sorted_by == "first":
        return sorted(listed, key=lambda event: math.inf if event.first is None else days[event.first])
    if wanted.order == "time":
        return sorted(
            listed, key=lambda line: -math.inf if line.last is None else days[line.last], reverse=True
        )
    if wanted.order == "growth":
        course = _courses(view, state.now().period)
        return sorted(listed, key=lambda event: course[event.group].growth, reverse=True)
    if wanted.order == "disagreement":
        disputes = _disputes(view)
        return sorted(listed, key=lambda event: disputes.get(event.group, EventDispute()), reverse=True)
    return listed


def _disputes(view: View) -> dict[int, EventDispute]:
    several = [summary for summary in summaries(view) if summary.size > 1]
    work = partial(disputes, view.prepared, view.grouping, several)
    key = f"disputes|{view.grouping.signature}|{state.now().period}"
    return jobs.finished(key, "Comparing the reports", work, long=len(view.timeline) > 1_000) or {}


@cached(max_entries=32)
def _courses(view: View, period: Period | None) -> dict[int, Course]:
    lines = _summaries(view, period)
    return dict(zip((line.group for line in lines), courses(view.timeline, lines), strict=True))


def search_field() -> None:
    find, look = state.LIST.now().find, {"type": "search", "live": True, "width": 240}
    search("Search headlines", "pick-find", find, lambda words: state.LIST.put(find=words), **look)


def order_and_period(view: View, more: Callable[[View], None] | None = None) -> None:
    """One menu of the days that are shown, of the order or of `more` in its place."""
    here, words, period = state.LIST.now().sorted_by, state.ORDERS, state.now().period
    days = "all days" if period is None else period.words
    title = f"{words[here] if more is None else 'Filters'} · {days}"
    menu = st.popover(title, icon=":material/tune:", key="order-and-period")
    with menu:
        if more is None:
            look = {"label_visibility": "visible"}
            choose_here(
                "Sort by", words, words, "pick-order", here, lambda to: state.LIST.put(order=to), **look
            )
        else:
            more(view)
    period_choice(view, menu)


def group_list(view: View, found: Sequence[GroupSummary], shown: int | None) -> None:
    if not summaries(view):
        st.info(
            "No headline was published in these days. Choose another period, or the whole timeline.",
            icon=":material/event_busy:",
        )
        return
    if not found:
        st.info("No headline has these words.", icon=":material/search_off:")
        return
    listed = found if st.session_state.get("all-events") else found[:FIRST_EVENTS]
    here = {group_summary.group for group_summary in listed}
    shared = [(story.number, here.intersection(story.events)) for story in _stories(view)]
    story = {group: number for number, groups in shared if len(groups) > 1 for group in groups}
    places: dict[int, int] = {}  # of a story, or of an event that is in none: where its first event stands
    seen = [places.setdefault(story.get(line.group, -line.group), len(places)) for line in listed]
    listed = [line for _, line in sorted(zip(seen, listed, strict=True), key=lambda each: each[0])]
    drawn = [{**row, "story": story.get(row["group"])} for row in _drawn(view, listed)]
    stories = {number: _story(view, listed, story, number) for number in dict.fromkeys(story.values())}
    period = state.now().period
    _draw(
        key=VIEW,
        data={
            "label": "Events" if period is None else f"Events of {period.words}",
            "events": drawn,
            "stories": stories,
            "drawn": hashlib.blake2b(json.dumps([drawn, stories]).encode(), digest_size=8).hexdigest(),
            "chosen": shown,
        },
        on_chosen_change=lambda: state.select(group=int(st.session_state[VIEW].chosen), by=VIEW),
    )
    if len(found) > FIRST_EVENTS:
        st.toggle(f"Show all {len(found):,} events", key="all-events", persist_state="session")


@cached(max_entries=16)
def _stories(view: View) -> list[Story]:
    return stories_of(view.prepared, view.grouping)


def _story(view: View, listed: Sequence[GroupSummary], story: dict[int, int], number: int) -> dict[str, str]:
    lines = {event.group: event for event in listed if story.get(event.group) == number}
    central = next(known.central for known in _stories(view) if known.number == number)
    named = lines.get(central) or next(iter(lines.values()))
    size = sum(line.size for line in lines.values())
    facts = [f"story of {count_words(len(lines), 'event', 'events')}", f"{size:,} headlines"]
    ends = [row for line in lines.values() for row in (line.first, line.last) if row is not None]
    days = [when.date() for when in view.timeline.table[Field.PUBLISHED][ends]]
    if days:
        facts.append(Period(min(days), max(days)).words)
    title = view.grouping.title(named.group, view.timeline.texts[named.representative])
    return {"title": title, "facts": " · ".join(facts)}


def _drawn(view: View, listed: Sequence[GroupSummary]) -> list[dict[str, Any]]:
    flags, sizes = vague(view.prepared), Counter(view.grouping.ids.tolist())
    course, dark, new = _courses(view, state.now().period), is_dark(), _new(view)
    disputed = _disputes(view) if state.LIST.now().order == "disagreement" else {}
    drawn = []
    for event in listed:
        group, facts = event.group, _facts(view, event)
        if sizes[group] == 1 and flags[event.representative].is_vague:
            facts += " · too vague to place"
        if (dispute := disputed.get(group)) is not None:
            facts += f" · {100 * dispute.apart:.0f} % other words"
            clashes = dispute.contradictions
            said = count_words(clashes, "report may contradict", "reports may contradict")
            facts += f" · {said}" if clashes else ""
        line = {"group": group, "title": marked_title(view, group, event.representative), "facts": facts}
        line["trend"] = "new" if group in new else "growing" * course[group].grows
        drawn.append(line | {"counts": course[group].counts, "colour": group_colour(group, dark=dark)})
    return drawn


@cached(max_entries=16)
def _new(view: View) -> frozenset[int]:
    earlier = view.prepared.previous
    if earlier is None:
        return frozenset()
    ids, keys = view.grouping.ids.tolist(), headline_keys(view.timeline)
    return frozenset(ids) - {group for group, key in zip(ids, keys, strict=True) if key in earlier}


def _facts(view: View, event: GroupSummary) -> str:
    facts = ["single report" if event.size == 1 else f"{event.size:,} headlines"]
    if event.publishers:
        several = len(event.publishers) > 1
        facts.append(f"{len(event.publishers)} outlets" if several else event.publishers[0])
    if event.first is not None and event.last is not None:
        published = view.timeline.table[Field.PUBLISHED]
        facts.append(Period(published[event.first].date(), published[event.last].date()).words)
    return " · ".join(facts)
