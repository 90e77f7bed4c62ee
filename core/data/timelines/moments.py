"""One publication date in any of many spellings, read whole or not at all, in UTC."""

import re
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from typing import Final
from zoneinfo import ZoneInfo

from core.data.timelines.date_spellings import plain_spelling
from core.files import read_tables
from core.text.normalise import searched
from core.text.reading import reads

SECONDS_PER_DAY = 86_400.0
LONGEST = 100  # characters; nothing longer is a date
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_EXCEL_EPOCH = datetime(1899, 12, 30)  # day 0 that makes serials after February 1900 right
NUMERIC = re.compile(
    r"(?P<a>\d{1,2})(?P<sep>[./-])(?:(?<=\.) )?(?P<b>\d{1,2})(?P=sep)(?:(?<=\.) )?"
    r"(?P<year>\d{4}|\d{2})(?:[,T ]+(?P<time>.+))?"
)
_YEAR_FIRST = re.compile(r"(?P<year>\d{4})[./:-](?P<b>\d{1,2})[./:-](?P<a>\d{1,2})\.?(?:[,T ]+(?P<time>.+))?")
_DIGITS = re.compile(  # 14 and 17 digits, and basic ISO
    r"((?:19|20)\d{2})(\d{2})(\d{2})[T _-]?(\d{2}):?(\d{2}):?(\d{2})?(?:[.,]?\d{3,9})?"
    r"\s?(?P<zone>Z|[+-]\d{2}:?\d{2}|[A-Z]{2,4})?"
)
_PLACE = re.compile(r"(?P<text>.+?)\s*\[?\b(?P<place>[A-Z][A-Za-z]+/[A-Z][A-Za-z_/]+)\]?")  # Europe/Berlin
_TIME = re.compile(
    r"(?P<hour>\d{1,2})[:.](?P<minute>\d{2})(?:[:.](?P<second>\d{2})(?:[.,]\d+)?)?"
    r"\s*(?P<half>[ap]\.?m\.?)?\s*(?P<zone>(?:utc|gmt)?\s*[+-]\d{1,2}:?(?:\d{2})?|[^\W\d_]{1,5}\b)?",
    re.IGNORECASE,
)
_NUMERIC_INSIDE = re.compile(r"(?<!\d\d)\d[./-] ?\d{1,2}[./-] ?\d{2}")  # not in 2024-01-15
_CLOCK = re.compile(r"\b\d{1,2}:\d{2}")
_OFFSET = re.compile(r"(?:utc|gmt)?\s*(?P<sign>[+-])(?P<hours>\d{1,2}):?(?P<minutes>\d{2})?", re.IGNORECASE)
_ZONE_COMMENT = re.compile(r"([+-]\d{4})\s*\([^)]*\)$")
_HOURS = re.compile(r"\b(\d{1,2})(?:[.:](\d{2}))?\s?(?:uhr\b|h(?![^\W\d_])\s?(\d{2}\b)?)", re.IGNORECASE)
_EDITION = re.compile(  # of a paper, after its day
    r"(?<=\w) (?:(?:[A-Z][a-z]+|\d\w*) )?(?:Edition|Ausgabe)\b.*"
)
_WEEKDAY = re.compile(r"([^\W\d_]+)[.,]{0,2}\s+(?=\d)")
_SHORT_YEAR = re.compile(  # "10. März 25", "15-Jan-24", "Jan-15-24"
    r"(\b\d{1,2}[\s./-]*[^\W\d_]{3,}[\s./'’-]+|\b[^\W\d_]{3,}-\d{1,2}-)(\d{2})\b(?![:.]|\s?[ap]\.?m\b)",
    re.IGNORECASE,
)
_EPOCH_NUMBER = re.compile(r"(?P<whole>\d{9,19})(?:\.\d+)?")
_SCIENTIFIC = re.compile(r"\d\.\d{5,}E\+?\d{1,2}", re.IGNORECASE)  # BigQuery's timestamps
_SERIAL = re.compile(r"\d{4,5}(?:[.,]\d+)?")
VOWEL_SIGNS: Final = re.compile(r"(?!\w)[\u0900-\u0eff]")  # of Indian scripts and Thai; to Python no letters
_WORDS: Final = read_tables(__file__)
ZONES: dict[str, float] = {
    name: int(hours) for hours, listed in _WORDS["zones"].items() for name in listed.split()
}
PLACES: dict[str, str] = _WORDS["places"]
"""What zones with summer time are called for short, by a city there: ET."""
RELATIVE: Final = re.compile(_WORDS["relative"], re.IGNORECASE)
NOT_DAY_FIRST, DAY_FIRST_COUNTRIES = (
    frozenset[str](_WORDS[kind].split()) for kind in ("not_day_first", "day_first_countries")
)
"""Languages, and countries at the ends of addresses, by the order of day and month there."""
UNSURE: dict[str, dict[str, str]] = _WORDS["unsure"]
"""Zones whose letters mean several, by the countries of addresses: IST; else the day alone counts."""


