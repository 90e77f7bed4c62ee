"""Numbers that the headlines of an event state: who gives each value, and which is the newest."""

import math
import re
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, islice
from typing import Any, Final, NamedTuple

import numpy as np

from core.arrays import FloatArray, IntArray
from core.data.timelines.timeline import Timeline
from core.events.outlets import by_outlet
from core.text.differences import AT_ONCE, FALLING, TOLLS
from core.text.facts import (
    FACT_WORDS,
    LOOSE,
    SCORE,
    VOTES,
    Fact,
    counted_kind,
    is_denied,
    is_passed,
    is_risen,
    read_facts,
)
from core.text.numerals.languages import language_of
from core.text.numerals.numeral import Approximation, NumeralKind
from core.text.numerals.quantities import Quantity, read_quantities
from core.text.numerals.read import read_numerals
from core.text.tokens import REMEMBERED

_SIDES: Final = re.compile("[0-9]+-[0-9]+")
FEWEST: Final = 2  # outlets that make a value or a thing known
_STEPS: Final = 3  # values of a toll that rises, each above those before, at least
_OF_EVENT: Final = 0.2  # of an event's headlines that count a toll, for its title to follow the newest
_WORDS: Final = re.compile(r"[^\W\d_]{3,}")
_BEHIND: Final = {word.split("_")[0] for words in FACT_WORDS["behind"].values() for word in words.split()}
_PER_STRAGGLER: Final = 3  # such values for each report that is behind them


@dataclass(slots=True)
class StatedValue:
    row: int
    text: str
    value: Fact | int
    rank: tuple[bool | int, ...] = ()  # the less, the better it stands for its value
    risen: bool = False  # of a toll: its headline says that the number rose to it
    bound: bool = False  # of a toll: "at least 31", which a higher number later keeps to

    @property
    def firm(self) -> bool:
        value = self.value.value if isinstance(self.value, Fact) else ""
        loose = isinstance(self.value, Fact) and self.value.more in LOOSE
        return not isinstance(value, Quantity) or (not loose and (value.firm or value.exact))


Values = Sequence[Sequence[StatedValue]]  # of a column: who states each


class NewestNumbers(NamedTuple):
    current: dict[int, tuple[str, ...]]  # headlines with the newest number, and of what
    outdated: set[int]  # headlines with an older one


def figures_of(timeline: Timeline, rows: Sequence[int]) -> dict[str, list[list[StatedValue]]]:
    """The headlines that state each value of each column, names left out."""
    texts, language = timeline.texts, timeline.reading.language
    figures: dict[str, list[list[StatedValue]]] = {}
    for row in rows:
        for fact in read_facts(texts[row], language=language):
            values = figures.setdefault(fact.column, [])
            # Scores are compared with all: a value may be told from either side.
            known = ((value, value if fact.column == SCORE else value[:1]) for value in values)
            equal = next((value for value, own in known if all(fact.same(each.value) for each in own)), None)  # type: ignore[arg-type]
            if equal is None:
                values.append(equal := [])
            code = language_of(texts[row], doubtful=language)
            text, toll = _with_figure(fact), fact.column in TOLLS
            equal.append(
                StatedValue(
                    row, text, fact, (code != "en", "…" in text, len(text)),
                    risen=toll and is_risen(texts[row], fact.start, code),
                    bound=toll and fact.start in _bounds(texts[row], code),
                )
            )  # fmt: skip
    for own in figures.get(VOTES, []):  # "a 7-2 vote", where another headline has "7 votes to 2"
        told = [each for each in figures.get(SCORE, []) if _is_ballot(each[0].value, own[0].value)]
        own.extend(chain(*told))
        figures[SCORE] = [each for each in figures.get(SCORE, []) if each not in told]
    return {column: values for column, values in figures.items() if values}


def _bounds(text: str, code: str) -> set[int]:
    """Where numbers begin that are the least that there is: "at least 31", "more than 30"."""
    least = (Approximation.AT_LEAST, Approximation.MORE_THAN)
    return {each.start for each in read_numerals(text, language=code) if each.approximation in least}


def _is_ballot(score: Fact | int, votes: Fact | int) -> bool:
    told = [str(each.value) for each in (score, votes) if isinstance(each, Fact)]
    sides = [sorted(each.split("-")) for each in told if _SIDES.fullmatch(each)]
    return len(sides) == 2 and sides[0] == sides[1]


def last_of_each(
    values: Values, owner: Mapping[int, Hashable] | IntArray, order: Mapping[int, Any], *, firm: bool = False
) -> list[list[StatedValue]]:
    """Of the headlines that state each value the last one of each owner, `firm` words first."""
    ordered = sorted(chain(*values), key=lambda each: (firm and each.firm, order[each.row]))
    last = {owner[each.row]: each.row for each in ordered}
    return [[each for each in value if last[owner[each.row]] == each.row] for value in values]


