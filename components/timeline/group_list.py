"""The list of events: search, order, a sparkline each, and keys to go through them."""

import json
import math
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from components.frame import progress
from components.frame.charts.theme import is_dark
from components.frame.controlled import controlled_days
from components.frame.mounting import mounted
from components.frame.widgets import button, choose_here, notice, search
from components.opened.resources import cached
from components.opened.views import timeline as state
from components.timeline import filters
from components.timeline.workspace import View
from core.data.timelines.periods import Period, periods, rows_within, whole
from core.data.timelines.periods import written_days as days_for_people
from core.data.timelines.timeline import Field
from core.digests import digest
from core.events.cards import group_summaries
from core.events.disputes import EventDispute, disputes
from core.events.grouping import headline_keys
from core.events.lanes import Course, courses
from core.events.stories import stories_of
from core.groups.summary import GroupSummary
from core.palette import group_colour
from core.results.render import count_words
from core.text.normalise import searched

VIEW = "group-list"
FIRST_EVENTS = 100
_HTML = '<div class="events" role="listbox" tabindex="0"></div><button type="button" class="more"></button>'
_draw = mounted(__file__, "group_list", _HTML)
_stories = cached(lambda view: stories_of(view.prepared, view.grouping), max_entries=16)
WHOLE, OWN = "Whole timeline", "Other days …"
_OWN = "period-own"
_periods = cached(periods, max_entries=16)
written_days = cached(days_for_people, max_entries=16)


@cached(max_entries=32)
def _summaries(view: View, period: Period | None) -> list[GroupSummary]:
    return group_summaries(view.prepared, view.grouping, within=rows_within(view.timeline, period))


def summaries(view: View) -> list[GroupSummary]:
    return _summaries(view, state.now().period)


def marked_title(view: View, group: int, row: int) -> str:
    title = view.grouping.title(group, view.timeline.texts[row])
    return " ".join(filter(None, (view.grouping.marks.symbols(group), title)))


def events(view: View) -> list[GroupSummary]:
    listed, wanted = summaries(view), state.LIST.now()
    texts = [searched(text) for text in view.timeline.texts] if wanted.find else []
    for word in searched(wanted.find).split():
        listed = [event for event in listed if any(word in texts[row] for row in event.rows)]
    if filters.filtered():
        keep = filters.kept(view)
        listed = [event for event in listed if keep[list(event.rows)].any()]
    days, course = view.timeline.days, _courses(view, state.now().period)
    if wanted.order == "disagreement":
        disputes = _disputes(view)
        return sorted(listed, key=lambda event: disputes.get(event.group, EventDispute()), reverse=True)
    keys: dict[str, Callable[[GroupSummary], float]] = {
        "first": lambda event: math.inf if event.first is None else days[event.first],
        "time": lambda event: math.inf if event.last is None else -days[event.last],
        "growth": lambda event: -course[event.group].growth,
    }
    return sorted(listed, key=keys.get(wanted.sorted_by, lambda _: 0.0))


def _disputes(view: View) -> dict[int, EventDispute]:
    several = [summary for summary in summaries(view) if summary.size > 1]
    work = partial(disputes, view.prepared, view.grouping, several)
    key = f"disputes|{view.grouping.signature}|{state.now().period}"
    return progress.finished(key, "Comparing the reports", work, long=len(view.timeline) > 1_000) or {}


@cached(max_entries=32)
def _courses(view: View, period: Period | None) -> dict[int, Course]:
    lines = _summaries(view, period)
    return dict(zip((line.group for line in lines), courses(view.timeline, lines), strict=True))


def search_and_order(view: View, more: Callable[[View], None] | None = None) -> None:
    """A field to search in, and one menu of days and order, or of `more` in place of the order."""
    find, look = state.LIST.now().find, {"type": "search", "live": True, "width": 240}
    search("Search headlines", "pick-find", find, lambda words: state.LIST.put(find=words), **look)
    here, words, period = state.LIST.now().sorted_by, state.ORDERS, state.now().period
    title = "Filters" + f" · {words[here]}" * (more is None) + (f" · {period.words}" if period else "")
    menu = st.popover(title, icon=":material/filter_alt:", key="order-and-period", on_change="rerun")
    with menu:
        if more is None:
            take, look = lambda to: state.LIST.put(order=to), {"label_visibility": "visible"}
            choose_here("Sort by", words, words, "pick-order", here, take, **look)
        else:
            more(view)
    period_choice(view, menu)
    with menu:
        filters.filters_form(view, opened=bool(menu.open))


def group_list(view: View, found: Sequence[GroupSummary], shown: int | None) -> None:
    if not found:
        notice("no_match" if summaries(view) else "no_days")
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
    period, mark = state.now().period, digest(json.dumps([drawn, stories]), digits=16)
    label = "Events" if period is None else f"Events of {period.words}"
    data = {"label": label, "events": drawn, "stories": stories, "drawn": mark, "chosen": shown}
    data["ends"] = _ends(view) if any(row["counts"] for row in drawn) else ""
    click = {"on_chosen_change": lambda: state.select(group=int(st.session_state[VIEW].chosen), by=VIEW)}
    _draw(key=VIEW, data=data, **click)
    if len(found) > FIRST_EVENTS:
        st.toggle(f"Show all {len(found):,} events", key="all-events", persist_state="session")


