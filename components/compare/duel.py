"""Two systems against each other: difference, significance, wins, ties and losses."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from components.tables import show_table
from core.headlines.comparison.comparison import Comparison, Place
from core.headlines.comparison.duels import Duel, duels
from core.headlines.comparison.shown import all_missing, chance, number
from core.results.forms import footnotes, marked


def pair_choice(comparison: Comparison, *, key: str) -> tuple[str, str] | None:
    """Two different systems, the first two to begin with; None where there are not two."""
    systems = list(comparison.systems)
    if len(systems) < 2:
        st.caption("There is one system. Load or write the headlines of another one to compare them.")
        return None
    left, right = st.columns(2)
    one = str(left.selectbox("One system", systems, key=f"{key}-one"))
    others = [name for name in systems if name != one]
    other = str(right.selectbox("against", others, key=f"{key}-other"))
    return one, other


def duel(comparison: Comparison) -> None:
    """Draws the choice of two systems and how they stand in every column."""
    st.header("Two systems against each other", anchor=False)
    pair = pair_choice(comparison, key="duel")
    if pair is None:
        return
    found = {one.key: one for one in _duels(comparison.fingerprint, *pair, comparison)}
    places = [place for place in comparison.places if not all_missing(comparison, place)]
    lines = [_line(place, found[place.key]) for place in places]
    show_table(
        pd.DataFrame(lines),
        alt="The two systems in every score: difference with interval, p-values, wins, ties and losses",
        columns={
            "Difference": "Difference (A − B), with its 95 % interval",
            "p": "Two-sided paired bootstrap, of no difference; from the resamples of the interval",
            "p (Holm)": f"Corrected for the {max(one.family for one in found.values())} scores of this list",
            "Wins": "Articles on which the one is better",
            "Losses": "Articles on which the other is better",
        },
    )
    for line in footnotes(one.warning for one in found.values()):
        st.caption(line)


@st.cache_resource(show_spinner=False, max_entries=32)
def _duels(key: str, one: str, other: str, _comparison: Comparison) -> tuple[Duel, ...]:
    return duels(_comparison, one, other)


def _line(place: Place, one: Duel) -> dict[str, str]:
    gap = number(place.column, one.difference)
    if one.difference is not None and one.low is not None and one.high is not None:
        gap = (
            f"{'+' if one.difference > 0 else ''}{gap} "
            f"[{number(place.column, one.low)}, {number(place.column, one.high)}]"
        )
    counts = {"Wins": one.wins, "Ties": one.ties, "Losses": one.losses}
    return {
        "Score": place.column.label,
        "Difference": marked(gap, one.warning) if one.difference is not None else gap,
        "p": chance(one.p),
        "p (Holm)": chance(one.corrected),
        **{name: "–" if count is None else f"{count:,}" for name, count in counts.items()},
    }
