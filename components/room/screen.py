"""The presenter's view: what a class sees of a room, in type for the last row, and nothing to press."""

import html
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import numpy as np
import segno
import streamlit as st

from components.charts.theme import ink, meaning
from components.markdown import plain, shorten
from components.page import errors_shown
from components.resources import cached
from components.room import league, setup
from components.security import is_open
from core.palette import AGAINST, AGREES
from core.people.room import measures, state
from core.people.room.rooms import LETTERS
from core.people.room.task import RoomItem, RoomKind

SECONDS: Final = 0.5  # between two looks at the room
LINES: Final = 2  # of reasons that have space on the screen, and twice as many without a comparison
_LINE: Final = 95  # characters of one
_STYLES: Final = [Path(__file__).with_name(f"{name}.css") for name in ("teacher", "screen")]


def screen() -> None:
    for style in _STYLES:
        st.html(style)
    if given := st.query_params.get("room", ""):
        _show(setup.rooms().find_screen(given))
        return
    st.title("Screen", anchor=False)
    said = "**This page shows no room.**  \nOn the Room page, open the link under “Screen and remote”."
    st.info(said, icon=":material/tv:")


@st.fragment(run_every=SECONDS)
@errors_shown("Screen")
def _show(code: str) -> None:
    room = setup.rooms().room(code)
    round_ = room.round
    broken = round_.task.kind == RoomKind.BREAK
    if room.closed:
        st.title("Thank you", anchor=False)
        st.markdown("The room is closed.")
        return
    if round_.phase == state.RoomPhase.LOBBY:
        code_at, people = st.columns([2, 3], gap="large", vertical_alignment="center")
        with code_at:
            door(code)
        with people:
            st.title(plain(round_.task.title), anchor=False)
            names = " ".join(f":blue-badge[{plain(person.nickname)}]" for person in room.here)
            st.markdown(f"**{len(room.here):,} here.** {names or 'Scan the code with a phone.'}")
        simulated_note(room)
        return
    with st.container(horizontal=True, vertical_alignment="center", key="screen-head"):
        with st.container(width="content", key="screen-door"):
            door(code, small=True)
        paused = " :orange-badge[paused]" * room.paused
        if broken:
            st.markdown(f"**{plain(setup.KINDS[RoomKind.BREAK])}**{paused}")
        elif round_.vote:
            again = "Second vote. " * (round_.phase == state.RoomPhase.AGAIN)
            st.markdown(
                f"**{again}{plain(round_.task.question)}**{paused}  \n:gray[{plain(round_.task.help)}]"
            )
        else:
            st.markdown(f"**{PHASES[round_.phase]}**{paused}", width="content")
            figures(room)
    if broken:
        league.scoreboard(room)
    elif round_.vote:
        given, all_of_them = state.progress(room)
        done = sum(len(room.answers_of(person.who)) == len(round_.task.items) for person in room.here)
        st.html(f'<p class="screen-count"><strong>{given:,}</strong> of {all_of_them:,} answers</p>')
        st.progress(
            given / all_of_them if all_of_them else 0.0, text=f"{done} of {len(room.here)} people done"
        )
        for text in round_.task.items[0].texts if len(round_.task.items) == 1 else ():
            st.markdown(f"**{plain(text)}**")
    elif room.here:
        answers(room)
    simulated_note(room)


def simulated_note(room: state.Room) -> None:
    if phones := [person for person in room.here if person.simulated]:
        usual = ("one answer", "the answer of the data")[any(item.right for item in room.round.task.items)]
        broken = room.round.task.kind == RoomKind.BREAK
        does = "cut words by chance" if broken else f"mostly give {usual}, with chance mistakes"
        said = f"{len(phones)} of {len(room.here)} phones are simulated: they {does}."
        st.caption(f":material/smart_toy: {said}")


def door(code: str, *, small: bool = False) -> None:
    link, letters = setup.link_for_phones(code), setup.rooms().code_shown(code)
    with st.container(key="room-door"):
        st.image(qr(link), alt="QR code of the address below", width="stretch")
        st.html(f'<p class="room-code" aria-label="Code of the room">{letters[:4]} {letters[4:]}</p>')
        st.markdown(plain(link.partition("?")[0].partition("//")[2]))
    if not small and not is_open(urlsplit(link).hostname or ""):
        start = "`streamlit run app.py --server.address=0.0.0.0`"
        said = f"**Phones cannot reach this address.**  \nStart the program with {start}."
        st.warning(said, icon=":material/wifi_off:")


@cached(max_entries=64)
def qr(link: str) -> str:
    return segno.make(link, error="m", micro=False).svg_inline(omitsize=True, border=2, light="#ffffff")


