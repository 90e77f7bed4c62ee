"""Choices between two headlines, from any table: which systems, in which places, and what was chosen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from core.arrays import IntArray
from core.data.timelines.tables import whole_table
from core.errors import InputError
from core.people.forms import BETWEEN, Asks, EvaluationForm, FormQuestion
from core.people.rating_files import ARTICLE, JUDGE, SHOWN_FIRST, SYSTEM, rating_table
from core.people.ratings import Ratings, SystemOrder
from core.people.vote_files import column_texts, matching_columns
from core.text.normalise import clean_line

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
COLUMNS: Final = ("first", "second", "chosen", "item", "judge", "placed")
"""Of a table of choices: the system shown first, the other, what was chosen, the item, who chose ("" where it
is not known), and whether the places are known."""


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


def make_choices(*tables: pd.DataFrame, most: int | None = None) -> Preferences:
    """The choices of tables with `COLUMNS`, whose items and judges differ; of the `most` chosen systems."""
    import pandas as pd

    rows = pd.concat(tables, keys=range(len(tables))).reset_index(level=0, names="table")
    bad = rows["chosen"] == NEITHER
    used = rows[~bad & _of_two(rows)]
    if most is not None:
        counts = pd.concat([used["first"], used["second"]]).value_counts(sort=True)
        used = used[used[["first", "second"]].isin(counts.index[:most]).all(axis=1)]
    places, systems = pd.factorize(used[["first", "second"]].to_numpy().ravel())
    first, second = np.asarray(places, dtype=np.int64).reshape(-1, 2).T
    items = used.groupby(["table", "item"], sort=False).ngroup()
    judges = used.groupby(["table", "judge"], sort=False).ngroup().where(used["judge"] != "", -1)
    chosen, item, judge = (np.asarray(column, dtype=np.int64) for column in (used["chosen"], items, judges))
    left_out, placed = int((~bad).sum()) - len(used), bool(used["placed"].all())
    return Preferences(tuple(systems), first, second, chosen, item, judge, int(bad.sum()), left_out, placed)


def read_choices(
    data: bytes, name: str, *, left: str, right: str, answer: str, items: Sequence[str] = (), judge: str = ""
) -> pd.DataFrame:
    cells = whole_table(data, name).cells
    judge = judge or _usual(cells, JUDGE)
    named = {"first": left, "second": right, "said": answer, **({"judge": judge} if judge else {})}
    table = cells[[]].assign(**{key: column_texts(cells, column, name) for key, column in named.items()})
    table["item"] = _items(cells, items, name) or cells.index.astype(str)
    table = table[table["said"] != ""]
    table = table.assign(chosen=table["said"].str.casefold().map(WORDS), placed=True)
    won, lost = table["said"] == table["first"], table["said"] == table["second"]
    if (won | lost | table["chosen"].isin((TIE, NEITHER))).all():  # the answers name the system that won
        table["chosen"] = table["chosen"].mask(won, FIRST).mask(lost & ~won, SECOND)
    hint = "Write left, right, draw or bad (or first, second, tie, neither), or the system that won."
    _refuse_cells(table[table["chosen"].isna()]["said"], answer, name, hint)
    return _some(table.reindex(columns=COLUMNS, fill_value=""), name, "Check which columns hold what.")


def _items(cells: pd.DataFrame, columns: Sequence[str], name: str) -> list[str]:
    named = columns or [*filter(None, [_usual(cells, ARTICLE)])]
    return list(map(" | ".join, zip(*(column_texts(cells, each, name) for each in named), strict=True)))


def _usual(cells: pd.DataFrame, wanted: str) -> str:
    return next((name for name in cells.columns if str(name).strip().casefold() == wanted), "")


def _refuse_cells(wrong: pd.Series, column: str, name: str, hint: str) -> None:
    if len(wrong):
        row, cell = int(wrong.index[0]) + 1, str(wrong.iloc[0])[:40]
        raise InputError(f"Row {row:,} of {name[:80]} has {cell!r} in the column {column[:40]!r}.", hint=hint)


def _numbers(cells: pd.DataFrame, column: str, name: str) -> pd.Series:
    import pandas as pd

    texts = pd.Series(column_texts(cells, column, name))
    values = pd.to_numeric(texts, errors="coerce")
    _refuse_cells(texts[values.isna() & (texts != "")], column, name, "Give ratings as numbers.")
    return values


def _of_two(table: pd.DataFrame) -> pd.Series:
    return (table["first"] != table["second"]) & (table["first"] != "") & (table["second"] != "")


def _some(table: pd.DataFrame, name: str, hint: str) -> pd.DataFrame:
    if not (_of_two(table) & (table["chosen"] != NEITHER)).any():
        raise InputError(f"{name[:80]} holds no choice between two systems.", hint=hint)
    return table


def choices_of(ratings: Ratings, question: FormQuestion, order: SystemOrder | None = None) -> Preferences:
    """The choices of a question about the better headline of each pair, or about the best and the worst."""
    return make_choices(_chosen(rating_table(ratings, order), question, ratings.task.title))


def _chosen(cells: pd.DataFrame, question: FormQuestion, name: str) -> pd.DataFrame:
    values = _numbers(cells, question.key, name)
    names, placed = {ARTICLE: "item", JUDGE: "judge", SYSTEM: "system"}, SHOWN_FIRST in cells
    table = cells.reindex(columns=[*names, SHOWN_FIRST], fill_value="").rename(columns=names)
    table = table.assign(value=values).dropna(subset=["value"])
    if question.asks is Asks.BEST_WORST:
        # The best beats all others of its set, and all others beat the worst; two between are not compared.
        return _compared(table).query("chosen != 0")
    table = table[table["system"].str.contains(BETWEEN, regex=False)]
    pairs = table["system"].str.split(BETWEEN, n=1, expand=True).reindex(columns=[0, 1])
    turned = table[SHOWN_FIRST] == pairs[1]
    return table.assign(
        first=pairs[0].where(~turned, pairs[1]),
        second=pairs[1].where(~turned, pairs[0]),
        chosen=table["value"].where(~turned, -table["value"]).astype(int),
        placed=placed,
    )[[*COLUMNS]]


def _compared(table: pd.DataFrame) -> pd.DataFrame:
    """Values of systems as choices: of two systems on one item a judge prefers the higher; equal is a tie."""
    table = table.assign(row=range(len(table)))
    both = table.merge(table, on=["item", "judge"], suffixes=("", "_other"))
    both = both[(both["row"] < both["row_other"]) & (both["system"] != both["system_other"])]
    chosen = np.sign(both["value"] - both["value_other"]).astype(int)
    named = both.rename(columns={"system": "first", "system_other": "second"})
    return named.assign(chosen=chosen, placed=False)[[*COLUMNS]]


def page_choices(data: bytes, name: str, form: EvaluationForm) -> pd.DataFrame | None:
    """The choices in an "Answers (CSV)" of Evaluate; None where a table is no such file."""
    import pandas as pd

    cells = whole_table(data, name).cells
    if not {ARTICLE, SYSTEM} <= set(cells.columns):
        return None
    columns = [name for name in (JUDGE, ARTICLE, SYSTEM, SHOWN_FIRST) if name in cells]
    cells[columns] = cells[columns].map(lambda cell: clean_line(cell or ""))
    asked = [each for each in form.questions if each.asks in CHOOSE and each.key in cells]
    hint = "Name the form that was answered (--form); it asks which headline is better."
    nothing = pd.DataFrame(columns=[*COLUMNS])
    return _some(pd.concat([nothing, *(_chosen(cells, question, name) for question in asked)]), name, hint)


def rated_choices(data: bytes, name: str, *, rated: str, system: str, items: Sequence[str]) -> pd.DataFrame:
    """Ratings as choices between two systems on one item, by each rater."""
    import pandas as pd

    cells = whole_table(data, name).cells
    columns = [*map(str, cells.columns)]
    raters = sorted(matching_columns(rated, columns, name), key=columns.index)
    named, about = pd.DataFrame({"system": column_texts(cells, system, name)}), _items(cells, items, name)
    if not raters or not about:
        what = "the item" if raters else "raters"
        said = f"{name[:80]} has no column for {what}."
        raise InputError(said, hint="Name it (--rated, --system, --item).")
    named["item"] = about
    parts = [named.assign(judge=rater, value=_numbers(cells, rater, name)) for rater in raters]
    table = _compared(pd.concat(parts).dropna(subset=["value"]))
    if table.empty:
        raise InputError(f"{name[:80]} rates no two systems on one item.", hint="Name others (--item).")
    return table
