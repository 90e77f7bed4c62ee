"""The Room page: a teacher opens a room, follows who is how far, and takes the files along."""

from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Final

import streamlit as st

from components.markdown import plain
from components.page import downloads, errors_shown, show_kept_error, stem
from components.room import league, setup, simulated
from components.room.remote import SECONDS, come_back, controls, keep_place, leave, look
from components.room.screen import answers, door, figures, qr, simulated_note, standing
from components.timeline import state as timeline_state
from components.views import TEACHING
from components.widgets import button
from core.people.room import state
from core.people.room.league import contradictions_csv
from core.people.room.rooms import answers_csv, groups_csv, lesson_zip, sheets_html
from core.people.room.task import RoomKind, RoomTask

_STYLE: Final = Path(__file__).with_name("teacher.css")


def teacher() -> None:
    st.html(_STYLE)
    come_back()
    show_kept_error()
    if code := TEACHING.now().code:
        at, inside = st.columns([2, 7], gap="large")
        with at:
            _door(code)
        with inside:
            live()
            room = setup.rooms().room(code)
            with st.container(horizontal=True, vertical_alignment="center", key="room-more"):
                if not room.closed:
                    with st.popover("Screen and remote", icon=":material/cast:", key="room-screens"):
                        _screens(code)
                    setup.new_round(room)
                    with st.popover("Remove somebody", icon=":material/person_remove:", key="room-remove"):
                        _remove(room)
                with st.popover("Files", icon=":material/download:", key="room-files"):
                    _files(room)
                if room.closed:
                    button("Leave", "room-leave", leave, icon="logout")
                else:
                    help = "Nobody can join or answer any more. The answers stay."
                    look = {"icon": "door_front", "type": "tertiary", "help": help}
                    button("Close the room", "room-closed", setup.do, state.RoomStep.CLOSED, **look)
    else:
        task = setup.choose_task()
        if setup.may_open():
            with st.container(horizontal=True, vertical_alignment="center", key="room-open"):
                help = "Phones join with a code. Nobody needs an account."
                look = {"icon": "meeting_room", "type": "primary", "help": help}
                button("Open the room", "room-open-button", setup.open_room, task, **look)
                _offer("room-try", simulated.open_with_phones, task)
        else:
            setup.ask_for_key()
        setup.preview(task)
        _sheets(task)
    keep_place()


@st.fragment(run_every=SECONDS)
@errors_shown("Room")
def _door(code: str) -> None:
    door(code)


def _screens(code: str) -> None:
    here = setup.network_link("screen", {"room": setup.rooms().screen(code)})
    st.link_button("Open the screen", here, icon=":material/cast:", type="primary")
    st.caption("For the projector: the question, the count, then the answers, in large type.")
    opened, names = timeline_state.part("data")
    control = f"{code}.{TEACHING.now().token}"
    remote = setup.network_link("remote", {"control": control, **opened.address(names)})
    st.link_button("Open the remote", remote, icon=":material/settings_remote:")
    st.caption("Or scan it with your phone. Who has it controls the room: show it to nobody.")
    st.image(qr(remote), alt="QR code of the remote", width=200)


def _remove(room: state.Room) -> None:
    people = {person.who: person.nickname for person in room.here}
    if not people:
        st.caption("Nobody is here.")
        return
    who = st.selectbox("Who", list(people), format_func=people.__getitem__, key="room-removed-person")
    help = "The answers of this person no longer count, and the nickname stays taken."
    button("Remove", "room-remove-button", partial(setup.do, state.RoomStep.REMOVED, person=who), help=help)
    if simulated.simulated(room):
        button("Remove the simulated phones", "room-simulated-away", simulated.send_away)
    help = (
        "Ends all codes, for example when made-up names joined. The class joins again with the new code. "
        "Answers of this round no longer count."
    )
    button("Remove everybody", "room-empty-button", setup.do, state.RoomStep.EMPTIED, help=help)


