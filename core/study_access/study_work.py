"""A program does an annotator's or adjudicator's work in a study, under the name of its token."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta

from core.digests import digest
from core.errors import InputError
from core.journal.entries import NewEntry
from core.journal.journal import Journal
from core.people import adjudication, studies, voting
from core.people.questions import QUESTIONS
from core.people.study import Line, Study, StudyPair
from core.people.study_material import pairs_task
from core.people.study_results import answers_of
from core.study_access.study_items import ItemId, StudyItem, item_of, items_of, row_of
from core.text.normalise import judge_key

_SIDES: Final = {"left": "right", "right": "left"}


class Joining(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    agree: bool = False  # to the consent, where the study has one
    background: Mapping[Line, Line] = {}  # answers by what is asked


class NextItem(msgspec.Struct, frozen=True):
    state: str  # training, exam or work; otherwise why nothing is asked
    item: StudyItem | None  # as this annotator sees its sides
    suggested: str  # same or different, by a model; "" for nothing
    question: str
    answers: Mapping[str, str]  # what each means, by what is given
    instructions: str
    consent: str  # that is to be agreed to before the first item; "" for none, or when this was done
    background: Sequence[str]  # what is to be answered with it
    may_repeat: bool  # whether training and exam may begin again


class GivenAnswer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    item: ItemId
    answer: ItemId
    seconds: Annotated[float, Meta(ge=0, le=86_400)] | None = None


class DividedItem(msgspec.Struct, frozen=True):
    question: int  # which of the study's
    title: str
    item: StudyItem
    differ: float  # share of those who differ, from 0 to 1
    state: str  # of the decision; "" where nobody decided
    answers: Sequence[str]  # to choose from


class Decision(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    item: ItemId
    answer: ItemId
    question: Annotated[int, Meta(ge=0, le=1_000)] = 0
    confidence: Literal["sure", "rather", "guess"] = "sure"
    error: Annotated[str, Meta(max_length=1_000)] = ""  # kind of error, as the study lists them


def join(journal: Journal, study: Study, who: str, given: Joining) -> None:
    """Agrees to the consent, and answers what is asked of a person."""
    if study.consent and not given.agree:
        raise InputError("You have not agreed.", hint="Read the consent, then send agree as true.")
    for each in study.background:
        offered, said = (*each.answers, studies.NOT_SAID), given.background.get(each.asks, "").strip()
        if each.answers and said and said not in offered:
            raise msgspec.ValidationError(f"{each.asks!r} is {said[:80]!r}, not one of {', '.join(offered)}")
    if not studies.has_joined(journal, study, who):
        studies.join(journal, study, who, given.background)


def next_item(journal: Journal, study: Study, who: str) -> NextItem:
    """What is asked now, or has to be agreed to first."""
    own, item, _ = _own(study, who)
    asked, joined = study.consent or study.background, studies.has_joined(journal, study, who)
    state = "done" if item is None and own.stage is voting.Standing.WORK else own.stage.value
    if (door := studies.door(journal, study)) != studies.OPENED:
        state, item = door, None
    elif studies.seconds_left(journal, study, who) == 0:
        state, item = "over", None
    elif own.too_late or not studies.has_place(journal, study, who):
        state, item = "full", None
    elif asked and not joined:
        state, item = "join", None
    shown = item_of(item) if item else None
    if item and shown and own.swapped(item):
        shown = StudyItem(item.id, shown.texts[::-1], shown.days[::-1])
    return NextItem(
        state=state,
        item=shown,
        suggested=own.task.suggestion(item) if item else "",
        question=own.task.question.text,
        answers={choice.value: choice.label for choice in own.task.question.choices},
        instructions=study.rules,
        consent="" if joined or not study.consent else study.consent[-1].text,
        background=[] if joined else [each.asks for each in study.background],
        may_repeat=own.may_repeat and state == own.stage.value,
    )


def answer(journal: Journal, study: Study, who: str, given: GivenAnswer) -> Sequence[str]:
    """Answers what is asked now; gives the right answers to a pair of the training, and of others none."""
    studies.require_open(journal, study, who)
    own, item, step = _own(study, who)
    if item is None or item.id != given.item:
        raise InputError(f"{given.item!r} is not what is asked now.", hint="Ask what is next.")
    if given.answer not in (values := own.task.question.values):
        raise InputError(f"{given.answer!r} is no answer.", hint=f"Give one of: {', '.join(values)}.")
    if not studies.has_joined(journal, study, who):
        join(journal, study, who, Joining())  # where there is nothing to agree to or to answer
    swapped = own.swapped(item)
    said = _SIDES.get(given.answer, given.answer) if swapped else given.answer
    body = voting.vote(own.task, item, said, swapped=swapped, seconds=given.seconds)
    own.task.answers.append([NewEntry(kind=voting.VOTED, who=own.who, body=body, id=step)])
    return own.task.question.right(item) if own.stage is voting.Standing.TRAINING else ()


def again(journal: Journal, study: Study, who: str) -> None:
    """Begins training and exam again, where that is allowed."""
    studies.require_open(journal, study, who)
    own, _, step = _own(study, who)
    if not own.may_repeat:
        raise InputError("Training and exam cannot be taken again.", hint="Ask what is next.")
    own.task.answers.append([NewEntry(kind=voting.AGAIN, who=own.who, id=step)])


def _own(study: Study, who: str) -> tuple[voting.Voter, StudyPair | None, str]:
    """What an annotator did, what is asked now, and an id that the next step has whoever takes it."""
    if study.asks not in QUESTIONS:
        hint = "Groups and forms are answered on the study's page."
        raise InputError("Programs can answer only studies of pairs.", hint=hint)
    task = pairs_task(study)
    everybody = voting.voters(task, entries := task.answers.read())
    own = everybody.get(judge_key(who)) or voting.voter(task, entries, who)
    done = [entry.id for entry in entries if judge_key(entry.who) == judge_key(who)]
    return own, voting.next_item(own, everybody.values()), digest(judge_key(who), *done)[:32]


def disagreements(journal: Journal, study: Study, who: str) -> list[DividedItem]:
    """What divides people and waits for this adjudicator, the most divided first, without names."""
    answers, found = answers_of(journal, study), list[DividedItem]()
    items = items_of(answers)
    for at, divided in enumerate(answers.divided):
        done = divided.read()
        for row in done.queue(divided.order, who):
            about = items[row], float(divided.shares[row]), done.state(row), divided.values
            found.append(DividedItem(at, divided.title, *about))
    return found


def decide(journal: Journal, study: Study, who: str, given: Decision) -> None:
    """Decides a disagreement about a pair or an answer to a form."""
    answers = answers_of(journal, study)
    row = row_of(items := items_of(answers), given.item)
    if given.question >= len(answers.divided) or row not in answers.divided[given.question].order:
        raise InputError("Nobody differs on this item.", hint="Decide one of the disagreements.")
    divided = answers.divided[given.question]
    done = divided.read()
    if given.answer not in divided.values or given.error not in {"", *done.rules[1]}:
        hint = f"Give one of {', '.join(divided.values)}; kinds of error: {', '.join(done.rules[1])}."
        raise InputError("This cannot be decided.", hint=hint if divided.values else "Decide on the page.")
    body = {"row": row, "seen": items[row].texts, "shown": adjudication.shown_to(done.entries, who)}
    body |= {"again": done.differ(row), "answer": given.answer}
    body |= {"confidence": given.confidence, "error": given.error}
    divided.answers.append([NewEntry(kind=adjudication.DECIDED, who=who, body=body)])
