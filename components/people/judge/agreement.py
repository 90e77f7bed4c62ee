"""What all screens on agreement draw: who must agree, who voted, and whether people are simulated."""

from collections.abc import Iterable, Mapping
from typing import Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from components.frame.figure_table import ALL_FIGURES, show_figures
from components.frame.tables import show_table
from components.frame.widgets import choose_here, part_link
from components.opened.views.people import AGREEMENT, QUORUMS
from core.people.study import Purpose
from core.people.voting import Voter
from core.results.number_forms import between, decimals, whole, written
from core.results.table import Table, TableColumn, Value, number_of
from core.statistics.bootstrap import Figure

_DECIDED: Final = "As decided %"
_AGREE: Final = {"AMI": (0.8, 0.5), "alpha": (0.8, 0.667)}
"""From where people agree well, and in part; of alpha as in Krippendorff (2004)."""
_SHARES: Final = {"60": 0.6, "80": 0.8, "all": 1.0}


def choose_quorum(key: str, *, least: str, usual: str) -> float | None:
    """Draws the choice of who must agree; gives the least share, None for the least there is."""
    words, put = [least, *_SHARES], AGREEMENT.put
    here = AGREEMENT.now().quorum if AGREEMENT.now().quorum in words else usual
    more = {"take": lambda word: put(quorum=word), "width": 220}
    return _SHARES.get(choose_here("Who must agree", words, QUORUMS, key, here, **more))


def say_agreement(who: str, name: str, value: Value, more: str) -> DeltaGenerator:
    """How far people agree by a measure, in a sentence; its interval and more in a quiet line."""
    number, (well, partly) = number_of(value), _AGREE[name]
    said = "agreement unknown" if number is None else "hardly agree"
    if number is not None and number >= partly:
        said = "agree well" if number >= well else "agree in part"
    answer = st.container(key="agreement-finding")
    answer.header(f"{who} {said}: {name} {written(number, decimals(2))}", anchor=False)
    span = between(value, decimals(2)).strip("[]").replace(", ", "–") if isinstance(value, Figure) else ""
    answer.markdown(f":gray[{f'95 % interval {span} · ' * bool(span)}{more}]")
    return answer


def say_simulated(said: str) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key="agreement-simulated"):
        st.caption(f":gray-badge[:material/smart_toy: simulated] {said}", width="content")
        part_link("Annotate", "annotate", "edit_square")


def voters_shown(everybody: Iterable[Voter], skills: Mapping[str, int]) -> None:
    """A line for each person who voted, and why somebody does not count."""
    lines = [
        {
            "Person": voter.who,
            "Votes": sum(voter.task.by_id[item].use == Purpose.MAIN for item in voter.votes),
            **({_DECIDED: skills.get(voter.who)} if skills else {}),
            "Control pairs right": "{} of {}".format(*voter.right(Purpose.CONTROL)),
            "Seconds a pair": "–" if voter.seconds is None else f"{voter.seconds:.1f}",
            "Counts": "yes" if voter.counts else f"no: {voter.stage.value}",
        }
        for voter in everybody
    ]
    st.header("Who voted", anchor=False)
    alt = "Everybody who voted, with control pairs and time"
    look = {_DECIDED: {"form": whole, "better": "higher"}}
    columns = tuple(TableColumn(head, **look.get(head, {})) for head in lines[0])
    rows = (tuple(Figure(of) if head == _DECIDED else of for head, of in line.items()) for line in lines)
    show_figures(Table(columns=columns, rows=tuple(rows)), alt=alt)
    with st.expander(ALL_FIGURES, icon=":material/table_rows:"):
        show_table(lines, alt=alt, most=300)
