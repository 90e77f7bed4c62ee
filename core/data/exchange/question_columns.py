"""Questions that a table answers in columns of its own: one each, or one for each label of the question."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from core.data.exchange.table import TEXT, Given, Record
from core.data.exchange.written_answers import UNNAMED, parsed, plain
from core.text.normalise import clean_line

SPANS: Final = "_spans"  # the label under which Potato puts what was marked in the text
_NO: Final = frozenset({"", "false", "off", "0"})
_YES_OR_NO: Final = _NO | {"true", "on"}


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
        own = column.startswith(prefix) and (prefix or parted)
        if own and (not label.startswith("_") or label == SPANS):
            labels[question][label] = column
    found = dict[str, Sequence[LabelColumn]]()
    for question, named in labels.items():
        name = f"{prefix}{question}" if len(named) > 1 else next(iter(named.values()))
        found[name] = [
            LabelColumn(column, label, bool(label) and _is_button(records, column, label, len(named)))
            for label, column in named.items()
        ]
    return found


def _is_button(records: Sequence[Record], column: str, label: str, siblings: int) -> bool:
    values = {plain(parsed(record.get(column))).casefold() for record in records}
    if siblings == 1 and values & (_NO - {""}):
        return False  # a box of its own, which people ticked or left
    numbers = values - _NO
    pressed = len(numbers) == 1 and all(map(str.isdecimal, numbers)) and not UNNAMED.fullmatch(label)
    return values <= _YES_OR_NO | {label.casefold()} or (siblings > 1 and pressed)


def answered(record: Record, questions: QuestionColumns, *, spans: bool) -> Given:
    answers = Given()
    for question, columns in questions.items():
        parts = []
        for column in columns:
            value = plain(parsed(record.get(column.name)), spans=spans)
            chosen = clean_line(column.label) if value.casefold() not in _NO else ""
            parts.append(chosen if column.button else value)
        answers[question] = ", ".join(filter(None, parts))
    return answers


def columns_beside_facts(
    records: Sequence[Record], columns: Sequence[str], known: Sequence[str], task: str
) -> QuestionColumns:
    """Label Studio's: answers differ between people; as it exports, they stand between the task and `known`.

    Where nobody differs and the order says nothing, an answer is what several tasks have in common.
    """
    free = [column for column in columns if column not in known]
    values: dict[str, dict[str, set[str]]] = {column: defaultdict(set) for column in free}
    for record in records:
        for column in free:
            if value := plain(parsed(record.get(column)), spans=True):
                values[column][str(record.get(task))].add(value)
    differing = [column for column in free if any(len(given) > 1 for given in values[column].values())]
    common = [
        column for column in free if len(set[str]().union(*values[column].values())) < len(values[column])
    ]
    place = {column: at for at, column in enumerate(columns)}
    after = [column for column in free if place[column] > place[task]]
    about = [place[column] for column in known if column in place and column not in (task, TEXT)]
    as_exported = place[task] > 0 and max(map(place.__getitem__, free), default=0) < min(about, default=0)
    chosen = differing or common
    if as_exported and set(differing) <= set(after):
        chosen = [column for column in after if not differing or column in (*differing, *common)]
    return {column: [LabelColumn(column, column, button=False)] for column in chosen}
