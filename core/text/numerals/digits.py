"""Numbers in digits: separators by language, fractions, magnitudes, ordinals, what is glued to them."""

import re
import unicodedata
from fractions import Fraction
from typing import Final

from core.text.numerals.clock import read_colon, stretch_to
from core.text.numerals.language_tables import WORDS, words
from core.text.numerals.magnitudes import added_half, take_scale
from core.text.numerals.numeral import VULGAR, Draft, NumeralForm, NumeralKind
from core.text.numerals.tokenized_line import TokenizedLine

LONGEST: Final = 1_000  # digits of the longest number that is read; Python refuses to read more than 4,300
_COMMAS: Final = re.compile(r"[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?|\d{1,2}(?:,\d{2})+,\d{3}")
_POINTS: Final = re.compile(r"[1-9]\d{0,2}(?:\.\d{3})+(?:,\d+)?")
_EUROPEAN: Final = re.compile(r"\d\.\d{3}(?!\d)|\d,\d{1,2}(?!\d)")
_SPACED: Final = re.compile(r"(?<!\d)\d{1,3}(?:[ \u00a0\u202f\u2009]\d{3})+(?![\d])(?:,\d+)?")
_NARROW: Final = re.compile(r"(?<!\d)\d{1,3}(?:[\u00a0\u202f\u2009]\d{3})+(?!\d)(?:\.\d+)?")
_APOSTROPHES: Final = re.compile(r"\d{1,3}(?:['’]\d{3})+(?!\d)(?:[.,]\d+)?")
_SLASH: Final = re.compile(r"[/⁄](\d{1,4})(?![\d/⁄])(?!\.\d)")
_RUN: Final = re.compile(r"\d+")
_POINTED: Final = re.compile(r"(\d{1,2})\.(\d{1,2})\.(?:\d{4}|(?<=\d\d\.)\d\d)")
_DATE: Final = re.compile(r"(\d{1,2})([/-])(\d{1,2})\2(\d{4}|\d\d)(?![\d/-])|(\d{4})-(\d\d)-(\d\d)(?![\d/-])")
_SHORT_DATE: Final = re.compile(r"(\d{1,2})\.(\d{1,2})")
_DATE_BEFORE: Final = words("am vom zum bis ab seit der den dem")
_RANGE: Final = re.compile(r"[-/]\d")
_GAPS: Final = re.compile(r"[\s'’]")
_VULGAR_VALUES: Final = {sign: Fraction(unicodedata.numeric(sign)).limit_denominator(10) for sign in VULGAR}
_NAMED: Final = frozenset({"9/11", "24/7", "20/20", "4/20", "7/7", "50/50", "26/11", "7/11"})
_RACES: Final = WORDS["races"]
_LENGTHS: Final = _RACES | WORDS["lengths"]
_MOVES: Final = WORDS["moves"]
_MILLIONS: Final = WORDS["millions"]
_IN_METRES: Final = re.compile(r"\d[ -]?met(?:re|er)s?\b", re.IGNORECASE)
_BESIDE: Final = 6  # words on either side of "800m" that say of what there are so many millions
_DISTANCES: Final = frozenset({50, 60, 100, 110, 200, 400, 800})
_SPORT: Final = WORDS["sport"]  # "10m" beside other words is ten million
_CENTIMETRES: Final = 2  # decimals of a length in metres; millions seldom have so many


def read_digits(line: TokenizedLine, at: int) -> tuple[list[Draft], int]:
    """The numerals in digits at a token, several where points part them ("1.2.3"), and the token behind."""
    raw = line.surface(at)
    start = line.starts[at]
    if raw in VULGAR:
        draft = _bare(at, start, line.ends[at], _VULGAR_VALUES[raw])
        draft.kind = NumeralKind.FRACTION
        take_magnitude(line, draft)
        return [draft], draft.after
    if line.language.point_nouns and (dated := _pointed_date(line, at)):
        return dated, at + 1
    if line.sign(line.ends[at]) in ("/", "-") and (dated := _date_pieces(line, at)):
        return dated, dated[-1].after
    end = _grouped_end(line, at)
    written = line.text[start:end]
    if len(written) > LONGEST:
        return [], line.token_from(at + 1, end)
    value = value_of(written, comma=line.language.comma and not _is_american(line, written))
    if value is None:
        return _pieces(line, at), at + 1
    draft = _bare(at, start, end, value[0])
    draft.decimals = value[1]
    draft.after = line.token_from(at + 1, end)
    if draft.decimals == 0 and written.isdigit():
        _go_on(line, draft, written)
    _leading_point(line, draft)
    if draft.kind is None:
        _mixed_fraction(line, draft)
        take_magnitude(line, draft)
    return [draft], draft.after


