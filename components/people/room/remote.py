"""What a teacher does in a room: on the Room page, and with big buttons on a phone or in a second window."""

from collections.abc import Sequence
from functools import partial
from typing import Final

import streamlit as st

from components.frame import cookie, errors, markdown, page_state
from components.frame.widgets import button, notice, steps
from components.opened.views import timeline as timeline_state
from components.opened.views.people import TEACHING
from components.people.room import held, setup, simulated
from components.people.room.screen import STYLES, answers, code_letters, count, nicknames, standing
from components.people.room.tasks import lettered
from components.server.server_keys import COOKIE_SECONDS
from core.people.room import measures, rooms, state
from core.people.room.replay import may_lead, may_vote_again
from core.people.room.task import Ballot, RoomKind

SECONDS: Final = 1.0  # between two looks at the room
HIDEABLE: Final = 20  # contradictions, the newest of them, that the remote lists
COUNTDOWN: Final = 30  # seconds
COOKIE: Final = "headline_lab_teacher"
_CAME: Final = "room_came"
_END: Final = "remote-end"
_LED: Final = "Go question by question"


def remote() -> None:
    come_back()
    here = TEACHING.now()
    if not here.code:
        st.title("Remote", anchor=False)
        notice("no_room", icon="settings_remote", does="controls")
    else:
        st.html(STYLES[0])
        with st.container(key="remote"):
            room = held.rooms().room(here.code)
            _buttons(closed=room.closed)
            if not room.closed:
                with st.popover(
                    "New round", icon=":material/playlist_add:", key=held.NEW_ROUND, on_change="rerun"
                ):
                    setup.new_round(room)
                look = {"icon": ":material/door_front:", "type": "tertiary", "on_change": "rerun"}
                with st.popover("End the lesson", key=_END, **look):
                    st.caption("Nobody can join or answer any more. The answers stay.")
                    button("Close the room", "room-closed", held.do, state.RoomStep.CLOSED)
                    button("Cancel", "remote-stay", st.session_state.update, {_END: False}, type="tertiary")
    keep_place()
    page_state.write_address(TEACHING.part(), timeline_state.part("data"))


@st.fragment(run_every=SECONDS)
@errors.errors_shown("Remote")
def _buttons(*, closed: bool) -> None:
    room = look()
    if room.closed != closed:  # by the Room page: what ends the lesson goes, too
        st.rerun()
    st.title(markdown.plain(room.round.task.question or room.round.task.title), anchor=False)
    st.markdown(standing(room))
    # Whatever stands here, the buttons below keep their places.
    with st.container(key="remote-now"):
        if room.round.vote:
            count(room)
        elif room.round.phase == state.RoomPhase.LOBBY and not room.closed:
            st.caption("*Start* is for all phones, each at its own pace.")
    first = st.container()
    later = controls(room) or room.round.led
    seldom(room)
    with st.container() if later else first:
        step_through(room, type="secondary" if later else "primary")
    if room.round.led and room.round.vote:
        led_question(room, known=room.round.task.question)
    elif room.here and has_results(room):
        answers(room, reasons=False)
    hide_reasons(room)
    if room.round.phase == state.RoomPhase.LOBBY and not room.closed:
        with st.container(key="remote-lobby"):
            code_letters(room.code)
            st.markdown(nicknames(room))


def led_question(room: state.Room, known: str = "") -> None:
    item = room.round.asked[0]
    asked = room.round.task.words_of(item)[0]
    for text in (*([] if asked == known else [f"**{markdown.plain(asked)}**"]), *lettered(item)):
        st.markdown(text)


def look() -> state.Room:
    """The room as it stands, with what simulated phones do between two looks, and what went wrong."""
    here = TEACHING.now()
    simulated.act(here.code, here.token)
    errors.show_kept_error()
    return held.rooms().room(here.code)


def has_results(room: state.Room) -> bool:
    """Whether there are answers of an item to show."""
    lobby, broken = room.round.phase == state.RoomPhase.LOBBY, room.round.task.kind == RoomKind.BREAK
    return not (lobby or broken or room.round.vote)


def step_through(room: state.Room, *, said: str = "**{}** of {}", **look: str) -> None:
    """Steps to the results of other items; led, to other questions."""
    led = bool(room.round.led) and not room.closed
    if len(room.round.task.items) == 1 or not (led or has_results(room)):
        return
    if led:
        items, at = room.round.task.items, room.round.at
    else:
        items = measures.most_divided(room.round, state.counted(room, room.round.first))
        at = measures.in_view(room)[1]

    def go(to: int) -> None:
        held.do(state.RoomStep.LED if led else state.RoomStep.SHOWN, item=items[to].key)

    where = ("**{}** of {}" if led else said).format(at + 1, len(items))
    steps(where, at, len(items), go, what="led" if led else "room-item", **({} if led else look))


def hide_reasons(room: state.Room) -> None:
    """What people wrote, which a press takes from the screen; answers in own words before they are shown."""
    task = room.round.task
    if task.kind == RoomKind.BREAK:
        made = reversed(state.counted_attempts(room, room.round)[-HIDEABLE:])
        _hide(room, [("", (attempt.who, attempt.item), " · ".join(attempt.texts)) for attempt in made])
        return
    written = [
        ("", ballot, text)
        for ballot, text in state.counted(room, room.round.standing).items()
        if (item := task.item(ballot[1])) and task.kind_of(item) == RoomKind.TEXT
    ]
    if has_results(room):
        item, _ = measures.in_view(room)
        written = [entry for entry in written if entry[1][1] == item.key]
        reasons = state.reasons_for(room, item.key, hidden=True)
        given = {ballot: room.round.reasoned.get(ballot, "") for ballot, _ in reasons}
        for value in dict.fromkeys((*task.options_of(item), *given.values())):
            said = task.wording(item, value)
            written += [(said, ballot, why) for ballot, why in reasons if given[ballot] == value]
    _hide(room, written)


