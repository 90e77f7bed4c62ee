"""Charts and tables for publication, between title, note and source line: as SVG, PNG or an HTML picture."""

import base64
import html
import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from core.results import page as vega
from core.results.page import FAMILY, with_letters, without_controls
from core.results.render import clean

_WIDE: Final = 1.0
_CAPITAL: Final = 0.68
_USUAL: Final = 0.55
_NARROW: Final = 0.31
_THIN: Final = frozenset("iljtfrI.,:;!|'()[] ")


def broken(text: str, width: float, *, most: int) -> tuple[str, ...]:
    """The lines of a text, none wider than asked for; the last ends with "…" where text is left out."""
    # A control that orders what follows it would also order the lines below.
    shown = "".join(sign for sign in " ".join(text.split()) if unicodedata.category(sign) not in {"Cc", "Cs"})
    lines: list[str] = []
    line = ""
    for word in shown.split():
        pieces, rest, start = [], 0.0, 0
        for place, letter in enumerate(word):
            wide = text_width(letter)
            if rest + wide > width and place > start:
                pieces.append(word[start:place])
                start, rest = place, 0.0
            rest += wide
        for piece in [*pieces, word[start:]]:
            joined = f"{line} {piece}" if line else piece
            if line and text_width(joined) > width:
                lines.append(line)
                line = piece
            else:
                line = joined
    lines += [line] if line else []
    if len(lines) <= most:
        return tuple(lines)
    last = lines[most - 1]
    while last and text_width(f"{last}…") > width:
        last = last[:-1]
    return (*lines[: most - 1], f"{last.rstrip()}…")


def is_rtl(text: str) -> bool:
    """Whether the first letter that has a direction is written from right to left."""
    for letter in text:
        direction = unicodedata.bidirectional(letter)
        if direction in {"R", "AL"}:
            return True
        if direction == "L":
            return False
    return False


def isolated(text: str) -> str:
    """The text in a direction of its own, where it holds letters that are written from right to left."""
    rtl = any(unicodedata.bidirectional(letter) in {"R", "AL"} for letter in text)
    return f"\u2068{text}\u2069" if rtl else text


def text_width(text: str) -> float:
    """About how wide a line is, in sizes of its letters."""
    return sum(map(_letter_width, text))


def _letter_width(letter: str) -> float:
    if unicodedata.combining(letter) or unicodedata.category(letter) == "Cf":
        return 0.0
    if unicodedata.east_asian_width(letter) in "WF":
        return _WIDE
    if letter in _THIN:
        return _NARROW
    return _CAPITAL if letter.isupper() or letter in "mw%@—…" else _USUAL


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartSize:
    width: int
    height: int
    scale: float

    @property
    def across(self) -> float:
        """Units that a picture is wide, without its margins."""
        return self.width / self.scale - 2 * _MARGIN


