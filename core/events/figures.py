"""Numbers that the headlines of an event state: who gives each value, and which is the newest."""

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Final

from core.arrays import FloatArray, IntArray
from core.data.timelines.timeline import Timeline
from core.events.outlets import by_outlet
from core.text.facts import Fact, read_facts
from core.text.numerals.languages import language_of
from core.text.numerals.quantities import Quantity
from core.text.numerals.read import read_numerals

FEWEST: Final = 2  # outlets that make a value or a thing known
_RISING: Final = ("dead", "hurt", "arrested", "evacuated", "rescued", "infected")
_STEPS: Final = 3  # values of a toll that rises, each above those before, at least
_PER_STRAGGLER: Final = 3  # such values for each report that is behind them
_UPDATED: Final = ("dead", "hurt", "missing", "arrested", "evacuated", "rescued", "infected")


@dataclass(slots=True)
class StatedValue:
    row: int
    text: str
    value: Fact | int
    rank: tuple[bool | int, ...] = ()  # the less, the better it stands for its value


def figures_of(timeline: Timeline, rows: Sequence[int]) -> dict[str, list[list[StatedValue]]]:
    """The headlines that state each value of each column, names left out."""
    texts, language = timeline.texts, timeline.reading.language
    figures: dict[str, list[list[StatedValue]]] = {}
    for row in rows:
        for fact in read_facts(texts[row], language=language):
            values = figures.setdefault(fact.column, [])
            equal = next((value for value in values if fact.same(value[0].value)), None)  # type: ignore[arg-type]
            if equal is None:
                values.append(equal := [])
            code = language_of(texts[row], doubtful=language)
            said = _with_figure(fact)
            equal.append(StatedValue(row, said, fact, (code != "en", "…" in said, len(said))))
    return figures


def last_of_each(
    values: Sequence[Sequence[StatedValue]], owner: Mapping[int, Hashable] | IntArray,
    order: Mapping[int, Any], *, firm: bool = False,
) -> list[list[StatedValue]]:  # fmt: skip
    """Of the headlines that state each value the last one of each owner, `firm` words first."""
    ordered = sorted(chain(*values), key=lambda each: (firm and is_firm(each), order[each.row]))
    last = {owner[each.row]: each.row for each in ordered}
    return [[each for each in value if last[owner[each.row]] == each.row] for value in values]


def newest_of_rising(
    head: str, values: Sequence[Sequence[StatedValue]], said_last: Sequence[Sequence[StatedValue]],
    voice_of: Mapping[int, Hashable], days: FloatArray,
) -> int:  # fmt: skip
    """Which value is the newest of a toll that rises by `_STEPS` values or more; -1 for none, or where most
    agree.
    """
    facts = (value[0].value for value in values) if head in _RISING else ()
    said = (fact.value for fact in facts if isinstance(fact, Fact))
    amounts = [number.value for number in said if isinstance(number, Quantity)]
    holders = [len({voice_of[each.row] for each in own}) for own in said_last]
    if len(amounts) < len(values) or 2 * max(holders, default=0) > sum(holders):
        return -1
    reports = [(days[each.row], at) for at, value in enumerate(values) for each in value]
    highest: list[int] = []
    since, behind = -math.inf, 0
    for day, at in sorted(report for report in reports if not math.isnan(report[0])):
        if day > since and (not highest or amounts[at] > amounts[highest[-1]]):
            highest.append(at)
            since = day
        elif not highest or at != highest[-1]:
            behind += 1
    rises = len(highest) >= _STEPS and _PER_STRAGGLER * behind <= len(highest)
    return highest[-1] if rises and said_last[highest[-1]] else -1


Newest = tuple[dict[int, tuple[str, ...]], set[int]]


def newest_numbers(timeline: Timeline, rows: Sequence[int]) -> Newest:
    """Which headlines of an event, by time, have the newest number of what, and which an older.

    The newest is a value that an outlet changed to, or that two state, unless as many go on with another.
    """
    order = {row: place for place, row in enumerate(rows) if not math.isnan(timeline.days[row])}
    voice_of = {row: place for place, own in enumerate(by_outlet(timeline, rows)) for row in own}
    newest: dict[int, tuple[str, ...]] = {}
    older: set[int] = set()
    figures = figures_of(timeline, list(order))  # each column's values by first report
    for head in _UPDATED:
        values, past = figures.get(head, []), set[int]()
        ends = last_of_each(values, voice_of, order, firm=True)
        rising = newest_of_rising(head, values, ends, voice_of, timeline.days)
        last = [{voice_of[each.row]: each.row for each in own} for own in ends]
        for at in reversed(range(len(values))):
            first = order[values[at][0].row]
            rivals = [sum(order[row] > first for row in own.values()) for own in last]
            changed = at == rising or any(voice_of[each.row] in last[at] for each in chain(*values[:at]))
            if len(last[at]) >= max(1 if changed else FEWEST, *rivals):
                current = {each.row for each in values[at]}
                past = {each.row for each in chain(*values[:at])} - current
                if past and at == len(values) - 1:
                    newest |= {row: (*newest.get(row, ()), head) for row in current}
                break
        older |= past
    return newest, older


def _with_figure(fact: Fact) -> str:
    """A number in words with its digits behind: "drei Tote (3)", for those who read English only."""
    value = fact.value
    if isinstance(value, str) or not value.exact or read_numerals(fact.said, language="en"):
        return fact.said
    return f"{fact.said} ({value.value:,g})"


def is_firm(entry: StatedValue) -> bool:
    value = entry.value.value if isinstance(entry.value, Fact) else ""
    return not isinstance(value, Quantity) or value.firm or value.exact