@dataclass(frozen=True, slots=True)
class Moment:
    when: datetime  # in UTC
    day_only: bool = False  # `when` is that day's midnight
    naive: bool = False  # a time without a zone, taken as UTC


def flat(text: str) -> str:
    return " ".join(text.split())


@reads("date", lambda text: None)
def parse(text: str, *, day_first: bool = False, serials: bool = False) -> Moment | None:
    """The time that a text says; None where it is a date in no spelling that is known here."""
    if len(text) > LONGEST or not any(map(str.isdigit, text)):
        return None
    text = _HOURS.sub(lambda found: f"{found[1]}:{found[2] or found[3] or '00'}", _EDITION.sub("", text))
    moment = _read(text, day_first, serials)
    if moment is None and (placed := _PLACE.fullmatch(text)):
        moment = _read(plain_spelling(placed["text"], UNSAID), day_first, serials)
        with suppress(LookupError, ValueError):
            if moment and moment.naive:
                moment = Moment(moment.when.replace(tzinfo=ZoneInfo(placed["place"])).astimezone(UTC))
    if moment is None and (plain := plain_spelling(text, UNSAID)) != text:
        moment = _read(plain, day_first, serials)
    return moment


def _read(text: str, day_first: bool, serials: bool) -> Moment | None:
    first = _WEEKDAY.match(text)
    if first and searched(first[1]) in UNSAID:
        text = text[first.end() :]
    for reader in (_iso, _number, _numeric, _worded):
        try:
            moment = reader(text, day_first, serials)
        except (ValueError, OverflowError, LookupError):
            continue
        if moment is not None:
            return moment
    return None


def is_date(text: str) -> bool:
    return parse(text) is not None


def numeric(text: str) -> re.Match[str] | None:
    """Day and month in digits, whatever stands around them; None where the text is no such date."""
    match = NUMERIC.fullmatch(text)
    inside = not match and len(text) <= LONGEST and _NUMERIC_INSIDE.search(text)
    return NUMERIC.fullmatch(plain_spelling(text, UNSAID)) if inside else match


def looks_whole(text: str) -> bool:
    """Whether a text is written like a date in digits, and its day or time is at fault: 31.06.2021."""
    match = _YEAR_FIRST.fullmatch(flat(text)) or NUMERIC.fullmatch(flat(text))
    if match is None or not match["time"]:
        return match is not None
    time = _TIME.match(match["time"])
    possible = time is not None and int(time["hour"]) < 24 and int(time["minute"]) < 60
    return time is not None and not (possible and parse(match[0][: match.start("time")].strip(" ,T")))


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
    if match := _DIGITS.fullmatch(text):
        year, month, day, hour, minute, second = (int(match[number] or 0) for number in range(1, 7))
        return _aware(datetime(year, month, day, hour, minute, second, tzinfo=_zone(match["zone"])))
    if text[4] != "-" or text[13:14] == ".":  # 2026-11-03 14.05 has no part of an hour
        return None
    body = text[:-4] + "+00:00" if text.endswith((" UTC", " GMT")) else text
    body = body.replace(" +", "+").replace(" -", "-") if len(body) > 16 else body
    when = datetime.fromisoformat(body)
    return _day(when.year, when.month, when.day) if len(text) <= 10 else _aware(when)