def _hide(room: state.Room, written: Sequence[tuple[str, Ballot, str]]) -> None:
    """Texts to press, below the answers that they were given for."""
    heading = ""
    for place, (answer, ballot, text) in enumerate(written):
        if answer != heading:
            heading = answer
            st.markdown(f"**{markdown.plain(markdown.shorten(answer, 80))}**")
        off = ballot in room.round.hidden
        hide = partial(held.do, state.RoomStep.REASON_HIDDEN, person=ballot[0], item=ballot[1])
        look = {"type": "tertiary", "help": "Show it again." if off else "Hide it from the screen."}
        label = f"~~{markdown.plain(text)}~~" if off else markdown.plain(text)
        button(label, f"room-reason-{place}", hide, icon="visibility_off" if off else "visibility", **look)


def come_back() -> None:
    """The room that the link to the remote names, or the one that this browser held."""
    given = TEACHING.now().key
    if _CAME in st.session_state and not given:
        return
    st.session_state[_CAME] = "came"
    code, _, token = (given or str(st.context.cookies.get(COOKIE, ""))).partition(".")
    TEACHING.put(key="")
    try:
        if token and held.rooms().is_teacher(code, token) and not held.rooms().room(code).closed:
            TEACHING.put(code=code, token=token)
            setup.open_material(held.rooms().room(code))
    except rooms.NoSuchRoom:
        return


def keep_place() -> None:
    here = TEACHING.now()
    if here.token or st.session_state[_CAME] == "left":
        place = f"{here.code}.{here.token}" if here.token else ""
        cookie.keep_cookie(COOKIE, place, COOKIE_SECONDS, key="room-cookie")


def leave() -> None:
    TEACHING.put(code="", token="")
    st.session_state[_CAME] = "left"


def controls(room: state.Room) -> bool:
    """Draws what can be done now; whether one of it is the next step, which is filled."""
    if room.closed:
        return False
    round_, step, phase = room.round, state.RoomStep, room.round.phase
    broken = round_.task.kind == RoomKind.BREAK
    reveal = ("End the round" if broken else "Reveal answers") if round_.vote == 1 else "Compare votes"
    again, led = may_vote_again(round_), bool(round_.led)
    known = again and any(item.right or item.model for item in round_.asked)
    items, primary = round_.task.items, {"type": "secondary" if room.paused else "primary"}
    following = [] if not led or round_.vote else [item.key for item in items[round_.at + 1 :]]
    to, timed = following[0] if following else items[0].key, round_.vote > 0 and not room.paused
    lead, count_down = ({"then": partial(held.do, **body)} for body in ({"item": to}, {"seconds": COUNTDOWN}))
    forward = primary | ({"shortcut": "PageDown"} if led else {})
    vote, answer = ({"shortcut": "V"}, {"shortcut": "A"}) if led else (primary, {})
    offered = (
        (phase == state.RoomPhase.LOBBY, "Start", step.STARTED, "play_arrow", primary),
        (may_lead(round_) and phase == state.RoomPhase.LOBBY, _LED, step.LED, "co_present", lead),
        (round_.vote > 0, reveal, step.REVEALED, "visibility", forward),
        (bool(following), "Next question", step.LED, "arrow_forward", forward | lead),
        (again, "Vote again", step.VOTE_AGAIN, "how_to_vote", vote),
        (known, "Show the answer", step.SOLVED, "lightbulb", answer),
        (timed, f"Start {COUNTDOWN} s timer", step.COUNTDOWN, "timer", count_down),
        (room.paused, "Go on", step.RESUMED, "play_arrow", {"type": "primary"}),
        (not room.paused, "Pause", step.PAUSED, "pause", {}),
        (room.locked, "Unlock", step.UNLOCKED, "lock_open", {}),
        (not room.locked, "Lock", step.LOCKED, "lock", {"help": "Nobody else can join."}),
        (room.before_reset is not None, "Undo reset", step.RESET_UNDONE, "undo", {}),
    )
    for here, label, what, icon, look in offered:
        if here:
            button(label, f"room-{what.value}", look.pop("then", held.do), what, icon=icon, **look)
    return any(here and "type" in look for here, *_, look in offered)


def seldom(room: state.Room) -> None:
    """What changes the whole round while it runs."""
    round_ = room.round
    if may_lead(round_) and not round_.led and round_.phase != state.RoomPhase.LOBBY and not room.closed:
        led = partial(held.do, state.RoomStep.LED, item=round_.task.items[0].key)
        button(_LED, "room-led-late", led, icon="co_present", type="tertiary")
    begun = round_.first or round_.led or round_.phase not in {state.RoomPhase.LOBBY, state.RoomPhase.BLIND}
    if begun and room.before_reset is None and not room.closed:
        look = {"help": "Begins this round again, without its answers. Undo brings them back."}
        look |= {"icon": "restart_alt", "type": "tertiary"}
        button("Reset", "room-reset", held.do, state.RoomStep.RESET, **look)
