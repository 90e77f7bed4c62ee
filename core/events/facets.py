"""What headlines are filtered by: columns of their file and of their outlets, and what they state."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np

from core.arrays import BoolArray, IntArray
from core.data.timelines.column_names import key
from core.data.timelines.timeline import Field, Timeline, label_columns
from core.events.corrections import Marks
from core.events.coverage import sole_value
from core.events.edited_headlines import edited_articles
from core.events.number_lines import number_lines
from core.events.outlet_table import OutletTable
from core.runtime import Runtime
from core.text.language import NAMES
from core.text.numerals.languages import language_of
from core.text.numerals.read import read_numerals

Chosen = Sequence[tuple[str, str]]
"""Names of facets with a value of each; several values of one facet are any of them."""
FLAGS: Final = ("numbers", "edited", "disputed", "corrected", "regrouped")
ONLY: Final = "only."
"""Before a column of outlets: events that one value of it reports alone."""
_SECTIONS: Final = re.compile(
    "sections?|categor(y|ies)|rubric|topic|desk|department|ressort|rubri(k|que)|sezione|secci[oó]n|se[cç][aã]o|"
    "раздел|рубрика"
)
_MOST_SECTIONS: Final = 60


class Facet(NamedTuple):
    title: str
    rows: Mapping[str, IntArray]  # of each value, the most frequent first


def events_of(timeline: Timeline, ids: IntArray) -> list[list[int]]:
    """The rows of each group, by time."""
    order = np.lexsort((timeline.days, ids))
    return [rows.tolist() for rows in np.split(order, np.flatnonzero(np.diff(ids[order])) + 1)]


def facets(timeline: Timeline, ids: IntArray, table: OutletTable) -> dict[str, Facet]:
    """The facets of a timeline and of what is known of its outlets; of each at least one value is there."""
    publishers, known = timeline.publishers, dict[str, tuple[str, Sequence[str | None]]]()
    known["outlet"] = "Outlet", publishers
    given, read = timeline.table[Field.LANGUAGE], timeline.reading.languages
    codes = given.tolist() if given.notna().any() else read
    known["language"] = "Language", [NAMES.get(code, code) if isinstance(code, str) else "" for code in codes]
    sections = [name for name in map(str, timeline.original.columns) if _SECTIONS.fullmatch(key(name))]
    few = [name for name in sections if 1 < timeline.original[name].nunique() <= _MOST_SECTIONS]
    for name in dict.fromkeys([*few, *label_columns(timeline)]):
        cells = timeline.original[name].tolist()
        known[f"file.{name}"] = name, [cell.strip() if isinstance(cell, str) else "" for cell in cells]
    events = events_of(timeline, ids) if table.columns else []
    for name in table.columns:
        value_of = table.value_of(name, publishers)
        known[f"outlet.{name}"] = (
            f"Outlets by {name}",
            [value_of.get(outlet or "", "") for outlet in publishers],
        )
        alone = [""] * len(timeline)
        for rows in events if len(set(value_of.values())) > 1 else []:
            value = sole_value((publishers[row] for row in rows), value_of)
            for row in rows if value else []:
                alone[row] = value
        known[f"{ONLY}{name}"] = f"Reported by one {name} alone", alone
    made = {name: Facet(title, _rows(values)) for name, (title, values) in known.items()}
    return {name: facet for name, facet in made.items() if len(facet.rows) > (not name.startswith(ONLY))}


def _rows(values: Sequence[str | None]) -> dict[str, IntArray]:
    import pandas as pd

    series = pd.Series([value or None for value in values], dtype=object)
    found = {str(value): np.asarray(rows) for value, rows in series.groupby(series).indices.items()}
    return dict(sorted(found.items(), key=lambda each: -len(each[1])))


def flagged(timeline: Timeline, ids: IntArray, marks: Marks, runtime: Runtime) -> dict[str, frozenset[int]]:
    """The headlines with each of `FLAGS`: of a disputed or corrected number those that state it."""
    language = timeline.reading.language
    numbers = frozenset(
        row
        for row, text in enumerate(timeline.texts)
        if read_numerals(text, language=language_of(text, doubtful=language))
    )
    disputed, corrected = set[int](), set[int]()
    several = [rows for rows in events_of(timeline, ids) if len(numbers.intersection(rows)) > 1]
    for rows in runtime.track(several, "Comparing the numbers"):
        for line in number_lines(timeline, rows):
            disputed.update(point.row for point in line.points if point.status == "disputed")
            corrected.update(point.row for point in line.points if point.until >= 0)
    regrouped = np.flatnonzero(np.isin(ids, list(marks.groups))).tolist()
    found = numbers, edited_articles(timeline), disputed, corrected, regrouped
    return {name: frozenset(rows) for name, rows in zip(FLAGS, found, strict=True)}


def matching(known: Mapping[str, Facet], chosen: Iterable[tuple[str, str]], n: int) -> BoolArray:
    """Whether each of n headlines has a chosen value of every facet of which one is chosen."""
    wanted: dict[str, list[str]] = {}
    for name, value in chosen:
        wanted.setdefault(name, []).append(value)
    keep = np.ones(n, dtype=np.bool_)
    for name, values in wanted.items():
        held = known[name].rows if name in known else {}
        has = np.zeros(n, dtype=np.bool_)
        for value in values:
            has[held.get(value, [])] = True
        keep &= has
    return keep
