"""The rooms of this server, and what a teacher does in the one that is held."""

from functools import cache
from typing import Final

import streamlit as st

from components.frame.errors import errors_kept
from components.opened.views.people import TEACHING
from components.server.server_keys import server_secret
from core.journal.journal import Journal, the_journal
from core.people.room import state
from core.people.room.rooms import Rooms

LOOK: Final = 0.2  # seconds for which all windows of this server share one look at a room
NEW_ROUND: Final = "room-new-round"


@cache
def _rooms(journal: Journal) -> Rooms:
    return Rooms(journal, secret=server_secret(), look=LOOK)


def rooms() -> Rooms:
    return _rooms(the_journal())


@errors_kept()
def do(step: state.RoomStep, **body: object) -> None:
    rooms().act(TEACHING.now().code, TEACHING.now().token, step, **body)
    st.session_state[NEW_ROUND] = False
