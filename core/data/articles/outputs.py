"""Headlines that one system wrote for a set of articles."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Final

import numpy as np

from core import limits
from core.arrays import FloatArray
from core.data.articles.article_files import ID, OUTPUT_COLUMNS, SPELLINGS, TEXT, find_columns
from core.data.articles.articles import Articles
from core.data.timelines import column_names, decode, nested, tables
from core.data.timelines.column_names import require
from core.data.timelines.timeline import Field
from core.digests import digest
from core.errors import InputError
from core.text.markup import has_markup, without_markup
from core.text.normalise import clean_block, clean_line

if TYPE_CHECKING:
    import pandas as pd

_TABLES: Final = frozenset({"csv", "tsv", "json", "jsonl", "ndjson", "parquet", "xlsx"})
SYSTEM, SINGLE, LAST = (OUTPUT_COLUMNS[name] for name in ("system", "headline", "last"))
WIDE: Final = re.compile(r"(?:pred|prediction|generated|output)_(?P<system>.+)", re.DOTALL)
_PASSES: Final = 3  # tags that were escaped, and escaped again
_MEASURE: Final = re.compile(r"rouge|bert|bleu|chrf|meteor|mover|score", re.IGNORECASE)
_KNOWN: Final = frozenset(spelling for names in SPELLINGS.values() for spelling in names)


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Outputs:
    """The headlines of one system, beside n articles and in their order."""

    system: str  # what people call the system, unique in a comparison
    headlines: tuple[str, ...]  # one line each; "" where the system gave none
    source: str  # where they come from: a generator's signature, or a file's name
    # Scores by name that came with the headlines, float64 [n], NaN where missing; never mixed with ours.
    published: Mapping[str, FloatArray] = field(default_factory=dict)
    unused: tuple[str, ...] = ()  # columns of their table that stand for nothing here
    marked: int = 0  # how many headlines held markup, of which the text alone was kept
    ledger: Mapping[str, int] = field(default_factory=dict)  # as of a timeline's `LoadReport`
    # What writing them took here: seconds, and what a language model cost, as `Runtime.spent` has it.
    spent: Mapping[str, float] = field(default_factory=dict)
    lights: tuple[str, ...] = ()  # what the checker of numbers says of each; () where it was not asked

    @property
    def marked_note(self) -> str:
        """What is said of the markup in its headlines; "" where there was none."""
        held = f"{self.marked:,} headline{'s' * (self.marked != 1)}"
        return f"{held} held HTML; the text was kept, the tags were not." if self.marked else ""

    @property
    def fingerprint(self) -> str:
        """16 hex digits over name and headlines: of one system, whatever file they are read from."""
        return digest(repr((self.system, self.headlines)), digits=16)


@dataclass(frozen=True, slots=True, eq=False)
class _Block:
    system: str
    table: pd.DataFrame
    column: str
    published: Mapping[str, str]


def load_outputs(path: str | Path, articles: Articles) -> list[Outputs]:
    return parse_outputs(tables.read_bytes(path), Path(path).name, articles)


def parse_outputs(data: bytes, filename: str, articles: Articles) -> list[Outputs]:
    """Headlines of one or several systems, in the order of the articles, from a table or a file of lines.

    A table has a column of `SINGLE`, with one of `SYSTEM` where systems stand below each other; or a column a
    system, `pred_NAME` or `NAME`, and published scores as `SCORE_NAME`. Rows belong to articles by `id` where
    the table has ids, else by their order; texts must agree, too.
    """
    if holds_lines(filename):
        lines = _lines(data)
        _check_count(len(lines), articles, filename)
        ledger = {"lines": len(lines), "kept": len(lines), "rejected": 0}
        return [outputs_of(_stem(filename), lines, filename, ledger)]
    table = tables.whole_table(data, filename)
    blocks = _blocks(table.cells, filename)
    columns = list(map(str, blocks[0].table.columns)) if blocks else []
    used = {name for names in find_columns(columns).values() for name in names}
    used |= {name for name in columns if column_names.key(name) in SYSTEM}
    used |= {name for block in blocks for name in (block.column, *block.published.values())}
    unused = tuple(name for name in columns if name not in used)
    return [
        outputs_of(
            block.system,
            [block.table[block.column][row] for row in rows],
            filename,
            table.ledger,
            published={name: floats(block.table[column])[rows] for name, column in block.published.items()},
            unused=unused,
        )
        for block in blocks
        for rows in (_rows_of(block, articles, filename[:80]),)
    ]


def outputs_of(
    system: str,
    cells: Sequence[str | None],
    filename: str,
    ledger: Mapping[str, int],
    *,
    published: Mapping[str, FloatArray] | None = None,
    unused: tuple[str, ...] = (),
) -> Outputs:
    """Headlines from the cells of a file, one for each article: a line each, without markup."""
    most = limits.HEADLINE_CHARACTERS.value
    # Nested are lists of one headline, and the whole answer of a language model.
    headlines = tuple(clean_line(without_markup(nested.plain(cell, Field.HEADLINE) or "")) for cell in cells)
    for row, headline in enumerate(headlines):
        if len(headline) > most:
            raise InputError(
                f"Line {row + 1:,} of {filename[:80]} has {len(headline):,} characters, more than {most:,}.",
                hint="Give one headline an article, not the article.",
            )
    return Outputs(
        system=system,
        headlines=headlines,
        source=filename,
        published=published or {},
        unused=unused,
        marked=sum(has_markup(cell or "") for cell in cells),
        ledger=ledger,
    )


def holds_lines(filename: str) -> bool:
    """Whether a file of this name is read as text with one headline a line."""
    return PurePath(filename.lower().removesuffix(".gz")).suffix.removeprefix(".") not in _TABLES


def _blocks(table: pd.DataFrame, filename: str) -> list[_Block]:
    known = column_names.find(table.columns, OUTPUT_COLUMNS)
    single = known.get("headline", "")
    wide = {match["system"]: name for name in wide_columns(table.columns) if (match := WIDE.fullmatch(name))}
    if not wide and not single:
        wide = {name: name for name in map(str, table.columns) if _may_hold_headlines(table, name)}
    if not wide and not single:
        single = known.get("last", "")
    if wide:
        return [_Block(name, table, wide[name], published_scores(table, f"_{name}")) for name in wide]
    require({"headline": single}, {"headline": "the headlines"}, table.columns, filename)
    label = known.get("system", "")
    stem = _stem(filename)
    measures = filter(_MEASURE.search, map(str, table.columns))
    scores = {name: name for name in measures if _numbers(table[name])}
    if not label:
        return [_Block(stem, table, single, scores)]
    names = [clean_line(name or "") or stem for name in table[label]]
    return [
        _Block(name, table[[system == name for system in names]].reset_index(drop=True), single, scores)
        for name in dict.fromkeys(names)
    ]


def wide_columns(names: Iterable[object]) -> list[str]:
    """Those of one system each, by their names: `pred_NAME`, but not `pred_headline`."""
    return [name for name in map(str, names) if WIDE.fullmatch(name) and column_names.key(name) not in SINGLE]


def _may_hold_headlines(table: pd.DataFrame, name: str) -> bool:
    key = column_names.key(name)
    known = key in _KNOWN or key in SYSTEM or key.startswith(("reference", "cloze"))
    return not known and not _numbers(table[name])


def published_scores(table: pd.DataFrame, end: str) -> dict[str, str]:
    """Columns of numbers whose names end so, by their names without the end."""
    ending = (name for name in map(str, table.columns) if name.endswith(end) and name != end)
    scores = (name for name in ending if WIDE.fullmatch(name) is None and _numbers(table[name]))
    return {name.removesuffix(end): name for name in scores}


def _numbers(cells: Iterable[str | None]) -> bool:
    filled = [cell for cell in cells if cell and cell.strip()]
    try:
        return all(np.isfinite(float(cell)) for cell in filled)
    except ValueError:
        return False


def floats(cells: Iterable[str | None]) -> FloatArray:
    return np.array([float(cell) if cell and cell.strip() else np.nan for cell in cells], dtype=np.float64)


def _rows_of(block: _Block, articles: Articles, filename: str) -> list[int]:
    columns = find_columns(list(map(str, block.table.columns)))
    rows = list(range(len(block.table)))
    ids = [clean_line(cell or "") for cell in block.table[columns[ID][0]]] if ID in columns else []
    numbered = articles.ids == tuple(map(str, range(len(articles))))
    if ids and (not numbered or set(ids) == set(articles.ids)):
        rows = _by_id(ids, articles, f"{columns[ID][0]} of {filename}")
    else:
        _check_count(len(block.table), articles, filename)
    if TEXT in columns:
        texts = list(block.table[columns[TEXT][0]])
        for place, row in enumerate(rows):
            if _key(texts[row] or "") != _key(articles.texts[place]):
                raise InputError(
                    f"Row {row + 1:,} of {filename} holds another article than number {place + 1:,} of "
                    f"{articles.name}.",
                    hint="Give the articles that the headlines were written for, in the same order.",
                )
    return rows


def _by_id(ids: Sequence[str], articles: Articles, where: str) -> list[int]:
    row_of: dict[str, int] = {}
    for row, article_id in enumerate(ids):
        if row_of.setdefault(article_id, row) != row:
            raise InputError(
                f"{article_id[:80]!r} stands twice in the column {where}: in rows {row_of[article_id] + 1:,} "
                f"and {row + 1:,}.",
                hint="Give one headline an article.",
            )
    known = set(articles.ids)
    for missing, why in (
        ([key for key in articles.ids if key not in row_of], "have no row in the column"),
        ([key for key in ids if key not in known], "are no ids of the articles, but stand in the column"),
    ):
        if missing:
            message = f"{len(missing):,} of the ids {why} {where}; the first is {missing[0][:80]!r}."
            hint = f"Give one headline for each of the {len(articles):,} articles; nothing was loaded."
            raise InputError(message, hint=hint)
    return [row_of[key] for key in articles.ids]


def _check_count(count: int, articles: Articles, filename: str) -> None:
    if count != len(articles):
        raise InputError(
            f"{filename[:80]} has {count:,} headlines for the {len(articles):,} articles of {articles.name}.",
            hint="Give one line an article, in the same order; an empty line is an empty headline.",
        )


def _key(text: str) -> str:
    for _ in range(_PASSES):
        text = without_markup(text)
    return " ".join(clean_block(text).split())


def _lines(data: bytes) -> list[str]:
    lines = decode.text_of(data).replace("\r\n", "\n").split("\n")
    return lines[:-1] if not lines[-1] else lines


def _stem(filename: str) -> str:
    name = PurePath(filename).name
    return name.partition(".")[0] or name
