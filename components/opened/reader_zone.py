"""The time zone in which pages say hours: the reader's choice, else the browser's, else UTC."""

from datetime import UTC, datetime, tzinfo
from typing import Final
from zoneinfo import ZoneInfo, available_timezones

import streamlit as st

from components.frame.controlled import controlled
from components.opened.own_file import keep_file, own_file
from core.data.timelines.timeline import Timeline
from core.events.report_times import moment_of
from core.results.render import moment, zone_name

_FILE: Final = "time_zone"
_NAMES: Final = ["UTC", *sorted(name for name in available_timezones() if "/" in name)]


def reader_zone() -> tzinfo:
    return zone_of(_chosen()) or zone_of(st.context.timezone or "") or UTC


def said_here(time: datetime) -> str:
    """A time with its zone: `6 May, 10:00 CEST`."""
    return f"{moment(time, reader_zone())} {zone_name(time, reader_zone())}"


def time_here(timeline: Timeline, row: int) -> str:
    """When a headline came: `6 May 2026, 10:00 CEST`, or its day alone."""
    return moment_of(timeline, row, reader_zone())


def choose_zone() -> None:
    browser = f"As in your browser ({zone_of(st.context.timezone or '') or UTC})"
    look = controlled("pick-zone", _chosen(), lambda name: keep_file(_FILE, name.encode()))
    st.selectbox("Hours are in", ["", *_NAMES], format_func=lambda name: name or browser, **look)


def _chosen() -> str:
    name = own_file(_FILE).decode("utf-8", "replace")
    return name if zone_of(name) else ""


def zone_of(name: str) -> tzinfo | None:
    """A zone by its name, None where there is none of that name."""
    try:
        return ZoneInfo(name) if name else None
    except (ValueError, KeyError, OSError):  # what a browser or a file says may be anything
        return None
