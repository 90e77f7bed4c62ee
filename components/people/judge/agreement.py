"""What all screens on agreement draw: who must agree, who voted, and whether people are simulated."""

from collections.abc import Iterable, Mapping
from typing import Final

import streamlit as st

from components.frame.tables import show_table
from components.frame.widgets import choose_here, part_link
from components.opened.views.people import AGREEMENT, QUORUMS
from core.people.study import Purpose
from core.people.voting import Voter

_SHARES: Final = {"60": 0.6, "80": 0.8, "all": 1.0}


def choose_quorum(key: str, *, least: str, usual: str) -> float | None:
    """Draws the choice of who must agree; gives the least share, None for the least there is."""
    words, put = [least, *_SHARES], AGREEMENT.put
    here = AGREEMENT.now().quorum if AGREEMENT.now().quorum in words else usual
    more = {"take": lambda word: put(quorum=word), "width": 220}
    return _SHARES.get(choose_here("Who must agree", words, QUORUMS, key, here, **more))


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
            **({"As decided %": skills.get(voter.who)} if skills else {}),
            "Control pairs right": "{} of {}".format(*voter.right(Purpose.CONTROL)),
            "Seconds a pair": "–" if voter.seconds is None else f"{voter.seconds:.1f}",
            "Counts": "yes" if voter.counts else f"no: {voter.stage.value}",
        }
        for voter in everybody
    ]
    st.header("Who voted", anchor=False)
    show_table(lines, alt="Everybody who voted, with control pairs and time", most=300)
