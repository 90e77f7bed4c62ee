"""Headlines or pairs that divide people, for adjudicators."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from core.arrays import FloatArray, IntArray
from core.data.answers import Answers
from core.people.adjudication import Adjudication
from core.people.vote_agreement import equal_pairs
from core.people.votes import VoteTable

NO_VOTES: Final = VoteTable((), (), (), np.zeros((0, 0), dtype=np.int64))


@dataclass(frozen=True, kw_only=True)
class Divided:
    """Items that divide people, by the share of those who differ, for adjudicators."""

    title: str
    answers: Answers
    texts: Sequence[str]
    shares: FloatArray  # of all rows, 0–1 or NaN
    merged: IntArray | None = None
    sided: Mapping[str, FloatArray | IntArray] | None = None  # whom a model sides with, by column
    names: Sequence[str] = ()  # in the votes
    votes: VoteTable = NO_VOTES
    values: Sequence[str] = ()

    @property
    def order(self) -> list[int]:
        order = np.argsort(-np.nan_to_num(self.shares), kind="stable").tolist()
        return [row for row in order if self.shares[row] > 0]

    def read(self) -> Adjudication:
        return Adjudication(self.answers.read(), len(self.texts), self.merged, self.values)


def divided_items(votes: VoteTable, names: Sequence[str], **more: Any) -> Divided:
    """Items that were voted on, by the share of the pairs of votes that differ."""
    equal, pairs = equal_pairs(votes)
    with np.errstate(invalid="ignore"):
        known = dict(zip(votes.items, (1 - equal / pairs).tolist(), strict=True))
    shares = np.array([known.get(name, np.nan) for name in names])
    return Divided(shares=shares, names=names, votes=votes, **more)


def companions(annotators: IntArray, row: int) -> list[tuple[int, IntArray, IntArray]]:
    """The headlines that somebody put together with one, the most divided first, with who did and who not."""
    given = (annotators >= 0) & (annotators[row] >= 0)
    together = given & (annotators == annotators[row])
    others = [
        (other, np.flatnonzero(together[other]), np.flatnonzero(given[other] & ~together[other]))
        for other in np.flatnonzero(together.any(axis=1)).tolist()
        if other != row
    ]
    return sorted(others, key=lambda other: -min(len(other[1]), len(other[2])))
