"""What a study is about and what came out of it: its tasks, its tables, and its answers without names."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final, NamedTuple

import numpy as np

from core.data.articles.articles import Articles
from core.data.articles.outputs import Outputs
from core.data.identity import VERSION
from core.data.pair_sets.load import is_known, load_pair_set
from core.data.pair_sets.pair_file import parse_pairs, sniff_pairs
from core.data.subjects import keep_articles, keep_timeline, stored_articles, stored_timeline
from core.data.timelines.timeline import Field, Timeline
from core.errors import InputError
from core.journal.entries import Entry
from core.journal.forget import ErasureTarget, cleaned, secret_of, taken
from core.journal.journal import Journal
from core.people.agreement import group_agreement, people_table, timelines_table, votes_table
from core.people.evaluation import Judgeable, judgeable, question_tables, ratings_table, shown_order
from core.people.forms import known_forms
from core.people.grouping import GroupingTask, everybody, grouping_task, with_people
from core.people.ratings import EvaluationForm, EvaluationTask, drawn, judge_key
from core.people.store import ANSWER, RatingStore
from core.people.studies import participants, pseudonym, registration, state_of
from core.people.study import GROUPS, Study, StudyPair
from core.people.votes import Scale
from core.people.voting import (
    QUESTIONS,
    Purpose,
    VotingTask,
    counted_votes,
    known_pairs,
    main_pairs,
    own_task,
    voters,
    voting_task,
)
from core.results.render import delimited
from core.results.table import Table

Brought = tuple[str, Articles, list[Outputs]]  # a title, articles, and headlines of systems for them


class Judging(NamedTuple):
    """A form's questions about outputs, and of these what is judged."""

    form: EvaluationForm
    whole: Judgeable
    task: EvaluationTask
    seed: int


def keep_material(journal: Journal, study: Study, material: Timeline | Brought | None) -> None:
    """Stores with a study the headlines it is about; a pair set is on the server under its name."""
    name = f"study-{study.code}"
    if isinstance(material, Timeline):
        keep_timeline(journal, name, material)
    elif material is not None:
        keep_articles(journal, name, *material)


def brought(journal: Journal, study: Study) -> Brought:
    stored = stored_articles(journal, f"study-{study.code}")
    if stored is None:
        raise InputError("The articles of this study are not stored here.", hint="Open its file again.")
    return stored


def timeline_of(journal: Journal, study: Study) -> Timeline:
    stored = stored_timeline(journal, f"study-{study.code}")
    if stored is None:
        raise InputError("The headlines of this study are not stored here.", hint="Open its file again.")
    # What others made of these headlines is no part of the study.
    return replace(stored, table=stored.table.drop(columns=stored.annotators))


def judging_of(study: Study, material: Brought) -> Judging:
    form = known_forms().get(study.asks)
    if form is None:
        raise InputError(f"There is no form {study.asks!r} here.", hint="Add its file under Evaluate first.")
    title, articles, outputs = material
    whole, place = judgeable(title, articles, outputs), dict(study.material)
    seed = int(place.get("seed", "0"))
    return Judging(form, whole, drawn(whole.task, int(place.get("count", "100")), seed=seed), seed)


def pairs_task(study: Study) -> VotingTask:
    if any(pair.use == Purpose.MAIN for pair in study.pairs):
        return own_task(study)
    name = dict(study.material).get("pairs", "")
    if not is_known(name):
        raise InputError(f"There is no pair set {name[:60]!r} here.", hint="Add it under Pair sets first.")
    return voting_task(load_pair_set(name), QUESTIONS[study.asks], study)


def pairs_of_file(data: bytes, name: str, study: Study, *, known: bool) -> tuple[StudyPair, ...]:
    """The pairs of a table as those that a study asks about, or that have its right answers."""
    labels = known or "label" in sniff_pairs(data, name).proposed
    pairs = parse_pairs(data, name, labels=labels).strict()
    return known_pairs(pairs, study) if known else main_pairs(pairs, QUESTIONS[study.asks], study)


def fingerprint_of(study: Study, material: Timeline | Brought | None) -> str:
    """What the headlines of a study are told by; refuses others than it was registered with."""
    if isinstance(material, Timeline):
        own = material.index.fingerprint
    else:
        own = (
            pairs_task(study).index.fingerprint
            if material is None
            else judging_of(study, material).task.fingerprint
        )
    if study.fingerprint and study.fingerprint != own:
        raise InputError(
            "The headlines that are open are not those of this study.", hint="Open the same file as it had."
        )
    return own


def _groups_of(journal: Journal, study: Study) -> tuple[Timeline, GroupingTask]:
    timeline = timeline_of(journal, study)
    return timeline, grouping_task(timeline, study=study)


def _store(journal: Journal, study: Study) -> RatingStore:
    judging = judging_of(study, brought(journal, study))
    return RatingStore(form=judging.form, task=judging.task, journal=journal, study=study)


