"""Questions that a table answers in columns of its own: one each, or one for each label of the question."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from core.data.exchange.table import TEXT, Given, Record
from core.data.exchange.written_answers import UNNAMED, parsed, plain
from core.text.normalise import clean_line

SPANS: Final = "_spans"  # the label under which Potato puts what was marked in the text
_NO: Final = frozenset({"", "false", "off", "0"})
_YES: Final = frozenset({"true", "on", "1"})


class LabelColumn(NamedTuple):
    name: str
    label: str
    button: bool  # its cells say whether the label was chosen, and not what was answered


QuestionColumns = Mapping[str, Sequence[LabelColumn]]


def question_columns(
    records: Sequence[Record], columns: Sequence[str], prefix: str, separator: str
) -> QuestionColumns:
    """The columns that begin with the prefix, those of one question together; `kind.hard` is about `kind`."""
    labels: dict[str, dict[str, str]] = defaultdict(dict)
    for column in columns:
        question, parted, label = column.removeprefix(prefix).partition(separator)
        if column.startswith(prefix) and (prefix or parted) and (label[:1] != "_" or label == SPANS):
            labels[question][label] = column
    found = dict[str, Sequence[LabelColumn]]()
    for question, named in labels.items():
        name = f"{prefix}{question}" if len(named) > 1 else next(iter(named.values()))
        buttons = (_is_button(records, column, label, len(named)) for label, column in named.items())
        both = zip(named.items(), buttons, strict=True)
        found[name] = [LabelColumn(column, label, button) for (label, column), button in both]
    return found


def _is_button(records: Sequence[Record], column: str, label: str, siblings: int) -> bool:
    """A column that says only yes, or its label or key; alone, a box to tick also says no, as an answer."""
    values = {plain(parsed(record.get(column))).casefold() for record in records} - {""}
    if not label or (siblings == 1 and values & _NO):
        return False
    pressed = values - _NO
    is_key = siblings > 1 and len(pressed) == 1 and min(pressed).isdecimal() and not UNNAMED.fullmatch(label)
    return is_key or pressed <= _YES | {label.casefold()}


def answered(record: Record, questions: QuestionColumns, *, spans: bool) -> Given:
    answers = Given()
    for question, columns in questions.items():
        cells = [plain(parsed(record.get(column.name)), spans=spans) for column in columns]
        parts = [
            cell if not column.button else clean_line(column.label) if cell.casefold() not in _NO else ""
            for cell, column in zip(cells, columns, strict=True)
        ]
        answers[question] = ", ".join(filter(None, parts))
    return answers


def columns_beside_facts(
    records: Sequence[Record], columns: Sequence[str], known: Sequence[str], task: str
) -> QuestionColumns:
    """Label Studio's: answers differ between people; as it exports, they stand between the task and `known`.

    Where nobody differs and the order says nothing, an answer is what several tasks have in common.
    """
    place = {column: at for at, column in enumerate(columns)}
    free = [column for column in columns if column not in known]
    given: dict[str, dict[str, set[str]]] = {column: defaultdict(set) for column in free}
    for record in records:
        for column in free:
            if cell := record.get(column):
                given[column][str(record.get(task))].add(str(cell))
    differing = [column for column in free if any(len(of_task) > 1 for of_task in given[column].values())]
    different = {column: {text for of_task in given[column].values() for text in of_task} for column in free}
    common = [column for column in free if len(different[column]) < len(given[column])]
    about = [place[column] for column in known if column in place and column not in (task, TEXT)]
    after = [column for column in free if place[column] > place[task]]
    as_exported = place[task] > 0 and max(map(place.__getitem__, free), default=0) < min(about, default=0)
    chosen = differing or common
    if as_exported and set(differing) <= set(after):
        chosen = [column for column in after if not differing or column in (*differing, *common)]
    return {column: [LabelColumn(column, column, button=False)] for column in chosen}
