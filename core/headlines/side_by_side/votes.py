"""Votes on two systems, article by article: the left headline, the right one, a draw, or both bad."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from string import ascii_uppercase
from typing import Final

import numpy as np

from core.data.articles.articles import Articles
from core.data.articles.outputs import Outputs
from core.headlines.comparison.comparison import Comparison
from core.results.table import Table, TableColumn
from core.statistics.bootstrap import Figure, bootstrap_sums

HIDDEN: Final = "hidden"


def shuffled(systems: Sequence[str], article: str, *, seed: int = 0) -> list[int]:
    """Places of the systems in the order in which an article shows them.

    The order is drawn anew for every article and is the same each time: it depends on the names, the
    article and the seed alone.
    """

    def drawn(place: int) -> bytes:
        return hashlib.sha256(f"{seed}\x1f{article}\x1f{systems[place]}".encode()).digest()

    return sorted(range(len(systems)), key=drawn)


def letter(place: int) -> str:
    """A, B, … Z, then AA, AB, … for places from 0."""
    before, last = divmod(place, len(ascii_uppercase))
    return (letter(before - 1) if before else "") + ascii_uppercase[last]


def blinded(outputs: Sequence[Outputs], *, seed: int = 0) -> list[Outputs]:
    """The systems in a drawn order as "System 1", "System 2", …, without source or published scores."""
    order = shuffled([one.system for one in outputs], "", seed=seed)
    return [
        replace(outputs[place], system=f"System {number}", source=HIDDEN, published={})
        for number, place in enumerate(order, 1)
    ]


def blinded_comparison(comparison: Comparison, *, seed: int = 0) -> Comparison:
    """The same comparison with its systems `blinded`; nothing is scored again."""
    order = np.array(shuffled(comparison.systems, "", seed=seed), dtype=np.int64)
    return replace(
        comparison,
        outputs=tuple(blinded(comparison.outputs, seed=seed)),
        measured=tuple(
            replace(
                one,
                statistics=one.statistics[order],
                scores=one.scores[order],
                values=one.values[order],
                resampled=one.resampled[:, order],
            )
            for one in comparison.measured
        ),
        fingerprint=hashlib.sha256(f"blind {seed} {comparison.fingerprint}".encode()).hexdigest()[:16],
    )


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
