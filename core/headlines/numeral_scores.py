"""How well the headlines of systems keep to the numbers of their articles: verdicts, kinds, operators."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

import numpy as np

from core.arrays import FloatArray
from core.errors import InputError
from core.headlines.metrics import Column, MetricInput
from core.headlines.metrics.numeral_accuracy import NumeralAccuracy
from core.headlines.metrics.numeral_support import COLUMNS, COUNTS, LIGHTS, counts_of, shares
from core.numerals.checked_headline import PASSING, CheckedHeadline, CheckedNumeral, Light
from core.numerals.expressions.expression import operator_of
from core.numerals.operators import OPERATORS
from core.runtime import Runtime
from core.statistics import bootstrap
from core.text.numerals.numeral import NumeralKind

KINDS: Final = tuple(NumeralKind)
OFFICIAL: Final = 6  # statistics that the official accuracy keeps of a headline
_WIDTHS: Final = (COUNTS, OFFICIAL, len(LIGHTS) * len(KINDS), 1 + len(OPERATORS))
_STARTS: Final = (0, *np.cumsum(_WIDTHS).tolist())
_SUPPORT, _OFFICIAL, _KINDS, _OPERATORS = (slice(start, end) for start, end in pairwise(_STARTS))


@dataclass(frozen=True, slots=True, eq=False)
class SystemNumerals:
    """What one system wrote, checked."""

    system: str  # what people call the system, unique among those that are scored together
    # one a headline, in the order of the articles; the same articles for every system
    checked: tuple[CheckedHeadline, ...]
    ledger: Mapping[str, int] = field(default_factory=dict)  # see `Outputs`


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemScores:
    system: str  # its name
    headlines: int  # how many were checked
    with_numerals: int  # how many of them hold a numeral
    numerals: int  # how many numerals they hold
    lights: Mapping[Light, int]  # how many of these have each verdict; every light is a key
    figures: Mapping[str, bootstrap.Figure]  # by name of the column
    ledger: Mapping[str, int]  # see `Outputs`


@dataclass(frozen=True, slots=True, kw_only=True)
class KindScores:
    """The numerals of one kind in one system's headlines."""

    system: str
    kind: NumeralKind
    numerals: int
    lights: Mapping[Light, bootstrap.Figure]  # the share of each verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class OperatorShare:
    """How often one system's numerals that nothing speaks against come about in one way."""

    system: str
    operator: str
    numerals: int
    share: bootstrap.Figure


@dataclass(frozen=True, slots=True, kw_only=True)
class Contradiction:
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
    contradictions: tuple[Contradiction, ...]  # of all systems, the least supported first
    articles: int  # how many articles there are
    units: str  # what the intervals resample, in words: "articles" or "events"
    resamples: int  # how many
    seed: int  # of the draws
    warning: str  # what is wrong with the intervals, a sentence; "" for nothing
    checkers: tuple[str, ...]  # signatures of what judged, without repeats

    def system(self, name: str) -> SystemScores | None:
        return next((system for system in self.systems if system.system == name), None)


