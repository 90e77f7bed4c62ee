"""Articles read from a table."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Final

from core import limits
from core.data.articles.articles import Articles, articles_of
from core.data.timelines import column_names, nested, tables
from core.data.timelines.column_names import by_key, require
from core.data.timelines.raw import RawTable, listing
from core.data.timelines.timeline import Field
from core.errors import InputError
from core.files import read_tables
from core.results.render import count_words
from core.text.markup import has_markup, without_markup
from core.text.normalise import clean_block, clean_line

if TYPE_CHECKING:
    import pandas as pd

READ_CHARACTERS: Final = 30_000  # an article's beginning that systems read; a news article has about 3,000
_NAMED_ROWS: Final = 5
_REASONING: Final = {"1": "reasoning", "1.0": "reasoning", "true": "reasoning", "reasoning": "reasoning"}
_COPY: Final = {"0": "copy", "0.0": "copy", "false": "copy", "copy": "copy"}
TEXT: Final = "text"
REFERENCES: Final = "references"
ID: Final = "id"
CLUSTER: Final = "cluster"
NUMBER: Final = "number"
OPERATION: Final = "operation"
SPELLINGS, OUTPUT_COLUMNS = (
    {part: tuple(names.split()) for part, names in read_tables(__file__, "columns")[kind].items()}
    for kind in ("articles", "outputs")
)
SPELLINGS[TEXT] += column_names.NAMES[Field.BODY]
SPELLINGS[REFERENCES] += column_names.NAMES[Field.HEADLINE]
"""Names of each column, the best first (columns.toml), then those of a timeline's."""
_NUMBERED_REFERENCE: Final = re.compile(r"(?:reference|ref|headline_ref)_?\d{1,2}")
NEEDED: Final = {TEXT: "the articles"}  # for `require`


@dataclass(frozen=True, slots=True, eq=False)
class ArticleFile:
    name: str
    articles: Articles
    table: pd.DataFrame
    notes: tuple[str, ...]


def read_article_file(path: str | Path) -> ArticleFile:
    return parse_articles(tables.read_bytes(path), Path(path).name)


def parse_articles(data: bytes, filename: str) -> ArticleFile:
    """Reads articles from any table (CSV, TSV, JSON, JSONL, Parquet, XLSX; each also gz)."""
    return articles_in(tables.whole_table(data, filename), filename)


def articles_in(
    table: RawTable, filename: str, *, columns: Mapping[str, tuple[str, ...]] | None = None
) -> ArticleFile:
    mapping = find_columns(table.columns) if columns is None else dict(columns)
    if columns is None:
        require(mapping, NEEDED, table.columns, filename)
    texts = _texts(table.cells, mapping.get(TEXT, ()), filename)
    references = _references(table.cells, mapping.get(REFERENCES, ()))
    most = limits.HEADLINE_CHARACTERS.value
    long = [row for row, given in enumerate(references) if any(len(headline) > most for headline in given)]
    what = "has a headline of more than", "have headlines of more than"
    _refuse_rows(long, (f"{what[0]} {most:,} characters", f"{what[1]} {most:,} characters"), filename)
    name = PurePath(filename).name
    articles = articles_of(
        (name.partition(".")[0] or "articles"),
        texts,
        ids=_ids(table.cells, mapping[ID][0], filename) if ID in mapping else None,
        references=references,
        clusters=_lines(table.cells, mapping.get(CLUSTER, ())),
        numbers=_lines(table.cells, mapping.get(NUMBER, ())),
        operations=[
            (_REASONING | _COPY).get(value.casefold(), "")
            for value in _lines(table.cells, mapping.get(OPERATION, ()))
        ],
        ledger=table.ledger,
    )
    notes = (*table.notes, *_notes(table.cells, mapping, articles))
    return ArticleFile(filename, articles, table.cells, notes)


def _texts(table: pd.DataFrame, columns: Sequence[str], filename: str) -> list[str]:
    if not columns:
        return [""] * len(table)
    texts = [clean_block(without_markup(text)) for text in _cells(table, columns[0], Field.BODY)]
    blank = [row for row, text in enumerate(texts) if not any(map(str.isalnum, text))]
    _refuse_rows(blank, ("has no text", "have no text"), filename)
    return texts


