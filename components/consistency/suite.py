"""The invariance suite: changes that must not flip a decision, and changes that must."""

from __future__ import annotations

import streamlit as st

from components import jobs
from components.buttons import button
from components.consistency.subject import Lab
from components.markdown import plain
from components.open.reading import read
from components.page import Download, download, show_error
from components.tables import choose_row, show_table
from core.consistency.checks.check import Case, CheckKind, Expected, checks
from core.consistency.studies.scoring import SuiteReport, put_suite, synthetic_suite
from core.consistency.suite import CheckResult, read_suite, write_suite
from core.digests import digest
from core.errors import CoreError
from core.runtime import Runtime
from core.text.normalise import clean_line

CASES = 60  # cases of each family; more make it slower, not truer
_FILE = "suite.csv"
_OWN = "lab-own-cases"  # the reader's own cases as CSV: session state holds plain values


def suite(lab: Lab) -> None:
    """Failure rates of all checks, the failures of one, and the reader's own cases."""
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
    _own_cases(made, own)


def _table(results: tuple[CheckResult, ...]) -> int:
    shown = {
        "Check": [_title(result.check) for result in results],
        "Change": [_change(result.check) for result in results],
        "It must": [_must(result.check) for result in results],
        "Cases": [result.cases for result in results],
        "Failed": [_failed(result) for result in results],
    }
    chosen = choose_row(
        shown,
        key="lab-checks",
        alt="Checks of the suite with the share of cases that failed; selecting one shows its failures",
        most=480,
        columns={"Change": st.column_config.TextColumn(width="large")},
    )
    if chosen is not None:
        return chosen
    return max(range(len(results)), key=lambda k: results[k].failure_rate or 0.0, default=0)


def _failed(result: CheckResult) -> str:
    rate = result.failure_rate
    return "–" if rate is None else f"{100 * rate:.0f} %"


def _failures(result: CheckResult) -> None:
    st.header(f"{plain(_title(result.check))}: what failed", anchor=False)
    if not result.failures:
        st.success("No case of this check failed.")
        return
    shown = {
        "Score": [f"{failure.score:.2f}" for failure in result.failures],
        "Before": [
            "" if failure.original_score is None else f"{failure.original_score:.2f}"
            for failure in result.failures
        ],
        "Headline": [failure.case.a for failure in result.failures],
        "and": [failure.case.b for failure in result.failures],
        "Should be": [str(failure.case.expected) for failure in result.failures],
    }
    alt = "Cases of the check that failed"
    show_table(shown, alt=alt, most=320, columns={"Before": "Score of the pair before the change"})


def _own_cases(made: list[Case], own: list[Case]) -> None:
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
            expected = wanted.selectbox(
                "should be", [Expected.SAME.value, Expected.DIFFERENT.value], key="lab-case-expected"
            )
            if st.form_submit_button("Add this case") and clean_line(a) and clean_line(b):
                case = Case(
                    "own", clean_line(a), clean_line(b), date_a=None, date_b=None, expected=Expected(expected)
                )
                _keep([*own, case])
        given = st.file_uploader("Suite", key="lab-suite-file")
        with st.container(horizontal=True):
            if given is not None and button("Add these cases", "lab-suite-add", type="primary"):
                _add(given.getvalue(), given.name, own)
            saved = Download("Save the suite (CSV)", lambda: write_suite([*made, *own], _FILE), _FILE)
            download(saved, key="lab-suite-save")
            if own and button("Remove my cases", "lab-suite-clear"):
                st.session_state[_OWN] = ""
                st.rerun()


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


def _change(check: str) -> str:
    return checks.get(check).summary if check in checks.names() else "your own"


def _must(check: str) -> str:
    if check not in checks.names():
        return "hold"
    return "not flip" if checks.get(check).kind is CheckKind.INVARIANT else "tell apart"