def result_tables(journal: Journal, study: Study) -> list[Table]:
    """The tables of a study, annotators under their codes; [] while too few answered."""
    said = f"Study {study.sha256}. {registration(study, state_of(journal, study))}"
    return [replace(table, notes=(*table.notes, said)) for table in _tables(journal, study)]


def _tables(journal: Journal, study: Study) -> list[Table]:
    if study.asks == GROUPS:
        timeline, task = _groups_of(journal, study)
        people = everybody(task, task.answers.read())
        if len(people) < 2:
            return []
        numbers = {pseudonym(journal, study, who): made.numbers for who, made in people.items()}
        agreed = group_agreement(with_people(timeline, numbers))
        return [timelines_table([agreed]), people_table(agreed)]
    if study.asks in QUESTIONS:
        pairs = pairs_task(study)
        everyone = voters(pairs, pairs.answers.read()).values()
        main = pairs.pool(Purpose.MAIN)
        if not any(own.counts and any(item.id in own.votes for item in main) for own in everyone):
            return []
        votes = counted_votes(
            pairs, [replace(own, who=pseudonym(journal, study, own.who)) for own in everyone]
        )
        return [votes_table(votes, scale=Scale.NOMINAL)] if votes.items else []
    judging, ratings = judging_of(study, brought(journal, study)), _store(journal, study).ratings()
    if not ratings.judges:
        return []
    names = {pseudonym(journal, study, who): who for who in ratings.judges}

    def order(judge: str, article: str) -> list[int]:
        return shown_order(judging.whole.task, article, names[judge], seed=judging.seed)

    ratings = replace(ratings, judges=tuple(names))
    return [ratings_table(ratings), *question_tables(ratings, order)]


_HEAD: Final = (
    "study",
    "person",
    "consent",
    "instructions",
    "when",
    "task",
    "first",
    "second",
    "answer",
    "counts",
)


def answers_csv(journal: Journal, study: Study, *, names: bool = False) -> str:
    """All answers that stand, with what each person said of themselves; codes in the place of names."""
    joined, asked = participants(journal, study), [question.asks for question in study.background]
    rows: list[list[Any]] = [[*_HEAD, *asked]]
    for entry, *cells in _answers(journal, study):
        person = joined.get(judge_key(entry.who))
        about = {} if person is None else person.body
        said = about.get("background", {})
        who = entry.who if names else pseudonym(journal, study, entry.who)
        when = f"{entry.when:%Y-%m-%dT%H:%M:%SZ}"
        begin = [study.sha256, who, about.get("consent", ""), entry.body.get(VERSION, ""), when]
        rows.append([*begin, *cells, *(said.get(question, "") for question in asked)])
    return delimited(rows)


def _answers(journal: Journal, study: Study) -> Iterator[tuple[Entry, str, str, str, str, str]]:
    """Each answer: its entry, the task, the headline, what it stands next to, the answer, if it counts."""
    if study.asks == GROUPS:
        timeline, task = _groups_of(journal, study)
        entries = {entry.id: entry for entry in task.answers.read()}
        for made in everybody(task, list(entries.values())).values():
            numbers = made.numbers.tolist()
            for row, placed in made.placed.items():
                text = str(timeline.table[Field.HEADLINE][row])
                answer = "too vague" if placed.single else str(numbers[row])
                yield entries[placed.entry], "group", text, "", answer, "yes"
    elif study.asks in QUESTIONS:
        pairs = pairs_task(study)
        entries = {entry.id: entry for entry in pairs.answers.read()}
        for own in voters(pairs, entries.values()).values():
            for name, vote in own.votes.items():
                item, counts = pairs.by_id[name], "yes" if own.counts else "no"
                yield entries[vote.entry], item.pool.value, item.left, item.right, vote.answer, counts
    else:
        store = _store(journal, study)
        ratings, keys = store.ratings(), store.task.index.keys
        last = {
            (judge_key(entry.who), keys[entry.body["row"]].address, entry.body["question"]): entry
            for entry in store.answers.read()
            if entry.kind == ANSWER
        }
        for judge, at, row, place in np.argwhere(~np.isnan(ratings.values)).tolist():
            article, question = ratings.task.articles[row], ratings.form.questions[at].key
            entry = last[judge_key(ratings.judges[judge]), ratings.task.identity[article], question]
            value = f"{ratings.values[judge, at, row, place]:g}"
            yield entry, question, article, ratings.subjects[place], value, "yes"


def of_person(journal: Journal, name: str, *, rooms: bool = True) -> str:
    """All entries that `forget` would remove of a person, as JSON.

    Without `rooms` those under the name alone: a nickname there may be that of another.
    """
    rows = taken(journal).entries
    stay = {
        (row["stream"], row["id"]): row["body"]
        for row in cleaned(rows, secret_of(ErasureTarget.PERSON, name))[0]
    }
    own = [row for row in rows if stay.get((row["stream"], row["id"])) != row["body"]]
    own = [row for row in own if rooms or judge_key(row["who"]) == judge_key(name)]
    return json.dumps([{**row, "body": json.loads(row["body"])} for row in own], indent=1, ensure_ascii=False)
