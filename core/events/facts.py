"""The facts grid of an event: a row an outlet by time, a column a thing that is stated, in its own words."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, tzinfo
from itertools import chain, pairwise, product
from typing import Final

from core import limits
from core.data.timelines.timeline import Field, Timeline
from core.errors import ModelUnavailableError
from core.events.agencies import without_credit
from core.events.event_names import names_of
from core.events.figures import FEWEST, StatedValue, figures_of, last_of_each, newest_value
from core.events.mentions import HAPPENED, LEAST_OUTCOME, NAME, PLACES, HeadlineMention, mentions_of
from core.events.number_lines import taken_back, value_point
from core.events.origins import Copy, origins
from core.events.outlets import Said, by_outlet, compare_claims
from core.events.places import PlaceReading, nested, stands_as_place
from core.events.report_times import Clock, edit_times
from core.events.stated_days import read_days, stated_days
from core.groups.summary import GroupSummary
from core.palette import LIGHT
from core.results.render import count_words
from core.text.claims import Claims, read_claims
from core.text.differences import TOLLS
from core.text.facts import (
    HALF_TIME,
    MONEY,
    OUTCOMES,
    PERCENT,
    SCORE,
    SPAN,
    VERB,
    Fact,
    counted_kind,
    counted_kinds,
    country_of,
    is_passed,
    read_facts,
    same_name,
)
from core.text.numerals.languages import language_of, unread_headlines
from core.text.numerals.numeral import NumeralKind
from core.text.numerals.quantities import read_quantities
from core.text.reading import reads
from core.text.tokens import fold, tokenize

MOST_COLUMNS: Final = 8
MOST_NAMES: Final = 3  # values that a reader sees in one cell, unless they changed; more are counted
_NAMED: Final = 8  # outlets that a sentence names; more are counted
PERSONS, NAMES, WHERE, WHEN, SURE = "persons", "names", "where", "when", "how sure"
NOT_READ: Final = "not read"  # in an empty cell, which claims nothing then
_ABOARD: Final = "aboard"  # also of passengers of no vehicle, where one outlet has it
_FIGURES: Final = (*counted_kinds(), SCORE, HALF_TIME, MONEY, PERCENT, SPAN)
_OF_PEOPLE: Final = frozenset({*TOLLS, "affected", "aboard", "escaped"})
_LAST: Final = (PERSONS, NAMES, WHERE, VERB, SURE)
_NO_DOUBT: Final = frozenset({"accused", "appears", "appear", "feared"})  # of a trial, at one, of what may be
_COUNTED: Final = {"dead": {"die", "kill"}, "arrested": {"arrest"}, "evacuated": {"evacuate"}}  # by its verbs
_NAMING: Final = {PERSONS: {NAME}, NAMES: {NAME}}
_SEEN: Final = {**_COUNTED, **_NAMING, WHERE: {*PLACES}, VERB: {*HAPPENED}}  # what may fill a cell
_DENIED: Final = re.compile(r"(?: \w+)? nicht(?!\w)")  # behind a German verb: "tritt nicht zurück"
_SPELLED: Final = re.compile(r"[^\W\d_]{3}")  # no "it", no "1:1"
# Before no death of now: "sentenced for 2003 killing", "entre la vie et la mort".
_PAST: Final = re.compile(r"\b((for|over|wegen|pour|per|por|за) (\w+ )?|(between|entre|tra) (\w+ ){2,4})$")
_QUOTED: Final = re.compile(r"(?:^|\s)['‘\"“„«»]\S.*?\S['’\"”“»«](?=\W|$)")
_RULED: Final = frozenset({"arrest", "sentence", "reject", "strike"})  # verbs with a time of their own
_BESIDE: Final = re.compile(r"\b(\w+)(?=(?: (\w+))?)")  # a word, and the next
_OF_TOWN: Final = re.compile(r"(\w{4,})(?:ск(?:ий|ая|ое|ой|ого|ом|ому|ую|ие|их|им)|(?<=[a-zß])(er))")
_SHARE: Final = 0.05  # of the outlets that state something, at least, for a column
_SEVERAL: Final = 2  # names that a headline lacks, to say nothing of its names
_FIRM: Final = 0.9  # share of such a name
_HALF: Final = 0.5  # the same for what happened, which all that are silent say in words that are not read
# Values not of one thing: no colour for one outlet\'s, no change.
_APART: Final = (MONEY, PERCENT, SPAN, "age", WHEN)


@dataclass(frozen=True, slots=True)
class Stated:
    text: str  # in the outlet's words
    colour: int  # of one value in the whole grid, from 0; -1 where no other outlet has it
    when: str = ""  # when the outlet gave it instead of the value before it: "14:20"; "" for the first
    withdrawn: bool = False  # its outlet's article has a headline without it since
    earlier: bool = False  # others have a newer value of what rises; this outlet reported no more since

    @property
    def note(self) -> str:
        return "withdrawn" if self.withdrawn else self.when or "earlier" * self.earlier


Cell = tuple[Stated, ...]


@dataclass(frozen=True, slots=True)
class FactColumn:
    head: str  # "dead", "money", "who"
    most: str  # the value of most origins, or the newest of what rises, as most headlines write it
    outlets: int  # how many outlets have that value, those of one origin counted once
    of: int  # of how many: outlets in a language that is not read count where they state something
    colour: int  # of that value, as of `Stated`
    values: int  # how many values outlets said last; not what all have corrected since
    tied: bool  # as many origins have another value
    newest: bool = False  # the value is the newest of what rises, and not that of most
    folded: bool = False  # some outlets are of one origin
    also: tuple[Stated, ...] = ()  # names, places and the like that as many origins have

    @property
    def counted(self) -> str:
        return "origins" if self.folded else "outlets"

    @property
    def differs(self) -> bool:
        return self.outlets == 1 and self.values > 1 and not self.newest

    @property
    def leading(self) -> tuple[Stated, ...]:
        return () if self.differs else (Stated(self.most, self.colour), *self.also)


@dataclass(frozen=True, slots=True)
class FactRow:
    outlet: str  # its name; "" where it is not known
    rows: tuple[int, ...]  # its headlines, in the order of time; never empty
    when: str  # "first", "2 h 10 min later"; "" without a date
    origin: int  # the origin of its first report, from 1 in the order of time
    cells: tuple[Cell, ...]  # one for each column; () where it is silent
    unread: tuple[str, ...] = ()  # for each cell `NOT_READ` where it is empty and its headlines may state it
    read: bool = True  # whether its headlines are in a language that is read
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
    origins: int  # agencies, texts and outlets that they come from, an outlet once; see `origins`
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
        last = "" if dated[-1].when == dated[0].when else f"; the last outlet followed {dated[-1].when}"
        return (
            f"{counted}. {who} reported {dated[0].when.replace('first day', 'on the first day')}{last}.{more}"
        )


def with_columns(grid: FactsGrid, columns: Iterable[tuple[FactColumn, Sequence[Cell]]]) -> FactsGrid:
    """The grid of these columns, each with a cell a row; their colours run on from column to column."""
    numbered: list[FactColumn] = []
    lines: list[tuple[Cell, ...]] = [()] * len(grid.rows)
    first = 0
    for column, cells in columns:
        known = sorted({column.colour, *(each.colour for each in chain(column.also, *cells))} - {-1})
        colours = {-1: -1} | {colour: place for place, colour in enumerate(known, first)}
        first += len(known)
        shown = (column.also, *cells)
        also, *own = (tuple(replace(each, colour=colours[each.colour]) for each in cell) for cell in shown)
        numbered.append(replace(column, colour=colours[column.colour], also=also))
        lines = [(*line, cell) for line, cell in zip(lines, own, strict=True)]
    rows = tuple(replace(row, cells=line) for row, line in zip(grid.rows, lines, strict=True))
    return replace(grid, rows=rows, columns=tuple(numbered))


class _Compared:
    def __init__(
        self, timeline: Timeline, rows: Sequence[int], reports: Sequence[Sequence[int]], zone: tzinfo = UTC
    ) -> None:
        outlets, self.texts = by_outlet(timeline, rows), timeline.texts
        self.timeline = timeline
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
        self.clock, self.days = Clock(timeline, self.rows, zone), timeline.days
        self.order = {row: (not math.isnan(self.days[row]), at) for row, at in self.clock.order.items()}
        self.article, self.outdated = timeline.editions.article, timeline.editions.outdated
        edits = edit_times(timeline, self.rows, zone)
        self.edits = {row: "" for _, row in edits.unordered} | edits.edited
        self.foreign = unread_headlines(self.texts, timeline.reading.languages, self.rows)
        self.unread = [self.foreign.keys() >= set(own) for own in self.outlets]

    def voices(self, entries: Sequence[StatedValue]) -> set[int]:
        return {self.voice_of[each.row] for each in entries}

    def sources(self, rows: Iterable[int]) -> dict[int, int]:
        """The origin of each outlet's first report among these; an outlet is never two origins."""
        first: dict[int, int] = {}
        for row in rows:
            first.setdefault(self.voice_of[row], self.origin_of[row])
        return first


