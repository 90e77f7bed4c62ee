"""What Annotate shows; who annotates is the judge of Evaluate, by name and token."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from components import page_state
from components.evaluate import state as evaluate
from components.page_state import PageView, ViewState, choice, flag, linked
from components.timeline import state as timeline
from core.data.identity import Answers
from core.journal.journal import NewEntry

GROUPS, PAIRS, HEADLINES = "groups", "pairs", "headlines"
TASKS: Final = {GROUPS: "Group headlines", PAIRS: "Compare pairs", HEADLINES: "Better headline"}
"""What there is to do, by its word in the address."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnotateView(PageView):
    task: str = linked(GROUPS, choice("task", TASKS))
    suggest: bool = linked(False, flag("suggest"))
    row: int | None = None
    find: str = ""
    typed: str = ""
    heard: int = 0
    pairs: str = linked("iss.v1", page_state.signature("pairs", simple=True))


_state = ViewState(AnnotateView)
now, put, part = _state.now, _state.put, _state.part


def write_address() -> None:
    """Puts the view into the address bar; after a step back in the browser, the other way round."""
    evaluate.now()  # reads the token of a personal link before it is taken out
    parts = part(), timeline.part("data")
    if page_state.follow(*parts):
        put(row=None, find="")
    page_state.write_address(*parts)


def annotator() -> str:
    return evaluate.now().judge


def record(answers: Answers, kind: str, body: Mapping[str, Any]) -> None:
    """Stores what the annotator of this session did; it is on the disk when this returns."""
    answers.append([NewEntry(kind=kind, who=annotator(), body=body)])