def _number(text: str, _: bool, serials: bool) -> Moment | None:
    match = _EPOCH_NUMBER.fullmatch(f"{float(text):.0f}" if _SCIENTIFIC.fullmatch(text) else text)
    if match:
        digits = len(match["whole"])
        # 9–10 digits are seconds (1973–2286), 12–13 ms, 15–16 µs, 18–19 ns
        power = {9: 0, 10: 0, 12: 3, 13: 3, 15: 6, 16: 6, 18: 9, 19: 9}.get(digits)
        if power is None:
            return None
        microseconds = int(match["whole"]) * 1_000_000 // 10**power
        return Moment(EPOCH + timedelta(microseconds=microseconds))
    if serials and _SERIAL.fullmatch(text):
        text = text.replace(",", ".")
        when = _EXCEL_EPOCH + timedelta(days=float(text))
        when = (when + timedelta(milliseconds=500)).replace(microsecond=0)
        return _day(when.year, when.month, when.day) if "." not in text else _aware(when)
    return None


def _numeric(text: str, day_first: bool, _: bool) -> Moment | None:
    match = _YEAR_FIRST.fullmatch(text)
    if match:
        day, month = int(match["a"]), int(match["b"])
    else:
        match = NUMERIC.fullmatch(text)
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
    for word in re.findall(r"[^\W\d_]+|\d+", _letters(f"{head} {tail}")):
        if word in MONTHS and (not month or weekday):
            month, weekday = MONTHS[word], word in ("mar", "paz", "sze")  # days, too: "mar. 3 juin"
        elif word.isdigit() and len(word) == 4 and not year:
            year = int(word)
        elif word.isdigit() and len(word) <= 2 and not day:
            day = int(word)
        elif clock_text and (word in ZONES or word in PLACES or word in UNSURE):
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
    if match["zone"] and match["zone"].casefold() in UNSURE:
        return _day(year, month, day)
    hour = int(match["hour"])
    if match["half"]:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if match["half"][0] in "pP" else 0)
    zone = _zone(match["zone"])
    minute, second = int(match["minute"]), int(match["second"] or 0)
    return _aware(datetime(year, month, day, hour, minute, second, tzinfo=zone))


def _zone(name: str | None) -> tzinfo | None:
    if not name:
        return None
    offset = _OFFSET.fullmatch(name.strip())
    if offset:
        minutes = int(offset["hours"]) * 60 + int(offset["minutes"] or 0)
        return timezone(timedelta(minutes=-minutes if offset["sign"] == "-" else minutes))
    if name.casefold() in ZONES:
        return timezone(timedelta(hours=ZONES[name.casefold()]))
    return ZoneInfo(PLACES.get(name.casefold(), name))


def _letters(text: str) -> str:
    return VOWEL_SIGNS.sub("", searched(text))


def _all_months() -> dict[str, int]:
    names = dict[str, int]()
    for language in _WORDS["months"].splitlines():
        for number, name in enumerate(_letters(language).split(), 1):
            names[name] = number
            names.setdefault(name[:3], number)
    return {name: number for name, number in names.items() if name != "jui"}  # juin or juillet


MONTHS: dict[str, int] = _all_months()  # month number of a bare name or its first three letters
IGNORED_WORDS: frozenset[str] = frozenset(_letters(_WORDS["ignored"]).split())
UNSAID: frozenset[str] = IGNORED_WORDS - MONTHS.keys()  # words that may stand before any date
