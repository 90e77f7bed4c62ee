"""The card of the selected group: its reports, what each adds, near misses, and why."""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import chain

import streamlit as st

from components.frame.markdown import SEAM, legend, marked, plain, quiet, shorten
from components.frame.page_state import is_large
from components.frame.widgets import button, button_to, copy_button
from components.opened.reader_zone import reader_zone, time_here
from components.opened.resources import cached
from components.opened.views import timeline as state
from components.timeline.correct import correct_event, event_title, mark_of
from components.timeline.coverage import coverage_bars
from components.timeline.facts import facts
from components.timeline.first_and_edited import edit_history
from components.timeline.more_like_this import more_like_this
from components.timeline.why import why_tab
from components.timeline.workspace import View
from core.data.timelines.timeline import Field, telling_columns
from core.events.cards import group_card as make_card
from core.events.corrections import said_by
from core.events.edited_headlines import headline_edits
from core.events.first_reports import FOLLOW_UP, report_places
from core.events.outlets import also_in
from core.events.report_times import NOT_KNOWN, Clock, EditTimes, edit_times
from core.events.suggestions import suggestions
from core.groups.card import GroupCard
from core.results.render import count_words
from core.text.differences import OPPOSITES_KNOWN_IN
from core.text.language import MIXED, NAMES
from core.text.numerals.languages import unread_headlines

FIRST_MEMBERS = 12
_LIKE = "More like this"
_NEARLY = 0.8  # of the similarity that joins two events
_card = cached(lambda view, group: make_card(view.prepared, view.grouping, group), max_entries=32)
_suggested = cached(
    lambda view, rows: suggestions(view.prepared, [rows], titles=view.grouping.titles), max_entries=32
)


def group_card(
    view: View,
    group: int,
    check_numbers: Callable[[str, str], None],
    labels: Callable[[View, GroupCard], None],
) -> None:
    card = _card(view, group)
    line, marks = card.summary, view.grouping.marks
    star = ":material/star: " if group in marks.stars else ""
    st.header(f"{star}{plain(event_title(view, group, line.representative))}", anchor=False)
    said, outlets = [f"event {group}"], line.publishers
    if len(line.reports) < line.size:
        said.append(count_words(len(line.reports), "different report", "different reports"))
    said.append(", ".join(outlets[:6]) + f" +{len(outlets) - 6}" * (len(outlets) > 6))
    st.caption(plain(" · ".join(filter(None, said))))
    coverage_bars(outlets)
    if group in marks.notes:
        st.markdown(f":material/sticky_note_2: {plain(marks.notes[group].text)}")
    if group in marks.groups:
        st.caption(f":material/edit: Corrected: {plain(said_by(marks.groups[group]))}")
    draw = {"Reports": _members, "Facts": facts, "Near misses": _neighbours, "Why?": why_tab}
    draw |= {_LIKE: more_like_this, "Best headline": partial(_suggestion, check_numbers)} | (
        {} if is_large() else {"Correct": correct_event, "Labels": labels}
    )
    key, linked = f"card-tab-{group}", state.now().like in line.rows

    def turned() -> None:
        state.put(like=line.representative if st.session_state[key] == _LIKE else None)

    tabs = st.tabs(list(draw), key=key, on_change=turned, default=_LIKE if linked else "Reports")
    for tab, part in zip(tabs, draw.values(), strict=True):
        if tab.open or part is correct_event:  # what is half corrected stays while the reports are read
            with tab:
                part(view, card)


def _suggestion(check_numbers: Callable[[str, str], None], view: View, card: GroupCard) -> None:
    (best,) = _suggested(view, card.summary.rows)
    text = view.timeline.texts[best.row]
    st.markdown(f":material/star: **{plain(text)}**  \n{plain(best.reason)}")
    with st.container(horizontal=True):
        copy_button("Copy this headline", key=f"copy-headline-{card.summary.group}", text=text)
        body = view.timeline.table[Field.BODY].iloc[best.row]
        given = text, body if isinstance(body, str) else ""
        button_to("check_numbers", "Check its numbers", "check-numbers", check_numbers, *given, icon="123")
    selector = best.selector.partition("|")[0]
    st.caption(f"Chosen by `{selector}` among this event's headlines, as people would choose between two.")


def _report(
    view: View, row: int, text: str, labels: Sequence[str] = (), copies: Sequence[int] = (), *,
    edits: EditTimes, place: str = "", before: int | None = None,
) -> str:  # fmt: skip
    """Its day, unless the one before has it, its headline, and the rest; `page.css` gives them places."""
    who, language = view.timeline.publishers[row], ""
    if view.timeline.reading.language == MIXED:
        language = NAMES.get(code := view.timeline.reading.languages[row] or "", code)
    given = (view.timeline.original[label].iloc[row] for label in labels)
    times, editions = edits.edited, view.timeline.editions
    edited = next((f"edited {times[each]}" for each in (*copies[::-1], row) if each in times), "")
    own = [each for each in (row, *copies) if editions.article[each] == editions.article[row]]
    since = next((f", replaced {time}" for each in own[::-1] if (time := edits.replaced.get(each))), "")
    earlier = f"earlier wording{since}" * editions.outdated.issuperset(own)
    also = f"also worded otherwise; {NOT_KNOWN}" * (not set(own).isdisjoint(chain(*edits.unordered)))
    repeated = [copy for copy in copies if copy not in times]
    day = time_here(view.timeline, row)
    others = also_in(view.timeline.publishers, (row, *repeated))
    again = before is not None and time_here(view.timeline, before) == day
    labelled = (shorten(label, 40) for label in given if isinstance(label, str) and label.strip())
    rest = quiet(who, place, edited, earlier, also, others, language, *labelled, mark_of(view, row))
    return f"{SEAM if again else quiet(day)} {text} {rest}"