@dataclass(slots=True)
class _Ranked:
    column: FactColumn
    values: list[list[StatedValue]]
    colours: list[int]
    newest: int  # the report since which the leading value is the newest of what rises; -1 where it is not
    withdrawn: frozenset[int]  # headlines whose article took the value back since


def _ranked(compared: _Compared, head: str, values: list[list[StatedValue]]) -> _Ranked:
    lasting = head not in (*_LAST, *_APART)
    articles, order = compared.article, compared.order
    said_last = last_of_each(values, articles, order) if head not in _LAST else values
    newest = -1
    if lasting:
        said_last = last_of_each(said_last, compared.voice_of, order, firm=True)
    sources = [compared.sources(each.row for each in own) for own in said_last]
    weights = [len(set(own.values())) for own in sources]
    if head in TOLLS:
        dated = {row: at for row, at in compared.clock.order.items() if not math.isnan(compared.days[row])}
        newest = newest_value(
            head, values, said_last, order=dated, voice_of=compared.voice_of, days=compared.days, agreed=True
        )
        most = max(weights)
        newest = -1 if newest >= 0 and weights[newest] == most and weights.count(most) == 1 else newest
    # Of equal values one that an outlet changed to.
    several = Counter(chain.from_iterable(map(compared.voices, values))) if lasting else {}
    unchanged = [all(several.get(voice, 1) < FEWEST for voice in compared.voices(own)) for own in said_last]

    # Of equal tolls the newest, where no outlet has the one before any more.
    moments = [[compared.clock.order[each.row] for each in own] for own in values]
    apart = head in TOLLS and all(max(before) < min(after) for before, after in pairwise(moments))

    def rank(at: int) -> tuple[bool, int, bool, int]:
        return at != newest, -weights[at], unchanged[at], moments[at][0] * (-1 if apart else 1)

    ranks = sorted(range(len(values)), key=rank)
    clusters, stated = [values[at] for at in ranks], [said_last[at] for at in ranks]
    outlets = [len(sources[at]) for at in ranks]
    fewest = 0 if lasting else FEWEST  # a value that every outlet has changed has its colour still
    # A colour comes once in a column: values past the palette have none.
    colours = [place if many >= fewest and place < len(LIGHT) else -1 for place, many in enumerate(outlets)]
    backed = [weights[at] for at in ranks]
    tied = head not in _LAST and newest < 0 and backed.count(backed[0]) > 1
    many = backed.count(backed[0]) if head in _LAST and backed[0] > 1 else 1
    said, *others = map(_most_common, stated[:many])
    also = [*map(Stated, others, colours[1:])][: MOST_NAMES - 1]
    also += [Stated(f"+{many - MOST_NAMES}", -1)] if many > MOST_NAMES else []
    read = (own[0] for own, skipped in zip(compared.outlets, compared.unread, strict=True) if not skipped)
    stating = (each.row for each in chain(*stated, *clusters))
    of = compared.sources(read) | compared.sources(stating)
    distinct = len(set(of.values()))
    held = sum(map(bool, stated))
    column = FactColumn(
        head, said, backed[0], distinct, colours[0], held, tied, newest >= 0, distinct < len(of), tuple(also)
    )
    since = clusters[0][0].row if newest >= 0 else -1
    return _Ranked(column, clusters, colours, since, _withdrawn(compared, head, values))


