"""A model that contradicts itself on three headlines, which anyone may swap and change."""

from typing import Any

import streamlit as st

from components import jobs
from components.buttons import button, steps
from components.charts.menu import show_chart
from components.charts.triangle import ANSWERS, SIDES, triangle_chart
from components.consistency import state
from components.consistency.subject import Lab
from components.markdown import plain
from components.timeline.group_list import written_days
from core.arrays import Float32Array
from core.consistency.studies.demonstration import ask, contradictions
from core.data.timelines.timeline import Field
from core.digests import digest
from core.pairs.scorer import pair_scorers
from core.runtime import Runtime
from core.text.normalise import clean_line

ASKED = "demonstration-asked"  # whether this visitor made the model answer anew


def demonstration(lab: Lab) -> None:
    """The same two headlines in both orders, and with a third one as a triangle."""
    examples = contradictions(lab.scored.scores, lab.findings)
    if not len(examples):
        st.success("On these headlines this model never contradicts itself.")
        return
    at = min(state.now().example, len(examples) - 1)
    rows = examples[at].tolist()
    if state.now().swapped:
        rows[:2] = rows[1], rows[0]
    pair, picture = st.columns([2, 3], gap="large")
    with pair, st.container(gap="xsmall"):
        texts = [_field(lab, "AB"[place], row) for place, row in enumerate(rows[:2])]
        answer = st.container()
        with st.container(horizontal=True, key="demonstration-buttons"):
            button("Swap", "swap", _swap, icon="swap_vert", type="primary")
            if any(_key(lab, row) in st.session_state and _changed(lab, row) for row in rows):
                button("Undo my changes", "unchange", _restore, lab, rows, icon="undo")
    with picture:
        verdict, chart = st.container(), st.container(key="triangle")
        texts.append(_field(lab, "C", rows[2]))
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
        st.markdown(f"{said} {_people(lab, rows)}")
    with verdict:
        st.header(_verdict(links), anchor=False)
    dates = written_days(lab.timeline)
    with chart:
        show_chart(
            triangle_chart(texts, [dates[row] for row in rows], scores, links),
            name="triangle",
            title=_verdict(links),
            source=f"Source: Headline Lab, headlines of {lab.timeline.name}",
            key="triangle-chart",
            alt=f"Three headlines with a line for each pair. {_verdict(links)}",
        )
    steps(f"**{at + 1}** of {len(examples)} examples", at, len(examples), _go, what="example")
    _about(lab)


def _go(to: int) -> None:
    state.put(example=to, swapped=False)
    st.session_state.pop(ASKED, None)


def _swap() -> None:
    state.put(swapped=not state.now().swapped)
    st.session_state[ASKED] = True


def _key(lab: Lab, row: int) -> str:
    return f"demonstration-{digest(lab.timeline.fingerprint)}-{row}"


def _changed(lab: Lab, row: int) -> bool:
    return bool(st.session_state[_key(lab, row)] != lab.timeline.texts[row])


def _restore(lab: Lab, rows: list[int]) -> None:
    for row in rows:
        st.session_state[_key(lab, row)] = lab.timeline.texts[row]


def _field(lab: Lab, name: str, row: int) -> str:
    with st.container(horizontal=True, vertical_alignment="center", wrap=False, gap="small"):
        st.markdown(f"**{name}**", width="content")
        key, known = _key(lab, row), lab.timeline.texts[row]
        st.session_state.setdefault(key, known)
        given = st.text_input(
            f"Headline {name}", key=key, max_chars=300, live=True, label_visibility="collapsed"
        )
    return clean_line(given or "") or known


def _answers(lab: Lab, rows: list[int], texts: list[str]) -> Float32Array | None:
    """All answers about three headlines: known ones at first, from then on the model's own."""
    changed = {row: text for row, text in zip(rows, texts, strict=True) if text != lab.timeline.texts[row]}
    if not changed and not st.session_state.get(ASKED):
        values: Float32Array = lab.scored.scores.probabilities[rows][:, rows]
        return values

    def work(runtime: Runtime) -> Any:
        return ask(lab.scored, tuple(rows), changed, lab.how, runtime)

    return jobs.finished(f"demonstration|{lab.key}|{rows}|{changed}", "Asking the model", work, long=False)


def _verdict(links: list[bool]) -> str:
    said = [f"{'ABC'[a]} = {'ABC'[b]}" for (a, b), link in zip(SIDES, links, strict=True) if link]
    if len(said) == 2:
        (a, b), *_ = (side for side, link in zip(SIDES, links, strict=True) if not link)
        return f"The model contradicts itself: {said[0]}, {said[1]}, but not {'ABC'[a]} = {'ABC'[b]}"
    return "No contradiction: " + (
        "all three report the same event" if len(said) == 3 else f"only {said[0]}" if said else "all differ"
    )


def _people(lab: Lab, rows: list[int]) -> str:
    gold = lab.timeline.table[Field.GOLD].iloc[rows[:2]].tolist()
    known = all(isinstance(group, str) for group in gold)
    return f"People say “{ANSWERS[gold[0] == gold[1]]}”." if known else ""


def _about(lab: Lab) -> None:
    test, census = lab.findings.commutative, lab.findings.census
    name, scorer = lab.how.scorer.partition(".")[0].replace("_", " "), pair_scorers.parse(lab.how.scorer)
    st.caption(
        f"The model is **{plain(name)}**: {plain(scorer.summary[0].lower() + scorer.summary[1:])}. It says "
        f"“same event” from {lab.scored.scores.threshold:.2f} on. Over {len(lab.timeline):,} headlines it "
        f"changes {test.flips:,} of {test.pairs:,} answers when two are swapped. "
        f"In {census.two:,} groups of three headlines it contradicts itself."
    )
