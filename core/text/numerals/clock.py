"""Hours, minutes and seconds: times of day, and how long something takes."""

import re
from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from core.text.numerals.language_tables import words
from core.text.numerals.numeral import ONE, Draft, NumeralForm, NumeralKind
from core.text.numerals.tokenized_line import TokenizedLine

_HALF_DAY: Final = re.compile(r"[ \u00a0-]?[ap](?:\.[ \u00a0]?m\.?|m\b)|[ \u00a0]o['’]clock\b", re.IGNORECASE)
_LETTER: Final = re.compile(
    r"[ \u00a0\u202f]?(h|heures?)(?:[ \u00a0\u202f]?([0-5]\d)(?![\d]|[ \u00a0\u202f]?%|[.,]\d))?(?![^\W_])",
    re.IGNORECASE,
)
_COLON: Final = re.compile(r":([0-5]\d)(?::([0-5]\d))?(?:[.,](\d{1,3}))?(?![\d:])")
_SPACE: Final = r"[ \u00a0\u202f]?"
_SECOND_SIGN: Final = r"(?:''|’’|[″\"”])"
_HOUR_MARKS: Final = re.compile(
    rf"{_SPACE}h(?:rs?)?{_SPACE}(?P<m>[0-5]?\d){_SPACE}(?:['’′]|m(?:i?ns?)?\b\.?)(?:{_SPACE}(?P<s>[0-5]?\d)"
    rf"(?:[.,](?P<c>\d{{1,3}}))?(?:{_SPACE}(?:{_SECOND_SIGN}|s(?:ecs?)?\b)|(?<=['’′]\d\d)(?!\w)))?"
)
_MINUTE_MARKS: Final = re.compile(rf"['’′](?P<s>[0-5]\d){_SECOND_SIGN}(?P<c>\d{{1,3}})?(?!\w)")
_HOURS_POINTED: Final = re.compile(r"\d:[0-5]\d[.,][0-5]\d ?(?:h\b|hor|hour|heure|ore\b|Stund|Std|час)")
"""Where a text has "2:09.41 horas", its times end with seconds and not with hundredths."""
_TIME_OF_DAY: Final = words("at um")  # before "12:30:15"
_RUN_IN: Final = words("in en em за nel")  # before "12:58" that is run
_DAY_HOURS: Final = 25
_LONGEST_HOURS: Final = 10  # from so many on "in 12:58" has minutes and seconds
_PARTS: Final = {("hour", "minute"): 60, ("minute", "second"): 60, ("hour", "second"): 3_600}
_AND: Final = words("and und et e ed y и") | {""}
_SHORT_HOURS: Final = 6  # fewer hours behind "de" are how long something takes ("un match de 2h30")


def read_colon(line: TokenizedLine, draft: Draft) -> None:
    """Reads what a colon parts: the hour "15:30", or the time taken "2:19:42", "1:57.42", "12:58 Minuten"."""
    match = _COLON.match(line.text, draft.end)
    if not match:
        return
    minutes, seconds, hundredths = match.groups()
    at, before = line.token_from(draft.first + 1, match.end()), line.before(draft.first)
    behind = line.next(at)
    if not line.language.scores.isdisjoint((before, behind)):
        return
    span, run = line.language.spans.get(behind), before in _RUN_IN
    if hundredths and not seconds and _HOURS_POINTED.search(line.text):
        seconds, hundredths = hundredths, None
    long = draft.amount >= _DAY_HOURS
    if long and not (seconds or hundredths or span or run or line.language.code == "en"):
        return
    of_day = before in _TIME_OF_DAY or _HALF_DAY.match(line.text, match.end())
    in_seconds = hundredths or long or span == "minute" or (run and draft.amount >= _LONGEST_HOURS)
    if of_day or not (seconds or in_seconds or span == "hour"):
        draft.amount += Fraction(int(minutes), 60) + Fraction(int(seconds or 0), 3_600)
        draft.kind = NumeralKind.TIME
    else:
        _take_time(draft, (minutes, seconds), hundredths, "second" if seconds or in_seconds else "minute")
    timed = draft.kind is NumeralKind.DURATION
    stretch_to(line, draft, match.end(3 if timed and match[3] else 2 if match[2] else 1))
    draft.after += timed and span in ("hour", "minute")


def _take_time(draft: Draft, parts: Sequence[str | None], hundredths: str | None, unit: str) -> None:
    """Adds minutes and seconds to a number, as so many of the last unit."""
    for part in filter(None, parts):
        draft.amount = 60 * draft.amount + int(part)
    if hundredths:
        draft.amount += Fraction(int(hundredths), 10 ** len(hundredths))
        draft.decimals = len(hundredths)
    draft.kind, draft.unit = NumeralKind.DURATION, unit


def stretch_to(line: TokenizedLine, draft: Draft, end: int) -> None:
    """Takes all up to a place of the text into the bare number."""
    draft.end = draft.number_end = end
    draft.after = line.token_from(draft.first + 1, end)


def join_spans(line: TokenizedLine, drafts: Sequence[Draft]) -> list[Draft]:
    """Makes one of the hours, minutes and seconds that are told together: "2 hours 19 minutes"."""
    joined: list[Draft] = []
    for draft in drafts:
        last = joined[-1] if joined else draft
        many = _PARTS.get((last.unit, draft.unit), 0)
        timed = last.kind is draft.kind is NumeralKind.DURATION and last.value.denominator == 1
        between = line.text[line.ends[last.after - 1] : draft.start].strip(" .,\u00a0\u202f")
        if many and timed and between in _AND and draft.value < 60:
            last.amount, last.factor, last.unit = last.value * many + draft.value, ONE, draft.unit
            last.decimals, last.after = draft.decimals, draft.after
            last.end, last.number_end = line.ends[draft.after - 1], draft.number_end
        else:
            joined.append(draft)
    return joined


