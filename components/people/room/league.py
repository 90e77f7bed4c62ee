"""Break the model: on phones the headlines to change, on the projector who made it contradict itself."""

import threading
from collections.abc import Sequence
from functools import partial
from itertools import chain, permutations
from typing import Final

import streamlit as st

from components.frame.errors import errors_kept
from components.frame.language import say, translated
from components.frame.markdown import plain
from components.frame.tables import text_table
from components.frame.widgets import button
from components.opened.views.people import JOINING
from components.people.room.held import do, rooms
from components.server import queue, sessions
from core.digests import digest
from core.people.room import attempts, state
from core.people.room.task import RoomItem, RoomTask, item_order

REMEMBERED: Final = 50_000  # scores of pairs
LEADERS, NEWEST = 8, 1  # people of the league, and contradictions that stand beside it while it runs

_turn = threading.Lock()
_known: dict[tuple[str, attempts.Pair], float] = {}


def ask(scorer: str, items: Sequence[Sequence[str]]) -> Sequence[attempts.Scores]:
    """What the model says of some items; it is asked for one phone after the other, and once about a pair."""
    asked = [list(permutations(item, 2)) for item in items]
    with _turn:
        new = [pair for pair in dict.fromkeys(chain.from_iterable(asked)) if (scorer, pair) not in _known]
        if new:
            if len(_known) > REMEMBERED:
                _known.clear()
            key = f"break|{scorer}|{digest(*chain.from_iterable(new))}"
            scores = queue.wait(queue.ask(key, partial(attempts.pair_scores, new, scorer), long=False))
            _known.update({(scorer, pair): score for pair, score in scores.items()})
        return [[_known[scorer, pair] for pair in item] for item in asked]


def ask_phone(room: state.Room, person: state.RoomPerson, item: RoomItem) -> None:
    mine = [attempt for attempt in room.round.attempts if attempt.who == person.who]
    last = next((attempt for attempt in reversed(mine) if attempt.item == item.key), None)
    form = f"break-{room.round.began}-{item.key}"
    keys = [f"{form}-{name}" for name, _ in zip(attempts.NAMES, item.texts, strict=False)]
    with st.form(form, border=False):
        for name, key, text in zip(attempts.NAMES, keys, last.texts if last else item.texts, strict=False):
            st.session_state.setdefault(key, text)
            st.text_area(say("Headline {name}", name=name), key=key, height=72)
        about = room.round.began, item.key, keys
        st.form_submit_button(
            say("Ask the model"), type="primary", width="stretch", on_click=_attempt, args=about
        )
    order = item_order(room.round.task, person.who)
    if last is not None:
        wrong = attempts.contradictions(last.scores, room.round.task.threshold)
        if last.counts:
            head = f":material/bolt: {say('You broke it!')}"
        elif not wrong:
            head = say("It holds")
        elif (person.who, item.key) in room.round.first:
            head = say("Broken again; these headlines count once")
        else:
            head = say("Somebody broke it with these words before")
        st.header(head, anchor=False)
        st.markdown("  \n".join(plain(translated(each)) for each in wrong))
        _answers(last, room.round.task.threshold)
    with st.container(horizontal=True):
        if last is not None:
            first_words = dict(zip(keys, item.texts, strict=False))
            button(say("First words"), "break-undo", st.session_state.update, first_words, icon="undo")
        if len(order) > 1:
            after = partial(JOINING.put, item=order[(order.index(item.key) + 1) % len(order)])
            button(say("Other headlines"), "break-next", after, icon="arrow_forward")


@errors_kept()
def _attempt(began: int, item: str, keys: Sequence[str]) -> None:
    here = JOINING.now()
    JOINING.put(item=item)
    room = rooms().room(here.code)
    typed = [str(st.session_state.get(key) or "") for key in keys]
    question = partial(ask, room.round.task.scorer)
    rooms().attempt(here.code, sessions.browser(), began=began, item=item, typed=typed, ask=question)


def _answers(attempt: attempts.Attempt, threshold: float) -> None:
    said = {
        pair: f"{score:.2f} {say(attempts.ANSWERS[score >= threshold])}"
        for pair, score in attempts.by_pair(attempt.scores).items()
    }
    pairs = [(a, b) for a, b in said if a < b]
    columns = {say("Pair"): [f"{attempts.NAMES[a]} · {attempts.NAMES[b]}" for a, b in pairs]}
    columns[say("In this order")] = [said[pair] for pair in pairs]
    text_table(columns | {say("Swapped"): [said[b, a] for a, b in pairs]})


def totals(room: state.Room) -> tuple[str, str]:
    here, count = {person.who for person in room.here}, len(state.counted_attempts(room, room.round))
    asked = sum(attempt.who in here for attempt in room.round.attempts)
    made = say("1 contradiction") if count == 1 else say("{count} contradictions", count=count)
    answers = (
        say("in 1 answer of the model") if asked == 1 else say("in {count} answers of the model", count=asked)
    )
    return made, answers


def scoreboard(room: state.Room, *, switch: bool = False) -> None:
    round_, counted = room.round, state.counted_attempts(room, room.round)
    with st.container(horizontal=True, vertical_alignment="center", key="room-count"):
        made, asked = totals(room)
        st.header(made, anchor=False, width="content")
        st.markdown(asked, width="content")
        if switch and counted:
            st.session_state["room-nicknames"] = not room.nameless
            st.toggle("Nicknames", key="room-nicknames", on_change=partial(do, state.RoomStep.NICKNAMES))
    if not counted:
        st.markdown(" ".join(plain(say(text)) for text in (round_.task.question, round_.task.help)))
        return
    names = {}
    for at, person in enumerate(room.people.values(), 1):
        name = say("Phone {at}", at=at) if room.nameless else plain(person.nickname)
        names[person.who] = ":material/smart_toy: " * person.simulated + name
    table, newest = st.columns([2, 3], gap="medium")
    with table, st.container(key="room-league"):
        ranks = state.standings(room)
        first = [f"{place} · {names[person.who]}" for place, (person, _) in enumerate(ranks[:LEADERS], 1)]
        text_table({say("League"): first, say("Broken"): [count for _, count in ranks[:LEADERS]]})
        if len(ranks) > LEADERS:
            st.caption(say("and {count} more", count=len(ranks) - LEADERS))
    with newest:
        shown = [made for made in counted if (made.who, made.item) not in round_.hidden]
        for attempt in reversed(shown[-NEWEST:] if round_.vote else shown):
            with st.container(border=True, gap="xsmall"):
                _contradiction(round_.task, attempt)


def _contradiction(task: RoomTask, attempt: attempts.Attempt) -> None:
    item = task.item(attempt.item)
    wrong = map(translated, attempts.contradictions(attempt.scores, task.threshold))
    st.markdown(f"**{plain(' · '.join(wrong))}**")
    lines = []
    for letter, text, before in zip(attempts.NAMES, attempt.texts, item.texts if item else (), strict=False):
        old = set(before.casefold().split())
        words = (plain(word) if word.casefold() in old else f"**{plain(word)}**" for word in text.split())
        lines.append(f"{letter} {' '.join(words)}")
        if text != before:
            lines.append(f":gray[{say('before: {text}', text=plain(before))}]")
    st.markdown("  \n".join(lines))
