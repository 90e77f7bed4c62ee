"""A column of publication dates, with notes on what was assumed."""

import re
from collections.abc import Callable, Collection, Container, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta

import numpy as np
import numpy.typing as npt

from core.arrays import BoolArray, FloatArray
from core.data.timelines.moments import EPOCH, SECONDS_PER_DAY, flat, numeric, parse
from core.results.render import count_words

_MICROSECOND = timedelta(microseconds=1)
_NAT = int(np.datetime64("NaT", "us").astype(np.int64))
_SHORT = re.compile(r"(\d\d)([./-] ?)(\d{1,2})\2(\d{1,2})(?!\d)")
_NAMED = 5  # lines that a note names
_CLOSER = 3  # times as many days as in one order are so many more in the other that they decide
_FIRST_NEWS = 1605  # year of the first printed newspaper; a date before it is a slip
_YEARS_NEAR = range(-5, 2)  # from the present one, that two digits at the beginning may stand for
_AHEAD = np.timedelta64(366, "D")  # news may be planned; a date further in the future stands for none


@dataclass(frozen=True, slots=True)
class Dates:
    published: npt.NDArray[np.datetime64]  # us in UTC; NaT where empty, unreadable or not of news
    day_only: BoolArray
    unreadable: BoolArray  # something stood there that is not a date
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
    usual: Callable[[], str] = str,
) -> Dates:
    """A whole column, whose rows together decide 03/04/2015; those `left_out` get no date and no note.

    `usual` says why such dates have the day first where they come from; "" where they may not.
    """
    texts = [flat(value or "") for value in values]
    distinct = set(texts) - {""}
    years_first = _begin_with_years(distinct, now)
    if years_first:
        texts = [f"20{text}" if _SHORT.match(text) else text for text in texts]
        distinct = set(texts) - {""}
    texts = ["" if row in left_out else text for row, text in enumerate(texts)]
    doubtful = {text for text in set(texts) if _is_doubtful(text)}
    at = _at(lines, [text in doubtful for text in texts])
    day_first, notes = _decide_order(distinct, len(doubtful), at, now, usual)
    if years_first:
        notes.append("Dates such as 26-11-03 were read as year-month-day, so they lie closer together.")
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
    at_midnight = (one.day_only or (one.naive and one.when.time() == time.min) for one in moments)
    if naive and all(at_midnight):
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


def _at(lines: Sequence[int], chosen: Sequence[bool] | BoolArray) -> str:
    at = [f"{line:,}" for line, wanted in zip(lines, chosen, strict=False) if wanted]
    more = f" and {len(at) - _NAMED:,} more" if len(at) > _NAMED else ""
    return f" ({'line' if len(at) == 1 else 'lines'} {', '.join(at[:_NAMED])}{more})" if at else ""


def _begin_with_years(texts: Collection[str], now: datetime) -> bool:
    """Whether two digits are a year and the day comes last: 26-11-03, 26-11-04 near the year 2026."""
    short = [match for text in texts if (match := _SHORT.match(text))]
    near = {(now.year + ahead) % 100 for ahead in _YEARS_NEAR}
    if 2 * len(short) <= len(texts) or not {int(match[1]) for match in short} <= near:
        return False
    ways = [_moments((f"{begun}{match.string}" for match in short), day_first=True) for begun in ("20", "")]
    dated, others = (max(way) - min(way) if way else timedelta() for way in ways)
    return len(ways[0]) > len(ways[1]) or (len(ways[0]) == len(ways[1]) and _CLOSER * dated < others)


def _is_doubtful(text: str) -> bool:
    match = numeric(text)
    numbers = {int(match["a"]), int(match["b"])} if match and match["sep"] != "." else {0}
    return len(numbers) > 1 and max(numbers) <= 12


def _decide_order(
    texts: Collection[str], doubtful: int, at: str, now: datetime, usual: Callable[[], str]
) -> tuple[bool, list[str]]:
    matches = [match for text in texts if (match := numeric(text))]
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
        ways = [_moments(texts, day_first=first) for first in (True, False)]
        days, months = (max(way) - min(way) if way else timedelta() for way in ways)
        late = [bool(way) and max(way) > now + timedelta(days=1) for way in ways]
        chosen, unlike = _CLOSER * days < months, _CLOSER * min(days, months) < max(days, months)
        why = "so they lie closer together." if unlike else "nothing in the column decides."
        if late[0] != late[1]:
            chosen, why = late[1], "else they would lie in the future."
        elif not unlike and (habit := usual()):
            chosen, why = True, habit
        why += " Write such dates as year-month-day to be sure."
    could, order = count_words(doubtful, "date", "dates"), "day/month/year" if chosen else "month/day/year"
    were = "was" if doubtful == 1 else "were"
    return chosen, [f"{could}{at} could be day/month or month/day and {were} read as {order}: {why}"]


def _moments(texts: Iterable[str], *, day_first: bool) -> list[datetime]:
    return [moment.when for text in texts if (moment := parse(text, day_first=day_first))]
