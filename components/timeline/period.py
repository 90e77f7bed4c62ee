"""The days that are looked at."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from components.frame.controlled import controlled_days
from components.frame.widgets import button, choose_here
from components.opened.resources import cached
from components.opened.views import timeline as state
from components.timeline.workspace import View
from core.data.timelines.periods import Period, periods, whole
from core.results.render import count_words

WHOLE, OWN = "Whole timeline", "Other days …"
_OWN = "period-own"
_periods = cached(periods, max_entries=16)


def period_choice(view: View, menu: DeltaGenerator) -> None:
    """Draws the choice of days in a menu, and next to it where to go from days that are chosen."""
    span = whole(view.timeline)
    if span is None or span.first == span.last:
        return
    counts = _periods(view.timeline)
    chosen = state.now().period
    by_name = {str(count): count for count in counts}
    words = {WHOLE: WHOLE, OWN: OWN}
    for name, period in by_name.items():
        words[name] = f"{period.words} · {count_words(counts[period], 'headline', 'headlines')}"
    own = bool(st.session_state.get(_OWN)) or (chosen is not None and chosen not in counts)
    here = OWN if own else WHOLE if chosen is None else str(chosen)

    def choose(picked: str) -> None:
        if picked == OWN:
            st.session_state[_OWN] = True
        else:
            _take(by_name.get(picked))

    look = {"label_visibility": "visible"}
    with menu:
        choose_here("Period", [WHOLE, *by_name, OWN], words, "pick-period", here, choose, **look)
        if own:
            start, ends = chosen or span, {"min_value": span.first, "max_value": span.last}
            shown = tuple(min(max(day, span.first), span.last) for day in (start.first, start.last))
            key = f"period-days-{span.first}-{span.last}"
            bound = controlled_days(key, shown, lambda *days: state.choose_period(Period(*days)))
            st.date_input("From – to", **ends, format="YYYY-MM-DD", **bound)
    with st.container(horizontal=True, vertical_alignment="bottom", width="content", key="period"):
        if chosen is not None and not own:
            known = [None, *counts, None]  # the latest first, and none beyond either end
            at = known.index(chosen)
            for label, icon, to in (("Earlier", "left", known[at + 1]), ("Later", "right", known[at - 1])):
                look = {"icon": f"chevron_{icon}", "disabled": to is None}
                button(label, f"period-{label.lower()}", _take, to, **look)
        if chosen is not None:
            button(WHOLE, "period-whole", _take, None, icon="undo", help="Shows all days again.")


def _take(period: Period | None) -> None:
    st.session_state[_OWN] = False
    state.choose_period(period)
