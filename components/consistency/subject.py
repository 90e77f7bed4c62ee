"""What the lab looks at: a scorer, a threshold, and the headlines of the open timeline."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from components import jobs, resources
from components.consistency import state
from components.markdown import plain
from components.page_state import controlled
from components.recipes import recipe_choice
from components.tables import metrics, show_table
from components.timeline import state as timeline
from components.timeline.workspace import View
from core.arrays import IntArray
from core.consistency.studies.scoring import Findings, ScoredSubject, Scoring, examine, score_both_orders
from core.consistency.studies.subject import subject_of_timeline
from core.consistency.studies.summary import not_compared
from core.data.timelines.timeline import Timeline
from core.pairs.scorer import pair_scorers
from core.results.table import written
from core.runtime import Runtime

FIRST_HEADLINES = 150  # headlines of a longer timeline that are looked at unless more are asked for
MOST_HEADLINES = 2_000


@dataclass(frozen=True, slots=True, eq=False)
class Lab:
    timeline: Timeline
    rows: IntArray
    groups: IntArray
    how: Scoring
    key: str
    scored: ScoredSubject
    findings: Findings


def open_lab(view: View) -> Lab:
    """Draws the choices and runs both tests; the script ends here while that runs."""
    scorer = state.now().scorer
    tested = scorer.partition(".")[0].replace("_", " ")
    with st.expander(f"Tested: {plain(tested)}", icon=":material/tune:"):
        help = "The pair model that is looked at; it need not be the one that groups."
        recipe_choice(
            "Scorer", pair_scorers, scorer, lambda signature: state.put(scorer=signature), help=help
        )
        own = pair_scorers.parse(state.now().scorer).threshold
        st.number_input(
            "Threshold",
            min_value=0.001,
            max_value=1.0,
            step=0.01,
            format="%.3f",
            **controlled(f"lab-threshold-{state.now().scorer}", state.threshold(), state.choose_threshold),
            help=f"Score from which two headlines are called the same event. The scorer's own is {own:.3f}.",
        )
        rows = _rows(view)
    part = view.timeline if len(rows) == len(view.timeline) else view.timeline.select(rows)
    how = Scoring(scorer=scorer, encoder=timeline.now().encoder, threshold=state.threshold())

    def work(runtime: Runtime) -> tuple[ScoredSubject, Findings]:
        scored = score_both_orders(subject_of_timeline(part), how, runtime)
        return scored, examine(scored)

    weights = resources.scorer_weights(how.scorer, how.encoder)
    key = f"consistency|{part.fingerprint}|{how}|{weights}"
    scored, findings = jobs.result_of(key, "Comparing all pairs in both orders", work, long=True)
    return Lab(part, rows, view.grouping.ids[rows], how, key, scored, findings)


def _rows(view: View) -> IntArray:
    import numpy as np

    total = len(view.timeline)
    most = min(FIRST_HEADLINES, total)
    if total > FIRST_HEADLINES:
        most = int(
            st.number_input(
                "Headlines",
                min_value=3,
                max_value=min(MOST_HEADLINES, total),
                value=FIRST_HEADLINES,
                step=50,
                key="lab-headlines",
                persist_state="session",
                help="Those published first. All pairs are compared in both orders, so twice as many "
                "headlines take four times as long; the command takes whole timelines.",
            )
        )
    first = np.argsort(view.timeline.days, kind="stable")[:most]
    return np.sort(first).astype(np.int64)


def sentence(lab: Lab) -> None:
    st.markdown(_sentence(lab))


def facts(lab: Lab) -> None:
    test, census = lab.findings.commutative, lab.findings.census
    values = [
        ("Pairs", f"{test.pairs:,}", None),
        ("Decisions that flip", written(test.flip_rate, _share), None),
        ("Change when swapped", written(test.mean_change, _share), None),
        ("Triplets with two links", f"{census.linked_twice:,}", None),
        ("Broken triangles", f"{census.two:,}", None),
        ("Consistent", written(census.consistent_share, _share), None),
    ]
    metrics(values, key="consistency-facts")
    if lab.scored.not_compared:
        st.warning(not_compared(lab.scored))
    st.caption(
        "Each pair is scored with either headline first. A decision flips when it changes with the order; "
        "the change when swapped is the mean over the others. Consistent are triplets with all three links, "
        "among those with at least two: 26.4 % for the paper's best model (16,033 of 60,660, published)."
    )


def _share(value: float) -> str:
    return f"{100 * value:.1f} %"


def _sentence(lab: Lab) -> str:
    test, census = lab.findings.commutative, lab.findings.census
    if census.two:
        return (
            f"Where the model says “same event” of two pairs among three headlines, it says “different” of "
            f"the third in **{census.two:,}** of {census.linked_twice:,} cases."
        )
    flips = "never changes its answer when two headlines are swapped"
    if test.flips:
        flips = f"changes its answer on **{test.flips:,}** of {test.pairs:,} pairs when they are swapped"
    start = f"Over {len(lab.timeline):,} headlines the scorer {flips}"
    if not census.linked_twice:
        return f"{start}. It never links two pairs of one triplet."
    return f"{start}, and none of its {census.linked_twice:,} triplets breaks."


def flips(lab: Lab) -> None:
    worst = lab.findings.commutative.worst
    if not len(worst):
        st.success(
            "No answer changes when two headlines are swapped. A scorer that reads both orders as one "
            "(symmetric) never flips."
        )
        return
    texts = lab.timeline.texts
    table = {
        "First headline": [texts[row] for row in worst.left.tolist()],
        "Second headline": [texts[row] for row in worst.right.tolist()],
        "As shown": worst.forward,
        "Swapped": worst.backward,
        "Change": abs(worst.forward - worst.backward),
    }
    st.markdown(
        f"The **{len(worst)}** largest of {lab.findings.commutative.flips:,} flips; two headlines are linked "
        f"from **{lab.scored.scores.threshold:.2f}** on."
    )
    number = st.column_config.NumberColumn(format="%.2f", width=80)
    show_table(
        table,
        alt="Pairs whose decision changes when the two headlines are swapped",
        columns={
            "First headline": st.column_config.TextColumn(width="large"),
            "Second headline": st.column_config.TextColumn(width="large"),
            "As shown": number,
            "Swapped": number,
            "Change": number,
        },
    )
