"""Pasted and plain text."""

import itertools
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from operator import itemgetter

import numpy as np

from core import limits
from core.data.timelines import header, moments, raw, timeline
from core.data.timelines.mixed_dates import date_inside
from core.data.timelines.readers import pasted_lists
from core.data.timelines.readers.pasted_lists import EMPHASIS, Lines
from core.data.timelines.readers.pasted_marks import LINK, LOOKED_AT, day_blocks, marked_blocks
from core.data.timelines.readers.repeated_blocks import repeated_blocks
from core.errors import InputError

_RULE = re.compile(r"\|?\s*:?-{2,}:?\s*\|?|\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)+\|?")
_LINE_END = re.compile(r"\r\n|\r|\n")
_FRONT_MATTER = re.compile(r"\A\s*---\s*\n(?:\w[\w -]*:.*\n|[ \t]+\S.*\n|-\s.*\n)+---\s*\n")
_ADDRESS = re.compile(r"https?://\S+", re.IGNORECASE)
_SECTION = "The line has no bullet or outlet as the headlines have, and was taken for the name of a section."
_ABOVE = "The line stands above the rows and has no cells as they have."
_NO_OUTLET = "The line has no outlet before a colon, as the others have."
_BETWEEN = " -–—:|·"
_BAR = re.compile(r"(?<!\\)\|")
_CODE = re.compile(r"[A-Za-z]{1,6}\d{3,}|[a-z]{2}")  # of a message or a desk: bdt0412, pl
_FIELDS = ("headline", "publisher", "date", "body", "url")


def read_pasted(source: raw.RawFile) -> raw.RawTable:
    """Reads pasted or plain text: rows of a table between tabs or bars, else headlines with addresses."""
    every = _LINE_END.split(_FRONT_MATTER.sub(lambda found: "\n" * found[0].count("\n"), source.decoded.text))
    every = every if every[-1] else every[:-1]
    filled = [(number, line.strip(" ")) for number, line in enumerate(every, 1) if line.strip()]
    written = [(number, line) for number, line in filled if not _RULE.fullmatch(line.strip())]
    barred = _rows_of_markdown(filled)
    written = [(number, line) for number, line in written if number in barred or not barred]
    mail = pasted_lists.mail_header(written)
    menus = {number for number, line in written if pasted_lists.is_menu(line)}
    left_out = mail.keys() | (menus if 2 * len(menus) < len(written) else set())
    shown = [(number, line) for number, line in written if number not in left_out]
    marked = [] if barred else marked_blocks(written)
    if not (marked or barred) and repeated_blocks(shown[:LOOKED_AT]):
        marked = repeated_blocks(shown)
    if marked:
        table = _dated(_block_table(marked, source), mail)
        titles = ["" if "publisher" in table.cells else title or "" for title in table.column("headline")]
        table = _with_outlets_before(table) if all(pasted_lists.split_colons(titles) or [{}]) else table
        unmarked = len(written) - sum(len(block.lines) for block in marked)
        note = f"Lines around the headlines were left out ({unmarked:,})."
        ledger = {"lines": len(every), "empty": len(every) - len(filled), "header": 0, **table.ledger}
        ledger["rules"] = len(filled) - len(written) + unmarked
        return replace(table, notes=(*table.notes, *[note] * bool(unmarked)), ledger=ledger)
    lines = [(number, line) for number, line in shown if not pasted_lists.is_furniture(line)]
    headings = pasted_lists.section_names(lines)
    sections = [
        timeline.RejectedRow(number, "", line[:200], _SECTION, {"line": line})
        for number, line in lines
        if number in headings
    ]
    lines = [(number, line) for number, line in lines if number not in headings]
    if not lines:
        raise InputError("The text is empty.", hint="Paste one headline a line.")
    raw.check_rows(len(lines) - 1)
    lines, numbered = pasted_lists.without_numbers(
        [(number, pasted_lists.without_bullet(line)) for number, line in lines]
    )
    delimiter = _delimiter([line for _, line in lines])
    rules = len(filled) - len(lines) - len(sections)
    ruled = sum(bool(_RULE.fullmatch(line.strip())) for _, line in filled)
    around = rules - ruled
    named = not delimiter and header.known_names([lines[0][1]]) > 0
    lines = lines[1:] if named else lines
    raw.check_rows(len(lines))
    said = {
        f"The numbers of the list were taken off ({numbered:,}).": numbered,
        f"Lines that alerts and pages write around their headlines were left out ({around:,}).": around,
    }
    blocks = [] if delimiter else pasted_lists.read_blocks(lines) or day_blocks(lines)
    table = _block_table(blocks, source) if blocks else _table(lines, delimiter, source)
    table = table if delimiter or "publisher" in table.cells else _with_outlets_before(table)
    table = _dated(table, mail)
    rejected = tuple(sorted((*table.rejected, *sections), key=lambda row: row.line))
    notes = (*table.notes, *(note for note, count in said.items() if count))
    table = replace(table, notes=notes, rejected=rejected)
    ledger = {"lines": len(every), "empty": len(every) - len(filled), "rules": rules}
    return replace(table, ledger={**ledger, "header": int(named), **table.ledger})


