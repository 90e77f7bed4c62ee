"""Groups that keep to what people said, whatever a method finds."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.arrays import FloatArray, IntArray
from core.errors import InputError
from core.groups.grouper import by_first_appearance
from core.similarities import Similarities

Set = tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """What was said at one time about headlines, which are known by number."""

    together: tuple[Set, ...] = ()  # sets of which each is one event
    apart: tuple[tuple[Set, Set], ...] = ()  # no headline of the one reports the event of the other
    alone: Set = ()  # headlines that share their event with no other


@dataclass(frozen=True, slots=True, kw_only=True)
class Constraints:
    together: tuple[Set, ...] = ()  # disjoint sets of headlines, each of which has to stay in one group
    apart: frozenset[tuple[int, int]] = frozenset()  # places in `together` of sets that may not meet
    alone: frozenset[int] = frozenset()  # headlines in none of the sets that have to be groups of their own

    def __bool__(self) -> bool:
        return bool(self.together or self.alone)

    def at(self, rows: Mapping[int, Sequence[int]]) -> Constraints:
        """The same for headlines of other numbers; those without one are left out."""
        sets = [
            tuple(sorted(row for member in members for row in rows.get(member, ())))
            for members in self.together
        ]
        places = [place for place, members in enumerate(sets) if members]
        new = {place: at for at, place in enumerate(places)}
        return Constraints(
            together=tuple(sets[place] for place in places),
            apart=frozenset((new[a], new[b]) for a, b in self.apart if a in new and b in new),
            alone=frozenset(row for member in self.alone for row in rows.get(member, ())),
        )


class _Clusters:
    def __init__(self) -> None:
        self._parent: dict[int, int] = {}
        self.size: dict[int, int] = {}
        self.enemies: dict[int, set[int]] = {}

    def find(self, member: int) -> int:
        if member not in self._parent:
            self._parent[member], self.size[member], self.enemies[member] = member, 1, set()
        while self._parent[member] != member:
            self._parent[member] = self._parent[self._parent[member]]
            member = self._parent[member]
        return member

    def may_join(self, member: int, other: int) -> bool:
        return self.find(other) not in self.enemies[self.find(member)]

    def join(self, member: int, other: int) -> None:
        keep, drop = self.find(member), self.find(other)
        if keep == drop:
            return
        if len(self.enemies[keep]) + self.size[keep] < len(self.enemies[drop]) + self.size[drop]:
            keep, drop = drop, keep
        self._parent[drop] = keep
        self.size[keep] += self.size[drop]
        for enemy in self.enemies.pop(drop):
            self.enemies[enemy].discard(drop)
            self.enemies[enemy].add(keep)
            self.enemies[keep].add(enemy)

    def part(self, member: int, other: int) -> None:
        first, second = self.find(member), self.find(other)
        if first != second:
            self.enemies[first].add(second)
            self.enemies[second].add(first)

    def sets(self) -> dict[int, list[int]]:
        clusters: dict[int, list[int]] = defaultdict(list)
        for row in sorted(self._parent):
            clusters[self.find(row)].append(row)
        return clusters


def resolve(statements: Sequence[Statement]) -> Constraints:
    """Constraints without contradictions: the later statement wins; who may not join the rest is left out."""
    clusters, alone = _Clusters(), set[int]()
    for said in reversed(statements):
        for members in said.together:
            _join_all(clusters, [member for member in sorted(set(members)) if member not in alone])
        for left, right in said.apart:
            ones = {clusters.find(row) for row in left if row not in alone}
            others = {clusters.find(row) for row in right if row not in alone}
            for cluster in ones:
                for other in others:
                    clusters.part(cluster, other)
        alone |= {row for row in said.alone if clusters.size[clusters.find(row)] == 1}
    sets = {
        root: tuple(members)
        for root, members in clusters.sets().items()
        if members[0] not in alone and (len(members) > 1 or clusters.enemies[root])
    }
    places = {root: at for at, root in enumerate(sets)}
    return Constraints(
        together=tuple(sets.values()),
        apart=frozenset(
            (places[root], places[enemy])
            for root in sets
            for enemy in clusters.enemies[root]
            if enemy in places and places[root] < places[enemy]
        ),
        alone=frozenset(alone),
    )


def _join_all(clusters: _Clusters, members: Iterable[int]) -> None:
    apart: list[int] = []
    for member in members:
        fit = next((other for other in apart if clusters.may_join(member, other)), None)
        if fit is None:
            apart.append(member)
        else:
            clusters.join(member, fit)


def enforce(
    labels: IntArray, constraints: Constraints, similarities: Similarities, *, rank: IntArray | None = None
) -> IntArray:
    """The groups of a method, changed where constraints ask for it and nowhere else; `rank` decides ties."""
    # A set stays in the group that holds most of it; of another group its members leave, with the rest where
    # they are half of it. A group whose members may not all stay is split, each to the most similar part it
    # may join.
    named = [row for members in constraints.together for row in members] + list(constraints.alone)
    if named and not 0 <= min(named) <= max(named) < len(labels):
        message = "A constraint names a headline that the timeline does not have."
        raise InputError(message, hint="Take constraints and groups from the same timeline.")
    if not constraints:
        return by_first_appearance(labels)
    order = np.arange(len(labels)) if rank is None else np.asarray(rank, dtype=np.int64)
    return _Fitting(np.asarray(labels, dtype=np.int64), constraints, similarities, order).labels()


class _Fitting:
    def __init__(
        self, labels: IntArray, constraints: Constraints, similarities: Similarities, rank: IntArray
    ) -> None:
        self._labels, self._rank = labels, rank
        self._similarities = similarities
        self._items: list[list[int]] = []
        self._clusters = _Clusters()
        self._new = labels - labels.min(initial=0)
        self._next = int(self._new.max(initial=-1)) + 1
        self._alone = constraints.alone
        enemies: dict[int, set[int]] = defaultdict(set)
        for place, other in constraints.apart:
            enemies[place].add(other)
            enemies[other].add(place)
        item_of = self._make_items(constraints.together, enemies)
        for place, other in constraints.apart:
            self._clusters.part(item_of[place], item_of[other])
        self._enemy_items = {
            item: set(self._clusters.enemies[self._clusters.find(item)]) for item in range(len(self._items))
        }

    def _make_items(self, sets: Sequence[Set], enemies: Mapping[int, set[int]]) -> dict[int, int]:
        item_of: dict[int, int] = {}
        alike: dict[tuple[int, frozenset[int]], int] = {}
        for place in sorted(range(len(sets)), key=lambda at: min(self._rank[row] for row in sets[at])):
            members = sets[place]
            if len(members) == 1:
                kind = (int(self._labels[members[0]]), frozenset(enemies[place]))
                item_of[place] = alike.setdefault(kind, len(self._items))
            else:
                item_of[place] = len(self._items)
            if item_of[place] == len(self._items):
                self._items.append([])
                self._clusters.find(item_of[place])
            self._items[item_of[place]] += members
        for rows in self._items:
            rows.sort(key=lambda row: int(self._rank[row]))
        return item_of

    def labels(self) -> IntArray:
        inside, free = self._groups()
        homes = self._homes(inside)
        parts: dict[int, list[int]] = {}
        for group, held in inside.items():
            stays = [item for item in held if self._stays(item, group, homes, held, len(free[group]))]
            parts[group] = self._joined(stays, held)
        for item, rows in enumerate(self._items):
            self._new[rows] = self._next + self._clusters.find(item)
        for group, items in parts.items():
            self._place_free(free[group], items)
        first = self._next + len(self._items)
        for at, row in enumerate(sorted(self._alone)):
            self._new[row] = first + at
        return by_first_appearance(self._new)

    def _groups(self) -> tuple[dict[int, dict[int, int]], dict[int, list[int]]]:
        item_at = {row: item for item, rows in enumerate(self._items) for row in rows}
        touched = np.unique(self._labels[list(item_at)]) if item_at else np.empty(0, dtype=np.int64)
        rows = np.flatnonzero(np.isin(self._labels, touched))
        inside: dict[int, dict[int, int]] = {}
        free: dict[int, list[int]] = defaultdict(list)
        for row in rows[np.argsort(self._rank[rows])].tolist():
            held = inside.setdefault(int(self._labels[row]), {})
            if row in item_at:
                held[item_at[row]] = held.get(item_at[row], 0) + 1
            elif row not in self._alone:
                free[int(self._labels[row])].append(row)
        return inside, free

    def _homes(self, inside: Mapping[int, Mapping[int, int]]) -> dict[int, int]:
        homes: dict[int, int] = {}
        for group, held in inside.items():
            for item, count in held.items():
                if item not in homes or count > inside[homes[item]][item]:
                    homes[item] = group
        return homes

    def _stays(
        self, item: int, group: int, homes: Mapping[int, int], held: Mapping[int, int], free: int
    ) -> bool:
        if homes[item] == group:
            return True
        friends = sum(count for friend, count in held.items() if friend not in self._enemy_items[item])
        return 2 * held[item] >= friends + free

    def _joined(self, items: Sequence[int], held: Mapping[int, int]) -> list[int]:
        parts: list[int] = []
        for item in sorted(items, key=lambda member: (-held[member], self._first(member))):
            fits = [part for part in parts if self._clusters.may_join(item, part)]
            if fits:
                best = fits[0]
                if len(fits) > 1:
                    means = self._means(self._items[item], fits).mean(axis=0).round(9)
                    best = self._ordered(fits)[int(means.argmax())]
                self._clusters.join(item, best)
            else:
                parts.append(item)
        return parts

    def _place_free(self, rows: list[int], parts: Sequence[int]) -> None:
        parts = list({self._clusters.find(part): part for part in parts}.values())
        if not rows or not parts:
            return
        means = self._means(rows, parts) if len(parts) > 1 else np.zeros((len(rows), 1))
        roots = np.array([self._next + self._clusters.find(part) for part in self._ordered(parts)])
        self._new[rows] = roots[means.argmax(axis=1)]

    def _ordered(self, parts: Sequence[int]) -> list[int]:
        return sorted(parts, key=lambda part: (-len(self._rows(part)), self._first(part)))

    def _means(self, rows: list[int], parts: Sequence[int]) -> FloatArray:
        means = []
        for part in self._ordered(parts):
            members = self._rows(part)
            between = self._similarities.between(np.array(rows), np.array(members))
            means.append(between.mean(axis=1, dtype=np.float64))
        return np.stack(means, axis=1).round(9)

    def _rows(self, item: int) -> list[int]:
        root = self._clusters.find(item)
        sets = [rows for place, rows in enumerate(self._items) if self._clusters.find(place) == root]
        return sorted((row for rows in sets for row in rows), key=lambda row: int(self._rank[row]))

    def _first(self, item: int) -> int:
        return int(self._rank[self._rows(item)[0]])
