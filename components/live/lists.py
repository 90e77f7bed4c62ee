"""The lists of the Live page, drawn as plain HTML: nothing in them is computed for one reader alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from html import escape
from pathlib import Path
from typing import Final

import streamlit as st

from components.markdown import shorten
from components.page_state import PageView, ViewState, integer, linked, text
from core.live.changes import ChangeKind
from core.live.digest import LISTED, LoggedChange, StreamDigest, StreamGroup
from core.live.log import NAME
from core.results.render import count_words

STYLE: Final = Path(__file__).with_name("lists.css")
_TITLE: Final = 140
_LOG_SHOWN: Final = 20
_WORDS: Final = {ChangeKind.MERGED: "merged", ChangeKind.SPLIT: "split", ChangeKind.MOVED: "moved"}


def group_lists(digest: StreamDigest, *, first: bool) -> None:
    """The latest groups, growing ones, and those that changed, side by side."""
    latest, growing, changed = st.columns(3, gap="medium")
    count = digest.changed_count
    more = f" · {count - LISTED:,} more groups" if count > LISTED else ""
    day = "" if digest.newest is None else f" in the 24 hours to {moment(digest.newest)} UTC"
    with latest:
        about = f"Groups whose headlines all came{day}"
        _list("Latest", about if digest.new else f"No group began{day}.", digest.new, count="{0.size}")
    with growing:
        about, nothing = f"Headlines that came{day}", f"No group got another headline{day}."
        _list("Growing fastest", about if digest.growing else nothing, digest.growing, count="+{0.more}")
    with changed:
        since = "since you opened this page" if first else "since your last visit"
        about, nothing = f"Headlines that came since{more}", f"Nothing changed {since}."
        title = f"Changed {since} ({count:,})"
        _list(title, about if digest.changed else nothing, digest.changed, count="+{0.more}")
    if digest.undated:
        undated = count_words(digest.undated, "headline has", "headlines have")
        st.caption(f"{undated} no date: no list by time counts them.")


def log_of_changes(digest: StreamDigest) -> None:
    """Mergers, splits and moves, the latest first, each with its reason."""
    st.header("Merged and split", anchor=False)
    if not digest.log:
        st.caption("No groups merged or split yet.")
        return
    lines = "".join(map(_line, digest.log[:_LOG_SHOWN]))
    st.html(f'<ol class="live-log">{lines}</ol>')


def moment(time: datetime) -> str:
    """A time in UTC for people: `06 May 10:00`; with the year where it is another, a midnight as its day."""
    year = "" if time.year == datetime.now(UTC).year else f" {time.year}"
    clock = f" {time:%H:%M}" if time.hour or time.minute else ""
    return f"{time:%d %b}{year}{clock}"


def _list(title: str, about: str, groups: Sequence[StreamGroup], *, count: str) -> None:
    st.header(title, anchor=False)
    st.caption(about)
    if groups:
        # A group without a new headline changed by a split, a merger or a move.
        counted = [(one, count.format(one) if one.more else "regrouped") for one in groups]
        st.html(f'<ul class="live-groups">{"".join(_group(one, said) for one, said in counted)}</ul>')


def _group(group: StreamGroup, count: str) -> str:
    lines = "".join(
        f"<li>{_when(one.published)}{escape(one.text)}{_by(one.publisher)}</li>" for one in group.headlines
    )
    left = group.size - len(group.headlines)
    rest = f"<li>and {left:,} before</li>" if left else ""
    title = escape(shorten(group.title, _TITLE))
    return (
        f'<li><details><summary><span class="live-count">{count}</span>{title}'
        f'<span class="live-number">#{group.number}</span></summary><ul>{lines}{rest}</ul></details></li>'
    )


def _line(one: LoggedChange) -> str:
    title = f" {escape(shorten(one.title, _TITLE))}" if one.title else ""
    return (
        f'<li><span class="live-count">{_WORDS[one.change.kind]}</span>'
        f'<span class="live-number">#{one.change.source} → #{one.change.group}</span>{title}'
        f'<div class="live-why">{escape(one.change.reason)} '
        f"<time>{moment(one.time)} UTC</time></div></li>"
    )


def _when(published: datetime | None) -> str:
    return "" if published is None else f"<time>{moment(published)}</time> "


def _by(publisher: str | None) -> str:
    return "" if publisher is None else f' <span class="live-by">{escape(publisher)}</span>'


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveView(PageView):
    stream: str = linked("", text("stream", NAME, wants="the name of a stream"))
    since: int = linked(0, integer("since", r"[0-9]{1,9}"))
    first: bool = False
    paused: bool = False


LIVE: Final = ViewState(LiveView)
