"""What the claim model is asked: a headline with one numeral marked, and sentences with its sources."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

Span = tuple[int, int]  # where something begins and ends (exclusive) in a text, in characters from 0


class ClaimClass(StrEnum):
    """What the network tells apart, in the order of its outputs.

    `SUPPORTED`: the sentences say what the headline says of the number. `OTHER`: the number counts or
    belongs to something else. `UNIT`: unit or currency differ. `BOUND`: hedge or bound differ ("nearly" for
    "more than"). `CLAIM`: what is said of it differs (killed, hurt). `HOLDER`: it is somebody else's.
    `WORD`: another word of the headline was replaced.
    """

    SUPPORTED = "supported"
    OTHER = "other"
    UNIT = "unit"
    BOUND = "bound"
    CLAIM = "claim"
    HOLDER = "holder"
    WORD = "word"


CLASSES = tuple(ClaimClass)


@dataclass(frozen=True, slots=True)
class ClaimQuestion:
    """One numeral of a headline with the sentences that it may come from."""

    headline: str  # the whole headline
    start: int  # where the numeral begins in `headline` with its currency sign, in characters from 0
    end: int  # where it ends with its magnitude and percent sign, exclusive
    sentences: tuple[tuple[str, tuple[Span, ...]], ...]
    before: str = ""  # the sentence before the first of them; "" where there is none
    after: str = ""  # the one behind the last
