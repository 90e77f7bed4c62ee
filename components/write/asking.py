"""Which system writes and what is asked of it, and its answer out of the background."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

import pandas as pd
import streamlit as st

from components import jobs
from components.buttons import button
from components.library import recipe_choice
from components.markdown import plain
from components.page import downloads, show_error
from components.tables import show_table
from components.write.subject import WritingSubject
from core.data.articles.articles import Articles
from core.data.timelines.writers import write_table
from core.errors import CoreError
from core.headlines.extractive import SentenceRecipe
from core.headlines.generator import GeneratorRecipe, HeadlineStyle, Wishes, headline_generators
from core.headlines.writing import WrittenHeadlines, default_system, title_of, write_headlines, written_bytes
from core.models.language_models.language_model import Length
from core.runtime import Runtime

_SYSTEM: Final = "write_system"
_GO: Final = "write_go"
BASELINE: Final = "first_sentence.v1"
MOST_CANDIDATES: Final = 6  # cards beside an article; the command line gives up to 20


@dataclass(frozen=True, slots=True)
class Asked:
    system: str
    wishes: Wishes
    seed: int

    @property
    def title(self) -> str:
        return title_of(self.system)

    @property
    def at_once(self) -> bool:
        return isinstance(headline_generators.parse(self.system), SentenceRecipe)

    def key(self, articles: Articles) -> str:
        return f"write|{articles.fingerprint}|{self.system}|{self.wishes}|{self.seed}"


def asking() -> Asked:
    current = str(st.session_state.get(_SYSTEM, BASELINE))
    with st.expander(f"Written by: {plain(title_of(current))}", icon=":material/tune:", key="write-how"):
        help = "The first sentence is the baseline; Library says what each system does."
        recipe_choice("System", headline_generators, current, choose, help=help)
        recipe = headline_generators.parse(current)
        wishes, seed = _wishes(recipe)
    return Asked(headline_generators.signature(recipe), wishes, seed)


def choose(system: str, *, go: bool = False) -> None:
    st.session_state[_SYSTEM] = system
    st.session_state[_GO] = go


def available(asked: Asked) -> bool:
    try:
        headline_generators.parse(asked.system).check()
    except CoreError as error:
        show_error(error)
        return False
    return True


def answer(
    asked: Asked, articles: Articles, *, label: str, on_click: bool = False
) -> WrittenHeadlines | None:
    """The headlines; where they take time, or `on_click`, a button that asks for them, and their progress."""
    key = asked.key(articles)
    started = st.session_state.setdefault("write_asked", [])
    if st.session_state.pop(_GO, False) and key not in started:
        started.append(key)
    if key not in started and (on_click or not asked.at_once):
        look = "secondary" if on_click else "primary"
        button(label, f"write-go-{len(articles)}", started.append, key, icon="edit", type=look)
        return None

    def work(runtime: Runtime) -> WrittenHeadlines:
        return write_headlines(articles, asked.system, asked.wishes, replace(runtime, seed=asked.seed))

    try:
        return jobs.finished(key, f"{asked.title} is writing", work, long=len(articles) > 1)
    except CoreError as error:
        show_error(error)
        if key in started:
            started.remove(key)
        return None


def suggestion(asked: Asked) -> None:
    """Offers the language model above sentences of the article, or says why there is none."""
    if not asked.at_once:
        return
    default, why = default_system()
    if default.partition("|")[0] != BASELINE:
        help = (
            "A small model writes sixteen headlines on this computer; what most of them agree on comes "
            "first, and numbers that the article does not give are marked."
        )
        look = {"icon": "auto_awesome", "type": "primary", "help": help}
        button("Write headlines", "write-ask-default", partial(choose, default, go=True), **look)
    elif why:
        st.caption(f":material/info: {plain(why)}")


def _wishes(recipe: GeneratorRecipe) -> tuple[Wishes, int]:
    left, right = st.columns(2)
    candidates = left.number_input(
        "Candidates", 1, MOST_CANDIDATES, 4, key="write-candidates", persist_state="session"
    )
    length = right.selectbox(
        "Length",
        list(Length),
        index=1,
        format_func=str.capitalize,
        key="write-length",
        help="Short: up to 6 words; long: 10 and more.",
        persist_state="session",
    )
    if isinstance(recipe, SentenceRecipe):
        return Wishes(candidates=int(candidates), length=length), 0
    left, right = st.columns(2)
    styles = [HeadlineStyle.NEUTRAL, *(style for style in HeadlineStyle if style in recipe.styles)]
    style = left.selectbox(
        "Style",
        styles,
        format_func=str.capitalize,
        key=f"write-style-{len(styles)}",
        disabled=len(styles) < 2,
        help="Some systems can ask a question or put a number in.",
        persist_state="session",
    )
    help = "0 leaves it to the system."
    most = right.number_input(
        "Words at most", 0, 50, 0, key="write-most-words", help=help, persist_state="session"
    )
    sample = st.toggle(
        "Sample", key="write-sample-words", help="More variety, more mistakes.", persist_state="session"
    )
    temperature, seed = 0.8, 0
    if sample:
        temperature = st.slider(
            "Temperature", 0.1, 1.5, 0.8, 0.1, key="write-temperature", persist_state="session"
        )
        seed = int(st.number_input("Seed", 0, 9_999, 0, key="write-seed", persist_state="session"))
    wishes = Wishes(
        candidates=int(candidates),
        style=style,
        length=length,
        most_words=int(most),
        sample=sample,
        temperature=temperature,
    )
    return wishes, seed


SHOWN_ROWS = 500


def export_headlines(lines: Sequence[str], written: WrittenHeadlines) -> None:
    table = pd.DataFrame({"headline": list(lines)}, dtype=object)
    about = {"signature": written.signature, "fingerprint": written.articles.fingerprint}

    def file(kind: str) -> bytes:
        return write_table(table, {}, kind, about=about, rows="headlines")

    downloads(
        ("Text", lambda: "\n".join([*lines, ""]), "headlines.txt", "One line a headline, as they stand."),
        ("CSV", partial(file, "csv"), "headlines.csv"),
        ("JSONL", partial(file, "jsonl"), "headlines.jsonl"),
        key="write-export",
    )


def export_all(subject: WritingSubject, asked: Asked) -> None:
    """Headlines for every open article, and the table with them."""
    opened = subject.opened
    count = len(opened.articles)
    if count < 2:
        return
    with st.expander(f"All {count:,} articles", icon=":material/table_rows:", key="write-all"):
        written = answer(asked, opened.articles, label=f"Write for all {count:,}", on_click=True)
        if written is None:
            return
        shown = {"Headline": written.headlines[:SHOWN_ROWS]}
        if any(opened.articles.references):
            shown["Original headline"] = tuple(
                given[0] if given else "" for given in opened.articles.references[:SHOWN_ROWS]
            )
        show_table(shown, alt="The first headline of every article")
        if count > SHOWN_ROWS:
            st.caption(f"The first {SHOWN_ROWS:,} of {count:,}; the files hold all.")
        downloads(
            *(
                (
                    kind.upper(),
                    partial(written_bytes, opened, written, kind),
                    f"headlines-{opened.articles.name}.{kind}",
                    "Every article with all its columns and its headlines.",
                )
                for kind in ("csv", "jsonl", "xlsx")
            ),
            key="write-export-all",
        )
