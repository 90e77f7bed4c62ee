"""The advice as tables: what a study needs, and what a finished one could have found."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Final

import numpy as np

from core.arrays import FloatArray
from core.errors import InputError
from core.people.power.studies import (
    MOST_ITEMS,
    STUDIES,
    WANTED,
    AnswerSpread,
    differences,
    needed,
    simulate,
    spread_of,
)
from core.people.ratings import Ratings
from core.results.table import WARNED, Row, Table, TableColumn, footnotes, percent, whole
from core.statistics.bootstrap import ENOUGH, Figure
from core.statistics.crossed import BRACKETS, crossed_mean

JUDGES: Final = (1, 3, 5, 10)
MOST_PAIRS: Final = 45
"""Pairs of systems that are looked at together."""
_SHARE: Final = percent()
_ALARMS: Final = (
    "False alarms: studies that find a difference where there is none. One judge's interval takes the judge "
    "as given; with more, it holds for other judges too."
)


def plan_table(
    spread: AnswerSpread,
    difference: float,
    *,
    judges: Sequence[int] = JUDGES,
    wanted: float = WANTED,
    seed: int = 0,
) -> Table:
    """How many items find a difference, a number of judges a row."""
    if not 0 < difference <= 1:
        raise InputError(
            f"A difference of {100 * difference:g} % of the maximum cannot be looked for.",
            hint="Give a percentage above 0 and up to 100.",
        )
    if not 0.5 <= wanted <= 0.99:
        raise InputError(f"{100 * wanted:g} % of the studies cannot be asked for.", hint="Give 50 to 99.")
    rows: list[Row] = []
    for count in judges:
        items, studies = needed(spread, difference, judges=count, wanted=wanted, seed=seed)
        size = f"over {MOST_ITEMS:,}" if items is None else f"{items:,}"
        rows.append((count, size, Figure(studies.power(difference)), Figure(studies.false_alarms)))
    spreads = (
        f"items {_SHARE(spread.items)}, judges {_SHARE(spread.judges)}, answers {_SHARE(spread.answers)}"
    )
    return Table(
        columns=(
            TableColumn("Judges per item", key="judges", form=whole),
            TableColumn("Items needed", key="items"),
            TableColumn("Studies that find it %", key="power", form=_SHARE),
            TableColumn("False alarms %", key="false_alarms", form=_SHARE),
        ),
        rows=tuple(rows),
        title="What a study needs",
        notes=(
            f"To find a difference of {_SHARE(difference)} % of the maximum in {100 * wanted:.0f} % of "
            f"studies; {STUDIES:,} simulated studies a row, right to about 1 percentage point.",
            f"Spread of the difference of two systems, % of the maximum, between {spreads}.",
            _ALARMS,
        ),
    )


def found_table(
    ratings: Ratings, *, systems: Sequence[str] = (), questions: Sequence[str] = (), seed: int = 0
) -> Table:
    """What a finished study found and could have found, a question and pair of systems a row."""
    places = [_place(name, ratings.task.systems, "system") for name in systems or ratings.task.systems]
    pairs = list(combinations(places, 2))
    if not pairs or len(pairs) > MOST_PAIRS:
        raise InputError(
            f"{len(places)} systems make {len(pairs)} pairs; 1 to {MOST_PAIRS} can be looked at.",
            hint="Name the systems to compare (--system).",
        )
    keys = [one.key for one in ratings.form.questions]
    single = [one.key for one in ratings.form.questions if not one.about_pairs]
    asked = [_place(key, keys, "question") for key in questions or single]
    rows = [row for at in asked for row in _pair_rows(ratings, at, pairs, seed)]
    figures = [row[2] for row in rows if isinstance(row[2], Figure)]
    return Table(
        columns=(
            TableColumn("Question", key="question"),
            TableColumn("Systems", key="systems"),
            TableColumn("Difference %", key="difference", form=_SHARE, parts=WARNED),
            TableColumn("Items", key="items", form=whole),
            TableColumn("Judges per item", key="judges", form=lambda value: f"{value:.1f}"),
            TableColumn("Would be found from %", key="detectable", form=_SHARE),
        ),
        rows=tuple(rows),
        title="What this study could find",
        notes=(
            f"Differences: the first system minus the second, % of the maximum. {BRACKETS}",
            f"Would be found from: {100 * WANTED:.0f} % of {STUDIES:,} simulated studies of this size and "
            f"spread find a difference as large. –: fewer than {ENOUGH} items, or answers that do not "
            "differ.",
            *footnotes(one.warning for one in figures),
        ),
    )


def _pair_rows(ratings: Ratings, at: int, pairs: Sequence[tuple[int, int]], seed: int) -> list[Row]:
    rows: list[Row] = []
    names, question = ratings.task.systems, ratings.form.questions[at]
    for one, other in pairs:
        points = differences(ratings, at, one, other)
        counts = (~np.isnan(points)).sum(axis=0)
        items = int((counts > 0).sum())
        if not items:
            continue
        judges = float(counts[counts > 0].mean())
        rows.append(
            (
                question.label,
                f"{names[one]} – {names[other]}",
                crossed_mean(points, unit="items", lowest=-1.0),
                items,
                judges,
                _detectable(points, items, judges, seed),
            )
        )
    return rows


def _detectable(points: FloatArray, items: int, judges: float, seed: int) -> Figure:
    if items < ENOUGH:
        return Figure(None, f"fewer than {ENOUGH} items")
    try:
        spread = spread_of(points)
    except InputError as error:
        return Figure(None, error.message)
    found = simulate(spread, items=items, judges=max(1, round(judges)), seed=seed)
    return Figure(found.detectable())


def _place(name: str, names: Sequence[str], what: str) -> int:
    if name not in names:
        raise InputError(
            f"There is no {what} {name[:60]!r} among the answers.",
            hint=f"There are: {', '.join(names)[:300]}.",
        )
    return list(names).index(name)
