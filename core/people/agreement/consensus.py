"""One answer for each item out of many votes, and how good each person is."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from core.errors import InputError, UnknownNameError
from core.people.agreement.votes import VoteTable

if TYPE_CHECKING:
    import pandas as pd

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Consensus:
    """What follows from votes.

    Attributes:
        method: Name.
        labels: An answer for each item, in the items' order; "" where too few agree.
        shares: Share of an item's votes that say so, float64 [items].
        skills: For each person, in their order: share of the person's votes that say what the item's answer
            is, float64 [people]; NaN without such votes.
        votes: How many such votes each person gave, int64 [people].
    """

    method: str
    labels: tuple[str, ...]
    shares: FloatArray
    skills: FloatArray
    votes: npt.NDArray[np.int64]

    @property
    def decided(self) -> int:
        """How many items have an answer."""
        return sum(map(bool, self.labels))


def _majority() -> Any:
    from crowdkit.aggregation import MajorityVote

    return MajorityVote()


def _dawid_skene() -> Any:
    from crowdkit.aggregation import DawidSkene

    return DawidSkene(n_iter=100)


def _glad() -> Any:
    from crowdkit.aggregation import GLAD

    return GLAD()


METHODS: Final[dict[str, Callable[[], Any]]] = {
    "majority": _majority,
    "dawid_skene": _dawid_skene,
    "glad": _glad,
}
"""Ways from votes to answers, as crowd-kit has them: most votes; Dawid and Skene (1979), who weigh each
person's confusions; GLAD (Whitehill et al. 2009), which weighs how hard an item is too."""


def consensus(votes: VoteTable, method: str = "majority", *, quorum: float = 0.0) -> Consensus:
    """An answer for each item."""
    if method not in METHODS:
        raise UnknownNameError(
            f"There is no way called {method[:40]!r} from votes to answers.",
            hint=f"Choose one of: {', '.join(METHODS)}.",
        )
    if not 0 <= quorum <= 1:
        raise InputError(f"A quorum of {quorum:g} is no share of votes.", hint="Give a number from 0 to 1.")
    with warnings.catch_warnings():
        # crowd-kit uses words of pandas that a later pandas will not know, and takes logarithms of 0.
        warnings.simplefilter("ignore")
        found = METHODS[method]().fit_predict(_table(votes)).reindex(range(len(votes.items)))
    chosen = found.to_numpy(dtype=np.int64)
    given = (votes.codes >= 0).sum(axis=1)
    agreeing = votes.codes == chosen[:, None]
    shares = agreeing.sum(axis=1) / given
    # A tie is no answer of the majority, whatever order the answers stand in.
    tied = (
        np.array([_tied(row) for row in votes.codes]) if method == "majority" else np.zeros(len(chosen), bool)
    )
    open_ = tied | (shares < quorum - 1e-9)
    labels = tuple("" if none else votes.answers[at] for at, none in zip(chosen, open_, strict=True))
    judged = (votes.codes >= 0) & ~open_[:, None]
    asked = judged.sum(axis=0)
    with np.errstate(invalid="ignore"):
        skills = (agreeing & judged).sum(axis=0) / asked
    return Consensus(method, labels, shares, skills, asked)


def _table(votes: VoteTable) -> pd.DataFrame:
    import pandas as pd

    items, people = np.nonzero(votes.codes >= 0)
    return pd.DataFrame({"task": items, "worker": people, "label": votes.codes[items, people]})


def _tied(row: npt.NDArray[np.int64]) -> bool:
    counts = np.sort(np.bincount(row[row >= 0]))
    return len(counts) > 1 and counts[-1] == counts[-2]
