"""Benchmark of pair models: the table of a set, the mistakes of a system, where two disagree."""

from typing import Final

import streamlit as st

from components.frame.subject import signature
from components.frame.widgets import segments
from components.lab.leaderboard import leaderboard
from components.lab.own_pairs import bring_pairs
from components.lab.pair_errors import errors, split
from components.lab.pair_measuring import is_named, measure_form, newest_table, run_asked_for
from components.lab.pair_sets import choose_set
from components.lab.pair_table import show_scores
from components.lab.papers import papers
from core.data.pair_sets.load import available_sets

TABLE, ERRORS, SPLIT = "The table", "Mistakes", "Disagreements"
SET, FIRST = "pairs-set", "ecbplus.v1"


def pairs() -> None:
    newest = newest_table()
    here = available_sets()
    # A set of the table that ships is shown without its data; a file that was removed is not.
    keys = [dataset.key for dataset in newest.sets] if newest else []
    measured = [key for key in keys if key in here or is_named(key)]
    chosen = choose_set(SET, list(dict.fromkeys([*measured, *here])), FIRST)
    bring_pairs(SET, key="pairs-own")
    shown = segments("Show", [TABLE, ERRORS, SPLIT], str, "pairs-shown", persist_state="session")
    if shown == ERRORS:
        errors(chosen)
    elif shown == SPLIT:
        split(chosen)
    else:
        run_asked_for(chosen)
        if newest is None or chosen not in measured:
            st.info("Nothing was measured on this set yet.", icon=":material/table_chart:")
            measure_form(chosen, [])
        else:
            show_scores(newest, chosen)
            measure_form(chosen, [cell.system for cell in newest.cells if cell.set == chosen])
            signature(newest.set(chosen).measured)


SHOWN: Final = {"pairs": pairs, "leaderboard": leaderboard, "papers": papers}
