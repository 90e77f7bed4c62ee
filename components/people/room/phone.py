"""What a phone shows: a code, a nickname, then one question after the other with a big button an answer."""

from datetime import UTC, date, datetime
from functools import partial
from typing import Final

import streamlit as st

from components.frame.errors import errors_shown, keep_error, show_error, show_kept_error
from components.frame.language import LANGUAGE, choose_language, say, translated
from components.frame.markdown import JOINER, WORDS, paragraphs, plain
from components.frame.mounting import mounted
from components.frame.page_state import write_address
from components.frame.widgets import button, notice
from components.opened.views.people import JOINING
from components.people.room.held import rooms
from components.people.room.league import ask_phone
from components.people.room.room_mark import mark_address, room_mark
from components.people.room.screen import LINES, STYLES, bars, show_reasons, verdict
from components.people.room.tasks import lettered
from components.server import sessions
from core.data.timelines.periods import written_day
from core.digests import digest
from core.errors import CoreError, InputError
from core.people.room import measures
from core.people.room import task as tasks
from core.people.room.replay import RoomRefusal
from core.people.room.rooms import NoSuchRoom, RoomRefused
from core.people.room.state import VOTES, Room, RoomPerson, RoomPhase, reasons_for
from core.text.normalise import clean_line

SECONDS: Final = 2.0  # between two looks at the room, of which its mark tells earlier
_CODE: Final = "join-code"
_NAME: Final = "join-name"
_REASON: Final = "join-why-{}-{}"
_TEXT: Final = "join-text-{}-{}"
_ORDER: Final = "join-order-{}-{}"
_DRAWN: Final = "join-drawn"
_SILENCE: Final = 10  # seconds without a look at the room after which the phone says that nothing arrives
_watch = mounted(__file__, "phone", '<div class="join-connection" role="alert"></div>', isolate_styles=False)


def phone() -> None:
    st.html(STYLES[0])
    _come_in()
    show_kept_error()
    code = JOINING.now().code
    inside = bool(code) and (JOINING.now().joined or rooms().person(code, sessions.browser()) is not None)
    if not code:
        st.title(say("Join a room"), anchor=False)
        message, hint = JOINING.now().refused
        if message:
            show_error(NoSuchRoom(message, hint=hint))
        with st.form("join-room", border=False):
            look = {"autocomplete": "off", "placeholder": "____ ____"}  # as the screen writes a code
            st.text_input(say("The letters on your teacher’s screen"), key=_CODE, **look)
            st.form_submit_button(say("Next"), type="primary", width="stretch", on_click=_take_code)
        st.caption(say("No account is needed. Your teacher and the class see the name you choose."))
    elif not inside:
        _ask_for_name()
    else:
        JOINING.put(joined=True)
        _vote()
        _follow()
    choose_language()
    patience = _SILENCE if inside else 0
    gone = say("No connection. What you see may be old, and your answers are stored. Keep this page open.")
    watched: dict[str, object] = {"patience": patience, "said": [gone, say("Connected again.")]}
    if inside and not (room := rooms().room(code)).closed:
        watched |= {"address": mark_address(code), "known": room_mark(room)}
    _watch(key="join-watch", data=watched, on_moved_change=lambda: None)
    write_address(JOINING.part(), LANGUAGE.part())


def _come_in() -> None:
    here = JOINING.now()
    if here.code:
        return
    try:
        code, door = rooms().find(here.room) if here.room else (rooms().room_of(sessions.browser()), 0)
        JOINING.put(code=code, door=door, room=here.room or code)
    except NoSuchRoom as error:
        JOINING.put(room="", refused=(error.message, error.advice))


def _take_code() -> None:
    typed = st.session_state[_CODE]
    try:
        code, door = rooms().find(typed)
        JOINING.put(room=typed, code=code, door=door, refused=("", ""))
    except CoreError as error:
        JOINING.put(refused=(error.message, error.advice))


def _ask_for_name() -> None:
    room = rooms().room(JOINING.now().code)
    st.title(say("Join a room"), anchor=False)
    st.caption(plain(room.round.task.title))
    if room.closed or room.locked:
        notice("room_closed" if room.closed else "room_locked")
        st.button(say("Try again"), width="stretch")
        return
    with st.form("join-name-form", border=False):
        st.text_input(say("Your nickname"), key=_NAME, autocomplete="off")
        st.form_submit_button(say("Join"), type="primary", width="stretch", on_click=_take_name)
    st.caption(say(WORDS["texts"]["nickname"]))


def _take_name() -> None:
    try:
        here = JOINING.now()
        rooms().join(here.code, st.session_state[_NAME], browser=sessions.browser(), door=here.door)
    except CoreError as error:
        keep_error(error)
        if isinstance(error, RoomRefused) and error.reason is RoomRefusal.CODE:
            JOINING.reset()


