"""Tables of HTML that portals call .xls, and of the XML of Excel 2003."""

from dataclasses import replace
from html.parser import HTMLParser
from typing import Final

from core.data.timelines import raw
from core.data.timelines.readers.xlsx import Sheet, sheet_table
from core.errors import InputError
from core.text.normalise import clean_line

_LOOKED_AT: Final = 50_000  # characters in which a table begins
_WIDEST: Final = 200  # columns or rows over which a cell stands
_OF_EXCEL: Final = {"row": "tr", "cell": "td", "table": "table"}  # how Excel 2003 calls parts in XML
_WORKBOOK: Final = "urn:schemas-microsoft-com:office:spreadsheet"
Row = dict[int, str]  # texts by column, from 0


def read(source: raw.RawFile) -> raw.RawTable:
    """Reads the table with most filled cells; a cell over several rows is said of each."""
    reader = _Tables()
    reader.feed(source.decoded.text)
    rows, links = max(reader.tables, key=lambda table: sum(map(len, table[0])), default=([], {}))
    lines = [line for line, row in enumerate(rows, 1) if row]
    if not lines:
        raise InputError("The table of the page is empty.", hint="Export it again as XLSX or CSV.")
    cells = [[rows[line - 1].get(at) for at in range(max(rows[line - 1]) + 1)] for line in lines]
    table = sheet_table(Sheet(cells, lines, len(lines), links), source.header)
    return replace(table, encoding=source.decoded.encoding, notes=(*source.decoded.notes, *table.notes))


class _Tables(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tables: list[tuple[list[Row], dict[int, str]]] = []
        self._open: list[tuple[list[Row], dict[int, str]]] = []
        self._pieces: list[str] | None = None
        self._over = (1, 1)  # columns and rows of the open cell
        self._at = 0
        self._below: dict[int, Row] = {}  # by line, what stands there from rows above

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = {name: value or "" for name, value in attrs}
        tag = _OF_EXCEL.get(tag.removeprefix("ss:"), tag)
        if tag == "table":
            self._open.append(([], {}))
            self.tables.append(self._open[-1])
        elif self._open and tag == "tr":
            self._close()
            rows = self._open[-1][0]
            rows.append(self._below.pop(len(rows), {}))
            self._at = 0
        elif self._open and tag in ("td", "th") and self._open[-1][0]:
            self._close()
            self._pieces = []
            self._over = (_span(said.get("colspan", "")), _span(said.get("rowspan", "")))
            self._at = _span(said["ss:index"]) - 1 if "ss:index" in said else self._at
        elif self._pieces is not None and tag in ("br", "p", "div"):
            self._pieces.append(" ")
        elif self._pieces is not None and tag == "a" and said.get("href", "").startswith("http"):
            rows, links = self._open[-1]
            links.setdefault(len(rows), said["href"])

    def handle_data(self, data: str) -> None:
        if self._pieces is not None:
            self._pieces.append(data)

    def handle_endtag(self, tag: str) -> None:
        tag = _OF_EXCEL.get(tag.removeprefix("ss:"), tag)
        if tag in ("td", "th", "tr", "table"):
            self._close()
        if tag == "table" and self._open:
            self._open.pop()

    def _close(self) -> None:
        if self._pieces is None or not self._open:
            return
        rows, text = self._open[-1][0], clean_line("".join(self._pieces))
        self._pieces = None
        while self._at in rows[-1]:
            self._at += 1
        if text:
            rows[-1][self._at] = text
            for line in range(len(rows), len(rows) + self._over[1] - 1):
                self._below.setdefault(line, {})[self._at] = text
        self._at += self._over[0]


def _span(text: str) -> int:
    return min(max(int(text), 1), _WIDEST) if text.isdecimal() else 1


def _recognises(source: raw.RawFile) -> bool:
    start = source.decoded.text[:_LOOKED_AT].casefold() if source.suffix in ("xls", "xml") else ""
    return ("<table" in start and source.suffix == "xls") or _WORKBOOK in start


FORMAT = raw.TableContainer("html_table", "HTML table called .xls", ("xls",), 15, _recognises, read)
