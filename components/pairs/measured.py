"""Scorers on the test part of a set, pair by pair, computed in the background and kept."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from components import jobs, resources
from components.pairs.measuring import systems
from core.data.pair_sets.own import own_sets
from core.data.pair_sets.pair_set import PairSet
from core.pairs.benchmark.evaluate import Evaluated
from core.pairs.benchmark.rows import HUMAN, row
from core.pairs.benchmark.run import evaluate_row
from core.pairs.benchmark.sets import Measured, open_set, pool
from core.pairs.benchmark.tuning import Settings
from core.runtime import Runtime


def opened(chosen: str) -> Measured:
    """A set, ready to be measured on."""
    own = own_sets().get(chosen)
    # Another file may come under the name of one that was removed.
    changed = "" if own is None else str(Path(own.path).stat().st_mtime_ns)
    return jobs.result_of(
        f"pairs-measured|{chosen}|{changed}",
        "Reading the pairs",
        lambda runtime: open_set(chosen),
        long=False,
    )


@st.cache_resource(show_spinner=False, max_entries=1)
def _pool() -> list[PairSet]:
    """Read once a server: its sets ship or lie where the data lies."""
    return pool()


def evaluated(chosen: str, key: str) -> Evaluated:
    """One row on one set."""
    data = opened(chosen)

    def work(runtime: Runtime) -> Evaluated:
        return evaluate_row(data, row(key), _pool(), runtime, Settings())

    weights = resources.scorer_weights(row(key).signature)
    return jobs.result_of(
        f"pair-row|{chosen}|{key}|{data.facts.fingerprint}|{weights}", "Scoring the pairs", work, long=True
    )


def row_choice(label: str, *, first: str, key: str) -> str:
    """A list of all systems but people and those that answer every pair alike."""
    names = {key: one.name for key, one in systems().items() if key != HUMAN and one.signature}
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
