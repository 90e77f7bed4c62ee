"""From files to a comparison: articles and the headlines of all systems, and back to a folder."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from core import files
from core.data.articles.articles import Articles
from core.data.articles.comparison_file import parse_comparison
from core.data.articles.load import load_articles
from core.data.articles.outputs import Outputs, load_outputs
from core.data.timelines.load import read_bytes
from core.errors import InputError
from core.headlines.comparison.agreement import Agreement
from core.headlines.comparison.comparison import Comparison
from core.headlines.comparison.exports import as_json, scores_csv
from core.headlines.comparison.report import report_html
from core.headlines.comparison.table import ComparisonTable
from core.headlines.comparison.tables import as_csv, as_latex

WRITTEN: Final = ("table.csv", "table.tex", "table.json", "scores.csv", "report.html")


def read_files(files: Sequence[str], *, articles: str | Articles = "") -> tuple[Articles, list[Outputs]]:
    """Articles and every system's headlines."""
    if articles:
        given = load_articles(articles) if isinstance(articles, str) else articles
        return given, _distinct([(file, load_outputs(file, given)) for file in files])
    holder, given, first = _holder(files)
    return given, _distinct(
        [(file, first if file == holder else load_outputs(file, given)) for file in files]
    )


def _holder(files: Sequence[str]) -> tuple[str, Articles, list[Outputs]]:
    errors = []
    for file in files:
        try:
            read, outputs = parse_comparison(read_bytes(file), Path(file).name)
        except InputError as error:
            errors.append(error)
            continue
        return file, read.articles, outputs
    if len(errors) == 1:
        raise InputError(
            errors[0].message, hint=f"{errors[0].hint} Or name the articles: --articles NAME_OR_FILE."
        )
    raise InputError(
        f"None of the {len(files)} files holds both articles and headlines.",
        hint="Name the articles that the headlines were written for: --articles NAME_OR_FILE.",
    )


def _distinct(found: Sequence[tuple[str, list[Outputs]]]) -> list[Outputs]:
    taken: dict[str, int] = {}
    for _, outputs in found:
        for one in outputs:
            taken[one.system] = taken.get(one.system, 0) + 1
    return [
        one if taken[one.system] == 1 else replace(one, system=f"{one.system} ({Path(file).name})")
        for file, outputs in found
        for one in outputs
    ]


def write_folder(
    folder: Path, comparison: Comparison, found: ComparisonTable, agreed: tuple[Agreement, ...] = ()
) -> None:
    """Writes `WRITTEN` into a folder that exists."""
    contents = (
        as_csv(comparison, found).encode(),
        as_latex(comparison, found).encode(),
        as_json(comparison, found, agreed).encode(),
        scores_csv(comparison).encode(),
        report_html(comparison, found, agreed),
    )
    for name, content in zip(WRITTEN, contents, strict=True):
        files.write(folder / name, content)
