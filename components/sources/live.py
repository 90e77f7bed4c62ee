"""A stream as it is now, looked at again every few seconds: its groups and changes."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from html import escape
from pathlib import Path
from typing import Final

import streamlit as st

from components.frame import links
from components.frame.downloads import download
from components.frame.edit_history import edit_lines
from components.frame.errors import errors_kept, errors_shown, show_kept_error
from components.frame.markdown import WORDS, plain, shorten
from components.frame.page_state import write_address
from components.frame.rows import ROWS, sign
from components.frame.widgets import button, choose_here, metrics, notice
from components.opened import resources
from components.opened.reader_zone import reader_zone, said_here, time_here
from components.opened.views.live import LIVE
from components.sources.alarms import alarm_list, rules_menu
from components.sources.streams import READY, SAMPLE, reader_of, start_replay, stream_title, streams_here
from core import limits
from core.archive.kept import SHIPPED
from core.archive.opened import open_archive
from core.data.timelines import samples
from core.data.timelines.periods import written_day
from core.events.edited_headlines import edits_table
from core.live import follow, log, processes
from core.live.changes import ChangeKind
from core.live.digest import LISTED, LoggedChange, StreamDigest, StreamGroup
from core.live.kept import stream_file
from core.live.replay import SPEED, set_speed, speed_of
from core.results.render import count_words, moment, zone_name
from core.results.table_files import as_csv
from core.runtime import workshop

SECONDS: Final = 3.0  # between two looks at the stream
SPEEDS: Final = {SPEED: "10 min a second", 1.0: "An hour a second", 24.0: "As fast as it goes"}
_FROZEN: Final = "live-frozen"
_TITLE: Final = 140
_FIRST: Final = 16  # events that are named before they come
_WORDS: Final = {ChangeKind.MERGED: "merged", ChangeKind.SPLIT: "split", ChangeKind.MOVED: "moved"}


def stream_view() -> None:
    show_kept_error()
    st.html(ROWS)
    chosen = LIVE.now().stream or next(iter(streams_here()), READY)
    own = chosen == READY or not workshop()
    starting = own and processes.is_starting(chosen)  # before the look at the folder: it may begin in between
    streams = streams_here()
    if starting and chosen not in streams:
        write_address(LIVE.part())
        _beginning(chosen)
        return
    if own and chosen not in streams and (said := processes.last_words(log.StreamLog(stream_file(chosen)))):
        st.warning(f"**It could not be followed.**  \n{plain(said)}", icon=":material/error:")
    elif chosen not in {*streams, READY} and links.came_by_link("stream"):
        links.refuse_link("stream", chosen, "a stream that is kept here")
    if chosen not in {*streams, READY}:
        chosen = next(iter(streams), READY)
        LIVE.put(since=0)
    if chosen not in {READY, LIVE.now().stream}:
        LIVE.put(stream=chosen)  # links name it
    path = stream_file(chosen)
    state = _state(path)
    _starts(path, streams, state)
    write_address(LIVE.part())
    if chosen not in streams:
        _first_to_come()
    elif LIVE.now().paused:
        _drawn(path, state)
    else:
        st.fragment(_following, run_every=1.0 if chosen == READY and state[0] else SECONDS)(path, state)
    if streams:
        _follow_form()


def _starts(path: Path, streams: Collection[str], state: tuple[bool, bool]) -> None:
    begins = not (streams or workshop())
    replay, feed = st.columns(2, gap="large") if begins else [st.container()] * 2
    with replay:
        if not streams:
            st.header("Replay a day", anchor=False)
        with st.container(horizontal=True, vertical_alignment="center", key="live-controls"):
            _bar(path, streams, *state)
        if path.stem not in streams:
            of = samples.info(SAMPLE)
            st.caption(WORDS["texts"]["replay"].format(plain(of.title), f"{of.rows:,}"))
    if begins:
        with feed:
            _follow_form()


def _first_to_come() -> None:
    events = open_archive(SHIPPED).events
    events = events[events["headlines"] > 1].sort_values("first", kind="stable")[:_FIRST]
    zone = reader_zone()
    begin = events["first"].iloc[0].astimezone(zone)
    st.header(f"First events to come, {written_day(begin)}, {zone_name(begin, zone)}", anchor=False)
    lines, most = "", events["headlines"].max()
    for title, first, count in zip(events["title"], events["first"], events["headlines"], strict=True):
        when, named = f"{first.astimezone(zone):%H:%M}", escape(shorten(title, _TITLE))
        lines += f'<li style="--share:{count / most:.0%}"><small><time>{when}</time></small>'
        lines += f'<span title="{named}">{named}</span><small>{count} headlines</small></li>'
    st.html(f'<ul class="rows first">{lines}</ul>')


def _bar(path: Path, streams: Collection[str], followed: bool, paused: bool) -> None:
    chosen, known, stream = path.stem, path.stem in streams, log.StreamLog(path)
    titles = {name: stream_title(name) for name in (*streams, READY)}
    replayed, own, resume = chosen == READY, not workshop(), LIVE.now().speed
    if len(titles) > 1:
        choose_here("Stream", titles, titles, "live-stream", chosen, _go_to, width=360)

    def choose(hours: float) -> None:
        LIVE.put(speed=hours)
        if followed and not paused:
            set_speed(stream, hours)

    if replayed and (own or not followed):
        speed = speed_of(stream) if followed and not paused else resume
        look = {"label_visibility": "visible", "width": 230}
        choose_here("Speed", SPEEDS, SPEEDS, "live-speed", speed, choose, **look)
    if replayed and not followed:
        label = "Replay again" if known else "Start the replay"
        button(label, "live-replay", _replay, icon="play_arrow", type="primary")
    elif known:
        speed = partial(set_speed, stream, resume if paused else 0.0)
        then = speed if replayed and own else partial(LIVE.put, paused=not paused)
        label, icon = ("Go on", "play_arrow") if paused else ("Pause", "pause")
        button(label, "live-pause", then, icon=icon)
    if known and not replayed:
        button("Mark all as seen", "live-seen", _seen, path, icon="done_all")
    if known and own:
        _of_the_owner(stream, followed=followed, replayed=replayed)
    if known and button("Open as a Timeline", "live-open", icon="view_timeline"):
        resources.open_file(reader_of(path).timeline(titles[chosen], limits.FILE_ROWS.value))
        st.switch_page("pages/timeline.py")


def _of_the_owner(stream: log.StreamLog, *, followed: bool, replayed: bool) -> None:
    if followed:
        label = "Stop the replay" if replayed else "Stop following"
        help = "What came stays." + " Follow the same source again, and it goes on." * (not replayed)
        look, end = {"icon": "stop_circle", "help": help}, errors_kept()(processes.stop)
        button(label, "live-stop", end, stream, **look)
    rules_menu(stream)


def _state(path: Path) -> tuple[bool, bool]:
    followed = path.exists() and follow.is_followed(log.StreamLog(path))
    if followed and path.stem == READY and not workshop():
        return followed, speed_of(log.StreamLog(path)) == 0
    return followed, LIVE.now().paused


def _follow_form() -> None:
    if workshop():
        return
    st.header("Follow your own feed", anchor=False)
    form = st.form("live-follow", border=False)
    with form.container(horizontal=True, vertical_alignment="bottom"):
        look = {"placeholder": "https://example.org/feed.xml"}
        source = st.text_input("Address of a feed, file or folder", **look).strip()
        if st.form_submit_button("Follow", icon=":material/rss_feed:") and source:
            _go_to(processes.start(source))
            st.rerun()
    st.caption(WORDS["texts"]["follow"])


def _following(path: Path, state: tuple[bool, bool]) -> None:
    if _state(path) != state:  # it ended, or somebody paused the replay
        st.rerun()
    with errors_shown("Live"):
        _drawn(path, state)


@st.fragment(run_every=SECONDS)
def _beginning(name: str) -> None:
    if not processes.is_starting(name):  # it began, or could not be followed
        st.rerun()
    notice("stream_begins")
    if name == READY:
        _first_to_come()


def _drawn(path: Path, state: tuple[bool, bool]) -> None:
    if not LIVE.now().paused or st.session_state.get(_FROZEN, (None,))[0] != path:
        news = reader_of(path).digest(LIVE.now().since)
        st.session_state[_FROZEN] = (path, news)
        if LIVE.now().since == 0:
            LIVE.put(since=news.looked and news.records, first=True)
            write_address(LIVE.part())
    digest: StreamDigest = st.session_state[_FROZEN][1]
    stream, whole = log.StreamLog(path), samples.info(SAMPLE).rows if path.stem == READY else 0
    _figures(stream, digest, state, whole)
    if not workshop():
        alarm_list(stream, reader_of(path).alarms())
    if not digest.headlines:
        if said := "" if workshop() or state[0] else processes.last_words(stream):
            st.warning(f"**It is not followed any more.**  \n{plain(said)}", icon=":material/error:")
        else:
            notice("stream_first" if whole else "stream_empty")
        return
    count = digest.changed_count
    more = f" · {count - LISTED:,} more groups" if count > LISTED else ""
    day = "" if digest.newest is None else f" in the 24 hours to {said_here(digest.newest)}"
    since = "since you opened this page" if LIVE.now().first else "since your last visit"
    growing, latest, *third = st.columns(3 if digest.changed else 2, gap="medium")
    with growing:
        show_groups("Growing fastest", f"Headlines that came{day}", digest.growing, "more")
    with latest:
        show_groups("Latest", f"Groups whose headlines all came{day}", digest.new, "size")
    with third[0] if third else st.container():
        title = f"Changed {since} ({count:,})"
        show_groups(title, f"Headlines that came since{more}", digest.changed, "more")
    if digest.undated:
        undated = count_words(digest.undated, "headline has", "headlines have")
        st.caption(f"{undated} no date: no list by time counts them.")
    for unread in digest.unread:
        st.caption(plain(unread))
    _edited_and_merged(digest)


def _edited_and_merged(digest: StreamDigest) -> None:
    if changes := digest.edits.edits:
        said = partial(time_here, digest.edits.timeline)
        edit_lines([replace(each, when=each.when and said(each.after)) for each in changes])
        table = partial(edits_table, digest.edits.timeline, changes)
        download(("CSV of these edits", lambda: as_csv(table()), "edited_headlines.csv"), key="live-edits")
    st.header("Merged and split", anchor=False)
    if not digest.log:
        st.caption("No groups merged or split yet.")
        return
    st.html(f'<ol class="rows live-log">{"".join(map(change_line, digest.log[:20]))}</ol>')


def _figures(stream: log.StreamLog, digest: StreamDigest, state: tuple[bool, bool], whole: int) -> None:
    followed, paused = state
    counted = f"{digest.headlines:,}" + (f" of {whole:,}" if whole else "")
    newest = "–" if digest.newest is None else said_here(digest.newest)
    figures = {"Headlines": counted, "Groups": f"{digest.groups:,}", "Newest headline": newest}
    if whole:
        ended = "over" if digest.headlines + digest.versions >= whole else "stopped"
        figures["Replay"] = ("paused" if paused else "running") if followed else ended
    else:
        seconds = follow.seconds_since_look(stream) or 0
        ago = f"{seconds:.0f} s ago" if seconds < 120 else f"{seconds / 60:.0f} min ago"
        figures["Source looked at"] = ("just looked" if seconds < 2 else ago) if followed else "not followed"
    metrics(figures.items(), key="live-figures")
    if not workshop() and (problem := follow.problem_of(stream)):
        since = f"**Problem with the source since {said_here(problem[1])}**"
        st.warning(f"{since}  \n{plain(problem[0])}", icon=":material/error:")


def _seen(path: Path) -> None:
    LIVE.put(since=reader_of(path).digest(LIVE.now().since).records, paused=False)


def _go_to(name: str) -> None:
    LIVE.put(stream=name, since=0, paused=False)


@errors_kept()
def _replay() -> None:
    _go_to(start_replay(LIVE.now().speed))


def show_groups(title: str, about: str, groups: Sequence[StreamGroup], count: str) -> None:
    st.header(title, anchor=False)
    st.caption(about + ": none" * (not groups))
    numbers, sign = [getattr(group, count) for group in groups], "+" if count == "more" else ""
    lines = (_group(group, at, max(numbers) or 1, sign) for group, at in zip(groups, numbers, strict=True))
    if groups:
        st.html(f'<ul class="rows live-groups">{"".join(lines)}</ul>')


def _group(group: StreamGroup, number: int, most: int, sign: str) -> str:
    # A group without a new headline changed by a split, a merger or a move.
    count = f"{sign}{number:,}" if group.more else "regrouped"
    lines = "".join(headline_line(each.text, each.published, each.publisher) for each in group.headlines)
    left = group.size - len(group.headlines)
    rest = f"<li>and {left:,} before</li>" if left else ""
    title = escape(shorten(group.title, _TITLE))
    return (
        f'<li style="--share:{number / most:.0%}"><details><summary>'
        f'<b class="number">{count}</b><span>{title}</span><small>#{group.number}</small>'
        f'</summary><ul class="rows headlines">{lines}{rest}</ul></details></li>'
    )


def headline_line(text: str, published: datetime | None, publisher: str | None) -> str:
    when = "" if published is None else moment(published, reader_zone())
    head = f'<small><time>{when}</time></small><span class="about">{escape(text)}</span>'
    return f"<li>{head}<small>{escape(publisher or '')}</small></li>"


def change_line(one: LoggedChange) -> str:
    title = f"<b>{escape(shorten(one.title, _TITLE))}</b><br>" if one.title else ""
    why = f"<small>{escape(one.change.reason)} <time>{said_here(one.time)}</time></small>"
    numbers = f'<span class="number">#{one.change.source} → #{one.change.group}</span>'
    return f"<li>{sign('', _WORDS[one.change.kind])}{numbers}<span class='about'>{title}{why}</span></li>"
