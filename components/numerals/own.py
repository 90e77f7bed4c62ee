"""A pasted article and headline: checked, or its blank filled, when the reader says so."""

from __future__ import annotations

import re
from typing import Final

import streamlit as st

from components import jobs
from components.markdown import plain
from components.numerals import state
from components.numerals.one import one_headline
from components.numerals.subject import check_together, digest, filler
from components.open.reading import pasted_article
from components.page import show_error
from core import limits
from core.errors import CoreError, InputError
from core.numerals.checks.article import without_headline
from core.numerals.checks.shown import percent
from core.numerals.expressions.tree import print_expression
from core.numerals.provenance import Filled
from core.numerals.question import BLANK
from core.runtime import Runtime
from core.text.normalise import clean_line

_ARTICLE: Final = "numerals-own-article"
_HEADLINE: Final = "numerals-own-headline"
_ASKED: Final = "numerals_asked"
_ANSWER: Final = "numerals-answer"
_NEW: Final = "numerals_new"
"""Whether the number in the blank is still to be chosen, so that it is the one that is looked at."""
_GAP: Final = re.compile(rf"{BLANK}_*")


def own_text() -> None:
    """Draws the form, and beneath it what was found for the texts as they were last given."""
    with st.form("numerals-own", border=False):
        st.text_area(
            "Article",
            key=_ARTICLE,
            height=220,
            placeholder="Paste an article in English, Russian or Italian; tags of HTML are left out.",
            persist_state="session",
        )
        st.text_input(
            "Headline",
            key=_HEADLINE,
            placeholder=f"Mexico Gunmen Kill 35 — or, to have the number found, Mexico Gunmen Kill {BLANK}",
            persist_state="session",
        )
        if st.form_submit_button(
            "Check the numbers",
            key="numerals-own-go",
            type="primary",
            icon=":material/check:",
            help=f"Or press Ctrl and Enter. Where the headline holds {BLANK}, the number is found.",
        ):
            _ask(st.session_state[_ARTICLE], st.session_state[_HEADLINE])
    if _ASKED not in st.session_state:
        st.caption("The texts stay on this computer, and no link holds them.")
        return
    try:
        _answered(*st.session_state[_ASKED])
    except CoreError as error:
        show_error(error)


def bring(headline: str, article: str) -> None:
    """Puts a headline into the form; without an article, the reader is to paste one."""
    st.session_state[_HEADLINE] = headline
    if article:
        take_over(article, headline)
        return
    st.session_state[_ARTICLE] = ""
    st.session_state.pop(_ASKED, None)
    state.put(shown="own")


def take_over(article: str, headline: str) -> None:
    """Puts an article and a headline into the form, to be changed there."""
    st.session_state[_ARTICLE], st.session_state[_HEADLINE] = article, headline
    _ask(article, headline)
    state.put(shown="own")


def _ask(article: str, headline: str) -> None:
    st.session_state[_ASKED] = (article, headline)
    st.session_state[_NEW] = True
    st.session_state.pop(_ANSWER, None)
    state.choose_numeral(0)


def _answered(article: str, headline: str) -> None:
    text, line = _read(article, headline)
    gap = _GAP.search(line)
    if gap is not None:
        filled = _fill(line, text)
        if filled is None:
            return
        answer = _filled(filled)
        if not answer:
            return
        line = f"{line[: gap.start()]}{answer}{line[gap.end() :]}"
    found = check_together([line], without_headline(text, line))
    if found is None:
        return
    checked = found[0]
    if st.session_state.pop(_NEW, False) and gap is not None:
        places = [at for at, one in enumerate(checked.numerals) if one.numeral.end > gap.start()]
        state.choose_numeral(places[0] if places else 0)
    one_headline(checked, name="")


def _read(article: str, headline: str) -> tuple[str, str]:
    """The two texts as they are checked.

    Raises:
        InputError: One of them is missing or too long.
    """
    opened = pasted_article(article)
    line = clean_line(headline)
    if opened is None:
        raise InputError(
            "The article is empty." if not article.strip() else "The article holds no word.",
            hint="Paste the text that the headline's numbers should come from.",
        )
    if not line:
        raise InputError("The headline is empty.", hint=f"Give a headline, or one with {BLANK} for a number.")
    most = limits.HEADLINE_CHARACTERS.value
    if len(line) > most:
        raise InputError(
            f"The headline has {len(line):,} characters; at most {most:,} are read.",
            hint="Give one line, and paste the rest as the article.",
        )
    return opened.articles.texts[0], line


def _fill(line: str, text: str) -> Filled | None:
    """The number for the blank; None, with its progress drawn, until it is known."""

    def work(runtime: Runtime) -> Filled:
        return filler(runtime).fill([line], [text], runtime)[0]

    return jobs.finished(f"numerals-fill|{digest(text, line)}", "Finding the number", work, long=False)


def _filled(filled: Filled) -> str:
    """Draws the answer with the others to choose from; gives the one that is put in, "" where none is."""
    if not filled.answer:
        st.info(
            "**No number could be found.**  \nThe article states none that could fill the blank.",
            icon=":material/help:",
        )
        return ""
    shares = {filled.answer: filled.probability, **dict(filled.others)}
    told = f"The number is **{plain(filled.answer)}** with a probability of {percent(filled.probability)}"
    if filled.derivations:
        told += f", by {plain(print_expression(filled.derivations[0].candidate.expression))}"
    st.markdown(f":material/edit_note: {told}")
    if len(shares) < 2:
        return filled.answer
    return str(
        st.segmented_control(
            "Put in",
            list(shares),
            format_func=lambda one: f"{plain(one)} · {percent(shares[one])}",
            default=filled.answer,
            required=True,
            key=_ANSWER,
            on_change=lambda: st.session_state.update({_NEW: True}),
        )
    )
