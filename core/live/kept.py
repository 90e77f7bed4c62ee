"""The streams in the user's folder."""

import re
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path, PurePath
from typing import Final

from core.errors import InputError
from core.runtime import user_folder

SUFFIX: Final = ".jsonl"
NAME: Final = r"[a-z0-9][a-z0-9-]{0,59}"  # what a stream may be called: its file has this name


def streams_folder() -> Path:
    """Where streams are kept that have no file of their own: `live` in the user's folder."""
    return user_folder() / "live"


def stream_file(name: str) -> Path:
    if not re.fullmatch(NAME, name):
        message = f"A stream cannot be called {name[:80]!r}."
        raise InputError(message, hint="Use small letters, digits and hyphens, at most 60.")
    return streams_folder() / f"{name}{SUFFIX}"


def name_for(source: str) -> str:
    """A name for the stream of a source: the same source has the same."""
    shown = source.partition("://")[2] or PurePath(source).name
    words = re.sub(r"[^a-z0-9]+", "-", shown.lower())
    digest = blake2b(source.encode("utf-8", "surrogatepass"), digest_size=4).hexdigest()
    return f"{words.strip('-')[-40:].strip('-')}-{digest}".lstrip("-")


def kept_streams() -> list[Path]:
    """The files of all streams in the folder, the one that was written last first."""
    folder = streams_folder()
    if not folder.is_dir():
        return []
    streams: list[tuple[float, str, Path]] = []
    for path in folder.glob(f"*{SUFFIX}"):
        with suppress(FileNotFoundError):  # one that could not be followed goes again
            if re.fullmatch(NAME, path.stem):
                streams.append((-path.stat().st_mtime, path.name, path))
    return [path for _, _, path in sorted(streams)]
