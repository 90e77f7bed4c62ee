"""The presenter's view: what a class sees of a room, in type for the last row, and nothing to press."""

import math
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from html import escape
from itertools import product, zip_longest
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import segno
import streamlit as st

from components.frame.charts.theme import meaning_colour
from components.frame.errors import errors_shown
from components.frame.language import say, translated
from components.frame.markdown import HELPS, WORDS, plain, shorten
from components.frame.widgets import metrics, notice
from components.opened.resources import cached
from components.people.room import held, league, tasks
from components.server.server_keys import is_open
from core.palette import AGREES, APART
from core.people.room import measures, state
from core.people.room.task import Ballot, RoomItem, RoomKind
from core.statistics.bootstrap import Figure

SECONDS: Final = 0.5  # between two looks at the room
LINES: Final = 8  # of reasons that have space on the screen
_LINE: Final = 35  # characters of one
CLOUD: Final = 24  # words of a cloud
SIZES: Final = 4  # of their letters
SHORT: Final = 200  # characters of headlines that have space in larger type
_ON_PHONES: Final = {RoomKind.CHOICE, RoomKind.TEXT, RoomKind.GROUPS}  # whose answers stand there alone
GROUPS: Final = 4  # that most chose, of those that a headline was put into
_IN_WORDS: Final = {0.8: "reliable", 0.667: "tentative", -math.inf: "too low to conclude from"}
_HUE: Final = '.st-key-room-bar-{} [role="progressbar"] > div > div {{ background: {}; }}'
STYLES: Final = [Path(__file__).with_name(f"{name}.css") for name in ("teacher", "screen")]


def screen() -> None:
    for style in STYLES:
        st.html(style)
    if given := st.query_params.get("room", ""):
        _show(held.rooms().find_screen(given))
        return
    st.title("Screen", anchor=False)
    notice("no_room", icon="tv", does="shows")


@st.fragment(run_every=SECONDS)
@errors_shown("Screen")
def _show(code: str) -> None:
    room = held.rooms().room(code)
    round_ = room.round
    broken = round_.task.kind == RoomKind.BREAK
    if room.closed:
        with st.container(key="screen-closed"):
            st.title(say("Thank you"), anchor=False)
            st.markdown(say("The room is closed"))
            if not broken and round_.last:
                st.markdown(_found(room)[0])
        return
    lobby = round_.phase == state.RoomPhase.LOBBY
    asked = say(round_.task.question or round_.task.title)
    texts = (asked,) if lobby else () if broken or not room.here else tuple(_texts(room))
    size = "large" if sum(map(len, texts)) < SHORT else "long"
    # The size follows what is to be read; the foot stands at the end of the wall.
    with st.container(key=f"screen-{size}"):
        if lobby:
            with st.container(key="screen-asked", gap=None):
                st.title(plain(asked), anchor=False)
                if round_.task.question:
                    st.caption(plain(round_.task.title))
            door(code)
            st.markdown(f"**{say('{count} here', count=len(room.here))}** {nicknames(room)}")
            simulated_note(room)
            return
        paused = f" :orange-badge[{say('Paused')}]" * room.paused
        if broken:
            st.markdown(f"**{plain(say(tasks.KINDS[RoomKind.BREAK]))}**{paused}")
            league.scoreboard(room)
        elif round_.vote:
            _asking(room, paused)
        elif room.here:
            answers(room, wall=size)
        told = "" if broken or round_.vote else "-told"
        with st.container(horizontal=True, vertical_alignment="center", key=f"screen-foot{told}"):
            door(code, small=True)
            with st.container(key="screen-said"):
                if told:
                    said, worth = _found(room)
                    st.markdown(said + paused)
                    if worth:
                        st.caption(worth)
                simulated_note(room)


def _asking(room: state.Room, paused: str) -> None:
    round_ = room.round
    first = round_.asked[0]
    alike = round_.led or round_.task.kind != RoomKind.LESSON
    question, help = round_.task.words_of(first) if alike else (round_.task.title, "")
    again = f"{say('Second vote')}. " * (round_.phase == state.RoomPhase.AGAIN)
    counted = {"at": round_.at + 1 if round_.led else 0, "count": len(round_.task.items)}
    place = say("**{at}** of {count}", **counted).replace("**", "")
    asked = f"{place}. " * bool(round_.led) + again + plain(say(question))
    st.markdown(f"**{asked}**{paused}  \n:gray[{plain(say(help))}]")
    with st.container(key="screen-texts"):
        for text in tasks.lettered(first) if len(round_.asked) == 1 else ():
            st.markdown(text)
        if len(round_.asked) == 1 and round_.task.kind_of(first) not in _ON_PHONES:
            options = map(say, round_.task.options_of(first).values())
            st.markdown(" ".join(f":gray-badge[{plain(shorten(option, 40))}]" for option in options))
    count(room)


