"""How far people agree who grouped a timeline, who voted on pairs, or whose votes are in a file."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import Final

import numpy as np
import streamlit as st

from components.frame.charts.measures import people_chart
from components.frame.charts.theme import show_chart
from components.frame.downloads import downloads, stem
from components.frame.errors import errors_shown
from components.frame.markdown import HELPS, plain
from components.frame.page_state import controlled
from components.frame.publish import publish_table, show_published
from components.frame.widgets import TABLES, choose_here, notice, part_link, segments, show_result, show_table
from components.opened import resources
from components.opened.importer import looked_at, read
from components.opened.resources import cached
from components.opened.views import timeline as timeline_state
from components.opened.views.people import AGREEMENT, ANNOTATE, QUORUMS, turn_to
from components.people.judge.adjudicate import SIDE, adjudicated, ask_headlines, ask_pairs, over_time
from components.people.judge.sitting import for_other_tools
from components.people.judge.voting import choose_set, open_task, pair_task
from components.timeline.workspace import choose_timeline
from core import limits
from core.arrays import FloatArray, IntArray
from core.data.pair_sets.assembly import timeline_groups
from core.data.pair_sets.load import load_pair_set
from core.data.timelines.timeline import Timeline
from core.people import agreement, agreement_tables, group_columns
from core.people import grouping as annotation
from core.people.adjudication import adjudication, released_format
from core.people.agreement import GroupAgreement, Record
from core.people.agreement_over_time import grouped_over_time, voted_over_time
from core.people.agreement_tables import likely_groups_table
from core.people.divided_items import Divided, divided_items
from core.people.gold import GoldGroups, GoldLabels, gold_groups, gold_labels, with_intervals
from core.people.simulated_annotators import with_simulated
from core.people.study import Purpose
from core.people.vote_consensus import METHODS, VoteConsensus, consensus
from core.people.vote_files import read_votes, vote_answers
from core.people.votes import VoteTable, joined_votes
from core.people.voting import Voter, counted_votes, pair_tasks, simulated_voters, voters
from core.results.render import count_words
from core.results.table import Table
from core.results.table_files import as_csv
from core.runtime import workshop
from core.statistics.krippendorff import Scale

_SHARES: Final = {"60": 0.6, "80": 0.8, "all": 1.0}


def choose_quorum(key: str, *, least: str, usual: str) -> float | None:
    """Draws the choice of who must agree; gives the least share, None for the least there is."""
    words, put = [least, *_SHARES], AGREEMENT.put
    here = AGREEMENT.now().quorum if AGREEMENT.now().quorum in words else usual
    more = {"take": lambda word: put(quorum=word), "width": 220}
    return _SHARES.get(choose_here("Who must agree", words, QUORUMS, key, here, **more))


SIMULATED: Final = 5  # annotators


def shown_name(column: str) -> str:
    name = column.removeprefix(group_columns.PREFIX)
    return f"annotator {name}" if name.isdigit() else name


@cached(max_entries=16)
def _agreement(timeline: Timeline, quorum: float | None) -> tuple[GroupAgreement, GoldGroups, Table]:
    found = agreement.group_agreement(timeline, quorum=quorum)
    table = agreement_tables.timelines_table([found], [with_intervals(found)])
    return found, gold_groups(found.annotators), table


def groups() -> None:
    with st.container(horizontal=True, vertical_alignment="center", key="agreement-bar"):
        choose_timeline("agreement-data", lambda: turn_to(None))
        here = timeline_state.now().data
        timeline, found_again = group_columns.with_stored(resources.timeline(here))
        timeline = timeline if workshop() else _with_files(timeline)
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
        notice("agreement_few", who=who, fewest=fewest if workshop() else "two")
        part_link("Annotate", "annotate", "edit_square")
        return
    _agree(timeline, np.asarray(resources.model_groups(here), dtype=np.int64), quorum, simulate=simulate)


def _agree(timeline: Timeline, model: IntArray, quorum: float | None, *, simulate: bool) -> None:
    found, gold, table = _agreement(timeline, quorum)
    # The name comes last: on a phone it would hide the figures.
    size, title = table.only(*range(1, len(table.columns)), 0), f"Agreement on {timeline.name}"
    show_result(size, alt="Headlines, groups, positive pairs and agreement")
    publish_table(lambda: table, name="agreement-table", title=title)
    annotators, names = found.annotators, [shown_name(person["annotator"]) for person in found.people]
    sided: dict[str, FloatArray | IntArray] = {SIDE: 100 * agreement.with_model(annotators, model)}
    if len(names) == 2:
        sides, share = agreement.model_sides(annotators, model)
        sided = {f"Model with {name}": sides[:, at] for at, name in enumerate(names)}
        st.caption("With two annotators, a majority is both of them." * (quorum is None))
    if not workshop():
        own = agreement.compared("the model", model, annotators, quorum=quorum)
        _people(found, names, own, gold, title)
        if len(names) == 2:
            st.markdown(plain(agreement_tables.sided(names, share)))
    likely = likely_groups_table(timeline, gold)
    with st.expander("Groups with their probability", icon=":material/percent:"):
        show_result(likely, alt="Each group and how likely it is exactly right, the least sure first")
    if workshop():
        st.caption("Names and groups of annotators are not shown in a workshop.")
        return
    if not simulate:
        task = annotation.grouping_task(timeline)
        over_time(lambda: grouped_over_time(task, task.answers.read()))
    title, answers = "Headlines that divide people", adjudication(timeline.index, simulated=simulate)
    of = {"texts": timeline.texts, "shares": found.divided, "merged": found.merged, "sided": sided}
    divided = Divided(title=title, answers=answers, **of)
    adjudicated(divided, ask_headlines(timeline, timeline_groups(timeline)[1], shown_name, model))
    begin = stem(timeline.name, "timeline")

    def released() -> str:
        return str(released_format(timeline, found.merged, divided.read()).to_csv(index=False))

    downloads(("Annotated timeline (CSV)", released, f"{begin}-annotated.csv"), key="agreement-export")
    answers = partial(group_columns.group_answers, timeline)
    made = {"tasks": lambda: answers().tasks(), "answers": answers}
    for_other_tools(made, begin, "agreement-groups")


def _with_files(timeline: Timeline) -> Timeline:
    """The timeline with the groups of files from other tools, while they are open here."""
    with st.popover("Add groups from files", icon=":material/upload_file:", key="agreement-add"):
        look = {"accept_multiple_files": True, "help": HELPS["agreement-add-files"]}
        for given in st.file_uploader("Groups", key="agreement-add-files", **look):
            with errors_shown("Agreement"):
                asked = (
                    "Reading the groups",
                    group_columns.with_answers,
                    timeline,
                    given.getvalue(),
                    given.name,
                )
                mark = f"{timeline.fingerprint} {given.file_id}"
                timeline, said = looked_at(*asked, remembered="agreement-groups", mark=mark)
                st.caption(plain(said))
    return timeline


def _say_simulated(said: str) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key="agreement-simulated"):
        st.markdown(f":orange-badge[:material/smart_toy: simulated] {said}", width="content")
        part_link("Annotate", "annotate", "edit_square")


def _people(found: GroupAgreement, names: list[str], model: Record, gold: GoldGroups, title: str) -> None:
    named = [{**person, "annotator": name} for name, person in zip(names, found.people, strict=True)]
    people = agreement_tables.people_table(replace(found, people=tuple(named)), [model], gold)
    show_published(people, name="agreement-people", title=title, **TABLES["annotators"])
    if any(figure.value is not None for figure in gold.people):
        title = "How often each annotator's pairs are probably right"
        show_chart(people_chart(names, gold.people, "Expected F1"), name="agreement-accuracy", title=title)


def votes_here() -> None:
    with st.container(horizontal=True, vertical_alignment="center", key="agreement-votes"):
        words = {"same_event": "Same event?", "better_headline": "Better headline?"}
        AGREEMENT.show("question", words, "agreement-question")
        choose_set("agreement-pairs")
    task = open_task(AGREEMENT.now().question)
    everybody = voters(task, task.answers.read())
    main = task.pool(Purpose.MAIN)
    pairs = {item.id for item in main}
    counted = [each for each in everybody.values() if each.counts and not pairs.isdisjoint(each.votes)]
    if workshop() and len(counted) < limits.POOLED_JUDGES.value:
        counted = []
    simulated = not counted
    if simulated:
        _say_simulated("Nobody has voted on these pairs yet: five simulated people show what comes out.")
        everybody = _simulated(ANNOTATE.now().pairs, AGREEMENT.now().question)
        counted = [voter for voter in everybody.values() if voter.counts]
    table = counted_votes(task, counted, () if simulated else task.answers.read())
    _alpha(table, Scale.NOMINAL, simulated=simulated)
    decided = _decided(table, usual="80")
    if simulated or not workshop():
        given = zip(table.people, decided.skills.tolist(), decided.votes.tolist(), strict=True)
        skills = {name: round(100 * skill) for name, skill, votes in given if votes}
        voters_shown(everybody.values(), skills)
        divided = None
        if not workshop():
            if not simulated:
                over_time(lambda: voted_over_time(table))
            question, texts = task.question, [item.name for item in main]
            stored = adjudication(task.index, question.key, simulated=simulated)
            asked = {"title": "Pairs that divide people", "answers": stored, "values": question.values}
            divided = divided_items(table, texts, texts=texts, **asked)
            adjudicated(divided, ask_pairs(task, divided))
        _labels(table, decided, simulated=simulated, divided=divided)
        made = {"tasks": partial(pair_tasks, task), "answers": partial(vote_answers, table)}
        made = {"tasks": made["tasks"]} if simulated else made
        for_other_tools(made, task.question.key, "agreement-pairs")


def voters_shown(everybody: Iterable[Voter], skills: Mapping[str, int]) -> None:
    """A line for each person who voted, and why somebody does not count."""
    lines = [
        {
            "Person": voter.who,
            "Votes": sum(voter.task.by_id[item].use == Purpose.MAIN for item in voter.votes),
            **({"As decided %": skills.get(voter.who)} if skills else {}),
            "Control pairs right": "{} of {}".format(*voter.right(Purpose.CONTROL)),
            "Seconds a pair": "–" if voter.seconds is None else f"{voter.seconds:.1f}",
            "Counts": "yes" if voter.counts else f"no: {voter.stage.value}",
        }
        for voter in everybody
    ]
    st.header("Who voted", anchor=False)
    show_table(lines, alt="Everybody who voted, with control pairs and time", most=300)


@cached(max_entries=8)
def _likely(votes: VoteTable) -> GoldLabels:
    return gold_labels(votes.codes, len(votes.answers))


@cached(max_entries=8)
def _simulated(pairs: str, question: str) -> dict[str, Voter]:
    return simulated_voters(pair_task(pairs, question), load_pair_set(pairs))


def votes_of_a_file() -> None:
    look = {"accept_multiple_files": True, "help": HELPS["agreement-file"]}
    given = st.file_uploader("Votes", key="agreement-file", **look)
    with st.container(horizontal=True, vertical_alignment="bottom", key="agreement-columns"):
        look = {"placeholder": "found by itself"}
        items = st.text_input("Columns of the item", key="agreement-items", **look)
        person = st.text_input("Column of the person", key="agreement-person", **look)
        answer = st.text_input("Column of the answer", key="agreement-answer", **look)
        scale = Scale(st.selectbox("Scale", [scale.value for scale in Scale], key="agreement-scale"))
    if not given:
        _say_simulated("An example until you give a file: five simulated people vote on pairs of headlines.")
        example = "iss.v1", "same_event"
        votes = counted_votes(pair_task(*example), _simulated(*example).values())
    else:
        columns = tuple(filter(None, map(str.strip, items.split(","))))
        work = partial(read_votes, items=columns, person=person.strip(), answer=answer.strip())
        tables = [read("Reading the votes", work, file.getvalue(), file.name) for file in given]
        votes = joined_votes(tables)
    _alpha(votes, scale, simulated=not given)
    over_time(voted_over_time(votes, scale))
    if scale == Scale.NOMINAL:
        decided = _decided(votes, usual="most")
        skills = agreement_tables.skills_table(votes, decided, _likely(votes))
        show_result(skills, alt="How often each person gave the answer of the item", most=420)
        _labels(votes, decided, simulated=not given)
        if given:
            for_other_tools({"answers": partial(vote_answers, votes)}, "votes", "agreement-votes")


def _alpha(found: VoteTable, scale: Scale, *, simulated: bool) -> None:
    table = agreement_tables.votes_table(found, scale=scale)
    title = f"How far {'simulated ' * simulated}people agree who voted"
    show_published(table, name="agreement-votes", title=title, **TABLES["alpha"])


def _decided(found: VoteTable, *, usual: str) -> VoteConsensus:
    with st.container(horizontal=True, vertical_alignment="center", key="agreement-decide"):
        words = {"majority": "Majority", "dawid_skene": "Dawid–Skene", "glad": "GLAD"}
        method = segments("Decided by", METHODS, words, "agreement-method")
        quorum = choose_quorum("agreement-quorum", least="most", usual=usual)
    decided = consensus(found, method, quorum=quorum or 0.0)
    counted_items = count_words(decided.decided, "item", "items")
    st.caption(f"**{counted_items}** of {len(found.items):,} decided.")
    return decided


def _labels(
    found: VoteTable, decided: VoteConsensus, *, simulated: bool, divided: Divided | None = None
) -> None:
    labels = agreement_tables.labels_table(found, decided, _likely(found))
    with st.expander("The answer of each item", icon=":material/checklist:"):
        show_result(labels, alt="The answer of each item and the share of its votes", most=420)

    rows = {} if divided is None else {text: row for row, text in enumerate(divided.texts)}

    def made(table: Table) -> str:
        return as_csv(table if divided is None else divided.read().added(table, rows))

    said = "One line a vote, with who gave it."
    votes = partial(made, agreement_tables.given_table(found))
    files = [("Votes (CSV)", votes, "simulated-" * simulated + "votes.csv", said)]
    if not simulated:  # answers name no people, who would say that they are simulated
        answers = partial(made, labels), "votes-answers.csv", "The answer of each item."
        files.insert(0, ("Answers (CSV)", *answers))
    downloads(*files, key="agreement-votes-export")
