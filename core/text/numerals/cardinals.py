"""Cardinals in words added up, and the ordinals and fractions that they end in."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from core.text.numerals.magnitudes import added_half, stretch, take_group, take_scale
from core.text.numerals.numeral import Draft, NumeralForm, NumeralKind
from core.text.numerals.tokenized_line import TokenizedLine

_TWENTIES: Final = (60, 80)  # tens that French goes on from to 19
_THOUSAND: Final = 1_000
_TENS_OF_TWENTIES: Final = (10, 70, 90)


def draft_of(
    line: TokenizedLine, at: int, after: int, amount: Fraction, kind: NumeralKind | None = None
) -> Draft:
    start, end = line.starts[at], line.ends[after - 1]
    return Draft(at, after, start, end, start, end, amount, NumeralForm.WORDS, kind=kind)


def read_cardinal(line: TokenizedLine, at: int) -> Draft:
    amount, after, scale = sum_of(line, at)
    draft = draft_of(line, at, after, amount)
    if scale > 1:
        return scaled(line, draft, scale)
    ordinal = _last_ordinal(line, at, after, amount)
    if ordinal is not None:
        return ordinal
    if (decimal := _behind_point(line, at, after)) is not None:
        digits, end = decimal
        draft = draft_of(line, at, end, amount + Fraction(int(digits), 10 ** len(digits)))
        draft.decimals = len(digits)
        take_scale(line, draft)
        return draft
    parts = _parts(line, after, amount)
    if parts:
        draft = draft_of(line, at, after + 1, amount / parts, NumeralKind.FRACTION)
    elif (half := added_half(line, after)) is not None:
        draft = draft_of(line, at, half[1], amount + half[0])
        take_scale(line, draft)
    else:
        take_group(line, draft)
    return draft


def _behind_point(line: TokenizedLine, at: int, after: int) -> tuple[str, int] | None:
    tables = line.language
    if line.next(after) not in tables.points or line.before(at) in tables.not_pointed:
        return None
    digits, place = "", after + 1
    while (value := tables.cardinals.get(line.next(place), 100)) < (10 if digits else 100):
        digits, place = f"{digits}{value}", place + 1
    return (digits, place) if digits else None


def scaled(line: TokenizedLine, draft: Draft, scale: int) -> Draft:
    if scale > 1 and (half := added_half(line, draft.after)):
        draft.amount += half[0] * scale
        stretch(line, draft, half[1])
    elif scale > 1:
        draft.amount, draft.factor = draft.amount / scale, Fraction(scale)
        draft.number_end = line.ends[draft.after - 2]
    return draft


def sum_of(line: TokenizedLine, at: int, current: int = 0) -> tuple[Fraction, int, int]:
    """Adds up a cardinal from a token on."""
    tables = line.language
    total, thousands, after, place = 0, 0, at, at
    scales: list[int] = []
    least = largest = 10**18
    while True:
        word = line.words[place] if place == at else line.next(place)
        if place > at and word in tables.joiners and _goes_on(line, place + 1, current):
            place += 1
            word = line.next(place)
        value = _value_of(line, word)
        if value is None and _is_one(line, place, current, scales):
            value = 1
        if word in tables.bare_scales and scales and not current and tables.scales[word] < least:
            current = 1  # "deux milliards mille"
        if tables.twenties and value == 20 and current % 100 == 4:
            current += 76
        elif value is not None and (
            place == at or _adds(line, current, value, bool(scales) and current == 0)
        ):
            current += value
        elif word in tables.hundreds and 0 < current < 100:
            current *= 100
        elif (scale := tables.scales.get(word, 0)) == _THOUSAND and current and scale < least:
            least, thousands, current = scale, scale * current, 0
            scales.append(scale)
        elif _THOUSAND < scale < largest and (current or thousands):  # "dos mil millones"
            least = largest = scale
            total, thousands, current = total + scale * (thousands + current), 0, 0
            scales.append(scale)
        else:
            break
        place += 1
        after = place
    amount = Fraction(total + thousands + current)
    return amount, after, scales[0] if len(scales) == 1 and not current else 1


def _is_one(line: TokenizedLine, place: int, current: int, scales: Sequence[int]) -> bool:
    """Whether a word is one behind others of a number: "vingt et un", "eine Milliarde eine Million"."""
    tables, word = line.language, line.next(place)
    if word in tables.ones and (current >= 20 or (scales[-1:] == [_THOUSAND] and not current)):
        return True
    article = tables.code in ("de", "fr", "it") and word in tables.articles
    below = tables.scales.get(line.next(place + 1), 0)
    return article and bool(scales) and not current and _THOUSAND < below < scales[-1]


def _value_of(line: TokenizedLine, word: str) -> int | None:
    whole, length = line.language.written_together(word)
    return line.language.cardinals.get(word, int(whole) if whole and length == len(word) else None)


def _adds(line: TokenizedLine, current: int, value: int, fresh: bool) -> bool:
    if value <= 0 or fresh:
        return value > 0
    if line.language.twenties:
        if current % 100 in _TWENTIES and 10 <= value < 17:
            return True
        if current % 100 == 10:
            return 7 <= value < 10
    size = 10 if value < 10 else 100 if value < 100 else 1_000
    return bool(current) and current % size == 0 and not (value < 10 and current % 100 == 10)


def _goes_on(line: TokenizedLine, place: int, current: int) -> bool:
    word = line.next(place)
    value = _value_of(line, word) or int(word in line.language.ones)
    if line.language.twenties:
        return (value == 1 and current % 10 == 0 and 20 <= current % 100 < 80) or (
            value == 11 and current % 100 == 60
        )
    if line.language.code in ("es", "pt") and current % 100 >= 20 and current % 10 == 0:
        return 0 < value < 10
    return (0 < value < 100 and current % 100 == 0) or (value > 0 and current % 1_000 == 0)


def _last_ordinal(line: TokenizedLine, at: int, after: int, amount: Fraction) -> Draft | None:
    if line.language.twenties:
        return _last_ordinal_of_twenties(line, at, after, int(amount))
    value = line.language.ordinals.get(line.next(after), 0)
    if not value:
        return None
    whole = int(amount)
    if value >= 100 and (whole > 1 or line.before(at) == "the"):
        return draft_of(line, at, after + 1, amount * value, NumeralKind.ORDINAL)
    if (value < 10 and whole >= 20 and whole % 10 == 0) or (value < 100 <= whole and whole % 100 == 0):
        return draft_of(line, at, after + 1, amount + value, NumeralKind.ORDINAL)
    return None


def _last_ordinal_of_twenties(line: TokenizedLine, at: int, after: int, whole: int) -> Draft | None:
    tables = line.language
    joined = line.next(after) in tables.joiners
    value = tables.ordinals.get(line.next(after + joined), 0)
    tens, below = whole % 100, whole % 10
    if not value or (joined and value not in (1, 11)):
        return None
    if value >= 100:
        whole *= value
    elif tens == 4 and value == 20:
        whole += 76
    elif (
        (value < 10 and tens >= 20 and not below and tens not in (70, 90))
        or (10 <= value < 17 and tens in _TWENTIES)
        or (7 <= value < 10 and tens in _TENS_OF_TWENTIES)
        or (value < 100 <= whole and not tens)
    ):
        whole += value
    else:
        return None
    return draft_of(line, at, after + joined + 1, Fraction(whole), NumeralKind.ORDINAL)


def _parts(line: TokenizedLine, after: int, amount: Fraction) -> int:
    tables, word = line.language, line.next(after)
    if not word or amount >= 100 or line.phrase(after + 1, 2) == ("de", "finale"):
        return 0
    many = tables.denominators_many.get(word, 0)
    if many and 1 < amount < many:
        return many
    return tables.denominators.get(word, 0) if amount == 1 else 0
