"""What people answered about items: a table of votes, and the answers that most or the trusted give."""

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray, IntArray
from core.data.exchange.table import NONE, TOGETHER
from core.errors import InputError, UnknownNameError
from core.extras import extras
from core.statistics.dawid_skene import posterior
from core.statistics.krippendorff import Scale, set_numbers

if TYPE_CHECKING:
    import pandas as pd

MOST_ANSWERS: Final = 100  # different answers; more are texts or numbers that nobody meant as a scale
VOTE_COLUMNS: Final = ("item", "person", "answer", "instructions", "day")
"""Columns of a table with a vote a row; the last two where it is known when each was given."""
ITEM_COLUMN, PERSON_COLUMN, ANSWER_COLUMN, VERSION_COLUMN, DAY_COLUMN = VOTE_COLUMNS
METHODS: Final = ("majority", "dawid_skene", "glad")
"""Ways from votes to answers: most votes; Dawid and Skene (1979), who weigh each person's confusions; and as
crowd-kit has it GLAD (Whitehill et al. 2009), which weighs how hard an item is too."""


@dataclass(frozen=True, slots=True, eq=False)
class VoteTable:
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
        places: Sequence[float] = range(len(self.answers))
        if scale is Scale.SETS:
            places = set_numbers([{*answer.split(TOGETHER)} - {NONE} for answer in self.answers])
        elif scale is not Scale.NOMINAL:
            for bad in (answer for answer in self.answers if finite_number(answer) is None):
                said = f"The answer {bad[:40]!r} is no number, so answers have no order and no distance."
                raise InputError(said, hint="Use the nominal scale, or write the answers as numbers.")
            places = [*map(float, self.answers)]
        return np.array([*places, np.nan])[self.codes]


def vote_table(votes: "pd.DataFrame | Sequence[tuple[str, ...]]", name: str, repeated: int = 0) -> VoteTable:
    """Votes from item, person and answer of each; a person's first answer to an item counts."""
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
    (rows, items), (columns, people) = map(pd.factorize, (given[ITEM_COLUMN], given[PERSON_COLUMN]))
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


@dataclass(frozen=True, slots=True, eq=False)
class VoteConsensus:
    method: str
    labels: tuple[str, ...]  # answer of each item; "" where too few agree
    shares: FloatArray  # of the votes on each item that say so
    skills: FloatArray  # of each person's votes on decided items, the share that says the same, or NaN
    votes: npt.NDArray[np.int64]  # how many of these there are

    @property
    def decided(self) -> int:
        return sum(map(bool, self.labels))


def consensus(votes: VoteTable, method: str = "majority", *, quorum: float = 0.0) -> VoteConsensus:
    if method not in METHODS:
        said = f"There is no way called {method[:40]!r} from votes to answers."
        raise UnknownNameError(said, hint=f"Choose one of: {', '.join(METHODS)}.")
    if not 0 <= quorum <= 1:
        raise InputError(f"A quorum of {quorum:g} is no share of votes.", hint="Give a number from 0 to 1.")
    counts = (votes.codes[..., None] == np.arange(len(votes.answers))).sum(axis=1)
    chosen = counts.argmax(axis=1)
    if method == "dawid_skene":
        chosen = posterior(votes.codes, len(votes.answers), trust=0, right=0).labels.argmax(axis=1)
    elif method == "glad":
        chosen = _by_glad(votes)
    agreeing = votes.codes == chosen[:, None]
    shares = agreeing.sum(axis=1) / counts.sum(axis=1)
    open_ = shares < quorum - 1e-9
    if method == "majority":
        # A tie is no answer of the majority, whatever order the answers stand in.
        open_ |= (counts == counts.max(axis=1, keepdims=True)).sum(axis=1) > 1
    labels = tuple("" if none else votes.answers[at] for at, none in zip(chosen, open_, strict=True))
    judged = (votes.codes >= 0) & ~open_[:, None]
    asked = judged.sum(axis=0)
    with np.errstate(invalid="ignore"):
        skills = (agreeing & judged).sum(axis=0) / asked
    return VoteConsensus(method, labels, shares, skills, asked)


def _by_glad(votes: VoteTable) -> IntArray:
    import pandas as pd

    with extras():
        from crowdkit.aggregation import GLAD

    items, people = np.nonzero(votes.codes >= 0)
    table = pd.DataFrame({"task": items, "worker": people, "label": votes.codes[items, people]})
    with warnings.catch_warnings():
        # crowd-kit uses words of pandas that a later pandas will not know, and takes logarithms of 0.
        warnings.simplefilter("ignore")
        return np.asarray(GLAD().fit_predict(table).sort_index(), dtype=np.int64)
