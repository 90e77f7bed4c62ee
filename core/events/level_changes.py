"""What moving the slider changes: which groups it joins or divides."""

import numpy as np

from core.arrays import IntArray
from core.events.cards import group_summaries
from core.events.grouping import Grouping, Prepared
from core.results.render import count_words, shorten


def difference(prepared: Prepared, narrow: Grouping, broad: Grouping) -> str:
    """What a broader level joins, in a sentence."""
    lines = {summary.group: summary for summary in group_summaries(prepared, narrow)}
    parts: dict[int, list[int]] = {}
    for group, into in np.unique(np.stack([narrow.ids, broad.ids], axis=1), axis=0).tolist():
        parts.setdefault(into, []).append(group)
    order = [sorted(groups, key=lambda group: (-lines[group].size, group)) for groups in parts.values()]
    pairs, said = [groups[:2] for groups in order if len(groups) > 1], changes(narrow.ids, broad.ids)
    if not pairs:
        return said
    largest = max(pairs, key=lambda pair: (lines[pair[1]].size, lines[pair[0]].size))
    titles = (narrow.title(group, prepared.timeline.texts[lines[group].representative]) for group in largest)
    joined = " with ".join(f"“{shorten(title, 70)}”" for title in titles)
    return f"{said.removesuffix('.')}; the largest join is {joined}."


def changes(before: IntArray, after: IntArray) -> str:
    """What becomes of the groups, in a sentence; int64 [n] each."""
    pairs = np.unique(np.stack([before, after], axis=1), axis=0)
    parts, wholes = np.bincount(pairs[:, 0]), np.bincount(pairs[:, 1])
    joined, divided = int((wholes > 1).sum()), int((parts > 1).sum())
    joins = f"{count_words(int(wholes[wholes > 1].sum()), 'group', 'groups')} joined into {joined:,}"
    into = int(parts[parts > 1].sum())
    divides = f"{count_words(divided, 'group was', 'groups were')} divided into {into:,}"
    said = " and ".join(filter(None, (joins * bool(joined), divides * bool(divided))))
    return f"{said}." if said else "the events stay as they are."
