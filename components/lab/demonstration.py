"""A model that contradicts itself, to try: two headlines in both orders, and a triangle."""

from functools import partial
from pathlib import Path

import streamlit as st

from components.frame import progress
from components.frame.charts.show_chart import show_chart
from components.frame.charts.triangle import ANSWERS, SIDES, triangle_chart
from components.frame.markdown import plain
from components.frame.publish import show_published
from components.frame.widgets import button, steps
from components.lab.consistency import Lab, method_title
from components.opened.views import timeline
from components.opened.views.consistency import CONSISTENCY
from components.timeline.group_list import written_days
from core.arrays import Float32Array
from core.consistency.studies import findings, scoring
from core.data.timelines.timeline import Field
from core.digests import digest
from core.pairs.explanation import explain_pair
from core.pairs.neighbours import nearest_training_pairs, training_sets
from core.pairs.scorer import pair_scorers
from core.results.render import count_words
from core.runtime import workshop
from core.text.normalise import clean_line


def demonstration(lab: Lab) -> None:
    """The same two headlines in both orders, and with a third one as a triangle."""
    examples = findings.contradictions(lab.scored.scores, lab.findings)
    if not len(examples):
        st.success("On these headlines this model never contradicts itself.")
        _about(lab)
        _other_model(lab)
        return
    at = min(CONSISTENCY.now().example, len(examples) - 1)
    rows, letters = examples[at].tolist(), "ABC"
    if CONSISTENCY.now().swapped:  # a letter stays with its headline
        rows[:2], letters = rows[1::-1], "BAC"
    st.html(Path(__file__).with_suffix(".css"))
    picture, pair = st.container(key="demonstration-picture"), st.container(gap="xsmall")
    more, why = st.container(), st.container(key="demonstration-why")
    with pair:
        with st.container(key="demonstration-hint"):
            st.caption("Type your own, or step through examples")
        keys = [f"demonstration-{digest(lab.timeline.fingerprint)}-{sorted(rows)}-{row}" for row in rows]
        known = {key: lab.timeline.texts[row] for key, row in zip(keys, rows, strict=True)}
        texts = [_field(name, *line) for name, line in zip(letters, known.items(), strict=True)]
        look = {"wrap": False, "vertical_alignment": "center", "key": "demonstration-buttons"}
        with st.container(horizontal=True, **look):
            answer = st.container(key="demonstration-answer")
            button("Swap", "swap", _swap, icon="swap_vert")
        edited = any(st.session_state.get(key, text) != text for key, text in known.items())
        if edited:
            button("Undo my changes", "unchange", st.session_state.update, known, icon="undo")
    with more:
        look = {"what": "example", "type": "primary"}
        steps(f"**{at + 1}** of {len(examples)} examples", at, len(examples), _go, **look)
    with why:
        with st.expander("Why this answer?", icon=":material/help:"):
            _about(lab)
            _words(lab, rows[:2], texts[:2], letters[:2])
        _other_model(lab)
    with picture:
        answers = _answers(lab, rows, texts)
    if answers is None:
        return
    people = ["" if edited else _people(lab, [rows[a], rows[b]]) for a, b in SIDES]
    scores = float(answers[0, 1]), float(answers[1, 0])
    first, second = (ANSWERS[score >= lab.scored.scores.threshold] for score in scores)
    said = f"{' and '.join(letters[:2])}: **{scores[0]:.2f}**, “{first}”; "
    said += f"swapped, **{scores[1]:.2f}**, “{second}”."
    if edited:
        before = [float(lab.scored.scores.probabilities[a, b]) for a, b in (rows[:2], rows[1::-1])]
        said += f"  \nBefore your change it was {before[0]:.2f}; swapped, {before[1]:.2f}."
    answer.markdown(said)
    with picture:
        _triangle(lab, rows, letters, texts, answers, people)


def _triangle(  # noqa: PLR0917 - all that is said of three headlines
    lab: Lab, rows: list[int], letters: str, texts: list[str], answers: Float32Array, people: list[str]
) -> None:
    scores, backs = ([float(answers[side]) for side in sides] for sides in (SIDES, [s[::-1] for s in SIDES]))
    links, swapped = ([score >= lab.scored.scores.threshold for score in of] for of in (scores, backs))
    judged, dates = _verdict(letters, links, swap_agrees=links[0] == swapped[0]), written_days(lab.timeline)
    notes = [
        f"swapped {back:.2f}\npeople: {of}".removesuffix("\npeople: ")
        for back, of in zip(backs, people, strict=True)
    ]
    st.header(judged, anchor=False)
    st.caption(_how_often(lab))
    days = [dates[row] for row in rows]
    drawn = partial(triangle_chart, texts, days, scores, links, notes, names=letters)
    with st.container(key="triangle"):
        show_chart(
            drawn(fields=True),
            published=lambda _: drawn(),
            name="triangle",
            title=judged,
            source=f"headlines of {lab.timeline.name}",
            key="triangle-chart",
            alt=f"Three headlines with a line for each pair. {judged}",
        )