def _files(room: state.Room) -> None:
    name, now = stem(room.round.task.title, "room"), partial(setup.rooms().room, room.code)
    kinds = {round_.task.kind for round_ in (*room.earlier, room.round)}
    votes = "One line an item and nickname, each vote in a column; `headline-lab agreement votes` reads it."
    groups = "The last vote as HLGD was released: annot_1_group and so on, without nicknames."
    broken = "Each contradiction with its headlines, what they were, and what the model said both ways."
    help = "Votes with reasons, groups as HLGD was released, contradictions: without nicknames."
    lesson = "All without names (ZIP)", lambda: lesson_zip(now()), f"{name}-lesson.zip", help
    downloads(lesson, key="room-all")
    offered = (
        ("Answers", answers_csv, votes, kinds != {RoomKind.BREAK}),
        ("Groups", groups_csv, groups, room.round.task.kind == RoomKind.GROUPS),
        ("Contradictions", contradictions_csv, broken, RoomKind.BREAK in kinds),
    )
    files = (
        (f"{what} (CSV)", lambda make=make: make(now()), f"{name}-{what.lower()}.csv", help)
        for what, make, help, there in offered
        if there
    )
    downloads(*files, key="room-answers")
    _sheets(room.round.task)
    if room.refused:
        attempts = f"{room.refused:,} attempt{'s' * (room.refused != 1)}"
        st.caption(f"{attempts} refused; the log of the server says which.")


def _sheets(task: RoomTask) -> None:
    if task.kind != RoomKind.BREAK:
        file = f"{stem(task.title, 'room')}-sheets.html"
        help = "The same task on paper, in two versions, with a key on the last page."
        downloads(("Sheets to print (HTML)", lambda: sheets_html(task), file, help), key="room-sheets")


_BADGES: Final = {
    state.RoomPresence.WORKING: ("blue", ""),
    # The class sees the projector: how many are stuck is said, and not who.
    state.RoomPresence.STUCK: ("blue", ""),
    state.RoomPresence.DONE: ("green", ":material/check: "),
    state.RoomPresence.AWAY: ("gray", ":material/wifi_off: away · "),
}


@st.fragment(run_every=SECONDS)
@errors_shown("Room")
def live() -> None:
    room = look()
    with st.container(horizontal=True, vertical_alignment="center", key="room-state"):
        st.markdown(standing(room), width="content")
        controls(room)
    given, all_of_them = state.progress(room)
    lines = state.roster(room, setup.rooms().seen(room.code), datetime.now(UTC))
    broken = room.round.task.kind == RoomKind.BREAK
    if broken:
        league.scoreboard(room, switch=True)
    elif room.round.vote:
        done = sum(line.presence == state.RoomPresence.DONE for line in lines)
        said = f"**{given:,}** of {all_of_them:,} answers · {done} of {len(lines)} people done"
        st.progress(given / all_of_them if all_of_them else 0.0, text=said)
    else:
        figures(room)
    # Who broke the model stands in its league.
    if not lines or (room.round.vote and not (broken and room.round.first)):
        if not lines:
            said = "**Nobody is here yet.**  \nScan the code with a phone, or open the address."
            st.info(said, icon=":material/group_add:")
            if not (room.closed or room.locked):
                _offer("room-try-here", simulated.let_in)
            return
        stuck = sum(line.presence == state.RoomPresence.STUCK for line in lines)
        st.caption(f"{len(lines)} here" + (f" · **{stuck} stuck**" if stuck else ""))
        with st.container(key="room-roster"):
            st.markdown(" ".join(map(_badge, lines)))
    elif not broken:
        answers(room)
    simulated_note(room)


def _offer(key: str, then: Callable[..., object], *given: object) -> None:
    button("Try it with six simulated phones", key, then, *given, icon="smart_toy")


def _badge(line: state.RosterLine) -> str:
    colour, sign = _BADGES[line.presence]
    sign += ":material/smart_toy: " * line.person.simulated
    return f":{colour}-badge[{sign}{plain(line.person.nickname)} {line.answered}/{line.items}]"
