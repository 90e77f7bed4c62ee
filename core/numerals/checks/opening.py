"""What is checked or filled: headlines beside their articles, from tables, samples, sets or systems."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import numpy as np

from core.data.articles.article_file import TEXT, find_columns
from core.data.articles.articles import READ_CHARACTERS
from core.data.articles.load import is_registered, known, open_articles
from core.data.timelines import column_names
from core.data.timelines.load import read_bytes, read_table
from core.data.timelines.raw import RawTable, listing, texts_frame
from core.data.timelines.samples import PREFIX
from core.errors import DataSourceError, InputError
from core.numerals.checks.article import beginning_of, why_unreadable
from core.numerals.question import has_one_blank, why_no_blank
from core.numerals.unread import why_unread
from core.parts import Part
from core.text.markup import without_markup
from core.text.normalise import clean_block, clean_line

if TYPE_CHECKING:
    import pandas as pd

HEADLINES: Final = (
    "summary",
    "headline",
    "title",
    "headline_input",
    "reference",
    "reference_1",
    "references",
)
"""Names of the column whose headlines are checked, the best first."""
BLANKS: Final = ("cloze", "masked_headline", *HEADLINES)
"""Names of the column whose blanks are filled, the best first; the one that holds most blanks is taken."""


@dataclass(frozen=True, slots=True, eq=False)
class HeadlineRows:
    """n headlines, each beside its article.

    Attributes:
        name: Short name of where they come from.
        headlines: One line each, plain text.
        articles: The article of each, plain text.
        rows: Row of each in the input, from 0, unreadable rows counted.
        places: Row of each in `table`.
        table: The input's rows as texts and None, () columns where there is no table.
        why_not: Why a row of the input is not among the n, in a few words, by its number.
        notes: Sentences on what was decided while reading.
        ledger: Of the lines of the input, as of a timeline's `LoadReport`.
    """

    name: str
    headlines: tuple[str, ...]
    articles: tuple[str, ...]
    rows: tuple[int, ...]
    places: tuple[int, ...] = ()
    table: pd.DataFrame = field(default_factory=lambda: texts_frame([], []))
    why_not: Mapping[int, str] = field(default_factory=lambda: MappingProxyType({}))
    notes: tuple[str, ...] = ()
    ledger: Mapping[str, int] = field(default_factory=dict)

    def __len__(self) -> int:
        """How many headlines there are."""
        return len(self.headlines)

    @property
    def fingerprint(self) -> str:
        """16 hex digits over headlines and articles."""
        digest = hashlib.sha256()
        for row in zip(self.rows, self.headlines, self.articles, strict=True):
            digest.update(f"\x1f{row!r}".encode("utf-8", errors="surrogatepass"))
        return digest.hexdigest()[:16]


def open_headlines(wanted: str, *, column: str = "") -> HeadlineRows:
    """Headlines to be checked, with their articles."""
    return headlines_in(*_open(wanted), column=column)


def headlines_in(table: RawTable, name: str, *, column: str = "") -> HeadlineRows:
    """The headlines of a table that are checked; see `open_headlines`."""
    names = _names(table, HEADLINES, column, name)
    return _rows(table, name, names[0], lambda headline, article: "")


def open_blanks(wanted: str, *, column: str = "") -> HeadlineRows:
    """Headlines with a blank to be filled, with their articles.

    A row without a blank, or with more than one, is reported in `why_not`.
    """
    return blanks_in(*_open(wanted), column=column)


def blanks_in(table: RawTable, name: str, *, column: str = "") -> HeadlineRows:
    """The headlines of a table whose blanks are filled; see `open_blanks`."""
    names = _names(table, BLANKS, column, name)
    counts = [sum(map(has_one_blank, _cells(table, one))) for one in names]
    if not max(counts):
        what = listing(repr(one) for one in names)
        raise InputError(
            f"No headline in {what} of {name[:80]} has a blank.",
            hint="Put ____ (four underscores) where the number is missing.",
        )
    return _rows(table, name, names[counts.index(max(counts))], _why_no_answer)


def _why_no_answer(headline: str, article: str) -> str:
    return why_no_blank(headline) or why_unread(headline, article)


def _open(wanted: str) -> tuple[RawTable, str]:
    if wanted.startswith(PREFIX) or is_registered(wanted):
        opened = open_articles(wanted, part=Part.TEST)
        lines = np.arange(len(opened.table))
        return RawTable(opened.table, lines, ledger={"lines": len(lines)}), opened.name
    if not Path(wanted).exists():
        raise DataSourceError(
            f"There is no file and no article set called {wanted[:200]}.",
            hint=f"Check the path, or choose a sample: {', '.join(known())}.",
        )
    return read_table(read_bytes(wanted), Path(wanted).name, blank_rows=True), Path(wanted).name


def _names(table: RawTable, wanted: Sequence[str], column: str, name: str) -> list[str]:
    keys: dict[str, str] = {}
    for one in map(str, table.cells.columns):
        keys.setdefault(column_names.key(one), one)
        keys.setdefault(one.strip().casefold(), one)
    if column:
        found = [
            one for one in (column, keys.get(column.strip().casefold(), "")) if one in table.cells.columns
        ]
        sentence = f"{name[:80]} has no column {column[:80]!r}."
    else:
        found = list(dict.fromkeys(keys[key] for key in wanted if key in keys))
        sentence = f"{name[:80]} has no column with the headlines; it should be called {wanted[0]}."
    if not found:
        raise InputError(
            sentence, hint=f"It has {listing(table.cells.columns)}; say which one it is with --column."
        )
    return found


def _rows(table: RawTable, name: str, column: str, why: Callable[[str, str], str]) -> HeadlineRows:
    found = find_columns([one for one in map(str, table.cells.columns) if one != column])
    if TEXT not in found:
        raise InputError(
            f"{name[:80]} has no column with the articles; it should be called text.",
            hint=f"It has {listing(table.cells.columns)}; rename the one that holds the articles.",
        )
    (text,) = found[TEXT]
    numbers, why_not = _numbers(table)
    kept: list[tuple[int, int, str, str]] = []
    long = 0
    for place, (number, raw, given) in enumerate(
        zip(numbers, _cells(table, text), _cells(table, column), strict=True)
    ):
        headline = clean_line(without_markup(_first(given)))
        article = clean_block(without_markup(raw))
        reason = why_unreadable(headline) or why(headline, article)
        if not any(map(str.isalnum, article)):
            reason = "no article"
        if reason:
            why_not[number] = reason
        else:
            long += len(article) > READ_CHARACTERS
            kept.append((place, number, headline, beginning_of(article, headline)))
    notes = [*table.notes, f"The articles were taken from {text!r}, the headlines from {column!r}."]
    if long:
        what = "article is" if long == 1 else "articles are"
        notes.append(f"{long:,} {what} very long; the first {READ_CHARACTERS:,} characters are read.")
    places, rows, headlines, articles = zip(*kept, strict=True) if kept else ((), (), (), ())
    return HeadlineRows(
        name=name,
        headlines=headlines,
        articles=articles,
        rows=rows,
        places=places,
        table=table.cells,
        why_not=MappingProxyType(dict(sorted(why_not.items()))),
        notes=tuple(notes),
        ledger={**table.ledger, "kept": len(kept), "rejected": len(why_not)},
    )


def _numbers(table: RawTable) -> tuple[list[int], dict[int, str]]:
    bad = {row.line: row.reason for row in table.rejected}
    place = {line: number for number, line in enumerate(sorted({*table.lines.tolist(), *bad}))}
    return [place[line] for line in table.lines.tolist()], {place[line]: why for line, why in bad.items()}


def _cells(table: RawTable, column: str) -> Iterable[str]:
    return (cell or "" for cell in table.cells[column])


def _first(cell: str) -> str:
    if cell.lstrip().startswith("["):
        try:
            values = json.loads(cell)
        except (ValueError, RecursionError):
            return cell
        if isinstance(values, list) and values and isinstance(values[0], str):
            return values[0]
    return cell
