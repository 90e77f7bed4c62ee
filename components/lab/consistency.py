"""A pair scorer on the headlines that are open, compared in both orders."""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from components.frame import progress
from components.frame.controlled import controlled
from components.frame.markdown import HELPS, plain
from components.frame.widgets import button
from components.lab.library import trained_here
from components.opened import resources
from components.opened.own_vectors import encoder_in_force
from components.opened.recipes import recipe_choice, say_what_leaves
from components.opened.views.consistency import CONSISTENCY
from components.timeline.workspace import View
from core.arrays import IntArray
from core.consistency.studies import scoring
from core.consistency.studies.findings import Findings, examine
from core.consistency.studies.subject import subject_of_timeline
from core.data.timelines.timeline import Timeline
from core.pairs.scorer import pair_scorers
from core.pairs.scorers.endpoint import EndpointPairs
from core.runtime import Runtime

_ASKED: Final = "lab-asked"  # of what a model at an address may be asked
FIRST_HEADLINES = 150  # headlines of a longer timeline that are looked at unless more are asked for


class Lab(NamedTuple):
    timeline: Timeline
    groups: IntArray
    grouped: str  # the signature of the groups
    how: scoring.Scoring
    key: str
    scored: scoring.ScoredSubject
    findings: Findings


def settings() -> None:
    scorer, put = CONSISTENCY.now().scorer, CONSISTENCY.put
    own, choose = trained_here(), lambda name: put(scorer=name, example=0)
    recipe_choice("Scorer", pair_scorers, scorer, choose, own=own)
    help = HELPS["lab-threshold"].format(pair_scorers.parse(scorer).threshold)
    key, known = f"lab-threshold-{scorer}", CONSISTENCY.now().thresholds
    bound = controlled(key, _threshold(), lambda value: put(thresholds=known | {scorer: float(value)}))
    st.number_input("Threshold", 0.001, 1.0, step=0.01, format="%.3f", **bound | {"help": help})
    if scorer not in known and (why := pair_scorers.parse(scorer).unfitted):
        st.caption(plain(why))


def _threshold() -> float:
    """Score from which the tested scorer links two headlines: the reader's, or its own."""
    here = CONSISTENCY.now()
    return here.thresholds.get(here.scorer, float(pair_scorers.parse(here.scorer).threshold))


def open_lab(view: View, top: DeltaGenerator) -> Lab:
    """What the model says of the headlines; one at an address waits in `top` until it may be asked."""
    total = len(view.timeline)
    most = min(FIRST_HEADLINES, total)
    if total > FIRST_HEADLINES:
        memory = {"key": "lab-headlines", "persist_state": "session", "help": HELPS["lab-headlines"]}
        ends = 3, min(2_000, total)
        most = int(st.number_input("Headlines", *ends, FIRST_HEADLINES, 50, **memory))
    rows = np.sort(np.argsort(view.timeline.days, kind="stable")[:most]).astype(np.int64)
    part = view.timeline if len(rows) == len(view.timeline) else view.timeline.select(rows)
    scorer, encoder = CONSISTENCY.now().scorer, encoder_in_force()
    how = scoring.Scoring(scorer=scorer, encoder=encoder, threshold=_threshold())

    def work(runtime: Runtime) -> tuple[scoring.ScoredSubject, Findings]:
        scored = scoring.score_both_orders(subject_of_timeline(part), how, runtime)
        return scored, examine(scored)

    key = f"consistency|{part.fingerprint}|{how}|{resources.scorer_weights(how.scorer, how.encoder)}"
    with top:
        _allowed(f"{part.fingerprint}|{scorer}", part.texts)
    scored, findings = progress.result_of(key, "Comparing all pairs in both orders", work, long=True)
    return Lab(part, view.grouping.ids[rows], view.grouping.signature, how, key, scored, findings)


def _allowed(asked: str, texts: Sequence[str]) -> None:
    model = pair_scorers.parse(CONSISTENCY.now().scorer).innermost
    allowed = st.session_state.setdefault(_ASKED, set())
    if not isinstance(model, EndpointPairs) or asked in allowed:
        return
    say_what_leaves(model)
    pairs, others = [text + text for text in texts], len(texts) - 1  # each headline with all others
    st.caption(plain(model.cost_of(pairs, model.how["tokens"], times=others)))
    label = f"Ask {plain(model.model)} about all pairs"
    button(label, "lab-ask", allowed.add, asked, icon="forum", type="primary")
    st.stop()


def method_title(signature: str) -> str:
    words = signature.partition(".")[0].replace("_", " ")
    return words[:1].upper() + words[1:]