def _most_common(stated: Sequence[StatedValue]) -> str:
    """Of texts that are as common, one that a reader of the app's language knows, and a short one."""
    counts = Counter(each.text for each in stated)
    return min(stated, key=lambda each: (-counts[each.text], *each.rank)).text


def _withdrawn(compared: _Compared, head: str, values: list[list[StatedValue]]) -> frozenset[int]:
    if head in (*_LAST, WHEN) or compared.outdated.isdisjoint(each.row for each in chain(*values)):
        return frozenset()
    points = {each.row: value_point(compared.timeline, each) for each in chain(*values)}
    gone = taken_back(compared.timeline, compared.rows, head, points)
    return frozenset(row for row, (status, _) in gone.items() if status == "withdrawn")


def facts_grid(
    timeline: Timeline, line: GroupSummary, *, network: bool = True, zone: tzinfo = UTC
) -> FactsGrid:
    """Which outlet of an event states what, and when; those past the limit `compared_outlets` are counted.

    A small network reads names, places and what happened beside the tables of words, where it is installed
    and not left out.
    """
    compared = _Compared(timeline, line.rows, line.reports, zone)
    sources = compared.sources(compared.rows)
    number = {origin: at for at, origin in enumerate(dict.fromkeys(sources.values()), 1)}
    tagged = _tagged(compared) if network else {}
    stated = _stated(timeline, compared, tagged)
    ranked = [_ranked(compared, head, values) for head, values in _chosen(stated, compared.voice_of)]
    rows = []
    for place, own in enumerate(compared.outlets):
        outlet = next(filter(None, (timeline.publishers[row] for row in own)), "")
        cells = tuple(_cell(each, set(own), compared) for each in ranked)
        unread = (
            not cell and (compared.unread[place] or any(_may_say(timeline, row, each, tagged) for row in own))
            for each, cell in zip(ranked, cells, strict=True)
        )
        rows.append(
            FactRow(
                outlet, tuple(own), compared.clock.after(own), number[sources[place]],
                cells, tuple(NOT_READ * each for each in unread), not compared.unread[place],
                tuple(time for row, time in compared.edits.items() if row in own),
            )
        )  # fmt: skip
    silent = {compared.foreign[row.rows[0]] for row in rows if not row.read and not any(row.cells)}
    columns = tuple(each.column for each in ranked)
    grid = FactsGrid(
        tuple(rows), columns, len(compared.rows), len(number), compared.copies, compared.more,
        tuple(sorted(silent)),
    )  # fmt: skip
    return with_columns(grid, [(each, [row.cells[at] for row in rows]) for at, each in enumerate(columns)])


