"""Whether a timeline was read as it was meant: questions to a person, each with what would settle it."""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from typing import Any, Final

import numpy as np

from core.data.timelines import moments
from core.data.timelines.addresses import WEB_ADDRESS, read_address
from core.data.timelines.raw import RawTable
from core.data.timelines.timeline import Field, FieldColumns, RejectedRow, Timeline
from core.data.timelines.title_endings import ending_of, is_proper
from core.data.timelines.validate import validate
from core.text.normalise import comparison_key
from core.text.stems import is_unspaced

_NUMBER: Final = re.compile(r"\d{1,5}[.):]\s+(?=[^\W\d_])")
_MARKUP: Final = re.compile(r"[\[{<](?!\w{1,20}\])")  # but not "[Video] …"
_SPOKEN: Final = re.compile(r"\S+\s+\S+\s+(?=\S*[^\W\d_])\S+(?!:$)")  # three words
_BEFORE_COLON: Final = re.compile(r"(?P<outlet>[^:\s]\S*(?:\s[^:\s]+){0,4}):\s+(?P<title>\S+\s+\S.*)")
_SOME: Final = 0.15  # of the lines of a text
_SAMPLE: Final = 200  # values of a column that are looked at
_FEWEST: Final = 3
_ONE_DAY: Final = 10  # headlines from which on one day, or one outlet, for all is asked about


@dataclass(frozen=True, slots=True)
class ReadingQuestion:
    """What may have been read wrongly, and the timeline as it would be otherwise."""

    name: str  # as "endings", "markup" or "days"
    asks: str  # "Take the outlet out of the titles?"
    because: str  # "41 of 46 end in “ - name”."
    act: str  # what a button says: "Take it out"
    settled: Callable[[], Timeline] = field(repr=False, compare=False)


def check_reading(timeline: Timeline) -> list[ReadingQuestion]:
    """What to ask before headlines are grouped; [] where all looks well."""
    checks: tuple[Callable[[Timeline], ReadingQuestion | None], ...]
    checks = (_markup, _lines, _addresses, _days, _outlets, _endings, _beginnings, _numbers)
    mapped = {name for names in timeline.report.columns.values() for name in names}
    if not mapped <= set(timeline.original.columns):  # a layout made its columns, and knows what they are
        checks = (_endings, _numbers)
    return [question for check in checks if (question := check(timeline)) is not None]


def settle(timeline: Timeline) -> Timeline:
    """The timeline with every question settled."""
    for _ in Field:
        if not (questions := check_reading(timeline)):
            break
        timeline = questions[0].settled()
    return timeline


def _share(count: int, total: int) -> str:
    return f"All {total:,}" if count == total else f"{count:,} of {total:,}"


def _endings(timeline: Timeline) -> ReadingQuestion | None:
    texts, outlets = timeline.texts, timeline.publishers
    ends = {row: end for row, text in enumerate(texts) if (end := ending_of(text)) and is_proper(end[2])}
    names = Counter(comparison_key(name) for _, _, name in ends.values())
    known = {comparison_key(outlet) for outlet in outlets if outlet}
    sure = sum(count for name, count in names.items() if count > 1 or name in known)
    if len(ends) < max(_FEWEST, len(texts) / 2) or (2 * sure < len(ends) < 0.8 * len(texts)):
        return None
    sign = Counter(sign for _, sign, _ in ends.values()).most_common(1)[0][0]
    name = next(iter(ends.values()))[2] if len(names) == 1 else "name"
    taken = len(known) < 2

    def settled() -> Timeline:
        titles = {row: title for row, (title, _, _) in ends.items()}
        own = {row: name for row, (_, _, name) in ends.items() if taken or not outlets[row]}
        return _edited(timeline, "The outlet was taken out of the titles", titles, own)

    because = f"{_share(len(ends), len(texts))} end in “ {sign} {name}”."
    return ReadingQuestion("endings", "Take the outlet out of the titles?", because, "Take it out", settled)


