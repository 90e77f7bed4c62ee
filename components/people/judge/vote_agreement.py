"""How far people agree who voted on pairs, here or in a file."""

from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from components.frame.downloads import downloads
from components.frame.figure_table import ALL_FIGURES, show_figures
from components.frame.markdown import HELPS, plain
from components.frame.publish import show_published
from components.frame.tables import TABLES, show_result
from components.frame.widgets import segments
from components.opened.reading import read
from components.opened.resources import cached
from components.opened.views.people import AGREEMENT, ANNOTATE
from components.people.judge.adjudicate import adjudicated, ask_pairs, over_time
from components.people.judge.agreement import choose_quorum, say_agreement, say_simulated, voters_shown
from components.people.judge.other_tools import for_other_tools
from components.people.judge.voting import choose_set, open_task, pair_task
from core import limits
from core.data.pair_sets.load import load_pair_set
from core.people import agreement_tables, gold, study, vote_files, voting
from core.people import votes as ballots
from core.people.adjudication import Divided, adjudication, divided_items
from core.results.number_forms import percent, written
from core.results.render import count_words
from core.results.table import Table, number_of
from core.results.table_files import as_csv
from core.runtime import workshop
from core.statistics.krippendorff import Scale

_likely = cached(lambda votes: gold.gold_labels(votes.codes, len(votes.answers)), max_entries=8)


def votes_here(bar: DeltaGenerator) -> None:
    with bar:
        words = {"same_event": "Same event?", "better_headline": "Better headline?"}
        AGREEMENT.show("question", words, "agreement-question")
        choose_set("agreement-pairs")
    task = open_task(AGREEMENT.now().question)
    everybody = voting.voters(task, task.answers.read())
    main = task.pool(study.Purpose.MAIN)
    pairs = {item.id for item in main}
    counted = [each for each in everybody.values() if each.counts and not pairs.isdisjoint(each.votes)]
    if workshop() and len(counted) < limits.POOLED_JUDGES.value:
        counted = []
    simulated = not counted
    if simulated:
        say_simulated("Nobody has voted on these pairs yet: five simulated people show what comes out.")
        everybody = _simulated(ANNOTATE.now().pairs, AGREEMENT.now().question)
        counted = [voter for voter in everybody.values() if voter.counts]
    table = voting.counted_votes(task, counted, () if simulated else task.answers.read())
    _alpha(table, Scale.NOMINAL, simulated=simulated)
    decided = _decided(table, usual="80")
    if simulated or not workshop():
        given = zip(table.people, decided.skills.tolist(), decided.votes.tolist(), strict=True)
        voters_shown(everybody.values(), {name: round(100 * skill) for name, skill, votes in given if votes})
        divided = None
        if not workshop():
            if not simulated:
                over_time(lambda: agreement_tables.voted_over_time(table))
            question, texts = task.question, [item.name for item in main]
            stored = adjudication(task.index, question.key, simulated=simulated)
            asked = {"title": "Pairs that divide people", "answers": stored, "values": question.values}
            divided = divided_items(table, texts, texts=texts, **asked)
            adjudicated(divided, ask_pairs(task, divided))
        _labels(table, decided, simulated=simulated, divided=divided)
        made = {"tasks": partial(voting.pair_tasks, task), "answers": partial(vote_files.vote_answers, table)}
        made = {"tasks": made["tasks"]} if simulated else made
        for_other_tools(made, task.question.key, "agreement-pairs")


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
        say_simulated("An example until you give a file: five simulated people vote on pairs of headlines.")
        example = "iss.v1", "same_event"
        votes = voting.counted_votes(pair_task(*example), _simulated(*example).values())
    else:
        columns = tuple(filter(None, map(str.strip, items.split(","))))
        work = partial(vote_files.read_votes, items=columns, person=person.strip(), answer=answer.strip())
        tables = [read("Reading the votes", work, file.getvalue(), file.name) for file in given]
        votes = ballots.joined_votes(tables)
    _alpha(votes, scale, simulated=not given)
    over_time(agreement_tables.voted_over_time(votes, scale))
    if scale == Scale.NOMINAL:
        decided = _decided(votes, usual="most")
        skills = agreement_tables.skills_table(votes, decided, _likely(votes))
        show_figures(skills, alt="How often each person gave the answer of the item")
        _labels(votes, decided, simulated=not given)
        if given:
            for_other_tools({"answers": partial(vote_files.vote_answers, votes)}, "votes", "agreement-votes")


@cached(max_entries=8)
def _simulated(pairs: str, question: str) -> dict[str, voting.Voter]:
    return voting.simulated_voters(pair_task(pairs, question), load_pair_set(pairs))


def _alpha(found: ballots.VoteTable, scale: Scale, *, simulated: bool) -> None:
    table = agreement_tables.votes_table(found, scale=scale)
    items, people, answers, equal, *_, figure = table.rows[0]
    said = f"{items:,} items, {answers:,} answers, {written(number_of(equal), percent())} % of pairs equal"
    who = "simulated person" if simulated else "person", "simulated people" if simulated else "people"
    say_agreement(count_words(people, *who), "alpha", figure, said)
    if table.notes:
        st.caption(plain(" ".join(table.notes)))
    title = f"How far {'simulated ' * simulated}people agree who voted"
    with st.expander(ALL_FIGURES, icon=":material/table_rows:"):
        show_published(table, name="agreement-votes", title=title, **TABLES["alpha"])


def _decided(found: ballots.VoteTable, *, usual: str) -> ballots.VoteConsensus:
    with st.container(horizontal=True, vertical_alignment="center", key="agreement-decide"):
        words = {"majority": "Majority", "dawid_skene": "Dawid–Skene", "glad": "GLAD"}
        method = segments("Decided by", ballots.METHODS, words, "agreement-method")
        quorum = choose_quorum("agreement-quorum", least="most", usual=usual)
    decided = ballots.consensus(found, method, quorum=quorum or 0.0)
    st.caption(f"**{count_words(decided.decided, 'item', 'items')}** of {len(found.items):,} decided.")
    return decided


def _labels(
    found: ballots.VoteTable,
    decided: ballots.VoteConsensus,
    *,
    simulated: bool,
    divided: Divided | None = None,
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
