"""Whose headlines a published picture is of, in one line."""

from collections.abc import Sequence

from core.data.timelines.periods import Period
from core.data.timelines.timeline import Field, Timeline


def published_source(timeline: Timeline, rows: Sequence[int]) -> str:
    """How many outlets, and from when to when: "12 outlets’ headlines, 19 – 25 May 2025"."""
    outlets = len({timeline.publishers[row] for row in rows} - {None})
    whose = f"{outlets:,} outlet{'s’' if outlets > 1 else '’s'} headlines" if outlets else "headlines"
    days = [moment.date() for moment in timeline.table[Field.PUBLISHED].iloc[list(rows)].dropna()]
    return ", ".join([whose, *([Period(min(days), max(days)).words] if days else [])])
