"""What is measured on the Pairs page: systems on a set, as a table or pair by pair."""

from __future__ import annotations

import shlex
import time
from pathlib import Path

import streamlit as st

from components import jobs, resources
from components.buttons import button
from core.data.pair_sets.load import own_sets
from core.data.pair_sets.pair_set import PairSet, pair_sources
from core.errors import CoreError
from core.runtime import Runtime, workshop
from research.benchmark.pairs.evaluate import CAPS, QUICK, Evaluated, PairSettings
from research.benchmark.pairs.rows import HUMAN, ROWS, Pace, PairSystem, row, rows
from research.benchmark.pairs.run import evaluate_row, run
from research.benchmark.pairs.sets import FILE, MeasuredSet, PairBenchmark, open_set, pool
from research.benchmark.pairs.unscored import VOTES
from research.catalogue.training_runs import pair_models

_RUN = "pairs-run"


def systems() -> dict[str, PairSystem]:
    """Every system by its key: all rows of the table, and the pair models that were trained here."""
    known = {one.key: one for one in rows()}
    trained = [] if workshop() else [row(signature) for signature in pair_models()]
    return known | {one.key: one for one in trained}


def is_own(key: str) -> bool:
    """Whether a row is one that somebody added: a scorer in a file of its own, or a trained model."""
    return key not in {one.key for one in ROWS}


def is_named(key: str) -> bool:
    """Whether a set of the table is one that the program knows by itself, here or not."""
    return key == VOTES or key in pair_sources.names()


@st.cache_resource(show_spinner=False, max_entries=2)
def _newest(version: str) -> PairBenchmark | None:
    return FILE.newest()


def newest_table() -> PairBenchmark | None:
    """The newest table; read from the disk only when it has changed."""
    return _newest(FILE.version())


def measure_form(chosen: str, shown: list[str]) -> None:
    """Chooses systems, at first those `shown`, measures them on the set, and says the command for it."""
    if workshop():
        return  # The table that it writes is everybody's.
    known = systems()
    title = "Measure other systems" if shown else "Measure systems on these pairs"
    with st.expander(title, expanded=not shown, icon=":material/speed:"):
        first = (
            [key for key in shown if key in known]
            if any(map(is_own, shown))
            else [
                key
                for key, one in known.items()
                if is_own(key) or (one.pace is Pace.FAST and one.key != HUMAN)
            ]
        )
        picked = st.multiselect(
            "Systems",
            list(known),
            default=first,
            format_func=lambda key: known[key].name,
            key=f"pairs-systems-{chosen}",
            help="Scorers, and models that were trained here. The set's table then holds these systems.",
        )
        help = "At most 2,000 test pairs for a quick system, 150 for a network, 24 for a language model."
        quick = st.toggle("Fewer pairs", True, key="pairs-quick", help=help)
        button(
            "Measure",
            "pairs-measure",
            _ask,
            chosen,
            tuple(picked),
            quick,
            icon="speed",
            type="primary",
            disabled=not picked,
            help=None if picked else "Choose at least one system above.",
        )
        st.caption("The same on the command line:")
        words = ["headline-lab", "benchmark", "pairs", "--set", chosen]
        words += [word for key in picked for word in ("--scorer", key)] + (["--quick"] if quick else [])
        st.code(shlex.join([*words, "--latex", "table.tex"]), language="bash", wrap_lines=True)


def run_asked_for(chosen: str) -> None:
    """Measures in the background what was asked for on this set, and keeps the result."""
    asked = st.session_state.get(_RUN)
    if not asked or asked[0] != chosen:
        return
    _, keys, quick, when = asked

    def work(runtime: Runtime) -> PairBenchmark:
        settings = PairSettings(caps=QUICK if quick else CAPS)
        return FILE.keep(run(runtime, sets=[chosen], rows=[row(key) for key in keys], settings=settings))

    try:
        jobs.result_of(f"pair-benchmark|{chosen}|{when}", "Measuring", work, long=True)
    except CoreError:
        # Said once; the next script run does not start it again.
        st.session_state.pop(_RUN, None)
        raise
    st.session_state.pop(_RUN, None)
    st.rerun()


def _ask(chosen: str, keys: tuple[str, ...], quick: bool) -> None:
    st.session_state[_RUN] = [chosen, keys, quick, time.time()]


def opened(chosen: str) -> MeasuredSet:
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
    return pool()


def evaluated(chosen: str, key: str) -> Evaluated:
    data = opened(chosen)

    def work(runtime: Runtime) -> Evaluated:
        return evaluate_row(data, row(key), _pool(), runtime, PairSettings())

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
