"""Numbers in words: "two hundred and five", "half a million", "twenty-first", "two-thirds"."""

from fractions import Fraction
from typing import Final

from core.text.numerals.cardinals import draft_of, read_cardinal, scaled, sum_of
from core.text.numerals.magnitudes import added_half, part_of, take_scale
from core.text.numerals.numeral import Approximation, Draft, NumeralKind
from core.text.numerals.tokenized_line import TokenizedLine

_ONE = Fraction(1)
_OF: Final = ("of", "di", "de")


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
        return read_cardinal(line, at)
    if word in tables.articles:
        return _article(line, at)
    if word in tables.ordinals:
        value = Fraction(tables.ordinals[word])
        if line.before(at) in tables.each and value > 1 and following not in tables.spans:
            return draft_of(line, at, at + 1, 1 / value, NumeralKind.FRACTION)
        return draft_of(line, at, at + 1, value, NumeralKind.ORDINAL)
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
        return read_cardinal(line, at)
    for start, kind, unit in line.language.endings:
        if word.startswith(start, length):
            draft = draft_of(line, at, at + 1, Fraction(value), kind)
            draft.unit, draft.number_end = unit, draft.start + length
            return draft
    return None


def _article(line: TokenizedLine, at: int) -> Draft | None:
    tables, word = line.language, line.next(at + 1)
    draft = draft_of(line, at, at + 1, _ONE)
    if word in tables.hundreds or word in tables.scales:
        amount, after, scale = sum_of(line, at + 1, 1)
        return scaled(line, draft_of(line, at, after, amount), scale)
    if word in tables.groups:
        take_scale(line, draft)
        return draft
    if word in tables.denominators and _is_part(line, at + 1):
        draft = draft_of(line, at, at + 2, Fraction(1, tables.denominators[word]), NumeralKind.FRACTION)
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
        draft = draft_of(line, at, half[1], _ONE + half[0], NumeralKind.DURATION)
        draft.unit = tables.spans[word]
        return draft
    inner = _single(line, at + 1) if word in tables.singles else None
    if inner is not None:
        inner.first, inner.start = at, line.starts[at]
    return inner


def _opens_share(line: TokenizedLine, at: int) -> bool:
    tables = line.language
    if tables.code in ("en", "ru"):
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
    stops = not word or word in line.language.stops or word in line.language.scales
    return stops or part_of(line, at + 1) > 0


def _single(line: TokenizedLine, at: int) -> Draft | None:
    tables, word = line.language, line.words[at]
    if word in tables.bare_scales:
        amount, after, _ = sum_of(line, at, 1)
        draft = draft_of(line, at, after, amount)
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
    draft = draft_of(
        line, at, at + 1, single, NumeralKind.FRACTION if single.denominator > 1 else NumeralKind.COUNT
    )
    if single.denominator > 1:
        skipped = line.next(at + 1) in tables.articles
        draft.after += skipped
        if take_scale(line, draft):
            draft.kind = None if draft.kind is NumeralKind.FRACTION else draft.kind
            return draft
        draft.after = at + 1
    if word in tables.weak and line.next(at + 1) not in tables.spans and not part_of(line, at + 1):
        return None
    if word in tables.spans:  # "полгода"
        draft.kind, draft.unit = NumeralKind.DURATION, tables.spans[word]
    return draft


def _period(line: TokenizedLine, at: int) -> Draft | None:
    factor, unit = line.language.groups[line.words[at]]
    cue = line.before(at) in line.language.past or (line.next(at + 1) == "long" and line.hyphened(at + 1))
    if not unit or not cue or line.words[at].endswith(("s", "ies", "ia")):
        return None
    draft = draft_of(line, at, at + 1, Fraction(factor), NumeralKind.DURATION)
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
    draft = draft_of(line, at, at + 2, Fraction(scale))
    draft.number_start = line.starts[at + 1]
    draft.approximation = Approximation.VAGUE
    if word in tables.hundreds and line.next(at + 2) in tables.scales:
        take_scale(line, draft)
    if word in tables.groups and tables.groups[word][1]:
        draft.kind, draft.unit = NumeralKind.DURATION, tables.groups[word][1]
    return draft


def _vague(line: TokenizedLine, at: int) -> Draft:
    tables = line.language
    draft = draft_of(line, at, at + 1, Fraction(tables.vague[line.words[at]]))
    draft.approximation = Approximation.VAGUE
    following = line.phrase(at + 1, 2)
    scale = tables.vague.get(following[1], 0) if len(following) == 2 and following[0] in _OF else 0
    if scale:
        draft.factor = Fraction(scale)
        draft.after, draft.end = at + 3, line.ends[at + 2]
    return draft