def _found(room: state.Room) -> tuple[str, str]:
    """What holds for all items, and what it is worth; of one item, which stands above, how many are done."""
    if len(room.round.task.items) == 1:
        done = state.progress(room)[2]
        return say("**{done}** of {count} people done", done=done, count=len(room.here)), ""
    values, worth, _ = _values(room)
    # Alpha as a number is for who leads the room: that page has it.
    return " · ".join(f"{name}: **{value}**" for name, value, _ in values if name != say("Alpha")), worth


def _texts(room: state.Room) -> Iterator[str]:
    """What is to be read of the item in view."""
    round_ = room.round
    item = round_.asked[0] if round_.vote else measures.in_view(room)[0]
    yield say(round_.task.words_of(item)[0])
    if not round_.vote or len(round_.asked) == 1:
        yield from item.texts


def simulated_note(room: state.Room) -> None:
    if phones := [person for person in room.here if person.simulated]:
        does = say("They mostly give one answer, with chance mistakes.")
        if any(item.right for item in room.round.task.items):
            does = say("They mostly give the answer of the data, with chance mistakes.")
        if room.round.task.kind == RoomKind.BREAK:
            does = say("They cut words by chance.")
        said = say("{phones} of {count} phones are simulated.", phones=len(phones), count=len(room.here))
        st.caption(f":material/smart_toy: {said} {does}")


def door(code: str, *, small: bool = False, help: str = "") -> None:
    """How phones come in; where they cannot reach the address, that, and for who can change it `help`."""
    link = held.link_for_phones(code)
    reached = is_open(urlsplit(link).hostname)
    with st.container(key="room-door"):
        if reached:
            st.image(qr(link), alt=say("QR code of the address below"), width="stretch")
        code_letters(code)
        where = plain(link.partition("?")[0].partition("//")[2])
        said = say("Go to {address} and type these letters, or scan.", address=f"**{where}**")
        if reached or help:
            st.markdown(where if small else said)
        if not reached:
            st.markdown(f":orange[:material/wifi_off: {say('Phones cannot join yet')}]")
            if help:
                st.expander("How to change that").markdown(help)


def code_letters(code: str) -> None:
    letters = held.rooms().code_shown(code)
    st.html(f'<p class="room-code" aria-label="{say("Code of the room")}">{letters[:4]} {letters[4:]}</p>')


def nicknames(room: state.Room) -> str:
    return " ".join(f":blue-badge[{plain(person.nickname)}]" for person in room.here)


@cached(max_entries=64)
def qr(link: str) -> str:
    return segno.make(link, error="m", micro=False).svg_inline(omitsize=True, border=2, light="#ffffff")


def count(room: state.Room) -> None:
    """How far a vote has come, or what was found of a model that is to contradict itself."""
    if room.round.task.kind == RoomKind.BREAK:
        st.markdown(" ".join(league.totals(room)))
        return
    given, wanted, done = state.progress(room)
    said = say("**{done}** of {count} people done", done=done, count=len(room.here))
    if len(room.round.asked) > 1:
        answered = say("**{given}** of {count} answers", given=given, count=wanted)
        said = f"{answered} · {said.replace('**', '')}"
    if (left := room.round.seconds_left(datetime.now(UTC))) is not None:
        said += f" · **{say('{seconds} s', seconds=left)}**" if left else f" · {say('Time is over')}"
    st.container(key="room-count").progress(given / wanted if wanted else 0.0, text=said)


