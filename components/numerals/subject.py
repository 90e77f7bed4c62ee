"""Which headline of which article is looked at, and its check out of the background."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from components import jobs
from components.compare import state as compare
from components.compare.opened import Scene, article_names, placed, set_choice
from components.markdown import plain, shorten
from components.numerals import state
from components.page_state import controlled
from components.resources import owner
from core.journal.journal import the_journal
from core.numerals.checking import Checker, load_checker
from core.numerals.checks.clearing import with_answers
from core.numerals.checks.opening import check_any_is_read
from core.numerals.filling import Filler, load_filler
from core.numerals.provenance import CheckedHeadline
from core.runtime import Runtime


@dataclass(frozen=True, slots=True)
class OpenedHeadline:
    """A headline of the open article."""

    key: str
    name: str
    headline: str


@dataclass(frozen=True, slots=True, eq=False)
class NumeralSubject:
    """What is looked at."""

    scene: Scene
    row: int
    lines: tuple[OpenedHeadline, ...]
    at: int

    @property
    def name(self) -> str:
        """Who wrote the open headline, as it may be shown."""
        return self.lines[self.at].name

    @property
    def text(self) -> str:
        return self.scene.articles.texts[self.row]


def articles_choice() -> None:
    """The choice of a set of articles; the original headline opens with it."""
    set_choice("numerals-articles", lambda: state.open_headline(""))


def article_choice(scene: Scene) -> int:
    """The choice of an article, by its original headline where it has one; gives its row."""
    articles = scene.articles
    current = compare.now().article
    row = articles.ids.index(current) if current in articles.ids else 0
    names = article_names(articles)
    if names is None:
        st.number_input(
            f"Article, of {len(articles):,}",
            1,
            len(articles),
            **controlled("numerals-number", row + 1, lambda to: state.open_article(articles.ids[to - 1])),
        )
        return row
    st.selectbox(
        "Article",
        range(len(articles)),
        format_func=names.__getitem__,
        **controlled("numerals-article", row, lambda to: state.open_article(articles.ids[to])),
    )
    return row


def headline_choice(scene: Scene, row: int) -> NumeralSubject | None:
    """The choice of a headline of the article; None where it has none."""
    # The original headline and those of the systems, the empty ones left out.
    given = scene.articles.references[row][:1]
    found = [OpenedHeadline(state.PEOPLE, "Original headline", one) for one in given]
    found += [
        OpenedHeadline(scene.prints[place], name, scene.outputs[place].headlines[row])
        for place, name in placed(scene, scene.articles.ids[row])
    ]
    lines = tuple(one for one in found if one.headline.strip())
    if not lines:
        st.info(
            "**This article has no headline yet.**  \nLoad the headlines of a system on the Compare page, or "
            "let one write them there.",
            icon=":material/short_text:",
        )
        return None
    keys = [one.key for one in lines]
    current = state.now().system
    at = keys.index(current) if current in keys else 0
    st.selectbox(
        "Headline",
        range(len(lines)),
        format_func=lambda one: f"{lines[one].name} · {shorten(lines[one].headline, 100)}",
        **controlled("numerals-headline", at, lambda to: state.open_headline(keys[to])),
    )
    return NumeralSubject(scene, row, lines, at)


def to_compare(scene: Scene, row: int) -> None:
    """The way to the same article on the Compare page."""
    if st.button(
        "This article on the Compare page",
        key="numerals-compare",
        icon=":material/compare:",
        type="tertiary",
        help=f"All headlines of “{plain(shorten(scene.articles.ids[row], 60))}” side by side.",
    ):
        compare.open_article(scene.articles.ids[row])
        st.switch_page("pages/compare.py")


@st.cache_resource(show_spinner=False)
def checker(_runtime: Runtime) -> Checker:
    """The checker of this server, loaded for the first who asks."""
    return load_checker(None, _runtime)


@st.cache_resource(show_spinner=False)
def filler(_runtime: Runtime) -> Filler:
    """What fills blanks on this server, loaded for the first who asks."""
    return load_filler(None, _runtime)


def checked_article(subject: NumeralSubject) -> CheckedHeadline | None:
    """The open headline, checked; None, with its progress drawn, until it is known."""
    lines = [one.headline for one in subject.lines]
    found = check_together(lines, [subject.text] * len(lines))
    return None if found is None else found[subject.at]


def check_together(headlines: Sequence[str], articles: Sequence[str]) -> list[CheckedHeadline] | None:
    """Several headlines, each with its article; None, with its progress drawn, until they are known."""

    def work(runtime: Runtime) -> list[CheckedHeadline]:
        checked = checker(runtime).check(headlines, articles, runtime)
        check_any_is_read(checked)
        return checked

    key = f"numerals|{digest(*headlines, *dict.fromkeys(articles))}"
    found = jobs.finished(key, "Reading the numbers", work, long=False)
    return None if found is None else with_answers(the_journal(), found, owner())


def digest(*texts: str) -> str:
    """16 hex digits over texts."""
    return hashlib.sha256(repr(texts).encode("utf-8", errors="surrogatepass")).hexdigest()[:16]
