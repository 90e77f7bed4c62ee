"""What people answered about items, from any table: a row a vote, or a column a person."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray, IntArray
from core.data.exchange import table as answer_table
from core.data.exchange.reader import read_answers
from core.data.exchange.table import ANSWER, PERSON, SECOND, AnswerTable, make_answers
from core.data.pair_sets.annotated import pairs_together
from core.data.timelines.raw import listing
from core.digests import digest
from core.errors import InputError, UnknownNameError
from core.extras import extras
from core.people.study_answers import study_votes
from core.statistics.bootstrap import Figure, draws
from core.statistics.dawid_skene import posterior
from core.statistics.krippendorff import Scale, alpha_of
from core.text.normalise import clean_line, is_missing

if TYPE_CHECKING:
    import pandas as pd

MOST_ANSWERS: Final = 100  # different answers; more are texts or numbers that nobody meant as a scale
_PERSON: Final = (
    *("worker_id", "annotator", "annotator_id", "worker", "judge", "rater", "coder", "user"),
    "person",
)
_ANSWER: Final = ("answer", "vote", "label", "quality", "rating", "score")
_VOTE: Final = ("item", "person", "answer", "instructions", "day")
"""Columns of a table with a vote a row; the last two where it is known when each was given."""
_ITEM, _WHO, _SAID, _UNDER, _WHEN = _VOTE
_GROUPED: Final = re.compile(r"(^|_)(group|cluster)s?$", re.IGNORECASE)
_PREFIX: Final = re.compile(r"^(input|output|assignment):", re.IGNORECASE)


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
        for bad in (answer for answer in self.answers if _number(answer) is None):
            said = f"The answer {bad[:40]!r} is no number, so answers have no order and no distance."
            raise InputError(said, hint="Use the nominal scale, or write the answers as numbers.")
        return np.array([*map(float, self.answers), np.nan])[self.codes]


def read_votes(
    data: bytes,
    name: str,
    *,
    items: Sequence[str] = (),
    person: str = "",
    answer: str = "",
    day: str = "",
    version: str = "",
    groups: bool = False,
) -> VoteTable:
    """Votes from a table: a row a vote, or, where `person` names several columns (* for any), a person each.

    Columns that are not named are found by usual names, such as worker_id and label; the rest names the item.
    `day` and `version` name those with the time of a vote and the version of the instructions, if any.
    Answers that are numbers of groups are refused unless `groups` says that they may be. Of a study's own
    answers those count that the study counts; see `study_votes`.
    """
    import pandas as pd

    read = read_answers(data, name)
    table, study = read.cells.astype(object), study_votes(read.cells, name, answer)
    if study is not None:
        table, items, person = study.cells.astype(object), items or study.items, person or study.person
        answer = answer if answer in table else study.answer
    if read.questions:  # the file of another tool, which says itself what is what
        items, person = items or (answer_table.NAME,), person or PERSON
        answer = answer or (next(iter(read.questions)) if len(read.questions) == 1 else "")
        day = day or (answer_table.TIME if table[answer_table.TIME].any() else "")
    columns = list(table.columns)
    for wanted in filter(None, (*items, answer, day, version)):
        known_column(wanted, columns, name)
    free = [column for column in columns if column not in {*items, answer, day, version}]
    people = matching_columns(person, free, name) if person else [_usual(_PERSON, free, "person", name)]
    if len(people) > 1:
        numbers = [str(at) for at in range(1, len(table) + 1)]
        if items:  # the number of the row keeps two items of one name apart: a row is an item
            numbers = [f"{text} ({at})" for text, at in zip(_items(table, items), numbers, strict=True)]
        said = table[people].map(_text).to_numpy().ravel()
        _refuse_groups([] if groups else people, said, name)
        who = people * len(table)
        return vote_table(
            pd.DataFrame({_ITEM: np.repeat(numbers, len(people)), _WHO: who, _SAID: said}), name
        )
    others = [column for column in columns if column not in people]
    answered = answer or _usual(_ANSWER, list(read.questions) or others, "answer", name)
    keys = list(items) or [column for column in free if column not in {people[0], answered}]
    if not keys:
        raise InputError(f"{name[:80]} has no column for the item.", hint="Name it with --item.")
    votes = pd.DataFrame({_ITEM: _items(table, keys), _WHO: table[people[0]], _SAID: table[answered]})
    votes[[_WHO, _SAID]] = votes[[_WHO, _SAID]].map(_text)
    _refuse_groups([] if groups else [answered], votes[_SAID], name)
    pair = [name for name in table if name in (answer_table.FIRST, SECOND)] if read.questions else keys
    both = table[pair].map(_text).to_numpy().tolist() if len(pair) == 2 else []
    if day:
        votes[_UNDER] = table[version].map(_text) if version else ""
        votes[_WHEN] = table[day].map(_text).map(_day)
    sides = {item: tuple(texts) for item, texts in zip(votes[_ITEM], both, strict=False) if all(texts)}
    left_out = () if study is None or not study.left_out else (study.left_out,)
    return replace(vote_table(votes, name), left_out=left_out, sides=sides)


def _refuse_groups(columns: Sequence[str], answers: Iterable[str], name: str) -> None:
    """Refuses numbers of groups, which each person gives as they come."""
    if columns and all(map(_GROUPED.search, columns)) and all(map(str.isdecimal, filter(None, answers))):
        said = f"The answers in {name[:80]} are numbers of groups, which differ from person to person."
        hint = "Compare them with headline-lab agreement groups, or as groups under Agreement."
        raise InputError(said, hint=hint)


def _items(table: pd.DataFrame, columns: Sequence[str]) -> list[str]:
    return [clean_line(" | ".join(map(_text, cells))) for cells in table[[*columns]].to_numpy()]


def _day(text: str) -> str:
    try:
        return datetime.fromisoformat(text).date().isoformat() if text else ""
    except ValueError:
        hint = "Write days as 2026-05-04 and times as ISO 8601."
        raise InputError(f"{text[:40]!r} is no time of an answer.", hint=hint) from None


def vote_table(votes: pd.DataFrame | Sequence[tuple[str, ...]], name: str, repeated: int = 0) -> VoteTable:
    """Votes from item, person and answer of each, perhaps with version of the instructions and day.

    The first answer of a person to an item counts; rows that lack one of the three are no votes.
    """
    import pandas as pd

    if not isinstance(votes, pd.DataFrame):
        width = max(map(len, votes), default=3)
        votes = pd.DataFrame(votes, columns=[*_VOTE[:width]], dtype=object)
    votes = votes[(votes[[*_VOTE[:3]]] != "").all(axis=1)]
    given = votes.drop_duplicates([_ITEM, _WHO])
    if given.empty:
        raise InputError(f"{name[:80]} holds no answers.", hint="Check which columns hold them.")
    texts = given[_SAID].unique().tolist()
    answers = sorted(texts, key=lambda text: ((number := _number(text)) is None, number or 0.0, text))
    if len(answers) > MOST_ANSWERS:
        said = f"{name[:80]} has {len(answers):,} different answers; at most {MOST_ANSWERS} make a scale."
        raise InputError(said, hint="Check which column holds the answers.")
    (rows, items), (columns, people) = (pd.factorize(given[column]) for column in (_ITEM, _WHO))
    codes = np.full((len(items), len(people)), -1, dtype=np.int64)
    codes[rows, columns] = given[_SAID].map({text: at for at, text in enumerate(answers)})
    when = None
    if _WHEN in given:
        when = np.full((*codes.shape, 2), "", dtype=object)
        when[rows, columns] = given[[_UNDER, _WHEN]].to_numpy()
    repeated += len(votes) - len(given)
    return VoteTable(tuple(items), tuple(people), tuple(answers), codes, repeated, when)


def vote_rows(votes: VoteTable) -> pd.DataFrame:
    """The votes, a row each."""
    import pandas as pd

    rows, columns = np.nonzero(votes.codes >= 0)
    names = np.array(votes.items, dtype=object)[rows], np.array(votes.people, dtype=object)[columns]
    said = np.array(votes.answers, dtype=object)[votes.codes[rows, columns]]
    table = pd.DataFrame(dict(zip(_VOTE, (*names, said), strict=False)), dtype=object)
    if votes.dated is not None:
        table[[_UNDER, _WHEN]] = votes.dated[rows, columns]
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


def vote_answers(votes: VoteTable) -> AnswerTable:
    """The votes as other tools have them."""
    names = {_ITEM: answer_table.TEXT, _WHO: PERSON, _SAID: ANSWER}
    table = vote_rows(votes)[[*names]].rename(columns=names)
    table[answer_table.ITEM] = [digest(text)[:12] for text in table[answer_table.TEXT]]
    sides = _sides(votes)
    table[[answer_table.FIRST, SECOND]] = [sides.get(text, ("", "")) for text in table[answer_table.TEXT]]
    return make_answers(table.to_dict("records"), {ANSWER: votes.answers})


def _sides(votes: VoteTable) -> Mapping[str, tuple[str, ...]]:
    """The headlines of each pair; where no columns had them, all items are two texts with a bar between."""
    sides = votes.sides or {item: tuple(item.split(" | ")) for item in votes.items}
    if not all(len(both) == 2 and all(both) for both in sides.values()):
        return {}
    columns = zip(*sides.values(), strict=True)  # of which the name or number of an item is no headline
    return sides if all(any(" " in text or not text.isascii() for text in side) for side in columns) else {}


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if np.isfinite(number) else None


def _text(cell: object) -> str:
    text = "" if cell is None else clean_line(str(cell))
    if is_missing(text):
        return ""
    number = _number(text)
    return f"{number:g}" if number is not None else text


def column_texts(cells: pd.DataFrame, column: str, name: str) -> list[str]:
    known_column(column, [*map(str, cells.columns)], name)
    lines = ["" if cell is None else clean_line(str(cell)) for cell in cells[column]]
    return ["" if is_missing(line) else line for line in lines]


def known_column(wanted: str, columns: Sequence[str], name: str) -> str:
    if wanted not in columns:
        hint = f"It has {listing(columns)}; name one of these."
        raise InputError(f"{name[:80]} has no column {wanted[:60]!r}.", hint=hint)
    return wanted


def matching_columns(wanted: str, columns: Sequence[str], name: str) -> list[str]:
    chosen: list[str] = []
    for pattern in filter(None, map(str.strip, wanted.split(","))):
        matches = [column for column in columns if fnmatchcase(column, pattern)] if "*" in pattern else []
        chosen += matches or [known_column(pattern, columns, name)]
    return list(dict.fromkeys(chosen))


def _usual(known: Sequence[str], columns: Sequence[str], what: str, name: str) -> str:
    by_key = {_PREFIX.sub("", column).strip().lower(): column for column in reversed(columns)}
    if not (usual := [by_key[wanted] for wanted in known if wanted in by_key]):
        said = f"{name[:80]} has no column that is known to hold the {what}."
        raise InputError(said, hint=f"It has {listing(columns)}; name it with --{what}.")
    return usual[0]


@dataclass(frozen=True, slots=True, eq=False)
class VoteConsensus:
    """What follows from votes."""

    method: str
    labels: tuple[str, ...]  # answer of each item; "" where too few agree
    shares: FloatArray  # of the votes on each item that say so
    skills: FloatArray  # of each person's votes on decided items, the share that says the same, or NaN
    votes: npt.NDArray[np.int64]  # how many of these there are

    @property
    def decided(self) -> int:
        return sum(map(bool, self.labels))


METHODS: Final = ("majority", "dawid_skene", "glad")
"""Ways from votes to answers: most votes; Dawid and Skene (1979), who weigh each person's confusions; and as
crowd-kit has it GLAD (Whitehill et al. 2009), which weighs how hard an item is too."""


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


def alpha(votes: VoteTable, scale: Scale = Scale.NOMINAL, *, interval: bool = True) -> Figure:
    """How far the people agree beyond chance; see `alpha_of`."""
    return alpha_of(votes.values(scale), scale, interval=interval)


def pair_alpha(annotators: IntArray, *, resamples: int = 0, seed: int = 0) -> Figure:
    """Krippendorff's nominal alpha of the groups of annotators, int64 [n, m], -1 for none.

    Its items are all pairs of headlines, "same group" or not; headlines are drawn anew with all their pairs.

    Source: Krippendorff (2018), Content Analysis, chapter 12.
    """
    annotators = annotators[(annotators >= 0).sum(axis=1) >= 2]
    if not len(annotators):
        return Figure(None, "no headline was grouped by two")
    value = float(pair_alphas(annotators, np.ones((1, len(annotators))))[0])
    if np.isnan(value):
        return Figure(None, "all pairs have the same answer, so chance alone agrees in full")
    if not resamples:
        return Figure(value)
    cells = len(pairs_together(annotators)[0])
    blocks = draws(len(annotators), resamples=resamples, seed=seed, cells=cells)
    drawn = np.concatenate([pair_alphas(annotators, block.astype(np.float64)) for block in blocks])
    return Figure.resampled(value, drawn, units=len(annotators), unit="headlines")


def pair_alphas(annotators: IntArray, drawn: FloatArray, people: FloatArray | None = None) -> FloatArray:
    """That alpha where headlines count so often each, float64 [resamples, n], as do people, float64 [m].

    Nobody is compared with himself, however often he counts.
    """
    people = np.ones(annotators.shape[1]) if people is None else people
    given = annotators >= 0
    left, right, _, _ = pairs_together(annotators)
    seen = given[left] & given[right]
    yes = (seen & (annotators[left] == annotators[right])) @ people
    both, own = seen @ people, seen @ people**2
    counted = both**2 > own
    left, right, yes, both, own = left[counted], right[counted], yes[counted], both[counted], own[counted]
    differing = 2 * yes * (both - yes) * both / (both**2 - own)
    patterns, which = np.unique(given, axis=0, return_inverse=True)
    shared = (patterns * people) @ patterns.T
    shared[(patterns * (people > 0)).astype(np.int64) @ patterns.T < 2] = 0
    member = np.eye(len(patterns))[which.ravel()]  # pattern of each headline
    times, weights = drawn @ member, drawn[:, left] * drawn[:, right]
    said = ((times @ shared * times).sum(axis=1) - (drawn**2 @ member) @ np.diag(shared)) / 2
    agreed = weights @ yes
    expected = 2 * agreed * (said - agreed) / np.maximum(said - 1, 1)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(expected > 0, 1 - weights @ differing / expected, np.nan)


def equal_pairs(votes: VoteTable) -> tuple[IntArray, IntArray]:
    """How many of the ordered pairs of answers to each item are the same, and how many pairs there are."""
    counts = (votes.codes[..., None] == np.arange(len(votes.answers))).sum(axis=1)
    total = counts.sum(axis=1)
    return (counts * (counts - 1)).sum(axis=1), total * (total - 1)


def raw_agreement(votes: VoteTable) -> float | None:
    """Share of the pairs of answers to one item that are the same, 0–1; None where no item has two."""
    equal, pairs = (int(counts.sum()) for counts in equal_pairs(votes))
    return equal / pairs if pairs else None
