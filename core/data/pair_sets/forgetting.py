"""A publisher, an address or a person removed from the files of pairs that are kept."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from core import files
from core.data.pair_sets.kept import own_folder, own_sets
from core.data.timelines.tables import read_table
from core.errors import CoreError, InputError
from core.journal.erasure import OF_PEOPLE, Secret
from core.journal.spellings import ErasureTarget

if TYPE_CHECKING:
    import pandas as pd

_HEADLINES: Final = ("headline", "text", "title", "sentence")
_ONE_PERSON: Final = ("annotator_", "annotator ", "annot_", "judge_")
"""Begin the name of a column that holds the answers of one person."""


def headlines_in_sets(secret: Secret) -> Iterator[str]:
    """The headlines that kept files of pairs say to be of an address or publisher."""
    for source in own_sets().values():
        try:
            cells = read_table(Path(source.path).read_bytes(), Path(source.path).name).cells
        except (CoreError, OSError):
            continue  # what cannot be read is said where it is cleaned
        for name in cells.columns if secret.kind is not ErasureTarget.PERSON else ():
            held = [value for value in cells[name].dropna().unique() if secret.is_in(str(value))]
            side = name.rpartition("_")[2]
            texts = (column for column in cells.columns if column.startswith(_HEADLINES))
            for text in (column for column in texts if column.rpartition("_")[2] == side):
                yield from map(str, cells.loc[cells[name].isin(held), text].dropna())


def clean_sets(secret: Secret) -> list[dict[str, Any]]:
    """Removes the pairs that name a value from every kept file; each is rewritten whole or stays as it was.

    A pair goes with which a cell is the value; for a person that is a cell of a column such as `annotator`,
    and a column of that person's answers goes too. A file without a pair left is deleted; others become JSON
    Lines.
    """
    outcomes: list[dict[str, Any]] = []
    for name, source in own_sets().items():
        path = Path(source.path)
        try:
            cleaned = _cleaned(path, secret)
            if cleaned is not None:
                content, removed = cleaned
                if content:
                    files.write(own_folder() / f"{name}.jsonl", content)
                if not content or path.name != f"{name}.jsonl":
                    path.unlink(missing_ok=True)
                outcomes.append({"pair_set": name, "removed": removed})
        except (CoreError, OSError) as error:
            outcomes.append({"pair_set": name, "problem": str(error)})
    return outcomes


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
    return secret.kind is ErasureTarget.PERSON and any(secret.is_in(column[len(begin) :]) for begin in begins)


def _named(cells: "pd.DataFrame", secret: Secret) -> "pd.Series[bool]":
    import pandas as pd

    gone = pd.Series(False, index=cells.index)
    for name in cells.columns:
        if secret.kind is ErasureTarget.PERSON and name.casefold() not in OF_PEOPLE:
            continue
        held = [value for value in cells[name].dropna().unique() if secret.is_in(str(value))]
        gone |= cells[name].isin(held)
    return gone
