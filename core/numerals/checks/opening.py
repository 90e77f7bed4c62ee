"""What is checked or filled: headlines beside their articles, from tables, samples, sets or systems."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from core import limits
from core.data.articles.article_files import NEEDED, READ_CHARACTERS, TEXT, find_columns
from core.data.articles.opening import is_registered, known, open_articles
from core.data.timelines import column_names, samples
from core.data.timelines.decode import decode
from core.data.timelines.gz import GZIP, gunzip
from core.data.timelines.raw import RawTable, listing, texts_frame
from core.data.timelines.tables import read_bytes, read_table
from core.data.timelines.timeline import Field
from core.errors import DataSourceError, InputError
from core.files import read_tables
from core.numerals.checked_headline import CheckedHeadline
from core.numerals.question import why_no_blank
from core.numerals.unread import NOT_READ, refusal, why_unread
from core.parts import Part
from core.results.delimited import restored
from core.text.markup import has_markup, without_markup
from core.text.normalise import clean_block, clean_line, comparison_key, without_surrogates

if TYPE_CHECKING:
    import pandas as pd

TABLES: Final = frozenset({"csv", "tsv", "tab", "psv", "json", "jsonl", "ndjson", "parquet", "pq", "xlsx"})
"""Endings of files that hold many articles."""
READ_INSTEAD: Final = "Check it by hand, or give article and headline in one of these languages."
_HEAD: Final = re.compile(r"<head\b.*?</head\s*>", re.IGNORECASE | re.DOTALL)
_ARTICLE: Final = re.compile(r"<article\b[^>]*>(.*)</article\s*>", re.IGNORECASE | re.DOTALL)
HEADLINES: Final = (  # names of the column whose headlines are checked, the best first
    *("summary", "headline", "title", "headline_input"),
    *("reference", "reference_1", "references"),
    *column_names.NAMES[Field.HEADLINE],
)
BLANKS: Final = ("cloze", "masked_headline", *HEADLINES)  # headings of blanks; the one with most is taken
_BULLET: Final = re.compile(r"^\s*[•◦▪*–—-]\s+")  # what notes put before a line
_LISTED: Final = re.compile(r"\s*(?:\((\d{1,3})\)|(\d{1,3})[.)])\s+")
"""The number of a line in a list; of one line alone it may be the headline's own."""
_NAMES: Final = {*HEADLINES, "headlines", "candidate", "candidates"}


def parse_article(data: bytes, filename: str) -> str:
    """The text of an article; of HTML its `article` element, without the head, which repeats the headline."""
    shown = filename[:80]
    if is_table(filename):
        message = f"{shown} is a table, which brings its own headlines."
        hint = "Give one article as text, or check the table by itself (without --headline, with --out)."
        raise InputError(message, hint=hint)
    text = _decoded(data, filename, hint="Give the article as plain text or HTML, best in UTF-8.")
    if has_markup(text):
        body = _HEAD.sub(" ", text)
        inside = _ARTICLE.search(body)
        text = without_markup(inside[1] if inside else body)
    text = clean_block(text)
    if not any(map(str.isalnum, text)):
        raise InputError(f"{shown} holds no text.", hint="Give an article with at least one sentence.")
    return text


def _decoded(data: bytes, filename: str, *, hint: str) -> str:
    try:
        return decode(gunzip(data) if data.startswith(GZIP) else data).text
    except InputError as error:
        why = f"{error.message[:1].lower()}{error.message[1:]}"
        raise InputError(f"{filename[:80]} is no text: {why}", hint=hint) from None


def is_table(filename: str) -> bool:
    name = filename.lower().removesuffix(".gz")
    return PurePath(name).suffix.removeprefix(".") in TABLES


def why_unreadable(headline: str) -> str:
    """Why a headline cannot be read, in a few words; "" where it can."""
    if not headline:
        return "no headline"
    most = limits.HEADLINE_CHARACTERS.value
    return f"a headline of more than {most:,} characters" if len(headline) > most else ""


def check_languages(headlines: Sequence[str], article: str) -> None:
    for headline in headlines:
        if why := why_unread(headline, article):
            raise InputError(refusal(why), hint=READ_INSTEAD)


def check_any_is_read(checked: Sequence[CheckedHeadline]) -> None:
    """Refuses headlines of which none, or whose article, is in a language whose numbers are read."""
    if checked and all(each.unread not in ("", NOT_READ) for each in checked):
        raise InputError(checked[0].reason, hint=READ_INSTEAD)


def beginning_of(article: str, headline: str) -> str:
    """What is read of an article for a headline: its first characters, without the headline itself."""
    return without_headline(without_surrogates(article), headline)[:READ_CHARACTERS]


