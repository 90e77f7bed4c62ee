"""Break the model: on phones the headlines to change, on the projector who made it contradict itself."""

import html
from collections.abc import Sequence
from functools import partial
from itertools import combinations

import streamlit as st

from components import jobs, sessions
from components.markdown import plain
from components.page import downloads, keep_error, stem
from components.room.setup import rooms
from components.views import JOINING
from components.widgets import button, text_table
from core.digests import digest
from core.errors import CoreError
from core.people.room import league
from core.people.room.state import Room, RoomPerson
from core.people.room.task import RoomItem, item_order

LEADERS, NEWEST = 8, 2  # people of the league, and contradictions that stand beside it while it runs


def ask(scorer: str, items: Sequence[Sequence[str]]) -> Sequence[league.Scores]:
    """What the model says of some items, in a fair line: each phone waits for its own answer alone."""
    key = f"break|{scorer}|{digest(*(text for item in items for text in item))}"
    return list(jobs.wait(jobs.ask(key, partial(league.both_orders, items, scorer), long=False)))


def ask_phone(room: Room, person: RoomPerson, item: RoomItem) -> None:
    mine = [attempt for attempt in room.round.attempts if attempt.who == person.who]
    last = next((attempt for attempt in reversed(mine) if attempt.item == item.key), None)
    keys = [f"break-{room.round.began}-{item.key}-{name}" for name, _ in zip("ABC", item.texts, strict=False)]
    with st.form(f"break-{room.round.began}-{item.key}", border=False):
        for name, key, text in zip("ABC", keys, last.texts if last else item.texts, strict=False):
            st.session_state.setdefault(key, text)
            st.text_area(f"Headline {name}", key=key, max_chars=league.LONGEST_HEADLINE, height=72)
        about = room.round.began, item.key, keys
        st.form_submit_button("Ask the model", type="primary", width="stretch", on_click=_attempt, args=about)
    order = item_order(room.round.task, person.who)
    if last is not None:
        wrong = league.contradictions(last.scores, room.round.task.threshold)
        if last.counts:
            head = ":material/bolt: You broke it!"
        elif not wrong:
            head = "It holds"
        elif (person.who, item.key) in room.round.first:
            head = "Broken again; these headlines count once"
        else:
            head = "Somebody broke it with these words before"
        st.header(head, anchor=False)
        st.markdown("  \n".join(map(plain, wrong)))
        _answers(last, room.round.task.threshold)
    with st.container(horizontal=True):
        if last is not None:
            first_words = dict(zip(keys, item.texts, strict=False))
            button("First words", "break-undo", st.session_state.update, first_words, icon="undo")
        if len(order) > 1:
            after = partial(JOINING.put, item=order[(order.index(item.key) + 1) % len(order)])
            button("Other headlines", "break-next", after, icon="arrow_forward")


def _attempt(began: int, item: str, keys: Sequence[str]) -> None:
    here = JOINING.now()
    JOINING.put(item=item)
    try:
        room = rooms().room(here.code)
        typed = [str(st.session_state.get(key) or "") for key in keys]
        question = partial(ask, room.round.task.scorer)
        rooms().attempt(here.code, sessions.browser(), began=began, item=item, typed=typed, ask=question)
    except CoreError as error:
        keep_error(error)


def _answers(attempt: league.Attempt, threshold: float) -> None:
    scores, rows = league.by_pair(attempt.scores), []
    for a, b in combinations(range(len(attempt.texts)), 2):
        said = [f"{score:.2f} {league.ANSWERS[score >= threshold]}" for score in (scores[a, b], scores[b, a])]
        rows.append(
            {"": f"{league.NAMES[a]} and {league.NAMES[b]}", "In this order": said[0], "Swapped": said[1]}
        )
    text_table(rows)


def scoreboard(room: Room) -> None:
    round_, here = room.round, {person.who for person in room.here}
    found = league.counted_attempts(room, round_)
    asked = sum(attempt.who in here for attempt in round_.attempts)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.header(f"{len(found):,} contradiction{'s' * (len(found) != 1)}", anchor=False, width="content")
        st.markdown(f"in {asked:,} answers of the model", width="content")
        named = not found or st.toggle("Nicknames", True, key="room-nicknames", persist_state="session")
        if found and not round_.vote:
            list_download(room)
    if not found:
        st.markdown(f"**{plain(round_.task.question)}** {plain(round_.task.help)}")
        return
    names = {
        person.who: person.nickname if named else f"Phone {number}"
        for number, person in enumerate(room.people.values(), 1)
    }
    table, newest = st.columns([1, 2], gap="large")
    ranks = league.standings(room)
    with table, st.container(key="room-league"):
        rows = "".join(
            f'<tr><th scope="row">{place}. {html.escape(names[person.who])}</th>'
            f'<td class="count">{count}</td></tr>'
            for place, (person, count) in enumerate(ranks[:LEADERS], 1)
        )
        st.html(
            f'<table class="room-bars"><caption>Most contradictions</caption><tbody>{rows}</tbody></table>'
        )
        if len(ranks) > LEADERS:
            st.caption(f"and {len(ranks) - LEADERS:,} more")
    with newest, st.container(key="room-found"):
        for attempt in reversed(found[-NEWEST:] if round_.vote else found):
            with st.container(border=True, gap="xsmall"):
                _contradiction(room, attempt, names[attempt.who])


def _contradiction(room: Room, attempt: league.Attempt, name: str) -> None:
    item = room.round.task.item(attempt.item)
    wrong = league.contradictions(attempt.scores, room.round.task.threshold)
    st.markdown(f"**{plain(' · '.join(wrong))}**")
    lines = []
    for letter, text, before in zip("ABC", attempt.texts, item.texts if item else (), strict=False):
        old = set(before.casefold().split())
        words = (plain(word) if word.casefold() in old else f"**{plain(word)}**" for word in text.split())
        lines.append(
            f"{letter} {' '.join(words)}" + (f"  \n:gray[before: {plain(before)}]" if text != before else "")
        )
    st.markdown("  \n".join(lines))
    st.caption(plain(name))


def list_download(room: Room) -> None:
    name = f"{stem(room.round.task.title, 'room')}-contradictions.csv"
    help = "Each contradiction with its headlines, what they were, and what the model said both ways."
    downloads(
        ("Contradictions (CSV)", lambda: league.contradictions_csv(room), name, help), key="room-broken"
    )