def _may_say(
    timeline: Timeline, row: int, ranked: _Ranked, tagged: Mapping[int, Sequence[HeadlineMention]]
) -> bool:
    """Whether a headline without a value of a column may have one, in words that are not surely read."""
    head, text = ranked.column.head, timeline.texts[row]
    if any(each.tag in _SEEN.get(head, ()) for each in tagged.get(row, ())):
        return True
    if head in (*_NAMING, WHERE):
        return any(each.text in text for each in chain(*ranked.values))
    language = timeline.reading.language
    if head == WHEN:
        return bool(read_days(text, language))
    facts = read_facts(text, language=language)
    if head in _LAST:
        return head == VERB and any(fact.column == VERB and fact.value in OUTCOMES for fact in facts)
    code = language_of(text, doubtful=language)
    if any(counted_kind(token.text, code) == head for token in tokenize(text)):
        return True  # "mehrere Verletzte"
    left_out = (VERB, "people") if head in _OF_PEOPLE else (VERB,)  # "14 personas" may be the missing
    counted = [
        range(each.start, each.start + len(each.said)) for each in facts if each.column not in left_out
    ]
    numbers = read_quantities(text, language=code)
    starts = (each.start for each in numbers if each.kind is NumeralKind.COUNT)
    return not all(any(start in words for words in counted) for start in starts)


def facts_grids(timeline: Timeline, lines: Sequence[GroupSummary]) -> list[FactsGrid]:
    """The grid of each event; the network reads all their headlines at once."""
    with suppress(ModelUnavailableError):
        mentions_of([without_credit(timeline.texts[row]) for line in lines for row in line.rows])
    return [facts_grid(timeline, line) for line in lines]


@dataclass(frozen=True, slots=True)
class AgreedNumber:
    column: FactColumn  # as the facts grid has it
    rows: frozenset[int]  # headlines that state it


