"""A user's own table of outlets: country, owner, side or whatever else its columns say of each."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import msgspec

from core import files
from core.data.timelines.column_names import NAMES, find, require
from core.data.timelines.tables import whole_table
from core.data.timelines.timeline import Field
from core.errors import DataSourceError, InputError
from core.runtime import user_folder
from core.text.normalise import clean_line, comparison_key

MOST_COLUMNS: Final = 8  # that are read, the first ones
LONGEST: Final = 60  # characters of a value, and of the name of a column
_FILE: Final = "outlets.json"


@dataclass(frozen=True, slots=True)
class OutletTable:
    columns: tuple[str, ...] = ()
    outlets: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """What each column says of an outlet, by its `comparison_key`; "" for nothing."""

    def value_of(self, column: str, outlets: Iterable[str | None]) -> dict[str, str]:
        """What a column says of each of some outlets; those of which it says nothing are left out."""
        place = self.columns.index(column)
        known = {name: self.outlets.get(comparison_key(name)) for name in set(outlets) if name}
        return {name: said[place] for name, said in known.items() if said and said[place]}


def read_outlet_table(data: bytes, filename: str) -> OutletTable:
    """The table of a file with a column of outlets; of an outlet that stands there twice the last row."""
    cells = whole_table(data, filename).cells
    named = find(cells.columns, {"outlet": NAMES[Field.PUBLISHER]})
    require(named, {"outlet": "the outlets"}, cells.columns, filename)
    others = [name for name in cells.columns if name != named["outlet"]][:MOST_COLUMNS]
    if not others:
        message = f"{filename[:80]} says nothing of its outlets."
        raise InputError(message, hint="Add a column beside them, such as country, owner or side.")
    names = [comparison_key(clean_line(name or "")) for name in cells[named["outlet"]]]
    columns = [[clean_line(text or "")[:LONGEST].strip() for text in cells[name]] for name in others]
    known = {name: said for name, said in zip(names, zip(*columns, strict=True), strict=True) if name}
    return OutletTable(tuple(clean_line(name)[:LONGEST].strip() for name in others), known)


def encoded(table: OutletTable) -> bytes:
    return msgspec.json.encode(table)


def decoded(table: bytes) -> OutletTable:
    try:
        return msgspec.json.decode(table, type=OutletTable) if table else OutletTable()
    except msgspec.MsgspecError:
        hint = f"Remove {_path()} and give the table again."
        raise DataSourceError("The table of outlets cannot be read.", hint=hint) from None


def stored_outlets() -> bytes:
    """The table that the user keeps, encoded; b"" where there is none."""
    try:
        return _path().read_bytes()
    except FileNotFoundError:
        return b""


def store_outlets(table: bytes) -> None:
    """Puts an encoded table in the place of the one before; b"" removes it."""
    if not table:
        return files.remove(_path())
    files.make_folder(_path().parent)
    return files.write(_path(), table)


def _path() -> Path:
    return user_folder() / _FILE
