"""Columns of the input that label headlines, such as the leaning of their outlets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from core.data.timelines.timeline import Timeline

MOST_LABELS: Final = 12
"""A column with more different values than that describes; it does not label."""
LONGEST_LABEL: Final = 40


def telling_columns(timeline: Timeline, rows: Sequence[int]) -> tuple[str, ...]:
    """Columns without a meaning of their own that tell some headlines apart.

    Args:
        timeline: The headlines with their input.
        rows: Those of one event.

    Returns:
        Names of the columns with 2 to `MOST_LABELS` short values, more than one of them among the rows.
    """
    used = {name for names in timeline.report.columns.values() for name in names}
    found = []
    for name in map(str, timeline.original.columns):
        if name in used:
            continue
        column = timeline.original[name]
        values = {str(value).strip() for value in column.dropna().unique()} - {""}
        if not 2 <= len(values) <= min(MOST_LABELS, len(column) - 1):  # all different: numbers of the rows
            continue
        if max(map(len, values)) > LONGEST_LABEL:
            continue
        if column.iloc[list(rows)].nunique(dropna=False) > 1:
            found.append(name)
    return tuple(found)
