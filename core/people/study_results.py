"""What came out of a study: tables, labels, and answers under codes."""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from core.data.answers import ROWS, VERSION
from core.errors import InputError
from core.journal.backup import taken
from core.journal.entries import Entry
from core.journal.erasure import cleaned, secret_of
from core.journal.journal import Journal
from core.journal.spellings import ErasureTarget
from core.people import agreement, agreement_tables, evaluation, next_question, questions, voting
from core.people.adjudication import NO_VOTES, Divided, divided_items, released_format
from core.people.agreement_tables import grouped_over_time, voted_over_time
from core.people.forms import BETWEEN, LISTED, Asks, FormQuestion
from core.people.group_columns import PREFIX, with_people
from core.people.grouping import everybody, grouping_task
from core.people.store import ANSWER, RatingStore
from core.people.studies import StudyState, excluded, own_id, participants, pseudonym, registration, state_of
from core.people.study import GROUPS, Purpose, Study
from core.people.study_answers import GROUP, HEAD
from core.people.study_material import brought, judging_of, pairs_task, timeline_of
from core.people.votes import consensus, vote_table
from core.results.delimited import delimited
from core.results.table import Table
from core.results.table_files import as_csv
from core.statistics.krippendorff import Scale
from core.text.normalise import judge_key

Line = tuple[Entry, str, str, str, str, str]
"""An answer: its entry, the task, the headline, what it stands next to, the answer, whether it counts."""


class GroupAnswers:
    def __init__(self, journal: Journal, study: Study) -> None:
        timeline = timeline_of(journal, study)
        self.task = grouping_task(timeline, study=study)
        self.entries = self.task.answers.read()
        self.people = everybody(self.task, self.entries)
        numbers = {pseudonym(journal, study, who): made.numbers for who, made in self.people.items()}
        self.timeline = with_people(timeline, numbers)

    @cached_property
    def agreed(self) -> agreement.GroupAgreement:
        agreed = agreement.group_agreement(self.timeline)
        codes = (each["annotator"].removeprefix(PREFIX) for each in agreed.people)
        people = zip(agreed.people, codes, strict=True)
        return replace(agreed, people=tuple({**each, "annotator": code} for each, code in people))

    def tables(self) -> list[Table]:
        if len(self.people) < 2:
            return []
        return [agreement_tables.timelines_table([self.agreed]), agreement_tables.people_table(self.agreed)]

    def over_time(self) -> Table | None:
        return grouped_over_time(self.task, self.entries)

    @cached_property
    def divided(self) -> list[Divided]:
        if len(self.people) < 2:
            return []
        title, answers = "Headlines that divide people", replace(self.task, subject="adjudication").answers
        texts, shares, merged = self.timeline.texts, self.agreed.divided, self.agreed.merged
        return [Divided(title=title, answers=answers, texts=texts, shares=shares, merged=merged)]

    def lines(self) -> Iterator[Line]:
        entries = {entry.id: entry for entry in self.entries}
        for made in self.people.values():
            numbers = made.numbers.tolist()
            for row, placed in made.placed.items():
                answer = "too vague" if placed.single else str(numbers[row])
                yield entries[placed.entry], GROUP, self.timeline.texts[row], "", answer, "yes"


class PairAnswers:
    def __init__(self, journal: Journal, study: Study) -> None:
        self.task = pairs_task(study)
        self.entries = self.task.answers.read()
        self.everyone = voting.voters(self.task, self.entries).values()
        self.coded = [replace(own, who=pseudonym(journal, study, own.who)) for own in self.everyone]
        main = {pair.id for pair in self.task.pool(Purpose.MAIN)}
        self.excluded = excluded(journal, study)
        pairs = zip(self.everyone, self.coded, strict=True)
        counted = [own for named, own in pairs if self.counts(named) and not main.isdisjoint(own.votes)]
        self.votes = voting.counted_votes(self.task, counted, self.entries) if counted else NO_VOTES

    def counts(self, own: voting.Voter) -> bool:
        return own.counts and judge_key(own.who) not in self.excluded

    def tables(self) -> list[Table]:
        return [agreement_tables.votes_table(self.votes, scale=Scale.NOMINAL)] if self.votes.items else []

    def over_time(self) -> Table | None:
        return voted_over_time(self.votes)

    @cached_property
    def divided(self) -> list[Divided]:
        question = self.task.question
        names = [pair.name for pair in self.task.pool(Purpose.MAIN)]
        stored = self.task.study.answers(f"adjudication/{question.key}", self.task.index)
        asked = {"title": "Pairs that divide people", "answers": stored, "values": question.values}
        return [divided_items(self.votes, names, texts=names, **asked)]

    def lines(self) -> Iterator[Line]:
        entries = {entry.id: entry for entry in self.entries}
        for own in self.everyone:
            for name, vote in own.votes.items():
                item, counts = self.task.by_id[name], "yes" if self.counts(own) else "no"
                yield entries[vote.entry], item.use.value, item.left, item.right, vote.answer, counts

    @cached_property
    def followed(self) -> str:
        """How many answers are what a model had suggested; "" where it suggested nothing."""
        seen = [(entry.body.get(voting.SUGGESTED), answer) for entry, _, _, _, answer, _ in self.lines()]
        shown = [said == answer for said, answer in seen if said]
        with_one = f"{sum(shown):,} of {len(shown):,} answers with a suggestion are what it said"
        return f"{with_one} ({self.task.study.suggested_by})." if shown else ""


