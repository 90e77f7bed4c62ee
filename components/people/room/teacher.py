"""The Room page: a teacher opens a room, follows who is how far, and takes the files along."""

from collections.abc import Mapping
from datetime import UTC, datetime
from functools import partial
from typing import Final

import streamlit as st

from components.frame.downloads import downloads, stem
from components.frame.errors import errors_shown, show_kept_error
from components.frame.language import LANGUAGES
from components.frame.markdown import WORDS, plain
from components.frame.widgets import button, notice
from components.opened.importer import open_at_once
from components.opened.views import timeline as timeline_state
from components.opened.views.people import TEACHING
from components.people.room import held, league, lessons, remote, setup, simulated, startup_key, tasks
from components.people.room.screen import STYLES, answers, count, door, figures, qr, simulated_note, standing
from components.server.other_servers import rooms_apart
from core.headlines.opening import GivenFile
from core.people.room import measures, state
from core.people.room.files import lesson_files, lesson_zip, sheets_html
from core.people.room.replay import may_vote_again
from core.people.room.task import RoomKind, RoomTask

_TRY: Final = "Try with six phones"
# The class sees the projector: how many are stuck is said, and not who.
_SIGNS: Final = {
    state.RoomPresence.DONE: ":green[:material/check:] ",
    state.RoomPresence.AWAY: ":gray[:material/wifi_off: away ·] ",
}


def teacher() -> None:
    st.html(STYLES[0])
    remote.come_back()
    show_kept_error()
    if code := TEACHING.now().code:
        room = held.rooms().room(code)
        with st.container(key="room-open"):
            if not room.closed:
                _door(code)
            with st.container(key="room-inside"):
                with st.container(horizontal=True, key="room-more"):
                    if room.closed:
                        with st.popover("Files", icon=":material/download:", key="room-files"):
                            _files(room)
                        button("Leave", "room-leave", remote.leave, icon="logout")
                    else:
                        with st.popover("Screen and remote", icon=":material/cast:", key="room-screens"):
                            _screens(code)
                        _menu(room)
                live(closed=room.closed, over=_is_over(room))
    else:
        with errors_shown("Room"):
            asked, shown = st.columns([1, 2], gap="large")
            with asked, st.container(key="room-setup"):
                if chosen := tasks.choose_task():
                    _open(*chosen)
            with shown:
                if chosen:
                    with st.container(key="room-asked"):
                        tasks.headed(chosen[0])
                    tasks.preview(chosen[0])
        if st.session_state.get(tasks.KIND) == RoomKind.LESSON and startup_key.may_open():
            lessons.edit_lessons(str(st.session_state.get(tasks.LESSON, "")))
    remote.keep_place()


@st.fragment(run_every=remote.SECONDS)
@errors_shown("Room")
def _door(code: str) -> None:
    door(code, small=True, help=WORDS["texts"]["unreachable"])


def _open(task: RoomTask, material: Mapping[str, str]) -> None:
    if startup_key.may_open():
        if said := rooms_apart():
            st.warning(said, icon=":material/lan:")
        look = {"icon": "meeting_room", "type": "primary"}
        button("Open the room", "room-open-button", setup.open_room, task, material, **look)
        button(_TRY, "room-try", simulated.open_with_phones, task, material, icon="smart_toy")
        if {"data", "pairs"} & set(material):
            _own_table()
    else:
        startup_key.ask_for_key()
    _sheets(task)


def _own_table() -> None:
    """Draws where a file is given, which becomes the open timeline."""
    with st.popover("A table of your own", icon=":material/upload_file:", type="tertiary"):
        first = partial(st.session_state.update, {tasks.SOURCE: tasks.TIMELINE})
        given = st.file_uploader("Headlines", key="room-own", on_change=first)
    mark = "" if given is None else given.file_id
    new, st.session_state["room-own-taken"] = st.session_state.get("room-own-taken", "") != mark, mark
    if given is not None and new and open_at_once(GivenFile(given.name, given.getvalue())):
        st.rerun()


def _screens(code: str) -> None:
    named = {"": "That of its browser"} | {tag: about["name"] for tag, about in LANGUAGES.items()}
    look = {"format_func": named.__getitem__, "key": "room-screen-language", "persist_state": "session"}
    spoken = {"lang": tag} if (tag := st.selectbox("Language of the screen", list(named), **look)) else {}
    here = held.network_link("screen", {"room": held.rooms().screen(code), **spoken})
    st.link_button("Open the screen", here, icon=":material/cast:", type="primary")
    st.caption("For the projector: the question, the count, then the answers, in large type.")
    st.divider()
    opened, names = timeline_state.part("data")
    control = f"{code}.{TEACHING.now().token}"
    link = held.network_link("remote", {"control": control, **opened.address(names)})
    st.link_button("Open the remote", link, icon=":material/settings_remote:")
    st.image(qr(link), alt="QR code of the remote", width=160)
    st.caption("The remote, for the teacher only: who scans it controls the room.")


def _menu(room: state.Room) -> None:
    look = {"icon": ":material/more_horiz:", "on_change": "rerun"}
    with st.popover("More", key="room-menu" if _is_over(room) else held.NEW_ROUND, **look):
        if not _is_over(room):
            with st.expander("New round", expanded=True, icon=":material/playlist_add:"):
                setup.new_round(room)
        _more()


