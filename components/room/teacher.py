"""The Room page: a teacher opens a room and shows it on the projector, looked at again every second."""

import html
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import segno
import streamlit as st

from components.charts.theme import meaning
from components.markdown import plain
from components.page import downloads, errors_shown, show_kept_error, stem
from components.resources import cached
from components.room import league, setup, simulated
from components.security import COOKIE_SECONDS, is_open
from components.views import TEACHING
from components.widgets import button, keep_cookie, steps
from core.palette import AGREES
from core.people.room import measures, state
from core.people.room.league import contradictions_csv
from core.people.room.rooms import LETTERS, NoSuchRoom, answers_csv, groups_csv, sheets_html
from core.people.room.task import RoomItem, RoomKind, RoomTask

SECONDS: Final = 1.0  # between two looks at the room
COOKIE: Final = "headline_lab_teacher"
_CAME: Final = "room_came"
_STYLE: Final = Path(__file__).with_name("teacher.css")


def teacher() -> None:
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
            room = setup.rooms().room(code)
            with st.container(horizontal=True, vertical_alignment="center", key="room-more"):
                if not room.closed:
                    setup.new_round(room)
                    with st.popover("Remove somebody", icon=":material/person_remove:", key="room-remove"):
                        _remove(room)
                with st.popover("Files", icon=":material/download:", key="room-files"):
                    _files(room)
                if room.closed:
                    button("Leave", "room-leave", _leave, icon="logout")
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
        if token and setup.rooms().is_teacher(code, token) and not setup.rooms().room(code).closed:
            TEACHING.put(code=code, token=token)
    except NoSuchRoom:
        return


@st.fragment(run_every=SECONDS)
@errors_shown("Room")
def _door(code: str) -> None:
    link, letters = setup.link_for_phones(code), setup.rooms().code_shown(code)
    with st.container(key="room-door"):
        st.image(_picture(link), alt="QR code of the address below", width="stretch")
        st.html(f'<p class="room-code" aria-label="Code of the room">{letters[:4]} {letters[4:]}</p>')
        st.markdown(plain(link.partition("?")[0].partition("//")[2]))
    if not is_open(urlsplit(link).hostname or ""):
        start = "`streamlit run app.py --server.address=0.0.0.0`"
        said = f"**Phones cannot reach this address.**  \nStart the program with {start}."
        st.warning(said, icon=":material/wifi_off:")


@cached(max_entries=64)
def _picture(link: str) -> str:
    return segno.make(link, error="m", micro=False).svg_inline(omitsize=True, border=2, light="#ffffff")


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


def _leave() -> None:
    TEACHING.put(code="", token="", item=0)
    st.session_state[_CAME] = "left"


def answers(room: state.Room) -> None:
    round_ = room.round
    items = measures.most_divided(round_, state.counted(room, round_.first))
    at = min(TEACHING.now().item, len(items) - 1)
    item, task = items[at], round_.task
    with st.container(border=True, key="room-item"):
        st.caption(plain(task.question))
        for place, text in enumerate(item.texts):
            letter = f"{LETTERS[place]} · " if task.kind == RoomKind.CHOICE else ""
            st.markdown(f"**{letter}{plain(text)}**")
        votes = [("First vote" if round_.second else "Votes", round_.first)]
        if round_.phase == state.RoomPhase.COMPARED:
            votes.append(("Second vote", round_.second))
        for name, given in votes:
            st.html(_bars(name, room, item, measures.tally(round_, item, state.counted(room, given))))
        if round_.phase == state.RoomPhase.COMPARED and item.right:
            st.markdown(f"As {plain(task.key_from)}: **{plain(task.wording(item, item.right))}**")
    said = f"**{at + 1}** of {len(items)}, most divided first"
    steps(said, at, len(items), lambda to: TEACHING.put(item=to), what="room-item")


def _bars(name: str, room: state.Room, item: RoomItem, counts: dict[str, int]) -> str:
    total = sum(counts.values())
    rows = "".join(
        f'<tr><th scope="row">{html.escape(room.round.task.wording(item, value))}</th>'
        f'<td><span class="bar" style="width:{100 * count / total if total else 0:.1f}%;'
        f'background:{meaning(AGREES)}"></span></td>'
        f'<td class="count">{count}</td></tr>'
        for value, count in counts.items()
    )
    return f'<table class="room-bars"><caption>{html.escape(name)}</caption><tbody>{rows}</tbody></table>'


_BADGES: Final = {
    state.RoomPresence.WORKING: ("blue", ""),
    # The class sees the projector: how many are stuck is said, and not who.
    state.RoomPresence.STUCK: ("blue", ""),
    state.RoomPresence.DONE: ("green", ":material/check: "),
    state.RoomPresence.AWAY: ("gray", ":material/wifi_off: away · "),
}
_PHASES: Final = {
    state.RoomPhase.BLIND: "Vote",
    state.RoomPhase.REVEALED: "Answers",
    state.RoomPhase.AGAIN: "Second vote",
    state.RoomPhase.COMPARED: "Before and after",
}


