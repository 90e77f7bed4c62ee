"""Archives that the app shows: folders in one place, each with its name."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from core import files
from core.archive.reading import EVENTS, GROUPS, HEADLINES, ROWS, SUMMARY, damaged, read_array, read_json
from core.data.timelines.timeline import Field
from core.errors import CoreError, DataSourceError, InputError
from core.journal.forget import Opting, Secret
from core.runtime import user_folder

if TYPE_CHECKING:
    import pandas as pd

REMOVED: Final = "(removed on request)"
"""Stands in the place of a headline that was removed."""
_KNOWN: Final = (Field.URL.value, Field.PUBLISHER.value, Field.AUTHORS.value, Field.BODY.value)

_ENDING: Final = re.compile(r"(\.(csv|tsv|parquet))?(\.gz)?\Z", re.IGNORECASE)


def archives_folder() -> Path:
    """Where archives are kept that were given no other folder: `archives` in the user's folder."""
    return user_folder() / "archives"


def name_for(file: Path) -> str:
    """A name for the archive of a file: `news-2025` for `News 2025.csv.gz`, letters of any script."""
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
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return not name.startswith(".")


def summary_of(path: Path) -> dict[str, Any]:
    """What the last step wrote about an archive."""
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


def headlines_in_archives(secret: Secret) -> Iterator[str]:
    """The headlines that the archives in the folder say to be of an address or publisher."""
    for path in kept_archives().values():
        with suppress(CoreError):  # what cannot be read is said where it is cleaned
            table = _table(path / HEADLINES)
            yield from table.loc[_gone(table, secret), Field.HEADLINE.value]


def clean_archives(secret: Secret) -> list[dict[str, Any]]:
    """Blanks headlines in the archives in the folder: what is known of each goes, its point stays."""
    told: list[dict[str, Any]] = []
    for name, path in kept_archives().items():
        try:
            table = _table(path / HEADLINES)
            gone = _gone(table, secret)
            if not gone.any():
                continue
            if (path / EVENTS).is_file():
                events = _table(path / EVENTS)
                groups, first = np.unique(read_array(path / f"{GROUPS}.npy"), return_index=True)
                events.loc[events["group"].isin(groups[gone[first]]), "title"] = REMOVED
                _write(path / EVENTS, events)
            table.loc[gone, Field.HEADLINE.value] = REMOVED
            table.loc[gone, [name for name in _KNOWN if name in table]] = None
            _write(path / HEADLINES, table)
            if (path / SUMMARY).is_file():  # by its time a server sees that the archive was made anew
                files.write(path / SUMMARY, (path / SUMMARY).read_bytes(), durable=False)
            told.append({"archive": name, "removed": int(gone.sum())})
        except CoreError as error:
            told.append({"archive": name, "problem": str(error)})
    return told


def _table(path: Path) -> pd.DataFrame:
    import pandas as pd
    import pyarrow as pa

    try:
        return pd.read_parquet(path)
    except (OSError, ValueError, pa.ArrowException) as error:
        raise damaged(path) from error


def _write(path: Path, table: pd.DataFrame) -> None:
    with files.beside(path, durable=False) as partial:
        table.to_parquet(partial, index=False, row_group_size=ROWS)


def _gone(table: pd.DataFrame, secret: Secret) -> npt.NDArray[np.bool_]:
    none = np.zeros(len(table), dtype=bool)

    def holds(name: str, is_it: Callable[[str], bool]) -> npt.NDArray[np.bool_]:
        if name not in table:
            return none
        return np.asarray(table[name].isin([one for one in table[name].dropna().unique() if is_it(str(one))]))

    if secret.kind is Opting.PERSON:
        return none
    beside = {Opting.URL: Field.URL.value, Opting.PUBLISHER: Field.PUBLISHER.value}[secret.kind]
    unknown = np.asarray(table[beside].isna()) if beside in table else ~none
    by_text = holds(Field.HEADLINE.value, secret.is_headline) & unknown
    named = holds(Field.URL.value, secret.is_in) | holds(Field.PUBLISHER.value, secret.is_in)
    return np.asarray(named | by_text)
