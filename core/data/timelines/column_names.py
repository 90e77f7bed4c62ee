"""Names of columns, and which of them means which field."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

from core.data.timelines.raw import listing
from core.data.timelines.timeline import Field
from core.errors import InputError
from core.files import read_tables

F = TypeVar("F", bound=str)

_NAMES = read_tables(__file__, "names")
LAST, FIRST = (
    {Field(field): names.split() for field, names in _NAMES.pop(at).items()} for at in ("last", "first")
)
WEAK, PLAIN, NO_OUTLET, OTHER_ADDRESS, MEDIA, SITES, PARTS, ASKED = (
    frozenset[str](_NAMES.pop(kind).split())
    for kind in ("weak", "plain", "no_outlet", "other_address", "kinds_of_media", "sites", "parts", "asked")
)
PAGES: tuple[str, ...] = tuple(_NAMES.pop("pages").split())
DATE_WORDS, CLOCK_WORDS = (
    {kind: tuple(words.split()) for kind, words in _NAMES.pop(table).items()} for table in ("dates", "clocks")
)
"""Parts of names of columns of dates and of times, by what they say."""
NAMES: dict[Field, tuple[str, ...]] = {Field(field): tuple(names.split()) for field, names in _NAMES.items()}
"""The best name first; see `key` for how names are compared."""

LONGEST_NAME = 200  # characters; nothing longer names a column

_ANNOTATOR = re.compile(r"annot(?:ator)?_?\d{1,2}(?:_group)?")
_SOLR = re.compile(r"_(?:txt(?:_[a-z]{2})?|ss?|dts?)$")  # what a field holds, at the end of its name
_MARC = re.compile(r"\d{3}_[a-z\d]")  # a field of a library's record, as 245$a
_PREFIX = re.compile(r"^(?:input|output|golden)[_:]+")
_BETWEEN_WORDS = re.compile(r"(?:(?![\u0900-\u0eff])[\W_])+")  # not vowel signs of Indian scripts and Thai
_CAMEL = re.compile(r"(?<=[a-zа-я0-9])(?=[A-ZА-Я])")


def key(name: str) -> str:
    """The form in which column names are compared: "INPUT:First Title" is "first_title"."""
    name = _CAMEL.sub("_", name.strip()[:LONGEST_NAME]).casefold().replace("i\u0307", "i").replace("ı", "i")
    words = _BETWEEN_WORDS.sub("_", name).strip("_")
    return _SOLR.sub("", _PREFIX.sub("", words))


def by_key(names: Iterable[object]) -> dict[str, str]:
    """The columns by their key, and by their name in lower case; of several with one key the first."""
    columns: dict[str, str] = {}
    for name in map(str, names):
        columns.setdefault(key(name), name)
        columns.setdefault(name.strip().casefold(), name)
    return columns


def find(
    columns: Iterable[object],
    fields: Mapping[F, Sequence[str]],
    *,
    agrees: Callable[[F, str, str], bool] = lambda field, spelling, column: True,
) -> dict[F, str]:
    """The column of each field, by its best name that `agrees` accepts (field, name, column); used once."""
    free = list(map(str, columns))
    mapping: dict[F, str] = {}
    for name, spellings in fields.items():
        keys = by_key(free)
        for spelling in spellings:
            if spelling in keys and agrees(name, spelling, keys[spelling]):
                mapping[name] = keys[spelling]
                free.remove(keys[spelling])
                break
    return mapping


def require(known: Mapping[F, object], wanted: Mapping[F, str], columns: Iterable[object], file: str) -> None:
    """Raises InputError where a field of `wanted` (what each holds, as "the articles") has no column."""
    for name, what in wanted.items():
        if not known.get(name):
            message = f"{file[:80]} has no column with {what}; it should be called {name}."
            raise InputError(message, hint=f"It has {listing(columns)}; rename the one that holds {what}.")


def is_annotator(name: str) -> bool:
    return _ANNOTATOR.fullmatch(key(name)) is not None


def field_of(name: str) -> Field | None:
    """The field that a column of this name means, by its whole name or its last or first word."""
    wanted = key(name)
    words = wanted.split("_")
    whole = next((field for field, names in NAMES.items() if wanted in names), None)
    last = next((field for field, names in LAST.items() if words[-1] in names), None)
    return whole or last or next((field for field, names in FIRST.items() if words[0] in names), None)


def is_known(name: str) -> bool:
    """Whether a name is one of the known column names, so that a row of such names is a header."""
    wanted = key(name)
    return (
        is_annotator(name)
        or bool(_MARC.fullmatch(wanted))
        or any(wanted in names for names in NAMES.values())
    )
