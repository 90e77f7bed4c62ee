"""How the verdict on a headline is shown: colour, sign and word, the reason, and the line that decides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from core.numerals.claims.verdict import Fault, Light
from core.numerals.provenance import CheckedHeadline, CheckedNumeral
from core.palette import AGAINST, CLEARED, UNSURE

LIGHT_HUES: Final = {Light.SUPPORTED: CLEARED, Light.CHECK: UNSURE, Light.WRONG: AGAINST}
"""Place of each light's colour in the palette."""
LIGHT_SIGNS: Final = {Light.SUPPORTED: "✓", Light.CHECK: "?", Light.WRONG: "✗"}
"""The sign next to the colour, so that no verdict is shown by colour alone."""
NO_NUMBER: Final = "no number"
"""What is said of a headline that has nothing to check; it gets no green."""
NO_SIGN: Final = "–"
LIGHTS_MEAN: Final = {
    Light.SUPPORTED: "nothing was found to disagree",
    Light.CHECK: "a person has to look",
    Light.WRONG: "the article says something else, or nothing",
}


class QuoteRole(StrEnum):
    """What a piece of the line that decides is: the number that was compared, or the words around it."""

    NUMBER = "number"
    WORDS = "words"


@dataclass(frozen=True, slots=True)
class QuotePiece:
    """A piece of the line that decides; together they are the line."""

    text: str
    role: QuoteRole


def light_of(checked: CheckedHeadline) -> Light | None:
    """The light that is shown of a headline; None where it holds nothing to check."""
    return None if not checked.numerals and checked.light is Light.SUPPORTED else checked.light


def word_of(light: Light | None) -> str:
    """The word of a light, which stands next to its colour."""
    return NO_NUMBER if light is None else light.value


def verdict_of(light: Light | None, fault: Fault | None) -> str:
    """Light and fault in words: "supported", "wrong value", "check this: needs a human"."""
    if fault is None or (light is Light.WRONG and fault is Fault.VALUE):
        return word_of(light) if fault is None else fault.value
    return f"{word_of(light)}: {fault.value}"


def sign_of(light: Light | None) -> str:
    """The sign of a light, which stands next to its colour."""
    return NO_SIGN if light is None else LIGHT_SIGNS[light]


def deciding(checked: CheckedHeadline) -> CheckedNumeral | None:
    """The numeral that decides a headline's light: the first of the worst; None where it has none."""
    order = tuple(Light)
    return max(checked.numerals, key=lambda one: order.index(one.claim.light), default=None)


def fault_of(checked: CheckedHeadline) -> Fault | None:
    """The part of a headline that disagrees with its article; None where none does."""
    one = deciding(checked)
    if one is not None and one.claim.fault is not None:
        return one.claim.fault
    if checked.unread:
        return Fault.HUMAN
    return Fault.ABSENT if checked.invented else None


SHOWN_AROUND: Final = 90
"""Characters of the line that are shown on either side of the numbers, up to a word."""
ELLIPSIS: Final = "…"


def quote(checked: CheckedHeadline) -> tuple[QuotePiece, ...]:
    """The line of the article that decides, cut around the numbers that were compared; () where none does."""
    one = deciding(checked)
    if one is None or one.claim.sentence is None:
        return ()
    article = checked.article
    start, end = one.claim.sentence
    rows = set() if one.rival is None else {one.rival}
    for derivation in one.derivations[:1]:
        rows.update(derivation.candidate.sources)
    spans = sorted(
        (numeral.start, numeral.end)
        for row, numeral in enumerate(article.numerals)
        if row in rows and start <= numeral.start < numeral.end <= end
    )
    pieces: list[QuotePiece] = []
    at = start
    for first, last in spans:
        if first < at:
            continue
        pieces += [
            QuotePiece(article.text[at:first], QuoteRole.WORDS),
            QuotePiece(article.text[first:last], QuoteRole.NUMBER),
        ]
        at = last
    pieces.append(QuotePiece(article.text[at:end], QuoteRole.WORDS))
    return _cut([piece for piece in pieces if piece.text])


def _cut(pieces: list[QuotePiece]) -> tuple[QuotePiece, ...]:
    first, last = pieces[0], pieces[-1]
    if len(first.text) > SHOWN_AROUND and first.role is QuoteRole.WORDS and len(pieces) > 1:
        kept = first.text[-SHOWN_AROUND:]
        pieces[0] = QuotePiece(f"{ELLIPSIS} {kept[kept.find(' ') + 1 :]}", QuoteRole.WORDS)
    if len(last.text) > SHOWN_AROUND and last.role is QuoteRole.WORDS:
        kept = last.text[: SHOWN_AROUND if len(pieces) > 1 else 2 * SHOWN_AROUND]
        pieces[-1] = QuotePiece(f"{kept[: kept.rfind(' ')]} {ELLIPSIS}", QuoteRole.WORDS)
    return tuple(pieces)


def counted(lights: Sequence[Light | None]) -> str:
    """How many headlines have which light: "10 headlines: 3 supported, 2 to check, 5 wrong"."""
    words = {
        Light.SUPPORTED: "supported",
        Light.CHECK: "to check",
        Light.WRONG: "wrong",
        None: "without a number",
    }
    parts = [f"{lights.count(light)} {word}" for light, word in words.items() if light in lights]
    return f"{len(lights)} headline{'s' * (len(lights) != 1)}: {', '.join(parts)}"
