"""What people answered about items: a table of votes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray, IntArray
from core.errors import InputError
from core.statistics.krippendorff import Scale

if TYPE_CHECKING:
    import pandas as pd


MOST_ANSWERS: Final = 100  # different answers; more are texts or numbers that nobody meant as a scale
VOTE_COLUMNS: Final = ("item", "person", "answer", "instructions", "day")
"""Columns of a table with a vote a row; the last two where it is known when each was given."""
ITEM_COLUMN, PERSON_COLUMN, ANSWER_COLUMN, VERSION_COLUMN, DAY_COLUMN = VOTE_COLUMNS


@dataclass(frozen=True, slots=True, eq=False)
class VoteTable:
    """What m people answered about n items."""

    items: tuple[str, ...]  # names
    people: tuple[str, ...]  # names
    answers: tuple[str, ...]  # the different ones, numbers from low to high, then texts by the alphabet
    codes: IntArray  # place in `answers`, int64 [n, m]; -1 where there is none
    repeated: int = 0  # left out since the same person had answered the same item before
    dated: npt.NDArray[np.object_] | None = None  # version of instructions and day of each, text [n, m, 2]
    left_out: tuple[str, ...] = ()  # what else was, in sentences
    sides: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # headlines of items that are pairs

    @property
    def count(self) -> int:
        return int((self.codes >= 0).sum())

    def values(self, scale: Scale) -> FloatArray:
        """The answers as numbers on a scale, float64 [n, m], NaN where there is none."""
        if scale is Scale.NOMINAL:
            return np.array([*range(len(self.answers)), np.nan])[self.codes]
        for bad in (answer for answer in self.answers if finite_number(answer) is None):
            said = f"The answer {bad[:40]!r} is no number, so answers have no order and no distance."
            raise InputError(said, hint="Use the nominal scale, or write the answers as numbers.")
        return np.array([*map(float, self.answers), np.nan])[self.codes]


def vote_table(votes: "pd.DataFrame | Sequence[tuple[str, ...]]", name: str, repeated: int = 0) -> VoteTable:
    """Votes from item, person and answer of each, perhaps with version of the instructions and day.

    The first answer of a person to an item counts; rows that lack one of the three are no votes.
    """
    import pandas as pd

    if not isinstance(votes, pd.DataFrame):
        width = max(map(len, votes), default=3)
        votes = pd.DataFrame(votes, columns=[*VOTE_COLUMNS[:width]], dtype=object)
    votes = votes[(votes[[*VOTE_COLUMNS[:3]]] != "").all(axis=1)]
    given = votes.drop_duplicates([ITEM_COLUMN, PERSON_COLUMN])
    if given.empty:
        raise InputError(f"{name[:80]} holds no answers.", hint="Check which columns hold them.")
    texts = given[ANSWER_COLUMN].unique().tolist()
    answers = sorted(texts, key=lambda text: ((number := finite_number(text)) is None, number or 0.0, text))
    if len(answers) > MOST_ANSWERS:
        said = f"{name[:80]} has {len(answers):,} different answers; at most {MOST_ANSWERS} make a scale."
        raise InputError(said, hint="Check which column holds the answers.")
    (rows, items), (columns, people) = (
        pd.factorize(given[column]) for column in (ITEM_COLUMN, PERSON_COLUMN)
    )
    codes = np.full((len(items), len(people)), -1, dtype=np.int64)
    codes[rows, columns] = given[ANSWER_COLUMN].map({text: at for at, text in enumerate(answers)})
    when = None
    if DAY_COLUMN in given:
        when = np.full((*codes.shape, 2), "", dtype=object)
        when[rows, columns] = given[[VERSION_COLUMN, DAY_COLUMN]].to_numpy()
    repeated += len(votes) - len(given)
    return VoteTable(tuple(items), tuple(people), tuple(answers), codes, repeated, when)


def vote_rows(votes: VoteTable) -> "pd.DataFrame":
    import pandas as pd

    rows, columns = np.nonzero(votes.codes >= 0)
    names = np.array(votes.items, dtype=object)[rows], np.array(votes.people, dtype=object)[columns]
    said = np.array(votes.answers, dtype=object)[votes.codes[rows, columns]]
    table = pd.DataFrame(dict(zip(VOTE_COLUMNS, (*names, said), strict=False)), dtype=object)
    if votes.dated is not None:
        table[[VERSION_COLUMN, DAY_COLUMN]] = votes.dated[rows, columns]
    return table


def joined_votes(tables: Sequence[VoteTable]) -> VoteTable:
    """The votes of several files as one; a person's first answer to an item counts."""
    import pandas as pd

    if len(tables) == 1:
        return tables[0]
    votes = pd.concat(map(vote_rows, tables), ignore_index=True).fillna("")
    sides = {item: both for table in tables for item, both in table.sides.items()}
    left_out = tuple(said for table in tables for said in table.left_out)
    joined = vote_table(votes, "The files", sum(table.repeated for table in tables))
    return replace(joined, sides=sides, left_out=left_out)


def finite_number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if np.isfinite(number) else None
