"""Names of one thing in headlines of any language ("BCE", "EZB"), our own words, in aliases.toml."""

from collections.abc import Sequence
from functools import cache, lru_cache

from core.files import read_tables
from core.text.name_tables import NameTable, name_form
from core.text.reading import reads
from core.text.tokens import REMEMBERED


@cache
def alias_sets() -> tuple[tuple[str, ...], ...]:
    """The names of each thing, by id."""
    lines = (line for group in read_tables(__file__).values() for line in group["sets"].splitlines())
    return tuple(tuple(line.split("/")) for line in lines)


def alias_rows(texts: Sequence[str]) -> list[tuple[int, ...]]:
    """The ids of the things that each headline names, each once."""
    return [_things_in(text) for text in texts]


@reads("names", lambda text: ())
@lru_cache(maxsize=REMEMBERED)
def _things_in(text: str) -> tuple[int, ...]:
    return tuple(dict.fromkeys(int(thing) for thing, _, _ in _table().find(text)))


@cache
def _table() -> NameTable:
    things = {name: str(thing) for thing, names in enumerate(alias_sets()) for name in names}
    small = frozenset(name_form(name) for name in things if name[0].islower())
    return NameTable({name_form(name): thing for name, thing in things.items()}, small=small)
