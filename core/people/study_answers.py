"""The Answers (CSV) of a study as votes: the rows about what it asks, by people who count."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from core.data.timelines.raw import listing
from core.errors import InputError
from core.people.study import Purpose
from core.results.render import count_words
from core.text.normalise import clean_line

if TYPE_CHECKING:
    import pandas as pd

HEAD: Final = (
    *("study", "person", "consent", "instructions", "when"),
    *("task", "first", "second", "answer", "counts"),
)
"""Columns of the file; what people said of themselves follows."""
STUDY, PERSON, TASK, COUNTS, ANSWER = "study", "person", "task", "counts", "answer"
PAIR: Final = ("first", "second")
GROUP: Final = "group"  # the task of a study of groups
_VOTE: Final = {PERSON, TASK, ANSWER, *PAIR}
_YES: Final = {"yes", "y", "true", "1", "ja", "wahr", "oui", "vrai", "sí", "si", "sì", "verdadero", "vero"}
"""How spreadsheets and people write that a person counts."""
_ASIDE: Final[dict[str, str]] = {
    Purpose.TRAINING: "of training",
    Purpose.EXAM: "of the exam",
    Purpose.CONTROL: "of control pairs",
    "": "without a task",
}


class StudyVotes(NamedTuple):
    cells: "pd.DataFrame"
    items: tuple[str, ...]  # columns that name the item
    person: str  # columns of who answered, and what
    answer: str
    left_out: str  # what was, a sentence; "" for nothing


def study_votes(table: "pd.DataFrame", name: str, question: str = "") -> StudyVotes | None:
    """The rows of the pairs, or of one question of a form; None where a table is no such file."""
    named = {str(column).strip().casefold(): str(column) for column in reversed(table.columns)}
    if not set(named) >= _VOTE:
        return None
    tasks = _plain(table[named[TASK]])
    purposes = tasks.isin([*Purpose]) | (tasks == "")
    if not ({STUDY, COUNTS} <= set(named) or purposes.all()):
        return None
    about = tasks == _asked(tasks, name, question)
    others = tasks[~about].value_counts(sort=False).items()
    parts = [f"{count:,} {_ASIDE.get(str(task), f'of {task}')}" for task, count in others]
    counted = _plain(table[named[COUNTS]]).isin(_YES) if COUNTS in named else about
    if lost := int((about & ~counted).sum()):
        people = count_words(table[named[PERSON]][about & ~counted].nunique(), "person", "people")
        parts.append(f"{lost:,} of {people} not counted")
    said = f"Left out of {name[:80]}: {count_words(int((~about | ~counted).sum()), 'row', 'rows')}"
    cells = table[about & counted]
    if cells.empty:
        raise InputError(f"{name[:80]} has no answer that counts.", hint=f"{said}: {', '.join(parts)}.")
    several = STUDY in named and cells[named[STUDY]].nunique() > 1
    items = tuple(named[column] for column in (STUDY,) * several + PAIR)
    left_out = f"{said}: {', '.join(parts)}." if parts else ""
    return StudyVotes(cells, items, named[PERSON], named[ANSWER], left_out)


def _plain(column: "pd.Series") -> "pd.Series":
    return column.map(lambda cell: "" if cell is None else clean_line(str(cell)).casefold())


def _asked(tasks: "pd.Series", name: str, question: str) -> str:
    """The task whose rows are the votes."""
    asked: Sequence[str] = [task for task in tasks.unique() if task not in _ASIDE]
    if GROUP in asked:
        said = f"The answers in {name[:80]} are groups, whose numbers differ from person to person."
        raise InputError(said, hint="Give the study's Labels (CSV) to headline-lab agreement groups.")
    if Purpose.MAIN in asked:
        return Purpose.MAIN
    chosen = [task for task in asked if task == question.strip().casefold()] or asked
    if len(chosen) > 1:
        said = f"{name[:80]} has answers to {len(chosen)} questions: {listing(chosen)}."
        raise InputError(said, hint="Name one of them as the answer (--answer).")
    return chosen[0] if chosen else Purpose.MAIN
