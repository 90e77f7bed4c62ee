"""Units after a number, what is written together with it, and signs of currencies and percentages."""

import re
from typing import Final

from core.text.numerals.dates import MODERN_YEARS
from core.text.numerals.language_tables import WORDS, words
from core.text.numerals.magnitudes import added_half, part_of, stretch
from core.text.numerals.numeral import Draft, NumeralForm, NumeralKind
from core.text.numerals.ranks_and_ages import aged
from core.text.numerals.tokenized_line import TokenizedLine

_OF: Final = words("of di de")  # before what a fraction is part of
_CLUBS: Final = words("fc ffc fsv")  # behind the "1." of their names
_YEARS_OF: Final = words("his her their my your our early mid late")
_LEAST_MARK: Final = 1_000  # from it on "10.000er-Marke" is a number and no name, as "63er" is one
_NUMBER_SIGNS: Final = {"-": "-", "−": "-", "–": "-", "+": "+", "±": "±"}
_UNSIGNED: Final = frozenset(map(NumeralKind, ("year", "date", "time", "name", "ordinal")))
_BEFORE_SIGN: Final = frozenset(" \u00a0\u202f([\n:\"'«„“")
_NO_AGE: Final = WORDS["no_age"]
_SPEEDS: Final = {
    **dict.fromkeys([("kilometre", "/h"), ("kilometre", "/ч")], "kilometre per hour"),
    **dict.fromkeys([("metre", "/s"), ("metre", "/с")], "metre per second"),
}
_CENTURY_SIGNS: Final = frozenset("'’‘")
_UNITS: Final = {
    "$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY", "₹": "INR", "₽": "RUB", "₴": "UAH", "₩": "KRW",
    "₪": "ILS",
}  # fmt: skip
_DOLLARS: Final = {
    **{"US": "USD", "U": "USD", "HK": "HKD", "NZ": "NZD"},
    **{"A": "AUD", "C": "CAD", "S": "SGD", "R": "BRL"},
}
_BEFORE: Final = re.compile(r"(?<![^\W_])(US|HK|NZ|[ACRS])?([$€£¥₹₽₴₩₪])[ \u00a0\u202f]?$|([$€£¥₹₽₴₩₪])$")
_AFTER: Final = re.compile(r"[ \u00a0\u202f]?(?:([%٪])|([€₽₴£$])(?![ \u00a0\u202f]?[\d$€£])|(¢))")
_RING: Final = re.compile(r"(°)|[ \u00a0\u202f]?([°º])[ \u00a0\u202f]?[CFС]\b")
_CODES: Final = words("USD EUR GBP JPY CHF RUB CNY INR CAD AUD SEK NOK DKK PLN TRY BRL MXN Rs")
_CODE_GAPS: Final = ("", ". ", ".")  # "Rs. 500"
_SCALES: Final = {"C": "degree Celsius", "С": "degree Celsius", "F": "degree Fahrenheit"}
_SPACES: Final = " \u00a0\u202f"


def unit_after(line: TokenizedLine, draft: Draft, at: int) -> bool:
    """Gives a number the unit that begins at a token: percent, money, measure, age, span of time."""
    tables = line.language
    for length in (3, 2, 1):
        phrase = line.phrase(at, length)
        if not phrase:
            continue
        after, end = at + length, line.ends[at + length - 1]
        if phrase in tables.age_after:
            draft.kind, draft.unit, draft.after = NumeralKind.AGE, tables.spans.get(phrase[0], ""), after
        elif phrase in tables.percents or phrase in tables.basis_points:
            draft.kind, draft.unit, draft.after, draft.end = NumeralKind.PERCENT, "%", after, end
            draft.factor /= 100 if phrase in tables.basis_points else 1
        elif phrase in tables.currencies:
            unit, part = tables.currencies[phrase]
            draft.kind, draft.unit, draft.after, draft.end = NumeralKind.MONEY, unit, after, end
            draft.factor *= part
        elif phrase in tables.measures:
            draft.kind, draft.unit, draft.after = NumeralKind.MEASURE, tables.measures[phrase], after
            speed = _SPEEDS.get((draft.unit, line.text[end : end + 2]))
            if speed and line.ends[after] == end + 2:
                draft.unit, draft.after = speed, after + 1
        else:
            continue
        return True
    span = tables.spans.get(line.next(at))
    if span:
        draft.kind, draft.unit, draft.after = NumeralKind.DURATION, span, at + 1
    return bool(span)


