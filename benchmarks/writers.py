"""The two small models that write headlines here, on the same held-out articles of NumHG, in one run.

`any` number may be written, or only `restated` ones of the article (as they stand, in words, rounded, in
another magnitude), or also those that two of them give together (`derived`). Supported are numerals that
the checker calls copied or derived. All figures are in percent, with 95 % intervals of the bootstrap over
articles; differences are from the first row on the same articles, in points. Beams, penalty and rule were
chosen on validation articles.
"""

from __future__ import annotations

from typing import Any, Final

from benchmarks.numeral_safe import METRICS, SHOWN, difference
from core.data.articles.outputs import Outputs
from core.headlines.benchmark.generation import headlines_of
from core.headlines.benchmark.sets import find_set, open_set
from core.headlines.comparison.compare import compare
from core.headlines.comparison.comparison import Comparison
from core.headlines.comparison.duels import duels
from core.headlines.comparison.table import spanned, table
from core.runtime import Runtime, detect_device

LIMIT: Final = 300
SYSTEMS: Final = {
    "SmolLM2 135M with our adapter": "smollm2_headlines",
    "FLAN-T5-small with our adapter": "flan_t5_headlines",
    "the same, restated numbers": "flan_t5_headlines|numbers:restated",
    "the same, derived numbers": "flan_t5_headlines|numbers:derived",
}
DIFFERENCES: Final = {
    "rouge_mean": "difference in ROUGE mean",
    "numeral_accuracy": "difference in numeral accuracy",
    "headlines_supported": "difference in headlines all supported",
}


def run(*, limit: int = LIMIT) -> dict[str, Any]:
    """Writes, or takes headlines that were kept, and compares.

    Args:
        limit: Articles; a smaller number is a part of a larger one.
    """
    runtime = Runtime(device=detect_device(), patient=True)
    articles = open_set(find_set("numhg"), limit=limit, seed=runtime.seed).articles
    written = {name: headlines_of(articles.texts, system, runtime) for name, system in SYSTEMS.items()}
    outputs = [
        Outputs(system=name, headlines=one.headlines, source=one.signature) for name, one in written.items()
    ]
    comparison = compare(articles, outputs, METRICS, runtime, language="en")
    rows = [_row(comparison, row) for row in range(len(outputs))]
    for line, one in zip(rows, written.values(), strict=True):
        line["seconds a headline"] = round(one.seconds / len(articles), 2)
    return {
        "benchmark": "small writers",
        "rows": rows,
        "articles": len(articles),
        "systems": {name: one.signature for name, one in written.items()},
        "seed": runtime.seed,
    }


def _row(comparison: Comparison, row: int) -> dict[str, Any]:
    """A system's figures, and how far it is from the first."""
    first, system = comparison.systems[0], comparison.systems[row]
    found = table(comparison)
    line: dict[str, Any] = {"system": system}
    for place, entry in zip(found.places, found.entries[row], strict=True):
        if place.key in (*SHOWN, "rouge1", "rouge2", "rougeL"):
            line[place.column.label] = spanned(place.column, entry)
    apart = {one.key: one for one in duels(comparison, system, first)} if row else {}
    for key, label in DIFFERENCES.items():
        one = apart.get(key)
        line[label] = None if one is None else difference(one.difference)
    return line
