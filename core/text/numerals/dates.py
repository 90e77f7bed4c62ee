"""Days, years and hours; numbers that are part of a name, ranks, ages and Roman numerals."""

import re
from fractions import Fraction
from typing import Final

from core.text.numerals.numeral import WORDS, Draft, NumeralForm, NumeralKind, TokenizedLine, words

_HALF_DAY: Final = re.compile(r"[ \u00a0-]?[ap](?:\.[ \u00a0]?m\.?|m\b)|[ \u00a0]o['’]clock\b", re.IGNORECASE)
_LETTER: Final = re.compile(
    r"[ \u00a0\u202f]?(h|heures?)(?:[ \u00a0\u202f]?([0-5]\d)(?![\d]|[ \u00a0\u202f]?%|[.,]\d))?(?![^\W_])",
    re.IGNORECASE,
)
_GAMES_FROM: Final = 1950
_SHORT_HOURS: Final = 6  # fewer hours behind "de" are how long something takes ("un match de 2h30")
_MONTH_GAPS: Final = frozenset({" ", ". ", "\u00a0", "  ", "-"})
_SURE_YEAR: Final = words("in since year circa nel dal anno в с год года")
_BEFORE_DECADE: Final = words("gli negli degli dagli agli sugli") | {""}
_PEOPLE: Final = words("people men women children")
_VERBS: Final = words("may mar march")
_OPENS: Final = ' \u00a0(-–—"“«\n'


def decade(line: TokenizedLine, draft: Draft) -> bool:
    """Reads a decade: "neunziger Jahre", "gli anni Novanta", "années soixante"; whether it is one."""
    tables = line.language
    tens = draft.amount % 10 == 0 and 10 < draft.amount < 100 and draft.factor == 1
    named = line.word(draft.first) in tables.weak and tables.spans.get(line.next(draft.after)) == "year"
    before = line.before(draft.first)
    cue = before in tables.decade_before or (
        tables.code == "it" and before == "anni" and line.before(draft.first - 1) in _BEFORE_DECADE
    )
    if not tens or not (named or (cue and draft.kind is None)):
        return False
    draft.kind, draft.after = NumeralKind.YEAR, draft.after + named
    return True


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


def day(line: TokenizedLine, draft: Draft) -> bool:
    """Reads a day with its month ("Sep 25", "25 September", "25 сентября"); whether it is one."""
    if draft.kind not in (None, NumeralKind.ORDINAL) or draft.decimals or draft.factor != 1:
        return False
    months, first, after = line.language.months, draft.first, draft.after
    whole = 1 <= draft.amount <= 31 and draft.amount.denominator == 1
    written = draft.form is not NumeralForm.WORDS or draft.kind is NumeralKind.ORDINAL
    near = first and line.words[first - 1] in months and line.gap(first) in _MONTH_GAPS
    if near and _is_month(line, first - 1):
        if whole and draft.form is not NumeralForm.WORDS and line.language.code == "en":
            draft.kind = NumeralKind.DATE
            return True
        if draft.kind is None and 1000 <= draft.amount < 2200:
            draft.kind = NumeralKind.YEAR
            return True
    month = after + (line.next(after) == "of")
    if whole and written and line.next(month) in months and _is_month(line, month):
        draft.kind = NumeralKind.DATE
        return True
    return False


def _is_month(line: TokenizedLine, at: int) -> bool:
    return line.words[at] not in _VERBS or line.language.code != "en" or line.surface(at)[0].isupper()


def named_year(line: TokenizedLine, draft: Draft) -> bool:
    """Reads a number of four digits beside a word of years ("1998 год", "2016 election")."""
    named = draft.kind is None and _four_digits(line, draft)
    if named and line.next(draft.after) in line.language.year_after:
        draft.kind = NumeralKind.YEAR
    return draft.kind is NumeralKind.YEAR


def year(line: TokenizedLine, draft: Draft) -> bool:
    """Reads a bare number of four digits that is a year, or two after an apostrophe; whether it is one."""
    if draft.kind is not None:
        return False
    before = line.before(draft.first)
    if before in line.language.decade_before and draft.amount < 100 and draft.amount % 10 == 0:
        draft.kind = NumeralKind.YEAR
        return True
    if not _four_digits(line, draft):
        return _short_year(line, draft)
    modern = 1800 <= draft.amount < 2100
    if before in line.language.year_before:
        known = (modern and not _counted(line, draft.after)) or before in _SURE_YEAR
    else:
        known = modern and (_of_games(line, draft) or not _plural_noun(line, draft.after))
    first, months = draft.first, line.language.months
    dated = first >= 2 and line.gap(first) in (", ", " ", "\u00a0")
    if known or (dated and not months.isdisjoint(line.words[first - 2 : first])):
        draft.kind = NumeralKind.YEAR
    return draft.kind is NumeralKind.YEAR