class FormAnswers:
    def __init__(self, journal: Journal, study: Study) -> None:
        self.material = brought(journal, study)
        self.form, self.whole, task, self.seed = judging_of(study, self.material)
        self.store = RatingStore(form=self.form, task=task, journal=journal, study=study)
        self.named = self.store.ratings()
        codes = tuple(pseudonym(journal, study, who) for who in self.named.judges)
        self.ratings = replace(self.named, judges=codes)

    def tables(self) -> list[Table]:
        names = dict(zip(self.ratings.judges, self.named.judges, strict=True))

        def order(judge: str, article: str) -> list[int]:
            return next_question.shown_order(self.whole.task, article, names[judge], seed=self.seed)

        tables = evaluation.question_tables(self.ratings, order)
        if any(question.scored for question in self.form.questions):
            tables.insert(0, evaluation.ratings_table(self.ratings))
        return tables if names else []

    @property
    def questions(self) -> list[FormQuestion]:
        """Questions about single headlines, whose answers can be adjudicated."""
        return [each for each in self.form.questions if each.asks is Asks.EACH and each.gives in LISTED]

    @property
    def texts(self) -> list[str]:
        _, articles, _ = self.material
        task = self.ratings.task
        shown = {
            task.identity[name]: text
            for name, text in zip(articles.ids, articles.texts, strict=True)
            if name in task.identity
        }
        return [next_question.shown_text(self.form, shown[key.address]) for key in task.index.keys]

    @cached_property
    def divided(self) -> list[Divided]:
        task, keys = self.ratings.task, self.ratings.task.index.keys
        texts, divided = [key.text for key in keys], []
        for question in self.questions:
            names = [f"{question.label} | {key.address} | {key.outlet} | {key.text}" for key in keys]
            given = self.ratings.values[:, self.form.questions.index(question), :, : len(task.systems)]
            votes = [
                (names[task.index.row[task.key(row, system)]], self.ratings.judges[judge], f"{value:g}")
                for (judge, row, system), value in np.ndenumerate(given)
                if not np.isnan(value)
            ]
            stored = self.store.study.answers(f"adjudication/{self.form.name}/{question.key}", task.index)
            levels = [str(level.value) for level in question.levels]
            asked = {"title": f"{question.label}: headlines that divide people", "values": levels}
            table = vote_table(votes, task.title) if votes else NO_VOTES
            divided.append(divided_items(table, names, texts=texts, answers=stored, **asked))
        return divided

    def lines(self) -> Iterator[Line]:
        ratings, keys, last = self.named, self.ratings.task.index.keys, dict[tuple[Any, ...], Entry]()
        for entry in (each for each in self.store.answers.read() if each.kind == ANSWER):
            about = [keys[entry.body[name]] for name in ROWS if name in entry.body]
            asked = judge_key(entry.who), about[0].address, entry.body["question"]
            of = BETWEEN.join(key.outlet for key in about)
            last[asked] = last[*asked, of, entry.body["value"]] = entry
        for judge, at, row, place in np.argwhere(~np.isnan(ratings.values)).tolist():
            article, question = ratings.task.articles[row], ratings.form.questions[at].key
            number, of = ratings.values[judge, at, row, place], ratings.subjects[place]
            asked = judge_key(ratings.judges[judge]), ratings.task.identity[article], question
            value = ratings.form.questions[at].written(number, ratings.texts)
            # A place that followed from others' has no entry of its own.
            yield last.get((*asked, of, number), last[asked]), question, article, of, value, "yes"


StudyAnswers = GroupAnswers | PairAnswers | FormAnswers


