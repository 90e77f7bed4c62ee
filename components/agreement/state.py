"""What the Agreement page shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from components import page_state
from components.annotate import state as annotate
from components.page_state import PageView, ViewState, choice, flag, linked
from components.timeline import state as timeline
from core.people.annotation.question import QUESTIONS

GROUPS, VOTES, FILE = "groups", "votes", "file"
ABOUT: Final = {GROUPS: "Groups", VOTES: "Votes on pairs", FILE: "A file of votes"}
"""What people agree on, by its word in the address."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgreementView(PageView):
    """What is compared.

    Attributes:
        about: A word of `ABOUT`.
        question: Key of what was asked about pairs.
        simulate: Whether simulated annotators stand in the place of people.
        row: The headline that is adjudicated; None for none.
    """

    about: str = linked(GROUPS, choice("about", ABOUT))
    question: str = linked("same_event", choice("question", QUESTIONS))
    simulate: bool = linked(False, flag("simulate"))
    row: int | None = None


_state = ViewState(AgreementView)
now, put = _state.now, _state.put


def write_address() -> None:
    """Puts the view into the address bar; after a step back in the browser, the other way round."""
    parts = _state.part(), timeline.part("data"), annotate.part("pairs")
    if page_state.follow(*parts):
        put(row=None)
    page_state.write_address(*parts)
