"""The benchmark as a page of Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from core.numerals.benchmark.results import (
    FillDuel,
    NumeralBenchmark,
    Reliability,
    SetFacts,
    Split,
    Task,
)
from core.numerals.benchmark.tables import (
    DETAIL,
    LABELS,
    MAIN,
    NOTHING,
    TITLES,
    groups_table,
    provenance,
    size_words,
    systems_table,
    warnings,
)

_LEAST: Final = 0.001


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
    for task, columns in MAIN.items():
        body = systems_table(benchmark, one, task, columns)
        if len(body) < 2:
            continue
        yield f"#### {TITLES[task]}: {one.name}"
        if task is Task.CORRUPTION:
            yield _made(benchmark, one)
        yield markdown(body)
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
            body = groups_table(benchmark, one, task, measure=measure, of=of, split=split)
            if len(body) > 1:
                what = ", ".join(filter(None, [of, LABELS[measure]]))
                yield f"{what[0].upper()}{what[1:]}, by {split}:"
                yield markdown(body)


def _made(benchmark: NumeralBenchmark, one: SetFacts) -> str:
    """What the seeded sets hold."""
    body = [["corruption", "seed", "rows", "could not be made", "number not read", "stands in the article"]]
    body += [
        [
            facts.how,
            str(facts.seed),
            *(f"{count:,}" for count in (facts.rows, facts.impossible, facts.unread, facts.landed)),
        ]
        for facts in benchmark.corruptions
        if facts.set == one.key
    ]
    return markdown(body)


def _curves(benchmark: NumeralBenchmark, one: SetFacts) -> Iterator[str]:
    names = {system.key: system.name for system in benchmark.systems}
    for curve in benchmark.reliability:
        if curve.set == one.key:
            yield f"{names[curve.system]}, reliability of the {_PROBABILITIES[curve.of]}:"
            yield markdown(_curve(curve))


_PROBABILITIES: Final = {
    "support": "support",
    "derivation": "first derivation's probability",
    "answer": "answer's probability",
}


def _curve(curve: Reliability) -> list[list[str]]:
    body = [["probability", "rows", "mean probability", "share that came true"]]
    for low, high, rows, mean, came_true in curve.bins:
        values = (NOTHING if value is None else f"{value:.3f}" for value in (mean, came_true))
        body.append([f"{low:.1f}–{high:.1f}", f"{rows:,}", *values])
    return body


def _duels(benchmark: NumeralBenchmark, one: SetFacts) -> Iterator[str]:
    own = [duel for duel in benchmark.duels if duel.set == one.key]
    if own:
        names = {system.key: system.name for system in benchmark.systems}
        yield "Blanks that only one of two filled as wanted (McNemar's exact test, Holm's correction):"
        yield markdown(
            [
                ["one", "other", "blanks", "only one", "only the other", "p", "corrected"],
                *(
                    [
                        names[duel.one],
                        names[duel.other],
                        *(f"{count:,}" for count in (duel.rows, duel.wins, duel.losses)),
                        *_chances(duel),
                    ]
                    for duel in own
                ),
            ]
        )


def _chances(duel: FillDuel) -> tuple[str, str]:
    one, other = (
        NOTHING if p is None else "<0.001" if p < _LEAST else f"{p:.3f}" for p in (duel.p, duel.corrected)
    )
    return one, other


def markdown(body: Sequence[Sequence[str]]) -> str:
    """A table; the first line is the heading."""
    lines = [body[0], ["---"] * len(body[0]), *body[1:]]
    return "\n".join("| " + " | ".join(text.replace("|", r"\|") for text in line) + " |" for line in lines)
