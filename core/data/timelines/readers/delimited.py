"""CSV and TSV, whole or in portions."""

import csv
import io
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, islice
from pathlib import Path

import numpy as np

from core import limits
from core.data.timelines import gz, quoted_lines, raw
from core.data.timelines.decode import encoding_of, pieces, text_lines, texts
from core.data.timelines.header import find_header, has_header, known_names
from core.data.timelines.shown_texts import shown_text
from core.data.timelines.timeline import RejectedRow
from core.errors import InputError
from core.results.delimited import restored
from core.results.render import count_words

DELIMITERS = (",", "\t", ";", "|")
NONE = "\x1f"  # a delimiter that no text has: one column
_WORDS = {",": "comma", "\t": "tab", ";": "semicolon", "|": "bar", NONE: "none"}
_STATED = re.compile(
    r"\"?sep=(?P<delimiter>[,;\t|])\"?[ ]*(?:\r\n|\r|\n)", re.IGNORECASE
)  # as Excel states it
_ESCAPED = re.compile(r'(?:^|[,;\t|])"[^"\n]*\\"(?![",;\t|\r\n]|\Z)', re.MULTILINE)
"""A mark within a quoted cell that a backslash stands before and no separator behind."""
_WHOLE_LINE = re.compile(r'"((?:[^"\r\n]|"")*)"[,;\t]*([\r\n]*)')
_LOOKED_AT = 200_000  # characters that tell a table
_BACKSLASHES = re.compile(r'(\\+)"')
_NAMES = 2  # known names in a row that names columns below a title
_NARROWEST, _FEWEST, _EVEN = 3, 3, 0.8  # cells, rows, and share of even rows of what is plainly a table
_DECIDING = 4_000_000  # characters that decide what separates cells and what quotation marks mean
Record = tuple[int, list[str]]

# A long cell must reach the row check, which rejects that row alone, rather than fail the whole file.
csv.field_size_limit(min(sys.maxsize, 2**31 - 1))


def _sniffed(text: str) -> tuple[str, list[list[str]]]:
    """What separates cells, and the first rows from the one that names the columns on."""
    best, best_score, table = NONE, 0.0, list[list[str]]()
    for delimiter in DELIMITERS:
        records = _records(_lines(text[:_LOOKED_AT]), delimiter, Counter())
        first = [cells for _, cells in islice(records, 60)]
        widths = Counter(len(cells) for cells in first if len(cells) > 1)
        usual = widths.most_common(1)[0][0] if widths else 0
        rows = first[_first_row(first, usual) :] if usual else []
        same = sum(len(cells) == usual for cells in rows) / len(rows) if rows else 0.0
        # evenness first; among equally even ones the delimiter that splits more
        score = same + min(usual, 50) / 1_000
        if same and score > best_score:
            best, best_score, table = delimiter, score, rows
    return best, table


def _first_row(rows: Sequence[list[str]], usual: int) -> int:
    """Where a table begins that is as wide as most rows; their number where it is none."""
    named = next((at for at, cells in enumerate(rows) if known_names(cells) >= _NAMES), None)
    if named is not None:
        return named
    if len(rows[0]) > 1 and len(rows[0]) >= usual - 1:
        return 0
    start = next(at for at, cells in enumerate(rows) if len(cells) == usual)
    even = sum(len(cells) == usual for cells in rows[start:]) >= _EVEN * (len(rows) - start)
    below = [[cell for cell in cells if cell] for cells in zip(*rows[start + 1 :], strict=False)]
    typed = any(len(cells) > 1 and all(any(map(str.isdigit, c)) for c in cells) for cells in below)
    wide = usual >= _NARROWEST and len(rows) - start >= _FEWEST and even and typed
    return start if wide and not (len(rows[0]) == 1 and known_names(rows[0])) else len(rows)


def _lines(text: str) -> Iterator[str]:
    return io.StringIO(text, newline="")


def _records(
    lines: Iterator[str],
    delimiter: str,
    counts: Counter[str],
    *,
    quoted: bool = True,
    blank_rows: bool = False,
) -> Iterator[Record]:
    reader = csv.reader(lines, delimiter=delimiter, quoting=csv.QUOTE_MINIMAL if quoted else csv.QUOTE_NONE)
    line, width = 1, 0
    for cells in reader:
        if reader.line_num != line:
            counts["in_cells"] += reader.line_num - line
        if any(map(str.strip, cells)) or (
            blank_rows and width and (len(cells) > 1 or (len(cells) == 1 and width == 1))
        ):
            width = width or len(cells)
            yield line, cells
        else:
            counts["empty"] += 1
        line = reader.line_num + 1
    counts["lines"] = line - 1