@st.fragment(run_every=SECONDS)
@errors_shown("Room")
def live() -> None:
    simulated.act(TEACHING.now().code, TEACHING.now().token)
    room = setup.rooms().room(TEACHING.now().code)
    show_kept_error()
    with st.container(horizontal=True, vertical_alignment="center", key="room-state"):
        st.markdown(_state(room), width="content")
        _controls(room)
    given, all_of_them = state.progress(room)
    lines = state.roster(room, setup.rooms().seen(room.code), datetime.now(UTC))
    broken = room.round.task.kind == RoomKind.BREAK
    if broken:
        league.scoreboard(room)
    elif room.round.vote:
        done = sum(line.presence == state.RoomPresence.DONE for line in lines)
        said = f"**{given:,}** of {all_of_them:,} answers · {done} of {len(lines)} people done"
        st.progress(given / all_of_them if all_of_them else 0.0, text=said)
    else:
        _figures(room)
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
    if phones := simulated.simulated(room):
        usual = ("one answer", "the answer of the data")[any(item.right for item in room.round.task.items)]
        does = "cut words by chance" if broken else f"mostly give {usual}, with chance mistakes"
        st.caption(f":material/smart_toy: {len(phones)} of {len(lines)} phones are simulated: they {does}.")


def _figures(room: state.Room) -> None:
    round_ = room.round
    grouped = round_.task.kind == RoomKind.GROUPS
    with st.container(horizontal=True, key="room-figures"):
        if round_.second:
            change = _measured(room)
            share = f"{change.changed} of {change.both} answers"
            help = "Of the answers that were given in both votes."
            st.metric("Changed", share, width="content", help=help)
            shown = {", before": change.before, ", after": change.after}
        else:
            shown = {"": _measured(room)}
        for when, agreement in shown.items():
            _agreement(when, agreement, grouped=grouped)
    alphas = [agreement.alpha for agreement in shown.values()]
    remarks = [alpha.warning or (alpha.reason and f"No alpha: {alpha.reason}.") for alpha in alphas]
    if any(remarks):
        st.caption(plain(" ".join(dict.fromkeys(remarks))))


def _offer(key: str, then: Callable[..., object], *given: object) -> None:
    button("Try it with six simulated phones", key, then, *given, icon="smart_toy")


def _state(room: state.Room) -> str:
    broken = room.round.task.kind == RoomKind.BREAK and room.round.vote
    said = setup.KINDS[RoomKind.BREAK] if broken else _PHASES[room.round.phase]
    phase = f"**Round {room.round.number} · {said}**"
    signs = [
        ":orange-badge[:material/pause_circle: paused]" * room.paused,
        ":gray-badge[:material/lock: locked]" * room.locked,
        ":red-badge[closed]" * room.closed,
    ]
    return " ".join([phase, *filter(None, signs)])


def _controls(room: state.Room) -> None:
    if room.closed:
        return
    phase = room.round.phase
    if room.round.vote:
        broken = room.round.task.kind == RoomKind.BREAK
        first = "End the round" if broken else "Reveal answers"
        label = first if phase == state.RoomPhase.BLIND else "Compare votes"
        _button(label, state.RoomStep.REVEALED, "visibility", type="primary")
    elif phase == state.RoomPhase.REVEALED and room.round.task.kind != RoomKind.BREAK:
        _button("Vote again", state.RoomStep.VOTE_AGAIN, "how_to_vote", type="primary")
    if room.paused:
        _button("Go on", state.RoomStep.RESUMED, "play_arrow", type="primary")
    else:
        _button("Pause", state.RoomStep.PAUSED, "pause")
    if room.locked:
        _button("Unlock", state.RoomStep.UNLOCKED, "lock_open")
    else:
        _button("Lock", state.RoomStep.LOCKED, "lock", help="Nobody else can join.")
    if room.before_reset is not None:
        _button("Undo reset", state.RoomStep.RESET_UNDONE, "undo")
    elif room.round.first or phase != state.RoomPhase.BLIND:
        help = "Begins this round again, without its answers. Undo brings them back."
        _button("Reset", state.RoomStep.RESET, "restart_alt", help=help)


def _button(label: str, step: state.RoomStep, icon: str, **look: str) -> None:
    button(label, f"room-{step.value}", setup.do, step, icon=icon, **look)


def _badge(line: state.RosterLine) -> str:
    colour, sign = _BADGES[line.presence]
    sign += ":material/smart_toy: " * line.person.simulated
    return f":{colour}-badge[{sign}{plain(line.person.nickname)} {line.answered}/{line.items}]"


def _agreement(when: str, found: measures.RoomAgreement, *, grouped: bool) -> None:
    if grouped:
        ami = "–" if found.ami is None else f"{found.ami:.2f}"
        help = "Adjusted mutual information of each person's groups with those merged from the others; "
        st.metric(f"AMI{when}", ami, width="content", help=f"{help}the mean.")
    else:
        raw = "–" if found.raw is None else f"{100 * found.raw:.0f} %"
        st.metric(f"Same answer{when}", raw, width="content", help="Of all pairs of answers to one item.")
    value, (low, high) = found.alpha.value, found.alpha.interval
    # Where only one answer occurs, chance agrees in full, too, and alpha is not defined.
    shown = ("All agree" if found.raw == 1 else "–") if value is None else f"{value:.2f}"
    if low is not None and high is not None:
        shown += f" [{low:.2f}, {high:.2f}]"
    of = "Of pairs of headlines, in one group or not." if grouped else "In brackets its 95 % interval."
    help = f"Krippendorff's alpha: 1 if all agree, 0 as by chance. {of}"
    st.metric(f"Alpha{when}", shown, width="content", help=help)


def _version(room: state.Room) -> tuple[object, ...]:
    round_ = room.round
    return room.code, room.sequence, len(room.here), len(round_.first), len(round_.second)


@cached(max_entries=64, hash_funcs={"core.people.room.state.Room": _version})
def _measured(room: state.Room) -> measures.RoomAgreement | measures.RoomChange:
    if room.round.second:
        return measures.room_change(room, room.round)
    return measures.room_agreement(room.round, state.counted(room, room.round.answers))
