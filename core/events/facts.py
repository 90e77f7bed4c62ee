"""The facts grid of an event: a row an outlet by time, a column a thing that is stated, in its own words."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from html import escape
from itertools import chain, zip_longest
from pathlib import Path
from textwrap import wrap
from typing import Any, Final

from core import limits
from core.arrays import FloatArray
from core.data.timelines.timeline import Field, Timeline, written_day
from core.events.named import names_of
from core.events.origins import Copy, origins, without_credit
from core.events.outlets import Said, by_outlet, compare_claims
from core.groups.card import GroupSummary
from core.palette import DARK, LIGHT
from core.results.page import html_page
from core.results.render import as_csv, clean, count_words, shorten
from core.results.table import Table, TableColumn, Value
from core.text.claims import (
    MONEY,
    PERCENT,
    SCORE,
    SPAN,
    VERB,
    Claims,
    Fact,
    counted_kinds,
    read_claims,
    read_facts,
    same_name,
)
from core.text.normalise import comparison_key
from core.text.numerals.languages import language_of, unread_headlines
from core.text.numerals.quantities import Quantity
from core.text.numerals.read import read_numerals
from core.text.reading import reads
from core.text.tokens import fold

MOST_COLUMNS: Final = 8
_MOST_NAMES: Final = 3  # values in one cell; more are counted
_NAMED: Final = 8  # outlets that a sentence names; more are counted
WHO, WHERE, SURE = "who", "where", "how sure"
_LAST: Final = (WHO, WHERE, VERB, SURE)
_FEWEST: Final = 2
_SHARE: Final = 0.05  # of the outlets that state something, at least, for a column
_APART: Final = (MONEY, PERCENT, SPAN)  # values not of one thing: no colour for one outlet's, no change
_RISING: Final = ("dead", "hurt", "arrested", "evacuated", "rescued", "infected")
_STEPS: Final = 3  # values of a toll that rises, each above those before, at least
_PER_STRAGGLER: Final = 3  # such values for each report that is behind them
_UPDATED: Final = ("dead", "hurt", "missing", "arrested", "evacuated", "rescued", "infected")
_MINUTES: Final = 24 * 60
_TERMINAL: Final = 22  # letters of a column in a terminal


@dataclass(frozen=True, slots=True)
class Stated:
    text: str  # in the outlet's words
    colour: int  # equal within a column for equal values, from 0; -1 where no other outlet has the value
    when: str = ""  # when the outlet gave it instead of the value before it: "14:20"; "" for the first
    earlier: bool = False  # others have a newer value of what rises; this outlet reported no more since

    @property
    def note(self) -> str:
        return self.when or "earlier" * self.earlier


@dataclass(frozen=True, slots=True)
class FactColumn:
    head: str  # "dead", "money", "who"
    most: str  # the value of most origins, or the newest of what rises, as most headlines write it
    outlets: int  # how many outlets have that value
    of: int  # of how many: outlets in a language that is not read count where they state something
    colour: int  # of that value, as of `Stated`
    values: int  # how many values outlets said last; not what all have corrected since
    tied: bool  # as many origins have another value
    newest: bool = False  # the value is the newest of what rises, and not that of most

    @property
    def differs(self) -> bool:
        return self.outlets == 1 and self.values > 1 and not self.newest


@dataclass(frozen=True, slots=True)
class FactRow:
    outlet: str  # its name; "" where it is not known
    rows: tuple[int, ...]  # its headlines, in the order of time; never empty
    when: str  # "first", "2 h 10 min later"; "" without a date
    origin: int  # the origin of its first report, from 1 in the order of time
    cells: tuple[tuple[Stated, ...], ...]  # one for each column; () where it is silent
    unread: str = ""  # "not read" in empty cells, where its headlines are in a language that is not read
    edits: tuple[str, ...] = ()  # when it gave an article another headline: "12:00", "" where no time says so

    @property
    def edited(self) -> str:
        """The time of its last edit for people: "edited 12:00 (2 times)"; "" for none."""
        times = f"({len(self.edits)} times)" if len(self.edits) > 1 else ""
        return " ".join(filter(None, ("edited", self.edits[-1], times))) if self.edits else ""


@dataclass(frozen=True, slots=True)
class FactsGrid:
    rows: tuple[FactRow, ...]  # outlets, the first to report first; those without a date last
    columns: tuple[FactColumn, ...]
    reports: int  # headlines
    origins: int  # agencies and texts that they come from; see `origins`
    copies: tuple[Copy, ...]  # the other headlines, each with the evidence
    more: int  # how many further outlets are left out
    unread: tuple[str, ...] = ()  # languages whose facts are not read: "Hebrew"

    @property
    def lead(self) -> str:
        """One sentence: who was first, how many reports from how many origins."""
        counts = (self.reports, "report", "reports"), (self.origins, "origin", "origins")
        counted = ", ".join(count_words(*each) for each in counts)
        dated = [row for row in self.rows if row.when]
        first = [row.outlet for row in dated if row.when == dated[0].when]
        left_out = count_words(self.more, "more outlet is", "more outlets are")
        more = f" {left_out} not compared." if self.more else ""
        if 0 < len(dated) < len(self.rows):
            undated = count_words(len(self.rows) - len(dated), "outlet has", "outlets have")
            more += f" {undated} no date here and may have been earlier."
        more += f" Headlines in {', '.join(self.unread)} are not read." if self.unread else ""
        if not any(first):
            return f"{counted}.{more}"
        named = [name for name in first if name][:_NAMED]
        named += [f"{len(first) - len(named):,} more"] if len(first) > len(named) else []
        who = " and ".join(filter(None, (", ".join(named[:-1]), named[-1])))
        last = "" if dated[-1].when == dated[0].when else f"; the last came {dated[-1].when}"
        return (
            f"{counted}. {who} reported {dated[0].when.replace('first day', 'on the first day')}{last}.{more}"
        )


@dataclass(slots=True)
class _Entry:
    row: int
    text: str
    value: Fact | int
    rank: tuple[bool | int, ...] = ()  # the less, the better it stands for its value


class _Compared:
    """The outlets of an event that are compared, the origins of their reports, and their order in time."""

    def __init__(self, timeline: Timeline, rows: Sequence[int], reports: Sequence[Sequence[int]]) -> None:
        outlets, self.texts = by_outlet(timeline, rows), timeline.texts
        self.outlets = outlets[: limits.COMPARED_OUTLETS.value]
        self.more = len(outlets) - len(self.outlets)
        self.voice_of = {row: place for place, own in enumerate(self.outlets) for row in own}
        self.rows = [row for row in rows if row in self.voice_of]
        bodies = [body if isinstance(body, str) else "" for body in timeline.table[Field.BODY]]
        links = [link if isinstance(link, str) else "" for link in timeline.table[Field.URL]]
        self.copies = origins(
            self.texts, self.rows, bodies=bodies if any(bodies[row] for row in self.rows) else [],
            copies=reports, outlets=timeline.publishers, links=links, editions=timeline.editions,
            days=timeline.days,
        )  # fmt: skip
        self.origin_of = {row: row for row in self.rows} | {copy.row: copy.of for copy in self.copies}
        self.clock, self.days = _Clock(timeline, self.rows), timeline.days
        self.order = {row: (not math.isnan(self.days[row]), at) for row, at in self.clock.order.items()}
        self.article, self.outdated = timeline.editions.article, timeline.editions.outdated
        self.edits = edit_times(timeline, self.rows)
        self.foreign = unread_headlines(tuple(self.texts), self.rows)
        self.unread = [self.foreign.keys() >= set(own) for own in self.outlets]

    def voices(self, entries: Sequence[_Entry]) -> set[int]:
        return {self.voice_of[each.row] for each in entries}


@dataclass(slots=True)
class _Ranked:
    """The values of a column, the leading one first: who ever stated each, and whose last word each is."""

    column: FactColumn
    values: list[list[_Entry]]
    said_last: list[list[_Entry]]
    colours: list[int]
    newest: int  # the report since which the leading value is the newest of what rises; -1 where it is not


def _ranked(compared: _Compared, head: str, values: list[list[_Entry]]) -> _Ranked:
    lasting = head not in (*_LAST, *_APART)
    said_last = _in_force(values, compared) if head not in _LAST else values
    newest = -1
    if lasting:
        said_last = _last_of_each(said_last, compared.voice_of, compared.order)
        newest = _newest_of_rising(head, values, said_last, compared.voice_of, compared.days)
    stating = set(chain.from_iterable(map(compared.voices, values)))
    weights = [len({compared.origin_of[each.row] for each in own}) for own in said_last]
    # Of equal values one that an outlet changed to.
    several = Counter(chain.from_iterable(map(compared.voices, values))) if lasting else {}
    unchanged = [all(several.get(voice, 1) < _FEWEST for voice in compared.voices(own)) for own in said_last]

    def rank(at: int) -> tuple[bool, int, bool, int]:
        return at != newest, -weights[at], unchanged[at], compared.clock.order[values[at][0].row]

    ranks = sorted(range(len(values)), key=rank)
    clusters, stated = [values[at] for at in ranks], [said_last[at] for at in ranks]
    counts = Counter(each.text for each in stated[0])
    # Of texts that are as common, one that a reader of the app's language knows, and a short one.
    said = min(stated[0], key=lambda each: (-counts[each.text], *each.rank)).text
    outlets = [len(compared.voices(own)) for own in stated]
    fewest = 0 if lasting else _FEWEST  # a value that every outlet has changed has its colour still
    # A colour comes once in a column: values past the palette have none.
    colours = [place if many >= fewest and place < len(LIGHT) else -1 for place, many in enumerate(outlets)]
    backed = [weights[at] for at in ranks[:2]]
    tied = head not in _LAST and newest < 0 and len(set(backed)) < len(backed)
    of = sum(place in stating or not skipped for place, skipped in enumerate(compared.unread))
    held = sum(map(bool, stated))
    column = FactColumn(head, said, outlets[0], of, colours[0], held, tied, newest >= 0)
    since = clusters[0][0].row if newest >= 0 else -1
    return _Ranked(column, clusters, stated, colours, since)


def facts_grid(
    timeline: Timeline, line: GroupSummary, *, names: frozenset[str] = frozenset(), language: str = "en"
) -> FactsGrid:
    """What each outlet of an event states; outlets past the limit `compared_outlets` are counted."""
    compared = _Compared(timeline, line.rows, line.reports)
    number = {origin: at for at, origin in enumerate(dict.fromkeys(compared.origin_of.values()), 1)}
    stated = _stated(compared, names, language)
    ranked = [_ranked(compared, head, values) for head, values in _chosen(stated, compared.voice_of)]
    rows = []
    for place, own in enumerate(compared.outlets):
        outlet = next(filter(None, (timeline.publishers[row] for row in own)), "")
        rows.append(
            FactRow(
                outlet, tuple(own), compared.clock.after(own), number[compared.origin_of[own[0]]],
                tuple(_cell(each, set(own), compared) for each in ranked),
                "not read" * compared.unread[place],
                tuple(time for row, time in compared.edits.items() if row in own),
            )
        )  # fmt: skip
    silent = {compared.foreign[row.rows[0]] for row in rows if row.unread and not any(row.cells)}
    columns = tuple(each.column for each in ranked)
    return FactsGrid(
        tuple(rows), columns, len(compared.rows), len(number), compared.copies, compared.more,
        tuple(sorted(silent)),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class AgreedNumber:
    column: FactColumn  # as the facts grid has it
    rows: frozenset[int]  # headlines that state it


def agreed_number(
    timeline: Timeline, rows: Sequence[int], reports: Sequence[Sequence[int]], language: str
) -> AgreedNumber | None:
    """The number of an event that most outlets give, more than give another; None where there is none."""
    compared = _Compared(timeline, rows, reports)
    figures = _figures(compared.texts, compared.rows, language)
    ranked = [_ranked(compared, head, values) for head, values in figures.items() if head != VERB]
    clear = [
        each
        for each in ranked
        if each.column.outlets >= _FEWEST and not (each.column.tied or each.column.newest)
    ]
    best = max(clear, key=lambda each: each.column.outlets, default=None)
    stating = best.values[0] if best is not None else []
    return AgreedNumber(best.column, frozenset(each.row for each in stating)) if best is not None else None


def grid_table(grid: FactsGrid, timeline: Timeline) -> Table:
    """A line an outlet: outlet, reported, edited where one was, origin, headlines, and a column a fact."""
    told = ["edited"] if any(row.edits for row in grid.rows) else []
    heads = ("outlet", "reported", *told, "origin", "headlines", *(column.head for column in grid.columns))
    lines: list[tuple[Value, ...]] = []
    for row in grid.rows:
        texts = " | ".join(timeline.texts[at] for at in row.rows)
        words = (cell_words(cell) or row.unread for cell in row.cells)
        lines.append((row.outlet, row.when, *[row.edited for _ in told], row.origin, texts, *words))
    return Table(columns=tuple(map(TableColumn, heads)), rows=tuple(lines))


def grid_csv(grid: FactsGrid, timeline: Timeline) -> str:
    """The grid as CSV; no spreadsheet runs anything in it."""
    return as_csv(grid_table(grid, timeline))


def grid_object(grid: FactsGrid, headlines: Sequence[object]) -> dict[str, object]:
    """The grid for other programs; `headlines` is what stands for each row of the timeline."""
    heads = [column.head for column in grid.columns]
    return {
        "summary": grid.lead,
        "most_say": {column.head: column.most for column in grid.columns},
        "outlets": [
            {
                "outlet": row.outlet,
                "reported": row.when,
                "edited": row.edited,
                "origin": row.origin,
                "headlines": [headlines[at] for at in row.rows],
                "read": not row.unread,
                "states": {
                    head: cell_words(cell) for head, cell in zip(heads, row.cells, strict=True) if cell
                },
            }
            for row in grid.rows
        ],
    }


def grid_text(grid: FactsGrid, texts: Sequence[str]) -> str:
    """The grid for a terminal: one letter in a column is one value, "–" says that nothing is stated."""
    rows = [["Outlet", *(clean(column.head) for column in grid.columns)]]
    letters = ["" if column.differs else letter(column.colour) for column in grid.columns]
    most = map(most_words, grid.columns)
    rows.append(["Most state", *map(str.strip, map(" ".join, zip(letters, most, strict=True)))])
    for row in grid.rows:
        marked = [
            [replace(stated, text=f"{letter(stated.colour)} {clean(stated.text)}".strip()) for stated in cell]
            for cell in row.cells
        ]
        name = " · ".join(filter(None, (row_name(row, texts), row_details(row, grid))))
        rows.append([name, *(cell_words(cell) or row.unread or "–" for cell in marked)])
    wrapped = [[wrap(text, _TERMINAL) or [""] for text in row] for row in rows]
    widths = [max(len(line) for lines in column for line in lines) for column in zip(*wrapped, strict=True)]
    rule, printed = "-" * (sum(widths) + 2 * len(widths) - 2), []
    for at, cells in enumerate(wrapped):
        for line in zip_longest(*cells, fillvalue=""):
            printed.append("  ".join(map(str.ljust, line, widths)).rstrip())
        printed.append(rule if at < 2 else "")
    return "\n".join([clean(grid.lead), "", *printed]).rstrip()


def letter(colour: int) -> str:
    """The letter of a colour, for those who see no colours; "" for none."""
    return chr(ord("A") + colour) if colour >= 0 else ""


def cell_words(cell: Sequence[Stated]) -> str:
    """A cell in one line: "3 dead → 5 dead, 14:20", "NASA; Roscosmos", "3 dead (earlier)"."""
    words = ""
    for value in cell:
        words += f" → {value.text}, {value.when}" if value.when else f"{'; ' if words else ''}{value.text}"
        words += " (earlier)" * value.earlier
    return words


def _stated(compared: _Compared, names: frozenset[str], language: str) -> dict[str, list[list[_Entry]]]:
    texts, rows = compared.texts, compared.rows
    columns = _figures(texts, rows, language)
    abroad = {
        fold(word) for row in rows for word in texts[row].split() if same_name(word) and word[0].isupper()
    }
    known = names | abroad
    claims = {row: _claims_of(texts[row], known, language) for row in rows}
    sayings = compare_claims(claims, compared.voice_of)
    for place, saying in enumerate(sayings):
        # What a headline does not say any more is no doubt of its outlet.
        hedges = [_Entry(row, saying.text, place) for row in saying.rows if row not in compared.outdated]
        if saying.kind is Said.HEDGE and hedges:
            columns.setdefault(SURE, []).append(hedges)
    called = [saying for saying in sayings if saying.kind in (Said.ACTOR, Said.NAME)]
    who: dict[bool, list[list[_Entry]]] = {}
    for place, name in enumerate(names_of(texts, claims, called, language)):
        entries = [_Entry(row, words, place) for row, words in name.words]
        of = columns.setdefault(WHERE, []) if name.where else who.setdefault(name.common, [])
        of.append(entries)
    # "Astronauts" is nobody beside "NASA", and where outlets share no name either none is compared.
    shared = True not in who or any(len(compared.voices(own)) >= _FEWEST for own in who.get(False, []))
    named = who.get(False, []) if shared else []
    columns[WHO] = named if False in who else who.get(True, [])
    return {head: values for head, values in columns.items() if values}


@reads("facts", read_claims)
def _claims_of(text: str, known: frozenset[str], language: str) -> Claims:
    return read_claims(without_credit(text), known=known, language=language)


def _figures(texts: Sequence[str], rows: Sequence[int], language: str) -> dict[str, list[list[_Entry]]]:
    """The headlines that state each value of each column, names left out."""
    figures: dict[str, list[list[_Entry]]] = {}
    for row in rows:
        for fact in read_facts(texts[row], language=language):
            values = figures.setdefault(fact.column, [])
            equal = next((value for value in values if fact.same(value[0].value)), None)  # type: ignore[arg-type]
            if equal is None:
                values.append(equal := [])
            code = language_of(texts[row], doubtful=language)
            said = _with_figure(fact)
            equal.append(_Entry(row, said, fact, (code != "en", "…" in said, len(said))))
    return figures


def _last_of_each(
    clusters: Sequence[Sequence[_Entry]], voice_of: Mapping[int, Hashable], order: Mapping[int, Any]
) -> list[list[_Entry]]:
    """Of the headlines that state each value those that are their outlet's last word on it."""
    last: dict[Hashable, int] = {}
    for each in sorted(chain(*clusters), key=lambda each: (_firm(each), order[each.row])):
        last[voice_of[each.row]] = each.row
    return [[each for each in cluster if last[voice_of[each.row]] == each.row] for cluster in clusters]


