"""What a grouping method is, and the list of all of them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar, Protocol

import numpy as np

from core.arrays import Float32Array, IntArray
from core.errors import InputError
from core.registry import Registry
from core.runtime import Runtime
from core.similarities import Similarities


@dataclass(frozen=True, slots=True, eq=False)
class GroupingInput:
    """What groups are made from; unit vectors, float32 [n, d], for methods that need coordinates."""

    similarities: Similarities
    vectors: Float32Array

    def __len__(self) -> int:
        return len(self.similarities)


class Hierarchy(Protocol):
    """Groups at every granularity, computed once and cut often."""

    def cut(self, granularity: float) -> IntArray:
        """Group of each headline, int64 [n], numbered 0, 1, … by first appearance; noise stands alone.

        Headlines are joined up to a distance (1 - similarity) of the granularity, 0 to 1, else InputError.
        """
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Cuts:
    """Groups of a method that builds no tree: it runs at each cut."""

    run: Callable[[float], Sequence[int] | IntArray]

    def cut(self, granularity: float) -> IntArray:
        check_granularity(granularity)
        return by_first_appearance(self.run(granularity))


class Grouper:
    """What makes groups: a frozen dataclass that writes `groups`, or `fit` where it builds a tree."""

    __slots__ = ()

    summary: ClassVar[str]  # one line for people
    nested: ClassVar[bool] = False  # every group of a cut is the union of groups of any finer cut

    def fit(self, given: GroupingInput, runtime: Runtime) -> Hierarchy:
        """Does all that does not depend on the granularity; InputError without vectors that it needs."""
        return Cuts(partial(self.groups, given, runtime))

    def groups(self, given: GroupingInput, runtime: Runtime, granularity: float) -> Sequence[int] | IntArray:
        """Group of each headline at one granularity, [n], in any numbers; -1 for noise."""
        raise NotImplementedError


groupers: Registry[Grouper] = Registry("grouping method", "core.groups")


def by_first_appearance(labels: Sequence[int] | IntArray) -> IntArray:
    """The same groups, numbered 0, 1, … in order of their first member; -1 makes singletons."""
    values = np.asarray(labels, dtype=np.int64).copy()
    noise = np.flatnonzero(values < 0)
    values[noise] = values.max(initial=0) + 1 + np.arange(len(noise))
    _, first, inverse = np.unique(values, return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    return rank[inverse]


def check_granularity(granularity: float) -> None:
    if not 0.0 <= granularity <= 1.0:
        message = f"The granularity is {granularity}, not a number from 0 to 1."
        raise InputError(message, hint="Give a distance such as 0.55.")
