"""The facts grid as a picture, SVG or PNG: a table for a slide, a card an outlet for a phone."""

import re
from collections.abc import Sequence
from html import escape
from itertools import chain, pairwise
from typing import Final

from core.events.facts import FactRow, FactsGrid, Stated
from core.events.facts_text import NOTE, leading_head, most_words, row_details, row_name
from core.events.pictures import INK, QUIET, RULE
from core.palette import LIGHT
from core.results.chart import FONTS, Picture, with_face
from core.results.render import clean, letter
from core.results.text_lines import broken, is_rtl, isolated, text_width
from core.results.vega import as_png, metadata, use_font, without_controls

SLIDE, PHONE = 1280, 640
WIDTHS: Final = {"slide": SLIDE, "phone": PHONE}
MOST_OUTLETS: Final = 24
_NARROWEST_TABLE: Final = 500.0  # units of a picture that has a table; a narrower one has cards
_MARGIN: Final = 32
_VALUES: Final = 6  # values of a cell that are drawn; of more the last ones, and how many are left out
_MANY: Final = 6  # columns from which letters are smaller
_NARROW, _BROAD = 6.0, 13.0  # widths of a column before it takes its share, in sizes of its letters
_STACKED: Final = re.compile("([\u0300-\u036f\u0483-\u0489]{2})[\u0300-\u036f\u0483-\u0489]+")
_HATCH: Final = (
    '<defs><pattern id="silent" width="7" height="7" patternUnits="userSpaceOnUse" '
    f'patternTransform="rotate(45)"><path d="M0 0V7" stroke="{RULE}" stroke-width="2"/></pattern></defs>'
)


def facts_picture(
    grid: FactsGrid, texts: Sequence[str], *, title: str, source: str, signature: str = "",
    width: int = SLIDE, font: bytes = b"", png: bool = False,
) -> bytes:  # fmt: skip
    """The grid as SVG that loads nothing, or PNG; `font` is a WOFF2 face to embed, or b"" for none."""
    drawn = _drawn(grid, texts, title, source, width)
    drawn = drawn.replace(_HATCH, metadata(signature) + _HATCH, 1)
    if not png:
        return with_face(drawn, font).encode()
    if font:
        use_font(font)
    return as_png(drawn, signature=signature)


def shown_rows(grid: FactsGrid) -> list[FactRow]:
    """The outlets of a picture in the order of time: of many those that state most."""
    fullest = sorted(grid.rows, key=lambda row: -sum(map(bool, row.cells)))[:MOST_OUTLETS]
    return [row for row in grid.rows if row in fullest]


def facts_words(grid: FactsGrid) -> str:
    """What the picture shows, for those who do not see it."""
    words = [grid.lead]
    words += [f"{clean(column.head)}: {most_words(column)}." for column in grid.columns]
    for row in shown_rows(grid):
        if row.edited:
            words.append(f"{clean(row.outlet) or 'An outlet'}: {row.edited}.")
        for cell in row.cells:
            words += [
                f"{clean(row.outlet) or 'An outlet'} changed {clean(before.text)} "
                f"to {clean(after.text)}, {after.when}."
                for before, after in pairwise(cell)
                if after.when
            ]
    return " ".join(words)


