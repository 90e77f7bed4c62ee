"""A program answers the pairs of a study under an annotator's name, one after the other."""

from collections.abc import Mapping, Sequence
from typing import Annotated

import msgspec
from msgspec import Meta

from core.digests import digest
from core.errors import InputError
from core.journal.entries import NewEntry
from core.journal.journal import Journal
from core.people import studies, voting
from core.people.questions import QUESTIONS, Question
from core.people.study import Line, Study, StudyPair
from core.people.study_material import pairs_task
from core.text.normalise import judge_key

_SIDES = {"left": "right", "right": "left"}


class Joining(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    agree: bool = False  # to the consent, where the study has one
    background: Mapping[Line, Line] = {}  # answers by what is asked


class Asked(msgspec.Struct, frozen=True):
    id: str
    texts: Sequence[str]  # the two headlines as this annotator sees them
    days: Sequence[str]  # of both; "" where it is not known
    suggested: str  # same or different, by a model; "" for nothing


class Next(msgspec.Struct, frozen=True):
    state: str  # training, exam or work; otherwise why nothing is asked
    item: Asked | None
    question: str
    answers: Mapping[str, str]  # what each says, by what is given
    given: int  # answers to the pairs so far
    may_repeat: bool  # whether training and exam may begin again
    instructions: str
    consent: str  # that is to be agreed to before the first item; "" for none, or when this was done
    background: Sequence[str]  # what is to be answered with it


class GivenAnswer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    item: Annotated[str, Meta(max_length=40)]
    answer: Annotated[str, Meta(max_length=40)]
    seconds: Annotated[float, Meta(ge=0, le=86_400)] | None = None


class Taken(msgspec.Struct, frozen=True):
    receipt: str  # id of the entry
    right: Sequence[str]  # right answers, of a pair of the training; of others nothing is told


def join(journal: Journal, study: Study, who: str, given: Joining) -> None:
    if study.consent and not given.agree:
        raise InputError("You have not agreed.", hint="Read the consent, then send agree as true.")
    if not studies.has_joined(journal, study, who):
        studies.join(journal, study, who, given.background)


def next_of(journal: Journal, study: Study, who: str) -> Next:
    """What is asked next, or what has to be agreed to first."""
    question = _question(study)
    own, item = _own(study, who)
    joined = studies.has_joined(journal, study, who) or not (study.consent or study.background)
    about = {choice.value: choice.label for choice in question.choices}
    door = studies.door(journal, study)
    full = own.too_late or not studies.has_place(journal, study, who)
    state = door if door != studies.OPENED else "full" if full else own.stage.value
    return Next(
        state=("done" if state == "work" and item is None else state) if joined else "join",
        item=_asked(own, item) if item and joined and state in {"training", "exam", "work"} else None,
        question=question.text,
        answers=about,
        given=own.worked,
        may_repeat=own.may_repeat,
        instructions=study.rules,
        consent=study.consent[-1].text if study.consent and not joined else "",
        background=[] if joined else [each.asks for each in study.background],
    )


def give(journal: Journal, study: Study, who: str, given: GivenAnswer) -> Taken:
    """Stores the answer to the item that is asked; of two at once that differ one is refused."""
    question = _question(study)
    studies.require_open(journal, study)
    if not studies.has_joined(journal, study, who):
        if study.consent or study.background:
            raise InputError("The annotator has not joined the study.", hint="Ask what is next, then join.")
        studies.join(journal, study, who, {})
    own, item = _own(study, who)
    if item is None or item.id != given.item:
        hint = "Ask what is next, and answer that."
        raise InputError(f"{given.item!r} is not what is asked now.", hint=hint)
    if given.answer not in question.values:
        hint = f"Give one of: {', '.join(question.values)}."
        raise InputError(f"{given.answer!r} is no answer to this question.", hint=hint)
    swapped = own.swapped(item)
    answer = _SIDES.get(given.answer, given.answer) if swapped else given.answer
    body = voting.vote(own.task, item, answer, swapped=swapped, seconds=given.seconds)
    _append(own, voting.VOTED, body, item.id)
    stored = _own(study, who)[0].votes[item.id]
    training = own.stage is voting.Standing.TRAINING
    return Taken(stored.entry, question.right(item) if training else ())


def again(study: Study, who: str) -> None:
    """Begins training and exam anew, where the study lets the annotator."""
    own, _ = _own(study, who)
    if not own.may_repeat:
        raise InputError("Training and exam cannot be taken again.", hint="Ask what is next.")
    _append(own, voting.AGAIN, {}, "again")


def _question(study: Study) -> Question:
    if study.asks not in QUESTIONS:
        hint = "Groups and forms are answered on the study's page."
        raise InputError("Programs answer studies of pairs alone.", hint=hint)
    return QUESTIONS[study.asks]


def _own(study: Study, who: str) -> tuple[voting.Voter, StudyPair | None]:
    task = pairs_task(study)
    entries = task.answers.read()
    everybody = voting.voters(task, entries)
    own = everybody.get(judge_key(who)) or voting.voter(task, entries, who)
    return own, voting.next_item(own, everybody.values())


def _asked(own: voting.Voter, item: StudyPair) -> Asked:
    sides = [(item.left, item.days[0]), (item.right, item.days[1])]
    texts, days = zip(*(sides[::-1] if own.swapped(item) else sides), strict=True)
    return Asked(item.id, texts, days, own.task.suggestion(item))


def _append(own: voting.Voter, kind: str, body: Mapping[str, object], about: str) -> None:
    """Under an id that the same step has from every window: what came second changes nothing."""
    done = sum(judge_key(entry.who) == judge_key(own.who) for entry in own.task.answers.entries())
    id = digest(judge_key(own.who), about, str(done))[:32]
    own.task.answers.append([NewEntry(kind=kind, who=own.who, body=body, id=id)])
