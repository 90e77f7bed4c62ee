"""Names of one thing in headlines of any language: "BCE", "EZB" and "Währungshüter" are the same bank.

Source: our own words, in aliases.toml; a name of several places, clubs or offices is in one set at most.
"""

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Final

from core.files import read_tables
from core.text.name_tables import NameTable, name_form
from core.text.reading import reads
from core.text.tokens import REMEMBERED

_BETWEEN: Final = "/"  # two names of a set


@cache
def alias_sets() -> tuple[tuple[str, ...], ...]:
    """The names of each thing; its place is its id."""
    groups = read_tables(__file__).values()
    return tuple(
        tuple(line.split(_BETWEEN)) for group in groups for line in group["sets"].split("\n") if line
    )


def alias_rows(texts: Sequence[str]) -> list[tuple[int, ...]]:
    """The ids of the things that each headline names, each once."""
    return [_things_in(text) for text in texts]


@reads("names", lambda text: ())
@lru_cache(maxsize=REMEMBERED)
def _things_in(text: str) -> tuple[int, ...]:
    return tuple(dict.fromkeys(found.meaning for found in _table().find(text)))


@cache
def _table() -> NameTable[int]:
    named = [(name, number) for number, names in enumerate(alias_sets()) for name in names]
    small = frozenset(name_form(name) for name, _ in named if name[0].islower())
    return NameTable({name_form(name): number for name, number in named}, small=small)
