"""Benchmark of pair models: the table of a set, the mistakes of a system, where two disagree."""

from typing import Final

import streamlit as st

from components.frame.subject import signature
from components.frame.widgets import segments
from components.lab import own_pairs, pair_errors, pair_measuring, pair_sets, pair_table
from components.lab.leaderboard import leaderboard
from components.lab.papers import papers
from core.data.pair_sets.load import available_sets

TABLE, ERRORS, SPLIT = "The table", "Mistakes", "Disagreements"
SET, FIRST = "pairs-set", "ecbplus.v1"


def pairs() -> None:
    newest = pair_measuring.newest_table()
    here = available_sets()
    # A set of the table that ships is shown without its data; a file that was removed is not.
    keys = [dataset.key for dataset in newest.sets] if newest else []
    measured = [key for key in keys if key in here or pair_measuring.is_named(key)]
    left, right = st.columns(2, vertical_alignment="bottom")
    with left:
        chosen = pair_sets.choose_set(SET, list(dict.fromkeys([*measured, *here])), FIRST)
    with right:
        shown = segments("Show", [TABLE, ERRORS, SPLIT], str, "pairs-shown", persist_state="session")
    found = st.container()
    own_pairs.bring_pairs(SET, key="pairs-own")
    with found:
        if shown == ERRORS:
            pair_errors.errors(chosen)
        elif shown == SPLIT:
            pair_errors.split(chosen)
        else:
            pair_measuring.run_asked_for(chosen)
            if newest is None or chosen not in measured:
                st.info("Nothing was measured on this set yet.", icon=":material/table_chart:")
                pair_measuring.measure_form(chosen, [])
            else:
                pair_table.show_scores(newest, chosen)
                there = [cell.system for cell in newest.cells if cell.set == chosen]
                pair_measuring.measure_form(chosen, there)
    if newest is not None and shown == TABLE and chosen in measured:
        signature(newest.set(chosen).measured)


SHOWN: Final = {"pairs": pairs, "leaderboard": leaderboard, "papers": papers}