def _of_games(line: TokenizedLine, draft: Draft) -> bool:
    surface, word = line.surface(draft.first - 1), line.before(draft.first)
    return (
        line.language.code == "de"
        and draft.first > 0
        and bool(word)
        and surface[0].isupper()
        and word not in line.language.stops
        and word not in line.language.near_before
        and draft.amount > _GAMES_FROM
        and bool(draft.amount % 100)
    )


def _four_digits(line: TokenizedLine, draft: Draft) -> bool:
    return (
        draft.number_end - draft.number_start == 4
        and not draft.decimals
        and draft.factor == 1
        and 1000 <= draft.amount < 2200
        and line.text[draft.number_start : draft.number_end].isdecimal()
    )


def _plural_noun(line: TokenizedLine, at: int) -> bool:
    word, tables = line.next(at), line.language
    if tables.code == "ru":
        return word.endswith(("ов", "ей", "ек", "иц", "век", "лет")) and len(word) > 3
    if tables.code == "de":
        surface = line.surface(at) if word else ""
        return len(word) > 3 and surface[0].isupper() and not surface.isupper() and word[-1] in "ners"
    if tables.code == "fr" and word.endswith("x"):
        return len(word) > 3 and line.surface(at)[0].islower()
    if tables.code == "it":
        return len(word) > 3 and word[-1] in "ie" and word not in tables.stops
    return _counted(line, at) or (
        len(word) > 2 and word.endswith("s") and word not in tables.stops and line.surface(at)[0].islower()
    )


def _counted(line: TokenizedLine, at: int) -> bool:
    word = line.next(at)
    return word in _PEOPLE or (word,) in line.language.measures or (word,) in line.language.currencies


def _short_year(line: TokenizedLine, draft: Draft) -> bool:
    start = draft.start
    if draft.number_end - draft.number_start != 2 or draft.decimals or draft.form is not NumeralForm.DIGITS:
        return False
    # Before the first character stands "", which is in every text.
    opened = start and line.sign(start - 1) in "'’‘" and line.sign(start - 2) in _OPENS
    if not opened or line.sign(draft.end) in ("'", "’", "-", "%"):
        return False
    draft.kind, draft.start = NumeralKind.YEAR, start - 1
    return True


_NO_NAME: Final = WORDS["no_name"]
_YEAR: Final = re.compile(r"(?:19|20)\d\d")
_RANK_GAPS: Final = frozenset({". ", ".", "\u00a0", ".\u00a0", "°", "° ", "°\u00a0"})
_DEATHS: Final = WORDS["deaths"]
_BEFORE_AGE: Final = words("at a в")
_SENTENCE_ENDS: Final = ("", ".", ",", ";", ":", "?", "!", ")")


def glued_before(line: TokenizedLine, draft: Draft) -> bool:
    """Reads a number behind letters, a hyphen or nothing between ("U2", "COVID-19"); whether it is one."""
    first = draft.first
    if draft.kind not in (None, NumeralKind.NAME) or not first or draft.start != line.starts[first]:
        return False
    gap, before = line.gap(first), line.words[first - 1]
    if before[0].isdecimal():
        return False
    hyphen = gap in ("-", "\u2011", "+") and (
        line.surface(first - 1)[0].isupper()
        and before not in _NO_NAME
        and (not line.hyphened(first - 1) or line.word(first - 2) in _NO_NAME)
    )
    if hyphen and line.language.code in ("de", "fr") and _YEAR.fullmatch(line.surface(first)):
        draft.kind = NumeralKind.YEAR
        return True
    if gap == "" or hyphen:
        draft.kind = NumeralKind.NAME
    return draft.kind is NumeralKind.NAME


def rank_or_name(line: TokenizedLine, draft: Draft) -> bool:
    """Reads "No. 1", "№ 5", "Boeing 737", "911"; whether it is one of these."""
    if draft.kind is not None or draft.decimals or draft.factor != 1:
        return False
    tables, first = line.language, draft.first
    gap, before = line.gap(first), line.word(first - 1)
    written = line.text[draft.number_start : draft.number_end]
    signs = line.text[max(0, draft.start - 2) : draft.start].rstrip()
    ranked = before in tables.rank_before and (gap in _RANK_GAPS or (gap == " " and len(before) > 3))
    surface = line.surface(first - 1)
    capital = tables.code != "en" or surface[:1].isupper() or surface == "iPhone"
    named = line.spaced(first) and before in tables.name_before and capital
    if ranked or signs.endswith(("№", "#")):
        draft.kind = NumeralKind.ORDINAL
    elif named or (written == "911" and draft.form is NumeralForm.DIGITS):
        draft.kind = NumeralKind.NAME
    return draft.kind is not None


