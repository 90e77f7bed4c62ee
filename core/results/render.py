"""Texts, times, counts and links as people are shown them."""

import re
from datetime import UTC, datetime, tzinfo
from urllib.parse import urlsplit

MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
LONGEST_URL = 2_000

_UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_SPACE = re.compile(r"\s")
# Marks that change the direction of the text around them (Unicode TR9), not only their own.
_OVERRIDES = re.compile("[\u202a-\u202e\u2066-\u2069]")


def clean(text: str) -> str:
    """The text without characters that HTML, XML or the reading order cannot bear; one line."""
    return " ".join(_OVERRIDES.sub("", _UNPRINTABLE.sub("\ufffd", text)).split())


def letter(place: int) -> str:
    """A, B, … Z, then AA, AB, … for places from 0; "" below."""
    return "" if place < 0 else letter(place // 26 - 1) + chr(ord("A") + place % 26)


def shorten(text: str, characters: int) -> str:
    line = clean(text)
    return line if len(line) <= characters else line[: characters - 1].rstrip() + "…"


def moment(time: datetime, zone: tzinfo = UTC) -> str:
    """A time in UTC for people: `6 May, 10:00`; with the year where it is another, a midnight as its day."""
    time = time.astimezone(zone) if time.hour or time.minute else time
    year = "" if time.year == datetime.now(UTC).year else f" {time.year}"
    clock = f", {time:%H:%M}" if time.hour or time.minute else ""
    return f"{time.day} {MONTHS[time.month - 1]}{year}{clock}"


def zone_name(time: datetime, zone: tzinfo) -> str:
    """What a zone is called at a time: `CEST`; `UTC-03` or `UTC+05:45` where it has no letters of its own."""
    there = time.astimezone(zone)
    name = there.tzname() or ""
    return name if name.isalpha() else f"UTC{there.isoformat()[-6:]}".removesuffix(":00")


def date_words(moment: datetime | None, *, day_only: bool, zone: tzinfo = UTC) -> str:
    """`14 Jan 2015` or `14 Jan 2015, 09:30 UTC`; a dash without a date. No locale is read."""
    if moment is None:
        return "–"
    there = moment if day_only else moment.astimezone(zone)
    day = f"{there.day} {MONTHS[there.month - 1]} {there.year}"
    return day if day_only else f"{day}, {there:%H:%M} {zone_name(there, zone)}"


def safe_link(url: str | None) -> str | None:
    """The address if a browser may be sent there (http or https with a host), else None."""
    if not url or len(url) > LONGEST_URL or _UNPRINTABLE.search(url) or _SPACE.search(url):
        return None
    try:
        parts = urlsplit(url)
        host = parts.hostname
    except ValueError:
        return None
    return url if parts.scheme in {"http", "https"} and host else None


def count_words(count: int, singular: str, plural: str) -> str:
    """`1 headline`, `4,774 headlines`."""
    return f"{count:,} {singular if count == 1 else plural}"