def answers_of(journal: Journal, study: Study) -> StudyAnswers:
    if study.asks == GROUPS:
        return GroupAnswers(journal, study)
    return (PairAnswers if study.asks in questions.QUESTIONS else FormAnswers)(journal, study)


def left_out(answers: StudyAnswers, state: StudyState) -> str:
    """What is said of answers that were given and are not in the file of answers."""
    kept = len({entry.id for entry, *_ in answers.lines()})
    why = "others were changed, taken back, or are of an earlier try of training and exam"
    given = f"{kept:,} of {state.answers:,} answers given are in the file of answers"
    return f"{given}: {why}." if kept < state.answers else ""


def labelled(answers: StudyAnswers) -> list[Divided]:
    return [each for each in answers.divided if isinstance(answers, GroupAnswers) or each.votes.items]


def labels_csv(answers: StudyAnswers) -> str:
    """The groups as released, or the answer that most gave to each item, with what was decided of it."""
    divided = labelled(answers)
    if not divided:
        hint = "They come with the first answers; of groups, with two people."
        raise InputError("This study has no labels yet.", hint=hint)
    if isinstance(answers, GroupAnswers):
        decided = divided[0].read()
        return str(released_format(answers.timeline, answers.agreed.merged, decided).to_csv(index=False))
    tables = []
    for items in divided:
        labels = agreement_tables.labels_table(items.votes, consensus(items.votes))
        tables.append(items.read().added(labels, {name: row for row, name in enumerate(items.names)}))
    return as_csv(replace(tables[0], rows=tuple(row for table in tables for row in table.rows)))


def result_tables(journal: Journal, study: Study) -> list[Table]:
    answers = answers_of(journal, study)
    decided = [said for divided in answers.divided if (said := divided.read().sentence())]
    notes = *decided, f"Study {study.sha256}. {registration(study, state_of(journal, study))}"
    return [replace(table, notes=(*table.notes, *notes)) for table in own_tables(journal, study, answers)]


def own_tables(journal: Journal, study: Study, answers: StudyAnswers) -> list[Table]:
    tables = answers.tables()
    background = background_table(journal, study)
    return [*tables, background] if tables and background.rows else tables


def background_table(journal: Journal, study: Study) -> Table:
    """How many people gave each answer about themselves, as studies report that judges are balanced."""
    said = [entry.body.get("background", {}) for entry in participants(journal, study).values()]
    rows: list[tuple[str, str, int, float]] = []
    for asked in (question.asks for question in study.background):
        common = Counter(about.get(asked, "") for about in said).most_common()
        rows += [(asked, answer, count, count / len(said)) for answer, count in common if answer]
    columns, title = agreement_tables.COLUMNS["background"], "What people said of themselves"
    return Table(columns=columns, rows=tuple(rows), title=title)


def answers_csv(journal: Journal, study: Study, *, names: bool = False) -> str:
    return delimited(answer_rows(journal, study, names=names))


def answer_rows(journal: Journal, study: Study, *, names: bool = False) -> list[list[Any]]:
    """All answers that stand, with what each person said of themselves; codes in the place of names."""
    joined, asked = participants(journal, study), [question.asks for question in study.background]
    shown = [voting.SUGGESTED] * bool(study.suggested_by)
    rows: list[list[Any]] = [[*HEAD, *shown, *asked]]
    for entry, *cells in answers_of(journal, study).lines():
        person = joined.get(judge_key(entry.who))
        about = {} if person is None else person.body
        said = about.get("background", {})
        who = own_id(entry.who) if names else pseudonym(journal, study, entry.who)
        when = f"{entry.when:%Y-%m-%dT%H:%M:%SZ}"
        begin = [study.sha256, who, about.get("consent", ""), entry.body.get(VERSION, ""), when]
        cells += [entry.body.get(name, "") for name in shown]
        rows.append([*begin, *cells, *(said.get(question, "") for question in asked)])
    return rows


def of_person(journal: Journal, name: str, *, rooms: bool = True) -> str:
    """All entries that `forget` would remove of a person, as JSON; without `rooms`, of the name alone."""
    rows = taken(journal).entries
    left, *_ = cleaned(rows, secret_of(ErasureTarget.PERSON, name))
    stay = {(row["stream"], row["id"]): row["body"] for row in left}
    own = [row for row in rows if stay.get((row["stream"], row["id"])) != row["body"]]
    own = [row for row in own if rooms or judge_key(row["who"]) == judge_key(name)]
    told = [{**row, "body": json.loads(row["body"])} for row in own]
    told = [{name: cell for name, cell in row.items() if name != "sequence"} for row in told]
    return json.dumps(told, indent=1, ensure_ascii=False)