def in_table(articles: Articles) -> ArticleFile:
    """Articles that come from no table, in one that `parse_articles` would read the same from."""
    import pandas as pd

    columns: dict[str, list[str]] = {ID: list(articles.ids), TEXT: list(articles.texts)}
    most = max(map(len, articles.references), default=0)
    for place in range(most):
        name = "reference" if most == 1 else f"reference_{place + 1}"
        columns[name] = [given[place] if place < len(given) else "" for given in articles.references]
    more = {CLUSTER: articles.clusters, NUMBER: articles.numbers, OPERATION: articles.operations}
    for name, values in more.items():
        if any(values):
            columns[name] = list(values)
    return ArticleFile(articles.name, articles, pd.DataFrame(columns, dtype=object), ())


def _cells(table: pd.DataFrame, column: str, field: Field | None = None) -> list[str]:
    """The texts of a column; with a field what nested values say of it."""
    return [(nested.plain(value, field) if field else value) or "" for value in table[column]]


def _lines(table: pd.DataFrame, columns: Sequence[str]) -> list[str]:
    return [clean_line(cell) for cell in _cells(table, columns[0])] if columns else [""] * len(table)


def _ids(table: pd.DataFrame, column: str, filename: str) -> list[str]:
    ids = _lines(table, (column,))
    empty = [row for row, key in enumerate(ids) if not key]
    _refuse_rows(empty, (f"has no {column}", f"have no {column}"), filename)
    first: dict[str, int] = {}
    for row, article_id in enumerate(ids):
        if first.setdefault(article_id, row) != row:
            raise InputError(
                f"{column} {article_id[:80]!r} stands in rows {first[article_id] + 1:,} and {row + 1:,} "
                f"of {filename[:80]}.",
                hint="Give every article an id of its own, or leave the column out.",
            )
    return ids


def _references(table: pd.DataFrame, columns: Sequence[str]) -> list[tuple[str, ...]]:
    rows: list[list[str]] = [[] for _ in range(len(table))]
    for column in columns:
        for row, cell in zip(rows, _cells(table, column), strict=True):
            row.extend(nested.plain(text, Field.HEADLINE) or "" for text in _listed(cell))
    plain = ([clean_line(without_markup(given)) for given in row] for row in rows)
    return [tuple(dict.fromkeys(filter(None, row))) for row in plain]


def _listed(cell: str) -> list[str]:
    if cell.lstrip().startswith("["):
        try:
            values = json.loads(cell)
        except (ValueError, RecursionError):
            return [cell]
        if isinstance(values, list) and all(isinstance(value, str) for value in values):
            return values
    return [cell]


def _notes(table: pd.DataFrame, mapping: dict[str, tuple[str, ...]], articles: Articles) -> list[str]:
    if TEXT not in mapping:
        return []
    notes = [
        f"The articles were taken from {mapping[TEXT][0]!r}"
        + (f", the headlines from {listing(mapping[REFERENCES])!r}." if REFERENCES in mapping else ".")
    ]
    marked = sum(has_markup(text) for text in _cells(table, mapping[TEXT][0]))
    if marked:
        held = count_words(marked, "article holds", "articles hold")
        notes.append(f"{held} HTML; the text was kept, the tags were not.")
    long = [row for row, text in enumerate(articles.texts) if len(text) > READ_CHARACTERS]
    if long:
        words = len(articles.texts[long[0]].split())
        are = count_words(len(long), "article is", "articles are")
        first = f"row {long[0] + 1:,} has {words:,} words"
        notes.append(f"{are} very long ({first}); systems read its beginning only.")
    missing = sum(not given for given in articles.references) if REFERENCES in mapping else 0
    if missing:
        notes.append(f"{count_words(missing, 'article has', 'articles have')} no headline to compare with.")
    return notes


def _refuse_rows(rows: Sequence[int], what: tuple[str, str], filename: str) -> None:
    if not rows:
        return
    shown = ", ".join(f"{row + 1:,}" for row in rows[:_NAMED_ROWS])
    more = f" and {len(rows) - _NAMED_ROWS:,} more" if len(rows) > _NAMED_ROWS else ""
    label, verb = ("Row", what[0]) if len(rows) == 1 else ("Rows", what[1])
    message = f"{label} {shown}{more} of {filename[:80]} {verb}."
    raise InputError(message, hint="Put it right or take the row out; nothing was loaded.")


def find_columns(columns: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """The columns of each part of an article; several for references."""
    mapping = {part: (name,) for part, name in column_names.find(columns, SPELLINGS).items()}
    keys = by_key(columns)
    several = tuple(dict.fromkeys(keys[key] for key in keys if _NUMBERED_REFERENCE.fullmatch(key)))
    return mapping | ({REFERENCES: several} if several else {})
