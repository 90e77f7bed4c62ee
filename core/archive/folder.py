"""The folder of an archive: what each step made, so that work goes on where it stopped."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from io import BytesIO
from pathlib import Path
from tokenize import TokenError
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from core import files
from core.errors import DataSourceError, InputError

MANIFEST: Final = "archive.json"
_VERSION: Final = 1
HEADLINES: Final = "headlines.parquet"
ROWS: Final = 65_536
"""Headlines in one part of that file, which is read at once."""
SUMMARY: Final = "summary.json"
EVENTS: Final = "events.parquet"
GROUPS: Final = "groups"
CELLS: Final = "cells"
MIDDLES: Final = "middles"

Array = npt.NDArray[Any]


class ArchiveFolder:
    """Arrays and tables of one archive, each written whole or not at all.

    A file that is there is done: steps ask `made` for it and make it only where it is missing.

    Args:
        path: The folder; made where it is missing.
        job: What its parts depend on: the file's fingerprint and settings, as JSON would hold it.

    Raises:
        InputError: The folder holds another archive, or files that are none.
        DataSourceError: It cannot be read or written.
    """

    def __init__(self, path: Path, job: Mapping[str, Any]) -> None:
        self.path = path
        files.make_folder(path)
        wanted = {"version": _VERSION, **job}
        manifest = path / MANIFEST
        try:
            begun = (path / HEADLINES).exists()
            others = [one for one in path.iterdir() if one.name != MANIFEST and one.suffix != files.PARTIAL]
        except OSError as error:
            raise DataSourceError(
                f"The folder {path} cannot be read ({error.strerror}).", hint="Choose another folder."
            ) from error
        if not begun:  # nothing of value is lost where not even the reading was done
            if others:
                raise InputError(
                    f"The folder {path} is not empty and holds no archive.", hint="Choose a new folder."
                )
            files.write(manifest, json.dumps(wanted, indent=1, sort_keys=True).encode() + b"\n")
        if read_json(manifest) != json.loads(json.dumps(wanted)):
            raise InputError(
                f"The folder {path} holds an archive of another file or with other settings.",
                hint="Choose a new folder, or delete this one.",
            )

    def holds(self, name: str) -> bool:
        """Whether a step has made this array."""
        return (self.path / f"{name}.npy").exists()

    def made(self, name: str, make: Callable[[], Array]) -> Array:
        """The array of a step, read from disk page by page; made first where it is missing."""
        if not self.holds(name):
            self.write(name, make())
        return self.array(name)

    def write(self, name: str, array: Array) -> None:
        """Writes an array, in place of the one before."""
        path = self.path / f"{name}.npy"
        files.make_folder(path.parent)
        content = BytesIO()
        np.save(content, array, allow_pickle=False)
        files.write(path, content.getbuffer(), durable=False)

    def array(self, name: str) -> Array:
        """An array that a step has made.

        Raises:
            DataSourceError: It is missing or damaged.
        """
        return read_array(self.path / f"{name}.npy")


def read_array(path: Path) -> Array:
    """An array, read from disk page by page."""
    try:
        found: Array = np.load(path, mmap_mode="r", allow_pickle=False)
    except (OSError, EOFError, ValueError, SyntaxError, TokenError) as error:
        raise damaged(path) from error  # the last two come from the head of the file, which is Python
    return found


def read_json(path: Path) -> Any:
    """A file of JSON in the folder."""
    try:
        return json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError) as error:
        raise damaged(path) from error


def damaged(path: Path) -> DataSourceError:
    """What is raised for a file that cannot be read."""
    # Parts of the work are numbered, in folders of their own.
    archive = path.parent.parent if path.stem.isdecimal() else path.parent
    name = path.relative_to(archive).as_posix()
    whole = path.name in (HEADLINES, MANIFEST)
    return DataSourceError(
        f"The file {name} of the archive {archive.name} is missing or damaged.",
        hint="Delete the folder and run the same command again: all of it is made anew."
        if whole
        else "Delete it and run the same command again: what is missing is made again.",
    )