def _beginnings(timeline: Timeline) -> ReadingQuestion | None:
    """Names before a colon: outlets in a review of the press, else those who speak."""
    texts = timeline.texts
    found = {row: match for row, text in enumerate(texts) if (match := _BEFORE_COLON.fullmatch(text))}
    if any(timeline.publishers) or len(found) < max(_ONE_DAY / 2, 0.7 * len(texts)):
        return None

    def settled() -> Timeline:
        titles = {row: match["title"] for row, match in found.items()}
        own = {row: match["outlet"] for row, match in found.items()}
        return _edited(timeline, "The outlet was taken out of the titles", titles, own)

    because = f"{_share(len(found), len(texts))} begin with “name: ”."
    asks = "Are these names outlets, to be taken out of the titles?"
    return ReadingQuestion("beginnings", asks, because, "Take them out", settled)


def _numbers(timeline: Timeline) -> ReadingQuestion | None:
    texts = timeline.texts
    found = {row: text[mark.end() :] for row, text in enumerate(texts) if (mark := _NUMBER.match(text))}
    if len(found) < max(_FEWEST, 0.6 * len(texts)):
        return None
    begun = texts[next(iter(found))].split()[0]
    because = f"{_share(len(found), len(texts))} begin with one, as “{begun}”."
    settled = partial(_edited, timeline, "Numbers were taken off the titles", found)
    return ReadingQuestion("numbers", "Take the numbers off the titles?", because, "Take them off", settled)


def _edited(
    timeline: Timeline, note: str, titles: Mapping[int, str], outlets: Mapping[int, str] | None = None
) -> Timeline:
    table = timeline.table.copy()
    for name, texts in ((Field.HEADLINE, titles), (Field.PUBLISHER, outlets or {})):
        table[name.value] = [texts.get(row, value) for row, value in enumerate(table[name.value])]
    report = replace(timeline.report, notes=(*timeline.report.notes, f"{note} ({len(titles):,})."))
    return replace(timeline, table=table, report=report)


def _markup(timeline: Timeline) -> ReadingQuestion | None:
    texts = timeline.texts
    rows = [row for row, text in enumerate(texts) if _MARKUP.match(text)]
    if not rows or (len(rows) < len(texts) and len(rows) < max(2, 0.02 * len(texts))):
        return None
    because = f"{_share(len(rows), len(texts))} headlines begin with “{texts[rows[0]][0]}”: code or markup."
    column = _other_column(timeline, lambda text: len(text.split()) > _FEWEST and not _MARKUP.match(text))
    if column and len(rows) > len(texts) / 2:
        return _column_question(timeline, "markup", Field.HEADLINE, column, because)
    if len(rows) == len(texts):
        return None
    settled = partial(_without, timeline, rows, "It begins like code or markup.")
    return ReadingQuestion("markup", "Leave these lines out?", because, "Leave them out", settled)


def _lines(timeline: Timeline) -> ReadingQuestion | None:
    """Lines of a pasted text that look like menus, names of sections or codes."""
    texts = timeline.texts
    rows = [row for row, text in enumerate(texts) if not is_unspaced(text) and not _SPOKEN.search(text)]
    if timeline.report.format != "pasted" or not max(_FEWEST, _SOME * len(texts)) <= len(rows) < len(texts):
        return None
    because = f"{_share(len(rows), len(texts))} lines look like no headlines, as “{texts[rows[0]][:40]}”."
    settled = partial(_without, timeline, rows, "It looks like no headline.")
    return ReadingQuestion("lines", "Leave these lines out?", because, "Leave them out", settled)


def _without(timeline: Timeline, rows: Sequence[int], reason: str) -> Timeline:
    column = timeline.report.columns[Field.HEADLINE][0]
    lines = range(1, len(timeline) + 1) if timeline.lines is None else timeline.lines.tolist()
    cells: list[dict[Any, str]] = timeline.original.fillna("").iloc[list(rows)].to_dict("records")
    lost = [
        RejectedRow(lines[row], column, timeline.texts[row][:200], reason, own)
        for row, own in zip(rows, cells, strict=True)
    ]
    rejected = tuple(sorted((*timeline.report.rejected, *lost), key=lambda row: row.line))
    kept = timeline.select(np.setdiff1d(np.arange(len(timeline)), rows))
    ledger = {**timeline.report.ledger, "kept": len(kept), "rejected": len(rejected)}
    return replace(kept, report=replace(timeline.report, rejected=rejected, ledger=ledger))


