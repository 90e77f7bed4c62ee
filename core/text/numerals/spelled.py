"""Numbers in words: "two hundred and five", "half a million", "twenty-first", "two-thirds"."""

from fractions import Fraction
from typing import Final

from core.text.numerals.numeral import Approximation, Draft, NumeralForm, NumeralKind, TokenizedLine

LARGEST_FACTOR: Final = 10**30
"""What magnitudes multiply a number by at most; a text may go on with "million" after "million" for ever."""

_ONE = Fraction(1)
_OF: Final = ("of", "di", "de")
_TWENTIES: Final = (60, 80)  # tens that French goes on from to 19
_LEAST_ONE_SCALE: Final = 1_000
_TENS_OF_TWENTIES: Final = (10, 70, 90)


def read_words(line: TokenizedLine, at: int) -> Draft | None:
    """The numeral in words that begins at a token; None where none does."""
    tables, word = line.language, line.words[at]
    if word not in tables.starts:
        return _compound(line, at)
    after, before = tables.not_after.get(word), tables.not_before.get(word)
    following = line.next(at + 1)
    goes_on = following in tables.hundreds or following in tables.scales
    goes_on = goes_on or tables.ordinals.get(following, 0) >= 100
    if (after and line.before(at) in after and not goes_on) or (before and following in before):
        return None
    if following not in tables.only_before.get(word, (following,)):
        return None
    if word in tables.cardinals:
        return _cardinal(line, at)
    if word in tables.articles:
        return _article(line, at)
    if word in tables.ordinals:
        value = Fraction(tables.ordinals[word])
        if line.before(at) in tables.each and value > 1 and following not in tables.spans:
            return _draft(line, at, at + 1, 1 / value, NumeralKind.FRACTION)
        return _draft(line, at, at + 1, value, NumeralKind.ORDINAL)
    if word in tables.vague_many:
        return _several(line, at)
    if word in tables.vague:
        return _vague(line, at)
    return _single(line, at)


def _compound(line: TokenizedLine, at: int) -> Draft | None:
    word = line.words[at]
    value, length = line.language.written_together(word)
    if not value or line.ends[at] - line.starts[at] != len(word):
        return None
    if length == len(word):
        return _cardinal(line, at)
    for start, kind, unit in line.language.endings:
        if word.startswith(start, length):
            draft = _draft(line, at, at + 1, Fraction(value), kind)
            draft.unit, draft.number_end = unit, draft.start + length
            return draft
    return None


def _draft(
    line: TokenizedLine, at: int, after: int, amount: Fraction, kind: NumeralKind | None = None
) -> Draft:
    start, end = line.starts[at], line.ends[after - 1]
    return Draft(at, after, start, end, start, end, amount, NumeralForm.WORDS, kind=kind)


def _cardinal(line: TokenizedLine, at: int) -> Draft:
    amount, after, scale = sum_of(line, at)
    draft = _draft(line, at, after, amount)
    if scale > 1:
        return _scaled(line, draft, scale)
    ordinal = _last_ordinal(line, at, after, amount)
    if ordinal is not None:
        return ordinal
    if (decimal := _behind_point(line, at, after)) is not None:
        digits, end = decimal
        draft = _draft(line, at, end, amount + Fraction(int(digits), 10 ** len(digits)))
        draft.decimals = len(digits)
        take_scale(line, draft)
        return draft
    parts = _parts(line, after, amount)
    if parts:
        draft = _draft(line, at, after + 1, amount / parts, NumeralKind.FRACTION)
    elif (half := added_half(line, after)) is not None:
        draft = _draft(line, at, half[1], amount + half[0])
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


def _scaled(line: TokenizedLine, draft: Draft, scale: int) -> Draft:
    if scale > 1 and (half := added_half(line, draft.after)):
        draft.amount += half[0] * scale
        stretch(line, draft, half[1])
    elif scale > 1:
        draft.amount, draft.factor = draft.amount / scale, Fraction(scale)
        draft.number_end = line.ends[draft.after - 2]
    return draft


def stretch(line: TokenizedLine, draft: Draft, after: int) -> None:
    """Takes all up to a token into the bare number."""
    draft.after = after
    draft.end = draft.number_end = line.ends[after - 1]


