"""Contradictions of a model, one to try and all of them, and repairs: what each changed and cost."""

from functools import partial
from pathlib import Path
from typing import Final

import pandas as pd
import streamlit as st

from components import jobs
from components.charts.swimlane import ANSWERS, SIDES, triangle_chart
from components.charts.theme import show_chart
from components.consistency.subject import Lab
from components.markdown import plain
from components.publish import publish_table
from components.timeline import state as timeline
from components.timeline.group_list import written_days
from components.timeline.workspace import View
from components.views import CONSISTENCY
from components.widgets import button, show_table, steps
from core.arrays import Float32Array
from core.consistency.repairs import repairs
from core.consistency.studies.scoring import SCORER, ask, contradictions
from core.consistency.studies.study import RepairOutcome, RepairReport, repair_all
from core.data.timelines.timeline import Field
from core.digests import digest
from core.pairs.scorer import pair_scorers
from core.results.table import decimals, footnotes, spanned
from core.text.normalise import clean_line


def compare_repairs(view: View, lab: Lab) -> None:
    work = partial(repair_all, lab.scored, repairs.names(), groups=lab.groups)
    key = f"repairs|{lab.key}|{view.grouping.signature}"
    report = jobs.result_of(key, "Repairing", work, long=True)
    outcomes = report.smallest_first
    difference = "95 % interval of the difference F1 after − F1 before, in points, on the same resamples"
    columns = {
        "Repair": 165,
        "Broken": (70, "Triangles with two links and a denied third pair"),
        "Changed": (80, "Pairs whose decision it changed"),
        "Fewest known": (105, "Pairs that the smallest known transitive repair changes"),
        "At least": (70, "No transitive repair can change fewer pairs than this"),
        "Gap": (60, "Changed − at least: no more than this many changes were needless"),
        "F1": (155, "Against human groups, 95 % interval"),
        "F1 difference": (155, difference),
    }
    alt = "Repairs: broken triangles left, decisions changed, agreement with people"
    show_table(_table(report, outcomes), alt=alt, most=400, columns=columns)
    title, source = "Repairs of a model that contradicts itself", "Source: Headline Lab"
    publish_table(lambda: _table(report, outcomes), name="repairs", title=title, source=source)
    gaps = [outcome.difference for outcome in outcomes if outcome.difference is not None]
    warnings = [gap.warning for gap in gaps] + ([] if report.gold is None else [report.gold.f1.warning])
    for line in footnotes(warnings):
        st.caption(line)
    for outcome in outcomes:
        if outcome.repair.note:
            st.caption(plain(f"{_title(outcome.signature)}: {outcome.repair.note}"))


def _table(report: RepairReport, outcomes: list[RepairOutcome]) -> pd.DataFrame:
    def points(share: float) -> str:
        return f"{100 * share:+.1f}"

    first = {"Repair": "As the scorer decides", "Broken": report.census.two}
    empty = dict.fromkeys(("Changed", "Fewest known", "At least", "Gap"), "")
    if report.gold is not None:
        empty |= {"F1": spanned(report.gold.f1, decimals(3)), "F1 difference": ""}
    rows = [first | empty]
    for outcome in outcomes:
        changed = int((outcome.repair.decisions != report.before).sum()) // 2
        row = {"Repair": _title(outcome.signature), "Broken": outcome.census.two, "Changed": f"{changed:,}"}
        certificate = outcome.certificate
        if certificate is not None:
            row["Fewest known"] = f"{certificate.known:,}"
            row |= {"At least": f"{certificate.at_least:,}", "Gap": f"{certificate.gap:,}"}
        if report.gold is not None:
            row["F1"] = spanned(None if outcome.gold is None else outcome.gold.f1, decimals(3))
            gap = outcome.difference
            row["F1 difference"] = "" if gap is None or gap.value is None else spanned(gap, points)
        rows.append(row)
    for name, gold in report.constants.items():
        rows.append({"Repair": name.capitalize(), "Broken": 0, "F1": spanned(gold.f1, decimals(3))})
    return pd.DataFrame(rows).fillna("")


