"""One measured value: with its interval, or with the reason why there is none."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Figure:
    """One measure of one row on one set.

    Attributes:
        value: None where undefined.
        reason: Why it is None; "" otherwise.
        low: Lower end of the 95 % interval; None where there is none.
        high: Upper end.
        warning: Why there is no interval or why not to rely on it, a sentence; "" otherwise.
    """

    value: float | None
    reason: str = ""
    low: float | None = None
    high: float | None = None
    warning: str = ""


@dataclass(frozen=True, slots=True)
class Score:
    """One measure.

    Attributes:
        name: One of `MEASURES`.
        value: At most 1 and at least 0, but AMI and ARI may be below 0; None where undefined.
        reason: Why the value is None, in words; "" otherwise.
        low: Lower end of the 95 % interval; None where it was not asked for or is undefined.
        high: Upper end.
        warning: Why there is no interval or why not to rely on it, a sentence; "" otherwise.
    """

    name: str
    value: float | None
    reason: str = ""
    low: float | None = None
    high: float | None = None
    warning: str = ""
