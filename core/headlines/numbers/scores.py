"""From checked headlines of several systems to their figures: NumHG's accuracy, verdicts, kinds, operators.

Every headline gives a few counts, and each figure of a system in each resample is a function of their sums:
all systems, kinds and operators are drawn together, by one product.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Final

import numpy as np

from core.arrays import FloatArray
from core.data.articles.articles import read_lines, read_types, same_lengths
from core.data.articles.outputs import holds_lines
from core.errors import InputError
from core.headlines.metrics.content import (
    COLUMNS,
    COUNTS,
    LIGHTS,
    NumeralAccuracy,
    counts_of,
    is_right,
    shares,
)
from core.headlines.metrics.metric import Column, MetricInput
from core.headlines.numbers import scored
from core.headlines.numbers.scored import (
    Compared,
    Contradiction,
    KindScores,
    NumeralScores,
    OperatorConfusion,
    OperatorShare,
    SystemNumerals,
    SystemScores,
    compare_operators,
    operator_found,
)
from core.numerals.operators import OPERATORS
from core.numerals.verdict import PASSING, CheckedHeadline, Light
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


def official_accuracy(
    headlines: Sequence[str], numbers: Sequence[str], operations: Sequence[str]
) -> dict[str, float | None]:
    """The shares of headlines with the gold number as their only number, 0–1, as the script counts them.

    An empty headline is wrong, and so is every headline whose gold number is empty. 27,746 headlines take
    about 0.1 s.

    Returns:
        "All", "Copy" for those whose number stands in the article, and "Cal" for those whose number must be
        worked out; None where there is no headline of the kind.

    Source: Huang et al. 2023, NumHG, `numhg_eval.py`.
    """
    right = [is_right(*pair) for pair in zip(headlines, numbers, strict=True)]
    copied = [operation == "copy" for operation in operations]
    kinds = {
        "All": right,
        "Copy": [one for one, copy in zip(right, copied, strict=True) if copy],
        "Cal": [one for one, copy in zip(right, copied, strict=True) if not copy],
    }
    return {name: sum(some) / len(some) if some else None for name, some in kinds.items()}


def printed(accuracy: dict[str, float | None]) -> str:
    """The script's line, sign for sign; a dash where it has no value."""
    shown = {name: "–" if value is None else f"{value:.6f}" for name, value in accuracy.items()}
    return ", ".join(f"{name} Accuracy: {value}" for name, value in shown.items())


def official_accuracy_of_files(
    predictions: str | Path, numbers: str | Path, types: str | Path
) -> dict[str, float | None]:
    """The accuracy of a file of predictions, one a line.

    The script stops without a word at the end of the shortest file; here files of different lengths are
    refused.
    """
    headlines, gold, operations = read_lines(predictions), read_lines(numbers), read_types(types)
    same_lengths({str(predictions): len(headlines), str(numbers): len(gold), str(types): len(operations)})
    return official_accuracy(headlines, gold, operations)


def official_lines(files: Sequence[str], numbers: str | Path, types: str | Path) -> list[str]:
    """What the script prints of each file that has one headline a line; tables are passed over."""
    return [
        f"{file}, as NumHG's script: {printed(official_accuracy_of_files(file, numbers, types))}"
        for file in files
        if holds_lines(file)
    ]


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
    compared = [compare_operators(one.checked, numbers, annotations) for one in systems]
    statistics = np.concatenate(
        [_statistics(one, numbers, operations, both) for one, both in zip(systems, compared, strict=True)],
        axis=1,
    )
    summed = unit_sums(statistics, units)
    drawn = np.empty((0, summed.shape[1]))
    if len(summed) >= FEWEST:
        drawn = bootstrap_sums(summed, resamples=resamples, seed=seed)
    name = "articles" if len(summed) == n else "events"
    warning = few_units(len(summed), name)
    lines = [
        _Line(one, statistics.sum(axis=0)[at], drawn[:, at], len(summed), name)
        for number, one in enumerate(systems)
        for at in (slice(number * _STARTS[-1], (number + 1) * _STARTS[-1]),)
    ]
    official = any(number.strip() for number in numbers)
    annotated = any(annotation.strip() for annotation in annotations)
    return NumeralScores(
        columns=(*(NumeralAccuracy.columns if official else ()), *COLUMNS),
        systems=tuple(_system(line, official=official) for line in lines),
        kinds=tuple(one for line in lines for one in _kinds(line)),
        operators=tuple(one for line in lines for one in _operators(line)),
        confusions=tuple(_confusion(*one) for one in zip(lines, compared, strict=True)) if annotated else (),
        contradictions=_contradictions(systems),
        articles=n,
        units=name,
        warning=warning,
        resamples=resamples,
        seed=seed,
        checkers=tuple(dict.fromkeys(each.system for one in systems for each in one.checked)),
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
    name, times = Counter(one.system for one in systems).most_common(1)[0]
    if times > 1:
        raise InputError(f"{times} systems are called {name!r}.", hint="Give each system a name of its own.")
    first = systems[0]
    for one in systems[1:]:
        if len(one.checked) != len(first.checked) or any(
            ours.article.text != theirs.article.text
            for ours, theirs in zip(one.checked, first.checked, strict=True)
        ):
            raise InputError(
                f"{one.system} and {first.system} wrote for different articles.",
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
    for one in checked.numerals:
        counts[KINDS.index(one.numeral.kind), LIGHTS.index(one.claim.light)] += 1
    return counts.ravel()


def _operator_counts(checked: CheckedHeadline) -> FloatArray:
    passing = [operator_found(one) for one in checked.numerals if one.claim.light in PASSING]
    return np.array([len(passing), *map(passing.count, OPERATORS)], dtype=np.float64)


def _system(line: _Line, *, official: bool) -> SystemScores:
    ours = line.figures(_SUPPORT, shares, "No headline holds a numeral.")
    columns: tuple[Column, ...] = COLUMNS
    if official:
        columns = (*NumeralAccuracy.columns, *COLUMNS)
        ours = [*line.figures(_OFFICIAL, NumeralAccuracy().values, "No gold number of the kind."), *ours]
    lights = Counter(one.claim.light for each in line.given.checked for one in each.numerals)
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
    return OperatorConfusion(
        system=line.given.system,
        gold=scored.ROWS,
        found=scored.COLUMNS,
        counts=compared.counts(),
        agreed=line.figures(_AGREED, _of_the_first, why_not)[0],
        compared=int((compared.gold >= 0).sum()),
        without_number=compared.without_number,
        not_read=compared.not_read,
    )


def _contradictions(systems: Sequence[SystemNumerals]) -> tuple[Contradiction, ...]:
    found = [
        _contradiction(one.system, row, each, at)
        for one in systems
        for row, each in enumerate(one.checked)
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