def _members(view: View, card: GroupCard) -> None:
    texts = view.timeline.texts
    title = card.summary.representative
    if card.summary.size == 1:
        alone = _report(view, title, plain(texts[title]), edits=EditTimes({}, {}, ()))
        st.container(key="reports-title").markdown(alone)
        st.caption("No other headline reports this event at this setting.")
        judged = view.timeline.reading.vague[title]
        if judged.is_vague:
            st.caption(f":material/help: Too vague to name an event: {plain('; '.join(judged.reasons))}.")
        return
    labels = telling_columns(view.timeline, card.summary.rows)
    copies = {report[0]: report[1:] for report in card.summary.reports}
    edits, places = edit_times(view.timeline, card.summary.rows, reader_zone()), _places(view, card)
    above = ":gray[The headline above]"
    if not card.differences:
        of_title = _report(view, title, above, labels, copies[title], edits=edits, place=places[title])
        st.container(key="reports-title").markdown(of_title)
        st.markdown("Every outlet has the same wording.")
        return
    across = ". Across languages only names and numbers count." * (view.timeline.reading.language == MIXED)
    most = None if st.session_state.get("all-members") else FIRST_MEMBERS
    shown, others = list(copies)[:most], dict(card.differences)
    marks = legend(mark for row in shown if row != title for mark in others[row].right_marks)
    st.markdown(f"{_how_they_differ(view, card)}  \n:small[{marks}{across}]")
    reports, before = st.container(key="reports-others"), None
    for row in shown:
        text = above if row == title else marked(texts[row], others[row].right_marks)
        look = {"edits": edits, "place": places[row], "before": before}
        reports.markdown(_report(view, row, text, labels, copies[row], **look))
        before = row
    if len(copies) > FIRST_MEMBERS:
        st.toggle(f"Show all {len(card.summary.reports)} reports", key="all-members", persist_state="session")
    edit_history(view, headline_edits(view.timeline, card.summary.rows, reader_zone()))


def _places(view: View, card: GroupCard) -> dict[int, str]:
    """Which report was first, how much later the others came, and which follow up an outlet's own."""
    rows, clock = card.summary.rows, Clock(view.timeline, card.summary.rows)
    (places,) = report_places(view.timeline, [card.summary])
    follow_up = {row: "follow-up" * (place.kind == FOLLOW_UP) for row, place in places.items()}
    return {row: ", ".join(filter(None, (clock.after([row]), follow_up[row]))) for row in rows}


def _how_they_differ(view: View, card: GroupCard) -> str:
    others = [differences for _, differences in card.differences]
    adding = sum(any(mark.kind.startswith("added") for mark in other.right_marks) for other in others)
    against = sum(bool(other.number_conflicts or other.opposed) for other in others)
    adding_said = f"**{adding} of {len(others)}** other reports add details"
    if adding in (0, len(others)):
        few = {0: "**No other** report adds", 1: "**The other** report adds", 2: "**Both** other reports add"}
        adding_said = few.get(adding, f"**All {adding}** other reports add") + " details"
    if against:
        return f"{adding_said}, and **{against}** may contradict it:"
    texts, reading = view.timeline.texts, view.timeline.reading
    if unread := set(unread_headlines(texts, reading.languages, card.summary.rows).values()):
        return f"{adding_said}; numbers in words are not read in {' and '.join(sorted(unread))}:"
    compared = "nothing" if reading.language in OPPOSITES_KNOWN_IN else "no number"
    return f"{adding_said}; {compared} was found that contradicts it:"


def _neighbours(view: View, card: GroupCard) -> None:
    similar = [neighbour for neighbour in card.groups if round(neighbour.similarity, 2) > 0]
    st.caption("Similar events, and what keeps them apart." if similar else "No other event is similar.")
    for neighbour in similar:
        title = plain(shorten(event_title(view, neighbour.group, neighbour.row), 110))
        nearly = neighbour.similarity >= _NEARLY * (1 - view.grouping.granularity)
        alike = "nearly alike enough" if nearly else "less alike than is needed"
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(
                f"{title}  \n{quiet(f'event {neighbour.group}', alike, neighbour.reason.value)}",
                width="stretch",
            )
            button("Open", f"open-{neighbour.group}", partial(state.select, group=neighbour.group, by=""))