def answers(room: state.Room) -> None:
    """The item in view: its answers, and once votes are compared who went where, and what is known."""
    round_ = room.round
    (item, at), task = measures.in_view(room), round_.task
    compared = round_.phase == state.RoomPhase.COMPARED
    with st.container(border=True, key="room-item"):
        st.caption(f"{plain(task.question)}  **{at + 1}** of {len(task.items)}, most divided first")
        for place, text in enumerate(item.texts):
            letter = f"{LETTERS[place]} · " if task.kind == RoomKind.CHOICE else ""
            st.markdown(f"**{letter}{plain(text)}**")
        if compared:
            picture, said_of_it = st.columns([3, 2], vertical_alignment="center")
            with picture:
                _flow(room, item)
            known = [(f"As {task.key_from}", item.right)]
            who = (
                f"The model {task.scorer.partition('.')[0]} says" if task.scorer else "As the program groups"
            )
            known.append((who, item.model))
            said = [f"{plain(by)}: **{plain(task.wording(item, value))}**" for by, value in known if value]
            said_of_it.markdown("  \n".join(said))
        else:
            name = "First vote" if round_.second else "Votes"
            counts = measures.tally(round_, item, state.counted(room, round_.first))
            st.html(_bars(name, room, item, counts))
        reasons = state.reasons_for(room, item.key)
        lines = np.cumsum([1 + len(reason) // _LINE for _, reason in reasons])
        space = LINES * (1 if compared else 2) - sum(len(text) // 80 for text in item.texts)
        fit = int((lines <= max(space, 2)).sum())
        for _, reason in reasons[:fit]:
            st.markdown(f":material/format_quote: {plain(reason)}")
        if len(reasons) > fit:
            st.caption(f"and {len(reasons) - fit} more")


def _flow(room: state.Room, item: RoomItem) -> None:
    """A picture of who went from which answer to which: bands as high as many people."""
    ways, task = measures.flow(room, room.round, item), room.round.task
    if not ways:
        st.caption("Nobody answered this twice.")
        return
    order = [option.value for option in task.options_of(item)]
    total, height = sum(ways.values()), 150.0
    drawn, tops = [], [dict[str, float](), dict[str, float]()]
    lowest = 0.0
    for side, (x, anchor) in enumerate(((240, "end"), (560, "start"))):
        top = 0.0
        for value in order:
            count = sum(number for way, number in ways.items() if way[side] == value)
            if count:
                tops[side][value] = top
                name = f"{html.escape(shorten(task.wording(item, value), 22))} · {count}"
                thick = max(24.0, height * count / total)
                drawn.append(
                    f'<text x="{x}" y="{top + thick / 2 + 6:.0f}" text-anchor="{anchor}">{name}</text>'
                )
                top += thick + 10
        lowest = max(lowest, top)
    for (before, after), count in ways.items():
        thick = height * count / total
        y, z = tops[0][before], tops[1][after]
        tops[0][before], tops[1][after] = y + thick, z + thick
        shape = f"M250 {y:.1f}C400 {y:.1f} 400 {z:.1f} 550 {z:.1f}v{thick:.1f}"
        shape += f"C400 {z + thick:.1f} 400 {y + thick:.1f} 250 {y + thick:.1f}Z"
        colour, opacity = (meaning(AGREES), 0.45) if before == after else (meaning(AGAINST), 0.75)
        drawn.append(f'<path d="{shape}" fill="{colour}" fill-opacity="{opacity}"/>')
    changed = sum(count for (before, after), count in ways.items() if before != after)
    said = "; ".join(f"{task.wording(item, a)} to {task.wording(item, b)}: {n}" for (a, b), n in ways.items())
    st.markdown(f"First vote → second vote: **{changed} of {total} changed**")
    picture = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 {lowest:.0f}" fill="{ink().text}" '
    picture += f'font-family="sans-serif" font-size="20">{"".join(drawn)}</svg>'
    with st.container(key="room-flow"):
        st.image(picture, alt=said, width="stretch")


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


PHASES: Final = {
    state.RoomPhase.LOBBY: "Lobby",
    state.RoomPhase.BLIND: "Vote",
    state.RoomPhase.REVEALED: "Answers",
    state.RoomPhase.AGAIN: "Second vote",
    state.RoomPhase.COMPARED: "Before and after",
}


def standing(room: state.Room) -> str:
    broken = room.round.task.kind == RoomKind.BREAK and room.round.vote
    said = setup.KINDS[RoomKind.BREAK] if broken else PHASES[room.round.phase]
    phase = f"**Round {room.round.number} · {said}**"
    signs = [
        ":orange-badge[:material/pause_circle: paused]" * room.paused,
        ":gray-badge[:material/lock: locked]" * room.locked,
        ":red-badge[closed]" * room.closed,
    ]
    return " ".join([phase, *filter(None, signs)])


def figures(room: state.Room) -> None:
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
    remarks = ["Only answers given both times count here."] if round_.second else []
    remarks += [alpha.warning or (alpha.reason and f"No alpha: {alpha.reason}.") for alpha in alphas]
    if any(remarks):
        st.caption(plain(" ".join(dict.fromkeys(remarks))))


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
