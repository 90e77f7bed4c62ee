"""How well the headlines of systems keep to the numbers of their articles: verdicts, kinds, operators.

Every headline gives a few counts, and each figure of a system in each resample is a function of their sums:
all systems, kinds and operators are drawn together, by one product.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray
from core.errors import InputError
from core.headlines.metrics import Column, MetricInput
from core.headlines.metrics.content import COLUMNS, COUNTS, LIGHTS, NumeralAccuracy, counts_of, shares
from core.numerals.expressions.leaves import ExpressionError
from core.numerals.expressions.parse import operator_of, parse_expression
from core.numerals.operators import OPERATORS
from core.numerals.verdict import PASSING, CheckedHeadline, CheckedNumeral, Light
from core.runtime import Runtime
from core.statistics.bootstrap import (
    FEWEST,
    RESAMPLES,
    Figure,
    bootstrap_sums,
    few_units,
    unit_sums,
    units_of,
)
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
        return next((system for system in self.systems if system.system == name), None)


ROWS: Final = tuple(OPERATORS)
OPERATOR_COLUMNS: Final = (*ROWS, NO_OPERATOR)


@dataclass(frozen=True, slots=True, eq=False)
class Compared:
    """Both operators of each headline, int64 [n]; -1 where they cannot be compared."""

    gold: npt.NDArray[np.int64]  # row of the people's operator in `ROWS`
    found: npt.NDArray[np.int64]  # column of the derivation's in `OPERATOR_COLUMNS`
    without_number: int  # annotated headlines that lack the gold number or hold it more than once
    not_read: int  # annotations that are no expression


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
        gold[row], found[row] = ROWS.index(operator), OPERATOR_COLUMNS.index(operator_found(same[0]))
    return Compared(gold, found, without_number, not_read)


KINDS: Final = tuple(NumeralKind)
OFFICIAL: Final = 6
"""Statistics that the official accuracy keeps of a headline."""

_WIDTHS: Final = (COUNTS, OFFICIAL, len(LIGHTS) * len(KINDS), 1 + len(OPERATORS), 2)
_STARTS: Final = (0, *np.cumsum(_WIDTHS).tolist())
_SUPPORT, _OFFICIAL, _KINDS, _OPERATORS, _AGREED = (slice(start, end) for start, end in pairwise(_STARTS))


def score_systems(
    systems: Sequence[SystemNumerals],
    *,
    numbers: Sequence[str] = (),
    operations: Sequence[str] = (),
    annotations: Sequence[str] = (),
    clusters: Sequence[str] = (),
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> NumeralScores:
    """Scores what several systems wrote for the same articles."""
    _check(systems, numbers, operations, annotations, clusters)
    n = len(systems[0].checked)
    numbers, operations, annotations = (
        list(given) or [""] * n for given in (numbers, operations, annotations)
    )
    units = units_of(list(clusters) or [""] * n)
    compared = [compare_operators(system.checked, numbers, annotations) for system in systems]
    statistics = np.concatenate(
        [
            _statistics(system, numbers, operations, both)
            for system, both in zip(systems, compared, strict=True)
        ],
        axis=1,
    )
    summed = unit_sums(statistics, units)
    drawn = np.empty((0, summed.shape[1]))
    if len(summed) >= FEWEST:
        drawn = bootstrap_sums(summed, resamples=resamples, seed=seed)
    name = "articles" if len(summed) == n else "events"
    warning = few_units(len(summed), name)
    lines = [
        _Line(system, statistics.sum(axis=0)[at], drawn[:, at], len(summed), name)
        for number, system in enumerate(systems)
        for at in (slice(number * _STARTS[-1], (number + 1) * _STARTS[-1]),)
    ]
    official = any(number.strip() for number in numbers)
    annotated = any(annotation.strip() for annotation in annotations)
    return NumeralScores(
        columns=(*(NumeralAccuracy.columns if official else ()), *COLUMNS),
        systems=tuple(_system(line, official=official) for line in lines),
        kinds=tuple(kind for line in lines for kind in _kinds(line)),
        operators=tuple(operator for line in lines for operator in _operators(line)),
        confusions=tuple(_confusion(*one) for one in zip(lines, compared, strict=True)) if annotated else (),
        contradictions=_contradictions(systems),
        articles=n,
        units=name,
        warning=warning,
        resamples=resamples,
        seed=seed,
        checkers=tuple(dict.fromkeys(each.system for system in systems for each in system.checked)),
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Line:
    given: SystemNumerals
    sums: FloatArray
    drawn: FloatArray
    count: int
    units: str

    def figures(self, part: slice, values: Callable[[FloatArray], FloatArray], why_not: str) -> list[Figure]:
        found, drawn = values(self.sums[part]), values(self.drawn[:, part])
        return [
            Figure.resampled(
                None if np.isnan(value) else value,
                drawn[:, at],
                units=self.count,
                unit=self.units,
                reason=why_not,
            )
            for at, value in enumerate(found.tolist())
        ]


def _check(systems: Sequence[SystemNumerals], *columns: Sequence[str]) -> None:
    if not systems or not systems[0].checked:
        raise InputError("There are no checked headlines.", hint="Check the headlines of one system or more.")
    name, times = Counter(system.system for system in systems).most_common(1)[0]
    if times > 1:
        raise InputError(f"{times} systems are called {name!r}.", hint="Give each system a name of its own.")
    first = systems[0]
    for system in systems[1:]:
        if len(system.checked) != len(first.checked) or any(
            ours.article.text != theirs.article.text
            for ours, theirs in zip(system.checked, first.checked, strict=True)
        ):
            raise InputError(
                f"{system.system} and {first.system} wrote for different articles.",
                hint="Give every system one headline for each of the same articles, in the same order.",
            )
    for column in columns:
        if column and len(column) != len(first.checked):
            raise InputError(
                f"Gold values are given for {len(column):,} of {len(first.checked):,} articles.",
                hint="Give one value an article, empty where it is not known.",
            )


def _statistics(
    one: SystemNumerals, numbers: Sequence[str], operations: Sequence[str], compared: Compared
) -> FloatArray:
    n = len(one.checked)
    written = MetricInput(
        headlines=[each.headline for each in one.checked],
        references=[()] * n,
        articles=[""] * n,
        numbers=numbers,
        operations=operations,
    )
    known = compared.gold >= 0
    return np.concatenate(
        [
            np.stack([counts_of(each) for each in one.checked]),
            NumeralAccuracy().statistics(written, Runtime()),
            np.stack([_kind_counts(each) for each in one.checked]),
            np.stack([_operator_counts(each) for each in one.checked]),
            np.stack([known, known & (compared.gold == compared.found)], axis=1).astype(np.float64),
        ],
        axis=1,
    )


def _kind_counts(checked: CheckedHeadline) -> FloatArray:
    counts = np.zeros((len(KINDS), len(LIGHTS)))
    for numeral in checked.numerals:
        counts[KINDS.index(numeral.numeral.kind), LIGHTS.index(numeral.claim.light)] += 1
    return counts.ravel()


def _operator_counts(checked: CheckedHeadline) -> FloatArray:
    passing = [operator_found(numeral) for numeral in checked.numerals if numeral.claim.light in PASSING]
    return np.array([len(passing), *map(passing.count, OPERATORS)], dtype=np.float64)


def _system(line: _Line, *, official: bool) -> SystemScores:
    ours = line.figures(_SUPPORT, shares, "No headline holds a numeral.")
    columns: tuple[Column, ...] = COLUMNS
    if official:
        columns = (*NumeralAccuracy.columns, *COLUMNS)
        ours = [*line.figures(_OFFICIAL, NumeralAccuracy().values, "No gold number of the kind."), *ours]
    lights = Counter(checked.claim.light for each in line.given.checked for checked in each.numerals)
    return SystemScores(
        system=line.given.system,
        headlines=len(line.given.checked),
        with_numerals=sum(bool(each.numerals) for each in line.given.checked),
        numerals=sum(lights.values()),
        lights={light: lights[light] for light in LIGHTS},
        figures=dict(zip((column.name for column in columns), ours, strict=True)),
        ledger=line.given.ledger,
    )


def _kinds(line: _Line) -> list[KindScores]:
    found = []
    for at, kind in enumerate(KINDS):
        start = _KINDS.start + len(LIGHTS) * at
        part = slice(start, start + len(LIGHTS))
        numerals = int(line.sums[part].sum())
        if numerals:
            figures = dict(zip(LIGHTS, line.figures(part, _of_their_sum, ""), strict=True))
            found.append(KindScores(system=line.given.system, kind=kind, numerals=numerals, lights=figures))
    return found


def _operators(line: _Line) -> list[OperatorShare]:
    counts = line.sums[_OPERATORS][1:].astype(np.int64).tolist()
    figures = line.figures(_OPERATORS, _of_the_first, "Something speaks against every numeral.")
    return [
        OperatorShare(system=line.given.system, operator=name, numerals=count, share=figure)
        for name, count, figure in zip(OPERATORS, counts, figures, strict=True)
        if count
    ]


def _confusion(line: _Line, compared: Compared) -> OperatorConfusion:
    why_not = "No headline holds the gold number of its article once."
    known = compared.gold >= 0
    counts = np.zeros((len(ROWS), len(OPERATOR_COLUMNS)), dtype=np.int64)
    np.add.at(counts, (compared.gold[known], compared.found[known]), 1)
    return OperatorConfusion(
        system=line.given.system,
        gold=ROWS,
        found=OPERATOR_COLUMNS,
        counts=tuple(map(tuple, counts.tolist())),
        agreed=line.figures(_AGREED, _of_the_first, why_not)[0],
        compared=int(known.sum()),
        without_number=compared.without_number,
        not_read=compared.not_read,
    )


def _contradictions(systems: Sequence[SystemNumerals]) -> tuple[Contradiction, ...]:
    found = [
        _contradiction(system.system, row, each, at)
        for system in systems
        for row, each in enumerate(system.checked)
        for at, numeral in enumerate(each.numerals)
        if numeral.claim.light is Light.WRONG
    ]
    return tuple(sorted(found, key=lambda one: one.probability))


def _contradiction(system: str, row: int, checked: CheckedHeadline, at: int) -> Contradiction:
    one, article = checked.numerals[at], checked.article
    rival, sentence = "", ""
    if one.rival is not None:
        start, end = article.sentences[article.places[one.rival]]
        rival, sentence = article.numerals[one.rival].text, article.text[start:end]
    return Contradiction(
        system=system,
        row=row,
        headline=checked.headline,
        text=one.numeral.text,
        start=one.numeral.start,
        end=one.numeral.end,
        kind=one.numeral.kind,
        probability=one.claim.probability,
        rival=rival,
        rival_sentence=sentence,
        reason=one.claim.reason,
    )


def _of_their_sum(sums: FloatArray) -> FloatArray:
    return _ratio(sums, sums.sum(axis=-1, keepdims=True))


def _of_the_first(sums: FloatArray) -> FloatArray:
    return _ratio(sums[..., 1:], sums[..., :1])


def _ratio(part: FloatArray, whole: FloatArray) -> FloatArray:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(whole > 0, part / whole, np.nan)
