"""What Check numbers shows; articles, systems and whether their names are hidden are those of Compare."""

from dataclasses import dataclass
from functools import partial
from typing import Final

from components.frame import page_state
from components.frame.links import choice, integer, linked, text
from components.frame.view_state import PageView, ViewState
from components.opened.views import compare

ONE, ALL, OWN = "one", "all", "own"
SHOWN: Final = {OWN: "Your text", ONE: "One headline", ALL: "All headlines"}

WORST: Final = -1  # the numeral that is shown where nobody chose one: the one to look at first
PEOPLE: Final = "people"
"""Stands for the original headline, where a system would be named."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NumeralsView(PageView):
    shown: str = linked(OWN, choice("show", SHOWN))
    system: str = linked("", text("system", rf"[0-9a-f]{{16}}|{PEOPLE}"))
    numeral: int = linked(WORST, integer("numeral", r"[1-9][0-9]{0,2}", shift=1))
    way: int = 0
    thorough: bool = False


_state = ViewState(NumeralsView)
now, put, reset, everything = _state.now, _state.put, _state.reset, _state.everything
thorough = partial(_state.widget, "thorough", "numerals-thorough")


def write_address() -> None:
    """Puts the view, but nothing of pasted text, into the address bar; after a step back, the other way."""
    shown = _state.part("shown")
    page_state.follow(shown)
    parts = {
        OWN: (shown,),
        ALL: (shown, compare.part("articles", "systems", "blind")),
        ONE: (_state.part(), compare.part("articles", "systems", "blind", "article")),
    }[now().shown]
    page_state.write_address(*parts)


def show(word: str) -> None:
    put(shown=word)
    choose_numeral()


def open_article(article: str) -> None:
    compare.open_article(article)
    choose_numeral()


def open_headline(system: str) -> None:
    put(system=system)
    choose_numeral()


def choose_numeral(place: int = WORST) -> None:
    put(numeral=place, way=0)


def jump(article: str, system: str, numeral: int) -> None:
    compare.open_article(article)
    put(shown=ONE, system=system, numeral=numeral, way=0)
