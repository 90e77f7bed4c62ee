"""What an event counts, over time: each value with its outlet, its meaning, and what took it back."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, groupby, pairwise
from typing import Final, NamedTuple

from core.data.timelines.timeline import Field, Timeline
from core.events.figures import FEWEST, StatedValue, figures_of, last_of_each, newest_value
from core.events.outlets import by_outlet
from core.results.table import Table, TableColumn
from core.text.differences import AT_ONCE, FALLING, TOLLS
from core.text.facts import (
    HALF_TIME,
    MONEY,
    PERCENT,
    SCORE,
    SPAN,
    VERB,
    Fact,
    counted_kinds,
    is_corrected,
    is_passed,
    is_retracted,
)
from core.text.numerals.languages import language_of
from core.text.numerals.numeral import Approximation, Bound
from core.text.numerals.quantities import Quantity, agree
from core.text.numerals.read import read_numerals

_SHARED: Final = (MONEY, PERCENT, SCORE)  # of many things: values of them that outlets share
_LEFT_OUT: Final = (VERB, SPAN)
_ABOUT: Final = 0.1  # share of a value by which "about" may miss: "nearly 500" denies no 480
# "une trentaine", "una decena", "десяток": about so many.
_ROUGH: Final = re.compile(
    r"\b(?:une?|una|uma) \w*(?:aine|[cnt]ena|[ct]ina|zena)\b|\bдесят(?:ок|к)", re.IGNORECASE
)
_COLUMNS: Final = (
    "thing", "time", "outlet", "value", "from", "to", "meant", "in words", "status", "headline", "address"
)  # fmt: skip


class ValuePoint(NamedTuple):
    row: int
    outlet: str  # "" where it is not known
    value: float  # the higher end of a range; of a score or ballot the winner's
    low: float  # where the value is meant to lie, both ends included; infinite where it is open
    high: float
    meant: str  # "at least", "more than", "about", "range" …; "" for the number itself
    text: str  # as the headline has it
    status: str = ""  # "corrected" or "withdrawn" since; "disputed" by another outlet at about that time;
    # "lower" than what another one had before
    until: int = -1  # the headline that corrected or withdrew it
    written: str = ""  # what stands for the value: "3-2" of two sides, "dozens"

    @property
    def said(self) -> str:
        """The value for people: "at least 4", "4 to 6", "3-2"."""
        if self.meant == "range":
            return f"{self.low:,.10g} to {self.high:,.10g}"
        return f"{self.meant} {self.value:,.10g}".lstrip() if "-" not in self.written else self.written


@dataclass(frozen=True, slots=True)
class NumberLine:
    head: str  # what is counted: "dead", "money"
    points: tuple[ValuePoint, ...]  # by time, those without a date last
    latest: ValuePoint  # the newest value, that most outlets went over to; else the last one stated


def number_lines(timeline: Timeline, rows: Sequence[int]) -> list[NumberLine]:
    """A line for each thing that headlines of an event, in the order of time, count; tolls first."""
    figures = figures_of(timeline, rows)
    order = [*counted_kinds(), SCORE, HALF_TIME, MONEY, PERCENT]
    voices = by_outlet(timeline, rows)
    voice_of = {row: place for place, own in enumerate(voices) for row in own}
    lines = []
    for head, stated in figures.items():
        shared = [own for own in stated if len({voice_of[each.row] for each in own}) >= FEWEST]
        values = shared if head in _SHARED and (head != SCORE or not shared) else stated
        outlets = {voice_of[each.row] for each in chain(*values)}
        if head in TOLLS or (head not in _LEFT_OUT and len(outlets) >= FEWEST):
            lines.append(_line(timeline, rows, head, values, voice_of))
    known = [line for line in lines if line.head in order]
    return sorted(known, key=lambda line: order.index(line.head))


def _line(
    timeline: Timeline, rows: Sequence[int], head: str, values: list[list[StatedValue]],
    voice_of: Mapping[int, int],
) -> NumberLine:  # fmt: skip
    place_of, days = {row: place for place, row in enumerate(rows)}, timeline.days
    # Of several in one headline the value that most others state: a profit, not the volume next to it.
    stated = {each.row: value_point(timeline, each) for each in chain(*sorted(values, key=len))}
    points = [stated[row] for row in sorted(stated, key=lambda row: (math.isnan(days[row]), place_of[row]))]
    replaced = taken_back(timeline, rows, head, stated)
    for place, point in enumerate(points):
        status, until = replaced.get(point.row, ("", -1))
        points[place] = point._replace(status=status, until=until)
    facts = {each.row: each.value for each in chain(*sorted(values, key=len))}
    if head not in TOLLS or not timeline.table["day_only"].iloc[list(rows)].any():  # else it may have risen
        points = _disputed(points, facts, timeline, voice_of)
    points = _lower(points, timeline) if head in TOLLS and head not in FALLING else points
    dated = {row: place for row, place in place_of.items() if not math.isnan(days[row])}
    in_force = [point for point in points if point.until < 0] or points
    latest = points[-1]
    if dated:
        last = last_of_each(
            [[each for each in own if each.row in dated] for own in values], voice_of, dated, firm=True
        )
        place = newest_value(head, values, last, order=dated, voice_of=voice_of, days=days)
        newest = {each.row for each in values[place]} if place >= 0 else dated.keys()
        latest = next((point for point in reversed(in_force) if point.row in newest), in_force[-1])
        exact = [point for point in in_force if not point.meant and latest.low <= point.value <= latest.high]
        if latest.meant and place < 0 and exact:
            latest = exact[-1]  # 341 aboard, then "more than 300"
    return NumberLine(head, tuple(points), latest)


def value_point(timeline: Timeline, stated: StatedValue) -> ValuePoint:
    fact, text = stated.value, str(timeline.table[Field.HEADLINE][stated.row])
    publisher = timeline.table[Field.PUBLISHER][stated.row]
    outlet = publisher if isinstance(publisher, str) else ""
    if not isinstance(fact, Fact) or not isinstance(fact.value, Quantity):
        score = str(fact.value if isinstance(fact, Fact) else fact)
        most = max(map(float, score.split("-")))
        return ValuePoint(stated.row, outlet, most, most, most, "", stated.text, written=score)
    value = fact.value.value
    numerals = read_numerals(text, language=language_of(text, doubtful=timeline.reading.language))
    at = next((place for place, each in enumerate(numerals) if each.start == fact.value.start), 0)
    meant = numerals[at].approximation if numerals else Approximation.EXACT
    low, high, written = value, value, ""
    if meant is Approximation.AT_MOST and fact.more != Approximation.AT_MOST and fact.column in TOLLS:
        meant = Approximation.EXACT  # "выросло до 11"
    if meant is Approximation.EXACT and _ROUGH.search(stated.text):
        meant = Approximation.ABOUT
    if is_passed(stated.text) and meant is Approximation.EXACT:
        meant = Approximation.MORE_THAN  # "toll passes 690"
    if meant is Approximation.VAGUE:  # "dozens" are two dozen at least
        value, low, meant, written = 2 * value, 2 * value, Approximation.AT_LEAST, fact.value.text
    if meant in (Approximation.AT_LEAST, Approximation.MORE_THAN):
        high = math.inf
    elif meant in (Approximation.AT_MOST, Approximation.LESS_THAN):
        low = 0.0
    elif at and (numerals[at - 1].bound, numerals[at].bound) == (Bound.LOW, Bound.HIGH):
        low = float(numerals[at - 1].value)
    said = "range" if low < high < math.inf and low else "" if meant is Approximation.EXACT else str(meant)
    return ValuePoint(stated.row, outlet, value, low, high, said, stated.text, written=written)


def taken_back(
    timeline: Timeline, rows: Sequence[int], head: str, stated: Mapping[int, ValuePoint]
) -> dict[int, tuple[str, int]]:
    """Which values a lower toll of the same outlet, or another headline of the same article, replaces.

    An article that has no number any more withdrew it where it says so, or where another outlet corrected it.
    """
    article = timeline.editions.article
    gone: dict[int, tuple[str, int]] = {}
    for own in by_outlet(timeline, [row for row in rows if row in stated]):
        for before, after in pairwise(own):
            old, new = stated[before], stated[after]
            falls = new.high < old.low and head not in FALLING
            edited = article[before] == article[after] and head not in TOLLS and new.value != old.value
            if (falls or edited) and timeline.days[after] > timeline.days[before]:
                gone[before] = "corrected", after
    wrong = {stated[row].value for row in gone}
    for row in (row for row in stated if head in TOLLS and is_corrected(timeline.texts[row])):
        higher = (each for each in stated if stated[each].low > stated[row].high)
        gone |= {each: ("corrected", row) for each in higher if timeline.days[each] < timeline.days[row]}
    for _, versions in groupby(sorted(rows, key=article.__getitem__), key=article.__getitem__):
        for before, after in pairwise(versions):
            silent = before in stated and after not in stated and timeline.days[after] > timeline.days[before]
            if silent and (stated[before].value in wrong or is_retracted(timeline.texts[after])):
                gone[before] = "withdrawn", after
    return gone


def _disputed(
    points: Sequence[ValuePoint], facts: Mapping[int, Fact | int], timeline: Timeline,
    voice_of: Mapping[int, int],
) -> list[ValuePoint]:  # fmt: skip
    days, against = timeline.days, set[int]()
    for at, point in enumerate(points):
        for other in points[at + 1 :]:
            apart = days[other.row] - days[point.row]
            if not apart <= AT_ONCE:  # NaN, too
                break
            about = Approximation.ABOUT in (point.meant, other.meant)
            slack = _ABOUT * max(point.value, other.value) if about else 0
            differ = point.high < other.low - slack or other.high < point.low - slack or bool(point.written)
            if (
                differ
                and voice_of[point.row] != voice_of[other.row]
                and not _agree(facts[point.row], facts[other.row])
            ):
                against |= {point.row, other.row}
    return [
        point._replace(status="disputed") if point.row in against and not point.status else point
        for point in points
    ]


def _agree(left: Fact | int, right: Fact | int) -> bool:
    a, b = (fact.value if isinstance(fact, Fact) else fact for fact in (left, right))
    if isinstance(a, Quantity) and isinstance(b, Quantity):
        return agree(a, b) or not (a.exact and b.exact)
    return left.same(right) if isinstance(left, Fact) and isinstance(right, Fact) else left == right


def _lower(points: Sequence[ValuePoint], timeline: Timeline) -> list[ValuePoint]:
    """Marks values of a toll that rises that came after a higher one of another outlet."""
    marked, reached = list[ValuePoint](), -math.inf
    for day, moment in groupby(points, key=lambda point: float(timeline.days[point.row])):
        for point in (own := list(moment)):
            falls = point.high < reached and not math.isnan(day) and not point.status
            marked.append(point._replace(status="lower") if falls else point)
        reached = max(reached, *(point.low for point in own if not point.status), -math.inf)
    return marked


def lines_table(timeline: Timeline, lines: Sequence[NumberLine]) -> Table:
    """Every value of the lines, with time in UTC, words, status and headline."""
    table, undated = timeline.table, timeline.table[Field.PUBLISHED].isna()
    body = []
    for line in lines:
        for point in line.points:
            when, link = table[Field.PUBLISHED][point.row], table[Field.URL][point.row]
            ends = [_plain(end) for end in (point.value, point.low, point.high)]
            told = [point.written, "", ""] if "-" in point.written else ends
            moment = "" if undated[point.row] else f"{when:%Y-%m-%dT%H:%MZ}"
            body.append((
                line.head, moment, point.outlet, *told, point.meant, point.text, point.status,
                str(table[Field.HEADLINE][point.row]), link if isinstance(link, str) else "",
            ))  # fmt: skip
    return Table(columns=tuple(map(TableColumn, _COLUMNS)), rows=tuple(body))


def _plain(end: float) -> float | None:
    if not math.isfinite(end):
        return None
    return int(end) if end.is_integer() else end
