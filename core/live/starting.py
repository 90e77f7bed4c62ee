"""Streams that the app follows: each in a process of its own, which goes on when the app ends."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Final

from core import files, limits
from core.errors import InputError
from core.live.fetch import Fetcher, is_address
from core.live.follow import is_followed, stop_file
from core.live.log import StreamLog, kept_streams, name_for, stream_file
from core.live.sources import source_of

_LAST_WORDS: Final = 1_000
"""Bytes at the end of what a process said."""
_starting: Final = threading.Lock()
_started: Final[dict[str, subprocess.Popen[bytes]]] = {}
"""The last process for each stream that was started here."""


def start(source: str) -> str:
    """Follows a source in a process of its own.

    Args:
        source: A file, a folder, or a public address.

    Returns:
        What its stream is called.

    Raises:
        InputError: So many streams are followed that no other is started, or the address cannot be asked.
        DataSourceError: There is no such file or folder.
    """
    if is_address(source):
        Fetcher(source).check()
    else:
        source_of(source)
    followed = source if is_address(source) else str(Path(source).resolve())
    name = name_for(followed)
    path = stream_file(name)
    with _starting:
        if is_followed(StreamLog(path)):
            return name
        busy = sum(is_followed(StreamLog(one)) for one in kept_streams())
        if busy >= limits.STREAMS_AT_ONCE.value:
            raise InputError(
                "1 stream is followed." if busy == 1 else f"{busy} streams are followed.",
                hint=f"Stop one, or raise {limits.STREAMS_AT_ONCE.variable}.",
            )
        files.make_folder(path.parent)
        with path.with_suffix(".log").open("wb") as log:
            # The source is one word of the command and follows what ends its options: nothing else is run.
            _started[name] = subprocess.Popen(  # noqa: S603
                [sys.executable, "-m", "cli", "live", "--quiet", "--", followed],
                cwd=files.ROOT,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
    return name


def is_starting(name: str) -> bool:
    """Whether a stream has no file yet and a process is there that will write it, or say why not."""
    log = StreamLog(stream_file(name))
    if log.path.exists():
        return False
    process = _started.get(name)
    return (process is not None and process.poll() is None) or is_followed(log)


def last_words(log: StreamLog) -> str:
    """What the process that followed a stream said last; "" for nothing."""
    try:
        with log.path.with_suffix(".log").open("rb") as file:
            file.seek(-min(_LAST_WORDS, file.seek(0, os.SEEK_END)), os.SEEK_END)
            return " ".join(file.read().decode("utf-8", "replace").splitlines()[-2:]).strip()
    except OSError:
        return ""


def stop(log: StreamLog) -> None:
    """Asks whoever follows a stream to end; a second later it has.

    Raises:
        DataSourceError: The request cannot be written.
    """
    files.write(stop_file(log), b"")
