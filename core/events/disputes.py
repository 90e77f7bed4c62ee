"""How far the reports of an event differ from its title."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import mean

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
    texts, reading = prepared.timeline.texts, prepared.timeline.reading
    table = {}
    for event in runtime.track(events, "Comparing the reports"):
        current = prepared.timeline.editions.in_force(event.reports)
        others = [report[0] for report in current if report[0] != event.representative]
        compared = (texts[row] for row in (event.representative, *others[:COMPARED]))
        known, language = reading.names, reading.language
        title, *reports = (facts.read_counted(text, known=known, language=language) for text in compared)
        pairs = [differences.compare_readings(title, report) for report in reports]
        clashes = sum(bool(pair.number_conflicts or pair.opposed) for pair in pairs)
        table[event.group] = EventDispute(clashes, 1 - mean(pair.overlap for pair in pairs) if pairs else 0.0)
    return table
