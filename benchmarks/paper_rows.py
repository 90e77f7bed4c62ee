"""What stands in for a paper's own systems, each on what stands in for its data."""

from types import MappingProxyType
from typing import Any, Final

from benchmarks.publishing import tell
from core.results.number_forms import Form, decimals, percent, spanned
from core.results.stored import newest
from core.runtime import Runtime, detect_device
from research.benchmark.headlines import tables
from research.benchmark.headlines.run import measure_writers
from research.benchmark.pairs import evaluate
from research.benchmark.pairs import rows as pair_rows
from research.benchmark.pairs.run import measure_pairs
from research.papers import PAPERS, Item

DATED: Final = ("selection", "signals", "unanswerable")
"""Sets of items that are benchmarks here, whose newest results are taken over."""
F1: Final = "f1"  # what pair scorers are measured by
ARTICLES: Final = 300
CAPS: Final = MappingProxyType({**evaluate.CAPS, pair_rows.Pace.FAST: (1_000, 1_000)})
METRICS: Final = ("rouge", "bleu", "bert_score", "numeral_accuracy")


def run_papers() -> dict[str, Any]:
    """Each substitute of a paper's system, on data that are here: its figure, and that of a baseline.

    The papers' own figures are on their own data; [papers.md](papers.md) has both.
    """
    runtime = Runtime(device=detect_device(), patient=True)
    items = [(paper.key, item) for paper in PAPERS.values() for item in paper.items if item.on]
    runs: dict[str, Any] = {}
    for on in dict.fromkeys(item.on for _, item in items):
        asked = [item for _, item in items if item.on == on]
        codes = [item.runs for item in asked]
        how: dict[str, Any] = {"sets": [on], "on_outcome": tell}
        if on in DATED:
            runs[on] = newest(on)
        elif asked[0].measure == F1:
            rows, settings = list(map(pair_rows.row, codes)), evaluate.PairSettings(caps=CAPS)
            runs[on] = measure_pairs(runtime, rows=rows, settings=settings, **how)
        else:
            writers = list(map(tables.row, dict.fromkeys([tables.BASELINE, *codes])))
            runs[on] = measure_writers(runtime, rows=writers, metrics=METRICS, limit=ARTICLES, **how)
    read = [(_taken if item.on in DATED else _measured) for _, item in items]
    forms = [decimals(3) if key == "hlgd" else percent() for key, _ in items]
    found = [
        {"paper": key, "by": item.how} | reader(item, runs[item.on], form)
        for reader, form, (key, item) in zip(read, forms, items, strict=True)
    ]
    return {"benchmark": "substitutes", "rows": found, "seed": runtime.seed}


def _measured(item: Item, run: Any, form: Form) -> dict[str, str]:
    (facts,), of_pairs = run.sets, item.measure == F1
    floor = pair_rows.ALWAYS_YES if of_pairs else tables.BASELINE
    key = (pair_rows if of_pairs else tables).row(item.runs).key
    own, other = (run.cell(facts.key, name) for name in (key, floor))
    labels = {F1: "F1"} if of_pairs else {column.key: column.label for column in facts.columns}
    part = f" of {own.whole:,}" if own.count < own.whole else ""
    by = f", by {run.names[key]}" if item.system else ""
    return {
        "here": f"{labels[item.measure]} {spanned(own.figures[item.measure], form)}",
        "data": f"{own.count:,}{part} {facts.items} of {facts.name}{by}",
        "beside": f"{run.names[floor].lower()} {form(other.value(item.measure) or 0.0)}",
        "signature": own.signature,
    }


def _taken(item: Item, result: dict[str, Any], _: Form) -> dict[str, str]:
    rows = {next(iter(row.values())).partition(" · weights")[0]: row for row in result["rows"]}
    count = result.get("articles") or result["pairs"][item.measure]
    return {
        "here": f"{item.measure} {rows[item.system][item.measure]}",
        "data": f"{count:,} {'articles' if 'articles' in result else 'pairs'}, {item.on} of {result['date']}",
        "beside": f"{item.beside} {rows[item.beside][item.measure].partition(' [')[0]}",
        "signature": next(iter(rows[item.system].values())),
    }