def measured(line: TokenizedLine, draft: Draft) -> bool:
    """Gives a number the unit after it, with a space or hyphen between; whether there was one."""
    if draft.kind not in (None, NumeralKind.FRACTION, NumeralKind.DURATION):
        return False
    if draft.kind is NumeralKind.FRACTION and _of_a_point(line, draft):
        return True
    at, words_alone = draft.after, draft.form is NumeralForm.WORDS
    at += draft.value < 1 and line.next(at) in line.language.articles
    at += line.next(at) in line.language.fillers and line.next(at + 1) in line.language.spans
    if draft.kind is NumeralKind.FRACTION and words_alone and at == draft.after and line.next(at) == "of":
        return True
    has_unit = unit_after(line, draft, at) or draft.kind is NumeralKind.DURATION
    spelled = draft.kind is NumeralKind.DURATION and words_alone and draft.factor == 1
    if spelled and (half := added_half(line, draft.after)):
        draft.amount += half[0]
        stretch(line, draft, half[1])
    at_hour = line.before(draft.first) == "в" and draft.form is NumeralForm.DIGITS
    if draft.kind is NumeralKind.DURATION and (aged(line, draft) or _in_years(line, draft)):
        draft.kind = NumeralKind.AGE
    elif at_hour and draft.unit == "hour" and draft.amount < 25:
        draft.kind, draft.unit = NumeralKind.TIME, ""
    return has_unit


def _of_a_point(line: TokenizedLine, draft: Draft) -> bool:
    """Reads "a quarter of a percentage point" and "half a point"; whether it is one."""
    tables, at = line.language, draft.after
    at += line.next(at) in _OF
    at += line.next(at) in tables.articles
    if length := part_of(line, at):
        draft.kind, draft.unit, draft.after = NumeralKind.PERCENT, "%", at + length
        draft.end = line.ends[draft.after - 1]
    return length > 0


def _in_years(line: TokenizedLine, draft: Draft) -> bool:
    """Whether years behind a number are an age by what stands before it: "à 12 ans", ", de 34 años"."""
    first, language = draft.first, line.language
    if language.code not in ("fr", "es", "pt") or draft.unit != "year" or not 0 < draft.amount < 125:
        return False
    if language.code != "fr" and (before := line.before(first)):
        parted = before == "de" and line.gap(first - 1) == ", "
        return parted or before == "aos" or (before, line.before(first - 1)) == ("los", "a")
    following = line.sign(line.ends[draft.after - 1])
    if line.before(first) == "à":
        return line.before(first - 1) not in _NO_AGE and line.next(draft.after) not in ("de", "d")
    gap = line.gap(first)
    return bool(first) and (
        (gap == ", " and following in (",", "") and line.words[first - 1].isalpha())
        or (gap == " (" and following == ")" and line.surface(first - 1)[0].isupper())
    )


def pointed_ordinal(line: TokenizedLine, draft: Draft) -> bool:
    """Reads "3." as an ordinal where it is one ("3. Platz"); whether it is."""
    plain = draft.kind is None and not draft.decimals and draft.factor == 1
    if not plain or line.sign(draft.end) != "." or not line.pointed(draft.after):
        return False
    draft.kind = NumeralKind.NAME if line.words[draft.after] in _CLUBS else NumeralKind.ORDINAL
    draft.end += 1
    return True


