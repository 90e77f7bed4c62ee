"""Pairs drawn for people to judge, with weights (Gusev, Smurov 2021, 3.1; Horvitz, Thompson 1952)."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

import numpy as np

from core import limits
from core.arrays import BoolArray, IntArray
from core.data.timelines.timeline import Field, Timeline
from core.errors import InputError

if TYPE_CHECKING:
    import pandas as pd

MOST_SYSTEMS: Final = 8  # each set of systems is a stratum


_SEPARATOR: Final = ", "


def sample_pairs(
    timeline: Timeline, groupings: Mapping[str, IntArray], *, count: int, others: int, seed: int = 0
) -> "pd.DataFrame":
    """Pairs in random order, with the systems that join them and how many pairs each stands for.

    A stratum holds the pairs that the same systems join. As many are drawn of each as of every other, as far
    as there are so many; a sum of `weight` over pairs with some property is an unbiased estimate of their
    number among all pairs of the timeline. `groupings` are the groups of the headlines, int64 [n], by name of
    the system; `count` pairs are drawn of those that at least one system joins, `others` of the rest.
    """
    import pandas as pd

    if not 0 < len(groupings) <= MOST_SYSTEMS:
        raise InputError(f"Give one to {MOST_SYSTEMS} systems.", hint="Leave some of them out.")
    n, rng = len(timeline), np.random.default_rng(seed)
    keys, joined = _joined(groupings, n)
    codes = joined @ (1 << np.arange(len(groupings)))
    strata = [np.flatnonzero(codes == code) for code in np.unique(codes)]
    sizes = _shared_out(count, [len(stratum) for stratum in strata])
    rows = []
    for stratum, size in zip(strata, sizes, strict=True):
        drawn = rng.choice(stratum, size, replace=False)
        rows += [(int(keys[at]), tuple(joined[at].tolist()), len(stratum) / size) for at in drawn.tolist()]
    rest = n * (n - 1) // 2 - len(keys)
    apart = _drawn_apart(keys, n, min(others, rest), rng)
    rows += [(key, (False,) * len(groupings), rest / len(apart)) for key in apart]
    names, table = list(groupings), timeline.table
    left, right = np.divmod(np.array([key for key, _, _ in rows], dtype=np.int64), n)
    columns: dict[str, object] = {}
    for side, at in (("a", left), ("b", right)):
        columns |= {f"headline_{side}": [timeline.texts[row] for row in at.tolist()]}
        columns |= {
            f"{field.value}_{side}": table[field].iloc[at].to_numpy()
            for field in (Field.PUBLISHED, Field.PUBLISHER)
        }
    columns["joined_by"] = [
        _SEPARATOR.join(name for name, yes in zip(names, said, strict=True) if yes) for _, said, _ in rows
    ]
    columns["weight"] = [weight for _, _, weight in rows]
    return pd.DataFrame(columns).iloc[rng.permutation(len(rows))].reset_index(drop=True)


def _joined(groupings: Mapping[str, IntArray], n: int) -> tuple[IntArray, BoolArray]:
    lists = []
    for ids in groupings.values():
        sizes = np.bincount(np.unique(ids, return_inverse=True)[1])
        if int((sizes * (sizes - 1) // 2).sum()) > limits.CANDIDATE_PAIRS.value:
            message = "The systems join too many pairs."
            raise InputError(message, hint=f"Raise {limits.CANDIDATE_PAIRS.variable}.")
        members = [np.flatnonzero(ids == group) for group in np.unique(ids)]
        inside = [rows[np.array(np.triu_indices(len(rows), 1))] for rows in members if len(rows) > 1]
        pairs = np.concatenate(inside, axis=1) if inside else np.empty((2, 0), dtype=np.int64)
        lists.append(np.sort(pairs[0] * n + pairs[1]))
    keys = np.unique(np.concatenate(lists))
    if not len(keys):
        raise InputError("No system joins two headlines.", hint="Give a system that makes groups.")
    return keys, np.column_stack([np.isin(keys, own, assume_unique=True) for own in lists])


def _shared_out(count: int, sizes: list[int]) -> list[int]:
    """How many of each stratum: at least one, the smaller ones whole where their share is larger."""
    shares = [0] * len(sizes)
    for done, at in enumerate(sorted(range(len(sizes)), key=lambda at: sizes[at])):
        left = count - sum(shares)
        shares[at] = min(sizes[at], max(1, round(left / (len(sizes) - done))))
    return shares


def _drawn_apart(keys: IntArray, n: int, wanted: int, rng: np.random.Generator) -> list[int]:
    drawn: dict[int, None] = {}
    while len(drawn) < wanted:
        left, right = np.sort(rng.integers(0, n, size=(2, 2 * wanted + 16)), axis=0)
        new = (left * n + right)[left < right]
        free = new[~np.isin(new, keys)].tolist()
        drawn |= dict.fromkeys(free)
    return list(drawn)[:wanted]
