"""Scorers on the test part of a set, pair by pair, computed in the background and kept."""

from __future__ import annotations

import streamlit as st

from components import jobs, resources
from core.runtime import Runtime
from core.workflows.pair_benchmark.evaluate import Evaluated
from core.workflows.pair_benchmark.rows import HUMAN, ROWS, row
from core.workflows.pair_benchmark.run import evaluate_row
from core.workflows.pair_benchmark.sets import Measured, open_set, pool
from core.workflows.pair_benchmark.tuning import Settings


def opened(chosen: str) -> Measured:
    """A set, ready to be measured on."""
    return jobs.result_of(f"pair-set|{chosen}", "Reading the pairs", lambda runtime: open_set(chosen))


def evaluated(chosen: str, key: str) -> Evaluated:
    """One row on one set."""
    data = opened(chosen)

    def work(runtime: Runtime) -> Evaluated:
        return evaluate_row(data, row(key), pool(), runtime, Settings())

    weights = resources.scorer_weights(row(key).scorer)
    return jobs.result_of(
        f"pair-row|{chosen}|{key}|{data.facts.fingerprint}|{weights}", "Scoring the pairs", work
    )


def row_choice(label: str, *, first: str, key: str) -> str:
    """A list of the benchmark's rows."""
    names = {one.key: one.name for one in ROWS if one.key != HUMAN}
    keys = list(names)
    return str(
        st.selectbox(
            label,
            keys,
            index=keys.index(first),
            format_func=names.__getitem__,
            key=key,
            persist_state="session",
        )
    )
