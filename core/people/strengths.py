"""How strong each system is, from choices between two: Bradley and Terry's model, with intervals."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from itertools import combinations, islice
from typing import Final, NamedTuple

import numpy as np

from core.arrays import FloatArray, IntArray
from core.errors import InputError
from core.people.choices import FIRST, TIE, Preferences
from core.results import number_forms
from core.results import table as tables
from core.results import ties as tied
from core.results.render import count_words
from core.statistics.bootstrap import Figure
from core.statistics.bradley_terry import fit, influence, rings, triples_of
from core.statistics.crossed import BRACKETS, crossed_estimates

MOST_SYSTEMS: Final = 100  # systems that are ranked together at most
MOST_TESTED: Final = 20  # systems whose differences are tested
UNBEATEN: Final = "it won or lost every choice, so no strength fits it best"
UNLINKED: Final = "no choice links it, even by way of others, to the systems with a strength"
ONE_WAY: Final = "no chain of wins leads from it to the other systems and back, so no strength fits it best"
BY_CHANCE: Final = 0.25  # triples that go round by tosses of a coin (Kendall and Babington Smith 1940)
_NAMED: Final = 5
_SHARE = number_forms.percent()


@dataclass(frozen=True, slots=True, eq=False)
class Strengths:
    """The systems, strongest first; strengths are logarithms, 0 in the mean, `won` the share of choices."""

    systems: tuple[str, ...]
    strengths: tuple[Figure, ...]
    won: FloatArray
    counts: IntArray
    items: int
    gaps: Mapping[tied.Pair, Figure]  # differences by places in `systems`; none where these are too many


def strengths(choices: Preferences) -> Strengths:
    """Strengths of all systems (Bradley and Terry 1952), as evalica fits them; a tie is half a win."""
    # A fit exists among systems each of which can be reached from each other by wins and ties (Ford 1957).
    # The largest set of such systems is fitted; the others have no strength. Intervals: `crossed_estimates`.
    from scipy.sparse.csgraph import connected_components

    if not len(choices):
        raise InputError("There is no choice between two systems.", hint="Rank more systems (--most).")
    if len(choices.systems) > MOST_SYSTEMS:
        said = f"There are {len(choices.systems):,} systems; at most {MOST_SYSTEMS} are ranked together."
        raise InputError(said, hint="Rank those with most choices (--most).")
    points = choices.points()
    _, parts = connected_components(points > 0, directed=True, connection="strong")
    members = np.bincount(parts)
    inside = (parts == members.argmax()) & (members.max() > 1)
    total = points.sum(axis=1) + points.sum(axis=0)
    share = points.sum(axis=1) / np.maximum(total, 1)
    _, linked = connected_components(points > 0, directed=False)
    near = linked == linked[inside.argmax()] if inside.any() else linked >= 0
    reasons = np.where(np.isin(share, (0, 1)), UNBEATEN, np.where(near, ONE_WAY, UNLINKED)).tolist()
    estimates, gaps = [Figure(None, reason) for reason in reasons], dict[tied.Pair, Figure]()
    if inside.any():
        rows = inside[choices.first] & inside[choices.second]
        places = np.cumsum(inside) - 1
        first, second = places[choices.first[rows]], places[choices.second[rows]]
        gained = np.where(choices.chosen == TIE, 0.5, choices.chosen == FIRST)[rows]
        values = fit(first, second, gained)
        pull, fitted = influence(values, first, second, gained), np.flatnonzero(inside).tolist()
        items, judges = choices.items[rows], choices.judges[rows]
        figures = partial(crossed_estimates, items=items, judges=judges, unit="items")
        for place, figure in zip(fitted, figures(values, pull), strict=True):
            estimates[place] = figure
        pairs = list(combinations(range(len(fitted)), 2)) if len(fitted) <= MOST_TESTED else []
        left, right = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
        differences = figures(values[left] - values[right], pull[:, left] - pull[:, right])
        gaps = {(fitted[a], fitted[b]): gap for (a, b), gap in zip(pairs, differences, strict=True)}
    keys = [(each.value is None, -(each.value or 0.0), -share[at]) for at, each in enumerate(estimates)]
    order = sorted(range(len(inside)), key=keys.__getitem__)
    rank = {place: at for at, place in enumerate(order)}
    return Strengths(
        systems=tuple(choices.systems[place] for place in order),
        strengths=tuple(estimates[place] for place in order),
        won=share[order],
        counts=total.round().astype(np.int64)[order],
        items=len(np.unique(choices.items)),
        gaps={(rank[a], rank[b]): gap for (a, b), gap in gaps.items()},
    )


class Audit(NamedTuple):
    ties: float
    first: Figure  # share of the choices without ties that took the headline shown first
    triples: int  # of systems that were compared and not even
    circles: int  # how many of these go round
    circular: tuple[tuple[str, ...], ...]  # some of them
    own_triples: int  # of one judge on one item
    own_circles: int


def audit(choices: Preferences) -> Audit:
    import pandas as pd

    points = choices.points()
    triples, circles = triples_of(points - points.T)
    numbers = choices.items * (choices.judges.max(initial=0) + 1) + choices.judges
    known = np.where(choices.judges >= 0, numbers, -1)
    own = np.zeros(2, dtype=np.int64)
    for rows in pd.Series(known).groupby(known).indices.values():
        if known[rows[0]] >= 0 and len(rows) >= 3:
            sides = np.stack([choices.first[rows], choices.second[rows]])
            systems, places = np.unique(sides, return_inverse=True)
            ahead = np.zeros((len(systems), len(systems)))
            np.add.at(ahead, tuple(places.reshape(2, -1)), choices.chosen[rows])
            own += triples_of(ahead - ahead.T)
    some = islice(rings(points), _NAMED) if circles else ()
    named = tuple(tuple(choices.systems[at] for at in ring) for ring in some)
    ties = float((choices.chosen == TIE).mean())
    return Audit(ties, _first(choices), triples, circles, named, *own.tolist())


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


def strengths_table(choices: Preferences) -> tables.Table:
    """A system a row, the strongest first, and what bends the choices as notes."""
    ranking = strengths(choices)
    columns = (
        tables.TableColumn("System", key="system"),
        tables.TableColumn("Choices", key="choices", form=number_forms.whole),
        tables.TableColumn("Won %", key="won", form=_SHARE, better="higher"),
        tables.TableColumn("Strength", key="strength", better="higher", parts=tables.WARNED),
        tables.TableColumn("Ties", key="ties"),
    )
    fitted = [at for at, figure in enumerate(ranking.strengths) if figure.value is not None]
    said = tied.tie_notes("strength", ranking.gaps, number_forms.decimals(2))
    letters = tied.tie_letters(fitted, tied.differing(ranking.gaps)) if said else {}
    won, shared = map(Figure, ranking.won.tolist()), (letters.get(at, "") for at in range(len(ranking.won)))
    rows = tuple(zip(ranking.systems, ranking.counts.tolist(), won, ranking.strengths, shared, strict=True))
    table = tables.Table(
        columns=columns, rows=rows, title="Preferences", notes=(*_notes(ranking, choices), *said)
    )
    return table if said else table.only(*range(len(columns) - 1))


def _notes(ranking: Strengths, choices: Preferences) -> list[str]:
    audited, count = audit(choices), count_words
    notes = [
        f"{count(len(choices), 'choice', 'choices')} about {count(ranking.items, 'item', 'items')}. "
        "Strength: Bradley–Terry, logarithm, 0 in the mean; a difference of 1 wins 73 % of the choices."
    ]
    if any(figure.low is not None for figure in ranking.strengths):
        other_items = "Brackets: 95 % intervals that hold for other items. Who chose is not known."
        notes.append(BRACKETS if (choices.judges >= 0).any() else other_items)
    notes += number_forms.footnotes([*(each.warning for each in ranking.strengths), audited.first.warning])
    reasons = dict.fromkeys(figure.reason for figure in ranking.strengths if figure.reason)
    notes += [f"–: {reason}." for reason in reasons]
    place = number_forms.spanned(audited.first, _SHARE)
    note = "" if audited.first.value is None else f" Without ties, {place} % took the headline shown first"
    low, high = audited.first.interval
    if low is not None and high is not None and not audited.first.warning:
        note += ", so the place mattered" if low > 0.5 or high < 0.5 else ", no sign that the place mattered"
    notes.append(f"{_SHARE(audited.ties)} % ties, half a win for both.{note}{'.' if note else ''}")
    notes += _circles(audited)
    left_out = "left out: two headlines of one system, or a system that is not among those with most choices."
    if choices.neither:
        notes.append(f"{count(choices.neither, 'choice', 'choices')} called both headlines bad: left out.")
    if choices.left_out:
        notes.append(f"{count(choices.left_out, 'row', 'rows')} {left_out}")
    return notes


def _circles(audited: Audit) -> list[str]:
    ring = " > ".join((*audited.circular[0], audited.circular[0][0])) if audited.circular else ""
    said = f" (by chance {100 * BY_CHANCE:.0f} %){f', such as {ring}' if ring else ''}"
    counted = (
        ("of systems", audited.triples, audited.circles, said),
        ("that one judge compared on one item", audited.own_triples, audited.own_circles, ""),
    )
    return [
        f"Of {count_words(triples, 'triple', 'triples')} {which} {circles:,} "
        f"{'goes' if circles == 1 else 'go'} in a circle{more}."
        for which, triples, circles, more in counted
        if triples
    ]
