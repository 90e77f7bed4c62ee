"""Choices between two headlines, from any table: which systems, in which places, and what was chosen."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, permutations
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

import numpy as np
import numpy.typing as npt

from core.arrays import IntArray
from core.data.articles.articles import whole_table
from core.errors import InputError
from core.people.rating_files import ARTICLE, JUDGE, SHOWN_FIRST, SYSTEM
from core.people.ratings import BETWEEN, Asks, EvaluationForm, FormQuestion, Order, Ratings, pairs_of
from core.people.votes import known_column, matching_columns
from core.results.render import restored
from core.text.normalise import clean_line, is_missing

if TYPE_CHECKING:
    import pandas as pd

FIRST, TIE, SECOND, NEITHER = 1, 0, -1, -2
"""What was chosen: the headline shown first (left, above), none, the other one, or both are bad."""
WORDS: Final = {  # how tables write it
    **dict.fromkeys(("left", "first", "a", "1", "x"), FIRST),
    **dict.fromkeys(("right", "second", "b", "2", "y"), SECOND),
    **dict.fromkeys(("draw", "tie", "equal", "same", "0"), TIE),
    **dict.fromkeys(("bad", "neither", "both bad"), NEITHER),
}


CHOOSE: Final = (Asks.BETTER, Asks.BEST_WORST)  # what is asked where answers are choices


@dataclass(frozen=True, slots=True, eq=False)
class Preferences:
    """What people chose, one entry a choice between two headlines."""

    systems: tuple[str, ...]  # names, all different
    first: IntArray  # place in `systems` of the headline that was shown first, int64 [n]
    second: IntArray  # of the other, int64 [n]; never the same
    chosen: IntArray  # `FIRST`, `TIE` or `SECOND`, int64 [n]
    items: IntArray  # number of the item (article, pair of headlines), int64 [n]; resampled as a whole
    judges: IntArray  # number of the judge, int64 [n]; -1 where it is not known
    neither: int = 0  # choices left out since both headlines were called bad
    left_out: int = 0  # rows left out since both headlines are by one system, or by one that is not ranked
    placed: bool = True  # `first` and `second` say which headline stood first

    def __len__(self) -> int:
        return len(self.chosen)

    def points(self) -> npt.NDArray[np.float64]:
        """Wins of each system over each other, a tie as half a win for both, float64 [k, k]."""
        table = np.zeros((len(self.systems), len(self.systems)))
        gained = np.where(self.chosen == TIE, 0.5, self.chosen == FIRST)
        np.add.at(table, (self.first, self.second), gained)
        np.add.at(table, (self.second, self.first), 1 - gained)
        return table

    def among(self, most: int) -> Preferences:
        """The choices among so many systems that have most of them, and without systems that have none."""
        counts = np.bincount(np.concatenate([self.first, self.second]), minlength=len(self.systems))
        enough = np.zeros(len(counts), dtype=bool)
        enough[np.argsort(-counts, kind="stable")[:most]] = True
        mask = enough[self.first] & enough[self.second]
        used = np.unique(np.concatenate([self.first[mask], self.second[mask]]))
        places = np.full(len(self.systems), -1)
        places[used] = np.arange(len(used))
        return replace(
            self,
            systems=tuple(self.systems[at] for at in used.tolist()),
            first=places[self.first[mask]],
            second=places[self.second[mask]],
            chosen=self.chosen[mask],
            items=self.items[mask],
            judges=self.judges[mask],
            left_out=self.left_out + int((~mask).sum()),
        )


def joined(parts: Sequence[Preferences]) -> Preferences:
    """Choices of several tables as one; items and judges of different tables are different."""
    systems = {name: None for part in parts for name in part.systems}
    places = {name: at for at, name in enumerate(systems)}
    columns: list[list[IntArray]] = []
    items = judges = 0
    for part in parts:
        own = np.array([places[name] for name in part.systems], dtype=np.int64)
        who = np.where(part.judges < 0, -1, part.judges + judges)
        columns.append([own[part.first], own[part.second], part.chosen, part.items + items, who])
        items, judges = items + int(part.items.max()) + 1, judges + int(part.judges.max()) + 1
    first, second, chosen, item, judge = map(np.concatenate, zip(*columns, strict=True))
    neither, left_out = sum(part.neither for part in parts), sum(part.left_out for part in parts)
    placed = all(part.placed for part in parts)
    return Preferences(tuple(systems), first, second, chosen, item, judge, neither, left_out, placed)


def make_choices(
    rows: Sequence[tuple[str, str, int, str, str]], *, neither: int = 0, left_out: int = 0
) -> Preferences:
    """Choices from rows of system shown first, the other system, what was chosen, item and judge ("")."""
    systems = {name: None for row in rows for name in row[:2]}
    places = {name: at for at, name in enumerate(systems)}
    items = {item: at for at, item in enumerate(dict.fromkeys(row[3] for row in rows))}
    judges = {name: at for at, name in enumerate(dict.fromkeys(row[4] for row in rows if row[4]))}
    coded = [
        (places[left], places[right], chosen, items[item], judges.get(judge, -1))
        for left, right, chosen, item, judge in rows
    ]
    first, second, chosen, item, judge = np.array(coded, dtype=np.int64).reshape(-1, 5).T
    return Preferences(tuple(systems), first, second, chosen, item, judge, neither, left_out)


def read_choices(
    data: bytes,
    name: str,
    *,
    left: str,
    right: str,
    answer: str,
    items: Sequence[str] = (),
    judge: str = "",
    outlets: bool = False,
) -> Preferences:
    cells = whole_table(data, name).cells
    cells.columns = [str(column) for column in cells.columns]
    sides, said = [_texts(cells, column, name) for column in (left, right)], _texts(cells, answer, name)
    keys = list(zip(*(_texts(cells, column, name) for column in items), strict=True)) if items else []
    who = _texts(cells, judge, name) if judge else [""] * len(cells)
    rows, neither, left_out = [], 0, 0
    for at, text in enumerate(said):
        if not text:
            continue
        first, second = (_outlet(side[at]) if outlets else side[at] for side in sides)
        chosen = WORDS.get(text.casefold())
        if chosen is None:
            raise InputError(
                f"Row {at + 1:,} of {name[:80]} has {text[:40]!r} in the column {answer[:40]!r}.",
                hint="Write left, right, draw or bad (or first, second, tie, neither).",
            )
        if chosen == NEITHER:
            neither += 1
        elif not first or not second or first == second:
            left_out += 1
        else:
            rows.append((first, second, chosen, " | ".join(keys[at]) if keys else str(at), who[at]))
    if not rows:
        raise InputError(
            f"{name[:80]} holds no choice between two systems.", hint="Check which columns hold what."
        )
    return make_choices(rows, neither=neither, left_out=left_out)


def _texts(cells: pd.DataFrame, column: str, name: str) -> list[str]:
    column = known_column(column, [*cells.columns], name)
    lines = ["" if cell is None else clean_line(str(cell)) for cell in cells[column]]
    return ["" if is_missing(line) else line for line in lines]


def _outlet(address: str) -> str:
    try:
        return (urlsplit(address).hostname or address).removeprefix("www.")
    except ValueError:
        return address


def choices_of(ratings: Ratings, question: FormQuestion, order: Order) -> Preferences:
    """The choices of a question about the better headline of each pair, or about the best and the worst."""
    if question.asks not in CHOOSE:
        raise ValueError(f"{question.key} does not ask which headline is better.")
    at = ratings.form.questions.index(question)
    if question.asks is Asks.BEST_WORST:
        return _implied(
            (dict(zip(ratings.task.systems, ratings.values[number, at, row], strict=False)), article, judge)
            for number, judge in enumerate(ratings.judges)
            for row, article in enumerate(ratings.task.articles)
        )
    task, pairs = ratings.task, pairs_of(ratings.task.systems)
    rows = []
    for number, judge in enumerate(ratings.judges):
        for row, article in enumerate(task.articles):
            seen = list(order(judge, article))
            for (first, second), place in zip(pairs, question.places(len(task.systems)), strict=True):
                value = ratings.values[number, at, row, place]
                if np.isnan(value):
                    continue
                chosen = int(value)
                left, right = sorted((first, second), key=seen.index)
                if left != first:
                    chosen = -chosen
                rows.append((task.systems[left], task.systems[right], chosen, article, judge))
    return make_choices(rows)


def _implied(sets: Iterable[tuple[Mapping[str, float], str, str]]) -> Preferences:
    """The best beats all others of its set, and all others beat the worst; two between are not compared."""
    rows = [
        (better, worse, FIRST, article, judge)
        for values, article, judge in sets
        for better, worse in permutations(values, 2)
        if values[better] > values[worse]
    ]
    return replace(make_choices(rows), placed=False)


def page_choices(data: bytes, name: str, form: EvaluationForm) -> Preferences | None:
    """The choices in an "Answers (CSV)" of Evaluate; None where a table is no such file."""
    columns = [JUDGE, ARTICLE, SYSTEM, SHOWN_FIRST]
    cells = whole_table(data, name).cells
    if not set(columns) <= set(cells.columns):
        return None
    judges, articles, systems, first = (
        [clean_line(restored(cell or "")) for cell in cells[column]] for column in columns
    )
    rows = []
    for question in form.questions:
        if question.asks is Asks.BEST_WORST and question.key in cells:
            sets: dict[tuple[str, str], dict[str, float]] = {}
            for at, cell in enumerate(cells[question.key]):
                if (cell or "").strip():
                    sets.setdefault((articles[at], judges[at]), {})[systems[at]] = float(cell)
            return _implied((values, *key) for key, values in sets.items())
        for at, cell in enumerate(cells.get(question.key, ()) if question.asks is Asks.BETTER else ()):
            if (cell or "").strip() and BETWEEN in systems[at]:
                left, right = systems[at].split(BETWEEN, 1)
                chosen = int(float(cell))
                if first[at] == right:
                    left, right, chosen = right, left, -chosen
                rows.append((left, right, chosen, articles[at], judges[at]))
    if not rows:
        raise InputError(
            f"{name[:80]} holds no choice between two systems.",
            hint="Name the form that was answered with --form; it asks which headline is better.",
        )
    return make_choices(rows)


def rated_choices(data: bytes, name: str, *, rated: str, system: str, items: Sequence[str]) -> Preferences:
    """Ratings as choices: of two systems on one item, each rater prefers the higher one; equal is a tie."""
    cells = whole_table(data, name).cells
    columns = [*cells.columns]
    raters = sorted(matching_columns(rated, columns, name), key=columns.index)
    for column in (system, *items):
        known_column(column, columns, name)
    if not raters or not items:
        what = "the item" if raters else "raters"
        raise InputError(f"{name[:80]} has no column for {what}.", hint="Name --rated, --system and --item.")
    by_item: dict[str, list[int]] = {}
    for at, row in enumerate(cells[list(items)].to_numpy()):
        by_item.setdefault(" | ".join(clean_line(str(cell)) for cell in row), []).append(at)
    systems = [clean_line(str(cell)) for cell in cells[system]]
    rows = []
    for rater in raters:
        values = [_rating(cell, rater, at, name) for at, cell in enumerate(cells[rater])]
        for item, places in by_item.items():
            for left, right in combinations(places, 2):
                if systems[left] != systems[right] and not np.isnan(values[left] + values[right]):
                    chosen = int(np.sign(values[left] - values[right]))
                    rows.append((systems[left], systems[right], chosen, item, rater))
    if not rows:
        raise InputError(f"{name[:80]} rates no two systems on one item.", hint="Check --system and --item.")
    return replace(make_choices(rows), placed=False)


def _rating(cell: str | None, column: str, row: int, name: str) -> float:
    text = (cell or "").strip()
    if not text or is_missing(text):
        return np.nan
    try:
        return float(text)
    except ValueError:
        raise InputError(
            f"Row {row + 1:,} of {name[:80]} has {text[:40]!r} in the column {column[:40]!r}.",
            hint="Give ratings as numbers.",
        ) from None
