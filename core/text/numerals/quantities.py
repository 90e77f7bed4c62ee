"""The numerals of a headline as it is compared with another: which agree, which contradict each other."""

import math
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from core.files import read_tables
from core.text.numerals.language_tables import LANGUAGES, language_tables
from core.text.numerals.languages import language_of
from core.text.numerals.numeral import Approximation, Bound, Numeral, NumeralForm, NumeralKind
from core.text.numerals.read import read_numerals
from core.text.reading import reads
from core.text.tokens import REMEMBERED, Token, fold, tokenize, word_list

_COUNTED: Final[dict[str, str]] = read_tables(__file__, "words")["counted"]
_CLASSES: Final = {fold(word): name for name, listed in _COUNTED.items() for word in listed.split()}
AMOUNTS: Final = frozenset({NumeralKind.COUNT, NumeralKind.MONEY, NumeralKind.PERCENT, NumeralKind.AGE})
"""Kinds of which another value of the same thing is a contradiction: no ranks, years, dates or names."""
_UNITS: Final = frozenset({NumeralKind.MEASURE, NumeralKind.DURATION})
_ROUNDED: Final = frozenset({NumeralKind.MONEY, NumeralKind.PERCENT})
_FEWEST_ROUNDED: Final = 1_000
_VERSIONS: Final = frozenset(map(fold, word_list("update refile corrected wrapup")))
_GAPS: Final = " \u00a0\u202f-"
_LARGEST: Final = 10**300
_SIGNIFICANT: Final = 3
_WORDS_BY_THEMSELVES: Final = frozenset(
    word
    for language in LANGUAGES
    for word, single in language_tables(language).singles.items()
    if single < language_tables(language).groups.get(word, (10, ""))[0]
)
"""Words such as "half", "both" and "trio", but "dozen"."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """A numeral as it is compared."""

    text: str  # as it stands, magnitude word included: "40 млн"
    value: float  # what it amounts to
    kind: NumeralKind  # see `NumeralKind`; measures and spans of time are counts of their unit
    unit: str  # currency code, unit, or the normal form of what is counted; "" where it is not known
    resolution: float  # half of this is lost in writing it: 1e8 for "3.2bn", 1 for "12"
    exact: bool  # false for "dozens", "hundreds", "тысячи": such a number contradicts nothing
    firm: bool  # another value contradicts it: exact, one of `AMOUNTS`, no end of a range, of a known thing
    start: int  # where it begins, in characters from 0
    end: int  # where it ends, exclusive


@reads("numbers", lambda text: ())
@lru_cache(maxsize=REMEMBERED)
def read_quantities(text: str, *, language: str = "en") -> tuple[Quantity, ...]:
    """The numerals that a headline is compared by, in order: none inside words ("PS4"), no "UPDATE 1"."""
    numerals = read_numerals(text, language=language_of(text, doubtful=language))
    if not numerals:
        return ()
    words = tokenize(text)
    amounts = (_quantity(text, words, numeral) for numeral in numerals if _is_compared(text, words, numeral))
    return tuple(filter(None, amounts))


def agree(left: Quantity, right: Quantity) -> bool:
    """Whether two numbers of a kind say the same, one perhaps rounded: sums, shares, what is from 1,000."""
    if math.isclose(left.value, right.value, rel_tol=1e-6):
        return True
    low, high = sorted((abs(left.value), abs(right.value)))
    roundable = left.kind in _ROUNDED or low >= _FEWEST_ROUNDED
    if not roundable or left.kind is NumeralKind.YEAR or left.resolution == right.resolution:
        return False
    return high - low <= min(0.1 * high, max(left.resolution, right.resolution) / 2)


def same(left: Quantity, right: Quantity) -> bool:
    """Whether two numbers of the same kind agree and count the same thing, as far as is known."""
    units = left.unit == right.unit or not (left.unit and right.unit)
    return agree(left, right) and (units or (left.value == right.value and left.exact and right.exact))


def conflict(left: Quantity, right: Quantity) -> bool:
    """Whether two numbers count the same known thing and differ."""
    alike = left.kind is right.kind and left.unit == right.unit
    return alike and left.firm and right.firm and not agree(left, right)


def _is_compared(text: str, words: Sequence[Token], numeral: Numeral) -> bool:
    if numeral.form is NumeralForm.ROMAN or numeral.value > _LARGEST:
        return False
    if numeral.form is not NumeralForm.WORDS:
        before, after = text[max(0, numeral.start - 1) : numeral.start], text[numeral.end : numeral.end + 1]
        at = _token_from(words, numeral.start)
        whole = at < len(words) and words[at].start == numeral.start
        version = (before == "(" and after == ")") or (at and words[at - 1].form in _VERSIONS)
        return whole and not version
    if numeral.kind in (NumeralKind.ORDINAL, NumeralKind.NAME) or numeral.factor != 1:
        return numeral.factor != 1
    return numeral.number.split()[-1].casefold() not in _WORDS_BY_THEMSELVES


def _quantity(text: str, words: Sequence[Token], numeral: Numeral) -> Quantity | None:
    kind = NumeralKind.COUNT if numeral.kind in _UNITS else numeral.kind
    unit = fold(numeral.unit) if numeral.kind in _UNITS else numeral.unit
    if kind is NumeralKind.COUNT and not unit:
        unit = _thing(text, words, numeral)
    if numeral.form is NumeralForm.WORDS and numeral.value == 1:
        following = _token_from(words, numeral.end)
        if not unit or (following < len(words) and words[following].text.casefold() == "of"):
            return None
    exact, amount = numeral.approximation is not Approximation.VAGUE, numeral.amount
    if numeral.decimals and amount.denominator > 1:
        place = 10.0**-numeral.decimals
    elif 0 < amount < 1:
        place = float(amount)
    else:
        whole = str(int(amount))
        place = 10.0 ** (len(whole) - len(whole.rstrip("0"))) if len(whole) >= _SIGNIFICANT else 1.0
    return Quantity(
        text=numeral.text,
        value=float(numeral.value),
        kind=kind,
        unit=unit,
        resolution=(place * float(numeral.factor)),
        exact=exact,
        firm=exact and bool(unit) and numeral.bound is Bound.NONE and kind in AMOUNTS,
        start=numeral.start,
        end=numeral.end,
    )


def _thing(text: str, words: Sequence[Token], numeral: Numeral) -> str:
    at, after = _token_from(words, numeral.start), _token_from(words, numeral.end)
    first = words[after].form if _joined(text, words, after) and not words[after].number else ""
    second = words[after + 1].form if first and _joined(text, words, after + 1) else ""
    before = words[at - 1].form if _joined(text, words, at) else ""
    for form in (first, second, before):
        if _CLASSES.get(form, "people") != "people":
            return _CLASSES[form]
    known = numeral.counted or not first or words[after].stop
    counted = fold(numeral.counted) if known else first
    return _CLASSES.get(first) or _CLASSES.get(counted, counted)


def _token_from(words: Sequence[Token], place: int) -> int:
    return bisect_left(words, place, key=lambda token: token.start)


def _joined(text: str, words: Sequence[Token], at: int) -> bool:
    return 0 < at < len(words) and not text[words[at - 1].end : words[at].start].strip(_GAPS)