class _Sheet:
    def __init__(self, size: float, grid: FactsGrid, texts: Sequence[str]) -> None:
        self.size, self.grid, self.texts = size, grid, texts
        self.parts: list[str] = []

    def box(self, x: float, y: float, width: float, height: float, look: str) -> None:
        self.parts.append(f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" {look}/>')

    def write(
        self, text: str, x: float, y: float, width: float, size: float, *, bold: bool = False,
        colour: str = INK, most: int = 3,
    ) -> float:  # fmt: skip
        shown = _STACKED.sub(r"\1", clean(text))
        turned = is_rtl(shown)
        look = f'font-size="{size:g}" font-weight="{600 if bold else 400}" font-family="{FONTS}"'
        place, anchor = (x + width, "end") if turned else (x, "start")
        for line in broken(shown, width / size / (1.1 if bold else 1), most=most):
            said = f"\u2067{line}\u2069" if turned else isolated(line)
            at = f'x="{place:g}" y="{y + size:g}" text-anchor="{anchor}" {look} fill="{colour}"'
            self.parts.append(f"<text {at}>{escape(said, quote=False)}</text>")
            y += 1.28 * size
        return y

    def value(self, stated: Stated, x: float, y: float, width: float) -> tuple[float, float]:
        size, pad, top = self.size, 0.4 * self.size, y
        if stated.when:
            self.write("→", x, y + 0.2 * size, size * 1.2, size, bold=True)
            x, width = x + 1.25 * size, width - 1.25 * size
        badge = 1.35 * size if stated.colour >= 0 else 0.0
        inner = width - badge - 2 * pad
        longest = max(map(text_width, broken(clean(stated.text), inner / size, most=4)), default=0) * size
        if stated.note:
            longest = max(longest, min(inner, text_width(stated.note) * 0.85 * size))
        mark = len(self.parts)
        left, new = x + badge + pad, bool(stated.when)
        y = self.write(stated.text, left, y + 0.16 * size, inner, size, bold=new, most=4)
        y = self.write(stated.note, left, y, inner, 0.85 * size, colour=QUIET, most=2)
        y += 0.24 * size
        across = badge + 2 * pad + min(inner, longest)
        if badge:
            colour = LIGHT[stated.colour % len(LIGHT)]
            body, self.parts[mark:] = self.parts[mark:], []
            self.box(x, top, across, y - top, f'rx="3" fill="{_tint(colour)}"')
            self.box(x, top, badge, y - top, f'rx="3" fill="{colour}"')
            self.parts.append(
                f'<text x="{x + badge / 2:g}" y="{top + 1.16 * size:g}" text-anchor="middle" '
                f'font-size="{0.9 * size:g}" font-weight="600" font-family="{FONTS}" fill="#ffffff">'
                f"{letter(stated.colour)}</text>"
            )
            self.parts += body
        return x + across, y

    def cell(self, cell: Sequence[Stated], x: float, y: float, width: float, *, flow: bool = False) -> float:
        if len(cell) > _VALUES:
            more = Stated(f"… {len(cell) - _VALUES + 1} more", -1)
            cell = [cell[0], more, *cell[2 - _VALUES :]]
        left, bottom = x, y
        for stated in cell:
            need = (1.1 * max(map(text_width, (stated.text, stated.note))) + 4) * self.size
            if not flow or left + need > x + width:
                left, y = x, bottom
            across, end = self.value(stated, left, y, x + width - left)
            left, bottom = across + 0.5 * self.size, max(bottom, end + 0.2 * self.size)
        return bottom

    def head(self, row: FactRow, x: float, y: float, width: float) -> float:
        y = self.write(row_name(row, self.texts), x, y, width, self.size, bold=True)
        small = 0.85 * self.size
        return self.write(row_details(row, self.grid), x, y, width, small, colour=QUIET, most=4)

    def most(self, at: int, x: float, y: float, width: float, *, beside: bool) -> float:
        column, end, small = self.grid.columns[at], y, 0.85 * self.size
        words = most_words(column, value=False)
        for stated in column.leading:
            across, end = self.value(stated, x, end + 0.2 * self.size * (end > y), width)
            if beside and not column.also and across + (text_width(words) + 1) * small < x + width:
                self.write(words, across + small, y + 0.25 * self.size, width, small, colour=QUIET)
                return end + 0.1 * self.size
        return self.write(words, x, end + 0.15 * self.size, width, small, colour=QUIET)


def _tint(colour: str) -> str:
    """The colour thinned as on paper: what a printer and a projector agree on."""
    mixed = (round(0.16 * int(colour[at : at + 2], 16) + 0.84 * 255) for at in (1, 3, 5))
    return "#" + "".join(f"{part:02x}" for part in mixed)


def _drawn(grid: FactsGrid, texts: Sequence[str], title: str, source: str, width: int) -> str:
    wide = width > PHONE
    sheet = _Sheet(17 if wide else 22, grid, texts)
    size, within = sheet.size, width - 2 * _MARGIN
    y = sheet.write(title, _MARGIN, _MARGIN - 8, within, 1.9 * size if wide else 1.6 * size, bold=True)
    y = _body(sheet, y + 0.3 * size, within, wide=wide)
    note = facts_note(grid)
    y = sheet.write(note, _MARGIN, y + 0.8 * size, within, 0.8 * size, colour=QUIET, most=8)
    y = sheet.write(source, _MARGIN, y + 0.2 * size, within, 0.8 * size, colour=QUIET, most=8)
    height = round(y + _MARGIN - 8)
    about = escape(f"{clean(title)}. {facts_words(grid)}")
    return without_controls(
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img" aria-label="{about}">{_HATCH}'
        f'<rect width="100%" height="100%" fill="#ffffff"/>{"".join(sheet.parts)}</svg>'
    )


def facts_note(grid: FactsGrid) -> str:
    """What a reader of the picture must know."""
    note = f"Shown are the {MOST_OUTLETS} outlets whose headlines state most, of {len(grid.rows)}. "
    return (note if len(grid.rows) > MOST_OUTLETS else "") + NOTE


def facts_body(grid: FactsGrid, texts: Sequence[str]) -> Picture:
    """Draws the grid without title and source: a table, or cards of outlets where it is narrow."""

    def draw(width: float, height: float) -> tuple[str, float, float]:
        wide = width > _NARROWEST_TABLE
        sheet = _Sheet(17 if wide else 22, grid, texts)
        within = float(SLIDE if wide else PHONE) - 2 * _MARGIN
        down = _body(sheet, 0, within, wide=wide)
        drawn = "".join(sheet.parts)
        return f'{_HATCH}<g transform="translate({-_MARGIN} 0)">{drawn}</g>', within, down

    return draw


def _body(sheet: _Sheet, y: float, within: float, *, wide: bool) -> float:
    size = sheet.size
    y = sheet.write(sheet.grid.lead, _MARGIN, y, within, 1.1 * size, most=8) + 0.9 * size
    if not sheet.grid.columns:
        return sheet.write("No fact is stated that can be compared.", _MARGIN, y, within, size)
    return (_table if wide else _cards)(sheet, y, within)


def _table(sheet: _Sheet, y: float, within: float) -> float:
    grid = sheet.grid
    sheet.size = size = 17 if len(grid.columns) < _MANY else 15
    gap, first = 0.9 * size, 10.5 * size
    needs = [
        max(text_width(each.text) for each in (*cell, Stated(column.head, -1)))
        for column, *cells in zip(grid.columns, *(row.cells for row in grid.rows), strict=True)
        for cell in [list(chain.from_iterable(cells))]
    ]
    needs = [min(max(need, _NARROW), _BROAD) + 3 for need in needs]
    free = within - first - gap * len(needs)
    widths = [min(free * need / sum(needs), 2 * _BROAD * size) for need in needs]
    places = [_MARGIN + first + gap + sum(widths[:at]) + gap * at for at in range(len(widths))]

    def line(y: float, height: float = 1) -> float:
        sheet.box(_MARGIN, y, within, height, f'fill="{INK if height > 1 else RULE}"')
        return y + 0.5 * size

    heads = [column.head for column in grid.columns]
    spots = zip(heads, places, widths, strict=True)
    bottom = max(sheet.write(head, x, y, width, size, bold=True, most=2) for head, x, width in spots)
    y = line(bottom + 0.3 * size, 2)
    ends = [sheet.most(at, places[at], y, widths[at], beside=False) for at in range(len(widths))]
    sheet.write(leading_head(grid), _MARGIN, y, first, size, bold=True)
    y = line(max(ends) + 0.3 * size, 2)
    for row in shown_rows(grid):
        end = sheet.head(row, _MARGIN, y, first)
        cells = list(zip(row.cells, places, widths, strict=True))
        end = max([end, *(sheet.cell(cell, x, y, width) for cell, x, width in cells)])
        for (cell, x, width), unread in zip(cells, row.unread, strict=True):
            if not cell and unread:
                sheet.write(unread, x, y + 0.16 * size, width, 0.85 * size, colour=QUIET)
            elif not cell:
                sheet.box(x, y, width, end - y, 'fill="url(#silent)"')
        y = line(end + 0.3 * size)
    return y


def _cards(sheet: _Sheet, y: float, within: float) -> float:
    size, label, grid = sheet.size, 5.4 * sheet.size, sheet.grid
    x, width = _MARGIN + label, within - label

    def heading(text: str, y: float) -> float:
        wide = label - 0.6 * size
        return sheet.write(text, _MARGIN, y + 0.2 * size, wide, 0.85 * size, colour=QUIET, most=2)

    sheet.box(_MARGIN, y, within, 2, f'fill="{INK}"')
    y = sheet.write(leading_head(grid), _MARGIN, y + 0.4 * size, within, size, bold=True) + 0.2 * size
    for at, column in enumerate(grid.columns):
        y = max(heading(column.head, y), sheet.most(at, x, y, width, beside=True)) + 0.2 * size
    sheet.box(_MARGIN, y, within, 2, f'fill="{INK}"')
    for row in shown_rows(grid):
        y = sheet.head(row, _MARGIN, y + 0.4 * size, within) + 0.2 * size
        for column, cell in zip(grid.columns, row.cells, strict=True):
            if cell:
                y = max(heading(column.head, y), sheet.cell(cell, x, y, width, flow=True)) + 0.1 * size
        place = float(_MARGIN)
        cells = zip(grid.columns, row.cells, row.unread, strict=True)
        silent = [(column.head, unread) for column, cell, unread in cells if not cell]
        for head, unread in silent:
            (shown,) = broken(clean(head), (within - size) / size, most=1) or ("",)
            shown += f": {unread}" if unread else ""
            wide = text_width(shown) * 0.85 * size + 0.9 * size
            if place + wide > _MARGIN + within:
                place, y = float(_MARGIN), y + 1.7 * size
            fill = "none" if unread else "url(#silent)"
            sheet.box(place, y + 0.1 * size, wide, 1.4 * size, f'fill="{fill}" stroke="{RULE}"')
            sheet.write(shown, place + 0.45 * size, y + 0.2 * size, wide, 0.85 * size, colour=QUIET, most=1)
            place += wide + 0.4 * size
        y += (1.7 if silent else 0) * size + 0.3 * size
        sheet.box(_MARGIN, y, within, 1, f'fill="{RULE}"')
    return y
