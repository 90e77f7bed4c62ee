"""What is shown of annotating, judging and rooms."""

from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from components.frame import links, page_state, view_state
from components.frame.links import linked
from components.frame.markdown import WORDS
from components.frame.view_state import PageView, ViewState
from components.opened.views import compare, timeline
from core.people.forms import DEFAULT_FORM
from core.people.judges import LONGEST_TOKEN
from core.people.questions import QUESTIONS

JUDGE, RESULTS, FILES = "judge", "results", "files"
EVALUATED: Final = {JUDGE: "Judge", RESULTS: "Results", FILES: "Spreadsheets"}
GROUPS, PAIRS, HEADLINES = "groups", "pairs", "headlines"
TASKS: Final = {GROUPS: "Group headlines", PAIRS: "Compare pairs", HEADLINES: "Better headline"}
VOTES, VOTES_FILE = "votes", "file"
AGREED: Final = {GROUPS: "Groups", VOTES: "Votes on pairs", VOTES_FILE: "A file of votes"}
"""What there is to look at, to do and to agree on, by its word in the address."""
USUAL_COUNT: Final = 100  # articles that are judged at first, as in the paper
LARGEST_SEED: Final = 999_999
QUORUMS: Final[dict[str, str]] = WORDS["quorums"]
"""Who must agree, so that two headlines are joined or an item is decided, by its word in the address."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluateView(PageView):
    """Articles and systems are those of Compare. No name of a judge or system ever stands in the address; a
    token does in the personal link alone, and is taken out when that is opened.
    """

    shown: str = linked(JUDGE, links.choice("show", EVALUATED))
    form: str = linked(DEFAULT_FORM, links.text("form", r"[a-z0-9_.-]{1,60}", wants="the name of a form"))
    count: int = linked(USUAL_COUNT, links.integer("count", r"[0-9]{1,6}", low=1))
    seed: int = linked(0, links.integer("seed", r"[0-9]{1,6}"))
    sheet: int = linked(0, links.integer("sheet", r"[0-9]{1,4}"))
    own_sheet: int = 0
    judge: str = ""
    token: str = linked("", links.Link("token", lambda given: given[:LONGEST_TOKEN], lambda _: ""))
    asked: str = ""
    article: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnotateView(PageView):
    task: str = linked(GROUPS, links.choice("task", TASKS))
    suggest: bool = linked(False, links.flag("suggest"))
    row: int | None = None
    find: str = ""
    typed: str = ""
    act: str = ""
    first: str = ""
    heard: int = 0
    pairs: str = linked("iss.v1", links.signature("pairs", simple=True))


@dataclass(frozen=True, slots=True, kw_only=True)
class AgreementView(PageView):
    about: str = linked(GROUPS, links.choice("about", AGREED))
    question: str = linked("same_event", links.choice("question", QUESTIONS))
    simulate: str = linked("", links.choice("simulate", ["", "yes", "no"]))  # "": where people lack
    quorum: str = linked("", links.choice("quorum", ["", *QUORUMS]))
    row: int | None = None  # of the item that is adjudicated; None for the next one
    turn: int = 0
    asked: str = ""
    confidence: str | None = None
    error: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyView(PageView):
    code: str = linked("", links.text("study", r"[0-9a-f]{8}", wants="the code of a study"))
    run: bool = linked(False, links.flag("run"))  # whether its state is shown, to whom runs it
    asks: str = GROUPS


EVALUATE: Final = ViewState(EvaluateView)
STUDY: Final = ViewState(StudyView)
ANNOTATE: Final = ViewState(AnnotateView)
AGREEMENT: Final = ViewState(AgreementView)


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomView(PageView):
    """The room that a teacher holds; a link to the remote has both, and they are taken out when it opens."""

    code: str = ""
    token: str = ""
    key: str = linked("", links.Link("control", lambda given: given[:200], lambda _: ""))


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinView(PageView):
    room: str = linked("", links.line("room", 200))
    code: str = ""
    door: int = 0
    joined: bool = False
    item: str = ""
    refused: tuple[str, str] = ("", "")


TEACHING: Final = ViewState(RoomView)
JOINING: Final = ViewState(JoinView)


def evaluate_address() -> None:
    EVALUATE.now()  # reads the token of a personal link before it is taken out
    parts = EVALUATE.part("shown", "form", "count", "seed", "sheet"), compare.part("articles", "systems")
    page_state.write_address(*parts)


def annotate_address(*parts: view_state.Part) -> None:
    EVALUATE.now()
    parts = parts or (ANNOTATE.part(), timeline.part("data"))
    page_state.write_address(*parts, moved=partial(ANNOTATE.put, row=None, find=""))


def agreement_address() -> None:
    parts = AGREEMENT.part(), timeline.part("data"), ANNOTATE.part("pairs")
    page_state.write_address(*parts, moved=partial(turn_to, None))


def turn_to(row: int | None) -> None:
    """Adjudicates an item, or the next one; what was said of another before it was decided is dropped."""
    AGREEMENT.put(row=row, turn=AGREEMENT.now().turn + 1, confidence=None, error=None)


def change_judging(**values: Any) -> None:
    """Sets values on which depends what is judged by whom; the first open article opens."""
    EVALUATE.put(**{"own_sheet": 0, **values}, article="")


def annotator() -> str:
    return EVALUATE.now().judge