def _addresses(timeline: Timeline) -> ReadingQuestion | None:
    filled = [url for url in timeline.table[Field.URL] if url]
    real = sum(bool(WEB_ADDRESS.match(url)) for url in filled)
    if not filled or real >= 0.5 * len(filled):
        return None
    because = f"{real:,} of {len(filled):,} in “{_column(timeline, Field.URL)}” are web addresses."
    column = _other_column(timeline, WEB_ADDRESS.match)
    return _column_question(timeline, "addresses", Field.URL, column, because)


def _days(timeline: Timeline) -> ReadingQuestion | None:
    count, days = len(timeline), np.unique(np.floor(timeline.days[~np.isnan(timeline.days)]))
    undated = timeline.undated > count / 2
    column = _other_column(timeline, moments.is_date) if undated or len(days) == 1 else ""
    if not column:
        return None
    if undated:
        because = f"{count - timeline.undated:,} of {count:,} headlines have a date."
        return _column_question(timeline, "days", Field.PUBLISHED, column, because)
    if count < _ONE_DAY or timeline.original[column].nunique() < _FEWEST:
        return None
    because = f"All {count:,} headlines are of one day."
    return _column_question(timeline, "one_day", Field.PUBLISHED, column, because)


def _outlets(timeline: Timeline) -> ReadingQuestion | None:
    named = {outlet for outlet in timeline.publishers if outlet}
    hosts = {read_address(url).host for url in timeline.table[Field.URL] if url} - {""}
    if len(named) != 1 or len(hosts) < _FEWEST or len(timeline) < _ONE_DAY:
        return None
    because = f"All {len(timeline):,} headlines have one outlet, and links to {len(hosts):,} sites."
    settled = partial(_mapped, timeline, Field.PUBLISHER, "")
    return ReadingQuestion("outlets", "Take the outlets from the links?", because, "Take them", settled)


def _column(timeline: Timeline, meaning: Field) -> str:
    return timeline.report.columns.get(meaning, ("",))[0]


def _column_question(
    timeline: Timeline, name: str, meaning: Field, column: str, because: str
) -> ReadingQuestion:
    what = {Field.HEADLINE: "headlines", Field.URL: "links", Field.PUBLISHED: "days"}[meaning]
    asks, act = f"Take “{column}” for the {what}?", f"Take “{column}”"
    if not column:
        asks, act = f"Read no {what} from it?", "Leave them out"
    return ReadingQuestion(name, asks, because, act, partial(_mapped, timeline, meaning, column))


def _other_column(timeline: Timeline, fits: Callable[[str], object]) -> str:
    """An unused column whose values nearly all fit, of several that with most different ones; else ""."""
    used = {name for names in timeline.report.columns.values() for name in names}
    fitting: dict[str, int] = {}
    for column in set(map(str, timeline.original.columns)) - used:
        values: list[str] = timeline.original[column].dropna().iloc[:_SAMPLE].tolist()
        sample = [value.strip() for value in values if value.strip()]
        enough = len(sample) >= min(_FEWEST, len(timeline))
        if enough and sum(bool(fits(value)) for value in sample) >= 0.8 * len(sample):
            fitting[column] = len({*sample})
    return max(sorted(fitting), key=fitting.__getitem__, default="")


def _mapped(timeline: Timeline, meaning: Field, column: str) -> Timeline:
    report = timeline.report
    columns: FieldColumns = {**report.columns, meaning: (column,)}
    columns = {known: names for known, names in columns.items() if any(names)}
    lines = np.arange(1, len(timeline) + 1) if timeline.lines is None else timeline.lines
    raw = RawTable(cells=timeline.original, lines=lines, rejected=report.rejected, ledger=report.ledger)
    read = validate(raw, columns, name=timeline.name, format_name=report.format, now=datetime.now(UTC))
    return replace(read, report=replace(read.report, encoding=report.encoding, timeline=report.timeline))
