"""What reading a source says, said once each, however often the source is looked at."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from core.data.timelines.timeline import RejectedRow

_NAMED: Final = 5
"""Rows of one look that are named one by one."""
_Row = tuple[str, str, tuple[tuple[str, str], ...]]


@dataclass(slots=True, eq=False)
class ExcludedRows:
    """What was said of one file or address; a row is known by its cells, since its line may change."""

    _said: Counter[_Row] = field(default_factory=Counter)
    _kinds: set[str] = field(default_factory=set)

    def new_notes(self, notes: Sequence[str]) -> list[str]:
        """The notes that no earlier look had; one that differs in its numbers alone is not new."""
        kinds = {re.sub(r"[\d, ]+", "", said): said for said in notes}
        new = [said for kind, said in kinds.items() if kind not in self._kinds]
        self._kinds |= kinds.keys()
        return new

    def new(self, rejected: Sequence[RejectedRow], name: str) -> str:
        """A sentence on the rows that were not excluded at an earlier look; "" for none."""
        seen: Counter[_Row] = Counter()
        new: list[RejectedRow] = []
        for row in rejected:
            content = (row.column, row.reason, tuple(row.cells.items()))
            seen[content] += 1
            if seen[content] > self._said[content]:
                new.append(row)
        self._said |= seen
        if not new:
            return ""
        count = "1 row" if len(new) == 1 else f"{len(new):,} rows"
        named = [f"{row.place}: {row.reason.rstrip('.')}" for row in new[:_NAMED]]
        if len(new) > _NAMED:
            named.append(f"and {len(new) - _NAMED:,} more")
        return f"{name}: {count} excluded: {'; '.join(named)}."
