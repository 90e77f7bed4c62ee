"""Pairs: which scorer decides best whether two headlines tell the same event?"""

import streamlit as st

from components.page import page, signature
from components.pairs.disagreements import split
from components.pairs.errors import errors
from components.pairs.table import ask_for_run, newest_table, run_asked_for, table
from core.workflows.pair_benchmark.sets import at_hand

TABLE, ERRORS, SPLIT = "The table", "Mistakes", "Disagreements"
FIRST = "ecbplus.v1"

with page(__file__, "Pairs", "Which scorer decides best whether two headlines tell the same event?"):
    found = newest_table()
    measured = [] if found is None else [one.key for one in found.sets]
    known = list(dict.fromkeys([*measured, *at_hand()]))
    chosen = str(
        st.selectbox(
            "Pair set",
            known,
            index=known.index(FIRST) if FIRST in known else 0,
            format_func=lambda key: key.partition(".v")[0].replace("_", " "),
            key="pairs-set",
            persist_state="session",
            help="Labelled pairs with training, validation and test parts; the Pair sets page shows them.",
        )
    )
    shown = st.segmented_control(
        "Show",
        [TABLE, ERRORS, SPLIT],
        default=TABLE,
        required=True,
        key="pairs-shown",
        label_visibility="collapsed",
        persist_state="session",
    )
    if shown == ERRORS:
        errors(chosen)
    elif shown == SPLIT:
        split(chosen)
    elif found is None or chosen not in measured:
        run_asked_for(chosen)
        st.info("Nothing was measured on this set yet.", icon=":material/table_chart:")
        st.button(
            "Run the benchmark on it",
            type="primary",
            key="pairs-first-run",
            on_click=ask_for_run,
            args=(chosen,),
        )
    else:
        run_asked_for(chosen)
        table(found, chosen)
        signature(found.set(chosen).measured)