def _title(signature: str) -> str:
    words = signature.partition(".")[0].replace("_", " ")
    return words[0].upper() + words[1:]


def triangles(lab: Lab) -> None:
    worst, texts = lab.findings.triangles, lab.timeline.texts
    if not len(worst):
        st.success("Wherever the model says “same event” of two pairs, it says so of the third.")
        return
    rows = {"A": worst.centre, "B": worst.left, "C": worst.right}
    headlines = {name: [texts[row] for row in places.tolist()] for name, places in rows.items()}
    scores = {"A = B": worst.link_left, "A = C": worst.link_right, "B ≠ C": worst.denied}
    columns = dict.fromkeys(scores, st.column_config.NumberColumn(format="%.2f", width=60))
    alt = "Three headlines that contradict each other, the worst first"
    show_table(headlines | scores, alt=alt, columns=columns)
    breaks, changes = lab.findings.breaks, lab.findings.changes
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
    alt = "Single decisions whose change fixes most broken triangles"
    show_table(table, alt=alt, most=250, columns=columns)


_STYLE: Final = Path(__file__).with_name("demonstration.css")
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
    st.html(_STYLE)
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
                source=f"Source: Headline Lab, headlines of {lab.timeline.name}",
                key="triangle-chart",
                alt=f"Three headlines with a line for each pair. {judged}",
            )


def _about(lab: Lab) -> None:
    test, census = lab.findings.commutative, lab.findings.census
    scorer = pair_scorers.parse(lab.how.scorer)
    summary = scorer.summary[0].lower() + scorer.summary[1:]
    said = f"The model is **{_named(lab.how.scorer)}**: {plain(summary)}."
    if scorer.scale.symmetric:
        said += " It reads both orders as one, so a swap never changes its answer."
    else:
        said += f" A swap changes {test.flips:,} of its {test.pairs:,} answers."
        grouping = timeline.now().scorer
        if pair_scorers.parse(grouping).scale.symmetric:
            said += f" The Timeline groups by **{_named(grouping)}**, which no swap changes."
    st.caption(
        f"{said} It says “same event” from {lab.scored.scores.threshold:.2f} on. "
        f"{census.two:,} times it contradicts itself about three of {len(lab.timeline):,} headlines."
    )
    if scorer.scale.symmetric:
        change = partial(CONSISTENCY.put, scorer=SCORER, example=0, swapped=False)
        button("Show a model that a swap changes", "asymmetric", change, icon="swap_vert")


def _named(signature: str) -> str:
    return plain(signature.partition(".")[0].replace("_", " "))


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
    work = partial(ask, lab.scored, tuple(rows), changed, lab.how)
    return jobs.finished(f"demonstration|{lab.key}|{rows}|{changed}", "Asking the model", work, long=False)


def _verdict(links: list[bool], *, swap_agrees: bool) -> str:
    said = [f"{'ABC'[a]} = {'ABC'[b]}" for (a, b), link in zip(SIDES, links, strict=True) if link]
    if len(said) == 2:
        (a, b), *_ = (side for side, link in zip(SIDES, links, strict=True) if not link)
        return f"The model contradicts itself: {said[0]}, {said[1]}, but not {'ABC'[a]} = {'ABC'[b]}"
    head = "No contradiction" if swap_agrees else "No contradiction in this order"
    return f"{head}: " + (
        "all three report the same event" if len(said) == 3 else f"only {said[0]}" if said else "all differ"
    )


def _people(lab: Lab, rows: list[int]) -> str:
    gold = lab.timeline.table[Field.GOLD].iloc[rows[:2]].tolist()
    known = all(isinstance(group, str) for group in gold)
    return f"People say “{ANSWERS[gold[0] == gold[1]]}”." if known else ""