def sum_of(line: TokenizedLine, at: int, current: int = 0) -> tuple[Fraction, int, int]:
    """Adds up a cardinal from a token on."""
    tables = line.language
    total, after, place = 0, at, at
    scales: list[int] = []
    least = 10**18
    while True:
        word = line.words[place] if place == at else line.next(place)
        if place > at and word in tables.joiners and _goes_on(line, place + 1, current):
            place += 1
            word = line.next(place)
        value = _value_of(line, word)
        if (
            value is None
            and word in tables.ones
            and (current >= 20 or (scales[-1:] == [1_000] and not current))
        ):
            value = 1
        if value is None and _one_scale(line, place, least) and scales and not current:
            value = 1
        if word in tables.bare_scales and scales and not current and tables.scales[word] < least:
            current = 1  # "deux milliards mille"
        if tables.twenties and value == 20 and current % 100 == 4:
            current += 76
            place += 1
            after = place
            continue
        if value is not None and (place == at or _adds(line, current, value, bool(scales) and current == 0)):
            current += value
        elif word in tables.hundreds and 0 < current < 100:
            current *= 100
        elif word in tables.scales and tables.scales[word] < least and current:
            least = tables.scales[word]
            scales.append(least)
            total, current = total + current * least, 0
        else:
            break
        place += 1
        after = place
    amount = Fraction(total + current)
    return amount, after, scales[0] if len(scales) == 1 and not current else 1


def _one_scale(line: TokenizedLine, place: int, least: int) -> bool:
    tables = line.language
    below = tables.scales.get(line.next(place + 1), 0)
    article = tables.code in ("de", "fr", "it") and line.next(place) in tables.articles
    return article and _LEAST_ONE_SCALE < below < least


def _value_of(line: TokenizedLine, word: str) -> int | None:
    whole, length = line.language.written_together(word)
    return line.language.cardinals.get(word, whole if whole and length == len(word) else None)


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
    if line.language.code == "es" and current % 100 >= 30 and current % 10 == 0:
        return value < 10
    return (0 < value < 100 and current % 100 == 0) or (value > 0 and current % 1_000 == 0)


def _last_ordinal(line: TokenizedLine, at: int, after: int, amount: Fraction) -> Draft | None:
    if line.language.twenties:
        return _last_ordinal_of_twenties(line, at, after, int(amount))
    value = line.language.ordinals.get(line.next(after), 0)
    if not value:
        return None
    whole = int(amount)
    if value >= 100 and (whole > 1 or line.before(at) == "the"):
        return _draft(line, at, after + 1, amount * value, NumeralKind.ORDINAL)
    if (value < 10 and whole >= 20 and whole % 10 == 0) or (value < 100 <= whole and whole % 100 == 0):
        return _draft(line, at, after + 1, amount + value, NumeralKind.ORDINAL)
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
    return _draft(line, at, after + joined + 1, Fraction(whole), NumeralKind.ORDINAL)


def _parts(line: TokenizedLine, after: int, amount: Fraction) -> int:
    tables, word = line.language, line.next(after)
    if not word or amount >= 100 or line.phrase(after + 1, 2) == ("de", "finale"):
        return 0
    many = tables.denominators_many.get(word, 0)
    if many and 1 < amount < many:
        return many
    return tables.denominators.get(word, 0) if amount == 1 else 0


def added_half(line: TokenizedLine, after: int) -> tuple[Fraction, int] | None:
    """What "and a half" adds, and the token after it; None where it does not follow."""
    for length in (3, 2):
        value = line.language.halves.get(line.phrase(after, length))
        if value is not None:
            return value, after + length
    return None


def take_scale(line: TokenizedLine, draft: Draft) -> bool:
    """Multiplies a number by a scale or group that follows ("million"); whether one did."""
    scale = line.language.scales.get(line.next(draft.after), 0)
    if not scale and line.next(draft.after) in line.language.hundreds:
        scale = 100
    if not scale:
        return take_group(line, draft)
    if draft.factor * scale > LARGEST_FACTOR:
        return False
    draft.factor *= scale
    draft.after += 1
    draft.end = line.ends[draft.after - 1]
    return True


def take_group(line: TokenizedLine, draft: Draft) -> bool:
    """Multiplies a number by a group that follows ("dozen", "decades"); whether one did."""
    group = line.language.groups.get(line.next(draft.after))
    if group is None or draft.factor * group[0] > LARGEST_FACTOR:
        return False
    if draft.amount <= 1 and draft.factor == 1 and not group[1]:  # "half a dozen" is six of nothing else
        draft.amount *= group[0]
        stretch(line, draft, draft.after + 1)
        return True
    draft.factor *= group[0]
    if group[1]:
        draft.kind, draft.unit = NumeralKind.DURATION, group[1]
    draft.after += 1
    draft.end = line.ends[draft.after - 1]
    return True


