"""What greets a browser that comes for the first time: a box for its headlines, and three live pictures."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from html import escape
from pathlib import Path
from typing import Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from components.frame.charts.theme import is_dark, meaning_colour
from components.frame.markdown import shorten
from components.frame.page_state import BEGUN, LAST
from components.frame.widgets import button, button_to
from components.opened.importer import given_file, open_at_once
from components.opened.resources import cached
from components.opened.views import timeline as state
from components.opened.views.consistency import CONSISTENCY
from components.timeline.group_list import summaries
from components.timeline.workspace import View
from components.tour import tour
from core.consistency.studies import scoring
from core.consistency.studies.findings import contradictions, examine
from core.consistency.studies.subject import subject_of_timeline
from core.data.timelines.samples import load_sample
from core.events.facts import FactsGrid, facts_grid
from core.events.facts_html import STYLE, colour_rules, grid_html
from core.headlines.opening import GivenFile
from core.palette import AGREES, APART
from core.runtime import Runtime

_DIFFERS: Final = 3  # the event of the sample whose outlets say different things
_OUTLETS: Final = 4  # rows of the small facts grid
_PURPOSE: Final = (
    "Group news headlines by event, see who said what, and check every number. "
    "Nothing leaves the computer it runs on."
)


def end() -> None:
    st.session_state[BEGUN] = True


def greets() -> bool:
    """Whether the browser is here for the first time, came by no link, and nothing was done yet."""
    changed = any(view.address(names) for view, names in (state.part(), state.LIST.part()))
    if LAST in [*st.context.cookies] or st.query_params or changed or tour.under_way():
        end()
    return BEGUN not in st.session_state


def band() -> Sequence[DeltaGenerator]:
    """Draws the box, which opens what it is given; gives the places of the three pictures."""
    st.html(Path(__file__).with_suffix(".css"))
    with st.container(key="first-visit"):
        with st.container(horizontal=True, vertical_alignment="center", wrap=False, key="first-head"):
            st.markdown(_PURPOSE, width="stretch")
            button("Close", "first-close", end, icon="close", type="tertiary")
        box, looks = st.columns([1, 3], gap="medium")
        with box, st.container(key="first-box"):
            st.markdown("Drop a file or paste headlines")
            look = {"label_visibility": "collapsed"}
            several = {"accept_multiple_files": True}
            file = given_file(st.file_uploader("Files of headlines", key="first-file", **look, **several))
            look |= {"height": 76, "placeholder": "One headline on each line"}
            lines = st.text_area("Headlines", key="first-lines", **look)
            button("Group them", "first-go", icon="view_timeline", type="primary")
        with looks, st.container(key="first-pictures"):
            places = st.columns(3, gap="medium")
    given = file or GivenFile("", lines.encode("utf-8", errors="replace"))
    if given.data.strip() and open_at_once(given):
        end()
        st.rerun()
    look = {"border": True, "height": "stretch"}
    facts, number, model = (
        place.container(key=f"first-picture-{at}", **look) for at, place in enumerate(places)
    )
    with facts:
        _way("timeline", "Who said what?", "facts", _open_facts)
    with number:
        _way("check_numbers", "A wrong number, caught", "number", _take_example)
    with model:
        _way("consistency", "A model contradicts itself", "model", CONSISTENCY.reset)
    return facts, number, model


def pictures(view: View, places: Sequence[DeltaGenerator]) -> None:
    facts, number, model = places
    with facts:
        line = next(each for each in summaries(view) if each.group == _DIFFERS)
        rules = f"<style>{STYLE}{colour_rules(dark=is_dark())}</style>"
        grid = facts_grid(view.prepared.timeline, line, network=False)  # which takes a second to load
        st.html(rules + _small_grid(grid, view.timeline.texts))
    with model:
        st.html(_answers(*contradiction()))
    with number:
        # Not at the top: the list of events does not wait for all that checks numbers.
        from components.headlines.numerals.wrong_number import show_wrong_number

        show_wrong_number()


def _way(place: str, label: str, name: str, then: Callable[[], object]) -> None:
    def leave() -> None:
        end()
        then()

    button_to(place, label, f"first-to-{name}", leave, icon="arrow_forward", type="tertiary")


def _open_facts() -> None:
    state.select(group=_DIFFERS, by="")
    st.session_state[f"card-tab-{_DIFFERS}"] = "Facts"


def _take_example() -> None:
    from components.headlines.numerals.own import take_example

    take_example()


@cached(max_entries=1)
def contradiction() -> tuple[list[str], float, float, float]:
    """Two headlines of the sample, the model's score in either order, and from which score on it says yes."""
    scored = scoring.score_both_orders(subject_of_timeline(load_sample()), scoring.Scoring(), Runtime())
    first, second, _ = contradictions(scored.scores, examine(scored))[0].tolist()
    values = scored.scores.probabilities
    texts = [scored.subject.headlines.texts[row] for row in (first, second)]
    return texts, float(values[first, second]), float(values[second, first]), float(scored.scores.threshold)


def warm() -> None:
    from components.headlines.numerals.wrong_number import wrong_number

    contradiction()
    wrong_number()


def _small_grid(grid: FactsGrid, texts: Sequence[str]) -> str:
    """The two facts that most outlets state, and the outlets that state most, as an escaped table."""
    counts = [sum(bool(row.cells[at]) for row in grid.rows) for at in range(len(grid.columns))]
    shown = sorted(sorted(range(len(counts)), key=counts.__getitem__)[-2:])
    stating = [row for row in grid.rows if any(row.cells[at] for at in shown)]
    most = sorted(stating, key=lambda row: -sum(bool(row.cells[at]) for at in shown))[:_OUTLETS]
    kept = filter(most.__contains__, grid.rows)
    rows = [replace(row, cells=tuple(row.cells[at][:2] for at in shown)) for row in kept]
    small = replace(grid, rows=tuple(rows), columns=tuple(map(grid.columns.__getitem__, shown)))
    return grid_html(small, texts, scrolls=False)


def _answers(texts: Sequence[str], there: float, back: float, threshold: float) -> str:
    both = zip("AB", texts, strict=True)
    lines = [f"<p><b>{name}</b> {escape(shorten(text, 70))}</p>" for name, text in both]
    for order, score in (("A, then B", there), ("B, then A", back)):
        said, paint = ("same event", AGREES) if score >= threshold else ("different", APART)
        bar = f'<i style="--at:{score:.3f};--paint:{meaning_colour(paint)}"></i>'
        lines.append(f"<p><span>{order}</span>{bar}<b>{score:.2f} {said}</b></p>")
    return f'<div class="first-answers">{"".join(lines)}</div>'
