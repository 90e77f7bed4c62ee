"""Hours and minutes."""

import re
from fractions import Fraction
from typing import Final

from core.text.numerals.numeral import Draft, NumeralForm, NumeralKind
from core.text.numerals.tokenized_line import TokenizedLine

_HALF_DAY: Final = re.compile(r"[ \u00a0-]?[ap](?:\.[ \u00a0]?m\.?|m\b)|[ \u00a0]o['’]clock\b", re.IGNORECASE)
_LETTER: Final = re.compile(
    r"[ \u00a0\u202f]?(h|heures?)(?:[ \u00a0\u202f]?([0-5]\d)(?![\d]|[ \u00a0\u202f]?%|[.,]\d))?(?![^\W_])",
    re.IGNORECASE,
)
_SHORT_HOURS: Final = 6  # fewer hours behind "de" are how long something takes ("un match de 2h30")


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