def _article(line: TokenizedLine, at: int) -> Draft | None:
    tables, word = line.language, line.next(at + 1)
    draft = _draft(line, at, at + 1, _ONE)
    if word in tables.hundreds or word in tables.scales:
        amount, after, scale = sum_of(line, at + 1, 1)
        return _scaled(line, _draft(line, at, after, amount), scale)
    if word in tables.groups:
        take_scale(line, draft)
        return draft
    if word in tables.denominators and _is_part(line, at + 1):
        draft = _draft(line, at, at + 2, Fraction(1, tables.denominators[word]), NumeralKind.FRACTION)
        if tables.code == "en" and line.next(at + 2) == "of" and line.next(at + 3) in tables.articles:
            whole, draft.after = draft.after, at + 4
            if take_scale(line, draft):
                draft.kind = None if draft.kind is NumeralKind.FRACTION else draft.kind
                return draft
            draft.after = whole
        if line.next(at + 2) in tables.scales:
            take_scale(line, draft)
            draft.kind = None
        return draft
    if word in tables.one_before or _opens_share(line, at):
        return draft
    if word in tables.spans and (half := added_half(line, at + 2)) is not None:  # "un an et demi"
        draft = _draft(line, at, half[1], _ONE + half[0], NumeralKind.DURATION)
        draft.unit = tables.spans[word]
        return draft
    inner = _single(line, at + 1) if word in tables.singles else None
    if inner is not None:
        inner.first, inner.start = at, line.starts[at]
    return inner


def _opens_share(line: TokenizedLine, at: int) -> bool:
    tables = line.language
    if tables.code not in ("de", "fr", "it"):
        return False
    for place in range(at + 1, at + 2 + min(1, tables.share_gap)):
        below = line.next(place + 1)
        if line.next(place) in tables.share_words and (below.isdecimal() or below in tables.cardinals):
            return True
    return False


def _is_part(line: TokenizedLine, at: int) -> bool:
    word = line.next(at + 1)
    if line.phrase(at + 1, 2) == ("de", "finale"):
        return False
    return not word or word in line.language.stops or word in line.language.scales


def _single(line: TokenizedLine, at: int) -> Draft | None:
    tables, word = line.language, line.words[at]
    if word in tables.bare_scales:
        amount, after, _ = sum_of(line, at, 1)
        draft = _draft(line, at, after, amount)
        before = line.before(at)
        if before == "multi":
            draft.approximation = Approximation.VAGUE
        elif before == "quarter":
            draft.first, draft.amount = at - 1, amount / 4
            draft.start = draft.number_start = line.starts[at - 1]
        return draft
    single = tables.singles.get(word)
    group = tables.groups.get(word)
    if single is None and group is None:
        return None
    if single is None:
        return _period(line, at)
    draft = _draft(
        line, at, at + 1, single, NumeralKind.FRACTION if single.denominator > 1 else NumeralKind.COUNT
    )
    if single.denominator > 1:
        skipped = line.next(at + 1) in tables.articles
        draft.after += skipped
        if take_scale(line, draft):
            draft.kind = None if draft.kind is NumeralKind.FRACTION else draft.kind
            return draft
        draft.after = at + 1
    if word in tables.weak and line.next(at + 1) not in tables.spans:
        return None
    if word in tables.spans:  # "полгода"
        draft.kind, draft.unit = NumeralKind.DURATION, tables.spans[word]
    return draft


def _period(line: TokenizedLine, at: int) -> Draft | None:
    factor, unit = line.language.groups[line.words[at]]
    cue = line.before(at) in line.language.past or (line.next(at + 1) == "long" and line.hyphened(at + 1))
    if not unit or not cue or line.words[at].endswith(("s", "ies", "ia")):
        return None
    draft = _draft(line, at, at + 1, Fraction(factor), NumeralKind.DURATION)
    draft.unit = unit
    return draft


def _several(line: TokenizedLine, at: int) -> Draft | None:
    tables, word = line.language, line.next(at + 1)
    scale = (
        100
        if word in tables.hundreds or tables.cardinals.get(word) == 100
        else tables.scales.get(word, 0) or tables.groups.get(word, (0, ""))[0]
    )
    if not scale:
        return _single(line, at)
    draft = _draft(line, at, at + 2, Fraction(scale))
    draft.number_start = line.starts[at + 1]
    draft.approximation = Approximation.VAGUE
    if word in tables.hundreds and line.next(at + 2) in tables.scales:
        take_scale(line, draft)
    if word in tables.groups and tables.groups[word][1]:
        draft.kind, draft.unit = NumeralKind.DURATION, tables.groups[word][1]
    return draft


def _vague(line: TokenizedLine, at: int) -> Draft:
    tables = line.language
    draft = _draft(line, at, at + 1, Fraction(tables.vague[line.words[at]]))
    draft.approximation = Approximation.VAGUE
    following = line.phrase(at + 1, 2)
    scale = tables.vague.get(following[1], 0) if len(following) == 2 and following[0] in _OF else 0
    if scale:
        draft.factor = Fraction(scale)
        draft.after, draft.end = at + 3, line.ends[at + 2]
    return draft
