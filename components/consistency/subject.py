"""What the lab looks at, its figures and flips, and the suite of changes that must or must not flip one."""

from typing import NamedTuple

import numpy as np
import streamlit as st

from components import jobs, resources
from components.library import recipe_choice
from components.markdown import plain
from components.page_state import controlled
from components.timeline import state as timeline
from components.timeline.workspace import View
from components.views import CONSISTENCY
from components.widgets import choose_row, metrics, show_table
from core.arrays import IntArray
from core.consistency.checks.check import CheckKind, checks
from core.consistency.studies import scoring
from core.consistency.studies.subject import subject_of_timeline
from core.consistency.studies.summary import not_compared
from core.data.timelines.timeline import Timeline
from core.pairs.scorer import pair_scorers
from core.results.table import written
from core.runtime import Runtime

FIRST_HEADLINES = 150  # headlines of a longer timeline that are looked at unless more are asked for


class Lab(NamedTuple):
    timeline: Timeline
    rows: IntArray
    groups: IntArray
    how: scoring.Scoring
    key: str
    scored: scoring.ScoredSubject
    findings: scoring.Findings


def settings() -> None:
    help = "The pair model that is looked at; it need not be the one that groups."
    scorer, put = CONSISTENCY.now().scorer, CONSISTENCY.put
    recipe_choice("Scorer", pair_scorers, scorer, lambda name: put(scorer=name, example=0), help=help)
    own = pair_scorers.parse(scorer).threshold
    help = f"Score from which two headlines are called the same event. The scorer's own is {own:.3f}."

    key, known = f"lab-threshold-{scorer}", CONSISTENCY.now().thresholds
    bound = controlled(key, _threshold(), lambda value: put(thresholds=known | {scorer: float(value)}))
    st.number_input("Threshold", 0.001, 1.0, step=0.01, format="%.3f", help=help, **bound)


def _threshold() -> float:
    """Score from which the tested scorer links two headlines: the reader's, or its own."""
    here = CONSISTENCY.now()
    return here.thresholds.get(here.scorer, float(pair_scorers.parse(here.scorer).threshold))


def open_lab(view: View) -> Lab:
    total = len(view.timeline)
    most = min(FIRST_HEADLINES, total)
    if total > FIRST_HEADLINES:
        help = (
            "Those published first. Twice as many headlines take four times as long. The command takes "
            "whole timelines."
        )
        memory = {"key": "lab-headlines", "persist_state": "session", "help": help}
        ends = 3, min(2_000, total)
        most = int(st.number_input("Headlines", *ends, FIRST_HEADLINES, 50, **memory))
    rows = np.sort(np.argsort(view.timeline.days, kind="stable")[:most]).astype(np.int64)
    part = view.timeline if len(rows) == len(view.timeline) else view.timeline.select(rows)
    how = scoring.Scoring(
        scorer=CONSISTENCY.now().scorer, encoder=timeline.now().encoder, threshold=_threshold()
    )

    def work(runtime: Runtime) -> tuple[scoring.ScoredSubject, scoring.Findings]:
        scored = scoring.score_both_orders(subject_of_timeline(part), how, runtime)
        return scored, scoring.examine(scored)

    weights = resources.scorer_weights(how.scorer, how.encoder)
    key = f"consistency|{part.fingerprint}|{how}|{weights}"
    scored, findings = jobs.result_of(key, "Comparing all pairs in both orders", work, long=True)
    return Lab(part, rows, view.grouping.ids[rows], how, key, scored, findings)


def facts(lab: Lab) -> None:
    test, census = lab.findings.commutative, lab.findings.census
    values = [
        ("Pairs", f"{test.pairs:,}"),
        ("Decisions that flip", written(test.flip_rate, _share)),
        ("Change when swapped", written(test.mean_change, _share)),
        ("Triplets with two links", f"{census.linked_twice:,}"),
        ("Broken triangles", f"{census.two:,}", "A = B, A = C, but not B = C"),
        ("Consistent", written(census.consistent_share, _share)),
    ]
    metrics(values, key="consistency-facts")
    if lab.scored.not_compared:
        st.warning(not_compared(lab.scored))
    st.caption(
        "Each pair is asked in both orders, and an answer that changes flips. Consistent are three "
        "headlines that are all linked, among those with two links. The paper's best model has 26.4 % "
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
    columns = dict.fromkeys(headlines, st.column_config.TextColumn(width="large"))
    columns |= dict.fromkeys(scores, st.column_config.NumberColumn(format="%.2f", width=80))
    alt = "Pairs whose decision changes when the two headlines are swapped"
    show_table(headlines | scores, alt=alt, columns=columns)


CASES = 60  # cases of each family; more make it slower, not truer


def suite(lab: Lab) -> None:
    def work(runtime: Runtime) -> scoring.SuiteReport:
        return scoring.put_suite(scoring.synthetic_suite(lab.scored, most=CASES), lab.how, runtime)

    report = jobs.result_of(f"suite|{lab.key}", "Running perturbation tests", work, long=True)
    st.markdown(
        "Each check changes headlines of this timeline in one way. Some changes must **not** flip a decision "
        "(a comma, a source's name). Others **must** tell two headlines apart (another number, a negation)."
    )
    lines, results = [], report.results
    for result in results:
        check, rate = checks.get(result.check), result.failure_rate
        must = "not flip" if check.kind is CheckKind.INVARIANT else "tell apart"
        shown = {"Check": _title(result.check), "Change": check.summary, "It must": must}
        lines.append(
            shown | {"Cases": result.cases, "Failed": written(rate, lambda share: f"{100 * share:.0f} %")}
        )
    alt = "Checks of the suite with the share of cases that failed; selecting one shows its failures"
    columns = {"Change": st.column_config.TextColumn(width="large")}
    chosen = choose_row(lines, key="lab-checks", alt=alt, most=480, columns=columns)
    if chosen is None:
        chosen = max(range(len(results)), key=lambda place: results[place].failure_rate or 0.0)
    st.header(f"{plain(_title(results[chosen].check))}: what failed", anchor=False)
    if results[chosen].failures:
        failures = [
            {
                "Score": f"{failure.score:.2f}",
                "Before": "" if failure.original_score is None else f"{failure.original_score:.2f}",
                "Headline": failure.case.a,
                "and": failure.case.b,
                "Should be": str(failure.case.expected),
            }
            for failure in results[chosen].failures
        ]
        said = {"Before": "Score of the pair before the change"}
        show_table(failures, alt="Cases of the check that failed", most=320, columns=said)
    else:
        st.success("No case of this check failed.")
    st.caption("Cases of your own: `headline-lab consistency FILE --suite CASES.csv`.")


def _title(check: str) -> str:
    words = check.partition(".v")[0].replace("_", " ")
    return words[:1].upper() + words[1:]
