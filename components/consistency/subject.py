"""What the lab looks at, its figures and flips, and the suite of changes that must or must not flip one."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st

from components import consistency as state
from components import jobs, resources
from components.importer import read
from components.library import recipe_choice
from components.markdown import plain
from components.page import download, show_error
from components.page_state import controlled
from components.timeline import state as timeline
from components.timeline.workspace import View
from components.widgets import button, choose_row, metrics, show_table
from core.arrays import IntArray
from core.consistency.checks.check import (
    Case,
    CheckKind,
    CheckResult,
    Expected,
    checks,
    read_suite,
    write_suite,
)
from core.consistency.studies.scoring import (
    Findings,
    ScoredSubject,
    Scoring,
    SuiteReport,
    examine,
    put_suite,
    score_both_orders,
    synthetic_suite,
)
from core.consistency.studies.subject import subject_of_timeline
from core.consistency.studies.summary import not_compared
from core.data.timelines.timeline import Timeline
from core.digests import digest
from core.errors import CoreError
from core.pairs.scorer import pair_scorers
from core.results.table import written
from core.runtime import Runtime
from core.text.normalise import clean_line

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


def settings() -> None:
    def take(signature: str) -> None:
        state.put(scorer=signature, example=0)

    help = "The pair model that is looked at; it need not be the one that groups."
    recipe_choice("Scorer", pair_scorers, state.now().scorer, take, help=help)
    scorer = state.now().scorer
    own = pair_scorers.parse(scorer).threshold
    help = f"Score from which two headlines are called the same event. The scorer's own is {own:.3f}."
    kept = controlled(f"lab-threshold-{scorer}", state.threshold(), state.choose_threshold)
    st.number_input("Threshold", 0.001, 1.0, step=0.01, format="%.3f", help=help, **kept)


def open_lab(view: View) -> Lab:
    """Asks the model about all pairs in both orders; the script ends here while that runs."""
    rows = _rows(view)
    part = view.timeline if len(rows) == len(view.timeline) else view.timeline.select(rows)
    how = Scoring(scorer=state.now().scorer, encoder=timeline.now().encoder, threshold=state.threshold())

    def work(runtime: Runtime) -> tuple[ScoredSubject, Findings]:
        scored = score_both_orders(subject_of_timeline(part), how, runtime)
        return scored, examine(scored)

    weights = resources.scorer_weights(how.scorer, how.encoder)
    key = f"consistency|{part.fingerprint}|{how}|{weights}"
    scored, findings = jobs.result_of(key, "Comparing all pairs in both orders", work, long=True)
    return Lab(part, rows, view.grouping.ids[rows], how, key, scored, findings)


def _rows(view: View) -> IntArray:
    total = len(view.timeline)
    most = min(FIRST_HEADLINES, total)
    if total > FIRST_HEADLINES:
        help = (
            "Those published first. All pairs are compared in both orders, so twice as many headlines take "
            "four times as long; the command takes whole timelines."
        )
        kept = {"key": "lab-headlines", "persist_state": "session", "help": help}
        ends = 3, min(MOST_HEADLINES, total)
        most = int(st.number_input("Headlines", *ends, FIRST_HEADLINES, 50, **kept))
    first = np.argsort(view.timeline.days, kind="stable")[:most]
    return np.sort(first).astype(np.int64)


def facts(lab: Lab) -> None:
    test, census = lab.findings.commutative, lab.findings.census
    values = [
        ("Pairs", f"{test.pairs:,}", None),
        ("Decisions that flip", written(test.flip_rate, _share), None),
        ("Change when swapped", written(test.mean_change, _share), None),
        ("Triplets with two links", f"{census.linked_twice:,}", None),
        ("Broken triangles", f"{census.two:,}", "A = B, A = C, but not B = C"),
        ("Consistent", written(census.consistent_share, _share), None),
    ]
    metrics(values, key="consistency-facts")
    if lab.scored.not_compared:
        st.warning(not_compared(lab.scored))
    st.caption(
        "Commutative: each pair is scored with either headline first, and a decision that changes with the "
        "order flips. The change when swapped is the mean over the others. Transitive: consistent are "
        "triplets with all three links, among those with at least two. The paper's best model has 26.4 % "
        "(16,033 of 60,660, published)."
    )


def _share(value: float) -> str:
    return f"{100 * value:.1f} %"


def flips(lab: Lab) -> None:
    worst = lab.findings.commutative.worst
    if not len(worst):
        st.success(
            "No answer changes when two headlines are swapped. A scorer that reads both orders as one "
            "(symmetric) never flips."
        )
        return
    texts = lab.timeline.texts
    headlines = {
        "First headline": [texts[row] for row in worst.left.tolist()],
        "Second headline": [texts[row] for row in worst.right.tolist()],
    }
    change = abs(worst.forward - worst.backward)
    scores = {"As shown": worst.forward, "Swapped": worst.backward, "Change": change}
    st.markdown(
        f"The **{len(worst)}** largest of {lab.findings.commutative.flips:,} flips; two headlines are linked "
        f"from **{lab.scored.scores.threshold:.2f}** on."
    )
    wide, number = (
        st.column_config.TextColumn(width="large"),
        st.column_config.NumberColumn(format="%.2f", width=80),
    )
    columns = dict.fromkeys(headlines, wide) | dict.fromkeys(scores, number)
    alt = "Pairs whose decision changes when the two headlines are swapped"
    show_table(headlines | scores, alt=alt, columns=columns)


CASES = 60  # cases of each family; more make it slower, not truer
_FILE = "suite.csv"
_OWN = "lab-own-cases"  # the reader's own cases as CSV: session state holds plain values


def suite(lab: Lab) -> None:
    kept = str(st.session_state.get(_OWN, ""))
    own = read_suite(kept.encode(), _FILE) if kept else []

    def work(runtime: Runtime) -> tuple[list[Case], SuiteReport]:
        made = synthetic_suite(lab.scored, most=CASES)
        return made, put_suite([*made, *own], lab.how, runtime)

    key = f"suite|{lab.key}|{digest(kept)}"
    made, report = jobs.result_of(key, "Running perturbation tests", work, long=True)
    st.markdown(
        "Each check changes headlines of this timeline in one way. Some changes must **not** flip a decision "
        "(a comma, a source's name); others **must** tell two headlines apart (another number, a negation)."
    )
    picked = _table(report.results)
    _failures(report.results[picked])
    with st.expander("Your own cases", icon=":material/playlist_add:"):
        if own:
            st.markdown(f"Cases of your own that are asked as well: **{len(own)}**.")
        st.caption(
            "Write one here, or save the suite, change it in a spreadsheet and load it again. A case that "
            "expects “unchanged” also holds the pair before the change."
        )
        with st.form("lab-case", border=False, clear_on_submit=True):
            left, right, wanted = st.columns([3, 3, 2], vertical_alignment="bottom")
            a = left.text_input("Headline", key="lab-case-a")
            b = right.text_input("and", key="lab-case-b")
            answers = [Expected.SAME.value, Expected.DIFFERENT.value]
            expected = wanted.selectbox("should be", answers, key="lab-case-expected")
            added, a, b = st.form_submit_button("Add this case"), clean_line(a), clean_line(b)
            if added and a and b:
                _keep([*own, Case("own", a, b, date_a=None, date_b=None, expected=Expected(expected))])
        given = st.file_uploader("Suite", key="lab-suite-file")
        with st.container(horizontal=True):
            if given is not None and button("Add these cases", "lab-suite-add", type="primary"):
                _add(given.getvalue(), given.name, own)
            saved = ("Save the suite (CSV)", lambda: write_suite([*made, *own], _FILE), _FILE)
            download(saved, key="lab-suite-save")
            if own and button("Remove my cases", "lab-suite-clear"):
                st.session_state[_OWN] = ""
                st.rerun()


def _table(results: tuple[CheckResult, ...]) -> int:
    def line(result: CheckResult) -> dict[str, Any]:
        change, must = "your own", "hold"
        if result.check in checks.names():
            check = checks.get(result.check)
            change, must = check.summary, "not flip" if check.kind is CheckKind.INVARIANT else "tell apart"
        rate = result.failure_rate
        failed = "–" if rate is None else f"{100 * rate:.0f} %"
        shown = {"Check": _title(result.check), "Change": change, "It must": must}
        return shown | {"Cases": result.cases, "Failed": failed}

    alt = "Checks of the suite with the share of cases that failed; selecting one shows its failures"
    columns = {"Change": st.column_config.TextColumn(width="large")}
    chosen = choose_row([line(one) for one in results], key="lab-checks", alt=alt, most=480, columns=columns)
    if chosen is not None:
        return chosen
    return max(range(len(results)), key=lambda k: results[k].failure_rate or 0.0, default=0)


def _failures(result: CheckResult) -> None:
    st.header(f"{plain(_title(result.check))}: what failed", anchor=False)
    if not result.failures:
        st.success("No case of this check failed.")
        return
    shown = [
        {
            "Score": f"{failure.score:.2f}",
            "Before": "" if failure.original_score is None else f"{failure.original_score:.2f}",
            "Headline": failure.case.a,
            "and": failure.case.b,
            "Should be": str(failure.case.expected),
        }
        for failure in result.failures
    ]
    alt = "Cases of the check that failed"
    show_table(shown, alt=alt, most=320, columns={"Before": "Score of the pair before the change"})


def _add(data: bytes, name: str, own: list[Case]) -> None:
    try:
        given = read("Reading the suite", read_suite, data, name)
    except CoreError as error:
        show_error(error)
        return
    # What the program makes by itself is not taken twice when a saved suite comes back.
    _keep([*own, *(case for case in given if case.check not in checks.names())])


def _keep(cases: list[Case]) -> None:
    written = write_suite(dict.fromkeys(cases), _FILE)
    try:
        read_suite(written, _FILE)
    except CoreError as error:
        show_error(error)
        return
    st.session_state[_OWN] = written.decode()
    st.rerun()


def _title(check: str) -> str:
    words = check.partition(".v")[0].replace("_", " ")
    return words[:1].upper() + words[1:]
