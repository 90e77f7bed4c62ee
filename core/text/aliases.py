"""Names of one thing in headlines of any language ("BCE", "EZB"), our own words, in aliases.toml."""

from collections.abc import Sequence
from functools import cache

from core.files import read_tables
from core.text.name_tables import NameTable, found_names, name_form


@cache
def alias_sets() -> tuple[tuple[str, ...], ...]:
    groups = (group["sets"].splitlines() for group in read_tables(__file__).values())
    return tuple(tuple(line.split("/")) for lines in groups for line in lines)


def alias_rows(texts: Sequence[str]) -> list[tuple[int, ...]]:
    found = (found_names(text, _table()) for text in texts)
    return [tuple(dict.fromkeys(int(thing) for thing, _, _ in names)) for names in found]


@cache
def _table() -> NameTable:
    things = {name: str(thing) for thing, names in enumerate(alias_sets()) for name in names}
    small = frozenset(name_form(name) for name in things if name[0].islower())
    return NameTable({name_form(name): thing for name, thing in things.items()}, small=small)
