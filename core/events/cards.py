"""The list of groups, and the card of one."""

import re

import numpy as np
import numpy.typing as npt

from core.errors import InputError
from core.events.figures import newest_in_events
from core.events.grouping import Grouping, Prepared
from core.groups.card import GroupCard, card
from core.groups.summary import GroupedHeadlines, GroupSummary, narrow_summary, summarize_groups


def grouped(prepared: Prepared, grouping: Grouping, group: int | None = None) -> GroupedHeadlines:
    """The headlines with their groups; what is the newest number is read for all, or one group alone."""
    timeline, ids = prepared.timeline, grouping.ids
    order = np.lexsort((timeline.days, ids))  # those without a date last
    events = np.split(order, np.flatnonzero(np.diff(ids[order])) + 1)
    of = [rows.tolist() for rows in events if len(rows) > 1 and group in (None, ids[rows[0]])]
    foreign = frozenset(row for rows in of for row in timeline.reading.foreign(grouping.titles, rows))
    newest, overtaken = newest_in_events(timeline, of, foreign=foreign)
    return GroupedHeadlines(
        prepared.similarities,
        grouping.ids,
        timeline.reading,
        timeline.days,
        timeline.publishers,
        prepared.copies,
        timeline.editions.outdated | overtaken,
        foreign,
        newest,
    )


def group_summaries(
    prepared: Prepared, grouping: Grouping, *, within: npt.NDArray[np.bool_] | None = None
) -> list[GroupSummary]:
    columns = grouped(prepared, grouping)
    lines = summarize_groups(columns)
    if within is None or within.all():
        return lines
    narrowed = [narrow_summary(columns, line, [row for row in line.rows if within[row]]) for line in lines]
    shown = [line for line in narrowed if line.rows]
    return sorted(shown, key=lambda line: (-line.size, -len(line.publishers), min(line.rows)))


def group_card(prepared: Prepared, grouping: Grouping, group: int) -> GroupCard:
    return card(grouped(prepared, grouping, group), group, granularity=grouping.granularity)


def find_event(
    prepared: Prepared, grouping: Grouping, group: int | None = None, words: str = ""
) -> GroupSummary:
    """The line of a group; without a number the largest that has a headline with all of these words."""
    texts, wanted = prepared.timeline.texts, set(words.casefold().split())
    lines = group_summaries(prepared, grouping)
    if group is not None:
        lines = [line for line in lines if line.group == group]
    for line in lines:
        if not wanted or any(wanted <= set(re.findall(r"\w+", texts[row].casefold())) for row in line.rows):
            return line
    if group is not None:
        raise InputError(f"There is no group {group}.", hint="Choose one that `group` lists.")
    raise InputError(f"No headline has all the words of {words!r}.", hint="Give words of one headline.")