def age(line: TokenizedLine, draft: Draft) -> bool:
    """Reads "Jones, 35,", "aged 35", "he was 35.", "dead at 28"; whether it is an age."""
    if draft.kind is not None or draft.decimals or draft.factor != 1 or not 0 < draft.amount < 125:
        return False
    tables, first, before = line.language, draft.first, line.before(draft.first)
    ends = line.sign(draft.end) in _SENTENCE_ENDS
    earlier, following = line.before(first - 1) if before else "", line.next(draft.after)
    alone = not following or (following in tables.stops and following != "of")
    if (
        aged(line, draft)
        or (ends and before in _BEFORE_AGE and draft.amount > 12 and earlier in _DEATHS)
        or (before in tables.being and earlier in tables.persons and alone)
        or (ends and draft.form is not NumeralForm.WORDS and _beside_name(line, draft))
    ):
        draft.kind, draft.unit = NumeralKind.AGE, "year"
    return draft.kind is NumeralKind.AGE


def aged(line: TokenizedLine, draft: Draft) -> bool:
    """Whether a word of age stands before a number ("aged", "in the ages of", "в возрасте")."""
    words_of_age, before = line.language.age_before, line.before(draft.first)
    return before in words_of_age or (
        before in ("of", "di", "от", "von", "de", "d") and line.before(draft.first - 1) in words_of_age
    )


def _beside_name(line: TokenizedLine, draft: Draft) -> bool:
    first = draft.first
    if not first:
        return False
    bracketed = line.language.code == "de" and line.gap(first) == " (" and line.sign(draft.end) == ")"
    if bracketed and draft.amount > 3:
        return line.surface(first - 1)[0].isupper() and not line.surface(first - 1).isupper()
    if line.gap(first) != ", " or not line.words[first - 1][0].isalpha():
        return False
    surface = line.surface(first - 1)
    person = surface[0].isupper() or line.sign(draft.end) == ","
    return person and len(surface) > 1 and line.words[first - 1] not in line.language.months


ROMAN: Final = re.compile(r"M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})")
_SMALL: Final = "abcdefghijklmnopqrstuvwxyzèé"
_VALUES: Final = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1_000}
_ABBREVIATIONS: Final = WORDS["abbreviations"]
_SINGLES: Final = WORDS["roman_before"]
_AFTER: Final = WORDS["centuries"]


def read_roman(line: TokenizedLine, at: int) -> Draft | None:
    """The Roman numeral at a token; None where it is an abbreviation, a pronoun or no numeral."""
    surface = line.surface(at)
    if surface in _ABBREVIATIONS or not ROMAN.fullmatch(surface):
        return None
    centuries = line.next(at + 1) in _AFTER
    named = at > 0 and line.spaced(at) and line.surface(at - 1)[0].isupper()
    if not centuries and not (
        named and (len(surface) > 1 or (surface in "IVX" and line.words[at - 1] in _SINGLES))
    ):
        return None
    if named and len(surface) > 1 and line.surface(at - 1).isupper() and len(line.surface(at - 1)) > 4:
        named = centuries
    start, end = line.starts[at], line.ends[at]
    draft = Draft(at, at + 1, start, end, start, end, Fraction(roman_value(surface)), NumeralForm.ROMAN)
    draft.kind = NumeralKind.ORDINAL if centuries else NumeralKind.NAME
    return draft


def read_roman_ordinal(line: TokenizedLine, at: int) -> Draft | None:
    """The ordinal at a token that is Roman digits with an ending ("XXIe siècle"); None where it is none."""
    surface = line.surface(at)
    digits = surface.rstrip(_SMALL)
    ending = surface[len(digits) :]
    if not digits or ending not in line.language.roman_ordinals or not ROMAN.fullmatch(digits):
        return None
    start, end = line.starts[at], line.ends[at]
    amount, digits_end = Fraction(roman_value(digits)), start + len(digits)
    draft = Draft(at, at + 1, start, end, start, digits_end, amount, NumeralForm.ROMAN)
    draft.kind = NumeralKind.ORDINAL
    return draft


def roman_value(written: str) -> int:
    """Value of a Roman numeral in capitals: a smaller sign before a larger one is taken off."""
    values = [_VALUES[sign] for sign in written]
    return sum(
        -value if value < following else value
        for value, following in zip(values, [*values[1:], 0], strict=True)
    )
