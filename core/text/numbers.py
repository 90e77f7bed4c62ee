"""Numbers in a headline, read lightly so that two headlines can be compared.

Digits with separators, percentages, sums of money, magnitudes and number words in English,
Russian and Italian. It reads what comparing needs and no more: no ranges, scores, fractions,
dates or clock times; a full reading of numerals is another room's work.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from core.text.tokens import Token, fold, guess_language, tokenize, word_list


class NumberKind(StrEnum):
    """What a number counts."""

    COUNT = "count"
    PERCENT = "percent"
    MONEY = "money"
    ORDINAL = "ordinal"
    YEAR = "year"
    AGE = "age"


@dataclass(frozen=True, slots=True)
class Quantity:
    """One number of a headline.

    Attributes:
        text: As it stands, magnitude word included: "40 млн".
        value: What it amounts to.
        kind: What it counts.
        unit: Currency code, or the normal form of what is counted; "" where it is not known.
        resolution: Half of this is lost in writing it: 1e8 for "3.2bn", 1 for "12".
        exact: False for "dozens", "hundreds", "тысячи": such a number contradicts nothing.
        start: Where it begins, in characters from 0.
        end: Where it ends, exclusive.
    """

    text: str
    value: float
    kind: NumberKind
    unit: str
    resolution: float
    exact: bool
    start: int
    end: int


def _numbered(words: str, first: int = 1, step: int = 1) -> dict[str, float]:
    return {w: float(first + step * i) for i, group in enumerate(words.split()) for w in group.split("/")}


_WORDS: dict[str, dict[str, float]] = {
    "en": _numbered(
        """one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
        sixteen seventeen eighteen nineteen"""
    )
    | _numbered("twenty thirty forty fifty sixty seventy eighty ninety", 20, 10),
    "ru": _numbered(
        """один/одна/одного/одной два/две/двух/двое три/трех/трое четыре/четырех/четверо пять/пяти/пятеро
        шесть/шести семь/семи восемь/восьми девять/девяти десять/десяти одиннадцать двенадцать тринадцать
        четырнадцать пятнадцать шестнадцать семнадцать восемнадцать девятнадцать двадцать/двадцати"""
    )
    | _numbered("тридцать сорок пятьдесят шестьдесят семьдесят восемьдесят девяносто сто", 30, 10),
    "it": _numbered(
        """uno due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici
        sedici diciassette diciotto diciannove"""
    )
    | _numbered("venti trenta quaranta cinquanta sessanta settanta ottanta novanta cento", 20, 10),
}
del _WORDS["it"]["uno"]  # an article more often than a number

_MAGNITUDES: dict[str, float] = {
    word: value
    for words, value in (
        ("hundred", 1e2),
        ("dozen дюжина дюжины dozzina", 12.0),
        ("k thousand тыс тысяч тысяча тысячи mila mille", 1e3),
        ("m mn mln million млн миллион миллиона миллионов milione milioni", 1e6),
        ("b bn mld billion млрд миллиард миллиарда миллиардов miliardo miliardi", 1e9),
        ("tn trn trillion трлн триллион триллиона триллионов", 1e12),
    )
    for word in words.split()
}
_VAGUE: dict[str, float] = {
    word: value
    for words, value in (
        ("dozens десятки десятков decine", 12.0),
        ("hundreds сотни сотен centinaia", 1e2),
        ("thousands тысячи migliaia", 1e3),
        ("millions миллионы", 1e6),
        ("billions миллиарды", 1e9),
    )
    for word in words.split()
}
_NEEDS_NUMBER = frozenset(word_list("k m b mn bn tn mld mln trn"))
_SIGNS = {"$": "USD", "us$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY", "₹": "INR", "₽": "RUB"}
_CURRENCIES = {
    fold(word): code
    for words, code in (
        ("dollar dollars dollari доллар доллара долларов долл", "USD"),
        ("euro euros евро", "EUR"),
        ("pound pounds sterline фунт фунтов", "GBP"),
        ("yen йен иен", "JPY"),
        ("rouble ruble rubles rubli рубль рубля рублей руб", "RUB"),
        ("rupees rupee рупий", "INR"),
        ("yuan юаней юань", "CNY"),
    )
    for word in words.split()
}
_PERCENT = frozenset(map(fold, word_list("percent percentage pct pc процент процента процентов")))
_CLASSES = {
    fold(word): name
    for words, name in (
        (
            """dead death deaths die dies died dying kill kills killed killing fatalities bodies victims slain
            погиб погибли погибших погибло убиты убито убил жертв умерли morti morto muoiono uccisi uccide
            vittime""",
            "dead",
        ),
        (
            """hurt injure injures injured injuring injuries wounded wounds пострадали пострадавших
            ранены ранено раненых feriti ferisce""",
            "hurt",
        ),
        ("people persons person человек людей persone persona", "people"),
    )
    for word in words.split()
}
_NUMBER = re.compile(r"(?P<sign>\D*?)\s?(?P<digits>\d[\d.,]*)\s?(?P<suffix>%|€|₽|[^\W\d_]*)", re.IGNORECASE)
_AGED = frozenset({"летн", "годовал"})
_ORDINAL = frozenset({"st", "nd", "rd", "th"})
_NOT_A_NUMBER_BEFORE_ONE = frozenset({"no", "any", "every", "this", "that", "which", "day", "number"})


def read_numbers(text: str, *, tokens: Sequence[Token] | None = None) -> tuple[Quantity, ...]:
    """The numbers of a headline, in order, not overlapping; () where there are none.

    Args:
        text: A headline of any length.
        tokens: Its tokens, where they are at hand.
    """
    words = tokenize(text) if tokens is None else tokens
    line = _Line(text, words, guess_language(token.text for token in words))
    found: list[Quantity] = []
    at = 0
    while at < len(words):
        quantity, after = _read_at(line, at)
        if quantity is not None:
            found.append(quantity)
        at = after
    return tuple(found)


def agree(left: Quantity, right: Quantity) -> bool:
    """Whether two numbers of the same kind say the same, one perhaps rounded ("$3bn", "$3.2bn").

    Rounding is allowed for sums, shares and values from 1,000, where one is written more
    coarsely and they differ by at most 10 %; a count of twelve is not a rounded fourteen.
    """
    if math.isclose(left.value, right.value, rel_tol=1e-6):
        return True
    low, high = sorted((abs(left.value), abs(right.value)))
    roundable = left.kind in (NumberKind.MONEY, NumberKind.PERCENT) or low >= 1000
    if not roundable or left.kind is NumberKind.YEAR or left.resolution == right.resolution:
        return False
    return high - low <= min(0.1 * high, max(left.resolution, right.resolution) / 2)


def conflict(left: Quantity, right: Quantity) -> bool:
    """Whether two numbers count the same thing and differ; both must be exact.

    Counts need a unit that is known and the same; years and ordinals never conflict.
    """
    if left.kind is not right.kind or left.kind in (NumberKind.YEAR, NumberKind.ORDINAL):
        return False
    same_unit = left.unit == right.unit and (bool(left.unit) or left.kind is not NumberKind.COUNT)
    return same_unit and left.exact and right.exact and not agree(left, right)


@dataclass(frozen=True, slots=True)
class _Line:
    """A headline with its tokens and the language of its number words."""

    text: str
    words: Sequence[Token]
    language: str

    def lower(self, at: int) -> str:
        """A token in lower case, or "" outside."""
        return self.words[at].text.casefold().replace("ё", "е") if 0 <= at < len(self.words) else ""

    def joined(self, at: int) -> str:
        """The form of a token with no more than a space or hyphen before it; or ""."""
        if not 0 < at < len(self.words):
            return ""
        gap = self.text[self.words[at - 1].end : self.words[at].start]
        return "" if gap.strip(" \u00a0\u202f-") else self.words[at].form


def _read_at(line: _Line, at: int) -> tuple[Quantity | None, int]:
    """The number that begins at a token, if any, and the token after it."""
    token, sign, suffix, exact = line.words[at], "", "", True
    if token.number:
        match = _NUMBER.match(token.text)
        if match is None or _is_clock_or_list(line.text, token):
            return None, at + 1
        sign, suffix = match["sign"].casefold().strip(), match["suffix"].casefold()
        digits, after = match["digits"], at + 1
        while not suffix and _is_thousands_group(line, after):
            digits += line.words[after].text
            after += 1
        value = _value(digits, grouped=suffix != "%" and not sign)
        resolution = _resolution(digits, value)
        factor = _MAGNITUDES.get(suffix, 1.0)
        value, resolution = value * factor, resolution * factor
    else:
        spelled = _spelled(line, at)
        if spelled is None:
            return None, at + 1
        value, exact, after = spelled
        resolution = 1.0 if value < 100 else value
    while exact and (factor := _MAGNITUDES.get(line.lower(after), 0.0)):
        value, resolution = value * factor, resolution * factor
        after += 1
    if not math.isfinite(value):
        return None, after  # hundreds of digits: nothing is counted so
    kind, unit, after = _written_measure(line, after, (sign, suffix)) or _counted(line, at, after, value)
    start, end = token.start, line.words[after - 1].end
    return Quantity(line.text[start:end], value, kind, unit, resolution, exact, start, end), after


def _spelled(line: _Line, at: int) -> tuple[float, bool, int] | None:
    """Value, exactness and the token after a number that is written in letters."""
    word, after = line.lower(at), at + 1
    pronoun = line.lower(after) == "of" or line.lower(at - 1) in _NOT_A_NUMBER_BEFORE_ONE
    if word == "one" and pronoun:
        return None
    table = _WORDS[line.language]
    if word in table:
        ones = table.get(line.lower(after), 10.0)
        compound = 20 <= table[word] < 100 and ones < 10
        return (table[word] + ones, True, after + 1) if compound else (table[word], True, after)
    if word in _VAGUE:
        return _VAGUE[word], False, after
    if word in _MAGNITUDES and word not in _NEEDS_NUMBER:
        return _MAGNITUDES[word], True, after
    return None


def _is_clock_or_list(text: str, token: Token) -> bool:
    """A clock time ("8:30") or a version mark in brackets ("(1)"), which count nothing."""
    before, after = text[max(0, token.start - 1) : token.start], text[token.end : token.end + 1]
    around_colon = (after == ":" and text[token.end + 1 : token.end + 2].isdigit()) or (
        before == ":" and text[max(0, token.start - 2) : token.start - 1].isdigit()
    )
    return around_colon or (before == "(" and after == ")")


def _is_thousands_group(line: _Line, at: int) -> bool:
    """Whether a token continues digits grouped with spaces, as in "10 000"."""
    if at >= len(line.words):
        return False
    token, previous = line.words[at], line.words[at - 1]
    gap = line.text[previous.end : token.start]
    digits = re.fullmatch(r"\d{3}", token.text) and re.fullmatch(r"\d{1,3}", previous.text)
    return bool(digits) and len(gap) == 1 and gap.isspace()


def _resolution(digits: str, value: float) -> float:
    """The place of the last digit that was meant; from three digits, closing zeros are not."""
    decimals = re.search(r"[.,](\d+)$", digits)
    if decimals and value % 1:
        return float(10.0 ** -len(decimals[1]))
    whole = f"{value:.0f}"
    return 10.0 ** (len(whole) - len(whole.rstrip("0"))) if len(whole) >= 3 else 1.0


def _value(digits: str, *, grouped: bool) -> float:
    """The value of digits with points and commas; a lone group of three is thousands."""
    digits = digits.strip(".,")
    if re.fullmatch(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?", digits):
        return float(digits.replace(",", ""))
    if re.fullmatch(r"[1-9]\d{0,2}(?:\.\d{3})+(?:,\d+)?", digits) and (grouped or digits.count(".") > 1):
        return float(digits.replace(".", "").replace(",", "."))
    plain = digits.replace(",", ".")
    if plain.count(".") > 1:
        plain = plain.replace(".", "")
    return float(plain)


def _written_measure(line: _Line, after: int, symbols: tuple[str, str]) -> tuple[NumberKind, str, int] | None:
    """Percentages, sums, ordinals, ages and decades: what the number's own signs or units say."""
    sign, suffix = symbols
    first = line.joined(after)
    second = line.joined(after + 1) if first else ""
    if suffix == "%" or first in _PERCENT:
        return NumberKind.PERCENT, "", after + (suffix != "%")
    if first == "per" and second in ("cent", "cento"):
        return NumberKind.PERCENT, "", after + 2
    if sign or suffix in _SIGNS:
        return NumberKind.MONEY, _SIGNS.get(sign or suffix, sign.upper()), after
    for ahead, form in ((1, first), (2, second if first == "di" else "")):
        if form in _CURRENCIES:
            return NumberKind.MONEY, _CURRENCIES[form], after + ahead
    if suffix in _ORDINAL:
        return NumberKind.ORDINAL, "", after
    if (first, second) == (fold("year"), fold("old")) or first in _AGED or suffix == "enne":
        return NumberKind.AGE, "", after
    return (NumberKind.YEAR, "", after) if suffix == "s" else None


def _counted(line: _Line, at: int, after: int, value: float) -> tuple[NumberKind, str, int]:
    """A year, or a count with the class or form of what is counted."""
    first = line.joined(after)
    second = line.joined(after + 1) if first else ""
    start = line.words[at].start
    if re.fullmatch(r"\d[-–]", line.text[max(0, start - 2) : start]):
        return NumberKind.COUNT, "", after  # the end of a range, a score or a season
    bare = after == at + 1 and line.words[at].text.isdigit()
    if bare and 1900 <= value <= 2100 and first not in _CLASSES:
        return NumberKind.YEAR, "", after
    before = line.words[at - 1].form if at and line.joined(at) else ""
    for form in (first, second, before):
        if _CLASSES.get(form, "people") != "people":
            return NumberKind.COUNT, _CLASSES[form], after
    if not first or line.words[after].stop or line.words[after].number:
        return NumberKind.COUNT, "", after
    return NumberKind.COUNT, _CLASSES.get(first, first), after