def value_of(written: str, *, comma: bool) -> tuple[Fraction, int] | None:
    """Value of digits with separators, and how many digits stand after the decimal sign."""
    digits = _GAPS.sub("", written)
    if digits.isdecimal():
        return Fraction(int(digits)), 0
    commas, points = digits.count(","), digits.count(".")
    if _COMMAS.fullmatch(digits) and not (comma and commas == 1 and not points):
        decimal = "."
    elif _POINTS.fullmatch(digits) and (comma or points > 1 or commas):
        decimal = ","
    elif commas + points == 1:
        decimal = "," if commas else "."
    else:
        return None
    whole, _, rest = digits.partition(decimal)
    return Fraction(int(whole.replace(",", "").replace(".", "") + rest), 10 ** len(rest)), len(rest)


def _is_american(line: TokenizedLine, written: str) -> bool:
    """Whether a comma parts thousands in Spanish, as in Mexico, where nothing in the text says otherwise."""
    grouped = line.language.code == "es" and _COMMAS.fullmatch(written)
    return bool(grouped) and not _EUROPEAN.search(line.text)


def _grouped_end(line: TokenizedLine, at: int) -> int:
    start, end = line.starts[at], line.ends[at]
    if end - start > 3 or end + 4 > len(line.text) or line.sign(end) not in " \u00a0\u202f\u2009'’":
        return end
    pattern = _SPACED if line.language.comma else _NARROW
    if line.sign(end) in "'’":
        pattern = _APOSTROPHES
    match = pattern.match(line.text, start)
    return match.end() if match and not _RANGE.match(line.text, match.end()) else end


def _bare(at: int, start: int, end: int, amount: Fraction) -> Draft:
    return Draft(at, at + 1, start, end, start, end, amount, NumeralForm.DIGITS)


def _pieces(line: TokenizedLine, at: int) -> list[Draft]:
    start, raw = line.starts[at], line.surface(at)
    runs = (run for run in _RUN.finditer(raw) if len(run[0]) <= LONGEST)
    drafts = [_bare(at, start + run.start(), start + run.end(), Fraction(int(run[0]))) for run in runs]
    if (date := _POINTED.fullmatch(raw)) and _is_date(int(date[1]), int(date[2])):
        for draft, kind in zip(drafts, (NumeralKind.DATE, NumeralKind.DATE, NumeralKind.YEAR), strict=True):
            draft.kind = kind
    elif "," not in raw:
        for draft in drafts:
            draft.kind = NumeralKind.NAME
    return drafts


def _date_pieces(line: TokenizedLine, at: int) -> list[Draft]:
    start = line.starts[at]
    match = _DATE.match(line.text, start)
    if not match or not _is_date(int(match[1] or match[6]), int(match[3] or match[7])):
        return []
    if start and line.sign(start - 1) in "/-–.":
        return []
    drafts: list[Draft] = []
    for group in (1, 3, 4) if match[1] else (5, 6, 7):
        begin, end = match.span(group)
        draft = _bare(at, begin, end, Fraction(int(match[group])))
        draft.kind = NumeralKind.YEAR if group in (4, 5) else NumeralKind.DATE
        draft.first = line.token_from(at, begin)
        draft.after = draft.first + 1
        drafts.append(draft)
    return drafts


def _pointed_date(line: TokenizedLine, at: int) -> list[Draft]:
    end = line.ends[at]
    match = _SHORT_DATE.fullmatch(line.surface(at))
    if not match or line.text[end : end + 1] != "." or line.before(at) not in _DATE_BEFORE:
        return []
    if not 1 <= int(match[1]) <= 31 or not 1 <= int(match[2]) <= 12:
        return []
    start, drafts = line.starts[at], []
    for group in (1, 2):
        begin, end = match.span(group)
        drafts.append(_bare(at, start + begin, start + end, Fraction(int(match[group]))))
        drafts[-1].kind = NumeralKind.DATE
    return drafts


