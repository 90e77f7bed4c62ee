"""The benchmark as a page of Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from core.numerals.benchmark.results import (
    NumeralBenchmark,
    Reliability,
    SetFacts,
    Split,
    Task,
)
from core.numerals.benchmark.tables import (
    LABELS,
    TITLES,
    groups_table,
    main_tables,
    provenance,
    size_words,
    warnings,
)
from core.results.forms import chance
from core.results.render import as_markdown as markdown
from core.results.table import Row, Table, TableColumn

DETAIL: Final = {
    Task.RANKING: (("first", ""), ("equivalent", "")),
    Task.SUPPORT: (("found", ""),),
    Task.CORRUPTION: tuple(
        (measure, how) for how in ("digit", "magnitude", "swap") for measure in ("auc", "flagged")
    ),
    Task.FILLING: (("right", ""),),
}
"""What is also shown by operator and by kind: measures, and of what."""


def as_markdown(benchmark: NumeralBenchmark) -> str:
    """All tables of all sets."""
    parts = [
        "## Results",
        "Written by `headline-lab benchmark numerals`. Shares are shown times 100; brackets hold 95 % "
        f"intervals over {benchmark.resamples:,} bootstrap resamples of the articles.",
    ]
    for one in benchmark.sets:
        parts += [f"### {one.name}", *_set(benchmark, one)]
    missing = [f"- {system.name}: {system.why_not}" for system in benchmark.systems if system.why_not]
    if missing:
        parts.append("No figures:\n\n" + "\n".join(missing))
    steps = ", ".join(f"{name} {seconds:g} s" for name, seconds in benchmark.seconds.items())
    return "\n\n".join([*parts, f"*{provenance(benchmark)} {steps}.*"]) + "\n"


def _set(benchmark: NumeralBenchmark, one: SetFacts) -> Iterator[str]:
    if one.why_not:
        yield one.why_not
        return
    yield f"{one.about} {size_words(one)}"
    for task, table in main_tables(benchmark, one):
        yield f"#### {TITLES[task]}: {one.name}"
        if task is Task.CORRUPTION:
            yield _made(benchmark, one)
        yield markdown(table)
        yield from _details(benchmark, one, task)
    if told := warnings(benchmark, one):
        yield "\n\n".join(told)
    yield from _duels(benchmark, one)


def _details(benchmark: NumeralBenchmark, one: SetFacts, task: Task) -> Iterator[str]:
    """Tables by operator and by kind; of calibration its curves."""
    if task is Task.CALIBRATION:
        yield from _curves(benchmark, one)
        return
    for split in (Split.OPERATOR, Split.KIND):
        for measure, of in DETAIL[task]:
            table = groups_table(benchmark, one, task, measure=measure, of=of, split=split)
            if table.rows:
                what = ", ".join(filter(None, [of, LABELS[measure]]))
                yield f"{what[0].upper()}{what[1:]}, by {split}:"
                yield markdown(table)


def _made(benchmark: NumeralBenchmark, one: SetFacts) -> str:
    """What the seeded sets hold."""
    return _table(
        ("corruption", "seed", "rows", "could not be made", "number not read", "stands in the article"),
        (
            (facts.how, str(facts.seed), facts.rows, facts.impossible, facts.unread, facts.landed)
            for facts in benchmark.corruptions
            if facts.set == one.key
        ),
    )


def _table(names: Sequence[str], rows: Iterable[Row]) -> str:
    return markdown(Table(columns=tuple(map(TableColumn, names)), rows=tuple(rows)))


def _curves(benchmark: NumeralBenchmark, one: SetFacts) -> Iterator[str]:
    names = {system.key: system.name for system in benchmark.systems}
    for curve in benchmark.reliability:
        if curve.set == one.key:
            yield f"{names[curve.system]}, reliability of the {_PROBABILITIES[curve.of]}:"
            yield _curve(curve)


_PROBABILITIES: Final = {
    "support": "support",
    "derivation": "first derivation's probability",
    "answer": "answer's probability",
}


def _curve(curve: Reliability) -> str:
    return _table(
        ("probability", "rows", "mean probability", "share that came true"),
        ((f"{low:.1f}–{high:.1f}", rows, mean, share) for low, high, rows, mean, share in curve.bins),
    )


def _duels(benchmark: NumeralBenchmark, one: SetFacts) -> Iterator[str]:
    own = [duel for duel in benchmark.duels if duel.set == one.key]
    if own:
        names = {system.key: system.name for system in benchmark.systems}
        yield "Blanks that only one of two filled as wanted (McNemar's exact test, Holm's correction):"
        yield _table(
            ("one", "other", "blanks", "only one", "only the other", "p", "corrected"),
            (
                (
                    *(names[duel.one], names[duel.other], duel.rows, duel.wins, duel.losses),
                    *(chance(duel.p), chance(duel.corrected)),
                )
                for duel in own
            ),
        )
