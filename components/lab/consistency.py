"""The Consistency page: a model that contradicts itself, to try, in figures and in lists, and its repairs."""

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
import streamlit as st

from components.frame import progress
from components.frame.charts.theme import show_chart
from components.frame.charts.triangle import ANSWERS, SIDES, triangle_chart
from components.frame.markdown import HELPS, WORDS, plain
from components.frame.page_state import controlled
from components.frame.publish import show_published
from components.frame.widgets import TABLES, button, choose_row, metrics, show_table, steps
from components.opened import resources
from components.opened.recipes import recipe_choice
from components.opened.views import timeline
from components.opened.views.consistency import CHANGES, CONSISTENCY, REPAIRS, SWAPS, TRIANGLES
from components.timeline.group_list import written_days
from components.timeline.workspace import View
from core.arrays import Float32Array, IntArray
from core.consistency.checks.check import CheckKind, checks
from core.consistency.repairs import repairs
from core.consistency.studies import scoring
from core.consistency.studies.findings import Findings, contradictions, examine
from core.consistency.studies.study import repair_all
from core.consistency.studies.subject import subject_of_timeline
from core.consistency.studies.suite import SuiteReport, put_suite, synthetic_suite
from core.consistency.studies.summary import not_compared, repairs_table
from core.data.timelines.timeline import Field, Timeline
from core.digests import digest
from core.pairs.scorer import pair_scorers
from core.results.table import written
from core.runtime import Runtime
from core.text.normalise import clean_line

FIRST_HEADLINES = 150  # headlines of a longer timeline that are looked at unless more are asked for


class Lab(NamedTuple):
    timeline: Timeline
    groups: IntArray
    grouped: str  # the signature of the groups
    how: scoring.Scoring
    key: str
    scored: scoring.ScoredSubject
    findings: Findings


def settings() -> None:
    scorer, put = CONSISTENCY.now().scorer, CONSISTENCY.put
    recipe_choice("Scorer", pair_scorers, scorer, lambda name: put(scorer=name, example=0))
    help = HELPS["lab-threshold"].format(pair_scorers.parse(scorer).threshold)
    key, known = f"lab-threshold-{scorer}", CONSISTENCY.now().thresholds
    bound = controlled(key, _threshold(), lambda value: put(thresholds=known | {scorer: float(value)}))
    st.number_input("Threshold", 0.001, 1.0, step=0.01, format="%.3f", **bound | {"help": help})
    if scorer not in known and (why := pair_scorers.parse(scorer).unfitted):
        st.caption(plain(why))


def _threshold() -> float:
    """Score from which the tested scorer links two headlines: the reader's, or its own."""
    here = CONSISTENCY.now()
    return here.thresholds.get(here.scorer, float(pair_scorers.parse(here.scorer).threshold))


def open_lab(view: View) -> Lab:
    total = len(view.timeline)
    most = min(FIRST_HEADLINES, total)
    if total > FIRST_HEADLINES:
        memory = {"key": "lab-headlines", "persist_state": "session", "help": HELPS["lab-headlines"]}
        ends = 3, min(2_000, total)
        most = int(st.number_input("Headlines", *ends, FIRST_HEADLINES, 50, **memory))
    rows = np.sort(np.argsort(view.timeline.days, kind="stable")[:most]).astype(np.int64)
    part = view.timeline if len(rows) == len(view.timeline) else view.timeline.select(rows)
    scorer, encoder = CONSISTENCY.now().scorer, timeline.now().encoder
    how = scoring.Scoring(scorer=scorer, encoder=encoder, threshold=_threshold())

    def work(runtime: Runtime) -> tuple[scoring.ScoredSubject, Findings]:
        scored = scoring.score_both_orders(subject_of_timeline(part), how, runtime)
        return scored, examine(scored)

    weights = resources.scorer_weights(how.scorer, how.encoder)
    key = f"consistency|{part.fingerprint}|{how}|{weights}"
    scored, findings = progress.result_of(key, "Comparing all pairs in both orders", work, long=True)
    return Lab(part, view.grouping.ids[rows], view.grouping.signature, how, key, scored, findings)


def show_findings(lab: Lab) -> None:
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
    st.caption(WORDS["texts"]["consistency_facts"])


def _share(value: float) -> str:
    return f"{100 * value:.1f} %"


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
    st.markdown(
        f"The **{len(worst)}** largest of {lab.findings.commutative.flips:,} flips; two headlines are linked "
        f"from **{lab.scored.scores.threshold:.2f}** on."
    )
    show_table(headlines | scores, **TABLES["flips"])


CASES = 60  # cases of each family; more make it slower, not truer