def answers(room: state.Room, *, reasons: bool = True, wall: str = "") -> None:
    """The item in view: its answers, once votes are compared who went where, and what is known once told."""
    (item, at), task, round_ = measures.in_view(room), room.round.task, room.round
    compared = round_.phase == state.RoomPhase.COMPARED
    with st.container(key="room-item"):
        order = "" if round_.led else f", {say('most divided first')}"
        asked = task.words_of(item)[0]
        counted = say("**{at}** of {count}", at=at + 1, count=len(task.items)).replace("**", "")
        if reasons or asked != task.question:  # the title of the remote
            st.markdown(plain(say(asked)) + f"  :gray[{counted}{order}]" * (len(task.items) > 1))
        for text in tasks.lettered(item):
            st.markdown(text)
        known = measures.known_answers(round_, item)
        alone = compared or task.kind_of(item) == RoomKind.RANKING or (known and wall)
        said = "" if alone else verdict(room, item)[0]
        if said:
            st.container(key="room-verdict").markdown(said)
        written = state.reasons_for(room, item.key) if reasons else []
        above, beside = st.container(gap="xsmall"), written or (known and wall)
        picture, words = st.columns([3, 2], gap="medium") if beside else (st.container(), st.container())
        with words if wall else above:
            _known(room, item, known, "  \n" if wall else " · ")
        with picture:
            if task.kind_of(item) == RoomKind.TEXT:
                _cloud(room, item)
            elif compared:
                _flow(room, item, 320 if wall == "large" else 200)
            else:
                bars(room, item)
        with words:
            told = bool(known) * {"": 0, "large": 2}.get(wall, 4)
            show_reasons(room, item, written, LINES - told - bool(said))


def _known(room: state.Room, item: RoomItem, known: Mapping[str, str], between: str) -> None:
    """The published answer with how many gave it at last; in small letters what a program says."""
    counts = measures.tally(room.round, item, state.counted(room, room.round.last))
    for at, (by, value) in enumerate(known.items(), not item.right):
        said = f"{plain(translated(by))}: **{plain(say(value))}**"
        if not at and item.right in room.round.task.options_of(item) and any(counts.values()):
            agree = {"agree": counts.get(item.right, 0), "count": sum(counts.values())}
            said += between + say("{agree} of {count} agree", **agree)
        key = f"room-{'model' if at else 'known' if len(value) < 20 else 'known-long'}"
        st.container(key=key).markdown(said)


def show_reasons(room: state.Room, item: RoomItem, written: Sequence[tuple[Ballot, str]], space: int) -> None:
    """What people wrote, after the answer that they gave: of each answer one in turn, as long as they fit."""
    task, answer_of = room.round.task, room.round.reasoned
    by_answer: dict[str, list[str]] = {}
    for ballot, reason in written:
        answer = shorten(say(task.wording(item, answer_of.get(ballot, ""))), _LINE)
        by_answer.setdefault(answer, []).append(reason)
    shown: dict[str, list[str]] = {}
    for turn in zip_longest(*by_answer.values()):
        for answer, reason in zip(by_answer, turn, strict=True):
            if reason is not None:
                space -= 1 + len(reason) // _LINE + (answer not in shown)
            if reason is not None and space >= 0:
                shown.setdefault(answer, []).append(reason)
    for answer, reasons in shown.items():
        said = "  \n".join(f":material/format_quote: {plain(reason)}" for reason in reasons)
        st.markdown(f"**{plain(answer)}**  \n{said}")
    if more := len(written) - sum(map(len, shown.values())):
        st.caption(say("and {count} more", count=more))


def _flow(room: state.Room, item: RoomItem, height: int) -> None:
    """A picture of who went from which answer to which: bands as high as many people."""
    ways, task = measures.flow(room, room.round, item), room.round.task
    if not ways:
        st.caption(say("Nobody answered this twice."))
        return
    values = [value for value in task.options_of(item) if any(value in way for way in ways)]
    space = min(16, 70 / len(values))  # between two answers, in per cent of the height
    apart = list(task.options_of(item))[1:] * (task.kind_of(item) == RoomKind.SAME_EVENT)
    person = (100 - space * (len(values) - 1)) / sum(ways.values())
    wording = {value: say(task.wording(item, value)) for value in values}

    def top(way: tuple[str, str], at: int) -> float:
        order = sorted(ways, key=lambda other: values.index(other[at]))
        above = sum(ways[other] for other in order[: order.index(way)])
        return person * above + space * values.index(way[at])

    bands, ends = "", ["", ""]
    for way, count in ways.items():
        begin, end, high = top(way, 0), top(way, 1), person * count
        corners = f"0 {begin}%,100% {end}%,100% {end + high}%,0 {begin + high}%"
        hue = meaning_colour(APART if way[0] in apart else AGREES)
        clear = 0.4 if way[0] == way[1] else 0.9  # who changed stands out
        bands += f'<i style="background:{hue};opacity:{clear};clip-path:polygon({corners})"></i>'
    for at, value in product((0, 1), values):
        count = sum(n for way, n in ways.items() if way[at] == value)
        named = f"{escape(shorten(wording[value], 22))}\u00a0·\u00a0{count}"
        ends[at] += f'<span style="height:{person * count}%">{named}</span>'
    changed = sum(count for (before, after), count in ways.items() if before != after)
    st.markdown(say("**{changed} of {count} changed**", changed=changed, count=sum(ways.values())))
    said = escape("; ".join(f"{wording[a]} → {wording[b]}: {n}" for (a, b), n in ways.items()))
    look = f"--least:{height}px;--answers:{len(values)};--space:{space}%"
    heads = f"<b>{escape(say('First vote'))}</b><b></b><b>{escape(say('Second vote'))}</b>"
    drawn = f"{heads}<div>{ends[0]}</div><div>{bands}</div><div>{ends[1]}</div>"
    st.html(f'<div class="flow" role="img" aria-label="{said}" style="{look}">{drawn}</div>')