def without_headline(article: str, headline: str) -> str:
    """The article without lines that are the headline again; what ends with a full stop is a sentence."""
    if "\n" not in article:
        return article
    key, lines = comparison_key(headline), article.split("\n")
    remaining = [line for line in lines if comparison_key(line) != key or line.rstrip().endswith(".")]
    others = len(remaining) < len(lines) and any(any(map(str.isalnum, line)) for line in remaining)
    return "\n".join(remaining).strip() if others else article


@dataclass(frozen=True, slots=True, eq=False)
class HeadlineRows:
    name: str  # short name of where they come from
    headlines: tuple[str, ...]  # one line each, plain text
    articles: tuple[str, ...]  # the article of each, plain text
    rows: tuple[int, ...]  # row of each in the input, from 0, unreadable rows counted
    places: tuple[int, ...] = ()  # row of each in `table`
    table: pd.DataFrame = field(default_factory=lambda: texts_frame([], []))
    why_not: Mapping[int, str] = field(default_factory=lambda: MappingProxyType({}))
    notes: tuple[str, ...] = ()  # sentences on what was decided while reading
    ledger: Mapping[str, int] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.headlines)

    @property
    def fingerprint(self) -> str:
        digest = hashlib.sha256()
        for row in zip(self.rows, self.headlines, self.articles, strict=True):
            digest.update(f"\x1f{row!r}".encode("utf-8", errors="surrogatepass"))
        return digest.hexdigest()[:16]


def open_headlines(wanted: str, *, column: str = "") -> HeadlineRows:
    return headlines_in(*_open(wanted), column=column)


def headlines_in(table: RawTable, name: str, *, column: str = "") -> HeadlineRows:
    return _rows(table, name, _names(table, HEADLINES, column, name)[0], lambda headline, article: "")


def open_blanks(wanted: str, *, column: str = "") -> HeadlineRows:
    """Headlines with a blank, with their articles; a row without exactly one is reported in `why_not`."""
    return blanks_in(*_open(wanted), column=column)


def blanks_in(table: RawTable, name: str, *, column: str = "") -> HeadlineRows:
    names = _names(table, BLANKS, column, name)
    counts = [sum(not why_no_blank(cell) for cell in _cells(table, heading)) for heading in names]
    if not max(counts):
        what = listing(repr(heading) for heading in names)
        message = f"No headline in {what} of {name[:80]} has a blank."
        raise InputError(message, hint="Put ____ (four underscores) where the number is missing.")
    most = names[counts.index(max(counts))]
    return _rows(table, name, most, lambda line, article: why_no_blank(line) or why_unread(line, article))


def _open(wanted: str) -> tuple[RawTable, str]:
    if wanted.startswith(samples.PREFIX) or is_registered(wanted):
        opened = open_articles(wanted, part=Part.TEST)
        count = len(opened.table)
        return RawTable(opened.table, np.arange(count), ledger={"lines": count}), opened.name
    if not Path(wanted).exists():
        message = f"There is no file and no article set called {wanted[:200]}."
        raise DataSourceError(message, hint=f"Check the path, or choose a sample: {', '.join(known())}.")
    return read_table(read_bytes(wanted), Path(wanted).name, blank_rows=True), Path(wanted).name


def _names(table: RawTable, wanted: Sequence[str], column: str, name: str) -> list[str]:
    keys = column_names.by_key(table.cells.columns)
    if column:
        likely = (column, keys.get(column.strip().casefold(), ""))
        columns = [name for name in likely if name in table.cells.columns]
        sentence = f"{name[:80]} has no column {column[:80]!r}."
    else:
        columns = list(dict.fromkeys(keys[key] for key in wanted if key in keys))
        sentence = f"{name[:80]} has no column with the headlines; it should be called {wanted[0]}."
    if not columns:
        hint = f"It has {listing(table.cells.columns)}; call one {wanted[0]} (or name it with --column)."
        raise InputError(sentence, hint=hint)
    return columns


