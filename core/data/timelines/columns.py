"""Which column means what, by its name and then by what stands in it."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

import numpy as np

from core.data.timelines import addresses, column_names, dates, nested
from core.data.timelines.column_names import NAMES, WEAK, is_annotator
from core.data.timelines.raw import RawTable, listing
from core.data.timelines.timeline import Field
from core.errors import InputError

Mapped = dict[Field, tuple[str, ...]]
_SAMPLE = 200
_LONG_TEXT = 300  # characters; a column whose middle value is longer is an article, not a headline


def propose(table: RawTable) -> Mapped:
    """The likely meaning of the columns; what is not recognised is left out."""
    if table.mapping is not None:
        return dict(table.mapping)
    samples = {name: _sample(table.column(name)) for name in table.columns}
    annotators = tuple(filter(is_annotator, samples))
    mapping: Mapped = {Field.ANNOTATOR: annotators} if annotators else {}
    free = [name for name in samples if name not in annotators]
    named = column_names.find(
        free, NAMES, agrees=lambda field, name, column: name not in WEAK or _agrees(field, samples[column])
    )
    for field, name in named.items():
        mapping[field] = (name,)
        free.remove(name)
    _by_word(mapping, free, samples)
    _by_content(mapping, free, samples)
    return mapping


def check(mapping: Mapping[Field, Sequence[str] | str], columns: Sequence[str]) -> Mapped:
    checked: Mapped = {}
    for raw, chosen in mapping.items():
        if raw not in list(Field):
            message = f"There is no field {str(raw)[:40]!r}."
            raise InputError(message, hint=f"Choose one of: {listing(f.value for f in Field)}.")
        field = Field(raw)
        names = (chosen,) if isinstance(chosen, str) else tuple(chosen)
        names = tuple(name for name in names if name)
        for name in names:
            if name not in columns:
                message = f"There is no column {name[:80]!r} for the {field.value}."
                raise InputError(message, hint=f"The columns are: {listing(columns)}.")
        if len(names) > 1 and field != Field.ANNOTATOR:
            message = f"The {field.value} takes one column, not {len(names)}."
            raise InputError(message, hint="Choose one of them.")
        if names:
            checked[field] = names
    if Field.HEADLINE not in checked:
        message = f"No headline column was found among: {listing(columns)}."
        raise InputError(message, hint="Choose the column that holds the headlines, or call it `headline`.")
    return checked


def _sample(values: Sequence[str | None]) -> list[str]:
    filled = [value.strip() for value in values if value and value.strip()]
    step = max(1, len(filled) // _SAMPLE)
    return filled[::step][:_SAMPLE]


def _share_of_dates(sample: Sequence[str]) -> float:
    read = dates.parse_column(sample, now=datetime.max.replace(tzinfo=UTC, year=9000))
    return 1.0 - float(read.unreadable.mean()) if sample else 0.0


def _middle(sample: Sequence[str]) -> float:
    return float(np.median([len(text) for text in sample])) if sample else 0.0


def _agrees(field: Field, sample: Sequence[str]) -> bool:
    if field is Field.PUBLISHED:
        return _share_of_dates(sample) >= 0.5
    if field is Field.BODY:
        return _middle(sample) > _LONG_TEXT
    if field is Field.HEADLINE:
        return _is_prose(sample)
    return bool(sample) and _middle(sample) <= 60


def _is_prose(sample: Sequence[str]) -> bool:
    if not sample or sum(bool(addresses.WEB_ADDRESS.match(text)) for text in sample) > 0.5 * len(sample):
        return False
    if nested.is_nested(sample):
        return False
    letters = sum(sum(map(str.isalpha, text)) for text in sample) / max(1, sum(map(len, sample)))
    spaced = sum(len(text.split()) >= 3 for text in sample) / len(sample)
    unspaced = sum(len(text) >= 8 and ord(max(text)) > 0x2E80 for text in sample) / len(sample)
    return letters > 0.5 and max(spaced, unspaced) >= 0.5


def _by_word(mapping: Mapped, free: list[str], samples: Mapping[str, Sequence[str]]) -> None:
    for table, place in ((column_names.LAST, -1), (column_names.FIRST, 0)):
        for field, words in table.items():
            for name in list(free):
                word = column_names.key(name).split("_")[place]
                sure = place and word not in WEAK
                if field not in mapping and word in words and (sure or _agrees(field, samples[name])):
                    mapping[field] = (name,)
                    free.remove(name)


def _by_content(mapping: Mapped, free: list[str], samples: Mapping[str, Sequence[str]]) -> None:
    def take(field: Field, name: str) -> None:
        mapping[field] = (name,)
        free.remove(name)

    for name in list(free):
        sample = samples[name]
        if not sample:
            continue
        links = sum(bool(addresses.WEB_ADDRESS.fullmatch(text)) for text in sample)
        if Field.URL not in mapping and links >= 0.8 * len(sample):
            take(Field.URL, name)
        elif Field.PUBLISHED not in mapping and _share_of_dates(sample) >= 0.8:
            take(Field.PUBLISHED, name)
    if Field.HEADLINE not in mapping:
        prose = [n for n in free if _is_prose(samples[n])]
        short = [n for n in prose if _middle(samples[n]) <= _LONG_TEXT]
        if short or prose:
            take(Field.HEADLINE, max(short or prose, key=lambda n: _middle(samples[n])))
