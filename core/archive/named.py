"""The places, and other names, that the headlines of a selection name most."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final

import numpy as np

from core.archive.opened import ArchiveAnswer, OpenArchive
from core.data.timelines.timeline import Field
from core.text.gazetteer import place_rows
from core.text.names import find_names, learn_names
from core.text.normalise import searched

READ: Final = 2_000  # headlines that are read, evenly from all of a selection
_MOST: Final = 10  # names of each kind
_FEWEST: Final = 2  # headlines that have one
PLACES, OTHERS = "Places", "Other names"


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
    kinds: dict[str, list[tuple[str, int]]] = {PLACES: [], OTHERS: []}
    for form in often:
        is_place = 2 * as_place[form] > counted[form]
        kinds[PLACES if is_place else OTHERS].append((written[form], counted[form]))
    return {kind: names[:_MOST] for kind, names in kinds.items()}


def _names(text: str, known: frozenset[str]) -> list[str]:
    """Runs of words that look like names, as they are written: "Theresa May" is one."""
    tokens = find_names(text, known=known)
    begins = [
        0,
        *(at for at, (one, two) in enumerate(pairwise(tokens), 1) if text[one.end : two.start] != " "),
    ]
    ends = [*begins[1:], len(tokens)]
    return [text[tokens[a].start : tokens[b - 1].end] for a, b in zip(begins, ends, strict=True) if tokens]
