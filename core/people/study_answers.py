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

STUDY, PERSON, TASK, COUNTS, ANSWER = "study", "person", "task", "counts", "answer"
PAIR: Final = ("first", "second")
HEAD: Final = (STUDY, PERSON, "consent", "instructions", "when", TASK, *PAIR, ANSWER, COUNTS)
"""Columns that `study_results` writes; what people said of themselves follows."""
GROUP: Final = "group"  # the task of a study of groups
_REQUIRED: Final = {PERSON, TASK, ANSWER, *PAIR}
_YES: Final = {"yes", "y", "true", "1", "ja", "wahr", "oui", "vrai", "sí", "si", "sì", "verdadero", "vero"}
"""How spreadsheets and people write that a person counts."""
_PURPOSE_WORDS: Final[dict[str, str]] = {
    Purpose.TRAINING: "of training",
    Purpose.EXAM: "of the exam",
    Purpose.CONTROL: "of control pairs",
    "": "without a task",
}


class StudyVotes(NamedTuple):
    cells: "pd.DataFrame"
    items: tuple[str, ...]  # columns that name the item
    person: str  # column of who answered
    answer: str  # column of what they answered
    left_out: str  # what was, a sentence; "" for nothing


def study_votes(table: "pd.DataFrame", name: str, question: str = "") -> StudyVotes | None:
    """The rows of the pairs, or of one question of a form; None where a table is no such file."""
    column_of = {str(column).strip().casefold(): str(column) for column in reversed(table.columns)}
    if not set(column_of) >= _REQUIRED:
        return None
    tasks = _plain(table[column_of[TASK]])
    purposes = tasks.isin([*Purpose]) | (tasks == "")
    if not ({STUDY, COUNTS} <= set(column_of) or purposes.all()):
        return None
    asked_rows = tasks == _asked(tasks, name, question)
    counted = _plain(table[column_of[COUNTS]]).isin(_YES) if COUNTS in column_of else asked_rows

    others = tasks[~asked_rows].value_counts(sort=False).items()
    reasons = [f"{count:,} {_PURPOSE_WORDS.get(str(task), f'of {task}')}" for task, count in others]
    if uncounted := int((asked_rows & ~counted).sum()):
        people = table[column_of[PERSON]][asked_rows & ~counted].nunique()
        reasons.append(f"{uncounted:,} of {count_words(people, 'person', 'people')} not counted")
    dropped = count_words(int((~asked_rows | ~counted).sum()), "row", "rows")
    left_out = f"Left out of {name[:80]}: {dropped}: {', '.join(reasons)}."

    cells = table[asked_rows & counted]
    if cells.empty:
        raise InputError(f"{name[:80]} has no answer that counts.", hint=left_out)
    several = STUDY in column_of and cells[column_of[STUDY]].nunique() > 1
    items = tuple(column_of[column] for column in ((STUDY, *PAIR) if several else PAIR))
    return StudyVotes(cells, items, column_of[PERSON], column_of[ANSWER], left_out if reasons else "")


def _plain(column: "pd.Series") -> "pd.Series":
    return column.map(lambda cell: "" if cell is None else clean_line(str(cell)).casefold())


def _asked(tasks: "pd.Series", name: str, question: str) -> str:
    asked: Sequence[str] = [task for task in tasks.unique() if task not in _PURPOSE_WORDS]
    if GROUP in asked:
        message = f"The answers in {name[:80]} are groups, whose numbers differ from person to person."
        raise InputError(message, hint="Give the study's Labels (CSV) to headline-lab agreement groups.")
    if Purpose.MAIN in asked:
        return Purpose.MAIN
    chosen = [task for task in asked if task == question.strip().casefold()] or asked
    if len(chosen) > 1:
        message = f"{name[:80]} has answers to {len(chosen)} questions: {listing(chosen)}."
        raise InputError(message, hint="Name one of them as the answer (--answer).")
    return chosen[0] if chosen else Purpose.MAIN
