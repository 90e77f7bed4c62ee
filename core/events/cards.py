"""Groups as readers see them: the list, one group's card, and why two headlines are together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import mean

import numpy as np
import numpy.typing as npt

from core.arrays import IntArray
from core.data.timelines.duplicates import find_duplicates
from core.events.grouping import Grouping, Prepared
from core.events.outlets import OutletGrid, outlet_grid
from core.groups.average_linkage import Dendrogram
from core.groups.card import GroupCard, GroupedHeadlines, GroupSummary, card, cards, fold_reports, narrow
from core.groups.links import GroupLink, why
from core.pairs.scorer import ScorePart, pair_scorers
from core.pairs.scoring.contexts import pair_context
from core.runtime import Runtime
from core.text.claims import Claims, Vagueness, read_claims, vague_headlines
from core.text.differences import Differences, compare, compare_readings, read
from core.text.names import learn_names

COMPARED = 40
"""Reports of one event that are compared with its title when events are sorted by disagreement."""


def grouped(prepared: Prepared, grouping: Grouping) -> GroupedHeadlines:
    """The columns that cards are made from."""
    timeline = prepared.timeline
    return GroupedHeadlines(
        prepared.similarities,
        grouping.ids,
        timeline.texts,
        timeline.days,
        timeline.publishers,
        copies(prepared),
        prepared.language,
    )


def group_summaries(
    prepared: Prepared, grouping: Grouping, *, within: npt.NDArray[np.bool_] | None = None
) -> list[GroupSummary]:
    """The list of groups, the largest first.

    Args:
        prepared: The timeline.
        grouping: Its groups.
        within: bool [n]; where given, groups are counted and dated by these headlines alone, of equally
            large ones that with more publishers comes first, and those without any are left out.
    """
    columns = grouped(prepared, grouping)
    lines = cards(columns)
    if within is None or within.all():
        return lines
    narrowed = [narrow(columns, line, [row for row in line.rows if within[row]]) for line in lines]
    kept = [line for line in narrowed if line.rows]
    return sorted(kept, key=lambda line: (-line.size, -len(line.publishers), min(line.rows)))


@lru_cache(maxsize=4)  # the keys are whole timelines
def _names(texts: tuple[str, ...]) -> frozenset[str]:
    return learn_names(texts)


@lru_cache(maxsize=4)
def _vague(texts: tuple[str, ...]) -> tuple[Vagueness, ...]:
    return tuple(vague_headlines(texts, names=_names(texts)))


def vague(prepared: Prepared) -> tuple[Vagueness, ...]:
    """For each headline whether it is too vague to name an event, and why; judged once a timeline."""
    return _vague(tuple(prepared.timeline.texts))


@lru_cache(maxsize=4)
def _copies(texts: tuple[str, ...], publishers: tuple[str | None, ...]) -> IntArray:
    return find_duplicates(texts, publishers=publishers).duplicate_of


def copies(prepared: Prepared) -> IntArray:
    """Which headlines are copies of one another: equal numbers, int64 [n]; found once a timeline."""
    return _copies(tuple(prepared.timeline.texts), tuple(prepared.timeline.publishers))


def group_card(prepared: Prepared, grouping: Grouping, group: int) -> GroupCard:
    """Everything about one group."""
    return card(
        grouped(prepared, grouping),
        group,
        granularity=grouping.granularity,
        names=_names(tuple(prepared.timeline.texts)),
    )


@dataclass(frozen=True, slots=True, order=True)
class EventDispute:
    """How far the reports of an event differ from its title; the more, the larger.

    Attributes:
        contradictions: Reports that may contradict the title; see `Differences`.
        apart: Share of the content words and names of a report or the title that are in one of them alone,
            averaged over the reports, 0 to 1.
    """

    contradictions: int = 0
    apart: float = 0.0


def disputes(
    prepared: Prepared, grouping: Grouping, events: Sequence[GroupSummary], runtime: Runtime
) -> dict[int, EventDispute]:
    """For each event how far its reports differ from its title."""
    texts = prepared.timeline.texts
    known = _names(tuple(texts))
    found = {}
    for event in runtime.track(events, "Comparing the reports"):
        others = [report[0] for report in event.reports if report[0] != event.representative]
        title, *reports = (
            read(texts[row], known=known, language=prepared.language)
            for row in (event.representative, *others[:COMPARED])
        )
        pairs = [compare_readings(title, report) for report in reports]
        clashes = sum(bool(one.number_conflicts or one.opposed) for one in pairs)
        found[event.group] = EventDispute(clashes, 1 - mean(one.overlap for one in pairs) if pairs else 0.0)
    return found


def outlets_of(prepared: Prepared, line: GroupSummary) -> OutletGrid:
    """Who of an event's outlets says what; `line` is its line of the list."""
    names = _names(tuple(prepared.timeline.texts))
    return outlet_grid(prepared.timeline, line, names=names, language=prepared.language)


def claims_of(prepared: Prepared, rows: Iterable[int]) -> dict[int, Claims]:
    """What each of some headlines claims, in the order in which they come."""
    texts = prepared.timeline.texts
    known = _names(tuple(texts))
    return {row: read_claims(texts[row], known=known, language=prepared.language) for row in rows}


def reports_of(prepared: Prepared, groups: Iterable[Sequence[int]]) -> list[tuple[tuple[int, ...], ...]]:
    """The rows of each group by time, each original with its copies; see `GroupSummary.reports`."""
    days, repeated = prepared.timeline.days, copies(prepared)
    dates = np.where(np.isnan(days), np.inf, days)
    return [fold_reports(sorted(rows, key=lambda row: (dates[row], row)), repeated) for rows in groups]


@dataclass(frozen=True, slots=True)
class Why:
    """Why two headlines are together or apart.

    Attributes:
        link: Similarity and the chain of links.
        differences: What the two share, add and contradict.
        parts: What the similarity is made of.
    """

    link: GroupLink
    differences: Differences
    parts: tuple[ScorePart, ...]


def why_together(prepared: Prepared, grouping: Grouping, left: int, right: int) -> Why:
    """What joins two headlines, or keeps them apart."""
    link = why(
        prepared.similarities,
        grouping.ids,
        left,
        right,
        prepared.hierarchy.merges if isinstance(prepared.hierarchy, Dendrogram) else None,
        granularity=grouping.granularity,
    )
    timeline = prepared.timeline
    texts = timeline.texts
    context = pair_context(timeline, prepared.vectors)
    return Why(
        link=link,
        differences=compare(
            texts[left], texts[right], known=_names(tuple(texts)), language=prepared.language
        ),
        parts=pair_scorers.parse(prepared.scorer).parts(context, left, right, link.similarity),
    )
