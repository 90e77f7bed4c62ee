"""A table: typed columns, rows of values, notes and signatures; as text and HTML; which systems tie.

`core.results.table_files` writes it for programs and papers.
"""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path
from statistics import NormalDist, median
from typing import Any, Final, Literal

from core.results.render import clean, count_words, ruled
from core.statistics.bootstrap import Figure, holm
from core.statistics.crossed import WANTED, repeated

Form = Callable[[float], str]  # writes a number for people

NOTHING: Final = "–"  # what is shown where there is no value
MARK: Final = "†"  # behind an interval that carries a warning; the warning is a note below the table
MOST_COLUMNS: Final = 8  # of a table on paper before anybody chose
LEVEL: Final = 0.05  # of all comparisons of a table together
SHOWN_ROWS: Final = 30  # of a table that is printed as it is
STARS: Final = ((0.01, "**"), (0.05, "*"))  # marks of corrected p-values below a level


def decimals(digits: int) -> Form:
    """`0.123` for 3 digits."""
    return lambda value: f"{value:.{digits}f}"


def percent(digits: int = 1) -> Form:
    """`12.3` for 0.123 and one digit: a share times 100, without a sign."""
    return lambda value: f"{100 * value:.{digits}f}"


def whole(value: float) -> str:
    """`4,774`."""
    return f"{value:,.0f}"


def duration(seconds: float) -> str:
    """`1.5 s`, `45 s`, `12 min` or `3.0 h`."""
    if seconds < 120:
        return f"{seconds:.1f} s" if seconds < 10 else f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"


def chance(p: float | None) -> str:
    """A p-value: `<0.001` or three digits; a dash where there is none."""
    if p is None:
        return NOTHING
    return "<0.001" if p < 0.001 else f"{p:.3f}"


def stars(p: float | None) -> str:
    """`**` below 0.01, `*` below 0.05, else ""."""
    return next((sign for level, sign in STARS if p is not None and p < level), "")


def plain(value: float | None) -> str:
    """A number for programs, in six significant digits; "" where there is none."""
    return "" if value is None or math.isnan(value) else f"{value:.6g}"


def written(value: float | None, form: Form) -> str:
    """A value for people; a dash where there is none."""
    return NOTHING if value is None else form(value)


def between(figure: Figure, form: Form) -> str:
    """The interval, `[0.1, 0.2]`; "" where there is none."""
    low, high = figure.interval
    return "" if low is None or high is None else f"[{form(low)}, {form(high)}]"


def spanned(figure: Figure | None, form: Form) -> str:
    """A value with its interval and the mark of a warning; a dash where there is none."""
    if figure is None or figure.value is None:
        return NOTHING
    return marked(f"{form(figure.value)} {between(figure, form)}".rstrip(), figure.warning)


def marked(shown: str, warning: str) -> str:
    """An interval as it is shown, with the mark where it carries a warning."""
    return f"{shown} {MARK}" if warning else shown


_COUNT: Final = re.compile(r"\((\d+);")


def footnotes(warnings: Iterable[str]) -> list[str]:
    """The different warnings of a table in one line after their mark; counts that differ are joined."""
    counts: dict[str, list[int]] = {}
    for warning in filter(None, warnings):
        counts.setdefault(_COUNT.sub("({};", warning), []).extend(map(int, _COUNT.findall(warning)))
    different = []
    for text, given in counts.items():
        ends = sorted({min(given), max(given)}) if given else []
        different.append(text.replace("({};", f"({' to '.join(map(str, ends))};"))
    return [f"{MARK} {' '.join(different)}"] if different else []


Value = Figure | float | int | str | bool | None
"""What stands in a cell: None where there is nothing, a text as it is."""
Row = tuple[Value, ...]
Parts = tuple[tuple[str, str], ...]
"""What files hold of a figure, a column each: heading, with `{}` for the key, and field of `Figure`."""
SPAN: Final = (("{}", "value"), ("{}_low", "low"), ("{}_high", "high"))  # the value and its interval
WARNED: Final = (*SPAN, ("{}_warning", "warning"))
LONG: Final = (("value", "value"), ("low", "low"), ("high", "high"), ("warning", "warning"))
"""The same in a table of one figure a line."""
_THREE: Final = decimals(3)


