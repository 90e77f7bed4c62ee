"""The two tests in numbers next to the paper's, and the pairs whose answer depends on their order."""

from __future__ import annotations

import streamlit as st

from components.consistency.subject import Lab
from components.tables import metrics, show_table
from core.results.forms import written


def sentence(lab: Lab) -> None:
    """What was found, in a sentence."""
    st.markdown(_sentence(lab))


def facts(lab: Lab) -> None:
    """Both tests as a strip of figures."""
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
    """The worst flips, both scores side by side."""
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
