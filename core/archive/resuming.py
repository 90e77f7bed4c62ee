"""Archives of long files, whose beginning is made first, and archives that were stopped."""

import itertools
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Final

from core.archive import comparing, reading, vectors
from core.archive.build import ArchiveSettings, archive_folder, build
from core.archive.folder import COUNTS, MANIFEST, SUMMARY, is_made_now, read_json
from core.archive.kept import forget_upload, remove_archive
from core.data.timelines.timeline import Field
from core.errors import DataSourceError, InputError
from core.results.render import count_words
from core.runtime import Runtime

FIRST: Final = 20_000  # headlines of a long file that are grouped before it is read whole
_FIRST: Final = "-first"


def beginning_or_all(path: Path, out: Path, beginning: str | None, runtime: Runtime) -> str:
    """Makes an archive of a long file's beginning; called again with its name, of all. Gives the name."""
    settings, columns = ArchiveSettings(), dict[Field, list[str]]()
    if (out / MANIFEST).exists():
        job = read_json(out / MANIFEST)
        settings = ArchiveSettings(window=job["window"])
        columns = {Field(name): given for name, given in job["columns"].items()}
    if beginning is not None:
        try:
            build(path, out, settings, columns, replace(runtime, patient=True))
        finally:
            forget_upload(path, out)
        if beginning:
            shutil.rmtree(out.with_name(beginning), ignore_errors=True)
        return out.name
    with tempfile.TemporaryDirectory() as place, suppress(InputError, DataSourceError):
        first, *more = itertools.islice(reading.portions(path), 2)
        if more:
            archive_folder(path, out, settings, columns)  # whatever stops this leaves a trace of the whole
            file, folder = Path(place) / "first.csv", out.with_name(out.name + _FIRST)
            first.cells.head(FIRST).to_csv(file, index=False)
            build(file, folder, settings, columns, runtime)
            return folder.name
    return ""


def remove_unfinished(path: Path) -> None:
    """Removes an archive that was stopped, and that of its beginning where it is not finished either."""
    beginning = path.with_name(path.name + _FIRST)
    remove_archive(path)
    if (beginning / MANIFEST).is_file() and not (beginning / SUMMARY).is_file():
        remove_archive(beginning)


def unfinished(folders: Path) -> Iterator[tuple[str, Path, str]]:
    """Archives that were begun and that nobody makes at this moment: name, file, and how far each came."""
    for path in sorted(folders.iterdir()) if folders.is_dir() else ():
        whole = path.with_name(path.name.removesuffix(_FIRST))
        begun = (path / MANIFEST).is_file() and not (path / SUMMARY).is_file()
        if begun and (whole == path or not (whole / MANIFEST).is_file()):
            with suppress(DataSourceError):  # the list of archives says so
                parts = (path, path.with_name(path.name + _FIRST))
                if not any(is_made_now(part) for part in parts if part.is_dir()):
                    yield (path.name, Path(read_json(path / MANIFEST).get("source", "")), _how_far(path))


def _how_far(path: Path) -> str:
    if not (path / COUNTS).is_file():
        return "It stopped while the file was read, so no row is kept."
    count = read_json(path / COUNTS)["headlines"]
    for step, of_part, doing in (("pairs", comparing.ROWS, "compared"), ("vectors", vectors.PART, "encoded")):
        if parts := sum(1 for _ in (path / step).glob("*.npy")):
            at = min(parts * of_part, count)
            return f"It stopped at headline {at:,} of {count:,}, while they were {doing}."
    return f"It stopped after {count_words(count, 'headline was', 'headlines were')} read."