def _cloud(room: state.Room, item: RoomItem) -> None:
    """What was said in own words: those of most people first, and in larger letters."""
    counts = measures.tally(room.round, item, state.counted(room, room.round.standing))
    most = max(counts.values(), default=1)
    with st.container(key="room-cloud", horizontal=True, vertical_alignment="center"):
        for at, (word, count) in enumerate(list(counts.items())[:CLOUD]):
            size = 1 + round((SIZES - 1) * count / most) if most > 1 else 2
            said = f"{plain(shorten(word, 40))}{f' :gray[{count}]' if count > 1 else ''}"
            st.container(key=f"room-word-{size}-{at}", width="content").markdown(said, width="content")


def verdict(room: state.Room, item: RoomItem) -> tuple[str, list[str]]:
    """What most of the room answered to an item, how it is split, or how few answered; and these answers."""
    task, last = room.round.task, state.counted(room, room.round.last)
    kind, counts = task.kind_of(item), measures.tally(room.round, item, last)
    given, people = [count for count in counts.values() if count], sum(key == item.key for _, key in last)
    most = [value for value, count in counts.items() if 2 * count > people]
    if given and kind == RoomKind.RANKING:
        most = [task.order_of(item, sorted(counts, key=lambda value: -counts[value]))]
    here = len(room.here)
    # While at most half answered, nothing holds for the room.
    answered = say("{answered} of {count} answered", answered=people, count=here) * (2 * people <= here)
    if most:
        named = " · ".join(plain(say(task.wording(item, value))) for value in most)
        return f"{answered or say('Most of the room')}: **{named}**", most
    split = " : ".join(map(str, given))
    whole = say("The room is split {counts}", counts=split)
    said = f"{answered}: **{split}**" if answered else f"**{whole}**"
    most = [value for value, count in counts.items() if count == max(given, default=-1)]
    return said if given and kind != RoomKind.TEXT else "", most


def bars(room: state.Room, item: RoomItem, own: str = "") -> None:
    counts = measures.tally(room.round, item, state.counted(room, room.round.last))
    total = sum(counts.values())
    places: dict[str, str] = {}
    if room.round.task.kind_of(item) == RoomKind.RANKING:
        # A bar is full where everybody put an answer first; its number is the average place.
        counts, pairs = dict(sorted(counts.items(), key=lambda counted: -counted[1])), len(counts) - 1
        people = 2 * total / (pairs * len(counts))
        total = round(people * pairs)
        places = {value: f"{len(counts) - count / people:.1f}" for value, count in counts.items() if people}
        st.caption(say("In the order of the room, each with its average place."))
    if room.round.task.kind_of(item) == RoomKind.SAME_EVENT:
        hues = enumerate(map(meaning_colour, (AGREES, APART)))
        st.html(f"<style>{''.join(_HUE.format(*hue) for hue in hues)}</style>")
    shown = {*sorted(counts, key=counts.__getitem__, reverse=True)[:GROUPS], own} & counts.keys()
    for at, (value, count) in enumerate(counts.items()):
        if room.round.task.kind != RoomKind.GROUPS or value in shown:
            wording = plain(shorten(say(room.round.task.wording(item, value)), 80))
            wording = f"{say('You')}: {wording}" if value == own else wording
            share = f"· {count} **{100 * count / total:.0f} %**" if total else "**0**"
            said = f"{wording} **{places[value]}**" if value in places else f"{wording} {share}"
            st.container(key=f"room-bar-{at}").progress(count / total if total else 0.0, text=said)
    if room.round.task.kind == RoomKind.GROUPS and len(counts) > GROUPS:
        st.caption(say("and {count} more", count=len(counts) - GROUPS))


