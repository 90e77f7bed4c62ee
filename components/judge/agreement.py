"""How far people agree who grouped a timeline, who voted on pairs, or whose votes are in a file."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Final, NamedTuple

import numpy as np
import pandas as pd
import streamlit as st

from components import resources
from components.charts.measures import divided_chart
from components.charts.theme import show_chart
from components.importer import read
from components.judge.grouping import record
from components.judge.results import judge_field
from components.judge.voting import choose_set, open_task, pair_task
from components.markdown import plain, shorten
from components.page import downloads, errors_kept, stem
from components.page_state import controlled
from components.publish import publish_table
from components.resources import cached
from components.timeline import state as timeline_state
from components.timeline.workspace import choose_timeline
from components.views import AGREEMENT, ANNOTATE, QUORUMS, annotator
from components.widgets import button, choose_here, choose_row, part_link, segments, show_result, show_table
from core import limits
from core.arrays import FloatArray, IntArray
from core.data.identity import Answers
from core.data.pair_sets.assembly import timeline_groups
from core.data.pair_sets.load import load_pair_set
from core.data.timelines.timeline import Timeline
from core.errors import InputError
from core.events.grouping import Settings
from core.journal.journal import Entry
from core.people import agreement
from core.people import grouping as annotation
from core.people.agreement import (
    GroupAgreement,
    companions,
    compared,
    group_agreement,
    with_model,
    with_simulated,
)
from core.people.grouping import adjudication as stored_decisions
from core.people.ratings import judge_key
from core.people.votes import METHODS, Consensus, Scale, VoteTable, consensus, read_votes
from core.people.voting import Purpose, Voter, counted_votes, simulated_voters, voters
from core.results.render import as_csv, count_words, text_rows
from core.results.table import Table
from core.runtime import workshop

_DIFFER: Final = "Differ %"
_SIDE: Final = "With model %"


_SHARES: Final = {"60": 0.6, "80": 0.8, "all": 1.0}


def names_shown() -> bool:
    """Whether annotators, model and what others decided are shown: to who asked, and to no other judge."""
    return AGREEMENT.now().asked == annotator() != ""


def choose_quorum(key: str, *, least: str, usual: str) -> float | None:
    """Draws the choice of who must agree; gives the least share, None for the least there is."""
    words, put = [least, *_SHARES], AGREEMENT.put
    here = AGREEMENT.now().quorum if AGREEMENT.now().quorum in words else usual
    more = {"take": lambda word: put(quorum=word), "width": 220}
    return _SHARES.get(choose_here("Who must agree", words, QUORUMS, key, here, **more))


def divided_map(timeline: Timeline, divided: FloatArray, sided: FloatArray) -> None:
    """Draws the headlines on which people differ; one that is chosen in the list is adjudicated."""
    rows = [row for row in np.argsort(-np.nan_to_num(divided), kind="stable").tolist() if divided[row] > 0]
    with st.container(horizontal=True, vertical_alignment="center", key="agreement-divided-head"):
        st.header("Headlines that divide people", anchor=False, width="content")
        asked = controlled("agreement-open", names_shown(), lambda on: AGREEMENT.put(asked=annotator() * on))
        st.toggle("Show annotators and the model", disabled=not annotator(), **asked)
        st.caption("Type your name below first. Once seen, your decisions are no longer blind.")
    shown = names_shown()
    if not rows:
        st.success("Nobody differs on any pair of headlines.", icon=":material/check:")
        AGREEMENT.put(row=None)
        return
    said = pd.DataFrame({_DIFFER: [round(100 * divided[row]) for row in rows]})
    if shown:
        said[_SIDE] = [round(100 * sided[row]) for row in rows]
    said["Headline"] = [timeline.texts[row] for row in rows]
    picture, listed = st.columns([2, 3], gap="large") if shown else (st.empty(), st.container())
    if shown:
        with picture:
            show_chart(
                divided_chart(said, differ=_DIFFER, side=_SIDE),
                name="agreement-divided",
                title="Headlines that divide people, and how many answers are on the model's side",
                source=f"Source: Headline Lab, {len(said):,} headlines of {timeline.name}",
                key="agreement-map",
            )
    with listed:
        differ = "Of this headline's pairs that somebody put together, how many somebody else did not"
        side = "Of the answers to these pairs, how many say what the model says, in percent."
        columns = {_DIFFER: (90, f"{differ}, in percent."), _SIDE: (110, side)}
        alt = "The headlines that divide people, the most divided first"
        chosen = choose_row(said, key="agreement-divided", alt=alt, most=420, columns=columns)
    AGREEMENT.put(row=None if chosen is None else rows[chosen])


SIMULATED: Final = 5  # annotators


class ComparedPeople(NamedTuple):
    timeline: Timeline
    found: GroupAgreement
    model: IntArray
    answers: Answers

    @property
    def annotators(self) -> IntArray:
        return timeline_groups(self.timeline)[1]


def shown_name(column: str) -> str:
    name = column.removeprefix(annotation.PREFIX)
    return f"annotator {name}" if name.isdigit() else name


_agreement = cached(group_agreement, max_entries=16)


def groups() -> None:
    with st.container(horizontal=True, vertical_alignment="center", key="agreement-bar"):
        choose_timeline("agreement-data", lambda: AGREEMENT.put(row=None))
        here = timeline_state.now().data
        timeline, found_again = annotation.with_stored(resources.timeline(here))
        count, fewest = len(timeline.annotators), limits.POOLED_JUDGES.value if workshop() else 2
        lacking = "yes" if count < fewest and timeline.has_gold else "no"
        simulate = (AGREEMENT.now().simulate or lacking) == "yes"
        look = controlled(
            "agreement-simulate", simulate, lambda on: AGREEMENT.put(simulate="yes" if on else "no")
        )
        st.toggle(f"{SIMULATED} simulated annotators instead of people", **look)
        quorum = choose_quorum("agreement-joined", least="half", usual="half")
    who = ("Nobody has", "One person has", "Too few people have")[min(count, 2)]
    if simulate:
        _say_simulated(
            f"{who} grouped these headlines so far. " * (count < fewest)
            + "These five are made up: known groups with random mistakes."
        )
        timeline = with_simulated(timeline, SIMULATED)
    elif said := found_again.sentence():
        st.caption(f":material/link: {said}")
    if not simulate and count < fewest:
        st.info(
            f"**{who} grouped these headlines so far.**  \nAgreement needs "
            f"{fewest if workshop() else 'two'} people. Let them group the headlines under Annotate, or open "
            "a file with their groups.",
            icon=":material/group:",
        )
        part_link("Annotate", "annotate", "edit_square")
        return
    prepared = resources.prepared(here, Settings())
    model = np.asarray(resources.grouping(prepared, None).ids[prepared.position], dtype=np.int64)
    answers = stored_decisions(timeline, simulated=simulate)
    here_is = ComparedPeople(timeline, _agreement(timeline, quorum=quorum), model, answers)
    _tables(here_is, quorum)
    if workshop():
        st.caption("Names and groups of annotators are not shown in a workshop.")
        return
    if names_shown() and annotation.shown_to(answers.read(), annotator()) == annotation.BLIND:
        record(answers, annotation.SHOWN, {})
    divided_map(here_is.timeline, here_is.found.divided, with_model(here_is.annotators, model))
    decided = adjudicate(here_is)
    begin = stem(timeline.name, "timeline")
    help = "As HLGD was released: url, headline, date, annot_1_group and so on, global_group."
    released = partial(annotation.released_format, timeline, here_is.found.merged, decided)
    downloads(
        ("Annotated timeline (CSV)", lambda: released().to_csv(index=False), f"{begin}-annotated.csv", help),
        key="agreement-export",
    )


def _say_simulated(said: str) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key="agreement-simulated"):
        st.markdown(f":orange-badge[:material/smart_toy: simulated] {said}", width="content")
        part_link("Annotate", "annotate", "edit_square")


def _tables(here: ComparedPeople, quorum: float | None) -> None:
    table = agreement.timelines_table([here.found])
    size = _frame(table)
    # The name comes last: on a phone it would hide the figures.
    size = size[[*size.columns[1:], size.columns[0]]]
    show_table(size, alt="Headlines, groups, positive pairs and agreement")
    words = {"title": f"Agreement on {here.timeline.name}", "source": "Source: Headline Lab"}
    publish_table(lambda: table, name="agreement-table", **words)
    if workshop():
        return
    model = compared("the model", here.model, here.annotators, quorum=quorum)
    people = agreement.people_table(here.found, [model])
    people = replace(people, rows=tuple((shown_name(str(row[0])), *row[1:]) for row in people.rows))
    alt = "Each annotator against the groups merged from the others, and the model"
    show_table(_frame(people), alt=alt, columns={"Annotator": st.column_config.TextColumn(pinned=True)})
    publish_table(lambda: people, name="agreement-people", **words)
    st.caption(
        "AMI, ARI and pair F1. Each annotator is compared with the merged groups of the others, the model "
        "with those of all."
    )


def _frame(table: Table) -> pd.DataFrame:
    rows = text_rows(table)
    return pd.DataFrame(rows[1:], columns=rows[0])


def votes_here() -> None:
    with st.container(horizontal=True, vertical_alignment="center", key="agreement-votes"):
        words = {"same_event": "Same event?", "better_headline": "Better headline?"}
        AGREEMENT.show("question", words, "agreement-question")
        choose_set("agreement-pairs")
    task = open_task(AGREEMENT.now().question)
    everybody = voters(task, task.answers.read())
    main = task.pool(Purpose.MAIN)
    counted = [
        voter for voter in everybody.values() if voter.counts and any(item.id in voter.votes for item in main)
    ]
    if workshop() and len(counted) < limits.POOLED_JUDGES.value:
        counted = []
    simulated = not counted
    if simulated:
        _say_simulated("Nobody has voted on these pairs yet: five simulated people show what comes out.")
        everybody = _simulated(ANNOTATE.now().pairs, AGREEMENT.now().question)
        counted = [voter for voter in everybody.values() if voter.counts]
    table = counted_votes(task, counted)
    _alpha(table, Scale.NOMINAL, simulated=simulated)
    decided = _decided(table, usual="80")
    if simulated or not workshop():
        given = zip(table.people, decided.skills.tolist(), decided.votes.tolist(), strict=True)
        skills = {name: round(100 * skill) for name, skill, votes in given if votes}
        lines = []
        for voter in everybody.values():
            right, asked = voter.right(Purpose.CONTROL)
            lines.append(
                {
                    "Person": voter.who,
                    "Votes": sum(voter.task.by_id[item].pool == Purpose.MAIN for item in voter.votes),
                    "As decided %": skills.get(voter.who),
                    "Control pairs right": f"{right} of {asked}",
                    "Seconds a pair": "–" if voter.seconds is None else f"{voter.seconds:.1f}",
                    "Counts": "yes" if voter.counts else f"no: {voter.stage.value}",
                }
            )
        st.header("Who voted", anchor=False)
        show_table(lines, alt="Everybody who voted, with control pairs and time", most=300)
        _labels(table, decided, simulated=simulated)


@cached(max_entries=8)
def _simulated(pairs: str, question: str) -> dict[str, Voter]:
    return simulated_voters(pair_task(pairs, question), load_pair_set(pairs))


def votes_of_a_file() -> None:
    given = st.file_uploader(
        "Votes",
        key="agreement-file",
        help="A table with one vote a row: item, person, answer. Or one item a row, with a column for each "
        "person: CSV, TSV, XLSX, JSON, JSON Lines or Parquet. Toloka's files are read as they are.",
    )
    with st.container(horizontal=True, vertical_alignment="bottom", key="agreement-columns"):
        look = {"placeholder": "found by itself"}
        items = st.text_input("Columns of the item", key="agreement-items", **look)
        person = st.text_input("Column of the person", key="agreement-person", **look)
        answer = st.text_input("Column of the answer", key="agreement-answer", **look)
        scale = Scale(st.selectbox("Scale", [scale.value for scale in Scale], key="agreement-scale"))
    if given is None:
        _say_simulated("An example until you give a file: five simulated people vote on pairs of headlines.")
        example = "iss.v1", "same_event"
        votes = counted_votes(pair_task(*example), _simulated(*example).values())
    else:
        columns = tuple(filter(None, map(str.strip, items.split(","))))
        work = partial(read_votes, items=columns, person=person.strip(), answer=answer.strip())
        votes = read("Reading the votes", work, given.getvalue(), given.name)
    _alpha(votes, scale, simulated=given is None)
    if scale == Scale.NOMINAL:
        decided = _decided(votes, usual="most")
        skills = agreement.skills_table(votes, decided)
        show_result(skills, alt="How often each person gave the answer of the item", most=420)
        _labels(votes, decided, simulated=given is None)


def _alpha(found: VoteTable, scale: Scale, *, simulated: bool) -> None:
    table = agreement.votes_table(found, scale=scale)
    show_result(table, alt="Items, people, answers, equal pairs of answers and alpha", most=420)
    people = "simulated people" if simulated else "people"
    words = {"title": f"How far {people} agree who voted", "source": "Source: Headline Lab"}
    publish_table(lambda: table, name="agreement-votes", **words)
    for note in table.notes:
        st.caption(plain(note))


def _decided(found: VoteTable, *, usual: str) -> Consensus:
    with st.container(horizontal=True, vertical_alignment="center", key="agreement-decide"):
        words = {"majority": "Majority", "dawid_skene": "Dawid–Skene", "glad": "GLAD"}
        method = segments("Decided by", METHODS, words, "agreement-method")
        quorum = choose_quorum("agreement-quorum", least="most", usual=usual)
    decided = consensus(found, method, quorum=quorum or 0.0)
    counted_items = count_words(decided.decided, "item", "items")
    st.caption(f"**{counted_items}** of {len(found.items):,} decided.")
    return decided


def _labels(found: VoteTable, decided: Consensus, *, simulated: bool) -> None:
    labels = agreement.labels_table(found, decided)
    with st.expander("The answer of each item", icon=":material/checklist:"):
        show_result(labels, alt="The answer of each item and the share of its votes", most=420)
    said = "One line a vote, with who gave it."
    votes = pd.DataFrame(
        [
            {"item": found.items[item], "person": found.people[who], "answer": found.answers[code]}
            for item, row in enumerate(found.codes)
            for who, code in enumerate(row.tolist())
            if code >= 0
        ]
    )
    files = [("Votes (CSV)", lambda: votes.to_csv(index=False), "simulated-" * simulated + "votes.csv", said)]
    if not simulated:  # answers name no people, who would say that they are simulated
        help = "The answer of each item."
        files.insert(0, ("Answers (CSV)", lambda: as_csv(labels), "votes-answers.csv", help))
    downloads(*files, key="agreement-votes-export")


def adjudicate(here: ComparedPeople) -> dict[int, Entry]:
    said, count = here.answers.read(), len(here.timeline)
    mine = [entry for entry in said if judge_key(entry.who) == judge_key(annotator())]
    decided, own = (annotation.decisions(entries, count) for entries in (said, mine))
    judge_field()
    row = AGREEMENT.now().row
    if row is None:
        st.caption("Choose a headline in the list to decide what it belongs with, under your name.")
    else:
        _card(here, row, (decided if names_shown() else own).get(row))
    if decision := annotation.said_of(decided):
        st.caption(f":material/gavel: {decision}")
    return decided


def _card(here: ComparedPeople, row: int, last: Entry | None) -> None:
    texts = here.timeline.texts
    with st.container(border=True, key="agreement-card"):
        st.markdown(f"**{plain(texts[row])}**")
        # Blind, the order says nothing either.
        others = companions(here.annotators, row, here.model)
        for other in others if names_shown() else sorted(others, key=lambda one: one.row):
            with st.container(horizontal=True, vertical_alignment="center"):
                _button("Same event", here.answers, row, other.row, last)
                said = plain(shorten(texts[other.row], 120))
                if names_shown():
                    names = [plain(shown_name(name)) for name in here.timeline.annotators]
                    together = ", ".join(names[who] for who in other.together)
                    apart = ", ".join(names[who] for who in other.apart) or "nobody"
                    model = "together" if other.model else "apart"
                    said += f"  \n:gray[together: {together} · apart: {apart} · model: {model}]"
                st.markdown(said, width="stretch")
        with st.container(horizontal=True, vertical_alignment="center"):
            _button("No other headline reports this event", here.answers, row, annotation.ALONE, last)
            if last is not None and judge_key(last.who) == judge_key(annotator()):
                back = here.answers, annotation.TAKEN_BACK, {"of": last.id}
                button("Take back", f"adjudicate-{row}-back", _record, *back, icon="undo", type="tertiary")
        if last is not None:
            blind = annotation.shown_for(last) == annotation.BLIND
            how = "blind" if blind else "who had seen the annotators and the model"
            st.caption(f"Decided by {plain(last.who)}, {how}")


def _button(label: str, answers: Answers, row: int, other: int, last: Entry | None) -> None:
    said = answers, annotation.DECIDED, {"row": row, "with": other}
    look = "primary" if last is not None and last.body["with"] == other else "secondary"
    button(label, f"adjudicate-{row}-{other}", _record, *said, type=look, disabled=not annotator())


@errors_kept()
def _record(answers: Answers, kind: str, body: dict[str, object]) -> None:
    if not annotator():
        raise InputError("Nobody has said who decides.", hint="Type your name or initials first.")
    record(answers, kind, {**body, "shown": annotation.shown_to(answers.read(), annotator())})