def signed(line: TokenizedLine, draft: Draft) -> None:
    """Reads a sign before a number ("-5", "+3 %", "±2", "minus 5") and takes it into the number's text."""
    text, start = line.text, draft.start
    sign = _NUMBER_SIGNS.get(line.sign(start - 1)) if draft.form is not NumeralForm.ROMAN else None
    if sign and draft.kind not in _UNSIGNED:
        before = text[max(0, start - 4) : start - 1]
        alone = not before or before[-1] in _BEFORE_SIGN
        ranged = alone and before.rstrip(_SPACES)[-1:].isdecimal() and sign != "±"
        if alone and not ranged:
            draft.sign, draft.start = sign, start - 1
    elif draft.first and line.joined(draft.first) and line.ends[draft.first - 1] + 1 == draft.start:
        first, word = draft.first, line.words[draft.first - 1]
        phrases = line.language.near_before.get(word, ())
        # "au moins 5" is no sum below zero.
        if not any(tuple(line.words[max(0, first - len(form)) : first]) == form for form, _ in phrases):
            sign = "-" if word in line.language.minus else "+" if word in line.language.plus else ""
            draft.sign = sign or draft.sign
    for length in (1, 2, 3):
        if line.phrase(draft.after, length) in line.language.below_zero:
            draft.sign, draft.after = "-", draft.after + length


def glued(line: TokenizedLine, draft: Draft) -> bool:
    """Reads letters right after digits: "22nd", "1990s", "3D", "40ft", "3-й", "35-летний"; whether any."""
    at = draft.after
    if draft.kind is not None or at >= len(line):
        return False
    touching, word = line.starts[at] == draft.end or _is_raised(line, at), line.words[at]
    if (touching or line.hyphened(at)) and _ending(line, draft, at):
        return True
    if line.hyphened(at) and line.surface(at) in ("D", "G"):
        draft.kind = NumeralKind.NAME
    if not touching:
        return draft.kind is NumeralKind.NAME
    if word == "s" and line.language.code == "en":
        draft.kind = _plural(line, draft)
    elif not (word in ("g", "l") and line.surface(at).isupper()) and unit_after(line, draft, at):
        return True
    elif line.surface(at) in _SCALES and line.before(draft.first) not in line.language.name_before:
        draft.kind, draft.unit = NumeralKind.MEASURE, _SCALES[line.surface(at)]
    elif word == "in":
        draft.kind, draft.unit, draft.after = NumeralKind.MEASURE, "inch", at + 1
        return True
    elif word in ("x", "х"):
        draft.kind = NumeralKind.COUNT
    else:
        draft.kind, draft.after = NumeralKind.NAME, at + 1
        return True
    draft.after, draft.end = at + 1, line.ends[at]
    return True


def _is_raised(line: TokenizedLine, at: int) -> bool:
    return line.gap(at) == "." and line.words[at] in ("º", "ª")  # "3.ª"


def _ending(line: TokenizedLine, draft: Draft, at: int) -> bool:
    tables, word = line.language, line.words[at]
    if tables.code == "de" and word in ("er", "ern") and not draft.decimals and draft.factor == 1:
        decade = draft.amount % 10 == 0 and (
            draft.number_end - draft.number_start == 4 or line.next(at + 1) in ("jahre", "jahren", "jahrgang")
        )
        mark = NumeralKind.COUNT if draft.amount >= _LEAST_MARK else NumeralKind.NAME
        draft.kind = NumeralKind.YEAR if decade else mark
        draft.after, draft.end = at + 1, line.ends[at]
        return True
    sharp = line.starts[at] == draft.end or tables.code == "ru" or _is_raised(line, at)
    if sharp and word in tables.ordinal_suffixes and not draft.decimals and draft.factor == 1:
        decade = tables.code == "ru" and word in ("е", "ые") and draft.amount % 10 == 0 and draft.amount >= 10
        four_digits = draft.number_end - draft.number_start == 4
        modern = MODERN_YEARS.start <= draft.amount < MODERN_YEARS.stop
        named = tables.code == "ru" and four_digits and modern
        draft.kind = NumeralKind.YEAR if decade or named else NumeralKind.ORDINAL
        if tables.code == "fr" and draft.amount == 1 and line.next(at + 1) in tables.months:
            draft.kind = NumeralKind.DATE
    elif sharp and word in tables.count_suffixes:
        decade = word == "х" and draft.amount % 10 == 0 and tables.spans.get(line.next(at + 1)) == "year"
        draft.after, draft.end = at + 1, line.ends[at]
        if decade:
            draft.kind = NumeralKind.YEAR
        return decade or unit_after(line, draft, at + 1)
    else:  # the rest of an adjective
        ending = next((entry for entry in tables.endings if word.startswith(entry[0])), None)
        if ending is not None:
            _, draft.kind, draft.unit = ending
            draft.after = at + 1
        return ending is not None
    draft.after, draft.end = at + 1, line.ends[at]
    return True


