"""The rows of a source that are excluded, each told once."""

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from core.data.timelines.timeline import RejectedRow, Timeline
from core.live.arrivals import Arrival, arrivals_of
from core.results.render import count_words

_NAMED: Final = 5  # rows of one look that are named one by one
_Row = tuple[str, str, tuple[tuple[str, str], ...]]
Note = Callable[[str], None]


@dataclass(slots=True, eq=False)
class ExcludedRows:
    """What was said of one file or address; a row is known by its cells, since its line may change."""

    problem: str = ""  # the rows that the last look excluded, in a sentence
    _said: Counter[_Row] = field(default_factory=Counter)
    _kinds: set[str] = field(default_factory=set)

    def arrivals(self, timeline: Timeline, name: str, note: Note) -> list[Arrival]:
        """The headlines; notes and excluded rows that no earlier look had are told."""
        # A note that differs in its numbers alone is not new.
        kinds = {re.sub(r"[\d, ]+", "", said): said for said in timeline.report.notes}
        for kind, said in kinds.items():
            if kind not in self._kinds:
                note(f"{name}: {said}")
        self._kinds |= kinds.keys()
        seen: Counter[_Row] = Counter()
        new: list[RejectedRow] = []
        for row in timeline.report.rejected:
            content = (row.column, row.reason, tuple(row.cells.items()))
            seen[content] += 1
            if seen[content] > self._said[content]:
                new.append(row)
        self._said |= seen
        self.problem = ""
        if new:
            named = [f"{row.place}: {row.reason.rstrip('.')}" for row in new[:_NAMED]]
            if len(new) > _NAMED:
                named.append(f"and {len(new) - _NAMED:,} more")
            self.problem = f"{name}: {count_words(len(new), 'row', 'rows')} excluded: {'; '.join(named)}."
            note(self.problem)
        return arrivals_of(timeline)
