"""Which days the Timeline page looks at: all of them, a week, or days of the reader's own."""

from __future__ import annotations

from datetime import date

import streamlit as st

from components.page_state import controlled, controlled_days
from components.resources import cached
from components.timeline import state
from components.timeline.workspace import View
from core.data.timelines.periods import Period, periods, whole

WHOLE = "Whole timeline"
OWN = "Other days …"
_OWN = "period-own"
_periods = cached(periods, max_entries=16)


def period_choice(view: View) -> None:
    """Draws the choice; nothing where all headlines are of one day or none has a date."""
    span = whole(view.timeline)
    if span is None or span.first == span.last:
        return
    counts = _periods(view.timeline)
    chosen = state.now().period
    own = chosen is not None and chosen not in counts
    by_name = {_name(one): one for one in counts}
    with st.container(horizontal=True, vertical_alignment="bottom", width="content", key="period"):
        own = own or bool(st.session_state.get(_OWN))
        st.selectbox(
            "Period",
            [WHOLE, *by_name, OWN],
            format_func=lambda name: _label(by_name[name], counts) if name in by_name else name,
            **controlled(
                "pick-period",
                OWN if own else WHOLE if chosen is None else _name(chosen),
                lambda picked: _choose(by_name, picked),
            ),
            label_visibility="collapsed",
            width=240,
        )
        if own:
            _own_days(span, chosen)
        elif chosen is not None:
            _step(list(counts), chosen)
        if chosen is not None:
            st.button(
                WHOLE,
                key="period-whole",
                icon=":material/undo:",
                on_click=_take,
                args=(None,),
                help="Shows all days again.",
            )


def _step(known: list[Period], chosen: Period) -> None:
    at = known.index(chosen)
    for label, icon, other in (("Earlier", "chevron_left", at + 1), ("Later", "chevron_right", at - 1)):
        there = 0 <= other < len(known)
        st.button(
            label,
            key=f"period-{label.lower()}",
            icon=f":material/{icon}:",
            disabled=not there,
            on_click=_take,
            args=(known[other] if there else None,),
        )


def _own_days(span: Period, chosen: Period | None) -> None:
    start = chosen or span
    st.date_input(
        "From – to",
        min_value=span.first,
        max_value=span.last,
        format="YYYY-MM-DD",
        width=260,
        **controlled_days(
            f"period-days-{span.first}-{span.last}",
            (_inside(start.first, span), _inside(start.last, span)),
            lambda first, last: state.choose_period(Period(first, last)),
        ),
    )


def _inside(day: date, span: Period) -> date:
    return min(max(day, span.first), span.last)


def _choose(by_name: dict[str, Period], picked: str) -> None:
    st.session_state[_OWN] = picked == OWN
    if picked != OWN:
        state.choose_period(by_name.get(picked))


def _take(period: Period | None) -> None:
    st.session_state[_OWN] = False
    state.choose_period(period)


def _name(one: Period) -> str:
    return f"{one.first}/{one.last}"


def _label(one: Period, counts: dict[Period, int]) -> str:
    return f"{one.words} · {counts[one]:,} headline{'' if counts[one] == 1 else 's'}"
