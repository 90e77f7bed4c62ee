"""Tables that papers published, beside which a comparison may be laid."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import msgspec

from core.data.articles.articles import Articles
from core.results import number_forms, text_tables
from core.results.table import Table, TableColumn, text_rows

PREDICTIONS: Final = Path("numeval2024") / "dev_headlines_two_systems.csv.gz"
"""Headlines of two participants of SemEval-2024 task 7, in the folder of data."""
NUMHG: Final = ("numhg", "numhg_people")
"""Tables of NumHG's paper: they stand beside articles whose gold numbers are known, as its articles' are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    system: str  # as the paper calls it
    row: str  # key of the row here; "" where the system has none
    values: tuple[float | int, ...]  # a measure each, in percent
    note: str = ""  # what else the paper says of it


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedTable:
    key: str
    paper: str
    table: str
    data: str
    measures: tuple[str, ...]
    systems: tuple[Published, ...]
    here: str = ""


SOURCES: Final = msgspec.toml.decode(
    Path(__file__).with_name("published.toml").read_bytes(), type=dict[str, tuple[PublishedTable, ...]]
)["tables"]


def papers_beside(articles: Articles) -> tuple[Table, ...]:
    """The papers' tables that belong beside a comparison on these articles; () where there are none."""
    return tuple(map(paper_table, NUMHG)) if any(articles.numbers) else ()


def as_lines(tables: Sequence[Table]) -> list[str]:
    lines = []
    for table in tables:
        lines += ["", f"As published: {table.title}. {table.notes[0]}", *text_tables.ruled(text_rows(table))]
    return lines


def as_objects(tables: Sequence[Table]) -> list[dict[str, Any]]:
    return [
        {
            "title": table.title,
            "data": table.notes[0],
            "columns": [column.title for column in table.columns[1:]],
            "systems": [row[0] for row in table.rows],
            "figures": [row[1:] for row in table.rows],
        }
        for table in tables
    ]


def paper_table(key: str) -> Table:
    """A published table by its key in `SOURCES`: systems by figures, in percent with the paper's digits."""
    source = next(source for source in SOURCES if source.key == key)
    digits = max(len(str(value).partition(".")[2]) for system in source.systems for value in system.values)
    return Table(
        columns=(
            TableColumn("System"),
            *(TableColumn(name, form=number_forms.decimals(digits)) for name in source.measures),
        ),
        rows=tuple((system.system, *system.values) for system in source.systems),
        title=f"{source.paper}, {source.table}",
        notes=(source.data,),
    )
