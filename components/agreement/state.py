"""What Agreement shows."""

from dataclasses import dataclass
from typing import Final

from components import page_state
from components.annotate import state as annotate
from components.buttons import choose_here
from components.page_state import PageView, ViewState, choice, flag, linked
from components.timeline import state as timeline
from core.people.voting import QUESTIONS

GROUPS, VOTES, FILE = "groups", "votes", "file"
ABOUT: Final = {GROUPS: "Groups", VOTES: "Votes on pairs", FILE: "A file of votes"}
"""What people agree on, by its word in the address."""


QUORUMS: Final = {
    "half": "More than half agree",
    "most": "Most votes decide",
    "60": "Three of five agree",
    "80": "Four of five agree",
    "all": "All agree",
}
"""Who must agree, so that two headlines are joined or an item is decided, by its word in the address."""
_SHARES: Final = {"60": 0.6, "80": 0.8, "all": 1.0}


@dataclass(frozen=True, slots=True, kw_only=True)
class AgreementView(PageView):
    about: str = linked(GROUPS, choice("about", ABOUT))
    question: str = linked("same_event", choice("question", QUESTIONS))
    simulate: bool = linked(False, flag("simulate"))
    quorum: str = linked("", choice("quorum", ["", *QUORUMS]))
    row: int | None = None
    asked: str = ""


_state = ViewState(AgreementView)
now, put = _state.now, _state.put


def shown() -> bool:
    """Whether annotators, model and what others decided are shown: to who asked, and to no other judge."""
    return now().asked == annotate.annotator() != ""


def write_address() -> None:
    """Puts the view into the address bar; after a step back in the browser, the other way round."""
    parts = _state.part(), timeline.part("data"), annotate.part("pairs")
    if page_state.follow(*parts):
        put(row=None)
    page_state.write_address(*parts)


def choose_quorum(key: str, *, least: str, usual: str) -> float | None:
    """Draws the choice of who must agree; gives the least share, None for the least there is."""
    words = [least, *_SHARES]
    here = now().quorum if now().quorum in words else usual
    chosen = choose_here(
        "Who must agree", words, QUORUMS, key, here, lambda word: put(quorum=word), width=220
    )
    return _SHARES.get(str(chosen))