def agreed_number(
    timeline: Timeline, rows: Sequence[int], reports: Sequence[Sequence[int]]
) -> AgreedNumber | None:
    """The number of an event that most outlets give, more than give another; None where there is none."""
    compared = _Compared(timeline, rows, reports)
    figures = figures_of(timeline, compared.rows)
    figures[SPAN] = _lasting(figures, compared)
    ranked = [_ranked(compared, head, own) for head, own in figures.items() if own and head != VERB]
    known = (each for each in ranked if each.column.outlets >= FEWEST)
    clear = [each for each in known if not (each.column.tied or each.column.newest)]
    best = max(clear, key=lambda each: each.column.outlets, default=None)
    stating = best.values[0] if best is not None else []
    return AgreedNumber(best.column, frozenset(each.row for each in stating)) if best is not None else None


def _stated(
    timeline: Timeline, compared: _Compared, tagged: Mapping[int, Sequence[HeadlineMention]]
) -> dict[str, list[list[StatedValue]]]:
    texts, rows, reading = compared.texts, compared.rows, timeline.reading
    columns = figures_of(timeline, rows)
    columns[SPAN] = _lasting(columns, compared)
    for head in _NAMING:
        columns.pop(head, None)  # "six names"
    columns[WHEN] = [
        [
            StatedValue(row, said, place, (language_of(texts[row]) != "en", len(said)))
            for row, said in own.items()
        ]
        for place, own in enumerate(stated_days(timeline, rows))
    ]
    columns[VERB] = _outcomes(_with_tagged(columns, texts, tagged), texts, compared)
    won = (own[0].value for own in columns[VERB])
    of_teams = SCORE in columns or any(isinstance(fact, Fact) and fact.value == "win" for fact in won)
    abroad = {
        fold(word) for row in rows for word in texts[row].split() if same_name(word) and word[0].isupper()
    }
    known = reading.names | abroad
    claims = {row: _claims_of(texts[row], known, reading.language) for row in rows}
    sayings = compare_claims(claims, compared.voice_of)
    for place, saying in enumerate(sayings):
        # What a headline does not say any more is no doubt of its outlet.
        hedges = [StatedValue(row, saying.text, place) for row in saying.rows if row not in compared.outdated]
        if saying.kind is Said.HEDGE and hedges and saying.text not in _NO_DOUBT:
            columns.setdefault(SURE, []).append(hedges)
    names = names_of(texts, claims, compared.voice_of, reading, of_teams=of_teams, tagged=tagged)
    lacking = _lacking(texts, tagged, [name.words for name in names if not name.is_place])
    for place, name in enumerate(names):
        entries = [
            StatedValue(row, words, place, (not name.sure,))
            for row, words in name.words
            if name.is_place or row not in lacking
        ]
        if name.is_place:
            _add_place(columns.setdefault(WHERE, []), entries)
        elif entries:
            columns.setdefault(PERSONS if name.is_person else NAMES, []).append(entries)
    # A place stands by itself where a word of place says so, or two outlets have it.
    columns[WHERE] = [
        own
        for own in columns.get(WHERE, [])
        if len(compared.voices(own)) >= FEWEST or not all(each.rank[0] for each in own)
    ]
    _add_adjectives(columns[WHERE], texts, rows, reading.language)
    # "2 Broke Girls" are no girls.
    named = chain(*(chain(*columns.get(head, [])) for head in _NAMING))
    named_words = {word for each in named for word in fold(each.text).split()}
    heads = {*_FIGURES, *_LAST, *(columns.keys() - named_words)}
    return {head: own for head, own in columns.items() if own and head in heads}


def _lacking(
    texts: Sequence[str],
    tagged: Mapping[int, Sequence[HeadlineMention]],
    names: Sequence[Sequence[tuple[int, str]]],
) -> set[int]:
    """Headlines in which the network surely reads several names that are none of those of the event."""
    lacking = Counter[int]()
    for row, mentions in tagged.items():
        known = [words for name in names for at, words in name if at == row]
        sure = (
            texts[row][each.start : each.end] for each in mentions if each.tag == NAME and each.share >= _FIRM
        )
        lacking[row] = sum(all(words not in name and name not in words for words in known) for name in sure)
    return {row for row, many in lacking.items() if many >= _SEVERAL}


