"""The room on the projector: who is here, how far, how far they agree; looked at again every second."""

from __future__ import annotations

import html
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Final

import streamlit as st

from components.buttons import steps
from components.charts.theme import meaning
from components.markdown import plain
from components.page import errors_shown, show_kept_error
from components.resources import cached
from components.room.server import rooms
from components.room.setup import do
from components.room.state import TEACHING
from core.palette import AGREES
from core.people.room.measures import (
    RoomAgreement,
    RoomChange,
    most_divided,
    room_agreement,
    room_change,
    tally,
)
from core.people.room.sheets import LETTERS
from core.people.room.state import (
    Room,
    RoomPhase,
    RoomPresence,
    RoomStep,
    RosterLine,
    counted,
    progress,
    roster,
)
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


SECONDS: Final = 1.0  # between two looks at the room
_BADGES: Final = {
    RoomPresence.WORKING: ("blue", ""),
    # The class sees the projector: how many are stuck is said, and not who.
    RoomPresence.STUCK: ("blue", ""),
    RoomPresence.DONE: ("green", ":material/check: "),
    RoomPresence.AWAY: ("gray", ":material/wifi_off: away · "),
}
_PHASES: Final = {
    RoomPhase.BLIND: "Vote",
    RoomPhase.REVEALED: "Answers",
    RoomPhase.AGAIN: "Second vote",
    RoomPhase.COMPARED: "Before and after",
}


@st.fragment(run_every=SECONDS)
def live() -> None:
    """Draws the state of the room, the buttons that change it, and its figures."""
    with errors_shown("Room"):
        _look()


def _look() -> None:
    room = rooms().room(TEACHING.now().code)
    show_kept_error()
    with st.container(horizontal=True, vertical_alignment="center", key="room-state"):
        st.markdown(_state(room), width="content")
        _controls(room)
    given, all_of_them = progress(room)
    lines = roster(room, rooms().seen(room.code), datetime.now(UTC))
    if room.round.vote:
        done = sum(line.presence == RoomPresence.DONE for line in lines)
        said = f"**{given:,}** of {all_of_them:,} answers · {done} of {len(lines)} people done"
        st.progress(given / all_of_them if all_of_them else 0.0, text=said)
    else:
        round_ = room.round
        grouped = round_.task.kind == RoomKind.GROUPS
        with st.container(horizontal=True, key="room-figures"):
            if round_.second:
                change = _change(room)
                share = f"{change.changed} of {change.both} answers"
                st.metric(
                    "Changed", share, width="content", help="Of the answers that were given in both votes."
                )
                shown = {", before": change.before, ", after": change.after}
            else:
                shown = {"": _agreed(room)}
            for when, agreement in shown.items():
                _agreement(when, agreement, grouped=grouped)
        alphas = [agreement.alpha for agreement in shown.values()]
        remarks = [alpha.warning or (alpha.reason and f"No alpha: {alpha.reason}.") for alpha in alphas]
        if any(remarks):
            st.caption(plain(" ".join(dict.fromkeys(remarks))))
    if room.round.vote or not lines:
        if not lines:
            st.info(
                "**Nobody is here yet.**  \nScan the code with a phone, or open the address.",
                icon=":material/group_add:",
            )
            return
        stuck = sum(line.presence == RoomPresence.STUCK for line in lines)
        st.caption(f"{len(lines)} here" + (f" · **{stuck} stuck**" if stuck else ""))
        with st.container(key="room-roster"):
            st.markdown(" ".join(map(_badge, lines)))
    else:
        answers(room)


def _state(room: Room) -> str:
    phase = f"**Round {room.round.number} · {_PHASES[room.round.phase]}**"
    signs = [
        ":orange-badge[:material/pause_circle: paused]" * room.paused,
        ":gray-badge[:material/lock: locked]" * room.locked,
        ":red-badge[closed]" * room.closed,
    ]
    return " ".join([phase, *filter(None, signs)])


def _controls(room: Room) -> None:
    if room.closed:
        return
    phase = room.round.phase
    if room.round.vote:
        label = "Reveal answers" if phase == RoomPhase.BLIND else "Compare votes"
        _button(label, RoomStep.REVEALED, ":material/visibility:", primary=True)
    elif phase == RoomPhase.REVEALED:
        _button("Vote again", RoomStep.VOTE_AGAIN, ":material/how_to_vote:", primary=True)
    if room.paused:
        _button("Go on", RoomStep.RESUMED, ":material/play_arrow:", primary=True)
    else:
        _button("Pause", RoomStep.PAUSED, ":material/pause:")
    if room.locked:
        _button("Unlock", RoomStep.UNLOCKED, ":material/lock_open:")
    else:
        _button("Lock", RoomStep.LOCKED, ":material/lock:", help="Nobody else can join.")
    if room.before_reset is not None:
        _button("Undo reset", RoomStep.RESET_UNDONE, ":material/undo:")
    elif room.round.first or phase != RoomPhase.BLIND:
        help = "Begins this round again, without its answers. Undo brings them back."
        _button("Reset", RoomStep.RESET, ":material/restart_alt:", help=help)


def _button(label: str, step: RoomStep, icon: str, *, primary: bool = False, help: str | None = None) -> None:
    st.button(
        label,
        key=f"room-{step.value}",
        icon=icon,
        type="primary" if primary else "secondary",
        on_click=do,
        args=(step,),
        help=help,
    )


def _badge(line: RosterLine) -> str:
    colour, sign = _BADGES[line.presence]
    return f":{colour}-badge[{sign}{plain(line.person.nickname)} {line.answered}/{line.items}]"


def _agreement(when: str, found: RoomAgreement, *, grouped: bool) -> None:
    if grouped:
        ami = "–" if found.ami is None else f"{found.ami:.2f}"
        help = (
            "Adjusted mutual information of each person's groups with those merged from the others; the mean."
        )
        st.metric(f"AMI{when}", ami, width="content", help=help)
    else:
        raw = "–" if found.raw is None else f"{100 * found.raw:.0f} %"
        st.metric(f"Same answer{when}", raw, width="content", help="Of all pairs of answers to one item.")
    value, (low, high) = found.alpha.value, found.alpha.interval
    # Where only one answer occurs, chance agrees in full, too, and alpha is not defined.
    shown = ("All agree" if found.raw == 1 else "–") if value is None else f"{value:.2f}"
    if low is not None and high is not None:
        shown += f" [{low:.2f}, {high:.2f}]"
    help = "Krippendorff's alpha: 1 if all agree, 0 as by chance. " + (
        "Of pairs of headlines, in one group or not." if grouped else "In brackets its 95 % interval."
    )
    st.metric(f"Alpha{when}", shown, width="content", help=help)


def _version(room: Room) -> tuple[object, ...]:
    round_ = room.round
    return room.code, room.sequence, len(room.here), len(round_.first), len(round_.second)


_once = partial(cached, max_entries=64, hash_funcs={"core.people.room.state.Room": _version})


@_once()
def _agreed(room: Room) -> RoomAgreement:
    return room_agreement(room.round, counted(room, room.round.answers))


@_once()
def _change(room: Room) -> RoomChange:
    return room_change(room, room.round)
