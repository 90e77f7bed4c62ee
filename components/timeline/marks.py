"""Two marks on the slider, where two rules for the level disagree, and what lies between them in words."""

import numpy as np
import streamlit as st

from components import resources
from components.markdown import plain, shorten
from components.mounted import mounted
from components.resources import cached
from components.timeline import state
from core.arrays import IntArray
from core.events.cards import group_summaries
from core.events.corrections.apply import Corrections
from core.events.grouping import Grouping, Prepared, method_of
from core.results.render import count_words

KEY = "level-marks"
_draw = mounted(__file__, "marks", '<div class="marks" role="group" aria-label="Suggested levels"></div>')


def level_marks(prepared: Prepared, corrections: Corrections) -> str:
    """Draws the marks below the slider; "" where both rules give the same groups, else what changes."""
    start = prepared.start
    if corrections.level(method_of(prepared)) is not None or start.granularity == start.shapeliest:
        return ""
    levels = sorted((start.granularity, start.shapeliest))
    narrow, broad = (resources.grouping(prepared, level, corrections=corrections or None) for level in levels)
    if np.array_equal(narrow.ids, broad.ids):
        return ""
    shown = start.granularity if state.now().granularity is None else state.now().granularity
    marks = [
        {
            "at": level,
            "label": f"{name}: {_events(one.ids):,}{' events' * (name == 'narrow')}",
            "chosen": abs(level - shown) < 0.005,
        }
        for level, name, one in zip(levels, ("narrow", "broad"), (narrow, broad), strict=True)
    ]
    _draw(key=KEY, data={"marks": marks}, on_chosen_change=lambda: _choose(start.granularity))
    return f"Narrow to broad: {_difference(prepared, narrow, broad)}"


def _choose(automatic: float) -> None:
    level = round(float(st.session_state[KEY].chosen), 2)
    state.put(granularity=None if level == round(automatic, 2) else level)


def _events(ids: IntArray) -> int:
    return int((np.unique(ids, return_counts=True)[1] > 1).sum())


@cached(max_entries=16)
def _difference(prepared: Prepared, narrow: Grouping, broad: Grouping) -> str:
    lines = {one.group: one for one in group_summaries(prepared, narrow)}
    parts: dict[int, list[int]] = {}
    for group, into in np.unique(np.stack([narrow.ids, broad.ids], axis=1), axis=0).tolist():
        parts.setdefault(into, []).append(group)
    pairs = [
        sorted(groups, key=lambda group: (-lines[group].size, group))[:2]
        for groups in parts.values()
        if len(groups) > 1
    ]
    said = changes(narrow.ids, broad.ids)
    if not pairs:
        return said
    largest = max(pairs, key=lambda pair: (lines[pair[1]].size, lines[pair[0]].size))
    texts = prepared.timeline.texts
    one, other = (
        f"“{plain(shorten(narrow.title(group, texts[lines[group].representative]), 70))}”"
        for group in largest
    )
    return f"{said.removesuffix('.')}; the largest join is {one} with {other}."


def changes(before: IntArray, after: IntArray) -> str:
    """What became of the events of one grouping in another, a sentence."""
    pairs = np.unique(np.stack([before, after], axis=1), axis=0)
    parts, wholes = np.bincount(pairs[:, 0]), np.bincount(pairs[:, 1])
    joined, divided = int((wholes > 1).sum()), int((parts > 1).sum())
    said = []
    if joined:
        from_ = int(wholes[wholes > 1].sum())
        said.append(f"{count_words(from_, 'group', 'groups')} joined into {joined:,}")
    if divided:
        into = int(parts[parts > 1].sum())
        said.append(f"{count_words(divided, 'group was', 'groups were')} divided into {into:,}")
    return f"{' and '.join(said)}." if said else "the events stay as they are."
