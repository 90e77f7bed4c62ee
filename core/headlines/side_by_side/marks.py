"""What to mark in headlines that stand side by side."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations

from core.text.differences import Mark, MarkKind, compare_readings, read

_ADDED = frozenset({MarkKind.ADDED_WORD, MarkKind.ADDED_NAME, MarkKind.ADDED_NUMBER})
_AGAINST = frozenset({MarkKind.CONFLICTING_NUMBER, MarkKind.OPPOSED})


@lru_cache(maxsize=4_096)
def own_marks(texts: tuple[str, ...]) -> tuple[tuple[Mark, ...], ...]:
    """For each headline: what no other one has, and what disagrees with any other one.

    Args:
        texts: Headlines of one article; "" has nothing to say and is left out of the comparison.

    Returns:
        Marks of each headline, in order, not overlapping; none where fewer than two have words.
    """
    said = [place for place, text in enumerate(texts) if text]
    readings = {place: read(texts[place]) for place in said}
    marks: dict[int, list[tuple[Mark, ...]]] = {place: [] for place in range(len(texts))}
    for one, other in combinations(said, 2):
        differences = compare_readings(readings[one], readings[other])
        marks[one].append(differences.left_marks)
        marks[other].append(differences.right_marks)
    return tuple(_joined(marks[place]) for place in range(len(texts)))


def _joined(compared: list[tuple[Mark, ...]]) -> tuple[Mark, ...]:
    """Marks against every other headline as one: added where all say so, against where one does."""
    by_span: dict[tuple[int, int], list[MarkKind]] = {}
    for marks in compared:
        for each in marks:
            by_span.setdefault((each.start, each.end), []).append(each.kind)
    joined: list[Mark] = []
    for (start, end), kinds in sorted(by_span.items()):
        against = next((kind for kind in kinds if kind in _AGAINST), None)
        added = len(kinds) == len(compared) and all(kind in _ADDED for kind in kinds)
        kind = against or (kinds[0] if added else None)
        if kind is not None and (not joined or start >= joined[-1].end):
            joined.append(Mark(start, end, kind))
    return tuple(joined)
