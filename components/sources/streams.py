"""The streams that are kept here, and the replay that is offered before any."""

from functools import cache
from pathlib import Path
from typing import Final

import streamlit as st

from core.data.files import SAMPLES
from core.data.timelines import samples
from core.errors import CoreError
from core.live import digest, kept, log, processes
from core.live.sources import REPLAY, full_name
from core.runtime import workshop

SAMPLE: Final = "uci"
SOURCE: Final = SAMPLES / "uci" / "uci_stories.csv.gz"
READY: Final = kept.name_for(full_name(f"{REPLAY}{SOURCE}"))
"""The stream that is offered before anything is followed: a replay of the sample."""


@st.cache_resource(show_spinner=False, max_entries=32)
def _reader(path: Path, _made: int) -> digest.StreamReader:
    return digest.StreamReader(log.StreamLog(path))


def reader_of(path: Path) -> digest.StreamReader:
    return _reader(path, path.stat().st_ino)


def start_replay(hours: float) -> str:
    name = processes.replay(SOURCE, hours)
    _reader.clear()  # the file is another one from now on
    return name


def streams_here() -> dict[str, Path]:
    headers = {path: _header(path, path.stat().st_ino) for path in kept.kept_streams()}
    own = not workshop()
    return {path.stem: path for path, header in headers.items() if own or (header and header.shared)}


def stream_title(name: str) -> str:
    if name == READY:
        return f"Replay: {samples.info(SAMPLE).title}"
    path = kept.stream_file(name)
    header = _header(path, path.stat().st_ino)
    if header is None or "://" not in header.source:
        return path.stem if header is None else Path(header.source).name
    return header.source.partition("?")[0]


@cache
def _header(path: Path, _made: int) -> log.StreamHeader | None:
    try:
        return log.header_of(path)
    except CoreError:
        return None  # the page says what is wrong when the stream is opened