def suite(lab: Lab) -> None:
    def work(runtime: Runtime) -> SuiteReport:
        return put_suite(synthetic_suite(lab.scored, most=CASES), lab.how, runtime)

    report = progress.result_of(f"suite|{lab.key}", "Running perturbation tests", work, long=True)
    st.markdown(WORDS["texts"]["checks"])
    lines, results = [], report.results
    for result in results:
        check, rate = checks.get(result.check), result.failure_rate
        must = "not flip" if check.kind is CheckKind.INVARIANT else "tell apart"
        shown = {"Check": _title(result.check), "Change": check.summary, "It must": must}
        lines.append(shown | {"Cases": result.cases, "Failed": written(rate, lambda of: f"{100 * of:.0f} %")})
    chosen = choose_row(lines, key="lab-checks", **TABLES["checks"])
    if chosen is None:
        chosen = max(range(len(results)), key=lambda place: results[place].failure_rate or 0.0)
    st.header(f"{plain(_title(results[chosen].check))}: what failed", anchor=False)
    if results[chosen].failures:
        failures = []
        for failure in results[chosen].failures:
            before, case = failure.original_score, failure.case
            line = {"Score": f"{failure.score:.2f}", "Before": "" if before is None else f"{before:.2f}"}
            failures.append(line | {"Headline": case.a, "and": case.b, "Should be": str(case.expected)})
        show_table(failures, **TABLES["failures"])
    else:
        st.success("No case of this check failed.")
    st.caption("Cases of your own: `headline-lab consistency FILE --suite CASES.csv`.")


def _title(signature: str) -> str:
    words = signature.partition(".")[0].replace("_", " ")
    return words[:1].upper() + words[1:]


def compare_repairs(lab: Lab) -> None:
    work = partial(repair_all, lab.scored, repairs.names(), groups=lab.groups)
    report = progress.result_of(f"repairs|{lab.key}|{lab.grouped}", "Repairing", work, long=True)
    table = repairs_table(report)
    named = tuple((_title(str(name)), *figures) for name, *figures in table.rows)
    repaired = [(_title(outcome.signature), outcome.repair.note) for outcome in report.smallest_first]
    notes = (*table.notes, *(f"{name}: {note}" for name, note in repaired if note))
    table = replace(table, rows=(("As the scorer decides", *named[0][1:]), *named[1:]), notes=notes)
    title = "Repairs of a model that contradicts itself"
    show_published(table, name="repairs", title=title, **TABLES["repairs"])


def triangles(lab: Lab) -> None:
    worst, texts = lab.findings.triangles, lab.timeline.texts
    if not len(worst):
        st.success("Wherever the model says “same event” of two pairs, it says so of the third.")
        return
    rows = {"A": worst.centre, "B": worst.left, "C": worst.right}
    headlines = {name: [texts[row] for row in places.tolist()] for name, places in rows.items()}
    scores = {"A = B": worst.link_left, "A = C": worst.link_right, "B ≠ C": worst.denied}
    show_table(headlines | scores, **TABLES["triangles"])
    breaks, changes = lab.findings.breaks, lab.findings.changes
    order = [row for row in (-breaks).argsort(kind="stable")[:20].tolist() if breaks[row]]
    if not order:
        return
    st.header("Headlines that break most", anchor=False)
    table = {"Broken": [int(breaks[row]) for row in order], "Headline": [texts[row] for row in order]}
    show_table(table, **TABLES["breaks"])
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
    show_table(table, **TABLES["fixes"])


SHOWN: Final = {TRIANGLES: triangles, SWAPS: flips, REPAIRS: compare_repairs, CHANGES: suite}
ASKED: Final = "demonstration-asked"  # whether this visitor made the model answer anew