SIZES: Final = {
    "Web": ChartSize(width=1200, height=675, scale=1.5),
    "Square": ChartSize(width=1080, height=1080, scale=1.5),
    "Column": ChartSize(width=840, height=1050, scale=2.0),
    "Phone": ChartSize(width=1080, height=1920, scale=3.0),
}
"""Sizes by where the picture will be shown."""
ASIDE: Final = "aside-"
"""Begins the name of data in a picture that is drawn and is not what it shows: notes, lines behind marks."""
LEAST_STEP: Final = 14
"""Units of a line of a chart at least; a picture with many lines is higher than its size says."""
MOST_STEP: Final = 60  # units of a line at most, so that two bars do not fill a screen
_MARGIN: Final = 20
_TITLE: Final = 20
_SOURCE: Final = 11
_TITLE_LINES: Final = 4
_NOTE_LINES: Final = 12
_SOURCE_LINES: Final = 3
FONTS: Final = f"'{FAMILY}', 'Source Sans 3', 'Source Sans Pro', Arial, 'Liberation Sans', sans-serif"
INK, QUIET, RULE, PAPER = "#121210", "#5c5a52", "#d8d4c8", "#ffffff"  # as in print, whatever the screen
Picture = Callable[[float, float], tuple[str, float, float]]
"""Draws inside a width, and a height if it can: elements of SVG, and how wide and high they are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedChart:
    picture: Picture
    title: str  # above the picture; "" for none
    source: str  # below it: where the data is from; "" for none
    note: str = ""  # above the source line: what a reader must know; "" for none
    alt: str = ""  # what it shows, for those who do not see it; the title where it is ""
    size: ChartSize = SIZES["Web"]  # of the whole picture


def as_svg(chart: PublishedChart, *, font: bytes = b"") -> str:
    return with_face(_composed(chart, font), font)


def with_face(drawn: str, font: bytes) -> str:
    """The picture with the letters of a face that it needs inside; as it is for b""."""
    if not font:
        return drawn
    text = html.unescape(" ".join(re.findall(r">([^<]+)<", drawn)))
    data = base64.b64encode(with_letters(font, text)).decode()
    face = (
        f"@font-face{{font-family:'{FAMILY}';font-weight:200 900;"
        f"src:url(data:font/woff2;base64,{data}) format('woff2')}}"
    )
    end = drawn.index(">") + 1
    return f"{drawn[:end]}<style>{face}</style>{drawn[end:]}"


def as_png(chart: PublishedChart, *, font: bytes = b"") -> bytes:
    return vega.as_png(_composed(chart, font))


def as_embed(chart: PublishedChart, *, font: bytes = b"") -> str:
    """A figure to paste into a page, or to open by itself: no script, nothing from elsewhere, ASCII alone."""
    data = base64.b64encode(as_svg(chart, font=font).encode()).decode()
    alt = _words(chart.alt or chart.title) or "Chart"
    look = f"width:100%;max-width:{chart.size.width}px;height:auto"
    image = f'<img style="{look}" alt="{alt}" src="data:image/svg+xml;base64,{data}">'
    figure = f'<figure style="margin:0">{image}</figure>\n'
    return figure.encode("ascii", "xmlcharrefreplace").decode()


def data_rows(spec: Mapping[str, Any]) -> list[list[object]]:
    """The data inside a Vega-Lite picture as rows, the header first."""
    lines = [line for values in _values(spec, spec.get("datasets", {})) for line in values]
    names = list(dict.fromkeys(name for line in lines for name in line))
    return [[*names], *([line.get(name) for name in names] for line in lines)]


def _values(part: Any, named: Mapping[str, Any]) -> list[Sequence[Mapping[str, Any]]]:
    tables: list[Sequence[Mapping[str, Any]]] = []
    if isinstance(part, Mapping):
        data = part.get("data", {})
        aside = str(data.get("name", "")).startswith(ASIDE)
        values = None if aside else data.get("values") or named.get(data.get("name", ""))
        tables = [values] if values else []
        for kind in ("layer", "vconcat", "hconcat"):
            for child in part.get(kind, ()):
                values = _values(child, named)
                tables += [value for value in values if not any(value is held for held in tables)]
    return tables


def _words(text: str) -> str:
    return html.escape(clean(without_controls(text)))


def _composed(chart: PublishedChart, font: bytes) -> str:
    if font:
        vega.use_font(font)
    size = chart.size
    width, least = size.width / size.scale, size.height / size.scale
    within = size.across
    titles = broken(chart.title, within / _TITLE, most=_TITLE_LINES)
    below = list(broken(chart.note, within / _SOURCE, most=_NOTE_LINES))
    below += broken(chart.source, within / _SOURCE, most=_SOURCE_LINES)
    top = _MARGIN + 26 * len(titles) + (6 if titles else 0)
    bottom = _MARGIN + 15 * len(below) + (8 if below else 0)
    inner, across, down = chart.picture(within, least - top - bottom)
    shown = min(within, across) / across
    height = max(least, top + shown * down + bottom)
    pixels = round(height * size.scale)
    first, last = _MARGIN + _TITLE - 2, height - bottom + _SOURCE + 10
    look = f'font-size="{_TITLE}" font-weight="600" fill="{INK}"'
    texts = [_line(title, width, first + 26 * at, look) for at, title in enumerate(titles)]
    look = f'font-size="{_SOURCE}" fill="{QUIET}"'
    texts += [_line(text, width, last + 15 * at, look) for at, text in enumerate(below)]
    title, alt = _words(chart.title) or "Chart", _words(chart.alt or chart.title)
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{size.width}" height="{pixels}" '
        f'viewBox="0 0 {width:g} {pixels / size.scale:g}" role="img" aria-label="{alt or title}">'
        f"<title>{title}</title><desc>{alt}</desc>"
        f'<rect width="100%" height="100%" fill="{PAPER}"/>{"".join(texts)}'
        f'<svg x="{_MARGIN}" y="{top}" width="{within:g}" height="{height - top - bottom:g}" '
        f'viewBox="0 0 {across:g} {down:g}" preserveAspectRatio="xMidYMin meet">{inner}</svg></svg>'
    )
    return without_controls(svg)


def _line(text: str, width: float, y: float, look: str) -> str:
    # Isolated, so that its own direction orders it and no mark in it reaches further.
    end = is_rtl(text)
    x, anchor = (width - _MARGIN, "end") if end else (_MARGIN, "start")
    text = f"\u2067{text}\u2069" if end else text
    return (
        f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}" font-family="{FONTS}" {look}>'
        f"{html.escape(text, quote=False)}</text>"
    )


def vega_picture(spec: Mapping[str, Any]) -> Picture:
    """Draws Vega-Lite with its data inside; in its usermeta stands the `least` height that it needs."""

    def draw(width: float, height: float) -> tuple[str, float, float]:
        return _drawn(spec, width, max(height, spec.get("usermeta", {}).get("least", 0)))

    return draw


def _drawn(whole: Mapping[str, Any], width: float, height: float) -> tuple[str, float, float]:
    spec = {name: part for name, part in whole.items() if name not in {"$schema", "config", "usermeta"}}
    given, joined = dict(whole.get("config", {})), spec.get("vconcat")
    if joined:
        each = (height - 80 * len(joined)) / len(joined)
        spec |= {"vconcat": [panel | {"width": width - 70, "height": max(each, 60)} for panel in joined]}
        return _svg(spec, given, {"type": "pad"}, width)
    step = spec.get("height")
    if isinstance(step, Mapping):
        stepped = spec | {"width": width, "height": {**step, "step": LEAST_STEP}}
        picture = _svg(stepped, given, {"type": "fit-x", "contains": "padding"}, width)
        if picture[2] >= height:
            return picture
        stepped["height"] = {**step, "step": MOST_STEP}
        picture = _svg(stepped, given, {"type": "fit-x", "contains": "padding"}, width)
        if picture[2] <= height:
            return picture
    fitted = spec | {"width": width, "height": height}
    return _svg(fitted, given, {"type": "fit", "contains": "padding"}, width)


def _svg(
    spec: Mapping[str, Any], given: Mapping[str, Any], autosize: Mapping[str, str], width: float
) -> tuple[str, float, float]:
    axis = {"labelColor": QUIET, "titleColor": INK, "domain": False}
    axis |= {"tickColor": QUIET, "gridColor": QUIET, "gridOpacity": 0.2}
    whole = {
        **_fitting(spec, width),
        "$schema": "https://vega.github.io/schema/vega-lite/v6.json",
        "background": None,
        "padding": 0,
        "autosize": autosize,
        "config": {
            **given,
            "font": FONTS,
            "view": {"stroke": None},
            "axis": {"labelFontSize": 12, "titleFontSize": 12, **given.get("axis", {}), **axis},
            "legend": {
                "labelFontSize": 12,
                "layout": {side: {"anchor": "start", "direction": "vertical"} for side in ("top", "bottom")},
                **given.get("legend", {}),
                "labelColor": INK,
                "titleColor": INK,
            },
        },
    }
    drawn = vega.as_svg(whole)
    head = drawn[: drawn.index(">") + 1]
    box = [float(part) for part in re.findall(r'viewBox="([^"]*)"', head)[0].split()]
    inner = drawn[len(head) : drawn.rindex("</svg>")]
    return inner, box[2], box[3]


def _fitting(spec: Any, width: float) -> Any:
    if isinstance(spec, Mapping):
        kept = {"data", "datasets"}
        fitted = {name: part if name in kept else _fitting(part, width) for name, part in spec.items()}
        if "labelLimit" in fitted:
            fitted["labelLimit"] = round(0.42 * width)
        if isinstance(fitted.get("legend"), Mapping) and "gradientLength" not in fitted["legend"]:
            # A legend stands over the plot, right of the names at its axis.
            columns = max(1, int(0.55 * width // 180))
            fitted["legend"] |= {"columns": columns, "labelLimit": round(0.55 * width / columns) - 24}
        return fitted
    return [_fitting(part, width) for part in spec] if isinstance(spec, list) else spec


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
