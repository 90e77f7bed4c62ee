"""Live: a stream as it is now, looked at again every few seconds, and its lists as plain HTML."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache, partial
from html import escape
from pathlib import Path
from typing import Final

import streamlit as st

from components import resources
from components.markdown import plain, shorten
from components.page import errors_kept, errors_shown, show_kept_error
from components.page_state import PageView, ViewState, integer, linked, text, write_address
from components.widgets import button, choose_here, metrics
from core import limits
from core.data.files import SAMPLES
from core.errors import CoreError
from core.live import log
from core.live.changes import ChangeKind
from core.live.follow import is_followed, is_starting, last_words, seconds_since_look, start, stop
from core.results.render import count_words
from core.runtime import workshop

SECONDS: Final = 3.0  # between two looks at the stream
_FROZEN: Final = "live-frozen"


@st.cache_resource(show_spinner=False, max_entries=32)
def _reader(path: Path, _made: int) -> log.StreamReader:
    return log.StreamReader(log.StreamLog(path))


def reader_of(path: Path) -> log.StreamReader:
    return _reader(path, path.stat().st_ino)


def stream_view() -> None:
    show_kept_error()
    st.html(STYLE)
    chosen = LIVE.now().stream
    own = bool(chosen) and not workshop()
    starting = own and is_starting(chosen)  # before the look at the folder: it may begin in between
    streams = streams_here()
    if chosen not in streams:
        if starting:
            write_address(LIVE.part())
            _beginning(chosen)
            return
        if own and (said := last_words(log.StreamLog(log.stream_file(chosen)))):
            st.warning(f"**It could not be followed.**  \n{plain(said)}", icon=":material/error:")
        gone, chosen = chosen, next(iter(streams), chosen)
        LIVE.put(stream=chosen, since=0 if gone and chosen != gone else LIVE.now().since)
    if chosen not in streams:
        write_address(LIVE.part())
        if workshop():
            st.info(
                "**No stream is shown here yet.**  \nThe person who runs this server can share one: "
                "`headline-lab live SOURCE --shared`.",
                icon=":material/rss_feed:",
            )
        return
    with st.container(horizontal=True, vertical_alignment="center", key="live-controls"):
        if len(streams) > 1:
            titles = {name: stream_title(path) for name, path in streams.items()}
            choose_here("Stream", streams, titles, "live-stream", chosen, _go_to, width=360)
        else:
            st.markdown(f"**{plain(stream_title(streams[chosen]))}**", width="content")
        paused = LIVE.now().paused
        label, icon, help = "Pause", "pause", "The page stays as it is while you read."
        if paused:
            label, icon, help = "Go on", "play_arrow", "The page shows again what comes."
        button(label, "live-pause", partial(LIVE.put, paused=not paused), icon=icon, help=help)
        help = "What comes from now on counts as changed. The link in the address bar remembers it."
        path, most = streams[chosen], limits.FILE_ROWS.value
        button("Mark all as seen", "live-seen", _seen, path, icon="done_all", help=help)
        if button("Open as a Timeline", "live-open", icon="view_timeline"):
            resources.open_file(reader_of(path).timeline(stream_title(path), most))
            st.switch_page("pages/timeline.py")
        if not workshop() and is_followed(log.StreamLog(path)):
            help = "What came stays. Follow the same source again, and it goes on where it was."
            button("Stop following", "live-stop", _stop, path, icon="stop_circle", help=help)
    write_address(LIVE.part())
    _drawn(path) if paused else _following(path)


def follow_form() -> None:
    if workshop():
        return
    none, title = not log.kept_streams(), "Follow a file, a folder or a feed"
    with st.expander(title, icon=":material/add:", key="live-form", expanded=none):
        with st.form("live-follow", border=False):
            source = st.text_input("Path or address", placeholder="https://example.org/feed.xml").strip()
            if st.form_submit_button("Follow", type="primary", icon=":material/rss_feed:") and source:
                _go_to(start(source))
                st.rerun()
        if none and button("Follow the ISS sample", "live-sample", icon="rss_feed"):
            _go_to(start(str(SAMPLES / "iss" / "iss_excerpt.csv")))
            st.rerun()
        st.caption(
            "A file that grows, a folder to which files are added, or the address of a feed. "
            "It is followed by a process of its own, also when this page is closed. An address is asked "
            "every minute; nothing is asked before you press Follow. `headline-lab live SOURCE` does it too."
        )


@st.fragment(run_every=SECONDS)
def _following(path: Path) -> None:
    if not path.exists():  # its source could not be followed
        st.rerun()
    with errors_shown("Live"):
        _drawn(path)


@st.fragment(run_every=SECONDS)
def _beginning(name: str) -> None:
    if not is_starting(name):  # it began, or could not be followed
        st.rerun()
    st.info(
        "**The stream has not begun yet.**  \nIt is shown here as soon as it has.",
        icon=":material/hourglass_top:",
    )


def _drawn(path: Path) -> None:
    if not LIVE.now().paused or st.session_state.get(_FROZEN, (None,))[0] != path:
        news = reader_of(path).digest(LIVE.now().since)
        st.session_state[_FROZEN] = (path, news)
        if LIVE.now().since == 0:
            LIVE.put(since=news.looked, first=True)
            write_address(LIVE.part())
    digest: log.StreamDigest = st.session_state[_FROZEN][1]
    figures = {"Headlines": f"{digest.headlines:,}", "Groups": f"{digest.groups:,}"}
    figures["Newest headline, UTC"] = "–" if digest.newest is None else moment(digest.newest)
    stream = log.StreamLog(path)
    seconds = seconds_since_look(stream) or 0
    ago = f"{seconds:.0f} s ago" if seconds < 120 else f"{seconds / 60:.0f} min ago"
    looked = "not followed" if not is_followed(stream) else "just looked" if seconds < 2 else ago
    figures["Source looked at"] = looked
    metrics(figures.items(), key="live-figures")
    if not digest.headlines:
        said = "" if workshop() or is_followed(stream) else last_words(stream)
        if said:
            st.warning(f"**It is not followed any more.**  \n{plain(said)}", icon=":material/error:")
        else:
            st.info("The source has brought no headline yet.", icon=":material/hourglass_top:")
        return
    latest, growing, changed = st.columns(3, gap="medium")
    count = digest.changed_count
    more = f" · {count - log.LISTED:,} more groups" if count > log.LISTED else ""
    day = "" if digest.newest is None else f" in the 24 hours to {moment(digest.newest)} UTC"
    with latest:
        about = f"Groups whose headlines all came{day}"
        _list("Latest", about if digest.new else f"No group began{day}.", digest.new, count="{0.size}")
    with growing:
        about, nothing = f"Headlines that came{day}", f"No group got another headline{day}."
        _list("Growing fastest", about if digest.growing else nothing, digest.growing, count="+{0.more}")
    with changed:
        since = "since you opened this page" if LIVE.now().first else "since your last visit"
        about, nothing = f"Headlines that came since{more}", f"Nothing changed {since}."
        title = f"Changed {since} ({count:,})"
        _list(title, about if digest.changed else nothing, digest.changed, count="+{0.more}")
    if digest.undated:
        undated = count_words(digest.undated, "headline has", "headlines have")
        st.caption(f"{undated} no date: no list by time counts them.")
    st.header("Merged and split", anchor=False)
    if not digest.log:
        st.caption("No groups merged or split yet.")
        return
    st.html(f'<ol class="live-log">{"".join(map(_line, digest.log[:20]))}</ol>')


@cache
def _header(path: Path, _made: int) -> log.StreamHeader | None:
    try:
        return log.header_of(path)
    except CoreError:
        return None  # the page says what is wrong when the stream is opened


def streams_here() -> dict[str, Path]:
    headers = {path: _header(path, path.stat().st_ino) for path in log.kept_streams()}
    return {
        path.stem: path for path, header in headers.items() if not workshop() or (header and header.shared)
    }


def stream_title(path: Path) -> str:
    header = _header(path, path.stat().st_ino)
    if header is None or "://" not in header.source:
        return path.stem if header is None else Path(header.source).name
    return header.source.partition("?")[0]


def _seen(path: Path) -> None:
    LIVE.put(since=reader_of(path).digest(LIVE.now().since).records, paused=False)


def _go_to(name: str) -> None:
    LIVE.put(stream=name, since=0, paused=False)


def _stop(path: Path) -> None:
    with errors_kept():
        stop(log.StreamLog(path))


STYLE: Final = Path(__file__).with_name("live.css")
_TITLE: Final = 140
_WORDS: Final = {ChangeKind.MERGED: "merged", ChangeKind.SPLIT: "split", ChangeKind.MOVED: "moved"}


def moment(time: datetime) -> str:
    """A time in UTC for people: `06 May 10:00`; with the year where it is another, a midnight as its day."""
    year = "" if time.year == datetime.now(UTC).year else f" {time.year}"
    clock = f" {time:%H:%M}" if time.hour or time.minute else ""
    return f"{time:%d %b}{year}{clock}"


def _list(title: str, about: str, groups: Sequence[log.StreamGroup], *, count: str) -> None:
    st.header(title, anchor=False)
    st.caption(about)
    if groups:
        # A group without a new headline changed by a split, a merger or a move.
        counted = [(group, count.format(group) if group.more else "regrouped") for group in groups]
        st.html(f'<ul class="live-groups">{"".join(_group(group, said) for group, said in counted)}</ul>')


def _group(group: log.StreamGroup, count: str) -> str:
    lines = ""
    for headline in group.headlines:
        when = "" if headline.published is None else f"<time>{moment(headline.published)}</time> "
        by = f' <span class="live-by">{escape(headline.publisher)}</span>' if headline.publisher else ""
        lines += f"<li>{when}{escape(headline.text)}{by}</li>"
    left = group.size - len(group.headlines)
    rest = f"<li>and {left:,} before</li>" if left else ""
    title = escape(shorten(group.title, _TITLE))
    return (
        f'<li><details><summary><span class="live-count">{count}</span>{title}'
        f'<span class="live-number">#{group.number}</span></summary><ul>{lines}{rest}</ul></details></li>'
    )


def _line(one: log.LoggedChange) -> str:
    title = f" {escape(shorten(one.title, _TITLE))}" if one.title else ""
    return (
        f'<li><span class="live-count">{_WORDS[one.change.kind]}</span>'
        f'<span class="live-number">#{one.change.source} → #{one.change.group}</span>{title}'
        f'<div class="live-why">{escape(one.change.reason)} '
        f"<time>{moment(one.time)} UTC</time></div></li>"
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveView(PageView):
    stream: str = linked("", text("stream", log.NAME, wants="the name of a stream"))
    since: int = linked(0, integer("since", r"[0-9]{1,9}"))
    first: bool = False
    paused: bool = False


LIVE: Final = ViewState(LiveView)
