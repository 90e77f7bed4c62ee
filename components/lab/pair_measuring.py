"""Pair systems that are measured: which there are, on which pairs, and when asked for."""

import shlex
import time
from functools import partial
from pathlib import Path

import streamlit as st

from components.frame import progress
from components.frame.markdown import HELPS
from components.frame.widgets import button, pick
from components.opened import resources
from components.opened.recipes import say_what_leaves
from core.data.pair_sets.kept import own_sets
from core.data.pair_sets.pair_set import pair_sources
from core.errors import CoreError
from core.models.endpoints.addresses import endpoints
from core.models.endpoints.recipe import sent_by
from core.pairs.scorer import pair_scorers
from core.runtime import Runtime, workshop
from research.benchmark.pairs import evaluate, rows, run, sets, tables
from research.benchmark.pairs.rows import HUMAN, PairSystem, row
from research.catalogue.training_runs import pair_models

BEST = "event_pair"  # the row whose mistakes are shown before anybody chose
WANTED = "pairs-wanted"  # a system that is to be measured, from another page
_RUN = "pairs-run"
_newest = st.cache_resource(lambda version: tables.FILE.newest(), show_spinner=False, max_entries=2)
_pool = st.cache_resource(sets.pool, show_spinner=False, max_entries=1)


def systems() -> dict[str, PairSystem]:
    """Every system by its key: all rows of the table, and the pair models that were trained here."""
    known = {system.key: system for system in rows.rows()}
    if workshop():
        return known
    asked = [f"endpoint.v1|address:{each.address}|model:{each.model}" for each in endpoints() if each.model]
    return known | {(system := row(signature)).key: system for signature in (*pair_models(), *asked)}


def is_own(key: str) -> bool:
    """Whether a row is one that somebody added: a scorer in a file of its own, or a trained model."""
    return key not in {row.key for row in rows.ROWS}


def is_named(key: str) -> bool:
    """Whether a set of the table is one that the program knows by itself, here or not."""
    return key == "dialogue2021_votes" or key in pair_sources.names()


def newest_table() -> tables.PairBenchmark | None:
    return _newest(tables.FILE.version())


def measure_form(chosen: str, shown: list[str]) -> None:
    """Chooses systems, at first those `shown`, measures them on the set, and says the command for it."""
    if workshop():
        return  # The table that it writes is everybody's.
    known = systems()
    title = "Measure other systems" if shown else "Measure systems on these pairs"
    wanted = st.session_state.get(WANTED, "")
    shown, asked = ([wanted], True) if wanted in known else (shown, not shown)
    with st.expander(title, expanded=asked, icon=":material/speed:"):
        first = [key for key in shown if key in known]
        if not any(map(is_own, shown)):
            fast = [key for key, system in known.items() if system.pace is rows.Pace.FAST and key != HUMAN]
            # What sends headlines elsewhere is measured when somebody chooses it.
            own = [
                key for key in known if is_own(key) and not sent_by(pair_scorers.parse(known[key].signature))
            ]
            first = [key for key in known if key in own or key in fast]
        look = {"default": first, "format_func": lambda key: known[key].name, "help": HELPS["pairs-systems"]}
        picked = st.multiselect("Systems", list(known), key=f"pairs-systems-{chosen}", **look)
        say_what_leaves(*(pair_scorers.parse(known[key].signature) for key in picked if known[key].signature))
        quick = st.toggle("Fewer pairs", True, key="pairs-quick", help=HELPS["pairs-quick"])
        help = None if picked else "Choose at least one system above."
        look = {"icon": "speed", "type": "primary", "disabled": not picked, "help": help}
        button("Measure", "pairs-measure", _ask, chosen, tuple(picked), quick, **look)
        st.caption("The same on the command line:")
        words = ["headline-lab", "benchmark", "pairs", "--set", chosen]
        words += [word for key in picked for word in ("--scorer", key)] + (["--quick"] if quick else [])
        st.code(shlex.join([*words, "--latex", "table.tex"]), language="bash", wrap_lines=True)


def _ask(chosen: str, keys: tuple[str, ...], quick: bool) -> None:
    st.session_state.pop(WANTED, None)
    st.session_state[_RUN] = [chosen, keys, quick, time.time()]


def run_asked_for(chosen: str) -> None:
    asked = st.session_state.get(_RUN)
    if not asked or asked[0] != chosen:
        return
    _, keys, quick, when = asked

    def work(runtime: Runtime) -> tables.PairBenchmark:
        settings = evaluate.PairSettings(caps=evaluate.QUICK if quick else evaluate.CAPS)
        return tables.FILE.keep(
            run.measure_pairs(runtime, sets=[chosen], rows=[row(key) for key in keys], settings=settings)
        )

    try:
        progress.result_of(f"pair-benchmark|{chosen}|{when}", "Measuring", work, long=True)
    except CoreError:
        # Said once; the next script run does not start it again.
        st.session_state.pop(_RUN, None)
        raise
    st.session_state.pop(_RUN, None)
    st.rerun()


def open_measured(chosen: str) -> sets.MeasuredSet:
    own = own_sets().get(chosen)
    # Another file may come under the name of one that was removed.
    changed = "" if own is None else str(Path(own.path).stat().st_mtime_ns)
    key = f"pairs-measured|{chosen}|{changed}"
    return progress.result_of(key, "Reading the pairs", lambda runtime: sets.open_set(chosen), long=False)


def evaluated(chosen: str, key: str) -> evaluate.Evaluated:
    data = open_measured(chosen)
    weights = resources.scorer_weights(row(key).signature)
    name = f"pair-row|{chosen}|{key}|{data.facts.fingerprint}|{weights}"
    work = partial(run.evaluate_row, data, row(key), _pool(), settings=evaluate.PairSettings())
    return progress.result_of(name, "Scoring the pairs", work, long=True)


def row_choice(label: str, *, first: str, key: str) -> str:
    names = {key: system.name for key, system in systems().items() if key != HUMAN and system.signature}
    return str(pick(label, names, names, key, first=first))