def _in_force(clusters: Sequence[Sequence[_Entry]], compared: _Compared) -> list[list[_Entry]]:
    """Of the headlines that state each value of a column the last one of each article that does."""
    last: dict[int, int] = {}
    for each in sorted(chain(*clusters), key=lambda each: compared.order[each.row]):
        last[compared.article[each.row]] = each.row
    return [
        [each for each in cluster if last[compared.article[each.row]] == each.row] for cluster in clusters
    ]


def _newest_of_rising(
    head: str, values: Sequence[Sequence[_Entry]], said_last: Sequence[Sequence[_Entry]],
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


def newest_numbers(timeline: Timeline, rows: Sequence[int], language: str) -> Newest:
    """Which headlines of an event, by time, have the newest number of what, and which an older.

    The newest is a value that an outlet changed to, or that two state, unless as many go on with another.
    """
    order = {row: place for place, row in enumerate(rows) if not math.isnan(timeline.days[row])}
    voice_of = {row: place for place, own in enumerate(by_outlet(timeline, rows)) for row in own}
    newest: dict[int, tuple[str, ...]] = {}
    older: set[int] = set()
    figures = _figures(timeline.texts, list(order), language)  # each column's values by first report
    for head in _UPDATED:
        values, past = figures.get(head, []), set[int]()
        ends = _last_of_each(values, voice_of, order)
        rising = _newest_of_rising(head, values, ends, voice_of, timeline.days)
        last = [{voice_of[each.row]: each.row for each in own} for own in ends]
        for at in reversed(range(len(values))):
            first = order[values[at][0].row]
            rivals = [sum(order[row] > first for row in own.values()) for own in last]
            changed = at == rising or any(voice_of[each.row] in last[at] for each in chain(*values[:at]))
            if len(last[at]) >= max(1 if changed else _FEWEST, *rivals):
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


def _chosen(
    stated: dict[str, list[list[_Entry]]], voice_of: dict[int, int]
) -> Iterator[tuple[str, list[list[_Entry]]]]:
    order = [*counted_kinds(), SCORE, MONEY, PERCENT, SPAN]

    outlets = {
        head: len({voice_of[each.row] for cluster in clusters for each in cluster})
        for head, clusters in stated.items()
    }

    def weight(head: str) -> float:
        fewest = max(1 if head in order else _FEWEST, _SHARE * len(set(voice_of.values())))
        return (outlets[head] if outlets[head] >= fewest else 0) * (1.5 if len(stated[head]) > 1 else 1)

    chosen = sorted(filter(weight, stated), key=weight, reverse=True)[:MOST_COLUMNS]
    places = {head: place for place, head in enumerate((*order, *_LAST))}
    for head in sorted(chosen, key=lambda head: (-outlets[head], places.get(head, len(order)))):
        yield head, stated[head]


def _cell(ranked: _Ranked, own: set[int], compared: _Compared) -> tuple[Stated, ...]:
    clock, colours, head = compared.clock, ranked.colours, ranked.column.head
    placed = [
        (compared.order[each.row], place, each)
        for place, cluster in enumerate(ranked.values)
        for each in cluster
        if each.row in own
    ]
    articles = {compared.article[each.row] for *_, each in placed}
    edited = len(articles) == 1 and len({each.row for *_, each in placed}) > 1
    if head in _LAST or (head in _APART and not edited):
        placed.sort(key=lambda each: (each[1], each[0]))
        last_first = {at: Stated(each.text, colours[at]) for _, at, each in placed[::-1]}
        cell = list(last_first.values())[::-1]
        more = len(cell) - _MOST_NAMES
        return tuple(cell[:_MOST_NAMES] + ([Stated(f"+{more}", -1)] if more > 0 else []))
    cell, last = [], (-1, -1)
    for _, place, each in sorted(placed, key=lambda each: each[:2]):
        if place == last[1]:
            continue
        changed = bool(cell) and each.row != last[0] and _firm(each)
        cell.append(Stated(each.text, colours[place], clock.at(each.row) if changed else ""))
        last = (each.row, place)
    overtaken = ranked.newest >= 0 and last[1] > 0
    if overtaken and compared.order[last[0]] < compared.order[ranked.newest]:
        cell[-1] = replace(cell[-1], earlier=True)
    return tuple(cell)


def _firm(entry: _Entry) -> bool:
    value = entry.value.value if isinstance(entry.value, Fact) else ""
    return not isinstance(value, Quantity) or value.firm or value.exact


class _Clock:
    def __init__(self, timeline: Timeline, rows: Sequence[int]) -> None:
        self.order = {row: place for place, row in enumerate(rows)}
        self._days, self._when = timeline.days, timeline.table[Field.PUBLISHED]
        self._day_only = any(bool(flag) for flag in timeline.table["day_only"].iloc[list(rows)])
        known = [row for row in rows if not math.isnan(self._days[row])]
        self._first = min(known, key=lambda row: self._days[row]) if known else None

    def at(self, row: int) -> str:
        """The moment of a report: "14:20", or "6 Sep, 14:20" on another day than the first."""
        if self._first is None or math.isnan(self._days[row]):
            return "later"
        moment: datetime = self._when[row]
        day = written_day(moment)
        if self._day_only:
            return day
        return f"{moment:%H:%M}" if day == written_day(self._when[self._first]) else f"{day}, {moment:%H:%M}"

    def after(self, rows: Sequence[int]) -> str:
        """When an outlet reported: "first", "2 h 10 min later", "3 days later"; "" without a date."""
        known = [self._days[row] for row in rows if not math.isnan(self._days[row])]
        if not known or self._first is None:
            return ""
        minutes = round((min(known) - self._days[self._first]) * _MINUTES)
        days = round(minutes / _MINUTES)
        if minutes >= _MINUTES:
            return f"{days} day{'' if days == 1 else 's'} later"
        if self._day_only or not minutes:
            return "first day" if self._day_only else "first"
        parts = ((minutes // 60, "h"), (minutes % 60, "min"))
        return f"{' '.join(f'{count} {unit}' for count, unit in parts if count)} later"


def edit_times(timeline: Timeline, rows: Sequence[int]) -> dict[int, str]:
    """Which of some headlines, by time, replace another one of an article, and since when: "12:00" or ""."""
    texts, days, clock = timeline.texts, timeline.days, _Clock(timeline, rows)
    last: dict[int, int] = {}
    edited = {}
    for row in sorted(rows, key=lambda row: not math.isnan(days[row])):
        article = timeline.editions.article[row]
        before = last.setdefault(article, row)
        if comparison_key(texts[row]) != comparison_key(texts[before]):
            edited[row] = clock.at(row) if days[row] > days[before] else ""
        last[article] = row
    return edited


STYLE: Final = "\n" + Path(__file__).with_suffix(".css").read_text(encoding="utf-8")


def paints(*, dark: bool) -> str:
    """Rules for the colours of values, where no page gives them."""
    colours = DARK if dark else LIGHT
    return "".join(f".facts-grid .g{at}{{--group:{colour}}}" for at, colour in enumerate(colours))


def grid_html(grid: FactsGrid, texts: Sequence[str], *, most: int | None = None, scrolls: bool = True) -> str:
    """The first outlets of a grid as an escaped table, by default one that scrolls inside its own box."""
    heads = "".join(f'<th scope="col">{escape(clean(column.head))}</th>' for column in grid.columns)
    common = "".join(f"<td>{_most(column)}</td>" for column in grid.columns)
    body = "".join(_row(row, grid, texts) for row in grid.rows[:most])
    stop = ' tabindex="0"' if scrolls else ""
    return (
        f'<div class="facts-grid" role="region"{stop} aria-label="What each outlet states">'
        f'<table><thead><tr><th scope="col">Outlet</th>{heads}</tr></thead><tbody>'
        f'<tr class="most"><th scope="row">Most state</th>{common}</tr>{body}</tbody></table></div>'
    )


def grid_page(grid: FactsGrid, texts: Sequence[str], *, title: str, source: str) -> bytes:
    """The whole grid as a page without a script that loads nothing: for a wall, a slide or a colleague."""
    body = (
        '<header><h1 dir="auto">{{ title }}</h1></header><p dir="auto">{{ lead }}</p>{{ table|safe }}'
        '<footer><p class="quiet" dir="auto">{{ note }} {{ source }}</p></footer>'
    )
    table = grid_html(grid, texts)
    said = {"title": clean(title), "lead": clean(grid.lead), "note": NOTE, "source": clean(source)}
    return html_page(body, style=STYLE, table=table, **said)


NOTE: Final = (
    "One colour in a column is one value, in whichever language; an arrow and a time mark a changed value; "
    "a hatched cell says that the outlet's headlines do not state it, “not read” that their language is not "
    "read. Times are UTC. Read from headlines by rules, so some are missed."
)


def most_words(column: FactColumn, *, value: bool = True) -> str:
    """How many outlets have the leading value: "3 dead, 4 of 10, as many differ", "…, 1 of 5, the newest"."""
    if column.differs:
        return "different values"
    words = f"{column.outlets} of {column.of}" + ", as many differ" * column.tied
    words += ", the newest" * column.newest
    return f"{clean(column.most)}, {words}" if value else words


def row_name(row: FactRow, texts: Sequence[str]) -> str:
    return clean(row.outlet) or shorten(texts[row.rows[0]], 50)


def row_details(row: FactRow, grid: FactsGrid) -> str:
    """When an outlet reported, how many headlines it has, when it edited one, and whose origin it shares."""
    first = next(other for other in grid.rows if other.origin == row.origin)
    details = [row.when] if row.when else []
    details += [f"{len(row.rows)} reports"] if len(row.rows) > 1 else []
    details += filter(None, [row.edited])
    details += [f"same origin as {clean(first.outlet) or 'an earlier report'}"] if first is not row else []
    return " · ".join(details)


def _most(column: FactColumn) -> str:
    words = f"<small>{most_words(column, value=False)}</small>"
    return words if column.differs else f"{_painted(Stated(column.most, column.colour))}{words}"


def _row(row: FactRow, grid: FactsGrid, texts: Sequence[str]) -> str:
    details = row_details(row, grid)
    small = f"<small>{escape(details)}</small>" if details else ""
    empty = f"<td><small>{row.unread}</small></td>" if row.unread else '<td class="silent"></td>'
    cells = "".join(f"<td>{''.join(map(_painted, cell))}</td>" if cell else empty for cell in row.cells)
    return f'<tr><th scope="row">{escape(row_name(row, texts))}{small}</th>{cells}</tr>'


def _painted(one: Stated) -> str:
    paint = f" same g{one.colour}" if one.colour >= 0 else ""
    arrow = '<span aria-label="changed to">→</span> ' if one.when else ""
    note = f"<small>{escape(one.note)}</small>" if one.note else ""
    return f'{arrow}<span class="stated{paint}">{escape(clean(one.text))}{note}</span>'