def _standing(room: Room, person: RoomPerson | None) -> tuple[object, ...]:
    round_ = room.round
    shown = () if round_.vote else (round_.shown, round_.solved)
    return round_.began, room.paused, room.closed, person is None, round_.over(datetime.now(UTC)), *shown


@st.fragment(run_every=SECONDS)
@errors_shown("Join")
def _follow() -> None:
    """Draws nothing: a look costs a fifth of a question, which is drawn anew once the room is elsewhere."""
    code = JOINING.now().code
    room, person = rooms().room(code), rooms().person(code, sessions.browser())
    if person is not None:
        rooms().see(code, person.who)
    if _standing(room, person) != st.session_state[_DRAWN]:
        st.rerun()
    if (left := room.round.seconds_left(datetime.now(UTC))) and person is not None:
        st.caption(f":material/timer: {say('{seconds} s', seconds=left)}")


@st.fragment
@errors_shown("Join")
def _vote() -> None:
    code = JOINING.now().code
    room, person = rooms().room(code), rooms().person(code, sessions.browser())
    st.session_state[_DRAWN] = _standing(room, person)
    title = plain(room.round.task.title)
    if person is None:
        st.title(title, anchor=False)
        notice("room_left")
        return
    who = say("{nickname} · room {code}", nickname=plain(person.nickname), code=f"{code[:4]} {code[4:]}")
    st.caption(f"{who} · {title.replace('–', f'{JOINER}–{JOINER}')}")  # years stay in one line
    show_kept_error()
    lobby, waits = room.round.phase == RoomPhase.LOBBY, say("It starts in a moment. Keep this page open.")
    for holds, head, said, icon in (
        (room.closed, say("The room is closed"), say("Thank you for your answers."), "task_alt"),
        (room.paused, say("Paused"), say("It continues by itself. Your answers are stored."), "pause_circle"),
        (lobby, say("You are in"), f"**{plain(person.nickname)}**\n\n{waits}", "how_to_reg"),
        (not room.round.vote, say("Look at the screen"), "", "co_present"),
        (room.round.over(datetime.now(UTC)), say("Time is over"), say("Look at the screen"), "timer_off"),
    ):
        if holds:
            if not (room.closed or room.paused):
                _reviews(room, person)
            _notice(head, said, icon)
            if room.closed:
                _points(room, person)
                _reviews(room, person)
            break
    else:
        task, given, led = room.round.task, room.answers_of(person.who), room.round.led
        order = (led,) if led else tasks.item_order(task, person.who)
        open_ = [key for key in order if key not in given]
        key = JOINING.now().item if JOINING.now().item in order else next(iter(open_), led)
        if room.round.phase == RoomPhase.AGAIN:
            st.caption(say("**Second vote.** Change an answer, or press nothing: your first answer stays."))
        broken = task.kind == tasks.RoomKind.BREAK
        if led:
            said = say("**Question {at}** of {count}", at=room.round.at + 1, count=len(task.items))
            st.caption(f"{said} · {say('your answer is stored, and can be changed')}" if given else said)
        else:
            _how_far(room, person, len(order))
        item = task.item(key)
        if item is None:
            then = say("Look at the screen, or go back and change an answer.")
            _notice(say("All broken") if broken else say("All answered"), then, "task_alt")
        else:
            _ask(room, person, item, given.get(key, ""))
        at = order.index(key) if item is not None else len(order)
        if at:
            back = partial(JOINING.put, item=order[at - 1])
            button(say("Back"), "join-back", back, icon="arrow_back", type="tertiary")


def _how_far(room: Room, person: RoomPerson, of: int) -> None:
    again, first = room.round.phase == RoomPhase.AGAIN, room.round.first
    given = room.answers_of(person.who).items()
    done = sum(not again or first.get((person.who, key)) != answer for key, answer in given)
    said = say("**{done}** of {count} answered", done=done, count=of)
    if room.round.task.kind == tasks.RoomKind.BREAK:
        said = say("**{done}** of {count} broken", done=done, count=of)
    elif again:
        said = say("**{changed} of {count} changed**", changed=done, count=of)
    st.progress(done / of, text=said)


def _points(room: Room, person: RoomPerson) -> None:
    points, count = measures.points(room, person.who)
    if count:
        st.markdown(f"**{say('You have {points} of {count} points.', points=points, count=count)}**")


