"""What a room answered, an item at a time: large enough to talk about."""

from __future__ import annotations

import html
from pathlib import Path
from typing import Final

import streamlit as st

from components.charts.theme import meaning
from components.markdown import plain
from components.room.state import TEACHING
from components.stepper import steps
from core.palette import AGREES
from core.people.room.measures import most_divided, tally
from core.people.room.sheets import LETTERS
from core.people.room.state import Room, RoomPhase, counted
from core.people.room.task import RoomItem, RoomKind

_STYLE: Final = Path(__file__).with_name("answers.css")


def answers(room: Room) -> None:
    """Draws the answers to one item, the most divided first, and the way to the next."""
    round_ = room.round
    items = most_divided(round_, counted(room, round_.first))
    at = min(TEACHING.now().item, len(items) - 1)
    said = f"**{at + 1}** of {len(items)}, most divided first"
    st.html(_STYLE)
    _item(room, items[at])
    steps(said, at, len(items), lambda to: TEACHING.put(item=to), what="room-item")


def _item(room: Room, item: RoomItem) -> None:
    task = room.round.task
    with st.container(border=True, key="room-item"):
        st.caption(plain(task.question))
        for at, text in enumerate(item.texts):
            letter = f"{LETTERS[at]} · " if task.kind == RoomKind.CHOICE else ""
            st.markdown(f"**{letter}{plain(text)}**")
        votes = [("First vote" if room.round.second else "Votes", room.round.first)]
        if room.round.phase == RoomPhase.COMPARED:
            votes.append(("Second vote", room.round.second))
        for name, given in votes:
            st.html(_bars(name, room, item, tally(room.round, item, counted(room, given))))
        if room.round.phase == RoomPhase.COMPARED and item.right:
            st.markdown(f"As {plain(task.key_from)}: **{plain(task.wording(item, item.right))}**")


def _bars(name: str, room: Room, item: RoomItem, counts: dict[str, int]) -> str:
    total = sum(counts.values())
    rows = "".join(
        f'<tr><th scope="row">{html.escape(room.round.task.wording(item, value))}</th>'
        f'<td><span class="bar" style="width:{100 * count / total if total else 0:.1f}%;'
        f'background:{meaning(AGREES)}"></span></td>'
        f'<td class="count">{count}</td></tr>'
        for value, count in counts.items()
    )
    return f'<table class="room-bars"><caption>{html.escape(name)}</caption><tbody>{rows}</tbody></table>'
