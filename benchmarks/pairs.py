"""The HLGD paper's table next to every scorer here, on every available pair set: F1 with 95 % intervals.

Thresholds come from training or validation pairs, never from test pairs. Precision, recall, average
precision, calibration, speed, memory, significance and signatures are in
`benchmarks/results/pair_benchmark-*.json`; [pair_benchmark.md](pair_benchmark.md) has the table of F1.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from benchmarks.machine import machine
from benchmarks.publishing import publish, tell
from core.runtime import Runtime, detect_device
from research.benchmark.pairs.run import run as run_table
from research.benchmark.pairs.sets import FILE, PairBenchmark, PairCell
from research.benchmark.pairs.tables import as_markdown

SETS: Final = frozenset(
    {"allsides", "ecbplus", "ecbplus_sentences", "emergent", "iss", "mrpc", "neus", "uci"}
)
ROWS: Final = (
    *("human", "time_only", "levenshtein", "mrpc_zero_shot", "headline_swap", "finetuned"),
    *("finetuned_content", "finetuned_time", "always_yes", "token_overlap", "cosine", "cosine_time"),
    *("event_similarity", "event_blend", "catboost_pairs"),
)
"""What the page of docs shows of the table; all is in the JSON."""


def run() -> dict[str, Any]:
    """Fills the table, writes it down, and gives its summary; scores that are kept are taken as they are."""
    where = machine()
    found = run_table(Runtime(device=detect_device()), machine=where, on_cell=tell)
    publish(found, FILE, as_markdown(on_page(found), sets=()), name="pairs")
    return {"benchmark": "pair scorers", "rows": summary(found), "seed": found.seed}


def on_page(found: PairBenchmark) -> PairBenchmark:
    """The sets and rows that the page of docs shows."""
    sets = tuple(one for one in found.sets if one.key.partition(".")[0] in SETS)
    systems = tuple(row for row in found.systems if row.key in ROWS)
    return replace(found, sets=sets, systems=systems)


def summary(found: PairBenchmark) -> list[dict[str, Any]]:
    """One line a row: the paper's figures, and F1 with its interval on each set."""
    cells = {(cell.set, cell.system): cell for cell in found.cells}
    lines = []
    for row in found.systems:
        line: dict[str, Any] = {
            "row": row.name,
            "paper_dev": row.published_validation,
            "paper_test": row.published_test,
        }
        for one in found.sets:
            if not one.why_not:
                line[one.name] = _figure(cells.get((one.key, row.key)))
        lines.append(line)
    return lines


def _figure(cell: PairCell | None) -> str | None:
    figure = cell.figures.get("f1") if cell is not None else None
    if figure is None or figure.value is None:
        return None
    span = "" if figure.low is None else f" [{figure.low:.3f}, {figure.high:.3f}]"
    return f"{figure.value:.3f}{span}"
