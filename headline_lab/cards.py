"""An event as a notebook shows it."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

from core.results.render import clean, count_words

if TYPE_CHECKING:
    import pandas as pd

    from core.events.facts import FactsGrid
    from core.events.grouping import Grouping, Prepared
    from core.groups.summary import GroupSummary


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class EventCard:
    """The headline that stands for an event, what each outlet states, and every report."""

    prepared: Prepared
    grouping: Grouping
    line: GroupSummary
    grid: FactsGrid

    @property
    def title(self) -> str:
        return clean(self.prepared.timeline.texts[self.line.representative])

    @property
    def facts(self) -> pd.DataFrame:
        from core.events.facts_text import grid_table
        from core.results.table_files import as_frame

        table = as_frame(grid_table(self.grid, self.prepared.timeline))
        notes = self.prepared.timeline.unread_notes()
        table.attrs |= {"summary": self.grid.lead, "signature": self.grouping.signature, "unread": notes}
        return table

    def __repr__(self) -> str:
        from core.events.facts_text import grid_text

        return f"{self.title}\n{grid_text(self.grid, self.prepared.timeline.texts)}"

    def _repr_html_(self) -> str:
        from core.events.facts_html import STYLE, colour_rules, grid_html

        timeline, rows = self.prepared.timeline, self.line.rows
        said = (filter(None, (timeline.texts[row], timeline.publishers[row])) for row in rows)
        items = "".join(f'<li dir="auto">{escape(" · ".join(map(clean, each)))}</li>' for each in said)
        return (
            f"<style>{STYLE}{colour_rules(dark=False)}</style>"
            f'<h3 dir="auto">{escape(self.title)}</h3><p dir="auto">{escape(clean(self.grid.lead))}</p>'
            f"{grid_html(self.grid, timeline.texts)}"
            f"<details><summary>{count_words(len(rows), 'headline', 'headlines')}</summary>"
            f"<ul>{items}</ul></details>"
        )