def _literal_quotes(text: str, delimiter: str) -> bool:
    if delimiter != "\t" or '"' not in text:
        return False
    plain, quoted = (
        Counter(len(cells) for _, cells in _records(_lines(text), delimiter, Counter(), quoted=marks))
        for marks in (False, True)
    )
    # Quoted cells that hold line ends or tabs make the plain reading uneven; a stray mark makes the
    # quoted reading swallow lines, so that it has fewer.
    return len(plain) == 1 and quoted.total() < plain.total()


def _without_escapes(text: str) -> str:
    """Text with quotation marks doubled that Spark and MySQL write after a backslash."""
    return _BACKSLASHES.sub(
        lambda found: "\\" * (len(found[1]) // 2) + ('""' if len(found[1]) % 2 else '"'), text
    )


def _inside(line: str) -> str:
    """A line without the marks of one quoted cell that is all of it."""
    whole = _WHOLE_LINE.fullmatch(line)
    return whole[1].replace('""', '"') + whole[2] if whole else line


def _are_whole_lines(text: str) -> bool:
    """Whether lines, or all that have quotation marks inside, are one cell each with those of a table."""
    lines = list(filter(str.strip, _lines(text))) if '"' in text else []
    every = bool(lines) and lines[0].startswith('"')
    marked = [line for line in lines if every or '"' in line]
    if not all(_WHOLE_LINE.fullmatch(line) and (every or '""' in line) for line in marked):
        return False
    inner = "".join(map(_inside, _lines(text[:_LOOKED_AT]))) if marked else ""
    rows = _sniffed(inner)[1]
    return _is_table(inner) and sum(len(cells) == len(rows[0]) for cells in rows) >= _EVEN * len(rows)


def _mapped(change: Callable[[str], str], opened: Callable[[], Iterator[str]]) -> Callable[[], Iterator[str]]:
    return lambda: map(change, opened())


def read_delimited(source: raw.RawFile) -> raw.RawTable:
    """Reads delimited text whole; see `portions`."""
    decoded, most = source.decoded, limits.FILE_ROWS.value + 1
    table, *more = portions(
        lambda: _lines(decoded.text),
        decoded.encoding,
        decoded.notes,
        most=most,
        blank_rows=source.blank_rows,
        header=source.header,
    )
    raw.check_rows(most if more else len(table))
    return table


def portions(
    opened: Callable[[], Iterator[str]],
    encoding: str,
    notes: Sequence[str],
    *,
    most: int,
    blank_rows: bool = False,
    header: int | None = None,
) -> Iterator[raw.RawTable]:
    """Reads delimited text, `most` rows a table; what is known of the whole file stands in the last one.

    Rows with too few cells are filled; rows with too many are rejected: which cell is which cannot be known.
    """
    text = _beginning(opened())
    stated = _STATED.match(text)
    text = text[stated.end() :] if stated else text
    escaped = '\\"' in text and _ESCAPED.search(text) is not None
    if escaped:
        text, opened = _without_escapes(text), _mapped(_without_escapes, opened)
    if _are_whole_lines(text):
        text, opened = "".join(map(_inside, _lines(text))), _mapped(_inside, opened)
    delimiter = stated["delimiter"] if stated else _sniffed(text)[0]
    literal = _literal_quotes(text, delimiter)
    lines, counts, unclosed = opened(), Counter[str](), list[tuple[int, str]]()
    if stated:
        lines = chain(["\n"], islice(lines, 1, None))
    if not literal:
        lines = quoted_lines.with_quotations(lines, delimiter)
        lines = quoted_lines.closed_lines(lines, delimiter, unclosed)
    records = (
        (line, [shown_text(restored(cell)) for cell in cells])
        for line, cells in _records(lines, delimiter, counts, quoted=not literal, blank_rows=blank_rows)
    )
    part = list(islice(records, most))
    if not part:
        raise InputError("The file holds no rows.", hint="Give a header and at least one row.")
    numbers, first = zip(*part, strict=True)
    width = Counter(map(len, first)).most_common(1)[0][0]
    named = find_header(first, numbers, width=width, wanted=header)
    part = part[named.first :]
    names, shifted = _with_row_names(named.names, part)
    raw.check_columns(len(names))
    said = [*notes, *["Quotation marks were read as plain characters."] * literal, *named.notes, *shifted]
    said += ["Quotation marks after a backslash were read as part of the text."] * escaped
    short: list[int] = []
    ledger: dict[str, int] = {}
    known = 0
    while True:
        ahead = next(records, None)
        rows, wrong = _fit(part, names, short)
        for number, line in unclosed[known:]:
            cut = line.rstrip("\r\n")
            wrong.append(RejectedRow(number, "", cut[:200], quoted_lines.UNCLOSED, {"line_as_it_was": cut}))
        known = len(unclosed)
        if ahead is None:
            said += _on_rows(short, counts["in_cells"])
            headers = int(named.line > 0)
            ledger = {
                "lines": counts["lines"],
                "header": headers,
                "above_header": named.first - headers + bool(stated),
                "in_cells": counts["in_cells"],
                "empty": counts["empty"] - len(unclosed) - bool(stated),
            }
        table = raw.RawTable(
            cells=raw.texts_frame([cells for _, cells in rows], names),
            lines=np.array([line for line, _ in rows], dtype=np.int64),
            rejected=tuple(sorted(wrong, key=lambda row: row.line)),
            notes=tuple(said),
            encoding=encoding,
            delimiter=_WORDS[delimiter],
            header=named.line,
            ledger=ledger,
        )
        del part, rows  # so many lists slow down whoever works on the table
        yield table
        if ahead is None:
            return
        part, said = [ahead, *islice(records, most - 1)], []


def delimited_portions(path: Path, most: int) -> Iterator[raw.RawTable]:
    """Reads delimited text of any length, gz or not; see `portions`."""

    def read() -> Iterator[bytes]:
        with gz.unpacked(path) as file:
            yield from pieces(file)

    encoding, notes = encoding_of(read)
    return portions(lambda: text_lines(texts(read, encoding)), encoding, notes, most=most)


def _beginning(lines: Iterator[str]) -> str:
    start, size = [], 0
    for line in lines:
        start.append(line)
        size += len(line)
        if size > _DECIDING:
            break
    return "".join(start)


def _on_rows(short: Sequence[int], in_cells: int) -> Iterator[str]:
    if short:
        several = f"{len(short):,} rows (the first is line {short[0]:,}) have"
        have = f"1 row (line {short[0]:,}) has" if len(short) == 1 else several
        yield f"{have} fewer cells than the header; the missing ones were taken as empty."
    if in_cells:
        yield f"{count_words(in_cells, 'line is', 'lines are')} part of a cell from a line above."


def _with_row_names(names: tuple[str, ...], rows: Sequence[Record]) -> tuple[tuple[str, ...], list[str]]:
    """R numbers rows in a first column that its header does not have."""
    numbers = {cells[0] for _, cells in rows if len(cells) == len(names) + 1 and cells[-1].strip()}
    if len(numbers) < max(1, _EVEN * len(rows)) or not all(map(str.isdigit, numbers)):
        return names, []
    note = "The header has one name fewer than the rows have cells; the first column was called 'row'."
    return tuple(raw.unique_names(["row", *names])[0]), [note]


def _fit(
    records: Sequence[Record], names: Sequence[str], short: list[int]
) -> tuple[list[Record], list[RejectedRow]]:
    width = len(names)
    rows: list[Record] = []
    wrong: list[RejectedRow] = []
    for record in records:
        line, cells = record
        if len(cells) == width:
            rows.append(record)
            continue
        if len(cells) < width:
            short.append(line)
        filled = [*cells, *[""] * (width - len(cells))]
        extra = filled[width:]
        if any(cell.strip() for cell in extra):
            more = {f"extra_{place}": cell for place, cell in enumerate(extra, 1)}
            whole = dict(zip(names, filled, strict=False)) | more
            reason = f"The row has {len(cells)} cells where the header has {width}."
            wrong.append(RejectedRow(line, names[-1], next(filter(str.strip, extra))[:200], reason, whole))
        else:
            rows.append((line, filled[:width]))
    return rows, wrong


def _is_delimited(source: raw.RawFile) -> bool:
    if source.suffix in DELIMITED.suffixes:
        return True
    text = source.decoded.text[:_LOOKED_AT].lstrip()
    return _is_table(text) or _are_whole_lines(text)


def _is_table(text: str) -> bool:
    """Whether a text, from the clipboard or a .txt file, is plainly a table."""
    delimiter, rows = _sniffed(text)
    rule = delimiter == "|" and all(set(cell) <= set(" :-") for cell in [*rows, ["x"]][1])  # of Markdown
    if delimiter == NONE or rule:
        return False
    named, width = known_names(rows[0]), len(rows[0])
    wide = delimiter != "," and len(rows) >= _FEWEST and width >= _NARROWEST
    even = wide and sum(len(cells) == width for cells in rows) >= _EVEN * len(rows)
    return named >= max(_NAMES, width / 2) or (even and (named >= _NAMES or has_header(rows[:_FEWEST])))


DELIMITED = raw.TableContainer(
    "csv", "CSV or TSV", ("csv", "tsv", "tab", "psv"), 50, _is_delimited, read_delimited
)
