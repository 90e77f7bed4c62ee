"""The folder of an archive: arrays and tables, each written whole or not at all."""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from tokenize import TokenError
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from core import files
from core.data.timelines.timeline import Field
from core.errors import DataSourceError, InputError

if TYPE_CHECKING:
    import pyarrow as pa

MANIFEST: Final = "archive.json"
VERSION: Final = 2
HEADLINES: Final = "headlines.parquet"
COUNTS: Final = "reading.json"  # written last of what reading makes
ROWS: Final = 65_536  # headlines in one part of that file, which is read at once
SUMMARY: Final = "summary.json"
_AT_WORK: Final = f".at-work{files.PARTIAL}"
EVENTS: Final = "events.parquet"
GROUPS: Final = "groups"
CELLS: Final = "cells"
MIDDLES: Final = "middles"
REMOVED: Final = "(removed on request)"  # stands in the place of a headline that was removed
Array = npt.NDArray[Any]
_BLOCK: Final = 16 << 20


class ArchiveFolder:
    """Arrays and tables of one archive, each written whole or not at all; a file that is there is done."""

    def __init__(self, path: Path, job: Mapping[str, Any], source: Path | None = None) -> None:
        self.path = path
        files.make_folder(path)
        origin = {} if source is None else {"source": str(source.resolve()), "bytes": source.stat().st_size}
        wanted = json.loads(json.dumps({"version": VERSION, **job, **origin}))
        manifest = path / MANIFEST
        try:
            begun = (path / HEADLINES).exists()
            rest = [file for file in path.iterdir() if file.name != MANIFEST and file.suffix != files.PARTIAL]
        except OSError as error:
            message = f"The folder {path} cannot be read ({error.strerror})."
            raise DataSourceError(message, hint="Choose another folder.") from error
        if not begun and rest:  # nothing of value is lost where not even the reading was done
            message = f"The folder {path} is not empty and holds no archive."
            raise InputError(message, hint="Choose a new folder.")
        held = read_json(manifest) if begun else {}
        held = held if isinstance(held, dict) else {}
        # The same content may come from elsewhere.
        other = sorted(name for name in wanted if name not in origin and held.get(name) != wanted[name])
        if begun and other:
            hint, size = "Choose a new folder, or delete this one.", held.get("bytes")
            if "file" not in other:
                of = f"this file with other settings: {', '.join(other)}"
            elif source and isinstance(size, int) and fingerprint(source, size) == held["file"]:
                of = "this file before it grew, and new rows change how all are compared"
                hint = "Delete the folder to make an archive of all rows, or choose a new one."
            else:
                of = "another file"
            raise InputError(f"The folder {path} holds an archive of {of}.", hint=hint)
        if held != wanted:
            files.write(manifest, json.dumps(wanted, indent=1, sort_keys=True).encode() + b"\n")

    def holds(self, name: str) -> bool:
        return (self.path / f"{name}.npy").exists()

    def made(self, name: str, make: Callable[[], Array]) -> Array:
        """The array of a step, read from disk page by page; made first where it is missing."""
        if not self.holds(name):
            self.write(name, make())
        return self.array(name)

    def write(self, name: str, array: Array) -> None:
        path = self.path / f"{name}.npy"
        files.make_folder(path.parent)
        content = BytesIO()
        np.save(content, array, allow_pickle=False)
        files.write(path, content.getbuffer())

    def array(self, name: str) -> Array:
        return read_array(self.path / f"{name}.npy")

    def headlines(self, *fields: Field) -> "pa.Table":
        """Some columns of the headlines, by date, the undated last."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        try:
            return pq.read_table(self.path / HEADLINES, columns=[field.value for field in fields])
        except (OSError, pa.ArrowException) as error:
            raise damaged(self.path / HEADLINES) from error


@contextmanager
def at_work(folder: Path) -> Iterator[None]:
    with files.only_one(folder / _AT_WORK) as alone:
        if not alone:
            message = f"The archive {folder.name} is being made at this moment."
            raise InputError(message, hint="Wait until that is done.")
        try:
            yield
        except (InputError, DataSourceError):
            if not (folder / HEADLINES).exists():  # there is nothing to go on with
                files.remove(folder / MANIFEST)
                with suppress(OSError):  # a folder that holds something else stays
                    (folder / _AT_WORK).unlink()
                    folder.rmdir()
            raise


def is_made_now(folder: Path) -> bool:
    with suppress(InputError), at_work(folder):
        return False
    return True


def read_array(path: Path) -> Array:
    try:
        array: Array = np.load(path, mmap_mode="r", allow_pickle=False)
    except (OSError, EOFError, ValueError, SyntaxError, TokenError) as error:
        raise damaged(path) from error  # the last two come from the head of the file, which is Python
    return array


def read_json(path: Path) -> Any:
    try:
        return json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError) as error:
        raise damaged(path) from error


def damaged(path: Path) -> DataSourceError:
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


def fingerprint(path: Path, most: int | None = None) -> str:
    """The digest of a file, or of so many bytes at its beginning."""
    sha = sha256()
    try:
        with path.open("rb") as file:
            rest = path.stat().st_size if most is None else most
            while block := file.read(min(rest, _BLOCK)):
                sha.update(block)
                rest -= len(block)
    except OSError as error:
        raise DataSourceError(f"The file {path} cannot be read.", hint="Check the path.") from error
    return sha.hexdigest()[:16]