def _reviews(room: Room, person: RoomPerson) -> None:
    """The item in view, once the room is closed all that were shown."""
    view = [] if room.round.vote or room.round.phase == RoomPhase.LOBBY else [measures.in_view(room)[0]]
    if room.closed:
        view = [item for item in room.round.task.items if room.round.phase_of(item.key) not in VOTES]
    for item in view if room.round.task.kind != tasks.RoomKind.BREAK else ():
        _review(room, person, item)


def _review(room: Room, person: RoomPerson, item: tasks.RoomItem) -> None:
    """What the room and this person answered to an item, then what is known of it, and why."""
    task, round_ = room.round.task, room.round
    own = tasks.first_of_groups(task, round_.last).get((person.who, item.key), "")
    said, most = verdict(room, item)
    with st.container(key=f"join-review-{item.key}"):
        parts = st.container(), st.container()
        answered, asked = parts[::-1] if room.closed else parts
        if said:
            answered.markdown(said)
        if not room.closed and task.kind_of(item) not in {tasks.RoomKind.RANKING, tasks.RoomKind.TEXT}:
            with answered:
                bars(room, item, own)
        elif own:
            answered.markdown(f"{say('You')}: **{plain(say(task.wording(item, own)))}**")
        if not item.texts or (room.closed and item.question):
            asked.caption(plain(say(task.words_of(item)[0])))
        for text in lettered(item):
            asked.markdown(text)
        for who, value in measures.known_answers(round_, item).items():
            st.markdown(f"{plain(translated(who))}: **{plain(say(value))}**")
        # A reason that somebody else gave for what is right, else for what most say.
        given, wanted = round_.reasoned, [item.right] if round_.tells(item.key) else []
        reasons = [(by, why) for by, why in reasons_for(room, item.key) if by[0] != person.who]
        for value in wanted if any(wanted) else most:
            show_reasons(room, item, [(by, why) for by, why in reasons if given.get(by) == value][:1], LINES)


def _notice(head: str, said: str, icon: str) -> None:
    st.container(key="join-notice").markdown(f"# :material/{icon}: {head}\n\n{said}")


def _ask(room: Room, person: RoomPerson, item: tasks.RoomItem, given: str) -> None:
    task = room.round.task
    question, help = map(say, task.words_of(item))
    # Who has asked a model knows the question, and needs the space for its answer.
    known = any(attempt.who == person.who for attempt in room.round.attempts)
    with st.container(key="join-question"):
        st.title(plain(question), anchor=False)
        if help and not known:
            st.caption(plain(help))
    # The name of the box changes from item to item, so that its buttons rest a moment after each answer.
    turn = list(tasks.item_order(task, person.who)).index(item.key) % 2
    with st.container(key=f"join-item-{turn}"):
        if task.kind == tasks.RoomKind.BREAK:
            ask_phone(room, person, item)
            return
        if task.kind == tasks.RoomKind.GROUPS:
            _ask_group(room, person, item)
            return
        labels = {value: plain(say(wording)) for value, wording in task.options_of(item).items()}
        if task.kind_of(item) == tasks.RoomKind.CHOICE:
            values, hidden = list(labels), room.round.vote == 1 and not room.round.led  # from the screen
            order = tasks.shown_order(task, item, person.who) if hidden else range(len(item.texts))
            texts = {values[at]: plain(item.texts[at]) if hidden else lettered(item)[at] for at in order}
            labels = texts | {value: label for value, label in labels.items() if value not in texts}
        else:
            with st.container(key="join-texts"):
                for text in lettered(item):
                    st.markdown(text)
        if item.article:
            st.expander(say("The article"), icon=":material/article:").markdown(paragraphs(item.article))
        first = room.round.first.get((person.who, item.key), "") if room.round.vote > 1 else ""
        if task.kind_of(item) == tasks.RoomKind.TEXT:
            _ask_text(room, item, given or first)
            return
        _ask_reason(room, person, item)
        if task.kind_of(item) == tasks.RoomKind.RANKING:
            _ask_order(room, person, item, given or first)
        for value, label in labels.items() if task.kind_of(item) != tasks.RoomKind.RANKING else ():
            _button(room, item, value, label, (given, first))


def _ask_text(room: Room, item: tasks.RoomItem, given: str) -> None:
    key = _TEXT.format(room.round.began, item.key)
    st.session_state.setdefault(key, given)
    with st.form(f"join-text-form-{item.key}", border=False):
        st.text_input(say("Your answer"), key=key, max_chars=tasks.LONGEST_WRITTEN, autocomplete="off")
        send = {"type": "primary", "width": "stretch", "on_click": _send_text}
        st.form_submit_button(say("Send"), args=(room.round.began, item.key, key), **send)


def _send_text(began: int, item: str, key: str) -> None:
    if text := clean_line(st.session_state[key]):
        _answer(began, item, text)