def _is_date(first: int, second: int) -> bool:
    return 1 <= first <= 31 and 1 <= second <= 31 and min(first, second) <= 12


def _go_on(line: TokenizedLine, draft: Draft, written: str) -> None:
    text, end = line.text, draft.end
    following = text[end : end + 1]
    if following == ":" and len(written) <= 2:
        read_colon(line, draft)
    elif (
        following
        and following in "/⁄"
        and (slash := _SLASH.match(text, end))
        and text[max(0, draft.start - 1)] != "/"
    ):
        below = int(slash[1])
        if not below:
            return
        named = f"{written}/{slash[1]}" in _NAMED
        draft.kind = NumeralKind.NAME if named or draft.amount > below else NumeralKind.FRACTION
        draft.amount /= below
        stretch_to(line, draft, slash.end())
        if draft.kind is NumeralKind.FRACTION:
            take_scale(line, draft)
    elif written == "50" and re.compile(r"-50(?!\d)").match(text, end):
        draft.kind, draft.amount = NumeralKind.NAME, Fraction(1)
        stretch_to(line, draft, end + 3)


def _leading_point(line: TokenizedLine, draft: Draft) -> None:
    start = draft.start
    if line.sign(start - 1) == "." and line.sign(start - 2) in " $€£(\u00a0" and not draft.decimals:
        draft.factor = Fraction(1, 10 ** (draft.end - start))
        draft.start -= 1


def _mixed_fraction(line: TokenizedLine, draft: Draft) -> None:
    if draft.decimals or draft.factor != 1:
        return
    at = draft.after
    surface = line.surface(at)
    half = added_half(line, at)
    if half is not None:
        draft.amount += half[0]
        stretch_to(line, draft, line.ends[half[1] - 1])
    elif surface and surface in VULGAR and line.joined(at):
        draft.amount += _VULGAR_VALUES[surface]
        stretch_to(line, draft, line.ends[at])
    elif surface.isdecimal() and len(surface) < 3 and line.joined(at):
        slash = _SLASH.match(line.text, line.ends[at])
        if slash and 0 < int(surface) < int(slash[1]) and int(slash[1]) in (2, 3, 4, 5, 8, 10, 16):
            draft.amount += Fraction(int(surface), int(slash[1]))
            stretch_to(line, draft, slash.end())


def take_magnitude(line: TokenizedLine, draft: Draft) -> None:
    """Multiplies by a magnitude that follows: "K", "bn", "million", "млн"."""
    tables, at = line.language, draft.after
    word = line.next(at)
    if not word:
        return
    glued = line.starts[at] == draft.end
    short = tables.abbreviations.get(word, 0)
    glued = glued or line.sign(line.ends[at]) in ("€", "$", "£")
    if short and (glued or len(word) > 1) and _is_magnitude(line, draft, at):
        draft.factor *= short
        draft.after += 1
        draft.end = line.ends[at]
        draft.form = NumeralForm.MIXED
    elif not glued:
        while take_scale(line, draft):
            draft.form = NumeralForm.MIXED


def _is_magnitude(line: TokenizedLine, draft: Draft, at: int) -> bool:
    surface, word = line.surface(at), line.words[at]
    if len(word) > 1 or word == "k":
        return line.next(at + 1) not in _RACES or word != "k"
    money = line.text[max(0, draft.start - 1) : draft.start] in ("$", "€", "£", "¥")
    if surface.isupper():
        return word != "t" or money or line.next(at + 1) not in ("",)
    return money or (word == "m" and line.language.code == "en" and not _is_length(line, draft, at))


def _is_length(line: TokenizedLine, draft: Draft, at: int) -> bool:
    """Whether "m" behind a number is metres: there are millions of people, votes, things and money."""
    before, following = line.before(draft.first), line.next(at + 1)
    if draft.amount >= 1_000 or following in _LENGTHS or before in _MOVES:
        return True
    beside = {*line.words[max(0, draft.first - _BESIDE) : at + 1 + _BESIDE]}
    if beside & _MILLIONS:
        return False
    far = draft.amount in _DISTANCES or draft.decimals == _CENTIMETRES or not beside.isdisjoint(_SPORT)
    return far or _IN_METRES.search(line.text) is not None