def demonstration(lab: Lab) -> None:
    """The same two headlines in both orders, and with a third one as a triangle."""
    examples = contradictions(lab.scored.scores, lab.findings)
    if not len(examples):
        st.success("On these headlines this model never contradicts itself.")
        _about(lab)
        return
    at = min(CONSISTENCY.now().example, len(examples) - 1)
    rows = examples[at].tolist()
    if CONSISTENCY.now().swapped:
        rows[:2] = rows[1], rows[0]
    st.html(Path(__file__).with_suffix(".css"))
    with st.container(key="demonstration"):
        pair, picture, more = st.container(gap="xsmall"), st.container(), st.container()
    with pair:
        keys = [f"demonstration-{digest(lab.timeline.fingerprint)}-{sorted(rows)}-{row}" for row in rows]
        known = {key: lab.timeline.texts[row] for key, row in zip(keys, rows, strict=True)}
        texts = [_field(name, *line) for name, line in zip("ABC", known.items(), strict=True)]
        answer = st.container()
        with st.container(horizontal=True, key="demonstration-buttons"):
            button("Swap", "swap", _swap, icon="swap_vert", type="primary")
            edited = any(st.session_state.get(key, text) != text for key, text in known.items())
            if edited:
                button("Undo my changes", "unchange", st.session_state.update, known, icon="undo")
    with more:
        steps(f"**{at + 1}** of {len(examples)} examples", at, len(examples), _go, what="example")
        _about(lab)
    with picture:
        answers = _answers(lab, rows, texts)
    if answers is None:
        return
    scores = [float(answers[a, b]) for a, b in SIDES]
    threshold = lab.scored.scores.threshold
    links = [score >= threshold for score in scores]
    with answer:
        back = float(answers[1, 0])
        said = f"Same event? The model says **{scores[0]:.2f}**; swapped, **{back:.2f}**."
        st.header(said, anchor=False)
        first, second = ANSWERS[links[0]], ANSWERS[back >= threshold]
        said = f"So it answers “{first}”, and swapped “{second}”."
        said = said if first != second else f"Its answer is “{first}” either way."
        if edited:
            before = [float(lab.scored.scores.probabilities[a, b]) for a, b in (rows[:2], rows[1::-1])]
            more_said = f"Before your change it was {before[0]:.2f}; swapped, {before[1]:.2f}."
        else:
            more_said = _people(lab, rows)
        st.markdown(f"{said} {more_said}")
    judged = _verdict(links, swap_agrees=first == second)
    dates = written_days(lab.timeline)
    with picture:
        st.header(judged, anchor=False)
        with st.container(key="triangle"):
            show_chart(
                triangle_chart(texts, [dates[row] for row in rows], scores, links),
                name="triangle",
                title=judged,
                source=f"headlines of {lab.timeline.name}",
                key="triangle-chart",
                alt=f"Three headlines with a line for each pair. {judged}",
            )


def _about(lab: Lab) -> None:
    test, census = lab.findings.commutative, lab.findings.census
    scorer = pair_scorers.parse(lab.how.scorer)
    summary = scorer.summary[0].lower() + scorer.summary[1:]
    said = f"The model is **{plain(_title(lab.how.scorer).lower())}**: {plain(summary)}."
    if scorer.scale.symmetric:
        said += " It reads both orders as one, so a swap never changes its answer."
    else:
        said += f" A swap changes {test.flips:,} of its {test.pairs:,} answers."
        grouping = timeline.now().scorer
        if pair_scorers.parse(grouping).scale.symmetric:
            said += f" The Timeline groups by **{plain(_title(grouping).lower())}**, which no swap changes."
    st.caption(
        f"{said} It says “same event” from {lab.scored.scores.threshold:.2f} on. "
        f"{census.two:,} times it contradicts itself about three of {len(lab.timeline):,} headlines."
    )
    if scorer.scale.symmetric:
        change = partial(CONSISTENCY.put, scorer=scoring.SCORER, example=0, swapped=False)
        button("Show a model that a swap changes", "asymmetric", change, icon="swap_vert")


def _go(to: int) -> None:
    CONSISTENCY.put(example=to, swapped=False)
    st.session_state.pop(ASKED, None)


def _swap() -> None:
    CONSISTENCY.put(swapped=not CONSISTENCY.now().swapped)
    st.session_state[ASKED] = True


def _field(name: str, key: str, known: str) -> str:
    with st.container(horizontal=True, vertical_alignment="center", wrap=False, gap="small"):
        st.markdown(f"**{name}**", width="content")
        st.session_state.setdefault(key, known)
        look = {"max_chars": 300, "live": True, "label_visibility": "collapsed"}
        given = st.text_input(f"Headline {name}", key=key, **look)
    return clean_line(given or "") or known


def _answers(lab: Lab, rows: list[int], texts: list[str]) -> Float32Array | None:
    changed = {row: text for row, text in zip(rows, texts, strict=True) if text != lab.timeline.texts[row]}
    if not changed and not st.session_state.get(ASKED):
        values: Float32Array = lab.scored.scores.probabilities[rows][:, rows]
        return values
    work = partial(scoring.ask, lab.scored, tuple(rows), changed, lab.how)
    return progress.finished(
        f"demonstration|{lab.key}|{rows}|{changed}", "Asking the model", work, long=False
    )


def _verdict(links: list[bool], *, swap_agrees: bool) -> str:
    said = [f"{'ABC'[a]} = {'ABC'[b]}" for (a, b), link in zip(SIDES, links, strict=True) if link]
    if len(said) == 2:
        (a, b), *_ = (side for side, link in zip(SIDES, links, strict=True) if not link)
        return f"The model contradicts itself: {said[0]}, {said[1]}, but not {'ABC'[a]} = {'ABC'[b]}"
    head = "No contradiction" if swap_agrees else "No contradiction in this order"
    few = f"only {said[0]}" if said else "all differ"
    return f"{head}: {'all three report the same event' if len(said) == 3 else few}"


def _people(lab: Lab, rows: list[int]) -> str:
    gold = lab.timeline.table[Field.GOLD].iloc[rows[:2]].tolist()
    known = all(isinstance(group, str) for group in gold)
    return f"People say “{ANSWERS[gold[0] == gold[1]]}”." if known else ""