def score_systems(
    systems: Sequence[SystemNumerals],
    *,
    numbers: Sequence[str] = (),
    operations: Sequence[str] = (),
    clusters: Sequence[str] = (),
    resamples: int = bootstrap.RESAMPLES,
    seed: int = 0,
) -> NumeralScores:
    """Scores what several systems wrote for the same articles."""
    _check(systems, numbers, operations, clusters)
    n = len(systems[0].checked)
    numbers, operations = (list(given) or [""] * n for given in (numbers, operations))
    units = bootstrap.units_of(list(clusters) or [""] * n)
    statistics = np.stack([_statistics(system.checked, numbers, operations) for system in systems], axis=1)
    summed = bootstrap.unit_sums(statistics.reshape(n, -1), units)
    drawn = np.empty((0, summed.shape[1]))
    if len(summed) >= bootstrap.FEWEST:
        drawn = bootstrap.bootstrap_sums(summed, resamples=resamples, seed=seed)
    name = "articles" if len(summed) == n else "events"
    totals, samples = statistics.sum(axis=0), drawn.reshape(len(drawn), *statistics.shape[1:])
    lines = [
        _Line(system, totals[at], samples[:, at], len(summed), name) for at, system in enumerate(systems)
    ]
    official = any(number.strip() for number in numbers)
    columns = (*(NumeralAccuracy.columns if official else ()), *COLUMNS)
    return NumeralScores(
        columns=columns,
        systems=tuple(_system(line, columns) for line in lines),
        kinds=tuple(kind for line in lines for kind in _kinds(line)),
        operators=tuple(operator for line in lines for operator in _operators(line)),
        contradictions=_contradictions(systems),
        articles=n,
        units=name,
        warning=bootstrap.few_units(len(summed), name),
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

    def figures(
        self, part: slice, values: Callable[[FloatArray], FloatArray], why_not: str
    ) -> list[bootstrap.Figure]:
        drawn, sums = values(self.drawn[:, part]), values(self.sums[part]).tolist()
        defined = [None if np.isnan(value) else value for value in sums]
        return [
            bootstrap.Figure.resampled(value, drawn[:, at], units=self.count, unit=self.units, reason=why_not)
            for at, value in enumerate(defined)
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
            message = f"{system.system} and {first.system} wrote for different articles."
            hint = "Give every system one headline for each of the same articles, in the same order."
            raise InputError(message, hint=hint)
    for column in columns:
        if column and len(column) != len(first.checked):
            message = f"Gold values are given for {len(column):,} of {len(first.checked):,} articles."
            raise InputError(message, hint="Give one value an article, empty where it is not known.")


def _statistics(
    checked: Sequence[CheckedHeadline], numbers: Sequence[str], operations: Sequence[str]
) -> FloatArray:
    n = len(checked)
    written = MetricInput(
        headlines=[each.headline for each in checked],
        references=[()] * n,
        articles=[""] * n,
        numbers=numbers,
        operations=operations,
    )
    by_kind, by_operator = np.zeros((n, len(KINDS), len(LIGHTS))), np.zeros((n, 1 + len(OPERATORS)))
    for row, headline in enumerate(checked):
        for numeral in headline.numerals:
            by_kind[row, KINDS.index(numeral.numeral.kind), LIGHTS.index(numeral.claim.light)] += 1
            if numeral.claim.light in PASSING:
                by_operator[row, 0] += 1
                if name := _operator(numeral):
                    by_operator[row, 1 + list(OPERATORS).index(name)] += 1
    official = NumeralAccuracy().statistics(written, Runtime())
    counts = np.stack([counts_of(each) for each in checked])
    return np.concatenate([counts, official, by_kind.reshape(n, -1), by_operator], axis=1)


def _operator(numeral: CheckedNumeral) -> str:
    """Outermost operator of the likeliest derivation of a numeral; "" where it has none."""
    best = numeral.derivations[:1]
    operator = operator_of(best[0].candidate.expression) if best else None
    return operator.name if operator is not None else ""


def _system(line: _Line, columns: Sequence[Column]) -> SystemScores:
    figures = line.figures(_SUPPORT, shares, "No headline holds a numeral.")
    if len(columns) > len(figures):
        official = line.figures(_OFFICIAL, NumeralAccuracy().values, "No gold number of the kind.")
        figures = [*official, *figures]
    lights = Counter(checked.claim.light for each in line.given.checked for checked in each.numerals)
    return SystemScores(
        system=line.given.system,
        headlines=len(line.given.checked),
        with_numerals=sum(bool(each.numerals) for each in line.given.checked),
        numerals=sum(lights.values()),
        lights={light: lights[light] for light in LIGHTS},
        figures=dict(zip((column.name for column in columns), figures, strict=True)),
        ledger=line.given.ledger,
    )


def _kinds(line: _Line) -> Iterator[KindScores]:
    for at, kind in enumerate(KINDS):
        start = _KINDS.start + len(LIGHTS) * at
        part = slice(start, start + len(LIGHTS))
        numerals = int(line.sums[part].sum())
        if numerals:
            figures = dict(zip(LIGHTS, line.figures(part, _of_their_sum, ""), strict=True))
            yield KindScores(system=line.given.system, kind=kind, numerals=numerals, lights=figures)


def _operators(line: _Line) -> list[OperatorShare]:
    counts = line.sums[_OPERATORS][1:].astype(np.int64).tolist()
    figures = line.figures(_OPERATORS, _of_the_first, "Something speaks against every numeral.")
    shares, system = zip(OPERATORS, counts, figures, strict=True), line.given.system
    return [OperatorShare(system=system, operator=o, numerals=n, share=share) for o, n, share in shares if n]


def _contradictions(systems: Sequence[SystemNumerals]) -> tuple[Contradiction, ...]:
    contradictions = []
    for system in systems:
        for row, checked in enumerate(system.checked):
            for numeral in checked.numerals:
                if numeral.claim.light is not Light.WRONG:
                    continue
                article, rival, sentence = checked.article, "", ""
                if numeral.rival is not None:
                    start, end = article.sentences[article.places[numeral.rival]]
                    rival, sentence = article.numerals[numeral.rival].text, article.text[start:end]
                contradictions.append(
                    Contradiction(
                        system=system.system,
                        row=row,
                        headline=checked.headline,
                        text=numeral.numeral.text,
                        start=numeral.numeral.start,
                        end=numeral.numeral.end,
                        kind=numeral.numeral.kind,
                        probability=numeral.claim.probability,
                        rival=rival,
                        rival_sentence=sentence,
                        reason=numeral.claim.reason,
                    )
                )
    return tuple(sorted(contradictions, key=lambda contradiction: contradiction.probability))


def _of_their_sum(sums: FloatArray) -> FloatArray:
    return _ratio(sums, sums.sum(axis=-1, keepdims=True))


def _of_the_first(sums: FloatArray) -> FloatArray:
    return _ratio(sums[..., 1:], sums[..., :1])


def _ratio(part: FloatArray, whole: FloatArray) -> FloatArray:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(whole > 0, part / whole, np.nan)
