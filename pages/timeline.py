"""Timeline: which headlines tell the same event?"""

from functools import partial

import streamlit as st

from components.frame.links import came_by_link
from components.frame.markdown import plain
from components.frame.subject import signature
from components.frame.widgets import button
from components.opened.views import timeline as state
from components.page import page
from components.timeline import correct, first_look, history
from components.timeline.card import group_card
from components.timeline.exports import exports
from components.timeline.filters import chips, filtered
from components.timeline.first_and_edited import outlets
from components.timeline.group_list import events, group_list, search_and_order
from components.timeline.headline_map import event_beside, headline_map, map_controls
from components.timeline.headline_table import headline_table
from components.timeline.review import offer_review, review
from components.timeline.why import why_panel
from components.timeline.workspace import View, open_view, show_timeline_facts, show_timeline_notes
from components.tour import first_visit
from core.groups.card import GroupCard


def events_of(view: View, shown: str) -> None:
    history.corrections_bar(view)
    found = events(view)
    if shown == "lanes":
        from components.timeline import lanes  # and Altair

        left, right, width = lanes.places()
        with left:
            found = lanes.swimlane(view, found, width)
    # Nothing chosen, or nothing of what was searched for: the card of the first event shows what there is.
    group, hits = state.now().group, [event.group for event in found]
    if group is None or ((state.LIST.now().find or filtered()) and group not in hits):
        group = next(iter(hits), None)
    if shown != "lanes":
        left, right = st.columns([2, 3], gap="medium")
        with left:
            group_list(view, found, group)
    if group is not None:
        with right.container(key="event-card"):
            by_link = came_by_link("group") and not state.now().moved_by and shown != "lanes"
            if by_link and state.now().group == group:  # a phone shows it alone
                back = partial(state.select, group=None, by="")
                button("All events", "all-events-back", back, icon="arrow_back", type="tertiary")
            group_card(view, group, check_numbers, labels)


def check_numbers(headline: str, article: str) -> None:
    # The first picture does not wait for all that checks numbers.
    from components.headlines.numerals.own import bring

    bring(headline, article)


def labels(view: View, card: GroupCard) -> None:
    from components.people import codebook

    codebook.labels(view, card)


def map_of(view: View) -> None:
    picture, rows = st.columns([3, 2], gap="medium")
    with picture:
        matches, method = headline_map(view)
    group = event_beside(matches)
    with rows, st.container(key="event-card"):
        history.corrections_bar(view)
        if group is not None:
            group_card(view, group, check_numbers, labels)
        else:
            correct.correct_selection(view)
            headline_table(view, matches)
    if len(ticked := state.now().rows) == 2:
        st.header("Why together, or apart?", anchor=False)
        why_panel(view, *ticked)
    signature(f"{view.grouping.signature} · map:{method}")


def controls(view: View) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key="list-controls"):
        search_and_order(view, map_controls if state.LIST.now().show == "map" else None)
        state.LIST.show("show", state.VIEWS, "pick-show")
        exports(view)


with page(__file__, "Timeline", "Which headlines report the same event?"):
    places = first_visit.band() if first_visit.greets() else ()
    view = open_view(state.LIST.part(), look=first_look.look, offer=offer_review, shown=not places)
    shown = state.LIST.now().show
    unread = st.container(key="unread")
    if not places:
        review(view)
        controls(view)
        chips(view, events)
    show_timeline_facts(view)
    if shown != "map":  # its picture comes first
        show_timeline_notes(view)
    if shown == "map":
        map_of(view)
    elif shown == "outlets":
        outlets(view, events(view))
    else:
        events_of(view, shown)
    if places:
        first_visit.pictures(view, places)
    for note in view.timeline.unread_notes():  # read while the page was drawn
        unread.caption(f":material/unknown_document: {plain(note)}")
