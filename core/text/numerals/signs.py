"""Signs that stand at a number: currencies before and after it, percent signs."""

from __future__ import annotations

import re
from typing import Final

from core.text.numerals.drafts import Draft
from core.text.numerals.lines import Line
from core.text.numerals.numeral import Form, Kind

_UNITS: Final = {
    "$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY", "₹": "INR", "₽": "RUB", "₴": "UAH", "₩": "KRW",
    "₪": "ILS",
}  # fmt: skip
_DOLLARS: Final = {
    "US": "USD",
    "U": "USD",
    "HK": "HKD",
    "NZ": "NZD",
    "A": "AUD",
    "C": "CAD",
    "S": "SGD",
    "R": "BRL",
}
_BEFORE: Final = re.compile(r"(?<![^\W_])(US|HK|NZ|[ACRS])?([$€£¥₹₽₴₩₪])[ \u00a0\u202f]?$|([$€£¥₹₽₴₩₪])$")
_AFTER: Final = re.compile(r"[ \u00a0\u202f]?(?:([%٪])|([€₽₴£$])(?![ \u00a0\u202f]?[\d$€£])|(¢))")
_CODES: Final = frozenset({"USD", "EUR", "GBP", "JPY", "CHF", "RUB", "CNY", "INR"})
_SPACES: Final = " \u00a0\u202f"


def sign_before(line: Line, draft: Draft) -> bool:
    """Takes a currency before a number into it ("$3.2bn", "US$ 40", "EUR 5"); whether there was one."""
    if draft.kind not in (None, Kind.FRACTION) or draft.form is Form.WORDS:
        return False
    before = line.text[max(0, draft.start - 5) : draft.start]
    bare = before.rstrip(_SPACES)
    if bare and bare[-1] in _UNITS and (sign := _BEFORE.search(before)):
        mark = sign[2] or sign[3]
        draft.unit = _DOLLARS[sign[1] or "US"] if mark == "$" else _UNITS[mark]
        draft.start -= len(sign[0])
    elif line.surface(draft.first - 1) in _CODES and line.spaced(draft.first):
        draft.unit = line.surface(draft.first - 1)
        draft.start = line.starts[draft.first - 1]
    else:
        return False
    draft.kind = Kind.MONEY
    if line.language.currencies.get((line.next(draft.after),), ("",))[0] == draft.unit:
        draft.after += 1
        draft.end = line.ends[draft.after - 1]
    return True


def sign_after(line: Line, draft: Draft) -> bool:
    """Takes a sign after a number into it ("5%", "40 €", "99¢"); whether there was one."""
    if draft.kind not in (None, Kind.FRACTION):
        return False
    if line.text[draft.end : draft.end + 1] == "°":
        return _ring(line, draft)
    match = _AFTER.match(line.text, draft.end)
    if not match:
        return False
    draft.end = match.end()
    if match[1]:
        draft.kind, draft.unit = Kind.PERCENT, "%"
    elif match[3]:
        draft.kind, draft.unit, draft.factor = Kind.MONEY, "USD", draft.factor / 100
    else:
        draft.kind, draft.unit = Kind.MONEY, _UNITS[match[2]]
    return True


def _ring(line: Line, draft: Draft) -> bool:
    """Reads "30°" as degrees, and in Italian, where no scale follows, as an ordinal ("1° gennaio")."""
    draft.end += 1
    scale = line.text[draft.end : draft.end + 2].strip()[:1] in ("C", "F", "С")
    if line.language.code == "it" and not scale and not draft.decimals:
        draft.kind = Kind.ORDINAL
        following = draft.after < len(line) and line.text[draft.end : line.starts[draft.after]] == " "
        if following and line.words[draft.after] in line.language.months:
            draft.kind = Kind.DATE
    else:
        draft.kind, draft.unit = Kind.MEASURE, "degree"
    return True
