"""Articles in the order of their file, by the name of a sample or a registered set, or by a path."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, ClassVar, Final, Self

from core import limits
from core.data.files import DataSource
from core.data.timelines import raw
from core.data.timelines.load import PREFIX, Sample, cards, named, read_bytes, read_table
from core.data.timelines.raw import RawTable, listing
from core.digests import digest
from core.errors import DataSourceError, InputError
from core.files import read_tables
from core.parts import Part
from core.registry import Registry
from core.results.render import count_words
from core.text.markup import has_markup, without_markup
from core.text.normalise import clean_block, clean_line

if TYPE_CHECKING:
    import pandas as pd

READ_CHARACTERS: Final = 30_000  # an article's beginning that systems read; a news article has about 3,000


class NamedRows:
    """Base of frozen dataclasses with a name and n entries in every other attribute."""

    __slots__ = ()
    _lead: ClassVar[str] = ""
    name: str

    @classmethod
    def columns(cls) -> list[str]:
        """Names of the attributes that have an entry for each row."""
        return [field_.name for field_ in fields(cls) if field_.name not in ("name", "ledger")]  # type: ignore[arg-type]

    def __len__(self) -> int:
        return len(getattr(self, self.columns()[0]))

    @property
    def fingerprint(self) -> str:
        """16 hex digits over everything that results depend on."""
        rows = zip(*(getattr(self, column) for column in self.columns()), strict=True)
        return digest(self._lead + "\x1f".join(map(repr, rows)), digits=16)

    def part(self, *wanted: Part) -> Self:
        parts: Sequence[Part] = self.parts  # type: ignore[attr-defined]
        return self.at([row for row, part in enumerate(parts) if part in wanted])

    def at(self, rows: Sequence[int]) -> Self:
        columns: dict[str, Any] = {
            column: tuple(getattr(self, column)[row] for row in rows) for column in self.columns()
        }
        return replace(self, **columns)  # type: ignore[type-var]


@dataclass(frozen=True, slots=True, eq=False)
class Articles(NamedRows):
    """n articles; every attribute that is not the name has n entries, in the order of the source."""

    name: str  # short name ("numhg", a file's name, …)
    ids: tuple[str, ...]  # all different; the number from 0 where the source has no ids
    texts: tuple[str, ...]  # what is read to write a headline: plain text, whole
    references: tuple[tuple[str, ...], ...]  # what people wrote, best first; () where none is known
    parts: tuple[Part, ...]  # part of each article
    clusters: tuple[str, ...]  # articles of one event have the same word here; "" for an article alone
    numbers: tuple[str, ...]  # in the reference, as NumHG asks for it; "" where unknown
    operations: tuple[str, ...]  # "copy" where the article has that number, "reasoning" where not, or ""
    ledger: Mapping[str, int] = field(default_factory=dict)  # as of a timeline's `LoadReport`

    _lead: ClassVar[str] = "\x1f"


def articles_of(
    name: str,
    texts: Sequence[str],
    *,
    ids: Sequence[str] | None = None,
    references: Sequence[Sequence[str]] | None = None,
    parts: Sequence[Part] | Part = Part.TEST,
    clusters: Sequence[str] | None = None,
    numbers: Sequence[str] | None = None,
    operations: Sequence[str] | None = None,
    ledger: Mapping[str, int] | None = None,
) -> Articles:
    """Articles with what is not given left unknown; the lengths must agree."""
    n = len(texts)
    given = Articles(
        name=name,
        ids=tuple(map(str, range(n) if ids is None else ids)),
        texts=tuple(texts),
        references=tuple(map(tuple, [()] * n if references is None else references)),
        parts=(parts,) * n if isinstance(parts, Part) else tuple(parts),
        clusters=tuple([""] * n if clusters is None else clusters),
        numbers=tuple([""] * n if numbers is None else numbers),
        operations=tuple([""] * n if operations is None else operations),
        ledger=ledger or {},
    )
    if any(len(getattr(given, column)) != n for column in Articles.columns()):
        raise ValueError(f"columns of {name} differ in length")
    return given


class ArticleSource(DataSource[Articles]):
    __slots__ = ()


article_sources: Registry[ArticleSource] = Registry("article set", "core.data.articles")


_NAMED_ROWS: Final = 5
_REASONING: Final = {"1": "reasoning", "1.0": "reasoning", "true": "reasoning", "reasoning": "reasoning"}
_COPY: Final = {"0": "copy", "0.0": "copy", "false": "copy", "copy": "copy"}


@dataclass(frozen=True, slots=True, eq=False)
class ArticleFile:
    name: str
    articles: Articles
    table: pd.DataFrame
    notes: tuple[str, ...]


def read_article_file(path: str | Path) -> ArticleFile:
    return parse_articles(read_bytes(path), Path(path).name)


def parse_articles(data: bytes, filename: str) -> ArticleFile:
    """Reads articles from any table (CSV, TSV, JSON, JSONL, Parquet, XLSX; each also gz)."""
    return articles_in(whole_table(data, filename), filename)


def whole_table(data: bytes, filename: str) -> RawTable:
    table = read_table(data, filename, blank_rows=True)
    if table.rejected:
        first = table.rejected[0]
        more = f" ({len(table.rejected):,} lines in all)" if len(table.rejected) > 1 else ""
        raise InputError(
            f"Line {first.line:,} of {filename[:80]} cannot be read{more}: {first.reason}",
            hint="Correct it or take it out; nothing was loaded.",
        )
    return replace(table, ledger={**table.ledger, "kept": len(table), "rejected": 0})


def articles_in(
    table: RawTable, filename: str, *, columns: Mapping[str, tuple[str, ...]] | None = None
) -> ArticleFile:
    mapping = find_columns(table.columns) if columns is None else dict(columns)
    if columns is None:
        raw.require(mapping, NEEDED, table.columns, filename)
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
    texts = [clean_block(without_markup(text)) for text in _cells(table, columns[0])]
    _refuse_rows(
        [row for row, text in enumerate(texts) if not any(map(str.isalnum, text))],
        ("has no text", "have no text"),
        filename,
    )
    return texts


def in_table(articles: Articles) -> ArticleFile:
    """Articles that come from no table, in one that `parse_articles` would read the same from."""
    import pandas as pd

    columns: dict[str, list[str]] = {ID: list(articles.ids), TEXT: list(articles.texts)}
    most = max(map(len, articles.references), default=0)
    for place in range(most):
        name = "reference" if most == 1 else f"reference_{place + 1}"
        columns[name] = [given[place] if place < len(given) else "" for given in articles.references]
    for name, values in (
        (CLUSTER, articles.clusters),
        (NUMBER, articles.numbers),
        (OPERATION, articles.operations),
    ):
        if any(values):
            columns[name] = list(values)
    return ArticleFile(articles.name, articles, pd.DataFrame(columns, dtype=object), ())


def _cells(table: pd.DataFrame, column: str) -> list[str]:
    return [value or "" for value in table[column]]


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
            row.extend(_listed(cell))
    return [
        tuple(dict.fromkeys(line for given in row if (line := clean_line(without_markup(given)))))
        for row in rows
    ]


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
        notes.append(
            f"{are} very long (row {long[0] + 1:,} has {words:,} words); systems read its beginning only."
        )
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
    raise InputError(
        f"{label} {shown}{more} of {filename[:80]} {verb}.",
        hint="Put it right or take the row out; nothing was loaded.",
    )


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
"""Names of each column, the best first (columns.toml)."""

_NUMBERED_REFERENCE: Final = re.compile(r"(?:reference|ref|headline_ref)_?\d{1,2}")


NEEDED: Final = {TEXT: "the articles"}  # for `raw.require`


def find_columns(columns: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """The columns of each part of an article; several for references."""
    mapping = {part: (name,) for part, name in raw.find(columns, SPELLINGS).items()}
    keys = raw.by_key(columns)
    several = tuple(dict.fromkeys(keys[key] for key in keys if _NUMBERED_REFERENCE.fullmatch(key)))
    return mapping | ({REFERENCES: several} if several else {})


DEFAULT: Final = "articles"


def names() -> list[str]:
    """Names of the samples, the default one first."""
    return list(cards("articles.json", DEFAULT))


def info(name: str) -> Sample:
    return named(name, cards("articles.json", DEFAULT))


def open_sample(name: str = DEFAULT) -> ArticleFile:
    """Loads a sample with the table it stands in; all of it is test."""
    read = read_article_file(info(name).path)
    return replace(read, name=name, articles=replace(read.articles, name=name))


def load_articles(wanted: str, *, part: Part | None = Part.TEST) -> Articles:
    return open_articles(wanted, part=part).articles


def open_articles(wanted: str, *, part: Part | None = Part.TEST) -> ArticleFile:
    if wanted.startswith(PREFIX):
        return open_sample(wanted.removeprefix(PREFIX))
    if is_registered(wanted):
        articles = article_sources.parse(wanted).load()
        return in_table(articles if part is None else articles.part(part))
    if not os.path.exists(wanted):  # False also for names that no file can have
        raise DataSourceError(
            f"There is no file and no article set called {wanted[:200]}.",
            hint=f"Check the path, or choose one of: {', '.join([*known(), *article_sources.names()])}.",
        )
    return read_article_file(wanted)


def known() -> list[str]:
    return [f"{PREFIX}{name}" for name in names()]


def is_registered(wanted: str) -> bool:
    """Whether a word begins with the name of a registered set, with or without its version."""
    name = wanted.partition("|")[0]
    return name in {word for full in article_sources.names() for word in (full, full.rpartition(".v")[0])}
