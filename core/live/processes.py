"""The processes that follow streams."""

import os
import subprocess
import threading
from pathlib import Path
from typing import Final

from core import files, limits
from core.errors import InputError
from core.live.fetch import Fetcher, is_address
from core.live.follow import is_followed, stop_file
from core.live.kept import kept_streams, name_for, stream_file
from core.live.log import StreamLog
from core.live.replay import set_speed
from core.live.sources import REPLAY, full_name, source_of
from core.processes import start_command

_LAST_WORDS: Final = 1_000  # bytes at the end of what a process said
_starting: Final = threading.Lock()
_started: Final[dict[str, subprocess.Popen[bytes]]] = {}  # last process of each stream


def replay(path: Path, hours: float) -> str:
    """Starts the replay of a file from its first headline, for everybody who sees streams here."""
    log = StreamLog(stream_file(name_for(full_name(f"{REPLAY}{path}"))))
    if is_followed(log) or is_starting(log.name):
        return log.name
    for file in (log.path, log.alarms, log.watched):
        files.remove(file)
    set_speed(log, hours)
    return start(f"{REPLAY}{path}", shared=True)


def start(source: str, *, shared: bool = False) -> str:
    if is_address(source):
        Fetcher(source).check()
    else:
        source_of(source)
    followed = full_name(source)
    name = name_for(followed)
    path = stream_file(name)
    with _starting:
        if is_followed(StreamLog(path)):
            return name
        busy = sum(is_followed(StreamLog(stream)) for stream in kept_streams())
        if busy >= limits.STREAMS_AT_ONCE.value:
            raise InputError(
                "1 stream is followed." if busy == 1 else f"{busy} streams are followed.",
                hint=f"Stop one, or raise {limits.STREAMS_AT_ONCE.variable}.",
            )
        files.make_folder(path.parent)
        options = ["--quiet", *(["--shared"] if shared else [])]
        with path.with_suffix(".log").open("wb") as log:
            # The source is one word of the command and follows what ends its options: nothing else is run.
            _started[name] = start_command(["live", *options, "--", followed], log)
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


def remove(log: StreamLog) -> None:
    with files.only_one(log.looked) as alone:
        if not alone:
            raise InputError("The stream is still followed.", hint="Stop it first, then remove it.")
        log.path.with_suffix(".log").unlink(missing_ok=True)
        log.remove()


def stop(log: StreamLog) -> None:
    files.write(stop_file(log), b"")
