"""From votes to answers: by most votes, or weighted by how far each person can be trusted."""

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray, IntArray
from core.errors import InputError, UnknownNameError
from core.extras import extras
from core.people.votes import VoteTable
from core.statistics.dawid_skene import posterior

if TYPE_CHECKING:
    pass


METHODS: Final = ("majority", "dawid_skene", "glad")
"""Ways from votes to answers: most votes; Dawid and Skene (1979), who weigh each person's confusions; and as
crowd-kit has it GLAD (Whitehill et al. 2009), which weighs how hard an item is too."""


@dataclass(frozen=True, slots=True, eq=False)
class VoteConsensus:
    method: str
    labels: tuple[str, ...]  # answer of each item; "" where too few agree
    shares: FloatArray  # of the votes on each item that say so
    skills: FloatArray  # of each person's votes on decided items, the share that says the same, or NaN
    votes: npt.NDArray[np.int64]  # how many of these there are

    @property
    def decided(self) -> int:
        return sum(map(bool, self.labels))


def consensus(votes: VoteTable, method: str = "majority", *, quorum: float = 0.0) -> VoteConsensus:
    if method not in METHODS:
        said = f"There is no way called {method[:40]!r} from votes to answers."
        raise UnknownNameError(said, hint=f"Choose one of: {', '.join(METHODS)}.")
    if not 0 <= quorum <= 1:
        raise InputError(f"A quorum of {quorum:g} is no share of votes.", hint="Give a number from 0 to 1.")
    counts = (votes.codes[..., None] == np.arange(len(votes.answers))).sum(axis=1)
    chosen = counts.argmax(axis=1)
    if method == "dawid_skene":
        chosen = posterior(votes.codes, len(votes.answers), trust=0, right=0).labels.argmax(axis=1)
    elif method == "glad":
        chosen = _by_glad(votes)
    agreeing = votes.codes == chosen[:, None]
    shares = agreeing.sum(axis=1) / counts.sum(axis=1)
    open_ = shares < quorum - 1e-9
    if method == "majority":
        # A tie is no answer of the majority, whatever order the answers stand in.
        open_ |= (counts == counts.max(axis=1, keepdims=True)).sum(axis=1) > 1
    labels = tuple("" if none else votes.answers[at] for at, none in zip(chosen, open_, strict=True))
    judged = (votes.codes >= 0) & ~open_[:, None]
    asked = judged.sum(axis=0)
    with np.errstate(invalid="ignore"):
        skills = (agreeing & judged).sum(axis=0) / asked
    return VoteConsensus(method, labels, shares, skills, asked)


def _by_glad(votes: VoteTable) -> IntArray:
    import pandas as pd

    with extras():
        from crowdkit.aggregation import GLAD

    items, people = np.nonzero(votes.codes >= 0)
    table = pd.DataFrame({"task": items, "worker": people, "label": votes.codes[items, people]})
    with warnings.catch_warnings():
        # crowd-kit uses words of pandas that a later pandas will not know, and takes logarithms of 0.
        warnings.simplefilter("ignore")
        return np.asarray(GLAD().fit_predict(table).sort_index(), dtype=np.int64)
