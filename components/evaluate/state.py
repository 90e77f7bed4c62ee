"""What Evaluate shows.

Articles and systems are those of the Compare page: what is chosen there is chosen here. Neither the name of
a judge nor that of a system ever stands in the address; a judge's token stands there only in the personal
link, and is taken out when the link is opened.
"""

from dataclasses import dataclass
from typing import Any, Final

from components import compare, page_state
from components.page_state import Link, PageView, ViewState, choice, integer, linked, text
from core.people.ratings import DEFAULT_FORM
from core.people.store import LONGEST_TOKEN

JUDGE, RESULTS, FILES = "judge", "results", "files"
SHOWN: Final = {JUDGE: "Judge", RESULTS: "Results", FILES: "Spreadsheets"}
"""What there is to look at, by its word in the address."""

USUAL_COUNT: Final = 100  # articles that are judged at first, as in the paper
LARGEST_SEED: Final = 999_999


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluateView(PageView):
    shown: str = linked(JUDGE, choice("show", SHOWN))
    form: str = linked(DEFAULT_FORM, text("form", r"[a-z0-9_.-]{1,60}", wants="the name of a form"))
    count: int = linked(USUAL_COUNT, integer("count", r"[0-9]{1,6}", low=1))
    seed: int = linked(0, integer("seed", r"[0-9]{1,6}"))
    sheet: int = linked(0, integer("sheet", r"[0-9]{1,4}"))
    own_sheet: int = 0
    judge: str = ""
    token: str = linked("", Link("token", lambda given: given[:LONGEST_TOKEN], lambda _: ""))
    asked: str = ""
    article: str = ""


_state = ViewState(EvaluateView)
now, put = _state.now, _state.put


def write_address() -> None:
    """Puts the view into the address bar; after a step back in the browser, the other way round."""
    now()  # reads the token of a personal link before it is taken out
    parts = _state.part("shown", "form", "count", "seed", "sheet"), compare.part("articles", "systems")
    page_state.follow(*parts)
    page_state.write_address(*parts)


def change(**values: Any) -> None:
    """Sets values on which depends what is judged by whom; the first open article opens."""
    put(**{"own_sheet": 0, **values}, article="")
