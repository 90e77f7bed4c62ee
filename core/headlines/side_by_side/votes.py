"""Votes on two systems, article by article: the left headline, the right one, a draw, or both bad."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from core.data.articles.articles import Articles
from core.data.articles.outputs import Outputs
from core.headlines.side_by_side.blind import shuffled
from core.results.table import Table, TableColumn
from core.statistics.bootstrap import bootstrap_sums
from core.statistics.figure import Figure


class DuelChoice(StrEnum):
    """What somebody said of two headlines of one article."""

    LEFT = "left"
    RIGHT = "right"
    DRAW = "draw"
    BAD = "bad"


@dataclass(frozen=True, slots=True)
class DuelVote:
    """One vote.

    Attributes:
        article: Id of the article.
        left: Fingerprint of the system whose headline stood on the left.
        right: That of the one on the right.
        choice: What was said.
    """

    article: str
    left: str
    right: str
    choice: DuelChoice

    @property
    def better(self) -> str:
        """Fingerprint of the system that was preferred, "" for none."""
        return {DuelChoice.LEFT: self.left, DuelChoice.RIGHT: self.right}.get(self.choice, "")


@dataclass(frozen=True, slots=True)
class DuelTally:
    """What the votes on two systems add up to.

    Attributes:
        one: Articles on which the first was preferred.
        other: Articles on which the second was.
        draws: Articles on which neither was.
        bad: Articles on which both were bad.
        preferred: Share of the first among the articles with a preference, with its interval over articles.
    """

    one: int
    other: int
    draws: int
    bad: int
    preferred: Figure

    @property
    def votes(self) -> int:
        """How many there are."""
        return self.one + self.other + self.draws + self.bad


def sides(one: str, other: str, article: str) -> tuple[str, str]:
    """Which of two systems stands on the left and which on the right: drawn anew for each article."""
    pair = tuple(sorted((one, other)))
    first, second = shuffled(pair, article)
    return pair[first], pair[second]


def tally(votes: Iterable[DuelVote], one: str, other: str) -> DuelTally:
    """Adds up the votes on two systems; votes on others are ignored."""
    own = [vote for vote in votes if {vote.left, vote.right} == {one, other}]
    ahead = sum(vote.better == one for vote in own)
    behind = sum(vote.better == other for vote in own)
    draws = sum(vote.choice is DuelChoice.DRAW for vote in own)
    return DuelTally(ahead, behind, draws, len(own) - ahead - behind - draws, _preferred(ahead, behind))


def _preferred(ahead: int, behind: int) -> Figure:
    decided = ahead + behind
    if not decided:
        return Figure(None, "No article has a preference yet.")
    rows = np.zeros((decided, 2))
    rows[:ahead, 0], rows[:, 1] = 1.0, 1.0

    def drawn() -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        sums = bootstrap_sums(rows)
        return np.asarray(sums[:, 0] / sums[:, 1])

    return Figure.resampled(ahead / decided, drawn, units=decided, unit="articles", count=decided)


_NAMES = ("row", "id", "left_system", "left_headline", "right_system", "right_headline", "vote", "better")


def votes_table(
    votes: Sequence[DuelVote], articles: Articles, outputs: Sequence[Outputs], prints: Sequence[str]
) -> Table:
    """The votes as a table, in the order of the articles."""
    by_print = dict(zip(prints, outputs, strict=True))
    row_of = {name: row for row, name in enumerate(articles.ids)}
    known = [one for one in votes if one.article in row_of and {one.left, one.right} <= by_print.keys()]
    lines = [
        (
            *(row_of[one.article] + 1, one.article),
            *(by_print[one.left].system, by_print[one.left].headlines[row_of[one.article]]),
            *(by_print[one.right].system, by_print[one.right].headlines[row_of[one.article]]),
            *(one.choice.value, by_print[one.better].system if one.better else ""),
        )
        for one in sorted(known, key=lambda one: row_of[one.article])
    ]
    return Table(columns=tuple(map(TableColumn, _NAMES)), rows=tuple(lines))
