"""What follows a number and multiplies it or adds to it: "million", "dozen", "and a half"."""

from fractions import Fraction
from typing import Final

from core.text.numerals.numeral import Draft, NumeralKind
from core.text.numerals.tokenized_line import TokenizedLine

LARGEST_FACTOR: Final = 10**30
"""What magnitudes multiply a number by at most; a text may go on with "million" after "million" for ever."""


def stretch(line: TokenizedLine, draft: Draft, after: int) -> None:
    """Takes all up to a token into the bare number."""
    draft.after = after
    draft.end = draft.number_end = line.ends[after - 1]


def added_half(line: TokenizedLine, after: int) -> tuple[Fraction, int] | None:
    """What "and a half" adds, and the token after it; None where it does not follow."""
    for length in (3, 2):
        value = line.language.halves.get(line.phrase(after, length))
        if value is not None:
            return value, after + length
    return None


def part_of(line: TokenizedLine, at: int) -> int:
    """How many words from a token on name a percentage point, as behind "half a"; 0 for none."""
    return next((size for size in (3, 2, 1) if line.phrase(at, size) in line.language.part_of), 0)


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
