"""What the Compare page shows, and what the other pages about written headlines share with it."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, Self

from components.frame.links import choice, flag, line, linked, several, text
from components.frame.view_state import PageView, ViewState
from core.headlines.comparison.article_measures import MEAN, SPREAD

DEFAULT_ARTICLES: Final = "sample:articles"
FILE_ORDER: Final = "file"
HEADLINES, SCORES, DIFFERENCES = "headlines", "scores", "differences"
SHOWN: Final = {HEADLINES: "Headlines", SCORES: "Scores", DIFFERENCES: "Where they differ"}
"""What there is to look at, by its word in the address."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CompareView(PageView):
    shown: str = linked(HEADLINES, choice("show", SHOWN))
    articles: str = linked(DEFAULT_ARTICLES, text("articles", r"[a-z0-9_.:-]{1,60}"))
    # By their fingerprints: in blind mode nothing here names a system.
    systems: tuple[str, ...] = linked((), several("systems", r"[0-9a-f]{16}", most=50))
    article: str = linked("", line("article", 200))
    page: int = 0
    blind: bool = linked(False, flag("blind"))
    search: str = linked("", line("search", 200))
    sort: str = linked(FILE_ORDER, line("sort", 100))
    of: str = linked(MEAN, line("of", 100))
    descending: bool = linked(True, flag("order", "up", means=False))
    unsupported: bool = False
    revealed: str = ""
    added: Mapping[str, list[str]] = field(default_factory=dict)
    orders: tuple[tuple[str, str, Mapping[str, Any]], ...] = ()
    opened: tuple[str, ...] = ()
    generator: str = "first_sentence.v1"

    def checked(self) -> Self:
        return replace(self, of=MEAN) if self.blind and self.of != SPREAD else self


_state = ViewState(CompareView, stays=("added", "orders", "opened", "generator"))
now, put, reset, part, show = _state.now, _state.put, _state.reset, _state.part, _state.show
everything = _state.everything


def open_articles(name: str) -> None:
    """Opens other articles: no article is chosen, nothing is filtered, all systems are shown."""
    reset("systems", "article", "page", "search", "revealed", "unsupported")
    put(articles=name)


def open_article(article: str, **values: Any) -> None:
    put(article=article, revealed="", **values)


def go_blind(blind: bool) -> None:
    put(blind=blind, revealed="", of=MEAN if blind and now().of != SPREAD else now().of)
