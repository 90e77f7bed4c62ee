"""A comparison for other programs: JSON with every figure, and a line for each headline."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Final

from core import __version__, files
from core.data.articles.articles import Articles
from core.data.articles.comparison_file import parse_comparison
from core.data.articles.load import load_articles
from core.data.articles.outputs import Outputs, load_outputs
from core.data.timelines.load import read_bytes
from core.errors import InputError
from core.headlines.comparison.compare import Agreement
from core.headlines.comparison.comparison import (
    Comparison,
    Duel,
    article_words,
    disagreement,
    duels_of_column,
    headline_words,
)
from core.headlines.comparison.report import as_csv, as_latex, as_objects, papers_beside, report_html
from core.headlines.comparison.table import ComparisonTable
from core.results import render
from core.results.page import object_json
from core.results.table import Table, TableColumn, Value
from core.statistics.bootstrap import Figure

LAYOUT: Final = 1
"""Version of the JSON."""


def as_json(
    comparison: Comparison,
    found: ComparisonTable,
    agreed: tuple[Agreement, ...] = (),
    *,
    votes: Table | None = None,
) -> str:
    """Every figure with its interval, all duels, what each column is, and people's votes, in one object."""
    told: dict[str, Any] = {
        "layout": LAYOUT,
        "program": f"headline-lab {__version__}",
        "articles": len(comparison.articles),
        "articles_name": comparison.articles.name,
        "articles_fingerprint": comparison.articles.fingerprint,
        "articles_ledger": dict(comparison.articles.ledger),
        "language": comparison.language,
        "seed": comparison.seed,
        "resamples": comparison.resamples,
        "resampled": comparison.resampled_units,
        "fingerprint": comparison.fingerprint,
        "signature": comparison.signature,
        "against": found.against or None,
        "systems": [
            {"system": one.system, "source": one.source, "empty": empty, "ledger": dict(one.ledger)}
            for one, empty in zip(comparison.outputs, found.empty, strict=True)
        ],
        "metrics": [
            {"signature": one.signature, "library": one.library, "why_not": one.why_not or None}
            for one in comparison.measured
        ],
        "columns": [
            {
                "key": place.key,
                "label": place.column.label,
                "help": place.column.help,
                "higher_is_better": place.column.higher_is_better,
                "metric": comparison.measured[place.metric].signature,
                "values": {
                    system: _value(one, found.best(at))
                    for system, one in zip(found.systems, found.column(at), strict=True)
                },
                "duels": [_duel(one) for one in duels_of_column(comparison, place.key)],
            }
            for at, place in enumerate(found.places)
        ],
        "published": agreed,
        "votes": [] if votes is None else [_vote(votes, row) for row in votes.rows],
        "papers": as_objects(papers_beside(comparison.articles)),
    }
    return object_json(told)


def _vote(votes: Table, row: Sequence[Value]) -> dict[str, Any]:
    return {column.title: value for column, value in zip(votes.columns, row, strict=True)}


def _duel(one: Duel) -> dict[str, Any]:
    gap = one.difference
    return {
        **{"one": one.one, "other": one.other, "difference": gap.value, "low": gap.low, "high": gap.high},
        **{"p": gap.p, "corrected": one.corrected, "family": one.family, "warning": gap.warning},
        **{"wins": one.wins, "ties": one.ties, "losses": one.losses},
    }


def _value(one: Figure, best: float | None) -> dict[str, Any]:
    told = asdict(one)
    told = {name: told[name] for name in ("value", "reason", "low", "high", "p", "warning")}
    return {**told, "headlines": one.count, "best": best is not None and one.value == best}


def scores_csv(comparison: Comparison) -> str:
    """One line for each article and system: the headline, its scores, and what articles are sorted by."""
    published = list(dict.fromkeys(name for one in comparison.outputs for name in one.published))
    names = ["row", "id", "system", "headline", "reference", "article_words", "headline_words"]
    names += ["disagreement", *(place.key for place in comparison.places)]
    names += [f"{name} (as published)" for name in published]
    lengths, own = article_words(comparison).tolist(), headline_words(comparison).tolist()
    apart = disagreement(comparison)
    scores = [comparison.scores(place.key) for place in comparison.places]
    lines: list[tuple[Value, ...]] = []
    for row, name in enumerate(comparison.articles.ids):
        given = comparison.articles.references[row]
        for at, one in enumerate(comparison.outputs):
            lines.append(
                (
                    *(row + 1, name, one.system, one.headlines[row], given[0] if given else ""),
                    *(lengths[row], own[at][row], f"{apart[row]:.4f}"),
                    *(float(column[at, row]) for column in scores),
                    *(float(one.published[key][row]) if key in one.published else None for key in published),
                )
            )
    return render.as_csv(Table(columns=tuple(map(TableColumn, names)), rows=tuple(lines)))


WRITTEN: Final = ("table.csv", "table.tex", "table.json", "scores.csv", "report.html")


def read_files(files: Sequence[str], *, articles: str | Articles = "") -> tuple[Articles, list[Outputs]]:
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