def _dated(table: raw.RawTable, mail: Mapping[int, str]) -> raw.RawTable:
    """The table with the day of the mail where a row has no date."""
    day = next(filter(moments.is_date, mail.values()), "")
    dates = [date or day for date in table.cells.get("date", [None] * len(table))]
    note = f"What has no date of its own has that of the mail: {day}."
    return replace(table, cells=table.cells.assign(date=dates), notes=(*table.notes, note)) if day else table


def _rows_of_markdown(lines: Lines) -> set[int]:
    """Numbers of the lines of the first table between bars that has a rule below its head; none for none."""
    rule = next((number for number, line in lines if "|" in line and _RULE.fullmatch(line.strip())), 0)
    barred = {number for number, line in lines if "|" in line.strip("|")}
    if rule - 1 not in barred:
        return set()
    last = next(number for number in itertools.count(rule) if number + 1 not in barred)
    return {number for number in barred if rule - 1 <= number <= last}


def _with_outlets_before(table: raw.RawTable) -> raw.RawTable:
    """The table with the outlets that stand before a colon; the day of a line without counts for all."""
    titles = [title or "" for title in table.column("headline")]
    found = pasted_lists.split_colons(titles)
    if not found:
        return table
    kept = [row for row, cells in enumerate(found) if cells]
    others = [row for row, cells in enumerate(found) if not cells]
    own = {name: [found[row][name] for row in kept] for name in ("headline", "publisher")}
    cells = table.cells.iloc[kept].reset_index(drop=True).assign(**own)
    day = next(filter(None, (date_inside(titles[row]) for row in others)), "")
    cells = cells.assign(date=day) if day and "date" not in cells else cells
    rejected = [
        timeline.RejectedRow(int(table.lines[row]), "", titles[row][:200], _NO_OUTLET, {"line": titles[row]})
        for row in others
    ]
    return replace(table, cells=cells, lines=table.lines[kept], rejected=(*table.rejected, *rejected))


def _joined(lines: Lines) -> Lines:
    alone = [bool(_ADDRESS.fullmatch(line)) for _, line in lines]
    if len(lines) < 2 or len(lines) % 2 or any(a == b for a, b in itertools.pairwise(alone)):
        return lines
    return [(lines[at][0], f"{lines[at][1]} {lines[at + 1][1]}") for at in range(0, len(lines), 2)]


def _block_table(blocks: Sequence[pasted_lists.PastedBlock], source: raw.RawFile) -> raw.RawTable:
    rows = [block for block in blocks if block.cells["headline"]]
    bad = [block for block in blocks if not block.cells["headline"]]
    reason = "It is not written as the headlines of the list are."
    names = [name for name in _FIELDS if any(name in block.cells for block in rows)]
    tall = any(len(block.lines) > 1 for block in blocks)
    notes = [f"Blocks of several lines were read as one headline each ({len(rows):,})."] if tall else []
    return raw.RawTable(
        cells=raw.texts_frame([[block.cells.get(name) for name in names] for block in rows], names),
        lines=np.array([block.line for block in rows], dtype=np.int64),
        rejected=tuple(
            timeline.RejectedRow(block.line, "", block.text[:200], reason, {"block": block.text})
            for block in bad
        ),
        notes=(*source.decoded.notes, *notes),
        encoding=source.decoded.encoding,
        ledger={"in_cells": sum(len(block.lines) - 1 for block in blocks)},
    )


def _title_and_address(line: str) -> tuple[str, str]:
    link = LINK.fullmatch(line)
    if link is not None and not link["before"] + link["behind"]:
        return link["title"], link["url"]
    if not line.strip():
        return "", ""
    first, *rest = line.split(maxsplit=1)
    if _ADDRESS.fullmatch(first):
        return "".join(rest).strip(_BETWEEN), first
    *before, last = line.rsplit(maxsplit=1)
    last = last.strip("<>()")
    return ("".join(before).rstrip(_BETWEEN), last) if _ADDRESS.fullmatch(last) else (line, "")


def _delimiter(lines: Sequence[str]) -> str:
    for delimiter in ("\t", "|", ";"):
        split = [_split(line, delimiter) for line in lines]
        width, rows = Counter(map(len, split)).most_common(1)[0]
        sure = delimiter != ";" or "date" in _names([cells for cells in split if len(cells) == width])
        if width > 1 and rows >= 0.8 * len(lines) and sure:
            return delimiter
    tabbed = [line.split("\t") for line in lines if "\t" in line]
    width, rows = Counter(map(len, tabbed)).most_common(1)[0] if tabbed else (0, 0)
    # beside lines that have none, tabs stand between cells where one of these is plainly no headline
    even = [cells for cells in tabbed if len(cells) == width <= limits.COLUMNS.value]
    named = _names(even) if even else []
    enough = rows >= max(0.1 * len(lines), 0.8 * len(tabbed))
    return "\t" if enough and not {"date", "url"}.isdisjoint(named) else ""


