"""Contradictions of a model in figures and lists, and their repairs."""

from dataclasses import replace
from functools import partial
from typing import Final

import streamlit as st

from components.frame import progress, tables
from components.frame.charts.triangle import ANSWERS
from components.frame.markdown import WORDS, plain
from components.frame.publish import show_published
from components.frame.widgets import metrics
from components.lab.consistency import Lab, method_title
from components.opened.views.consistency import CHANGES, REPAIRS, SWAPS, TRIANGLES
from core.consistency.checks.check import CheckKind, checks
from core.consistency.repairs import repairs
from core.consistency.studies import study, summary
from core.consistency.studies import suite as case_suite
from core.results.number_forms import written
from core.runtime import Runtime

CASES = 60  # cases of each family; more make it slower, not truer


def show_findings(lab: Lab) -> None:
    test, census = lab.findings.commutative, lab.findings.census
    values = [
        ("Pairs", f"{test.pairs:,}"),
        ("Decisions that flip", written(test.flip_rate, _share)),
        ("Change when swapped", written(test.mean_change, _share)),
        ("Triplets with two links", f"{census.linked_twice:,}"),
        (
            "Broken triangles",
            f"{census.two:,}",
            "A and B are the same event, A and C too, but B and C are not",
        ),
        ("Consistent", written(census.consistent_share, _share)),
    ]
    metrics(values, key="consistency-facts")
    if lab.scored.not_compared:
        st.warning(summary.not_compared(lab.scored))
    st.caption(WORDS["texts"]["consistency_facts"])


def triangles(lab: Lab) -> None:
    worst, texts = lab.findings.triangles, lab.timeline.texts
    if not len(worst):
        st.success("Wherever the model says “same event” of two pairs, it says so of the third.")
        return
    rows = {"A": worst.centre, "B": worst.left, "C": worst.right}
    headlines = {name: [texts[row] for row in places.tolist()] for name, places in rows.items()}
    scores = {"A and B": worst.link_left, "A and C": worst.link_right, "B and C": worst.denied}
    tables.show_table(headlines | scores, **tables.TABLES["triangles"])
    breaks, changes = lab.findings.breaks, lab.findings.changes
    order = [row for row in (-breaks).argsort(kind="stable")[:20].tolist() if breaks[row]]
    if not order:
        return
    st.header("Headlines that break most", anchor=False)
    table = {"Broken": [int(breaks[row]) for row in order], "Headline": [texts[row] for row in order]}
    tables.show_table(table, **tables.TABLES["breaks"])
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
    tables.show_table(table, **tables.TABLES["fixes"])


def flips(lab: Lab) -> None:
    worst = lab.findings.commutative.worst
    if not len(worst):
        st.success(WORDS["texts"]["no_flips"])
        return
    texts = lab.timeline.texts
    sides = {"First headline": worst.left, "Second headline": worst.right}
    headlines = {name: [texts[row] for row in rows.tolist()] for name, rows in sides.items()}
    change = abs(worst.forward - worst.backward)
    scores = {"As shown": worst.forward, "Swapped": worst.backward, "Change": change}
    counts = len(worst), lab.findings.commutative.flips, lab.scored.scores.threshold
    st.markdown(WORDS["texts"]["largest_flips"].format(*counts))
    tables.show_table(headlines | scores, **tables.TABLES["flips"])


def compare_repairs(lab: Lab) -> None:
    work = partial(study.repair_all, lab.scored, repairs.names(), groups=lab.groups)
    report = progress.result_of(f"repairs|{lab.key}|{lab.grouped}", "Repairing", work, long=True)
    table = summary.repairs_table(report)
    named = tuple((method_title(str(name)), *figures) for name, *figures in table.rows)
    repaired = [(method_title(outcome.signature), outcome.repair.note) for outcome in report.smallest_first]
    notes = (*table.notes, *(f"{name}: {note}" for name, note in repaired if note))
    table = replace(table, rows=(("As the scorer decides", *named[0][1:]), *named[1:]), notes=notes)
    title = "Repairs of a model that contradicts itself"
    show_published(table, name="repairs", title=title, **tables.TABLES["repairs"])


def suite(lab: Lab) -> None:
    def work(runtime: Runtime) -> case_suite.SuiteReport:
        return case_suite.put_suite(case_suite.synthetic_suite(lab.scored, most=CASES), lab.how, runtime)

    report = progress.result_of(f"suite|{lab.key}", "Running perturbation tests", work, long=True)
    st.markdown(WORDS["texts"]["checks"])
    lines, results = [], report.results
    for result in results:
        check, rate = checks.get(result.check), result.failure_rate
        must = "not flip" if check.kind is CheckKind.INVARIANT else "tell apart"
        shown = {"Check": method_title(result.check), "Change": check.summary, "It must": must}
        lines.append(shown | {"Cases": result.cases, "Failed": written(rate, lambda of: f"{100 * of:.0f} %")})
    chosen = tables.choose_row(lines, key="lab-checks", **tables.TABLES["checks"])
    if chosen is None:
        chosen = max(range(len(results)), key=lambda place: results[place].failure_rate or 0.0)
    st.header(f"{plain(method_title(results[chosen].check))}: what failed", anchor=False)
    if results[chosen].failures:
        failures = []
        for failure in results[chosen].failures:
            before, case = failure.original_score, failure.case
            line = {"Score": f"{failure.score:.2f}", "Before": "" if before is None else f"{before:.2f}"}
            failures.append(line | {"Headline": case.a, "and": case.b, "Should be": str(case.expected)})
        tables.show_table(failures, **tables.TABLES["failures"])
    else:
        st.success("No case of this check failed.")
    st.caption("Cases of your own: `headline-lab consistency FILE --suite CASES.csv`.")


SHOWN: Final = {TRIANGLES: triangles, SWAPS: flips, REPAIRS: compare_repairs, CHANGES: suite}


def _share(value: float) -> str:
    return f"{100 * value:.1f} %"
