"""What can be wrong with labels before anything is trained or measured on them."""

from __future__ import annotations

import numpy as np

from core.data.pair_sets.pair_set import DIFFERENT, SAME, UNKNOWN, PairSet
from core.errors import InputError


def contradictions(pairs: PairSet) -> dict[int, int]:
    """Pairs labelled against an earlier pair of the same two headlines, in either order.

    Returns:
        Place of each such pair, and of the first pair with the other label; empty where there is none.
    """
    first: dict[tuple[int, int], int] = {}
    found: dict[int, int] = {}
    low, high = np.minimum(pairs.left, pairs.right), np.maximum(pairs.left, pairs.right)
    for place, (one, other, label) in enumerate(
        zip(low.tolist(), high.tolist(), pairs.labels.tolist(), strict=True)
    ):
        if label == UNKNOWN:
            continue
        earlier = first.setdefault((one, other), place)
        if pairs.labels[earlier] != label:
            found[place] = earlier
    return found


def require_both_classes(pairs: PairSet) -> None:
    """Checks that there is something to tell apart.

    Raises:
        InputError: No pair is labelled, or all labels are the same.
    """
    known = pairs.labels[pairs.labels != UNKNOWN]
    if not len(known):
        raise InputError(f"None of the pairs of {pairs.name} is labelled.", hint="Add labels 0 and 1.")
    if not (known == SAME).any() or not (known == DIFFERENT).any():
        which = "the same event" if known[0] == SAME else "different events"
        what = f"All {len(known):,} labelled pairs" if len(known) > 1 else "The only labelled pair"
        raise InputError(
            f"{what} of {pairs.name} {'are' if len(known) > 1 else 'is'} {which}.",
            hint="Both labels, 0 and 1, are needed.",
        )