def _tagged(compared: _Compared) -> dict[int, tuple[HeadlineMention, ...]]:
    """What the network reads in each headline; {} where it is not installed."""
    texts = [without_credit(compared.texts[row]) for row in compared.rows]
    with suppress(ModelUnavailableError):
        return dict(zip(compared.rows, mentions_of(texts), strict=True))
    return {}


def _with_tagged(
    columns: dict[str, list[list[StatedValue]]],
    texts: Sequence[str],
    tagged: Mapping[int, Sequence[HeadlineMention]],
) -> dict[str, list[list[StatedValue]]]:
    """The columns with what the network reads of what happened, where no word of the tables says it."""
    said = {
        own[0].value.value: [
            each for each in own if isinstance(each.value, Fact) and (not tagged or any(
                seen.tag in HAPPENED and seen.end > each.value.start > seen.start - len(each.value.said)
                for seen in tagged[each.row]
            ))
        ]
        for own in columns.get(VERB, []) if isinstance(own[0].value, Fact)
    }  # fmt: skip
    for row, mentions in tagged.items():
        happened = (each for each in mentions if each.tag in HAPPENED and not each.doubted)
        spelled = [each for each in happened if _SPELLED.search(texts[row], each.start, each.end)]
        for tag in dict.fromkeys(each.tag for each in spelled):
            parts = [each for each in spelled if each.tag == tag]
            stated = said.setdefault(tag, [])
            denied = any(_DENIED.match(texts[row], each.end) for each in parts)
            unsure = max(each.share for each in parts) < LEAST_OUTCOME
            if denied or unsure or any(each.row == row for each in stated):
                continue
            german = language_of(texts[row]) == "de"  # "tritt … zurück"
            parts = parts if german else [max(parts, key=lambda each: each.share)]
            words = " … ".join(texts[row][each.start : each.end] for each in parts)
            fact = Fact(VERB, words, tag, parts[0].start)
            stated.append(StatedValue(row, words, fact, (True, True, len(words))))
    return {**columns, VERB: [own for own in said.values() if own]}


def _outcomes(
    columns: dict[str, list[list[StatedValue]]], texts: Sequence[str], compared: _Compared
) -> list[list[StatedValue]]:
    """What happened, by the few verbs that say so and outlets share; no "killed" beside a number of dead."""
    counted = {
        head for head, values in columns.items() for each in chain(*values)
        if isinstance(each.value, Fact) and not each.value.of_somebody
    }  # fmt: skip
    known = OUTCOMES.difference(*(said for head, said in _COUNTED.items() if head in counted))
    counting = {each.row for toll in TOLLS for each in chain(*columns.get(toll, []))}
    meant = (
        [each for each in own if not (
            (each.row in counting and is_passed(each.text))  # "toll passes 690"
            or _is_intended(texts[each.row], each.value)
        )]
        for own in columns.get(VERB, [])
        if isinstance(own[0].value, Fact) and own[0].value.value in known
    )  # fmt: skip
    return [own for own in meant if len(compared.voices(own)) >= FEWEST]


def _lasting(columns: dict[str, list[list[StatedValue]]], compared: _Compared) -> list[list[StatedValue]]:
    """Times that outlets share, or that a headline with a verdict or a ban has."""
    verbs = chain(*columns.get(VERB, []))
    ruled = {each.row for each in verbs if isinstance(each.value, Fact) and each.value.value in _RULED}
    spans = columns.get(SPAN, [])
    return [own for own in spans if len(compared.voices(own)) >= FEWEST or ruled & {each.row for each in own}]


def _is_intended(text: str, fact: Fact | int) -> bool:
    """Whether nothing happened: a verb of a wish ("to win"), of somebody's words, or "accused"."""
    if not isinstance(fact, Fact):
        return False
    # "beats forecasts"
    more = fact.said in ("beat", "beats") and text[fact.start + len(fact.said) :].lstrip()[:1].islower()
    quoted = any(match.start() < fact.start < match.end() for match in _QUOTED.finditer(text))
    before = text[: fact.start].casefold()
    past = fact.value in _COUNTED["dead"] and _PAST.search(before) is not None
    return more or quoted or past or before.endswith(" to ") or fact.said.startswith("accus")


