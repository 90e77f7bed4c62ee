"""The tab *Labels* of an event: own labels by key, and notes, of the event and of its headlines."""

from functools import partial
from itertools import pairwise
from typing import Final

import streamlit as st

from components.frame.controlled import controlled
from components.frame.errors import errors_kept, errors_shown, show_kept_error
from components.frame.markdown import plain, quiet, spoken
from components.frame.publish import show_published
from components.frame.widgets import button, notice, steps, undo_button
from components.opened.reader_zone import time_here
from components.opened.views import timeline as state
from components.opened.views.people import annotator
from components.people.judge.judge_name import come_in, judge_field
from components.timeline.correct import event_title
from components.timeline.exports import coding
from components.timeline.group_list import events
from components.timeline.workspace import View
from core.errors import InputError
from core.events.correction import LONGEST_NOTE
from core.groups.card import GroupCard
from core.people.codebook import EVENT, HEADLINE, LONGEST_CODEBOOK, NOTE, Codebook, read_codebook
from core.people.coders import coders_table

_EXAMPLE: Final = "[Tone]\np = positive\ne = neutral\nm = negative"
_AT: Final = "labels-at"  # the event that is labelled, and which of its headlines; 0 for the event itself
_TAB: Final = "Labels"
_WRITING: Final = "codebook-writing-"  # and a timeline: what its field began with, and the codebook then


def labels(view: View, card: GroupCard) -> None:
    if state.now().review:
        st.caption("Labels wait until *Review* is closed: it uses the same keys.")
        return
    come_in()
    judge_field(link=False)  # it opens Annotate and Evaluate
    _coded(view, card)


@st.fragment
def _coded(view: View, card: GroupCard) -> None:
    show_kept_error()
    text = coding(view).text()
    if text:
        with errors_shown("Timeline"):
            _item(view, card, read_codebook(text))
    else:
        notice("no_codebook")
    with st.expander("Codebook", icon=":material/key:", expanded=not text, key="codebook"):
        _form(view, text)


def _item(view: View, card: GroupCard, book: Codebook) -> None:
    group, who = card.summary.group, annotator()
    rows = [card.summary.representative, *card.summary.rows]
    of, at = st.session_state.get(_AT, (group, 0))
    at = min(at, len(rows) - 1) * (of == group)
    # Of copies the first: of what is grouped, the row in the file.
    first = {grouped: given for given, grouped in reversed([*enumerate(view.prepared.position.tolist())])}
    about, row = HEADLINE if at else EVENT, first[rows[at]]
    codes = coding(view).codes(view.prepared.spread(view.grouping.ids))
    place = row if at else group
    said = f"**Headline {at} of {len(rows) - 1}**" if at else "**The event**"
    steps(said, at, len(rows), partial(_go, group), what="label", keys=False)
    title = view.timeline.texts[rows[at]] if at else event_title(view, group, rows[0])
    outlet = view.timeline.publishers[rows[at]] if at else ""
    st.markdown(f"**{plain(title)}**  \n{quiet(outlet or '', time_here(view.timeline, rows[at]))}")
    given = {question: codes.own(about, place, question, who) for question in (*book, NOTE)}
    for question, by_key in book.items():
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption(plain(question), width="content")
            for key, label in by_key.items():
                on = given[question] == label
                # The last open question of an item leads on to the next one.
                done = not on and all(given[other] for other in book if other != question)
                then = min(at + done, len(rows) - 1)
                what = (about, row), question, "" if on else label
                look = {"shortcut": key, "type": "primary" if on else "secondary", "disabled": not who}
                button(spoken(label), f"label-{key}", _say, view, (group, then), *what, **look)
    take = partial(_say, view, (group, at), (about, row), NOTE)
    look = controlled(f"label-note-{about}-{place}", given[NOTE], take)
    st.text_input(NOTE, max_chars=LONGEST_NOTE, disabled=not who, **look)
    with st.container(horizontal=True, vertical_alignment="center", key="label-steps"):
        last = coding(view).last(who)  # what was said of another event is undone there
        elsewhere = last is None or last.body["row"] not in {first[each] for each in rows}
        undo_button("label-undo", "u", _undo, view, disabled=elsewhere)
        order = [event.group for event in events(view)]
        following = dict(pairwise(order)).get(group)
        if button("Next event", "label-next", shortcut="n", disabled=following is None):
            st.session_state[f"card-tab-{following}"] = _TAB
            state.select(group=following, by="")
            st.rerun()
    if st.toggle("Agreement of coders", key="label-agreement"):
        table = coders_table(codes)
        if table.rows:
            show_published(table, name="coders", title=f"{view.timeline.name}: agreement of coders")
        else:
            st.caption("Nobody has given a label yet.")


def _go(group: int, at: int) -> None:
    st.session_state[_AT] = group, at


@errors_kept()
def _say(view: View, then: tuple[int, int], item: tuple[str, int], question: str, answer: str) -> None:
    coding(view).say(annotator(), *item, question, answer)
    _go(*then)


@errors_kept()
def _undo(view: View) -> None:
    store = coding(view)
    if entry := store.last(annotator()):
        store.undo(entry, annotator())


def _form(view: View, text: str) -> None:
    file = st.file_uploader("A codebook (TOML)", key="codebook-file")
    writing = f"{_WRITING}{view.prepared.source.index}"
    began, known = st.session_state.setdefault(writing, (text, text))
    if file is not None:
        began = file.getvalue()[: 4 * LONGEST_CODEBOOK + 1].decode("utf-8-sig", errors="replace")
    with st.form("codebook-form", border=False):
        look = {"placeholder": _EXAMPLE, "height": 200}
        typed = st.text_area("Labels, one a line with its key", began, **look)
        if st.form_submit_button("Save the codebook", icon=":material/save:", disabled=not annotator()):
            with errors_kept():
                st.session_state[writing] = began, text
                if known != text:
                    said = "Another codebook was saved since you began this one."
                    raise InputError(said, hint="Save again to put yours in its place.")
                coding(view).write(typed)
                del st.session_state[writing]
            st.rerun()
