"""How well the headlines of systems keep to the numbers of their articles, as figures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
import numpy.typing as npt

from core.headlines.metrics.metric import Column
from core.numerals.checks.check_report import deciding, fault_of, light_of, word_of
from core.numerals.expressions.leaves import ExpressionError
from core.numerals.expressions.parse import operator_of, parse_expression
from core.numerals.operators import OPERATORS
from core.numerals.verdict import PASSING, CheckedHeadline, CheckedNumeral, Light
from core.results import render
from core.results.table import Table, TableColumn
from core.statistics.bootstrap import Figure
from core.text.numerals.numeral import NumeralKind

NO_OPERATOR: Final = "none"
"""What stands for the operator of a numeral without a derivation."""


@dataclass(frozen=True, slots=True, eq=False)
class SystemNumerals:
    """What one system wrote, checked."""

    system: str  # what people call the system, unique among those that are scored together
    # one a headline, in the order of the articles; the same articles for every system
    checked: tuple[CheckedHeadline, ...]
    ledger: Mapping[str, int] = field(default_factory=dict)  # see `Outputs`


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemScores:
    """One line of the table."""

    system: str  # its name
    headlines: int  # how many were checked
    with_numerals: int  # how many of them hold a numeral
    numerals: int  # how many numerals they hold
    lights: Mapping[Light, int]  # how many of these have each verdict; every light is a key
    figures: Mapping[str, Figure]  # by name of the column
    ledger: Mapping[str, int]  # see `Outputs`


@dataclass(frozen=True, slots=True, kw_only=True)
class KindScores:
    """The numerals of one kind in one system's headlines."""

    system: str
    kind: NumeralKind
    numerals: int
    lights: Mapping[Light, Figure]  # the share of each verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class OperatorShare:
    """How often one system's numerals that nothing speaks against come about in one way."""

    system: str
    operator: str
    numerals: int
    share: Figure


@dataclass(frozen=True, slots=True, kw_only=True)
class OperatorConfusion:
    """People's operators against those of the likeliest derivations, outermost operators both.

    Compared are headlines that hold the gold number once, so that both speak of the same number.
    """

    system: str  # whose headlines
    gold: tuple[str, ...]  # operators of the annotations, one a row, in the order of `OPERATORS`
    found: tuple[str, ...]  # operators of the derivations, one a column; the last is `NO_OPERATOR`
    counts: tuple[tuple[int, ...], ...]  # how many numerals, by row and column
    agreed: Figure  # share of the numerals on which both have the same operator
    compared: int  # how many numerals are in the table
    without_number: int  # annotated headlines that lack the gold number or hold it more than once
    not_read: int  # annotations that are no expression ("unanswerable", a slip of the annotators)


@dataclass(frozen=True, slots=True, kw_only=True)
class Contradiction:
    """A numeral that is wrong."""

    system: str  # who wrote it
    row: int  # row of the article, from 0
    headline: str
    text: str  # the numeral as it stands
    start: int  # where it begins in `headline`, in characters from 0
    end: int  # where it ends, exclusive
    kind: NumeralKind  # of the numeral
    probability: float  # that the article supports it, 0–1
    rival: str  # the article's numeral for the same thing, as it stands; "" where none is named
    rival_sentence: str  # the sentence that it stands in; "" where none is named
    reason: str  # one sentence for a reader


@dataclass(frozen=True, slots=True, kw_only=True)
class NumeralScores:
    """Several systems on the same articles."""

    columns: tuple[Column, ...]  # what `SystemScores.figures` hold, in order
    systems: tuple[SystemScores, ...]  # one a system, in the order given
    kinds: tuple[KindScores, ...]  # by system and kind, kinds without a numeral left out
    operators: tuple[OperatorShare, ...]  # by system and operator, operators that never come left out
    confusions: tuple[OperatorConfusion, ...]  # one a system where annotations are known; () otherwise
    contradictions: tuple[Contradiction, ...]  # of all systems, the least supported first
    articles: int  # how many articles there are
    units: str  # what the intervals resample, in words: "articles" or "events"
    resamples: int  # how many
    seed: int  # of the draws
    warning: str  # what is wrong with the intervals, a sentence; "" for nothing
    checkers: tuple[str, ...]  # signatures of what judged, without repeats

    def system(self, name: str) -> SystemScores | None:
        return next((one for one in self.systems if one.system == name), None)


ORDER: Final[tuple[Light | None, ...]] = (*reversed(Light), None)
"""Lights of headlines from the worst; None is that of a headline without a number."""
DIGITS: Final = 6
"""Decimals of a written probability."""


