"""What may have bent choices between two headlines: the place they stood in, ties, and circles."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np
import numpy.typing as npt

from core.people.preferences.choices import FIRST, TIE, Preferences
from core.statistics.crossed import crossed_estimates
from core.statistics.figure import Figure

FloatArray = npt.NDArray[np.float64]

BY_CHANCE: Final = 0.25
"""Share of triples that are a circle where every choice is a toss of a coin (Kendall and Babington Smith
1940)."""
_NAMED: Final = 5


@dataclass(frozen=True, slots=True, eq=False)
class Audit:
    """What one should know before believing a ranking.

    Attributes:
        choices: How many there are, ties among them.
        ties: Share of ties, 0-1.
        first: Share of the choices without ties that took the headline shown first, with its interval; a
            place that does not matter gives .5.
        triples: Triples of systems of which each two were compared and were not even.
        circles: How many of them go round: the first beats the second, that the third, and that the first.
        circular: The first few of these, as names.
        own_triples: Triples in which one judge compared each two systems on one item, without a tie.
        own_circles: How many of those go round.
    """

    choices: int
    ties: float
    first: Figure
    triples: int
    circles: int
    circular: tuple[tuple[str, str, str], ...]
    own_triples: int
    own_circles: int


def audit(choices: Preferences) -> Audit:
    """Position, ties and circles of one or more choices."""
    points = choices.points()
    ahead = points - points.T
    triples, circles, circular = _triples(ahead, choices.systems)
    own_triples, own_circles = _own(choices)
    return Audit(
        choices=len(choices),
        ties=float((choices.chosen == TIE).mean()),
        first=_first(choices),
        triples=triples,
        circles=circles,
        circular=circular,
        own_triples=own_triples,
        own_circles=own_circles,
    )


def _first(choices: Preferences) -> Figure:
    clear = choices.chosen != TIE
    if not choices.placed:
        return Figure(None, "it is not known which headline stood first")
    if not clear.any():
        return Figure(None, "every choice is a tie")
    taken = (choices.chosen[clear] == FIRST).astype(np.float64)
    share, items, judges = np.array([taken.mean()]), choices.items[clear], choices.judges[clear]
    influence = ((taken - share) / len(taken))[:, None]
    return crossed_estimates(share, influence, items, judges, unit="items", bounds=(0.0, 1.0))[0]


def _triples(ahead: FloatArray, names: tuple[str, ...]) -> tuple[int, int, tuple[tuple[str, str, str], ...]]:
    beats = (ahead > 0).astype(np.int64)
    differ = beats + beats.T
    triples = int(np.trace(differ @ differ @ differ)) // 6
    circles = int(np.trace(beats @ beats @ beats)) // 3
    named: list[tuple[str, str, str]] = []
    for one, two, three in combinations(range(len(names)), 3) if circles else ():
        for path in ((one, two, three), (one, three, two)):
            if beats[path[0], path[1]] and beats[path[1], path[2]] and beats[path[2], path[0]]:
                named.append((names[path[0]], names[path[1]], names[path[2]]))
        if len(named) >= _NAMED:
            break
    return triples, circles, tuple(named)


def _own(choices: Preferences) -> tuple[int, int]:
    triples = circles = 0
    both = np.stack([choices.items, choices.judges], axis=1)
    _, group = np.unique(both, axis=0, return_inverse=True)
    order = np.argsort(group, kind="stable")
    for rows in np.split(order, np.flatnonzero(np.diff(group[order])) + 1):
        if len(rows) < 3 or choices.judges[rows[0]] < 0:
            continue
        used, places = np.unique(
            np.concatenate([choices.first[rows], choices.second[rows]]), return_inverse=True
        )
        ahead = np.zeros((len(used), len(used)))
        one, other = places[: len(rows)], places[len(rows) :]
        np.add.at(ahead, (one, other), choices.chosen[rows])
        found = _triples(ahead - ahead.T, tuple(map(str, used)))
        triples, circles = triples + found[0], circles + found[1]
    return triples, circles
