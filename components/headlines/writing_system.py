"""Which system writes headlines, how, and what it wrote."""

from functools import partial
from typing import Any, Final, NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from components.frame import progress
from components.frame.errors import show_error
from components.frame.markdown import HELPS, WORDS, plain
from components.frame.widgets import button, pick
from components.opened.recipes import few_choice, recipe_choice
from core.data.articles.articles import Articles
from core.errors import CoreError
from core.headlines import generator, writing
from core.headlines.generators.sentences import SentenceRecipe
from core.headlines.writing import WrittenHeadlines, title_of
from core.models.language_models.language_model import Length

_SYSTEM: Final = "write_system"
_GO: Final = "write_go"
BASELINE: Final = "first_sentence.v1"
MOST_CANDIDATES: Final = 6  # cards beside an article; the command line gives up to 20


class Asked(NamedTuple):
    system: str
    options: generator.GenerationOptions

    @property
    def title(self) -> str:
        return title_of(self.system)

    @property
    def at_once(self) -> bool:
        return isinstance(generator.headline_generators.parse(self.system), SentenceRecipe)


def asking() -> Asked:
    current = str(st.session_state.get(_SYSTEM, BASELINE))
    how = st.container(key="choice-how")
    recipe = generator.headline_generators.parse(current)
    what = "Sentences of the article" if isinstance(recipe, SentenceRecipe) else "Written by"
    with how.expander(f"{what}: {plain(title_of(current))}", icon=":material/tune:", key="write-how"):
        if few_choice("System", "writers", generator.headline_generators, current, choose):
            recipe_choice("Every system", generator.headline_generators, current, choose)
        count, length, style = st.columns(3)
        look = {"key": "write-candidates", "persist_state": "session"}
        candidates = int(count.number_input("Headlines", 1, MOST_CANDIDATES, 4, **look))
        case = pick("Capitals", generator.HeadlineCase, str.capitalize, "write-case")
        how = manner(recipe, "write", length, style)
        options = generator.GenerationOptions(candidates=candidates, case=case, **how)
    return Asked(generator.headline_generators.signature(recipe), options)


def manner(
    recipe: generator.GeneratorRecipe, key: str, left: DeltaGenerator, right: DeltaGenerator
) -> dict[str, Any]:
    """Draws how long the headlines of a system are and, where it has several, in which style."""
    with left:
        look = {"first": Length.USUAL, "help": HELPS["length"]}
        length = pick("Length", Length, str.capitalize, f"{key}-length", **look)
    styles = [style for style in generator.HeadlineStyle if style in recipe.styles]
    if not styles:
        return {"length": length}
    with right:
        styles = list(dict.fromkeys([generator.HeadlineStyle.NEUTRAL, *styles]))
        style = pick("Style", styles, str.capitalize, f"{key}-style-{len(styles)}")
    return {"length": length, "style": style}


def choose(system: str, *, go: bool = False) -> None:
    st.session_state[_SYSTEM] = system
    st.session_state[_GO] = go


def available(asked: Asked) -> bool:
    try:
        generator.headline_generators.parse(asked.system).check()
    except CoreError as error:
        show_error(error)
        return False
    return True


def answer(
    asked: Asked, articles: Articles, *, label: str, on_click: bool = False
) -> WrittenHeadlines | None:
    """The headlines; where they take time, or `on_click`, a button that asks for them, and their progress."""
    key = f"write|{articles.fingerprint}|{asked.system}|{asked.options}"
    started = st.session_state.setdefault("write_asked", [])
    if st.session_state.pop(_GO, False) and key not in started:
        started.append(key)
    if key not in started and (on_click or not asked.at_once):
        look = "secondary" if on_click else "primary"
        button(label, f"write-go-{len(articles)}", started.append, key, icon="edit", type=look)
        return None
    work = partial(writing.write_headlines, articles, asked.system, asked.options)
    try:
        return progress.finished(key, f"{asked.title} is writing", work, long=len(articles) > 1)
    except CoreError as error:
        show_error(error)
        if key in started:
            started.remove(key)
        return None


def suggestion(asked: Asked) -> None:
    """Offers the language model above sentences of the article, and says of its own what to beware of."""
    default, why = writing.default_system()
    with st.container(gap="xsmall", key="write-ask"):
        if not asked.at_once:
            st.caption(WORDS["texts"]["invents"])
        elif default.partition("|")[0] != BASELINE:
            ask = partial(choose, default, go=True)
            button("Write headlines", "write-ask-default", ask, icon="auto_awesome", type="primary")
        elif why:
            st.caption(f":material/info: {plain(why)}")
