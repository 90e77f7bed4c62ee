"""How far the reports of an event differ from its title."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import mean

from core.events.figures import newest_in_events
from core.events.grouping import Grouping, Prepared
from core.groups.summary import GroupSummary
from core.runtime import Runtime
from core.text import differences, facts

COMPARED = 40  # reports of one event that are compared with its title when events are sorted by disagreement


@dataclass(frozen=True, slots=True, order=True)
class EventDispute:
    """How far the reports of an event differ from its title; the more, the larger."""

    contradictions: int = 0  # reports that may contradict the title; see `Differences`
    apart: float = 0.0  # share of words and names that report and title do not share, mean, 0 to 1


def disputes(
    prepared: Prepared, grouping: Grouping, events: Sequence[GroupSummary], runtime: Runtime
) -> dict[int, EventDispute]:
    texts, reading, days = prepared.timeline.texts, prepared.timeline.reading, prepared.timeline.days
    overtaken = newest_in_events(prepared.timeline, [event.rows for event in events])[1]
    table = {}
    for event in runtime.track(events, "Comparing the reports"):
        current = prepared.timeline.editions.in_force(event.reports)
        others = [report[0] for report in current if report[0] != event.representative][:COMPARED]
        compared = (texts[row] for row in (event.representative, *others))
        known, language = reading.names, reading.language
        title, *reports = (facts.read_counted(text, known=known, language=language) for text in compared)
        later = (float(days[row] - days[event.representative]) for row in others)
        pairs = [
            differences.compare_readings(title, report, later=apart)
            for report, apart in zip(reports, later, strict=True)
        ]
        pairs = [
            pair.corrected() if row in overtaken else pair for row, pair in zip(others, pairs, strict=True)
        ]
        clashes = sum(bool(pair.number_conflicts or pair.opposed) for pair in pairs)
        table[event.group] = EventDispute(clashes, 1 - mean(pair.overlap for pair in pairs) if pairs else 0.0)
    return table
