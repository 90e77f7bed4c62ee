"""All that a server holds as one file, for a move to another machine."""

import gzip
import hashlib
import json
import os
import re
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import suppress
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import IO, Any, Final

from core import files, limits
from core.errors import InputError
from core.journal.backup import Backup, packed, taken, unpacked
from core.journal.journal import the_journal
from core.journal.restore import put_back, what_remains
from core.runtime import cache_folder, runs_folder, user_folder

_ABOUT: Final = "headline-lab-server.json"
_FORMAT: Final = 1
_JOURNAL: Final = "journal.jsonl.gz"
_PLACES: Final = {"user": user_folder, "trainings": runs_folder}
_OWN: Final = "journal.sqlite"  # the files of a journal begin so; it travels as a backup, for either database
_ANEW: Final = "Make it anew with `headline-lab export-server`."
_NAMED: Final = 3  # files that are named of those that are in the way
_ABOUT_BYTES: Final = 16_000_000  # of the list of digests: those of a hundred thousand files
_PACKINGS: Final = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}  # the others unpack without bounds
_LONGEST_NAME: Final = 255  # bytes that most disks take
_CONTROL: Final = re.compile(r"[\0-\x1f\x7f-\x9f]")
_BROKEN: Final = (zipfile.BadZipFile, zlib.error, EOFError, LookupError, RuntimeError, TypeError, ValueError)


def export_server(path: Path, *, trainings: bool) -> dict[str, Any]:
    """Writes all into one file that its owner alone may read, for keys are in it; says what that is."""
    stored = taken(the_journal())
    with files.beside(path) as partial:
        partial.touch(0o600)
        with zipfile.ZipFile(partial, "w", zipfile.ZIP_DEFLATED, strict_timestamps=False) as archive:
            archive.writestr(_JOURNAL, packed(stored))
            for name, file in _held(trainings=trainings):
                archive.write(file, name)
            # Read back: a file may have changed while it was read.
            digests = {name: _digest(archive.open(name)) for name in archive.namelist()}
            archive.writestr(_ABOUT, json.dumps({"format": _FORMAT, "digests": digests}))
    return {"file": str(path), "entries": len(stored.entries), "files": len(digests) - 1}


def import_server(path: Path, *, dry_run: bool) -> dict[str, Any]:
    """Puts all of such a file in its places, nothing before all of it was checked; says what that is.

    It overwrites nothing: InputError where entries are stored here, or another file has the place of one.
    Files that are here as they should be stay, so that an import that was stopped can be begun again.
    """
    digests = _checked(path)
    with zipfile.ZipFile(path) as archive:
        backup, stored = _journal(archive), taken(the_journal())
        targets = {name: _target(name) for name in digests if name != _JOURNAL}
        above = {folder for target in targets.values() for folder in target.parents}
        if len(set(targets.values()) - above) < len(targets):
            raise InputError("The file names one place twice, or one below another file of it.", hint=_ANEW)
        size = sum(archive.getinfo(name).file_size for name in digests)
        here = {name: target for name, target in targets.items() if target.exists()}
        differ = (
            name for name, file in here.items() if file.is_dir() or _digest(file.open("rb")) != digests[name]
        )
        other = sorted({str(here[name]) for name in differ} | {str(one) for one in above if one.is_file()})
        if stored.entries or other:
            counts = f"{len(stored.entries):,} entries and {len(other):,} other files are in the way"
            named = f"{counts}: {', '.join(other[:_NAMED]) or 'the journal'}."
            raise InputError(named, hint="Name an empty folder (HEADLINE_LAB_USER) and an empty database.")
        if not dry_run:
            for name in targets.keys() - here.keys():
                files.make_folder(targets[name].parent)
                with archive.open(name) as source:
                    blocks = files.blocks_of(source)
                    files.write_blocks(targets[name], blocks, durable=True, hint=files.HINT)
            put_back(the_journal(), backup)  # last, since entries that are stored here end a second try
    back = len(what_remains(backup, stored.receipts).entries)
    return {"file": str(path), "entries": back, "files": len(targets), "bytes": size, "changed": not dry_run}


def _held(*, trainings: bool) -> Iterator[tuple[str, Path]]:
    """The files that last, with their names in an export."""
    folders = {place: of().absolute() for place, of in _PLACES.items()}
    for place, folder in folders.items():
        apart = {cache_folder().absolute(), *folders.values()} - {folder, *folder.parents}
        for path in sorted(folder.rglob("*")) if trainings or place == "user" else ():
            name = path.relative_to(folder).as_posix()
            left_out = name.startswith(_OWN) or files.PARTIAL in name or not apart.isdisjoint(path.parents)
            if left_out or path.is_symlink() or not path.is_file():
                continue
            if name != name.encode(errors="replace").decode() or _CONTROL.search(name):
                raise InputError(f"{path} has a name that is no text.", hint="Rename it, or move it away.")
            yield f"{place}/{name}", path


def _checked(path: Path) -> dict[str, str]:
    """The digests of such a file, by the names of what is in it, all of which fits them."""
    said = "is no export of a server, or it is damaged"
    try:
        with zipfile.ZipFile(path) as archive:
            if {info.compress_type for info in archive.infolist()} - _PACKINGS:
                raise ValueError
            with archive.open(_ABOUT) as file:
                about = json.loads(file.read(_ABOUT_BYTES))
            digests = {name: _digest(archive.open(name)) for name in archive.namelist() if name != _ABOUT}
            if about["format"] != _FORMAT:
                said = "was made by a newer version of Headline Lab"
            elif digests == about["digests"] and _JOURNAL in digests:
                return digests
    except OSError as error:
        said = f"cannot be read ({error.strerror})"
    except _BROKEN:
        pass
    raise InputError(f"{path} {said}.", hint="Give a file that `headline-lab export-server` wrote.")


def _target(name: str) -> Path:
    place, _, rest = name.partition("/")
    folder = _PLACES.get(place, user_folder)()
    target = Path(os.path.abspath(folder / rest))
    inside = target.is_relative_to(os.path.abspath(folder)) and not _CONTROL.search(rest)
    plain = all(
        part not in ("", ".", "..") and len(part.encode()) <= _LONGEST_NAME for part in rest.split("/")
    )
    if place not in _PLACES or not inside or not plain or rest.startswith(_OWN):
        raise InputError(f"The file names a place that no server has: {name!r:.80}.", hint=_ANEW)
    return target


def _journal(archive: zipfile.ZipFile) -> Backup:
    most = limits.UNPACKED_MEGABYTES
    with archive.open(_JOURNAL) as file:
        content = file.read(most.value << 20)
    # What is damaged is told where it is read.
    with suppress(OSError, EOFError, zlib.error), gzip.open(BytesIO(content)) as lines:
        if any(islice(files.blocks_of(lines), most.value, None)):  # type: ignore[arg-type]
            said = f"The journal in the file unpacks to more than {most.value:,} MB."
            raise InputError(said, hint=f"If it is yours, raise {most.variable}.")
    return unpacked(content)


def _digest(file: IO[bytes]) -> str:
    with file:
        return hashlib.file_digest(file, "sha256").hexdigest()  # type: ignore[arg-type]