def _words(lab: Lab, rows: list[int], texts: list[str], letters: str = "AB") -> None:
    if not st.toggle("Which words carry the answer?", key="demonstration-words"):
        return
    days = lab.timeline.table[Field.PUBLISHED].iloc[rows].dt.strftime("%Y-%m-%d").fillna("").tolist()
    asked = {"scorer": lab.how.scorer, "threshold": lab.scored.scores.threshold, "days": days}
    work, key = partial(explain_pair, *texts, **asked, names=letters), f"words|{lab.key}|{letters}|{texts}"
    if (table := progress.finished(key, "Taking words out", work, long=False)) is not None:
        show_published(table, name="words", title=table.title)
    if workshop() or not training_sets(lab.how.scorer):  # what others trained on is not a visitor's
        return
    work, key = partial(nearest_training_pairs, *texts, scorer=asked["scorer"], days=days), f"near|{key}"
    if (table := progress.finished(key, "Reading training pairs", work, long=False)) is not None:
        show_published(table, name="neighbours", title=table.title)


def _how_often(lab: Lab) -> str:
    test, census = lab.findings.commutative, lab.findings.census
    three = count_words(census.two, "group of three headlines", "groups of three headlines")
    said = f"A swap changes {test.flips:,} of its {test.pairs:,} answers; it contradicts itself in {three}."
    return f"{said} On the lines: how likely the same event; swapped: the other order."


def _about(lab: Lab) -> None:
    scorer = pair_scorers.parse(lab.how.scorer)
    summary = scorer.summary[0].lower() + scorer.summary[1:]
    said = f"The model is **{plain(method_title(lab.how.scorer).lower())}**: {plain(summary)}."
    if scorer.scale.symmetric:
        said += " It reads both orders as one, so a swap never changes its answer."
    else:
        grouping = timeline.now().scorer
        if pair_scorers.parse(grouping).scale.symmetric:
            said += (
                f" The Timeline groups by **{plain(method_title(grouping).lower())}**, which no swap changes."
            )
    st.caption(f"{said} It says “same event” from {lab.scored.scores.threshold:.2f} on.")


def _other_model(lab: Lab) -> None:
    if pair_scorers.parse(lab.how.scorer).scale.symmetric:
        change = partial(CONSISTENCY.put, scorer=scoring.SCORER, example=0, swapped=False)
        button("Show a model that a swap changes", "asymmetric", change, icon="swap_vert")


def _people(lab: Lab, rows: list[int]) -> str:
    gold = lab.timeline.table[Field.GOLD].iloc[rows].tolist()
    known = all(isinstance(group, str) for group in gold)
    return ANSWERS[gold[0] == gold[1]] if known else ""


def _verdict(letters: str, links: list[bool], *, swap_agrees: bool) -> str:
    pairs = [f"{letters[a]} and {letters[b]}" for a, b in SIDES]
    said = [pair for pair, link in zip(pairs, links, strict=True) if link]
    if len(said) == 2:
        other = pairs[links.index(False)]
        told = f"{said[0]} are the same event, {said[1]} too, but {other} are not"
        return f"The model contradicts itself: {told}"
    head = "No contradiction" if swap_agrees else "No contradiction in this order"
    few = f"only {said[0]} are the same event" if said else "all differ"
    return f"{head}: {'all three report the same event' if len(said) == 3 else few}"


def _answers(lab: Lab, rows: list[int], texts: list[str]) -> Float32Array | None:
    changed = {row: text for row, text in zip(rows, texts, strict=True) if text != lab.timeline.texts[row]}
    if not changed:
        return lab.scored.scores.probabilities[rows][:, rows]
    work = partial(scoring.ask, lab.scored, tuple(rows), changed, lab.how)
    key = f"demonstration|{lab.key}|{rows}|{changed}"
    return progress.finished(key, "Asking the model", work, long=False)


def _field(name: str, key: str, known: str) -> str:
    look = {"vertical_alignment": "center", "wrap": False, "gap": "small", "key": f"headline-of-{name}"}
    with st.container(horizontal=True, **look):
        # All of it stands over the field, in two lines, until somebody types there.
        shown = clean_line(st.session_state.setdefault(key, known) or "") or known
        st.markdown(f"**{name}**\n\n{plain(shown)}", width="content")
        look = {"max_chars": 300, "live": True, "label_visibility": "collapsed"}
        given = st.text_input(f"Headline {name}", key=key, **look)
    return clean_line(given or "") or known


def _go(to: int) -> None:
    CONSISTENCY.put(example=to, swapped=False)


def _swap() -> None:
    CONSISTENCY.put(swapped=not CONSISTENCY.now().swapped)