def _add_adjectives(
    places: list[list[StatedValue]], texts: Sequence[str], rows: Sequence[int], language: str
) -> None:
    """Adds headlines that have a place as an adjective alone: "Spanish chemical plant", "пермская школа"."""
    texts_of = [[each.text for each in value] for value in places]
    for row in sorted(set(rows).difference(each.row for each in chain(*places))):
        german = language_of(texts[row], doubtful=language) == "de"
        words = _BESIDE.finditer(texts[row])
        for match, (value, known) in product(words, zip(places, texts_of, strict=True)):
            word, start, ends_at = match[1], match.start(), {match.end(1), max(match.end(1), match.end(2))}
            votes = (stands_as_place(texts[row], start, end, language) for end in ends_at)
            land, town = country_of(word), _OF_TOWN.fullmatch(word)
            ends = ".*" if town and not town[2] else "(en?)?" if german else "(?!)"  # of "Göttinger"
            of = town and any(re.fullmatch(town[1] + ends, each, re.IGNORECASE) for each in known)
            if of or (land and PlaceReading.PLACE in votes and nested(land, known)):
                value.append(StatedValue(row, word, value[0].value))


def _add_place(places: list[list[StatedValue]], entries: list[StatedValue]) -> None:
    """Adds a place, to a value whose places it is in, or that are in it."""
    for value in places:
        if nested(entries[0].text, dict.fromkeys(each.text for each in value)):
            value.extend(entries)
            return
    places.append(entries)


@reads("facts", read_claims)
def _claims_of(text: str, known: frozenset[str], language: str) -> Claims:
    return read_claims(without_credit(text), known=known, language=language)


def _chosen(
    stated: dict[str, list[list[StatedValue]]], voice_of: dict[int, int]
) -> Iterator[tuple[str, list[list[StatedValue]]]]:
    read = len(set(voice_of.values()))
    voices = ((head, {voice_of[each.row] for each in chain(*values)}) for head, values in stated.items())
    outlets = {head: len(distinct) for head, distinct in voices}

    def weight(head: str) -> float:
        alone = head in _FIGURES and head != _ABOARD
        fewest = max(1 if alone else FEWEST, (_HALF if head == VERB else _SHARE) * read)
        return (outlets[head] if outlets[head] >= fewest else 0) * (1.5 if len(stated[head]) > 1 else 1)

    chosen = sorted(filter(weight, stated), key=weight, reverse=True)[:MOST_COLUMNS]
    places = {head: place for place, head in enumerate((*_FIGURES, *_LAST))}
    for head in sorted(chosen, key=lambda head: (-outlets[head], places.get(head, len(_FIGURES)))):
        yield head, stated[head]


def _cell(ranked: _Ranked, own: set[int], compared: _Compared) -> tuple[Stated, ...]:
    clock, colours, head = compared.clock, ranked.colours, ranked.column.head
    every = ((place, each) for place, cluster in enumerate(ranked.values) for each in cluster)
    placed = [(compared.order[each.row], place, each) for place, each in every if each.row in own]
    articles = {compared.article[each.row] for *_, each in placed}
    edited = len(articles) == 1 and len({each.row for *_, each in placed}) > 1
    if head in _LAST or (head in _APART and not edited):
        placed.sort(key=lambda each: (each[1], each[0]))
        # A town and the country that it is in are one value, and both are shown.
        said = ((at, each.value if head == WHERE else 0, each.text) for _, at, each in placed[::-1])
        last_first = {(at, name): Stated(text, colours[at]) for at, name, text in said}
        return tuple(last_first.values())[::-1]
    cell: list[Stated] = []
    last = (-1, -1)
    for _, place, each in sorted(placed, key=lambda each: each[:2]):
        if place == last[1]:
            continue
        changed = bool(cell) and each.firm and compared.days[each.row] > compared.days[last[0]]
        cell.append(Stated(each.text, colours[place], clock.at(each.row) if changed else ""))
        last = (each.row, place)
    if cell and ranked.withdrawn.issuperset(each.row for _, place, each in placed if place == last[1]):
        cell[-1] = replace(cell[-1], withdrawn=True)
    overtaken = ranked.newest >= 0 and last[1] > 0
    if overtaken and (True, -1) < compared.order[last[0]] < compared.order[ranked.newest]:
        cell[-1] = replace(cell[-1], earlier=True)
    return tuple(cell)
