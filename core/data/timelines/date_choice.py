"""Which of several columns of dates says when a headline was published."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from enum import IntEnum
from typing import Final

from core.data.timelines import dates
from core.data.timelines.column_names import DATE_WORDS, NAMES, WEAK, key
from core.data.timelines.raw import RawTable
from core.data.timelines.timeline import Field

_SAMPLE: Final = 200
_END_OF_TIME: Final = datetime.max.replace(tzinfo=UTC, year=9000)

Samples = Mapping[str, Sequence[str]]


class DateKind(IntEnum):
    """What a column of dates is by its name, the best first."""

    FIRST_PUBLICATION = 0
    PUBLICATION = 1
    DATE = 2
    UNNAMED = 3
    VISIT = 4  # when it was downloaded, changed or indexed
    NUMBERS = 5
    OWNER = 6  # since when there is an account or a site


def sampled(values: Sequence[str | None]) -> list[str]:
    filled = [value.strip() for value in values if value and value.strip()]
    step = max(1, len(filled) // _SAMPLE)
    return filled[::step][:_SAMPLE]


def share_of_dates(sample: Sequence[str]) -> float:
    read = dates.parse_column(sample, now=_END_OF_TIME)
    return 1.0 - float(read.unreadable.mean()) if sample else 0.0


def kind_of(name: str, beside: Iterable[str] = ()) -> DateKind:
    """What a column of dates is by its name, and by those of the columns beside it."""
    words = [word for word in key(name).split("_") if word not in DATE_WORDS["utc"]] or [""]
    spelling = "_".join(words)
    published = any(stem in spelling for stem in DATE_WORDS["publication"])
    begun = any(stem in spelling for stem in DATE_WORDS["begun"])
    if words[0] in DATE_WORDS["owner"] and begun:
        return DateKind.OWNER
    given = any(stem in spelling for stem in DATE_WORDS["given"])  # to somebody who labelled it
    given &= not set(DATE_WORDS["annotation"]).isdisjoint(map(key, beside))
    if given or name.startswith("_") or any(stem in spelling for stem in DATE_WORDS["visit"]):
        return DateKind.VISIT
    if (published or begun) and spelling.startswith(DATE_WORDS["first"]):
        return DateKind.FIRST_PUBLICATION
    if published:
        return DateKind.PUBLICATION
    named = spelling in NAMES[Field.PUBLISHED] or not set(DATE_WORDS["date"]).isdisjoint(
        (words[0], words[-1])
    )
    named = named or words[-1].startswith(DATE_WORDS["begun"])
    return DateKind.DATE if named else DateKind.UNNAMED


def published_column(names: Sequence[str], samples: Samples) -> str | None:
    """The column of publication dates; where no dates can be read, one that is called so."""
    ranked: list[tuple[tuple[DateKind, bool, int, bool], str]] = []
    unread: str | None = None
    spellings = NAMES[Field.PUBLISHED]
    for name in names:
        kind, spelling = kind_of(name, names), key(name)
        if kind is DateKind.OWNER:
            continue
        local = set(DATE_WORDS["utc"]).isdisjoint(spelling.split("_"))
        share = share_of_dates(samples[name])
        if share >= (0.8 if kind is DateKind.UNNAMED else 0.5):
            if kind is DateKind.UNNAMED and all(value.isdigit() for value in samples[name]):
                kind = DateKind.NUMBERS
            place = spellings.index(spelling) if spelling in spellings else len(spellings)
            ranked.append(((kind, local, place, not any(":" in text for text in samples[name])), name))
        elif kind is DateKind.DATE or spelling in spellings:
            certain = spelling not in WEAK and any(map(str.isdigit, "".join(samples[name])))
            unread = unread or (name if certain else None)
    rank, best = min(ranked, key=lambda column: column[0], default=((DateKind.OWNER,), None))
    return unread if unread and rank[0] > DateKind.DATE else best


def other_dates(table: RawTable, chosen: str) -> list[str]:
    """The further columns that are called dates and hold them."""
    taken = {chosen, *chosen.split(" or ")}
    named = [name for name in table.columns if name not in taken and kind_of(name) is not DateKind.UNNAMED]
    return [name for name in named if share_of_dates(sampled(table.column(name))) >= 0.5]