@dataclass(frozen=True, slots=True)
class TableColumn:
    title: str  # heading for people
    key: str = ""  # heading in files; the title where it is ""
    form: Form = _THREE  # how numbers and figures are written for people
    better: Literal["", "higher", "lower"] = ""  # which end is marked as best; "" for neither
    parts: Parts = ()  # what files hold of a figure; () for its value alone
    group: str = ""  # heading above this column and its neighbours of the same group; "" for none
    files_only: bool = False  # it is left out where people read
    marked: bool = True  # its best is marked; False where no system was shown to be better than all others


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Table:
    columns: tuple[TableColumn, ...]  # the first holds names
    rows: tuple[Row, ...]  # one value a column each
    below: tuple[Row, ...] = ()  # under a rule, as what papers report; never marked as best
    title: str = ""  # what the table shows; "" for none
    notes: tuple[str, ...] = ()  # what a reader must know, a sentence or two each
    signatures: tuple[tuple[str, str], ...] = ()  # names and signatures of what was measured; files hold them

    def __post_init__(self) -> None:
        """Raises ValueError where a row has more or fewer values than there are columns."""
        if any(len(row) != len(self.columns) for row in (*self.rows, *self.below)):
            raise ValueError("A row has not as many values as there are columns.")

    def __repr__(self) -> str:
        """What a notebook and a debugger print: the first rows as text, the systems beside each other."""
        more = len(self.rows) - SHOWN_ROWS
        part = replace(self, rows=self.rows[:SHOWN_ROWS])
        wide = len(list(self.shown())) > max(MOST_COLUMNS, len(part.rows))
        lines = [self.title, as_text(part, turned=wide)]
        lines += [f"… and {count_words(more, 'more row', 'more rows')}"] if more > 0 else []
        return "\n".join(filter(None, lines))

    def _repr_html_(self) -> str:
        """What a notebook draws, every text escaped."""
        return as_page_part(self)

    def shown(self) -> Iterator[tuple[int, TableColumn]]:
        """Place and column of all that people read."""
        return ((at, column) for at, column in enumerate(self.columns) if not column.files_only)

    def only(self, *places: int) -> Table:
        """The table with these columns in this order."""
        both = self.rows, self.below
        rows, below = (tuple(tuple(row[at] for at in places) for row in lines) for lines in both)
        return replace(self, columns=tuple(self.columns[at] for at in places), rows=rows, below=below)

    def best(self, at: int) -> Value:
        """The one best cell of a column; None where no end is better, or it is not better than the next.

        It has to differ from the next as it is printed; where the column was tested against a system, it is
        that one, and all others differ from it, or it differs from that one.
        """
        column = self.columns[at]
        cells = sorted(
            ((number, row[at]) for row in self.rows if (number := number_of(row[at])) is not None),
            key=lambda cell: cell[0],
            reverse=column.better == "higher",
        )
        if not (column.better and column.marked) or len(cells) < 2:
            return None
        first, *others = (cell for _, cell in cells)
        if cell_text(first, column, spans=False) == cell_text(others[0], column, spans=False):
            return None
        tested = [cell.p for cell in others if isinstance(cell, Figure) and cell.p is not None]
        if isinstance(first, Figure) and first.p is not None:
            tested = [first.p]
        return first if all(p < LEVEL for p in tested) else None


_LOOKS: Final[Mapping[str, Mapping[str, Any]]] = {
    "whole": {"form": whole},
    "tenths": {"form": decimals(1)},
    "percent": {"form": percent()},
    "whole percent": {"form": percent(0)},
    "span": {"parts": SPAN},
    "warned": {"parts": WARNED},
    "higher": {"better": "higher"},
}


def read_columns(path: Path) -> dict[str, tuple[TableColumn, ...]]:
    """The columns of tables by name, from TOML: key, title and looks of each (`_LOOKS`)."""
    tables: dict[str, dict[str, list[str]]] = tomllib.loads(path.read_text(encoding="utf-8"))
    return {
        name: tuple(
            TableColumn(title, key, **{field: look for word in looks for field, look in _LOOKS[word].items()})
            for key, (title, *looks) in columns.items()
        )
        for name, columns in tables.items()
    }


def number_of(value: Value) -> float | None:
    """The number in a cell; None where there is none."""
    if isinstance(value, Figure):
        value = value.value
    if value is None or isinstance(value, str | bool) or math.isnan(value):
        return None
    return float(value)


def cell_text(value: Value, column: TableColumn, *, spans: bool = True) -> str:
    """A cell for people: number, interval, mark of a warning and stars; a dash where there is nothing."""
    if isinstance(value, Figure):
        if value.value is None or not spans:
            return NOTHING if value.value is None else column.form(value.value)
        return spanned(value, column.form) + stars(value.p)
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return NOTHING
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    return value if isinstance(value, str) else column.form(value)


def text_rows(table: Table, *, spans: bool = True) -> list[list[str]]:
    """All that people read as text, the headings first."""
    shown = list(table.shown())
    rows = (*table.rows, *table.below)
    body = [[cell_text(row[at], column, spans=spans) for at, column in shown] for row in rows]
    return [[column.title for _, column in shown], *body]


def as_text(table: Table, *, turned: bool = False) -> str:
    """The table for a terminal, its notes below."""
    rows = text_rows(table)
    lines = ruled([list(line) for line in zip(*rows, strict=True)] if turned else rows)
    return "\n".join([*lines, *([""] if table.notes else []), *table.notes])


