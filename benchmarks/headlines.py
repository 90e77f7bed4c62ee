"""Every system that writes headlines on the available sets: ROUGE-1 / ROUGE-2 / ROUGE-L, F1 times 100.

The papers' figures are on their own data; NumHG's table with intervals and significance is in
[headline_benchmark.md](headline_benchmark.md), every figure with its signature in
`benchmarks/results/headline_benchmark-*.json`.
"""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import Any, Final

from benchmarks.machine import machine
from benchmarks.publishing import publish, tell
from core.results.table import NOTHING, duration, spanned, written
from core.runtime import Runtime, detect_device
from research.benchmark.headlines.run import run as run_table
from research.benchmark.headlines.sets import FILE, HeadlineBenchmark, HeadlineCell, HeadlineSetFacts
from research.benchmark.headlines.tables import (
    as_markdown,
    form_of,
    paper_words,
    parameter_words,
    training_words,
)

THREE: Final = ("rouge1", "rouge2", "rougeL")
LIMITS: Final = MappingProxyType({"numhg": 525, "numeval": 200})
"""Articles of a set at most, drawn once: a language model writes one or two headlines a second."""
SHOWN: Final = (
    "rouge_mean",
    "bert_score_f1_minilm",
    "numeral_accuracy",
)
SYSTEMS: Final = (
    *("first_sentence", "lexrank", "s2s", "pointer", "pointer_coverage", "copynet", "pointer_grammemes"),
    *("phrase_transformer", "smollm2", "smollm2_headlines"),
)
"""Columns and systems on the page of docs; all are in the JSON."""


def run() -> dict[str, Any]:
    """Fills the table, writes it down, and gives its summary; kept headlines are taken as they are."""
    found = run_table(
        Runtime(device=detect_device(), patient=True), machine=machine(), limits=LIMITS, on_row=tell
    )
    publish(found, FILE, on_page(found), name="headlines")
    return {"benchmark": "headline generators", "rows": summary(found), "seed": found.seed}


def on_page(found: HeadlineBenchmark) -> str:
    """The tables that the page of docs shows."""
    systems = tuple(row for row in found.systems if row.key in SYSTEMS)
    return as_markdown(replace(found, systems=systems), sets=found.sets[:1], columns=SHOWN)


def summary(found: HeadlineBenchmark) -> list[dict[str, Any]]:
    """One line a system: the papers' figures, ours on each set, parameters and training time."""
    lines = []
    for row in found.systems:
        line: dict[str, Any] = {"system": row.name, "papers": paper_words(row)}
        reasons = []
        for one in found.sets:
            cell = found.cell(one.key, row.key)
            if one.why_not or cell is None:
                continue
            line[one.name] = _three(one, cell)
            reasons += [cell.why_not] if cell.why_not else []
        main = next((one for one in found.sets if not one.why_not), None)
        cell = found.cell(main.key, row.key) if main is not None else None
        line["ROUGE mean on the first set"] = _mean(main, cell)
        line["parameters"] = parameter_words(row)
        line["training"] = training_words(row)
        line["writing on the first set"] = _time(cell)
        if all(line.get(one.name) is None for one in found.sets):
            line["papers"] = f"{line['papers']}; not run here: {_sentence(reasons)}"
        lines.append(line)
    return lines


def _sentence(reasons: list[str]) -> str:
    return (reasons[0] if reasons else "no set is available.").partition(". ")[0].rstrip(".")


def _three(one: HeadlineSetFacts, cell: HeadlineCell) -> str | None:
    columns = [column for column in one.columns if column.key in THREE and column.key in cell.figures]
    if not columns:
        return None
    return " / ".join(written(cell.figures[column.key].value, form_of(column)) for column in columns)


def _mean(one: HeadlineSetFacts | None, cell: HeadlineCell | None) -> str | None:
    column = next((column for column in one.columns if column.key == one.main), None) if one else None
    if column is None or cell is None or column.key not in cell.figures:
        return None
    return spanned(cell.figures[column.key], form_of(column))


def _time(cell: HeadlineCell | None) -> str:
    return NOTHING if cell is None else written(cell.seconds, duration)
