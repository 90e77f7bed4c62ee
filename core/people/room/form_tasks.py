"""One question of a form as the task of a room: about single headlines, or about two of one article."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from core.errors import InputError
from core.people.agreement.reliability import Scale
from core.people.form import Asks, EvaluationForm, FormQuestion, pairs_of
from core.people.room.task import (
    CHOICE_OPTIONS,
    RoomItem,
    RoomKind,
    RoomOption,
    RoomTask,
    checked_task,
    item_key,
)
from core.people.task import EvaluationTask, drawn

ASKED: Final = frozenset({Asks.EACH, Asks.PAIRS, Asks.BETTER})
"""Questions that a room can be asked; the others put all headlines of an article in an order."""
TWO_LEVELS: Final = 2


def room_questions(form: EvaluationForm) -> tuple[FormQuestion, ...]:
    """The questions of a form that a room can be asked."""
    return tuple(question for question in form.questions if question.asks in ASKED)


def question_task(
    form: EvaluationForm,
    question: FormQuestion,
    task: EvaluationTask,
    texts: Mapping[str, str],
    *,
    count: int,
    seed: int,
) -> RoomTask:
    """A question of a form about headlines of systems; participants are not told who wrote which.

    Each item is about another article as long as there are some, and the systems, or their pairs, take turns.
    The article is shown unless the form asks the question before it.
    """
    if question.about_pairs:
        subjects = [tuple(pair) for pair in pairs_of(task.systems)]
    else:
        subjects = [(place,) for place in range(len(task.systems))]
    whole = drawn(task, len(task.articles), seed=seed)
    if not whole.articles or not subjects:
        raise InputError(
            "There are no headlines that this question could be asked about.",
            hint="Open articles with headlines of systems on the Compare page.",
        )
    before = list(form.questions).index(question) < form.hidden
    items = []
    for at in range(min(count, len(whole.articles) * len(subjects))):
        turn, row = divmod(at, len(whole.articles))
        places = subjects[(row + turn) % len(subjects)]
        article = whole.articles[row]
        items.append(
            RoomItem(
                key=item_key(article, *(whole.systems[place] for place in places)),
                texts=tuple(whole.headlines[row][place] for place in places),
                article="" if before else _beginning(texts[article], form.words),
                sources=tuple(whole.systems[place] for place in places),
            )
        )
    ordered = len(question.levels) > TWO_LEVELS
    return checked_task(
        RoomTask(
            kind=RoomKind.CHOICE if question.asks is Asks.BETTER else RoomKind.QUESTION,
            title=task.title,
            question=question.text,
            help=question.help,
            options=_options(question),
            items=tuple(items),
            scale=Scale.ORDINAL if ordered else Scale.NOMINAL,
        )
    )


def _options(question: FormQuestion) -> tuple[RoomOption, ...]:
    if question.asks is Asks.BETTER:
        return CHOICE_OPTIONS[:3]
    worded = all(level.wording for level in question.levels)
    return tuple(
        RoomOption(
            value=str(level.value),
            wording=level.wording if worded else f"{level.value} {level.wording}".strip(),
        )
        for level in question.levels
    )


def _beginning(text: str, words: int) -> str:
    parts = text.split()
    return text if not words or len(parts) <= words else f"{' '.join(parts[:words])} …"