def _rows(table: RawTable, name: str, column: str, why: Callable[[str, str], str]) -> HeadlineRows:
    columns = find_columns([heading for heading in map(str, table.cells.columns) if heading != column])
    column_names.require(columns, NEEDED, table.columns, name)
    (text,) = columns[TEXT]
    numbers, why_not = _numbers(table)
    entries: list[tuple[int, int, str, str]] = []
    long = 0
    cells = zip(numbers, _cells(table, text), _cells(table, column), strict=True)
    for place, (number, raw, given) in enumerate(cells):
        headline = clean_line(without_markup(_first(given)))
        article = clean_block(without_markup(raw))
        blank = not any(map(str.isalnum, article))
        if reason := "no article" if blank else why_unreadable(headline) or why(headline, article):
            why_not[number] = reason
        else:
            long += len(article) > READ_CHARACTERS
            entries.append((place, number, headline, beginning_of(article, headline)))
    notes = [*table.notes, f"The articles were taken from {text!r}, the headlines from {column!r}."]
    if long:
        what = "article is" if long == 1 else "articles are"
        notes.append(f"{long:,} {what} very long; the first {READ_CHARACTERS:,} characters are read.")
    places, rows, headlines, articles = zip(*entries, strict=True) if entries else ((), (), (), ())
    ledger = {**table.ledger, "kept": len(entries), "rejected": len(why_not)}
    left_out = MappingProxyType(dict(sorted(why_not.items())))
    rows_of = (headlines, articles, rows, places, table.cells)
    return HeadlineRows(name, *rows_of, left_out, tuple(notes), ledger)


def _numbers(table: RawTable) -> tuple[list[int], dict[int, str]]:
    bad = {row.line: row.reason for row in table.rejected}
    place = {line: number for number, line in enumerate(sorted({*table.lines.tolist(), *bad}))}
    return [place[line] for line in table.lines.tolist()], {place[line]: why for line, why in bad.items()}


def _cells(table: RawTable, column: str) -> Iterable[str]:
    return (cell or "" for cell in table.cells[column])


def _first(cell: str) -> str:
    with suppress(ValueError, RecursionError):
        values = json.loads(cell) if cell.lstrip().startswith("[") else []
        return values[0] if values and isinstance(values[0], str) else cell
    return cell


class CandidateExample(NamedTuple):
    article: str  # plain text
    headlines: tuple[str, ...]  # some right, some wrong, some to be checked by a person


def read_candidates(text: str) -> tuple[str, ...]:
    """The headlines of a text, one a line; empty lines, bullets and the numbers of a list are left out."""
    bare = _without_list_numbers([_BULLET.sub("", line, count=1) for line in text.splitlines()])
    lines = {number: clean_line(without_markup(line)) for number, line in enumerate(bare, start=1)}
    headlines = {number: line for number, line in lines.items() if line}
    if not headlines:
        message = "There is no headline to check."
        raise InputError(message, hint="Give the headlines that you consider, one on each line.")
    most = limits.CANDIDATE_HEADLINES.value
    if len(headlines) > most:
        message = f"There are {len(headlines):,} headlines; at most {most:,} are checked together."
        hint = "Leave some out, or put headlines and article into a table for the command line."
        raise InputError(message, hint=hint)
    longest = limits.HEADLINE_CHARACTERS.value
    for number, line in headlines.items():
        if len(line) > longest:
            message = f"Line {number:,} has {len(line):,} characters; a headline has at most {longest:,}."
            raise InputError(message, hint="Give one headline on each line, and the article as the article.")
    return tuple(headlines.values())


def _without_list_numbers(lines: Sequence[str]) -> Sequence[str]:
    matches = [_LISTED.match(line) for line in lines]
    numbers = [int(match[1] or match[2]) for match in matches if match]
    if len(numbers) < 2 or numbers != list(range(numbers[0], numbers[0] + len(numbers))):
        return lines
    return [line[match.end() :] if match else line for line, match in zip(lines, matches, strict=True)]


def _headline_column(text: str, filename: str) -> str:
    delimiter = "\t" if "\t" in text.lstrip("\ufeff\r\n").partition("\n")[0] else ","
    rows = [row for row in csv.reader(io.StringIO(text.lstrip("\ufeff")), delimiter=delimiter) if any(row)]
    names = [name.strip().casefold() for name in rows[0]] if rows else []
    column = next((names.index(name) for name in (*HEADLINES, *_NAMES) if name in names), None)
    if column is not None and (len(names) > 1 or is_table(filename)):
        return "\n".join(" ".join(restored(row[column]).split()) for row in rows[1:] if len(row) > column)
    if len(names) > 1 and is_table(filename):
        message = f"{filename[:80]} has no column that is named headline."
        hint = "Name the column of the headlines “headline”, or give a text file with one on each line."
        raise InputError(message, hint=hint)
    return text


def parse_candidates(data: bytes, filename: str) -> tuple[str, ...]:
    """The headlines of a text file, one a line, or of the column "headline" of a CSV or TSV file."""
    hint = "Give a text file with one headline on each line, best in UTF-8."
    return read_candidates(_headline_column(_decoded(data, filename, hint=hint), filename))


def example() -> CandidateExample:
    document = read_tables(__file__, "example")
    return CandidateExample(" ".join(document["article"].split()), tuple(document["headlines"]))
