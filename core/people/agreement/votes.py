"""What people answered about items, from any table: a row a vote, or a column a person."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from core.data.articles.article_file import whole_table
from core.data.timelines.raw import listing
from core.errors import InputError
from core.text.normalise import clean_line
from core.text.repair import is_missing

if TYPE_CHECKING:
    import pandas as pd

IntArray = npt.NDArray[np.int64]

MOST_ANSWERS: Final = 100
"""Different answers; more are texts or numbers that nobody meant as a scale."""
_PERSON: Final = ("worker_id", "annotator", "annotator_id", "worker", "judge", "rater", "coder", "user")
_ANSWER: Final = ("answer", "vote", "label", "quality", "rating", "score")
_PREFIX: Final = re.compile(r"^(input|output|assignment):", re.IGNORECASE)


@dataclass(frozen=True, slots=True, eq=False)
class VoteTable:
    """What m people answered about n items.

    Attributes:
        items: Names of the items.
        people: Names of the people.
        answers: The different answers, numbers from low to high, texts in their order of the alphabet.
        codes: Place in `answers`, int64 [n, m]; -1 where there is none.
        repeated: Answers left out since the same person had answered the same item before.
    """

    items: tuple[str, ...]
    people: tuple[str, ...]
    answers: tuple[str, ...]
    codes: IntArray
    repeated: int = 0

    @property
    def count(self) -> int:
        """How many answers there are."""
        return int((self.codes >= 0).sum())

    def numbers(self) -> npt.NDArray[np.float64]:
        """The answers as numbers, float64 [answers]."""
        bad = next((answer for answer in self.answers if _number(answer) is None), None)
        if bad is not None:
            raise InputError(
                f"The answer {bad[:40]!r} is no number, so answers have no order and no distance.",
                hint="Use the nominal scale, or write the answers as numbers.",
            )
        return np.array([float(answer) for answer in self.answers])


def read_votes(
    data: bytes, name: str, *, items: Sequence[str] = (), person: str = "", answer: str = ""
) -> VoteTable:
    """Votes from a table.

    With one column of persons a row is one vote. With several (`person` is a list with commas, * stands for
    any letters) a row is an item, and each of these columns holds the answers of one person. Columns that
    are not named are found by usual names, such as worker_id and label; what is left names the item.
    """
    table = whole_table(data, name).cells.astype(object)
    table.columns = [str(column) for column in table.columns]
    columns = list(table.columns)
    for wanted in (*items, *([answer] if answer else [])):
        _known(wanted, columns, name)
    free = [one for one in columns if one not in {*items, answer}]
    people = _matching(person, free, name) if person else [_usual(_PERSON, free, "person", name)]
    if len(people) > 1:
        return _wide(table, items, people, name)
    answered = answer or _usual(_ANSWER, [one for one in columns if one not in people], "answer", name)
    keys = list(items) or [one for one in columns if one not in {people[0], answered}]
    if not keys:
        raise InputError(f"{name[:80]} has no column for the item.", hint="Name it with --item.")
    return _long(table, keys, people[0], answered, name)


def _long(table: pd.DataFrame, items: Sequence[str], person: str, answer: str, name: str) -> VoteTable:
    names = [clean_line(" | ".join(_text(cell) for cell in row)) for row in table[list(items)].to_numpy()]
    who = [_text(cell) for cell in table[person]]
    said = [_text(cell) for cell in table[answer]]
    votes: dict[tuple[str, str], str] = {}
    repeated = 0
    for key, text in zip(zip(names, who, strict=True), said, strict=True):
        if not text or not all(key):
            continue
        repeated += key in votes
        votes.setdefault(key, text)
    return vote_table([(item, who, text) for (item, who), text in votes.items()], name, repeated)


def _wide(table: pd.DataFrame, items: Sequence[str], people: Sequence[str], name: str) -> VoteTable:
    rows = table[list(items)].to_numpy() if items else None
    found = []
    for row, cells in enumerate(table[list(people)].to_numpy()):
        item = str(row + 1) if rows is None else " | ".join(_text(cell) for cell in rows[row])
        # The number of the row keeps two items of one name apart: a row is an item.
        item = f"{clean_line(item)} ({row + 1})" if rows is not None else item
        found += [(item, who, _text(cell)) for who, cell in zip(people, cells, strict=True) if _text(cell)]
    return vote_table(found, name, 0)


def vote_table(given: Sequence[tuple[str, str, str]], name: str, repeated: int = 0) -> VoteTable:
    """Votes from item, person and answer of each."""
    if not given:
        raise InputError(f"{name[:80]} holds no answers.", hint="Check which columns hold them.")
    items = {item: None for item, _, _ in given}
    people = {who: None for _, who, _ in given}
    answers = sorted({text for _, _, text in given}, key=_order)
    if len(answers) > MOST_ANSWERS:
        raise InputError(
            f"{name[:80]} has {len(answers):,} different answers; at most {MOST_ANSWERS} make a scale.",
            hint="Check which column holds the answers.",
        )
    places = [{text: at for at, text in enumerate(texts)} for texts in (items, people, answers)]
    codes = np.full((len(items), len(people)), -1, dtype=np.int64)
    for item, who, text in given:
        codes[places[0][item], places[1][who]] = places[2][text]
    return VoteTable(tuple(items), tuple(people), tuple(answers), codes, repeated)


def _order(answer: str) -> tuple[bool, float, str]:
    number = _number(answer)
    return number is None, number or 0.0, answer


def _number(text: str) -> float | None:
    try:
        found = float(text)
    except ValueError:
        return None
    return found if np.isfinite(found) else None


def _text(cell: object) -> str:
    text = "" if cell is None else clean_line(str(cell))
    if is_missing(text):
        return ""
    number = _number(text)
    return f"{number:g}" if number is not None else text


def _known(wanted: str, columns: Sequence[str], name: str) -> str:
    if wanted not in columns:
        raise InputError(
            f"{name[:80]} has no column {wanted[:60]!r}.",
            hint=f"It has {listing(columns)}; name one of these.",
        )
    return wanted


def _matching(wanted: str, columns: Sequence[str], name: str) -> list[str]:
    found: list[str] = []
    for pattern in filter(None, map(str.strip, wanted.split(","))):
        matches = [one for one in columns if fnmatchcase(one, pattern)] if "*" in pattern else []
        found += matches or [_known(pattern, columns, name)]
    return list(dict.fromkeys(found))


def _usual(known: Sequence[str], columns: Sequence[str], what: str, name: str) -> str:
    by_key = {_PREFIX.sub("", one).strip().lower(): one for one in reversed(columns)}
    for wanted in known:
        if wanted in by_key:
            return by_key[wanted]
    raise InputError(
        f"{name[:80]} has no column that is known to hold the {what}.",
        hint=f"It has {listing(columns)}; name it with --{what}.",
    )
