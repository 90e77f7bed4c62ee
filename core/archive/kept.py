"""Archives that the app shows: folders in one place, each with its name."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

from core.archive.folder import HEADLINES, SUMMARY, read_json
from core.errors import CoreError, DataSourceError
from core.runtime import user_folder

NAME: Final = r"[a-z0-9][a-z0-9-]{0,59}"
"""What an archive may be called: its folder has this name."""


def archives_folder() -> Path:
    """Where archives are kept that were given no other folder: `archives` in the user's folder."""
    return user_folder() / "archives"


def name_for(file: Path) -> str:
    """A name for the archive of a file: `news-2025` for `News 2025.csv.gz`."""
    words = re.sub(r"[^a-z0-9]+", "-", file.name.partition(".")[0].lower())
    return words.strip("-")[:60].strip("-") or "archive"


def kept_archives() -> dict[str, Path]:
    """All archives in the folder by their names: the finished ones, then those whose file was read; among
    either the one that was changed last first."""
    folder = archives_folder()
    found = folder.iterdir() if folder.is_dir() else ()
    kept = [path for path in found if re.fullmatch(NAME, path.name) and (path / HEADLINES).is_file()]

    def place(path: Path) -> tuple[bool, float, str]:
        return not (path / SUMMARY).is_file(), -path.stat().st_mtime, path.name

    return {path.name: path for path in sorted(kept, key=place)}


def summary_of(path: Path) -> dict[str, Any]:
    """What the last step wrote about an archive.

    Raises:
        DataSourceError: The archive is not finished, or the file is damaged.
    """
    if not (path / SUMMARY).is_file():
        raise DataSourceError(
            f"The archive {path.name} is not finished.",
            hint="Run the same command again: it goes on where it was.",
        )
    found: dict[str, Any] = read_json(path / SUMMARY)
    return found


def is_shared(path: Path) -> bool:
    """Whether visitors of a workshop may see an archive."""
    try:
        return summary_of(path).get("shared") is True
    except (CoreError, AttributeError):
        return False
