"""Repairs side by side: what each changed, what it cost, and the links before and after on the map."""

from functools import partial

import pandas as pd
import streamlit as st

from components import jobs, large_text
from components.buttons import steps
from components.charts.maps import links_chart
from components.charts.menu import show_chart
from components.charts.triangle import ANSWERS, SIDES, triangle_chart
from components.consistency import state
from components.consistency.subject import Lab
from components.map.headline_map import detailed_map
from components.markdown import plain
from components.page_state import controlled
from components.tables import show_table
from components.timeline.group_list import written_days
from components.timeline.workspace import View
from core.consistency.repairs.methods import repairs
from core.consistency.studies.study import RepairOutcome, RepairReport, repair_all
from core.data.timelines.timeline import Field
from core.results.table import decimals, footnotes, spanned


def repair_report(view: View, lab: Lab) -> RepairReport:
    """All repairs of the scorer's decisions; the script ends here while they run."""
    work = partial(repair_all, lab.scored, repairs.names(), groups=lab.groups)
    key = f"repairs|{lab.key}|{view.grouping.signature}"
    return jobs.result_of(key, "Repairing", work, long=True)


def compare_repairs(view: View, lab: Lab) -> None:
    report = repair_report(view, lab)
    outcomes = report.smallest_first
    columns = {
        "Repair": 165,
        "Broken": (70, "Triangles with two links and a denied third pair"),
        "Changed": (80, "Pairs whose decision it changed"),
        "Fewest known": (105, "Pairs that the smallest known transitive repair changes"),
        "At least": (70, "No transitive repair can change fewer pairs than this"),
        "Gap": (60, "Changed − at least: no more than this many changes were needless"),
        "F1": (155, "Against human groups, 95 % interval"),
        "F1 difference": (
            120,
            "95 % interval of the difference F1 after − F1 before, in points, on the same resamples",
        ),
    }
    alt = "Repairs: broken triangles left, decisions changed, agreement with people"
    show_table(_table(report, outcomes), alt=alt, most=400, columns=columns)
    for line in footnotes([] if report.gold is None else [report.gold.f1.warning]):
        st.caption(line)
    names = [outcome.signature for outcome in outcomes]
    chosen = st.selectbox(
        "On the map", names, format_func=_title, key="lab-repair", help="Links before and after."
    )
    outcome = outcomes[names.index(chosen)]
    certificate = outcome.certificate
    if certificate is None:
        left = outcome.census.two
        st.markdown(
            f"This repair leaves **{left:,}** broken triangles: it does not promise transitive decisions."
        )
    else:
        st.markdown(
            f"It changed **{certificate.changed:,}** decisions; any transitive repair must change at least "
            f"**{certificate.at_least:,}**"
            + (
                f", and one is known that changes {certificate.known:,}."
                if certificate.exact
                else f", and the smallest known changes {certificate.known:,}: the gap is open."
            )
        )
    effect(outcome)
    if outcome.repair.note:
        st.caption(plain(outcome.repair.note))
    places = detailed_map(view)
    if not places.future.done():
        jobs.await_picture(places, "The map is being drawn.")
        return
    positions = places.future.result().positions[lab.rows]
    texts = lab.timeline.texts
    before, after = st.columns(2, gap="large")
    for column, title, links in (
        (before, "Before", report.before),
        (after, "After", outcome.repair.decisions),
    ):
        with column:
            st.header(title, anchor=False)
            show_chart(
                links_chart(positions, texts, links, report.before),
                name=f"links-{title}",
                title=f"Linked headlines {title.lower()} the repair",
                source=f"Source: Headline Lab, {len(texts):,} headlines of {lab.timeline.name}",
                key=f"links-{title}",
                alt=f"{title}: headlines on the map with a line for each linked pair",
            )


def _table(report: RepairReport, outcomes: list[RepairOutcome]) -> pd.DataFrame:
    def row(title: str, outcome: RepairOutcome | None) -> dict[str, object]:
        census = report.census if outcome is None else outcome.census
        gold = report.gold if outcome is None else outcome.gold
        certificate = None if outcome is None else outcome.certificate
        shown: dict[str, object] = {
            "Repair": title,
            "Broken": census.two,
            "Changed": ""
            if outcome is None
            else f"{int((outcome.repair.decisions != report.before).sum()) // 2:,}",
            "Fewest known": "" if certificate is None else f"{certificate.known:,}",
            "At least": "" if certificate is None else f"{certificate.at_least:,}",
            "Gap": "" if certificate is None else f"{certificate.gap:,}",
        }
        if report.gold is not None:
            shown["F1"] = spanned(gold.f1 if gold is not None else None, decimals(3))
            gap = None if outcome is None or outcome.difference is None else outcome.difference.value
            shown["F1 difference"] = "" if gap is None else f"{100 * gap:+.1f}"
        return shown

    rows = [row("As the scorer decides", None)]
    rows += [row(_title(outcome.signature), outcome) for outcome in outcomes]
    rows += [
        {"Repair": name.capitalize(), "Broken": 0, "F1": spanned(gold.f1, decimals(3))}
        for name, gold in report.constants.items()
    ]
    return pd.DataFrame(rows).fillna("")


def _title(signature: str) -> str:
    words = signature.partition(".")[0].replace("_", " ")
    return words[0].upper() + words[1:]


def effect(outcome: RepairOutcome) -> None:
    """What it does to the match with human groups, where there are some."""
    gap, gold = outcome.difference, outcome.gold
    if gap is None or gap.value is None or gold is None or gold.f1.value is None:
        return
    difference, after = gap.value, gold.f1.value
    verb = "raises" if difference > 0 else "lowers" if difference < 0 else "leaves"
    told = f"It {verb} F1 against human groups at **{after:.3f}**"
    if difference:
        told = f"It {verb} F1 against human groups from **{after - difference:.3f}** to **{after:.3f}**"
    low, high = gap.interval
    if low is not None and high is not None:
        told += f": {difference:+.3f} [{low:+.3f}, {high:+.3f}]"
        told += ", a difference that may be chance" if low <= 0 <= high else ""
    st.markdown(f"{told}. {plain(gap.warning)}".rstrip())


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
            triangle_chart([texts[row] for row in rows], [dates[row] for row in rows], scores, before, after),
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
        )
        st.toggle(CHEAPEST, **controlled("lab-repaired", repaired, lambda chosen: state.put(repaired=chosen)))


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
    alt = "Headlines by the number of broken triangles that they are in"
    show_table(table, alt=alt, most=250, columns={"Broken": (70, "Broken triangles it is in")})
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
    columns = {
        "Fixes": (70, "Broken triangles fixed minus whole ones broken"),
        "Change to": 100,
        "Score": st.column_config.NumberColumn(format="%.2f", width=60),
    }
    show_table(
        table, alt="Single decisions whose change fixes most broken triangles", most=250, columns=columns
    )
