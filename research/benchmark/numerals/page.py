"""The benchmark as a page of Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from core.results.forms import chance
from core.results.render import as_markdown as markdown
from core.results.table import Row, Table, TableColumn
from research.benchmark.numerals.results import (
    NumeralBenchmark,
    NumeralSetFacts,
    NumeralTask,
    Split,
)
from research.benchmark.numerals.tables import (
    LABELS,
    TITLES,
    groups_table,
    main_tables,
    provenance,
    reasons,
    size_words,
    warnings,
)
from research.benchmark.results import Bins

DETAIL: Final = {
    NumeralTask.RANKING: ("first", "equivalent"),
    NumeralTask.SUPPORT: ("found",),
    NumeralTask.CORRUPTION: tuple(
        f"{measure} {how}" for how in ("digit", "magnitude", "swap") for measure in ("auc", "flagged")
    ),
    NumeralTask.FILLING: ("right",),
}
"""The figures that are also shown by operator and by kind."""


def as_markdown(benchmark: NumeralBenchmark) -> str:
    """All tables of all sets."""
    parts = [
        "## Results",
        "Written by `headline-lab benchmark numerals`. Shares are shown times 100; brackets hold 95 % "
        f"intervals over {benchmark.resamples:,} bootstrap resamples of the articles.",
    ]
    for one in benchmark.sets:
        parts += [f"### {one.name}", *_set(benchmark, one)]
    if missing := reasons(benchmark):
        parts.append("No figures:\n\n" + "\n".join(f"- {one}" for one in missing))
    sets = {one.key: one.name for one in benchmark.sets}
    steps = ", ".join(
        f"{sets[cell.set]}: {cell.system} {cell.seconds:g} s" for cell in benchmark.cells if cell.seconds
    )
    return "\n\n".join([*parts, f"*{provenance(benchmark)} {steps}.*"]) + "\n"


def _set(benchmark: NumeralBenchmark, one: NumeralSetFacts) -> Iterator[str]:
    if one.why_not:
        yield one.why_not
        return
    yield f"{one.about} {size_words(one)}"
    for task, table in main_tables(benchmark, one):
        yield f"#### {TITLES[task]}: {one.name}"
        if task is NumeralTask.CORRUPTION:
            yield _made(one)
        yield markdown(table)
        yield from _details(benchmark, one, task)
    if told := warnings(benchmark, one):
        yield "\n\n".join(told)
    yield from _comparisons(benchmark, one)


def _details(benchmark: NumeralBenchmark, one: NumeralSetFacts, task: NumeralTask) -> Iterator[str]:
    if task is NumeralTask.CALIBRATION:
        yield from _curves(benchmark, one)
        return
    for split in (Split.OPERATOR, Split.KIND):
        for name in DETAIL[task]:
            table = groups_table(benchmark, one, name, split)
            if table.rows:
                measure, _, of = name.partition(" ")
                what = ", ".join(filter(None, [of, LABELS[measure]]))
                yield f"{what[0].upper()}{what[1:]}, by {split}:"
                yield markdown(table)


def _made(one: NumeralSetFacts) -> str:
    return _table(
        ("corruption", "seed", "rows", "could not be made", "number not read", "stands in the article"),
        (
            (facts.how, str(facts.seed), facts.rows, facts.impossible, facts.unread, facts.landed)
            for facts in one.corruptions
        ),
    )


def _table(names: Sequence[str], rows: Iterable[Row]) -> str:
    return markdown(Table(columns=tuple(map(TableColumn, names)), rows=tuple(rows)))


def _curves(benchmark: NumeralBenchmark, one: NumeralSetFacts) -> Iterator[str]:
    for system in benchmark.systems:
        cell = benchmark.cell(one.key, system.key)
        for name, bins in (cell.curves if cell else {}).items():
            yield f"{system.name}, reliability of the {_PROBABILITIES[name]}:"
            yield _curve(bins)


_PROBABILITIES: Final = {
    "support": "support",
    "derivation": "first derivation's probability",
    "answer": "answer's probability",
}


def _curve(bins: Bins) -> str:
    return _table(
        ("probability", "rows", "mean probability", "share that came true"),
        ((f"{low:.1f}–{high:.1f}", rows, mean, share) for low, high, rows, mean, share in bins),
    )


def _comparisons(benchmark: NumeralBenchmark, one: NumeralSetFacts) -> Iterator[str]:
    own = [item for item in benchmark.comparisons if item.set == one.key]
    if own:
        names = {system.key: system.name for system in benchmark.systems}
        yield "Blanks that only one of two filled as wanted (McNemar's exact test, Holm's correction):"
        yield _table(
            ("one", "other", "blanks", "only one", "only the other", "p", "corrected"),
            (
                (
                    *(names[item.one], names[item.other], item.count, item.wins, item.losses),
                    *(chance(item.difference.p), chance(item.corrected)),
                )
                for item in own
            ),
        )
