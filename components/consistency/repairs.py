"""Repairs side by side: what each changed, what it cost, and the links before and after on the map."""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st

from components import jobs
from components.charts.maps import links_figure
from components.charts.menu import show_chart
from components.consistency.subject import Lab
from components.map.headline_map import detailed_map
from components.markdown import plain
from components.tables import show_table
from components.timeline.workspace import View
from core.consistency.repairs.repair import repairs
from core.consistency.studies.repairing import RepairOutcome, RepairReport, repair_all
from core.results.forms import decimals, footnotes, spanned


def repair_report(view: View, lab: Lab) -> RepairReport:
    """All repairs of the scorer's decisions; the script ends here while they run."""
    work = partial(repair_all, lab.scored, repairs.names(), groups=lab.groups)
    key = f"repairs|{lab.key}|{view.grouping.signature}"
    return jobs.result_of(key, "Repairing", work, long=True)


def compare_repairs(view: View, lab: Lab) -> None:
    """The table of repairs, and one of them on the map."""
    report = repair_report(view, lab)
    outcomes = report.smallest_first
    show_table(
        _table(report, outcomes),
        alt="Repairs: broken triangles left, decisions changed, agreement with people",
        most=400,
        columns={
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
        },
    )
    for line in footnotes([] if report.gold is None else [report.gold.f1.warning]):
        st.caption(line)
    names = [outcome.signature for outcome in outcomes]
    chosen = st.selectbox(
        "On the map", names, format_func=_title, key="lab-repair", help="Links before and after."
    )
    outcome = outcomes[names.index(chosen)]
    _certificate(report, outcome)
    _maps(view, lab, report, outcome)


def _table(report: RepairReport, outcomes: list[RepairOutcome]) -> pd.DataFrame:
    def row(title: str, outcome: RepairOutcome | None) -> dict[str, object]:
        census = report.census if outcome is None else outcome.census
        gold = report.gold if outcome is None else outcome.gold
        certificate = None if outcome is None else outcome.certificate
        shown: dict[str, object] = {
            "Repair": title,
            "Broken": census.two,
            "Changed": "" if outcome is None else f"{_changed(report, outcome):,}",
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


def _changed(report: RepairReport, outcome: RepairOutcome) -> int:
    return int((outcome.repair.decisions != report.before).sum()) // 2


def _title(signature: str) -> str:
    words = signature.partition(".")[0].replace("_", " ")
    return words[0].upper() + words[1:]


def _certificate(report: RepairReport, outcome: RepairOutcome) -> None:
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


def _maps(view: View, lab: Lab, report: RepairReport, outcome: RepairOutcome) -> None:
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
                links_figure(positions, texts, links, report.before),
                name=f"links-{title}",
                title=f"Linked headlines {title.lower()} the repair",
                source=f"Source: Headline Lab, {len(texts):,} headlines of {lab.timeline.name}",
                key=f"links-{title}",
                alt=f"{title}: headlines on the map with a line for each linked pair",
            )
