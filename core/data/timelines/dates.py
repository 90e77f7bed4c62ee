"""Publication dates in many spellings, read whole or not at all, in UTC, with notes on what was assumed."""

import re
from collections.abc import Collection, Container, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta, timezone
from typing import Final

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray
from core.files import read_tables
from core.results.render import count_words
from core.text.normalise import searched
from core.text.reading import reads

SECONDS_PER_DAY = 86_400.0
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_NAT = int(np.datetime64("NaT", "us").astype(np.int64))
_NAMED = 5  # lines that a note names
_CLOSER = 3  # times as many days as in one order are so many more in the other that they decide
_FIRST_NEWS = 1605  # year of the first printed newspaper; a date before it is a slip
_AHEAD = np.timedelta64(366, "D")  # news may be planned; a date further in the future stands for none
_EXCEL_EPOCH = datetime(1899, 12, 30)  # day 0 that makes serials after February 1900 right
_NUMERIC = re.compile(
    r"(?P<a>\d{1,2})(?P<sep>[./-])(?P<b>\d{1,2})(?P=sep)(?P<year>\d{4}|\d{2})(?:[,T ]+(?P<time>.+))?"
)
_YEAR_FIRST = re.compile(r"(?P<year>\d{4})[./-](?P<b>\d{1,2})[./-](?P<a>\d{1,2})(?:[,T ]+(?P<time>.+))?")
_TIME = re.compile(
    r"(?P<hour>\d{1,2})[:.](?P<minute>\d{2})(?:[:.](?P<second>\d{2})(?:[.,]\d+)?)?"
    r"\s*(?P<half>[ap]\.?m\.?)?\s*(?P<zone>(?:utc|gmt)?\s*[+-]\d{1,2}:?(?:\d{2})?|[^\W\d_]{1,5}\b)?",
    re.IGNORECASE,
)
_CLOCK = re.compile(r"\b\d{1,2}:\d{2}")
_OFFSET = re.compile(r"(?:utc|gmt)?\s*(?P<sign>[+-])(?P<hours>\d{1,2}):?(?P<minutes>\d{2})?", re.IGNORECASE)
_ZONE_COMMENT = re.compile(r"([+-]\d{4})\s*\([^)]*\)$")
_HOURS = re.compile(r"\b(\d{1,2})(?:[.:](\d{2}))?\s?(?:uhr\b|h(?![^\W\d_])\s?(\d{2}\b)?)", re.IGNORECASE)
_WEEKDAY = re.compile(r"([^\W\d_]+)[.,]{0,2}\s+(?=\d)")
_SHORT_YEAR = re.compile(r"(\b\d{1,2}[\s.]*[^\W\d_]{3,}[\s.]+)(\d{2})\b(?![:.])")  # "10. März 25"
_EPOCH_NUMBER = re.compile(r"(?P<whole>\d{9,19})(?:\.\d+)?")
_SERIAL = re.compile(r"\d{4,5}(?:\.\d+)?")


@dataclass(frozen=True, slots=True)
class Moment:
    when: datetime  # in UTC
    day_only: bool = False  # `when` is that day's midnight
    naive: bool = False  # a time without a zone, taken as UTC


@dataclass(frozen=True, slots=True)
class Dates:
    published: npt.NDArray[np.datetime64]  # us in UTC; NaT where empty, unreadable or not of news
    day_only: npt.NDArray[np.bool_]
    unreadable: npt.NDArray[np.bool_]  # something stood there that is not a date
    notes: tuple[str, ...]

    @property
    def days(self) -> FloatArray:
        """Days since 1970 UTC, float64 [n]; NaN where there is none."""
        seconds = self.published.astype("datetime64[us]").astype(np.int64) / 1e6
        return np.where(np.isnat(self.published), np.nan, seconds / SECONDS_PER_DAY)


