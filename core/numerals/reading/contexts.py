"""What a number tells, from the words and signs around it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from core.numerals.numeral import Form, Kind
from core.numerals.reading.drafts import Draft
from core.numerals.reading.lines import Line
from core.numerals.reading.spelled import take_group

_SIGNS: Final = re.compile(r"(US|HK|NZ|[ACRSU])?([$€£¥₹₽₴₩₪])[ \u00a0\u202f]?$")
_CODES: Final = {"USD", "EUR", "GBP", "JPY", "CHF", "RUB", "CNY", "INR"}
_SIGN_UNITS: Final = {
    "$": "USD",
    "€": "EUR",
    "£": "GBP",
    "¥": "JPY",
    "₹": "INR",
    "₽": "RUB",
    "₴": "UAH",
    "₩": "KRW",
    "₪": "ILS",
}
_DOLLARS: Final = {"HK": "HKD", "NZ": "NZD", "A": "AUD", "C": "CAD", "S": "SGD", "R": "BRL"}
_GLUED_SIGN: Final = re.compile(r"[ \u00a0\u202f]?(?:([%٪])|([€₽₴£$])(?!\d)|(¢))")
_NOT_NAME: Final = frozenset(
    ["post", "pre", "mid", "under", "over", "sub", "almost", "nearly", "non", "late", "early", "ex", "anti", "top", "first", "about", "some", "like", "around", "last", "least", "than", "only", "just", "up", "plus", "to", "or", "and", "by", "of", "at", "in", "no", "the", "all", "now", "at-least", "every", "another"]
)
_MEANING = Callable[[Line, Draft], bool]


def tell_kind(line: Line, draft: Draft) -> None:
    """Finds kind and unit of a number, and takes its signs and unit words into its text."""
    money = _sign_before(line, draft)
    if money:
        return
    for meaning in _MEANINGS if draft.form is not Form.WORDS else _MEANINGS_OF_WORDS:
        if meaning(line, draft):
            return


def _sign_before(line: Line, draft: Draft) -> bool:
    """A currency before it: "$3.2bn", "US$ 40", "EUR 5"."""
    if draft.kind not in (None, Kind.FRACTION) or draft.form is Form.WORDS:
        return False
    before = line.text[max(0, draft.start - 4) : draft.start]
    if before and (
        before[-1] in _SIGN_UNITS or (before[-1] in " \u00a0\u202f" and before[-2:-1] in _SIGN_UNITS)
    ):
        sign = _SIGNS.search(before)
        if sign:
            unit = _DOLLARS.get(sign[1] or "", "USD") if sign[2] == "$" else _SIGN_UNITS[sign[2]]
            free = sign[1] and not line.text[max(0, draft.start - len(sign[0]) - 1)].isalpha()
            draft.start -= len(sign[0]) if free or not sign[1] else len(sign[0]) - len(sign[1])
            draft.kind, draft.unit = Kind.MONEY, unit
            _skip_currency(line, draft)
            return True
    code = line.surface(draft.first - 1)
    if code in _CODES and line.spaced(draft.first):
        draft.start = line.starts[draft.first - 1]
        draft.kind, draft.unit = Kind.MONEY, code
        return True
    return False


def _skip_currency(line: Line, draft: Draft) -> None:
    """ "$5 dollars" is no second unit."""
    if line.language.currencies.get((line.next(draft.after),), ("",))[0] == draft.unit:
        draft.after += 1
        draft.end = line.ends[draft.after - 1]


def _sign_after(line: Line, draft: Draft) -> bool:
    """A sign after it: "5%", "40 €", "99¢"."""
    match = _GLUED_SIGN.match(line.text, draft.end)
    if not match or draft.kind not in (None, Kind.FRACTION):
        return False
    draft.end = match.end()
    if match[1]:
        draft.kind, draft.unit = Kind.PERCENT, "%"
    elif match[3]:
        draft.kind, draft.unit, draft.factor = Kind.MONEY, "USD", draft.factor / 100
    else:
        draft.kind, draft.unit = Kind.MONEY, _SIGN_UNITS[match[2]]
    return True


def _glued(line: Line, draft: Draft) -> bool:
    """Letters right after digits: "22nd", "1990s", "3D", "40ft"; or before: "U2", "COVID-19"."""
    at = draft.after
    if draft.kind not in (None, Kind.NAME, Kind.FRACTION):
        return False
    if draft.kind is None and at < len(line) and line.starts[at] == draft.end:
        word = line.words[at]
        if word in line.language.ordinal_suffixes and not draft.decimals:
            draft.kind = Kind.ORDINAL
        elif word == "s" and line.language.code == "en":
            draft.kind = _plural(line, draft)
        elif _unit_after(line, draft, at):
            return True
        elif word in ("x",):
            draft.kind = Kind.COUNT
        elif word in ("am", "pm", "a", "p"):
            return False
        else:
            draft.kind = Kind.NAME
            draft.after = at + 1
            return True
        draft.after, draft.end = at + 1, line.ends[at]
        return True
    if draft.kind is not Kind.FRACTION and _glued_before(line, draft):
        draft.kind = Kind.NAME
        return True
    return draft.kind is Kind.NAME


def _plural(line: Line, draft: Draft) -> Kind:
    """ "1990s" and "'90s" are years, "20s" an age or a count."""
    if draft.number_end - draft.number_start == 4 or line.text[max(0, draft.start - 1) : draft.start] in (
        "'",
        "’",
        "‘",
    ):
        return Kind.YEAR
    before = line.before(draft.first)
    if before in ("his", "her", "their", "my", "early", "mid", "late", "hers", "your", "our"):
        return Kind.AGE
    return Kind.YEAR if before == "the" and draft.amount % 10 == 0 else Kind.COUNT


def _glued_before(line: Line, draft: Draft) -> bool:
    """Letters before digits with nothing or a hyphen between."""
    first, _text = draft.first, line.text
    if not first or draft.start != line.starts[first]:
        return False
    gap = line.gap(first)
    if gap == "":
        return not line.words[first - 1][0].isdecimal()
    if gap in ("-", "\u2011", "+") and not line.words[first - 1][0].isdecimal():
        surface = line.surface(first - 1)
        return (
            surface[0].isupper() and line.words[first - 1] not in _NOT_NAME and not line.hyphened(first - 1)
        )
    return False


def _unit_after(line: Line, draft: Draft, at: int) -> bool:
    """A measure, span of time or age from a token on."""
    tables = line.language
    for length in (3, 2, 1):
        phrase = line.phrase(at, length)
        if not phrase:
            continue
        if phrase in tables.age_after:
            draft.kind, draft.unit, draft.after = Kind.AGE, tables.spans.get(phrase[0], ""), at + length
            return True
        if phrase in tables.percents:
            draft.kind, draft.unit, draft.after = Kind.PERCENT, "%", at + length
            draft.end = line.ends[draft.after - 1]
            return True
        if phrase in tables.currencies:
            draft.kind, draft.unit = Kind.MONEY, tables.currencies[phrase][0]
            draft.factor *= tables.currencies[phrase][1]
            draft.after = at + length
            draft.end = line.ends[draft.after - 1]
            return True
        if phrase in tables.measures:
            draft.kind, draft.unit, draft.after = Kind.MEASURE, tables.measures[phrase], at + length
            return True
    span = tables.spans.get(line.next(at))
    if span:
        draft.kind, draft.unit, draft.after = Kind.DURATION, span, at + 1
        return True
    return False


def _measured(line: Line, draft: Draft) -> bool:
    """A unit after it, a space or hyphen between."""
    if draft.kind not in (None, Kind.FRACTION, Kind.DURATION):
        return False
    skipped = draft.value < 1 and line.next(draft.after) in line.language.articles
    found = _unit_after(line, draft, draft.after + skipped)
    return found or draft.kind is Kind.DURATION


def _clock(line: Line, draft: Draft) -> bool:
    """Hours: "2:15am", "3 p.m.", "at 15:30"."""
    if draft.kind not in (None, Kind.TIME) or draft.decimals or draft.factor != 1:
        return False
    at = draft.after
    glued = line.text[draft.end : draft.end + 6].lower().replace("\u00a0", " ")
    match = _HALF_DAY.match(glued)
    if match and draft.amount < 13 and line.language.code == "en":
        draft.end += match.end()
        while at < len(line) and line.starts[at] < draft.end:
            at += 1
        draft.kind, draft.after = Kind.TIME, at
        return True
    return draft.kind is Kind.TIME


_HALF_DAY: Final = re.compile(r"[ -]?[ap](?:\.? ?m\b\.?)")


def _date(line: Line, draft: Draft) -> bool:
    """A day with its month ("Sep 25", "25 September"), a year behind them."""
    if draft.kind not in (None, Kind.ORDINAL) or draft.decimals or draft.factor != 1:
        return False
    months, first, after = line.language.months, draft.first, draft.after
    before = line.words[first - 1] if first and line.gap(first) in (" ", ". ", "\u00a0", "  ") else ""
    whole = 1 <= draft.amount <= 31
    if before in months and _month_there(line, first - 1):
        if whole and draft.form is not Form.WORDS:
            draft.kind = Kind.DATE
            return True
        if 1000 <= draft.amount < 2200 and draft.kind is None:
            draft.kind = Kind.YEAR
            return True
    if whole and (
        line.next(after) in months or (line.next(after) == "of" and line.next(after + 1) in months)
    ):
        if line.next(after) in ("may", "mar", "march", "dec") and not line.surface(after)[0].isupper():
            return False
        draft.kind = Kind.DATE
        return True
    return False


def _month_there(line: Line, at: int) -> bool:
    """Whether a word is a month and no verb ("may 5", "march 10")."""
    return line.language.code != "en" or line.surface(at)[0].isupper()


def _year(line: Line, draft: Draft) -> bool:
    """A bare number of four digits that is a year, or "'98"."""
    if draft.kind is not None or draft.decimals or draft.factor != 1:
        return False
    _text, written = line.text, line.text[draft.number_start : draft.number_end]
    if not written.isdecimal():
        return False
    if len(written) == 2:
        return _short_year(line, draft)
    if len(written) != 4 or not 1000 <= draft.amount < 2200:
        return False
    before, tables = line.before(draft.first), line.language
    modern = 1800 <= draft.amount < 2100
    if before in tables.year_before or line.next(draft.after) in tables.year_after:
        known = modern or before in ("in", "since", "year", "circa", "nel", "dal", "в", "с")
    elif _follows_date(line, draft):
        known = True
    else:
        known = modern and not _plural_noun(line, draft.after)
    if known:
        draft.kind = Kind.YEAR
    return known


def _follows_date(line: Line, draft: Draft) -> bool:
    """Whether "Sep 25, " stands before it."""
    first = draft.first
    if first < 2 or line.gap(first) not in (", ", " "):
        return False
    return line.words[first - 2] in line.language.months or line.words[first - 1] in line.language.months


def _plural_noun(line: Line, at: int) -> bool:
    """Whether a thing that is counted follows."""
    word = line.next(at)
    return len(word) > 2 and (
        word in ("people", "men", "women", "children")
        or (word.endswith("s") and word not in line.language.stops and line.surface(at)[0].islower())
    )


def _short_year(line: Line, draft: Draft) -> bool:
    """ "'98": the apostrophe stands for the century."""
    text, start = line.text, draft.start
    opened = start and text[start - 1] in "'’‘" and (start == 1 or text[start - 2] in " (\u00a0-–—")
    if not opened or text[draft.end : draft.end + 1] in ("'", "’", "-", "%"):
        return False
    draft.kind, draft.start = Kind.YEAR, start - 1
    return True


def _age(line: Line, draft: Draft) -> bool:
    """ "Jones, 35,", "aged 35", "dead at 28"."""
    if draft.kind is not None or draft.decimals or draft.factor != 1 or not 0 < draft.amount < 125:
        return False
    tables, first = line.language, draft.first
    before = line.before(first)
    if before in tables.age_before:
        draft.kind, draft.unit = Kind.AGE, "year"
        return True
    following = line.text[draft.end : draft.end + 1]
    if before in ("at", "a", "в") and following in ("", ".", ",", ";", ":", "?", "!") and draft.amount > 12:
        if line.word(first - 2) in _DEATHS:
            draft.kind, draft.unit = Kind.AGE, "year"
            return True
    if (
        following not in (",", ".", ")", ";", "")
        or first < 1
        or line.gap(first) != ", "
        or draft.form is Form.WORDS
    ):
        return False
    surface = line.surface(first - 1)
    if surface[:1].isupper() and line.words[first - 1] not in tables.months and len(surface) > 1:
        draft.kind, draft.unit = Kind.AGE, "year"
        return True
    return False


_DEATHS: Final = frozenset(
    ["dead", "dies", "died", "die", "killed", "mom", "mother", "father", "dad", "again", "retires", "married", "marries", "star", "model", "legend", "actor", "dying", "pregnant", "bride", "graduates"]
)


def _rank_or_name(line: Line, draft: Draft) -> bool:
    """ "No. 1", "Boeing 737", "911"."""
    if draft.kind is not None or draft.decimals or draft.factor != 1:
        return False
    tables, first = line.language, draft.first
    if not first:
        return False
    gap, before = line.gap(first), line.words[first - 1]
    if before in tables.rank_before and gap in (". ", ".", " ", "\u00a0", ".\u00a0"):
        if before == "no" and gap == " ":
            return False
        draft.kind = Kind.ORDINAL
        return True
    if (
        line.text[max(0, draft.start - 1) : draft.start] in ("№", "#")
        or line.text[max(0, draft.start - 2) : draft.start] == "№ "
    ):
        draft.kind = Kind.ORDINAL
        return True
    if (
        line.spaced(first)
        and before in tables.name_before
        and (line.surface(first - 1)[0].isupper() or before == "iphone")
    ):
        draft.kind = Kind.NAME
        return True
    if (
        draft.amount == 911
        and line.text[draft.number_start : draft.number_end] == "911"
        and draft.form is Form.DIGITS
    ):
        draft.kind = Kind.NAME
        return True
    return False


def _grouped(line: Line, draft: Draft) -> bool:
    """A group word after digits: "5 dozen" is done with magnitudes; "2 decades" here."""
    return (
        draft.form is not Form.WORDS and draft.kind is None and draft.factor == 1 and take_group(line, draft)
    )


_MEANINGS: Final[tuple[_MEANING, ...]] = (
    _clock, _sign_after, _date, _glued, _rank_or_name, _measured, _year, _age,
)  # fmt: skip
_MEANINGS_OF_WORDS: Final[tuple[_MEANING, ...]] = (_clock, _date, _measured, _rank_or_name, _age)