@st.fragment(run_every=remote.SECONDS)
@errors_shown("Room")
def _more() -> None:
    room = held.rooms().room(TEACHING.now().code)
    with st.expander("Remove somebody", icon=":material/person_remove:"):
        _remove(room)
    with st.expander("Files", icon=":material/download:"):
        _files(room)
    st.divider()
    remote.seldom(room)
    look = {"icon": "door_front", "type": "tertiary"}
    button("Close the room", "room-closed", held.do, state.RoomStep.CLOSED, **look)


def _remove(room: state.Room) -> None:
    people = {person.who: person.nickname for person in room.here}
    if not people:
        st.caption("Nobody is here.")
        return
    who = st.selectbox("Who", list(people), format_func=people.__getitem__, key="room-removed-person")
    button("Remove", "room-remove-button", partial(held.do, state.RoomStep.REMOVED, person=who))
    if simulated.simulated(room):
        button("Remove the simulated phones", "room-simulated-away", simulated.send_away)
    button("Remove everybody", "room-empty-button", held.do, state.RoomStep.EMPTIED)


def _files(room: state.Room) -> None:
    name, now = stem(room.round.task.title, "room"), partial(held.rooms().room, room.code)
    downloads(("All without names (ZIP)", lambda: lesson_zip(now()), f"{name}-lesson.zip"), key="room-all")
    files = []
    for file in lesson_files(room, named=True):
        title = f"{file.partition('.')[0].replace('-', ' ').capitalize()} (CSV)"
        make = partial(lambda file: lesson_files(now(), named=True)[file](), file)
        files.append((title, make, f"{name}-{file}", WORDS["room_files"][file[:6]]))
    downloads(*files, key="room-answers")
    _sheets(room.round.task)
    if room.refused:
        attempts = f"{room.refused:,} attempt{'s' * (room.refused != 1)}"
        st.caption(f"{attempts} refused; the log of the server says which.")


def _sheets(task: RoomTask) -> None:
    if task.kind not in {RoomKind.BREAK, RoomKind.LESSON}:
        file = f"{stem(task.title, 'room')}-sheets.html"
        downloads(("Sheets to print (HTML)", lambda: sheets_html(task), file), key="room-sheets")


@st.fragment(run_every=remote.SECONDS)
@errors_shown("Room")
def live(*, closed: bool, over: bool) -> None:
    room = remote.look()
    if (room.closed, _is_over(room)) != (closed, over):  # The page around this part changes, too.
        st.rerun()
    does = state.presences(room, held.seen(room), datetime.now(UTC))
    broken, lobby = room.round.task.kind == RoomKind.BREAK, room.round.phase == state.RoomPhase.LOBBY
    _next(room, over=over)
    _question(room)
    if broken:
        league.scoreboard(room, switch=True)
    elif room.round.vote:
        count(room)
    if not does:
        _invite(room)
    # Who broke the model stands in its league.
    elif (room.round.vote or lobby) and not (broken and room.round.first):
        _roster(room, does)
    elif not broken:
        answers(room)
        figures(room)
    if room.round.vote and not broken and len(room.round.asked) > 1:
        tasks.preview(room.round.task)
    simulated_note(room)


def _next(room: state.Room, *, over: bool) -> None:
    """Draws what can be done now, steps to other items, who is here and where the round is."""
    with st.container(horizontal=True, vertical_alignment="center", key="room-state"):
        if over:
            look = {"icon": ":material/playlist_add:", "type": "primary", "on_change": "rerun"}
            with st.popover("New round", key=held.NEW_ROUND, **look):
                if st.session_state[held.NEW_ROUND]:  # what is drawn anew each second
                    setup.new_round(room)
        remote.step_through(room, said="", type="secondary" if remote.controls(room) else "primary")
        st.markdown(standing(room), width="content")


def _is_over(room: state.Room) -> bool:
    """Whether the last item of the round has been told."""
    round_ = room.round
    again = may_vote_again(round_) and not round_.led
    if room.closed or room.paused or round_.vote or again or round_.phase == state.RoomPhase.LOBBY:
        return False
    broken = round_.task.kind == RoomKind.BREAK
    return broken or measures.in_view(room)[1] + 1 == len(round_.task.items)


def _question(room: state.Room) -> None:
    """What is asked of all; an item only where there is one, or all phones are led to it."""
    task = room.round.task
    with st.container(key="room-asked"):
        if room.round.phase == state.RoomPhase.AGAIN:
            st.markdown("**Second vote**")
        if room.round.vote and len(room.round.asked) == 1 and task.kind != RoomKind.BREAK:
            remote.led_question(room)
        elif room.round.phase == state.RoomPhase.LOBBY or room.round.vote:
            tasks.headed(task)


def _invite(room: state.Room) -> None:
    if not room.closed:
        notice("room_empty")
        if not room.locked:
            button(_TRY, "room-try-here", simulated.let_in, icon="smart_toy")


def _roster(room: state.Room, does: Mapping[str, state.RoomPresence]) -> None:
    asked = len(room.round.asked)
    if not room.round.vote:
        present = sum(presence != state.RoomPresence.AWAY for presence in does.values())
        st.container(key="room-present").markdown(f"**{present:,}** here")
    with st.container(horizontal=True, key="room-roster"):
        for who, presence in does.items():
            person, given = room.people[who], len(room.answers_of(who))
            sign = _SIGNS.get(presence, "") + ":material/smart_toy: " * person.simulated
            far = f" :gray[{given}/{asked}]" * (room.round.vote > 0 and asked > 1)
            st.markdown(f"{sign}{plain(person.nickname)}{far}", width="content")
    if stuck := list(does.values()).count(state.RoomPresence.STUCK):
        st.caption(f"**{stuck} stuck**")