def _ask_order(room: Room, person: RoomPerson, item: tasks.RoomItem, given: str) -> None:
    """Buttons that number themselves as they are pressed, in an order of each person's own."""
    task, key = room.round.task, _ORDER.format(room.round.began, item.key)
    options = task.options_of(item)
    chosen: list[str] = st.session_state.setdefault(key, task.ranked(item, given))
    for value in sorted(options, key=lambda value: digest(value, person.who)):
        place = f"**{chosen.index(value) + 1}** · " if value in chosen else ""
        look = "primary" if place else "secondary"
        name = f"join-order-{room.round.began}-{item.key}-{list(options).index(value)}"
        label = place + plain(say(options[value]))
        button(label, name, _place, key, value, list(options), type=look, width="stretch")
    order, whole = task.order_of(item, chosen), len(chosen) == len(options)
    send = partial(_answer, room.round.began, item.key, order)
    button(
        say("Send"), "join-send", send, icon="check", disabled=not whole or order == given, width="stretch"
    )


def _place(key: str, value: str, options: list[str]) -> None:
    chosen = [other for other in st.session_state[key] if other != value]
    if len(chosen) == len(st.session_state[key]):
        chosen.append(value)
        left = [other for other in options if other not in chosen]
        chosen += left if len(left) == 1 else []
    st.session_state[key] = chosen


def _ask_reason(room: Room, person: RoomPerson, item: tasks.RoomItem) -> None:
    key = _REASON.format(room.round.began, item.key)
    ballot = person.who, item.key
    of_this_vote = room.round.vote == 1 or ballot in room.round.reasons_again
    st.session_state.setdefault(key, room.round.reasons.get(ballot, "") if of_this_vote else "")
    said = say("Why? Optional, before you answer. The screen and other phones may show it without your name.")
    with st.expander(said.partition(".")[0]):
        st.text_input(said, key=key, on_change=partial(_cut, key), autocomplete="off")


def _cut(key: str) -> None:
    reason = str(st.session_state.get(key) or "")
    if len(reason) > tasks.LONGEST_WRITTEN:
        st.session_state[key] = reason[: tasks.LONGEST_WRITTEN]
        hint = say("Only the first {count} count.", count=tasks.LONGEST_WRITTEN)
        keep_error(InputError(say("Your reason has {count} characters.", count=len(reason)), hint=hint))


def _ask_group(room: Room, person: RoomPerson, item: tasks.RoomItem) -> None:
    task, who = room.round.task, person.who
    with st.container(border=True):
        day = f":gray[{written_day(date.fromisoformat(item.day))}]  \n" if item.day else ""
        st.markdown(f"{day}**{plain(item.texts[0])}**")
    _ask_reason(room, person, item)
    ballot = (who, item.key)
    now = tasks.first_of_groups(task, room.round.answers).get(ballot, "")
    first = tasks.first_of_groups(task, room.round.first).get(ballot, "") if room.round.vote > 1 else ""
    options = task.options_of(item)
    groups = tasks.groups_of(task, room.round.answers, who)
    places = {key: at for at, key in enumerate(options)}
    _button(room, item, item.key, say(tasks.NEW_EVENT), (now, first))
    # The group that was added to last stands first, and the person's first answer is always among them.
    last = {
        key: max(places[row] for row in rows if row in places)
        for key, rows in groups.items()
        if key in places and key != item.key
    }
    if first and first != item.key:
        last.setdefault(first, 0)
    if last:
        st.caption(say("Or the same event as"))
    for value in sorted(last, key=last.__getitem__, reverse=True):
        others = len([key for key in groups.get(value, ()) if key not in (value, item.key)])
        label = plain(options[value]) + (f" :gray[{say('and {count} more', count=others)}]" if others else "")
        _button(room, item, value, label, (now, first))


def _button(room: Room, item: tasks.RoomItem, value: str, label: str, given: tuple[str, str]) -> None:
    now, first = given
    said = f"{label}  \n:small[{say('your first answer')}]" if value == first else label
    look = "primary" if value == (now or first) else "secondary"
    answer = room.round.began, item.key, value
    button(said, "join-{}-{}-{}".format(*answer), _answer, *answer, type=look, width="stretch")


def _answer(began: int, item: str, answer: str) -> None:
    here = JOINING.now()
    try:
        reason = str(st.session_state.get(_REASON.format(began, item)) or "")
        about = {"began": began, "item": item, "answer": answer, "reason": reason}
        rooms().answer(here.code, sessions.browser(), **about)
        JOINING.put(item="")
    except RoomRefused as error:
        keep_error(error)
    except CoreError as error:
        message = f"{say('Your answer is not saved.')} {translated(error.message)}"
        keep_error(CoreError(message, hint=error.hint))