def parse_column(
    values: Sequence[str | None],
    *,
    now: datetime,
    serials: bool = False,
    lines: Sequence[int] = (),
    left_out: Container[int] = (),
) -> Dates:
    """A whole column, whose rows together decide 03/04/2015; those `left_out` get no date and no note."""
    texts = [flat(value or "") for value in values]
    distinct = set(texts) - {""}
    texts = ["" if row in left_out else text for row, text in enumerate(texts)]
    doubtful = {text for text in set(texts) if _is_doubtful(text)}
    day_first, notes = _decide_order(distinct, len(doubtful), _at(lines, [t in doubtful for t in texts]))
    read = {text: parse(text, day_first=day_first, serials=serials) for text in distinct}
    since = {text: (moment.when - EPOCH) // _MICROSECOND for text, moment in read.items() if moment}
    published = np.array([since.get(text, _NAT) for text in texts], dtype="datetime64[us]")
    row_moments = [read.get(text) for text in texts]
    unreadable = np.isnat(published) & np.array([text != "" for text in texts], dtype=np.bool_)
    naive = sum(moment is not None and moment.naive for moment in row_moments)
    today = np.datetime64((now - EPOCH) // _MICROSECOND, "us")
    early, far = published < np.datetime64(f"{_FIRST_NEWS}-01-01", "us"), published > today + _AHEAD
    future = (published > today + np.timedelta64(1, "D")) & ~far
    published[early | far] = _NAT
    day_only = np.array([moment is not None and moment.day_only for moment in row_moments], dtype=np.bool_)
    day_only &= ~np.isnat(published)
    moments = [moment for moment in row_moments if moment]
    if naive and all(
        moment.day_only or (moment.naive and moment.when.time() == time.min) for moment in moments
    ):
        # databases and data frames write days so
        day_only = ~np.isnat(published)
        notes.append("All times are midnight without a zone; they were taken as days.")
    elif naive:
        were = count_words(naive, "time has no zone and was", "times have no zone and were")
        notes.append(f"{were} taken as UTC.")
    dates, undated = (
        ("date lies", "dates lie"),
        ("headline has no date, as its date lies", "headlines have no date, as their dates lie"),
    )
    for wrong, words, where in (
        (future, dates, "in the future"),
        (far, undated, "more than a year in the future"),
        (early, undated, f"before {_FIRST_NEWS}, when newspapers began"),
    ):
        if count := int(np.count_nonzero(wrong)):
            notes.append(f"{count_words(count, *words)} {where}{_at(lines, wrong)}; check the column.")
    return Dates(published, day_only, unreadable, tuple(notes))


def flat(text: str) -> str:
    return " ".join(text.split())


@reads("date", lambda text: None)
def parse(text: str, *, day_first: bool = False, serials: bool = False) -> Moment | None:
    """The time that a text says; None where it is a date in no spelling that is known here."""
    if len(text) > 100:
        return None
    text = _HOURS.sub(lambda found: f"{found[1]}:{found[2] or found[3] or '00'}", text)
    first = _WEEKDAY.match(text)
    if first and searched(first[1]) in IGNORED_WORDS - MONTHS.keys():
        text = text[first.end() :]
    for reader in (_iso, _number, _numeric, _worded):
        try:
            moment = reader(text, day_first, serials)
        except (ValueError, OverflowError):
            continue
        if moment is not None:
            return moment
    return None


def is_date(text: str) -> bool:
    return parse(text) is not None


def looks_whole(text: str) -> bool:
    """Whether a text is written like a date in digits, so that its day or time is at fault: 31.06.2021."""
    match = _YEAR_FIRST.fullmatch(flat(text)) or _NUMERIC.fullmatch(flat(text))
    return match is not None and (not match["time"] or _TIME.match(match["time"]) is not None)


def _aware(when: datetime) -> Moment:
    if when.tzinfo is None:
        return Moment(when.replace(tzinfo=UTC), naive=True)
    return Moment(when.astimezone(UTC))


def _day(year: int, month: int, day: int) -> Moment:
    return Moment(datetime(year, month, day, tzinfo=UTC), day_only=True)


def _iso(text: str, _: bool, __: bool) -> Moment | None:
    if len(text) < 8 or not (text[:4].isascii() and text[:4].isdigit()):
        return None
    if len(text) == 8 and text.isdigit():
        return _day(int(text[:4]), int(text[4:6]), int(text[6:]))
    if text[4] != "-":
        return None
    body = text[:-4] + "+00:00" if text.endswith((" UTC", " GMT")) else text
    body = body.replace(" +", "+").replace(" -", "-") if len(body) > 16 else body
    when = datetime.fromisoformat(body)
    return _day(when.year, when.month, when.day) if len(text) <= 10 else _aware(when)


def _number(text: str, _: bool, serials: bool) -> Moment | None:
    match = _EPOCH_NUMBER.fullmatch(text)
    if match:
        digits = len(match["whole"])
        # 9–10 digits are seconds (1973–2286), 12–13 ms, 15–16 µs, 18–19 ns
        power = {9: 0, 10: 0, 12: 3, 13: 3, 15: 6, 16: 6, 18: 9, 19: 9}.get(digits)
        if power is None:
            return None
        microseconds = int(match["whole"]) * 1_000_000 // 10**power
        return Moment(EPOCH + timedelta(microseconds=microseconds))
    if serials and _SERIAL.fullmatch(text):
        when = _EXCEL_EPOCH + timedelta(days=float(text))
        when = (when + timedelta(milliseconds=500)).replace(microsecond=0)
        return _day(when.year, when.month, when.day) if "." not in text else _aware(when)
    return None


def _numeric(text: str, day_first: bool, _: bool) -> Moment | None:
    match = _YEAR_FIRST.fullmatch(text)
    if match:
        day, month = int(match["a"]), int(match["b"])
    else:
        match = _NUMERIC.fullmatch(text)
        if not match:
            return None
        a, b = int(match["a"]), int(match["b"])
        swap = (day_first or match["sep"] == "." or a > 12) and not b > 12
        day, month = (a, b) if swap else (b, a)
    year = int(match["year"])
    if len(match["year"]) == 2:
        year = _of_century(year)
    return _with_time(year, month, day, match["time"] or "")


def _worded(text: str, _: bool, __: bool) -> Moment | None:
    text = _ZONE_COMMENT.sub(r"\1", text)
    text = _SHORT_YEAR.sub(lambda found: f"{found[1]}{_of_century(int(found[2]))}", text)
    clock = _CLOCK.search(text)
    head, tail, clock_text = text, "", ""
    if clock:
        match = _TIME.match(text, clock.start())
        if not match:
            return None
        zone = match["zone"] or ""
        end = match.start("zone") if zone.isalpha() else match.end()  # words are sorted out below
        head, clock_text, tail = text[: clock.start()], text[clock.start() : end], text[end:]
    month = day = year = 0
    weekday = False
    for word in re.findall(r"[^\W\d_]+|\d+", searched(f"{head} {tail}")):
        if word in MONTHS and (not month or weekday):
            month, weekday = MONTHS[word], word == "mar"  # March, or Tuesday: "mar. 3 juin"
        elif word.isdigit() and len(word) == 4 and not year:
            year = int(word)
        elif word.isdigit() and len(word) <= 2 and not day:
            day = int(word)
        elif word in ZONES and clock_text:
            clock_text = f"{clock_text} {word}"
        elif word not in IGNORED_WORDS:
            return None
    if not (month and day and year):
        return None
    return _with_time(year, month, day, clock_text)


def _of_century(year: int) -> int:
    return year + (2000 if year < 70 else 1900)


def _with_time(year: int, month: int, day: int, clock_text: str) -> Moment | None:
    if not clock_text.strip():
        return _day(year, month, day)
    match = _TIME.fullmatch(clock_text.strip())
    if not match:
        return None
    hour = int(match["hour"])
    if match["half"]:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if match["half"][0] in "pP" else 0)
    zone = _zone(match["zone"])
    return _aware(
        datetime(year, month, day, hour, int(match["minute"]), int(match["second"] or 0), tzinfo=zone)
    )


def _zone(name: str | None) -> timezone | None:
    if not name:
        return None
    offset = _OFFSET.fullmatch(name.strip())
    if offset:
        minutes = int(offset["hours"]) * 60 + int(offset["minutes"] or 0)
        return timezone(timedelta(minutes=-minutes if offset["sign"] == "-" else minutes))
    if name.casefold() not in ZONES:
        raise ValueError(name)
    return timezone(timedelta(hours=ZONES[name.casefold()]))


def _at(lines: Sequence[int], chosen: Sequence[bool] | npt.NDArray[np.bool_]) -> str:
    at = [f"{line:,}" for line, wanted in zip(lines, chosen, strict=False) if wanted]
    more = f" and {len(at) - _NAMED:,} more" if len(at) > _NAMED else ""
    return f" ({'line' if len(at) == 1 else 'lines'} {', '.join(at[:_NAMED])}{more})" if at else ""


def _is_doubtful(text: str) -> bool:
    match = _NUMERIC.fullmatch(text)
    return (
        match is not None and match["sep"] != "." and int(match["a"]) <= 12 and int(match["b"]) <= 12
    ) and int(match["a"]) != int(match["b"])


def _decide_order(texts: Collection[str], doubtful: int, at: str) -> tuple[bool, list[str]]:
    matches = [match for text in texts if (match := _NUMERIC.fullmatch(text))]
    dotted = any(match["sep"] == "." for match in matches)
    slashed = [(int(match["a"]), int(match["b"])) for match in matches if match["sep"] != "."]
    day_first, month_first = sum(a > 12 >= b for a, b in slashed), sum(b > 12 >= a for a, b in slashed)
    if not doubtful:
        return bool(day_first and not month_first), []
    chosen, why = True, "as the dates with dots in the column are."
    if day_first or month_first:
        chosen, why = day_first > month_first, "as the whole column shows."
        if day_first and month_first:
            why = "as most others are; the dates mix both orders."
    elif not dotted:
        days, months = (_span(texts, day_first=first) for first in (True, False))
        chosen, unlike = _CLOSER * days < months, _CLOSER * min(days, months) < max(days, months)
        why = "so they lie closer together." if unlike else "nothing in the column decides."
        why += " Write such dates as year-month-day to be sure."
    could, order = count_words(doubtful, "date", "dates"), "day/month/year" if chosen else "month/day/year"
    were = "was" if doubtful == 1 else "were"
    return chosen, [f"{could}{at} could be day/month or month/day and {were} read as {order}: {why}"]


def _span(texts: Iterable[str], *, day_first: bool) -> timedelta:
    moments = [moment.when for text in texts if (moment := parse(text, day_first=day_first))]
    return max(moments) - min(moments) if moments else timedelta()


_WORDS: Final = read_tables(__file__)


def _all_months() -> dict[str, int]:
    names = {
        name: int(number) for number, listed in _WORDS["other_months"].items() for name in listed.split()
    }
    for language in _WORDS["months"].splitlines():
        for number, name in enumerate(searched(language).split(), 1):
            names[name] = number
            names.setdefault(name[:3], number)
    return {name: number for name, number in names.items() if name != "jui"}  # juin or juillet


MONTHS: dict[str, int] = _all_months()  # month number of a bare name or its first three letters

ZONES: dict[str, float] = {
    name: int(hours) for hours, listed in _WORDS["zones"].items() for name in listed.split()
}

IGNORED_WORDS: frozenset[str] = frozenset(searched(_WORDS["ignored"]).split())