def standing(room: state.Room) -> str:
    broken = room.round.task.kind == RoomKind.BREAK and room.round.vote
    said = tasks.KINDS[RoomKind.BREAK] if broken else WORDS["phases"][room.round.phase]
    does = state.presences(room, held.seen(room), datetime.now(UTC))
    away = list(does.values()).count(state.RoomPresence.AWAY)
    told = f"**{len(does) - away:,} here** :gray[·{f' {away:,} away ·' * (away > 0)}] "
    here = "" if room.closed else told
    phase = f"{here}:gray[Round {room.round.number} ·] **{said}**"
    signs = [
        ":orange-badge[:material/pause_circle: paused]" * room.paused,
        ":gray-badge[:material/lock: locked]" * room.locked,
        ":red-badge[closed]" * room.closed,
    ]
    return " ".join([phase, *filter(None, signs)])


def figures(room: state.Room) -> None:
    values, worth, remarks = _values(room)
    if values:
        with st.container(key="room-measured", gap="xsmall"):
            metrics(values, key="room-figures")
            if said := " · ".join(filter(None, (worth, " ".join(dict.fromkeys(filter(None, remarks)))))):
                st.caption(plain(said))


def _values(room: state.Room) -> tuple[list[tuple[str, str, str]], str, list[str]]:
    """How far the room agrees, what that is worth in words, and what must be said of it."""
    if room.round.led or room.round.task.kind == RoomKind.LESSON:
        return [], "", []  # people agree on items of one kind, of which there is one here
    measured, grouped = _measured(room), room.round.task.kind == RoomKind.GROUPS
    values, votes = [], [measured]
    remarks: list[str] = []
    if isinstance(measured, measures.RoomChange):
        share = say("{changed} of {count} given twice", changed=measured.changed, count=measured.both)
        if len(room.round.task.items) > 1:  # of one the picture says it
            values.append((say("Changed"), share, HELPS["room-changed"]))
        if measured.kept:
            remarks.append(say("{count} of them kept without a press.", count=measured.kept))
        votes = [measured.before, measured.after]
    if grouped:
        amis = ["–" if vote.ami is None else f"{vote.ami:.2f}" for vote in votes]
        values.append(("AMI", " → ".join(dict.fromkeys(amis)), HELPS["room-ami"]))
    else:
        shares = dict.fromkeys("–" if vote.raw is None else f"{100 * vote.raw:.0f} %" for vote in votes)
        values.append((say("Same answer"), " → ".join(shares), "Of all pairs of answers to one item."))
    of = "In brackets its 95 % interval: what other items would give, with these people."
    of = "Of pairs of headlines, in one group or not." if grouped else of
    help = f"Krippendorff's alpha: 1 if all agree, 0 as by chance. {of}"
    values.append((say("Alpha"), " → ".join(dict.fromkeys(map(_alpha, votes))), help))
    said = in_words(votes[-1].alpha)
    worth = say("Agreement is {worth}.", worth=say(said)) if said else ""
    if len(votes) == 1:  # of two it is said how many changed
        given, wanted, _ = state.progress(room)
        answered = say("**{given}** of {count} answers", given=given, count=wanted).replace("**", "")
        worth = " · ".join(filter(None, (answered, worth)))
    remarks += [
        translated(vote.alpha.warning or (vote.alpha.reason and f"No alpha: {vote.alpha.reason}."))
        for vote in votes
        if vote.raw is not None
    ]
    return [figure for figure in values if figure[1].strip("– →")], worth, remarks


def in_words(alpha: Figure) -> str:
    """What alpha is worth by Krippendorff (2004); nothing where it is doubted or may be as by chance."""
    value, (low, high) = alpha.value, alpha.interval
    if value is None or alpha.warning or (low is not None and high is not None and low <= 0 <= high):
        return ""
    return next(words for least, words in _IN_WORDS.items() if value >= least)


def _alpha(vote: measures.RoomAgreement) -> str:
    value, (low, high) = vote.alpha.value, vote.alpha.interval
    if value is None:
        # Where only one answer occurs, chance agrees in full, too, and alpha is not defined.
        return say("All agree") if vote.raw == 1 else "–"
    return f"{value:.2f}" if low is None or high is None else f"{value:.2f} [{low:.2f}, {high:.2f}]"


def _version(room: state.Room) -> tuple[object, ...]:
    round_ = room.round
    return room.code, room.sequence, len(room.here), len(round_.first), len(round_.second)


@cached(max_entries=64, hash_funcs={"core.people.room.state.Room": _version})
def _measured(room: state.Room) -> measures.RoomAgreement | measures.RoomChange:
    if room.round.second or room.round.kept:
        return measures.room_change(room, room.round)
    return measures.room_agreement(room.round, state.counted(room, room.round.standing))
