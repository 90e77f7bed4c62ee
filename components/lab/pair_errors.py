"""The error browser: the worst mistakes of a scorer, slice by slice."""

from functools import partial

import numpy as np
import streamlit as st

from components.frame import progress
from components.frame.charts import maps, pair_charts
from components.frame.charts.show_chart import show_chart
from components.frame.markdown import WORDS, legend, marked, plain
from components.frame.tables import TABLES, choose_row
from components.frame.widgets import segments
from components.lab.pair_measuring import BEST, evaluated, open_measured, row_choice
from components.opened import resources
from core.pairs.scorer import PairScorer, pair_scorers
from core.results.number_forms import decimals, spanned
from core.statistics.bootstrap import Figure
from core.text.differences import compare
from research.benchmark.pairs import errors as mistakes
from research.benchmark.pairs.evaluate import Evaluated
from research.benchmark.pairs.sets import MeasuredSet

LISTED = 200  # pairs of a table


def pair_card(data: MeasuredSet, place: int, scorer: PairScorer | None, score: float | None) -> None:
    test = data.test
    left, right = int(test.left[place]), int(test.right[place])
    texts = test.texts[left], test.texts[right]
    differences = compare(*texts)
    apart = float(test.days_apart[place])
    when = f"{apart:.0f} day{'s' * (apart != 1)} apart" if apart else "same day"
    when = "dates unknown" if np.isnan(apart) else when
    same = "the same event" if test.labels[place] == 1 else "different events"
    with st.container(border=True):
        st.markdown(marked(texts[0], differences.left_marks))
        st.markdown(marked(texts[1], differences.right_marks))
        said = "" if score is None else f" · score **{score:.3f}**"
        st.markdown(f":gray[{when} · people say {same}]{said}")
        st.markdown(f":small[{legend((*differences.left_marks, *differences.right_marks))}]")
        if scorer is not None and score is not None:
            weights = resources.scorer_weights(pair_scorers.signature(scorer))
            key = f"drive|{data.facts.fingerprint}|{place}|{weights}"
            work = partial(mistakes.explain, data.test, place, scorer, score)
            drives = progress.result_of(key, "Explaining the score", work, long=False)
            if len(drives) < 2:
                return
            title, source = "What the score of this pair is made of", pair_scorers.signature(scorer)
            chart = pair_charts.driver_chart([(part.name, part.value) for part in drives])
            show_chart(chart, name="drivers", title=title, source=source)


def errors(chosen: str) -> None:
    data = open_measured(chosen)
    result = evaluated(chosen, row_choice("System", first=BEST, key="errors-row"))
    if result.cell.why_not:
        st.info(plain(result.cell.why_not), icon=":material/info:")
        return
    name, work = f"slices|{data.facts.key}|{data.facts.fingerprint}", partial(mistakes.slices, data.test)
    cut = (*progress.result_of(name, "Cutting slices", work, long=True), *mistakes.tag_slices(data.test))
    _mistakes(data, result, cut[_slices(data, result, cut)])
    with st.expander("Is a score a probability?", icon=":material/show_chart:"):
        show_chart(
            pair_charts.reliability_chart(result.cell.curves.get("score", ())),
            name="reliability",
            title=f"Scores and how many pairs with such a score report the same event: {result.cell.system}",
            source=f"test pairs of {chosen}",
        )


def _slices(data: MeasuredSet, found: Evaluated, cut: tuple[mistakes.PairSlice, ...]) -> int:
    def line(part: mistakes.PairSlice) -> dict[str, object]:
        quality, alarms = mistakes.slice_quality(data.test, part, found.places, found.called)
        counts = {"Pairs like this": part.name, "Pairs": quality.pairs, "Same event": quality.tp + quality.fn}
        figures = {name: quality[name.casefold()] for name in ("F1", "Precision", "Recall")}
        figures["False alarms"] = alarms
        return counts | {name: spanned(Figure(share.value), decimals(3)) for name, share in figures.items()}

    return choose_row([line(part) for part in cut], key=f"slices-{data.facts.key}", **TABLES["slices"]) or 0


def _mistakes(data: MeasuredSet, found: Evaluated, part: mistakes.PairSlice) -> None:
    st.header("Mistakes", anchor=False)
    kinds = [mistake.value for mistake in mistakes.Mistake]
    kind = segments("Kind of mistake", kinds, str, "mistake", default=mistakes.Mistake.FALSE_POSITIVE.value)
    wrong = mistakes.worst(data.test, found, mistakes.Mistake(kind)).tolist()
    places = [place for place in wrong if part.pairs[place]]
    where = "" if part.kind == "all" else plain(f" among pairs like this: {part.name}")
    if not places:
        st.success(f"No errors match this filter{where}.")
        return
    scores = dict(zip(found.places.tolist(), found.scores.tolist(), strict=True))
    st.markdown(f"**{len(places):,}**{where}, those furthest from the threshold first.")
    shown = [
        {"Score": scores[place], **_headlines(data, place), "Days": data.test.days_apart[place]}
        for place in places[:LISTED]
    ]
    key = f"mistakes-{data.facts.key}-{kind}-{part.name}"
    place = places[choose_row(shown, key=key, **TABLES["mistakes"]) or 0]
    pair_card(data, place, found.scorer, scores[place])


def _headlines(data: MeasuredSet, place: int) -> dict[str, str]:
    texts, test = data.test.texts, data.test
    return {"Headline": texts[int(test.left[place])], "and": texts[int(test.right[place])]}


def split(chosen: str) -> None:
    data = open_measured(chosen)
    left, right = st.columns(2, gap="large")
    with left:
        left_row = row_choice("System", first="cosine", key="split-one")
    with right:
        other = row_choice("and", first="event_similarity", key="split-other")
    first, second = evaluated(chosen, left_row), evaluated(chosen, other)
    if why_not := first.cell.why_not or second.cell.why_not:
        st.info(plain(why_not), icon=":material/info:")
        return
    key = f"split-places|{data.facts.fingerprint}"
    positions = progress.result_of(key, "Drawing the map", partial(mistakes.places_of, data.test), long=True)
    for column, result, name in ((left, first, left_row), (right, second, other)):
        with column:
            wrong = mistakes.disagreement_by_headline(data.test, result)
            show_chart(
                maps.disagreement_chart(positions, data.test.texts, wrong),
                name=f"split-{'one' if column is left else 'other'}",
                title=f"Headlines whose pairs are judged otherwise than by people: {name}",
                source=f"{len(data.test.texts):,} headlines of {chosen}",
                key=f"split-map-{name}-{column is left}",
                alt="Headlines on a map; the darker, the more of its pairs are judged otherwise by people",
            )
    st.caption(WORDS["texts"]["two_maps"])
    result = mistakes.disagreements(data.test, first, second)
    if not result:
        st.success("The two systems decide every pair alike.")
        return
    called = dict(zip(first.places.tolist(), first.called.tolist(), strict=True))
    right_one = sum((d.label == 1) == called[d.place] for d in result)
    counts = len(result), right_one, len(result) - right_one
    st.markdown(WORDS["texts"]["sided"].format(*counts))
    shown = [
        {"People": ("different", "same")[d.label == 1], "First": d.one, "Second": d.other}
        | _headlines(data, d.place)
        for d in result[:LISTED]
    ]
    picked = result[choose_row(shown, key=f"split-{chosen}-{left_row}-{other}", **TABLES["split"]) or 0]
    pair_card(data, picked.place, second.scorer, picked.other)
