"""Removes a URL, a publisher or a person from the pair sets that somebody added."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from core import files
from core.data.pair_sets.load import own_folder, own_sets
from core.data.timelines.load import read_table
from core.errors import CoreError, InputError
from core.journal.forget import OF_PEOPLE, Opting, Secret
from core.runtime import user_folder

if TYPE_CHECKING:
    import pandas as pd

_HEADLINES: Final = ("headline", "text", "title", "sentence")
_ONE_PERSON: Final = ("annotator_", "annotator ", "annot_", "judge_")
"""Begin the name of a column that holds the answers of one person."""


def headlines_in_sets(secret: Secret) -> Iterator[str]:
    """The headlines that kept files of pairs say to be of an address or publisher."""
    for kept in own_sets().values():
        try:
            cells = read_table(Path(kept.path).read_bytes(), Path(kept.path).name).cells
        except (CoreError, OSError):
            continue  # what cannot be read is said where it is cleaned
        for name in cells.columns if secret.kind is not Opting.PERSON else ():
            held = [value for value in cells[name].dropna().unique() if secret.is_in(str(value))]
            side = name.rpartition("_")[2]
            texts = [
                one for one in cells.columns if one.startswith(_HEADLINES) and one.rpartition("_")[2] == side
            ]
            for text in texts:
                yield from map(str, cells.loc[cells[name].isin(held), text].dropna())


def clean_sets(secret: Secret) -> list[dict[str, Any]]:
    """Removes the pairs that name a value from every kept file; each is rewritten whole or stays as it was.

    A pair goes with which a cell is the value. For a person it is a cell of a column such as `annotator`;
    a column of that person's own answers goes too. A file without a pair left is deleted. What was rewritten
    is JSON Lines from then on, under the same name.
    """
    told: list[dict[str, Any]] = []
    for name, kept in own_sets().items():
        path = Path(kept.path)
        try:
            found = _cleaned(path, secret)
            if found is not None:
                content, removed = found
                if content:
                    files.write(own_folder() / f"{name}.jsonl", content)
                if not content or path.name != f"{name}.jsonl":
                    path.unlink(missing_ok=True)
                told.append({"pair_set": name, "removed": removed})
        except (CoreError, OSError) as error:
            told.append({"pair_set": name, "problem": str(error)})
    return told


def _cleaned(path: Path, secret: Secret) -> tuple[bytes, int] | None:
    table = read_table(path.read_bytes(), path.name)
    if table.rejected:
        raise InputError(f"{path.name} has rows that cannot be read.", hint="Add the file again without it.")
    cells = table.cells
    columns = [name for name in cells.columns if _is_of(secret, name)]
    gone = _named(cells, secret)
    if not columns and not gone.any():
        return None
    left = cells.loc[~gone].drop(columns=columns)
    rows = left.astype(object).where(left.notna(), None).to_dict(orient="records")
    lines = "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows)
    return lines.encode("utf-8", errors="replace"), int(gone.sum())


def _is_of(secret: Secret, column: str) -> bool:
    begins = [begin for begin in _ONE_PERSON if column.casefold().startswith(begin)]
    return secret.kind is Opting.PERSON and any(secret.is_in(column[len(begin) :]) for begin in begins)


def _named(cells: pd.DataFrame, secret: Secret) -> pd.Series[bool]:
    import pandas as pd

    gone = pd.Series(False, index=cells.index)
    for name in cells.columns:
        if secret.kind is Opting.PERSON and name.casefold() not in OF_PEOPLE:
            continue
        held = [value for value in cells[name].dropna().unique() if secret.is_in(str(value))]
        gone |= cells[name].isin(held)
    return gone


def files_with(text: str) -> list[str]:
    """Files in the user's folder that still hold a text as plain UTF-8, in any case; not packed ones."""
    wanted, folder = text.strip().casefold(), user_folder()
    skipped = ("journal.sqlite", ".")
    paths = [path for path in folder.rglob("*") if path.is_file() and not path.name.startswith(skipped)]
    found = (path for path in paths if wanted in path.read_bytes().decode(errors="replace").casefold())
    return sorted(path.relative_to(folder).as_posix() for path in found)
