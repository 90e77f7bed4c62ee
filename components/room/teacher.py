"""The Room page: a teacher opens a room, and shows it on the projector."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Final

import segno
import streamlit as st

from components.buttons import button
from components.markdown import plain
from components.mounted import keep_cookie
from components.page import Download, downloads, errors_shown, show_kept_error, stem
from components.resources import cached
from components.room.live import SECONDS, live
from components.room.server import link_for_phones, reachable, rooms
from components.room.setup import ask_for_key, choose_task, do, may_open, new_round, open_room, preview
from components.room.state import TEACHING
from components.security import COOKIE_SECONDS
from core.people.room.rooms import NoSuchRoom
from core.people.room.sheets import answers_csv, groups_csv, sheets_html
from core.people.room.state import Room, RoomStep
from core.people.room.task import RoomKind, RoomTask

COOKIE: Final = "headline_lab_teacher"
_CAME: Final = "room_came"
_STYLE: Final = Path(__file__).with_name("teacher.css")


def teacher() -> None:
    """Draws the open room, or the choice of a task for a new one."""
    st.html(_STYLE)
    _come_back()
    show_kept_error()
    if TEACHING.now().code:
        code = TEACHING.now().code
        door, inside = st.columns([2, 5], gap="large")
        with door:
            _door(code)
        with inside:
            live()
            room = rooms().room(code)
            with st.container(horizontal=True, vertical_alignment="center", key="room-more"):
                if not room.closed:
                    new_round(room)
                    with st.popover("Remove somebody", icon=":material/person_remove:", key="room-remove"):
                        _remove(room)
                with st.popover("Files", icon=":material/download:", key="room-files"):
                    _files(room)
                if room.closed:
                    button("Leave", "room-leave", _leave, icon="logout")
                else:
                    button(
                        "Close the room",
                        "room-closed",
                        do,
                        RoomStep.CLOSED,
                        icon="door_front",
                        type="tertiary",
                        help="Nobody can join or answer any more. The answers stay.",
                    )
    else:
        task = choose_task()
        if may_open():
            with st.container(horizontal=True, vertical_alignment="center", key="room-open"):
                button(
                    "Open the room", "room-open-button", open_room, task, icon="meeting_room", type="primary"
                )
                st.markdown("Phones join with a code. Nobody needs an account.", width="content")
        else:
            ask_for_key()
        preview(task)
        _sheets(task)
    here = TEACHING.now()
    if here.token or st.session_state[_CAME] == "left":
        place = f"{here.code}.{here.token}" if here.token else ""
        keep_cookie(COOKIE, place, COOKIE_SECONDS, key="room-cookie")


def _come_back() -> None:
    if _CAME in st.session_state:
        return
    st.session_state[_CAME] = "came"
    code, _, token = str(st.context.cookies.get(COOKIE, "")).partition(".")
    try:
        if token and rooms().is_teacher(code, token) and not rooms().room(code).closed:
            TEACHING.put(code=code, token=token)
    except NoSuchRoom:
        return


@st.fragment(run_every=SECONDS)
def _door(code: str) -> None:
    with errors_shown("Room"):
        link, letters = link_for_phones(code), rooms().code_shown(code)
        with st.container(key="room-door"):
            st.image(_picture(link), alt="QR code of the address below", width="stretch")
            st.html(f'<p class="room-code" aria-label="Code of the room">{letters[:4]} {letters[4:]}</p>')
            st.markdown(plain(link.partition("?")[0].partition("//")[2]))
        if not reachable(link):
            st.warning(
                "**Phones cannot reach this address.**  \nStart the program with "
                "`streamlit run app.py --server.address=0.0.0.0`.",
                icon=":material/wifi_off:",
            )


@cached(max_entries=64)
def _picture(link: str) -> str:
    found = segno.make(link, error="m", micro=False)
    return found.svg_inline(omitsize=True, border=2, light="#ffffff")


def _remove(room: Room) -> None:
    people = {person.who: person.nickname for person in room.here}
    if not people:
        st.caption("Nobody is here.")
        return
    who = st.selectbox("Who", list(people), format_func=people.__getitem__, key="room-removed-person")
    help = "The answers of this person no longer count, and the nickname stays taken."
    button("Remove", "room-remove-button", partial(do, RoomStep.REMOVED, person=who), help=help)
    help = (
        "For a room with people who were made up: the codes until now end, and the class joins again "
        "with the one that the screen shows then. Answers of this round no longer count."
    )
    button("Remove everybody", "room-empty-button", do, RoomStep.EMPTIED, help=help)


def _files(room: Room) -> None:
    name = stem(room.round.task.title, "room")
    code = room.code
    files = [
        Download(
            "Answers (CSV)",
            lambda: answers_csv(rooms().room(code)),
            f"{name}-answers.csv",
            "One line an item and nickname, each vote in a column; `headline-lab agreement votes` reads it.",
        )
    ]
    if room.round.task.kind == RoomKind.GROUPS:
        help = "The last vote as HLGD was released: annot_1_group and so on, without nicknames."
        files.append(
            Download("Groups (CSV)", lambda: groups_csv(rooms().room(code)), f"{name}-groups.csv", help)
        )
    downloads(*files, key="room-answers")
    _sheets(room.round.task)
    if room.refused:
        st.caption(
            f"{room.refused:,} attempt{'s' * (room.refused != 1)} refused; the log of the server says which."
        )


def _sheets(task: RoomTask) -> None:
    downloads(
        Download(
            "Sheets to print (HTML)",
            lambda: sheets_html(task),
            f"{stem(task.title, 'room')}-sheets.html",
            "The same task on paper, in two versions, with a key on the last page.",
        ),
        key="room-sheets",
    )


def _leave() -> None:
    TEACHING.put(code="", token="", item=0)
    st.session_state[_CAME] = "left"