@dataclass(frozen=True, slots=True, eq=False)
class ListedVerdict:
    """One headline."""

    system: str  # who wrote it
    row: int  # row of the article, from 0
    checked: CheckedHeadline  # what was found

    @property
    def light(self) -> Light | None:
        return light_of(self.checked)

    @property
    def place(self) -> int | None:
        one = deciding(self.checked)
        return None if one is None else self.checked.numerals.index(one)

    @property
    def probability(self) -> float | None:
        one = deciding(self.checked)
        return None if one is None else one.claim.probability

    @property
    def part(self) -> str:
        fault = None if self.light in PASSING else fault_of(self.checked)
        return "" if fault is None else fault.value


def worst_first(systems: Iterable[SystemNumerals]) -> tuple[ListedVerdict, ...]:
    """Every headline that is not empty, by its light and then by the probability of what decides."""
    found = [
        ListedVerdict(one.system, row, checked)
        for one in systems
        for row, checked in enumerate(one.checked)
        if checked.headline.strip()
    ]
    return tuple(sorted(found, key=_badness))


def count_lights(listed: Iterable[ListedVerdict], names: Iterable[str]) -> dict[str, dict[Light | None, int]]:
    """How many headlines of each system have which of `ORDER`."""
    counts: dict[str, dict[Light | None, int]] = {name: dict.fromkeys(ORDER, 0) for name in names}
    for one in listed:
        counts[one.system][one.light] += 1
    return counts


def verdicts_csv(listed: Sequence[ListedVerdict]) -> str:
    names = ("row", "system", "headline", "verdict", "disagreement", "reason", "probability")
    rows = [
        (
            *(one.row, one.system, one.checked.headline, word_of(one.light), one.part, one.checked.reason),
            None if one.probability is None else round(one.probability, DIGITS),
        )
        for one in listed
    ]
    return render.as_csv(Table(columns=tuple(map(TableColumn, names)), rows=tuple(rows)))


def _badness(one: ListedVerdict) -> tuple[int, float, int]:
    probability = 1.0 if one.probability is None else one.probability
    return ORDER.index(one.light), probability, one.row


ROWS: Final = tuple(OPERATORS)
COLUMNS: Final = (*ROWS, NO_OPERATOR)


@dataclass(frozen=True, slots=True, eq=False)
class Compared:
    """Both operators of each headline that they can be compared on."""

    # row of the people's operator in `ROWS`, int64 [n]; -1 where nothing is compared
    gold: npt.NDArray[np.int64]
    # column of the derivation's in `COLUMNS`, int64 [n]; -1 where nothing is compared
    found: npt.NDArray[np.int64]
    without_number: int  # annotated headlines that lack the gold number or hold it more than once
    not_read: int  # annotations that are no expression

    def counts(self) -> tuple[tuple[int, ...], ...]:
        both = np.zeros((len(ROWS), len(COLUMNS)), dtype=np.int64)
        known = self.gold >= 0
        np.add.at(both, (self.gold[known], self.found[known]), 1)
        return tuple(tuple(map(int, line)) for line in both)


def gold_operator(annotation: str) -> str:
    """Outermost operator of an annotation; "" where it is no expression."""
    try:
        operator = operator_of(parse_expression(annotation))
    except ExpressionError:
        return ""
    return operator.name if operator is not None else ""


def operator_found(one: CheckedNumeral) -> str:
    """Outermost operator of the likeliest derivation of a numeral; `NO_OPERATOR` where it has none."""
    if not one.derivations:
        return NO_OPERATOR
    operator = operator_of(one.derivations[0].candidate.expression)
    return operator.name if operator is not None else NO_OPERATOR


def compare_operators(
    checked: Sequence[CheckedHeadline], numbers: Sequence[str], annotations: Sequence[str]
) -> Compared:
    """Lays people's operators beside ours, headline by headline.

    A headline takes part where its annotation is an expression and exactly one of its numerals has the gold
    number as its bare number, sign for sign.
    """
    gold, found = np.full((2, len(checked)), -1, dtype=np.int64)
    without_number = not_read = 0
    for row, (one, number, annotation) in enumerate(zip(checked, numbers, annotations, strict=True)):
        if not number.strip() or not annotation.strip():
            continue
        operator = gold_operator(annotation)
        if not operator:
            not_read += 1
            continue
        same = [each for each in one.numerals if each.numeral.number == number.strip()]
        if len(same) != 1:
            without_number += 1
            continue
        gold[row], found[row] = ROWS.index(operator), COLUMNS.index(operator_found(same[0]))
    return Compared(gold, found, without_number, not_read)
