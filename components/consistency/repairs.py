"""Repairs side by side: what each changed, what it cost, and the links before and after on the map."""

from functools import partial

import pandas as pd
import streamlit as st

from components import jobs
from components.charts.maps import links_chart
from components.charts.menu import show_chart
from components.charts.triangle import ANSWERS
from components.consistency.subject import Lab
from components.map.headline_map import detailed_map
from components.markdown import plain
from components.tables import show_table
from components.timeline.workspace import View
from core.consistency.repairs.methods import repairs
from core.consistency.studies.study import RepairOutcome, RepairReport, repair_all
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


def triangles(lab: Lab) -> None:
    """The worst contradictions, the headlines in most of them, and the decisions whose change fixes most."""
    found, texts = lab.findings.triangles, lab.timeline.texts
    if not len(found):
        st.success("Wherever the model says “same event” of two pairs, it says so of the third.")
        return
    table = {
        "A": [texts[row] for row in found.centre.tolist()],
        "B": [texts[row] for row in found.left.tolist()],
        "C": [texts[row] for row in found.right.tolist()],
        "A = B": found.link_left,
        "A = C": found.link_right,
        "B ≠ C": found.denied,
    }
    number = st.column_config.NumberColumn(format="%.2f", width=60)
    columns = dict.fromkeys(("A = B", "A = C", "B ≠ C"), number)
    show_table(table, alt="Three headlines that contradict each other, the worst first", columns=columns)
    breakers(lab)


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
