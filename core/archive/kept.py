"""Archives that the app shows: folders in one place, each with its name."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from core.archive.folder import HEADLINES, SUMMARY, damaged, read_json
from core.errors import CoreError, DataSourceError, InputError
from core.runtime import user_folder

_ENDING: Final = re.compile(r"(\.(csv|tsv|parquet))?(\.gz)?\Z", re.IGNORECASE)


def archives_folder() -> Path:
    """Where archives are kept that were given no other folder: `archives` in the user's folder."""
    return user_folder() / "archives"


def name_for(file: Path) -> str:
    """A name for the archive of a file: `news-2025` for `News 2025.csv.gz`, letters of any script.

    Raises:
        InputError: Before its ending the file's name has no letter and no digit.
    """
    stem = _ENDING.sub("", file.name).lstrip(".").partition(".")[0]
    name = re.sub(r"[\W_]+", "-", stem.lower()).strip("-")[:60].strip("-")
    if not name:
        raise InputError(
            f"The name of the file {file.name} gives its archive no name.", hint="Name a folder with --out."
        )
    return name


def kept_archives() -> dict[str, Path]:
    """All archives in the folder by their names: the finished ones, then those whose file was read; among
    either the one that was changed last first."""
    folder = archives_folder()
    kept: list[tuple[bool, float, str]] = []
    with suppress(OSError):  # removed at this moment
        for path in folder.iterdir() if folder.is_dir() else ():
            if _can_be_shown(path.name) and (path / HEADLINES).is_file():
                with suppress(OSError):
                    kept.append((not (path / SUMMARY).is_file(), -path.stat().st_mtime, path.name))
    return {name: folder / name for _, _, name in sorted(kept)}


def _can_be_shown(name: str) -> bool:
    """Folders whose names begin with a dot are nobody's business; a name that is no text has no address."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return not name.startswith(".")


def summary_of(path: Path) -> dict[str, Any]:
    """What the last step wrote about an archive.

    Raises:
        DataSourceError: The archive is not finished, or the file is damaged.
    """
    if not (path / SUMMARY).is_file():
        raise DataSourceError(
            f"The archive {path.name} is not finished.",
            hint="While its command runs, look again later; where it was stopped, run it again: it goes on"
            " where it was.",
        )
    found = read_json(path / SUMMARY)
    if not isinstance(found, dict):
        raise damaged(path / SUMMARY)
    return found


def is_shared(path: Path) -> bool:
    """Whether visitors of a workshop may see an archive."""
    try:
        return summary_of(path).get("shared") is True
    except CoreError:
        return False
