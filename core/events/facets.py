"""What headlines are filtered by: columns of their file and of their outlets, and what they state."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np

from core.arrays import BoolArray, IntArray
from core.data.timelines.timeline import LONGEST_LABEL, Field, Timeline
from core.events.corrections import Marks
from core.events.coverage import sole_value
from core.events.edited_headlines import edited_articles
from core.events.number_lines import number_lines
from core.events.outlet_table import OutletTable, values_of
from core.runtime import Runtime
from core.text.language import NAMES
from core.text.numerals.languages import language_of
from core.text.numerals.read import read_numerals

FLAGS: Final = ("numbers", "edited", "disputed", "corrected", "regrouped")
_ONLY: Final = "only."  # before a column of outlets: events that one value of it reports alone
_MOST_KINDS: Final = 60  # different values of a column of a file, for it to be a facet


class Facet(NamedTuple):
    title: str
    rows: Mapping[str, IntArray]  # of each value, the most frequent first


def _events(timeline: Timeline, ids: IntArray) -> list[list[int]]:
    order = np.lexsort((timeline.days, ids))
    return [rows.tolist() for rows in np.split(order, np.flatnonzero(np.diff(ids[order])) + 1)]


def facets(timeline: Timeline, ids: IntArray, table: OutletTable) -> dict[str, Facet]:
    """The facets of a timeline, and of what is known of its outlets, that tell headlines apart."""
    publishers, original, given = timeline.publishers, timeline.original, timeline.table[Field.LANGUAGE]
    codes: Sequence[str | None] = given.tolist() if given.notna().any() else timeline.reading.languages
    languages = [NAMES.get(code, code) if isinstance(code, str) else None for code in codes]
    known: dict[str, tuple[str, Sequence[str | None]]] = {"outlet": ("Outlet", publishers)}
    known["language"] = "Language", languages
    used = {name for names in timeline.report.columns.values() for name in names}
    for name in (name for name in original if name not in used):
        cells = original[name].fillna("").str.strip()
        if cells.nunique() <= min(_MOST_KINDS, len(cells) / 2) and cells.str.len().max() <= LONGEST_LABEL:
            known[f"file.{name}"] = str(name), cells.tolist()
    events = _events(timeline, ids) if table else []
    for name, column in table.items():
        value_of = values_of(column, publishers)
        known[f"outlet.{name}"] = f"Outlets by {name}", [value_of.get(each or "") for each in publishers]
        sole = {ids[rows[0]]: sole_value((publishers[row] for row in rows), value_of) for rows in events}
        if len(set(value_of.values())) > 1:
            known[f"{_ONLY}{name}"] = f"Reported by one {name} alone", [sole[group] for group in ids]
    made = {name: Facet(title, _rows(values)) for name, (title, values) in known.items()}
    return {name: facet for name, facet in made.items() if len(facet.rows) > (not name.startswith(_ONLY))}


def _rows(values: Sequence[str | None]) -> dict[str, IntArray]:
    import pandas as pd

    series = pd.Series([value or None for value in values], dtype=object)
    found = {str(value): np.asarray(rows) for value, rows in series.groupby(series).indices.items()}
    return dict(sorted(found.items(), key=lambda each: -len(each[1])))


def flagged(timeline: Timeline, ids: IntArray, marks: Marks, runtime: Runtime) -> dict[str, frozenset[int]]:
    """The headlines with each of `FLAGS`: of a disputed or corrected number those that state it."""
    numbers, disputed, corrected = set[int](), set[int](), set[int]()
    for row, text in enumerate(timeline.texts):
        language = language_of(text, doubtful=timeline.reading.language)
        numbers |= {row} if read_numerals(text, language=language) else set()
    several = [rows for rows in _events(timeline, ids) if len(numbers.intersection(rows)) > 1]
    for rows in runtime.track(several, "Comparing the numbers"):
        for line in number_lines(timeline, rows):
            disputed.update(point.row for point in line.points if point.status == "disputed")
            corrected.update(point.row for point in line.points if point.until >= 0)
    regrouped = np.flatnonzero(np.isin(ids, list(marks.groups))).tolist()
    found = numbers, edited_articles(timeline), disputed, corrected, regrouped
    return {name: frozenset(rows) for name, rows in zip(FLAGS, found, strict=True)}


def matching(known: Mapping[str, Facet], chosen: Iterable[tuple[str, str]], n: int) -> BoolArray:
    """Whether each of n headlines has a chosen value of every facet of which one is chosen."""
    keep = {name: np.zeros(n, dtype=np.bool_) for name, _ in chosen}
    for name, value in chosen:
        keep[name][known[name].rows.get(value, []) if name in known else []] = True
    return np.asarray(np.logical_and.reduce([np.ones(n), *keep.values()]), dtype=np.bool_)
