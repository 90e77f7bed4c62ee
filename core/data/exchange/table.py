"""Answers of people as a table: a row a task and person."""

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from core.data.timelines.raw import listing
from core.errors import InputError

if TYPE_CHECKING:
    import pandas as pd

ITEM, TEXT, PERSON, TIME, NAME = "item", "text", "annotator", "time", "name"
FIRST, SECOND = "first", "second"  # headlines of a pair, whose text is both
ARTICLE_TEXT: Final = "article_text"  # shown with a pair
WHO: Final = "annotated_by"  # a field of Label Studio for people who have no account there
ANSWER: Final = "answer"  # the question where a file has one and no name for it
TOGETHER, NONE = " + ", "none"  # stand between several answers, and for no answer of several
OWN_COLUMNS: Final = (ITEM, TEXT, PERSON, TIME, NAME)
NAMED_LABEL: Final = re.compile(r"([a-z][a-z0-9_]{0,39})=(.+)", re.DOTALL)  # a label that names its question
BY_LABEL: Final = "Spans and boxes of {} are compared by their labels, wherever they are."
Record = Mapping[str, Any]
Given = dict[str, str]  # answers by question, or facts by name


class AnswerTable(NamedTuple):
    """A row a task and person, all texts; a row without an answer was skipped."""

    cells: "pd.DataFrame"  # `ITEM`, `TEXT`, `PERSON`, `TIME`, `NAME`, other facts of the task, questions
    questions: Mapping[str, Sequence[str]]  # with what may be answered, () for anything; {} in a plain table
    notes: tuple[str, ...] = ()  # on how it was read, a sentence each

    def question(self, filename: str) -> str:
        """The only one."""
        if len(self.questions) != 1:
            message = f"{filename[:80]} answers {listing(self.questions) or 'no question that is known'}."
            raise InputError(message, hint="Give a file of another tool with answers to one question.")
        return next(iter(self.questions))

    def tasks(self) -> "AnswerTable":
        """What is asked, without people and answers."""
        blank = dict.fromkeys((PERSON, TIME, *self.questions), "")
        return AnswerTable(self.cells.drop_duplicates(ITEM).assign(**blank), self.questions)


def make_answers(rows: Sequence[Mapping[Any, Any]], questions: Mapping[str, Sequence[str]]) -> AnswerTable:
    """A table from rows with any of its columns."""
    import pandas as pd

    columns = dict.fromkeys(name for row in ((*OWN_COLUMNS, *questions), *rows) for name in row)
    filled = [[row.get(name, "") for name in columns] for row in rows]
    cells = pd.DataFrame(filled, columns=[*columns], dtype=object)
    names = cells[TEXT].where(cells[TEXT] != "", cells[ITEM])
    several = cells.groupby(names)[ITEM].transform("nunique") > 1
    cells[NAME] = names.where(~several, names + " (" + cells[ITEM] + ")")
    return AnswerTable(cells, questions)