def _newest_of_rising(
    column: str, values: Values, said_last: Values, voice_of: Mapping[int, Hashable], days: FloatArray
) -> int:
    """Place of the newest value of a rising toll; -1 for none, or where most voices agree on one."""
    facts = (value[0].value for value in values) if column in TOLLS and column not in FALLING else ()
    numbers = (fact.value for fact in facts if isinstance(fact, Fact))
    amounts = [number.value for number in numbers if isinstance(number, Quantity)]
    holders = [len({voice_of[each.row] for each in own}) for own in said_last]
    if len(amounts) < len(values) or 2 * max(holders, default=0) > sum(holders):
        return -1
    reports = [(days[each.row], place) for place, value in enumerate(values) for each in value if each.firm]
    highest: list[int] = []
    since, behind = -math.inf, 0
    for day, place in sorted(report for report in reports if not math.isnan(report[0])):
        if day > since and (not highest or amounts[place] > amounts[highest[-1]]):
            highest.append(place)
            since = day
        elif not highest or place != highest[-1]:
            behind += 1
    rises = len(highest) >= _STEPS and _PER_STRAGGLER * behind <= len(highest)
    return highest[-1] if rises and said_last[highest[-1]] else -1


def newest_numbers(timeline: Timeline, rows: Sequence[int]) -> NewestNumbers:
    """Which headlines of an event, by time, have the newest number of what, and which an older."""
    days = timeline.days
    order = {row: place for place, row in enumerate(rows) if not math.isnan(days[row])}
    voice_of = {row: place for place, own in enumerate(by_outlet(timeline, rows)) for row in own}
    newest = NewestNumbers({}, set())
    figures = figures_of(timeline, list(order))  # each column's values by first report
    for column in TOLLS:
        values = figures.get(column, [])
        last_values = last_of_each(values, voice_of, order, firm=True)
        place = newest_value(column, values, last_values, order=order, voice_of=voice_of, days=days)
        if place < 0:
            continue
        stating = {each.row for each in values[place]}
        now = values[place][0].value  # which "up to 36" leaves open
        before = (own for own in values[:place] if own[0].firm or not _leaves_open(own[0].value, now))
        older = {each.row for each in chain(*before)} - stating
        last = all(_leaves_open(own[0].value, values[place][0].value) for own in values[place + 1 :])
        if older and (last or place == _newest_of_rising(column, values, last_values, voice_of, days)):
            newest.current.update((row, (*newest.current.get(row, ()), column)) for row in stating)
        newest.outdated.update(older)
    return newest


def _leaves_open(later: Fact | int, newest: Fact | int) -> bool:
    """Whether a value that came later is only a bound, or no number, that the newest one keeps within."""
    a, b = (fact.value if isinstance(fact, Fact) else "" for fact in (later, newest))
    if not (isinstance(a, Quantity) and isinstance(b, Quantity) and isinstance(later, Fact)):
        return False
    rough = not a.exact or later.more == Approximation.MORE_THAN
    return b.value >= a.value if rough else later.more in LOOSE and b.value <= a.value


def newest_in_events(
    timeline: Timeline, events: Iterable[Sequence[int]], *, foreign: Collection[int] = ()
) -> tuple[dict[int, int], set[int]]:
    """Of events how well headlines state the newest tolls, from 1, and which are older, estimate or deny.

    An older number is so by an hour. Tolls matter that a fifth of the headlines count, and two at least.
    Where none in the language of titles has the newest, its last toll leads that no lower one has replaced.
    """
    language, texts, days = timeline.reading.language, timeline.texts, timeline.days
    newest, overtaken = dict[int, int](), set[int]()
    for rows in events:
        counting = [row for row in rows if _counts(texts[row])]
        if len(counting) < max(FEWEST, _OF_EVENT * len(rows)):
            continue
        current, older = newest_numbers(timeline, counting)
        stating = ((row, columns) for row, columns in current.items() if row not in older)
        # "passes 2,000" says less than "2,056".
        leading = {row: 2 * len(columns) - is_passed(texts[row]) for row, columns in stating}
        since = min((days[row] for row in leading), default=-math.inf)
        newest |= leading
        overtaken |= {row for row in older if since - days[row] > AT_ONCE}
        numbers = {row: _tolls(texts[row], language) for row in counting}
        exact = [row for row in counting if numbers[row][0] and not is_passed(texts[row])]
        if any(stated for stated, _ in numbers.values()):
            overtaken |= {row for row, (stated, other) in numbers.items() if other and not stated}
        if exact:
            last = np.nanmax(days[exact], initial=-np.inf)
            before = (row for row in counting if row not in exact and days[row] <= last)
            overtaken |= {row for row in before if numbers[row][0]}
            overtaken |= {row for row in counting if is_denied(texts[row], language)}
        own = [row for row in exact if row not in foreign and row not in timeline.editions.outdated]
        if leading and leading.keys() <= set(foreign):
            lasting = (row for row in reversed(own) if not _is_replaced(timeline, row, exact))
            for row in islice(lasting, 1):
                newest[row] = 1
                overtaken.discard(row)
    return newest, overtaken


