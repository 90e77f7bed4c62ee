"""How well the headlines of systems keep to the numbers of their articles, as figures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from core.headlines.metrics.metric import Column
from core.numerals.provenance import CheckedHeadline, Status
from core.statistics.figure import Figure
from core.text.numerals.numeral import NumeralKind

NO_OPERATOR: Final = "none"
"""What stands for the operator of a numeral without a derivation."""


@dataclass(frozen=True, slots=True, eq=False)
class SystemNumerals:
    """What one system wrote, checked.

    Attributes:
        system: What people call the system, unique among those that are scored together.
        checked: One a headline, in the order of the articles; the same articles for every system.
        ledger: See `Outputs`.
    """

    system: str
    checked: tuple[CheckedHeadline, ...]
    ledger: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemScores:
    """One line of the table.

    Attributes:
        system: Its name.
        headlines: How many were checked.
        with_numerals: How many of them hold a numeral.
        numerals: How many numerals they hold.
        statuses: How many of these have each verdict; every status is a key.
        figures: By name of the column.
        ledger: See `Outputs`.
    """

    system: str
    headlines: int
    with_numerals: int
    numerals: int
    statuses: Mapping[Status, int]
    figures: Mapping[str, Figure]
    ledger: Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class KindScores:
    """The numerals of one kind in one system's headlines."""

    system: str
    kind: NumeralKind
    numerals: int
    supported: Figure
    contradicted: Figure
    unsupported: Figure


@dataclass(frozen=True, slots=True, kw_only=True)
class OperatorShare:
    """How often one system's supported numerals come about in one way."""

    system: str
    operator: str
    numerals: int
    share: Figure


@dataclass(frozen=True, slots=True, kw_only=True)
class OperatorConfusion:
    """People's operators against those of the likeliest derivations, outermost operators both.

    Compared are headlines that hold the gold number once, so that both speak of the same number.

    Attributes:
        system: Whose headlines.
        gold: Operators of the annotations, one a row, in the order of `OPERATORS`.
        found: Operators of the derivations, one a column; the last is `NO_OPERATOR`.
        counts: How many numerals, by row and column.
        agreed: Share of the numerals on which both have the same operator.
        compared: How many numerals are in the table.
        without_number: Annotated headlines that lack the gold number or hold it more than once.
        not_read: Annotations that are no expression ("unanswerable", a slip of the annotators).
    """

    system: str
    gold: tuple[str, ...]
    found: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]
    agreed: Figure
    compared: int
    without_number: int
    not_read: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Contradiction:
    """A numeral for which the article gives another value.

    Attributes:
        system: Who wrote it.
        row: Row of the article, from 0.
        headline: The headline.
        text: The numeral as it stands.
        start: Where it begins in `headline`, in characters from 0.
        end: Where it ends, exclusive.
        kind: Of the numeral.
        support: Probability that the article supports it, 0–1.
        rival: The article's numeral for the same thing, as it stands; "" where none is named.
        rival_sentence: The sentence that it stands in; "" where none is named.
        reason: One sentence for a reader.
    """

    system: str
    row: int
    headline: str
    text: str
    start: int
    end: int
    kind: NumeralKind
    support: float
    rival: str
    rival_sentence: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NumeralScores:
    """Several systems on the same articles.

    Attributes:
        columns: What `SystemScores.figures` hold, in order.
        systems: One a system, in the order given.
        kinds: By system and kind, kinds without a numeral left out.
        operators: By system and operator, operators that never come left out.
        confusions: One a system where annotations are known; () otherwise.
        contradictions: Of all systems, the least supported first.
        articles: How many articles there are.
        units: What the intervals resample, in words: "articles" or "events".
        resamples: How many.
        seed: Of the draws.
        warning: What is wrong with the intervals, a sentence; "" for nothing.
        checkers: Signatures of what judged, without repeats.
    """

    columns: tuple[Column, ...]
    systems: tuple[SystemScores, ...]
    kinds: tuple[KindScores, ...]
    operators: tuple[OperatorShare, ...]
    confusions: tuple[OperatorConfusion, ...]
    contradictions: tuple[Contradiction, ...]
    articles: int
    units: str
    resamples: int
    seed: int
    warning: str
    checkers: tuple[str, ...]

    def system(self, name: str) -> SystemScores | None:
        """The line of a system; None where there is none of that name."""
        return next((one for one in self.systems if one.system == name), None)
