"""Which days headlines state: by the calendar, as weekdays, or from their own: "12 October", "today"."""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import date
from functools import cache
from math import isnan
from typing import Final, NamedTuple

from core.data.timelines.moments import MONTHS
from core.data.timelines.timeline import Field, Timeline
from core.files import read_tables
from core.text.names import is_sentence_case
from core.text.normalise import searched
from core.text.numerals.language_tables import LANGUAGES, language_tables
from core.text.numerals.languages import language_of
from core.text.numerals.numeral import NumeralKind
from core.text.numerals.read import read_numerals

_TABLES: Final = read_tables(__file__)
_WEEK: Final = 7
_SPANS: Final = {"last": (-7, -1), "since": (-7, 0), "until": (0, 6), "next": (1, 14)}  # days from a report
_FAR: Final = 400  # days from which a date with its year is history
_SHORT: Final = 3  # letters of a month that say which
_EARLY: Final = 1 / 3  # of a day in UTC, in which America still has the day before
_OFTEN_NAMED: Final = frozenset({(1, 6), (4, 25), (5, 1), (5, 9), (7, 4), (7, 14), (9, 11), (10, 7)})
_BEFORE_DAY: Final = re.compile(r"(\w+)\.?\s$")
_BEHIND_DAY: Final = re.compile(r"(?:st|nd|rd|th|er|[.º°ª]|-?го)?[\s-](?:of |de |di )?([^\W\d]+)")
_YEAR: Final = re.compile(r",? (?:of |de |del )?(\d{4})(?!\w)")
_JOINED: Final = re.compile(r"(?:,? |, ?(?:den|dem|el|le|il) )")
_RANGE: Final = re.compile(r"\d\D{0,3}(?:[-–&]|to|and|bis|und|au|et|al|e|a|y|и|по) ?$")
_ARTICLE: Final = r"(?: (?:the|den|dem|el|la|le|il|o|a))?"
_PART: Final = r"(?:abend|nacht|morgen|vormittag|mittag|nachmittag|früh)?"
_NO_MORE: Final = re.compile(r"$|[,.;:!?(]| (?:em|no|na|à|às|por|com|após|e)\b")  # behind "na quinta"


def _by_day(lines: Mapping[str, str], first: int) -> dict[str, dict[str, int]]:
    columns = ((code, list(enumerate(line.split(), first))) for code, line in lines.items())
    return {
        code: {word.replace("_", " "): at for at, words in own for word in words.split("/") if word != "-"}
        for code, own in columns
    }


WEEKDAYS: Final = _by_day(_TABLES["weekdays"], 0)
"""From 0, in each language."""
_RELATIVE: Final = _by_day(_TABLES["relative"], -2)


class StatedDay(NamedTuple):
    start: int  # where its words begin in the headline, with "until" and the like
    end: int
    days: frozenset[int]  # which it may be, as `date.toordinal`; below 0 weekdays of no known week
    until: bool
    sure: bool
    dated: bool = False  # its month is named


def read_days(text: str, language: str, today: int | None = None, *, early: bool = False) -> list[StatedDay]:
    """The days of a headline in order, by the day on which it was published."""
    code, found = language_of(text, doubtful=language), list[StatedDay]()
    if code not in LANGUAGES:
        return []
    listed = _around("never", "anywhere", r"\b(?:{})").search(text) is not None
    for day in sorted((*_dates(text, code, today), *_named(text, code, today, early=early))):
        last = found[-1] if found else None
        if last and day.dated and _JOINED.fullmatch(text, last.end, day.start):  # "Sunday 12 October"
            found[-1] = day._replace(start=last.start, until=last.until)
        elif not last or day.start >= last.end:
            found.append(day._replace(sure=day.sure and bool(day.days) and not listed))
    return found


def _dates(text: str, code: str, today: int | None) -> Iterator[StatedDay]:
    months, base = language_tables(code).months, today or date(2000, 1, 1).toordinal()
    known = not months.isdisjoint(re.findall(r"[^\W\d]+", text.casefold()))
    for number in read_numerals(text, language=code) if known else ():
        beside = _BEHIND_DAY.match(text, number.end), _BEFORE_DAY.search(text, 0, number.start)
        month = next((each for each in beside if each and each[1].casefold() in months), None)
        short = month and len(month[1]) <= _SHORT and not number.text[0].isdigit()  # "quinto set"
        if number.kind is not NumeralKind.DATE or not month or short:
            continue
        plain, start, end = searched(month[1]), min(number.start, month.start()), max(number.end, month.end())
        year, named = _YEAR.match(text, end), (MONTHS.get(plain) or MONTHS[plain[:_SHORT]], int(number.value))
        years, days = range(-1, 2), list[int]()
        for each in [int(year[1])] if year else [date.fromordinal(base).year + more for more in years]:
            with suppress(ValueError):
                days.append(date(each, *named).toordinal())
        day = min(days, key=lambda each: abs(each - base), default=0)
        if not day or (year and today and abs(day - base) > _FAR):
            continue
        end = year.end() if year else end
        beyond, modal = text[end : end + 2], plain in ("may", "march") and month is beside[1]
        capital = (beyond[1:] if code == "en" else month[1])[:1].isupper() and is_sentence_case(text)
        doubts = (
            _RANGE.search(text, 0, start) is not None or beyond[:1] in ("-", "–"),
            today is not None and abs(day - base) > _WEEK and named in _OFTEN_NAMED,
            capital and code != "de",  # "calle 5 de Mayo", "17 April Front"
            modal and beyond[1:].isalnum() and not _needed("en").search(text, 0, start),  # "May 12 people"
        )
        sense, begins = _sense(text, start, end)
        yield StatedDay(begins, end, frozenset({day}), sense == "until", not any(doubts), dated=True)


