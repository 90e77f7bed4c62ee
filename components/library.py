"""Everything that has weights and every registered method, as cards to search in."""

from dataclasses import dataclass
from typing import Final

import streamlit as st

from components.buttons import pick
from components.markdown import plain
from components.resources import cached
from core import limits
from core.models.weights.cards import Folder, Package, Source, cards, shipped_weights
from core.results.render import count_words
from research.catalogue.catalogue import left_out, methods

COLUMNS: Final = 3
FIRST: Final = 12  # cards that are shown before anybody asks for more
EVERYTHING: Final = "Everything"
MODEL: Final = "model"


@dataclass(frozen=True, slots=True)
class LibraryCard:
    kind: str
    title: str
    about: str  # what it is for, a sentence
    facts: tuple[str, ...]  # licence, weights, speed or parameters

    def says(self, words: list[str]) -> bool:
        text = " ".join((self.kind, self.title, self.about, *self.facts)).casefold()
        return all(word in text for word in words)


@cached(max_entries=1)
def library_cards() -> tuple[LibraryCard, ...]:
    known = cards()
    found = [
        LibraryCard(
            MODEL,
            m.title,
            m.what_for.replace("`", ""),
            (m.licence, f"{_source(m.source)}, {m.megabytes} MB", m.speed.replace("`", "")),
        )
        for m in known
    ]
    names = {m.name for m in known}
    found += [
        LibraryCard(MODEL, m.name, m.about, (m.licence, f"folder models/{m.name}, {m.megabytes:.1f} MB"))
        for m in shipped_weights()
        if m.name not in names
    ]
    for method in methods():
        parameters = method.signature.partition("|")[2].replace("|", ", ")
        found.append(
            LibraryCard(method.kind, method.name, method.summary, (parameters,) if parameters else ())
        )
    return tuple(found)


def library() -> None:
    everything = library_cards()
    with st.container(horizontal=True, vertical_alignment="bottom", key="library-bar"):
        words = st.text_input(
            "Search",
            key="library-words",
            placeholder=f"Search {len(everything):,} models and methods",
            persist_state="session",
            icon=":material/search:",
            label_visibility="collapsed",
        )
        kinds = {kind: kind[0].upper() + kind[1:] for kind in (EVERYTHING, *(one.kind for one in everything))}
        kind = pick("Kind", kinds, kinds, "library-kind", label_visibility="collapsed", width=230)
    found = [
        one
        for one in everything
        if kind in {EVERYTHING, one.kind} and one.says((words or "").casefold().split())
    ]
    if not found:
        st.info("Nothing matches. Try fewer words, or everything.", icon=":material/search_off:")
        return
    said = count_words(len(found), "model or method", "models and methods")
    st.caption(f"{said}{' match' if words else ''}.")
    shown = found
    if len(found) > FIRST and not st.session_state.get("library-all"):
        shown = found[:FIRST]
    with st.container(key="library-cards"):
        for start in range(0, len(shown), COLUMNS):
            for column, one in zip(st.columns(COLUMNS), shown[start : start + COLUMNS], strict=False):
                with column, st.container(border=True, height="stretch"):
                    facts = "  \n".join(f":small[:gray[{plain(fact)}]]" for fact in one.facts if fact)
                    st.markdown(
                        f":small[:gray[{plain(one.kind)}]]  \n**{plain(one.title)}**  \n{plain(one.about)}"
                        + (f"\n\n{facts}" if facts else "")
                    )
    if len(found) > FIRST:
        st.toggle(f"Show all {len(found):,}", key="library-all", persist_state="session")


def _source(source: Source) -> str:
    if isinstance(source, Package):
        return f"inside the package {source.distribution}"
    return (
        f"folder {source.path.parent.name}/{source.path.name}"
        if isinstance(source, Folder)
        else f"hub: {source.id}"
    )


def files_left_out() -> None:
    """Says which files of methods could not be read; nothing in a sound tree."""
    for said in left_out():
        st.warning(plain(said), icon=":material/report:")


def server_memory() -> None:
    import psutil

    used = psutil.Process().memory_info().rss / 1e6
    most = limits.KEPT_MEGABYTES.value
    st.caption(
        f"This server uses {used:,.0f} MB of memory. Of finished work and of opened files it keeps at most "
        f"{most:,} MB each; what was used longest ago goes first, and what somebody has open stays."
    )
