"""A program shows an adjudicator what divides people in a study, blind, and stores what is decided."""

from collections.abc import Sequence
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from core.data.pair_sets.annotated import timeline_groups
from core.errors import InputError
from core.journal.entries import NewEntry
from core.journal.journal import Journal
from core.people import adjudication as desk
from core.people.study import Study
from core.people.study_results import GroupAnswers, StudyAnswers, answers_of
from core.study_access.study_items import Item, items_of, row_of

_Id = Annotated[str, Meta(max_length=40)]


class Disagreement(msgspec.Struct, frozen=True):
    question: int  # which of the study's
    title: str
    item: Item
    differ: float  # share of those who differ, from 0 to 1
    state: str  # of the decision; "" where nobody decided
    answers: Sequence[str]  # to choose from; () in a study of groups
    headlines: Sequence[Item]  # that somebody put with it, to choose from in a study of groups


class Decision(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    item: _Id
    question: Annotated[int, Meta(ge=0, le=1_000)] = 0
    answer: _Id = ""  # of a study of pairs or a form
    belongs_with: _Id = ""  # the headline of a study of groups; "" for no other
    confidence: Literal["sure", "rather", "guess"] = "sure"
    error: Annotated[str, Meta(max_length=1_000)] = ""  # kind of error, as the study lists them


class Decided(msgspec.Struct, frozen=True):
    state: str
    receipt: str  # id of the entry


def disagreements(journal: Journal, study: Study, who: str) -> list[Disagreement]:
    """What waits for an adjudicator, the most divided first."""
    answers = answers_of(journal, study)
    items, found = items_of(answers), list[Disagreement]()
    for at, divided in enumerate(answers.divided):
        done = divided.read()
        for row in done.queue(divided.order, who):
            together = [items[other] for other in _companions(answers, row)]
            state, share = done.state(row), float(divided.shares[row])
            about = items[row], share, state, divided.values, together
            found.append(Disagreement(at, divided.title, *about))
    return found


def decide(journal: Journal, study: Study, who: str, given: Decision) -> Decided:
    answers = answers_of(journal, study)
    items = items_of(answers)
    row = row_of(items, given.item)
    if given.question >= len(answers.divided) or row not in answers.divided[given.question].order:
        raise InputError("Nobody differs on this item.", hint="Decide one of the disagreements.")
    divided = answers.divided[given.question]
    done, others = divided.read(), _companions(answers, row)
    if given.error and given.error not in done.rules[1]:
        hint = f"Give one of: {', '.join(done.rules[1])}."
        raise InputError(f"{given.error[:60]!r} is no kind of error here.", hint=hint)
    if isinstance(answers, GroupAnswers):
        other = row_of(items, given.belongs_with) if given.belongs_with else desk.ALONE
        if other not in {desk.ALONE, *others} or given.answer:
            raise InputError("Nobody put these headlines together.", hint="Choose one of those offered.")
        chosen: dict[str, object] = {"with": other}
    elif given.answer not in divided.values or given.belongs_with:
        hint = f"Give one of: {', '.join(divided.values)}."
        raise InputError(f"{given.answer!r} is no answer to this question.", hint=hint)
    else:
        chosen = {"answer": given.answer}
    about = {
        "row": row,
        "seen": [items[other].id for other in others] or list(items[row].texts),
        "confidence": given.confidence,
        "error": given.error,
        "again": done.differ(row),
        "shown": desk.shown_to(done.entries, who),
    }
    (entry,) = divided.answers.append([NewEntry(kind=desk.DECIDED, who=who, body=about | chosen)])
    return Decided(divided.read().state(row), entry.id)


def _companions(answers: StudyAnswers, row: int) -> list[int]:
    """The headlines that somebody put together with one, in an order that says nothing of people."""
    if not isinstance(answers, GroupAnswers):
        return []
    _, annotators = timeline_groups(answers.timeline)
    return sorted(other for other, *_ in desk.companions(annotators, row))