def as_html(table: Table) -> str:
    """The table as an escaped `<table>`; columns without text have the class `number`."""
    numeric = [not any(isinstance(row[at], str) for row in table.rows) for at, _ in table.shown()]
    kinds = [' class="number"' if is_number else ' dir="auto"' for is_number in numeric]
    header, *body = [[escape(clean(cell)) for cell in row] for row in text_rows(table)]
    heads = "".join(f'<th scope="col"{kind}>{cell}</th>' for kind, cell in zip(kinds, header, strict=True))
    lines = ["".join(f"<td{kind}>{cell}</td>" for kind, cell in zip(kinds, row, strict=True)) for row in body]
    rows = "".join(f"<tr>{line}</tr>\n" for line in lines)
    return f"<table>\n<thead><tr>{heads}</tr></thead>\n<tbody>\n{rows}</tbody>\n</table>"


def as_page_part(table: Table) -> str:
    """The table with its title above and its notes below, every text escaped."""
    above = [f"<strong>{escape(clean(table.title))}</strong>"] if table.title else []
    return "\n".join([*above, as_html(table), *(f"<p>{escape(clean(note))}</p>" for note in table.notes)])


def warnings_of(table: Table) -> Iterator[str]:
    return (value.warning for row in table.rows for value in row if isinstance(value, Figure))


_NORMAL: Final = NormalDist()
Pair = tuple[int, int]


def tie_letters(ranked: Sequence[int], differ: Collection[Pair]) -> dict[int, str]:
    """Letters of each system, the best first: two that do not differ share one, two that differ share none.

    Source: Piepho (2004), An algorithm for a letter-based representation of all-pairwise comparisons.
    """
    groups = [frozenset(ranked)]
    for pair in differ:
        split = []
        for group in groups:
            split += [group - {system} for system in pair] if group.issuperset(pair) else [group]
        groups = [group for group in dict.fromkeys(split) if not any(group < other for other in split)]
    groups.sort(key=lambda group: sorted(map(ranked.index, group)))
    named = [(letter(at), group) for at, group in enumerate(groups)]
    return {system: "".join(name for name, group in named if system in group) for system in ranked}


def letter(number: int) -> str:
    """a, b, …, z, aa, ab for 0, 1, …"""
    return (letter(number // 26 - 1) if number >= 26 else "") + chr(ord("a") + number % 26)


def differing(gaps: Mapping[Pair, Figure]) -> set[Pair]:
    """The pairs whose difference is not chance, corrected by Holm for all pairs that were tested."""
    corrected = holm([_chance(gap) for gap in gaps.values()])
    return {pair for pair, p in zip(gaps, corrected, strict=True) if p is not None and p < LEVEL}


def _chance(gap: Figure) -> float | None:
    """Its p; where none of the resamples crossed 0, they reach no lower and a normal tail of them goes on."""
    spread = _spread(gap)
    if gap.crossed:
        from scipy.special import stdtr

        if gap.warning or gap.value is None or spread is None:
            return None
        if not spread:
            return float(not gap.value)
        return float(2 * stdtr(gap.crossed.freedom, -abs(gap.value) / spread))
    if gap.p is None or gap.value is None or not spread or gap.p > 2.5 / (gap.resamples + 1):
        return gap.p
    return min(gap.p, 2 * _NORMAL.cdf(-abs(gap.value) / spread))


def _spread(gap: Figure) -> float | None:
    from scipy.special import stdtrit

    if gap.low is None or gap.high is None:
        return None
    edge = stdtrit(gap.crossed.freedom, 0.975) if gap.crossed else _NORMAL.inv_cdf(0.975)
    return float((gap.high - gap.low) / (2 * edge))


def smallest_difference(gaps: Sequence[Figure]) -> float | None:
    """The difference that `WANTED` of such studies would see at `LEVEL`, corrected for all pairs: the median
    over the pairs, from their intervals. None where no pair was tested.

    Over items and judges the interval of another study has another width, above all where judges are few, so
    studies with the mean spread of the pairs are simulated.
    """
    tested = [gap for gap in gaps if _chance(gap) is not None]
    level = LEVEL / max(1, len(tested))
    if designs := [gap.crossed for gap in tested if gap.crossed]:
        return repeated(designs, level=level).detectable()
    edges = _NORMAL.inv_cdf(1 - level / 2) + _NORMAL.inv_cdf(WANTED)
    return median((_spread(gap) or 0.0) * edges for gap in tested) if tested else None


def tie_notes(label: str, gaps: Mapping[Pair, Figure], form: Callable[[float], str]) -> tuple[str, ...]:
    """What stands below a table with these letters."""
    tested = sum(_chance(gap) is not None for gap in gaps.values())
    least = smallest_difference([*gaps.values()])
    if least is None:
        return ()
    how, such = "paired bootstrap", "median"
    if designs := [gap.crossed for gap in gaps.values() if gap.crossed]:
        how, such = "items" if designs[0].judges == 1 else "items and judges", "mean"
    return (
        f"Ties: systems that share a letter do not differ in {label} at {LEVEL:g} ({how}, Holm "
        f"over {tested:,} comparisons).",
        f"The smallest difference in {label} that these data could show, in {WANTED:.0%} of such studies at "
        f"this level: {form(least)} ({such} of the pairs).",
    )
