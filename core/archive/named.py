"""The places, persons and other names that the headlines of a selection name most."""

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import pairwise
from typing import Final

import numpy as np

from core.archive.opened import ArchiveAnswer, OpenArchive
from core.data.timelines.timeline import Field
from core.errors import ModelUnavailableError
from core.events.mentions import are_persons, mentions_of
from core.text.gazetteer import place_rows
from core.text.names import find_names, learn_names
from core.text.normalise import searched

READ: Final = 2_000  # headlines that are read, evenly from all of a selection
_MOST: Final = 10  # names of each kind
_FEWEST: Final = 2  # headlines that have one
_SHOWN: Final = 3  # headlines of a name by which it is a person or none
PLACES, PERSONS, OTHERS = "Places", "Persons", "Organisations and other names"


def most_named(archive: OpenArchive, answer: ArchiveAnswer) -> Mapping[str, Sequence[tuple[str, int]]]:
    """The names of each kind with how many of the headlines that are read have them, those of most first."""
    count = len(answer.rows)
    rows = answer.rows[np.unique(np.linspace(0, count - 1, min(count, READ)).astype(np.int64))]
    texts = archive.table(rows)[Field.HEADLINE.value].tolist()
    known = learn_names(texts)
    named = [dict.fromkeys(map(searched, names)) for names in (_names(text, known) for text in texts)]
    counted = Counter(form for forms in named for form in forms)
    written = {searched(name): name for text in texts for name in _names(text, known)}
    often = [form for form, times in counted.most_common(10 * _MOST) if times >= _FEWEST]
    meant = dict(zip(often, map(set, place_rows([f"in {written[form]}" for form in often])), strict=True))
    # A name that gazetteers have is a place's where most headlines that have it mean the place.
    as_place = Counter[str]()
    for forms, places in zip(named, place_rows(texts), strict=True):
        as_place.update(form for form in forms if not meant.get(form, set()).isdisjoint(places))
    persons = _persons({form: (written[form], _with_name(texts, named, form)) for form in often})
    kinds: dict[str, list[str]] = {PLACES: [], PERSONS: [], OTHERS: []}
    for form in often:
        is_place = 2 * as_place[form] > counted[form]
        kinds[PERSONS if form in persons else PLACES if is_place else OTHERS].append(form)
    return {kind: [(written[form], counted[form]) for form in own[:_MOST]] for kind, own in kinds.items()}


def _with_name(texts: Sequence[str], named: Sequence[Mapping[str, None]], form: str) -> list[str]:
    return [text for text, forms in zip(texts, named, strict=True) if form in forms][:_SHOWN]


def _persons(names: Mapping[str, tuple[str, Sequence[str]]]) -> set[str]:
    """Which names, each with some of its headlines, are persons; none where the network is not installed."""
    with suppress(ModelUnavailableError):
        tagged = iter(mentions_of([text for _, own in names.values() for text in own]))
        found = {
            form: [each for text in own for each in next(tagged) if name in text[each.start : each.end]]
            for form, (name, own) in names.items()
        }
        return {form for form, own in found.items() if are_persons([own])[0]}
    return set()


def _names(text: str, known: frozenset[str]) -> list[str]:
    """Runs of words that look like names, as they are written: "Theresa May" is one."""
    tokens = find_names(text, known=known)
    begins = [
        0,
        *(at for at, (one, two) in enumerate(pairwise(tokens), 1) if text[one.end : two.start] != " "),
    ]
    ends = [*begins[1:], len(tokens)]
    return [text[tokens[a].start : tokens[b - 1].end] for a, b in zip(begins, ends, strict=True) if tokens]
