"""A comparison as files: JSON with every figure, a CSV of all headlines, and a folder with the report."""

from pathlib import Path
from typing import Any, Final

from core import __version__, files
from core.headlines.comparison import published, written_table
from core.headlines.comparison.agreement import Agreement
from core.headlines.comparison.article_measures import article_words, disagreement, headline_words
from core.headlines.comparison.comparison import Comparison
from core.headlines.comparison.duels import Duel, duels_of_column
from core.headlines.comparison.report import report_html
from core.headlines.comparison.table import ComparisonTable
from core.results import json_files, table_files
from core.results.table import MOST_COLUMNS, Table, TableColumn, Value
from core.statistics.bootstrap import Figure

LAYOUT: Final = 2
"""Version of the JSON."""
WRITTEN: Final = ("table.csv", "table.tex", "table.json", "scores.csv", "report.html")


def as_json(comparison: Comparison, table: ComparisonTable, agreed: tuple[Agreement, ...] = ()) -> str:
    """Every figure with its interval, all duels, and what each column is, in one object."""
    document: dict[str, Any] = {
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
        "against": table.against or None,
        "systems": [
            {"system": output.system, "source": output.source, "empty": empty, "ledger": dict(output.ledger)}
            for output, empty in zip(comparison.outputs, table.empty, strict=True)
        ],
        "metrics": [
            {"signature": each.signature, "library": each.library, "why_not": each.why_not or None}
            for each in comparison.measured
        ],
        "columns": [
            {
                "key": place.key,
                "label": place.column.label,
                "help": place.column.help,
                "higher_is_better": place.column.higher_is_better,
                "metric": comparison.measured[place.metric].signature,
                "values": {
                    system: _value(figure, table.best(at))
                    for system, figure in zip(table.systems, table.column(at), strict=True)
                },
                "duels": [_duel(duel) for duel in duels_of_column(comparison, place.key)],
            }
            for at, place in enumerate(table.places)
        ],
        "published": agreed,
        "papers": published.as_objects(published.papers_beside(comparison.articles)),
    }
    return json_files.object_json(document)


def _duel(duel: Duel) -> dict[str, Any]:
    gap = duel.difference
    return {
        **{"one": duel.system, "other": duel.other, "difference": gap.value, "low": gap.low},
        **{"high": gap.high, "p": gap.p, "corrected": duel.corrected, "family": duel.family},
        **{"warning": gap.warning, "wins": duel.wins, "ties": duel.ties, "losses": duel.losses},
    }


def _value(figure: Figure, best: float | None) -> dict[str, Any]:
    parts = {name: getattr(figure, name) for name in ("value", "reason", "low", "high", "p", "warning")}
    return {**parts, "headlines": figure.count, "best": best is not None and figure.value == best}


def scores_csv(comparison: Comparison) -> str:
    """One line for each article and system: the headline, its scores, and what articles are sorted by."""
    keys = list(dict.fromkeys(name for output in comparison.outputs for name in output.published))
    names = ["row", "id", "system", "headline", "reference", "article_words", "headline_words"]
    names += ["disagreement", *(place.key for place in comparison.places)]
    names += [f"{name} (as published)" for name in keys]
    lengths, own = article_words(comparison).tolist(), headline_words(comparison).tolist()
    apart = disagreement(comparison)
    scores = [comparison.scores(place.key) for place in comparison.places]
    lines: list[tuple[Value, ...]] = []
    for row, name in enumerate(comparison.articles.ids):
        given = comparison.articles.references[row]
        for at, output in enumerate(comparison.outputs):
            lines.append(
                (
                    *(row + 1, name, output.system, output.headlines[row], given[0] if given else ""),
                    *(lengths[row], own[at][row], f"{apart[row]:.4f}"),
                    *(float(column[at, row]) for column in scores),
                    *(float(output.published[key][row]) if key in output.published else None for key in keys),
                )
            )
    return table_files.as_csv(Table(columns=tuple(map(TableColumn, names)), rows=tuple(lines)))


def write_folder(
    folder: Path,
    comparison: Comparison,
    table: ComparisonTable,
    agreed: tuple[Agreement, ...] = (),
    *,
    columns: int | None = MOST_COLUMNS,
) -> None:
    """Writes `WRITTEN` into a folder that exists."""
    latex = written_table.as_latex(comparison, table, columns=columns)
    tables = (written_table.as_csv(comparison, table), latex, as_json(comparison, table, agreed))
    texts = (text.encode() for text in (*tables, scores_csv(comparison)))
    for name, content in zip(WRITTEN, (*texts, report_html(comparison, table, agreed)), strict=True):
        files.write(folder / name, content)
