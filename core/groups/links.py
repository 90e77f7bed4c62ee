"""Why two headlines are together, or are not: the chain of links between them."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from core.arrays import Float32Array, IntArray
from core.errors import InputError
from core.groups.joins import TreeJoins
from core.similarities import Similarities


@dataclass(frozen=True, slots=True)
class ChainStep:
    left: int  # row of the headline it starts from
    right: int  # row of the headline it reaches
    similarity: float  # of the two, 0 to 1
    below: bool  # it is weaker than the granularity asks for; False where that is not known


@dataclass(frozen=True, slots=True)
class GroupLink:
    left: int  # row of the one headline
    right: int  # row of the other
    together: bool  # they are in the same group
    similarity: float  # of the two, time included, 0 to 1
    chain: tuple[ChainStep, ...]  # the shortest of those whose weakest step is as strong as can be
    group_similarity: float | None  # mean over pairs between the groups, or inside the one
    joins_at: float | None  # granularity from which the tree has the two in one group


def why(
    similarities: Similarities,
    labels: Sequence[int] | IntArray,
    left: int,
    right: int,
    joins: TreeJoins | None = None,
    *,
    granularity: float | None = None,
) -> GroupLink:
    values = np.asarray(labels, dtype=np.int64)
    n = len(similarities)
    if len(values) != n or (joins is not None and len(joins.tree) != n):
        message = f"There are {n} headlines, but {len(values)} group labels or a tree of another size."
        raise InputError(message, hint="Use labels and a tree made from the same similarities.")
    for row in (left, right):
        if not 0 <= row < n:
            message = f"There is no headline {row} among {n}."
            raise InputError(message, hint="Choose two headlines of this timeline.")
    together = bool(values[left] == values[right])
    path = strongest_chain(
        similarities, np.flatnonzero((values == values[left]) | (values == values[right])), left, right
    )
    floor = -1.0 if granularity is None else 1.0 - granularity - 1e-6
    steps = tuple(ChainStep(a, b, (s := similarities.of(a, b)), s < floor) for a, b in pairwise(path))
    return GroupLink(
        left=left,
        right=right,
        together=together,
        similarity=similarities.of(left, right),
        chain=steps,
        group_similarity=mean_similarity(
            similarities, np.flatnonzero(values == values[left]), np.flatnonzero(values == values[right])
        ),
        joins_at=None if joins is None else joins.height(left, right),
    )


def strongest_chain(similarities: Similarities, members: IntArray, left: int, right: int) -> list[int]:
    """Rows from left to right: the strongest weakest link (Pollack 1960; Hu 1961), then the fewest steps."""
    if left == right:
        return [left]
    start = int(np.flatnonzero(members == left)[0])
    goal = int(np.flatnonzero(members == right)[0])
    strength = _widest(similarities, members, start, goal)
    parent = np.full(len(members), -1, dtype=np.int64)
    parent[start] = start
    level = [start]
    while parent[goal] < 0 and level:
        best = np.full(len(members), -1.0, dtype=np.float32)
        source = np.full(len(members), -1, dtype=np.int64)
        for at in level:
            row = similarities.row(int(members[at]))[members]
            better = (row >= strength) & (row > best) & (parent < 0)
            best[better], source[better] = row[better], at
        reached = np.flatnonzero(source >= 0)
        parent[reached] = source[reached]
        level = [int(at) for at in reached]
    if parent[goal] < 0:  # only where similarities are not numbers
        return [left, right]
    path = [goal]
    while path[-1] != start:
        path.append(int(parent[path[-1]]))
    return [int(members[at]) for at in reversed(path)]


def _widest(similarities: Similarities, members: IntArray, start: int, goal: int) -> np.float32:
    reach: Float32Array = similarities.row(int(members[start]))[members].copy()
    open_ = np.ones(len(members), dtype=bool)
    open_[start] = False
    strength = np.float32(np.inf)
    while open_[goal]:
        at = int(np.argmax(np.where(open_, reach, np.float32(-np.inf))))
        strength = min(strength, reach[at])
        open_[at] = False
        np.maximum(reach, similarities.row(int(members[at]))[members], out=reach)
    return strength


def mean_similarity(similarities: Similarities, left: IntArray, right: IntArray) -> float | None:
    """Mean similarity between the headlines of two groups, pairs of a headline with itself left out."""
    shared = np.intersect1d(left, right)
    pairs = len(left) * len(right) - len(shared)
    if not pairs:
        return None
    indicator = np.zeros(len(similarities), dtype=np.float32)
    indicator[right] = 1.0
    if similarities.is_dense:
        total = sum(float(similarities.row(int(row)) @ indicator) for row in left)
    else:
        total = float((similarities.matrix[left] @ indicator).sum())
    total -= sum(similarities.of(int(row), int(row)) for row in shared)
    return total / pairs
