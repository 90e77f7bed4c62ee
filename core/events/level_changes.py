"""What another level changes: how many groups it joins or divides."""

import numpy as np

from core.arrays import IntArray
from core.results.render import count_words


def changes(before: IntArray, after: IntArray) -> str:
    """What becomes of the groups, in a sentence; int64 [n] each."""
    pairs = np.unique(np.stack([before, after], axis=1), axis=0)
    parts, wholes = np.bincount(pairs[:, 0]), np.bincount(pairs[:, 1])
    joined, divided = int((wholes > 1).sum()), int((parts > 1).sum())
    joins = f"{count_words(int(wholes[wholes > 1].sum()), 'group', 'groups')} joined into {joined:,}"
    into = int(parts[parts > 1].sum())
    divides = f"{count_words(divided, 'group was', 'groups were')} divided into {into:,}"
    said = " and ".join(filter(None, (joins * bool(joined), divides * bool(divided))))
    return f"{said}." if said else "the events stay as they are."