def half_hour(line: TokenizedLine, draft: Draft) -> bool:
    """Reads "halb sechs", which is half past five; whether it is one."""
    hours = draft.amount.denominator == 1 and 1 <= draft.amount <= 12 and draft.factor == 1
    half = line.language.code == "de" and draft.kind is None and line.before(draft.first) == "halb"
    if not hours or not half or line.next(draft.after) in line.language.scales:
        return False
    draft.kind, draft.amount = NumeralKind.TIME, draft.amount - Fraction(1, 2)
    return True


def clock(line: TokenizedLine, draft: Draft) -> bool:
    """Reads hours: "2:15am", "3 p.m.", "15:30", "alle 15.30", "5 часов утра"; whether it is one."""
    if draft.kind not in (None, NumeralKind.TIME) or draft.factor != 1:
        return False
    tables, at = line.language, draft.after
    if draft.kind is None and draft.form is NumeralForm.DIGITS and _with_marks(line, draft):
        return True
    if draft.decimals == 2 and draft.amount < 24 and _is_pointed(line, draft):
        return _with_point(line, draft)
    if tables.hour_sign and draft.kind is None and _with_letter(line, draft):
        return True
    if draft.decimals or draft.amount >= 25:
        return False
    match = _HALF_DAY.match(line.text, draft.end) if tables.code == "en" and draft.amount < 13 else None
    if match:
        draft.end = match.end()
        draft.kind, draft.after = NumeralKind.TIME, line.token_from(at, draft.end)
        return True
    for length in (2, 1):
        if line.phrase(at, length) in tables.time_after:
            draft.kind, draft.after = NumeralKind.TIME, at + length
            _minutes_after(line, draft)
            return True
    whole = draft.amount.denominator == 1 and draft.form is NumeralForm.DIGITS
    cue = line.before(draft.first) in ("ore", "alle") and line.next(at) in ("", "di", "del")
    if draft.kind is None and whole and cue:
        draft.kind = NumeralKind.TIME
    return draft.kind is NumeralKind.TIME


def _with_marks(line: TokenizedLine, draft: Draft) -> bool:
    """Reads "2h19'42''", "2h 19m 42s" and "1'57''42"; whether it is one."""
    match = _HOUR_MARKS.match(line.text, draft.end) or _MINUTE_MARKS.match(line.text, draft.end)
    if not match or draft.decimals:
        return False
    minutes, seconds, hundredths = match.groupdict().get("m"), match["s"], match["c"]
    if not minutes and not hundredths and line.language.code == "en":  # 5'10" is a height
        return False
    _take_time(draft, (minutes, seconds), hundredths, "second" if seconds else "minute")
    stretch_to(line, draft, match.end())
    return True


def _is_pointed(line: TokenizedLine, draft: Draft) -> bool:
    tables = line.language
    if tables.code == "en":
        return bool(_HALF_DAY.match(line.text, draft.end))
    if tables.code == "de":
        return (line.next(draft.after),) in tables.time_after
    return line.before(draft.first) in tables.time_before


def _minutes_after(line: TokenizedLine, draft: Draft) -> None:
    minutes, tables = line.next(draft.after), line.language
    if tables.code != "de" or not minutes.isdecimal() or len(minutes) > 2 or draft.amount.denominator > 1:
        return
    following = line.next(draft.after + 1)
    if int(minutes) < 60 and not (following and line.surface(draft.after + 1)[0].isupper()):
        draft.amount += Fraction(int(minutes), 60)
        draft.end = draft.number_end = line.ends[draft.after]
        draft.after += 1


def _with_letter(line: TokenizedLine, draft: Draft) -> bool:
    tables = line.language
    match = _LETTER.match(line.text, draft.end)
    before = line.before(draft.first)
    if not match or draft.decimals or draft.factor != 1:
        return False
    long = match[1] != tables.hour_sign
    span = before in tables.hour_not_before or (before in ("de", "d") and draft.amount < _SHORT_HOURS)
    if draft.amount > 24 or span or not (before in tables.hour_before or match[2]):
        if long:
            return False
        draft.amount += Fraction(int(match[2] or 0), 60)
        draft.number_end = match.end() if match[2] else draft.number_end
        draft.kind, draft.unit = NumeralKind.DURATION, "hour"
    elif long and not match[2] and line.next(line.token_from(draft.after, match.end())) in ("de", "d"):
        return False
    else:
        draft.amount += Fraction(int(match[2] or 0), 60)
        draft.kind = NumeralKind.TIME
        if match[2]:
            draft.number_end = match.end()
    draft.end = match.end()
    draft.after = line.token_from(draft.after, match.end())
    return True


def _with_point(line: TokenizedLine, draft: Draft) -> bool:
    written = line.text[draft.number_start : draft.number_end]
    hours, point, minutes = written.partition(".")
    following = line.text[draft.end : draft.end + 2].strip()
    unit = line.next(draft.after)
    tables = line.language
    measured = (unit,) in tables.measures or (unit,) in tables.currencies or unit in tables.abbreviations
    if not point or len(hours) > 2 or int(minutes) > 59 or following[:1] in ("%", "€", "₽") or measured:
        return False
    if (unit,) in tables.percents or unit in tables.scales:
        return False
    draft.amount = int(hours) + Fraction(int(minutes), 60)
    draft.kind, draft.decimals = NumeralKind.TIME, 0
    if tables.code in ("en", "de"):
        clock(line, draft)
    return True
