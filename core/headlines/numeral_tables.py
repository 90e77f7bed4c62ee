"""The scores of checked headlines as text, CSV, LaTeX and JSON."""

from collections.abc import Iterable
from pathlib import Path
from typing import Final

import msgspec

from core import __version__, files
from core.headlines.comparison.table import shown_column
from core.headlines.comparison.written_table import SCALE_NOTE
from core.headlines.numeral_scores import NumeralScores
from core.numerals.checked_headline import Light
from core.results import json_files, number_forms, table_files
from core.results import table as tables
from core.results.table import LONG, Row, Table, TableColumn

WRITTEN: Final = ("systems.csv", "systems.tex", "parts.csv", "contradictions.csv", "scores.json")
"""Files of `write_folder`."""
LAYOUT: Final = 3  # version of the JSON
_SHARE: Final = number_forms.percent(2)
_OF_PASSING: Final = "share of those that nothing speaks against"
_CONTRADICTED: Final = {  # columns of contradictions.csv, and the fields of `Contradiction` that they hold
    **{name: name for name in ("row", "system", "headline")},
    "numeral": "text",
    **{name: name for name in ("start", "end", "kind", "probability")},
    **{"article_numeral": "rival", "article_sentence": "rival_sentence", "reason": "reason"},
}


def as_text(scores: NumeralScores) -> str:
    """All tables for a terminal, one below the other; of contradictions their number alone."""
    shares = (TableColumn(light.value, form=_SHARE) for light in Light)
    numerals = TableColumn("numerals")
    systems = _table(
        (TableColumn(""), *map(shown_column, scores.columns), TableColumn("Numerals")),
        (
            (system.system, *(system.figures[column.name] for column in scores.columns), system.numerals)
            for system in scores.systems
        ),
    )
    kinds = _table(
        (TableColumn("system, kind"), numerals, *shares),
        ((f"{of.system}, {of.kind.value}", of.numerals, *of.lights.values()) for of in scores.kinds),
    )
    operators = _table(
        (TableColumn("system, operator"), numerals, TableColumn("share", form=_SHARE)),
        ((f"{each.system}, {each.operator}", each.numerals, each.share) for each in scores.operators),
    )
    parts = [tables.as_text(systems, turned=True)]
    parts += [tables.as_text(table) for table in (kinds, operators) if table.rows]
    return "\n\n".join([*parts, "\n".join(notes(scores))])


def notes(scores: NumeralScores) -> list[str]:
    """What a reader of the tables must know, a sentence or two each."""
    return [
        f"{scores.articles:,} articles. {SCALE_NOTE} Brackets: 95 % intervals, {scores.resamples:,} "
        f"bootstrap resamples of {scores.units}, seed {scores.seed}.",
        f"{len(scores.contradictions):,} numerals are wrong by their articles.",
        f"Checked by {'; '.join(scores.checkers)}.",
        *number_forms.footnotes([scores.warning]),
    ]


def as_csv(scores: NumeralScores) -> str:
    """One line a system, as stored (not times 100): numerals, verdicts, and every value with its interval."""
    names = map(TableColumn, ("system", "headlines", "with_numerals", "numerals", *map(str, Light)))
    rows: list[Row] = [
        (
            *(system.system, system.headlines, system.with_numerals, system.numerals),
            *system.lights.values(),
            *(system.figures[column.name] for column in scores.columns),
        )
        for system in scores.systems
    ]
    return table_files.as_csv(_table((*names, *map(shown_column, scores.columns)), rows))


def parts_csv(scores: NumeralScores) -> str:
    """Kinds and operators: one line a value, the table it is of in the first column."""
    lines: list[Row] = [
        ("kind", kind.system, kind.kind.value, light.value, kind.numerals, figure)
        for kind in scores.kinds
        for light, figure in kind.lights.items()
    ]
    lines += [
        ("operator", operator.system, operator.operator, _OF_PASSING, operator.numerals, operator.share)
        for operator in scores.operators
    ]
    names = map(TableColumn, ("table", "system", "name", "of", "numerals"))
    return table_files.as_csv(_table((*names, TableColumn("value", parts=LONG)), lines))


def contradictions_csv(scores: NumeralScores) -> str:
    """One line a wrong numeral, the least likely first."""
    rows = (tuple(getattr(each, name) for name in _CONTRADICTED.values()) for each in scores.contradictions)
    return table_files.as_csv(_table(map(TableColumn, _CONTRADICTED), rows))


def as_latex(scores: NumeralScores) -> str:
    return table_files.as_latex(paper_form(scores), columns=None)


def paper_form(scores: NumeralScores) -> Table:
    """The table by system for a paper."""
    known = {name for of in scores.systems for name, figure in of.figures.items() if figure.value is not None}
    defined = [column for column in scores.columns if column.name in known]
    rows: Iterable[Row] = (
        (of.system, *(of.figures[column.name] for column in defined)) for of in scores.systems
    )
    columns = (TableColumn("System"), *map(shown_column, defined))
    return _table(columns, rows, notes=tuple(notes(scores)))


def as_json(scores: NumeralScores) -> str:
    about = {"layout": LAYOUT, "program": f"headline-lab {__version__}"}
    return json_files.object_json({**about, **msgspec.to_builtins(scores)})


def write_folder(folder: Path, scores: NumeralScores) -> None:
    """Writes `WRITTEN` into a folder that exists."""
    for name, make in zip(WRITTEN, (as_csv, as_latex, parts_csv, contradictions_csv, as_json), strict=True):
        files.write(folder / name, make(scores).encode())


def _table(columns: Iterable[TableColumn], rows: Iterable[Row], *, notes: tuple[str, ...] = ()) -> Table:
    return Table(columns=tuple(columns), rows=tuple(rows), notes=notes)
