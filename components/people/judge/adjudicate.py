"""What divides people, put before adjudicators in a queue; kinds of error; agreement over time."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import Any, Final

import numpy as np
import pandas as pd
import streamlit as st

from components.frame.charts.agreement_charts import divided_chart, sides_chart, time_chart
from components.frame.charts.show_chart import show_chart
from components.frame.controlled import controlled
from components.frame.errors import errors_kept, show_kept_error
from components.frame.markdown import paragraphs, plain, shorten
from components.frame.tables import TABLES, choose_row
from components.frame.widgets import button, choose_here, steps, undo_button
from components.opened.views.people import AGREEMENT, annotator, turn_to
from components.people.judge import grouping, judge_name, placing, results
from components.timeline.group_list import written_days
from core.arrays import IntArray
from core.data.timelines.timeline import Timeline
from core.errors import InputError
from core.journal.entries import Entry
from core.people import adjudication as desk
from core.people import ratings, study, voting
from core.people.adjudication import Divided, companions
from core.results.table import Table
from core.text.normalise import clean_line

_SURE: Final = {"sure": ("Sure", "Q"), "rather": ("Rather sure", "W"), "guess": ("A guess", "E")}
_DIFFER: Final = "Differ %"
SIDE: Final = "With model %"
Choices = list[tuple[str, dict[str, Any], dict[str, Any]]]
"""What may be decided of an item: as it is read, as it is stored, and looks of its button."""
Ask = Callable[[int], tuple[list[str], Choices]]  # draws a row; gives what was shown, and the choices


def names_shown() -> bool:
    """Whether annotators, model and what others decided are shown: to who asked, and to no other judge."""
    return AGREEMENT.now().asked == annotator() != ""


def ask_headlines(
    timeline: Timeline, annotators: IntArray, named: Callable[[str], str], model: IntArray | None = None
) -> Ask:
    days = [f":gray[{day}]" if day else "" for day in written_days(timeline)]
    names = [plain(named(name)) for name in timeline.annotators]

    def ask(row: int) -> tuple[list[str], Choices]:
        st.markdown(f"{days[row]}  \n**{plain(timeline.texts[row])}**")
        others = companions(annotators, row)
        if not names_shown():  # blind, the order says nothing either
            others.sort(key=lambda other: other[0])
        choices: Choices = []
        for key, (other, *sides) in enumerate(others, 1):
            said = f"{plain(shorten(timeline.texts[other], 160))} {days[other]}"
            if names_shown():
                together, apart = (", ".join(names[who] for who in side) for side in sides)
                same = model is not None and model[other] == model[row]
                model_says = "" if model is None else f" · model: {'together' if same else 'apart'}"
                said += f" :gray[together: {together} · apart: {apart or 'nobody'}{model_says}]"
            look = {"width": "stretch", "shortcut": str(key) if key < 10 else None}
            choices.append((said, {"with": other}, look))
        choices.append(("No other headline reports this event", {"with": desk.ALONE}, {"shortcut": "N"}))
        return [timeline.index.ids[other] for other, *_ in others], choices

    return ask


def _given_by(divided: Divided, row: int, value: str) -> str:
    votes, name = divided.votes, divided.names[row]
    if not names_shown():
        return ""
    given = np.array(["", *votes.answers])[votes.codes[votes.items.index(name)] + 1] == value
    return f" :gray[{', '.join(plain(votes.people[who]) for who in np.flatnonzero(given)) or 'nobody'}]"


def ask_pairs(task: voting.VotingTask, divided: Divided) -> Ask:
    items, other_side = task.pool(study.Purpose.MAIN), {"left": "right", "right": "left"}

    def ask(row: int) -> tuple[list[str], Choices]:
        item = items[row]
        swapped = voting.Voter(annotator(), task, {}).swapped(item)
        sides = [("left", item.left, item.days[0]), ("right", item.right, item.days[1])]
        sides = sides[::-1] if swapped else sides
        grouping.side_by_side((text, day) for _, text, day in sides)
        st.markdown(task.question.text)
        choices: Choices = []
        for choice in task.question.choices:
            value = other_side.get(choice.value, choice.value) if swapped else choice.value
            said = choice.label + _given_by(divided, row, value)
            choices.append((said, {"answer": value}, {"shortcut": choice.key}))
        return [side for side, _, _ in sides], choices

    return ask


def ask_ratings(question: ratings.FormQuestion, articles: Sequence[str], divided: Divided) -> Ask:
    """Puts a headline and its article, by row, before adjudicators, with the answers that a form allows."""

    def ask(row: int) -> tuple[list[str], Choices]:
        st.markdown(f"**{plain(divided.texts[row])}**")
        st.expander("Article").markdown(paragraphs(articles[row]))
        st.markdown(f"{plain(question.text)} :gray[{plain(question.help)}]")
        levels = [(str(level.value), plain(level.wording)) for level in question.levels]
        return [], [
            (f"{wording or value}{_given_by(divided, row, value)}", {"answer": value}, {"shortcut": value})
            for value, wording in levels
        ]

    return ask


def adjudicated(divided: Divided, ask: Ask) -> None:
    st.header(plain(divided.title), anchor="divided")
    if divided.order:
        judge_name.judge_field()
        _queue(divided, ask)
    else:
        st.success("Nobody differs on any of these.", icon=":material/check:")


@st.fragment
def _queue(divided: Divided, ask: Ask) -> None:
    """Draws the queue of what divides people, what was decided of it, and the kinds of error."""
    show_kept_error()
    order, done = divided.order, divided.read()
    if names_shown() and desk.shown_to(done.entries, annotator()) == desk.BLIND:
        placing.record(divided.answers, desk.SHOWN, {})
    with st.container(horizontal=True, vertical_alignment="center", key="agreement-divided-head"):
        asked = controlled("agreement-open", names_shown(), lambda on: AGREEMENT.put(asked=annotator() * on))
        names = "Show who voted what" if divided.values else "Show annotators"
        names += " and the model" * (divided.sided is not None)
        st.toggle(names, disabled=not annotator(), **asked)
        with st.popover("Settings", icon=":material/tune:", type="tertiary"):
            _settings(divided, done)
    count, differ = (sum(map(test, order)) for test in (done.settled.__contains__, done.differ))
    said = f"**{count:,} of {len(order):,} decided**" + f" · {differ:,} open: two differ" * bool(differ)
    mine = len(done.own(annotator()))
    waiting = sum(row in done.decisions and row not in done.settled and not done.differ(row) for row in order)
    said += f" · you: {mine:,}" * bool(mine) + f" · {waiting:,} wait for a second person" * bool(waiting)
    st.progress(count / len(order), text=said)
    card, listed = st.container(border=True, key="agreement-card"), st.container()
    with listed:
        row = _listed(divided, done)
    row = row if row in order else next(iter(done.queue(order, annotator())), None)
    with card:
        if row is None:
            st.markdown("**Nothing waits for you.**  \nChoose one below to look at it again.")
        else:
            _card(divided, done, row, ask)
        at = len(order) if row is None else order.index(row)
        with st.container(horizontal=True, vertical_alignment="center", key="agreement-steps"):
            where = f"**{min(at + 1, len(order)):,}** of {len(order):,}"
            steps(where, at, len(order), lambda to: turn_to(order[to]), what="item")
            undo_button("adjudicate-undo", "Z", _undo, divided, disabled=not done.own(annotator()))
    if done.settled:
        results.show_titled(done.errors_table())
        st.caption(f":material/gavel: {done.sentence()}")


def _card(divided: Divided, done: desk.Adjudication, row: int, ask: Ask) -> None:
    own = done.own(annotator()).get(row)
    last = max(done.decisions.get(row, {}).values(), key=lambda entry: entry.sequence, default=None)
    last = last if names_shown() else own
    if done.differ(row):
        said = "Two adjudicators differ: it is open until two say the same."
        st.warning(said, icon=":material/call_split:")
    seen, choices = ask(row)
    if not annotator():  # what may be chosen is read, and chosen once somebody says who decides
        st.markdown("\n".join(f"- {label}" for label, *_ in choices))
        return
    confidence, error = _how_sure(own)
    with st.container(horizontal=True, vertical_alignment="center", key="agreement-how-sure"):
        for word, (label, key) in _SURE.items():
            look = {"type": "primary" if word == confidence else "secondary", "shortcut": key}
            button(label, f"adjudicate-{word}", partial(AGREEMENT.put, confidence=word), **look)
        kinds, put = ["", *done.rules[1]], AGREEMENT.put
        named, key = (lambda kind: kind or "No kind of error"), f"adjudicate-error-{row}"
        choose_here("Kind of error", kinds, named, key, error, lambda kind: put(error=kind), width=250)
        following = dict(pairwise([*kinds, ""])).get(error, "")
        button("Next kind", "adjudicate-kind", partial(put, error=following), type="tertiary", shortcut="K")
    key = "agreement-choices" if divided.values else "agreement-companions"
    with st.container(key=key, horizontal=bool(divided.values)):
        for at, (label, body, look) in enumerate(choices):
            chosen = last is not None and body.items() <= last.body.items()
            given = {"row": row, **body, "seen": seen}
            look |= {"type": "primary" if chosen else "secondary"}
            button(label, f"adjudicate-{row}-{at}", _give, divided, own and own.id, given, **look)
    if last is not None:
        how = "blind" if desk.shown_for(last) == desk.BLIND else "who had seen what others said"
        st.caption(f"Decided by {plain(last.who)}, {how}")


def _how_sure(own: Entry | None) -> tuple[str, str]:
    """Confidence and kind of error of a decision: as chosen now, or as in the one that stands."""
    before, now = {} if own is None else own.body, AGREEMENT.now()
    confidence = before.get("confidence", "sure") if now.confidence is None else now.confidence
    return str(confidence), str(before.get("error", "") if now.error is None else now.error)


@errors_kept()
def _give(divided: Divided, seen: str | None, body: Mapping[str, Any]) -> None:
    """Stores a decision, unless a key was pressed twice: then something else is decided already."""
    if not annotator():
        raise InputError("Nobody has said who decides.", hint="Type your name or initials first.")
    done = divided.read()
    own = done.own(annotator()).get(body["row"])
    if (own and own.id) == seen:
        confidence, error = _how_sure(own)
        said = {"confidence": confidence, "error": error, "again": done.differ(body["row"])}
        shown = desk.shown_to(done.entries, annotator())
        placing.record(divided.answers, desk.DECIDED, {**body, **said, "shown": shown})
        turn_to(None)


@errors_kept()
def _undo(divided: Divided) -> None:
    own = divided.read().own(annotator())
    if own:
        row, entry = own.popitem()
        placing.record(divided.answers, desk.TAKEN_BACK, {"of": entry.id})
        turn_to(row)


def _settings(divided: Divided, done: desk.Adjudication) -> None:
    two, errors = done.rules

    @errors_kept()
    def store(two: bool, errors: str) -> None:
        kinds = list(dict.fromkeys(filter(None, map(clean_line, errors.splitlines()))))
        placing.record(divided.answers, desk.RULES, {"two": two, "errors": kinds})

    closed, text = not annotator(), "\n".join(errors)
    switch = controlled("agreement-two", two, lambda on: store(on, text))
    st.toggle("Each item is decided by two", disabled=closed, **switch)
    field = controlled("agreement-errors", text, lambda typed: store(two, typed))
    st.text_area("Kinds of error, one a line", disabled=closed, height=200, max_chars=1_000, **field)


def _listed(divided: Divided, done: desk.Adjudication) -> int | None:
    """Draws all that divides people; gives the row that was chosen there, or by a key."""
    rows, sided = divided.order, (divided.sided if names_shown() else None) or {}
    said = pd.DataFrame({_DIFFER: [round(100 * divided.shares[row]) for row in rows]})
    for side, values in sided.items():
        said[side] = values[rows].round().astype(int)
    states = [done.state(row) for row in rows]
    if any(states):
        said["State"] = states
    said["Headline"] = [divided.texts[row] for row in rows]
    key = f"agreement-divided-{AGREEMENT.now().turn}"  # a selection ends with its item
    chosen = choose_row(said, key=key, **TABLES["divided"])
    if chosen is not None and rows[chosen] != AGREEMENT.now().row:
        AGREEMENT.put(row=rows[chosen], confidence=None, error=None)
    if sided:
        if SIDE in sided:
            title = "Headlines that divide people, and how many answers are on the model's side"
            chart = divided_chart(said, differ=_DIFFER, side=SIDE)
        else:
            title = "Where the two differ, and with whom the model sides"
            chart = sides_chart(said, list(sided))
        names = {"name": "agreement-divided", "key": "agreement-map"}
        show_chart(chart, title=title, source=f"{len(said):,} headlines", **names)
    return AGREEMENT.now().row


def over_time(measure: Callable[[], Table | None]) -> None:
    if not st.toggle("Agreement over time", key="agreement-over-time"):
        return
    table = measure()
    if table is None or not table.rows:
        st.caption("Fewer than two people have answered here.")
        return
    if len(table.rows) > 1:
        show_chart(time_chart(table), name="agreement-time", title=table.title)
    results.show_titled(table)
