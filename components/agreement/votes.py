"""How far people agree who voted on pairs here, or whose votes are in a file, and what follows from them."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from components.agreement import state
from components.annotate.voting import choose_set, open_task
from components.markdown import plain
from components.open.reading import read
from components.page import Download, downloads
from components.page_state import controlled
from components.tables import show_table
from core import limits
from core.people.agreement import tables
from core.people.agreement.votes import METHODS, Consensus, Scale, VoteTable, consensus, read_votes
from core.people.annotation.question import QUESTIONS
from core.people.annotation.voting import Purpose, Voter, counted_votes, voters
from core.results.render import as_csv, count_words, text_rows
from core.results.table import Table
from core.runtime import workshop


def votes_here() -> None:
    """Draws how far people agree who voted on the Annotate page."""
    with st.container(horizontal=True, vertical_alignment="center", key="agreement-votes"):
        st.segmented_control(
            "Question",
            list(QUESTIONS),
            format_func={"same_event": "Same event?", "better_headline": "Better headline?"}.__getitem__,
            required=True,
            label_visibility="collapsed",
            **controlled(
                "agreement-question", state.now().question, lambda chosen: state.put(question=chosen)
            ),
        )
        choose_set("agreement-pairs")
    task = open_task(state.now().question)
    everybody = voters(task, task.answers.read())
    main = task.pool(Purpose.MAIN)
    counted = [one for one in everybody.values() if one.counts and any(item.id in one.votes for item in main)]
    if workshop() and len(counted) < limits.POOLED_JUDGES.value:
        counted = []
    if not counted:
        st.info(
            "**Nobody has voted on these pairs so far.**  \nVotes are given on the Annotate page, under "
            "“Compare pairs” and “Better headline”.",
            icon=":material/how_to_vote:",
        )
        st.page_link("pages/annotate.py", label="Annotate", icon=":material/edit_square:")
        return
    found = counted_votes(task, counted)
    _agreement(found, Scale.NOMINAL)
    decided = _decided(found, usual="80")
    if not workshop():
        _people(decided, found, everybody)
        _labels(found, decided, "votes")


def _people(decided: Consensus, found: VoteTable, everybody: dict[str, Voter]) -> None:
    given = zip(found.people, decided.skills.tolist(), decided.votes.tolist(), strict=True)
    skills = {name: round(100 * skill) for name, skill, votes in given if votes}
    lines = []
    for one in everybody.values():
        right, asked = one.right(Purpose.CONTROL)
        lines.append(
            {
                "Person": one.who,
                "Votes": sum(one.task.by_id[item].pool == Purpose.MAIN for item in one.votes),
                "As decided %": skills.get(one.who),
                "Control pairs right": f"{right} of {asked}",
                "Seconds a pair": None if one.seconds is None else round(one.seconds, 1),
                "Counts": "yes" if one.counts else f"no: {one.stage.value}",
            }
        )
    st.header("Who voted", anchor=False)
    show_table(pd.DataFrame(lines), alt="Everybody who voted, with control pairs and time", most=300)


def votes_of_a_file() -> None:
    given = st.file_uploader(
        "Votes",
        key="agreement-file",
        help="A table with one vote a row (item, person, answer), or one item a row and a column for each "
        "person: CSV, TSV, XLSX, JSON, JSON Lines or Parquet. Toloka's files are read as they are.",
    )
    with st.container(horizontal=True, vertical_alignment="bottom", key="agreement-columns"):
        items = st.text_input("Columns of the item", key="agreement-items", placeholder="found by itself")
        person = st.text_input("Column of the person", key="agreement-person", placeholder="found by itself")
        answer = st.text_input("Column of the answer", key="agreement-answer", placeholder="found by itself")
        scale = st.selectbox("Scale", [one.value for one in Scale], key="agreement-scale")
    if given is None:
        return
    columns = tuple(filter(None, map(str.strip, items.split(","))))
    found = read("Reading the votes", _read, given.getvalue(), given.name, columns, person, answer)
    _agreement(found, Scale(scale))
    if Scale(scale) == Scale.NOMINAL:
        decided = _decided(found, usual="most")
        _drawn(tables.skills_table(found, decided), alt="How often each person gave the answer of the item")
        _labels(found, decided, "votes")


def _read(data: bytes, name: str, items: tuple[str, ...], person: str, answer: str) -> VoteTable:
    return read_votes(data, name, items=items, person=person.strip(), answer=answer.strip())


def _agreement(found: VoteTable, scale: Scale) -> None:
    table = tables.votes_table(found, scale=scale)
    _drawn(table, alt="Items, people, answers, equal pairs of answers and alpha")
    for note in table.notes:
        st.caption(plain(note))


def _decided(found: VoteTable, *, usual: str) -> Consensus:
    with st.container(horizontal=True, vertical_alignment="center", key="agreement-decide"):
        method = st.segmented_control(
            "Decided by",
            list(METHODS),
            format_func={"majority": "Majority", "dawid_skene": "Dawid–Skene", "glad": "GLAD"}.__getitem__,
            default="majority",
            required=True,
            key="agreement-method",
            label_visibility="collapsed",
        )
        quorum = state.choose_quorum("agreement-quorum", least="most", usual=usual)
    decided = consensus(found, method, quorum=quorum or 0.0)
    kept = count_words(decided.decided, "item", "items")
    st.caption(f"**{kept}** of {len(found.items):,} decided.")
    return decided


def _labels(found: VoteTable, decided: Consensus, begin: str) -> None:
    labels = tables.labels_table(found, decided)
    with st.expander("The answer of each item", icon=":material/checklist:"):
        _drawn(labels, alt="The answer of each item and the share of its votes")
    votes = pd.DataFrame(
        [
            {"item": found.items[item], "person": found.people[who], "answer": found.answers[code]}
            for item, row in enumerate(found.codes)
            for who, code in enumerate(row.tolist())
            if code >= 0
        ]
    )
    downloads(
        Download("Answers (CSV)", lambda: as_csv(labels), f"{begin}-answers.csv", "The answer of each item."),
        Download(
            "Votes (CSV)",
            lambda: votes.to_csv(index=False),
            f"{begin}.csv",
            "One line a vote, with who gave it.",
        ),
        key="agreement-votes-export",
    )


def _drawn(table: Table, *, alt: str) -> None:
    rows = text_rows(table)
    show_table(pd.DataFrame(rows[1:], columns=rows[0]), alt=alt, most=420)
