"""The worst triangles, drawn; who breaks most; and what would fix most."""

from __future__ import annotations

import streamlit as st

from components import large_text
from components.charts.menu import show_chart
from components.charts.triangle import ANSWERS, SIDES, triangle_figure
from components.consistency import state
from components.consistency.repairs import effect, repair_report
from components.consistency.subject import Lab
from components.markdown import plain
from components.page_state import controlled
from components.stepper import steps
from components.tables import show_table
from components.timeline.group_list import written_days
from components.timeline.workspace import View
from core.data.timelines.timeline import Field

CHEAPEST = "The cheapest change that makes it consistent"


def triangles(view: View, lab: Lab) -> None:
    """One broken triangle as a picture, stepped through from the worst on, as decided and as repaired."""
    found = lab.findings.triangles
    if not len(found):
        st.success("No triangle is broken: wherever two pairs are linked, so is the third.")
        return
    place = min(state.now().triangle, len(found) - 1)
    repaired = state.now().repaired
    report = repair_report(view, lab) if repaired else None
    rows = [int(found.centre[place]), int(found.left[place]), int(found.right[place])]
    scores = [float(part[place]) for part in (found.link_left, found.link_right, found.denied)]
    before = after = [True, True, False]
    if report is not None:
        decisions = report.smallest_first[0].repair.decisions
        after = [bool(decisions[rows[a], rows[b]]) for a, b in SIDES]
    texts, dates = lab.timeline.texts, written_days(lab.timeline)
    with st.container(key="triangle"):
        picture, words = st.columns([3, 2], gap="large", vertical_alignment="center")
    with picture:
        show_chart(
            triangle_figure(
                [texts[row] for row in rows], [dates[row] for row in rows], scores, before, after
            ),
            name="triangle",
            title="Three answers that contradict each other" if report is None else CHEAPEST,
            source=f"Source: Headline Lab, headlines of {lab.timeline.name}",
            key=f"triangle-{place}-{repaired}",
            alt="Three headlines with a line for each pair; the same in words beside it",
        )
    with words:
        _in_words(lab, rows, scores, before, after)
        if report is not None:
            st.caption("With it, the model contradicts itself on no three headlines.")
            effect(report.smallest_first[0])
    with st.container(horizontal=True, vertical_alignment="center"):
        steps(
            f"**{place + 1}** of the {len(found)} worst · the third score is "
            f"**{found.severity[place]:.2f}** below the other two",
            place,
            len(found),
            lambda to: state.put(triangle=to),
            what="triangle",
            labels=("Previous", "Next"),
        )
        st.toggle(
            CHEAPEST,
            **controlled("lab-repaired", repaired, lambda chosen: state.put(repaired=chosen)),
        )


def _in_words(lab: Lab, rows: list[int], scores: list[float], before: list[bool], after: list[bool]) -> None:
    texts, dates, threshold = lab.timeline.texts, written_days(lab.timeline), lab.scored.scores.threshold
    # Large letters are long: then the picture alone tells the headlines.
    for name, row in () if large_text.on() else zip("ABC", rows, strict=True):
        st.markdown(f"**{name}** {plain(texts[row])}  \n:small[:gray[{plain(dates[row] or 'no date')}]]")
    gold = lab.timeline.table[Field.GOLD].iloc[rows].tolist()
    lines = []
    for (a, b), score, was, now in zip(SIDES, scores, before, after, strict=True):
        line = f"{'ABC'[a]} and {'ABC'[b]}: **{score:.2f}**, the model says {ANSWERS[was]}"
        if now != was:
            line += f", the change makes it **{ANSWERS[now]}**"
        if isinstance(gold[a], str) and isinstance(gold[b], str):
            same = gold[a] == gold[b]
            line += f"; people say {ANSWERS[same]}"
            if now != was:
                line += ": it is right now" if now == same else ": **it was right before**"
        lines.append(f"{line}.")
    said = f"The model says {ANSWERS[True]} at {threshold:.2f} or more."
    st.markdown("  \n".join([*lines, f":small[:gray[{said}]]"]))


def breakers(lab: Lab) -> None:
    """Headlines that stand in most broken triangles, and single decisions whose change fixes most."""
    texts, breaks, changes = lab.timeline.texts, lab.findings.breaks.of_headline, lab.findings.changes
    order = [row for row in (-breaks).argsort(kind="stable")[:20].tolist() if breaks[row]]
    if not order:
        return
    st.header("Headlines that break most", anchor=False)
    table = {"Broken": [int(breaks[row]) for row in order], "Headline": [texts[row] for row in order]}
    show_table(
        table,
        alt="Headlines by the number of broken triangles that they are in",
        most=250,
        columns={"Broken": (70, "Broken triangles it is in")},
    )
    if not len(changes):
        return
    st.header("Most effective single correction", anchor=False)
    table = {
        "Fixes": changes.net[:20],
        "Change to": [ANSWERS[not linked] for linked in changes.linked[:20].tolist()],
        "Score": changes.score[:20],
        "Headline": [texts[row] for row in changes.left[:20].tolist()],
        "and": [texts[row] for row in changes.right[:20].tolist()],
    }
    show_table(
        table,
        alt="Single decisions whose change fixes most broken triangles",
        most=250,
        columns={
            "Fixes": (70, "Broken triangles fixed minus whole ones broken"),
            "Change to": 100,
            "Score": st.column_config.NumberColumn(format="%.2f", width=60),
        },
    )
