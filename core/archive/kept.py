"""The archives in the user's folder."""

import re
import shutil
from contextlib import suppress
from pathlib import Path
from secrets import token_hex
from typing import IO, TYPE_CHECKING, Any, Final

from core import files
from core.archive.folder import (
    EVENTS,
    HEADLINES,
    MANIFEST,
    SUMMARY,
    VERSION,
    damaged,
    fingerprint,
    read_json,
)
from core.data.files import SAMPLES
from core.data.timelines.periods import Period
from core.data.timelines.tables import check_size
from core.errors import CoreError, DataSourceError, InputError
from core.runtime import user_folder

if TYPE_CHECKING:
    import pandas as pd

SHIPPED: Final = SAMPLES / "uci" / "uci-sample"
_UPLOADS: Final = ".uploads"
_ENDING: Final = re.compile(r"(\.(csv|tsv|parquet))?(\.gz)?\Z", re.IGNORECASE)


def archives_folder() -> Path:
    """Where archives are kept that were given no other folder: `archives` in the user's folder."""
    return user_folder() / "archives"


def name_for(file: Path) -> str:
    """A name for the archive of a file: `news-2025` for `News 2025.csv.gz`, letters of any script."""
    stem = _ENDING.sub("", file.name).lstrip(".").partition(".")[0]
    name = re.sub(r"[\W_]+", "-", stem.lower()).strip("-")[:60].strip("-")
    if not name:
        message = f"The name of the file {file.name} gives its archive no name."
        raise InputError(message, hint="Name a folder (--out).")
    return name


def free_name(file: Path) -> str:
    """`name_for`, with a number behind it where an archive of another file has that name."""
    name = free = name_for(file)
    number, own = 1, ""
    while file.is_file() and (archives_folder() / free / HEADLINES).is_file():
        own = own or fingerprint(file)
        with suppress(DataSourceError, AttributeError):  # a damaged one is another's
            if read_json(archives_folder() / free / MANIFEST).get("file") == own:
                break
        number += 1
        free = f"{name}-{number}"
    return free


def keep_upload(sent: IO[bytes], name: str, size: int) -> Path:
    """A file that was sent, piece by piece written to disk until an archive is made of it."""
    check_size(size)
    folder, ending = archives_folder() / _UPLOADS / token_hex(8), name.removeprefix(_ENDING.sub("", name))
    path = folder / f"{name_for(Path(name))}{ending.lower()}"
    files.make_folder(folder)
    try:
        with files.beside(path) as partial, partial.open("wb") as file:
            shutil.copyfileobj(sent, file)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return path


def forget_upload(path: Path, archive: Path) -> None:
    """Removes a file that was sent, unless the archive that is made of it is to be finished."""
    begun = (archive / MANIFEST).is_file() and not (archive / SUMMARY).is_file()
    needed = begun and read_json(archive / MANIFEST).get("source") == str(path.resolve())
    if not needed and path.resolve().parent.parent == (archives_folder() / _UPLOADS).resolve():
        shutil.rmtree(path.parent, ignore_errors=True)


def kept_archives() -> dict[str, Path]:
    """All archives in the folder by name: finished ones first, then the one that was changed last."""
    folder = archives_folder()
    ranked: list[tuple[bool, float, str]] = []
    with suppress(OSError):  # removed at this moment
        for path in folder.iterdir() if folder.is_dir() else ():
            # A name with lone surrogates cannot be shown.
            shown = path.name == path.name.encode(errors="replace").decode() and not path.name.startswith(".")
            if shown and (path / HEADLINES).is_file():
                with suppress(OSError):
                    ranked.append((not (path / SUMMARY).is_file(), -path.stat().st_mtime, path.name))
    return {name: folder / name for _, _, name in sorted(ranked)}


def shown_archives() -> dict[str, Path]:
    """All archives in the folder, and the one of the sample that ships."""
    kept = kept_archives()
    return kept | {SHIPPED.name: kept.get(SHIPPED.name, SHIPPED)}


def days_of(path: Path) -> Period | None:
    """First and last day of a finished archive, without its texts; None where no headline has a date."""
    import pandas as pd

    events = read_frame(path / EVENTS, "first", "last")
    first, last = events["first"].min(), events["last"].max()
    return None if pd.isna(first) else Period(first.date(), last.date())


def remove_archive(path: Path) -> None:
    source = Path()
    with suppress(CoreError, AttributeError, TypeError):  # a damaged file goes as well
        source = Path(read_json(path / MANIFEST).get("source", ""))
    try:
        shutil.rmtree(path)
        forget_upload(source, path)
    except OSError as error:
        message = f"The archive {path.name} was not removed: {error.strerror}."
        raise DataSourceError(message, hint="Delete its folder by hand.") from error


def summary_of(path: Path) -> dict[str, Any]:
    if not (path / SUMMARY).is_file():
        raise DataSourceError(
            f"The archive {path.name} is not finished.",
            hint="While its command runs, look again later; where it was stopped, run it again: it goes on"
            " where it was.",
        )
    job = read_json(path / MANIFEST) if (path / MANIFEST).exists() else None  # the sample has none
    if isinstance(job, dict) and job.get("version", VERSION) > VERSION:
        message = f"A newer version of Headline Lab made the archive {path.name}."
        raise DataSourceError(message, hint="Update Headline Lab.")
    summary = read_json(path / SUMMARY)
    if not isinstance(summary, dict):
        raise damaged(path / SUMMARY)
    return summary


def is_shared(path: Path) -> bool:
    try:
        return summary_of(path).get("shared") is True
    except CoreError:
        return False


def read_frame(path: Path, *columns: str) -> "pd.DataFrame":
    import pandas as pd
    import pyarrow as pa

    try:
        return pd.read_parquet(path, columns=list(columns) or None)
    except (OSError, ValueError, pa.ArrowException) as error:
        raise damaged(path) from error
