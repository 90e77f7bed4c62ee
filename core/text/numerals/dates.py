"""Days, years and decades."""

from typing import Final

from core.text.numerals.language_tables import words
from core.text.numerals.numeral import Draft, NumeralForm, NumeralKind
from core.text.numerals.tokenized_line import TokenizedLine

_YEARS: Final = range(1000, 2200)
MODERN_YEARS: Final = range(1800, 2100)
_GAMES_FROM: Final = 1950  # "Olympia 1972"
_OF: Final = ("of", "de")
_MONTH_GAPS: Final = frozenset({" ", ". ", "\u00a0", "  ", "-"})
_SURE_YEAR: Final = words("in since year circa nel dal anno в с год года")
_BEFORE_DECADE: Final = words("gli negli degli dagli agli sugli") | {""}
_PEOPLE: Final = words("people men women children")
_UNSURE_MONTHS: Final = words("may mar march")
_BEFORE_APOSTROPHE: Final = ' \u00a0(-–—"“«\n'


def read_decade(line: TokenizedLine, draft: Draft) -> bool:
    """Reads a decade: "neunziger Jahre", "gli anni Novanta", "années soixante"; True if it is one."""
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


def read_day(line: TokenizedLine, draft: Draft) -> bool:
    """Reads a day with its month ("Sep 25", "25 September", "25 сентября"); True if it is one."""
    if draft.kind not in (None, NumeralKind.ORDINAL) or draft.decimals or draft.factor != 1:
        return False
    months, first, after = line.language.months, draft.first, draft.after
    whole = 1 <= draft.amount <= 31 and draft.amount.denominator == 1
    written = draft.form is not NumeralForm.WORDS or draft.kind is NumeralKind.ORDINAL
    near = first > 0 and line.words[first - 1] in months and line.gap(first) in _MONTH_GAPS
    if near and _is_month(line, first - 1):
        if whole and draft.form is not NumeralForm.WORDS and line.language.code == "en":
            draft.kind = NumeralKind.DATE
            return True
        if draft.kind is None and _YEARS.start <= draft.amount < _YEARS.stop:
            draft.kind = NumeralKind.YEAR
            return True
    month = after + (line.next(after) in _OF)
    if whole and written and line.next(month) in months and _is_month(line, month):
        draft.kind = NumeralKind.DATE
        return True
    return False


def _is_month(line: TokenizedLine, at: int) -> bool:
    return line.words[at] not in _UNSURE_MONTHS or line.language.code != "en" or line.surface(at)[0].isupper()


def read_named_year(line: TokenizedLine, draft: Draft) -> bool:
    """Reads a number of four digits beside a word of years ("1998 год", "2016 election")."""
    named = draft.kind is None and _four_digits(line, draft)
    if named and line.next(draft.after) in line.language.year_after:
        draft.kind = NumeralKind.YEAR
    return draft.kind is NumeralKind.YEAR


def read_year(line: TokenizedLine, draft: Draft) -> bool:
    """Reads a bare number of four digits that is a year, or two after an apostrophe; True if it is one."""
    if draft.kind is not None:
        return False
    before = line.before(draft.first)
    if before in line.language.decade_before and draft.amount < 100 and draft.amount % 10 == 0:
        draft.kind = NumeralKind.YEAR
        return True
    if not _four_digits(line, draft):
        return _short_year(line, draft)
    modern = MODERN_YEARS.start <= draft.amount < MODERN_YEARS.stop
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
    word = line.before(draft.first)
    return (
        line.language.code == "de"
        and draft.first > 0
        and bool(word)
        and line.surface(draft.first - 1)[0].isupper()
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
        and _YEARS.start <= draft.amount < _YEARS.stop
        and line.text[draft.number_start : draft.number_end].isdecimal()
    )


def _short_year(line: TokenizedLine, draft: Draft) -> bool:
    start = draft.start
    if draft.number_end - draft.number_start != 2 or draft.decimals or draft.form is not NumeralForm.DIGITS:
        return False
    # Before the first character stands "", which is in every text.
    opened = start and line.sign(start - 1) in "'’‘" and line.sign(start - 2) in _BEFORE_APOSTROPHE
    if not opened or line.sign(draft.end) in ("'", "’", "-", "%"):
        return False
    draft.kind, draft.start = NumeralKind.YEAR, start - 1
    return True


def _plural_noun(line: TokenizedLine, at: int) -> bool:
    """Whether a word looks like several things that a number counts, by the endings of its language."""
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
