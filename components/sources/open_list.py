"""What is open: one list of samples, files, streams and archives, and what of it can be removed."""

from collections.abc import Iterator
from datetime import date
from html import escape
from typing import Any

import streamlit as st

from components.frame import errors, markdown, page_state
from components.frame.rows import ROWS
from components.frame.widgets import button, pick
from components.opened import resources
from components.opened.views import timeline as state
from components.opened.views.archive import ARCHIVE
from components.opened.views.live import LIVE
from components.sources.archive.view import archive_title, archives_here
from components.sources.streams import READY, SAMPLE, reader_of, stream_title, streams_here
from core.archive.kept import SHIPPED, days_of, remove_archive, summary_of
from core.data.timelines import samples
from core.data.timelines.periods import Period, whole
from core.errors import CoreError
from core.live.kept import stream_file
from core.live.log import StreamLog
from core.live.processes import remove
from core.runtime import workshop

_SAMPLE, _FILE, _STREAM, _ARCHIVE = "Sample", "File", "Stream", "Archive"
_OPENS = {_STREAM: "Watch", _ARCHIVE: "Search"}


def open_list() -> None:
    errors.show_kept_error()
    entries = [*_timelines(), *_streams(), *_archives()]
    st.header("What is open", anchor=False)
    st.html(ROWS)
    with st.container(key="open-list", gap=None):
        named: set[str] = set()
        for name, line in entries:
            kind, title = line["Kind"], line["Name"]
            title = (
                f"{kind}: {title}" if title in named else title
            )  # of several alike, later ones say what they are
            named.add(title)
            with st.container(key=f"open-row-{kind}-{name}", gap=None):
                if button(markdown.spoken(title), f"open-{kind}-{name}", type="tertiary"):
                    _open(kind, name)
                count = "–" if line["Headlines"] is None else f"{line['Headlines']:,} headlines"
                said = kind, count, line["Days"], _OPENS.get(kind, "See events")
                facts = "".join(f"<span>{escape(fact)}</span>" for fact in said)
                st.html(f'<div class="open-facts">{facts}</div>')
    go = {_STREAM: streams_here(), _ARCHIVE: [n for n, path in archives_here().items() if path != SHIPPED]}
    go = {} if workshop() else go
    own = {name: line for name, line in entries if line["Kind"] == _FILE or name in go.get(line["Kind"], ())}
    if own:
        with st.popover("Remove", icon=":material/delete:"):
            titles = {name: f"{line['Name']} ({line['Kind'].lower()})" for name, line in own.items()}
            name = pick("What to remove", own, titles, "remove-what")
            st.caption(markdown.WORDS["removed"][own[name]["Kind"]])
            button("Remove it", "remove", _remove, own[name]["Kind"], name, icon="delete", type="primary")


def _line(kind: str, title: str, headlines: int | None, days: Period | str | None) -> dict[str, Any]:
    words = days.words if isinstance(days, Period) else days or "–"
    return {"Name": title, "Kind": kind, "Headlines": headlines, "Days": words}


def _timelines() -> Iterator[tuple[str, dict[str, Any]]]:
    for name in resources.known():
        if name in samples.names():
            card = samples.info(name)
            days = Period(*map(date.fromisoformat, card.days)) if card.days else None
            yield name, _line(_SAMPLE, card.title, card.rows, days)
        elif (timeline := resources.shelf().get(name)) is not None:
            yield name, _line(_FILE, timeline.name, len(timeline), whole(timeline))


def _streams() -> Iterator[tuple[str, dict[str, Any]]]:
    streams = streams_here()
    for name in {**streams, READY: None}:
        headlines, days = (0, None) if name in streams else (samples.info(SAMPLE).rows, "waiting to start")
        try:
            digest = reader_of(streams[name]).digest(0) if name in streams else None
            headlines = digest.headlines if digest else headlines
            if digest and digest.oldest and digest.newest:
                days = Period(digest.oldest.date(), digest.newest.date())
        except CoreError:
            headlines, days = None, "cannot be read"
        yield name, _line(_STREAM, stream_title(name), headlines, days)


def _archives() -> Iterator[tuple[str, dict[str, Any]]]:
    for name, path in archives_here().items():
        try:
            headlines, days = summary_of(path)["headlines"], days_of(path)
        except (CoreError, KeyError):
            headlines, days = None, "not finished"
        yield name, _line(_ARCHIVE, archive_title(name, path), headlines, days)


def _open(kind: str, name: str) -> None:
    if kind in {_SAMPLE, _FILE}:
        state.open_data(name)
        st.switch_page("pages/timeline.py")
    if kind == _STREAM:
        LIVE.put(stream=name, since=0)
    else:
        ARCHIVE.reset()
        ARCHIVE.put(archive=name)
    page_state.PLACES.put(sources="live" if kind == _STREAM else "archive")
    st.rerun()


def _remove(kind: str, name: str) -> None:
    with errors.errors_kept():
        if kind == _FILE:
            resources.close_file(name)
        elif kind == _STREAM:
            remove(StreamLog(stream_file(name)))
        else:
            remove_archive(archives_here()[name])
