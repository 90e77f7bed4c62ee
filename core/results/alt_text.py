"""What a chart or a table shows, in a sentence or two with its figures, for those who do not see it."""

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from core.results.render import clean, shorten

_LISTED: Final = 6  # values that are all named; of more, the highest and the lowest
_SERIES: Final = 6  # entries of a legend that are named
_CHARACTERS: Final = 60  # of a name


def alt_text(
    title: str,
    rows: Sequence[Sequence[object]],
    *,
    name: str = "",
    value: str = "",
    series: str = "",
    unit: str = "",
) -> str:
    """`rows` have headings first; `low` and `high` end an interval, `name`, `value`, `series` are columns."""
    head, *body = rows or [[]]
    lines = [dict(zip(map(str, head), row, strict=True)) for row in body]
    texts = [key for key in map(str, head) if any(isinstance(line[key], str) for line in lines)]
    numbers = [key for key in map(str, head) if any(_is_number(line[key]) for line in lines)]
    name = name or next(iter(texts), "")
    value = value or next((key for key in numbers if key not in texts), "")
    points: list[tuple[float, str, str]] = []
    for line in lines:
        if value and _is_number(line.get(value)) and (not series or line.get(series) is not None):
            low, high = line.get("low"), line.get("high")
            between = ""
            if _is_number(low) and _is_number(high) and low != high:
                between = f" ({_figure(low)} to {_figure(high)})"
            shown = f"{_name(name, line.get(name))}: {_figure(line[value])}{between}"
            points.append((float(str(line[value])), _name("", line.get(series)), shown))
    lead = _sentence(title)
    if not points:
        names = [str(line[name]) for line in lines if name in line]
        return tally_text(title, names, of="lines") if names else lead
    unit = clean(unit or value)
    if len(points) <= _LISTED:
        shown = "; ".join(f"{entry}, {words}" if series else words for _, entry, words in points)
        return f"{lead} {unit} – {shown}."
    if series:
        best: dict[str, tuple[float, str, str]] = {}
        for point in points:
            best[point[1]] = max(best.get(point[1], point), point, key=lambda each: each[0])
        shown = "; ".join(f"{entry}, highest {words}" for _, entry, words in [*best.values()][:_SERIES])
        return f"{lead} {unit} – {shown}."
    points.sort(key=lambda point: -point[0])
    (_, _, first), (_, _, second), (_, _, last) = points[0], points[1], points[-1]
    return f"{lead} {unit} of {len(points):,} – highest {first}; then {second}; lowest {last}."


def tally_text(title: str, names: Sequence[str], *, of: str) -> str:
    """The same for marks that are counted by name: `of` is what they are, in the plural."""
    counts = Counter(names).most_common()
    most = ", ".join(f"{shorten(name, _CHARACTERS)} ({count:,})" for name, count in counts[:3])
    rest = f" and {len(counts) - 3:,} more" if len(counts) > 3 else ""
    return f"{_sentence(title)} {len(names):,} {of}: {most}{rest}."


def axes(spec: Mapping[str, Any]) -> dict[str, str]:
    """Which columns of a Vega-Lite picture are names, values and series, as `alt_text` takes them."""
    for encoding in _encodings(spec):
        x, y = encoding.get("x", {}), encoding.get("y", {})
        if any("field" not in side or side.get("axis", True) is None for side in (x, y)):
            continue
        both = x.get("type") == y.get("type") == "quantitative"
        of, what = (y, x) if y.get("type") == "quantitative" else (x, y)
        colour = encoding.get("color", {})
        series = str(colour.get("field", "")) if colour.get("type") == "nominal" else ""
        unit = "" if of.get("stack") else str(of.get("title") or "").partition(", ")[0]
        # Points of two measures have names of their own, those of a curve do not.
        name = "" if both and not series else str(what["field"])
        return {"name": name, "value": of["field"], "series": series, "unit": unit}
    return {}


def _encodings(part: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    own = part.get("encoding", {})
    for kind in ("layer", "vconcat"):
        for child in reversed(part.get(kind, ())):  # what matters is drawn on top
            yield from ({**own, **encoding} for encoding in _encodings(child))
    yield own


def _sentence(title: str) -> str:
    line = clean(title)
    return line if line[-1:] in set(".?!…") else f"{line}."


def _is_number(cell: object) -> bool:
    return isinstance(cell, int | float) and not isinstance(cell, bool) and not math.isnan(cell)


def _name(what: str, cell: object) -> str:
    return f"{what} {_figure(cell)}" if _is_number(cell) else shorten(str(cell or "–"), _CHARACTERS)


def _figure(cell: object) -> str:
    value = float(str(cell))
    return f"{value:,.0f}" if value.is_integer() or abs(value) >= 1_000 else f"{value:.3g}"
