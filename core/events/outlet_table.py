"""A user's own table of outlets: country, owner, side or whatever else its columns say of each."""

from collections.abc import Iterable, Mapping
from typing import Final

import msgspec

from core.data.timelines.column_names import NAMES, find, require
from core.data.timelines.tables import whole_table
from core.data.timelines.timeline import Field
from core.errors import DataSourceError, InputError
from core.text.normalise import clean_line, comparison_key

OutletTable = Mapping[str, Mapping[str, str]]
"""What each column says of outlets, by their `comparison_key`; where it says nothing, they are left out."""
_MOST_COLUMNS: Final = 8  # that are read, the first ones
_LONGEST: Final = 60  # characters of a value, and of the name of a column


def read_outlet_table(data: bytes, filename: str) -> OutletTable:
    """The table of a file with a column of outlets; of an outlet that stands there twice the last row."""
    cells = whole_table(data, filename).cells.fillna("").map(clean_line)
    named = find(cells.columns, {"outlet": NAMES[Field.PUBLISHER]})
    require(named, {"outlet": "the outlets"}, cells.columns, filename)
    outlets, others = cells[named["outlet"]].map(comparison_key), cells.drop(columns=named["outlet"])
    if others.empty:
        message = f"{filename[:80]} says nothing of its outlets."
        raise InputError(message, hint="Add a column beside them, such as country, owner or side.")
    table = {}
    for name in others.columns[:_MOST_COLUMNS]:
        rows = zip(outlets, others[name].str[:_LONGEST], strict=True)
        table[clean_line(name)[:_LONGEST]] = {key: text for key, text in rows if key and text}
    return table


def covered(table: OutletTable, outlets: Iterable[str]) -> set[str]:
    """Those of some outlets of which the table says anything."""
    return {name for column in table.values() for name in values_of(column, outlets)}


def decoded(table: bytes) -> OutletTable:
    try:
        return msgspec.json.decode(table or b"{}", type=dict[str, dict[str, str]])
    except msgspec.MsgspecError:
        said = "The table of outlets cannot be read."
        raise DataSourceError(said, hint="Remove outlets.json from the user's folder.") from None


def values_of(column: Mapping[str, str], outlets: Iterable[str | None]) -> dict[str, str]:
    """What a column says of each of some outlets; those of which it says nothing are left out."""
    return {name: said for name in set(outlets) if name and (said := column.get(comparison_key(name)))}
