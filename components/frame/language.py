"""The language of pages that people open who never see the rest: English in the code, others in files."""

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import streamlit as st

from components.frame.controlled import controlled
from components.frame.links import choice, linked
from components.frame.view_state import PageView, ViewState

FOLDER: Final = Path(__file__).with_name("languages")
LANGUAGES: Final[dict[str, dict[str, Any]]] = {
    file.stem: tomllib.loads(file.read_text(encoding="utf-8")) for file in sorted(FOLDER.glob("*.toml"))
}
"""By ISO 639: the language's own name, its direction, and its texts by the English ones."""
ENGLISH: Final = "en"
_SPEAKS: Final = "speaks"  # set in the sessions of pages that come in several languages


@dataclass(frozen=True, slots=True, kw_only=True)
class LanguageView(PageView):
    language: str = linked("", choice("lang", LANGUAGES))  # "": that of the browser


LANGUAGE: Final = ViewState(LanguageView)


def speak() -> None:
    """Lets the pages of this session be in the language of its reader."""
    st.session_state[_SPEAKS] = True


def language() -> str:
    if not st.session_state.get(_SPEAKS):
        return ENGLISH
    wanted = [st.context.locale or "", *str(st.context.headers.get("Accept-Language", "")).split(",")]
    tags = (re.split(r"[-_;]", tag.strip().casefold())[0] for tag in wanted)
    return LANGUAGE.now().language or next((tag for tag in tags if tag in LANGUAGES), ENGLISH)


def say(text: str, /, **values: object) -> str:
    """An English text of these pages in the reader's language, with values in it."""
    said = str(LANGUAGES[language()]["texts"].get(text, text))
    return said.format(**values) if values else said


def translated(text: str) -> str:
    """The same for a sentence with its values in it already; one that is not the program's stays."""
    texts: dict[str, str] = LANGUAGES[language()]["texts"]
    if text in texts or not texts:
        return texts.get(text, text)
    for english, pattern in _patterns(language()):
        if found := pattern.fullmatch(text):
            return texts[english].format(**found.groupdict())
    return text


@cache
def _patterns(spoken: str) -> list[tuple[str, re.Pattern[str]]]:
    """What texts with places for values match, those with most words of their own first."""
    open_texts = [text for text in LANGUAGES[spoken]["texts"] if "{" in text]
    pieces = {text: re.split(r"\{(\w+)\}", text) for text in open_texts}
    order = sorted(open_texts, key=lambda text: -sum(map(len, pieces[text][::2])))
    return [(text, re.compile(re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>.+)", re.escape(text)))) for text in order]


def choose_language() -> None:
    with st.container(horizontal=True, vertical_alignment="center", key="language-choice"):
        here = controlled("language", language(), lambda chosen: LANGUAGE.put(language=chosen))
        named = {tag: about["name"] for tag, about in LANGUAGES.items()}
        look = {"label_visibility": "collapsed", "width": 150, "format_func": named.__getitem__}
        st.selectbox(say("Language"), list(named), **look, **here)
        st.markdown("**Headline Lab**", width="content")
