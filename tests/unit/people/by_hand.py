"""Tasks and ratings made by hand."""

import csv
import io
from datetime import UTC, datetime, timedelta

import numpy as np

from core.journal.entries import Entry, NewEntry
from core.people import studies, study_material, voting
from core.people.evaluation_task import make_task
from core.people.forms import form_of
from core.people.grouping import PLACED, place
from core.people.ratings import Ratings
from core.people.store import JudgeAnswer, RatingStore
from core.people.study import Background, Study, StudyPair

FORM = form_of("numhg.v1")
QUESTIONS = [question.key for question in FORM.questions]


def task_of(articles, systems=("A", "B"), title="by hand"):
    ids = [f"a{number}" for number in range(articles)]
    lines = [[f"{system} on {article}" for system in systems] for article in ids]
    return make_task(title, ids, systems, lines)


def ratings_of(task, answers):
    values = np.array(list(answers.values()), dtype=np.float64).transpose(0, 2, 1, 3)
    return Ratings(form=FORM, task=task, judges=tuple(answers), values=values)


def answer(article, question, system, value):
    return JudgeAnswer(article=article, question=question, system=system, value=value)


def store_of(journal, articles=5, systems=("A", "B")):
    return RatingStore(form=FORM, task=task_of(articles, systems), journal=journal)


def groups_given(task, who, groups, *, first=0, **about):
    """Somebody puts headlines, from one on, into groups; "" begins one without a name."""
    for row, group in enumerate(groups, first):
        body = place(row, group=group, shown={})
        task.answers.append([NewEntry(kind=PLACED, who=who, body=body, **about)])


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text)))


BEGIN = datetime(2026, 5, 4, 9, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


def entries(*done):
    """Who did what: name, kind and body; ids are "1", "2" and so on, a minute lies between."""
    return [
        Entry(sequence=at, stream="s", kind=kind, who=who, when=BEGIN + at * MINUTE, id=str(at), body=body)
        for at, (who, kind, body) in enumerate(done, 1)
    ]


def pairs_answered(journal):
    """A study of twelve pairs in which Dan fails the exam, and Eve and Flo answer two pairs alone."""
    uses = ("training", 2), ("exam", 4), ("control", 2), ("main", 12)
    pairs = tuple(
        StudyPair(use, f"{use} {at}", "Other", "" if use == "main" else "same")
        for use, count in uses
        for at in range(count)
    )
    about = Study(
        title="Pairs", asks="same_event", pairs=pairs, background=(Background("Age", ("30", "40")),)
    )
    task = study_material.pairs_task(study := studies.register(journal, about))
    entries = []
    for seed, who in enumerate(("Ada", "Bo", "Cem", "Dan", "Eve", "Flo")):
        draw = np.random.default_rng(seed)
        for item in task.items[: 10 if seed > 3 else None]:
            known = "different" if who == "Dan" and item.use == "exam" else "same"
            said = known if item.use != "main" else "same" if draw.random() < 0.7 else "different"
            entries.append(NewEntry(kind=voting.VOTED, who=who, body=voting.vote(task, item, said)))
    task.answers.append(entries)
    return study