def _plural(line: TokenizedLine, draft: Draft) -> NumeralKind:
    written = draft.number_end - draft.number_start
    if written == 4 or line.text[max(0, draft.start - 1) : draft.start] in _CENTURY_SIGNS:
        return NumeralKind.YEAR
    before = line.before(draft.first)
    if before in _YEARS_OF:
        return NumeralKind.AGE
    return NumeralKind.YEAR if before == "the" and draft.amount % 10 == 0 else NumeralKind.COUNT


def sign_before(line: TokenizedLine, draft: Draft) -> bool:
    """Takes a currency before a number into it ("$3.2bn", "US$ 40", "EUR 5"); whether there was one."""
    if draft.kind not in (None, NumeralKind.FRACTION) or draft.form is NumeralForm.WORDS:
        return False
    before = line.text[max(0, draft.start - 5) : draft.start]
    bare = before.rstrip(_SPACES)
    if bare and bare[-1] in _UNITS and (sign := _BEFORE.search(before)):
        mark = sign[2] or sign[3]
        draft.unit = _DOLLARS[sign[1] or "US"] if mark == "$" else _UNITS[mark]
        draft.start -= len(sign[0])
    elif (code := line.surface(draft.first - 1)) in _CODES and (
        line.spaced(draft.first) or line.gap(draft.first) in _CODE_GAPS
    ):
        draft.unit = "INR" if code == "Rs" else code
        draft.start = line.starts[draft.first - 1]
    else:
        return False
    draft.kind = NumeralKind.MONEY
    if line.language.currencies.get((line.next(draft.after),), ("",))[0] == draft.unit:
        draft.after += 1
        draft.end = line.ends[draft.after - 1]
    return True


def sign_after(line: TokenizedLine, draft: Draft) -> bool:
    """Takes a sign after a number into it ("5%", "40 €", "99¢"); whether there was one."""
    if draft.kind not in (None, NumeralKind.FRACTION):
        return False
    if ring := _RING.match(line.text, draft.end):
        draft.end = ring.end(ring.lastindex or 0)
        scale = line.text[draft.end : draft.end + 2].strip()[:1]
        if line.language.code in ("it", "es", "pt") and scale not in _SCALES and not draft.decimals:
            draft.kind = NumeralKind.ORDINAL
            following = draft.after < len(line) and line.text[draft.end : line.starts[draft.after]] == " "
            if following and line.words[draft.after] in line.language.months:
                draft.kind = NumeralKind.DATE
        else:
            draft.kind, draft.unit = NumeralKind.MEASURE, _SCALES.get(scale, "degree")
            draft.after = line.token_from(draft.after, draft.end + 1)
        return True
    # "5 Mio. €": the point belongs to the abbreviation.
    pointed = draft.form is NumeralForm.MIXED and line.word(draft.after - 1) in line.language.dotted
    match = _AFTER.match(line.text, draft.end + (pointed and line.sign(draft.end) == "."))
    if not match:
        return False
    draft.end = match.end()
    if match[1]:
        draft.kind, draft.unit = NumeralKind.PERCENT, "%"
    elif match[3]:
        draft.kind, draft.unit, draft.factor = NumeralKind.MONEY, "USD", draft.factor / 100
    else:
        draft.kind, draft.unit = NumeralKind.MONEY, _UNITS[match[2]]
    return True
