"""What tells the outlets of an event apart: who was first, what all say, and what only one says."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from core import limits
from core.data.timelines.timeline import Timeline
from core.groups.card import GroupSummary
from core.results.render import as_csv
from core.results.table import Table, TableColumn, Value
from core.text.claims import Claims, Phrase, read_claims
from core.text.differences import ParsedHeadline
from core.text.names import Initials
from core.text.numerals.languages import language_of
from core.text.numerals.numeral import NumeralKind
from core.text.numerals.quantities import Quantity, conflict, same

NAMED: Final = 8  # outlets that are named behind "also in"; more are counted
_MOST_SAID: Final = 12
"""Names, numbers and hedges of one headline that are compared, each; a headline of more is no headline."""
_PEOPLE_OF: Final = frozenset({"n", "an", "ian", "i", "ese", "es", "ish", "y"})
"""Endings that make the people of a country: "Russia", "Russian"."""
_COUNTED: Final = frozenset({"dead", "hurt", "people"})
_MINUTES: Final = 24 * 60
FIRST: Final = ("first", "first day")
"""When whoever was first reported: by the minute, and where only the day is known."""
_Forms = tuple[str, ...]


class Said(StrEnum):
    """What kind of thing a headline says, in the words of the grid's columns."""

    ACTOR = "Who"
    NAME = "Names"
    NUMBER = "Numbers"
    HEDGE = "Hedges"


class Share(StrEnum):
    """How many of an event's outlets say something."""

    ALL = "all"
    SOME = "some"
    ONE = "only one"


@dataclass(frozen=True, slots=True)
class Saying:
    """One thing that is said."""

    kind: Said
    text: str  # as most headlines write it
    rows: tuple[int, ...]  # originals that say it, in the order of time
    outlets: int  # how many outlets say it, from 1; a report without an outlet counts as one of its own
    share: Share  # how many that is of all
    disputed: bool  # it is a number, and more outlets give another number of the same thing


@dataclass(frozen=True, slots=True)
class OutletLine:
    """One outlet of an event."""

    outlet: str  # its name; "" where it is not known
    rows: tuple[int, ...]  # its originals, in the order of time; never empty
    also_in: tuple[str, ...]  # outlets that have copies of these
    after: float | None  # days from the event's first report to its own first one, 0 or more
    says: frozenset[int]  # places in `OutletGrid.sayings` of what it says