def _is_replaced(timeline: Timeline, row: int, counting: Sequence[int]) -> bool:
    """Whether a later headline has a lower toll than one: its number was corrected."""
    later = [each for each in counting if timeline.days[each] > timeline.days[row]]
    mine, others = figures_of(timeline, [row]), figures_of(timeline, later)
    return any(
        _is_more(own[0].value, each.value)
        for column in set(TOLLS) - FALLING
        for own in mine.get(column, ())
        for each in chain(*others.get(column, ()))
        if each.firm
    )


def _tolls(text: str, language: str) -> tuple[bool, bool]:
    """Whether a headline states a toll, and whether it counts anything."""
    stated = any(fact.column in TOLLS for fact in read_facts(text, language=language))
    code = language_of(text, doubtful=language)
    return stated, any(each.kind is NumeralKind.COUNT for each in read_quantities(text, language=code))


@lru_cache(maxsize=REMEMBERED)
def _counts(text: str) -> bool:
    """Whether a headline has a word that counts a toll: a look before its numbers are read."""
    words = _WORDS.findall(text)
    return any(word in _BEHIND or counted_kind(word, "en") in TOLLS for word in words)


def newest_value(
    column: str, values: Values, last_values: Values, *, order: Mapping[int, int],
    voice_of: Mapping[int, int], days: FloatArray, agreed: bool = False,
) -> int:  # fmt: skip
    """Place of what an outlet went on to, or two state, unless more go on with another; -1 for none.

    Of what may fall it is the last value by time; a lower toll of one outlet is its own correction alone.
    An `agreed` one two state, or it rises from report to report or as one says; nobody goes on with another
    or has more.
    """
    last_rows = [{voice_of[each.row]: each.row for each in own if each.row in order} for own in last_values]
    if column in FALLING:
        dated = [(each.firm, order[each.row], at) for at, own in enumerate(last_values) for each in own
                 if each.row in order]  # fmt: skip
        return max(dated, default=(False, -1, -1))[-1]
    rising = _newest_of_rising(column, values, last_values, voice_of, days)
    known = [
        (order[each.row], at, each) for at, own in enumerate(values) for each in own if each.row in order
    ]
    last_of = {voice: at for at, own in enumerate(last_rows) for voice in own}
    # What an outlet took back: "at least 4 killed", then "2 killed".
    lowered = {
        at for _, at, each in known
        if _is_more(each.value, values[last_of.get(voice_of[each.row], at)][0].value)
    }  # fmt: skip
    since: dict[int, int] = {}
    for moment, place, _ in sorted(known, key=lambda each: each[:2]):
        since.setdefault(place, moment)
    for place in reversed(since):
        first, now = since[place], values[place][0].value
        earlier = [each for _, at, each in known if since[at] < first]
        if any(_leaves_open(now, each.value) for each in earlier):
            continue
        own = [each.value for each in earlier if voice_of[each.row] in last_rows[place]]
        corrected = column in TOLLS and any(_is_more(value, now) for value in own)
        # "Rises to 44", or 44 where all before was "at least 31".
        rose = any(each.risen for each in last_values[place]) or all(each.bound for each in earlier)
        grown = rose and column in TOLLS and all(_is_more(now, each.value) for each in earlier)
        changed = place == rising or (earlier and grown) or (own and not corrected)
        rivals = [sum(order[row] > first for row in each.values()) for each in last_rows]
        if len(last_rows[place]) < max(1 if changed else FEWEST, *rivals):
            continue
        others = (
            rivals[at] or (last_rows[at] and at not in lowered and _is_more(values[at][0].value, now))
            for at in since
            if at != place
        )
        firm = place == rising or (len(last_rows[place]) >= (1 if grown else FEWEST) and not any(others))
        return place if firm or not agreed else -1
    return -1


def _is_more(left: Fact | int, right: Fact | int) -> bool:
    a, b = (each.value if isinstance(each, Fact) else each for each in (left, right))
    return isinstance(a, Quantity) and isinstance(b, Quantity) and a.value > b.value


def _with_figure(fact: Fact) -> str:
    """A number in words with its digits behind: "drei Tote (3)", for those who read English only."""
    value = fact.value
    if isinstance(value, str) or not value.exact or read_numerals(fact.said, language="en"):
        return fact.said
    return f"{fact.said} ({value.value:,g})"