def _split(line: str, delimiter: str) -> list[str]:
    # between tabs an empty first cell is a cell; bars may stand around the row as well
    if delimiter != "|":
        return [cell.strip() for cell in line.split(delimiter)]
    inner = line.strip().removeprefix("|").removesuffix("|")
    cells = [cell.strip().replace("\\|", "|") for cell in _BAR.split(inner)]
    links = [_title_and_address(cell) if LINK.fullmatch(cell) else (cell, "") for cell in cells]
    return [f"[{title}]({url})" if url else EMPHASIS.sub(r"\2", title) for title, url in links]


def _table(lines: Lines, delimiter: str, source: raw.RawFile) -> raw.RawTable:
    notes = list(source.decoded.notes)
    tabular = [(number, _split(line, delimiter)) for number, line in lines if delimiter and delimiter in line]
    plain = [(number, line) for number, line in lines if not delimiter or delimiter not in line]
    rows: list[tuple[int, dict[str, str]]] = []
    bad: list[timeline.RejectedRow] = []

    def reject(number: int, cells: Sequence[str], reason: str) -> None:
        named = {f"cell_{place}": cell for place, cell in enumerate(cells, 1)}
        bad.append(timeline.RejectedRow(number, "", " | ".join(cells)[:200], reason, named))

    names, headed = ["headline"], False
    if tabular:
        above = [(number, line) for number, line in plain if number < tabular[0][0]]
        if len(above) == len(plain) < len(tabular):
            for number, line in above:
                reject(number, [line], _ABOVE)
            plain = []
        width = Counter(len(cells) for _, cells in tabular).most_common(1)[0][0]
        raw.check_columns(width)
        first = tabular[0][1]
        headed = len(first) == width and header.has_header([first]) and header.known_names(first) > 0
        if headed:
            names, renamed = raw.unique_names(tabular.pop(0)[1])
            notes.extend(renamed)
            tabular += [(number, [line]) for number, line in plain]
        else:
            names = _names([cells for _, cells in tabular if len(cells) == width])
            notes.append(f"The text has no header; its columns were taken to be {', '.join(names)}.")
        for number, cells in tabular:
            if len(cells) == width:
                rows.append((number, dict(zip(names, cells, strict=True))))
            else:
                reject(number, cells, f"The line does not have {width} cells as the others do.")
    alone = [] if headed else _joined(plain)
    links = [_title_and_address(line) for _, line in alone]
    cells_of = pasted_lists.split_brackets([title for title, _ in links if title]) if not tabular else []
    titled = iter(cells_of or [{"headline": title} for title, _ in links if title])
    for (number, line), (title, url) in zip(alone, links, strict=True):
        if title:
            rows.append((number, {**next(titled), **({"url": url} if url else {})}))
        else:
            what = "an address" if url else "a bullet"
            reject(number, [url or line.strip()], f"The line is {what} without a headline.")
    names += [name for name in _FIELDS if name not in names and any(name in cells for _, cells in rows)]
    rows.sort(key=itemgetter(0))
    raw.check_rows(len(rows))
    return raw.RawTable(
        cells=raw.texts_frame([[cells.get(name) for name in names] for _, cells in rows], names),
        lines=np.array([number for number, _ in rows], dtype=np.int64),
        rejected=tuple(sorted(bad, key=lambda row: row.line)),
        notes=tuple(notes),
        encoding=source.decoded.encoding,
        delimiter={"\t": "tab", "|": "bar", ";": "semicolon"}.get(delimiter, ""),
        ledger={"header": 1} if headed else {"in_cells": len(plain) - len(alone)},
    )


def _names(rows: Sequence[Sequence[str]]) -> list[str]:
    """Names for columns without a header: the longest but for addresses is the headline."""
    sample = rows[:100]
    width = len(sample[0])
    names = [f"column_{i + 1}" for i in range(width)]
    values = [[row[i] for row in sample if row[i]] for i in range(width)]
    words = [sum(len(cell) for cell in cells if not _ADDRESS.fullmatch(cell)) for cells in values]
    longest = max(range(width), key=lambda at: (len(set(values[at])) > 1, words[at]))
    names[longest] = "headline"
    tests = (
        ("date", moments.is_date),
        ("url", lambda v: v.startswith(("http://", "https://"))),
        ("group", lambda v: v.isdigit() and len(v) <= 4),
        ("publisher", lambda v: len(v) <= 40 and not _CODE.fullmatch(v)),
    )
    for i in range(width):
        for name, test in tests:
            unnamed = names[i].startswith("column_") and name not in names
            if unnamed and values[i] and all(map(test, values[i])):
                names[i] = name
    return names


FORMAT = raw.TableContainer(
    "pasted",
    "Pasted or plain text",
    ("txt", "text", "md"),
    60,
    lambda source: source.suffix in ("", "txt", "text", "md"),
    read_pasted,
)
