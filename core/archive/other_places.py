"""The places that headlines of an archive name, and which two headlines name places apart."""

from itertools import product
from typing import Final

import numpy as np

from core.archive.folder import ArchiveFolder
from core.arrays import BoolArray, Int32Array
from core.data.timelines.timeline import Field
from core.runtime import Runtime
from core.text.gazetteer import place_rows, with_parents

NAMED: Final = "named_places"
_TWO: Final = 2  # places of a headline at most; one that names more is of none
_AT_ONCE: Final = 65_536  # headlines by whose other places a name that several have is understood
_MOST: Final = 8_192  # places that are told apart, the most frequent


def named_places(folder: ArchiveFolder, runtime: Runtime) -> Int32Array:
    """The ids of places that each headline names, -1 for none, int32 [n, 2]."""
    texts = folder.headlines(Field.HEADLINE)[0]
    parts = [np.empty((0, _TWO), dtype=np.int32)]
    for start in runtime.track(range(0, len(texts), _AT_ONCE), "Reading places"):
        rows = place_rows(texts.slice(start, _AT_ONCE).to_pylist())
        few = ((*row, *row, -1, -1)[:_TWO] if len(row) <= _TWO else (-1, -1) for row in rows)
        parts.append(np.array([*few], dtype=np.int32))
    return np.concatenate(parts)


class OtherPlaces:
    def __init__(self, named: Int32Array) -> None:
        ids, counts = np.unique(named[named >= 0], return_counts=True)
        known = np.sort(ids[np.argsort(-counts, kind="stable")[:_MOST]])
        column = {place: at for at, place in enumerate(known.tolist())}
        self._apart = np.ones((len(known) + 1, len(known) + 1), dtype=bool)
        self._apart[-1] = self._apart[:, -1] = False  # of a place that is not known
        for place, own in column.items():
            near = [column[other] for other in with_parents((place,)) if other in column]
            self._apart[own, near] = self._apart[near, own] = False
        at = np.searchsorted(known, named)
        self._at = np.where(np.append(known, -1)[at] == named, at, len(known)).astype(np.int32)

    def __call__(self, left: Int32Array, right: Int32Array) -> BoolArray:
        """Whether both name places, of which none is, holds, lies in or is near one of the other's."""
        apart = np.ones(len(left), dtype=bool)
        for one, other in product(range(_TWO), repeat=2):
            apart &= self._apart[self._at[left, one], self._at[right, other]]
        return apart