@dataclass(frozen=True, slots=True)
class OutletGrid:
    """An event's outlets and what they say."""

    lines: tuple[OutletLine, ...]  # the outlets, the first to report first; those without a date last
    sayings: tuple[Saying, ...]  # all that is said: what all say, then what some say, then what only one says
    more: int  # how many further outlets are left out
    day_only: bool  # the times of the event are days without hours

    def of(self, kind: Said, share: Share | None = None) -> list[int]:
        """Places of the sayings of a kind, in their order."""
        return [
            place for place, one in enumerate(self.sayings) if one.kind is kind and share in (None, one.share)
        ]

    def when(self, line: OutletLine) -> str:
        """When an outlet reported: "first", "2 h 10 min later", "3 days later"; "" without a date."""
        if line.after is None:
            return ""
        minutes = round(line.after * _MINUTES)
        days = round(minutes / _MINUTES)
        if minutes >= _MINUTES:
            return f"{days} day{'' if days == 1 else 's'} later"
        if self.day_only or not minutes:
            return FIRST[self.day_only]
        parts = ((minutes // 60, "h"), (minutes % 60, "min"))
        return f"{' '.join(f'{count} {unit}' for count, unit in parts if count)} later"


def also_in(publishers: Sequence[str | None], report: Sequence[int], *, most: int = NAMED) -> str:
    """Where else a report stands word for word: "also in: Alpha, Beta and 3 more"; "" for nowhere."""
    original, *copies = report
    if not copies:
        return ""
    others = _others(publishers, (report,), publishers[original])
    if not others:
        return "repeated once" if len(copies) == 1 else f"repeated {len(copies)} times"
    return named_outlets(others, most=most)


def named_outlets(outlets: Sequence[str], *, most: int = NAMED) -> str:
    """Outlets that have a copy, as words: "also in: Alpha, Beta and 3 more"."""
    more = len(outlets) - most
    return f"also in: {', '.join(outlets[:most])}" + (f" and {more} more" if more > 0 else "")


def outlet_grid(
    timeline: Timeline, line: GroupSummary, *, names: Collection[str] = frozenset(), language: str = "en"
) -> OutletGrid:
    """Who of an event's outlets says what.

    An outlet's copies of another one's report stand in that one's line; outlets past the limit
    `compared_outlets` are counted.
    """
    texts, publishers, days = timeline.texts, timeline.publishers, timeline.days
    voices: dict[Hashable, list[Sequence[int]]] = {}
    for report in line.reports:
        voices.setdefault(publishers[report[0]] or report[0], []).append(report)
    limit = limits.COMPARED_OUTLETS.value
    kept = list(voices.values())[:limit]
    voice_of = {report[0]: place for place, reports in enumerate(kept) for report in reports}
    rows = sorted(voice_of, key=[report[0] for report in line.reports].index)
    claims = {row: read_claims(texts[row], known=names, language=language) for row in rows}
    sayings = compare_claims(claims, voice_of)
    said = [
        frozenset(place for place, one in enumerate(sayings) if not found.isdisjoint(one.rows))
        for found in ({report[0] for report in reports} for reports in kept)
    ]
    start = min((days[row] for row in line.rows if days[row] == days[row]), default=math.nan)
    lines = []
    for reports, says in zip(kept, said, strict=True):
        name = publishers[reports[0][0]]
        own = min((days[report[0]] for report in reports), default=math.nan)
        after = None if math.isnan(own) else float(own - start)
        lines.append(
            OutletLine(
                name or "",
                tuple(report[0] for report in reports),
                tuple(_others(publishers, reports, name)),
                after,
                says,
            )
        )
    day_only = any(bool(flag) for flag in timeline.table["day_only"].iloc[list(line.rows)])
    return OutletGrid(tuple(lines), sayings, len(voices) - len(kept), day_only)


def compare_claims(claims: dict[int, Claims], voice_of: dict[int, int]) -> tuple[Saying, ...]:
    """All that some headlines say, each thing once, what most outlets say first."""
    voices = len({voice_of[row] for row in claims})
    found: list[Saying] = []

    def add(kind: Said, written: Sequence[tuple[int, str]], *, disputed: bool = False) -> None:
        rows = tuple(dict.fromkeys(row for row, _ in written))
        outlets = len({voice_of[row] for row in rows})
        share = Share.ALL if outlets == voices else Share.ONE if outlets == 1 else Share.SOME
        text = Counter(text for _, text in written if text).most_common(1)[0][0]
        found.append(Saying(kind, text, rows, outlets, share, disputed))

    for kind, phrases in _names(claims):
        add(kind, phrases)
    numbers = _numbers(claims)
    counts = [len({voice_of[row] for row, _, _ in cluster}) for cluster in numbers]
    for cluster, count in zip(numbers, counts, strict=True):
        against = any(
            more > count and conflict(cluster[0][2], other[0][2])
            for other, more in zip(numbers, counts, strict=True)
        )
        add(Said.NUMBER, [(row, text) for row, text, _ in cluster], disputed=against)
    hedges: dict[str, list[tuple[int, str]]] = {}
    for row, one in claims.items():
        for hedge in one.hedges[:_MOST_SAID]:
            hedges.setdefault(hedge.form, []).append((row, hedge.text.casefold()))
    for written in hedges.values():
        add(Said.HEDGE, written)
    order = {row: place for place, row in enumerate(claims)}
    # With one outlet nothing is shared and nothing is its alone: the order is that of time.
    return tuple(sorted(found, key=lambda one: (-one.outlets, order[one.rows[0]])))


def grid_csv(grid: OutletGrid, timeline: Timeline) -> str:
    """The grid as CSV: a line an outlet, a column a saying; no spreadsheet runs anything in it."""
    columns = [TableColumn(title) for title in ("outlet", "also in", "days after the first", "headlines")]
    columns += [
        TableColumn(f"{one.kind.value.lower()}: {one.text} ({one.outlets} of {len(grid.lines)})")
        for one in grid.sayings
    ]
    rows: list[tuple[Value, ...]] = []
    for line in grid.lines:
        after = None if line.after is None else round(line.after, 4)
        texts = " | ".join(timeline.texts[row] for row in line.rows)
        said = ["yes" if place in line.says else "" for place in range(len(grid.sayings))]
        rows.append((line.outlet, ", ".join(line.also_in), after, texts, *said))
    return as_csv(Table(columns=tuple(columns), rows=tuple(rows)))


def grid_sentences(grid: OutletGrid) -> tuple[str, ...]:
    """The grid in a few sentences: who was first, what all say, what only one says; () for one outlet."""
    if len(grid.lines) < 2:
        return ()
    said = []
    dated = [line for line in grid.lines if line.after is not None]
    first = [line.outlet for line in dated if grid.when(line) in FIRST and line.outlet]
    if first and grid.when(dated[-1]) not in FIRST:
        others = f" and {len(first) - NAMED} more" if len(first) > NAMED else ""
        day = " on the first day" if grid.day_only else " first"
        undated = f"; {len(grid.lines) - len(dated)} without a date" if len(dated) < len(grid.lines) else ""
        last = f"the last {grid.when(dated[-1])}{undated}"
        said.append(f"Reported{day}: {', '.join(first[:NAMED])}{others}; {last}.")
    common = [one.text for one in grid.sayings if one.share is Share.ALL]
    if common:
        said.append(f"All {len(grid.lines)} outlets say: {', '.join(common)}.")
    own = []
    for line in grid.lines:
        places = [place for place in sorted(line.says) if grid.sayings[place].share is Share.ONE]
        if places and line.outlet:
            own.append(f"{line.outlet}: {', '.join(grid.sayings[place].text for place in places)}")
    if own:
        more = f"; {len(own) - NAMED} more outlets have something of their own" if len(own) > NAMED else ""
        said.append(f"Only one outlet says: {'; '.join(own[:NAMED])}{more}.")
    return tuple(said)


def _others(publishers: Sequence[str | None], reports: Iterable[Sequence[int]], own: str | None) -> list[str]:
    copies = (publishers[row] for report in reports for row in report[1:])
    return list(dict.fromkeys(name for name in copies if name and name != own))


def _names(claims: dict[int, Claims]) -> list[tuple[Said, list[tuple[int, str]]]]:
    """Each name with the rows and spellings that have it; one that acts anywhere in the event is an actor."""
    spelled, found = _spelled_out(claims)
    for row, one in claims.items():
        for phrase in one.phrases[:_MOST_SAID]:
            found.setdefault(spelled.get(phrase.forms, phrase.forms), []).append((row, phrase))
    several = {key for key, phrases in found.items() if len({row for row, _ in phrases}) > 1}
    for key, phrases in list(found.items()):
        inside = [part for part in _parts(key) if part in several]
        for part in inside:
            found[part] += [(row, replace(phrase, text="")) for row, phrase in phrases]
        if inside and key not in several:
            del found[key]
    key_of = _joined(found)
    joined: dict[_Forms, list[tuple[int, Phrase]]] = {}
    for key, phrases in found.items():
        joined.setdefault(key_of[key], []).extend(phrases)
    return [
        (
            Said.ACTOR if any(phrase.actor for _, phrase in phrases) else Said.NAME,
            [(row, phrase.text.casefold() if phrase.role else phrase.text) for row, phrase in phrases],
        )
        for phrases in joined.values()
        if any(phrase.actor or not phrase.role for _, phrase in phrases)
    ]


def _parts(key: _Forms) -> list[_Forms]:
    count = len(key)
    lengths = range(1, count) if count <= _MOST_SAID else (1,)
    return [key[at : at + length] for length in lengths for at in range(count - length + 1)]


def _spelled_out(
    claims: dict[int, Claims],
) -> tuple[dict[_Forms, _Forms], dict[_Forms, list[tuple[int, Phrase]]]]:
    acronyms = {
        token.form: token
        for one in claims.values()
        for token in one.reading.names[:_MOST_SAID]
        if token.acronym
    }
    spelled: dict[_Forms, _Forms] = {}
    found: dict[_Forms, list[tuple[int, Phrase]]] = {}
    for row, one in claims.items():
        initials = Initials(one.reading.tokens)
        for form, acronym in acronyms.items():
            words = initials.spelling(acronym)
            if not words:
                continue
            forms = tuple(word.form for word in words)
            spelled[forms] = (form,)
            text = one.reading.text[words[0].start : words[-1].end]
            found.setdefault((form,), []).append((row, Phrase(text, forms, words[0].start, actor=False)))
    return spelled, found


def _joined(found: dict[_Forms, list[tuple[int, Phrase]]]) -> dict[_Forms, _Forms]:
    endings: dict[_Forms, list[_Forms]] = {}
    for key in found:
        if len(key) > 1:
            endings.setdefault(key[-1:], []).append(key)
    people = {
        key[0][: -len(ending)]: key
        for key in sorted(found)
        for ending in _PEOPLE_OF
        if len(key) == 1 and key[0].endswith(ending) and len(key[0]) - len(ending) >= 4
    }
    key_of = {}
    for key in found:
        longer = sorted(endings.get(key, []), key=lambda one: -len(found[one])) if len(key) == 1 else []
        clear = len(longer) == 1 or (len(longer) > 1 and len(found[longer[0]]) >= 2 * len(found[longer[1]]))
        key_of[key] = longer[0] if clear else key
    for stem, people_key in people.items():
        if (stem,) in found and people_key == key_of[people_key]:
            key_of[people_key] = key_of[(stem,)]
    return key_of


_Number = tuple[int, str, Quantity]


def _numbers(claims: dict[int, Claims]) -> list[list[_Number]]:
    clusters: dict[NumeralKind, list[list[_Number]]] = {}
    for row, one in claims.items():
        for number in one.reading.numbers[:_MOST_SAID]:
            of_kind = clusters.setdefault(number.kind, [])
            fitting = next((cluster for cluster in of_kind if same(cluster[0][2], number)), None)
            if fitting is None:
                of_kind.append(fitting := [])
            fitting.append((row, _written(number, one.reading), number))
    return [cluster for of_kind in clusters.values() for cluster in of_kind]


def _written(number: Quantity, reading: ParsedHeadline) -> str:
    if number.unit not in _COUNTED:
        return number.text
    if language_of(reading.text) == "en":
        return f"{number.text} {number.unit}"
    behind = next((token for token in reading.tokens if token.start >= number.end), None)
    return reading.text[number.start : behind.end] if behind else number.text
