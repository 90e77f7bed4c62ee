"""A table drawn as a picture."""

import html
import re
from collections.abc import Sequence
from typing import Final

from core.results.chart import FONTS, INK, RULE, Picture
from core.results.text_lines import broken, is_rtl, isolated, text_width

_CELL, _LINE_PITCH, _GAP = 12.0, 15.5, 14.0  # sizes of a table: letters, lines, space between columns
_LETTER: Final = 1.08 * _CELL  # of a cell, with room to spare
_LEAST_NAME, _LONGEST_WORD = 110.0, 160.0  # units of the first column, and of a word that is not broken

_TIED: Final = "\ue000"  # a space at which no line ends
_PAIR: Final = re.compile(r"(\[[^\]\s]+,) ")  # the ends of an interval stay in one line


def table_picture(rows: Sequence[Sequence[str]]) -> Picture:
    """Draws a table, headings first; long cells wrap, and columns of numbers stand to the right."""
    cells = [[_PAIR.sub(rf"\1{_TIED}", " ".join(cell.split())) for cell in row] for row in rows]
    columns = list(zip(*cells, strict=True))
    needs = [min(30.0, max(map(text_width, column))) * _LETTER + 2 for column in columns]
    words = [max(map(text_width, " ".join(column).split()), default=0) * _LETTER + 2 for column in columns]
    least = [min(need, word, _LONGEST_WORD) for need, word in zip(needs, words, strict=True)]
    least[0] = min(needs[0], max(least[0], _LEAST_NAME))
    number = [all(not cell[:1].isalpha() for cell in column[1:]) for column in columns]

    def draw(width: float, height: float) -> tuple[str, float, float]:
        gaps = _GAP * (len(needs) - 1)
        width = max(width, gaps + sum(least))
        widths, cap = needs, max(needs)
        while sum(widths) > width - gaps + 0.01 and cap > 0:
            cap -= 2
            widths = [max(low, min(need, cap)) for low, need in zip(least, needs, strict=True)]
        spare = max(0.0, width - gaps - sum(widths)) / len(needs)
        widths = [wide + spare for wide in widths]
        parts, y = [], 0.0
        for at, row in enumerate(cells):
            weight = 400 if at else 600
            look = f'font-size="{_CELL:g}" font-weight="{weight}" font-family="{FONTS}" fill="{INK}"'
            x, lines = 0.0, 1
            for place, (text, wide) in enumerate(zip(row, widths, strict=True)):
                shown = broken(text, wide / _CELL / 1.03, most=6)
                lines, end = max(lines, len(shown)), number[place] or is_rtl(text)
                side = f'x="{x + wide:g}" text-anchor="end"' if end else f'x="{x:g}"'
                parts += [
                    f'<text {side} y="{y + _LINE_PITCH * (line + 1):g}" {look}>'
                    f"{html.escape(isolated(words.replace(_TIED, ' ')), quote=False)}</text>"
                    for line, words in enumerate(shown)
                ]
                x += wide + _GAP
            y += _LINE_PITCH * lines + 9
            thick, colour = (1, RULE) if at else (1.5, INK)
            parts.append(f'<rect y="{y - 2:g}" width="{width:g}" height="{thick}" fill="{colour}"/>')
            y += 1
        return "".join(parts), width, y

    return draw