def _named(text: str, code: str, today: int | None, *, early: bool) -> Iterator[StatedDay]:
    weekdays, title = WEEKDAYS[code], not is_sentence_case(text)
    for match in _pattern(code).finditer(text.replace("’", "'")):
        word, start, end = match[1].casefold(), match.start(), match.end()
        opens, capital = not any(map(str.isalnum, text[:start])), text[start].isupper()
        kind, (sense, begins) = "weekday" if word in weekdays else "relative", _sense(text, start, end)
        sure = not any(_sense(text, start, end, "never", each)[0] for each in (kind, "behind"))
        if kind == "relative":
            sure = (sure or sense == "from") and not (opens or (capital and not title))
            day, americas = (today or 0) + _RELATIVE[code][word], early and code in ("en", "es", "pt")
            days = frozenset({day, day - americas} if today else ())
            yield StatedDay(start, end, days, sense == "until", sure)
            continue
        low, high = _SPANS.get(sense, (1 - _WEEK, _WEEK - 1))
        span = range((today or 0) + low, (today or 0) + high + 1) if today else range(0)
        days = frozenset(day for day in span if (day - 1) % _WEEK == weekdays[word])
        owns = text[end : end + 2] in ("'s", "’s")
        said = _needed(code).search(text, 0, start) is not None or owns or (sense != "" and not opens)
        free = code in ("fr", "it") or word.endswith("-feira") or (code == "en" and not title)
        if code == "en":
            before, behind = re.search(r"(\w+) $", text[:start]), re.match(r" (\w)", text[match.end(1) :])
            beside = [each[1][0] for each in (None if said else before, behind) if each]
            sure &= title or not any(map(str.isupper, beside))  # "Sunday Times", "Black Friday"
        rank = code == "pt" and not free and not _NO_MORE.match(text, end)
        named = capital and code not in ("en", "de") and not opens
        sure &= (said or (free and not opens)) and not (rank or named)
        yield StatedDay(begins, end, days or frozenset({-1 - weekdays[word]}), sense == "until", sure)


def _sense(text: str, start: int, end: int, table: str = "sense", *only: str) -> tuple[str, int]:
    """Which week a day is of, or what else words around it say; and where these begin."""
    for name in only or _TABLES[table]:
        if match := _around(table, name, r"(?<!\w)((?:{})" + _ARTICLE + "['’]? ?)$").search(text, 0, start):
            return name, match.start(1)
        if _around(table, name, r" (?:{})(?!\w)").match(text, end):
            return name, start
    return "", start


@cache
def _around(table: str, name: str, pattern: str) -> re.Pattern[str]:
    words = (re.escape(word.replace("_", " ")) for word in _TABLES[table].get(name, "-").split())
    return re.compile(pattern.replace("{}", "|".join(words)), re.IGNORECASE)


def _needed(code: str) -> re.Pattern[str]:
    return _around("needed", code, r"(?<!\w)(?:{})" + _ARTICLE + " $")


@cache
def _pattern(code: str) -> re.Pattern[str]:
    words = sorted(WEEKDAYS[code] | _RELATIVE[code], key=len, reverse=True)
    return re.compile(rf"(?<![\w-])({'|'.join(map(re.escape, words))}){_PART}(?![\w-])", re.IGNORECASE)


def stated_days(timeline: Timeline, rows: Sequence[int]) -> list[dict[int, str]]:
    """The headlines that surely state each day, and their words: "10. Mai", "Sunday (10 May)".

    A weekday is the one before or behind the report, the same as a date that is one of both.
    """
    published, days = timeline.table[Field.PUBLISHED], timeline.days
    read = list[tuple[int, StatedDay]]()
    for row in rows:
        today = None if isnan(days[row]) else published[row].toordinal()
        early = days[row] % 1 < _EARLY and not timeline.table["day_only"][row]
        own = read_days(timeline.texts[row], timeline.reading.language, today, early=early)
        read += ((row, each) for each in own if each.sure)
    values: list[tuple[frozenset[int], dict[int, StatedDay]]] = []
    for row, each in sorted(read, key=lambda one: len(one[1].days)):
        for at, (known, stating) in enumerate(values):
            if known & each.days and next(iter(stating.values())).until == each.until:
                values[at] = known & each.days, {row: each} | stating
                break
        else:
            values.append((each.days, {row: each}))
    return [
        {row: _with_day(timeline.texts[row], stating[row], known) for row in rows if row in stating}
        for known, stating in values
    ]


def _with_day(text: str, own: StatedDay, days: frozenset[int]) -> str:
    known = [] if own.dated or len(days) > 1 else [date.fromordinal(day) for day in days if day > 0]
    return "".join((text[own.start : own.end], *(f" ({day.day} {day:%b})" for day in known)))