def _ends(view: View) -> str:
    rows = [row for event in summaries(view) for row in event.rows]
    published = view.timeline.table[Field.PUBLISHED].iloc[rows].dropna()
    ends = published.min(), published.max()
    years = ends[0].year < ends[1].year
    return " ".join(f"{day:%Y}" if years else f"{day.day}\u00a0{day:%b}" for day in ends)


def _story(view: View, listed: Sequence[GroupSummary], story: dict[int, int], number: int) -> dict[str, str]:
    lines = {event.group: event for event in listed if story.get(event.group) == number}
    central = next(known.central for known in _stories(view) if known.number == number)
    named = lines.get(central) or next(iter(lines.values()))
    size = sum(line.size for line in lines.values())
    facts = f"story of {count_words(len(lines), 'event', 'events')}", f"{size:,} headlines"
    title = view.grouping.title(named.group, view.timeline.texts[named.representative])
    return {"title": title, "facts": " · ".join(filter(None, (*facts, days_of(view, *lines.values()))))}


def _drawn(view: View, listed: Sequence[GroupSummary]) -> list[dict[str, Any]]:
    flags, sizes = view.timeline.reading.vague, Counter(view.grouping.ids.tolist())
    course, dark, new = _courses(view, state.now().period), is_dark(), _new(view)
    disputed = _disputes(view) if state.LIST.now().order == "disagreement" else {}
    drawn = []
    for event in listed:
        group, facts = event.group, _facts(view, event)
        if sizes[group] == 1 and flags[event.representative].is_vague:
            facts += " · too vague to place"
        if (dispute := disputed.get(group)) is not None:
            clashes = dispute.contradictions
            said = count_words(clashes, "report may contradict", "reports may contradict")
            facts += f" · {100 * dispute.apart:.0f} % other words" + f" · {said}" * bool(clashes)
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
    outlets = event.publishers
    size = "single report" if event.size == 1 else f"{event.size:,} headlines"
    from_ = f"{len(outlets)} outlets" if len(outlets) > 1 else "".join(outlets)
    return " · ".join(filter(None, (size, from_, days_of(view, event))))


def days_of(view: View, *events: GroupSummary) -> str:
    """The days from the first to the last report of some events; "" where none is known."""
    ends = [row for event in events for row in (event.first, event.last) if row is not None]
    days = [when.date() for when in view.timeline.table[Field.PUBLISHED][ends]]
    return Period(min(days), max(days)).words if days else ""


def period_choice(view: View, menu: DeltaGenerator) -> None:
    """Draws the choice of days in a menu, and next to it where to go from days that are chosen."""
    span = whole(view.timeline)
    if span is None or span.first == span.last:
        return
    counts = _periods(view.timeline)
    chosen = state.now().period
    by_name = {str(count): count for count in counts}
    words = {WHOLE: WHOLE, OWN: OWN}
    for name, period in by_name.items():
        words[name] = f"{period.words} · {count_words(counts[period], 'headline', 'headlines')}"
    own = bool(st.session_state.get(_OWN)) or (chosen is not None and chosen not in counts)
    here = OWN if own else WHOLE if chosen is None else str(chosen)

    def choose(picked: str) -> None:
        if picked == OWN:
            st.session_state[_OWN] = True
        else:
            _take(by_name.get(picked))

    look = {"label_visibility": "visible"}
    with menu:
        choose_here("Period", [WHOLE, *by_name, OWN], words, "pick-period", here, choose, **look)
        if own:
            start, ends = chosen or span, {"min_value": span.first, "max_value": span.last}
            shown = tuple(min(max(day, span.first), span.last) for day in (start.first, start.last))
            key = f"period-days-{span.first}-{span.last}"
            bound = controlled_days(key, shown, lambda *days: state.choose_period(Period(*days)))
            st.date_input("From – to", **ends, format="YYYY-MM-DD", **bound)
    with st.container(horizontal=True, vertical_alignment="bottom", width="content", key="period"):
        if chosen is not None and not own:
            known = [None, *counts, None]  # the latest first, and none beyond either end
            at = known.index(chosen)
            for label, icon, to in (("Earlier", "left", known[at + 1]), ("Later", "right", known[at - 1])):
                look = {"icon": f"chevron_{icon}", "disabled": to is None}
                button(label, f"period-{label.lower()}", _take, to, **look)
        if chosen is not None:
            button(WHOLE, "period-whole", _take, None, icon="undo", help="Shows all days again.")


def _take(period: Period | None) -> None:
    st.session_state[_OWN] = False
    state.choose_period(period)
